"""Which signals there are, what each takes to be said in full, and a plot of a scene made into one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from framescope.core.arrays import as_sequence
from framescope.core.errors import ItemError, NoSuchNameError
from framescope.core.scene.model import Scene
from framescope.core.scene.quantities import UNITS, unit_factor
from framescope.core.scene.view import Plot, SignalKind

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
    """A signal with everything a number needs; what its kind does not take is empty, `factor` is its unit in SI."""

    signal: SignalKind
    of: str
    relative_to: str
    resolved_in: str
    unit: str
    factor: float
    sequence: str = ""


def compile_plot(plot: Plot, scene: Scene, index: Mapping[str, int]) -> StagedPlot:
    """Check a plot and make it a signal.

    Raises
    ------
    ItemError
        When it misses something, names what is not there, or says what its kind does not take.
    """
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
    return StagedPlot(
        plot.signal, of, relative_to, plot.resolved_in or "", plot.unit or "", factor, plot.sequence or ""
    )


def _check_keys(plot: Plot, takes: Takes) -> None:
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
    ('rad', 'deg', 'turn')
    """
    dimension = TAKES[signal].dimension
    return tuple(UNITS[dimension]) if dimension else ()
