"""View data of a scene: visible items and plots, in SI units and by frame row, compiled once per edit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from framescope.core.errors import ItemError, KeyPath, NoSuchNameError, Problem, add_problem
from framescope.core.evaluation.compile.orientations import constant_orientation, constant_position
from framescope.core.evaluation.compile.plots import CompiledAnswer, CompiledPlot, compile_answer, compile_plot
from framescope.core.evaluation.compile.used_parameters import KEPT_CONTEXTS, as_used, uses_none
from framescope.core.evaluation.local_motion import MotionContext
from framescope.core.kernels.validation import SEQUENCES, Array
from framescope.core.scene.files.referenced_files import SHAPE_FILES
from framescope.core.scene.schema import bodies as shapes
from framescope.core.scene.schema import poses
from framescope.core.scene.schema import view as views
from framescope.core.scene.schema.kinds.shapes import SHAPE_KINDS, positive
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Keyframes, sequence_of_keys
from framescope.core.scene.schema.quantities import Quantity, unit_factor
from framescope.core.system.caches import cache_per_owner
from framescope.core.system.file_access import resolve_named
from framescope.core.time_functions.scalar_keyframes import ScalarKeyframes, scalar_keyframes

NOTE_AT = (0.5, 0.2)
"""Default place of a note without a frame, as fractions of the width and the height."""

Made = TypeVar("Made")
Authored = TypeVar("Authored")


@dataclass(frozen=True, eq=False)
class ViewBody:
    """A shape on a frame: `kind` and `size` (SI, by name of the dimension), offset R_FB, p_FB in the frame.

    A mesh, or points, have their `file`, and their size is the factor of its coordinates along `x`, `y` and `z`. The
    `file` of a camera is its picture, if it has one.
    """

    name: str
    i_frame: int
    kind: str
    size: Mapping[str, float]
    color: str
    R_FB: Array
    p_FB: Array
    opacity: float = 1.0
    file: Path | None = None
    has_edges: bool = False


@dataclass(frozen=True)
class ViewRings:
    """The gimbal rings of a frame with the axis sequence `sequence`; `radius` of the outer ring, m."""

    i_frame: int
    sequence: str
    radius: float


@dataclass(frozen=True)
class ViewArcs:
    """The angles of a frame with the axis sequence `sequence`, drawn as arcs of `radius`, m."""

    i_frame: int
    sequence: str
    radius: float


@dataclass(frozen=True)
class ViewIntermediateFrames:
    """The frames after the first and the second rotation of a frame's sequence; `length` of their axes, m."""

    i_frame: int
    sequence: str
    length: float


@dataclass(frozen=True)
class ViewTrail:
    """The path of a frame's origin over the last `duration` seconds; None is the whole time range."""

    frame: str
    i_frame: int
    duration: float | None


@dataclass(frozen=True)
class ViewNote:
    """A text in the picture, from `start` to `end`, s.

    The note refers to the point `r`, m, of the frame `i_frame`; None: to no frame. `at` is the centre of the text, as
    fractions of the width from the left and of the height from the top; None places the text beside its point.
    """

    name: str
    text: str
    i_frame: int | None
    r: tuple[float, float, float]
    at: tuple[float, float] | None
    size: str
    start: float
    end: float

    def is_shown(self, t: float) -> bool:
        """Return whether the note is shown at time `t`, s."""
        return self.start <= t <= self.end


@dataclass(frozen=True, eq=False)
class ViewCamera:
    """Camera in world; `view_angle` is vertical, rad."""

    position: Array
    focal_point: Array
    up: Array
    view_angle: float


@dataclass(frozen=True, eq=False)
class ViewCameraPath:
    """A camera that moves through its keys; before the first and after the last key it is at rest."""

    curves: ScalarKeyframes

    def at(self, t: float) -> ViewCamera:
        """Return the camera at time `t`, s."""
        values = self.curves.sample(t)[0]
        up = values[6:9]
        return ViewCamera(values[0:3], values[3:6], up / np.linalg.norm(up), float(values[9]))


FULL_TRIADS = 20
"""Number of triads above which they are thin, unless the view has its own setting."""


