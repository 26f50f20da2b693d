"""Attitude trace: continuous choice of the set of angles and of the quaternion's sign, over time.

An orientation has two sets of angles, each with any number of whole turns, and two quaternions. The trace selects a set
and a quaternion from the motion alone. It follows the motion from the start of the scene along its own time knots,
which are close enough to exclude any ambiguity between neighbours. Angles at a time therefore depend neither on the
path of the time slider nor on other evaluated times.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.angle_branches import (
    both_branches,
    nearest_angles,
    nearest_turn,
    other_angles,
    squared_distance,
    wrap_angle,
)
from framescope.core.kernels.validation import Array, Sequence3

Bools = NDArray[np.bool_]

Attitude = Callable[[Array], tuple[Array, Array]]
"""Function of times (n,) that returns attitudes and bounds of their rates.

The attitudes are matrices (n, 3, 3), NaN where undefined. The bounds (n,) are in rad/s.
"""

N_EVEN = 512
"""Number of equal intervals into which a time span is divided first."""

MAX_KNOTS = 65_536
"""Largest number of knots of one trace, enough for some thousand turns; motions with more turns are not followed."""

MAX_TURN, MAX_RATE_TURN = math.pi / 3.0, math.pi / 2.0
"""Largest rotation from knot to knot, rad: measured, and bounded by the rate."""

MAX_STEP, MAX_RATE_STEP = math.pi / 2.0, math.pi
"""Largest change of angles from knot to knot, rad: measured, and bounded by the angle rates.

A larger measured change means that gimbal lock is near; the trace then determines on which side the motion passes it.
"""

NEAR = 1e-6
"""Distance from gimbal lock up to which a knot counts as locked, rad. There, the first angle is rounding noise."""

CLOSEST = 1e-2
"""Smallest distance from gimbal lock used in the bound of the angle rates, rad; closer knots count as this far."""

STRAIGHT = 1.5
"""Largest ratio of bounded to measured rotation at which an attitude counts as turning about a fixed axis."""

MISSES = 4.0
"""Ratio of a path's distance from gimbal lock to its bend above which the path certainly misses gimbal lock."""

FINEST = 2.0**-36
"""Shortest interval as a fraction of the span; a change within such an interval counts as a jump."""

MAX_DOUBLINGS = 10
"""Largest number of times the span is doubled to follow a motion beyond it."""

TIE = 1e-9
"""Difference below which two path lengths count as equal, and magnitude below which a quaternion component is zero."""

LEAVING = 1.0
"""Difference below which the squared path lengths of both branches out of gimbal lock count as equal, rad²."""


@dataclass(frozen=True, eq=False)
class Knots:
    """Increasing times (k,), matrices (k, 3, 3), bounds of the rate (k,), and the index of the start."""

    times: Array
    T: Array
    rates: Array
    i_start: int

    @property
    def is_known(self) -> Bools:
        """Whether the attitude is defined (k,)."""
        return has_values(self.T)


def has_values(T: Array) -> Bools:
    """Flag (n,) the matrices (n, 3, 3) that are finite."""
    return np.asarray(np.isfinite(T).all(axis=(1, 2)))


def first_knots(start: float, end: float) -> Array:
    """Return the times (k,) at which a trace of a time span, s, first looks at its attitude."""
    return np.unique(np.linspace(start, end, N_EVEN + 1))


