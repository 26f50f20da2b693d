"""Hypotheses for poses: other meanings of the authored pose of a frame, or of a measured pose."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from framescope.core.errors import ItemError, RefusedError
from framescope.core.evaluation.compile import recorded
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.local_motion import LocalMotion
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit, with_item
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.kinds.orientations import (
    ORIENTATION_KINDS,
    RPY,
    Now,
    axis_letters,
    matrix_of,
    sequence_key,
    still_form,
    three_angles,
    with_orientation,
)
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.model import Frame, ItemKey
from framescope.core.scene.schema.motions import Recorded
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.causes.core.plan_variants import vary_plan, with_item_of
from framescope.features.detective.core import axis_changes
from framescope.features.detective.core.axis_changes import AxisChange

Posed = Frame | MeasuredPose

UNIT_COSTS = {"m": 1.0, "mm": 1.0, "cm": 1.2, "in": 1.4, "ft": 1.4}
"""Costs of length units, larger for less common ones; others cost more."""

SEQUENCES = ("XYZ", "ZYX", "ZXY", "YXZ", "XZY", "YZX")


@dataclass(frozen=True, eq=False)
class PoseHypothesis:
    """Another meaning of an item.

    Attributes
    ----------
    item
        The frame or the measurement.
    subject, predicate
        Changed part and its description: ``"quaternion"``, ``"has the scalar first"``.
    button
        Text of the button that applies it.
    cost
        Improbability: near 1 for a change of one word of the file.
    fields
        Fields of the item that express it.
    edit
        Edit that expresses it, if that takes more than fields.
    motion
        Function of the item's motion that expresses it, if no field does.
    title
        Short title as the cause of a problem.
    n_causes
        Number of changed parts.
    """

    item: ItemKey
    subject: str
    predicate: str
    button: str
    cost: float
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    edit: Edit | None = None
    motion: Callable[[LocalMotion], LocalMotion] | None = None
    title: str = ""
    n_causes: int = 1

    @property
    def name(self) -> str:
        """Name of the item."""
        return self.item[1]

    def words(self, name: str = "") -> str:
        """Return the hypothesis as a clause, with `it` for the named item.

        >>> one = PoseHypothesis(("frames", "camera"), "quaternion", "has the scalar first", "Read as wxyz", 1.0)
        >>> one.words(), one.words("camera")
        ('the quaternion of camera has the scalar first', 'its quaternion has the scalar first')
        """
        if not self.subject:
            return f"{'it' if name == self.name else self.name} {self.predicate}"
        subject = f"its {self.subject}" if name == self.name else f"the {self.subject} of {self.name}"
        return f"{subject} {self.predicate}"

    @property
    def mend(self) -> Edit | None:
        """Edit that applies it; None if the scene cannot express it."""
        if self.edit is not None or not self.fields:
            return self.edit
        kind, name = self.item
        return Edit(
            f"{name}: {self.button}",
            lambda scene: with_item(scene, kind, name, getattr(scene, kind)[name].model_copy(update=dict(self.fields))),
        )

    def screening_variant(self, plan: Plan) -> Plan | None:
        """Return the plan of the hypothesis, accurate for poses only but fast; None if it cannot be read.

        Another reading of a recording is sampled, but keeps the rates of the former reading.
        """
        form, motion = self.fields.get("motion"), self._motion_in(plan)
        if self.motion is not None or motion is None or not isinstance(form, Recorded) or motion.own_pose is None:
            return self.variant(plan)
        try:
            sampled = recorded.sampled_motion(form, plan.context, motion)
        except ItemError:
            return None

        def motion_read(former: LocalMotion) -> LocalMotion:
            del former
            return sampled

        return replace(self, motion=motion_read).variant(plan)

    def _motion_in(self, plan: Plan) -> LocalMotion | None:
        kind, name = self.item
        if kind == "frames":
            return plan.tree.motions.get(plan.index[name])
        return plan.instruments.measurements[name].motion

    def variant(self, plan: Plan) -> Plan:
        """Return the plan of the hypothesis."""
        kind, name = self.item
        if self.motion is None:
            item = getattr(plan.scene, kind)[name].model_copy(update=dict(self.fields))
            return vary_plan(plan, with_item_of(plan.scene, kind, name, item))
        if kind == "frames":
            return vary_plan(plan, plan.scene, {name: self.motion(plan.tree.motions[plan.index[name]])})
        staged = plan.instruments.measurements[name]
        if staged.motion is None:
            return plan
        motion = self.motion(staged.motion)
        measurements = {**plan.instruments.measurements, name: replace(staged, pose=motion.pose, motion=motion)}
        return replace(plan, instruments=replace(plan.instruments, measurements=measurements))


# --- Authored poses


def hypotheses_of_pose(plan: Plan, key: ItemKey, frames: Sequence[str]) -> Iterator[PoseHypothesis]:
    """Yield single changes of the meaning of an authored pose.

    Parameters
    ----------
    key
        A frame without a motion, or a measured pose without a recording.
    frames
        Other frames that it may refer to, the likely ones first.
    """
    item: Posed = getattr(plan.scene, key[0])[key[1]]
    yield from of_frames(key, item, frames)
    yield from _of_orientation(key, item)
    yield from _of_position(key, item)
    constant = _constant(plan, item)
    if constant is not None:
        yield from _of_constant(key, item, *constant)
        yield from _of_axes(key, item, *constant)


def pairs_of(hypotheses: Sequence[PoseHypothesis]) -> Iterator[PoseHypothesis]:
    """Yield pairs of changes in different fields of an item."""
    for a, b in itertools.combinations(hypotheses, 2):
        if a.fields and b.fields and not set(a.fields) & set(b.fields):
            predicate = f"{a.predicate} and {b.words(b.name)}"
            fields = {**a.fields, **b.fields}
            yield PoseHypothesis(a.item, a.subject, predicate, "Say it so", a.cost + b.cost, fields, n_causes=2)


def of_frames(key: ItemKey, item: Posed, frames: Sequence[str]) -> Iterator[PoseHypothesis]:
    """Yield other frames that a pose may refer to."""
    if isinstance(item, Frame):
        for other in frames:
            if other not in (key[1], item.parent):
                fields = {"parent": other}
                yield PoseHypothesis(
                    key, "", f"hangs on {other}", f"Hang on {other}", 2.0, fields, title="wrong parent"
                )
        return
    of, relative_to = item.of, item.relative_to
    swapped = {"of": relative_to, "relative_to": of}
    yield PoseHypothesis(
        key, "", f"is the pose of {relative_to} in {of}", "Swap the frames", 1.0, swapped, title="inverse pose"
    )
    for other in frames:
        if other not in (of, relative_to):
            button = f"Relative to {other}"
            yield PoseHypothesis(key, "", f"is relative to {other}", button, 1.4, {"relative_to": other})
            yield PoseHypothesis(key, "", f"is of {other}", f"Measure it of {other}", 1.5, {"of": other})


def _of_orientation(key: ItemKey, item: Posed) -> Iterator[PoseHypothesis]:
    """Yield other readings of the numbers of an orientation."""
    form: Any = item.orientation

    def one(subject: str, predicate: str, button: str, cost: float, title: str, **update: object) -> PoseHypothesis:
        fields = {"orientation": form.model_copy(update=update)}
        return PoseHypothesis(key, subject, predicate, button, cost, fields, title=title)

    match form:
        case poses.QuaternionForm(order=order):
            other = "wxyz" if order == "xyzw" else "xyzw"
            where = "first" if other == "wxyz" else "last"
            yield one("quaternion", f"has the scalar {where}", f"Read as {other}", 1.0, "wrong order", order=other)
        case poses.MatrixForm(maps=maps):
            other = "frame to parent" if maps == "parent to frame" else "parent to frame"
            yield one("matrix", "is transposed", f"Read as {other}", 1.0, "inverse orientation", maps=other)
        case poses.Axes(sequence=sequence, angles=(a, b, c)):
            back = {"sequence": sequence[::-1], "angles": (c, b, a)}
            yield one("turns", "are about fixed axes", "Turn about fixed axes", 1.2, "other sequence", **back)
            inverse = {"sequence": sequence[::-1], "angles": tuple(map(_negative, (c, b, a)))}
            yield one("turns", "are the inverse", "Invert the turns", 1.6, "inverse orientation", **inverse)
            for other in (candidate for candidate in SEQUENCES if candidate != sequence):
                yield one("sequence", f"is {other}", f"Read as {other}", 1.7, "other sequence", sequence=other)
        case poses.Rpy() | poses.Extrinsic():
            yield from _of_fixed_axes(key, form)
        case poses.Planar(angle=angle) | poses.Axis(angle=angle):
            yield one(
                "turn", "is the inverse", "Turn the other way", 1.5, "inverse orientation", angle=_negative(angle)
            )
        case _:
            return
    if isinstance(form, poses.ThreeAngles | poses.Planar | poses.Axis):
        subject, verb = ("angles", "are") if isinstance(form, poses.ThreeAngles) else ("angle", "is")
        for other in (unit for unit in ("deg", "rad") if unit != form.unit):
            yield one(subject, f"{verb} in {other}", f"Read as {other}", 1.0, "wrong unit", unit=other)


def _of_fixed_axes(key: ItemKey, form: poses.Rpy | poses.Extrinsic) -> Iterator[PoseHypothesis]:
    """Yield other readings of three angles about fixed axes."""
    a, b, c = form.angles
    sequence = sequence_key(form)
    written = "xyz" if sequence == RPY else sequence

    def one(
        subject: str, predicate: str, button: str, cost: float, title: str, other: str, *angles: float | str
    ) -> PoseHypothesis:
        numbers = angles if len(angles) == 3 else (a, b, c)
        fields = {"orientation": three_angles(other, (numbers[0], numbers[1], numbers[2]), form.unit)}
        return PoseHypothesis(key, subject, predicate, button, cost, fields, title=title)

    moving = axis_letters(sequence)
    yield one("turns", "are about moving axes", "Turn about moving axes", 1.2, "other sequence", moving)
    turned = map(_negative, (c, b, a))
    yield one("turns", "are the inverse", "Invert the turns", 1.6, "inverse orientation", written[::-1], *turned)
    for other in (candidate.lower() for candidate in SEQUENCES if candidate.lower() != written):
        yield one("sequence", f"is {other}", f"Read as {other}", 1.7, "other sequence", other)


def _of_position(key: ItemKey, item: Posed) -> Iterator[PoseHypothesis]:
    """Yield other readings of the numbers of a position."""
    position = item.position
    if position is None or not any(position.value):
        return

    def one(predicate: str, button: str, cost: float, title: str, **update: object) -> PoseHypothesis:
        fields = {"position": position.model_copy(update=update)}
        return PoseHypothesis(key, "position", predicate, button, cost, fields, title=title)

    for other in UNITS["length"]:
        if other != position.unit:
            yield one(f"is in {other}", f"Read as {other}", UNIT_COSTS.get(other, 2.5), "wrong unit", unit=other)
    yield one(
        "points the other way", "Turn the position", 1.7, "wrong sign", value=tuple(map(_negative, position.value))
    )
    if sum(bool(x) for x in position.value) > 1:
        for i, letter in enumerate("xyz"):
            if position.value[i]:
                value = tuple(_negative(x) if k == i else x for k, x in enumerate(position.value))
                yield one(
                    f"has {letter} with the wrong sign", f"Change sign of {letter}", 1.8, "wrong sign", value=value
                )


def _negative(signal: float | str) -> float | str:
    return f"-({signal})" if isinstance(signal, str) else 0.0 - signal


def _constant(plan: Plan, item: Posed) -> tuple[Array, Array] | None:
    """Return the constant pose ``R_PF, p_PF`` of an item, with the position in its authored unit; None if it varies."""
    values = () if item.position is None else item.position.value
    if any(isinstance(x, str) for x in values):
        return None
    try:
        R = matrix_of(item.orientation, 0.0, plan.scene.parameters).T
        later = matrix_of(item.orientation, 1.0, plan.scene.parameters).T
    except RefusedError:
        return None
    return None if not np.array_equal(R, later) else (R, np.array(values or (0.0, 0.0, 0.0)))


Rewritten = tuple[str, str, str, float, Array | None, Array | None]
"""Subject, predicate, button, cost, and the new orientation and position, if any."""


def _of_constant(key: ItemKey, item: Posed, R: Array, p: Array) -> Iterator[PoseHypothesis]:
    """Yield inverse readings of the numbers of a constant pose."""
    rewritten: list[Rewritten] = []
    if isinstance(item, Frame):
        pose = f"is that of {item.parent} in {key[1]}"
        rewritten.append(("pose", pose, "Invert the pose", 1.4, R.T, -R.T @ p))
    if not isinstance(item.orientation, poses.MatrixForm | poses.ThreeAngles | poses.Planar | poses.Axis):
        word = "quaternion" if isinstance(item.orientation, poses.QuaternionForm) else "orientation"
        rewritten.append((word, "is the inverse", f"Invert the {word}", 1.2, R.T, None))
    if p.any():
        predicate = "is that of the parent in the frame"
        rewritten.append(("position", predicate, "Invert the position", 1.9, None, -R @ p))
    for change in rewritten if item.orientation is not None else ():
        yield from _with_new_pose(key, item, "inverse pose", *change)


def _of_axes(key: ItemKey, item: Posed, R: Array, p: Array) -> Iterator[PoseHypothesis]:
    """Yield other axes for the numbers of a constant pose."""
    for subject, predicate, button, cost, A, B in changes_of_axes():
        is_moved = not np.array_equal(A, np.eye(3))
        moved = A @ p if is_moved else None
        yield from _with_new_pose(key, item, "other axes", subject, predicate, button, cost, A @ R @ B, moved)
    if item.orientation is not None:
        for change in axis_changes.changes(is_proper=True)[1:]:
            if change.short_name:
                predicate, button = f"is in other axes: {change.text}", f"Position {change.short_name}"
                cost = 1.9 + 0.2 * change.cost
                yield from _with_new_pose(
                    key, item, "other axes", "position", predicate, button, cost, None, change.matrix @ p
                )


def _with_new_pose(
    key: ItemKey,
    item: Posed,
    title: str,
    subject: str,
    predicate: str,
    button: str,
    cost: float,
    R: Array | None,
    p: Array | None,
) -> Iterator[PoseHypothesis]:
    fields: dict[str, object] = {}
    if R is not None and item.orientation is not None:
        fields["orientation"] = orientation_like(item.orientation, R)
    if p is not None and item.position is not None and p.any():
        fields["position"] = item.position.model_copy(update={"value": round_position(p)})
    if fields:
        yield PoseHypothesis(key, subject, predicate, button, cost, fields, title=title)


AxesMeant = tuple[str, str, str, float, Array, Array]
"""Subject, predicate, button, cost, and the matrices on both sides of the orientation."""


def changes_of_axes() -> Iterator[AxesMeant]:
    """Yield changes of the axes of a parent, a frame, or both, the likely ones first: ``R' = A R B``, ``p' = A p``."""
    proper = [change for change in axis_changes.changes(is_proper=True)[1:] if _is_named(change)]
    identity = axis_changes.IDENTITY
    one_sided = [pair for change in proper for pair in ((identity, change), (change, identity))]
    two_sided = [(change, change) for change in proper if change.short_name]
    usual = [pair for pair in axis_changes.USUAL_PAIRS if pair not in one_sided and pair not in two_sided]
    mirrored = [(change, change) for change in axis_changes.changes(is_proper=False) if _is_named(change)]
    for parent, frame in sorted(
        (*one_sided, *two_sided, *usual, *mirrored), key=lambda pair: axis_changes.pair_cost(*pair)
    ):
        cost = 1.3 + 0.25 * axis_changes.pair_cost(parent, frame)
        yield *_axes_text(parent, frame), _axes_button(parent, frame), cost, parent.matrix, frame.matrix.T


def _is_named(change: AxisChange) -> bool:
    return (change.places, change.signs) in axis_changes.NAMES


def _axes_text(parent: AxisChange, frame: AxisChange) -> tuple[str, str]:
    if parent == frame:
        return "axes, those of its parent, too,", f"are other ones: {parent.text}"
    if frame.is_identity:
        return "parent's axes", f"are other ones: {parent.text}"
    also = "" if parent.is_identity else f", and its parent's: {parent.text}"
    return "own axes", f"are other ones: {frame.text}{also}"


def _axes_button(parent: AxisChange, frame: AxisChange) -> str:
    words = [change.short_name or change.short for change in dict.fromkeys((parent, frame)) if not change.is_identity]
    return f"Change axes {', '.join(words)}"


def orientation_like(form: Any, R: Array) -> Any:
    """Return an orientation in the form of another one, or as a quaternion if that form cannot express it."""
    try:
        return with_orientation(form, R.T, Now(0.0, FrozenDict()))
    except RefusedError:
        return still_form("quaternion:xyzw", R.T)


def round_position(p: Array) -> tuple[float, ...]:
    """Return a position round_position for a file."""
    return tuple((np.round(p, 12) + 0.0).tolist())


def is_posed_by_numbers(item: object) -> bool:
    """Return whether the pose of an item is authored, not recorded or simulated."""
    if isinstance(item, Frame):
        integrated = item.orientation is not None and ORIENTATION_KINDS.of(item.orientation).fixed
        return item.motion is None and not integrated
    return isinstance(item, MeasuredPose) and item.motion is None
