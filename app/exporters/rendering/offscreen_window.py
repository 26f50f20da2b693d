"""Off-screen render window, whose pixels are read into memory that is kept.

Edges are smoothed by four samples for each pixel. A graphics card takes them itself. In software their blending takes
longer than all else: there the frame is drawn twice as wide and high and halved, which smooths texts and lines, too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import vtk_to_numpy  # pyright: ignore[reportUnknownVariableType]
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderWindow
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLFramebufferObject, vtkOpenGLRenderWindow

from framescope.app.exporters.rendering.renderer_info import is_software

SAMPLES = 4

MAX_DOUBLED = 4096
"""The longest side that is drawn twice as long: textures end at four times that."""

_READ, _DRAW = 0x8CA8, 0x8CA9  # GL_READ_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER
_COLOR, _NEAREST, _LINEAR = 0x4000, 0x2600, 0x2601


class OffscreenWindow:
    """A window off screen.

    Parameters
    ----------
    width, height
        Of the frames that are read from it.
    samples
        For each pixel, in a picture that stands by itself; of a film it is the window's own business.

    Attributes
    ----------
    window
        What is drawn into.
    zoom
        By how much it is wider and higher than the frames that are read from it.
    """

    def __init__(self, width: int, height: int, samples: int | None = None) -> None:
        self._width, self._height = width, height
        is_doubled = is_software() and max(width, height) <= MAX_DOUBLED and samples is None
        self.zoom = 2 if is_doubled else 1
        # The front buffer is read a tenth faster than the back one, where edges are smoothed a little otherwise.
        self._front = int(samples is None)
        self.window = vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(0 if is_doubled else SAMPLES if samples is None else samples)
        self.window.SetSize(self.zoom * width, self.zoom * height)
        self._half: vtkOpenGLFramebufferObject | None = None

    def buffer(self) -> vtkUnsignedCharArray:
        """Return memory for a frame."""
        pixels = vtkUnsignedCharArray()
        pixels.SetNumberOfComponents(3)
        pixels.SetNumberOfTuples(self._width * self._height)
        return pixels

    def read(self, pixels: vtkUnsignedCharArray) -> NDArray[np.uint8]:
        """Draw, and return a view (height, width, 3) of the pixels read into a buffer, top row first."""
        self.window.Render()
        if self.zoom > 1:
            self._halve()
        self.window.GetPixelData(0, 0, self._width - 1, self._height - 1, self._front, pixels, 0)
        data: NDArray[np.uint8] = np.asarray(vtk_to_numpy(pixels), dtype=np.uint8)
        return data.reshape(self._height, self._width, 3)[::-1]

    def close(self) -> None:
        """Let go of what is on the graphics card."""
        if self._half is not None:
            self._half.ReleaseGraphicsResources(self.window)  # pyright: ignore[reportUnknownMemberType]
        self.window.Finalize()

    def _halve(self) -> None:
        """Put the frame, halved, into the lower left corner of what was drawn."""
        window = self.window
        assert isinstance(window, vtkOpenGLRenderWindow)  # noqa: S101 - VTK draws with nothing else
        if self._half is None:
            self._half = vtkOpenGLFramebufferObject()
            self._half.SetContext(window)  # pyright: ignore[reportUnknownMemberType]
            self._half.PopulateFramebuffer(self._width, self._height)
        small, whole = (0, self._width, 0, self._height), (0, 2 * self._width, 0, 2 * self._height)
        drawn = window.GetDisplayFramebuffer()
        drawn.SaveCurrentBindingsAndBuffers()
        for source, target, extent, how in ((drawn, self._half, whole, _LINEAR), (self._half, drawn, small, _NEAREST)):
            source.Bind(_READ)
            source.ActivateReadBuffer(0)
            target.Bind(_DRAW)
            target.ActivateDrawBuffer(0)
            vtkOpenGLFramebufferObject.Blit(extent, small, _COLOR, how)
        drawn.RestorePreviousBindingsAndBuffers()
