"""Off-screen render window whose pixels are read into reused memory.

Edges are smoothed by four samples per pixel. Graphics cards take the samples themselves. In software their blending
takes longer than everything else, so the frame is drawn twice as wide and high and halved; this also smooths texts and
lines.
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
"""Longest side, pixels, that is drawn at twice its size: textures are limited to four times this length."""

_READ, _DRAW = 0x8CA8, 0x8CA9  # GL_READ_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER
_COLOR, _NEAREST, _LINEAR = 0x4000, 0x2600, 0x2601


class OffscreenWindow:
    """Off-screen window for frames of a fixed size.

    Parameters
    ----------
    width, height
        Size of the frames that are read, pixels.
    samples
        Samples per pixel of a single picture; None for a film, whose smoothing the window chooses.

    Attributes
    ----------
    window
        The VTK window to draw into.
    zoom
        Factor by which the VTK window is wider and higher than the frames.
    """

    def __init__(self, width: int, height: int, samples: int | None = None) -> None:
        self._width, self._height = width, height
        is_doubled = is_software() and max(width, height) <= MAX_DOUBLED and samples is None
        self.zoom = 2 if is_doubled else 1
        # The front buffer is read a tenth faster; the back buffer smooths edges slightly differently.
        self._front = int(samples is None)
        self.window = vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(0 if is_doubled else SAMPLES if samples is None else samples)
        self.window.SetSize(self.zoom * width, self.zoom * height)
        self._half: vtkOpenGLFramebufferObject | None = None

    def buffer(self) -> vtkUnsignedCharArray:
        """Allocate memory for a frame."""
        pixels = vtkUnsignedCharArray()
        pixels.SetNumberOfComponents(3)
        pixels.SetNumberOfTuples(self._width * self._height)
        return pixels

    def read(self, pixels: vtkUnsignedCharArray) -> NDArray[np.uint8]:
        """Render, read the pixels into a buffer, and return a view (height, width, 3) of them, top row first."""
        self.window.Render()
        if self.zoom > 1:
            self._halve()
        self.window.GetPixelData(0, 0, self._width - 1, self._height - 1, self._front, pixels, 0)
        data: NDArray[np.uint8] = np.asarray(vtk_to_numpy(pixels), dtype=np.uint8)
        return data.reshape(self._height, self._width, 3)[::-1]

    def close(self) -> None:
        """Release the memory on the graphics card."""
        if self._half is not None:
            self._half.ReleaseGraphicsResources(self.window)  # pyright: ignore[reportUnknownMemberType]
        self.window.Finalize()

    def _halve(self) -> None:
        """Halve the frame and copy it to the lower left corner of the framebuffer."""
        window = self.window
        assert isinstance(window, vtkOpenGLRenderWindow)  # noqa: S101 - VTK draws with nothing else
        if self._half is None:
            self._half = vtkOpenGLFramebufferObject()
            self._half.SetContext(window)  # pyright: ignore[reportUnknownMemberType]
            self._half.PopulateFramebuffer(self._width, self._height)
        small, whole = (0, self._width, 0, self._height), (0, 2 * self._width, 0, 2 * self._height)
        display = window.GetDisplayFramebuffer()
        display.SaveCurrentBindingsAndBuffers()
        for source, target, extent, how in (
            (display, self._half, whole, _LINEAR),
            (self._half, display, small, _NEAREST),
        ):
            source.Bind(_READ)
            source.ActivateReadBuffer(0)
            target.Bind(_DRAW)
            target.ActivateDrawBuffer(0)
            vtkOpenGLFramebufferObject.Blit(extent, small, _COLOR, how)
        display.RestorePreviousBindingsAndBuffers()
