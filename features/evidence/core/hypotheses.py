"""Hypotheses about one sensor, or about all sensors of one device: states that faults give, and their improbability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.detective.core.axis_changes import FRD_FLU, IDENTITY, NED_ENU, AxisChange, changes
from framescope.features.evidence.core.account import FaultKind
from framescope.features.evidence.core.readings import Quantity
from framescope.features.evidence.core.states import GRAVITY, STATED, State

DEGREES = 180.0 / np.pi

UNITS: dict[Quantity, dict[str, float]] = {
    "angular velocity": {"degrees per second": DEGREES, "converted from degrees twice": 1.0 / DEGREES},
    "specific force": {"g": 1.0 / GRAVITY, "mg": 1000.0 / GRAVITY, "converted from g twice": GRAVITY},
    "velocity": {"mm/s": 1000.0, "km/h": 3.6, "cm/s": 100.0, "knots": 1.943844},
    "position": {"mm": 1000.0, "cm": 100.0},
    "heading": {"degrees": DEGREES, "converted from degrees twice": 1.0 / DEGREES},
}
"""Units that occur in place of the SI unit: number of them in an SI unit. (Twice: divided by it once too often.)"""

COSTS: dict[FaultKind, float] = {
    "quaternion order": 6.0,
    "inverse": 6.0,
    "world axes": 6.0,
    "body axes": 6.0,
    "doubled axes": 8.0,
    "mirrored axes": 8.0,
    "mounting": 9.0,
    "wrong frame": 7.0,
    "resolved in reference": 8.0,
    "resolved in frame": 7.0,
    "unit": 5.0,
    "sign": 6.0,
    "scale": 11.0,
    "bias": 8.0,
    "gravity removed": 6.0,
    "starts as zero": 9.0,
    "delay": 8.0,
    "clock drift": 9.0,
}
"""Improbability of faults: negative logarithm of their odds, with that of free parameters."""

FREE_TURN = 9.0
"""Improbability of the three free parameters of a turn."""


FREE_OFFSET = 6.0
"""Improbability of the three free parameters of an offset."""

FREE: dict[FaultKind, float] = {"scale": 5.0, "bias": FREE_OFFSET, "starts as zero": 2.0}
"""Improbability of the free parameters of kinds of faults besides turns."""


@dataclass(frozen=True)
class Label:
    """Fault of a hypothesis.

    Attributes
    ----------
    kind
        Kind.
    words
        Words that tell faults of a kind apart.
    """

    kind: FaultKind
    words: str = ""


def free_cost(labels: Iterable[Label]) -> float:
    """Return the improbability of the numbers that faults have free.

    >>> free_cost([Label("inverse"), Label("mounting", "turned")])
    9.0
    """
    return sum(
        FREE_TURN * (label.kind == "mounting" and label.words == "turned") + FREE.get(label.kind, 0.0)
        for label in labels
    )


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """State of a sensor by some faults.

    Attributes
    ----------
    state
        The state.
    labels
        The faults; none as stated.
    cost
        Improbability.
    """

    state: State
    labels: tuple[Label, ...]
    cost: float


@cache
def hypotheses_of(
    quantity: Quantity, *, has_orientation: bool = False, in_frame: bool = True
) -> tuple[Hypothesis, ...]:
    """Return the hypotheses about a sensor with discrete faults, as stated first."""
    if quantity == "orientation":
        return tuple(_of_orientation())
    if quantity == "position":
        return tuple(_of_world_vector(quantity))
    if quantity == "heading":
        return tuple(_of_heading())
    if quantity == "velocity":
        return tuple(_of_velocity(has_orientation=has_orientation, in_frame=in_frame))
    return tuple(_of_vector(quantity, has_orientation=has_orientation))


def _hypothesis(state: State, *labels: Label, extra: float = 0.0) -> Hypothesis:
    return Hypothesis(state, labels, sum(COSTS[label.kind] for label in labels) + extra)


FORMS: dict[str, tuple[Label, ...]] = {
    "stated": (),
    "wxyz": (Label("quaternion order", "w x y z"),),
    "xyzw": (Label("quaternion order", "x y z w"),),
    "inverse": (Label("inverse"),),
    "wxyz inverse": (Label("quaternion order", "w x y z"), Label("inverse")),
    "xyzw inverse": (Label("quaternion order", "x y z w"), Label("inverse")),
}
"""Forms of the numbers of an orientation: which numbers they are in truth."""


@cache
def axis_labels(change: AxisChange) -> tuple[Label, ...]:
    """Return the faults that a change of a vector's axes is."""
    if change.is_identity:
        return ()
    if change.matrix.tolist() == (-np.eye(3)).tolist():
        return (Label("sign"),)
    if not change.is_proper:
        return (Label("mirrored axes", change.short),)
    return (Label("body axes" if change == FRD_FLU else "mounting", change.short),)


def axis_cost(change: AxisChange) -> float:
    """Return the improbability of a change of axes beyond that of its kind: one that exchanges axes is rarer."""
    if change == NED_ENU:
        return 0.5
    return 0.0 if change.places == (0, 1, 2) else 1.0 if change.is_proper else 2.5


