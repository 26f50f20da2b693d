"""The drawing of a scene, without a window: the widget and the video exporter show the same one.

Three renderers lie on top of each other: the ground's two colours, the scene, and an overlay in pixels
for everything that is text or stands in the picture plane. The owner calls `attach` with its render
window, `show` once per tick, `prepare` before it renders, and nothing here renders by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 - registers the OpenGL classes behind vtkRenderer and its like
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkLight, vtkRenderer, vtkRenderWindow

from framescope.core.compiling.staging import StagedCamera
from framescope.core.evaluate import Plan
from framescope.core.scene.model import Scene
from framescope.core.shifts import Shift
from framescope.core.snapshot import Snapshot
from framescope.core.stepwise import Stepwise
from framescope.ui.detective.candidate import Candidate
from framescope.ui.panels.wording import ItemKey
from framescope.ui.theme import Theme
from framescope.ui.view import camera as cameras
from framescope.ui.view.arcs import Arcs
from framescope.ui.view.arrow_scales import ArrowScales
from framescope.ui.view.bodies import Bodies, body_reach
from framescope.ui.view.bounds import Bounds
from framescope.ui.view.camera import CameraState, Projection
from framescope.ui.view.candidates import Candidates
from framescope.ui.view.claims import Claims
from framescope.ui.view.context import WINDOW, Furniture, Tick, ViewContext, Visual, looks_alike
from framescope.ui.view.dragging import Handle, HandleShapes
from framescope.ui.view.elements import Elements
from framescope.ui.view.example_vector import ExampleVector
from framescope.ui.view.fault_marks import FaultMarks
from framescope.ui.view.fault_words import FaultMark, Faults, marks_of
from framescope.ui.view.following import carried
from framescope.ui.view.force_arrows import ForceArrows
from framescope.ui.view.grid import Grid
from framescope.ui.view.ground import Ground
from framescope.ui.view.labels import Labels
from framescope.ui.view.letters import AxisLetters
from framescope.ui.view.links import Links
from framescope.ui.view.manipulator import HandlesState, Manipulator
from framescope.ui.view.measuring import MeasuringLine
from framescope.ui.view.overlay import Overlay
from framescope.ui.view.picking import Hit, Picker
from framescope.ui.view.points import Points
from framescope.ui.view.rings import Rings
from framescope.ui.view.room import Taken
from framescope.ui.view.selection import Hovered, Selection
from framescope.ui.view.sensor_arrows import SensorArrows
from framescope.ui.view.shift_arrows import ShiftArrows
from framescope.ui.view.shift_look import DrawnShift
from framescope.ui.view.sprites import SpriteSheet
from framescope.ui.view.stages import Stages
from framescope.ui.view.stepped import Stepped
from framescope.ui.view.trails import Trails
from framescope.ui.view.triads import Triads
from framescope.ui.view.view_cube import ViewCube
from framescope.ui.widgets.angle_unit import DEG, AngleUnit

Array = NDArray[np.float64]

VISUALS: tuple[Callable[[ViewContext], Visual], ...] = (
    Grid,
    Links,
    Hovered,
    Selection,
    Rings,
    Bodies,
    Elements,
    Points,
    Triads,
    Claims,
    FaultMarks,
    ForceArrows,
    SensorArrows,
    Trails,
    Arcs,
    Stages,
    Candidates,
    ExampleVector,
    Stepped,
    AxisLetters,
    MeasuringLine,
    ShiftArrows,
    Labels,
    Manipulator,
    ViewCube,
    ArrowScales,
    Overlay,
)
"""In the order they are drawn, which matters where things are translucent or lie in the overlay."""

Rect = tuple[int, int, int, int]

REACH_FACTOR = 3.0

HALF_DISTANCE = 1.5
"""How much farther off the camera stands in half a window, so that about the same is in the picture."""


class SceneRenderer:
    """A scene as two renderers, updated in place from snapshots."""

    def __init__(self, theme: Theme, scale: float = 1.0, furniture: Furniture = WINDOW) -> None:
        self._theme = theme
        self._scale = scale
        self._furniture = furniture
        self._plan: Plan | None = None
        self._tick: Tick | None = None
        self._selection: str | None = None
        self._hovered: ItemKey | None = None
        self._handles = HandlesState()
        self._measured: tuple[str, str] | None = None
        self._picker = Picker()
        self._taken = Taken()
        self._visuals: list[Visual] = []
        self._camera: CameraState | None = None
        self._path_camera: CameraState | None = None
        self._bounds: Bounds | None = None
        self._window: vtkRenderWindow | None = None
        self._has_gpu = False
        self._stepwise: Stepwise | None = None
        self._is_lecture = False
        self._angles = DEG
        self._candidates: tuple[Candidate, ...] = ()
        self._shift: DrawnShift | None = None
        self._marks: tuple[FaultMark, ...] = ()
        self._is_tight = False
        self._is_passive = False
        self._span = (0.0, 1.0)
        self._reserved: tuple[Rect, ...] = ()
        self._ground = Ground(is_plain=not furniture.ground)
        _lighten(self._ground.layer)
        self._scene_layer = _scene_layer()
        self._overlay_layer = _overlay_layer()
        self._layers = self._ground.layer, self._scene_layer, self._overlay_layer
        self._color_ground(theme)

    def clear_with(self, color: tuple[float, float, float]) -> None:
        """Take another colour for a plain ground than the theme's; components from 0 to 1."""
        for layer in self._layers[:2]:
            layer.SetBackground(*color)

    def _color_ground(self, theme: Theme) -> None:
        self._ground.color(theme)
        self.clear_with(self._ground.layer.GetBackground())

    # ---- window --------------------------------------------------------------------------------------

    def attach(self, window: vtkRenderWindow) -> None:
        """Add the layers to a render window."""
        self._window = window
        window.SetNumberOfLayers(3)
        for layer in self._layers:
            window.AddRenderer(layer)
        self._ground.attach(window)
        self._clear_by_scene(not self._furniture.ground)

    def attach_beside(self, window: vtkRenderWindow) -> None:
        """Add scene and overlay to a render window that has the layers, and the ground, of another one."""
        self._window = window
        for layer in self._layers[1:]:
            window.AddRenderer(layer)

    def set_span(self, left: float, right: float) -> None:
        """Draw in a part of the window's width, given from 0 to 1; the ground fills all of it."""
        self._span = left, right
        self._clear_by_scene(False)
        self._rebuild()
        for layer in self._layers[1:]:
            layer.SetViewport(left, 0.0, right, 1.0)

    def _clear_by_scene(self, is_so: bool) -> None:
        """Let the scene's layer clear the picture: where the ground is plain, that is one full picture less to draw."""
        self._ground.layer.SetDraw(not is_so)
        self._scene_layer.SetPreserveColorBuffer(not is_so)
        self._scene_layer.SetPreserveDepthBuffer(not is_so)  # the ground leaves no depth behind

    def detach(self) -> None:
        """Take the layers out of the window and let go of every VTK object that hangs on it."""
        self._clear()
        self._ground.detach()
        if self._window is not None:
            for layer in self._layers:
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
            self._color_ground(theme)
            self._rebuild()

    def set_scale(self, scale: float) -> None:
        """Draw for another number of device pixels per logical pixel."""
        if scale != self._scale:
            self._scale = scale
            self._rebuild()

    def set_gpu(self, has_gpu: bool) -> None:
        """Draw with the detail that a graphics card can afford, or the processor alone."""
        if has_gpu != self._has_gpu:
            self._has_gpu = has_gpu
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
        self._tick = Tick(snapshot, self._plan, trail_positions or {}, self._shown_stepwise())
        self._follow_path(float(snapshot.t))
        for visual in self._visuals:
            visual.show(self._tick)

    def smooth_edges(self, is_smooth: bool) -> None:
        """Soften edges and lines after drawing (FXAA): half the price of four samples where there is no GPU."""
        self._scene_layer.SetUseFXAA(is_smooth)

    def set_stepwise(self, stepwise: Stepwise | None) -> None:
        """Show a rotation turn by turn from the next snapshot on, which says where its frame is; or no longer."""
        old, self._stepwise = self._stepwise, stepwise
        if _look_of_steps(old) != _look_of_steps(stepwise):
            self._rebuild()

    def set_candidates(self, candidates: tuple[Candidate, ...]) -> None:
        """Show what the convention detective has found as pale triads, or nothing."""
        if candidates or self._candidates:
            self._candidates = candidates
            self._rebuild()

    def set_shift(self, drawn: DrawnShift | None) -> None:
        """Show how a velocity, an acceleration or a force shifts to a point, or nothing."""
        old, self._shift = self._shift, drawn
        if (old and old.look) != (drawn and drawn.look):
            self._rebuild()
        elif drawn is not None and drawn != old:
            for visual in self._shift_arrows():
                visual.set_drawn(drawn)

    def light_shift(self, is_lit: bool) -> None:
        """Light the point of the shift: the pointer is over it."""
        for visual in self._shift_arrows():
            visual.set_lit(is_lit)

    def shown_shift(self) -> Shift | None:
        """Return the shift that is drawn; None where there is none or it has no value."""
        return next((visual.shift for visual in self._shift_arrows()), None)

    def shift_handle(self) -> Array | None:
        """Return the device pixel of the shift's point, from the lower left; None where it is not in the picture."""
        return next((visual.handle_at(self.projection()) for visual in self._shift_arrows()), None)

    def _shift_arrows(self) -> list[ShiftArrows]:
        return [visual for visual in self._visuals if isinstance(visual, ShiftArrows)]

    def set_passive(self, is_passive: bool) -> None:
        """Go with the frame that is shown turn by turn: it stands still then, and its parent turns back."""
        self._is_passive = is_passive

    def set_reserved(self, rects: tuple[Rect, ...]) -> None:
        """Keep names and values off what lies over the picture: x, y, width and height, logical pixels from above."""
        self._reserved = rects

    def set_faults(self, faults: Faults) -> bool:
        """Mark what is wrong with the scene that is shown; return whether that has changed the picture."""
        return self._set_marks(() if self._plan is None else marks_of(self._plan.scene, faults))

    def _set_marks(self, marks: tuple[FaultMark, ...]) -> bool:
        is_other = marks != self._marks
        if is_other:
            self._marks = marks
            self._rebuild()
        return is_other

    def set_lecture(self, is_on: bool) -> None:
        """Draw title and clock to be read from the last row; a rotation turn by turn is always shown so."""
        if is_on != self._is_lecture:
            self._is_lecture = is_on
            self._rebuild()

    def set_tight(self, is_tight: bool) -> None:
        """Leave title and clock out: the picture is too small for them and for what lies over it."""
        if is_tight != self._is_tight:
            self._is_tight = is_tight
            self._rebuild()

    @property
    def angle_unit(self) -> AngleUnit:
        """What angles and their rates are written in."""
        return self._angles

    def set_angle_unit(self, unit: AngleUnit) -> None:
        """Write angles and their rates in another unit."""
        if unit != self._angles:
            self._angles = unit
            self._rebuild()

    def match(self, other: SceneRenderer) -> None:
        """Show what another one shows, in its colours and from its camera."""
        self.set_theme(other._theme)
        self.set_scale(other._scale)
        self.set_gpu(other._has_gpu)
        self.set_angle_unit(other._angles)
        self._set_marks(other._marks)
        self.set_tight(other._is_tight)
        self.set_shift(other._shift)
        self.smooth_edges(bool(other._scene_layer.GetUseFXAA()))
        self.set_selection(other._selection)
        self.set_camera(other.camera())
        self.set_stepwise(other._stepwise)
        if other._plan is not None and other._plan is not self._plan:
            self.set_scene(other._plan.scene, other._plan)
        tick = other._tick
        if tick is not None and (self._tick is None or self._tick.snapshot is not tick.snapshot):
            self.show(tick.snapshot, tick.trails)

    def set_selection(self, name: str | None) -> None:
        """Mark a frame as selected, or none."""
        if name != self._selection:
            self._selection = name
            for visual in self._visuals:
                visual.select(name)

    def set_hovered(self, key: ItemKey | None) -> None:
        """Light what the pointer is over, faintly."""
        if key != self._hovered:
            self._hovered = key
            for visual in self._visuals:
                if isinstance(visual, Hovered):
                    visual.hover(key)

    def set_handles(self, state: HandlesState) -> None:
        """Show the handles of a frame, or none."""
        self._handles = state
        for visual in self._visuals:
            if isinstance(visual, Manipulator):
                visual.set_state(state)

    def set_measured(self, frames: tuple[str, str] | None) -> None:
        """Draw a line between the origins of two frames, or none."""
        self._measured = frames
        for visual in self._visuals:
            if isinstance(visual, MeasuringLine):
                visual.set_frames(frames)

    def prepare(self) -> None:
        """Bring camera, clipping and everything placed by the camera up to date, before a render."""
        if self._window is None or self._tick is None:
            return
        projection = self.projection()
        self._place_camera(projection, self._tick.plan.staging.grid)
        self._taken.clear()
        for x, y, width, height in self._reserved:
            left, top = x * self._scale, projection.height - y * self._scale
            self._taken.add_corner(left, top - height * self._scale, left + width * self._scale, top)
        self._taken.end_over()
        for visual in self._visuals:
            visual.occupy(projection)
        for visual in self._visuals:
            visual.place(projection)
        # An empty layer still costs its clearing.
        is_overlaid = any(actor.GetVisibility() for visual in self._visuals for actor in visual.overlay_actors)
        self._overlay_layer.SetDraw(is_overlaid)

    @property
    def visuals(self) -> Sequence[Visual]:
        """What the picture is made of at present."""
        return tuple(self._visuals)

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

    def fitted(self, name: str | None = None) -> CameraState:
        """Return the camera moved along its direction until everything, or one frame, fills the picture."""
        width, height = self._size()
        row = None if self._plan is None or name is None else self._plan.index.get(name)
        if row is None or self._tick is None or self._bounds is None or not self._tick.snapshot.is_posed[row]:
            return cameras.fit(self.camera(), *self.bounding_sphere(), width / height)
        return cameras.fit(self.camera(), *self._bounds.sphere_of(row, self._tick.snapshot), width / height)

    def projection(self) -> Projection:
        """Return the map from world to device pixels of the window as it is."""
        return Projection(self._eye(), *self._size(), self._scale)

    def bounding_sphere(self) -> tuple[Array, float]:
        """Return centre and radius of a sphere about all frames and what is drawn about them, arrows and springs."""
        if self._tick is None or self._bounds is None:
            return np.zeros(3), 1.0
        others = (points for visual in self._visuals for points in visual.reach_W())
        return self._bounds.sphere(self._tick.snapshot, others)

    def _eye(self) -> CameraState:
        """Return the camera, gone with the frame that is shown turn by turn if it is read so."""
        step, tick, camera = self._shown_stepwise(), self._tick, self.camera()
        if self._span != (0.0, 1.0):
            camera = cameras.stepped_back(camera, HALF_DISTANCE)
        if not self._is_passive or step is None or tick is None or step.frame not in tick.plan.index:
            return camera
        snapshot, row = tick.snapshot, tick.plan.index[step.frame]
        R_WP = snapshot.R_WF[tick.plan.tree.parents[row]]
        return carried(camera, R_WP, snapshot.R_WF[row], snapshot.p_WF[row])

    def _shown_stepwise(self) -> Stepwise | None:
        """Return the rotation that is shown turn by turn, if the present scene has its frame."""
        step = self._stepwise
        return step if step is not None and self._plan is not None and step.frame in self._plan.index else None

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
        center, radius = self.bounding_sphere()
        reach = float(np.linalg.norm(center)) + REACH_FACTOR * radius + 10.0 * grid
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
        flat = self._overlay_layer.GetActiveCamera()
        x, y = projection.width / 2, projection.height / 2
        flat.SetFocalPoint(x, y, 0.0)
        flat.SetPosition(x, y, 1.0)
        flat.SetParallelScale(y)
        flat.SetClippingRange(0.1, 2.0)

    # ---- picking -------------------------------------------------------------------------------------

    @property
    def tick(self) -> Tick | None:
        """The moment that is shown."""
        return self._tick

    def hits(self, x: float, y: float) -> list[Hit]:
        """Return the items under a device pixel, from the lower left, the best first."""
        if self._tick is None:
            return []
        elements = next((visual.extents() for visual in self._visuals if isinstance(visual, Elements)), ())
        return self._picker.hits(self._tick, self.projection(), x, y, elements)

    def handle_at(self, x: float, y: float) -> Handle | None:
        """Return the handle of the manipulator under a device pixel."""
        found = (v.handle_at(x, y, self.projection()) for v in self._visuals if isinstance(v, Manipulator))
        return next(found, None)

    def handle_shapes(self) -> HandleShapes | None:
        """Return the handles as they appear, in device pixels; None when none are shown."""
        return next((v.shapes(self.projection()) for v in self._visuals if isinstance(v, Manipulator)), None)

    def pose_of(self, name: str) -> tuple[Array, Array] | None:
        """Return rotation and origin of a frame in world; None when it has no pose."""
        row = None if self._tick is None else self._tick.plan.index.get(name)
        if self._tick is None or row is None or not self._tick.snapshot.is_posed[row]:
            return None
        return self._tick.snapshot.R_WF[row], self._tick.snapshot.p_WF[row]

    def position_of(self, name: str) -> tuple[float, float] | None:
        """Return the device pixel of a frame's origin, from the lower left; None when it is not in the picture."""
        if self._tick is None or self._plan is None or name not in self._plan.index:
            return None
        x, y, depth = self.projection().project(self._tick.snapshot.p_WF[self._plan.index[name]])
        return (float(x), float(y)) if depth > 0 else None

    def cube_face_at(self, x: float, y: float) -> Array | None:
        """Return the outward direction (3,) in world of the view cube's face under a device pixel, or None.

        Pixels count from the lower left corner, as in `hits`.
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
        staging = self._plan.staging
        self._bounds = Bounds(staging, {body.name: body_reach(body) for body in staging.bodies})
        sheet = SpriteSheet(self._scale)
        stepwise = self._shown_stepwise()
        given, is_right = self._furniture, self._span[1] == 1.0
        has_corners = not self._is_tight
        furniture = replace(
            given,
            lecture=has_corners and (self._is_lecture or stepwise is not None),
            title=given.title and has_corners,
            clock=given.clock and has_corners and is_right,
            tools=given.tools and has_corners and is_right,
        )
        context = ViewContext(
            self._plan, self._theme, self._scale, sheet, furniture, self._has_gpu, self._taken, stepwise, self._angles,
            self._marks, self._candidates, self._shift,
        )  # fmt: skip
        self._visuals = [visual(context) for visual in VISUALS]
        sheet.pack()
        for visual in self._visuals:
            for actor in visual.scene_actors:
                self._scene_layer.AddActor(actor)
            for actor in visual.overlay_actors:
                self._overlay_layer.AddActor(actor)
            visual.select(self._selection)
        hovered, self._hovered = self._hovered, None
        self.set_hovered(hovered)
        self.set_handles(self._handles)
        self.set_measured(self._measured)
        # The last snapshot of another plan may know neither its frames nor its sensors; a new one follows.
        if self._tick is not None and self._tick.plan is self._plan:
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

    def _size(self) -> tuple[int, int]:
        width, height = self._window.GetSize() if self._window is not None else (1280, 720)
        left, right = self._span
        return max(1, round(width * (right - left))), max(1, height)


def _look_of_steps(stepwise: Stepwise | None) -> tuple[str, str] | None:
    return None if stepwise is None else (stepwise.frame, stepwise.sequence)


def _camera_state(staged: StagedCamera) -> CameraState:
    position, focal_point, up = (cameras.as_tuple(v) for v in (staged.position, staged.focal_point, staged.up))
    return CameraState(position, focal_point, up, staged.view_angle)


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
