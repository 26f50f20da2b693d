"""Sampled tracks: as few samples of a motion as keep linear and shortest-turn interpolation within a bound.

`sampled` looks at a motion at more and more times, until what lies between neighbours is as those who read the samples
make it up; `thinned` then takes of one thing the samples that it needs. Each may use up half of what is allowed.
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
"""Where an interval is looked at, parts of it: in its middle, and where plain and spherical mixing differ most.

The outer two are no simple fractions, so that nothing that comes again and again looks as if it stood still.
"""

MOST_TURN = 0.5 * np.pi
"""By which something may turn between samples, rad, by its angular velocity: beyond half a turn it would go back."""

STILL = 1e-12
"""What moves by less stands still."""

SHORTEST_S = 1e-5
"""What still changes within so much time, s, jumps."""

FIRST_KEYS = 16
"""Intervals that what moves is told in, at least."""

BLOCK = 400_000
"""Numbers of which errors are computed at once."""


@dataclass(frozen=True)
class ErrorBound:
    """Bound on the error between samples: turned by `angle`, rad, and away by `length`, m."""

    angle: float
    length: float


class States(NamedTuple):
    """Poses of n items at m times.

    Attributes
    ----------
    p, size : (m, n, 3)
        Where they are in their parents, m, and by how much they are stretched.
    Q : (m, n, 4)
        Unit quaternions, x, y, z, w.
    is_seen : (m, n)
        Whether they are there; what is not there is nowhere wrong.
    rates : (m, n)
        By how much they turn in a second, rad/s; zero where that is not known.
    """

    p: Array
    Q: Array
    size: Array
    is_seen: Flags
    rates: Array

    def at(self, rows: Rows | slice) -> States:
        """Return the states at some of the times."""
        return self.mapped(lambda values: values[rows])

    def mapped(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> States:
        """Return the states with all their arrays changed alike."""
        return States(change(self.p), change(self.Q), change(self.size), change(self.is_seen), change(self.rates))


class Allowed(NamedTuple):
    """Shares of a bound for n items, (n,): angles, rad, lengths, m, and sizes of those that are stretched.

    With `extents` a wrong angle also counts as little as it moves the end of a thing of its present size: this many
    times its width, and once its length.
    """

    angles: Array
    lengths: Array
    sizes: Array
    extents: Array | None = None

    def shared(self, share: float) -> Allowed:
        """Return a share of it."""
        return Allowed(share * self.angles, share * self.lengths, share * self.sizes, self.extents)


@dataclass(frozen=True, eq=False)
class SampledTracks:
    """States at `times` (m,), in order.

    Attributes
    ----------
    reached
        The largest error between samples, in parts of what is allowed: at most 1, unless there were too many samples.
    jumps
        How many times something jumps: that is told by two samples close together, and counts as no error.
    ends
        Rows of the samples between which the rest may be left out; all others only prove it.
    """

    times: Array
    states: States
    reached: float
    jumps: int
    ends: Rows


def sampled(
    sample: Callable[[Array], States], first: Array, allowed: Allowed, most: int, inner: Sequence[float] = INNER
) -> SampledTracks:
    """Return a motion at as many times as its error between samples asks for, beginning with the times `first`.

    An interval is halved as long as, anywhere it is looked at, it is off by more than `allowed`, turns by more than
    `MOST_TURN`, or something is not there any more. After `most` samples the worst are halved first, and then none.
    """
    start = float(first[0])

    def representable(times: Array) -> Array:
        # Formats tell times in single precision, from the start: so that is when we look.
        return start + (times - start).astype(np.float32).astype(float)

    times = np.unique(representable(first))
    shortest = max(SHORTEST_S, 8.0 * float(np.spacing(np.float32(times[-1] - start))))
    middle, shares = len(inner) // 2, np.asarray(inner)
    pool_times, pool = [times], [sample(times)]
    left, right = np.arange(len(times) - 1), np.arange(1, len(times))
    count = len(times)
    reached, jumps = 0.0, 0
    whole = pool[0]
    is_end = [np.ones(len(times), dtype=bool)]
    while len(left):
        t = np.concatenate(pool_times)
        a, b = t[left], t[right]
        between = representable((a[:, None] + shares * (b - a)[:, None]).ravel())
        found = sample(between)
        since = between.reshape(len(left), -1) - a[:, None]
        error, is_fast = _errors(whole, left, right, found, since, b - a, allowed)
        pool_times.append(between)
        pool.append(found)
        is_end.append(np.zeros(len(between), dtype=bool))
        is_wrong = error > 1.0
        is_short = (b - a) <= 2.0 * shortest
        jumps += int((is_wrong & is_short & ~is_fast).sum())
        is_kept = ~is_wrong | (is_short & is_fast)
        reached = max(reached, float(error[is_kept].max(initial=0.0)))
        worst = np.flatnonzero(is_wrong & ~is_short)
        # Of each that is halved both halves are looked at.
        room = max((most - count - len(between)) // (2 * len(inner)), 0)
        if len(worst) > room:
            order = worst[np.argsort(-error[worst], kind="stable")]
            reached = max(reached, float(error[order[room:]].max()))
            worst = np.sort(order[:room])
        whole = joined(pool)
        pool = [whole]
        middles = count + worst * len(inner) + middle
        is_end[-1][worst * len(inner) + middle] = True
        count += len(between)
        left, right = np.concatenate([left[worst], middles]), np.concatenate([middles, right[worst]])
        if not room:
            break
    t = np.concatenate(pool_times)
    unique, rows = np.unique(t, return_index=True)
    # A time that was looked at twice is an end if either was.
    ends = np.searchsorted(unique, t[np.concatenate(is_end)])
    return SampledTracks(unique, whole.at(rows), reached, jumps, np.unique(ends))


def joined(parts: Sequence[States], axis: int = 0) -> States:
    """Return states one after another, or with axis 1 those of several things beside each other."""
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
    ends: States, left: Rows, right: Rows, found: States, since: Array, widths: Array, allowed: Allowed
) -> tuple[Array, Flags]:
    """Return the error of each interval in parts of what is allowed, and which of them turn too fast."""
    n_inner, n = since.shape[1], ends.p.shape[1]
    errors, is_fast = np.zeros(len(left)), np.zeros(len(left), dtype=bool)
    step = max(1, BLOCK // max(1, 10 * n * n_inner))
    for k in range(0, len(left), step):
        block = slice(k, k + step)
        rows = slice(k * n_inner, (k + step) * n_inner)
        a, b = ends.at(left[block]), ends.at(right[block])
        width = widths[block]
        inside = found.at(rows).mapped(partial(_by_interval, shape=(len(width), n_inner)))
        f = since[block] / width[:, None]
        errors[block] = _off(a, b, inside, f, allowed).max(axis=(1, 2), initial=0.0)
        fastest = np.maximum(inside.rates.max(axis=1, initial=0.0), np.maximum(a.rates, b.rates))
        is_there = inside.is_seen.any(axis=1) | a.is_seen
        turn = (np.where(is_there, fastest, 0.0) * width[:, None]).max(axis=1, initial=0.0)
        is_fast[block] = turn > MOST_TURN
        # That is no measure of the error, but it is to be told, and mended first.
        too_far = np.minimum(turn, np.pi) / np.min(allowed.angles, initial=np.pi)
        errors[block] = np.where(is_fast[block], np.maximum(errors[block], too_far), errors[block])
    return errors, is_fast


def _by_interval(values: NDArray[Any], shape: tuple[int, int]) -> NDArray[Any]:
    return values.reshape(*shape, *values.shape[1:])


def _off(a: States, b: States, inside: States, f: Array, allowed: Allowed) -> Array:
    """Return by how much (i, k, n) things are off inside intervals, in parts of what is allowed."""
    f = f[:, :, None, None]
    p = _distance(a.p[:, None] + f * (b.p - a.p)[:, None], inside.p) / allowed.lengths
    size = _distance(a.size[:, None] + f * (b.size - a.size)[:, None], inside.size) / allowed.sizes
    angle = _turned_off(a.Q[:, None], b.Q[:, None], inside.Q, f)
    turned = angle / allowed.angles
    if allowed.extents is not None:
        reach = allowed.extents * inside.size[..., 0] + inside.size[..., 2]
        turned = np.minimum(turned, angle * reach / allowed.lengths)
    off = np.maximum(np.maximum(p, size), turned)
    off = np.where(inside.is_seen, off, 0.0)
    # What comes or goes does so at a sample.
    is_same = inside.is_seen == a.is_seen[:, None]
    return np.where(is_same, off, np.inf)


def _distance(a: Array, b: Array) -> Array:
    away = a - b
    return np.sqrt(np.einsum("...i,...i->...", away, away))


def _turned_off(a: Array, b: Array, inside: Array, f: Array) -> Array:
    """Return by which angle orientations differ from what readers make of those before and after: the larger of two.

    The ways of reading are the one that formats ask for, along the great circle at an even pace, and the plain mixture
    of the numbers, made a unit quaternion, that many take instead.
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


