"""Smoothing of a recording for its rates: bandwidths, deviation from the samples, and their description in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import median
from framescope.core.recordings import pose_spline, sample_noise, sampled_poses
from framescope.core.recordings.pose_spline import Bandwidths, CleanRecording, PoseSpline, Recording
from framescope.core.recordings.sample_noise import RateAccuracy, Spectra
from framescope.core.recordings.sampled_poses import Deviation

LOST_RATE = 0.1
"""Fraction of the rms rate that smoothing may remove before it is reported."""

NOISE_RATIO = 3.0
"""Deviation above which smoothing removes motion and not just noise, as a multiple of the sample noise."""

RATE_SHARE = 0.1
"""Default bandwidth of recordings that are too short for a noise estimate, as a fraction of the sampling rate."""

NUMBERED = "poses without times, numbered one a second"
"""Description of poses whose rates have no meaning."""

ROUNDING = 1e-9
"""Deviation below which the smoothed motion counts as passing through the samples, m and rad."""


@dataclass(frozen=True)
class Smoothing:
    """Smoothing of a recording.

    Attributes
    ----------
    bandwidths
        Frequencies at which the amplitude falls to 1/sqrt(2).
    is_estimated
        Whether a bandwidth is estimated from the noise because the scene states none.
    of_pose
        Whether the pose is smoothed, too. Otherwise the pose passes through the samples.
    deviation
        Deviation of the smoothed motion from the samples.
    accuracy
        Expected accuracy of the rates; None when there are too few samples for an estimate.
    is_numbered
        Whether the times only number the samples, as images of a reconstruction: then no rate has a meaning.
    """

    bandwidths: Bandwidths
    is_estimated: bool
    of_pose: bool
    deviation: Deviation
    accuracy: RateAccuracy | None
    is_numbered: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether the smoothed motion passes through the samples, apart from rounding."""
        return max(self.deviation.position_most, self.deviation.angle_most) < ROUNDING

    @property
    def loses_motion(self) -> bool:
        """Whether smoothing removes more than noise: over a tenth of the rms rate."""
        return self.accuracy is not None and self.accuracy.lost > LOST_RATE and self.excess > NOISE_RATIO

    @property
    def excess(self) -> float:
        """Ratio of the rms deviation to the sample noise, the larger of position and orientation."""
        if self.accuracy is None:
            return 0.0
        off, noise = self.deviation, self.accuracy
        pairs = ((off.position_rms, noise.position_noise), (off.angle_rms, noise.angle_noise))
        return max(
            (rms / (math.sqrt(3.0) * max(own, ROUNDING)) for rms, own in pairs if rms > 1e3 * ROUNDING), default=0.0
        )


@dataclass(frozen=True)
class Stated:
    """Bandwidths stated in the scene file, Hz; None if missing.

    Orientations without a bandwidth take the stated bandwidth of the positions. Other missing bandwidths are estimated
    from the noise.
    """

    position_hz: float | None = None
    orientation_hz: float | None = None

    def complete(self, usual: Bandwidths) -> Bandwidths:
        """Return the stated bandwidths, with defaults from `usual` for missing bandwidths.

        >>> Stated(None, 3.0).complete(Bandwidths(1.0, 2.0)), Stated(4.0).complete(Bandwidths(1.0, 2.0))
        (Bandwidths(position_hz=1.0, orientation_hz=3.0), Bandwidths(position_hz=4.0, orientation_hz=4.0))
        """
        orientation_hz = self.orientation_hz or self.position_hz
        return Bandwidths(self.position_hz or usual.position_hz, orientation_hz or usual.orientation_hz)

    @property
    def is_whole(self) -> bool:
        """Whether all bandwidths are stated."""
        return self.position_hz is not None


def fit(recording: Recording, stated: Stated) -> tuple[PoseSpline, Smoothing]:
    """Fit smoothing splines to a recording, with missing bandwidths estimated from the noise.

    Raises `RecordingError` as `framescope.core.recordings.pose_spline.smooth` does.
    """
    cleaned = pose_spline.clean(recording)
    spectra = sample_noise.spectra_of(cleaned)
    bandwidths = stated.complete(_usual_bandwidths(cleaned, spectra))
    spline = pose_spline.smooth_clean_recording(cleaned, bandwidths)
    accuracy = None if spectra is None else sample_noise.accuracy_at(spectra, bandwidths)
    off, is_estimated = sampled_poses.deviation(recording, spline), not stated.is_whole
    return spline, Smoothing(bandwidths, is_estimated, of_pose=False, deviation=off, accuracy=accuracy)


def usual_bandwidths(recording: Recording) -> Bandwidths:
    """Return the default bandwidths of a recording, from its noise or, if it is too short, from its sampling rate."""
    cleaned = pose_spline.clean(recording)
    return _usual_bandwidths(cleaned, sample_noise.spectra_of(cleaned))