class AttitudeTrace:
    """Attitude followed from the start of a time span, as far as callers request values.

    Parameters
    ----------
    attitude
        Function of time to follow, see `Attitude`.
    start, end
        Time span, s.
    is_constant
        Whether the attitude is constant.
    """

    def __init__(self, attitude: Attitude, start: float, end: float, *, is_constant: bool = False) -> None:
        self.attitude = attitude
        self.start, self.end = start, end
        self.is_constant = is_constant
        self._knots: dict[int, Knots | None] = {}
        self._quaternions: dict[tuple[int, bytes], SignedKnots | None] = {}
        self._angles: dict[tuple[int, Sequence3, Begin], AngleKnots | None] = {}

    @property
    def is_begun(self) -> bool:
        """Whether the attitude is known at the first knots."""
        return 0 in self._knots

    def begin_with(self, T: Array, rates: Array) -> None:
        """Follow the attitude from its values at the `first_knots`, as if it had returned them."""
        times = first_knots(self.start, self.end)
        self._knots[0] = self._subdivide(Knots(times, T, rates, 0), _turns_too_far)

    def quaternions(self, times: Array, T: Array, authored: Array | None = None) -> Array:
        """Return quaternions (n, 4), scalar last, of matrices at times (n,), with signs continuous from the start.

        At the start, the quaternion has the sign nearest to `authored`, or else a scalar that is not negative. NaN
        where the attitude is undefined.
        """
        result = np.full((len(times), 4), np.nan)
        key = b"" if authored is None else authored.tobytes()
        for reach, part in self._parts(times, T):
            if (reach, key) not in self._quaternions:
                knots = self.knots_to(reach)
                self._quaternions[reach, key] = None if knots is None else signed_knots(knots, authored)
            signed = self._quaternions[reach, key]
            if signed is None:
                result[part] = upright(linear_algebra.quaternion_from_matrix(T[part], linear_algebra.NO_TURN))
            else:
                result[part] = linear_algebra.quaternion_from_matrix(T[part], signed.near(times[part]))
        return result

    def angles(self, times: Array, T: Array, axes: Sequence3, begin: Begin = None) -> Array:
        """Return the angles (n, 3) of matrices at times (n,), rad, continuous from the start in branch and whole turns.

        `begin` selects the angles at the start (see `Begin`). NaN where no attitude is defined.
        """
        result = np.full((len(times), 3), np.nan)
        for reach, part in self._parts(times, T):
            if (reach, axes, begin) not in self._angles:
                knots = self.knots_to(reach)
                finer = None if knots is None else self._with_angles_near(knots, axes)
                passages = None if finer is None else self._passages(finer, axes)
                self._angles[reach, axes, begin] = None if passages is None else angle_knots(passages, begin)
            followed = self._angles[reach, axes, begin]
            result[part] = (
                both_branches(axes, T[part])[0] if followed is None else followed.angles(times[part], T[part])
            )
        return result

    def _parts(self, times: Array, T: Array) -> list[tuple[int, Bools]]:
        """Return the number of doublings of the span (negative before its start) with flags (n,) of the times reached.

        One pair for each number of doublings that occurs.
        """
        is_known = has_values(T)
        if self.is_constant:
            return [(0, is_known)]
        past = (times - self.start) / (self.end - self.start)
        with np.errstate(all="ignore"):
            after = np.where(past > 1.0 + TIE, np.ceil(np.log2(past)), 0.0)
            before = np.where(past < -TIE, np.ceil(np.log2(1.0 - past)), 0.0)
        reach = np.clip(after - before, -MAX_DOUBLINGS - 1, MAX_DOUBLINGS + 1)
        return [(int(k), is_known & (reach == k)) for k in np.unique(reach[is_known]).tolist()]

    def knots_to(self, reach: int) -> Knots | None:
        """Return the knots of the span extended by `reach` doublings; None if they would be too many."""
        if reach not in self._knots:
            self._knots[reach] = self._make_knots(reach)
        return self._knots[reach]

    def _make_knots(self, reach: int) -> Knots | None:
        if abs(reach) > MAX_DOUBLINGS:
            return None
        if self.is_constant:
            times = np.array([self.start])
        else:
            span, edges = self.end - self.start, [self.start, self.end]
            for k in range(1, abs(reach) + 1):
                further = (2.0**k - 1.0) * span if reach < 0 else -(2.0**k) * span
                edges.append(self.start - further)
            parts = itertools.pairwise(sorted(edges))
            times = np.unique(np.concatenate([np.linspace(a, b, N_EVEN + 1) for a, b in parts]))
        knots = self._at(times)
        return knots if self.is_constant else self._subdivide(knots, _turns_too_far)

    def _at(self, times: Array) -> Knots:
        T, rates = self.attitude(times)
        return Knots(times, T, rates, int(np.searchsorted(times, self.start)))

    def _with_angles_near(self, knots: Knots, axes: Sequence3) -> Knots | None:
        """Return knots so close that the angles of a sequence change little between neighbours; None if too many."""
        return (
            knots
            if self.is_constant
            else self._subdivide(knots, lambda candidate: _angles_change_too_far(candidate, axes))
        )

    def _passages(self, knots: Knots, axes: Sequence3) -> Passages | None:
        """Return knots with decided passages of gimbal lock; None where no attitude is defined."""
        known = np.flatnonzero(knots.is_known)
        if not len(known):
            return None
        passages = passages_of(knots, known, axes)
        finest = FINEST * (self.end - self.start)
        while len(i := np.flatnonzero(passages.ways == Way.OPEN)):
            middles = 0.5 * (passages.times[i] + passages.times[i + 1])
            widths = passages.times[i + 1] - passages.times[i]
            is_finest = widths <= np.maximum(finest, 8.0 * np.spacing(np.abs(middles)))
            passages = passages.with_middles(i, middles, self.attitude(middles)[0], is_finest)
        return passages

    def _subdivide(self, knots: Knots, is_too_far: Callable[[Knots], Bools]) -> Knots | None:
        """Halve intervals that `is_too_far` flags until none is left; None if there would be too many knots."""
        finest = FINEST * (self.end - self.start)
        while True:
            widths = np.diff(knots.times)
            can_be = widths > np.maximum(finest, 8.0 * np.spacing(np.abs(knots.times[1:])))
            (i,) = np.nonzero(is_too_far(knots) & can_be)
            if not len(i):
                return knots
            if len(knots.times) + len(i) > MAX_KNOTS:
                return None
            more = self._at(0.5 * (knots.times[i] + knots.times[i + 1]))
            knots = Knots(
                np.insert(knots.times, i + 1, more.times),
                np.insert(knots.T, i + 1, more.T, axis=0),
                np.insert(knots.rates, i + 1, more.rates),
                knots.i_start + int(np.count_nonzero(i < knots.i_start)),
            )


