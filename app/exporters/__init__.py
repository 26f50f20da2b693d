"""Exporting a scene: one file per format family, a registry by suffix, and the headless renderer.

``export`` is the way in, for the command line and for code. Nothing here opens a window.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from framescope.app.exporters.errors import ExportCancelledError, ExportError
    from framescope.app.exporters.registry import export
    from framescope.app.exporters.request import ExportRequest, SceneSource

__all__ = ["ExportCancelledError", "ExportError", "ExportRequest", "SceneSource", "export"]


def __getattr__(name: str) -> Any:
    """Return one of the names above; what draws is imported when it is needed, and not for a list of formats."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("framescope.app.exporters.registry"), name)
