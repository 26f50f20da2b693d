"""pyvistaqt's OpenGL widget, without pyvistaqt's plotting.

``import pyvistaqt.rwi`` runs ``pyvistaqt/__init__.py`` first, which imports pyvista's plotting and with it
matplotlib: more than a second at every start, for nothing that we use. While the module is imported, a package
that was never executed stands in for pyvistaqt; afterwards it is taken away again, so that a later
``import pyvistaqt`` finds the real one.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys

os.environ.setdefault("QT_API", "pyside6")


def _load() -> type:
    if "pyvistaqt" in sys.modules:
        return importlib.import_module("pyvistaqt.rwi").QVTKRenderWindowInteractor
    spec = importlib.util.find_spec("pyvistaqt")
    if spec is None:
        raise ModuleNotFoundError("pyvistaqt is not installed; run python3 run.py again to set everything up")
    sys.modules["pyvistaqt"] = importlib.util.module_from_spec(spec)
    try:
        return importlib.import_module("pyvistaqt.rwi").QVTKRenderWindowInteractor
    finally:
        del sys.modules["pyvistaqt"]


RenderWidget = _load()
"""A ``QOpenGLWidget`` that drives a ``vtkGenericOpenGLRenderWindow``."""