def _turns_too_far(knots: Knots) -> Bools:
    """Flag (k - 1,) the intervals in which the attitude turns too far, or is defined at one end only."""
    is_known = knots.is_known
    is_far = (_turn_steps(knots) > MAX_TURN) | (_rate_steps(knots) > MAX_RATE_TURN)
    return np.where(is_known[1:] & is_known[:-1], is_far, is_known[1:] != is_known[:-1])


def _turn_steps(knots: Knots) -> Array:
    """Return the measured rotation in each interval (k - 1,), rad."""
    with np.errstate(all="ignore"):
        T = np.where(knots.is_known[:, None, None], knots.T, np.eye(3))
        Q = linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN)
        cosine = np.abs((Q[1:] * Q[:-1]).sum(axis=-1)) / np.sqrt((Q[1:] ** 2).sum(-1) * (Q[:-1] ** 2).sum(-1))
        return 2.0 * np.arccos(np.minimum(cosine, 1.0))


def _rate_steps(knots: Knots) -> Array:
    """Return a bound of the rotation in each interval (k - 1,) from the rates at both ends, rad."""
    rates = np.where(np.isnan(knots.rates), 0.0, knots.rates)
    return np.diff(knots.times) * np.maximum(rates[1:], rates[:-1])


def _angles_change_too_far(knots: Knots, axes: Sequence3) -> Bools:
    """Flag (k - 1,) the intervals in which angles of a sequence may change too far between knots.

    The change is bounded by the rates and the distance from gimbal lock. The bound is ignored where the attitude turns
    about a fixed axis.
    """
    is_known = knots.is_known
    first, _ = both_branches(axes, np.where(is_known[:, None, None], knots.T, np.eye(3)))
    away = _from_lock(axes, first)
    is_near, closest = away <= NEAR, np.maximum(np.minimum(away[1:], away[:-1]), CLOSEST)
    rate_steps = _rate_steps(knots)
    is_far = (rate_steps / closest > MAX_RATE_STEP) & (rate_steps > STRAIGHT * _turn_steps(knots))
    return is_far & is_known[1:] & is_known[:-1] & ~(is_near[1:] & is_near[:-1])


def _from_lock(axes: Sequence3, angles: Array) -> Array:
    """Return the sine of the distance of angles (..., 3) from gimbal lock of their sequence."""
    return np.abs(np.sin(angles[..., 1]) if axes[0] == axes[2] else np.cos(angles[..., 1]))


def _ways(axes: Sequence3, first: Array) -> tuple[Array, Array]:
    """Return squared changes (n - 1,) from angles (n, 3) to the next angles, and to the next angles' other branch."""
    stay = squared_distance(wrap_angle(first[1:] - first[:-1]), 0.0)
    return stay, squared_distance(wrap_angle(other_angles(axes, first[1:]) - first[:-1]), 0.0)


# --- Signs of quaternions


@dataclass(frozen=True, eq=False)
class SignedKnots:
    """Quaternions (k, 4) at times (k,), each with the sign nearest to its predecessor."""

    times: Array
    Q: Array

    def near(self, times: Array) -> Array:
        """Return the quaternions (n, 4) of the knots nearest to times (n,)."""
        i = np.clip(np.searchsorted(self.times, times), 1, max(len(self.times) - 1, 1))
        if len(self.times) == 1:
            i = np.zeros_like(i)
        else:
            i = np.where(times - self.times[i - 1] <= self.times[i] - times, i - 1, i)
        return self.Q[i]


