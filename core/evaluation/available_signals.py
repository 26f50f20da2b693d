"""Signals of a scene that can be plotted: the signals of an item, the most useful first, with short names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from framescope.core.kernels.validation import SEQUENCES
from framescope.core.scene.schema.kinds.elements import ELEMENT_KINDS
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.poses import Axes
from framescope.core.scene.schema.signals import TAKES, components_of, sensed_quantities
from framescope.core.scene.schema.view import Plot, PlottedSignal, SignalKind

SYMBOLS: Mapping[str, str] = {
    "position": "r",
    "velocity": "v",
    "acceleration": "a",
    "angular velocity": "ω",
    "angular acceleration": "α",
    "port force": "F",
    "port velocity": "v",
    "port displacement": "x",
    "element force": "F",
    "constraint error": "Δ",
    "linear momentum": "p",
    "angular momentum": "L",
}
"""Letter of each signal that has one."""

USUAL_UNITS: Mapping[str, str] = {
    "position": "m",
    "velocity": "m/s",
    "acceleration": "m/s²",
    "angular velocity": "deg/s",
    "angular acceleration": "deg/s²",
    "angles": "deg",
    "angle rates": "deg/s",
    "port force": "N",
    "port velocity": "m/s",
    "port displacement": "m",
    "element force": "N",
    "energy": "J",
    "linear momentum": "N s",
    "angular momentum": "N m s",
    "constraint error": "m",
}
"""Unit of a new plot of each signal."""


def signals_of_item(scene: Scene, kind: str, name: str) -> tuple[Plot, ...]:
    """Return the signals of an item of a scene, the one a user most likely wants first.

    Parameters
    ----------
    kind, name
        Kind and name of the item, such as ``"frames"`` and the name of a frame; a body has the signals of its frame.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "world"}}})
    >>> [plot.signal for plot in signals_of_item(scene, "frames", "arm")][:2]
    ['angular velocity', 'angles']
    >>> signals_of_item(scene, "frames", "world")
    ()
    """
    makers: Mapping[str, Callable[[Scene, str], Iterator[Plot]]] = {
        "frames": _of_frame,
        "bodies": _of_body,
        "points": _of_point,
        "elements": _of_element,
        "sensors": _of_sensor,
        "measured": lambda _scene, name: iter((_plot("measured", of=name),)),
    }
    if kind not in makers or name not in getattr(scene, kind):
        return ()
    return tuple(makers[kind](scene, name))


def signals_of_scene(scene: Scene) -> tuple[Plot, ...]:
    """Return the signals of all simulated bodies together; none if nothing is simulated."""
    if not any(frame.motion is not None and frame.motion.form == "simulated" for frame in scene.frames.values()):
        return ()
    return tuple(_plot(signal) for signal in ("energy", "linear momentum", "angular momentum"))


def short_name(plot: PlottedSignal) -> str:
    """Return a short text for a signal, shown beside the pointer while dragging.

    >>> short_name(Plot(signal="angular velocity", of="camera", relative_to="world", components=("norm",)))
    '|ω| camera in world'
    """
    symbol = SYMBOLS.get(plot.signal, "")
    if symbol and plot.components:
        symbol = ", ".join(f"|{symbol}|" if part == "norm" else symbol + part for part in plot.components)
    words = [symbol or plot.signal, plot.of or "of all bodies"]
    if plot.relative_to:
        words += ["in", plot.relative_to]
    return " ".join(words)


def _of_frame(scene: Scene, name: str) -> Iterator[Plot]:
    if name == WORLD:
        return
    frame = scene.frames[name]
    parent = frame.parent
    relation = {"of": name, "relative_to": parent, "resolved_in": name}
    yield _plot("angular velocity", **relation)
    by = {"of": name, "relative_to": parent, "sequence": _sequence_of(frame)}
    yield _plot("angles", **by)
    yield _plot("position", of=name, relative_to=parent, resolved_in=parent)
    for signal in ("velocity", "acceleration"):
        yield _plot(signal, of=name, relative_to=parent, resolved_in=parent)
    yield _plot("angular acceleration", **relation)
    yield _plot("quaternion", of=name, relative_to=parent)
    yield _plot("residues", of=name)
    for signal in ("angle rates", "singularity", "condition number"):
        yield _plot(signal, **by)
    if parent != WORLD:
        for signal in ("position", "velocity", "acceleration", "angular velocity", "angular acceleration"):
            yield _plot(signal, of=name, relative_to=WORLD, resolved_in=WORLD)


def _sequence_of(frame: Frame) -> str:
    form = frame.orientation
    return form.sequence if isinstance(form, Axes) and form.sequence in SEQUENCES else "XYZ"


def _of_body(scene: Scene, name: str) -> Iterator[Plot]:
    frame = scene.bodies[name].frame
    return _of_frame(scene, frame) if frame in scene.frames else iter(())


def _of_point(_scene: Scene, name: str) -> Iterator[Plot]:
    for signal in ("port force", "port velocity", "port displacement"):
        yield _plot(signal, of=name)


def _of_element(scene: Scene, name: str) -> Iterator[Plot]:
    yield _plot("element force", of=name)
    if ELEMENT_KINDS.of(scene.elements[name]).is_constraint:
        yield _plot("constraint error", of=name)


def _of_sensor(scene: Scene, name: str) -> Iterator[Plot]:
    """Yield the plot of a whole sensor, then a plot for each of its quantities if there are several."""
    whole = _plot("sensor", of=name)
    yield whole
    quantities = sensed_quantities(components_of(whole, scene).usual)
    if len(quantities) > 1:
        for components in quantities.values():
            yield _plot("sensor", of=name, components=components)


def _plot(signal: SignalKind, **keys: object) -> Plot:
    unit = {"unit": USUAL_UNITS[signal]} if TAKES[signal].dimension else {}
    return Plot.model_validate({"signal": signal, **keys, **unit})
