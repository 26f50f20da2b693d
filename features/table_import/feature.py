"""Record of the feature."""

from framescope.core.system.features import Action, Example, Feature

FEATURE = Feature(
    "table_import",
    commands=(("app.import_command:add_command", "evaluate"),),
    actions=(
        Action(
            "import_recording",
            "Import a recording…",
            "import",
            shortcut="Ctrl+I",
            words="load open read add csv table data log imu trajectory tum kitti euroc npz parquet rosbag",
            is_common=True,
        ),
        Action(
            "add_ghost",
            "Import a second run as a ghost…",
            "import",
            words="compare two results simulations overlay before after modelica robot",
        ),
    ),
    examples=(
        Example(
            "scenes/freiburg1_xyz.txt",
            "Build",
            "Import the path of a hand-held camera from a table, and choose what its columns mean.",
            kind="table",
            title="A recorded path to import",
            words="csv tum trajectory recording log slam rgbd benchmark columns text file poses",
        ),
    ),
    controllers=("app.import_controller:connect_imports",),
    manual=(("import", "window"),),
    preload=("ui.import_dialog",),
)
