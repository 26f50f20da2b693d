"""Means and changes of tracks over windows of time."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.tracks import Track

WIDTH = 0.05
"""Usual width of a window, s."""

MOST_WINDOWS = 40_000
"""Largest number of windows of a comparison."""

MOST_BYTES = 64_000_000
"""Size of the windowed values that are kept."""

FEWEST_WINDOWS = 24
"""Fewest windows of a comparison."""


@dataclass(frozen=True)
class Clock:
    """Correction of the stamps of a track: its sample of time t has the stamp ``t + delay + drift * (t - middle)``."""

    delay: float = 0.0
    drift: float = 0.0
    middle: float = 0.0

    def stamps(self, t: Array) -> Array:
        """Return the stamps at times (n,)."""
        return t + self.delay + self.drift * (t - self.middle)

    @property
    def is_right(self) -> bool:
        """Whether the stamps need no correction."""
        return self.delay == 0.0 and self.drift == 0.0


RIGHT = Clock()


def edges_of(tracks: tuple[Track, ...], shift: float = 0.0) -> Array | None:
    """Return the edges (n + 1,) of the windows in which tracks can be compared; None if they share too little time.

    The width is at least the longest period. `shift` is time left free at both ends.
    """
    start = max(float(track.t[0]) for track in tracks) + shift
    end = min(float(track.t[-1]) for track in tracks) - shift
    width = max(WIDTH, *(track.period for track in tracks), (end - start) / MOST_WINDOWS)
    count = int((end - start) / width)
    edges: Array = start + width * np.arange(count + 1.0)
    return None if count < FEWEST_WINDOWS else edges


def is_covered(track: Track, edges: Array) -> Array:
    """Return which windows (n,) have no gap in a track."""
    starts, ends = track.gaps
    # A gap meets a window that begins before its end and ends after its start.
    ended = np.searchsorted(ends, edges[:-1], side="right")
    begun = np.searchsorted(starts, edges[1:], side="left")
    inside = (edges[:-1] >= track.t[0] - track.period) & (edges[1:] <= track.t[-1] + track.period)
    return (begun == ended) & inside


def value_at(track: Track, t: Array) -> Array:
    """Return linearly interpolated values (n, k)."""
    return interpolate(t, track.t, track.x)


def interpolate(at: Array, t: Array, x: Array) -> Array:
    """Return rows (n, k), linearly interpolated and constant beyond the ends."""
    k = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 2)
    share = np.clip((at - t[k]) / (t[k + 1] - t[k]), 0.0, 1.0)[:, None]
    return x[k] * (1.0 - share) + x[k + 1] * share


class Sampler:
    """Windowed values of tracks, kept for as long as one search needs them."""

    def __init__(self) -> None:
        self._integrals: dict[int, tuple[Array, Array]] = {}
        self._kept: OrderedDict[tuple[object, ...], Array] = OrderedDict()
        self._kept_bytes = 0

    def kept(self, key: tuple[object, ...], make: Callable[[], Array]) -> Array:
        """Return an array that is made once; those that were used last are kept, and nobody writes into them."""
        if key not in self._kept:
            self._kept[key] = made = make()
            made.flags.writeable = False
            self._kept_bytes += made.nbytes
            while self._kept_bytes > MOST_BYTES and len(self._kept) > 1:
                self._kept_bytes -= self._kept.popitem(last=False)[1].nbytes
        self._kept.move_to_end(key)
        return self._kept[key]

    def integral(self, track: Track) -> tuple[Array, Array]:
        """Return the integral (n, 3) over time of a vector, and that of its cross product with its rate (n, 3)."""
        key = id(track)
        if key not in self._integrals:
            steps = 0.5 * (track.x[1:] + track.x[:-1]) * np.diff(track.t)[:, None]
            total = np.concatenate([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])
            crossed = np.zeros_like(total)
            if track.quantity == "angular velocity":
                crossed[1:] = np.cumsum(np.cross(total[:-1], steps), axis=0)
            self._integrals[key] = total, crossed
        return self._integrals[key]

    def mean(self, track: Track, edges: Array) -> Array:
        """Return the means (n, 3) of a vector over windows."""
        total = interpolate(edges, track.t, self.integral(track)[0])
        return np.diff(total, axis=0) / np.diff(edges)[:, None]

    def turn(self, track: Track, edges: Array) -> Array:
        """Return the rotation vectors (n, 3) over windows that an angular velocity makes, to the second order."""
        total, crossed = self.integral(track)
        a, c = interpolate(edges, track.t, total), interpolate(edges, track.t, crossed)
        turn = np.diff(a, axis=0)
        coning = 0.5 * (np.diff(c, axis=0) - np.cross(a[:-1], turn))
        # Far too large rates are not small turns: they are compared to the first order.
        return turn + coning if float(np.linalg.norm(turn)) < math.sqrt(len(turn)) else turn


def turns_between(Q: Array, *, in_reference: bool = False) -> Array:
    """Return the turn vectors (n, 3) from each of n + 1 quaternions to the next, resolved in the frame.

    Parameters
    ----------
    Q : (n + 1, 4)
        Quaternions, scalar last; they need no unit length.
    in_reference
        Whether the turns are resolved in the reference instead.

    Examples
    --------
    >>> turns_between(np.array([[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, np.sin(0.1), np.cos(0.1)]])).round(6).tolist()
    [[0.0, 0.0, 0.2]]
    """
    length = np.sqrt(np.einsum("ij,ij->i", Q, Q))[:, None]
    Q = np.where(length > 1e-6, Q / np.maximum(length, 1e-6), [0.0, 0.0, 0.0, 1.0])
    a, b = Q[:-1], Q[1:]
    crossed = np.stack([a[:, i] * b[:, j] - a[:, j] * b[:, i] for i, j in ((1, 2), (2, 0), (0, 1))], axis=1)
    s = a[:, 3:] * b[:, :3] - b[:, 3:] * a[:, :3] + (crossed if in_reference else -crossed)
    c = np.einsum("ij,ij->i", a, b)
    size = np.sqrt(np.einsum("ij,ij->i", s, s))
    angle = 2.0 * np.arctan2(size, np.abs(c)) * np.where(c < 0.0, -1.0, 1.0)
    return s * np.where(size > 1e-12, angle / np.maximum(size, 1e-12), 2.0 * np.where(c < 0.0, -1.0, 1.0))[:, None]


def rotations_at(Q: Array) -> Rotation:
    """Return the rotations of quaternions (n, 4), which need no unit length."""
    length = np.linalg.norm(Q, axis=1, keepdims=True)
    return Rotation.from_quat(np.where(length > 1e-6, Q, [0.0, 0.0, 0.0, 1.0]))
