"""Miss: difference between two quantities that should agree, with the noise of both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.errors import KeyPath, counted
from framescope.core.kernels.validation import Array, median

MOST_WILD = 0.05
"""Largest fraction of wild rows, up to which they are left out."""

WILD = 4.0
"""Miss of a wild row, as a multiple of the median."""

NOISE = 1.5
"""Miss above which noise alone is no explanation, as a multiple of the noise."""

CERTAIN = 0.4
"""Typical small error, as a fraction of the tolerated floor."""

ROUNDING = 1e-6
"""Rounding of written numbers, m and rad."""


@dataclass(frozen=True)
class Miss:
    """Difference between two quantities that should agree.

    Attributes
    ----------
    key
        Key path of the item with the measured quantity.
    what
        Compared quantity: ``"orientation"``, ``"position"``, ``"velocity"`` and so on.
    rms, worst
        Root mean square and maximum of the lengths of the differences, without wild rows, in SI units.
    time
        Time of the maximum, s; None for a constant difference.
    noise
        Rms that the noise of the samples alone causes.
    floor
        Additional tolerance, since the errors of constants are not visible as noise.
    unit, factor
        Unit for display, and its size in SI units.
    n, n_wild
        Number of rows, and number of wild rows left out.
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
        """Key path and quantity; they are the same in variants of a scene."""
        return self.key, self.what

    @property
    def limit(self) -> float:
        """Largest miss that noise and small errors explain."""
        return NOISE * self.noise + self.floor

    @property
    def is_open(self) -> bool:
        """Whether the miss is larger than noise and small errors explain."""
        return self.rms > self.limit

    @property
    def resolution(self) -> float:
        """Difference up to which misses count as equal."""
        return max(self.noise, CERTAIN * self.floor, ROUNDING)

    @property
    def is_rounding(self) -> bool:
        """Whether the miss is rounding."""
        return self.worst < ROUNDING

    def is_better_than(self, other: Miss, times: float = 2.0) -> bool:
        """Return whether the miss is smaller by a factor, beyond the resolution."""
        return other.rms > times * max(self.rms, self.resolution)

    def text(self, value: float) -> str:
        """Format a value in the unit of the miss."""
        value = 0.0 if value < ROUNDING and self.unit in ("m", "°") else value / self.factor
        return f"{value:.3g}°" if self.unit == "°" else f"{value:.{4 if self.unit == 'm' else 3}g} {self.unit}"

    @property
    def words(self) -> str:
        """Size in words: the constant value, or rms and maximum with time and noise."""
        if self.time is None:
            return self.text(self.rms)
        noise = f", noise {self.text(self.noise)}" if self.noise > ROUNDING else ""
        wild = f", {self.n_wild:,} of {counted(self.n, 'row')} left out" if self.n_wild else ""
        return f"{self.text(self.rms)} rms (at most {self.text(self.worst)} at {self.time:.2f} s{noise}{wild})"


def miss_of(
    key: KeyPath, what: str, distances: Array, t: Array, noise: float, floor: float, unit: str, factor: float
) -> Miss | None:
    """Return the miss of lengths (n,) at times (n,); None without a finite length.

    >>> miss = miss_of(("measured", "a"), "position", np.array([0.3, 0.4]), np.array([0.0, 1.0]), 0.0, 0.0, "m", 1.0)
    >>> miss.words, miss.is_open
    ('0.3536 m rms (at most 0.4 m at 1.00 s)', True)
    """
    is_there = np.isfinite(distances)
    distances, t = distances[is_there], t[is_there]
    if not len(distances):
        return None
    is_wild = distances > WILD * median(distances)
    if is_wild.sum() > MOST_WILD * len(distances):
        is_wild[:] = False
    lengths, at = distances[~is_wild], t[~is_wild]
    worst = float(lengths.max())
    time = float(at[int(np.argmax(lengths))]) if np.ptp(lengths) > max(ROUNDING, 1e-6 * worst) else None
    rms = float(np.sqrt((lengths**2).mean()))
    return Miss(key, what, rms, worst, time, noise, floor, unit, factor, len(distances), int(is_wild.sum()))
