"""Record of the feature."""

from framescope.core.system.features import Dock, Feature

FEATURE = Feature(
    "quaternions",
    requires=("laboratory",),
    docks=(
        Dock(
            "quaternion",
            "Quaternion",
            "right",
            maker="app.quaternion_dock:fill_quaternion",
            after="problems",
            behind="readouts",
            width=340,
            place="Learn",
            help_page="quaternions.md",
            words="panel double cover belt slerp sandwich product rotation vector ball half angle minus q",
        ),
    ),
    manual=(("quaternions", "laboratory"),),
)
