"""Samples of one frame relative to its parents over time, as a buffer of tf keeps them."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Literal

from framescope.core.kernels.components import dot_of
from framescope.core.kernels.componentwise import Components

Miss = Literal["past", "future", "only"]
"""Why there is no sample at a time: it is before the first, after the last, or not that of the only one."""

LATEST = 0
"""The stamp by which the newest sample is asked for, ns."""


@dataclass(frozen=True, slots=True)
class TfSample:
    """Pose of a frame in a parent: position, m, and quaternion with the scalar last.

    The quaternion is as it was sent, which may be off unit length by up to half a per cent.
    """

    parent: str
    position: Components
    quaternion: Components


@dataclass(frozen=True, slots=True)
class NoSample:
    """That a frame has no sample at a time: of which sort, and the stamp of the sample nearest to it, ns."""

    miss: Miss
    nearest_ns: int


@dataclass(slots=True)
class MovingSamples:
    """Samples in the order of their stamps; between two of them position is linear, and orientation slerp.

    Attributes
    ----------
    cache_ns
        How long before the newest sample others are kept, ns; None keeps all.
    stamps : list of int
        ns, strictly increasing.
    """

    cache_ns: int | None
    stamps: list[int] = field(default_factory=list)
    samples: list[TfSample] = field(default_factory=list)

    def insert(self, stamp_ns: int, sample: TfSample) -> Literal["old", "repeated"] | None:
        """Put a sample in order; return why it is left out, if it is: older than the cache, or a stamp again."""
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

        Nothing is extrapolated. Between samples in two parents the earlier one holds: it is a pose in its parent.
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
    """A pose that holds at any time, whatever its stamp: the last that was sent."""

    sample: TfSample

    def insert(self, _stamp_ns: int, sample: TfSample) -> None:
        """Exchange the pose."""
        self.sample = sample

    def at(self, _stamp_ns: int) -> TfSample:
        """Return the pose."""
        return self.sample

    @property
    def newest(self) -> tuple[int, str]:
        """Return `LATEST`, as it sets no bound to what is newest, and the parent."""
        return LATEST, self.sample.parent


def between(before: TfSample, after: TfSample, share: float) -> TfSample:
    """Return the pose at a share (0 to 1) of the way from one sample to another: linear, and slerp the shorter way.

    >>> start = TfSample("world", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    >>> end = TfSample("world", (2.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0))
    >>> middle = between(start, end, 0.5)
    >>> middle.position, [round(x, 4) for x in middle.quaternion]
    ((1.0, 0.0, 0.0), [0.0, 0.0, 0.7071, 0.7071])
    """
    position = tuple(p + share * (q - p) for p, q in zip(before.position, after.position, strict=True))
    return TfSample(before.parent, position, slerp(before.quaternion, after.quaternion, share))


def slerp(p: Components, q: Components, share: float) -> Components:
    """Return the quaternion at a share of the shorter way from one to another; lengths go along as weights."""
    if dot_of(p, q) + p[3] * q[3] < 0.0:
        q = tuple(-x for x in q)
    p_size, q_size = math.hypot(*p), math.hypot(*q)
    u, v = [x / p_size for x in p], [x / q_size for x in q]
    # The angle between them by arc tangent: an arc cosine loses half of the digits where it is small.
    angle = 2.0 * math.atan2(math.dist(u, v), math.hypot(*(x + y for x, y in zip(u, v, strict=True))))
    if angle == 0.0:
        return p
    whole = math.sin(angle)
    a, b = math.sin((1.0 - share) * angle) / whole, math.sin(share * angle) / whole
    return tuple(a * x + b * y for x, y in zip(p, q, strict=True))
