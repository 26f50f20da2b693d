"""Signals of a scene that can be plotted: their curves, their units, and the items that have them."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from framescope.core.errors import ItemError
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.bodies import Body, CameraShape
from framescope.core.scene.schema.kinds.elements import ELEMENT_KINDS
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import UNITS
from framescope.core.scene.schema.sensors import AbsoluteSensor, RecordedSensor, RelativeSensor
from framescope.core.scene.schema.signal_kinds import (
    ANGLES,
    VECTOR,
    XYZ,
    Components,
    Signal,
    SignalKind,
    listed,
    signal_named,
)
from framescope.core.scene.schema.view import PlottedSignal
from framescope.core.system.features import load_entry


class NamedSignal(Protocol):
    """Protocol of plotted signals, authored or compiled: kind of signal, and name of its item."""

    @property
    def signal(self) -> SignalKind:
        """Kind of the signal."""
        ...

    @property
    def of(self) -> str | None:
        """Name of the item that has the signal; `Signal.item` is its kind."""
        ...


FRAMES = ("of", "relative_to", "resolved_in")


def may_share(plot: PlottedSignal, other: PlottedSignal) -> bool:
    """Return whether two signals can share a plot: same dimension, or same kind for signals without a unit.

    Signals of sensors and measurements have several units, so they never share a plot.
    """
    kind, other_kind = signal_named(plot.signal), signal_named(other.signal)
    if kind.has_own_units or other_kind.has_own_units:
        return False
    return kind is other_kind if kind.dimension is None else kind.dimension == other_kind.dimension


SENSED: Mapping[str, str] = {
    "r": "position",
    "v": "velocity",
    "a": "acceleration",
    "angles": "angles",
    "w": "angular velocity",
    "z": "angular acceleration",
    "s": "specific force",
}
"""Quantities that a sensor can measure, by their letters in the reference."""


RECORDED = "recorded"
"""Name of the quantity of a recorded sensor."""


def components_of(plot: NamedSignal, scene: Scene) -> Components:
    """Return the names of the curves of a signal.

    >>> components_of(PlottedSignal(signal="angular velocity", of="a", relative_to="world"), Scene()).every
    ('x', 'y', 'z', 'norm')
    """
    components = signal_named(plot.signal).components
    return load_entry(components)(plot, scene) if isinstance(components, str) else components


def sensor_components(plot: NamedSignal, scene: Scene) -> Components:
    """Return the components of the quantities that a sensor measures."""
    usual: list[str] = []
    norms: list[str] = []
    angles: tuple[str, ...] = ()
    sensor = scene.sensors[plot.of or ""]
    if isinstance(sensor, RecordedSensor):
        return _recorded_components(len(sensor.values))
    for key in _enabled_keys(sensor):
        if key == "angles":
            angles = ANGLES
            usual += ANGLES
        else:
            usual += (f"{key}_{axis}" for axis in XYZ)
            norms.append(f"norm {key}")
    return Components(tuple(usual), (*usual, *norms), angles)


def _recorded_components(count: int) -> Components:
    """Return the components of a recorded sensor: x, y, z for three columns, else numbered columns."""
    if count == len(XYZ):
        return Components(XYZ, (*XYZ, "norm"))
    names = ("value",) if count == 1 else tuple(f"value {i}" for i in range(1, count + 1))
    return Components(names, names)


def _enabled_keys(sensor: AbsoluteSensor | RelativeSensor) -> Iterator[str]:
    """Yield the keys of the quantities that are switched on in a sensor."""
    suffix = "_rel" if sensor.form == "relative" else ""
    for quantity in SENSED:
        key = quantity if quantity == "angles" else quantity + suffix
        if getattr(sensor, f"get_{key}", False):  # a relative sensor has no specific force
            yield key


def sensed_quantities(components: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Group the components of a sensor by quantity.

    >>> sensed_quantities(["r_rel_x", "r_rel_y", "norm r_rel", "angle 1"])
    {'position': ('r_rel_x', 'r_rel_y', 'norm r_rel'), 'angles': ('angle 1',)}
    """
    groups: dict[str, tuple[str, ...]] = {}
    for name in components:
        letter = name.removeprefix("norm ").partition("_")[0]
        quantity = "angles" if name in ANGLES else SENSED.get(letter, RECORDED)
        groups[quantity] = (*groups.get(quantity, ()), name)
    return groups


