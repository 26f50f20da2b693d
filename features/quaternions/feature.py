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
    film_panels={
        "quaternion": "app.film_panels:circle",
        "quaternion ball": "app.film_panels:ball",
        "quaternion product": "app.film_panels:sandwich",
    },
    manual=(("quaternions", "laboratory"),),
)
