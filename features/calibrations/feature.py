"""Record of the feature."""

from framescope.core.system.features import Action, Dock, Feature

_IMAGE_LINE = r"(?:\xef\xbb\xbf)?+(?:\s*+(?:#[^\n]*+\n)?+)*+\d{1,10}(?:[ \t]++[-+.\deE]++){7}[ \t]++\d{1,10}[ \t]++\S"
"""Beginning of ``images.txt`` of COLMAP: comments, then number, quaternion, position, camera and name of an image."""

_TRANSFORMS = r'(?s:\s*+\{.*?"transform_matrix")'
"""Beginning of ``transforms.json`` of nerfstudio and instant-ngp."""

_TREES = "URDF SDF LAUNCH_PYTHON LAUNCH_XML LAUNCH_YAML LAUNCH_ROS1 PYTHON CPP HPP HEADER MATLAB TABLE"

FEATURE = Feature(
    "calibrations",
    requires=("bags", "cameras", "causes", "compare", "detective", "robots"),
    importers=("app.calibration_importer:IMPORTER",),
    bag_scenes=("app.bag_cameras:read_cameras",),
    tables=("core.pose_tables:BINARY_IMAGES",),
    text_tables=((_IMAGE_LINE, "core.pose_tables:TEXT_IMAGES"), (_TRANSFORMS, "core.pose_tables:TRANSFORMS")),
    formats=tuple(f"app.tree_formats:{name}" for name in _TREES.split()),
    docks=(
        Dock(
            "image",
            "Image",
            "right",
            maker="app.image_controller:fill_image",
            after="problems",
            behind="readouts",
            width=300,
            place="Check",
            help_page="cameras.md#what-the-camera-sees",
            needs="core.seen_frames:has_camera",
            words="camera sees picture pixel projection project reprojection calibration intrinsics what cam0 sees",
        ),
    ),
    commands=(("app.rig_command:add_command", "check"),),
    quick_checks=("core.rig.scene_checks:rig_problems",),
    slow_bag_checks=("core.bag_optics:optical_problems",),
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
    manual=(("calibrations", "modelica"), ("trees", "export")),
    preload=("app.image_controller",),
)
"""Importer of the feature, and readers of the poses in its files."""
