"""Quantities of the relation of two frames: names, units, captions, formulas, and copies as text or Python.

Each caption gives the frame, the reference frame and the resolving frame, and where needed the order of the numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from framescope.core.evaluation.frame_traces import SIGN_RULE
from framescope.core.evaluation.relative_motion import Relation
from framescope.core.kernels.validation import Array
from framescope.core.orientation import QuaternionOrder
from framescope.core.scene.schema.signal_kinds import SignalKind, signal_named
from framescope.core.scene.schema.view import Plot
from framescope.ui.formatting import number_text
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.panels.relation.relation_block import RelationKey
from framescope.ui.theme.tokens import AXIS_LETTERS

_SCALAR: dict[QuaternionOrder, str] = {"xyzw": "last", "wxyz": "first"}
Q_DECIMALS = 3
"""Digits after the decimal point of a quaternion: four numbers share a narrow row."""


@dataclass(frozen=True, eq=False)
class RelationMoment:
    """Relation at one time, and its quaternion (4,), scalar last, with a sign that is continuous over time."""

    relation: Relation
    Q: Array


@dataclass(frozen=True)
class RelationQuantity:
    """Quantity of a relation.

    Attributes
    ----------
    signal
        Signal of its plot.
    title
        Heading.
    symbol
        Name in text and code.
    unit
        SI unit, as spelled in scenes.
    formula
        Formula, from the quantities above it in the panel.
    values
        Function that returns its numbers in SI units for a relation at one time.
    """

    signal: SignalKind
    title: str
    symbol: str
    unit: str
    formula: str
    values: Callable[[RelationMoment], Array]

    @property
    def is_angular(self) -> bool:
        """Whether its unit depends on the angle unit."""
        return self.unit.startswith("rad")

    def letters(self, order: QuaternionOrder = "xyzw") -> tuple[str, ...]:
        """Return the names of its components, those of a quaternion in an order."""
        return tuple(order) if self.signal == "quaternion" else AXIS_LETTERS


QUANTITIES = (
    RelationQuantity("position", "Position r", "r", "m", "r = p(of) − p(relative to)", lambda at: at.relation.p),
    RelationQuantity(
        "quaternion",
        "Orientation Q",
        "Q",
        "",
        "v₂ = T v₁, T = (2w² − 1) 1 + 2 q transpose(q) − 2w skew(q)",
        lambda at: at.Q,
    ),
    RelationQuantity("velocity", "Velocity v", "v", "m/s", "v = dr/dt", lambda at: at.relation.V[3:]),
    RelationQuantity(
        "angular velocity",
        "Angular velocity ω",
        "w",
        "rad/s",
        "skew(ω) = T d(transpose T)/dt",
        lambda at: at.relation.V[:3],
    ),
    RelationQuantity("acceleration", "Acceleration a", "a", "m/s²", "a = d²r/dt²", lambda at: at.relation.A[3:]),
    RelationQuantity(
        "angular acceleration", "Angular acceleration dω/dt", "z", "rad/s²", "z = dω/dt", lambda at: at.relation.A[:3]
    ),
)
"""Quantities in the order of the panel, from the top."""


def unit_of(quantity: RelationQuantity, angle_unit: str) -> str:
    """Return the unit of a quantity, as spelled in scenes, for the angle unit "deg" or "rad"."""
    return quantity.unit.replace("rad", angle_unit)


def decimals_of(quantity: RelationQuantity, angle_unit: str) -> int:
    """Return the number of digits after the decimal point."""
    if quantity.signal == "quaternion":
        return Q_DECIMALS
    return 2 if quantity.is_angular and angle_unit == "deg" else 4


def caption_of(quantity: RelationQuantity, key: RelationKey, order: QuaternionOrder = "xyzw") -> str:
    """Return the frames of a quantity (of, relative to, in axes of) as one short line.

    >>> caption_of(QUANTITIES[0], RelationKey("camera", "map", "base"))
    'from map to camera, in axes of base'
    >>> caption_of(QUANTITIES[1], RelationKey("camera", "map", "base"))
    'map into camera, scalar last'
    >>> caption_of(QUANTITIES[2], RelationKey("camera", "map", "base"))
    'camera relative to map, in base'
    >>> from framescope.core.evaluation.delayed_frames import Delay
    >>> caption_of(QUANTITIES[2], RelationKey("camera", "map", "base", Delay("odom", 0.2)))
    'camera 0.2 s before relative to map now, in base now'
    """
    match quantity.signal:
        case "position":
            return f"from {key.relative_to_when} to {key.of_when}, in axes of {key.resolved_in_when}"
        case "quaternion":
            return f"{key.relative_to_when} into {key.of_when}, scalar {_SCALAR[order]}"
        case _:
            return f"{key.of_when} relative to {key.relative_to_when}, in {key.resolved_in_when}"


def explanation_of(
    quantity: RelationQuantity, key: RelationKey, angle_unit: str, order: QuaternionOrder = "xyzw"
) -> tuple[str, str]:
    """Return the full description of a quantity, with the frame in which it is observed, and its formula."""
    when = f", as it was {key.delay}" if key.delay else ""
    frames = f"of {key.of}{when}, relative to {key.relative_to_when}"
    unit = unit_text(unit_of(quantity, angle_unit))
    if quantity.signal == "quaternion":
        message = f"quaternion {frames}: takes components in {key.relative_to_when} into components in {key.of_when}; "
        return f"{message}order {', '.join(order)}, the scalar {_SCALAR[order]}; {SIGN_RULE}", quantity.formula
    message = f"{quantity.signal} {frames}, in axes of {key.resolved_in_when}, {unit}"
    if quantity.signal == "position":
        return f"{message}: from the origin of {key.relative_to_when} to that of {key.of_when}", quantity.formula
    derived = f"{message}: as seen by an observer fixed in {key.relative_to_when}"
    turned = "" if key.resolved_in == key.relative_to else f"; then in axes of {key.resolved_in_when}"
    return f"{derived}{turned}", quantity.formula


def shown_values(
    quantity: RelationQuantity, moment: RelationMoment, angle_unit: str, order: QuaternionOrder = "xyzw"
) -> Array:
    """Return the numbers of a quantity in the angle unit and the quaternion order of the window."""
    values = _in_order(quantity, moment, order)
    return np.degrees(values) if quantity.is_angular and angle_unit == "deg" else values


def _in_order(quantity: RelationQuantity, moment: RelationMoment, order: QuaternionOrder) -> Array:
    values = quantity.values(moment)
    return values[["xyzw".index(letter) for letter in order]] if quantity.signal == "quaternion" else values


def plot_of(quantity: RelationQuantity, key: RelationKey, angle_unit: str) -> Plot:
    """Return the plot of a quantity."""
    keys = {"signal": quantity.signal, "of": key.of, "relative_to": key.relative_to}
    if "resolved_in" in signal_named(quantity.signal).frames:
        keys |= {"resolved_in": key.resolved_in}
    if quantity.unit:
        keys |= {"unit": unit_of(quantity, angle_unit)}
    if key.delay:
        keys |= {"through": key.delay.through, "delay": f"{key.delay.seconds!r} s"}
    return Plot.model_validate(keys)


def as_text(
    key: RelationKey, t: float, moment: RelationMoment, angle_unit: str, order: QuaternionOrder = "xyzw"
) -> str:
    """Return all numbers of a relation at full precision, one quantity a line, with unit and frames."""
    rows = [f"{_frames_text(key)}, at t = {number_text.full(t)} s"]
    for quantity in QUANTITIES:
        numbers = "\t".join(map(number_text.full, shown_values(quantity, moment, angle_unit, order).tolist()))
        unit = unit_text(unit_of(quantity, angle_unit))
        rows.append(f"{quantity.title}\t{numbers}\t{unit}\t{caption_of(quantity, key, order)}")
    return "\n".join(rows)


def as_python(key: RelationKey, t: float, moment: RelationMoment, order: QuaternionOrder = "xyzw") -> str:
    """Return all numbers of a relation as lines of Python with numpy, in SI units."""
    lines = ["import numpy as np", "", f"# {_one_line(_heading(key))}", f"t = {number_text.full(t)}  # s"]
    for quantity in QUANTITIES:
        numbers = ", ".join(_literal(value) for value in _in_order(quantity, moment, order).tolist())
        unit = f"{quantity.unit}, " if quantity.unit else f"order {', '.join(order)}, "
        lines.append(
            f"{quantity.symbol} = np.array([{numbers}])  # {unit}{_one_line(caption_of(quantity, key, order))}"
        )
    return "\n".join(lines)


def _heading(key: RelationKey) -> str:
    return f"{_frames_text(key)}; SI units, radians"


def _frames_text(key: RelationKey) -> str:
    through = f", through {key.delay.through}" if key.delay else ""
    return f"{key.of_when} relative to {key.relative_to_when}{through}, in axes of {key.resolved_in_when}"


def _literal(value: float) -> str:
    return number_text.full(value) if np.isfinite(value) else "np.nan"


def _one_line(text: str) -> str:
    """Return a text without line breaks, so that no name can end the comment around it."""
    return " ".join(text.split())
