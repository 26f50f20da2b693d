"""What is drawn and plotted of a scene, in SI units and by frame row: made once per edit with the plan."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np

from framescope.core.arrays import SEQUENCES, Array
from framescope.core.errors import ItemError, KeyPath, Problem, did_you_mean
from framescope.core.motions import compile_orientation, compile_signals
from framescope.core.scene import bodies as shapes
from framescope.core.scene import poses
from framescope.core.scene import view as views
from framescope.core.scene.model import Scene
from framescope.core.scene.quantities import Quantity, unit_factor

Made = TypeVar("Made")
Authored = TypeVar("Authored")


@dataclass(frozen=True, eq=False)
class StagedBody:
    """A shape on a frame: `kind` and `size` (SI, by name of the dimension), offset R_FB, p_FB in the frame."""

    name: str
    i_frame: int
    kind: str
    size: Mapping[str, float]
    color: str
    R_FB: Array
    p_FB: Array


@dataclass(frozen=True)
class StagedRings:
    """The gimbal rings of a frame with the axis sequence `sequence`; `radius` of the outer one, m."""

    i_frame: int
    sequence: str
    radius: float


@dataclass(frozen=True)
class StagedTrail:
    """The path of a frame's origin over the last `duration` seconds."""

    frame: str
    i_frame: int
    duration: float


@dataclass(frozen=True, eq=False)
class StagedCamera:
    """Where the scene is seen from, in world; `view_angle` is vertical, rad."""

    position: Array
    focal_point: Array
    up: Array
    view_angle: float


@dataclass(frozen=True)
class StagedPlot:
    """A plotted signal: of, relative to and resolved in which frame, and its unit with its SI value."""

    signal: str
    of: str
    relative_to: str
    resolved_in: str
    unit: str
    factor: float


@dataclass(frozen=True, eq=False)
class Staging:
    """Everything visible, by frame row; the three arrays (n,) say how each frame is drawn."""

    triad_length: Array
    has_triad: np.ndarray
    has_label: np.ndarray
    has_link: np.ndarray
    grid: float
    camera: StagedCamera | None
    bodies: tuple[StagedBody, ...]
    rings: tuple[StagedRings, ...]
    trails: tuple[StagedTrail, ...]
    plots: tuple[StagedPlot, ...]


def compile_staging(scene: Scene, index: Mapping[str, int], problems: list[Problem]) -> Staging:
    """Make what is drawn; an item that cannot be drawn is left out and added to `problems`."""

    def keep(prefix: KeyPath, make: Callable[[], Made]) -> tuple[Made, ...]:
        try:
            return (make(),)
        except ItemError as fault:
            problems.append(fault.problem(prefix))
            return ()

    def each(
        key: str, items: tuple[Authored, ...], make: Callable[[Authored, Scene, Mapping[str, int]], Made]
    ) -> tuple[Made, ...]:
        return tuple(
            made for i, item in enumerate(items) for made in keep(("view", key, i), partial(make, item, scene, index))
        )

    view = scene.view
    length = (keep((), lambda: _positive(view.triad_length, ("view", "triad_length"))) or (0.2,))[0]
    grid = (keep((), lambda: _positive(view.grid, ("view", "grid"))) or (0.5,))[0]
    n = len(index)
    triad_length, shown = np.full(n, length), np.ones((3, n), dtype=bool)
    for name, look in view.frames.items():
        for i, own_length in keep(("view", "frames", name), partial(_look, name, look, index)):
            shown[:, i] = look.triad, look.label, look.link
            triad_length[i] = own_length or length
    return Staging(
        triad_length=triad_length,
        has_triad=shown[0],
        has_label=shown[1],
        has_link=shown[2],
        grid=grid,
        camera=next(iter(keep(("view", "camera"), partial(_camera, view.camera))), None),
        bodies=tuple(
            body
            for name, item in scene.bodies.items()
            for body in keep(("bodies", name), partial(_body, name, item, index, problems))
        ),
        # A wrong sequence is the frame's own problem, told there.
        rings=tuple(rings for rings in each("rings", view.rings, _rings) if rings.sequence in SEQUENCES),
        trails=each("trails", view.trails, _trail),
        plots=each("plots", view.plots, _plot),
    )


def _row(name: str, index: Mapping[str, int], key_path: KeyPath) -> int:
    if name not in index:
        raise ItemError(key_path, f'there is no frame "{name}".', did_you_mean(name, index))
    return index[name]