def all_changes() -> tuple[AxisChange, ...]:
    """Return the 48 changes of axes, none first."""
    return (*changes(is_proper=True), *changes(is_proper=False))


def _of_orientation() -> Iterator[Hypothesis]:
    for form, labels in FORMS.items():
        for world, body, more, extra in _axes_of_orientation():
            yield _hypothesis(replace(STATED, form=form).with_W(world).with_T(body), *labels, *more, extra=extra)


@cache
def _axes_of_orientation() -> tuple[tuple[Array, Array, tuple[Label, ...], float], ...]:
    one = np.eye(3)
    rows: list[tuple[Array, Array, tuple[Label, ...], float]] = [(one, one, (), 0.0)]
    for change in changes(is_proper=True):
        if change != IDENTITY:
            kind: FaultKind = "body axes" if change == FRD_FLU else "mounting"
            rows.append((one, change.matrix, (Label(kind, change.short),), axis_cost(change)))
            extra = 0.0 if change == NED_ENU else 0.5 if change == FRD_FLU else 1.5
            rows.append((change.matrix, one, (Label("world axes", change.short),), extra))
    rows.append((NED_ENU.matrix, FRD_FLU.matrix, (Label("doubled axes", "NED FRD"),), 0.0))
    # A change C on both sides is the mirroring -C on both sides.
    for change in changes(is_proper=False):
        S = change.matrix
        if np.allclose(S, -one):
            continue  # the same orientation
        rows.append((S, S, (Label("mirrored axes", change.short),), axis_cost(change)))
    return tuple(rows)


def _of_vector(quantity: Quantity, *, has_orientation: bool) -> Iterator[Hypothesis]:
    scales: list[tuple[float, tuple[Label, ...]]] = [(1.0, ())]
    scales += [(factor, (Label("unit", unit),)) for unit, factor in UNITS.get(quantity, {}).items()]
    for factor, unit in scales:
        extra = 3.0 if unit and "twice" in unit[0].words else 0.0
        for change in all_changes():
            labels = (*unit, *axis_labels(change))
            yield _hypothesis(STATED.with_T(factor * change.matrix), *labels, extra=axis_cost(change) + extra)
        if has_orientation:
            in_reference = replace(STATED, form="in reference")
            for sign, signs in ((1.0, ()), (-1.0, (Label("sign"),))):
                state = in_reference.with_T(sign * factor * np.eye(3))
                yield _hypothesis(state, Label("resolved in reference"), *unit, *signs, extra=extra)
    if quantity == "specific force":
        offset = Label("bias", "off by a constant")
        yield _hypothesis(replace(STATED, form="offset"), offset, extra=FREE_OFFSET)
        for change in all_changes():
            state = replace(STATED.with_T(change.matrix), gravity=np.zeros(()))
            yield _hypothesis(state, Label("gravity removed"), *axis_labels(change), extra=axis_cost(change))


def _of_velocity(*, has_orientation: bool, in_frame: bool) -> Iterator[Hypothesis]:
    scales = [(1.0, ()), *((factor, (Label("unit", unit),)) for unit, factor in UNITS["velocity"].items())]
    other = Label("resolved in reference") if in_frame else Label("resolved in frame")
    for factor, unit in scales:
        for change in all_changes():
            M = factor * change.matrix
            labels = (*unit, *(axis_labels(change) if in_frame else _world_labels(change)))
            state = STATED.with_T(M) if in_frame else STATED.with_W(M)
            yield _hypothesis(state, *labels, extra=axis_cost(change))
        if has_orientation:
            for sign, signs in ((1.0, ()), (-1.0, (Label("sign"),))):
                M = sign * factor * np.eye(3)
                state = replace(STATED, form="other axes")
                state = state.with_W(M) if in_frame else state.with_T(M)
                yield _hypothesis(state, other, *unit, *signs)


def _world_labels(change: AxisChange) -> tuple[Label, ...]:
    labels = axis_labels(change)
    if labels and labels[0].kind in ("body axes", "mounting"):
        return (Label("world axes", change.short),)
    return labels


def _of_world_vector(quantity: Quantity) -> Iterator[Hypothesis]:
    scales = [(1.0, ()), *((factor, (Label("unit", unit),)) for unit, factor in UNITS[quantity].items())]
    for factor, unit in scales:
        for change in all_changes():
            state = STATED.with_W(factor * change.matrix)
            yield _hypothesis(state, *unit, *_world_labels(change), extra=axis_cost(change))


def _of_heading() -> Iterator[Hypothesis]:
    scales = [(1.0, ()), *((factor, (Label("unit", unit),)) for unit, factor in UNITS["heading"].items())]
    for factor, unit in scales:
        extra = 3.0 if unit and "twice" in unit[0].words else 0.0
        for sign, signs in ((1.0, ()), (-1.0, (Label("sign"),))):
            yield _hypothesis(STATED.with_T(sign * factor * np.eye(3)), *unit, *signs, extra=extra)
