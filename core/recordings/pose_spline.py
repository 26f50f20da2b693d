"""Recorded poses, and the smoothing spline that gives them rates.

Angular velocity from raw differences of a recording is noise. A recording is therefore fitted once by
a smoothing spline of stated bandwidth, and poses and velocities are those of the spline.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.errors import HintedError
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, median
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
        value, first, second = piecewise_polynomial.sampled(self.times, self.coefficients, t)
        s, ds, dds = value[..., 3:], first[..., 3:], second[..., 3:]
        norm2 = linear_algebra.squared_norm(s)[..., np.newaxis]
        T = linear_algebra.matrix_from_quaternion(s / np.sqrt(norm2))
        w = linear_algebra.velocity2_of_quaternion(s, ds) / norm2
        along = 2.0 * (s * ds).sum(axis=-1, keepdims=True) / norm2
        b = linear_algebra.velocity2_of_quaternion(s, dds) / norm2 - along * w
        return T, value[..., :3], w, first[..., :3], b, second[..., :3]


def smooth(recording: Recording, bandwidth_hz: float) -> PoseSpline:
    """Fit the smoothing spline whose amplitude response is 1/sqrt(2) at `bandwidth_hz`.

    Raises
    ------
    RecordingError
        When there are more than `MAX_SAMPLES`, or the bandwidth is not between a billionth and half of the sampling
        rate.

    Notes
    -----
    Position and quaternion components are fitted by cubic smoothing splines, minimising
    ``sum g_i |y_i - s(t_i)|² + lam ∫ |s''|²`` with `g` the local share of time of each sample over the
    median step h. For a long record that is the low-pass filter ``1 / (1 + lam h ω⁴)``, so that ω at -3 dB is
    ``((sqrt(2) - 1) / (lam h))^¼``. Smoothing the four components and normalising is the same from either
    side: turning the fixed or the moving frame by a constant rotation is an isometry of the
    components, which the linear smoother commutes with. It needs signs that are continuous.

    References
    ----------
    B. W. Silverman, "Spline smoothing: the equivalent variable kernel method", 1984.
    """
    if len(recording.t) > MAX_SAMPLES:
        raise RecordingError(
            f"the recording has {len(recording.t)} samples, at most {MAX_SAMPLES} are fitted.",
            "Keep every n-th sample, or cut it into parts.",
        )
    step = np.diff(recording.t)
    h = median(step)
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
    lam = (np.sqrt(2.0) - 1.0) / (h * (2.0 * np.pi * bandwidth_hz) ** 4)
    share = np.empty(len(recording.t))
    share[0], share[-1] = step[0], step[-1]
    share[1:-1] = 0.5 * (step[1:] + step[:-1])
    signals = np.hstack([recording.p_PF, recording.Q_PF])
    return PoseSpline(recording.t, smoothing_spline(recording.t, signals, share / h, float(lam)))
