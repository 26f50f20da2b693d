"""Record of the feature."""

from framescope.core.system.features import Action, Feature

FEATURE = Feature(
    "cameras",
    quick_checks=("core.camera_checks:camera_problems",),
    checks=("core.camera_checks:camera_problems",),
    actions=(
        Action(
            "look_through",
            "Look through",
            "frame",
            words="camera view picture point of view eye image field first person pov see",
            is_checkable=True,
        ),
    ),
    controllers=("app.look_through:connect_look_through",),
    manual=(("cameras", "robots"),),
)
