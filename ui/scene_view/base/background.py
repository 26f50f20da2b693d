"""Background of the picture: two colours that blend from top to bottom.

VTK's own gradient is noisy and costs more than the rest of a usual picture; one quad costs a third of it. Software GL
still pays for each pixel, so there the quad is drawn once for each size, stored, and copied from then on.
"""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonCore import vtkCommand
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLFramebufferObject, vtkOpenGLRenderWindow

from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import rgba, set_colors
from framescope.ui.theme.tokens import Theme, channels

_GL_COLOR_BUFFER_BIT, _GL_NEAREST = 0x4000, 0x2600
_GL_READ_FRAMEBUFFER, _GL_DRAW_FRAMEBUFFER = 0x8CA8, 0x8CA9
_UNSIGNED_CHAR = 3


class SceneBackground:
    """The lowest layer. Add `layer` to the window and call `attach`; call `detach` before the window is destroyed."""

    def __init__(self, *, is_plain: bool = False) -> None:
        self.layer = vtkRenderer()
        self.layer.InteractiveOff()
        self._is_plain = is_plain
        # Two units high, and wider than any window.
        corners = np.array([(-99, -1, 0), (99, -1, 0), (99, 1, 0), (-99, 1, 0)], dtype=np.float32)
        self._quad = pv.PolyData(corners, faces=[4, 0, 1, 2, 3])
        set_colors(self._quad, np.zeros((4, 4), dtype=np.uint8))
        self._actor = actors.overlay_surface(self._quad)
        if not is_plain:
            self.layer.AddActor(self._actor)
        camera = self.layer.GetActiveCamera()
        camera.ParallelProjectionOn()
        camera.SetFocalPoint(0.0, 0.0, 0.0)
        camera.SetPosition(0.0, 0.0, 1.0)
        camera.SetParallelScale(1.0)
        camera.SetClippingRange(0.1, 2.0)
        self._window: vtkOpenGLRenderWindow | None = None
        self._copy = vtkOpenGLFramebufferObject()
        self._copy_size: tuple[int, int] | None = None
        self._observers: list[int] = []

    def color(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        bottom, top = rgba(theme.scene_bottom), rgba(theme.scene_top)
        set_colors(self._quad, np.array([bottom, bottom, top, top], dtype=np.uint8))
        self.layer.SetBackground(*channels(theme.scene_bottom))
        self._copy_size = None

    def attach(self, window: vtkRenderWindow) -> None:
        """Draw the gradient once and copy it from then on, in windows where a copy is cheaper."""
        if self._is_plain or not isinstance(window, vtkOpenGLRenderWindow):
            return
        self._window = window
        self._observers = [
            self.layer.AddObserver(vtkCommand.StartEvent, self._copy_or_choose_quad),
            self.layer.AddObserver(vtkCommand.EndEvent, self._keep),
        ]

    def detach(self) -> None:
        """Release the window and the stored copy on the graphics card."""
        for observer in self._observers:
            self.layer.RemoveObserver(observer)
        self._observers = []
        if self._window is not None and self._copy_size is not None:
            self._copy.ReleaseGraphicsResources(self._window)
        self._window, self._copy_size = None, None

    def _copy_or_choose_quad(self, *_: object) -> None:
        """Copy the stored background if it fits the window, or let the quad be drawn.

        Copied before anything else is drawn, it does not wait for software GL to finish that first.
        """
        window = self._window
        if window is None:
            return
        # Multisampled buffers do not match the stored copy. A machine with multisampling can afford the quad.
        is_kept = (
            self._copy_size == window.GetSize() and self._copy.GetFBOIndex() != 0 and window.GetMultiSamples() <= 1
        )
        self._actor.SetVisibility(not is_kept)
        self.layer.SetPreserveColorBuffer(is_kept)
        if is_kept:
            self._blit(window, self._copy, window.GetRenderFramebuffer())

    def _keep(self, *_: object) -> None:
        """Store the background that was drawn."""
        window = self._window
        if window is None or not self._actor.GetVisibility() or window.GetMultiSamples() > 1:
            return
        window.GetState().PushFramebufferBindings()
        self._make_room(window.GetSize())
        window.GetState().PopFramebufferBindings()
        self._blit(window, window.GetRenderFramebuffer(), self._copy)

    def _blit(
        self,
        window: vtkOpenGLRenderWindow,
        source: vtkOpenGLFramebufferObject,
        target: vtkOpenGLFramebufferObject,
    ) -> None:
        """Copy the colours of a framebuffer of the size of the window to another."""
        state, size = window.GetState(), window.GetSize()
        state.PushFramebufferBindings()
        source.Bind(_GL_READ_FRAMEBUFFER)
        target.Bind(_GL_DRAW_FRAMEBUFFER)
        state.vtkglBlitFramebuffer(0, 0, *size, 0, 0, *size, _GL_COLOR_BUFFER_BIT, _GL_NEAREST)
        state.PopFramebufferBindings()

    def _make_room(self, size: tuple[int, int]) -> None:
        if self._copy.GetFBOIndex() == 0:
            self._copy.SetContext(self._window)
            self._copy.PopulateFramebuffer(*size, True, 1, _UNSIGNED_CHAR, False, 0, 0)
        else:
            self._copy.Resize(*size)
        self._copy_size = size