@dataclass(frozen=True, eq=False)
class ViewData:
    """Everything visible, by frame row; the arrays (n,) hold the appearance of each frame.

    Hidden items are not included; `hidden` lists them by kind and name, and `is_hidden` (n,) marks frames.
    """

    hidden: frozenset[tuple[str, str]]
    is_hidden: np.ndarray
    triad_length: Array
    has_triad: np.ndarray
    has_thin_triads: bool
    has_label: np.ndarray
    has_link: np.ndarray
    grid: float
    camera: ViewCamera | None
    camera_path: ViewCameraPath | None
    bodies: tuple[ViewBody, ...]
    rings: tuple[ViewRings, ...]
    arcs: tuple[ViewArcs, ...]
    intermediate_frames: tuple[ViewIntermediateFrames, ...]
    trails: tuple[ViewTrail, ...]
    forces: float | None
    torques: float | None
    plots: tuple[CompiledPlot, ...]
    answers: tuple[CompiledAnswer, ...]
    notes: tuple[ViewNote, ...]


@dataclass(frozen=True, eq=False)
class DrawnBefore:
    """Bodies of a scene as drawn before, by name, without those that have a problem."""

    scene: Scene
    bodies: Mapping[str, ViewBody]

    def same(self, name: str, body: shapes.Body, index: Mapping[str, int], context: MotionContext) -> ViewBody | None:
        """Return a body as drawn before if neither the item nor anything that it depends on has changed."""
        before = self.bodies.get(name)
        if before is None or self.scene.bodies.get(name) is not body or index.get(body.frame) != before.i_frame:
            return None
        return before if uses_none(body, context.parameters) else None


def compile_view_data(
    scene: Scene,
    index: Mapping[str, int],
    context: MotionContext,
    problems: list[Problem],
    before: DrawnBefore | None = None,
) -> ViewData:
    """Return the visible items; an item that cannot be drawn is skipped and added to `problems`.

    Bodies that are unchanged since `before` are copied, and their files are not checked again.
    """

    def keep(prefix: KeyPath, make: Callable[[], Made]) -> tuple[Made, ...]:
        try:
            return (make(),)
        except ItemError as problem:
            add_problem(problems, prefix, problem)
            return ()

    def compile_all(
        key: str, items: tuple[Authored, ...], make: Callable[[Authored, Scene, Mapping[str, int]], Made]
    ) -> tuple[Made, ...]:
        return tuple(
            compiled
            for i, item in enumerate(items)
            for compiled in keep(("view", key, i), partial(make, item, scene, index))
        )

    def arrow(key: str, length: Quantity | None, dimension: str) -> float | None:
        compiled = () if length is None else keep(("view",), lambda: positive(length, (key,), dimension))
        return next(iter(compiled), None)

    def compile_body(name: str, item: shapes.Body) -> tuple[ViewBody, ...]:
        same = None if before is None else before.same(name, item, index, context)
        if same is not None:
            return (same,)
        return keep(("bodies", name), partial(_body, name, item, index, context, problems))

    view = scene.view
    length = (keep((), lambda: positive(view.triad_length, ("view", "triad_length"))) or (0.2,))[0]
    grid = (keep((), lambda: positive(view.grid, ("view", "grid"))) or (0.5,))[0]
    n = len(index)
    triad_length, usual = np.full(n, length), (view.triads, view.labels, view.links)
    shown = np.repeat(np.array(usual)[:, np.newaxis], n, axis=1)
    for name, look in view.frames.items():
        for i, own_length in keep(("view", "frames", name), partial(_look, name, look, index)):
            own = look.triad, look.label, look.link
            shown[:, i] = [default if message is None else message for message, default in zip(own, usual, strict=True)]
            triad_length[i] = own_length or length
    hidden = frozenset(_hidden(scene, index, problems))
    is_hidden = np.zeros(n, dtype=bool)
    is_hidden[[index[name] for kind, name in hidden if kind == "frames"]] = True
    shown[:, is_hidden] = False

    def is_visible(drawn: ViewRings | ViewArcs | ViewIntermediateFrames) -> bool:
        # An invalid sequence is reported as a problem of the frame itself.
        return drawn.sequence in SEQUENCES and not is_hidden[drawn.i_frame]

    return ViewData(
        hidden=hidden,
        is_hidden=is_hidden,
        triad_length=triad_length,
        has_triad=shown[0],
        has_thin_triads=bool(shown[0].sum() > FULL_TRIADS) if view.thin_triads is None else view.thin_triads,
        has_label=shown[1],
        has_link=shown[2],
        grid=grid,
        camera=next(iter(keep(("view", "camera"), partial(_camera, view.camera))), None),
        camera_path=next(iter(keep(("view", "camera_path"), partial(_camera_path, view.camera_path))), None),
        bodies=tuple(
            body
            for name, item in scene.bodies.items()
            for body in compile_body(name, item)
            if ("bodies", name) not in hidden
        ),
        rings=tuple(rings for rings in compile_all("rings", view.rings, _rings) if is_visible(rings)),
        arcs=tuple(arcs for arcs in compile_all("arcs", view.arcs, _arcs) if is_visible(arcs)),
        intermediate_frames=tuple(
            frames for frames in compile_all("stages", view.stages, _stages) if is_visible(frames)
        ),
        trails=tuple(trail for trail in compile_all("trails", view.trails, _trail) if not is_hidden[trail.i_frame]),
        forces=arrow("forces", view.forces, "arrow of a force"),
        torques=arrow("torques", view.torques, "arrow of a torque"),
        plots=compile_all("plots", view.plots, compile_plot),
        answers=compile_all("answers", view.answers, compile_answer),
        notes=tuple(
            note
            for name, item in scene.notes.items()
            for note in keep(("notes", name), partial(_note, name, item, index, context))
            if ("notes", name) not in hidden
        ),
    )


