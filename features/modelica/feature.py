"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "modelica",
    importers=("app.modelica_importer:IMPORTER",),
    tables=("core.result_table:READER",),
    manual=(("modelica", "robots"),),
)