def _usual_bandwidths(recording: CleanRecording, spectra: Spectra | None) -> Bandwidths:
    by_rate = RATE_SHARE / median(np.diff(recording.t))
    by_noise = None if spectra is None else sample_noise.best_bandwidths(spectra)
    return by_noise or Bandwidths(by_rate, by_rate)


def motion_words(smoothing: Smoothing) -> str:
    """Describe the motion from which a rate is computed.

    >>> from framescope.core.recordings.sampled_poses import Deviation
    >>> motion_words(Smoothing(Bandwidths(5.0, 5.0), False, False, Deviation(3e-4, 2e-3, 1.5, 0.0, 0.0, 0.0), None))
    'of the motion smoothed at 5 Hz, 0.3 mm rms from the samples'
    """
    if smoothing.is_numbered:
        return f"of {NUMBERED}"
    at = bandwidth_words(smoothing.bandwidths)
    return f"of the motion smoothed at {at}, {rms_words(smoothing.deviation)} from the samples"


def bandwidth_words(bandwidths: Bandwidths) -> str:
    """Describe two bandwidths, by one number if they are equal.

    >>> bandwidth_words(Bandwidths(0.41, 3.0))
    '0.41 Hz in position and 3 Hz in orientation'
    """
    position, orientation = f"{bandwidths.position_hz:.3g} Hz", f"{bandwidths.orientation_hz:.3g} Hz"
    return position if position == orientation else f"{position} in position and {orientation} in orientation"


def rms_words(deviation: Deviation) -> str:
    """Describe the root mean square of a deviation."""
    parts = [_length(deviation.position_rms)] if deviation.position_most >= ROUNDING else []
    parts += [_angle(deviation.angle_rms)] if deviation.angle_most >= ROUNDING else []
    return " and ".join(parts or ["0 mm"]) + " rms"


def deviation_words(deviation: Deviation, start: float = 0.0) -> str:
    """Describe a deviation and the times of its maxima; the first sample is at `start`, s.

    >>> from framescope.core.recordings.sampled_poses import Deviation
    >>> deviation_words(Deviation(3e-4, 2.9, 1.5, 1e-4, 1e-3, 2.0))
    '0.3 mm rms, at most 2.9 m at 1.50 s; 0.0057° rms, at most 0.057° at 2.00 s'
    """
    parts: list[str] = []
    if deviation.position_most >= ROUNDING:
        rms, most = _length(deviation.position_rms), _length(deviation.position_most)
        parts.append(f"{rms} rms, at most {most} at {start + deviation.position_time:.2f} s")
    if deviation.angle_most >= ROUNDING:
        rms, most = _angle(deviation.angle_rms), _angle(deviation.angle_most)
        parts.append(f"{rms} rms, at most {most} at {start + deviation.angle_time:.2f} s")
    return "; ".join(parts) or "none"


def facts(smoothing: Smoothing, start: float = 0.0) -> tuple[str, ...]:
    """Describe how pose and rates of a recording are computed, their deviation from the samples, and the assumptions.

    >>> from framescope.core.recordings.sampled_poses import Deviation
    >>> off = Deviation(3e-4, 2e-3, 1.5, 0.0, 0.0, 0.0)
    >>> for fact in facts(Smoothing(Bandwidths(5.0, 5.0), False, False, off, None)):
    ...     print(fact)
    pose: the samples, exactly
    rates: smoothed at 5 Hz, as stated
    off the samples: 0.3 mm rms, at most 2 mm at 1.50 s
    """
    if smoothing.is_numbered and not smoothing.of_pose:
        return ("pose: the samples, exactly", f"time: {NUMBERED}")
    hz, accuracy = f"smoothed at {bandwidth_words(smoothing.bandwidths)}", smoothing.accuracy
    whence = "where they are most accurate" if smoothing.is_estimated else "as stated"
    if accuracy is None and smoothing.is_estimated:
        whence = "a tenth of the sampling rate: too few samples to know their noise"
    lines = [
        "pose: smoothed, too" if smoothing.of_pose else "pose: the samples, exactly",
        f"rates: {hz}, {whence}",
        f"off the samples: {deviation_words(smoothing.deviation, start)}",
    ]
    if accuracy is not None:
        noise = f"{_length(accuracy.position_noise)} and {_angle(accuracy.angle_noise)} in each direction"
        v, w = _length(accuracy.velocity_error), _angle(accuracy.angular_velocity_error)
        lines.append(f"noise of the samples: {noise}, taken as white and even over time")
        lines.append(f"expected error of rates: {v}/s and {w}/s rms, away from the ends")
    return tuple(lines)


def _length(metres: float) -> str:
    return f"{two_digits(metres)} m" if metres >= 1.0 else f"{two_digits(1e3 * metres)} mm"


def _angle(radians: float) -> str:
    return f"{two_digits(math.degrees(radians))}°"


def two_digits(number: float) -> str:
    """Format a number with two significant digits.

    >>> two_digits(153.2), two_digits(0.0123)
    ('150', '0.012')
    """
    return f"{float(f'{number:.2g}'):g}"
