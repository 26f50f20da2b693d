"""Schema of signals that can be plotted: the arguments and the components of each kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import UNITS
from framescope.core.scene.schema.sensors import AbsoluteSensor, RecordedSensor, RelativeSensor
from framescope.core.scene.schema.view import PlottedSignal, SignalKind


class NamedSignal(Protocol):
    """A kind of signal and the name of its item, authored or compiled."""

    @property
    def signal(self) -> SignalKind:
        """Kind of the signal."""
        ...

    @property
    def of(self) -> str | None:
        """Name of the item that has the signal; `TAKES` has its kind."""
        ...


FRAMES = ("of", "relative_to", "resolved_in")


@dataclass(frozen=True)
class Takes:
    """Arguments of a kind of signal: the kind of item of `of`, further frames, a sequence, and a dimension."""

    of: str
    frames: tuple[str, ...] = ()
    dimension: str | None = None
    has_sequence: bool = False


_RELATIVE = ("relative_to", "resolved_in")

TAKES: Mapping[SignalKind, Takes] = {
    "position": Takes("frames", _RELATIVE, "length"),
    "velocity": Takes("frames", _RELATIVE, "velocity"),
    "acceleration": Takes("frames", _RELATIVE, "acceleration"),
    "angular velocity": Takes("frames", _RELATIVE, "angular velocity"),
    "angular acceleration": Takes("frames", _RELATIVE, "angular acceleration"),
    "angles": Takes("frames", ("relative_to",), "angle", has_sequence=True),
    "angle rates": Takes("frames", ("relative_to",), "angular velocity", has_sequence=True),
    "singularity": Takes("frames", ("relative_to",), has_sequence=True),
    "condition number": Takes("frames", ("relative_to",), has_sequence=True),
    "quaternion": Takes("frames", ("relative_to",)),
    "residues": Takes("frames"),
    "sensor": Takes("sensors"),
    "measured": Takes("measured"),
    "port force": Takes("points", dimension="force"),
    "port velocity": Takes("points", dimension="velocity"),
    "port displacement": Takes("points", dimension="length"),
    "element force": Takes("elements", dimension="force"),
    "energy": Takes("", dimension="energy"),
    "linear momentum": Takes("", dimension="linear momentum"),
    "angular momentum": Takes("", dimension="angular momentum"),
    "constraint error": Takes("elements", dimension="length"),
}


def may_share(plot: PlottedSignal, other: PlottedSignal) -> bool:
    """Return whether two signals can share a plot: same dimension, or same kind if they have no unit.

    Sensors and measurements have several curves and units of their own, so they never share a plot.
    """
    if {plot.signal, other.signal} & {"sensor", "measured"}:
        return False
    dimension = TAKES[plot.signal].dimension
    return plot.signal == other.signal if dimension is None else dimension == TAKES[other.signal].dimension


@dataclass(frozen=True)
class Components:
    """Curves of a signal: the `usual` ones, `every` one including magnitudes, and those that are `angles`."""

    usual: tuple[str, ...]
    every: tuple[str, ...]
    angles: tuple[str, ...] = ()


RESIDUE_NAMES = ("xx", "yy", "zz", "xy", "xz", "yz")
"""Residues by the columns they multiply: squared norms less one, then products."""


ENERGIES = ("kinetic", "potential", "work of sources", "dissipated", "residual")


SENSED: Mapping[str, str] = {
    "r": "position",
    "v": "velocity",
    "a": "acceleration",
    "angles": "angles",
    "w": "angular velocity",
    "z": "angular acceleration",
}
"""Quantities that a sensor can measure, by the reference's letters for them."""


RECORDED = "recorded"
"""Name of the values of a recorded sensor, among the quantities."""


_XYZ = ("x", "y", "z")


_ANGLES = ("angle 1", "angle 2", "angle 3")


_RATES = ("rate 1", "rate 2", "rate 3")


_SIDES = ("claimed", "computed")


