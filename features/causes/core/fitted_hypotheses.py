"""Hypotheses with a fitted number: time shift, scale or fixed offset, each with its best value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from framescope.core.analysis.diagnostics.costs import DELAY_COST, OFFSET_COST, SCALE_COST
from framescope.core.analysis.misses.pose_misses import (
    compose_pose,
    relative_pose,
    rotation_angle,
    rows_between,
    times_of,
)
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.smoothing_notes import recordings_between
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.core.scene.schema.model import ItemKey
from framescope.core.scene.schema.quantities import UNITS, unit_factor
from framescope.features.causes.core.hypotheses_of_poses import (
    PoseHypothesis,
    is_posed_by_numbers,
    orientation_like,
    round_position,
)
from framescope.features.causes.core.hypotheses_of_recordings import (
    AxesMap,
    delay_motion,
    moved_start,
    recording_of,
)
from framescope.features.causes.core.judgement import Judge

LATEST = 2.0
"""Largest time shift that is tried, s; at most a quarter of the recording."""

LEAST_DELAY = 1e-3
"""Least time shift that counts, s."""

LEAST_SCALE = 0.005
"""Least deviation of a scale from one that counts."""

LINEAR = ("position", "velocity", "acceleration")
"""Quantities that a scale of positions affects."""

GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0


def fitted_hypotheses(
    judge: Judge, key: ItemKey, names: frozenset[str], delays: Mapping[str, float], most: float = np.inf
) -> Iterator[PoseHypothesis]:
    """Yield the best time shift, scale and fixed offset of an item by the misses of the named measurements.

    Parameters
    ----------
    delays
        Delays of vectors by their own readings, s. A recording that is compared alone is shifted by these only.
    most
        Limit of the cost of hypotheses.
    """
    plan = judge.plan
    item: Any = getattr(plan.scene, key[0])[key[1]]
    form = recording_of(item)
    posed = frozenset(name for name in names if plan.instruments.measurements[name].pose is not None)
    names = posed or names  # poses are faster to compare, and as informative
    before = {miss_id: miss for miss_id, miss in judge.before.items() if miss_id[0][1] in names}

    def total_miss(hypothesis: PoseHypothesis) -> float:
        after = judge.misses(hypothesis.variant(plan), names)
        if not all(miss_id in after for miss_id in before):
            return np.inf
        return sum(after[miss_id].rms ** 2 / before[miss_id].resolution ** 2 for miss_id in before)

    if form is not None and form.start.unit is not None and most >= DELAY_COST:
        if _are_vectors_of_one_recording(plan, names):
            for by in sorted({delays[name] for name in names if name in delays}):
                yield _late(plan, key, round(by, 4))
        else:
            yield from _delay(plan, key, total_miss)
    has_position = any((("measured", name), quantity) in before for name in names for quantity in LINEAR)
    if has_position and most >= SCALE_COST:
        yield from _scale(key, item, total_miss, is_recorded=form is not None)
    if key[0] == "frames" and is_posed_by_numbers(item) and most >= OFFSET_COST:
        for name in sorted(names):
            yield from _offset(judge, key, item, name)


def _are_vectors_of_one_recording(plan: Plan, names: frozenset[str]) -> bool:
    """Return whether the named measurements are vectors that each depend on at most one recording."""
    for name in names:
        item = plan.scene.measured[name]
        if not isinstance(item, MeasuredVector):
            return False
        if len(recordings_between(plan, (item.of, item.relative_to, item.resolved_in))) > 1:
            return False
    return True


def _late(plan: Plan, key: ItemKey, by: float) -> PoseHypothesis:
    """Return the hypothesis that a recording begins later by some seconds."""
    form = getattr(plan.scene, key[0])[key[1]].motion
    word = "late" if by < 0.0 else "early"
    new = {"motion": form.model_copy(update={"start": moved_start(form, by)})}
    predicate, button = f"is {abs(by):.3g} s {word}", f"Move by {by:.3g} s"
    return PoseHypothesis(
        key,
        "recording",
        predicate,
        button,
        DELAY_COST,
        new,
        motion=partial(delay_motion, by=by),
        title=f"{word} recording",
    )


def _delay(plan: Plan, key: ItemKey, total_miss: Callable[[PoseHypothesis], float]) -> Iterator[PoseHypothesis]:
    most = min(LATEST, 0.25 * (plan.end - plan.start))
    best = round(_least(lambda by: total_miss(_late(plan, key, by)), -most, most, 41), 4)
    if abs(best) >= LEAST_DELAY:
        yield _late(plan, key, best)


def _scale(
    key: ItemKey, item: Any, total_miss: Callable[[PoseHypothesis], float], *, is_recorded: bool
) -> Iterator[PoseHypothesis]:
    position = item.position
    if not is_recorded and (position is None or any(isinstance(x, str) for x in position.value)):
        return

    def scale_by(k: float) -> PoseHypothesis:
        predicate, button = f"is {1.0 / k:.4g} times as large as meant", f"Divide by {1.0 / k:.4g}"
        if is_recorded:
            identity = np.eye(3)
            return PoseHypothesis(
                key,
                "position",
                predicate,
                "",
                SCALE_COST,
                motion=AxesMap(identity, identity, k * identity).motion,
                title="scaled position",
            )
        value = tuple(float(f"{k * x:.6g}") for x in position.value)
        new = {"position": position.model_copy(update={"value": value})}
        return PoseHypothesis(key, "position", predicate, button, SCALE_COST, new, title="scaled position")

    # Distances are linear in the scale, so their mean square is a parabola.
    low, middle, high = (total_miss(scale_by(1.0 + x)) for x in (-0.1, 0.0, 0.1))
    bend = low - 2.0 * middle + high
    best = 1.0 + 0.05 * (low - high) / bend if bend > 0.0 else 1.0
    if abs(best - 1.0) > LEAST_SCALE and 0.1 < best < 10.0:
        yield scale_by(best)


def _least(function: Callable[[float], float], low: float, high: float, n: int) -> float:
    """Return the argument of the minimum of a function, to a ten-thousandth of its range or better.

    The minimum over `n` even steps is refined by golden sections.
    """
    tried = np.linspace(low, high, n)
    i = int(np.argmin([function(x) for x in tried.tolist()]))
    a, b = float(tried[max(i - 1, 0)]), float(tried[min(i + 1, n - 1)])
    c, d = b - GOLDEN * (b - a), a + GOLDEN * (b - a)
    at_c, at_d = function(c), function(d)
    while b - a > 5e-5 * (high - low):
        if at_c <= at_d:
            b, d, at_d = d, c, at_c
            c = b - GOLDEN * (b - a)
            at_c = function(c)
        else:
            a, c, at_c = c, d, at_d
            d = a + GOLDEN * (b - a)
            at_d = function(d)
    return 0.5 * (a + b)


# --- A fixed offset


def _offset(judge: Judge, key: ItemKey, item: Any, name: str) -> Iterator[PoseHypothesis]:
    """Yield hypotheses that a frame has another constant pose, orientation or position, fitted to a measured pose."""
    needed_poses = _needed_poses(judge, key[1], name)
    if needed_poses is None:
        return
    R, p, has_R, has_p = needed_poses
    still = judge.plan.tree.motions[judge.plan.index[key[1]]].still
    if still is None:
        return
    R_now, p_now = still[0].T, still[1]
    R_new, _ = nearest_rotation(R.mean(axis=0)[np.newaxis])
    angle = float(rotation_angle(R_now.T[np.newaxis] @ R_new)[0])
    turn, shift = None, None
    if has_R and angle > 1e-6:
        turn = orientation_like(item.orientation, R_new[0])
    if has_p:
        unit = "m" if item.position is None else item.position.unit
        factor = unit_factor(unit, "length", ()) if unit in UNITS["length"] else 1.0
        by = np.median(p, axis=0) - p_now
        distance = float(np.sqrt((by**2).sum()))
        if distance > 1e-6 and item.position is not None:
            shift = item.position.model_copy(update={"value": round_position((p_now + by) / factor)}), distance
    turned, moved = f"{np.degrees(angle):.3g}°", "" if shift is None else f"{shift[1]:.4g} m"
    if turn is not None:
        yield PoseHypothesis(
            key,
            "orientation",
            f"is {turned} off",
            f"Turn by {turned}",
            OFFSET_COST,
            {"orientation": turn},
            title="turned",
        )
    if shift is not None:
        yield PoseHypothesis(
            key,
            "position",
            f"is {moved} off",
            f"Move by {moved}",
            OFFSET_COST,
            {"position": shift[0]},
            title="position off",
        )
    if turn is not None and shift is not None:
        fields = {"orientation": turn, "position": shift[0]}
        button = f"Turn by {turned}, move by {moved}"
        predicate = f"is {turned} and {moved} off"
        yield PoseHypothesis(key, "pose", predicate, button, OFFSET_COST + 0.5, fields, title="pose off")


def _needed_poses(judge: Judge, frame: str, name: str) -> tuple[Array, Array, bool, bool] | None:
    """Return the poses in its parent that a frame needs for a measured pose, and whether R and p are measured."""
    plan, staged = judge.plan, judge.plan.instruments.measurements[name]
    ways = rows_between(plan.tree, staged.of, staged.relative_to)
    if ways is None or staged.pose is None:
        return None
    t, row, sampled = times_of(plan, staged, ways), plan.index[frame], judge.sampled
    if not len(t) or not any(row in way for way in ways):
        return None
    with np.errstate(all="ignore"):
        T, p_AB = staged.pose(t)
    R_AB = linear_algebra.transpose(T)
    R_now, p_now = relative_pose(plan.tree, ways, t, sampled)
    R_AB = R_AB if staged.has_orientation else np.broadcast_to(R_now, R_AB.shape)
    p_AB = p_AB if staged.has_position else np.broadcast_to(p_now, p_AB.shape)
    is_of = row in ways[0]
    way, other = ways if is_of else ways[::-1]
    if not is_of:  # the path of A must produce the pose of A in B
        p_AB, R_AB = -linear_algebra.apply_transposed(R_AB, p_AB), linear_algebra.transpose(R_AB)
    i = way.index(row)
    R_FB, p_FB = compose_pose(plan.tree, way[:i], t, sampled)
    # From the other end up to the common ancestor, and down to the parent of the frame.
    R_AP, p_AP = relative_pose(plan.tree, (way[i + 1 :], other), t, sampled)
    R_PB = linear_algebra.multiply_matrices(linear_algebra.transpose(R_AP), R_AB)
    p_PB = linear_algebra.apply_transposed(R_AP, p_AB - p_AP)
    R_PF = linear_algebra.multiply_matrices(R_PB, linear_algebra.transpose(R_FB))
    held = R_PF
    if not staged.has_orientation:
        held = plan.tree.motions[row].pose(t[:1])[0].transpose(0, 2, 1)
    p_PF = p_PB - linear_algebra.apply_matrix(held, p_FB)
    is_there = np.isfinite(R_PF).all(axis=(1, 2)) & np.isfinite(p_PF).all(axis=1)
    if not is_there.any():
        return None
    return R_PF[is_there], p_PF[is_there], staged.has_orientation, staged.has_position