def _hidden(scene: Scene, index: Mapping[str, int], problems: list[Problem]) -> Iterator[tuple[str, str]]:
    """Yield the hidden items; unknown names are added to `problems`."""
    for kind in views.Hidden.model_fields:
        known = index if kind == "frames" else getattr(scene, kind)
        for i, name in enumerate(getattr(scene.view.hidden, kind)):
            if name in known:
                yield kind, name
            else:
                add_problem(problems, (), NoSuchNameError(("view", "hidden", kind, i), "item", name, known))


def _row(name: str, index: Mapping[str, int], key_path: KeyPath) -> int:
    if name not in index:
        raise NoSuchNameError(key_path, "frame", name, index)
    return index[name]


def _look(name: str, look: views.FrameLook, index: Mapping[str, int]) -> tuple[int, float | None]:
    length = None if look.length is None else positive(look.length, ("length",))
    return _row(name, index, ()), length


def _camera(camera: views.Camera | None) -> ViewCamera | None:
    return None if camera is None else _seen_from(camera, unit_factor(camera.unit, "length", ("unit",)), ())


def _camera_path(path: views.CameraPath | None) -> ViewCameraPath | None:
    if path is None:
        return None
    factor = unit_factor(path.unit, "length", ("unit",))
    times = [key.time.si("time", ("keys", i, "time")) for i, key in enumerate(path.keys)]
    late = np.flatnonzero(np.diff(times) <= 0.0)
    if late.size:
        i = int(late[0]) + 1
        raise ItemError(("keys", i, "time"), f"{path.keys[i].time} is not later than the key before it.")
    cameras = [_seen_from(key, factor, ("keys", i)) for i, key in enumerate(path.keys)]
    values = [np.concatenate([c.position, c.focal_point, c.up, [c.view_angle]]) for c in cameras]
    return ViewCameraPath(scalar_keyframes(times, np.array(values), path.interpolation))


def _seen_from(camera: views.Camera | views.CameraKey, factor: float, key: KeyPath) -> ViewCamera:
    position, focal_point = factor * np.array(camera.position), factor * np.array(camera.focal_point)
    up = np.array(camera.up)
    if np.linalg.norm(np.cross(focal_point - position, up)) < 1e-12:
        raise ItemError(key, "the camera looks along its up direction, or its position is its focal point.")
    view_angle = positive(camera.view_angle, (*key, "view_angle"), "angle")
    if view_angle >= math.pi:
        raise ItemError((*key, "view_angle"), f"expected less than 180 deg, got {camera.view_angle}.")
    return ViewCamera(position, focal_point, up / np.linalg.norm(up), view_angle)


def _body(
    name: str, body: shapes.Body, index: Mapping[str, int], context: MotionContext, problems: list[Problem]
) -> ViewBody:
    placed = place_body(body, context)
    problems += (replace(p, key_path=("bodies", name, *p.key_path)) for p in placed.problems)
    i_frame = _row(body.frame, index, ("frame",))
    kind, file = SHAPE_KINDS.of(body.shape), None
    for key in kind.files:
        named = getattr(body.shape, key)
        if named is None:
            continue
        try:
            file = resolve_named(named, context.access, ("shape", key), SHAPE_FILES[kind.form])
        except ItemError as problem:
            if kind.needs_files:
                raise
            add_problem(problems, ("bodies", name), problem)
    return ViewBody(
        name, i_frame, kind.form, placed.size, body.color, placed.R_FB, placed.p_FB, body.opacity, file, body.edges
    )


