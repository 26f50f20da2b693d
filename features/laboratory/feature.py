"""Record of the feature."""

from framescope.core.system.features import Dock, Feature

FEATURE = Feature(
    "laboratory",
    docks=(
        Dock(
            "gimbal",
            "Gimbal laboratory",
            "right",
            maker="app.laboratory_controller:fill_gimbal",
            after="problems",
            behind="readouts",
            tab="Gimbal",
            width=340,
            place="Learn",
            help_page="laboratory.md#gimbal-laboratory",
            words="panel gimbal lock euler singularity",
        ),
        Dock(
            "drift",
            "Drift laboratory",
            "bottom",
            maker="app.laboratory_controller:fill_drift",
            after="plots",
            behind="plots",
            tab="Drift",
            height=264,
            place="Learn",
            help_page="laboratory.md#drift-laboratory",
            words="panel integration error integrator rk4 euler method",
        ),
    ),
    film_panels={"gimbal": "app.film_panels:gimbal", "drift": "app.film_panels:drift"},
    manual=(("laboratory", "modelica"),),
    preload=("app.laboratory_controller",),
)
