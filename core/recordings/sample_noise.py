"""Noise of recorded samples, and the bandwidths at which the rates of the smoothed motion are most accurate."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np

from framescope.core.kernels.validation import Array, median
from framescope.core.recordings.outliers import Rows, gaps
from framescope.core.recordings.pose_spline import Bandwidths, CleanRecording

LONGEST = 16_384
"""Largest number of samples in a stretch, which is a part of a recording whose spectrum is computed."""

STRETCH = 0.8
"""Length of a stretch as a fraction of the longest time without a gap, up to `LONGEST` samples."""

SHORTEST = 64
"""Smallest number of samples of a stretch, unless all parts without gaps are shorter."""

OVERLAP = 0.25
"""Distance between the starts of successive stretches, as a fraction of a stretch."""

MOST_STRETCHES = 16
"""Largest number of stretches used, spread evenly over a long recording."""

BLOCK = 0.08
"""Length of a short block, as a fraction of a stretch."""

MOST_BLOCKS = 256
"""Largest number of blocks used, spread evenly over a long recording."""

FLOOR = 0.75
"""Frequency above which the spectrum counts as noise, as a fraction of half the sampling rate."""

AROUND = 9, 0.12
"""Frequencies to average: the number of neighbours, or a range to either side as a fraction of the frequency."""

VISIBLE = 2.0, 6.0
"""Smallest mean power of visible motion: as a multiple of the noise, and in standard deviations above the noise."""

NOISE_BANDWIDTH = 2.4
"""Number of neighbouring frequencies that the widest window merges."""

WIDEST = 0.45
"""Largest proposed bandwidth, as a fraction of the sampling rate."""

N_BANDWIDTHS = 81

STILL = 1e-24
"""Power up to which a signal counts as constant, m² or 1."""

MARGIN = 1.25
"""Factor on the expected error, for the uncertainty of a spectrum from one recording."""


PASSING_DEGREE = 3
"""Degree of the polynomials that the smoothing spline reproduces, as its residual depends on the fourth derivative."""

WINDOW_POWERS = (1, 3)
"""Powers of the Hann windows of a stretch. The first power separates close frequencies. With the last power, leakage
falls with the seventh power of the frequency distance, so that a motion of metres does not show in noise of a
nanometre."""


@dataclass(frozen=True)
class RateAccuracy:
    """Accuracy of the rates of a smoothed recording, estimated from the noise of its samples.

    Attributes
    ----------
    position_noise, angle_noise
        Standard deviation of a sample in one direction, m, and about one axis, rad.
    velocity_error, angular_velocity_error
        Upper bounds of the rms error of velocity, m/s, and angular velocity, rad/s. The error consists of noise that
        passes the filter and motion that the filter removes. The bounds hold at distances of more than a period of the
        bandwidth from the ends and from gaps.
    lost
        Fraction of the rms rate that smoothing removes: the larger of two fractions, of velocity and of angular
        velocity.
    acceleration_error, angular_acceleration_error
        Upper bounds of the rms error of the accelerations, m/s² and rad/s², for motion visible above the noise.
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
    """Mean power spectrum of stretches of several signals.

    Attributes
    ----------
    omega : (k,)
        Angular frequency, rad/s.
    share : (k,)
        Weight of each frequency in a mean square.
    power : (k,)
        Power, summed over the signals. White noise has the sum of its variances at every frequency.
    floor
        Power of the white noise.
    n_signals
        Number of signals with independent noise, over all stretches.
    bent
        Mean square rate of the slow cubic trends that were removed before the power was computed, summed over the
        signals.
    """

    omega: Array
    share: Array
    power: Array
    floor: float
    n_signals: float
    bent: float

    @cached_property
    def n_visible(self) -> int:
        """Number of frequencies up to the highest at which motion is visible above the noise."""
        _, n_around = _neighbours(len(self.power))
        n_free = n_around * self.n_signals / NOISE_BANDWIDTH
        seen = np.flatnonzero(
            _mean_around(self.power) > np.maximum(VISIBLE[0], 1.0 + VISIBLE[1] / np.sqrt(n_free)) * self.floor
        )
        return int(seen[-1]) + 1 if len(seen) else 0

    @property
    def moves(self) -> bool:
        """Whether the power exceeds rounding errors."""
        return bool(self.power.max() > STILL or self.bent > STILL)

    def rate_error(self, bandwidth_hz: float, order: int = 1) -> float:
        """Return the expected rms error of the derivative of a given order, of a signal smoothed at a bandwidth."""
        passed = self._response(bandwidth_hz)
        noise = self.floor * float((self.share * self.omega ** (2 * order) * passed**2).sum())
        return math.sqrt(self._visible_power(1.0 - passed, order) + noise)

    def lost(self, bandwidth_hz: float) -> float:
        """Return the fraction of the rms rate that smoothing at a bandwidth removes; 0 when nothing moves."""
        whole = self._visible_power(np.ones_like(self.omega)) + self.bent if self.moves else 0.0
        return math.sqrt(self._visible_power(1.0 - self._response(bandwidth_hz)) / whole) if whole > 0.0 else 0.0

    def _response(self, bandwidth_hz: float) -> Array:
        return 1.0 / (1.0 + (math.sqrt(2.0) - 1.0) * (self.omega / (2.0 * math.pi * bandwidth_hz)) ** 4)

    def _visible_power(self, response: Array, order: int = 1) -> float:
        """Return the mean square derivative of the visible motion after a filter with the given response."""
        power = self.share * self.omega ** (2 * order) * response**2 * (self.power - self.floor)
        return max(float(power[: self.n_visible].sum()), 0.0)


