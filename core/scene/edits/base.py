"""Edits: pure, labelled functions from a scene to a scene.

A label is a short sentence in the past tense, shown by undo and in the status line.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from framescope.core.errors import ExpressionError, did_you_mean
from framescope.core.kernels.validation import as_sequence
from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.model import ITEM_KINDS, Frame, Scene
from framescope.core.scene.schema.poses import Axes
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.time_functions.expression_rewriting import split_constant, with_constant
from framescope.core.time_functions.expressions import parse_expression

DECIMALS = 12
"""Decimals kept of an angle that a hand sets, in the unit the scene is written in: all but what converting adds."""


@dataclass(frozen=True)
class Edit:
    """A change of a scene with the label that undo shows."""

    label: str
    apply: Callable[[Scene], Scene]


def set_frame(scene: Scene, name: str, **changes: object) -> Scene:
    """Return the scene with some fields of one frame replaced."""
    frame = scene.frames[name].model_copy(update=changes)
    return scene.model_copy(update={"frames": scene.frames | {name: frame}})


def with_item(scene: Scene, kind: str, name: str, item: Item) -> Scene:
    """Return the scene with an item added or replaced.

    Parameters
    ----------
    kind
        ``"frames"``, ``"bodies"``, ``"points"``, ``"elements"``, ``"sensors"`` or ``"measured"``.
    name, item
        Its name, and what it is.

    Raises
    ------
    ValueError
        When there is no such kind, or the item is not of it.

    Examples
    --------
    >>> with_item(Scene(), "frames", "arm", Frame(parent="world")).frames["arm"].parent
    'world'
    """
    items = _items(scene, kind)
    try:
        changed = Scene.model_validate({kind: {name: item}})
    except ValidationError as error:
        raise ValueError(f"{kind}: {name!r} is no item of this kind: {error.errors()[0]['msg']}") from None
    return scene.model_copy(update={kind: items | getattr(changed, kind)})


def without_item(scene: Scene, kind: str, name: str) -> Scene:
    """Return the scene without an item; what refers to it stays, and becomes a problem.

    >>> scene = with_item(Scene(), "frames", "arm", Frame(parent="world"))
    >>> len(without_item(scene, "frames", "arm").frames)
    0
    """
    items = _items(scene, kind)
    if name not in items:
        raise ValueError(f"{kind}: there is no {name!r}. {did_you_mean(name, items)}".strip())
    return scene.model_copy(update={kind: items.without(name)})


def _items(scene: Scene, kind: str) -> FrozenDict[Any]:
    if kind not in ITEM_KINDS:
        raise ValueError(f"kind: expected one of {', '.join(ITEM_KINDS)}, got {kind!r}")
    return getattr(scene, kind)


def turn_to(name: str, i_angle: int, angle_rad: float, t: float, label: str) -> Edit:
    """Return the edit that makes one angle of an axis sequence `angle_rad` at time `t`.

    A constant angle is set. An expression of t keeps its course and gains a constant at its end; a
    constant that is there already is changed.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "orientation": {
    ...     "form": "axes", "sequence": "XYZ", "angles": [10, "5*t", 0], "unit": "deg"}}}})
    >>> turn_to("a", 1, 0.5235987755982988, 2.0, "").apply(scene).frames["a"].orientation.angles
    (10.0, '5*t + 20', 0.0)
    """

    def apply(scene: Scene) -> Scene:
        form = _axes_of(scene, name)
        authored = form.angles[i_angle]
        target = angle_rad / unit_factor(form.unit, "angle", ("frames", name, "orientation", "unit"))
        if isinstance(authored, str):
            rest, _ = split_constant(authored)
            constant = target - float(parse_expression(rest, scene.parameters)(t))
            if not math.isfinite(constant):
                raise ValueError(f"{name}: {rest} has no value at t = {t:g} s that could be turned")
            value = with_constant(authored, round(constant, DECIMALS))
        else:
            value = round(target, DECIMALS)
        return _with_angle(scene, name, i_angle, value)

    return Edit(label, apply)


def reset_angle(name: str, i_angle: int, label: str) -> Edit:
    """Return the edit that makes a constant angle zero, or takes the constant off an expression of t."""

    def apply(scene: Scene) -> Scene:
        authored = _axes_of(scene, name).angles[i_angle]
        return _with_angle(scene, name, i_angle, with_constant(authored, 0.0) if isinstance(authored, str) else 0.0)

    return Edit(label, apply)


def set_sequence(name: str, sequence: str) -> Edit:
    """Return the edit that changes the axis sequence of a frame and keeps its three angles as authored."""
    as_sequence(sequence)

    def apply(scene: Scene) -> Scene:
        form = _axes_of(scene, name).model_copy(update={"sequence": sequence})
        return set_frame(scene, name, orientation=form)

    return Edit(f"Changed {name} to sequence {sequence}", apply)


def expression_constant(scene: Scene, name: str, i_angle: int) -> tuple[str, float] | None:
    """Return the text and the added constant of an angle given as an expression of t, else None.

    An expression that cannot be parsed counts as text without a constant.
    """
    frame = scene.frames.get(name)
    if frame is None or not isinstance(frame.orientation, Axes):
        return None
    authored = frame.orientation.angles[i_angle]
    if not isinstance(authored, str):
        return None
    try:
        parse_expression(authored, scene.parameters)
    except ExpressionError:
        return authored, 0.0
    return authored, split_constant(authored)[1]


def _axes_of(scene: Scene, name: str) -> Axes:
    frame: Frame = scene.frames[name]
    if isinstance(frame.orientation, Axes):
        return frame.orientation
    raise ValueError(f"{name}: expected a frame with an axis sequence")


def _with_angle(scene: Scene, name: str, i_angle: int, value: float | str) -> Scene:
    form = _axes_of(scene, name)
    angles = tuple(value if i == i_angle else angle for i, angle in enumerate(form.angles))
    return set_frame(scene, name, orientation=form.model_copy(update={"angles": angles}))
