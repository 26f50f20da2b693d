"""The noise of recorded samples, and the bandwidth at which the rates of the smoothed motion are most accurate."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from framescope.core.kernels.validation import Array, median
from framescope.core.recordings.outliers import gaps, outliers

LONGEST = 4096
"""Samples of a stretch whose spectrum is taken."""

SHORTEST = 64
"""Stretches are not made shorter than this to have more of them."""

MOST_STRETCHES = 16
"""Stretches that are looked at, evenly spread over a long recording."""

FLOOR = 0.75
"""From this part of half the sampling rate on, the spectrum is taken for noise."""

AROUND = 9
"""Neighbouring frequencies that are taken together."""

SEEN = 2.0
"""Motion is seen where the power is so many times that of the noise."""

WIDEST = 0.45
"""The largest bandwidth that is proposed, of the sampling rate."""

N_BANDWIDTHS = 81

STILL = 1e-24
"""Power below which a signal stands still, m² or 1."""

MARGIN = 1.25
"""On top of the expected error: the spectrum of one recording does not tell it better."""


@dataclass(frozen=True)
class RateAccuracy:
    """What is known of the rates of a smoothed recording from the noise of its samples.

    Attributes
    ----------
    position_noise, angle_noise
        Noise of a sample in one direction, m, and about one axis, rad.
    velocity_error, angular_velocity_error
        Up to which the rms error of the velocity, m/s, and of the angular velocity, rad/s, is expected, further than a
        period of the bandwidth from the ends and from gaps: of noise that passes and of motion that does not.
    lost
        The part of the rms rate that the smoothing takes away, the larger of velocity and angular velocity.
    acceleration_error, angular_acceleration_error
        The same of the accelerations, m/s² and rad/s², as far as motion is seen above the noise.
    """

    position_noise: float
    angle_noise: float
    velocity_error: float
    angular_velocity_error: float
    lost: float
    acceleration_error: float = 0.0
    angular_acceleration_error: float = 0.0


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Mean power of stretches of several signals, by angular frequency.

    Attributes
    ----------
    omega : (k,)
        Angular frequency, rad/s.
    share : (k,)
        Weight of each in a mean square.
    power : (k,)
        Sum over the signals; white noise has the sum of its variances everywhere.
    floor
        The power of white noise.
    """

    omega: Array
    share: Array
    power: Array
    floor: float

    @cached_property
    def n_seen(self) -> int:
        """How many frequencies there are up to the last at which motion is seen above the noise."""
        around = np.convolve(self.power, np.full(AROUND, 1.0 / AROUND), mode="same")
        seen = np.flatnonzero(around > SEEN * self.floor)
        return int(seen[-1]) + 1 if len(seen) else 0

    @property
    def moves(self) -> bool:
        """Whether there is anything but what rounding leaves."""
        return bool(self.power.max() > STILL)

    def rate_error(self, bandwidth_hz: float, order: int = 1) -> float:
        """Return the expected rms error of the derivatives of an order, smoothed at a bandwidth."""
        passed = self._passed(bandwidth_hz)
        noise = self.floor * float((self.share * self.omega ** (2 * order) * passed**2).sum())
        return math.sqrt(self._seen(1.0 - passed, order) + noise)

    def lost(self, bandwidth_hz: float) -> float:
        """Return the part of the rms rate that is lost in smoothing at a bandwidth; 0 where nothing moves."""
        whole = self._seen(np.ones_like(self.omega)) if self.moves else 0.0
        return math.sqrt(self._seen(1.0 - self._passed(bandwidth_hz)) / whole) if whole > 0.0 else 0.0

    def _passed(self, bandwidth_hz: float) -> Array:
        return 1.0 / (1.0 + (math.sqrt(2.0) - 1.0) * (self.omega / (2.0 * math.pi * bandwidth_hz)) ** 4)

    def _seen(self, response: Array, order: int = 1) -> float:
        """Return the mean square of the derivative of the motion that is seen, after a filter."""
        power = self.share * self.omega ** (2 * order) * response**2 * (self.power - self.floor)
        return max(float(power[: self.n_seen].sum()), 0.0)


