"""Renderer of a scene, without a window: the widget and the video exporter show the same picture.

The owner calls `attach` with its render window, `show` once per tick and `prepare` before it renders. Nothing here
renders by itself. The visuals are built from a frozen `Look`. A change of the look invalidates them, and they are
rebuilt when they are next needed.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.errors import Problem
from framescope.core.evaluation.compile.view_data import ViewCamera
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.scene.schema.references import hanging_on, has_transforms
from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.base.label_layout import OccupiedAreas
from framescope.ui.scene_view.base.layers import Layers, Viewport
from framescope.ui.scene_view.base.pick_ray import PickHit, PickRay, in_order
from framescope.ui.scene_view.base.problem_marks import MARKS, marks_of
from framescope.ui.scene_view.base.scene_look import Look, LookParts
from framescope.ui.scene_view.base.scene_options import STAGED_ROTATION, SceneOption, SceneOptions, Value
from framescope.ui.scene_view.base.staged_bounds import staged_points
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import WINDOW, Decorations, Visual
from framescope.ui.scene_view.camera import camera as cameras
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.camera.follow_frame import rotate_with_frame
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
"""Area covered by a widget: x, y, width, height, logical pixels from the upper left corner of the picture."""

Kind = TypeVar("Kind", bound=Visual)

MARGIN = 0.08
"""Margin around frames that fill the picture, as a fraction of its width and height."""

DRIVE_MARGIN = 0.18
"""Margin around the robot of a bag, which leaves room for the beginning of its drive."""

REACH_FACTOR = 3.0

LARGEST_AXIS = 0.26
"""Largest length of an axis in a fitted picture, as a fraction of its height, so that one frame alone is not huge."""

FLAT = 1e-9
"""Extent of the points of a scene below which they count as one point, m."""

FAR = 3.0
"""Extent of a motion, as a multiple of the extent of the scene at its first moment, above which it is not fitted."""

MOST_TIMES, MOST_POSES = 25, 4000
"""Limits of the times of a motion that are fitted, and of the poses of all frames at these times."""

MUCH_LARGER = 2.0
"""Reach of bodies on a rotated frame, as a multiple of that of its axes, from which they are not fitted."""

TITLE_HEIGHT = 56.0
"""Height of title and clock above a fitted scene, logical pixels."""

EDGE = 40.0
"""Distance from the right edge of the picture within which a widget counts as one of its column, logical pixels."""


@dataclass(frozen=True, eq=False)
class _FittedCamera:
    """Camera that was fitted to the points (n, 3) of a scene in an area of a picture, and has not been moved since."""

    state: CameraState
    points: Array
    size: tuple[int, int]
    area: cameras.Area


class SceneRenderer:
    """A scene as two renderers, updated in place from snapshots."""

    def __init__(self, theme: Theme, scale: float = 1.0, decorations: Decorations = WINDOW) -> None:
        self._look = Look(theme, scale, decorations)
        self._plan: Plan | None = None
        self.tick: Tick | None = None
        """The displayed tick; None before the first one."""
        self._look_key: tuple[object, ...] = ()
        self._options = SceneOptions()
        self.occupied = OccupiedAreas()
        self._made: list[Visual] = []
        self._sheet: SpriteSheet | None = None
        self._is_invalid = False
        self.chosen_camera: CameraState | None = None
        """Camera chosen by the caller; None if the scene's own is not determined yet or its path is followed."""
        self._path_camera: CameraState | None = None
        self._of_scene: tuple[CameraState, CameraState] | None = None
        """Camera of the scene as authored, and as it was chosen for the size of the picture."""
        self._fitted: _FittedCamera | None = None
        self._bounds: Bounds | None = None
        self._is_passive = False
        self.reserved_areas: dict[str, tuple[Rect, ...]] = {}
        self.layers = Layers(theme, has_ground=decorations.ground)

    # ---- window --------------------------------------------------------------------------------------

    def set_viewport(self, viewport: Viewport) -> None:
        """Draw in a rectangle of the window; the background fills all of it."""
        had_clock = _has_clock(self.layers.viewport)
        self.layers.set_viewport(viewport)
        if _has_clock(viewport) != had_clock:
            self._invalidate()

    def detach(self) -> None:
        """Remove the layers from the window and release all VTK objects that belong to it."""
        self._clear()
        self.layers.detach()

    # ---- content -------------------------------------------------------------------------------------

    def set_plan(self, plan: Plan) -> None:
        """Show another or an edited scene. The camera stays; see `reset_camera`.

        An edit that changes only numbers keeps all geometry, so dragging a slider is cheap.
        """
        key = look_key(plan)
        is_same_look = self._plan is not None and key == self._look_key
        self._plan, self._look_key = plan, key
        self._follow_path(plan.start if self.tick is None else float(self.tick.snapshot.t))
        if not is_same_look:
            self._invalidate()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        if self._change(theme=theme):
            self.layers.color_ground(theme)

    def set_scale(self, scale: float) -> None:
        """Set the number of device pixels per logical pixel."""
        self._change(scale=scale)

    @property
    def magnification(self) -> float:
        """Factor on all sizes given in pixels."""
        return self._look.magnification

    def set_magnification(self, magnification: float) -> bool:
        """Enlarge all sizes given in pixels by a factor; return whether it has changed."""
        return self._change(magnification=magnification)

    def set_live(self, is_live: bool) -> None:
        """Let names keep their sides from one picture to the next, as in a window."""
        self._change(is_live=is_live)

    def set_gpu(self, has_gpu: bool) -> None:
        """Set whether a graphics card draws, which allows more detail."""
        self._change(has_gpu=has_gpu)

    def _change(self, **parts: Unpack[LookParts]) -> bool:
        """Change the look; return whether it differs."""
        old, self._look = self._look, replace(self._look, **parts)
        is_other = old != self._look
        if is_other:
            self._invalidate()
        return is_other

    def show(self, snapshot: Snapshot, trail_positions: Mapping[str, Array] | None = None) -> None:
        """Update all arrays in place for a snapshot of a scalar time; does not render.

        Invalid visuals are rebuilt with the next picture.

        Parameters
        ----------
        snapshot
            Its rows are the frames of the plan passed to `set_plan`.
        trail_positions
            For each frame with a trail, its past positions in world ``(k, 3)``, oldest first, m.
        """
        if self._plan is None:
            raise RuntimeError("set_plan comes before show")
        self.tick = Tick(snapshot, self._plan, trail_positions or {}, self._staged_rotation())
        self._follow_path(float(snapshot.t))
        if not self._is_invalid:
            self._show_tick()

    def set_option(self, option: SceneOption[Value], value: Value) -> bool:
        """Set an option's value for the next picture; return whether it has changed.

        The progress of a rotation shown turn by turn appears with the next snapshot, which includes its frame.
        """
        old = self._options[option]
        if value == old:
            return False
        self._options[option] = value
        if option.look(old) != option.look(value):
            self._invalidate()
        else:
            for visual in self._made:
                visual.apply_option(option)
        return True

    def visual(self, kind: type[Kind]) -> Kind | None:
        """Return the visual of a kind; None without a scene."""
        return next((visual for visual in self.visuals if isinstance(visual, kind)), None)

    def set_moving(self, is_moving: bool) -> None:
        """Draw a lighter picture while something moves, if that saves much, and the full picture otherwise."""
        bodies = self.visual(Bodies)
        if bodies is not None:
            bodies.light.set_moving(is_moving)

    def prepare_moving(self) -> bool:
        """Perform one step of preparing the lighter picture; return whether more steps remain."""
        bodies = self.visual(Bodies)
        if bodies is None or bodies.light.is_ready:
            return False
        bodies.light.make_some()
        return not bodies.light.is_ready

    def set_passive(self, is_passive: bool) -> None:
        """Rotate the camera with the frame that is shown turn by turn, so that its parent appears to turn back."""
        self._is_passive = is_passive

    def reserve_areas(self, rects: tuple[Rect, ...], owner: str = "") -> None:
        """Keep names and values off areas covered by widgets: x, y, width, height, logical pixels from upper left.

        Each owner has areas of its own, which replace its former ones.
        """
        self.reserved_areas[owner] = rects

    def set_problems(self, problems: Iterable[Problem]) -> bool:
        """Mark the items with problems; return whether the picture has changed."""
        return self.set_option(MARKS, () if self._plan is None else marks_of(self._plan.scene, problems))

    def set_tight(self, is_tight: bool) -> None:
        """Hide title and clock, as the picture is too small for them and the widgets over it."""
        self._change(is_tight=is_tight)

    @property
    def angle_unit(self) -> AngleUnit:
        """Unit of angles and their rates."""
        return self._look.angles

    def set_angle_unit(self, unit: AngleUnit) -> None:
        """Display angles and their rates in another unit."""
        self._change(angles=unit)

    def match(self, source: SceneRenderer) -> None:
        """Show the content of another renderer, in its colours and from its camera."""
        self.match_look(source)
        for option, value in source._options.shared():
            self.set_option(option, value)
        self.set_camera(source.camera())
        if source._plan is not None and source._plan is not self._plan:
            self.set_plan(source._plan)
        tick = source.tick
        if tick is not None and (self.tick is None or self.tick.known is not tick.known):
            self.show(tick.known, tick.trails)

    def match_look(self, source: SceneRenderer) -> None:
        """Draw in the colours and sizes of another renderer, and as fast as it."""
        look = source._look
        self.set_theme(look.theme)
        self._change(
            scale=look.scale,
            magnification=look.magnification,
            has_gpu=look.has_gpu,
            angles=look.angles,
            is_tight=look.is_tight,
        )
        self.layers.smooth_edges(source.layers.has_smooth_edges)

    def prepare(self) -> None:
        """Update camera, clipping and everything that depends on the camera, before a render."""
        self.prepare_scene()
        self.prepare_overlay()

    def prepare_scene(self) -> None:
        """Update camera, clipping and the scene, before it is drawn."""
        if not self.layers.is_attached or self.tick is None:
            return
        projection = self.projection()
        self._place_camera(projection, self.tick.plan.view_data.grid)
        for visual in self.visuals:
            visual.place_in_scene(projection)

    def prepare_overlay(self) -> None:
        """Update the overlay, before it is drawn; the scene may be drawn meanwhile."""
        if not self.layers.is_attached or self.tick is None:
            return
        projection = self.projection()
        self.occupied.clear()
        for x, y, width, height in (rect for rects in self.reserved_areas.values() for rect in rects):
            scale = self._look.scale
            left, top = x * scale, projection.height - y * scale
            self.occupied.add_corner(left, top - height * scale, left + width * scale, top)
        self.occupied.end_over()
        for visual in self.visuals:
            visual.occupy(projection)
        for visual in self.visuals:
            visual.place(projection)
        actors = (actor for visual in self.visuals for actor in visual.overlay_actors)
        self.layers.set_overlaid(any(actor.GetVisibility() for actor in actors))

    def lift_texts(self) -> list[PlacedText]:
        """Hide the texts of the prepared picture and return them; the next `prepare` shows them again."""
        return [] if self._sheet is None else self._sheet.lift_texts()

    @property
    def visuals(self) -> Sequence[Visual]:
        """The current visuals."""
        if self._is_invalid:
            self.build_visuals()
        return self._made

    # ---- camera --------------------------------------------------------------------------------------

    def camera(self) -> CameraState:
        """Return the current camera, chosen from the scene if no caller has set one."""
        if self._fitted is not None and self.chosen_camera is self._fitted.state:
            self._fit_again(self._fitted)
        if self._of_scene is not None and self.chosen_camera is self._of_scene[1]:
            self._choose_from_scene(self._of_scene[0])  # the picture may have another size now
        if self.chosen_camera is not None:
            return self.chosen_camera
        if self._path_camera is not None:
            return self._in_narrow_picture(self._path_camera)
        camera, fitted = self._authored_camera()
        if self.tick is not None and self.tick.plan is self._plan:
            self.chosen_camera, self._fitted = camera, fitted  # only once: it depends on the current moment
            authored = self.tick.plan.view_data.camera
            if authored is not None:
                self._choose_from_scene(camera_of(authored))
        return camera

    @property
    def is_on_path(self) -> bool:
        """Whether the camera follows the path given by the scene."""
        return self.chosen_camera is None and self._path_camera is not None

    @property
    def is_camera_moved(self) -> bool:
        """Whether the camera differs from the one that the scene has, or that shows everything."""
        is_fitted = self._fitted is not None and self.chosen_camera is self._fitted.state
        return self.chosen_camera is not None and not is_fitted and self.chosen_camera != self._authored_camera()[0]

    @property
    def has_path(self) -> bool:
        """Whether the scene has a path for its camera."""
        return self._path_camera is not None

    def set_camera(self, camera: CameraState | None) -> None:
        """Set the camera; None leaves it to the scene."""
        self.chosen_camera = camera

    def reset_camera(self) -> None:
        """Return to the authored camera or its path, or to a camera that shows everything."""
        self.chosen_camera = None

    def area_of(self, name: str) -> Rect | None:
        """Return the area of everything drawn around a frame: x, y, width, height, logical pixels from upper left.

        None without a pose, or behind the camera.
        """
        pose, tick = self.pose_of(name), self.tick
        if pose is None or tick is None or self._bounds is None or name not in tick.plan.index:
            return None
        projection = self.projection()
        center, radius = self._bounds.sphere_of(tick.plan.index[name], tick.snapshot)
        x, y, depth = projection.project(center).tolist()
        if not depth > 0.0:
            return None
        r = radius / projection.metres_per_pixel(center)
        scale = projection.scale
        side = math.ceil(2.0 * r / scale)
        return math.floor((x - r) / scale), math.floor((projection.height - y - r) / scale), side, side

    def fitted_camera(self, name: str | None = None) -> CameraState:
        """Return the camera moved along its direction until everything, or one frame, fills the picture."""
        width, height = self.layers.size
        camera, visuals = self.camera(), self.visuals  # building the visuals builds the bounds
        row = None if self._plan is None or name is None else self._plan.index.get(name)
        if row is None or self.tick is None or self._bounds is None or not self.tick.snapshot.is_posed[row]:
            points = self._points_now(camera, (points for visual in visuals for points in visual.reach_W()))
            return self._fit_to(camera, points)
        return cameras.fit(self.camera(), *self._bounds.sphere_of(row, self.tick.snapshot), width / height)

    def fitted_to_steps(self, step: StagedRotation, area: cameras.Area) -> CameraState | None:
        """Return the camera moved until all positions reached by a rotation, turn by turn, fill an area of the picture.

        Bodies on the frame are included, unless they are much larger than its axes. Returns None if the frame is not in
        the picture. The area is in device pixels from the lower left corner.
        """
        pose = self.pose_of(step.frame)
        if pose is None or self.tick is None or self._plan is None:
            return None
        R_WP = self.tick.snapshot.R_WF[self._plan.tree.parents[self._plan.index[step.frame]]]
        points = staged_points(step, R_WP, pose[1], lengths_of(self._plan, step.frame))
        longest = float(np.linalg.norm(points - pose[1], axis=1).max())
        reach = self.reach_of(step.frame)
        if reach is not None and longest < reach < MUCH_LARGER * longest:
            right, up, _ = self.camera().axes()
            points = np.concatenate([points, [pose[1] + reach * way for way in (right, -right, up, -up)]])
        return cameras.fit_points(self.camera(), points, self.layers.size, area)

    def fitted_to_frames(self, names: Collection[str], *, even_if_seen: bool = False) -> CameraState | None:
        """Return the camera moved until frames and everything attached to them fill the picture.

        Returns None if no frame has a pose, or if all of them are in the picture already, unless `even_if_seen`.
        """
        right, up, _ = self.camera().axes()
        points: list[Array] = []
        for name in names:
            pose, reach = self.pose_of(name), self.reach_of(name)
            if pose is not None and reach is not None:
                points += [pose[1] + reach * way for way in (right, -right, up, -up)]
        if not points:
            return None
        size = np.array(self.layers.size)
        pixels = self.projection().project(np.array(points))
        is_seen = ((pixels[:, :2] >= 0.0) & (pixels[:, :2] <= size)).all() and (pixels[:, 2] > 0.0).all()
        if is_seen and not even_if_seen:
            return None
        left, bottom = MARGIN * size
        area = (left, bottom, size[0] - left, size[1] - bottom)
        return cameras.fit_points(self.camera(), np.array(points), self.layers.size, area)

    def projection(self) -> Projection:
        """Return the current projection from world to device pixels of the window."""
        return Projection(self._eye(), *self.layers.size, self._look.pixels)

    def bounding_sphere(self) -> tuple[Array, float]:
        """Return centre and radius of a sphere around all frames and everything drawn, arrows and springs included."""
        visuals = self.visuals
        if self.tick is None or self._bounds is None:
            return np.zeros(3), 1.0
        further_points = (points for visual in visuals for points in visual.reach_W())
        return self._bounds.sphere(self.tick.snapshot, further_points)

    def reach_of(self, name: str) -> float | None:
        """Return the reach of a frame and everything attached to it from its origin, m; None if it has no pose."""
        tick, visuals = self.tick, self.visuals  # building the visuals builds the bounds
        if self.pose_of(name) is None or tick is None or self._bounds is None or not visuals:
            return None
        index = tick.plan.index
        below = hanging_on(tick.plan.scene, [("frames", name)])
        rows = [index[frame] for kind, frame in below if kind == "frames" and frame in index]
        return self._bounds.reach(index[name], rows, tick.snapshot)

    def _eye(self) -> CameraState:
        """Return the camera, in a passive view rotated with the frame that is shown turn by turn."""
        step, tick, camera = self._staged_rotation(), self.tick, self.camera()
        if not self._is_passive or step is None or tick is None or step.frame not in tick.plan.index:
            return camera
        snapshot, row = tick.snapshot, tick.plan.index[step.frame]
        R_WP = snapshot.R_WF[tick.plan.tree.parents[row]]
        return rotate_with_frame(camera, R_WP, snapshot.R_WF[row], snapshot.p_WF[row])

    def _staged_rotation(self) -> StagedRotation | None:
        """Return the rotation that is shown turn by turn, if the current scene has its frame."""
        step = self._options[STAGED_ROTATION]
        return step if step is not None and self._plan is not None and step.frame in self._plan.index else None

    def _follow_path(self, t: float) -> None:
        path = None if self._plan is None else self._plan.view_data.camera_path
        self._path_camera = None if path is None else camera_of(path.at(t))

    def _authored_camera(self) -> tuple[CameraState, _FittedCamera | None]:
        """Return the camera of the scene; without one, a camera that shows everything, and how it was fitted."""
        authored = self._plan.view_data.camera if self._plan is not None else None
        if authored is not None:
            return self._in_narrow_picture(camera_of(authored)), None
        from_there = cameras.look_from(CameraState((0.0, -1.0, 0.0)), np.array(cameras.DEFAULT_DIRECTION))
        points = self._points_to_fit(from_there)
        state = self._fit_to(from_there, points)
        return state, _FittedCamera(state, points, self.layers.size, self._free_area())

    def _choose_from_scene(self, authored: CameraState) -> None:
        """Choose a camera of the scene. It follows the size of the picture until another camera is set."""
        camera, chosen = self._in_narrow_picture(authored), self.chosen_camera
        if self._of_scene is None or chosen is not self._of_scene[1] or chosen != camera:
            self.chosen_camera, self._of_scene = camera, (authored, camera)

    def _in_narrow_picture(self, camera: CameraState) -> CameraState:
        """Return a camera of the scene, moved back in a narrow view of a window; exports do so with their cards."""
        width, height = self.layers.size
        return cameras.fit_narrow_picture(camera, max(width, 1) / max(height, 1)) if self._look.is_live else camera

    def _fit_again(self, fitted: _FittedCamera) -> None:
        """Fit the camera to the same points after the picture, or the widgets over it, have changed their size."""
        size, area = self.layers.size, self._free_area()
        if (size, area) != (fitted.size, fitted.area):
            state = self._fit_to(fitted.state, fitted.points)
            self.chosen_camera, self._fitted = state, _FittedCamera(state, fitted.points, size, area)

    def _fit_to(self, camera: CameraState, points: Array) -> CameraState:
        """Return the camera moved until points (n, 3) fill the free part of the picture."""
        if np.linalg.norm(np.ptp(points, axis=0)) < FLAT:
            width, height = self.layers.size
            return cameras.fit(camera, *self.bounding_sphere(), width / height)
        fitted = cameras.fit_points(camera, points, self.layers.size, self._free_area())
        longest = 0.0 if self._bounds is None else self._bounds.longest_axis
        nearest = longest / (2.0 * LARGEST_AXIS * math.tan(0.5 * fitted.view_angle))
        return cameras.step_back(fitted, max(1.0, nearest / fitted.distance))

    def _points_now(self, camera: CameraState, more: Iterable[Array]) -> Array:
        """Return finite points (n, 3) around all drawn frames at this moment, and more points, m."""
        if self.tick is None or self._bounds is None:
            return np.zeros((1, 3))
        right, up, _ = camera.axes()
        points = np.concatenate([self._bounds.points(self.tick.snapshot, right, up), *more])
        points = points[np.isfinite(points).all(axis=1)]
        return points if len(points) else np.zeros((1, 3))

    def _points_to_fit(self, camera: CameraState) -> Array:
        """Return points (n, 3) of everything that the first picture of a scene shows, m.

        These are the frames and what is drawn around them, now and during their motion, unless that takes much more
        room. The drive of a robot in a bag does not count: the picture shows the robot.
        """
        visuals, plan = self.visuals, self._plan  # building the visuals builds the bounds
        now = self._points_now(camera, (points for visual in visuals for points in visual.fit_W()))
        if plan is None or self._bounds is None or has_transforms(plan.scene) or not plan.tree.moving:
            return now
        right, up, _ = camera.axes()
        n_times = max(2, min(MOST_TIMES, MOST_POSES // len(plan.names)))
        moving = self._bounds.points(evaluate(plan, np.linspace(plan.start, plan.end, n_times)), right, up)
        points = np.concatenate([now, moving[np.isfinite(moving).all(axis=1)]])
        is_far = np.linalg.norm(np.ptp(points, axis=0)) > FAR * np.linalg.norm(np.ptp(now, axis=0))
        return now if is_far else points

    def _free_area(self) -> cameras.Area:
        """Return the part of the picture for a fitted scene, device pixels: beside the cards at its right edge."""
        width, height = self.layers.size
        scale = self._look.scale
        right = float(width)
        for x, _, rect_width, _ in self.reserved_areas.get("", ()):
            if x * scale > 0.5 * width and (x + rect_width) * scale > width - EDGE * scale:
                right = min(right, x * scale)
        is_drive = self._plan is not None and has_transforms(self._plan.scene)
        margin = DRIVE_MARGIN if is_drive else MARGIN
        margin_x, margin_y = margin * right, margin * height
        top = max(margin_y, TITLE_HEIGHT * self._look.pixels) if self._look.decorations.title else margin_y
        return (margin_x, margin_y, right - margin_x, max(height - top, 2.0 * margin_y))

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
        """Return the handles as drawn, in device pixels; None if none are shown."""
        manipulator = self.visual(Manipulator)
        return None if manipulator is None else manipulator.shapes(self.projection())

    def pose_of(self, name: str) -> tuple[Array, Array] | None:
        """Return rotation and origin of a frame in world; None if it has no pose."""
        row = None if self.tick is None else self.tick.plan.index.get(name)
        if self.tick is None or row is None or not self.tick.snapshot.is_posed[row]:
            return None
        return self.tick.snapshot.R_WF[row], self.tick.snapshot.p_WF[row]

    def position_of(self, name: str) -> tuple[float, float] | None:
        """Return the device pixel of a frame's origin, from the lower left; None if it is behind the camera."""
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

    def _invalidate(self) -> None:
        """Invalidate all visuals; they are rebuilt, for another scene, theme or scale, when next needed."""
        self._is_invalid = True
        # The last snapshot of another plan may lack its frames or sensors; a new snapshot follows.
        if self.tick is not None and self.tick.plan is not self._plan:
            self.tick = None

    def build_visuals(self) -> None:
        """Rebuild all visuals."""
        self._is_invalid = False
        self._clear()
        if self._plan is None:
            return
        view_data = self._plan.view_data
        self._bounds = Bounds(view_data, {body.name: body_reach(body) for body in view_data.bodies})
        sheet = SpriteSheet(self._look.pixels)
        context = self._look.context(
            self._plan, sheet, self.occupied, self._options, has_clock=_has_clock(self.layers.viewport)
        )
        self._made = make_visuals(context)
        sheet.pack()
        self._sheet = sheet
        self.layers.add(self._made)
        for visual in self._made:
            for option in self._options:
                visual.apply_option(option)
        self._show_tick()

    def _show_tick(self) -> None:
        if self.tick is not None:
            for visual in self._made:
                visual.show(self.tick)

    def _clear(self) -> None:
        self.layers.remove(self._made)
        self._made = []
        self._sheet = None


def _has_clock(viewport: Viewport) -> bool:
    """Return whether a picture reaches the right edge of its window, where clock and tools are."""
    return viewport.right == 1.0


def camera_of(authored: ViewCamera) -> CameraState:
    """Convert an authored camera of a scene to the camera of the view."""
    position, focal_point, up = (cameras.as_tuple(v) for v in (authored.position, authored.focal_point, authored.up))
    return CameraState(position, focal_point, up, authored.view_angle)
