"""Miss: deviation of a measurement from the scene, compared with the noise of both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.errors import KeyPath, counted
from framescope.core.kernels.validation import Array, median

MOST_WILD = 0.05
"""Largest fraction of rows that may be left out as outliers."""

WILD = 4.0
"""Multiple of the median above which a deviation is an outlier."""

NOISE = 1.5
"""Multiple of the noise above which a deviation is significant."""

CERTAIN = 0.4
"""Usual small errors, as a fraction of `Miss.floor`."""

ROUNDING = 1e-6
"""Rounding error of written numbers, m and rad."""


@dataclass(frozen=True)
class Miss:
    """Deviation between two quantities that should agree.

    Attributes
    ----------
    key
        Item of the scene with one of the quantities.
    quantity
        Name of the quantity: ``"orientation"``, ``"position"``, ``"velocity"`` and so on.
    rms, worst
        Root mean square and maximum of the deviation, without outliers, in SI units.
    time
        Time of the maximum, s; None if the deviation is constant.
    noise
        Rms of the deviation expected from noise alone.
    floor
        Additional tolerance, because the noise of constant numbers is unknown.
    unit, factor
        Display unit, and its size in SI units.
    n, n_wild
        Number of rows, and of outliers left out.
    """

    key: KeyPath
    quantity: str
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
        """Identity of the quantity, the same in variants of a scene, also as acceleration or specific force."""
        return self.key, self.quantity.replace("specific force", "acceleration")

    @property
    def limit(self) -> float:
        """Largest rms that is attributed to noise and small errors."""
        return NOISE * self.noise + self.floor

    @property
    def is_open(self) -> bool:
        """Whether the miss exceeds noise and small errors."""
        return self.rms > self.limit

    @property
    def resolution(self) -> float:
        """Rms below which differences mean nothing."""
        return max(self.noise, CERTAIN * self.floor, ROUNDING)

    @property
    def is_rounding(self) -> bool:
        """Whether the miss is only a rounding error."""
        return self.worst < ROUNDING

    def is_better_than(self, other: Miss, times: float = 2.0) -> bool:
        """Return whether another miss is more than `times` as large as this miss and as the resolution."""
        return other.rms > times * max(self.rms, self.resolution)

    def text(self, value: float) -> str:
        """Return a value with the display unit."""
        value = 0.0 if value < ROUNDING and self.unit in ("m", "°") else value / self.factor
        return f"{value:.3g}°" if self.unit == "°" else f"{value:.{4 if self.unit == 'm' else 3}g} {self.unit}"

    @property
    def words(self) -> str:
        """Size as text: the constant value, or rms and maximum with time and noise."""
        if self.time is None:
            return self.text(self.rms)
        noise = f", noise {self.text(self.noise)}" if self.noise > ROUNDING else ""
        wild = f", {self.n_wild:,} of {counted(self.n, 'row')} left out" if self.n_wild else ""
        return f"{self.text(self.rms)} rms (at most {self.text(self.worst)} at {self.time:.2f} s{noise}{wild})"


def miss_of(
    key: KeyPath, quantity: str, missed: Array, t: Array, noise: float, floor: float, unit: str, factor: float
) -> Miss | None:
    """Return the miss of lengths (n,) at times (n,), s; None if none of them is finite.

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
    accepted, at = missed[~is_wild], t[~is_wild]
    worst = float(accepted.max())
    time = float(at[int(np.argmax(accepted))]) if np.ptp(accepted) > max(ROUNDING, 1e-6 * worst) else None
    rms = float(np.sqrt((accepted**2).mean()))
    return Miss(key, quantity, rms, worst, time, noise, floor, unit, factor, len(missed), int(is_wild.sum()))
