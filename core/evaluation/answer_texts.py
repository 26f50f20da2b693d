"""Answers to questions at one time: the numbers of a signal, and a sentence that says what they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from framescope.core.conventions.axes_in_words import axis_in_words
from framescope.core.conventions.axis_words import axis_name
from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_axes import body_axes_of
from framescope.core.evaluation.frame_cameras import camera_on
from framescope.core.evaluation.signal_curves import labels, plot_curves
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.signal_kinds import ANGLE_SIGNALS, AXIS_DIRECTIONS

COS_OF_AXIS = float(np.cos(np.radians(1.0)))
"""Cosine above which a direction is named by an axis alone."""

IN_PLANE = float(np.sin(np.radians(2.0)))
"""Smallest component of a unit vector up to which two axes name it."""

AT_REST = 1e-9
"""Magnitude below which a vector counts as zero, in the unit of its signal."""


def values_at(plan: Plan, signal: CompiledPlot, t: float) -> Array:
    """Return the components (k,) of a signal at a time, s, in its unit; NaN where it has no value.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.evaluation.signal_parser import parse_signal
    >>> from framescope.core.scene.schema.model import Scene
    >>> turn = {"form": "axis", "axis": "z", "angle": "90*t", "unit": "deg"}
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"dial": {"parent": "world", "orientation": turn}}})
    >>> signal = parse_signal("angular velocity of dial relative to world resolved in world in deg/s", scene)
    >>> values_at(compile_plan(scene), signal, 0.5).tolist()
    [0.0, 0.0, 90.0]
    >>> sentence_at(compile_plan(scene), signal, 0.5)
    'dial turns at 90°/s relative to world, about +z of world.'
    """
    return plot_curves(plan, replace(signal, also=()), np.array([t]))[0]


def sentence_at(plan: Plan, signal: CompiledPlot, t: float) -> str:
    """Return a sentence with the value of a signal at a time, s, such as the magnitude and direction of a vector.

    Vectors and rotations are told as a whole, other signals by the components that the signal names.
    """
    make = _SENTENCES.get(signal.signal)
    told = replace(signal, components=() if make is not None else signal.components, wrapped=(), also=())
    values = values_at(plan, told, t)
    if not np.isfinite(values).all():
        if signal.signal in _PIXELS:
            return f"{signal.relative_to} does not see {signal.of} at this time: it is not in front of its lens."
        return f"The {signal.signal} of {signal.of} is not known at this time." if signal.of else "Not known yet."
    return (make or _list_values)(plan, told, values)


def words_at(plan: Plan, signal: CompiledPlot, t: float) -> str:
    """Return where an axis looks at a time, s, in words; empty for other signals and without a pose.

    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.evaluation.signal_parser import parse_signal
    >>> from framescope.core.scene.schema.model import Scene
    >>> turn = {"form": "axis", "axis": "z", "angle": 90, "unit": "deg"}
    >>> frames = {"body_frd": {"parent": "world"}, "imu": {"parent": "body_frd", "orientation": turn}}
    >>> scene = Scene.model_validate({"framescope": 1, "frames": frames})
    >>> words_at(compile_plan(scene), parse_signal("direction of x of imu in body_frd", scene), 0.0)
    'along +y of body_frd: to the right'
    """
    if signal.signal not in AXIS_DIRECTIONS:
        return ""
    v = values_at(plan, replace(signal, components=()), t)
    return _look(plan, signal, v) if np.isfinite(v).all() else ""


def _look(plan: Plan, signal: CompiledPlot, v: Array) -> str:
    return axis_in_words(v, signal.relative_to, body_axes_of(plan, signal.relative_to))


def _axis_looks(plan: Plan, signal: CompiledPlot, v: Array) -> str:
    """Return the sentence on the direction of an axis."""
    return f"{signal.signal[-1]} of {signal.of} looks {_look(plan, signal, v)}."


def _number(value: float, signal: CompiledPlot) -> str:
    """Return a number with three or more significant digits and its unit."""
    text = (f"{value:.0f}" if abs(value) >= 1000.0 else f"{value:.3g}").replace("-", "−")
    unit = signal.unit.replace("deg", "°")
    return f"{text}{unit}" if unit.startswith("°") else f"{text} {unit}".rstrip()


def _direction(v: Array) -> str:
    """Return a direction in words if it lies on an axis or between two axes, otherwise its unit vector."""
    unit = v / np.linalg.norm(v)
    if np.abs(unit).min() > IN_PLANE and np.abs(unit).max() < COS_OF_AXIS:
        return f"({', '.join(f'{part:.3f}'.replace('-', '−') for part in unit.tolist())})"
    return axis_name(unit, COS_OF_AXIS)


def _vector(rest: str, at: str, along: str) -> Callable[[Plan, CompiledPlot, Array], str]:
    """Return the maker of the sentence of a vector: at rest, with its magnitude, and with its direction."""

    def make(_plan: Plan, signal: CompiledPlot, values: Array) -> str:
        size = float(np.linalg.norm(values))
        names = {"of": signal.of, "relative_to": signal.relative_to}
        if size < AT_REST:
            return rest.format_map(names)
        amount = at.format_map({**names, "size": _number(size, signal)})
        return f"{amount}, {along} {_direction(values)} of {signal.resolved_in}."

    return make


def _turns(_plan: Plan, signal: CompiledPlot, values: Array) -> str:
    """Return the turns of angles one after another."""
    axes = [f"{axis.lower()}{mark}" for axis, mark in zip(signal.sequence, ("", "′", "″"), strict=True)]
    turns = [f"{_number(value, signal)} about {axis}" for value, axis in zip(values, axes, strict=True)]
    return f"{signal.of} is turned from {signal.relative_to} by {turns[0]}, then {turns[1]}, then {turns[2]}."


def _rotation(_plan: Plan, signal: CompiledPlot, values: Array) -> str:
    """Return the one turn about one axis that a quaternion (4,), scalar last, describes."""
    v, w = values[:3], float(values[3])
    angle = np.degrees(2.0 * np.arctan2(np.linalg.norm(v), abs(w)))
    if angle < 1e-7:
        return f"{signal.of} has the orientation of {signal.relative_to}."
    axis = _direction(v if w >= 0.0 else -v)
    return f"{signal.of} is turned from {signal.relative_to} by {angle:.3g}° about one axis, along {axis}."


def _list_values(plan: Plan, signal: CompiledPlot, values: Array) -> str:
    """Return the values of a signal with the names of its components."""
    names = labels(plan, signal)
    of = f" of {signal.of}" if signal.of else ""
    what = f"The {signal.signal}{of}{f' relative to {signal.relative_to}' if signal.relative_to else ''}"
    if len(values) == 1:
        which = f", {names[0]}," if signal.components else ""
        return f"{what}{which} is {_number(float(values[0]), signal)}."
    pairs = (f"{name} {_number(float(value), signal)}" for name, value in zip(names, values, strict=True))
    return f"{what}: {', '.join(pairs)}."


_PIXELS = ("pixel", "port pixel")


def _pixel(plan: Plan, signal: CompiledPlot, values: Array) -> str:
    """Return the sentence on the pixel at which a camera sees something."""
    u, v = (f"{value:.1f}".replace("-", "−") for value in values.tolist())
    camera = camera_on(plan, signal.relative_to)
    if camera is not None and not camera.is_in_image(values * signal.factor):
        return f"{signal.of} is outside the image of {signal.relative_to}, at pixel ({u}, {v})."
    return f"{signal.relative_to} sees {signal.of} at pixel ({u}, {v})."


_SENTENCES: Mapping[str, Callable[[Plan, CompiledPlot, Array], str]] = {
    **dict.fromkeys(_PIXELS, _pixel),
    "position": _vector("{of} is at the origin of {relative_to}.", "{of} is {size} from {relative_to}", "along"),
    "velocity": _vector("{of} is at rest in {relative_to}.", "{of} moves at {size} relative to {relative_to}", "along"),
    "acceleration": _vector(
        "{of} does not accelerate in {relative_to}.", "{of} accelerates at {size} relative to {relative_to}", "along"
    ),
    "specific force": _vector(
        "{of} falls freely: it has no specific force.", "The specific force of {of} is {size}", "along"
    ),
    "angular velocity": _vector(
        "{of} does not turn in {relative_to}.", "{of} turns at {size} relative to {relative_to}", "about"
    ),
    "angular acceleration": _vector(
        "The rotation of {of} in {relative_to} is steady.",
        "The rotation of {of} in {relative_to} changes by {size}",
        "about",
    ),
    **dict.fromkeys(ANGLE_SIGNALS, _turns),
    "quaternion": _rotation,
    **dict.fromkeys(AXIS_DIRECTIONS, _axis_looks),
}
