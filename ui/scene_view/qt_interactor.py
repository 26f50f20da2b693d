"""OpenGL widget of pyvistaqt, without pyvistaqt's plotting and without QtPy.

``import pyvistaqt.rwi`` runs ``pyvistaqt/__init__.py`` first, which imports pyvista's plotting and with it matplotlib:
more than a second at every start, for nothing used here. QtPy inspects every class of Qt to unify the bindings, which
takes a tenth of a second although there is only one binding. While the module is imported, an unexecuted package
replaces pyvistaqt, and PySide6 replaces QtPy. Both are removed afterwards, so that a later import finds the real
packages.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from functools import partial
from types import SimpleNamespace
from typing import Any
from weakref import ref

import PySide6
from PySide6 import QtCore, QtGui, QtOpenGLWidgets, QtWidgets

from framescope.ui.scene_view.raster_surface import RasterSurface, has_graphics_card

os.environ.setdefault("QT_API", "pyside6")

_GL_DRAW_FRAMEBUFFER, _GL_COLOR_BUFFER_BIT, _GL_NEAREST = 0x8CA9, 0x4000, 0x2600


def _load() -> type:
    if "pyvistaqt" in sys.modules:
        return importlib.import_module("pyvistaqt.rwi").QVTKRenderWindowInteractor
    spec = importlib.util.find_spec("pyvistaqt")
    if spec is None:
        raise ModuleNotFoundError("pyvistaqt is not installed; run python3 run.py again to set everything up")
    stand_ins: dict[str, Any] = {"pyvistaqt": importlib.util.module_from_spec(spec)}
    if "qtpy" not in sys.modules:
        surfaces: Any = QtOpenGLWidgets if has_graphics_card() else SimpleNamespace(QOpenGLWidget=RasterSurface)
        modules: dict[str, Any] = {
            "QtCore": QtCore,
            "QtGui": QtGui,
            "QtOpenGLWidgets": surfaces,
            "QtWidgets": QtWidgets,
        }
        stand_ins |= {"qtpy": PySide6} | {f"qtpy.{name}": module for name, module in modules.items()}
    sys.modules.update(stand_ins)
    try:
        return importlib.import_module("pyvistaqt.rwi").QVTKRenderWindowInteractor
    finally:
        for name in stand_ins:
            del sys.modules[name]


class RenderWidget(_load()):  # type: ignore[misc]
    """A widget that drives a ``vtkGenericOpenGLRenderWindow``: a ``QOpenGLWidget``, or a surface off screen."""

    def initializeGL(self) -> None:
        """Drop the Python reference to the surface when the context is destroyed.

        The widget is destroyed before its context, which then notifies neither the widget nor Python. The next object
        at the surface's address, such as a menu's action, would be mistaken for the surface.
        """
        super().initializeGL()
        if self._ctx is not None:
            self._ctx.aboutToBeDestroyed.connect(partial(_drop_surface, ref(self)))

    @property
    def draws_layers(self) -> bool:
        """Whether `draw_layers` draws, rather than the render window as a whole."""
        return RasterSurface in type(self).__mro__ and self._RenderWindow.GetMultiSamples() <= 1

    def paintGL(self) -> None:
        """Draw the render window, off screen if the window is painted without OpenGL."""
        if RasterSurface not in type(self).__mro__:
            super().paintGL()
        elif self._RenderWindow is not None and self._RenderWindow.GetReadyForRendering():
            self.draw_picture(self._RenderWindow)

    def _blit(self, target_id: int, rect: QtCore.QRect) -> None:
        """Copy the picture into the widget's framebuffer, point by point.

        pyvistaqt makes it opaque afterwards. The lowest layer fills the picture, so that it is opaque already.
        """
        self._gl.glBindFramebuffer(_GL_DRAW_FRAMEBUFFER, target_id)
        self._gl.draw_buffer_attachment0()
        size = self._RenderWindow.GetSize()
        corners = rect.x(), rect.y(), rect.width(), rect.height()
        self._RenderWindow.BlitDisplayFramebuffer(0, 0, 0, *size, *corners, _GL_COLOR_BUFFER_BIT, _GL_NEAREST)


def _drop_surface(widget_ref: ref[RenderWidget]) -> None:
    """Drop a widget's surface when its context is destroyed; the weak reference does not keep the widget alive."""
    widget = widget_ref()
    if widget is not None:
        widget.__dict__.update(_surface=None)
