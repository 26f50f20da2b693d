"""Record of the feature."""

from framescope.core.system.features import Action, Example, Feature

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
    examples=(
        Example(
            "scenes/faulty/rolled-camera.yaml",
            "Check",
            "Find out why the detector of a rover recognizes none of the signs ahead.",
            ("frames", "camera"),
            "faulty",
            words="rotated image picture photo lies on its side sideways upside down turned 90 degrees quarter turn"
            " rolled tilted portrait mount optical frame",
        ),
    ),
    controllers=("app.look_through:connect_look_through",),
    manual=(("cameras", "robots"),),
)
