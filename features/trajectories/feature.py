"""Record of the feature."""

from framescope.core.system.features import Dock, Feature

FEATURE = Feature(
    "trajectories",
    requires=("bags", "calibrations", "detective", "table_import"),
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
    preload=("app.align_controller",),
)
