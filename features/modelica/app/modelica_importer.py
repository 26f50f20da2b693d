"""Importer of results of Modelica tools."""

from __future__ import annotations

from framescope.app.importers.importer import Importer, import_later

_READER = "framescope.features.modelica.app.modelica_reader"

IMPORTER = Importer(
    "Modelica results",
    (".mat",),
    import_later(f"{_READER}:is_modelica"),
    import_later(f"{_READER}:read"),
    is_scene=True,
)