def best_bandwidths(spectra: Spectra) -> Bandwidths | None:
    """Return the bandwidths that minimise the expected errors of velocity and angular velocity.

    Returns
    -------
    Bandwidths or None
        Bandwidths to two digits; None when nothing moves. If only the positions or only the orientations change, both
        get the same bandwidth.

    Notes
    -----
    Let P be the power spectrum of the samples, N the power of the white noise, and H the response of the smoothing. The
    expected square error of the derivative is ``mean(ω² ((1 - H)² (P - N) + H² N))``. The first term is motion that the
    filter removes, the second term is noise that passes the filter. N is the median of the upper quarter of the
    spectrum, divided by ln 2.

    References
    ----------
    C. L. Mallows, "Some comments on Cp", Technometrics 15, 1973, for the estimate of the lost motion.
    P. Craven, G. Wahba, "Smoothing noisy data with spline functions", Numerische Mathematik 31, 1979.
    """
    best_hz = [_best_bandwidth(spectrum) if spectrum.moves else None for spectrum in (spectra.of_p, spectra.of_Q)]
    position_hz, orientation_hz = (hz or other for hz, other in zip(best_hz, best_hz[::-1], strict=True))
    return None if position_hz is None or orientation_hz is None else Bandwidths(position_hz, orientation_hz)


def _best_bandwidth(spectrum: Spectrum) -> float:
    rate = float(spectrum.omega[-1]) / math.pi
    slowest = 2.0 * float(spectrum.omega[1]) / (2.0 * math.pi)
    candidates = np.geomspace(min(slowest, 0.1 * rate), WIDEST * rate, N_BANDWIDTHS)
    errors = [spectrum.rate_error(hz) for hz in candidates.tolist()]
    return float(f"{candidates[int(np.argmin(errors))]:.2g}")


def accuracy_at(spectra: Spectra, bandwidths: Bandwidths) -> RateAccuracy:
    """Return the expected accuracy of the rates of a recording smoothed at given bandwidths."""
    of_p, of_Q = spectra.of_p, spectra.of_Q
    p_hz, Q_hz = bandwidths.position_hz, bandwidths.orientation_hz
    return RateAccuracy(
        math.sqrt(of_p.floor / 3.0),
        2.0 * math.sqrt(of_Q.floor / 3.0),
        MARGIN * of_p.rate_error(p_hz),
        MARGIN * 2.0 * of_Q.rate_error(Q_hz),
        max(of_p.lost(p_hz), of_Q.lost(Q_hz)),
        MARGIN * of_p.rate_error(p_hz, 2),
        MARGIN * 2.0 * of_Q.rate_error(Q_hz, 2),
    )


@dataclass(frozen=True, eq=False)
class Spectra:
    """Spectra of the positions and of the quaternions of a recording."""

    of_p: Spectrum
    of_Q: Spectrum


def spectra_of(recording: CleanRecording) -> Spectra | None:
    """Return the spectra of a recording; None when no part between gaps and jumps is long enough."""
    t, y = recording.t, np.hstack([recording.p_PF, recording.Q_PF])
    edges = np.unique(np.concatenate([[0], gaps(t) + 1, recording.after + 1, [len(t)]]))
    n, starts = _stretches(edges)
    if not starts:
        return None
    powers = [_power(t[k : k + n], y[k : k + n]) for k in starts]
    (power, bent), h = map(np.array, zip(*powers, strict=True)), median(np.diff(t))
    unseen = _blocks(t, y, edges, n, starts)
    of_p, of_Q = (
        _add_hidden_power(_spectrum(power[..., part], bent[..., part], h), unseen, part)
        for part in (slice(0, 3), slice(3, 7))
    )
    return Spectra(of_p, of_Q)


