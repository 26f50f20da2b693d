"""Loop closure of measured poses against the tree, and of two paths between the same frames."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, found
from framescope.core.analysis.diagnostics.nearby_frames import likely_frames
from framescope.core.errors import ItemError
from framescope.core.evaluation.compile.instruments import CompiledMeasurement, compile_measurement
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_tree import evaluate_tree, subtree
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit, set_frame, with_item
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import UNITS
from framescope.core.snapshot import Snapshot

TIMES = 33
"""At how many times a measurement is looked at."""

CLOSE_ANGLE = np.radians(2.0)
"""Within this and `CLOSE_PART` a loop is as good as closed by a measurement, rad."""

CLOSE_PART = 0.03
"""Part of the distance between the frames."""

ASK = "The convention detective tries all other readings of its orientation: Measurement against Scene frame."
"""What to do where nothing that is tried here closes a loop."""

EXACT = 1e-6
BETTER = 0.25
"""A variant explains a gap that it makes so many times as small."""


@dataclass(frozen=True, eq=False)
class Gap:
    """By how much a measurement misses at some times: distances (n,), m, angles (n,), rad, and the `length` to compare.

    What the measurement leaves out is not missed.
    """

    distance: Array
    angle: Array
    length: float
    has_position: bool = True
    has_orientation: bool = True

    @property
    def size(self) -> float:
        """Both in one number: rad, and parts of the length."""
        return float(np.sqrt((self.angle**2).mean()) + np.sqrt((self.distance**2).mean()) / self.length)

    @property
    def is_close(self) -> bool:
        """Whether it is what measuring leaves."""
        return float(self.angle.max()) < CLOSE_ANGLE and float(self.distance.max()) < CLOSE_PART * self.length

    @property
    def is_exact(self) -> bool:
        """Whether it is what rounding leaves."""
        return float(self.angle.max()) < EXACT and float(self.distance.max()) < EXACT * max(self.length, 1.0)


def loop_problems(plan: Plan) -> Iterator[Diagnosis]:
    """Yield which measured poses do not close the loop with the tree, and what would close it."""
    scene = plan.scene
    t = np.linspace(plan.start, plan.end, TIMES)
    unposed: dict[frozenset[str], str] = {}
    for name, staged in plan.instruments.measurements.items():
        measurement = scene.measured[name]
        if staged.pose is None or not isinstance(measurement, MeasuredPose):
            continue
        frames = likely_frames(plan, measurement.of, measurement.relative_to)
        snapshot = evaluate_tree(subtree(plan.tree, [measurement.of, measurement.relative_to, *frames]), t)
        gap = _gap(staged, snapshot)
        if gap is None:
            pair = frozenset((measurement.of, measurement.relative_to))
            yield from _against_another(plan, name, unposed.get(pair))
            unposed.setdefault(pair, name)
        elif gap.is_close:
            if not gap.is_exact:
                yield _message(name, measurement, gap, t, is_close=True)
        else:
            yield _explained(plan, name, measurement, gap, snapshot, frames)


def _explained(
    plan: Plan, name: str, measurement: MeasuredPose, gap: Gap, snapshot: Snapshot, frames: Iterable[str]
) -> Diagnosis:
    one = _message(name, measurement, gap, snapshot.t, is_close=False)
    best: tuple[Variant, Gap] | None = None
    for variant in variants(measurement, tuple(frames)):
        if best is not None and variant.n_changes > best[0].n_changes and best[1].is_close:
            break  # fewer changes have done it
        other = _gap_of(variant.measurement, plan, snapshot)
        if other is None or not (other.is_close or other.size < BETTER * gap.size):
            continue
        if best is None or _is_nearer(other, best[1]):  # what comes first is likelier
            best = variant, other
    if best is not None:
        variant, rest = best
        hint = f"{'It closes' if rest.is_exact else f'It closes to {_size(rest)}'} if {variant.what}."
        if not rest.is_close:
            hint = f"Nearest, {_size(rest)} away, is that {variant.what}."
        one = replace(one, problem=replace(one.problem, hint=hint))
        if rest.is_close:
            likely = variant.measurement
            edit = Edit(f"{name}: {variant.what}", lambda scene: with_item(scene, "measured", name, likely))
            return one.with_mend(variant.button, edit)
    elif gap.has_orientation and float(gap.angle.max()) >= CLOSE_ANGLE:
        one = replace(one, problem=replace(one.problem, hint=ASK))
    mend = _pose_of_measurement(plan.scene, name, measurement)
    return one if mend is None else one.with_mend("Take the measurement's pose", mend)


def _is_nearer(gap: Gap, other: Gap) -> bool:
    """Return whether a gap is so much smaller that what leaves it is the likelier meaning: above all, it is closed."""
    return gap.is_close if gap.is_close is not other.is_close else gap.size < 0.5 * other.size


def _message(name: str, measurement: MeasuredPose, gap: Gap, t: Array, *, is_close: bool) -> Diagnosis:
    i = int(np.argmax(gap.angle + gap.distance / gap.length))
    varies = np.ptp(gap.angle) > EXACT or np.ptp(gap.distance) > EXACT * gap.length
    times = (float(t[i]),) if varies else ()
    there = f"{_size(gap, i)} from where the frames put it relative to {measurement.relative_to}"
    message = f"it puts {measurement.of} {there}."
    if is_close:
        return found(("measured", name), "loop-open", "loop closed nearly", message, severity="note", times=times)
    return found(("measured", name), "loop-open", "loop open", message, times=times)


def _size(gap: Gap, i: int | None = None) -> str:
    i = int(np.argmax(gap.angle + gap.distance / gap.length)) if i is None else i
    distance, angle = (0.0 if x < EXACT else float(x) for x in (gap.distance[i], gap.angle[i]))
    words = [f"{distance:.4g} m"] * gap.has_position + [f"{np.degrees(angle):.3g}°"] * gap.has_orientation
    return " and ".join(words)


def _gap_of(measurement: MeasuredPose, plan: Plan, snapshot: Snapshot) -> Gap | None:
    try:
        staged, _ = compile_measurement("", measurement, plan.index, plan.context)
    except ItemError:
        return None
    return _gap(staged, snapshot)


def _gap(staged: CompiledMeasurement, snapshot: Snapshot) -> Gap | None:
    """Return by how much a measurement misses the tree; None where one of its frames has no pose, or it is none."""
    if staged.pose is None:
        return None
    with np.errstate(all="ignore"):
        T, p, *_ = staged.pose(snapshot.t)
    k, i = snapshot.index[staged.relative_to], snapshot.index[staged.of]
    R_WP, R_WF = snapshot.R_WF[:, k], snapshot.R_WF[:, i]
    expected = linear_algebra.apply_transposed(R_WP, snapshot.p_WF[:, i] - snapshot.p_WF[:, k])
    R_off = linear_algebra.multiply_matrices(T, linear_algebra.multiply_matrices(linear_algebra.transpose(R_WP), R_WF))
    has_position, has_orientation = staged.has_position, staged.has_orientation
    return _gap_between(R_off, p, expected, has_position=has_position, has_orientation=has_orientation)


def _gap_between(R_off: Array, p: Array, expected: Array, *, has_position: bool, has_orientation: bool) -> Gap | None:
    """Return the gap of what is measured; None where nothing of it can be compared."""
    distance = np.sqrt(((p - expected) ** 2).sum(axis=-1)) * has_position
    angle = _angle(R_off) * has_orientation
    is_there = np.isfinite(distance) & np.isfinite(angle)
    if not is_there.any() or not (has_position or has_orientation):
        return None
    lengths = np.sqrt(np.maximum((p**2).sum(axis=-1), (expected**2).sum(axis=-1)))
    length = float(lengths[is_there].max())
    distance, angle = np.where(is_there, distance, 0.0), np.where(is_there, angle, 0.0)
    return Gap(distance, angle, max(length, 1e-9), has_position, has_orientation)


def _angle(R: Array) -> Array:
    """Return the angles (n,) of matrices (n, 3, 3), rad, accurate also where they are small."""
    v = np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=-1)
    return np.arctan2(np.sqrt((v**2).sum(axis=-1)), np.trace(R, axis1=1, axis2=2) - 1.0)


# --- Mends and measurements that the tree says nothing of


def _pose_of_measurement(scene: Scene, name: str, measurement: MeasuredPose) -> Edit | None:
    """Return the edit that gives a frame the pose that is measured of it, where both are constants of one parent."""
    frame = scene.frames.get(measurement.of)
    if (
        frame is None
        or frame.parent != measurement.relative_to
        or frame.motion is not None
        or measurement.motion is not None
    ):
        return None
    measured: Mapping[str, object] = {"position": measurement.position, "orientation": measurement.orientation}
    changes = {key: value for key, value in measured.items() if value is not None}
    return Edit(f"{measurement.of}: took the pose of {name}", lambda scene: set_frame(scene, measurement.of, **changes))


def _against_another(plan: Plan, name: str, other: str | None) -> Iterator[Diagnosis]:
    """Yield by how much two measurements of the same frames differ, where the tree has no pose of them."""
    if other is None:
        return
    a, b = plan.instruments.measurements[name], plan.instruments.measurements[other]
    if not b.has_orientation:
        a, b = b, a  # which way a position points back, only a turn says
    if a.pose is None or b.pose is None:
        return
    t = np.linspace(plan.start, plan.end, TIMES)
    with np.errstate(all="ignore"):
        (T_a, p_a, *_), (T_b, p_b, *_) = a.pose(t), b.pose(t)
    has_position, has_orientation = a.has_position and b.has_position, a.has_orientation and b.has_orientation
    if a.of != b.of:
        T_b, p_b = linear_algebra.transpose(T_b), -linear_algebra.apply_matrix(T_b, p_b)
        has_position = has_position and b.has_orientation
    R_off = linear_algebra.multiply_matrices(T_a, linear_algebra.transpose(T_b))
    gap = _gap_between(R_off, p_a, p_b, has_position=has_position, has_orientation=has_orientation)
    if gap is not None and not gap.is_close:
        message = f"it and {other} are two paths from {a.relative_to} to {a.of}, and end {_size(gap)} apart."
        yield found(("measured", name), "loop-open", "measurements differ", message)


MAX_CHANGES = 2


@dataclass(frozen=True)
class Variant:
    """A measurement said otherwise: what would have been wrong, the words of the button, and in how many ways."""

    measurement: MeasuredPose
    what: str
    button: str
    n_changes: int


Change = tuple[str, str, dict[str, object]]
"""What would have been wrong, the words of a button, and the fields of the measurement that change."""


def variants(measurement: MeasuredPose, frames: Sequence[str]) -> Iterator[Variant]:
    """Yield a measurement as it stands, and said otherwise in one way or two; the fewest changes first.

    Parameters
    ----------
    frames
        Other frames that it may be about, the likely ones first.
    """
    yield Variant(measurement, "", "", 0)
    sources = _of_frames(measurement, frames), _of_orientation(measurement), _of_position(measurement)
    kinds = [tuple(changes) for changes in sources]
    for n in range(1, MAX_CHANGES + 1):
        for groups in itertools.combinations(kinds, n):
            for changes in itertools.product(*groups):
                update = {key: value for _, _, fields in changes for key, value in fields.items()}
                what = " and ".join(change[0] for change in changes)
                yield Variant(measurement.model_copy(update=update), what, changes[0][1] if n == 1 else "Say it so", n)


def _of_frames(measurement: MeasuredPose, frames: Sequence[str]) -> Iterator[Change]:
    of, relative_to = measurement.of, measurement.relative_to
    swapped: dict[str, object] = {"of": relative_to, "relative_to": of}
    yield f"it is the pose of {relative_to} in {of}", "Swap the frames", swapped
    for other in frames:
        if other not in (of, relative_to):
            yield f"it is relative to {other}", f"Relative to {other}", {"relative_to": other}
            yield f"it is of {other}", f"Measure it of {other}", {"of": other}


def _of_orientation(measurement: MeasuredPose) -> Iterator[Change]:
    for what, button, form in _forms(measurement.orientation):
        yield what, button, {"orientation": form}


def _forms(form: poses.ConstantOrientation | None) -> Iterator[tuple[str, str, poses.ConstantOrientation]]:
    match form:
        case poses.QuaternionForm(value=(a, b, c, d), order=order):
            other = "wxyz" if order == "xyzw" else "xyzw"
            message = "first" if other == "wxyz" else "last"
            reordered = form.model_copy(update={"order": other})
            yield f"its quaternion has the scalar {message}", f"Read as {other}", reordered
            inverse = (-a, -b, -c, d) if order == "xyzw" else (a, -b, -c, -d)
            yield "its quaternion is the inverse", "Invert the quaternion", form.model_copy(update={"value": inverse})
        case poses.MatrixForm(maps=maps):
            other = "frame to parent" if maps == "parent to frame" else "parent to frame"
            yield "its matrix is transposed", f"Read as {other}", form.model_copy(update={"maps": other})
        case poses.Axes(sequence=sequence, angles=(a, b, c), unit=unit):
            about_fixed = form.model_copy(update={"sequence": sequence[::-1], "angles": (c, b, a)})
            yield "its turns are about fixed axes", "Turn about fixed axes", about_fixed
            yield from _in_other_units(form, unit)
            inverse = tuple(-x if isinstance(x, float) else f"-({x})" for x in (c, b, a))
            changed = form.model_copy(update={"sequence": sequence[::-1], "angles": inverse})
            yield "its turns are the inverse", "Invert the turns", changed
            for other in ("XYZ", "ZYX", "ZXY", "YXZ", "XZY", "YZX"):
                if other != sequence:
                    changed = form.model_copy(update={"sequence": other})
                    yield f"its sequence is {other}", f"Read as {other}", changed
        case poses.Planar(angle=angle, unit=unit) | poses.Axis(angle=angle, unit=unit):
            back = -angle if isinstance(angle, float) else f"-({angle})"
            yield "its turn is the inverse", "Turn the other way", form.model_copy(update={"angle": back})
            yield from _in_other_units(form, unit)
        case _:
            return


def _in_other_units(
    form: poses.Axes | poses.Planar | poses.Axis, unit: str | None
) -> Iterator[tuple[str, str, poses.ConstantOrientation]]:
    for other in ("deg", "rad"):
        if other != unit:
            yield f"its angles are in {other}", f"Read as {other}", form.model_copy(update={"unit": other})


def _of_position(measurement: MeasuredPose) -> Iterator[Change]:
    if measurement.position is None or not any(measurement.position.value):
        return
    for other in UNITS["length"]:
        if other != measurement.position.unit:
            position = measurement.position.model_copy(update={"unit": other})
            yield f"its position is in {other}", f"Read as {other}", {"position": position}
    back = tuple(-x if isinstance(x, float) else f"-({x})" for x in measurement.position.value)
    turned = measurement.position.model_copy(update={"value": back})
    yield "its position points the other way", "Turn the position", {"position": turned}
