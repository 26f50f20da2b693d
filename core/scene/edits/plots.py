"""Edits of the plots of a scene: add and remove signals, split and move plots, change units and wrapping.

A curve is identified by its plot, the index of its signal in the plot (from 1 on in `also`), and its component.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.signals import components_of, may_share, sensed_quantities
from framescope.core.scene.schema.view import Plot, PlottedSignal

MAX_PLOTS, MAX_SIGNALS = 12, 8
"""Maximum number of plots of a scene, and of signals of a plot."""

Signals = list[PlottedSignal]


@dataclass(frozen=True)
class CurveKey:
    """Key of a curve in a plot: the index of its signal, 0 for the first, and its component."""

    i_signal: int
    component: str


def has_room(scene: Scene, n_plots: int = 1) -> bool:
    """Return whether `n_plots` plots can be added."""
    return len(scene.view.plots) + n_plots <= MAX_PLOTS


def add_plot(plot: Plot, at: int | None = None) -> Edit:
    """Return the edit that adds a plot before the plot at an index, or at the end.

    >>> energy = Plot(signal="energy", unit="J")
    >>> [plot.signal for plot in add_plot(energy).apply(Scene()).view.plots]
    ['energy']
    """

    def apply(scene: Scene) -> Scene:
        plots = list(scene.view.plots)
        plots.insert(len(plots) if at is None else at, plot)
        return _with_plots(scene, plots)

    return Edit(f"Added a plot of {_plot_label(plot)}", apply)


def add_plots(plots: Sequence[Plot], title: str) -> Edit:
    """Return the edit that adds plots at the end; `title` describes them in the label.

    >>> plots = [Plot(signal="energy", unit="J"), Plot(signal="linear momentum")]
    >>> edit = add_plots(plots, "the balances")
    >>> edit.label, len(edit.apply(Scene()).view.plots)
    ('Added plots of the balances', 2)
    """
    return Edit(f"Added plots of {title}", lambda scene: _with_plots(scene, [*scene.view.plots, *plots]))


def add_signal(i_plot: int, signal: Plot) -> Edit:
    """Return the edit that adds a signal to a plot, or further components of a signal that is already in it.

    The signal gets the unit of the plot. If `signal` is a plot of several signals, all are added.
    """

    def join(plot: Plot, scene: Scene) -> tuple[Plot, ...]:
        for part in signals_of(signal):
            plot = _join(plot, part, scene)
        return (plot,)

    return _replace_plot(i_plot, join, f"Added {_plot_label(signal)} to a plot")


def can_join(plot: Plot, signal: PlottedSignal) -> bool:
    """Return whether a signal can be added to a plot."""
    return len(plot.also) + 1 < MAX_SIGNALS and may_share(plot, signal)


def remove_plot(i_plot: int, name: str) -> Edit:
    """Return the edit that removes a plot; `name` is its name in the label."""
    return _replace_plot(i_plot, lambda _plot, _scene: (), f"Removed the plot of {name}")


def move_plot(i_plot: int, to: int) -> Edit:
    """Return the edit that moves a plot to another index, which counts the other plots only."""

    def apply(scene: Scene) -> Scene:
        plots = list(scene.view.plots)
        plots.insert(to, plots.pop(i_plot))
        return _with_plots(scene, plots)

    return Edit("Moved a plot", apply)


def remove_curve(i_plot: int, key: CurveKey, name: str) -> Edit:
    """Return the edit that removes a curve from a plot; a plot without curves is removed, too."""

    def without(signals: Signals, scene: Scene) -> Signals:
        signal = signals[key.i_signal]
        components = [part for part in shown_of(signal, scene) if part != key.component]
        wrapped = [part for part in signal.wrapped if part in components]
        rest = [with_keys(signal, components=components, wrapped=wrapped or None)] if components else []
        return [*signals[: key.i_signal], *rest, *signals[key.i_signal + 1 :]]

    return _change_signals(i_plot, without, f"Removed {name} from a plot")


def split_plot(i_plot: int) -> Edit:
    """Return the edit that gives each signal of a plot, or each curve of its only signal, a plot of its own."""

    def parts(plot: Plot, scene: Scene) -> list[Plot]:
        signals = signals_of(plot)
        if len(signals) == 1:
            signals = [_component_alone(plot, part) for part in shown_of(plot, scene)]
        return [_plot_of([signal]) for signal in signals]

    return _replace_plot(i_plot, parts, "Split a plot")


def n_parts(plot: Plot, scene: Scene) -> int:
    """Return the number of plots after a split of a plot; 1 if there is nothing to split."""
    return len(plot.also) + 1 if plot.also else len(shown_of(plot, scene))


def set_unit(i_plot: int, unit: str) -> Edit:
    """Return the edit that shows a plot in another unit."""
    label = f"Changed a plot to {unit}"
    return _change_signals(i_plot, lambda signals, _: [with_keys(signal, unit=unit) for signal in signals], label)


def set_sequence(i_plot: int, sequence: str) -> Edit:
    """Return the edit that changes the axis sequence of angles, rates, singularity and condition number in a plot."""

    def by_sequence(signals: Signals, _scene: Scene) -> Signals:
        has_one = [signal_named(signal.signal).has_sequence for signal in signals]
        return [with_keys(s, sequence=sequence) if has else s for s, has in zip(signals, has_one, strict=True)]

    return _change_signals(i_plot, by_sequence, f"Changed a plot to {sequence}")


def set_angle_wrap(i_plot: int, key: CurveKey, is_wrapped: bool, name: str) -> Edit:
    """Return the edit that wraps an angle into half a turn, or unwraps it."""

    def wrap(signals: Signals, _scene: Scene) -> Signals:
        signal = signals[key.i_signal]
        others = [part for part in signal.wrapped if part != key.component]
        angles = [*others, key.component] if is_wrapped else others
        signals[key.i_signal] = with_keys(signal, wrapped=angles or None)
        return signals

    return _change_signals(i_plot, wrap, f"Wrapped {name} into half a turn" if is_wrapped else f"Unwrapped {name}")


def signals_of(plot: Plot) -> tuple[PlottedSignal, ...]:
    """Return the signals of a plot; the first is the plot itself without its title and other signals."""
    return (PlottedSignal.model_validate(_authored_keys(plot, without=("title", "also"))), *plot.also)


def shown_of(signal: PlottedSignal, scene: Scene) -> tuple[str, ...]:
    """Return the components of a signal that are shown."""
    return signal.components or components_of(signal, scene).usual


def with_keys(signal: PlottedSignal, **keys: object) -> PlottedSignal:
    """Return a signal with other keys; keys that are None are left out."""
    return PlottedSignal.model_validate({k: v for k, v in {**_authored_keys(signal), **keys}.items() if v is not None})


def _join(plot: Plot, signal: PlottedSignal, scene: Scene) -> Plot:
    signals = list(signals_of(plot))
    unit = {"unit": plot.unit} if plot.unit else {}
    added = with_keys(signal, **unit)
    alone = with_keys(added, components=None, wrapped=None)
    for i, present in enumerate(signals):
        if with_keys(present, components=None, wrapped=None) == alone:
            shown = shown_of(present, scene)
            more = [part for part in shown_of(added, scene) if part not in shown]
            signals[i] = with_keys(present, components=[*shown, *more]) if more else present
            return _plot_of(signals, plot.title)
    if len(signals) >= MAX_SIGNALS or not may_share(plot, signal):
        raise ValueError(f"{signal.signal} cannot join this plot. Give it a plot of its own")
    return _plot_of([*signals, added], plot.title)


def _component_alone(plot: Plot, component: str) -> PlottedSignal:
    (signal, *_) = signals_of(plot)
    return with_keys(signal, components=[component], wrapped=[component] if component in plot.wrapped else None)


def _plot_of(signals: Sequence[PlottedSignal], title: str | None = None) -> Plot:
    """Return a plot of several signals."""
    also = {"also": [_authored_keys(signal) for signal in signals[1:]]} if len(signals) > 1 else {}
    named = {} if title is None else {"title": title}
    return Plot.model_validate({**_authored_keys(signals[0]), **named, **also})


def _authored_keys(signal: PlottedSignal, without: tuple[str, ...] = ()) -> dict[str, Any]:
    keys = signal.model_dump(exclude_unset=True)
    return {key: value for key, value in keys.items() if key not in without and value is not None}


def _plot_label(plot: Plot) -> str:
    if plot.signal == "sensor":
        quantities = " and ".join(sensed_quantities(plot.components or ()))
        return f"the {quantities} that {plot.of} measures" if quantities else f"all that {plot.of} measures"
    if plot.signal == "measured":
        return f"what {plot.of} measures"
    return f"{plot.signal} of {plot.of}" if plot.of else plot.signal


def _change_signals(i_plot: int, change: Callable[[Signals, Scene], Signals], label: str) -> Edit:
    """Return the edit that changes the signals of a plot, and removes the plot if none remains."""

    def whole(plot: Plot, scene: Scene) -> list[Plot]:
        signals = change(list(signals_of(plot)), scene)
        return [_plot_of(signals, plot.title)] if signals else []

    return _replace_plot(i_plot, whole, label)


def _replace_plot(i_plot: int, change: Callable[[Plot, Scene], Sequence[Plot]], label: str) -> Edit:
    """Return the edit that replaces one plot by others, or by none."""

    def apply(scene: Scene) -> Scene:
        plots = list(scene.view.plots)
        plots[i_plot : i_plot + 1] = change(plots[i_plot], scene)
        return _with_plots(scene, plots)

    return Edit(label, apply)


def _with_plots(scene: Scene, plots: Sequence[Plot]) -> Scene:
    if len(plots) > MAX_PLOTS:
        raise ValueError(f"a scene has at most {MAX_PLOTS} plots. Remove one first")
    view = scene.view.model_copy(update={"plots": tuple(plots)})
    return scene.model_copy(update={"view": view})
