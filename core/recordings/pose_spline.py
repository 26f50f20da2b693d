"""Recorded poses, and the smoothing spline that gives them rates.

Angular velocity from raw differences of a recording is noise. A recording is therefore fitted once by smoothing splines
of a bandwidth for its positions and one for its orientations, and poses and velocities are those of the splines.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import HintedError
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, median
from framescope.core.recordings import outliers
from framescope.core.time_functions import piecewise_polynomial
from framescope.core.time_functions.smoothing_spline import smoothing_spline

UNIT_NORM_TOLERANCE = 1e-3
"""How far a recorded quaternion may miss unit length and still be normalised without a word."""


MAX_SAMPLES = 1_000_000
"""Samples of one recording: some seconds of fitting, and 700 MB; afterwards 400 MB."""

MOST_SAMPLES_A_PERIOD = 1e9
"""Samples in a period of the bandwidth: the accuracy of the spline is measured up to here, far beyond any recording."""


class RecordingError(HintedError):
    """A recording cannot be used; the message says what and where, `hint` how to mend it."""


class BandwidthError(RecordingError):
    """The samples are too far from each other or too near for the bandwidth, or it is none."""


@dataclass(frozen=True, eq=False)
class Recording:
    """Poses of a frame F in its parent P at times that start from 0.

    Attributes
    ----------
    t : (n,)
        Time since the first sample, s.
    p_PF : (n, 3)
        Position of the frame's origin, m.
    Q_PF : (n, 4)
        Quaternion, scalar last, parent into frame, of unit length and continuous sign.
    """

    t: Array
    p_PF: Array
    Q_PF: Array


@dataclass(frozen=True)
class Bandwidths:
    """Where a smoothing passes 1/sqrt(2) of the amplitude, Hz: of positions and of orientations."""

    position_hz: float
    orientation_hz: float

    @property
    def largest_hz(self) -> float:
        """The larger of both, Hz."""
        return max(self.position_hz, self.orientation_hz)

    @property
    def least_hz(self) -> float:
        """The smaller of both, Hz."""
        return min(self.position_hz, self.orientation_hz)


@dataclass(frozen=True, eq=False)
class PoseSpline:
    """A recording smoothed: pose and velocities at any time; outside the recording the end pose holds.

    Attributes
    ----------
    times : (n,)
        Times of the samples, s.
    coefficients : (4, n - 1, 7)
        Polynomials of position and quaternion in the time since the sample before, the highest power first.
    """

    times: Array
    coefficients: Array

    @property
    def t_end(self) -> float:
        """Time of the last sample, s."""
        return float(self.times[-1])

    @property
    def n_samples(self) -> int:
        """How many samples there are."""
        return len(self.times)

    def sample(self, t: Array) -> tuple[Array, Array, Array, Array, Array, Array]:
        """Return ``T_PF, p_PF, w_PF_F, v_PF, b_PF_F, a_PF`` at times (n,), `b` and `a` the derivatives of `w` and `v`.

        The quaternion is the spline's value s made unit, ``Q = s/|s|``; its rate needs no more than
        ``w = 2 vec(conj(s) ⊗ s') / s·s``, since the part of s' along s drops out. The derivative of that has
        ``2 vec(conj(s) ⊗ s'') / s·s`` and what the changing length takes off.
        """
        value, first, second = piecewise_polynomial.sample_polynomials(self.times, self.coefficients, t)
        s, ds, dds = value[..., 3:], first[..., 3:], second[..., 3:]
        norm2 = linear_algebra.squared_norm(s)[..., np.newaxis]
        T = linear_algebra.matrix_from_quaternion(s / np.sqrt(norm2))
        w = linear_algebra.velocity2_of_quaternion(s, ds) / norm2
        along = 2.0 * (s * ds).sum(axis=-1, keepdims=True) / norm2
        b = linear_algebra.velocity2_of_quaternion(s, dds) / norm2 - along * w
        return T, value[..., :3], w, first[..., :3], b, second[..., :3]


def smooth(recording: Recording, bandwidths: Bandwidths | float) -> PoseSpline:
    """Fit the smoothing splines whose amplitude response is 1/sqrt(2) at a bandwidth, Hz, or at one each.

    Raises
    ------
    RecordingError
        When there are more than `MAX_SAMPLES`, or a bandwidth is not between a billionth and half of the sampling
        rate.

    Notes
    -----
    Position and quaternion components are fitted by cubic smoothing splines, minimising
    ``sum g_i |y_i - s(t_i)|² + lam ∫ |s''|²`` with `g` the local share of time of each sample over the
    median step h. For a long record that is the low-pass filter ``1 / (1 + lam h ω⁴)``, so that ω at -3 dB is
    ``((sqrt(2) - 1) / (lam h))^¼``. Smoothing the four components and normalising is the same from either
    side: turning the fixed or the moving frame by a constant rotation is an isometry of the
    components, which the linear smoother commutes with. It needs signs that are continuous.

    Spikes count as the motion around them, and where the motion jumps a spline of its own begins: neither makes a rate.

    References
    ----------
    B. W. Silverman, "Spline smoothing: the equivalent variable kernel method", 1984.
    """
    both = bandwidths if isinstance(bandwidths, Bandwidths) else Bandwidths(bandwidths, bandwidths)
    h = median(np.diff(recording.t))
    for hz in (both.position_hz, both.orientation_hz):
        _roughness_cost(hz, h)  # before much is computed
    return smooth_cleaned(clean(recording), both)


@dataclass(frozen=True, eq=False)
class CleanRecording:
    """Samples of a recording without spikes, and `after` which of them the motion jumps."""

    t: Array
    p_PF: Array
    Q_PF: Array
    after: NDArray[np.intp]


def clean(recording: Recording) -> CleanRecording:
    """Return the samples of a recording without spikes, and where it jumps; raise `RecordingError` of too many."""
    t = recording.t
    if len(t) > MAX_SAMPLES:
        raise RecordingError(
            f"the recording has {len(t)} samples, at most {MAX_SAMPLES} are fitted.",
            "Keep every n-th sample, or cut it into parts.",
        )
    p, Q = (outliers.without_spikes(t, y) for y in (recording.p_PF, recording.Q_PF))
    return CleanRecording(t, p, Q, outliers.breaks(t, p, Q))


def smooth_cleaned(recording: CleanRecording, bandwidths: Bandwidths) -> PoseSpline:
    """Fit the splines as `smooth` does."""
    t, p, Q = recording.t, recording.p_PF, recording.Q_PF
    h = median(np.diff(t))
    lam_p, lam_Q = (_roughness_cost(hz, h) for hz in (bandwidths.position_hz, bandwidths.orientation_hz))
    after = recording.after
    edges = [0, *(after + 1).tolist(), len(t)]
    parts: list[Array] = []
    for first, end in itertools.pairwise(edges):
        rows = slice(first, end)
        share = _shares(t[rows]) / h
        if lam_p == lam_Q:
            parts.append(smoothing_spline(t[rows], np.hstack([p[rows], Q[rows]]), share, lam_p))
        else:
            both = smoothing_spline(t[rows], p[rows], share, lam_p), smoothing_spline(t[rows], Q[rows], share, lam_Q)
            parts.append(np.concatenate(both, axis=-1))
        if end < len(t):
            parts.append(_straight_on(parts[-1][:, -1], t[end - 1] - t[end - 2])[:, np.newaxis])
    return PoseSpline(t, np.concatenate(parts, axis=1))


def _roughness_cost(bandwidth_hz: float, h: float) -> float:
    """Return what roughness costs for a bandwidth, with samples every `h` s; raise `BandwidthError` of none."""
    nyquist = 0.5 / h
    if not 0.0 < bandwidth_hz < nyquist:
        raise BandwidthError(
            f"a bandwidth of {bandwidth_hz:g} Hz does not fit samples every {h * 1e3:.3g} ms.",
            f"Use more than 0 and less than {nyquist:.4g} Hz.",
        )
    smallest = 1.0 / (h * MOST_SAMPLES_A_PERIOD)
    if bandwidth_hz < smallest:
        raise BandwidthError(
            f"a bandwidth of {bandwidth_hz:g} Hz is too small for {1.0 / h:.4g} samples a second.",
            f"Use at least {smallest:.2g} Hz: a recording shorter than a period is made a straight line.",
        )
    return float((np.sqrt(2.0) - 1.0) / (h * (2.0 * np.pi * bandwidth_hz) ** 4))


def _shares(t: Array) -> Array:
    """Return the share of time (n,) of each sample, s."""
    step = np.diff(t)
    return np.concatenate([step[:1], 0.5 * (step[1:] + step[:-1]), step[-1:]])


def _straight_on(coefficients: Array, duration: float) -> Array:
    """Return the polynomials (4, m) that go straight on from the end of others, `duration` s after their start."""
    third, second, rate, value = coefficients
    end = value + duration * (rate + duration * (second + duration * third))
    slope = rate + duration * (2.0 * second + 3.0 * duration * third)
    return np.stack([np.zeros_like(end), np.zeros_like(end), slope, end])
