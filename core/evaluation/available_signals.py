"""Signals of a scene that can be plotted: the signals of an item, the most useful first, with short names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from framescope.core.kernels.validation import SEQUENCES
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.poses import ThreeAngles, as_moving
from framescope.core.scene.schema.signal_kinds import Signal, all_signals, signal_named, signals_of
from framescope.core.scene.schema.signals import components_of, problem_of, references_of, sensed_quantities
from framescope.core.scene.schema.view import Plot, PlottedSignal


def signals_of_item(scene: Scene, kind: str, name: str) -> tuple[Plot, ...]:
    """Return the signals of an item of a scene, the most useful first.

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
    if kind not in _MAKERS or name not in getattr(scene, kind):
        return ()
    return tuple(_MAKERS[kind](scene, name))


def names_of_frame_signals(scene: Scene, name: str) -> Iterator[tuple[str, str | None]]:
    """Yield signal and reference frame of each signal of a frame, in the order of `signals_of_item`.

    This makes no plots, so that a search looks through those of thousands of frames at once.

    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "world"}}})
    >>> next(names_of_frame_signals(scene, "arm"))
    ('angular velocity', 'world')
    """
    for kind, keys in _frame_signals(scene, name):
        yield kind.name, keys.get("relative_to")


def signal_of_frame(scene: Scene, name: str, i: int) -> Plot:
    """Return the signal at a position in `signals_of_item` of a frame, without making the others.

    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "world"}}})
    >>> signal_of_frame(scene, "arm", 1).signal
    'angles'
    """
    kind, keys = next(islice(_frame_signals(scene, name), i, None))
    return _plot(kind, of=name, **keys)


def signals_of_scene(scene: Scene) -> tuple[Plot, ...]:
    """Return the signals of all simulated bodies together; none if nothing is simulated."""
    if not any(frame.motion is not None and frame.motion.form == "simulated" for frame in scene.frames.values()):
        return ()
    return tuple(_plot(signal) for signal in signals_of(""))


def usual_axes(plot: PlottedSignal) -> str | None:
    """Return the frame in whose axes a signal is usually resolved; None if it is resolved in none.

    A position, velocity or acceleration is usually in the axes of the frame that it is relative to, an angular velocity
    in those of its own frame, as a gyroscope measures it.

    Examples
    --------
    >>> keys = {"of": "camera", "relative_to": "imu", "resolved_in": "world"}
    >>> [usual_axes(Plot(signal=signal, **keys)) for signal in ("position", "angular velocity", "angles")]
    ['imu', 'camera', None]
    """
    kind = signal_named(plot.signal)
    if "resolved_in" not in kind.frames:
        return None
    return plot.of if kind.resolved_in == "itself" else plot.relative_to


def short_name(plot: PlottedSignal) -> str:
    """Return a short text for a signal, shown beside the pointer while dragging.

    >>> short_name(Plot(signal="angular velocity", of="camera", relative_to="world", components=("norm",)))
    '|ω| camera in world'
    """
    symbol = signal_named(plot.signal).symbol
    if symbol and plot.components and plot.components != (plot.signal,):
        symbol = ", ".join(f"|{symbol}|" if part == "norm" else symbol + part for part in plot.components)
    words = [symbol or plot.signal, plot.of or "of all bodies"]
    if plot.relative_to:
        words += ["in", plot.relative_to]
    return " ".join(words)


def _of_frame(scene: Scene, name: str) -> Iterator[Plot]:
    return (_plot(kind, of=name, **keys) for kind, keys in _frame_signals(scene, name))


def _frame_signals(scene: Scene, name: str) -> Iterator[tuple[Signal, dict[str, str | None]]]:
    """Yield the kinds of signals of a frame, with their frames and axis sequence."""
    if name == WORLD:
        return
    frame = scene.frames[name]
    kinds = signals_of("frames")
    for kind in kinds:
        choices = {
            "relative_to": frame.parent,
            "resolved_in": name if kind.resolved_in == "itself" else frame.parent,
            "sequence": _sequence_of(frame) if kind.has_sequence else None,
        }
        taken = {key: choices[key] for key in (*kind.frames, *(("sequence",) if kind.has_sequence else ()))}
        for reference in _references(kind, scene, frame.parent):
            if reference != name:
                yield kind, {**taken, "relative_to": reference} if "relative_to" in taken else taken
    if frame.parent != WORLD:
        for kind in (kind for kind in all_signals().values() if kind.is_offered_in_world):
            yield kind, dict.fromkeys(kind.frames, WORLD)


MOST_REFERENCES = 12
"""Largest number of cameras relative to which the signals of an item are listed."""


def _references(kind: Signal, scene: Scene, usual: str) -> tuple[str, ...]:
    """Return the frames relative to which a signal is listed: the usual one, or those that the signal can be of."""
    references = references_of(kind, scene)
    return (usual,) if references is None else references[:MOST_REFERENCES]


def _sequence_of(frame: Frame) -> str:
    form = frame.orientation
    sequence = as_moving(form).sequence if isinstance(form, ThreeAngles) else ""
    return sequence if sequence in SEQUENCES else "XYZ"


def _of_body(scene: Scene, name: str) -> Iterator[Plot]:
    frame = scene.bodies[name].frame
    return _of_frame(scene, frame) if frame in scene.frames else iter(())


def _of_measured(_scene: Scene, name: str) -> Iterator[Plot]:
    return (_plot(kind, of=name) for kind in signals_of("measured"))


def _of_point(scene: Scene, name: str) -> Iterator[Plot]:
    for kind in signals_of("points"):
        if "relative_to" not in kind.frames:
            yield _plot(kind, of=name)
            continue
        for reference in _references(kind, scene, WORLD):
            yield _plot(kind, of=name, relative_to=reference)


def _of_element(scene: Scene, name: str) -> Iterator[Plot]:
    return (_plot(kind, of=name) for kind in signals_of("elements") if problem_of(kind, scene, name) is None)


def _of_sensor(scene: Scene, name: str) -> Iterator[Plot]:
    """Yield the plot of a whole sensor, then a plot for each of its quantities if there are several."""
    whole = _plot(signal_named("sensor"), of=name)
    yield whole
    quantities = sensed_quantities(components_of(whole, scene).usual)
    if len(quantities) > 1:
        for components in quantities.values():
            yield _plot(signal_named("sensor"), of=name, components=components)


def _plot(kind: Signal, **keys: object) -> Plot:
    unit = {"unit": kind.unit} if kind.dimension else {}
    return Plot.model_validate({"signal": kind.name, **keys, **unit})


_MAKERS: Mapping[str, Callable[[Scene, str], Iterator[Plot]]] = {
    "frames": _of_frame,
    "bodies": _of_body,
    "points": _of_point,
    "elements": _of_element,
    "sensors": _of_sensor,
    "measured": _of_measured,
}
