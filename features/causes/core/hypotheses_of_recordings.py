"""Hypotheses for recordings: other meanings of the columns of a recorded pose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from framescope.core.errors import FramescopeError, ItemError
from framescope.core.evaluation.compile import recorded
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.local_motion import LocalMotion, Sample
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit, with_item
from framescope.core.scene.edits.items import free_name
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.model import Frame, ItemKey, Scene
from framescope.core.scene.schema.motions import (
    AngleColumns,
    HeadingColumn,
    MatrixColumns,
    PoseColumns,
    QuaternionColumns,
    Recorded,
    RotationVectorColumns,
)
from framescope.core.scene.schema.poses import MatrixForm
from framescope.core.scene.schema.quantities import UNITS, Quantity, unit_factor
from framescope.features.causes.core.hypotheses_of_poses import (
    SEQUENCES,
    UNIT_COSTS,
    PoseHypothesis,
    changes_of_axes,
    of_frames,
)


def recording_of(item: object) -> Recorded | None:
    """Return the recording of a frame or measured pose; None without one."""
    motion = item.motion if isinstance(item, Frame | MeasuredPose) else None
    return motion if isinstance(motion, Recorded) else None


def hypotheses_of_recording(plan: Plan, key: ItemKey, frames: Sequence[str]) -> Iterator[PoseHypothesis]:
    """Yield single changes of the meaning of a recording; `frames` are other frames that it may refer to."""
    item: Any = getattr(plan.scene, key[0])[key[1]]
    form = recording_of(item)
    table = None if form is None else _as_table(plan, form)
    columns = None if table is None else table.columns
    if form is None or table is None or columns is None:
        return
    yield from of_frames(key, item, frames)
    yield from _of_fields(key, form, table, columns)
    yield from _of_axes(key, has_position=columns.position is not None)


def _of_fields(key: ItemKey, form: Recorded, table: Recorded, columns: PoseColumns) -> Iterator[PoseHypothesis]:
    """Yield other values of the fields of a recording; `table` is the recording as a table with its columns."""

    def one(subject: str, predicate: str, button: str, cost: float, title: str, motion: Recorded) -> PoseHypothesis:
        return PoseHypothesis(key, subject, predicate, button, cost, {"motion": motion}, title=title)

    def with_columns(**update: object) -> Recorded:
        return table.model_copy(update={"columns": columns.model_copy(update=update)})

    other = "frame in parent" if form.pose == "parent in frame" else "parent in frame"
    inverse = form.model_copy(update={"pose": other})
    yield one("recording", f"is the pose of the {other}", f"Read as {other}", 1.0, INVERSE, inverse)
    turn: Any = columns.orientation
    for subject, predicate, button, cost, title, update in _turns(turn):
        new = with_columns(orientation=turn.model_copy(update=update))
        yield one(subject, predicate, button, cost, title, new)
        if "maps" in update and columns.position is not None:
            inverse_text, inverse = "is that of the parent in the frame", new.model_copy(update={"pose": other})
            yield one("position", inverse_text, "Invert the positions", 1.3, INVERSE, inverse)
    if columns.position is not None:
        for unit in UNITS["length"]:
            if unit != columns.position_unit:
                new, cost = with_columns(position_unit=unit), UNIT_COSTS.get(unit, 2.5)
                yield one("position", f"is in {unit}", f"Read as {unit}", cost, "wrong unit", new)


def _of_axes(key: ItemKey, *, has_position: bool) -> Iterator[PoseHypothesis]:
    """Yield other axes that a recording may refer to."""
    for subject, predicate, button, cost, A, B in changes_of_axes():
        is_proper = np.linalg.det(A) > 0.0
        edit = Edit(f"{key[1]}: {button}", partial(_with_axes, key, A, B)) if is_proper else None
        title = "other axes" if is_proper else "left-handed axes"
        yield PoseHypothesis(
            key, subject, predicate, button, cost, edit=edit, motion=AxesMap(A, B, A).motion, title=title
        )
    for i, letter in enumerate("xyz" if has_position else ""):
        D = np.diag([-1.0 if k == i else 1.0 for k in range(3)])
        predicate = f"has {letter} with the wrong sign"
        motion = AxesMap(np.eye(3), np.eye(3), D).motion
        yield PoseHypothesis(key, "position", predicate, "", 1.8, motion=motion, title="wrong sign")


def _as_table(plan: Plan, form: Recorded) -> Recorded | None:
    """Return a recording as a table with named columns; None if it is unreadable."""
    try:
        return recorded.as_table(form, plan.context)
    except (ItemError, FramescopeError, OSError):
        return None


INVERSE = "inverse recording"

Turning = tuple[str, str, str, float, str, dict[str, object]]


def _turns(turn: object) -> Iterator[Turning]:
    """Yield other readings of orientation columns: subject, predicate, button, cost, title, and the fields."""
    if isinstance(turn, QuaternionColumns):
        other = "wxyz" if turn.order == "xyzw" else "xyzw"
        where = "first" if other == "wxyz" else "last"
        yield "quaternion", f"has the scalar {where}", f"Read as {other}", 1.0, "wrong order", {"order": other}
    if isinstance(turn, QuaternionColumns | MatrixColumns | RotationVectorColumns):
        word = turn.form
        maps = "frame to parent" if turn.maps == "parent to frame" else "parent to frame"
        yield word, "is the inverse", f"Invert the {word}", 1.0, INVERSE, {"maps": maps}
    if isinstance(turn, AngleColumns):
        yield from _sequences(turn.sequence)
    if isinstance(turn, HeadingColumn):
        for other in ("counterclockwise", "clockwise", "compass"):
            if other != turn.counts:
                predicate = "is that of a compass" if other == "compass" else f"counts {other}"
                yield "heading", predicate, f"Read as {other}", 1.2, "wrong heading", {"counts": other}
    if isinstance(turn, AngleColumns | HeadingColumn | RotationVectorColumns):
        for other in ("deg", "rad"):
            if other != turn.unit:
                yield "angles", f"are in {other}", f"Read as {other}", 1.0, "wrong unit", {"unit": other}


def _sequences(sequence: str) -> Iterator[Turning]:
    fixed = sequence.swapcase()
    about = "fixed" if fixed.islower() else "moving"
    yield "turns", f"are about {about} axes", f"Turn about {about} axes", 1.2, "other sequence", {"sequence": fixed}
    for a in SEQUENCES:
        for other in (a, a.lower()):
            if other not in (sequence, fixed):
                yield "sequence", f"is {other}", f"Read as {other}", 1.7, "other sequence", {"sequence": other}


# --- Readings that no field of a recording expresses


@dataclass(frozen=True, eq=False)
class AxesMap:
    """Reading of poses with other axes: ``R' = A R B`` with A and B (3, 3) orthogonal, and ``p' = D p``."""

    A: Array
    B: Array
    D: Array

    def motion(self, motion: LocalMotion) -> LocalMotion:
        """Return a motion with its poses in this reading."""

        def pose(T: Array, p: Array) -> tuple[Array, Array]:
            return self.B.T @ T @ self.A.T, p @ self.D.T

        def sample(t: Array) -> Sample:
            it = motion.sample(t)
            turn = np.linalg.det(self.B) * self.B
            T, p = pose(it.T, it.p)
            return Sample(T, p, it.w @ turn, it.v @ self.D.T, it.b @ turn, it.a @ self.D.T)

        own = motion.own_pose
        own_pose: Callable[[Array], tuple[Array, Array]] | None = None
        if own is not None:
            own_pose = lambda t: pose(*own(t))  # noqa: E731
        return replace(motion, sample=sample, own_pose=own_pose)


def delay_motion(motion: LocalMotion, by: float) -> LocalMotion:
    """Return a motion delay_motion by some seconds."""
    own = motion.own_pose

    def sample(t: Array) -> Sample:
        return motion.sample(t - by)

    def own_pose(t: Array) -> tuple[Array, Array]:
        return motion.pose(t - by)

    times = None if motion.sample_times is None else motion.sample_times + by
    return replace(motion, sample=sample, own_pose=None if own is None else own_pose, sample_times=times)


def _rotated_frame(parent: str, R: Array) -> Frame:
    """Return a frame rotated in its parent by a rotation (3, 3), frame to parent."""
    form = MatrixForm.model_validate({"rows": R.T.tolist(), "maps": "parent to frame"})
    return Frame(parent=parent, orientation=form)


def _with_axes(key: ItemKey, A: Array, B: Array, scene: Scene) -> Scene:
    """Return a scene in which a recording refers to additional frames with other axes."""
    kind, name = key
    frames = dict(scene.frames)

    def add_frame(wanted: str, parent: str, R: Array) -> str:
        new = free_name(frames, wanted)
        frames[new] = _rotated_frame(parent, R)
        return new

    def is_changed(R: Array) -> bool:
        return not np.array_equal(R, np.eye(3))

    if kind == "measured":
        item = scene.measured[name]
        of = add_frame(f"{item.of} as in {name}", item.of, B.T) if is_changed(B) else item.of
        relative_to = (
            add_frame(f"{item.relative_to} as in {name}", item.relative_to, A) if is_changed(A) else item.relative_to
        )
        scene = scene.model_copy(update={"frames": FrozenDict(frames)})
        return with_item(scene, kind, name, item.model_copy(update={"of": of, "relative_to": relative_to}))
    frame = frames[name]
    parent = add_frame(f"{frame.parent} as of {name}", frame.parent, A) if is_changed(A) else frame.parent
    recorded_frame = frame.model_copy(update={"parent": parent})
    if is_changed(B):
        new = free_name(frames, f"{name} as recorded")
        frames[new] = recorded_frame
        frames[name] = _rotated_frame(new, B)
    else:
        frames[name] = recorded_frame
    return scene.model_copy(update={"frames": FrozenDict(frames)})


def moved_start(form: Recorded, by: float) -> Quantity:
    """Return the start of a recording shifted by some seconds."""
    value = form.start.value + by / unit_factor(form.start.unit, "time", ("start",))
    return Quantity(round(value, 6), form.start.unit)
