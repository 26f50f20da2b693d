"""Faults, mountings and comparisons in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.core.conventions.axis_words import axis_name
from framescope.core.kernels.validation import Array
from framescope.core.recordings.smoothing import two_digits
from framescope.features.detective.core.axis_changes import FRD_FLU, NED_ENU, AxisChange, changes

NEAR_AXES = math.radians(3.0)
"""Turn up to which axes count as those that they are near to, rad."""


def nearest_axes(M: Array) -> tuple[AxisChange, float]:
    """Return the change of axes nearest to an orthogonal matrix (3, 3), and the turn between them, rad."""
    is_proper = bool(np.linalg.det(M) > 0.0)
    best = max(changes(is_proper=is_proper), key=lambda change: float(np.sum(change.matrix * M)))
    return best, float(Rotation.from_matrix(M @ best.matrix.T).magnitude())


def axes_words(M: Array, sigma: float = 0.0) -> str:
    """Return a matrix (3, 3) by the axes along which its x, y and z read, or by its angles if it is not near to axes.

    >>> axes_words(np.array([[0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]]))
    '−y z −x'
    >>> axes_words(Rotation.from_euler("z", -30, degrees=True).as_matrix())
    'turned by 30° about +z'
    """
    change, turn = nearest_axes(M)
    if turn < max(NEAR_AXES, 3.0 * sigma):
        return change.short
    return turn_words(M.T)


def turn_words(R: Array) -> str:
    """Return a rotation (3, 3) by its angle and axis."""
    s = Rotation.from_matrix(R).as_rotvec()
    angle = float(np.linalg.norm(s))
    return f"turned by {three_digits(math.degrees(angle))}° about {axis_name(s / max(angle, 1e-12))}"


def change_words(change: AxisChange) -> str:
    """Return a change of axes by its usual name, else by its axes."""
    return {FRD_FLU: "FRD", NED_ENU: "NED"}.get(change, change.short)


def three_digits(number: float) -> str:
    """Format a number with three significant digits.

    >>> three_digits(37.2468), three_digits(120.0)
    ('37.2', '120')
    """
    return f"{float(f'{number:.3g}'):g}"


def percent_words(part: float) -> str:
    """Return a part in percent with two digits.

    >>> percent_words(0.763), percent_words(0.998), percent_words(1e-7)
    ('76 %', '100 %', 'less than 0.1 %')
    """
    return f"{three_digits(float(f'{100.0 * part:.2g}'))} %" if part >= 1e-3 else "less than 0.1 %"


def time_words(stretch: tuple[float, float]) -> str:
    """Return a stretch of time.

    >>> time_words((12.0, 18.46))
    '12.0 to 18.5 s'
    """
    return f"{stretch[0]:.1f} to {stretch[1]:.1f} s"


def delay_words(delay: float) -> str:
    """Return a delay of stamps.

    >>> delay_words(0.038), delay_words(-0.2)
    ('38 ms late', '200 ms early')
    """
    return f"{three_digits(abs(delay) * 1e3)} ms {'late' if delay > 0 else 'early'}"


def drift_words(drift: float) -> str:
    """Return the rate of a clock.

    >>> drift_words(2e-4)
    'with a clock that gains 200 µs per second'
    """
    return f"with a clock that {'gains' if drift > 0 else 'loses'} {three_digits(abs(drift) * 1e6)} µs per second"


def vector_words(v: Array, unit: str) -> str:
    """Return a vector with two digits of its largest component.

    >>> vector_words(np.array([0.0512, 0.0, -0.01]), "rad/s")
    '(0.051, 0, −0.01) rad/s'
    """
    step = 10.0 ** (math.floor(math.log10(float(np.abs(v).max()))) - 1)
    parts = (f"{round(float(x) / step) * step + 0.0:.6g}".replace("-", "−") for x in v)
    return f"({', '.join(parts)}) {unit}"


def listed(names: Iterable[str], word: str = "and") -> str:
    """Return names in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    every = list(names)
    return every[0] if len(every) == 1 else f"{', '.join(every[:-1])} {word} {every[-1]}"


def direction_words(v: Array) -> str:
    """Return a direction as an axis without sign.

    >>> direction_words(np.array([0.0, 0.0, -1.0])), direction_words(np.array([0.8, 0.0, 0.6]))
    ('z', '(0.8, 0, 0.6)')
    """
    k = int(np.argmax(np.abs(v)))
    if abs(v[k]) > 0.97:
        return "xyz"[k]
    v = v * np.sign(v[k])
    return "(" + ", ".join(f"{float(x):.1g}".replace("-", "−") for x in np.where(np.abs(v) < 0.05, 0.0, v)) + ")"


def signed_words(v: Array) -> str:
    """Return a direction as an axis with its sign.

    >>> signed_words(np.array([0.0, 0.0, -1.0])), signed_words(np.array([-0.8, 0.0, 0.6]))
    ('−z', '−(0.8, 0, −0.6)')
    """
    sign = "−" if v[int(np.argmax(np.abs(v)))] < 0.0 else ""
    return f"{sign}{direction_words(v)}"


def open_turn_words(R: Array, directions: Sequence[Array], sigma: float) -> str:
    """Return what is known of a turn (3, 3) of a sensor about some of whose directions anything is as likely.

    Parameters
    ----------
    R
        The turn, from the stated axes to those of the sensor.
    directions
        The open directions (3,), along the axes of the sensor.
    sigma
        Standard error about the other directions, rad.

    Examples
    --------
    >>> R = Rotation.from_euler("x", 180, degrees=True).as_matrix()
    >>> open_turn_words(R, [np.array([0.0, 0.0, 1.0])], 0.01)
    'mounted with its z along −z (±0.57°), its turn about z open'
    >>> open_turn_words(R, np.eye(3)[1:], 0.01)
    'mounted otherwise than stated, its turns about y and z open'
    """
    if len(directions) == 1:
        d = directions[0] * np.sign(directions[0][int(np.argmax(np.abs(directions[0])))])
        along, about = signed_words(R.T @ d), direction_words(d)
        return f"mounted with its {about} along {along} (±{degrees_words(sigma)}), its turn about {about} open"
    return f"mounted otherwise than stated, its turns about {listed(map(direction_words, directions))} open"


def degrees_words(angle: float) -> str:
    """Return an angle in degrees with two digits."""
    return f"{two_digits(math.degrees(angle))}°"


def sentence_of(subject: str, words: Sequence[str], stretch: tuple[float, float] | None) -> str:
    """Return a sentence about faults of a subject.

    >>> sentence_of("angular velocity of /imu", ["in degrees per second"], (2.0, 9.0))
    'angular velocity of /imu is in degrees per second; proven by 2.0 to 9.0 s.'
    """
    proof = f"; proven by {time_words(stretch)}" if stretch is not None else ""
    return f"{subject} is {', '.join(words)}{proof}."
