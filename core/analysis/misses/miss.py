"""Miss: by how much one thing that a scene knows misses another, beside the noise of both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.errors import KeyPath, counted
from framescope.core.kernels.validation import Array, median

MOST_WILD = 0.05
"""The part of the rows that may be wild, and are left out then."""

WILD = 4.0
"""What misses by so many times the median is wild."""

NOISE = 1.5
"""What misses by so many times the noise is more than that."""

CERTAIN = 0.4
"""The part of what is let pass by which small errors are usually off."""

ROUNDING = 1e-6
"""Rounding of what is written, m and rad."""


@dataclass(frozen=True)
class Miss:
    """By how much two things that should agree miss each other.

    Attributes
    ----------
    key
        The item of the scene that says one of them.
    what
        What is missed: ``"orientation"``, ``"position"``, ``"velocity"`` and so on.
    rms, worst
        Root mean square and largest length of what it misses by, without wild rows, in SI units.
    time
        When it is largest, s; None where it is the same at all times.
    noise
        The rms that the noise of the samples alone gives.
    floor
        What is let pass on top, as numbers that are written once have no noise to know them by.
    unit, factor
        The unit it is shown in, and that in SI units.
    n, n_wild
        How many rows there are, and how many of them are left out.
    """

    key: KeyPath
    what: str
    rms: float
    worst: float
    time: float | None
    noise: float
    floor: float
    unit: str
    factor: float
    n: int = 1
    n_wild: int = 0

    @property
    def id(self) -> tuple[KeyPath, str]:
        """What it is of: the same in variants of a scene."""
        return self.key, self.what

    @property
    def limit(self) -> float:
        """What noise and small errors leave at most."""
        return NOISE * self.noise + self.floor

    @property
    def is_open(self) -> bool:
        """Whether it is more than noise and small errors leave."""
        return self.rms > self.limit

    @property
    def resolution(self) -> float:
        """Below this, more or less says nothing."""
        return max(self.noise, CERTAIN * self.floor, ROUNDING)

    @property
    def is_rounding(self) -> bool:
        """Whether it is what rounding leaves."""
        return self.worst < ROUNDING

    def is_better_than(self, other: Miss, times: float = 2.0) -> bool:
        """Return whether it is smaller by so many times, beyond the resolution."""
        return other.rms > times * max(self.rms, self.resolution)

    def text(self, value: float) -> str:
        """Return a value of it in its unit."""
        value = 0.0 if value < ROUNDING and self.unit in ("m", "°") else value / self.factor
        return f"{value:.3g}°" if self.unit == "°" else f"{value:.{4 if self.unit == 'm' else 3}g} {self.unit}"

    @property
    def words(self) -> str:
        """How large it is: the one value, or the rms and the largest, with time and noise."""
        if self.time is None:
            return self.text(self.rms)
        noise = f", noise {self.text(self.noise)}" if self.noise > ROUNDING else ""
        wild = f", {self.n_wild:,} of {counted(self.n, 'row')} left out" if self.n_wild else ""
        return f"{self.text(self.rms)} rms (at most {self.text(self.worst)} at {self.time:.2f} s{noise}{wild})"


def miss_of(
    key: KeyPath, what: str, missed: Array, t: Array, noise: float, floor: float, unit: str, factor: float
) -> Miss | None:
    """Return the miss of lengths (n,) at times (n,); None where none of them is a number.

    >>> one = miss_of(("measured", "a"), "position", np.array([0.3, 0.4]), np.array([0.0, 1.0]), 0.0, 0.0, "m", 1.0)
    >>> one.words, one.is_open
    ('0.3536 m rms (at most 0.4 m at 1.00 s)', True)
    """
    is_there = np.isfinite(missed)
    missed, t = missed[is_there], t[is_there]
    if not len(missed):
        return None
    is_wild = missed > WILD * median(missed)
    if is_wild.sum() > MOST_WILD * len(missed):
        is_wild[:] = False
    kept, at = missed[~is_wild], t[~is_wild]
    worst = float(kept.max())
    time = float(at[int(np.argmax(kept))]) if np.ptp(kept) > max(ROUNDING, 1e-6 * worst) else None
    rms = float(np.sqrt((kept**2).mean()))
    return Miss(key, what, rms, worst, time, noise, floor, unit, factor, len(missed), int(is_wild.sum()))
