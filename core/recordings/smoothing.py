"""How a recording is smoothed for its rates, how far that is from its samples, and what is said of both."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import median
from framescope.core.recordings import pose_spline, sample_noise, sampled_poses
from framescope.core.recordings.pose_spline import Bandwidths, CleanRecording, PoseSpline, Recording
from framescope.core.recordings.sample_noise import RateAccuracy, Spectra
from framescope.core.recordings.sampled_poses import Deviation

MUCH = 0.1
"""The part of the rms rate that may be lost in smoothing without a word."""

NOISE = 3.0
"""Deviations of so many times the noise of the samples are more than that."""

RATE_SHARE = 0.1
"""Bandwidth of a recording too short to know its noise, of its sampling rate."""

EXACT = 1e-9
"""Deviations below, m and rad, are rounding."""


@dataclass(frozen=True)
class Smoothing:
    """Smoothing of a recording.

    Attributes
    ----------
    bandwidths
        Where the amplitude falls to 1/sqrt(2).
    is_estimated
        Whether a bandwidth is that of the noise, as it is not stated.
    of_pose
        Whether the pose is smoothed, too, and not that of the samples.
    deviation
        How far the smoothed motion is from the samples.
    accuracy
        What is expected of the rates; None where there are too few samples to know.
    """

    bandwidths: Bandwidths
    is_estimated: bool
    of_pose: bool
    deviation: Deviation
    accuracy: RateAccuracy | None

    @property
    def is_exact(self) -> bool:
        """Whether the smoothed motion goes through the samples but for rounding."""
        return max(self.deviation.position_most, self.deviation.angle_most) < EXACT

    @property
    def loses_motion(self) -> bool:
        """Whether the smoothing takes more than noise away: a tenth of the rms rate."""
        return self.accuracy is not None and self.accuracy.lost > MUCH and self.excess > NOISE

    @property
    def excess(self) -> float:
        """How many times the noise of the samples the rms deviation is, the larger of position and orientation."""
        if self.accuracy is None:
            return 0.0
        off, noise = self.deviation, self.accuracy
        pairs = ((off.position_rms, noise.position_noise), (off.angle_rms, noise.angle_noise))
        return max((rms / (math.sqrt(3.0) * max(own, EXACT)) for rms, own in pairs if rms > 1e3 * EXACT), default=0.0)


@dataclass(frozen=True)
class Stated:
    """Bandwidths that are stated, Hz; None where the noise says. Orientations have that of positions if none alone."""

    position_hz: float | None = None
    orientation_hz: float | None = None

    def filled(self, usual: Bandwidths) -> Bandwidths:
        """Return the stated bandwidths, those of the noise in place of what is not stated.

        >>> Stated(None, 3.0).filled(Bandwidths(1.0, 2.0)), Stated(4.0).filled(Bandwidths(1.0, 2.0))
        (Bandwidths(position_hz=1.0, orientation_hz=3.0), Bandwidths(position_hz=4.0, orientation_hz=4.0))
        """
        orientation_hz = self.orientation_hz or self.position_hz
        return Bandwidths(self.position_hz or usual.position_hz, orientation_hz or usual.orientation_hz)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to the noise."""
        return self.position_hz is not None


def fit(recording: Recording, stated: Stated) -> tuple[PoseSpline, Smoothing]:
    """Return the smoothing splines of a recording, and how they smooth: by the noise where no bandwidth is stated.

    Raises `RecordingError` as `framescope.core.recordings.pose_spline.smooth` does.
    """
    cleaned = pose_spline.clean(recording)
    spectra = sample_noise.spectra_of(cleaned)
    bandwidths = stated.filled(_usual_bandwidths(cleaned, spectra))
    spline = pose_spline.smooth_cleaned(cleaned, bandwidths)
    accuracy = None if spectra is None else sample_noise.accuracy_at(spectra, bandwidths)
    off, is_estimated = sampled_poses.deviation(recording, spline), not stated.is_whole
    return spline, Smoothing(bandwidths, is_estimated, of_pose=False, deviation=off, accuracy=accuracy)


def usual_bandwidths(recording: Recording) -> Bandwidths:
    """Return the bandwidths of a recording for which none is stated: by its noise, else by its sampling rate."""
    cleaned = pose_spline.clean(recording)
    return _usual_bandwidths(cleaned, sample_noise.spectra_of(cleaned))


def _usual_bandwidths(recording: CleanRecording, spectra: Spectra | None) -> Bandwidths:
    by_rate = RATE_SHARE / median(np.diff(recording.t))
    by_noise = None if spectra is None else sample_noise.best_bandwidths(spectra)
    return by_noise or Bandwidths(by_rate, by_rate)


