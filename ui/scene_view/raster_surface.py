"""Widget with the interface of QOpenGLWidget whose picture is copied into the picture of its window.

Qt composes a window with a QOpenGLWidget by OpenGL, which costs software GL several milliseconds whenever anything in
the window changes. With this widget OpenGL draws off screen, and the window is painted without it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QByteArray, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QImage,
    QOffscreenSurface,
    QOpenGLContext,
    QPainter,
    QPaintEvent,
    QRegion,
    QResizeEvent,
    QShowEvent,
    QSurfaceFormat,
)
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLRenderWindow

_GL_PACK_INVERT_MESA = 0x8758
"""Setting of Mesa under which rows are read from the top to the bottom."""

CARDS = ("dri/render*", "nvidia*", "dxg", "mali*", "nvhost*", "pvr*", "kgsl*")
"""Names of graphics cards under ``/dev``."""


def has_graphics_card(devices: Path = Path("/dev")) -> bool:
    """Return whether a graphics card is likely to draw, without a context of OpenGL; on Linux alone it may be False.

    Parameters
    ----------
    devices
        Folder of the devices.
    """
    if sys.platform != "linux":
        return True
    if os.environ.get("LIBGL_ALWAYS_SOFTWARE", "").lower() in ("1", "true", "yes"):
        return False
    return any(any(devices.glob(name)) for name in CARDS)


class RasterSurface(QWidget):
    """A widget with the interface of QOpenGLWidget that is painted from an image.

    A subclass draws in `paintGL` with `draw_picture`, or passes its picture to `set_image`. Until the next `update`
    that image is painted again, for instance below a card that changes.
    """

    UpdateBehavior = QOpenGLWidget.UpdateBehavior
    frameSwapped = Signal()
    _painted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._painted.connect(self.frameSwapped, Qt.ConnectionType.QueuedConnection)  # once the window is painted
        self._context: QOpenGLContext | None = None
        self._off_screen: QOffscreenSurface | None = None
        self._bytes = vtkUnsignedCharArray()
        self._pixels: NDArray[np.uint8] = np.empty((0, 0, 4), dtype=np.uint8)
        self._image = QImage()
        self._reads_downwards = False
        self._is_stale = True
        self._size_in_gl = (0, 0)

    def setUpdateBehavior(self, behavior: QOpenGLWidget.UpdateBehavior) -> None:
        """Accept any behaviour: a picture is always drawn whole."""

    def isValid(self) -> bool:
        """Return whether there is an OpenGL context."""
        return self._context is not None and self._context.isValid()

    def context(self) -> QOpenGLContext | None:
        """Return the OpenGL context; None before the first picture."""
        return self._context

    def defaultFramebufferObject(self) -> int:
        """Return the number of the framebuffer, which is that of the surface off screen."""
        return 0

    def makeCurrent(self) -> None:
        """Make the OpenGL context current."""
        if self._context is not None and self._off_screen is not None:
            self._context.makeCurrent(self._off_screen)

    def doneCurrent(self) -> None:
        """Release the OpenGL context."""
        if self._context is not None:
            self._context.doneCurrent()

    def initializeGL(self) -> None:
        """Prepare for drawing; for subclasses."""

    def resizeGL(self, width: int, height: int) -> None:
        """Prepare for another size; for subclasses."""

    def paintGL(self) -> None:
        """Draw; for subclasses."""

    def draw_picture(self, window: vtkOpenGLRenderWindow) -> None:
        """Draw the layers of a render window, and take the picture, to be painted.

        The window itself would copy the picture to a second framebuffer for a display first. Samples have to be
        averaged there, so that a window with samples does.
        """
        width, height = window.GetSize()
        is_averaged = window.GetMultiSamples() > 1
        state = window.GetState()
        state.Reset()  # other windows may have used OpenGL since the last picture
        state.Push()
        try:
            if is_averaged:
                window.Render()
            else:
                window.Start()
                self.draw_layers(window)
            if self._image.size() != QSize(width, height):
                self._bytes = vtkUnsignedCharArray()  # the old image may still be painted
            if self._reads_downwards:
                state.vtkglPixelStorei(_GL_PACK_INVERT_MESA, 1)
            # VTK's stubs know the overload without an array alone.
            window.GetRGBACharPixelData(0, 0, width - 1, height - 1, int(is_averaged), self._bytes)  # pyright: ignore[reportArgumentType]
            if self._reads_downwards:
                state.vtkglPixelStorei(_GL_PACK_INVERT_MESA, 0)
        finally:
            state.Pop()
        rows = vtk_to_numpy(self._bytes).reshape(height, width, 4)
        self._pixels = rows if self._reads_downwards else rows[::-1].copy()
        self.set_image(QImage(self._pixels.data, width, height, 4 * width, QImage.Format.Format_RGBX8888))

    def draw_layers(self, window: vtkOpenGLRenderWindow) -> None:
        """Draw the layers of a render window; subclasses may have work to do in between."""
        window.GetRenderers().Render()

    def flush(self) -> None:
        """Let OpenGL draw what it was told so far, and return at once."""
        if self._context is not None:
            self._context.functions().glFlush()

    def set_image(self, image: QImage) -> None:
        """Set the image to be painted, in device pixels."""
        self._image = image

    def grabFramebuffer(self) -> QImage:
        """Return a new picture of the size of the widget."""
        self._draw()
        return self._image.copy()

    def update(self, *region: object) -> None:
        """Draw anew at the next painting, and paint the region that is seen."""
        self._is_stale = True
        super().update(*(region or (self.seen_region(),)))

    def seen_region(self) -> QRegion:
        """Return the region that is painted at an update; subclasses leave out what opaque widgets above hide."""
        return QRegion(self.rect())

    def repaint(self, *region: object) -> None:
        """Draw and paint at once."""
        self._is_stale = True
        super().repaint(*region)

    def _draw(self) -> None:
        self._prepare()
        if self.isValid():
            self.paintGL()
            self._is_stale = False

    def _prepare(self) -> None:
        """Make the context current, with the present size."""
        if self._context is None:
            self._start()
        if not self.isValid():
            return
        self.makeCurrent()
        size = self.width(), self.height()
        if size != self._size_in_gl:
            self._size_in_gl = size
            self.resizeGL(*size)

    def _start(self) -> None:
        wanted = QSurfaceFormat.defaultFormat()
        self._context, self._off_screen = QOpenGLContext(self), QOffscreenSurface(parent=self)
        self._context.setFormat(wanted)
        self._off_screen.setFormat(wanted)
        self._off_screen.create()
        if self._context.create() and self._context.makeCurrent(self._off_screen):
            self._reads_downwards = self._context.hasExtension(QByteArray(b"GL_MESA_pack_invert"))
            self.initializeGL()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        if self._is_stale or self._image.isNull():
            self._draw()
            self._painted.emit()
        if not self._image.isNull():
            self._image.setDevicePixelRatio(self.devicePixelRatioF())
            painter = QPainter(self)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            painter.drawImage(QPoint(), self._image)
            painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._is_stale = True
        super().resizeEvent(event)
        if not self.size().isEmpty():
            self._prepare()

    def showEvent(self, event: QShowEvent) -> None:
        self._is_stale = True
        super().showEvent(event)
