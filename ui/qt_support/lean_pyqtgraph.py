"""Import of pyqtgraph with Qt modules that look up PySide6 classes on demand.

``pyqtgraph.Qt`` copies every name of QtCore, QtGui and QtWidgets to unify the bindings. PySide creates a class on its
first access: a thousand of them take a twentieth of the start-up time, and the plots use about sixty. Therefore
PySide's modules list no names while pyqtgraph is imported. Modules that forward attribute access to PySide replace the
copies, also afterwards: pyqtgraph's additions to them persist.
"""

from __future__ import annotations

import importlib
import sys
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING

NAMES = ("QtCore", "QtGui", "QtWidgets")
"""Modules that pyqtgraph copies."""


def _load() -> ModuleType:
    if "pyqtgraph" in sys.modules:
        return sys.modules["pyqtgraph"]
    sources = {name: importlib.import_module(f"PySide6.{name}") for name in NAMES}
    listings = {name: vars(source).get("__dir__") for name, source in sources.items()}
    for name, source in sources.items():
        stand_in = ModuleType(f"pyqtgraph.Qt.{name}", f"PySide6.{name}, and what pyqtgraph adds to it.")
        vars(stand_in)["__getattr__"] = partial(getattr, source)
        sys.modules[stand_in.__name__] = stand_in
        vars(source)["__dir__"] = list
    try:
        return importlib.import_module("pyqtgraph")
    finally:
        for name, listing in listings.items():
            if listing is None:
                del vars(sources[name])["__dir__"]
            else:
                vars(sources[name])["__dir__"] = listing


if TYPE_CHECKING:
    import pyqtgraph as pg
else:
    pg = _load()

__all__ = ["pg"]
