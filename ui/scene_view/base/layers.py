"""Render layers: the background's two colours, the scene, and an overlay in pixels."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 - registers the OpenGL classes behind vtkRenderer and its like
from vtkmodules.vtkRenderingCore import vtkLight, vtkMapper, vtkRenderer, vtkRenderWindow

from framescope.core.kernels.validation import Array
from framescope.ui.scene_view.base.background import SceneBackground
from framescope.ui.scene_view.base.visual import Visual
from framescope.ui.scene_view.camera import camera as cameras
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.theme.tokens import Theme


class Layers:
    """Renderers on top of each other, in a render window or in a part of its width."""

    def __init__(self, theme: Theme, *, has_ground: bool) -> None:
        # VTK has it for the whole process: said here, no picture depends on which ones were drawn before it.
        vtkMapper.SetResolveCoincidentTopologyToPolygonOffset()
        self._has_ground = has_ground
        self._ground = SceneBackground(is_plain=not has_ground)
        _lighten(self._ground.layer)
        self._scene, self._overlay = _scene_layer(), _overlay_layer()
        self._all = self._ground.layer, self._scene, self._overlay
        self._window: vtkRenderWindow | None = None
        self.span = (0.0, 1.0)
        """Which part of the window's width they draw in, 0 to 1."""
        self.color_ground(theme)

    @property
    def is_attached(self) -> bool:
        """Whether they are in a window."""
        return self._window is not None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in device pixels."""
        width, height = self._window.GetSize() if self._window is not None else (1280, 720)
        left, right = self.span
        return max(1, round(width * (right - left))), max(1, height)

    @property
    def has_smooth_edges(self) -> bool:
        """Whether edges and lines are softened after drawing."""
        return bool(self._scene.GetUseFXAA())

    def attach(self, window: vtkRenderWindow) -> None:
        """Add the layers to a render window."""
        self._window = window
        window.SetNumberOfLayers(len(self._all))
        for layer in self._all:
            window.AddRenderer(layer)
        self._ground.attach(window)
        self._clear_by_scene(not self._has_ground)

    def attach_beside(self, window: vtkRenderWindow) -> None:
        """Add scene and overlay to a render window that has the layers, and the ground, of another one."""
        self._window = window
        for layer in self._all[1:]:
            window.AddRenderer(layer)

    def detach(self) -> None:
        """Take the layers out of the window."""
        self._ground.detach()
        if self._window is not None:
            for layer in self._all:
                self._window.RemoveRenderer(layer)
        self._window = None

    def set_span(self, left: float, right: float) -> None:
        """Draw in a part of the window's width; the ground fills all of it."""
        self.span = left, right
        self._clear_by_scene(False)
        for layer in self._all[1:]:
            layer.SetViewport(left, 0.0, right, 1.0)

    def color_ground(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._ground.color(theme)
        self.clear_with(self._ground.layer.GetBackground())

    def clear_with(self, color: tuple[float, float, float]) -> None:
        """Take another colour for a plain ground than the theme's; components from 0 to 1."""
        for layer in self._all[:2]:
            layer.SetBackground(*color)

    def smooth_edges(self, is_smooth: bool) -> None:
        """Soften edges and lines after drawing (FXAA): half the price of four samples where there is no GPU."""
        self._scene.SetUseFXAA(is_smooth)

    def add(self, visuals: Iterable[Visual]) -> None:
        """Draw what visuals are made of."""
        for visual in visuals:
            for actor in visual.scene_actors:
                self._scene.AddActor(actor)
            for actor in visual.overlay_actors:
                self._overlay.AddActor(actor)

    def remove(self, visuals: Iterable[Visual]) -> None:
        """Draw visuals no more; taken out one by one, actors also free what they hold on the graphics card."""
        for visual in visuals:
            for actor in visual.scene_actors:
                self._scene.RemoveActor(actor)
            for actor in visual.overlay_actors:
                self._overlay.RemoveActor(actor)

    def set_overlaid(self, is_overlaid: bool) -> None:
        """Draw the overlay: an empty layer still costs its clearing."""
        self._overlay.SetDraw(is_overlaid)

    def look_from(self, projection: Projection, center: Array, reach: float) -> None:
        """See the scene as a projection says, up to `reach` from a centre, m; the overlay is in its pixels."""
        camera, view = projection.camera, self._scene.GetActiveCamera()
        near, far = cameras.clipping_range(camera, center, reach)
        # Seen in parallel, it makes no difference how far back the camera stands: so far that all is before it.
        back = reach - near if camera.is_parallel else 0.0
        view.SetPosition(*(camera.position - back * camera.direction))
        view.SetFocalPoint(*camera.focal_point)
        view.SetViewUp(*camera.axes()[1])
        view.SetViewAngle(np.degrees(camera.view_angle))
        view.SetParallelProjection(camera.is_parallel)
        view.SetParallelScale(0.5 * projection.height * camera.distance / projection.focal_length_px)
        view.SetClippingRange(near + back, far + back)
        # The overlay's camera makes one unit one pixel, from the lower left corner.
        flat = self._overlay.GetActiveCamera()
        x, y = projection.width / 2, projection.height / 2
        flat.SetFocalPoint(x, y, 0.0)
        flat.SetPosition(x, y, 1.0)
        flat.SetParallelScale(y)
        flat.SetClippingRange(0.1, 2.0)

    def _clear_by_scene(self, is_so: bool) -> None:
        """Let the scene's layer clear the picture: where the ground is plain, that is one full picture less to draw."""
        self._ground.layer.SetDraw(not is_so)
        self._scene.SetPreserveColorBuffer(not is_so)
        self._scene.SetPreserveDepthBuffer(not is_so)  # the ground leaves no depth behind


def _scene_layer() -> vtkRenderer:
    layer = vtkRenderer()
    layer.SetLayer(1)
    layer.PreserveDepthBufferOn()  # the ground leaves none behind
    _lighten(layer)
    light = vtkLight()
    light.SetLightTypeToCameraLight()
    light.SetPosition(-0.45, 0.75, 1.0)
    light.SetFocalPoint(0.0, 0.0, 0.0)
    layer.AddLight(light)
    return layer


def _overlay_layer() -> vtkRenderer:
    layer = vtkRenderer()
    layer.SetLayer(2)
    layer.InteractiveOff()
    _lighten(layer)
    layer.GetActiveCamera().ParallelProjectionOn()
    return layer


def _lighten(layer: vtkRenderer) -> None:
    # Without cullers nobody asks for bounds, which would read all points each tick.
    layer.GetCullers().RemoveAllItems()
    layer.AutomaticLightCreationOff()
    # Order-independent transparency would average what lies over each other, and draw it all into textures
    # first; our few translucent things are drawn in their order instead.
    layer.UseOITOff()