def signed_knots(knots: Knots, authored: Array | None) -> SignedKnots | None:
    """Return the quaternions of knots with signs continuous from the start; None where no attitude is defined."""
    known = np.flatnonzero(knots.is_known)
    if not len(known):
        return None
    Q = linear_algebra.quaternion_from_matrix(knots.T[known], linear_algebra.NO_TURN)
    i = _first(known, knots.i_start)
    first = upright(Q[i]) if authored is None else Q[i] * (-1.0 if float(Q[i] @ authored) < 0.0 else 1.0)
    flips = np.where((Q[1:] * Q[:-1]).sum(axis=-1) < -TIE, -1.0, 1.0)
    signs = np.concatenate([[1.0], np.cumprod(flips)])
    signs *= signs[i] * (-1.0 if float(first @ Q[i]) < 0.0 else 1.0)
    return SignedKnots(knots.times[known], Q * signs[:, np.newaxis])


def _first(known: NDArray[np.intp], i_start: int) -> int:
    """Return the index in `known` of the first known knot from the start on, or else of the last known knot."""
    return min(int(np.searchsorted(known, i_start)), len(known) - 1)


def upright(Q: Array) -> Array:
    """Return the quaternions (..., 4) with the signs that make their scalars not negative.

    For a half turn, the first component that is not zero becomes positive.
    """
    x, y, z, w = (np.where(np.abs(Q[..., i]) > TIE, Q[..., i], 0.0) for i in range(4))
    leading = np.where(w != 0.0, w, np.where(x != 0.0, x, np.where(y != 0.0, y, z)))
    return np.where(leading[..., np.newaxis] < 0.0, -Q, Q)


# --- Branches and turns of angles

Begin = tuple[float, float, float] | float | None
"""Choice of angles at the start: nearest to three angles, first angle nearest to a number, or None for branch 1."""


class Way:
    """Continuation of angles from a knot to the next: on the same branch, on the nearer branch, or undecided."""

    STAYS, SHORTER, OPEN = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Passages:
    """Knots with the decision how the angles continue from each knot to the next.

    Knots have `times` (k,), matrices `T` (k, 3, 3) and angles `first` (k, 3) on branch 1. `ways` (k - 1,) continue the
    angles. `is_near` (k,) marks knots at gimbal lock. `is_passed` (k,) marks knots right after which the motion passes
    gimbal lock.
    """

    axes: Sequence3
    times: Array
    T: Array
    first: Array
    is_near: Bools
    is_passed: Bools
    ways: NDArray[np.int_]
    i_start: int

    def with_middles(self, i: NDArray[np.intp], times: Array, T: Array, is_finest: Bools) -> Passages:
        """Decide the ways of intervals `i` by poses at their middles, or else halve the intervals."""
        is_known = has_values(T)
        T = np.where(is_known[:, None, None], T, np.eye(3))
        first, _ = both_branches(self.axes, T)
        is_near = _from_lock(self.axes, first) <= NEAR
        is_missed, is_hit = _passing(self.axes, self.T[i], T, self.T[i + 1])
        is_hit |= is_near | is_finest | ~is_known
        ways = self.ways.copy()
        ways[i] = np.where(is_hit, Way.SHORTER, np.where(is_missed, Way.STAYS, Way.OPEN))
        is_passed = self.is_passed.copy()
        is_passed[i] |= is_hit
        j = ways[i] == Way.OPEN
        at = i[j] + 1
        divided = Passages(
            self.axes,
            np.insert(self.times, at, times[j]),
            np.insert(self.T, at, T[j], axis=0),
            np.insert(self.first, at, first[j], axis=0),
            np.insert(self.is_near, at, is_near[j]),
            np.insert(is_passed, at, np.zeros(len(at), dtype=np.bool_)),
            np.insert(ways, at, np.full(len(at), Way.OPEN)),
            self.i_start + int(np.count_nonzero(i[j] < self.i_start)),
        )
        is_open = (divided.ways == Way.OPEN) & _seem_far(self.axes, divided.first)
        return replace(divided, ways=np.where((divided.ways == Way.OPEN) & ~is_open, Way.STAYS, divided.ways))


