"""Exporting a scene: one file per format family, a registry by suffix, and the headless renderer.

``export`` is the way in, for the command line and for code. Nothing here opens a window.
"""

from __future__ import annotations

from framescope.app.exporters.formats import EXPORTERS
from framescope.app.exporters.registry import export
from framescope.app.exporters.request import ExportCancelledError, ExportError, ExportRequest, SceneSource

__all__ = ["EXPORTERS", "ExportCancelledError", "ExportError", "ExportRequest", "SceneSource", "export"]
