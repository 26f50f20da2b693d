"""Which signals there are, what each takes to be said in full, and a plot of a scene made into one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from framescope.core.errors import ItemError, NoSuchNameError, did_you_mean
from framescope.core.kernels.validation import as_sequence
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import UNITS, unit_factor
from framescope.core.scene.schema.sensors import Sensor
from framescope.core.scene.schema.view import Plot, PlottedSignal, SignalKind

FRAMES = ("of", "relative_to", "resolved_in")


@dataclass(frozen=True)
class Takes:
    """What a kind of signal takes: what `of` names, the frames besides, a sequence, and the dimension of its unit."""

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


@dataclass(frozen=True)
class StagedPlot:
    """A signal with everything a number needs; what its kind does not take is empty, `factor` is its unit in SI.

    `components` are the curves to show by their names, all but magnitudes where it is empty; `wrapped` are the angles
    to keep within half a turn. `also` are further signals of the same plot.
    """

    signal: SignalKind
    of: str
    relative_to: str
    resolved_in: str
    unit: str
    factor: float
    sequence: str = ""
    components: tuple[str, ...] = ()
    wrapped: tuple[str, ...] = ()
    title: str = ""
    also: tuple[StagedPlot, ...] = ()

    @property
    def signals(self) -> tuple[StagedPlot, ...]:
        """The signal itself, and the others in the same plot."""
        return (self, *self.also)


def compile_plot(plot: PlottedSignal, scene: Scene, index: Mapping[str, int]) -> StagedPlot:
    """Check a plot and make it a signal.

    Raises
    ------
    ItemError
        When it misses something, names what is not there, or says what its kind does not take.
    """
    staged = _compile_signal(plot, scene, index)
    if not isinstance(plot, Plot):
        return staged
    return replace(staged, title=plot.title or "", also=tuple(_compile_also(plot, scene, index)))


def _compile_signal(plot: PlottedSignal, scene: Scene, index: Mapping[str, int]) -> StagedPlot:
    takes = TAKES[plot.signal]
    _check_keys(plot, takes)
    of = plot.of or ""
    if takes.of:
        _require(takes.of, of, scene, index)
    for key in takes.frames:
        name = getattr(plot, key)
        if name not in index:
            raise NoSuchNameError((key,), "frame", name, index)
    relative_to = plot.relative_to or ""
    if plot.signal == "residues":
        if of not in scene.frames:
            raise ItemError(("of",), "the world has no residues.", "Name a frame.")
        relative_to = scene.frames[of].parent
    if plot.signal == "constraint error" and scene.elements[of].form != "velocity":
        raise ItemError(("of",), f"{of} is no constraint.", "Name an element of form velocity.")
    factor = unit_factor(plot.unit, takes.dimension, ("unit",)) if takes.dimension else 1.0
    shown = components_of(plot, scene)
    named = (("components", plot.components or (), shown.every), ("wrapped", plot.wrapped, shown.angles))
    for key, names, known in named:
        for i, name in enumerate(names):
            if name not in known:
                hint = did_you_mean(name, known) or f"Remove {key}."
                raise ItemError((key, i), f'{plot.signal} has no component "{name}" here.', hint)
    components = () if plot.components == shown.usual else plot.components or ()
    return StagedPlot(
        plot.signal,
        of,
        relative_to,
        plot.resolved_in or "",
        plot.unit or "",
        factor,
        plot.sequence or "",
        components,
        plot.wrapped,
    )


def _compile_also(plot: Plot, scene: Scene, index: Mapping[str, int]) -> Iterator[StagedPlot]:
    for i, signal in enumerate(plot.also):
        if not may_share(plot, signal):
            message = f"{signal.signal} cannot stand in a plot of {plot.signal}."
            raise ItemError(("also", i), message, "Give it a plot of its own.")
        if signal.unit != plot.unit:
            message = f"a plot has one unit, and this one is in {plot.unit}."
            raise ItemError(("also", i, "unit"), message, f"Use {plot.unit}.")
        try:
            yield _compile_signal(signal, scene, index)
        except ItemError as fault:
            raise ItemError(("also", i, *fault.key_path), fault.message, fault.hint, meant=fault.meant) from None


def may_share(plot: PlottedSignal, other: PlottedSignal) -> bool:
    """Return whether two signals can stand in one plot: of one dimension, or of one kind without a unit.

    Sensors and claims bring several curves and their own units, and have plots of their own.
    """
    if {plot.signal, other.signal} & {"sensor", "measured"}:
        return False
    dimension = TAKES[plot.signal].dimension
    return plot.signal == other.signal if dimension is None else dimension == TAKES[other.signal].dimension


@dataclass(frozen=True)
class Components:
    """Names of the curves a signal can show: what it `usual`-ly does, with magnitudes `every` one, and the `angles`."""

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
"""The quantities that a sensor can measure, by the reference's letters for them."""