def passages_of(knots: Knots, known: NDArray[np.intp], axes: Sequence3) -> Passages:
    """Return the known knots without isolated knots at gimbal lock, which the motion passes in an instant."""
    T = knots.T[known]
    first, _ = both_branches(axes, T)
    is_near = _from_lock(axes, first) <= NEAR
    s = _first(known, knots.i_start)
    is_alone = is_near.copy()
    is_alone[1:] &= ~is_near[:-1]
    is_alone[:-1] &= ~is_near[1:]
    is_alone[[0, s, -1]] = False
    rows = np.flatnonzero(~is_alone)
    first, is_near, T = first[rows], is_near[rows], T[rows]
    is_free = ~(is_near[1:] | is_near[:-1])
    ways = np.where(is_free, np.where(_seem_far(axes, first), Way.OPEN, Way.STAYS), Way.SHORTER)
    is_passed = np.concatenate([np.diff(rows) > 1, [False]])
    times = knots.times[known][rows]
    return Passages(axes, times, T, first, is_near, is_passed, ways, int(np.searchsorted(rows, s)))


def _seem_far(axes: Sequence3, first: Array) -> Bools:
    """Flag (k - 1,) the steps that are larger than `MAX_STEP` on branch 1."""
    return _ways(axes, first)[0] > MAX_STEP**2


def _passing(axes: Sequence3, T1: Array, T: Array, T2: Array) -> tuple[Bools, Bools]:
    """Flag the paths from T1 through T to T2 that certainly miss gimbal lock, and those that pass through gimbal lock.

    The first and the third angle are the directions of two plane vectors, which are zero at gimbal lock. A path misses
    gimbal lock when both vectors pass zero at a distance greater than the bend of their paths.
    """
    e1, e3 = axes[0] - 1, axes[2] - 1
    is_missed, is_hit = np.ones(len(T), dtype=np.bool_), np.ones(len(T), dtype=np.bool_)
    for in_row in (True, False):
        # Row of the third axis and column of the first, without their common element, which is ±1 at gimbal lock.
        a, c, b = (np.delete(M[:, e3] if in_row else M[:, :, e1], e1 if in_row else e3, axis=-1) for M in (T1, T, T2))
        chord = b - a
        length2 = np.maximum((chord**2).sum(axis=-1), np.finfo(np.float64).tiny)
        miss, bend = (np.abs(x[:, 0] * chord[:, 1] - x[:, 1] * chord[:, 0]) / np.sqrt(length2) for x in (a, c - a))
        fraction = ((c - a) * chord).sum(axis=-1) / length2
        is_between = (fraction > 0.1) & (fraction < 0.9)
        is_missed &= is_between & (miss > MISSES * bend + NEAR)
        is_hit &= is_between & (miss + bend <= NEAR)
    return is_missed, is_hit


@dataclass(frozen=True, eq=False)
class AngleKnots:
    """Angles (k, 3) of knots, continuous from each to the next."""

    knots: Passages
    followed: Array

    def angles(self, times: Array, T: Array) -> Array:
        """Return the angles (n, 3) of matrices at times (n,)."""
        axes, at = self.knots.axes, self.knots.times
        last = len(at) - 1
        i = np.searchsorted(at, times, side="right") - 1
        left, right = np.clip(i, 0, last), np.clip(i + 1, 0, last)
        width = at[right] - at[left]
        fraction = np.where(width > 0.0, (times - at[left]) / np.where(width > 0.0, width, 1.0), 0.0)
        before, after = self.followed[left], self.followed[right]
        near = before + fraction[:, np.newaxis] * (after - before)
        # If only one of the two knots around a sample is at gimbal lock, the other knot decides. A sample at gimbal
        # lock takes the angles of the knot before it, unless the motion stays at gimbal lock or passes gimbal lock
        # there.
        is_locked = axis_rotations.is_locked(axes)(T) == 1.0
        from_lock, to_lock = self.knots.is_near[left], self.knots.is_near[right]
        takes_left = np.where(is_locked, ~(self.knots.is_passed[left] | from_lock & to_lock), ~from_lock & to_lock)
        takes_right = ~is_locked & from_lock & ~to_lock
        near = np.where(takes_left[:, np.newaxis], before, near)
        near = np.where(takes_right[:, np.newaxis], after, near)
        result = nearest_angles(axes, T, near)
        # Samples between two knots on the same branch and away from gimbal lock are on that branch.
        is_set = ~is_locked & ~from_lock & ~to_lock & (left != right) & (self._is_other[left] == self._is_other[right])
        if is_set.any():
            first, _ = both_branches(axes, T)
            known_set = np.where(self._is_other[left][:, np.newaxis], other_angles(axes, first), first)
            result = np.where(is_set[:, np.newaxis], nearest_turn(known_set, near), result)
        return result

    @cached_property
    def _is_other(self) -> Bools:
        """Flags (k,) of knots on branch 2."""
        middle = self.followed[:, 1]
        return (np.sin(middle) if self.knots.axes[0] == self.knots.axes[2] else np.cos(middle)) < 0.0


