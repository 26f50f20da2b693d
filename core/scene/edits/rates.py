"""The constant rates of authored angles: an angle that runs evenly is written ``5*t + 20``."""

from __future__ import annotations

import re

from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.edits.orientation_forms.rotate import LETTERS, RefusedError
from framescope.core.scene.edits.orientation_forms.values import angle_factor
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.plain_scalars import number_text
from framescope.core.scene.schema.poses import Axes
from framescope.core.time_functions.expression_rewriting import split_constant

DECIMALS = 12
_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_EVEN = re.compile(rf"([+-]?)\s*(?:({_NUMBER})\s*\*\s*t|t\s*\*\s*({_NUMBER})|t)")

_CONSTANT_FIRST = re.compile(rf"[+-]?{_NUMBER}(?=\s*[+-])\s*")


def even_parts(signal: float | str) -> tuple[float, float] | None:
    """Return rate and constant of an angle that is a number, or a number times t with or without a constant.

    None for any other expression, one with a named parameter among them: it is not to be rewritten.

    Examples
    --------
    >>> even_parts("5*t - 20"), even_parts("1 - 2*t"), even_parts(3.0), even_parts("-t"), even_parts("sin(t)")
    ((5.0, -20.0), (-2.0, 1.0), (0.0, 3.0), (-1.0, 0.0), None)
    """
    if not isinstance(signal, str):
        return 0.0, signal
    rest, constant = split_constant(signal)
    before = _CONSTANT_FIRST.match(rest)
    if before is not None and constant == 0.0:
        rest, constant = rest[before.end() :], float(before[0])
    match = _EVEN.fullmatch(rest)
    if match is None:
        return None
    rate = float(match[2] or match[3] or 1.0)
    return (-rate if match[1] == "-" else rate), constant


def set_rate(name: str, i_angle: int, rate: float, t: float, label: str) -> Edit:
    """Return the edit that lets one angle of an axis sequence run evenly, with the value that it has at time `t`.

    Parameters
    ----------
    name, i_angle
        The frame, and which of its angles.
    rate
        Rate of the angle, rad/s; with 0 it becomes a number again.
    t
        The present time, s.
    label
        What undo shows.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "orientation": {
    ...     "form": "axes", "sequence": "XYZ", "angles": [10, "sin(t)", 0], "unit": "deg"}}}})
    >>> set_rate("a", 0, 0.08726646259971647, 2.0, "").apply(scene).frames["a"].orientation.angles
    ('5*t', 'sin(t)', 0.0)
    """

    def apply(scene: Scene) -> Scene:
        form = scene.frames[name].orientation
        if not isinstance(form, Axes):
            raise RefusedError(f"{name} has no three angles that could run: convert it first")
        parts = even_parts(form.angles[i_angle])
        if parts is None:
            raise RefusedError(f"{LETTERS[i_angle]} is {form.angles[i_angle]}: its rate follows from that")
        new = _rounded(rate / angle_factor(form.unit))
        constant = _rounded(parts[0] * t + parts[1] - new * t)
        angles = tuple(_written(new, constant) if i == i_angle else angle for i, angle in enumerate(form.angles))
        return set_frame(scene, name, orientation=form.model_copy(update={"angles": angles}))

    return Edit(label, apply)


def _written(rate: float, constant: float) -> float | str:
    if rate == 0.0:
        return constant
    text = f"{number_text(rate)}*t"
    return text if constant == 0.0 else f"{text} {'-' if constant < 0.0 else '+'} {number_text(abs(constant))}"


def _rounded(value: float) -> float:
    return round(value, DECIMALS) + 0.0
