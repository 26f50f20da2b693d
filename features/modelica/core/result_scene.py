"""Scene of a result of a Modelica tool: a frame for each connector pose, which reads its motion from the file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from framescope.core.errors import Problem
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema import bodies
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import WORLD, Frame, Scene, TimeRange
from framescope.core.scene.schema.motions import MatrixColumns, PoseColumns, Recorded
from framescope.core.scene.schema.poses import MatrixForm, Position
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.sensors import RecordedSensor
from framescope.core.scene.schema.view import Camera, Hidden, View
from framescope.core.system.proportions import axes_length, camera_place
from framescope.core.transformation_matrices import project_to_rotation
from framescope.features.modelica.core.cut_forces import MOST, cut_forces, with_arrows
from framescope.features.modelica.core.modelica_result import ResultFile
from framescope.features.modelica.core.result_frames import ResultFrame, matrix_names, position_names
from framescope.features.modelica.core.result_shapes import ResultShape, fixed_to

MAX_LABELLED = 12
"""Largest number of frames for which all labels are shown at first."""

MOST_DRAWN = 8
"""Largest number of cut forces and torques for which all arrows are shown at first."""

Triple = tuple[float, float, float]

LONGEST_NAME = 190
"""Limit of characters of a name, without the suffix that makes it unique."""

STEADY = 1e-4
"""Relative change of a size over time up to which a shape is drawn with its initial size."""


def scene_of(
    result: ResultFile, frames: Iterable[ResultFrame], shapes: Iterable[ResultShape], file: str
) -> tuple[Scene, tuple[Problem, ...]]:
    """Return the scene of a result, and problems for parts that are left out or drawn differently.

    Parameters
    ----------
    result
        The result. Motions in the scene refer to its file.
    frames
        Its frames. A frame that is the world itself becomes the world of the scene.
    shapes
        Its shapes, which become bodies of the frames that they move with.
    file
        Path of the file as written in the scene.
    """
    maker = _Maker(result, tuple(frames), file)
    made_frames = dict(maker.frames())
    made_bodies = dict(maker.bodies(shapes))
    sensors = maker.sensors()
    start, end = float(result.times[0]), float(result.times[-1])
    scene = Scene(
        title=file.rpartition("/")[2].rpartition(".")[0].removesuffix("_res")[:200],
        time=TimeRange(start=Quantity(start, "s"), end=Quantity(end if end > start else start + 1.0, "s")),
        frames=FrozenDict(made_frames),
        bodies=FrozenDict(made_bodies),
        sensors=FrozenDict(sensors),
        view=maker.view(has_labels=len(made_frames) <= MAX_LABELLED, sensors=sensors),
    )
    return scene, tuple(maker.problems)


@dataclass
class _Maker:
    result: ResultFile
    placed: tuple[ResultFrame, ...]
    file: str
    names: dict[str, str] = field(default_factory=dict[str, str])
    """Names of frames in the scene by their names in the result."""
    problems: list[Problem] = field(default_factory=list[Problem])

    def sensors(self) -> dict[str, RecordedSensor]:
        """Return the sensors of cut forces and torques, shown at first unless there are many."""
        forces = list(islice(cut_forces(self.result, self.placed, self.names, self.file), MOST))
        if len(forces) > MOST_DRAWN:
            message = f"the result has {len(forces)} cut forces and torques. All are hidden at first."
            hint = "The eye beside a sensor in the outline shows it."
            self.problems.append(Problem((), message, hint, "note", kind="modelica-forces"))
        return with_arrows(forces, math.dist(*self.box()))

    def box(self) -> tuple[Triple, Triple]:
        """Return the lowest and the highest corner of the box around all frames at all times."""
        ends = np.array([end for frame in self.placed for end in (frame.r.min(axis=0), frame.r.max(axis=0))])
        (x, y, z), (across, away, up) = ends.min(axis=0).tolist(), ends.max(axis=0).tolist()
        return (x, y, z), (across, away, up)

    def view(self, *, has_labels: bool, sensors: Mapping[str, RecordedSensor]) -> View:
        """Return a view with axes in proportion to the box around all frames, and a camera that sees it."""
        low, high = self.box()
        hidden = Hidden(sensors=tuple(sensors) if len(sensors) > MOST_DRAWN else ())
        look = View(triad_length=Quantity(axes_length(math.dist(low, high)), "m"), labels=has_labels, hidden=hidden)
        seen = camera_place(low, high)
        if seen is None:
            return look
        return look.model_copy(update={"camera": Camera(position=seen[0], focal_point=seen[1], unit="m")})

    def frames(self) -> Iterator[tuple[str, Frame]]:
        for frame in self.placed:
            if frame.is_world:
                self.names[frame.name] = WORLD
                continue
            name = _own_name(frame.name, {*self.names.values(), WORLD})
            self.names[frame.name] = name
            yield name, _constant_frame(frame) if frame.is_constant else self.moving(frame)

    def moving(self, frame: ResultFrame) -> Frame:
        columns = PoseColumns(
            time=self.result.time_name,
            time_unit="s",
            position=position_names(frame.name),
            position_unit="m",
            orientation=MatrixColumns(columns=matrix_names(frame.name), maps="parent to frame"),
        )
        start = Quantity(float(self.result.times[0]), "s")
        motion = Recorded(file=self.file, format="table", columns=columns, start=start, mends=("drop duplicates",))
        return Frame(parent=WORLD, motion=motion)

    def bodies(self, shapes: Iterable[ResultShape]) -> Iterator[tuple[str, bodies.Body]]:
        taken = set[str]()
        for shape in shapes:
            held = fixed_to(shape, self.placed)
            length, width, height = shape.size[0]
            kind, nearest = KINDS.get(shape.kind, (None, ""))
            if held is None:
                self.note(shape, "does not move like any frame of the result.", "It is left out.")
            elif kind is None:
                self.note(shape, f'has the form "{shape.kind[:60]}".', "It is left out.")
            elif not min(length, width, height) > 0.0:
                self.note(shape, f"has the size {length:g} x {width:g} x {height:g} m.", "It is left out.")
            else:
                if nearest:
                    self.note(shape, f"is a {shape.kind}.", f"It is drawn as a {nearest}.")
                if np.ptp(shape.size, axis=0).max() > STEADY * float(shape.size[0].max()):
                    self.note(shape, "changes its size.", "It is drawn with its initial size.")
                name = _own_name(shape.name, taken)
                taken.add(name)
                frame = WORLD if held.frame is None else self.names[held.frame.name]
                yield name, kind(frame, held.T, held.r, shape)

    def note(self, shape: ResultShape, message: str, hint: str) -> None:
        self.problems.append(Problem((), f"{shape.name} {message}", hint, "note", kind="modelica-shape"))


def _constant_frame(frame: ResultFrame) -> Frame:
    x, y, z = frame.r[0].tolist()
    turned = not np.array_equal(frame.T[0], np.eye(3))
    return Frame(
        parent=WORLD,
        position=Position(value=(x, y, z), unit="m") if any((x, y, z)) else None,
        orientation=_matrix(frame.T[0]) if turned else None,
    )


# --- Shapes: each function takes frame, pose and shape


def _box(frame: str, T: Array, r: Array, shape: ResultShape) -> bodies.Body:
    length, width, height = (float(size) for size in shape.size[0])
    middle = r + 0.5 * length * T[0]
    return _body(frame, bodies.Box(size=(length, width, height), unit="m"), middle, T, shape)


def _cylinder(frame: str, T: Array, r: Array, shape: ResultShape) -> bodies.Body:
    length, width, _ = (float(size) for size in shape.size[0])
    made = bodies.Cylinder(radius=Quantity(0.5 * width, "m"), height=Quantity(length, "m"))
    return _body(frame, made, r + 0.5 * length * T[0], T[[1, 2, 0]], shape)


def _cone(frame: str, T: Array, r: Array, shape: ResultShape) -> bodies.Body:
    length, width, _ = (float(size) for size in shape.size[0])
    made = bodies.Cone(radius=Quantity(0.5 * width, "m"), height=Quantity(length, "m"))
    return _body(frame, made, r, T[[1, 2, 0]], shape)


def _ellipsoid(frame: str, T: Array, r: Array, shape: ResultShape) -> bodies.Body:
    length, width, height = (float(size) for size in shape.size[0])
    middle = r + 0.5 * length * T[0]
    if math.isclose(length, width, rel_tol=STEADY) and math.isclose(length, height, rel_tol=STEADY):
        return _body(frame, bodies.Sphere(radius=Quantity(0.5 * length, "m")), middle, None, shape)
    made = bodies.Ellipsoid(radii=(0.5 * length, 0.5 * width, 0.5 * height), unit="m")
    return _body(frame, made, middle, T, shape)


KINDS: Mapping[str, tuple[Callable[[str, Array, Array, ResultShape], bodies.Body], str]] = {
    "box": (_box, ""),
    "beam": (_box, "box"),
    "sphere": (_ellipsoid, ""),
    "cylinder": (_cylinder, ""),
    "pipe": (_cylinder, "cylinder"),
    "pipecylinder": (_cylinder, "cylinder"),
    "gearwheel": (_cylinder, "cylinder"),
    "spring": (_cylinder, "cylinder"),
    "cone": (_cone, ""),
}
"""Functions that make the body for a kind of shape, and the name of an approximate shape."""


def _body(frame: str, shape: bodies.Shape, r: Array, T: Array | None, drawn: ResultShape) -> bodies.Body:
    x, y, z = r.tolist()
    return bodies.Body(
        frame=frame,
        shape=shape,
        color=drawn.color or "neutral",
        position=Position(value=(x, y, z), unit="m") if any((x, y, z)) else None,
        orientation=None if T is None or np.array_equal(T, np.eye(3)) else _matrix(T),
    )


def _matrix(T: Array) -> MatrixForm:
    """Return a matrix in the form of a scene: the nearest rotation, as the result may have single precision."""
    (nearest,), _ = project_to_rotation(T[np.newaxis])
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = nearest.tolist()
    return MatrixForm(rows=((xx, xy, xz), (yx, yy, yz), (zx, zy, zz)), maps="parent to frame")


def _own_name(name: str, taken: set[str]) -> str:
    plain = "".join(char for char in name if char.isprintable()).strip()[:LONGEST_NAME] or "frame"
    return plain if plain not in taken else next(new for n in range(2, 10**9) if (new := f"{plain} {n}") not in taken)