def count_charts(plot: NamedSignal, components: Iterable[str] | None, scene: Scene) -> int:
    """Return the number of charts that the window draws for a signal: one for each quantity of a sensor."""
    if plot.signal != "sensor" or plot.of not in scene.sensors:
        return 1
    return len(sensed_quantities(components or components_of(plot, scene).usual))


def point_components(plot: NamedSignal, scene: Scene) -> Components:
    """Return the axes along which a point connects, and the magnitude if it connects along all three."""
    return _directions(plot.of or "", scene)


def element_components(plot: NamedSignal, scene: Scene) -> Components:
    """Return the axes along which the point of an element connects, with the magnitude for all three."""
    return _directions(scene.elements[plot.of or ""].point, scene)


def _directions(point: str, scene: Scene) -> Components:
    axes = tuple(scene.points[point].kind.lower()) if point in scene.points else XYZ
    return VECTOR if axes == XYZ else listed(*axes)


def refuse_world(scene: Scene, of: str) -> ItemError | None:
    """Return the error of a signal that requires a parent, if the frame is the world."""
    return None if of in scene.frames else ItemError(("of",), "the world has no residues.", "Name a frame.")


def refuse_unconstrained(scene: Scene, of: str) -> ItemError | None:
    """Return the error of a signal that requires a constraint, if the element is not a constraint."""
    if ELEMENT_KINDS.of(scene.elements[of]).is_constraint:
        return None
    return ItemError(("of",), f"{of} is no constraint.", "Name an element of form velocity.")


def frames_with_cameras(scene: Scene) -> tuple[str, ...]:
    """Return the frames that carry a camera, in the order of their bodies.

    >>> frames_with_cameras(Scene())
    ()
    """
    return _cameras.names(scene.bodies)


class _CameraFrames:
    """Frames with cameras of the latest bodies, which all signals of a scene ask for."""

    def __init__(self) -> None:
        self._latest: tuple[Callable[[], object], tuple[str, ...]] = lambda: None, ()

    def names(self, bodies: FrozenDict[Body]) -> tuple[str, ...]:
        """Return the names of the frames."""
        known, names = self._latest
        if known() is bodies:
            return names
        carriers = (body.frame for body in bodies.values() if isinstance(body.shape, CameraShape))
        names = tuple(dict.fromkeys(carriers))
        self._latest = weakref.ref(bodies), names
        return names


_cameras = _CameraFrames()


def refuse_without_camera(scene: Scene, relative_to: str) -> ItemError | None:
    """Return the error of a signal that requires a camera, if the frame carries none."""
    cameras = frames_with_cameras(scene)
    if relative_to in cameras:
        return None
    hint = "Give the frame a body of the form camera."
    if cameras:
        hint = f"Use {cameras[0]}." if len(cameras) == 1 else f"Use one of: {', '.join(cameras[:FEW_NAMES])}."
    return ItemError(("relative_to",), f"{relative_to} has no camera with a calibration.", hint)


FEW_NAMES = 8
"""Largest number of frames that a hint names."""


def references_of(signal: Signal, scene: Scene) -> tuple[str, ...] | None:
    """Return the frames to which a signal can be relative; None for any frame."""
    return load_entry(signal.references)(scene) if signal.references else None


def reference_problem(signal: Signal, scene: Scene, relative_to: str) -> ItemError | None:
    """Return the error of a signal that cannot be relative to a frame; None if it can."""
    return load_entry(signal.requires_reference)(scene, relative_to) if signal.requires_reference else None


def problem_of(signal: Signal, scene: Scene, of: str) -> ItemError | None:
    """Return the error of a signal that an item does not have; None if the item has it."""
    return load_entry(signal.requires)(scene, of) if signal.requires else None


def units_of(signal: SignalKind) -> tuple[str, ...]:
    """Return the possible units of a kind of signal; empty if the item determines the units.

    >>> units_of("angles")
    ('rad', 'deg', 'turn', 'mrad')
    """
    dimension = signal_named(signal).dimension
    return tuple(UNITS[dimension]) if dimension else ()
