"""Record of the feature."""

from framescope.core.system.features import Dock, Feature

FEATURE = Feature(
    "trajectories",
    requires=("bags", "calibrations", "detective", "table_import"),
    commands=(
        ("app.trajectory_commands:add_align", "compare"),
        ("app.trajectory_commands:add_ape", "align"),
        ("app.trajectory_commands:add_rpe", "ape"),
        ("app.trajectory_commands:add_traj", "rpe"),
    ),
    docks=(
        Dock(
            "align",
            "Align",
            "right",
            maker="app.align_controller:fill_align",
            after="compare",
            behind="readouts",
            width=340,
            place="Check",
            help_page="align.md",
            needs="core.moving_frames:has_two_paths",
            words="panel trajectory trajectories path evo ape rpe umeyama hand eye mounting extrinsic lever clock",
        ),
    ),
    visuals=(("ui.aligned_paths:AlignedPaths", "Candidates"),),
    manual=(("align", "calibrations"), ("evo", "align")),
    preload=("app.align_controller",),
)
