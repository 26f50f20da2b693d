"""Renderer of a scene, without a window: the widget and the video exporter show the same picture.

The owner calls `attach` with its render window, `show` once per tick, `prepare` before it renders, and nothing here
renders by itself. What the visuals are made from is a frozen `Look`: another one spoils them, and they are made anew
when they are next asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.evaluation.compile.view_data import ViewCamera
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.references import hanging_on
from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.base.label_layout import OccupiedAreas
from framescope.ui.scene_view.base.layers import Layers
from framescope.ui.scene_view.base.pick_ray import PickHit, PickRay, in_order
from framescope.ui.scene_view.base.problem_marks import MARKS, Diagnoses, marks_of
from framescope.ui.scene_view.base.scene_look import Look, LookParts
from framescope.ui.scene_view.base.scene_options import STAGED_ROTATION, SceneOption, SceneOptions, Value
from framescope.ui.scene_view.base.staged_bounds import staged_points
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import WINDOW, Decorations, Visual
from framescope.ui.scene_view.camera import camera as cameras
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.camera.follow_frame import carried
from framescope.ui.scene_view.geometry.bounds import Bounds
from framescope.ui.scene_view.geometry.drag_geometry import Handle, HandleShapes
from framescope.ui.scene_view.geometry.sprites import PlacedText, SpriteSheet
from framescope.ui.scene_view.visual_registry import look_key, make_visuals
from framescope.ui.scene_view.visuals.bodies import Bodies, body_reach
from framescope.ui.scene_view.visuals.manipulator import Manipulator
from framescope.ui.scene_view.visuals.staged_rotation import lengths_of
from framescope.ui.scene_view.visuals.view_cube import ViewCube
from framescope.ui.theme.tokens import Theme
from framescope.ui.widgets.angle_unit import AngleUnit

Array = NDArray[np.float64]

Rect = tuple[int, int, int, int]

Kind = TypeVar("Kind", bound=Visual)

MARGIN = 0.08
"""Of the width and the height, left free about frames that fill the picture."""

REACH_FACTOR = 3.0


class SceneRenderer:
    """A scene as two renderers, updated in place from snapshots."""

    def __init__(self, theme: Theme, scale: float = 1.0, decorations: Decorations = WINDOW) -> None:
        self._look = Look(theme, scale, decorations)
        self._plan: Plan | None = None
        self.tick: Tick | None = None
        """The moment that is shown."""
        self._look_key: tuple[object, ...] = ()
        self._options = SceneOptions()
        self._occupied = OccupiedAreas()
        self._made: list[Visual] = []
        self._sheet: SpriteSheet | None = None
        self._is_spoilt = False
        self.chosen_camera: CameraState | None = None
        """The camera that was chosen; None where the scene's own is not decided on yet, or its path is followed."""
        self._path_camera: CameraState | None = None
        self._bounds: Bounds | None = None
        self._is_passive = False
        self._reserved: tuple[Rect, ...] = ()
        self.layers = Layers(theme, has_ground=decorations.ground)

    # ---- window --------------------------------------------------------------------------------------

    def set_span(self, left: float, right: float) -> None:
        """Draw in a part of the window's width, given from 0 to 1; the ground fills all of it."""
        self.layers.set_span(left, right)
        self._spoil()

    def detach(self) -> None:
        """Take the layers out of the window and let go of every VTK object that hangs on it."""
        self._clear()
        self.layers.detach()

    # ---- what is shown -------------------------------------------------------------------------------

    def set_plan(self, plan: Plan) -> None:
        """Show another scene or an edited one. The camera stays where it is; see `reset_camera`.

        An edit that changes only numbers keeps all geometry, so that dragging a slider is cheap.
        """
        key = look_key(plan)
        is_same_look = self._plan is not None and key == self._look_key
        self._plan, self._look_key = plan, key
        self._follow_path(plan.start if self.tick is None else float(self.tick.snapshot.t))
        if not is_same_look:
            self._spoil()

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        if self._change(theme=theme):
            self.layers.color_ground(theme)

    def set_scale(self, scale: float) -> None:
        """Draw for another number of device pixels per logical pixel."""
        self._change(scale=scale)

    @property
    def magnification(self) -> float:
        """How much larger than usual all is drawn that has its size in pixels."""
        return self._look.magnification

    def set_magnification(self, magnification: float) -> bool:
        """Draw all that has its size in pixels so much larger than usual; return whether that is another size."""
        return self._change(magnification=magnification)

    def set_gpu(self, has_gpu: bool) -> None:
        """Draw with the detail that a graphics card can afford, or the processor alone."""
        self._change(has_gpu=has_gpu)

    def _change(self, **parts: Unpack[LookParts]) -> bool:
        """Change the look; return whether it is another one."""
        old, self._look = self._look, replace(self._look, **parts)
        is_other = old != self._look
        if is_other:
            self._spoil()
        return is_other

    def show(self, snapshot: Snapshot, trail_positions: Mapping[str, Array] | None = None) -> None:
        """Update all arrays in place for a snapshot of a scalar time; does not render.

        What is spoilt is made anew with the next picture.

        Parameters
        ----------
        snapshot
            Its rows are the frames of the plan that `set_plan` was given.
        trail_positions
            For each frame with a trail, its past positions in world ``(k, 3)``, oldest first, m.
        """
        if self._plan is None:
            raise RuntimeError("set_plan comes before show")
        self.tick = Tick(snapshot, self._plan, trail_positions or {}, self._shown_rotation())
        self._follow_path(float(snapshot.t))
        if not self._is_spoilt:
            self._show_tick()

    def set_option(self, option: SceneOption[Value], value: Value) -> bool:
        """Show other data besides the scene, with the next picture; return whether it is another value.

        How far a rotation has come that is shown turn by turn is seen with the next snapshot, which has its frame.
        """
        old = self._options[option]
        if value == old:
            return False
        self._options[option] = value
        if option.look(old) != option.look(value):
            self._spoil()
        else:
            for visual in self._made:
                visual.heed(option)
        return True

    def visual(self, kind: type[Kind]) -> Kind | None:
        """Return the visual of a kind; None where there is no scene."""
        return next((visual for visual in self.visuals if isinstance(visual, kind)), None)

    def set_moving(self, is_moving: bool) -> None:
        """Draw lightly while something moves, where that saves much; as it is once all stands still."""
        bodies = self.visual(Bodies)
        if bodies is not None:
            bodies.light.set_moving(is_moving)

    def prepare_moving(self) -> bool:
        """Do a little of what makes drawing light, for when something moves; return whether there is more to do."""
        bodies = self.visual(Bodies)
        if bodies is None or bodies.light.is_ready:
            return False
        bodies.light.make_some()
        return not bodies.light.is_ready

    def set_passive(self, is_passive: bool) -> None:
        """Go with the frame that is shown turn by turn: it stands still then, and its parent turns back."""
        self._is_passive = is_passive

    def set_reserved(self, rects: tuple[Rect, ...]) -> None:
        """Keep names and values off what lies over the picture: x, y, width and height, logical pixels from above."""
        self._reserved = rects

    def set_problems(self, problems: Diagnoses) -> bool:
        """Mark what is wrong with the scene that is shown; return whether that has changed the picture."""
        return self.set_option(MARKS, () if self._plan is None else marks_of(self._plan.scene, problems))

    def set_lecture(self, is_on: bool) -> None:
        """Draw title and clock to be read from the last row; a rotation turn by turn is always shown so."""
        self._change(is_lecture=is_on)

    def set_tight(self, is_tight: bool) -> None:
        """Leave title and clock out: the picture is too small for them and for what lies over it."""
        self._change(is_tight=is_tight)

    @property
    def angle_unit(self) -> AngleUnit:
        """What angles and their rates are written in."""
        return self._look.angles

    def set_angle_unit(self, unit: AngleUnit) -> None:
        """Write angles and their rates in another unit."""
        self._change(angles=unit)

    def match(self, other: SceneRenderer) -> None:
        """Show what another one shows, in its colours and from its camera."""
        look = other._look
        self.set_theme(look.theme)
        self._change(
            scale=look.scale,
            magnification=look.magnification,
            has_gpu=look.has_gpu,
            angles=look.angles,
            is_tight=look.is_tight,
        )
        for option, value in other._options.shared():
            self.set_option(option, value)
        self.layers.smooth_edges(other.layers.has_smooth_edges)
        self.set_camera(other.camera())
        if other._plan is not None and other._plan is not self._plan:
            self.set_plan(other._plan)
        tick = other.tick
        if tick is not None and (self.tick is None or self.tick.known is not tick.known):
            self.show(tick.known, tick.trails)

    def prepare(self) -> None:
        """Bring camera, clipping and everything placed by the camera up to date, before a render."""
        if not self.layers.is_attached or self.tick is None:
            return
        projection = self.projection()
        self._place_camera(projection, self.tick.plan.view_data.grid)
        self._occupied.clear()
        for x, y, width, height in self._reserved:
            scale = self._look.scale
            left, top = x * scale, projection.height - y * scale
            self._occupied.add_corner(left, top - height * scale, left + width * scale, top)
        self._occupied.end_over()
        for visual in self.visuals:
            visual.occupy(projection)
        for visual in self.visuals:
            visual.place(projection)
        actors = (actor for visual in self.visuals for actor in visual.overlay_actors)
        self.layers.set_overlaid(any(actor.GetVisibility() for actor in actors))

    def lift_texts(self) -> list[PlacedText]:
        """Take texts out of the picture that is prepared, and return them: the next `prepare` shows them again."""
        return [] if self._sheet is None else self._sheet.lift_texts()

    @property
    def visuals(self) -> Sequence[Visual]:
        """What the picture is made of at present."""
        if self._is_spoilt:
            self._build()
        return self._made

    # ---- camera --------------------------------------------------------------------------------------

    def camera(self) -> CameraState:
        """Return where the scene is seen from; chosen from the scene when nobody has chosen yet."""
        if self.chosen_camera is not None:
            return self.chosen_camera
        if self._path_camera is not None:
            return self._path_camera
        camera = self._authored_camera()
        if self.tick is not None and self.tick.plan is self._plan:
            self.chosen_camera = camera  # once: it may be one that fits what is there at this moment
        return camera

    @property
    def is_on_path(self) -> bool:
        """Whether the camera follows the path that the scene has for it."""
        return self.chosen_camera is None and self._path_camera is not None

    @property
    def has_path(self) -> bool:
        """Whether the scene has a path for its camera."""
        return self._path_camera is not None

    def set_camera(self, camera: CameraState | None) -> None:
        """See the scene from elsewhere; None leaves it to the scene."""
        self.chosen_camera = camera

    def reset_camera(self) -> None:
        """Go back to the authored camera or onto its path, or to a camera that shows everything."""
        self.chosen_camera = None

    def fitted(self, name: str | None = None) -> CameraState:
        """Return the camera moved along its direction until everything, or one frame, fills the picture."""
        width, height = self.layers.size
        center, radius = self.bounding_sphere()  # of the visuals as they are now, with which the bounds are made
        row = None if self._plan is None or name is None else self._plan.index.get(name)
        if row is None or self.tick is None or self._bounds is None or not self.tick.snapshot.is_posed[row]:
            return cameras.fit(self.camera(), center, radius, width / height)
        return cameras.fit(self.camera(), *self._bounds.sphere_of(row, self.tick.snapshot), width / height)

    def fitted_to_steps(self, step: StagedRotation, area: cameras.Area) -> CameraState | None:
        """Return the camera moved until all that a rotation comes to turn by turn fills an area of the picture.

        None where its frame is not in the picture; the area is in device pixels from the lower left corner.
        """
        pose = self.pose_of(step.frame)
        if pose is None or self.tick is None or self._plan is None:
            return None
        R_WP = self.tick.snapshot.R_WF[self._plan.tree.parents[self._plan.index[step.frame]]]
        points = staged_points(step, R_WP, pose[1], lengths_of(self._plan, step.frame))
        return cameras.fit_points(self.camera(), points, self.layers.size, area)

    def fitted_to_frames(self, names: Collection[str]) -> CameraState | None:
        """Return the camera moved until frames, with all that hangs on them, fill the picture; None where they do."""
        right, up, _ = self.camera().axes()
        points: list[Array] = []
        for name in names:
            pose, reach = self.pose_of(name), self.reach_of(name)
            if pose is not None and reach is not None:
                points += [pose[1] + reach * way for way in (right, -right, up, -up)]
        if not points:
            return None
        size = np.array(self.layers.size)
        seen = self.projection().project(np.array(points))
        if ((seen[:, :2] >= 0.0) & (seen[:, :2] <= size)).all() and (seen[:, 2] > 0.0).all():
            return None
        left, bottom = MARGIN * size
        area = (left, bottom, size[0] - left, size[1] - bottom)
        return cameras.fit_points(self.camera(), np.array(points), self.layers.size, area)

    def projection(self) -> Projection:
        """Return the map from world to device pixels of the window as it is."""
        return Projection(self._eye(), *self.layers.size, self._look.pixels)

    def bounding_sphere(self) -> tuple[Array, float]:
        """Return centre and radius of a sphere about all frames and what is drawn about them, arrows and springs."""
        visuals = self.visuals
        if self.tick is None or self._bounds is None:
            return np.zeros(3), 1.0
        others = (points for visual in visuals for points in visual.reach_W())
        return self._bounds.sphere(self.tick.snapshot, others)

    def reach_of(self, name: str) -> float | None:
        """Return how far a frame and all that hangs on it go from its origin, m; None while it has no pose."""
        tick, visuals = self.tick, self.visuals  # with which the bounds are made
        if self.pose_of(name) is None or tick is None or self._bounds is None or not visuals:
            return None
        index = tick.plan.index
        below = hanging_on(tick.plan.scene, [("frames", name)])
        rows = [index[frame] for kind, frame in below if kind == "frames" and frame in index]
        return self._bounds.reach(index[name], rows, tick.snapshot)

    def _eye(self) -> CameraState:
        """Return the camera, gone with the frame that is shown turn by turn if it is read so."""
        step, tick, camera = self._shown_rotation(), self.tick, self.camera()
        if not self._is_passive or step is None or tick is None or step.frame not in tick.plan.index:
            return camera
        snapshot, row = tick.snapshot, tick.plan.index[step.frame]
        R_WP = snapshot.R_WF[tick.plan.tree.parents[row]]
        return carried(camera, R_WP, snapshot.R_WF[row], snapshot.p_WF[row])

    def _shown_rotation(self) -> StagedRotation | None:
        """Return the rotation that is shown turn by turn, if the present scene has its frame."""
        step = self._options[STAGED_ROTATION]
        return step if step is not None and self._plan is not None and step.frame in self._plan.index else None

    def _follow_path(self, t: float) -> None:
        path = None if self._plan is None else self._plan.view_data.camera_path
        self._path_camera = None if path is None else camera_of(path.at(t))

    def _authored_camera(self) -> CameraState:
        authored = self._plan.view_data.camera if self._plan is not None else None
        if authored is not None:
            return camera_of(authored)
        width, height = self.layers.size
        center, radius = self.bounding_sphere()
        from_there = cameras.look_from(CameraState((0.0, -1.0, 0.0)), np.array(cameras.DEFAULT_DIRECTION))
        return cameras.fit(from_there, center, radius, width / height)

    def _place_camera(self, projection: Projection, grid: float) -> None:
        center, radius = self.bounding_sphere()
        reach = float(np.linalg.norm(center)) + REACH_FACTOR * radius + 10.0 * grid
        self.layers.look_from(projection, center, reach)

    # ---- picking -------------------------------------------------------------------------------------

    def hits(self, x: float, y: float) -> list[PickHit]:
        """Return the items under a device pixel, from the lower left, the best first."""
        if self.tick is None:
            return []
        ray = PickRay(self.tick, self.projection(), x, y)
        return in_order((hit for visual in self.visuals for hit in visual.pick(ray)), self._look.pixels)

    def handle_at(self, x: float, y: float) -> Handle | None:
        """Return the handle of the manipulator under a device pixel."""
        manipulator = self.visual(Manipulator)
        return None if manipulator is None else manipulator.handle_at(x, y, self.projection())

    def handle_shapes(self) -> HandleShapes | None:
        """Return the handles as they appear, in device pixels; None when none are shown."""
        manipulator = self.visual(Manipulator)
        return None if manipulator is None else manipulator.shapes(self.projection())

    def pose_of(self, name: str) -> tuple[Array, Array] | None:
        """Return rotation and origin of a frame in world; None when it has no pose."""
        row = None if self.tick is None else self.tick.plan.index.get(name)
        if self.tick is None or row is None or not self.tick.snapshot.is_posed[row]:
            return None
        return self.tick.snapshot.R_WF[row], self.tick.snapshot.p_WF[row]

    def position_of(self, name: str) -> tuple[float, float] | None:
        """Return the device pixel of a frame's origin, from the lower left; None when it is not in the picture."""
        if self.tick is None or self._plan is None or name not in self._plan.index:
            return None
        x, y, depth = self.projection().project(self.tick.snapshot.p_WF[self._plan.index[name]])
        return (float(x), float(y)) if depth > 0 else None

    def cube_face_at(self, x: float, y: float) -> Array | None:
        """Return the outward direction (3,) in world of the view cube's face under a device pixel, or None.

        Pixels count from the lower left corner, as in `hits`.
        """
        cube = self.visual(ViewCube)
        return None if cube is None else cube.face_at(x, y, self.projection())

    # ---- building ------------------------------------------------------------------------------------

    def _spoil(self) -> None:
        """Have all visuals made anew, for another scene, theme or scale, when they are next asked for."""
        self._is_spoilt = True
        # The last snapshot of another plan may know neither its frames nor its sensors; a new one follows.
        if self.tick is not None and self.tick.plan is not self._plan:
            self.tick = None

    def _build(self) -> None:
        """Make all visuals anew."""
        self._is_spoilt = False
        self._clear()
        if self._plan is None:
            return
        view_data = self._plan.view_data
        self._bounds = Bounds(view_data, {body.name: body_reach(body) for body in view_data.bodies})
        sheet = SpriteSheet(self._look.pixels)
        context = self._look.context(self._plan, sheet, self._occupied, self._options, self.layers.span)
        self._made = make_visuals(context)
        sheet.pack()
        self._sheet = sheet
        self.layers.add(self._made)
        for visual in self._made:
            for option in self._options:
                visual.heed(option)
        self._show_tick()

    def _show_tick(self) -> None:
        if self.tick is not None:
            for visual in self._made:
                visual.show(self.tick)

    def _clear(self) -> None:
        self.layers.remove(self._made)
        self._made = []
        self._sheet = None


def camera_of(authored: ViewCamera) -> CameraState:
    """Return what a camera of a scene is in the view."""
    position, focal_point, up = (cameras.as_tuple(v) for v in (authored.position, authored.focal_point, authored.up))
    return CameraState(position, focal_point, up, authored.view_angle)
