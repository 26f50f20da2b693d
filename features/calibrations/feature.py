"""Record of the feature."""

from framescope.core.system.features import Action, Feature

FEATURE = Feature(
    "calibrations",
    requires=("cameras", "causes", "compare", "detective", "robots"),
    importers=("app.calibration_importer:IMPORTER",),
    commands=(("app.rig_command:add_command", "check"),),
    quick_checks=("core.rig.scene_checks:rig_problems",),
    checks=("core.rig.scene_checks:name_problems",),
    explanations=("core.rig.scene_checks:explain_loops",),
    actions=(
        Action(
            "write_calibration",
            "Write into the calibration…",
            "save",
            words="kalibr camchain extrinsics yaml save back patch diff export",
        ),
    ),
    controllers=("app.calibration_controller:connect_calibrations",),
    visuals=(("ui.mend_ghosts:MendGhosts", "Candidates"),),
)
