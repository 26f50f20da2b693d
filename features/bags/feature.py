"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "bags",
    importers=("app.bag_importer:IMPORTER",),
    evaluation_warnings=("app.bag_report:fault_warning",),
)
