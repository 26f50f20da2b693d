"""The noise of recorded samples, and the bandwidths at which the rates of the smoothed motion are most accurate."""

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
"""Samples of a stretch whose spectrum is taken."""

STRETCH = 0.8
"""Part of the longest time without a gap that stretches are long, if that is not too long."""

SHORTEST = 64
"""Stretches are not made shorter than this to have more of them."""

OVERLAP = 0.25
"""Part of a stretch from the start of one to that of the next."""

MOST_STRETCHES = 16
"""Stretches that are looked at, evenly spread over a long recording."""

BLOCK = 0.08
"""Length of a short block, of that of a stretch."""

MOST_BLOCKS = 256
"""Blocks that are looked at, evenly spread over a long recording."""

FLOOR = 0.75
"""From this part of half the sampling rate on, the spectrum is taken for noise."""

AROUND = 9, 0.12
"""Neighbouring frequencies that are taken together: so many, or this part of the frequency to either side."""

SEEN = 2.0, 6.0
"""Motion is seen where the power is so many times that of the noise, and so many standard deviations of a mean more."""

NOISE_BANDWIDTH = 2.4
"""Neighbouring frequencies of which the widest window makes one."""

WIDEST = 0.45
"""The largest bandwidth that is proposed, of the sampling rate."""

N_BANDWIDTHS = 81

STILL = 1e-24
"""Power below which a signal stands still, m² or 1."""

MARGIN = 1.25
"""On top of the expected error: the spectrum of one recording does not tell it better."""


PASSING_DEGREE = 3
"""Degree of the polynomials that a smoothing spline passes as they are: what it takes goes by the fourth derivative."""

WINDOW_POWERS = (1, 3)
"""Powers of the Hann windows of a stretch. The first tells near frequencies apart. What the last lets through of other
frequencies falls with the seventh power of the distance: a motion of metres is not seen in noise of a nanometre."""


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
    n_signals
        Signals whose noise is independent, of all stretches.
    bent
        Mean square of the rate of slow bends that are not in the power, sum over the signals.
    """

    omega: Array
    share: Array
    power: Array
    floor: float
    n_signals: float
    bent: float

    @cached_property
    def n_seen(self) -> int:
        """How many frequencies there are up to the last at which motion is seen above the noise."""
        _, n_around = _neighbours(len(self.power))
        n_free = n_around * self.n_signals / NOISE_BANDWIDTH
        seen = np.flatnonzero(_around(self.power) > np.maximum(SEEN[0], 1.0 + SEEN[1] / np.sqrt(n_free)) * self.floor)
        return int(seen[-1]) + 1 if len(seen) else 0

    @property
    def moves(self) -> bool:
        """Whether there is anything but what rounding leaves."""
        return bool(self.power.max() > STILL or self.bent > STILL)

    def rate_error(self, bandwidth_hz: float, order: int = 1) -> float:
        """Return the expected rms error of the derivatives of an order, smoothed at a bandwidth."""
        passed = self._passed(bandwidth_hz)
        noise = self.floor * float((self.share * self.omega ** (2 * order) * passed**2).sum())
        return math.sqrt(self._seen(1.0 - passed, order) + noise)

    def lost(self, bandwidth_hz: float) -> float:
        """Return the part of the rms rate that is lost in smoothing at a bandwidth; 0 where nothing moves."""
        whole = self._seen(np.ones_like(self.omega)) + self.bent if self.moves else 0.0
        return math.sqrt(self._seen(1.0 - self._passed(bandwidth_hz)) / whole) if whole > 0.0 else 0.0

    def _passed(self, bandwidth_hz: float) -> Array:
        return 1.0 / (1.0 + (math.sqrt(2.0) - 1.0) * (self.omega / (2.0 * math.pi * bandwidth_hz)) ** 4)

    def _seen(self, response: Array, order: int = 1) -> float:
        """Return the mean square of the derivative of the motion that is seen, after a filter."""
        power = self.share * self.omega ** (2 * order) * response**2 * (self.power - self.floor)
        return max(float(power[: self.n_seen].sum()), 0.0)


def best_bandwidths(spectra: Spectra) -> Bandwidths | None:
    """Return the bandwidths at which the expected errors of velocity and of angular velocity are least.

    Returns
    -------
    Bandwidths or None
        Two digits of each; None where nothing moves. What does not move, positions or orientations, gets the bandwidth
        of the other.

    Notes
    -----
    With the power spectrum P of the samples, white noise of the power N, the smoothing's response H and n frequencies,
    the expected square error of the derivative is ``mean(ω² ((1 - H)² (P - N) + H² N))``: the first part is motion
    that is lost, the second is noise that passes. N is the median of the upper quarter of the spectrum, over ln 2.

    References
    ----------
    C. L. Mallows, "Some comments on Cp", Technometrics 15, 1973, for the estimate of what is lost.
    P. Craven, G. Wahba, "Smoothing noisy data with spline functions", Numerische Mathematik 31, 1979.
    """
    found = [_best_of(spectrum) if spectrum.moves else None for spectrum in (spectra.of_p, spectra.of_Q)]
    position_hz, orientation_hz = (hz or other for hz, other in zip(found, found[::-1], strict=True))
    return None if position_hz is None or orientation_hz is None else Bandwidths(position_hz, orientation_hz)


def _best_of(spectrum: Spectrum) -> float:
    rate = float(spectrum.omega[-1]) / math.pi
    slowest = 2.0 * float(spectrum.omega[1]) / (2.0 * math.pi)
    candidates = np.geomspace(min(slowest, 0.1 * rate), WIDEST * rate, N_BANDWIDTHS)
    errors = [spectrum.rate_error(hz) for hz in candidates.tolist()]
    return float(f"{candidates[int(np.argmin(errors))]:.2g}")


def accuracy_at(spectra: Spectra, bandwidths: Bandwidths) -> RateAccuracy:
    """Return what is expected of the rates of a recording smoothed at some bandwidths."""
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
    """Return the spectra of a recording; None of too few samples between gaps and jumps to know their noise."""
    t, y = recording.t, np.hstack([recording.p_PF, recording.Q_PF])
    edges = np.unique(np.concatenate([[0], gaps(t) + 1, recording.after + 1, [len(t)]]))
    n, starts = _stretches(edges)
    if not starts:
        return None
    found = [_power(t[k : k + n], y[k : k + n]) for k in starts]
    (power, bent), h = map(np.array, zip(*found, strict=True)), median(np.diff(t))
    unseen = _blocks(t, y, edges, n, starts)
    of_p, of_Q = (
        _with_unseen(_spectrum(power[..., part], bent[..., part], h), unseen, part)
        for part in (slice(0, 3), slice(3, 7))
    )
    return Spectra(of_p, of_Q)


def _spectrum(power: Array, bent: Array, h: float) -> Spectrum:
    """Return the spectrum of the power (stretches, windows, k, m) of some stretches, with samples every `h` s.

    Power that a window lets through of other frequencies only adds: at each frequency the least of all counts.
    """
    n = 2 * (power.shape[2] - 1)
    top = max(1, int(FLOOR * (n // 2)))
    floor = float((np.median(power[:, -1, top:], axis=(0, 1)) / math.log(2.0)).sum())
    share = np.full(power.shape[2], 2.0 / n)
    share[0] = share[-1] = 1.0 / n
    omega = np.linspace(0.0, math.pi / h, power.shape[2])
    of_windows = power.sum(axis=-1).mean(axis=0)
    clearest = np.argmin([_around(each) for each in of_windows], axis=0)
    power = of_windows[clearest, np.arange(len(omega))]
    n_signals = bent.shape[1] * max(1.0, OVERLAP * len(bent))
    return Spectrum(omega, share, power, floor, n_signals, float(bent.sum(axis=-1).mean()))


class _Blocks(NamedTuple):
    """Power (blocks, k, m) of short blocks that are everywhere, and how much of each the long windows see."""

    power: Array
    seen: Array


def _blocks(t: Array, y: Array, edges: Rows, n: int, starts: Sequence[int]) -> _Blocks | None:
    """Return the power of short blocks, beside long stretches of n samples; None where these are short themselves.

    Windows hardly see what moves at the ends of a recording, and between gaps that are near each other nothing at all.
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