# One thing


@dataclass(frozen=True, eq=False)
class Track:
    """One quantity over time: `values` (m, k) at `times` (m,), between which it is read along straight lines or turns.

    What stands still has one sample.
    """

    times: Array
    values: Array

    @property
    def is_still(self) -> bool:
        """Whether there is one value for all times."""
        return len(self.times) == 1


def still(values: Sequence[float] | Array, t: float = 0.0) -> Track:
    """Return the track of something that stands still."""
    return Track(np.array([t]), np.asarray([values], dtype=float))


def thinned(times: Array, values: Array, allowed: float | Array, *, is_turn: bool = False) -> Track:
    """Return the samples of one quantity (m, k) that are needed for none to be off by more than `allowed`.

    `allowed` is one number, or one for each sample; of quaternions, with `is_turn`, it is an angle, rad.
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
            off = _turned_off(values[a], values[b], values[rows], f)
        else:
            off = _distance(values[a] + f * (values[b] - values[a]), values[rows])
        off = off / limits[rows]
        # Of each interval the worst sample becomes a key, and only those intervals are looked at again.
        firsts = np.flatnonzero(np.concatenate([[True], np.diff(place) != 0]))
        worst = np.maximum.reduceat(off, firsts)
        of_interval = np.repeat(np.arange(len(firsts)), np.diff(np.append(firsts, len(rows))))
        is_open = worst[of_interval] > 1.0
        at_worst = np.flatnonzero(is_open & (off == worst[of_interval]))
        at_worst = at_worst[np.unique(of_interval[at_worst], return_index=True)[1]]
        keys = np.sort(np.concatenate([keys, rows[at_worst]]))
        is_open[at_worst] = False
        rows = rows[is_open]
    return Track(times[keys], values[keys])