def best_bandwidth(t: Array, p: Array, Q: Array) -> float | None:
    """Return the bandwidth, Hz, at which the expected errors of velocity and angular velocity are least.

    Parameters
    ----------
    t : (n,)
        Rising times of the samples, s.
    p : (n, 3)
        Positions, m.
    Q : (n, 4)
        Quaternions of unit length and continuous sign.

    Returns
    -------
    float or None
        Two digits of it; None where there are too few samples to know their noise.

    Notes
    -----
    With the power spectrum P of the samples, white noise of the power N, the smoothing's response H and n frequencies,
    the expected square error of the derivative is ``mean(ω² ((1 - H)² (P - N) + H² N))``: the first part is motion
    that is lost, the second is noise that passes. N is the median of the upper quarter of the spectrum, over ln 2.
    What is minimal is the product of both errors, so that neither unit counts more.

    References
    ----------
    C. L. Mallows, "Some comments on Cp", Technometrics 15, 1973, for the estimate of what is lost.
    P. Craven, G. Wahba, "Smoothing noisy data with spline functions", Numerische Mathematik 31, 1979.
    """
    both = _spectra(t, p, Q)
    found = [spectrum for spectrum in both or () if spectrum.moves]
    if not found:
        return None
    rate = 1.0 / median(np.diff(t))
    slowest = 2.0 * max(float(spectrum.omega[1]) for spectrum in found) / (2.0 * math.pi)
    candidates = np.geomspace(min(slowest, 0.1 * rate), WIDEST * rate, N_BANDWIDTHS)
    errors = [math.prod(spectrum.rate_error(hz) for spectrum in found) for hz in candidates.tolist()]
    return float(f"{candidates[int(np.argmin(errors))]:.2g}")


def accuracy_at(t: Array, p: Array, Q: Array, bandwidth_hz: float) -> RateAccuracy | None:
    """Return what is expected of the rates of samples, as `best_bandwidth` takes them, smoothed at a bandwidth."""
    both = _spectra(t, p, Q)
    if both is None:
        return None
    of_p, of_Q = both
    return RateAccuracy(
        math.sqrt(of_p.floor / 3.0),
        2.0 * math.sqrt(of_Q.floor / 3.0),
        MARGIN * of_p.rate_error(bandwidth_hz),
        MARGIN * 2.0 * of_Q.rate_error(bandwidth_hz),
        max(of_p.lost(bandwidth_hz), of_Q.lost(bandwidth_hz)),
        MARGIN * of_p.rate_error(bandwidth_hz, 2),
        MARGIN * 2.0 * of_Q.rate_error(bandwidth_hz, 2),
    )


def _spectra(t: Array, p: Array, Q: Array) -> tuple[Spectrum, Spectrum] | None:
    """Return the spectra of positions and of quaternions; None of too few samples between gaps.

    A sample that is far from both neighbours is taken to be between them.
    """
    y, powers = np.hstack([p, Q]), list[Array]()
    for part in _stretches(t):
        rows, wild = y[part].copy(), outliers(t[part], p[part], Q[part])
        rows[wild] = 0.5 * (rows[wild - 1] + rows[wild + 1])
        powers.append(_power(t[part], rows))
    if not powers:
        return None
    power, h = np.array(powers), median(np.diff(t))
    return _spectrum(power[..., :3], h), _spectrum(power[..., 3:], h)


def _spectrum(power: Array, h: float) -> Spectrum:
    """Return the spectrum of the power (stretches, k, m) of some stretches, with samples every `h` s."""
    n = 2 * (power.shape[1] - 1)
    top = max(1, int(FLOOR * (n // 2)))
    floor = float((np.median(power[:, top:], axis=(0, 1)) / math.log(2.0)).sum())
    share = np.full(power.shape[1], 2.0 / n)
    share[0] = share[-1] = 1.0 / n
    omega = np.linspace(0.0, math.pi / h, power.shape[1])
    return Spectrum(omega, share, power.sum(axis=-1).mean(axis=0), floor)


def _stretches(t: Array) -> Iterator[slice]:
    """Yield stretches of one even length without a gap."""
    edges = np.concatenate([[0], gaps(t) + 1, [len(t)]])
    longest = int(np.diff(edges).max())
    n = min(LONGEST, max(longest // 2, min(longest, SHORTEST)))
    n -= n % 2
    if n < 8:
        return
    starts = [k for a, b in itertools.pairwise(edges.tolist()) for k in range(a, b - n + 1, max(n // 4, 1))]
    some = {round(i) for i in np.linspace(0, len(starts) - 1, MOST_STRETCHES).tolist()} if starts else set[int]()
    for i in sorted(some):
        yield slice(starts[i], starts[i] + n)


def _power(t: Array, y: Array) -> Array:
    """Return the power (n / 2 + 1, m) of one stretch, taken to even steps by its slope, less its straight line."""
    n = len(t)
    slope = np.gradient(y, t, axis=0)
    k = np.arange(n) - 0.5 * (n - 1)
    even = t.mean() + k * (k @ t) / (k @ k)
    y = y + slope * (even - t)[:, np.newaxis]
    y = y - y.mean(axis=0)
    y = y - k[:, np.newaxis] * (k @ y) / (k @ k)
    window = np.hanning(n + 2)[1:-1]
    return np.abs(np.fft.rfft(window[:, np.newaxis] * y, axis=0)) ** 2 / (window**2).sum()
