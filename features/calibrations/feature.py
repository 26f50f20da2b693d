"""Record of the feature."""

from framescope.core.system.features import Dock, Feature

FEATURE = Feature(
    "calibrations",
    importers=("app.calibration_importer:IMPORTER",),
    docks=(
        Dock(
            "image",
            "What the camera sees",
            "right",
            maker="app.image_controller:fill_image",
            after="problems",
            behind="readouts",
            tab="Image",
            width=300,
            place="Check",
            help_page="cameras.md#what-the-camera-sees",
            needs="core.seen_frames:has_camera",
            layouts=("Check",),
            words="panel image picture pixel projection project reprojection calibration intrinsics what cam0 sees",
        ),
    ),
    preload=("app.image_controller",),
)
