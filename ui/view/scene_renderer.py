"""The drawing of a scene, without a window: the widget and the video exporter show the same one.

Three renderers lie on top of each other: the ground's two colours, the scene, and an overlay in pixels
for everything that is text or stands in the picture plane. The owner calls `attach` with its render
window, `show` once per tick, `prepare` before it renders, and nothing here renders by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pyvista as pv
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 - registers the OpenGL classes behind vtkRenderer and its like
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkLight, vtkRenderer, vtkRenderWindow

from framescope.core.compiling.staging import StagedCamera
from framescope.core.evaluate import Plan
from framescope.core.scene.model import Scene
from framescope.core.snapshot import Snapshot
from framescope.ui.theme import Theme
from framescope.ui.view import actors
from framescope.ui.view import camera as cameras
from framescope.ui.view.bodies import Bodies, body_reach
from framescope.ui.view.camera import CameraState, Projection
from framescope.ui.view.context import WINDOW, Furniture, Tick, ViewContext, Visual, looks_alike
from framescope.ui.view.grid import Grid
from framescope.ui.view.labels import Labels
from framescope.ui.view.letters import AxisLetters
from framescope.ui.view.links import Links
from framescope.ui.view.meshes import rgba, set_colors
from framescope.ui.view.overlay import Overlay
from framescope.ui.view.rings import Rings
from framescope.ui.view.selection import Selection
from framescope.ui.view.sprites import SpriteSheet
from framescope.ui.view.trails import Trails
from framescope.ui.view.triads import Triads
from framescope.ui.view.view_cube import ViewCube

Array = NDArray[np.float64]

VISUALS: tuple[Callable[[ViewContext], Visual], ...] = (
    Grid,
    Links,
    Selection,
    Rings,
    Bodies,
    Triads,
    Trails,
    AxisLetters,
    Labels,
    ViewCube,
    Overlay,
)
"""In the order they are drawn, which matters where things are translucent or lie in the overlay."""

PICK_RADIUS = 14.0
"""How far from an origin or axis a click still means it, logical pixels."""

REACH_FACTOR = 3.0


class SceneRenderer:
    """A scene as two renderers, updated in place from snapshots."""

    def __init__(self, theme: Theme, scale: float = 1.0, furniture: Furniture = WINDOW) -> None:
        self._theme = theme
        self._scale = scale
        self._furniture = furniture
        self._plan: Plan | None = None
        self._tick: Tick | None = None
        self._selection: str | None = None
        self._visuals: list[Visual] = []
        self._camera: CameraState | None = None
        self._path_camera: CameraState | None = None
        self._reaches: dict[str, float] = {}
        self._window: vtkRenderWindow | None = None
        self._ground_layer, self._ground = _ground_layer()
        self._scene_layer = _scene_layer()
        self._overlay_layer = _overlay_layer()
        self._color_ground()

    # ---- window --------------------------------------------------------------------------------------

    def attach(self, window: vtkRenderWindow) -> None:
        """Add the layers to a render window."""
        self._window = window
        window.SetNumberOfLayers(3)
        for layer in (self._ground_layer, self._scene_layer, self._overlay_layer):
            window.AddRenderer(layer)

    def detach(self) -> None:
        """Take the layers out of the window and let go of every VTK object that hangs on it."""
        self._clear()
        if self._window is not None:
            for layer in (self._ground_layer, self._scene_layer, self._overlay_layer):
                self._window.RemoveRenderer(layer)
        self._window = None

    # ---- what is shown -------------------------------------------------------------------------------

    def set_scene(self, scene: Scene, plan: Plan) -> None:  # noqa: ARG002 - all listeners of the session take both
        """Show another scene or an edited one. The camera stays where it is; see `reset_camera`.

        An edit that changes only numbers keeps all geometry, so that dragging a slider is cheap.
        """
        is_same_look = self._plan is not None and looks_alike(self._plan, plan)
        self._plan = plan
        self._follow_path(plan.start if self._tick is None else float(self._tick.snapshot.t))
        if not is_same_look:
            self._rebuild()

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        if theme != self._theme:
            self._theme = theme
            self._color_ground()
            self._rebuild()

    def set_scale(self, scale: float) -> None:
        """Draw for another number of device pixels per logical pixel."""
        if scale != self._scale:
            self._scale = scale
            self._rebuild()

    def show(self, snapshot: Snapshot, trail_positions: Mapping[str, Array] | None = None) -> None:
        """Update all arrays in place for a snapshot of a scalar time; does not render.

        Parameters
        ----------
        snapshot
            Its rows are the frames of the plan that `set_scene` was given.
        trail_positions
            For each frame with a trail, its past positions in world ``(k, 3)``, oldest first, m.
        """
        if self._plan is None:
            raise RuntimeError("set_scene comes before show")
        self._tick = Tick(snapshot, self._plan, trail_positions or {})
        self._follow_path(float(snapshot.t))
        for visual in self._visuals:
            visual.show(self._tick)

    def smooth_edges(self, is_smooth: bool) -> None:
        """Soften edges and lines after drawing (FXAA): half the price of four samples where there is no GPU."""
        self._scene_layer.SetUseFXAA(is_smooth)

    def set_selection(self, name: str | None) -> None:
        """Mark a frame as selected, or none."""
        if name != self._selection:
            self._selection = name
            for visual in self._visuals:
                visual.select(name)

    def prepare(self) -> None:
        """Bring camera, clipping and everything placed by the camera up to date, before a render."""
        if self._window is None or self._tick is None:
            return
        projection = self.projection()
        self._place_camera(projection, self._tick.plan.staging.grid)
        for visual in self._visuals:
            visual.place(projection)

    @property
    def frame_count(self) -> int:
        """How many frames the scene has, world included."""
        return len(self._plan.names) if self._plan is not None else 0

    # ---- camera --------------------------------------------------------------------------------------

    def camera(self) -> CameraState:
        """Return where the scene is seen from; chosen from the scene when nobody has chosen yet."""
        if self._camera is not None:
            return self._camera
        if self._path_camera is not None:
            return self._path_camera
        self._camera = self._authored_camera()  # once: it may be one that fits what is there at this moment
        return self._camera

    @property
    def is_on_path(self) -> bool:
        """Whether the camera follows the path that the scene has for it."""
        return self._camera is None and self._path_camera is not None

    def set_camera(self, camera: CameraState) -> None:
        """See the scene from elsewhere."""
        self._camera = camera

    def reset_camera(self) -> None:
        """Go back to the authored camera or onto its path, or to a camera that shows everything."""
        self._camera = None

    def fit(self) -> None:
        """Move the camera along its direction until everything is in the picture."""
        width, height = self._size()
        self._camera = cameras.fit(self.camera(), *self.bounding_sphere(), width / height)

    def projection(self) -> Projection:
        """Return the map from world to device pixels of the window as it is."""
        return Projection(self.camera(), *self._size(), self._scale)

    def bounding_sphere(self) -> tuple[Array, float]:
        """Return centre and radius of a sphere about all frames, with their triads, rings and bodies."""
        if self._tick is None or self._plan is None:
            return np.zeros(3), 1.0
        snapshot, staging = self._tick.snapshot, self._plan.staging
        sizes = np.where(staging.has_triad, staging.triad_length, 0.0)
        for rings in staging.rings:
            sizes[rings.i_frame] = max(sizes[rings.i_frame], 1.2 * rings.radius)
        for body in staging.bodies:
            reach = float(np.linalg.norm(body.p_FB)) + self._reaches[body.name]
            sizes[body.i_frame] = max(sizes[body.i_frame], reach)
        p_WF, sizes = snapshot.p_WF[snapshot.is_posed], sizes[snapshot.is_posed, None]
        low, high = (p_WF - sizes).min(axis=0), (p_WF + sizes).max(axis=0)
        return (low + high) / 2, max(float(np.linalg.norm(high - low)) / 2, 1e-3)

    def _follow_path(self, t: float) -> None:
        path = None if self._plan is None else self._plan.staging.camera_path
        self._path_camera = None if path is None else _camera_state(path.at(t))

    def _authored_camera(self) -> CameraState:
        staged = self._plan.staging.camera if self._plan is not None else None
        if staged is not None:
            return _camera_state(staged)
        width, height = self._size()
        center, radius = self.bounding_sphere()
        from_there = cameras.look_from(CameraState((0.0, -1.0, 0.0)), np.array(cameras.DEFAULT_DIRECTION))
        return cameras.fit(from_there, center, radius, width / height)

    def _place_camera(self, projection: Projection, grid: float) -> None:
        camera, view = projection.camera, self._scene_layer.GetActiveCamera()
        view.SetPosition(*camera.position)
        view.SetFocalPoint(*camera.focal_point)
        view.SetViewUp(*camera.up)
        view.SetViewAngle(np.degrees(camera.view_angle))
        center, radius = self.bounding_sphere()
        reach = float(np.linalg.norm(center)) + REACH_FACTOR * radius + 10.0 * grid
        view.SetClippingRange(*cameras.clipping_range(camera, center, reach))
        # The overlay's camera makes one unit one pixel, from the lower left corner.
        flat = self._overlay_layer.GetActiveCamera()
        x, y = projection.width / 2, projection.height / 2
        flat.SetFocalPoint(x, y, 0.0)
        flat.SetPosition(x, y, 1.0)
        flat.SetParallelScale(y)
        flat.SetClippingRange(0.1, 2.0)

    # ---- picking -------------------------------------------------------------------------------------

    def pick(self, x: float, y: float) -> str | None:
        """Return the frame whose origin or axes lie under a device pixel, from the lower left, or None."""
        if self._tick is None or self._plan is None:
            return None
        snapshot, staging = self._tick.snapshot, self._plan.staging
        length = np.where(staging.has_triad, staging.triad_length, 0.0)
        axes_W = np.swapaxes(snapshot.R_WF, -1, -2) * length[:, None, None]
        # Origin, then two points along each axis: closer together than the radius at ordinary zoom.
        offsets = np.concatenate([np.zeros_like(axes_W[:, :1]), 0.5 * axes_W, axes_W], axis=1)
        at = self.projection().project(snapshot.p_WF[:, None] + offsets)
        with np.errstate(invalid="ignore"):
            miss = np.where(at[..., 2] > 0, np.hypot(at[..., 0] - x, at[..., 1] - y), np.inf)
        miss[..., 1:] *= 1.5  # an origin wins over the axes of another frame
        miss = np.where(np.isnan(miss), np.inf, miss).min(axis=1)
        nearest = int(np.argmin(miss))
        return self._plan.names[nearest] if miss[nearest] <= PICK_RADIUS * self._scale else None

    def position_of(self, name: str) -> tuple[float, float] | None:
        """Return the device pixel of a frame's origin, from the lower left; None when it is not in the picture."""
        if self._tick is None or self._plan is None or name not in self._plan.index:
            return None
        x, y, depth = self.projection().project(self._tick.snapshot.p_WF[self._plan.index[name]])
        return (float(x), float(y)) if depth > 0 else None

    def cube_face_at(self, x: float, y: float) -> Array | None:
        """Return the outward direction (3,) in world of the view cube's face under a device pixel, or None.

        Pixels count from the lower left corner, as in `pick`.
        """
        projection = self.projection()
        faces = (visual.face_at(x, y, projection) for visual in self._visuals if isinstance(visual, ViewCube))
        return next((face for face in faces if face is not None), None)

    # ---- building ------------------------------------------------------------------------------------

    def _rebuild(self) -> None:
        """Make all visuals anew: for another scene, theme or scale."""
        self._clear()
        if self._plan is None:
            return
        self._reaches = {body.name: body_reach(body) for body in self._plan.staging.bodies}
        sheet = SpriteSheet(self._scale)
        context = ViewContext(self._plan, self._theme, self._scale, sheet, self._furniture)
        self._visuals = [visual(context) for visual in VISUALS]
        sheet.pack()
        for visual in self._visuals:
            for actor in visual.scene_actors:
                self._scene_layer.AddActor(actor)
            for actor in visual.overlay_actors:
                self._overlay_layer.AddActor(actor)
            visual.select(self._selection)
        if self._tick is not None and self._tick.snapshot.index == self._plan.index:
            self.show(self._tick.snapshot, self._tick.trails)
        else:
            self._tick = None

    def _clear(self) -> None:
        for layer in (self._scene_layer, self._overlay_layer):
            # Removing one by one also frees what the actors hold on the graphics card.
            for visual in self._visuals:
                for actor in (*visual.scene_actors, *visual.overlay_actors):
                    layer.RemoveActor(actor)
        self._visuals = []

    def _color_ground(self) -> None:
        bottom, top = rgba(self._theme.scene_bottom), rgba(self._theme.scene_top)
        set_colors(self._ground, np.array([bottom, bottom, top, top], dtype=np.uint8))

    def _size(self) -> tuple[int, int]:
        width, height = self._window.GetSize() if self._window is not None else (1280, 720)
        return max(1, width), max(1, height)


