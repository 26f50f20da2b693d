"""Record of the feature."""

from framescope.core.system.features import Action, Dock, Feature

FEATURE = Feature(
    "detective",
    requires=("table_import",),
    commands=(("app.detect_command:add_command", "convert"),),
    docks=(
        Dock(
            "detective",
            "Convention detective",
            "bottom",
            maker="app.detective_controller:fill_detective",
            after="timeline",
            share=470,
            place="Check",
            help_page="detective.md",
            words="panel guess unknown quaternion order matrix compare which convention",
        ),
    ),
    actions=(
        Action(
            "compare_orders",
            "Compare with another order…",
            "frame",
            words="twin side by side two sequences euler angles commute teach difference matters",
        ),
    ),
    controllers=("app.order_controller:connect_orders",),
    manual=(("detective", "import"),),
    preload=("app.detective_controller",),
)
