"""Samples of a frame relative to its parents over time, as in a tf buffer."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Literal

from framescope.core.kernels.components import dot_of
from framescope.core.kernels.componentwise import Components

Miss = Literal["past", "future", "only"]
"""Reason for a missing sample: the time is before the first, after the last, or not the time of the only sample."""

LATEST = 0
"""Stamp that requests the newest sample, ns."""


@dataclass(frozen=True, slots=True)
class TfSample:
    """Pose of a frame in its parent: position, m, and quaternion, scalar last.

    The quaternion has its transmitted numbers, and may deviate from unit length by up to half a per cent.
    """

    parent: str
    position: Components
    quaternion: Components


@dataclass(frozen=True, slots=True)
class NoSample:
    """Result for a time without a sample: the reason, and the stamp of the nearest sample, ns."""

    miss: Miss
    nearest_ns: int


@dataclass(slots=True)
class MovingSamples:
    """Samples ordered by stamp, with linear interpolation of positions and slerp of orientations.

    Attributes
    ----------
    cache_ns
        Largest age of a stored sample relative to the newest sample, ns; None stores all.
    stamps : list of int
        ns, strictly increasing.
    """

    cache_ns: int | None
    stamps: list[int] = field(default_factory=list)
    samples: list[TfSample] = field(default_factory=list)

    def insert(self, stamp_ns: int, sample: TfSample) -> Literal["old", "repeated"] | None:
        """Insert a sample in order; return the reason if it is rejected: older than the cache, or a repeated stamp."""
        stamps = self.stamps
        if not stamps or stamp_ns > stamps[-1]:
            stamps.append(stamp_ns)
            self.samples.append(sample)
            self._forget()
            return None
        if self.cache_ns is not None and stamp_ns < stamps[-1] - self.cache_ns:
            return "old"
        i = bisect_left(stamps, stamp_ns)
        if i < len(stamps) and stamps[i] == stamp_ns:
            return "repeated"
        stamps.insert(i, stamp_ns)
        self.samples.insert(i, sample)
        return None

    def _forget(self) -> None:
        if self.cache_ns is None or self.stamps[0] >= self.stamps[-1] - self.cache_ns:
            return
        n = bisect_left(self.stamps, self.stamps[-1] - self.cache_ns)
        del self.stamps[:n], self.samples[:n]

    def at(self, stamp_ns: int) -> TfSample | NoSample:
        """Return the pose at a time, ns.

        There is no extrapolation. Between samples with different parents, the earlier sample applies.
        """
        stamps, samples = self.stamps, self.samples
        if stamp_ns == LATEST:
            return samples[-1]
        i = bisect_left(stamps, stamp_ns)
        if i < len(stamps) and stamps[i] == stamp_ns:
            return samples[i]
        if len(stamps) == 1:
            return NoSample("only", stamps[0])
        if i == len(stamps):
            return NoSample("future", stamps[-1])
        if i == 0:
            return NoSample("past", stamps[0])
        before, after = samples[i - 1], samples[i]
        if before.parent != after.parent:
            return before
        return between(before, after, (stamp_ns - stamps[i - 1]) / (stamps[i] - stamps[i - 1]))

    @property
    def newest(self) -> tuple[int, str]:
        """Stamp of the newest sample, ns, and its parent."""
        return self.stamps[-1], self.samples[-1].parent


@dataclass(slots=True)
class StaticSample:
    """Pose of a static frame: the last received pose is valid at any time."""

    sample: TfSample

    def insert(self, _stamp_ns: int, sample: TfSample) -> None:
        """Replace the pose."""
        self.sample = sample

    def at(self, _stamp_ns: int) -> TfSample:
        """Return the pose."""
        return self.sample

    @property
    def newest(self) -> tuple[int, str]:
        """`LATEST`, because a static pose does not limit the newest common time, and the parent."""
        return LATEST, self.sample.parent


def between(before: TfSample, after: TfSample, share: float) -> TfSample:
    """Interpolate between two samples at a fraction (0 to 1): linear position, and slerp along the shorter way.

    >>> start = TfSample("world", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    >>> end = TfSample("world", (2.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0))
    >>> middle = between(start, end, 0.5)
    >>> middle.position, [round(x, 4) for x in middle.quaternion]
    ((1.0, 0.0, 0.0), [0.0, 0.0, 0.7071, 0.7071])
    """
    position = tuple(p + share * (q - p) for p, q in zip(before.position, after.position, strict=True))
    return TfSample(before.parent, position, slerp(before.quaternion, after.quaternion, share))


def slerp(p: Components, q: Components, share: float) -> Components:
    """Interpolate quaternions at a fraction along the shorter way; their lengths act as weights."""
    if dot_of(p, q) + p[3] * q[3] < 0.0:
        q = tuple(-x for x in q)
    p_size, q_size = math.hypot(*p), math.hypot(*q)
    u, v = [x / p_size for x in p], [x / q_size for x in q]
    # Unlike the arc cosine, the arc tangent keeps all digits of a small angle.
    angle = 2.0 * math.atan2(math.dist(u, v), math.hypot(*(x + y for x, y in zip(u, v, strict=True))))
    if angle == 0.0:
        return p
    whole = math.sin(angle)
    a, b = math.sin((1.0 - share) * angle) / whole, math.sin(share * angle) / whole
    return tuple(a * x + b * y for x, y in zip(p, q, strict=True))