_XYZ = ("x", "y", "z")
_ANGLES = ("angle 1", "angle 2", "angle 3")
_RATES = ("rate 1", "rate 2", "rate 3")
_SIDES = ("claimed", "computed")


def components_of(plot: PlottedSignal | StagedPlot, scene: Scene) -> Components:
    """Return the names of the curves that a signal of a scene can show.

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
    for key in _measured_by(scene.sensors[name]):
        if key == "angles":
            angles = _ANGLES
            usual += _ANGLES
        else:
            usual += (f"{key}_{axis}" for axis in _XYZ)
            norms.append(f"norm {key}")
    return Components(tuple(usual), (*usual, *norms), angles)


def _measured_by(sensor: Sensor) -> Iterator[str]:
    """Yield the keys of the quantities that a sensor is asked for."""
    suffix = "_rel" if sensor.form == "relative" else ""
    for quantity in SENSED:
        key = quantity if quantity == "angles" else quantity + suffix
        if getattr(sensor, f"get_{key}"):
            yield key


def sensed_quantities(components: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the components of a sensor by the quantities that they are of.

    >>> sensed_quantities(["r_rel_x", "r_rel_y", "norm r_rel", "angle 1"])
    {'position': ('r_rel_x', 'r_rel_y', 'norm r_rel'), 'angles': ('angle 1',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    for name in components:
        letter = name.removeprefix("norm ").partition("_")[0]
        quantity = SENSED.get(letter, "angles")
        found[quantity] = (*found.get(quantity, ()), name)
    return found


def _directions(plot: PlottedSignal | StagedPlot, scene: Scene) -> tuple[str, ...]:
    """Return the axes that a vector has: a point of one direction passes on that one."""
    point = plot.of or ""
    if TAKES[plot.signal].of == "elements":
        point = scene.elements[point].point
    elif TAKES[plot.signal].of != "points":
        return _XYZ
    return tuple(scene.points[point].kind.lower()) if point in scene.points else _XYZ


def _check_keys(plot: PlottedSignal, takes: Takes) -> None:
    """Check that a plot has what its kind takes, and nothing else."""
    needed: set[str] = {*takes.frames, *(["of"] if takes.of else []), *(["sequence"] if takes.has_sequence else [])}
    allowed: set[str] = {*needed, *(["unit"] if takes.dimension else [])}
    for key in ("of", "relative_to", "resolved_in", "sequence", "unit"):
        is_given = getattr(plot, key) is not None
        if is_given and key not in allowed:
            raise ItemError((key,), f"{plot.signal} takes no {key}.", f"Remove {key}.")
        if not is_given and key in needed:
            raise ItemError((key,), f"{plot.signal} needs {key}.", _what(takes, key))
    if takes.has_sequence:
        try:
            as_sequence(plot.sequence or "")
        except ValueError:
            message = f'"{plot.sequence}" is no axis sequence: three of X, Y, Z, neighbours different.'
            raise ItemError(("sequence",), message, 'Use one such as "XYZ" or "ZYX".') from None


def _require(kind: str, name: str, scene: Scene, index: Mapping[str, int]) -> None:
    known = index if kind == "frames" else getattr(scene, kind)
    if name not in known:
        one = {"frames": "frame", "sensors": "sensor", "measured": "claim", "points": "point", "elements": "element"}
        raise NoSuchNameError(("of",), one[kind], name, known)


def _what(takes: Takes, key: str) -> str:
    if key == "sequence":
        return "Name three axes, such as ZYX."
    if key in takes.frames or takes.of == "frames":
        return "Name a frame, such as world."
    return f"Name one of the scene's {takes.of}."


def units_of(signal: SignalKind) -> tuple[str, ...]:
    """Return the units that a kind of signal may be given in; none where it has its own.

    >>> units_of("angles")
    ('rad', 'deg', 'turn', 'mrad')
    """
    dimension = TAKES[signal].dimension
    return tuple(UNITS[dimension]) if dimension else ()