def components_of(plot: NamedSignal, scene: Scene) -> Components:
    """Return the names of the curves of a signal.

    >>> components_of(PlottedSignal(signal="angular velocity", of="a", relative_to="world"), Scene()).every
    ('x', 'y', 'z', 'norm')
    """
    match plot.signal:
        case "residues":
            return Components(RESIDUE_NAMES, RESIDUE_NAMES)
        case "angles":
            return Components(_ANGLES, _ANGLES, _ANGLES)
        case "angle rates":
            return Components(_RATES, _RATES)
        case "singularity" | "condition number":
            return Components((plot.signal,), (plot.signal,))
        case "quaternion":
            return Components(("x", "y", "z", "w"), ("x", "y", "z", "w"))
        case "energy":
            return Components(ENERGIES, ENERGIES)
        case "measured":
            usual = tuple(f"{axis} {side}" for side in _SIDES for axis in _XYZ)
            return Components(usual, (*usual, *(f"norm {side}" for side in _SIDES)))
        case "sensor":
            return _sensor_components(scene, plot.of or "")
        case _:
            usual = _directions(plot, scene)
            return Components(usual, (*usual, "norm") if len(usual) == len(_XYZ) else usual)


def _sensor_components(scene: Scene, name: str) -> Components:
    usual: list[str] = []
    norms: list[str] = []
    angles: tuple[str, ...] = ()
    sensor = scene.sensors[name]
    if isinstance(sensor, RecordedSensor):
        return _recorded_components(len(sensor.values))
    for key in _enabled_keys(sensor):
        if key == "angles":
            angles = _ANGLES
            usual += _ANGLES
        else:
            usual += (f"{key}_{axis}" for axis in _XYZ)
            norms.append(f"norm {key}")
    return Components(tuple(usual), (*usual, *norms), angles)


def _recorded_components(count: int) -> Components:
    """Return the components of a recorded sensor: x, y, z for three columns, else numbered columns."""
    if count == len(_XYZ):
        return Components(_XYZ, (*_XYZ, "norm"))
    names = ("value",) if count == 1 else tuple(f"value {i}" for i in range(1, count + 1))
    return Components(names, names)


def _enabled_keys(sensor: AbsoluteSensor | RelativeSensor) -> Iterator[str]:
    """Yield the keys of the quantities that are switched on in a sensor."""
    suffix = "_rel" if sensor.form == "relative" else ""
    for quantity in SENSED:
        key = quantity if quantity == "angles" else quantity + suffix
        if getattr(sensor, f"get_{key}"):
            yield key


def sensed_quantities(components: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the components of a sensor, grouped by quantity.

    >>> sensed_quantities(["r_rel_x", "r_rel_y", "norm r_rel", "angle 1"])
    {'position': ('r_rel_x', 'r_rel_y', 'norm r_rel'), 'angles': ('angle 1',)}
    """
    groups: dict[str, tuple[str, ...]] = {}
    for name in components:
        letter = name.removeprefix("norm ").partition("_")[0]
        quantity = "angles" if name in _ANGLES else SENSED.get(letter, RECORDED)
        groups[quantity] = (*groups.get(quantity, ()), name)
    return groups


def _directions(plot: NamedSignal, scene: Scene) -> tuple[str, ...]:
    """Return the axes of a vector; a point of one direction has that one only."""
    point = plot.of or ""
    if TAKES[plot.signal].of == "elements":
        point = scene.elements[point].point
    elif TAKES[plot.signal].of != "points":
        return _XYZ
    return tuple(scene.points[point].kind.lower()) if point in scene.points else _XYZ


def units_of(signal: SignalKind) -> tuple[str, ...]:
    """Return the units that a kind of signal can have; none if it has its own.

    >>> units_of("angles")
    ('rad', 'deg', 'turn', 'mrad')
    """
    dimension = TAKES[signal].dimension
    return tuple(UNITS[dimension]) if dimension else ()
