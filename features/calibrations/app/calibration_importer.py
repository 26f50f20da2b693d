"""Importer of calibrations; its reader is imported when a file is tried."""

from __future__ import annotations

from framescope.app.importers.importer import Importer, import_later

IMPORTER = Importer(
    "calibrations",
    (".yaml", ".yml", ".xml", ".txt", ".json", ".launch", ".calib", ".sto", ".mot"),
    import_later("framescope.features.calibrations.app.calibration_reader:is_calibration"),
    import_later("framescope.features.calibrations.app.calibration_reader:read"),
)
