"""Compilation of connection points and elements for simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from framescope.core.errors import ItemError, NoSuchNameError
from framescope.core.evaluation.local_motion import MotionContext, MotionSignals, compile_signals
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema import points
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import Quantity, unit_factor
from framescope.core.simulation.system import Element, Force, Spring, SystemBody, SystemPoint, VelocitySource

SIMULATE = "Give its frame the motion {form: simulated, model: finite}."


def compile_point(scene: Scene, name: str, point: points.Point, bodies: Mapping[str, SystemBody]) -> SystemPoint:
    """Return a connection point of a simulation; `bodies` are the simulated bodies."""
    if point.body not in scene.bodies:
        raise NoSuchNameError(("body",), "body", point.body, scene.bodies)
    frame = scene.bodies[point.body].frame
    if frame not in bodies:
        raise ItemError(("body",), f"the frame {frame} of {point.body} is not simulated on its own.", SIMULATE)
    offset = unit_factor(point.offset.unit, "length", ("offset", "unit")) * np.array(point.offset.value)
    return SystemPoint(name, frame, point.kind, offset)


def compile_element(
    element: points.Element, name: str, kinds: Mapping[str, str], scene: Scene, context: MotionContext
) -> Element:
    """Return an element of a simulation; `kinds` are the kinds of the usable points."""
    _check_ends(element, kinds, scene)
    n = 3 if kinds[element.point] == "XYZ" else 1
    return COMPILERS[type(element)](element, name, n, context)


def _spring(element: points.SpringElement, name: str, n: int, _context: MotionContext) -> Spring:
    k = _per_direction(element.stiffness, "stiffness", n)
    d = _per_direction(element.damping, "damping", n)
    if not np.any(k) and not np.any(d):
        raise ItemError(("stiffness",), "it has neither stiffness nor damping.", "Add one, such as 200 N/m.")
    return Spring(name, element.point, element.to, k, d)


def _force(element: points.ForceElement, name: str, n: int, context: MotionContext) -> Force:
    signals = _signals(element, "force", n, context)
    return Force(name, element.point, element.to, signals, signals.breaks)


def _velocity(element: points.VelocityElement, name: str, n: int, context: MotionContext) -> VelocitySource:
    signals = _signals(element, "velocity", n, context)
    return VelocitySource(name, element.point, element.to, signals, signals.breaks)


COMPILERS: dict[type[Item], Callable[[Any, str, int, MotionContext], Element]] = {
    points.SpringElement: _spring,
    points.ForceElement: _force,
    points.VelocityElement: _velocity,
}
"""Functions that compile elements, by model; they take the element, its name, number of directions and context."""


def _check_ends(element: points.Element, kinds: Mapping[str, str], scene: Scene) -> None:
    for key, point in (("point", element.point), ("to", element.to)):
        if point is not None and point not in scene.points:
            raise NoSuchNameError((key,), "point", point, scene.points)
        if point is not None and point not in kinds:
            raise ItemError((key,), f"the point {point} cannot be used, see there.")
    if element.to == element.point:
        raise ItemError(("to",), "an element joins two points, or a point to ground.", "Remove to for ground.")
    if element.to is not None and (kinds[element.to] == "XYZ") is not (kinds[element.point] == "XYZ"):
        message = f"{element.point} is {kinds[element.point]}, {element.to} is {kinds[element.to]}."
        raise ItemError(("to",), message, "Join equals.")


def _per_direction(authored: Quantity | tuple[Quantity, ...], dimension: str, n: int) -> Array:
    if isinstance(authored, Quantity):
        values = np.full(n, authored.si(dimension, (dimension,)))
    elif n == 1:
        raise ItemError((dimension,), "the point has one direction, and this is three numbers.", "Give one.")
    else:
        values = np.array([part.si(dimension, (dimension, i)) for i, part in enumerate(authored)])
    if np.any(values < 0.0):
        raise ItemError((dimension,), f"expected 0 or more, got {values.min():g}.")
    return values if n == 3 else values[0]


def _signals(
    element: points.ForceElement | points.VelocityElement, dimension: str, n: int, context: MotionContext
) -> MotionSignals:
    authored = element.signal if isinstance(element.signal, tuple) else (element.signal,)
    if len(authored) != n:
        raise ItemError(("signal",), f"the point has {n} direction{'s' * (n > 1)}, the signal {len(authored)}.")
    factor = unit_factor(element.unit, dimension, ("unit",))
    signals = compile_signals(authored, factor, ("signal",), context.parameters)
    with np.errstate(all="ignore"):
        if not np.isfinite(signals(np.linspace(context.start, context.end, 65))).all():
            raise ItemError(("signal",), "it has no value at some time of the scene.")
    return signals