def angle_knots(knots: Passages, begin: Begin) -> AngleKnots:
    """Return the angles of knots, followed from the start."""
    follower, s = _AngleFollower(knots), knots.i_start
    angles = np.empty((len(knots.times), 3))
    angles[s] = follower.start_angles(begin)
    follower.fill(angles, range(s, len(angles)))
    follower.fill(angles, range(s, -1, -1))
    return AngleKnots(knots, angles)


class _AngleFollower:
    """Continuation of angles from knot to knot, by runs of knots that are all at gimbal lock or all away from it."""

    def __init__(self, knots: Passages) -> None:
        self._knots, axes = knots, knots.axes
        # At gimbal lock only the sum or the difference of the first and third angles is defined.
        self._signs = np.where(knots.T[:, axes[2] - 1, axes[0] - 1] > 0.0, 1.0, -1.0)

    def start_angles(self, begin: Begin) -> Array:
        """Return the angles (3,) of the knot at the start."""
        knots, i = self._knots, self._knots.i_start
        if isinstance(begin, tuple):
            target = np.array(begin)
            if knots.is_near[i]:
                return self._locked_angles(np.array([i]), target)[0]
            return nearest_angles(knots.axes, knots.T[i], target)
        if begin is None:
            return knots.first[i]
        return axis_rotations.axes_rotations_angles(knots.axes)(knots.T[i], np.array(begin))

    def fill(self, angles: Array, order: range) -> None:
        """Fill in the angles of knots in `order`, each nearest to the angles before; the first are given."""
        places = np.array(order)
        is_near = self._knots.is_near[places]
        bounds = [1, *(np.flatnonzero(np.diff(is_near[1:])) + 2).tolist(), len(places)]
        for start, stop in itertools.pairwise(bounds):
            if start < stop:
                run, before = places[start:stop], angles[places[start - 1]]
                is_leaving = bool(is_near[start - 1])
                angles[run] = (
                    self._locked_angles(run, before)
                    if is_near[start]
                    else self._free_angles(run, before, is_leaving=is_leaving)
                )

    def _locked_angles(self, run: NDArray[np.intp], before: Array) -> Array:
        """Return angles of a run of knots at gimbal lock: angle 1 stays constant, and angle 3 changes."""
        principal, signs = self._knots.first[run], self._signs[run]
        third = principal[:, 2] + signs * (principal[:, 0] - before[0])
        others = np.stack([principal[:, 1], third], axis=-1)
        others = np.concatenate([before[np.newaxis, 1:], others])
        others = others + 2.0 * np.pi * _whole_turns(others)
        return np.concatenate([np.full((len(run), 1), before[0]), others[1:]], axis=-1)

    def _free_angles(self, run: NDArray[np.intp], before: Array, *, is_leaving: bool) -> Array:
        """Return angles of a run of knots away from gimbal lock, each nearest to the knot before."""
        axes, first = self._knots.axes, self._knots.first[run]
        ties = np.full(len(run), TIE)
        ties[0] = LEAVING if is_leaving else TIE
        stay, change = _ways(axes, np.concatenate([before[np.newaxis], first]))
        is_sure = self._knots.ways[np.minimum(run[:-1], run[1:])] == Way.STAYS
        # The two path lengths are the same from either branch, so all changes of branch are found without a loop.
        is_over = (change < stay - ties) & ~np.concatenate([[False], is_sure])
        is_other = np.cumsum(is_over) % 2 == 1
        chosen = np.where(is_other[:, np.newaxis], other_angles(axes, first), first)
        chosen = np.concatenate([before[np.newaxis], chosen])
        return (chosen + 2.0 * np.pi * _whole_turns(chosen))[1:]


def _whole_turns(angles: Array) -> Array:
    """Return the whole turns (n, k) to add to angles (n, k) so that each row is nearest to the row before."""
    steps = -np.round(np.diff(angles, axis=0) / (2.0 * np.pi) * (1.0 - TIE))
    return np.concatenate([np.zeros((1, angles.shape[1])), np.cumsum(steps, axis=0)])
