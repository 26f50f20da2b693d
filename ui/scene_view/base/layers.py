"""Render layers: the two-colour background, the scene, and an overlay in pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 - registers the OpenGL classes behind vtkRenderer and its like
from vtkmodules.vtkRenderingCore import vtkCamera, vtkLight, vtkMapper, vtkRenderer, vtkRenderWindow

from framescope.core.kernels.validation import Array
from framescope.ui.scene_view.base.background import SceneBackground
from framescope.ui.scene_view.base.visual import Visual
from framescope.ui.scene_view.camera import camera as cameras
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.theme.tokens import Theme


@dataclass(frozen=True)
class Viewport:
    """Rectangle in a render window: its sides as fractions of width and height, from the lower left corner."""

    left: float = 0.0
    bottom: float = 0.0
    right: float = 1.0
    top: float = 1.0


_SCENE, _OVERLAY = 1, 2
"""Numbers of two layers in a window: the background is below them, and insets are above."""


class Layers:
    """Renderers on top of each other, in a render window or in a rectangle of it."""

    def __init__(self, theme: Theme, *, has_ground: bool) -> None:
        # This VTK setting is global to the process. Set here, no picture depends on the pictures drawn before it.
        vtkMapper.SetResolveCoincidentTopologyToPolygonOffset()
        self._has_ground = has_ground
        self._ground = SceneBackground(is_plain=not has_ground)
        _lighten(self._ground.layer)
        self.scene_layer, self.overlay_layer = _scene_layer(), _overlay_layer()
        self._all = self._ground.layer, self.scene_layer, self.overlay_layer
        for layer in self._all[:2]:
            layer.SetBackgroundAlpha(1.0)
        self.window: vtkRenderWindow | None = None
        self.size_without_window: tuple[int, int] = (1280, 720)
        """Width and height, device pixels, for which a camera is fitted while there is no window."""
        self._n_below = 0
        """Number of layers of the window below these; 0 if they share the layers of the others."""
        self.viewport = Viewport()
        """Rectangle of the window in which the layers draw."""
        self.color_ground(theme)

    @property
    def is_attached(self) -> bool:
        """Whether the layers are in a window."""
        return self.window is not None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in device pixels."""
        width, height = self.window.GetSize() if self.window is not None else self.size_without_window
        area = self.viewport
        return max(1, round(width * (area.right - area.left))), max(1, round(height * (area.top - area.bottom)))

    @property
    def has_smooth_edges(self) -> bool:
        """Whether edges and lines are smoothed after drawing."""
        return bool(self.scene_layer.GetUseFXAA())

    def attach(self, window: vtkRenderWindow) -> None:
        """Add the layers to a render window."""
        self.window = window
        window.SetNumberOfLayers(len(self._all))
        for layer in self._all:
            window.AddRenderer(layer)
        self._ground.attach(window)
        self._clear_by_scene(not self._has_ground)

    def attach_beside(self, window: vtkRenderWindow) -> None:
        """Add scene and overlay to a render window that has the layers and the background of another view."""
        self.window = window
        for layer in self._all[1:]:
            window.AddRenderer(layer)

    def attach_above(self, window: vtkRenderWindow) -> None:
        """Add scene and overlay to a render window, on top of the views that it has; the scene covers its rectangle."""
        self.window, self._n_below = window, window.GetNumberOfLayers()
        window.SetNumberOfLayers(self._n_below + 2)
        for i, layer in enumerate(self._all[1:]):
            layer.SetLayer(self._n_below + i)
            window.AddRenderer(layer)
        self._clear_by_scene(True)

    def detach(self) -> None:
        """Remove the layers from the window."""
        self._ground.detach()
        if self.window is not None:
            for layer in self._all:
                self.window.RemoveRenderer(layer)
            if self._n_below and self.window.GetNumberOfLayers() == self._n_below + 2:
                self.window.SetNumberOfLayers(self._n_below)
        self.window = None

    def set_viewport(self, viewport: Viewport) -> None:
        """Draw in a rectangle of the window; the background fills all of it."""
        self.viewport = viewport
        for layer in self._all[1:]:
            layer.SetViewport(viewport.left, viewport.bottom, viewport.right, viewport.top)

    def color_ground(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._ground.color(theme)
        self.clear_with(self._ground.layer.GetBackground())

    def clear_with(self, color: tuple[float, float, float]) -> None:
        """Replace the theme's colour of a plain background; components from 0 to 1."""
        for layer in self._all[:2]:
            layer.SetBackground(*color)

    def smooth_edges(self, is_smooth: bool) -> None:
        """Smooth edges and lines after drawing (FXAA): half the cost of four samples where there is no GPU."""
        self.scene_layer.SetUseFXAA(is_smooth)

    def add(self, visuals: Sequence[Visual]) -> None:
        """Draw the actors of visuals of one context: in the overlay, their leader lines below everything else."""
        for actor in visuals[0].context.leader_actors if visuals else ():
            self.overlay_layer.AddActor(actor)
        for visual in visuals:
            for actor in visual.scene_actors:
                self.scene_layer.AddActor(actor)
            for actor in visual.overlay_actors:
                self.overlay_layer.AddActor(actor)

    def remove(self, visuals: Iterable[Visual]) -> None:
        """Remove the actors of visuals; removed one by one, they also free their memory on the graphics card."""
        for visual in visuals:
            for actor in visual.scene_actors:
                self.scene_layer.RemoveActor(actor)
            for actor in visual.overlay_actors:
                self.overlay_layer.RemoveActor(actor)

    def set_overlaid(self, is_overlaid: bool) -> None:
        """Draw the overlay or skip it: even an empty layer costs its clearing."""
        self.overlay_layer.SetDraw(is_overlaid)

    def look_from(self, projection: Projection, center: Array, reach: float) -> None:
        """Point the scene's camera as a projection asks, and make the overlay's unit one pixel.

        The depth range reaches `reach` from a centre, m.
        """
        camera, view = projection.camera, self.scene_layer.GetActiveCamera()
        near, far = cameras.clipping_range(camera, center, reach)
        # The distance of a parallel camera does not change the picture, so move it back until everything is in front of
        # it.
        back = reach - near if camera.is_parallel else 0.0
        view.SetPosition(*(camera.position - back * camera.direction))
        view.SetFocalPoint(*camera.focal_point)
        view.SetViewUp(*camera.axes()[1])
        view.SetViewAngle(np.degrees(camera.view_angle))
        view.SetWindowCenter(-camera.center[0], -camera.center[1])
        view.SetParallelProjection(camera.is_parallel)
        view.SetParallelScale(0.5 * projection.height * camera.distance / projection.focal_length_px)
        view.SetClippingRange(near + back, far + back)
        # The overlay's camera makes one unit one pixel, from the lower left corner.
        flat = self.overlay_layer.GetActiveCamera()
        x, y = projection.width / 2, projection.height / 2
        flat.SetFocalPoint(x, y, 0.0)
        flat.SetPosition(x, y, 1.0)
        flat.SetParallelScale(y)
        flat.SetClippingRange(0.1, 2.0)

    def _clear_by_scene(self, is_so: bool) -> None:
        """Let the scene's layer clear the picture: with a plain background, that saves drawing one full picture."""
        self._ground.layer.SetDraw(not is_so)
        self.scene_layer.SetPreserveColorBuffer(not is_so)
        self.scene_layer.SetPreserveDepthBuffer(not is_so)  # the background writes no depth


def draw_in_parts(window: vtkRenderWindow, between: Callable[[], None]) -> None:
    """Draw the layers up to the scene, call a function, which may prepare the overlay, and draw the layers above."""
    renderers = cast(Iterable[vtkRenderer], window.GetRenderers())  # the stubs know no iteration
    layers = sorted(renderers, key=vtkRenderer.GetLayer)
    for layer in layers:
        if layer.GetLayer() < _OVERLAY:
            layer.Render()
    between()
    for layer in layers:
        if layer.GetLayer() >= _OVERLAY and layer.GetDraw():
            layer.Render()


def _scene_layer() -> vtkRenderer:
    layer = vtkRenderer()
    layer.SetLayer(_SCENE)
    layer.PreserveDepthBufferOn()  # the background writes no depth
    layer.SetActiveCamera(vtkCamera())  # drawn before there is a plan, it would have none
    _lighten(layer)
    light = vtkLight()
    light.SetLightTypeToCameraLight()
    light.SetPosition(-0.45, 0.75, 1.0)
    light.SetFocalPoint(0.0, 0.0, 0.0)
    layer.AddLight(light)
    return layer


def _overlay_layer() -> vtkRenderer:
    layer = vtkRenderer()
    layer.SetLayer(_OVERLAY)
    layer.InteractiveOff()
    _lighten(layer)
    layer.GetActiveCamera().ParallelProjectionOn()
    return layer


def _lighten(layer: vtkRenderer) -> None:
    # Without cullers VTK computes no bounds, which would read all points at each tick.
    layer.GetCullers().RemoveAllItems()
    layer.AutomaticLightCreationOff()
    # Order-independent transparency would average overlapping surfaces and render all into textures first. The few
    # translucent actors are drawn in order instead.
    layer.UseOITOff()