def _camera_state(staged: StagedCamera) -> CameraState:
    position, focal_point, up = (cameras.as_tuple(v) for v in (staged.position, staged.focal_point, staged.up))
    return CameraState(position, focal_point, up, staged.view_angle)


def _ground_layer() -> tuple[vtkRenderer, pv.PolyData]:
    """Return a layer that one quad fills, and the quad: half the price of VTK's own gradient, which adds noise."""
    layer = vtkRenderer()
    layer.InteractiveOff()
    _lighten(layer)
    # Two units high, and wider than any window.
    corners = np.array([(-99, -1, 0), (99, -1, 0), (99, 1, 0), (-99, 1, 0)], dtype=np.float32)
    quad = pv.PolyData(corners, faces=[4, 0, 1, 2, 3])
    set_colors(quad, np.zeros((4, 4), dtype=np.uint8))
    layer.AddActor(actors.overlay_surface(quad))
    camera = layer.GetActiveCamera()
    camera.ParallelProjectionOn()
    camera.SetFocalPoint(0.0, 0.0, 0.0)
    camera.SetPosition(0.0, 0.0, 1.0)
    camera.SetParallelScale(1.0)
    camera.SetClippingRange(0.1, 2.0)
    return layer, quad


def _scene_layer() -> vtkRenderer:
    layer = vtkRenderer()
    layer.SetLayer(1)
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
