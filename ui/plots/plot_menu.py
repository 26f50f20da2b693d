"""Menu of a plot: its curves, unit, place among the plots, and exports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from framescope.core.kernels.validation import SEQUENCES
from framescope.core.scene.edits import plots
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.signals import components_of, units_of
from framescope.core.scene.schema.view import Plot as ScenePlot
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.plots.plot import Plot
from framescope.ui.widgets.angle_unit import DEG, AngleUnit

FORMATS = ("csv", "png", "svg")


def fill_plot_menu(
    menu: QMenu,
    plot: Plot,
    scene: Scene,
    commit: Callable[[Edit], None],
    add_signal: Callable[[], None],
    export: Callable[[str], None],
    angles: AngleUnit = DEG,
) -> None:
    """Add the actions of a plot to a menu.

    Parameters
    ----------
    plot, scene
        The plot and its scene.
    commit, add_signal, export
        Functions that commit an edit, choose a signal, and export in a format.
    angles
        Unit of angles of the window. It replaces degrees and radians alike.
    """
    curves = plot.curves
    if curves is None or curves.i_plot is None or curves.i_plot >= len(scene.view.plots):
        return
    i_plot, authored = curves.i_plot, scene.view.plots[curves.i_plot]
    if curves.styles:
        menu.addAction("Ask for another curve…", add_signal)
        for index, style in enumerate(curves.styles):
            _add_curve(menu.addMenu(style.name), plot, scene, authored, index, commit)
        menu.addSeparator()
    _add_units(menu, i_plot, authored, commit, angles)
    _add_sequences(menu, i_plot, authored, commit)
    if curves.styles and plots.n_parts(authored, scene) > 1:
        menu.addAction("Split into plots", lambda: commit(plots.split_plot(i_plot)))
    left = menu.addAction("Move to the left", lambda: commit(plots.move_plot(i_plot, i_plot - 1)))
    left.setEnabled(i_plot > 0)
    right = menu.addAction("Move to the right", lambda: commit(plots.move_plot(i_plot, i_plot + 1)))
    right.setEnabled(i_plot < len(scene.view.plots) - 1)
    if curves.styles:
        menu.addSeparator()
        # Texts after a tab are keys of the plot itself, not shortcuts of the window.
        menu.addAction("Show everything\t0", plot.canvas.show_all)
        menu.addAction("Copy values at the cursor\tCtrl+C", plot.copy_values)
        files = menu.addMenu("Export")
        for name in FORMATS:
            files.addAction(f"{name.upper()}…", partial(export, name))
    menu.addSeparator()
    menu.addAction("Remove plot", lambda: commit(plots.remove_plot(i_plot, curves.title.lower())))


def _add_curve(
    menu: QMenu, plot: Plot, scene: Scene, authored: ScenePlot, index: int, commit: Callable[[Edit], None]
) -> None:
    curves = plot.curves
    if curves is None or curves.i_plot is None or index >= len(curves.keys):
        return
    i_plot, key, name = curves.i_plot, curves.keys[index], curves.styles[index].name
    show_action = menu.addAction("Show", partial(plot.toggle_curve, index))
    show_action.setCheckable(True)
    show_action.setChecked(index not in plot.hidden)
    if _is_angle(scene, authored, key):
        is_wrapped = key.component in plots.signals_of(authored)[key.i_signal].wrapped
        unwrap = menu.addAction(
            "Unwrap: continue past half a turn", lambda: commit(plots.set_angle_wrap(i_plot, key, not is_wrapped, name))
        )
        unwrap.setCheckable(True)
        unwrap.setChecked(not is_wrapped)
    menu.addAction("Remove", lambda: commit(plots.remove_curve(i_plot, key, name)))


def _is_angle(scene: Scene, authored: ScenePlot, key: plots.CurveKey) -> bool:
    signal = plots.signals_of(authored)[key.i_signal]
    return bool(key.component) and key.component in components_of(signal, scene).angles


def _add_units(
    menu: QMenu, i_plot: int, authored: ScenePlot, commit: Callable[[Edit], None], angles: AngleUnit
) -> None:
    # List each unit once: some have a second spelling without ², and degrees and radians follow the window.
    units: dict[str, str] = {}
    for unit in units_of(authored.signal):
        units.setdefault(angles.shown(unit_text(unit))[0], unit)
    if len(units) < 2:
        return
    current = angles.shown(unit_text(authored.unit or ""))[0]
    _add_choice(menu.addMenu("Unit"), units, current, lambda unit: commit(plots.set_unit(i_plot, unit)))


def _add_sequences(menu: QMenu, i_plot: int, authored: ScenePlot, commit: Callable[[Edit], None]) -> None:
    plotted = plots.signals_of(authored)
    sequences = {signal.sequence or "" for signal in plotted if signal_named(signal.signal).has_sequence}
    if len(sequences) == 1:  # several sequences are plotted to compare them
        names = {name: name for name in SEQUENCES}
        _add_choice(
            menu.addMenu("Sequence"), names, sequences.pop(), lambda name: commit(plots.set_sequence(i_plot, name))
        )


def _add_choice(menu: QMenu, texts: Mapping[str, str], current: str, choose: Callable[[str], None]) -> None:
    """Fill a menu with choices, and check the current one."""
    group = QActionGroup(menu)
    for text, value in texts.items():
        action = menu.addAction(text)
        action.setCheckable(True)
        if text == current:
            action.setChecked(True)
        else:
            action.triggered.connect(lambda _is_checked=False, value=value: choose(value))
        group.addAction(action)