def _positive(quantity: Quantity, key_path: KeyPath, dimension: str = "length") -> float:
    value = quantity.si(dimension, key_path)
    if not value > 0.0:
        raise ItemError(key_path, f"expected more than zero, got {quantity}.")
    return value


def _look(name: str, look: views.FrameLook, index: Mapping[str, int]) -> tuple[int, float | None]:
    length = None if look.length is None else _positive(look.length, ("length",))
    return _row(name, index, ()), length


def _camera(camera: views.Camera | None) -> StagedCamera | None:
    if camera is None:
        return None
    factor = unit_factor(camera.unit, "length", ("unit",))
    position, focal_point = factor * np.array(camera.position), factor * np.array(camera.focal_point)
    up = np.array(camera.up)
    if np.linalg.norm(np.cross(focal_point - position, up)) < 1e-12:
        raise ItemError((), "the camera looks along its own up direction, or stands in what it looks at.")
    view_angle = _positive(camera.view_angle, ("view_angle",), "angle")
    if view_angle >= math.pi:
        raise ItemError(("view_angle",), f"expected less than 180 deg, got {camera.view_angle}.")
    return StagedCamera(position, focal_point, up / np.linalg.norm(up), view_angle)


def _body(name: str, body: shapes.Body, index: Mapping[str, int], problems: list[Problem]) -> StagedBody:
    R_FB, p_FB = np.eye(3), np.zeros(3)
    at = np.zeros(1)
    if body.position is not None:
        factor = unit_factor(body.position.unit, "length", ("position", "unit"))
        position = compile_signals(body.position.value, factor, ("position", "value"))
        _require_constant(position.is_constant, "position")
        p_FB = position(at)[0][0]
    if body.orientation is not None:
        orientation = compile_orientation(body.orientation, ("orientation",))
        _require_constant(orientation.is_constant, "orientation")
        problems += (replace(p, key_path=("bodies", name, *p.key_path)) for p in orientation.problems)
        R_FB = orientation.sample(at).T[0].T
    i_frame = _row(body.frame, index, ("frame",))
    return StagedBody(name, i_frame, body.shape.form, _size(body.shape), body.color, R_FB, p_FB)


def _require_constant(is_constant: bool, key: str) -> None:
    if not is_constant:
        raise ItemError((key,), "a body stands still in its frame.", "Move the frame instead, or add one.")


def _size(shape: shapes.Shape) -> Mapping[str, float]:
    if isinstance(shape, shapes.Box):
        factor = unit_factor(shape.unit, "length", ("shape", "unit"))
        if not min(shape.size) > 0.0:
            raise ItemError(("shape", "size"), "expected three sizes of more than zero.")
        return dict(zip("xyz", (factor * size for size in shape.size), strict=True))
    return {key: _positive(getattr(shape, key), ("shape", key)) for key in type(shape).model_fields if key != "form"}


def _rings(rings: views.Rings, scene: Scene, index: Mapping[str, int]) -> StagedRings:
    i_frame = _row(rings.frame, index, ("frame",))
    frame = scene.frames.get(rings.frame)
    if frame is None or not isinstance(frame.orientation, poses.Axes):
        raise ItemError(
            ("frame",), f'"{rings.frame}" has no axis sequence to draw rings of.', "Use a frame of form axes."
        )
    return StagedRings(i_frame, frame.orientation.sequence, _positive(rings.radius, ("radius",)))


def _trail(trail: views.Trail, _scene: Scene, index: Mapping[str, int]) -> StagedTrail:
    return StagedTrail(
        trail.frame, _row(trail.frame, index, ("frame",)), _positive(trail.duration, ("duration",), "time")
    )


def _plot(plot: views.Plot, scene: Scene, index: Mapping[str, int]) -> StagedPlot:
    _row(plot.of, index, ("of",))
    if plot.signal == "residues":
        if plot.of not in scene.frames:
            raise ItemError(("of",), "the world has no residues.", "Name a frame.")
        return StagedPlot(plot.signal, plot.of, scene.frames[plot.of].parent, plot.of, "", 1.0)
    if plot.relative_to is None or plot.resolved_in is None:
        key = "relative_to" if plot.relative_to is None else "resolved_in"
        raise ItemError((key,), f"{plot.signal} needs {key}.", "Name a frame, such as world.")
    _row(plot.relative_to, index, ("relative_to",))
    _row(plot.resolved_in, index, ("resolved_in",))
    factor = unit_factor(plot.unit, "length" if plot.signal == "position" else plot.signal, ("unit",))
    return StagedPlot(plot.signal, plot.of, plot.relative_to, plot.resolved_in, plot.unit or "", factor)
