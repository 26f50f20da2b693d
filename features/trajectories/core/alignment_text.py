"""Answer of an alignment in words: one sentence, and rows of values with their standard errors."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from framescope.core.conventions import roll_pitch_yaw_from_T, rotation_vector_from_T
from framescope.core.conventions.axes_in_words import axes_in_short
from framescope.core.errors import counted, visible_text
from framescope.core.kernels.validation import Array
from framescope.core.transform import Transform
from framescope.features.trajectories.core.align_streams import Alignment
from framescope.features.trajectories.core.blind_directions import axis_words
from framescope.features.trajectories.core.refinement import SLICES

MINUS = "\N{MINUS SIGN}"

NEAR_AXIS = math.radians(0.02)
"""Angle up to which an axis counts as along another, rad, unless its standard error is larger."""

ROUGH = math.radians(5.0)
"""Standard error from which an orientation is no longer named by axes, rad."""

LEAST_ERROR = 1e-7
"""Standard error of an angle that is told, rad."""

LEAST_SHOWN = 1e-6
"""Least standard error in tables, in their units."""

Row = tuple[str, str]
"""Label and text of a value."""


def sentence(alignment: Alignment) -> str:
    """Return the answer in one sentence, with the names of the frames.

    The offset that the form of the problem fixes is left out.
    """
    a, b = _names(alignment)
    if is_unknown(alignment):
        return f"The poses say nothing about how {b} is mounted on {a}."
    parts: list[str] = []
    if alignment.choice.hand == "eye to hand":
        camera = _pose(alignment.world, SLICES["world rotation"], alignment)
        target = _pose(alignment.body, SLICES["body rotation"], alignment)
        return _with_minus(f"{b} stands {camera} in {a}; the target is held {target} in the hand.")
    if alignment.choice.form != "same frame":
        parts.append(f"{b} is mounted on {a} {_pose(alignment.body, SLICES['body rotation'], alignment)}")
    if alignment.choice.form != "same world":
        parts.append(f"its reference is {_pose(alignment.world, SLICES['world rotation'], alignment)} in that of {a}")
    if alignment.scale != 1.0:
        parts.append(f"positions of {b} times {_number(alignment.scale, _error(alignment, 'scale') * alignment.scale)}")
    offset = alignment.clocks.offset_s
    if offset:
        by = _time(abs(offset), _error(alignment, "clock offset"))
        parts.append(f"stamps of {b} are {by} {'early' if offset > 0.0 else 'late'}")
    if alignment.clocks.drift:
        ppm = _number(1e6 * alignment.clocks.drift, 1e6 * _error(alignment, "clock drift"))
        parts.append(f"the clock of {b} drifts by {ppm} ppm")
    if not alignment.reading.is_plain and not alignment.choice.hand:
        parts.append(alignment.reading.words(a, b))
    return _with_minus(f"{'; '.join(parts)}.")


def _with_minus(text: str) -> str:
    return re.sub(r"(?<![\w-])-(?=\d)", MINUS, text)


def rows(alignment: Alignment) -> tuple[Row, ...]:
    """Return the values with their standard errors, a label and a text each."""
    return tuple(_rows(alignment))


def is_unknown(alignment: Alignment) -> bool:
    """Return whether nothing is known of the mounting, as of a body that neither turns nor moves."""
    return alignment.fit.is_mounting_unknown


def open_parts(alignment: Alignment) -> tuple[str, ...]:
    """Return a sentence on what the motion leaves open for each kind of motion; none if nothing is open."""
    reasons = dict.fromkeys(blind.why for blind in alignment.blind)
    return tuple(_open_sentence(why, [blind.what for blind in alignment.blind if blind.why == why]) for why in reasons)


def _open_sentence(why: str, parts: list[str]) -> str:
    *before, last = parts
    all_parts = f"{', '.join(before)} and {last}" if before else last
    return f"{_capital(why)}: {all_parts} {'stay' if before else 'stays'} unknown."


def summary(alignment: Alignment) -> str:
    """Return numbers of pairs and outliers, and the noise of the poses."""
    angle, distance = math.degrees(alignment.noise_angle), 1e3 * alignment.noise_position
    if is_unknown(alignment):
        return counted(alignment.n_pairs, "pair")
    left_out = f", {counted(alignment.n_outliers, 'outlier')} left out" if alignment.n_outliers else ""
    return f"{counted(alignment.n_pairs, 'pair')}{left_out}; noise {angle:.3g}° and {distance:.3g} mm"


def _rows(alignment: Alignment) -> Iterator[Row]:
    errors = alignment.errors
    for title, X, turn, place, is_fixed in (
        ("Mounting", alignment.body, SLICES["body rotation"], SLICES["body position"], "same frame"),
        ("World", alignment.world, SLICES["world rotation"], SLICES["world position"], "same world"),
    ):
        if alignment.choice.form == is_fixed:
            continue
        rpy = np.degrees(roll_pitch_yaw_from_T(X.R_AB.T))
        yield f"{title} rpy", f"{_vector(rpy, np.degrees(errors[turn]), '°')}"
        yield f"{title} xyz", f"{_vector(X.p_AB, errors[place], ' m')}"
    yield "Scale", _number(alignment.scale, alignment.scale * _error(alignment, "scale"))
    if alignment.fit.m.t is not None:
        yield "Clock", _time(alignment.clocks.offset_s, _error(alignment, "clock offset"))
        if alignment.clocks.drift:
            yield "Drift", f"{_number(1e6 * alignment.clocks.drift, 1e6 * _error(alignment, 'clock drift'))} ppm"
    if not alignment.choice.hand:
        yield "Reading", alignment.reading.words(*_names(alignment)) or "as written"


def _names(alignment: Alignment) -> tuple[str, str]:
    a, b = alignment.a, alignment.b
    return visible_text(a.frame or a.name), visible_text(b.frame or b.name)


def _error(alignment: Alignment, part: str) -> float:
    return float(alignment.errors[SLICES[part]][0])


def _pose(X: Transform, turn: slice, alignment: Alignment) -> str:
    """Return a pose in words: how it is turned, and its position, as far as they are known."""
    error = float(np.max(alignment.errors[turn]))
    within = f" (±{math.degrees(error):.2g}°)" if LEAST_ERROR < error < math.inf else ""
    if math.isinf(error):
        within = " (in part unknown)"
    place = alignment.errors[turn.stop : turn.stop + 3]
    if np.isinf(place).all():
        part = "body position" if turn == SLICES["body rotation"] else "world position"
        axes = next((blind.axes for blind in alignment.blind if blind.part == part), np.eye(3))
        x, y, z = np.round(X.p_AB, 6) + 0.0
        places = {
            1: f"at ({x:.4g}, {y:.4g}, {z:.4g}) m or anywhere along {axis_words(axes[0])}",
            2: "at a position that is unknown in two directions",
        }
        return f"{_turn(X.R_AB, error)}{within}, {places.get(len(axes), 'at an unknown position')}"
    coordinates = (
        f"{value:.4g}" if math.isfinite(own) else "unknown"
        for value, own in zip((np.round(X.p_AB, 6) + 0.0).tolist(), place.tolist(), strict=True)
    )
    return f"{_turn(X.R_AB, error)}{within}, at ({', '.join(coordinates)}) m"


def _turn(R: Array, error: float) -> str:
    """Return a rotation in words: by axes if they are along axes, else by one angle, else by roll, pitch and yaw."""
    reach = max(3.0 * error, NEAR_AXIS) if error < ROUGH else NEAR_AXIS
    if (np.abs(R).max(axis=0) > math.cos(reach)).all():
        return "not turned" if np.trace(R) > 2.5 else axes_in_short(R, "it", "").removesuffix(" in it")
    vector = rotation_vector_from_T(R.T)
    angle = float(np.linalg.norm(vector))
    axis = vector / angle
    if np.abs(axis).max() > math.cos(reach / max(math.sin(min(angle, 0.5 * math.pi)), reach)):
        k = int(np.argmax(np.abs(axis)))
        return f"turned by {math.degrees(angle) * np.sign(axis[k]):.4g}° about {'xyz'[k]}"
    roll, pitch, yaw = np.round(np.degrees(roll_pitch_yaw_from_T(R.T)), 4) + 0.0
    return f"turned by roll {roll:.4g}°, pitch {pitch:.4g}°, yaw {yaw:.4g}°"


def _vector(values: Array, errors: Array, unit: str) -> str:
    """Return three numbers with the digits of their largest standard error, and that error."""
    known = errors[np.isfinite(errors)]
    if not len(known):
        return "unknown"
    error = max(float(known.max(initial=0.0)), LEAST_SHOWN)
    digits = _digits(error)
    texts = (
        f"{value + 0.0:.{digits}f}" if math.isfinite(own) else "unknown"
        for value, own in zip(np.round(values, digits).tolist(), errors.tolist(), strict=True)
    )
    return f"{'  '.join(texts)}{unit}  ±{error:.1g}".replace("-", MINUS)


def _digits(error: float) -> int:
    return min(max(-math.floor(math.log10(error)), 0), 9)


def _number(value: float, error: float) -> str:
    """Return a number with the digits that its standard error leaves: ``0.1003 ±0.0004``.

    >>> _number(0.10034, 0.00042), _number(-1.5, 0.0), _number(2.0, math.inf)
    ('0.1003 ±0.0004', '−1.5', 'unknown')
    """
    if math.isinf(error):
        return "unknown"
    if not error > LEAST_SHOWN:
        return f"{(round(value, 9) if abs(value) > LEAST_SHOWN else value) + 0.0:.9g}".replace("-", MINUS)
    digits = _digits(error)
    return f"{round(value, digits) + 0.0:.{digits}f} ±{error:.1g}".replace("-", MINUS)


def _time(seconds: float, error: float) -> str:
    """Return a time with its standard error, in ms below a second.

    >>> _time(-0.0498, 0.0002), _time(1403636579.7638, 0.0002)
    ('−49.8 ±0.2 ms', '1403636579.7638 ±0.0002 s')
    """
    if math.isinf(error) or abs(seconds) < 1.0:
        return f"{_number(1e3 * seconds, 1e3 * error)} ms".replace("unknown ms", "unknown")
    return f"{_number(seconds, error)} s"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