def _with_unseen(spectrum: Spectrum, blocks: _Blocks | None, part: slice) -> Spectrum:
    """Return a spectrum with the power of motion that the windows do not see."""
    if blocks is None:
        return spectrum
    power = blocks.power[..., part].sum(axis=-1)
    everywhere, seen = power.mean(axis=0), (blocks.seen @ power) / blocks.seen.sum()
    is_more = (everywhere > SEEN[0] * seen) & (_around(everywhere) > SEEN[0] * spectrum.floor)
    more = np.where(is_more, everywhere - seen, 0.0)
    omega = np.linspace(0.0, float(spectrum.omega[-1]), len(more))
    return replace(spectrum, power=spectrum.power + np.interp(spectrum.omega, omega, more))


def _around(power: Array) -> Array:
    """Return the mean power (k,) around each frequency."""
    first, n_around = _neighbours(len(power))
    sums = np.concatenate([[0.0], np.cumsum(power)])
    return (sums[first + n_around] - sums[first]) / n_around


def _neighbours(n: int) -> tuple[Rows, Rows]:
    """Return for each of n frequencies the first one around it, and how many there are."""
    k = np.arange(n)
    half = np.maximum(AROUND[0] // 2, (AROUND[1] * k).astype(int))
    first = np.maximum(k - half, 0)
    return first, np.minimum(k + half + 1, n) - first


def _stretches(edges: Rows) -> tuple[int, Sequence[int]]:
    """Return one even length, and where stretches of it start that cross no edge."""
    longest = int(np.diff(edges).max())
    n = min(LONGEST, max(int(STRETCH * longest), min(longest, SHORTEST)))
    n -= n % 2
    if n < 8:
        return n, ()
    starts = [k for a, b in itertools.pairwise(edges.tolist()) for k in range(a, b - n + 1, max(int(OVERLAP * n), 1))]
    some = {round(i) for i in np.linspace(0, len(starts) - 1, MOST_STRETCHES).tolist()} if starts else set[int]()
    return n, [starts[i] for i in sorted(some)]


def _power(t: Array, y: Array) -> tuple[Array, Array]:
    """Return the power (windows, n / 2 + 1, m) of one stretch less its cubic, and the mean square rate (m,) of that.

    It is taken to even steps by its slope. The rate of the cubic is without the straight line in it.
    """
    from numpy.polynomial import legendre  # here, since scenes without recordings do without

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
    return np.stack([_windowed(y, power) for power in WINDOW_POWERS]), bent


def _windowed(y: Array, power: int) -> Array:
    window = np.hanning(len(y) + 2)[1:-1] ** power
    return np.abs(np.fft.rfft(window[:, np.newaxis] * y, axis=0)) ** 2 / (window**2).sum()
