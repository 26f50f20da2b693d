"""Recorded poses, interpolated through every sample."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.recordings.pose_spline import PoseSpline, Recording
from framescope.core.time_functions import piecewise_polynomial


@dataclass(frozen=True, eq=False)
class SampledPoses:
    """Poses that pass exactly through the samples; outside of the recording, the end pose applies.

    Attributes
    ----------
    t : (n,)
        Times of the samples, s.
    y, slopes : (n, 7)
        Position and quaternion at each sample, and their time derivatives.
    """

    t: Array
    y: Array
    slopes: Array

    def time_of(self, t: Array, start: float) -> Array:
        """Convert scene times (n,) to times since the first sample, which is at `start`, s.

        The scene time of a sample is converted exactly to the time of that sample, without rounding.
        """
        since = t - start
        if start == 0.0:
            return since
        i = piecewise_polynomial.interval(self.t, since)
        for k in (i, np.minimum(i + 1, len(self.t) - 1)):
            since = np.where(start + self.t[k] == t, self.t[k], since)
        return since

    def poses(self, t: Array) -> tuple[Array, Array]:
        """Return ``T_PF, p_PF`` at times (n,); single calls and one call with many times give the same bits."""
        i = piecewise_polynomial.interval(self.t, t)
        h = self.t[i + 1] - self.t[i]
        u = (np.clip(t, self.t[0], self.t[-1]) - self.t[i]) / h
        v = 1.0 - u
        across, leaving, arriving = (
            part[:, np.newaxis] for part in (u**2 * (1.0 + 2.0 * v), h * u * v**2, h * u**2 * v)
        )
        before, after = self.y[i], self.y[i + 1]
        y = before + across * (after - before) + (leaving * self.slopes[i] - arriving * self.slopes[i + 1])
        y = np.where((v == 0.0)[:, np.newaxis], after, y)
        Q = y[:, 3:]
        is_sample = (u == 0.0) | (v == 0.0)  # samples have unit length already
        length = np.where(is_sample, 1.0, np.sqrt(linear_algebra.squared_norm(Q)))
        return linear_algebra.matrix_from_quaternion(Q / length[:, np.newaxis]), y[:, :3]


def through(recording: Recording) -> SampledPoses:
    """Interpolate the poses through all samples of a recording.

    Notes
    -----
    Between two samples, position and quaternion components are cubic Hermite polynomials. The slope at each sample is
    the slope of the chord from the previous to the next sample. Quaternions are normalised. The interpolation is linear
    in the components, so the result does not depend on the choice of frames, as in
    `framescope.core.recordings.pose_spline.smooth`. Noise of a sample spreads two steps to either side and is not
    amplified. For evenly spaced samples without noise, the error is a tenth to a fiftieth of the error of linear
    interpolation. A gap is crossed almost straight, because the slopes at its ends come from the chord across the gap.

    References
    ----------
    E. Catmull, R. Rom, "A class of local interpolating splines", Computer Aided Geometric Design, 1974.

    Examples
    --------
    >>> t, Q = np.arange(5.0), np.tile([0.0, 0.0, 0.0, 1.0], (5, 1))
    >>> through(Recording(t, np.stack([t, t**2, 0 * t], axis=-1), Q)).poses(np.array([2.0, 2.5, 9.0]))[1]
    array([[ 2.  ,  4.  ,  0.  ],
           [ 2.5 ,  6.25,  0.  ],
           [ 4.  , 16.  ,  0.  ]])
    """
    t, y = recording.t, np.hstack([recording.p_PF, recording.Q_PF])
    slopes = np.empty_like(y)
    with np.errstate(over="ignore"):  # samples of a damaged file may be extremely close in time
        slopes[1:-1] = (y[2:] - y[:-2]) / (t[2:] - t[:-2])[:, np.newaxis]
        slopes[0], slopes[-1] = ((y[k + 1] - y[k]) / (t[k + 1] - t[k]) for k in (0, len(t) - 2))
    return SampledPoses(t, y, slopes)


@dataclass(frozen=True)
class Deviation:
    """Deviation of a smoothed recording from its samples.

    Attributes
    ----------
    position_rms, position_most
        Root mean square and largest distance of the positions, m.
    position_time
        Time of the largest distance since the first sample, s.
    angle_rms, angle_most
        Root mean square and largest angle between the orientations, rad.
    angle_time
        Time of the largest angle since the first sample, s.
    """

    position_rms: float
    position_most: float
    position_time: float
    angle_rms: float
    angle_most: float
    angle_time: float


def deviation(recording: Recording, spline: PoseSpline) -> Deviation:
    """Return the deviation of a spline from the samples of its recording."""
    y = np.concatenate([spline.coefficients[-1], _end(spline)[np.newaxis]])
    distance = np.sqrt(((y[:, :3] - recording.p_PF) ** 2).sum(axis=-1))
    s = y[:, 3:] / np.sqrt(linear_algebra.squared_norm(y[:, 3:]))[:, np.newaxis]
    chord = np.sqrt(linear_algebra.squared_norm(s - recording.Q_PF))
    angle: Array = 4.0 * np.arcsin(np.minimum(0.5 * chord, 1.0))
    i, k = int(np.argmax(distance)), int(np.argmax(angle))
    return Deviation(
        math.sqrt(float((distance**2).mean())), float(distance[i]), float(recording.t[i]),
        math.sqrt(float((angle**2).mean())), float(angle[k]), float(recording.t[k]),
    )  # fmt: skip


def _end(spline: PoseSpline) -> Array:
    return piecewise_polynomial.sample_polynomials(spline.times, spline.coefficients, spline.times[-1:])[0][0]