def _note(name: str, note: views.Note, index: Mapping[str, int], context: MotionContext) -> ViewNote:
    i_frame = None if note.frame is None else _row(note.frame, index, ("frame",))
    if note.position is not None and i_frame is None:
        raise ItemError(("position",), "a point of no frame. Name the frame, or leave the point out.")
    x, y, z = (0.0, 0.0, 0.0) if note.position is None else constant_position(note.position, ("position",), context)
    start = -math.inf if note.start is None else note.start.si("time", ("start",))
    end = math.inf if note.end is None else note.end.si("time", ("end",))
    if end < start:
        raise ItemError(("end",), f"{note.end} is before its start, {note.start}, so that it is never shown.")
    at = note.at or (None if i_frame is not None else NOTE_AT)
    return ViewNote(name, note.text.strip(), i_frame, (float(x), float(y), float(z)), at, note.size, start, end)


@dataclass(frozen=True, eq=False)
class PlacedBody:
    """Pose of a body in its frame, its sizes, and its problems."""

    R_FB: Array
    p_FB: Array
    size: Mapping[str, float]
    problems: tuple[Problem, ...]


def place_body(body: shapes.Body, context: MotionContext) -> PlacedBody:
    """Return the pose and the sizes of a body, hidden or not; raise `ItemError` if they have no values."""
    # Frozen models are hashable, which the checker does not know.
    return _placed_body(body, as_used(body, context))  # pyright: ignore[reportArgumentType]


@cache_per_owner(KEPT_CONTEXTS)
def _placed_body(body: shapes.Body, context: MotionContext) -> PlacedBody:
    p_FB = constant_position(body.position, ("position",), context)
    T_FB, problems = constant_orientation(body.orientation, ("orientation",), context)
    return PlacedBody(T_FB.T, p_FB, SHAPE_KINDS.of(body.shape).sizes(body.shape), problems)


def _rings(rings: views.Rings, scene: Scene, index: Mapping[str, int]) -> ViewRings:
    i_frame, sequence = _with_sequence(rings.frame, scene, index, "rings")
    return ViewRings(i_frame, sequence, positive(rings.radius, ("radius",)))


def _arcs(arcs: views.Arcs, scene: Scene, index: Mapping[str, int]) -> ViewArcs:
    i_frame, sequence = _with_sequence(arcs.frame, scene, index, "arcs")
    return ViewArcs(i_frame, sequence, positive(arcs.radius, ("radius",)))


def _stages(stages: views.IntermediateFrames, scene: Scene, index: Mapping[str, int]) -> ViewIntermediateFrames:
    i_frame, sequence = _with_sequence(stages.frame, scene, index, "stages")
    length = scene.view.triad_length if stages.length is None else stages.length
    return ViewIntermediateFrames(i_frame, sequence, positive(length, ("length",)))


def _with_sequence(name: str, scene: Scene, index: Mapping[str, int], what: str) -> tuple[int, str]:
    i_frame = _row(name, index, ("frame",))
    frame = scene.frames.get(name)
    if frame is not None and isinstance(frame.motion, Keyframes):
        sequence = sequence_of_keys(frame.motion)
        if sequence is not None:
            return i_frame, sequence
    if frame is not None and frame.orientation is None and frame.motion is not None:
        message = f'"{name}" moves without an axis sequence, so that its {what} are not drawn.'
        raise ItemError(("frame",), message, "They are drawn again while its orientation has one.", severity="note")
    if frame is None or not isinstance(frame.orientation, poses.ThreeAngles):
        raise ItemError(("frame",), f'"{name}" has no axis sequence to draw {what} of.', "Use a frame of form axes.")
    return i_frame, poses.as_moving(frame.orientation).sequence


def _trail(trail: views.Trail, _scene: Scene, index: Mapping[str, int]) -> ViewTrail:
    duration = None if trail.duration is None else positive(trail.duration, ("duration",), "time")
    return ViewTrail(trail.frame, _row(trail.frame, index, ("frame",)), duration)
