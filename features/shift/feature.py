"""Record of the feature."""

from framescope.core.system.features import Dock, Feature

FEATURE = Feature(
    "shift",
    docks=(
        Dock(
            "shift",
            "Shift",
            "right",
            maker="app.shift_controller:fill_shift",
            after="problems",
            behind="readouts",
            place="Check",
            help_page="shift.md",
            answers="app.shift_questions:is_shift",
            words="panel moment lever transport velocity point",
        ),
    ),
    visuals=(("ui.shift_arrows:ShiftArrows", "MeasuringLine"),),
    film_panels={"shift": "app.film_panels:shift"},
    manual=(("shift", "detective"),),
    preload=("app.shift_controller",),
)