def _spectrum(power: Array, bent: Array, h: float) -> Spectrum:
    """Combine the power (stretches, windows, k, m) of stretches, with samples every `h` s, into a spectrum.

    Leakage from other frequencies only adds power, so each frequency uses the window with the least power.
    """
    n = 2 * (power.shape[2] - 1)
    top = max(1, int(FLOOR * (n // 2)))
    floor = float((np.median(power[:, -1, top:], axis=(0, 1)) / math.log(2.0)).sum())
    share = np.full(power.shape[2], 2.0 / n)
    share[0] = share[-1] = 1.0 / n
    omega = np.linspace(0.0, math.pi / h, power.shape[2])
    of_windows = power.sum(axis=-1).mean(axis=0)
    clearest = np.argmin([_mean_around(window_power) for window_power in of_windows], axis=0)
    power = of_windows[clearest, np.arange(len(omega))]
    n_signals = bent.shape[1] * max(1.0, OVERLAP * len(bent))
    return Spectrum(omega, share, power, floor, n_signals, float(bent.sum(axis=-1).mean()))


class _Blocks(NamedTuple):
    """Power (blocks, k, m) of each short block of the recording, and the weight of each block in long windows."""

    power: Array
    seen: Array


def _blocks(t: Array, y: Array, edges: Rows, n: int, starts: Sequence[int]) -> _Blocks | None:
    """Return the power of short blocks, as a supplement to long stretches of n samples; None for short stretches.

    The windows of long stretches nearly hide the motion at the ends of a recording, and miss motion between close gaps.
    """
    length = max(SHORTEST, 2 * int(0.5 * BLOCK * n))
    firsts = [
        k for a, b in itertools.pairwise(edges.tolist()) if b - a >= length
        for k in [*range(a, b - length, max(int(OVERLAP * length), 1)), b - length]
    ]  # fmt: skip
    if 2 * length > n or not firsts:
        return None
    firsts = [firsts[round(i)] for i in np.linspace(0, len(firsts) - 1, min(len(firsts), MOST_BLOCKS)).tolist()]
    seen = np.zeros(len(firsts))
    for start in starts:
        place = (np.array(firsts) + 0.5 * length - start) / n
        seen += np.where((place > 0.0) & (place < 1.0), np.sin(math.pi * place) ** (4 * WINDOW_POWERS[-1]), 0.0)
    return _Blocks(np.stack([_power(t[k : k + length], y[k : k + length])[0][-1] for k in firsts]), seen)


def _add_hidden_power(spectrum: Spectrum, blocks: _Blocks | None, part: slice) -> Spectrum:
    """Add the power of the motion that the windows of long stretches miss to a spectrum."""
    if blocks is None:
        return spectrum
    power = blocks.power[..., part].sum(axis=-1)
    everywhere, seen = power.mean(axis=0), (blocks.seen @ power) / blocks.seen.sum()
    is_more = (everywhere > VISIBLE[0] * seen) & (_mean_around(everywhere) > VISIBLE[0] * spectrum.floor)
    more = np.where(is_more, everywhere - seen, 0.0)
    omega = np.linspace(0.0, float(spectrum.omega[-1]), len(more))
    return replace(spectrum, power=spectrum.power + np.interp(spectrum.omega, omega, more))


def _mean_around(power: Array) -> Array:
    """Return the mean power (k,) around each frequency."""
    first, n_around = _neighbours(len(power))
    sums = np.concatenate([[0.0], np.cumsum(power)])
    return (sums[first + n_around] - sums[first]) / n_around


def _neighbours(n: int) -> tuple[Rows, Rows]:
    """Return, for each of n frequencies, the first neighbour to average and the number of neighbours."""
    k = np.arange(n)
    half = np.maximum(AROUND[0] // 2, (AROUND[1] * k).astype(int))
    first = np.maximum(k - half, 0)
    return first, np.minimum(k + half + 1, n) - first


def _stretches(edges: Rows) -> tuple[int, Sequence[int]]:
    """Return the common length of the stretches, and their first samples, so that no stretch crosses an edge."""
    longest = int(np.diff(edges).max())
    n = min(LONGEST, max(int(STRETCH * longest), min(longest, SHORTEST)))
    n -= n % 2
    if n < 8:
        return n, ()
    starts = [k for a, b in itertools.pairwise(edges.tolist()) for k in range(a, b - n + 1, max(int(OVERLAP * n), 1))]
    some = {round(i) for i in np.linspace(0, len(starts) - 1, MOST_STRETCHES).tolist()} if starts else set[int]()
    return n, [starts[i] for i in sorted(some)]


def _power(t: Array, y: Array) -> tuple[Array, Array]:
    """Return the power (windows, n / 2 + 1, m) of a stretch minus its cubic, and the cubic's mean square rate (m,).

    Samples are moved along their slopes to evenly spaced times. The rate of the cubic excludes its linear part.
    """
    from numpy.polynomial import legendre  # imported here, since scenes without recordings do not need it

    n = len(t)
    slope = np.gradient(y, t, axis=0)
    k = np.arange(n) - 0.5 * (n - 1)
    even = t.mean() + k * (k @ t) / (k @ k)
    y = y + slope * (even - t)[:, np.newaxis]
    basis = legendre.legvander(2.0 * k / (n - 1), PASSING_DEGREE)
    parts = np.linalg.lstsq(basis, y, rcond=None)[0]
    y = y - basis @ parts
    bend = legendre.legder(np.vstack([np.zeros((2, y.shape[1])), parts[2:]])) * 2.0 / (even[-1] - even[0])
    rate = cast("Array", legendre.legval(2.0 * k / (n - 1), bend))
    bent = np.square(rate).mean(axis=1)
    return np.stack([_power_spectrum(y, power) for power in WINDOW_POWERS]), bent


def _power_spectrum(y: Array, power: int) -> Array:
    window = np.hanning(len(y) + 2)[1:-1] ** power
    return np.abs(np.fft.rfft(window[:, np.newaxis] * y, axis=0)) ** 2 / (window**2).sum()