def motion_words(smoothing: Smoothing) -> str:
    """Return what a number is of that has a rate in it.

    >>> from framescope.core.recordings.sampled_poses import Deviation
    >>> motion_words(Smoothing(Bandwidths(5.0, 5.0), False, False, Deviation(3e-4, 2e-3, 1.5, 0.0, 0.0, 0.0), None))
    'of the motion smoothed at 5 Hz, 0.3 mm rms from the samples'
    """
    at = bandwidth_words(smoothing.bandwidths)
    return f"of the motion smoothed at {at}, {rms_words(smoothing.deviation)} from the samples"


def bandwidth_words(bandwidths: Bandwidths) -> str:
    """Return two bandwidths in words, one where both are the same.

    >>> bandwidth_words(Bandwidths(0.41, 3.0))
    '0.41 Hz in position and 3 Hz in orientation'
    """
    position, orientation = f"{bandwidths.position_hz:.3g} Hz", f"{bandwidths.orientation_hz:.3g} Hz"
    return position if position == orientation else f"{position} in position and {orientation} in orientation"


def rms_words(deviation: Deviation) -> str:
    """Return the root mean square of a deviation in words."""
    parts = [_length(deviation.position_rms)] if deviation.position_most >= EXACT else []
    parts += [_angle(deviation.angle_rms)] if deviation.angle_most >= EXACT else []
    return " and ".join(parts or ["0 mm"]) + " rms"


def deviation_words(deviation: Deviation, start: float = 0.0) -> str:
    """Return a deviation in words, with the times at which it is largest; the first sample is at `start`, s.

    >>> from framescope.core.recordings.sampled_poses import Deviation
    >>> deviation_words(Deviation(3e-4, 2.9, 1.5, 1e-4, 1e-3, 2.0))
    '0.3 mm rms, at most 2.9 m at 1.50 s; 0.0057° rms, at most 0.057° at 2.00 s'
    """
    parts: list[str] = []
    if deviation.position_most >= EXACT:
        rms, most = _length(deviation.position_rms), _length(deviation.position_most)
        parts.append(f"{rms} rms, at most {most} at {start + deviation.position_time:.2f} s")
    if deviation.angle_most >= EXACT:
        rms, most = _angle(deviation.angle_rms), _angle(deviation.angle_most)
        parts.append(f"{rms} rms, at most {most} at {start + deviation.angle_time:.2f} s")
    return "; ".join(parts) or "none"


def facts(smoothing: Smoothing, start: float = 0.0) -> tuple[str, ...]:
    """Return what pose and rates of a recording are, how far that is from the samples, and what is assumed.

    >>> from framescope.core.recordings.sampled_poses import Deviation
    >>> off = Deviation(3e-4, 2e-3, 1.5, 0.0, 0.0, 0.0)
    >>> for fact in facts(Smoothing(Bandwidths(5.0, 5.0), False, False, off, None)):
    ...     print(fact)
    pose: the samples, exactly
    rates: smoothed at 5 Hz, as stated
    off the samples: 0.3 mm rms, at most 2 mm at 1.50 s
    """
    hz, accuracy = f"smoothed at {bandwidth_words(smoothing.bandwidths)}", smoothing.accuracy
    whence = "where they are most accurate" if smoothing.is_estimated else "as stated"
    if accuracy is None and smoothing.is_estimated:
        whence = "a tenth of the sampling rate: too few samples to know their noise"
    found = [
        "pose: smoothed, too" if smoothing.of_pose else "pose: the samples, exactly",
        f"rates: {hz}, {whence}",
        f"off the samples: {deviation_words(smoothing.deviation, start)}",
    ]
    if accuracy is not None:
        noise = f"{_length(accuracy.position_noise)} and {_angle(accuracy.angle_noise)} in each direction"
        v, w = _length(accuracy.velocity_error), _angle(accuracy.angular_velocity_error)
        found.append(f"noise of the samples: {noise}, taken as white and even over time")
        found.append(f"expected error of rates: {v}/s and {w}/s rms, away from the ends")
    return tuple(found)


def _length(metres: float) -> str:
    return f"{_two(metres)} m" if metres >= 1.0 else f"{_two(1e3 * metres)} mm"


def _angle(radians: float) -> str:
    return f"{_two(math.degrees(radians))}°"


def _two(number: float) -> str:
    """Return a number to two digits.

    >>> _two(153.2), _two(0.0123)
    ('150', '0.012')
    """
    return f"{float(f'{number:.2g}'):g}"
