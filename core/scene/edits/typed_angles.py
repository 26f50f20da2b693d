"""Edits that write an angle of an axis sequence as a signal: an expression of t, as a person types it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.edits.orientation_forms.rotate import RefusedError
from framescope.core.scene.edits.orientation_forms.values import angle_factor
from framescope.core.scene.schema import motions
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.plain_scalars import number_text
from framescope.core.scene.schema.poses import Axes, Integrated
from framescope.core.time_functions.expressions import parse_expression

_CONVERSIONS: Mapping[tuple[str, str], str] = {("deg", "rad"): "pi/180", ("rad", "deg"): "180/pi"}


def write_angle(name: str, i_angle: int, signal: float | str, unit: str, sequence: str, label: str) -> Edit:
    """Return the edit that writes one angle of a frame as a number or an expression of t.

    Parameters
    ----------
    name, i_angle
        The frame, and which of its angles.
    signal
        What the angle is to be.
    unit
        The unit of `signal`, ``"deg"`` or ``"rad"``; empty for the one that the frame is written in.
    sequence
        Of the angles, for a frame that has no orientation yet.
    label
        What undo shows.

    Returns
    -------
    Edit
        Applying it raises a `RefusedError` where `why_no_expression` says why, an `ExpressionError` where the
        expression cannot be read.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "orientation": {
    ...     "form": "axes", "sequence": "XYZ", "angles": [10, 0, 0], "unit": "deg"}}}})
    >>> write_angle("a", 0, "30*sin(t)", "deg", "XYZ", "").apply(scene).frames["a"].orientation.angles
    ('30*sin(t)', 0.0, 0.0)
    >>> write_angle("a", 0, "0.5*t", "rad", "XYZ", "").apply(scene).frames["a"].orientation.angles[0]
    '(0.5*t)*180/pi'
    """

    def apply(scene: Scene) -> Scene:
        refusal = why_no_expression(scene, name)
        if refusal:
            raise RefusedError(refusal)
        form = scene.frames[name].orientation
        if not isinstance(form, Axes):
            form = Axes(sequence=sequence, angles=(0.0, 0.0, 0.0), unit="deg")
        authored = form.unit or ""
        if isinstance(signal, str):
            parse_expression(signal, scene.parameters)
            value = signal if unit in ("", authored) else f"({signal})*{_factor(unit, authored)}"
        else:
            value = (
                signal if unit in ("", authored) else round(signal * angle_factor(unit) / angle_factor(authored), 12)
            )
        first, second, third = (value if i == i_angle else angle for i, angle in enumerate(form.angles))
        return set_frame(scene, name, orientation=form.model_copy(update={"angles": (first, second, third)}))

    return Edit(label, apply)


def why_no_expression(scene: Scene, name: str) -> str:
    """Return why the angles of a frame cannot be expressions of t; empty when they can.

    >>> why_no_expression(Scene(), "world")
    'the world stays where it is'
    """
    frame = scene.frames.get(name)
    if frame is None:
        return "the world stays where it is"
    match frame.motion:
        case motions.Keyframes():
            return "its motion is in keyframes: an expression of t has no place there"
        case motions.Recorded(file=file):
            return f"its pose is recorded in {file}"
        case motions.Simulated():
            return "it is simulated, and starts with numbers"
        case None:
            pass
    match frame.orientation:
        case None:
            return ""
        case Axes() as form:
            try:
                angle_factor(form.unit)
            except RefusedError as error:
                return str(error)
            return ""
        case Integrated():
            return "its orientation is integrated from its angular velocity"
        case _:
            return "an expression of t needs three angles: convert it to a sequence first"


def _factor(unit: str, authored: str) -> str:
    known = _CONVERSIONS.get((unit, authored))
    if known is not None:
        return known
    factor = angle_factor(unit) / angle_factor(authored)
    return number_text(factor if not math.isclose(factor, round(factor)) else round(factor))
