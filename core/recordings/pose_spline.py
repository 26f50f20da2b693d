"""Recorded poses, and the smoothing spline that provides their rates.

Raw differences of a recording give little but noise as angular velocity. A recording is therefore fitted once by
smoothing splines, with separate bandwidths for positions and for orientations. The splines provide poses and
velocities.
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
"""Largest deviation of a recorded quaternion's length from 1 at which it is normalised without a report."""


MAX_SAMPLES = 1_000_000
"""Largest number of samples of a recording. The fit takes some seconds and 700 MB, and the result 400 MB."""

MOST_SAMPLES_A_PERIOD = 1e9
"""Largest number of samples in a period of the bandwidth, up to which the accuracy of the spline was measured."""


class RecordingError(HintedError):
    """Error of a recording that cannot be used; the message states the fault and its place, `hint` the fix."""


class BandwidthError(RecordingError):
    """Error of a bandwidth that is not positive, or too large or too small for the sampling rate."""


@dataclass(frozen=True, eq=False)
class Recording:
    """Poses of a frame F in its parent P at times that start at 0.

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
    """Frequencies at which smoothing passes 1/sqrt(2) of the amplitude of positions and of orientations, Hz."""

    position_hz: float
    orientation_hz: float

    @property
    def largest_hz(self) -> float:
        """The larger bandwidth, Hz."""
        return max(self.position_hz, self.orientation_hz)

    @property
    def least_hz(self) -> float:
        """The smaller bandwidth, Hz."""
        return min(self.position_hz, self.orientation_hz)


@dataclass(frozen=True, eq=False)
class PoseSpline:
    """Smoothed recording: pose and velocities at any time. Outside of the recording, the end pose applies.

    Attributes
    ----------
    times : (n,)
        Times of the samples, s.
    coefficients : (4, n - 1, 7)
        Coefficients of position and quaternion as polynomials in the time since the previous sample, highest power
        first.
    """

    times: Array
    coefficients: Array

    @property
    def t_end(self) -> float:
        """Time of the last sample, s."""
        return float(self.times[-1])

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return len(self.times)

    def sample(self, t: Array) -> tuple[Array, Array, Array, Array, Array, Array]:
        """Return ``T_PF, p_PF, w_PF_F, v_PF, b_PF_F, a_PF`` at times (n,).

        Here `b` and `a` are the derivatives of `w` and `v`. The quaternion is the normalised value s of the spline,
        ``Q = s/|s|``. The angular velocity is ``w = 2 vec(conj(s) ⊗ s') / s·s``, because the component of s' along s
        cancels. The derivative of w is ``b = 2 vec(conj(s) ⊗ s'') / s·s - 2 (s·s' / s·s) w``. The second term comes
        from the changing length of s.
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
    """Fit smoothing splines with an amplitude response of 1/sqrt(2) at one or two bandwidths, Hz.

    Raises
    ------
    RecordingError
        When there are more than `MAX_SAMPLES`, or a bandwidth is not between a billionth and half of the sampling
        rate.

    Notes
    -----
    Position and quaternion components are fitted by cubic smoothing splines, minimising
    ``sum g_i |y_i - s(t_i)|² + lam ∫ |s''|²``. The weight `g_i` is the time that sample i represents, divided by the
    median step h. For a long record the spline is the low-pass filter ``1 / (1 + lam h ω⁴)``, whose -3 dB frequency is
    ``ω = ((sqrt(2) - 1) / (lam h))^¼``. Smoothing the four components and then normalising gives the same rotation in
    any axes, because a constant rotation of the fixed or the moving frame is an isometry of the components and commutes
    with the linear smoother. Quaternions need continuous signs.

    Spikes are replaced by the motion around them, and each jump starts a new spline, so that neither affects a rate.

    References
    ----------
    B. W. Silverman, "Spline smoothing: the equivalent variable kernel method", 1984.
    """
    pair = bandwidths if isinstance(bandwidths, Bandwidths) else Bandwidths(bandwidths, bandwidths)
    h = median(np.diff(recording.t))
    for hz in (pair.position_hz, pair.orientation_hz):
        _roughness_cost(hz, h)  # check bandwidths before the expensive steps
    return smooth_clean_recording(clean(recording), pair)


@dataclass(frozen=True, eq=False)
class CleanRecording:
    """Samples of a recording without spikes; the motion jumps after the samples with indices `after`."""

    t: Array
    p_PF: Array
    Q_PF: Array
    after: NDArray[np.intp]


def clean(recording: Recording) -> CleanRecording:
    """Remove spikes from a recording and locate its jumps; raise `RecordingError` when there are too many samples."""
    t = recording.t
    if len(t) > MAX_SAMPLES:
        raise RecordingError(
            f"the recording has {len(t)} samples, at most {MAX_SAMPLES} are fitted.",
            "Keep every n-th sample, or cut it into parts.",
        )
    p, Q = (outliers.remove_spikes(t, y) for y in (recording.p_PF, recording.Q_PF))
    return CleanRecording(t, p, Q, outliers.breaks(t, p, Q))


def smooth_clean_recording(recording: CleanRecording, bandwidths: Bandwidths) -> PoseSpline:
    """Fit splines to a cleaned recording, as `smooth` does."""
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
            splines = smoothing_spline(t[rows], p[rows], share, lam_p), smoothing_spline(t[rows], Q[rows], share, lam_Q)
            parts.append(np.concatenate(splines, axis=-1))
        if end < len(t):
            parts.append(_extend_straight(parts[-1][:, -1], t[end - 1] - t[end - 2])[:, np.newaxis])
    return PoseSpline(t, np.concatenate(parts, axis=1))


def _roughness_cost(bandwidth_hz: float, h: float) -> float:
    """Return the roughness penalty for a bandwidth with samples every `h` s; raise `BandwidthError` if invalid."""
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
    """Return the share of time (n,) that each sample represents, s."""
    step = np.diff(t)
    return np.concatenate([step[:1], 0.5 * (step[1:] + step[:-1]), step[-1:]])


def _extend_straight(coefficients: Array, duration: float) -> Array:
    """Return the tangents of polynomials at `duration`, s, as polynomials (4, m) that start there."""
    third, second, rate, value = coefficients
    end = value + duration * (rate + duration * (second + duration * third))
    slope = rate + duration * (2.0 * second + 3.0 * duration * third)
    return np.stack([np.zeros_like(end), np.zeros_like(end), slope, end])
