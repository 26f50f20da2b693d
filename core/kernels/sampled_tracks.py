"""Sampling of a motion with few samples, so that linear interpolation and slerp between them keep an error bound.

Programs that read an exported file interpolate its samples. `sample_motion` adds samples until the interpolation
matches the motion. `thin_out` then selects the samples that one quantity needs. Each of the two may use half of the
allowed error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array

Rows = NDArray[np.intp]
Flags = NDArray[np.bool_]

INNER = (0.2113, 0.5, 0.7887)
"""Fractions of an interval at which interpolation is checked.

The middle, and the two places where linear interpolation and slerp differ most. The outer fractions are not simple, so
that a periodic motion cannot seem still at all three.
"""

MOST_TURN = 0.5 * np.pi
"""Largest rotation between samples, from the angular velocity, rad; beyond half a turn, interpolation goes backward."""

STILL = 1e-12
"""Change of values up to which a quantity counts as constant."""

SHORTEST_S = 1e-5
"""Shortest interval between samples, s; a change within such an interval counts as a jump."""

FIRST_KEYS = 16
"""Smallest number of intervals for a quantity that changes."""

BLOCK = 400_000
"""Largest number of values whose errors are computed at once."""


@dataclass(frozen=True)
class ErrorBound:
    """Bound on the error between samples: rotation by `angle`, rad, and displacement by `length`, m."""

    angle: float
    length: float


class States(NamedTuple):
    """Poses of n items at m times.

    Attributes
    ----------
    p, size : (m, n, 3)
        Positions in the parents, m, and scale factors.
    Q : (m, n, 4)
        Unit quaternions, x, y, z, w.
    is_seen : (m, n)
        Whether the items are visible. Errors of hidden items are ignored.
    rates : (m, n)
        Angular speeds, rad/s; zero where unknown.
    """

    p: Array
    Q: Array
    size: Array
    is_seen: Flags
    rates: Array

    def at(self, rows: Rows | slice) -> States:
        """Return the states at the times with indices `rows`."""
        return self.map_arrays(lambda values: values[rows])

    def map_arrays(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> States:
        """Return the states with `change` applied to each array."""
        return States(change(self.p), change(self.Q), change(self.size), change(self.is_seen), change(self.rates))


class Allowed(NamedTuple):
    """Allowed errors of n items, (n,): angles, rad, lengths, m, and scale factors.

    With `extents`, a larger angular error is allowed as long as it displaces the end of an item by less than the
    allowed length. The end is at a distance of `extents` times the item's width plus its length.
    """

    angles: Array
    lengths: Array
    sizes: Array
    extents: Array | None = None

    def fraction(self, share: float) -> Allowed:
        """Return a fraction of the allowed errors."""
        return Allowed(share * self.angles, share * self.lengths, share * self.sizes, self.extents)


@dataclass(frozen=True, eq=False)
class SampledTracks:
    """States at increasing `times` (m,).

    Attributes
    ----------
    reached
        Largest error between samples, as a fraction of the allowed error: at most 1, unless there were too many
        samples.
    jumps
        Number of jumps. Each jump is described by two samples close together, and is not counted as an error.
    ends
        Rows of the samples that must be kept. The other samples only prove that the error is small.
    """

    times: Array
    states: States
    reached: float
    jumps: int
    ends: Rows


def sample_motion(
    sample: Callable[[Array], States], first: Array, allowed: Allowed, most: int, inner: Sequence[float] = INNER
) -> SampledTracks:
    """Sample a motion at the times `first`, and at more times until the errors between samples are allowed.

    An interval is halved while, at any checked time, its error exceeds `allowed`, it turns by more than `MOST_TURN`, or
    an item becomes visible or hidden. When `most` samples are nearly used up, only the intervals with the largest
    errors are halved.
    """
    start = float(first[0])

    def representable(times: Array) -> Array:
        # File formats store times since the start in single precision, so the motion is sampled at such times.
        return start + (times - start).astype(np.float32).astype(float)

    times = np.unique(representable(first))
    shortest = max(SHORTEST_S, 8.0 * float(np.spacing(np.float32(times[-1] - start))))
    middle, shares = len(inner) // 2, np.asarray(inner)
    pool_times, pool = [times], [sample(times)]
    left, right = np.arange(len(times) - 1), np.arange(1, len(times))
    count = len(times)
    reached, jumps = 0.0, 0
    all_states = pool[0]
    is_end = [np.ones(len(times), dtype=bool)]
    while len(left):
        t = np.concatenate(pool_times)
        a, b = t[left], t[right]
        between = representable((a[:, None] + shares * (b - a)[:, None]).ravel())
        inside = sample(between)
        since = between.reshape(len(left), -1) - a[:, None]
        error, is_fast = _errors(all_states, left, right, inside, since, b - a, allowed)
        pool_times.append(between)
        pool.append(inside)
        is_end.append(np.zeros(len(between), dtype=bool))
        is_wrong = error > 1.0
        is_short = (b - a) <= 2.0 * shortest
        jumps += int((is_wrong & is_short & ~is_fast).sum())
        is_kept = ~is_wrong | (is_short & is_fast)
        reached = max(reached, float(error[is_kept].max(initial=0.0)))
        worst = np.flatnonzero(is_wrong & ~is_short)
        # Both halves of a halved interval are checked next.
        room = max((most - count - len(between)) // (2 * len(inner)), 0)
        if len(worst) > room:
            order = worst[np.argsort(-error[worst], kind="stable")]
            reached = max(reached, float(error[order[room:]].max()))
            worst = np.sort(order[:room])
        all_states = join_states(pool)
        pool = [all_states]
        middles = count + worst * len(inner) + middle
        is_end[-1][worst * len(inner) + middle] = True
        count += len(between)
        left, right = np.concatenate([left[worst], middles]), np.concatenate([middles, right[worst]])
        if not room:
            break
    t = np.concatenate(pool_times)
    unique, rows = np.unique(t, return_index=True)
    # Of a time sampled twice, one sample being an end is enough.
    ends = np.searchsorted(unique, t[np.concatenate(is_end)])
    return SampledTracks(unique, all_states.at(rows), reached, jumps, np.unique(ends))


def join_states(parts: Sequence[States], axis: int = 0) -> States:
    """Return states joined along the times (axis 0), or along the items (axis 1)."""
    if len(parts) == 1:
        return parts[0]
    return States(
        np.concatenate([part.p for part in parts], axis),
        np.concatenate([part.Q for part in parts], axis),
        np.concatenate([part.size for part in parts], axis),
        np.concatenate([part.is_seen for part in parts], axis),
        np.concatenate([part.rates for part in parts], axis),
    )


def _errors(
    ends: States, left: Rows, right: Rows, between: States, since: Array, widths: Array, allowed: Allowed
) -> tuple[Array, Flags]:
    """Return the errors of intervals as fractions of the allowed error, and flags of those that turn too far."""
    n_inner, n = since.shape[1], ends.p.shape[1]
    errors, is_fast = np.zeros(len(left)), np.zeros(len(left), dtype=bool)
    step = max(1, BLOCK // max(1, 10 * n * n_inner))
    for k in range(0, len(left), step):
        block = slice(k, k + step)
        rows = slice(k * n_inner, (k + step) * n_inner)
        a, b = ends.at(left[block]), ends.at(right[block])
        width = widths[block]
        inside = between.at(rows).map_arrays(partial(_by_interval, shape=(len(width), n_inner)))
        f = since[block] / width[:, None]
        errors[block] = _relative_errors(a, b, inside, f, allowed).max(axis=(1, 2), initial=0.0)
        fastest = np.maximum(inside.rates.max(axis=1, initial=0.0), np.maximum(a.rates, b.rates))
        is_there = inside.is_seen.any(axis=1) | a.is_seen
        turn = (np.where(is_there, fastest, 0.0) * width[:, None]).max(axis=1, initial=0.0)
        is_fast[block] = turn > MOST_TURN
        # Too large a rotation is reported like an error, so that such intervals are halved first.
        too_far = np.minimum(turn, np.pi) / np.min(allowed.angles, initial=np.pi)
        errors[block] = np.where(is_fast[block], np.maximum(errors[block], too_far), errors[block])
    return errors, is_fast


def _by_interval(values: NDArray[Any], shape: tuple[int, int]) -> NDArray[Any]:
    """Return values with the axis of times split into intervals and times within them."""
    return values.reshape(*shape, *values.shape[1:])


def _relative_errors(a: States, b: States, inside: States, f: Array, allowed: Allowed) -> Array:
    """Return the errors (i, k, n) inside intervals, as fractions of the allowed errors."""
    f = f[:, :, None, None]
    p = _distance(a.p[:, None] + f * (b.p - a.p)[:, None], inside.p) / allowed.lengths
    size = _distance(a.size[:, None] + f * (b.size - a.size)[:, None], inside.size) / allowed.sizes
    angle = _rotation_error(a.Q[:, None], b.Q[:, None], inside.Q, f)
    turn_error = angle / allowed.angles
    if allowed.extents is not None:
        reach = allowed.extents * inside.size[..., 0] + inside.size[..., 2]
        turn_error = np.minimum(turn_error, angle * reach / allowed.lengths)
    error = np.maximum(np.maximum(p, size), turn_error)
    error = np.where(inside.is_seen, error, 0.0)
    # Items appear and disappear at samples only.
    is_same = inside.is_seen == a.is_seen[:, None]
    return np.where(is_same, error, np.inf)


def _distance(a: Array, b: Array) -> Array:
    away = a - b
    return np.sqrt(np.einsum("...i,...i->...", away, away))


def _rotation_error(a: Array, b: Array, inside: Array, f: Array) -> Array:
    """Return the larger angle between orientations and two interpolations from neighbouring samples.

    Programs that read the file use either slerp, as the formats require, or normalized linear interpolation of the
    quaternions.
    """
    cosine = np.einsum("...i,...i->...", a, b)[..., None]
    b = np.where(cosine < 0.0, -b, b)
    cosine = np.minimum(np.abs(cosine), 1.0)
    angle = np.arccos(cosine)
    is_small = angle < 1e-6
    sine = np.where(is_small, 1.0, np.sin(angle))
    u = np.where(is_small, 1.0 - f, np.sin((1.0 - f) * angle) / sine)
    v = np.where(is_small, f, np.sin(f * angle) / sine)
    plain = a + f * (b - a)
    plain = plain / np.maximum(np.sqrt(np.einsum("...i,...i->...", plain, plain))[..., None], 1e-300)
    return np.maximum(turn_between(u * a + v * b, inside), turn_between(plain, inside))


def turn_between(a: Array, b: Array) -> Array:
    """Return the angles (...) between orientations given by unit quaternions (..., 4), rad.

    >>> float(turn_between(np.array([0.0, 0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0, 0.0])).round(6))
    3.141593
    """
    chord = np.minimum(_distance(a, b), _distance(a, -b))
    return 4.0 * np.arcsin(np.minimum(0.5 * chord, 1.0))


# One quantity


@dataclass(frozen=True, eq=False)
class Track:
    """One quantity over time: `values` (m, k) at `times` (m,), interpolated linearly or by slerp.

    A constant quantity has one sample.
    """

    times: Array
    values: Array

    @property
    def is_still(self) -> bool:
        """Whether the track has a single value for all times."""
        return len(self.times) == 1


def still(values: Sequence[float] | Array, t: float = 0.0) -> Track:
    """Return the track of a constant quantity."""
    return Track(np.array([t]), np.asarray([values], dtype=float))


def thin_out(times: Array, values: Array, allowed: float | Array, *, is_turn: bool = False) -> Track:
    """Return samples of a quantity (m, k) from which interpolation gives all the others within `allowed`.

    `allowed` is a number, or a number for each sample. With `is_turn`, the values are quaternions, and `allowed` is an
    angle, rad.
    """
    if len(times) == 1 or np.ptp(values, axis=0).max() <= STILL:
        return Track(times[:1], values[:1])
    limits = np.broadcast_to(np.asarray(allowed, dtype=float), times.shape)
    keys = np.unique(np.linspace(0, len(times) - 1, FIRST_KEYS + 1).astype(np.intp))
    rows = np.delete(np.arange(len(times)), keys)
    while len(rows):
        place = np.searchsorted(keys, rows) - 1
        a, b = keys[place], keys[place + 1]
        f = ((times[rows] - times[a]) / (times[b] - times[a]))[:, None]
        if is_turn:
            off = _rotation_error(values[a], values[b], values[rows], f)
        else:
            off = _distance(values[a] + f * (values[b] - values[a]), values[rows])
        off = off / limits[rows]
        # The worst sample of each failing interval becomes a key, and only such intervals are checked again.
        firsts = np.flatnonzero(np.concatenate([[True], np.diff(place) != 0]))
        worst = np.maximum.reduceat(off, firsts)
        interval = np.repeat(np.arange(len(firsts)), np.diff(np.append(firsts, len(rows))))
        is_open = worst[interval] > 1.0
        at_worst = np.flatnonzero(is_open & (off == worst[interval]))
        at_worst = at_worst[np.unique(interval[at_worst], return_index=True)[1]]
        keys = np.sort(np.concatenate([keys, rows[at_worst]]))
        is_open[at_worst] = False
        rows = rows[is_open]
    return Track(times[keys], values[keys])
