"""Plot panel at the bottom of the window, with plots side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QMenu, QScrollArea, QStackedLayout, QWidget

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.evaluation.available_signals import short_name
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.plots import MAX_PLOTS, add_plot, add_signal, can_join, has_room
from framescope.core.scene.edits.recordings import add_recorded_plot
from framescope.core.scene.schema.sensors import RecordedSensor
from framescope.core.scene.schema.view import Plot as ScenePlot
from framescope.ui.plots.curves import Curves
from framescope.ui.plots.drop_hint import DropHint
from framescope.ui.plots.export import PlotPicture
from framescope.ui.plots.plot import Plot, align_headers
from framescope.ui.plots.plot_menu import fill_plot_menu
from framescope.ui.plots.strip_chart import Strip
from framescope.ui.plots.turn_chart import TurnChart
from framescope.ui.plots.zoom import Range
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import ANGLE_UNITS, DEG
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.headings import separator
from framescope.ui.widgets.signal_mime import plots_of

Region = tuple[float, float, str]

MIN_WIDTH = 236
"""Minimum width of a plot, logical pixels, for readable titles and numbers. With less room, the row scrolls."""

REST_MS = 150
"""Delay between the last zoom and the request for finer curves, ms."""

AT_ONCE = 3
"""Number of plots created before the window handles further events. Each takes 10 ms or more."""

_BETWEEN = 20
_END_WIDTH = 36

_ROWS = 15
"""Minimum height of enlarged plots, rows of numbers."""


class _Sideways(QScrollArea):
    """Scroll area that an ordinary wheel scrolls sideways, since it has no vertical scroll bar."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        bar, angle = self.horizontalScrollBar(), event.angleDelta()
        if bar.maximum() > 0:
            bar.setValue(bar.value() - (angle.x() or angle.y()))
            event.accept()
        else:
            event.ignore()


class PlotPanel(QWidget):
    """Row of plots with a common cursor. Signals can be dropped on it.

    Signals
    -------
    signal_wanted(object)
        Request to ask for a signal; the index of the plot that it joins, or None for a plot of its own.
    scrubbed(float), scrub_finished()
        Time at the pointer, s, while the user scrubs in a plot; the button was released.
    status(str, str)
        Severity and text for the status line.
    export_requested(object, str)
        Request to write a `PlotPicture` as "csv", "png" or "svg".
    view_settled(object)
        The time span in view, or None for all of it, after zooming; request for finer curves.
    uncovered()
        The chart of turns was replaced by the plots.
    keep_drag_requested()
        Request to keep the recorded drag as keyframes, see `strip`.
    share_requested()
        Request to make a page of the scene.
    angle_unit_changed()
        Request for curves in another unit, see `angle_unit`.
    turned_to(float)
        Request to show a staged rotation at another progress, from 0 to 3.
    """

    signal_wanted = Signal(object)
    scrubbed = Signal(float)
    scrub_finished = Signal()
    status = Signal(str, str)
    export_requested = Signal(object, str)
    view_settled = Signal(object)
    uncovered = Signal()
    keep_drag_requested = Signal()
    share_requested = Signal()
    angle_unit_changed = Signal()
    turned_to = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edits = EditSink(self)
        layouts.lay_ground(self)
        self.setAcceptDrops(True)
        self._plan: Plan | None = None
        self._plots: list[Plot] = []
        self._separators: list[QFrame] = []
        self.t_view: Range | None = None
        """Time span in view; None for all of it."""
        self._t: float | None = None
        self._region: Region | None = None
        self._contents: list[Curves | None] = []
        self._number_size = 0
        self._t_range: Range | None = None
        content = QWidget()
        self._row = layouts.row(on=content, margins=0, spacing=0)
        self.scroll_area = _Sideways(widgetResizable=True)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setWidget(content)
        self.add_button = IconButton("plus", "Ask for a curve; or drop a signal here", size=METRICS.small_button)
        self.add_button.clicked.connect(lambda: self.signal_wanted.emit(None))
        self.drag_button = IconButton("rotate-3d", "Chart of the drag", size=METRICS.small_button)
        self.drag_button.clicked.connect(self.show_drag)
        self.drag_button.hide()
        self._strip: Strip | None = None
        self._is_sharing_offered = False
        self.turn_chart: TurnChart | None = None
        self.angle_unit = DEG
        self.drop_hint = DropHint(self)
        self._lay_out()
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(lambda: self.view_settled.emit(self.t_view))
        self._more = QTimer(self, interval=0, singleShot=True)
        self._more.timeout.connect(self._show_contents)
        self.set_plots([None])

    @property
    def plots(self) -> tuple[Plot, ...]:
        """Plots, from left to right."""
        return tuple(self._plots)

    @property
    def i_plots_in_view(self) -> set[int]:
        """Indices of the scene's plots that are at least partly visible in the scrolled row."""
        indices = (p.curves.i_plot for p in self._plots if p.curves is not None and not p.visibleRegion().isEmpty())
        return {i for i in indices if i is not None}

    def set_plan(self, plan: Plan) -> None:
        """Set the scene of the plots, from which signals can be added."""
        self._plan = plan

    def forget_views(self) -> None:
        """Reset zoom and hidden curves for the next scene."""
        self._rest.stop()
        self.t_view = None
        for plot in self._plots:
            plot.forget()

    def set_angle_unit(self, unit: Literal["deg", "rad"]) -> None:
        """Show angles and their rates in degrees or radians."""
        if ANGLE_UNITS[unit] == self.angle_unit:
            return
        self.angle_unit = ANGLE_UNITS[unit]
        if self._strip is not None:
            self._strip.set_angle_unit(self.angle_unit)
        if self.turn_chart is not None:
            self.turn_chart.set_angle_unit(self.angle_unit)
        self.angle_unit_changed.emit()

    def set_plots(self, contents: Sequence[Curves | None], t_range: Range | None = None) -> None:
        """Show one plot for each content; without any, one empty plot with a hint.

        If many plots are new, the last ones follow a moment later.
        """
        self._contents, self._t_range = list(contents) or [None], t_range
        while len(self._plots) > len(self._contents):
            self._remove_last()
        if self.t_view is not None and t_range is not None:
            is_within = t_range[0] <= self.t_view[0] and self.t_view[1] <= t_range[1]
            self.t_view = self.t_view if is_within else None
        self._fill(self._plots)
        self._show_contents()

    def _show_contents(self) -> None:
        """Create the next missing plots and show their contents."""
        n_before = len(self._plots)
        for _ in range(min(len(self._contents) - n_before, AT_ONCE)):
            self._append()
        self._fill(self._plots[n_before:], n_before)
        for widget in (self._end_line, self._end):
            widget.setVisible(self._contents != [None])
        align_headers(self._plots)
        if len(self._plots) < len(self._contents):
            self._more.start()

    def _fill(self, plots: Sequence[Plot], first: int = 0) -> None:
        """Pass plots their contents. `first` is the index of the first plot."""
        for plot, curves in zip(plots, self._contents[first:], strict=False):
            plot.set_curves(curves, self._t_range)
            plot.canvas.set_t_view(self.t_view)

    def set_number_size(self, size: int) -> None:
        """Set the minimum size of numbers, logical pixels, as for a presentation; 0 for the default."""
        self._number_size = size
        self.setMinimumHeight(_ROWS * size)
        for plot in self._plots:
            self._size_plot(plot)
        if self.turn_chart is not None:
            self.turn_chart.set_number_size(size)

    def _size_plot(self, plot: Plot) -> None:
        plot.setMinimumWidth(round(MIN_WIDTH * max(self._number_size / METRICS.number, 1.0)))
        plot.set_number_size(self._number_size)

    def set_cursor(self, t: float) -> None:
        """Move the cursor of all plots to a time, s. Called at every tick."""
        self._t = t
        for plot in self._plots:
            plot.set_cursor(t)

    def set_region(self, region: Region | None) -> None:
        """Tint a time span in all plots: first and last time, s, and colour role."""
        if region != self._region:
            self._region = region
            for plot in self._plots:
                plot.canvas.set_region(region)

    def add_signal(self, signal: ScenePlot, i_plot: int | None = None, at: int | None = None) -> None:
        """Add a signal to a plot if it can join it, or as a plot of its own: after `i_plot`, before `at`, or last."""
        if self._plan is None:
            return
        scene = self._plan.scene
        if i_plot is not None and i_plot < len(scene.view.plots) and can_join(scene.view.plots[i_plot], signal):
            self.edits.commit(add_signal(i_plot, signal))
        elif has_room(scene):
            self.edits.commit(add_plot(signal, i_plot + 1 if i_plot is not None else at))
        else:
            self.status.emit("amber", f"A scene has at most {MAX_PLOTS} plots. Remove one first")

    def add_variable(self, sensor: RecordedSensor, i_plot: int | None = None) -> None:
        """Add a plot of a recorded variable, given as its sensor: after `i_plot`, or last."""
        self._commit(add_recorded_plot(sensor, None if i_plot is None else i_plot + 1))

    # --- strip chart of a drag

    @property
    def strip(self) -> Strip:
        """Strip chart of drags, created when first needed."""
        if self._strip is None:
            self._strip = Strip()
            self._strip.set_angle_unit(self.angle_unit)
            self._strip.keep.clicked.connect(self.keep_drag_requested)
            self._strip.share.clicked.connect(self.share_requested)
            self._strip.close_button.clicked.connect(self.dismiss_drag)
            self._strip.hide()
            self._beside.addWidget(self._strip, 1)
        return self._strip

    def offer_sharing(self) -> None:
        """Offer to share the scene once a drag is kept, see `share_requested`."""
        self._is_sharing_offered = True

    def show_kept_drag(self) -> None:
        """Show that the drag is kept, and offer to share the scene."""
        self.strip.show_kept(can_share=self._is_sharing_offered)

    def begin_drag(self, name: str, *, is_seen: bool = True) -> None:
        """Start to record the drag of a frame, and show the chart beside the plots if `is_seen`."""
        parent = "" if self._plan is None else self._plan.scene.frames[name].parent
        self.drag_button.hide()
        self.strip.begin(name, parent)
        if is_seen:
            self.show_drag()

    def show_drag(self) -> None:
        """Show the strip chart beside the plots."""
        self.drag_button.hide()
        self.strip.show()

    def end_drag(self) -> None:
        """End the record. Without a motion, discard the chart; if it is hidden, offer a button for it."""
        self.strip.end()
        if self.strip.isHidden():
            self.drag_button.setVisible(self.strip.record.is_motion)
            self.drag_button.setToolTip(f"Chart of the drag of {self.strip.name}: its velocity, to keep as keyframes")
        elif len(self.strip.record) < 2:
            self.dismiss_drag()

    def dismiss_drag(self) -> None:
        """Hide the chart and the button for it."""
        self.drag_button.hide()
        if self._strip is not None:
            self._strip.hide()

    def _uncover(self) -> None:
        self._pages.setCurrentWidget(self._page)
        self.uncovered.emit()

    @property
    def is_covered(self) -> bool:
        """Whether the chart of turns replaces the plots."""
        return self._pages.currentWidget() is not self._page

    @property
    def is_drag_shown(self) -> bool:
        """Whether the strip chart of a finished drag is beside the plots."""
        strip = self._strip
        return strip is not None and not strip.isHidden() and not strip.close_button.isHidden()

    # --- staged rotation

    def show_turns(self, step: StagedRotation | None) -> None:
        """Show a staged rotation in place of the plots; None restores the plots."""
        if step is not None:
            if self.turn_chart is None:
                self.turn_chart = TurnChart()
                self.turn_chart.set_angle_unit(self.angle_unit)
                self.turn_chart.set_number_size(self._number_size)
                self.turn_chart.turned_to.connect(self.turned_to)
            if self._pages.indexOf(self.turn_chart) < 0:
                self._pages.addWidget(self.turn_chart)
            self.turn_chart.show_step(step)
            self._pages.setCurrentWidget(self.turn_chart)
        elif self.turn_chart is not None and self._pages.currentWidget() is self.turn_chart:
            self._uncover()
            self._pages.removeWidget(
                self.turn_chart
            )  # a page that is not shown would still limit the height of the panel

    # --- drops of signals

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._drag(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._drag(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drop_hint.hide()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_hint.hide()
        carried = plots_of(event.mimeData())
        if not carried or self._plan is None:
            event.ignore()
            return
        plot, at = self._target(event.position().toPoint())
        for alternatives in _by_item(carried):
            joining = None if plot is None else self._find_joining(plot, alternatives)
            if plot is not None and plot.curves is not None and joining is not None:
                self.add_signal(joining, i_plot=plot.curves.i_plot)
            else:
                self.add_signal(alternatives[0], at=at)
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    def _drag(self, event: QDragEnterEvent | QDragMoveEvent) -> None:
        carried = plots_of(event.mimeData())
        if carried and self.is_drag_shown:
            self.dismiss_drag()  # it makes room for the plots as drop targets
        if not carried or self._plan is None or self._pages.currentWidget() is not self._page:
            event.ignore()
            return
        self._show_hint(event.position().toPoint(), carried)
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    def _show_hint(self, place: QPoint, carried: tuple[ScenePlot, ...]) -> None:
        plot, at = self._target(place)
        first = carried[0]
        if plot is None:
            self.drop_hint.show_over(self._gap(at), "")
            return
        area = plot.curve_area().translated(plot.mapTo(self, QPoint(0, 0)))
        joining = self._find_joining(plot, carried)
        if plot.curves is None:
            text = f"drop {short_name(first)} here"
        elif joining is None:
            text = f"{first.signal} has another unit: it gets its own plot"
        else:
            text = f"{short_name(joining)} joins this plot; between two plots: a new one"
        self.drop_hint.show_over(area.intersected(self.rect()), text)

    def _target(self, place: QPoint) -> tuple[Plot | None, int | None]:
        """Return the plot at a position, or None between and after plots; and the index for a new plot."""
        filled = [plot for plot in self._plots if plot.curves is not None]
        if not filled:
            return self._plots[0], None
        for plot in filled:
            left = plot.mapTo(self, QPoint(0, 0)).x()
            i_plot = plot.curves.i_plot if plot.curves is not None else None
            if place.x() < left + (_BETWEEN if plot is not filled[0] else 0):
                return None, i_plot
            if place.x() < left + plot.width() - _BETWEEN:
                return plot, None if i_plot is None else i_plot + 1
        return None, None

    def _gap(self, at: int | None) -> QRect:
        """Return the area for a new plot: between two, or at the end."""
        following = next((p for p in self._plots if p.curves is not None and p.curves.i_plot == at), None)
        if at is None or following is None:
            return QRect(self._end.geometry()).adjusted(2, METRICS.inner, -2, -METRICS.inner)
        x = following.mapTo(self, QPoint(0, 0)).x()
        return QRect(x - _BETWEEN // 2, METRICS.inner, _BETWEEN, self.height() - 2 * METRICS.inner)

    def _find_joining(self, plot: Plot, alternatives: Sequence[ScenePlot]) -> ScenePlot | None:
        """Return the first signal that can join a plot, preferably of the same kind."""
        if self._plan is None or plot.curves is None or plot.curves.i_plot is None:
            return None
        there = self._plan.scene.view.plots[plot.curves.i_plot]
        fitting = [signal for signal in alternatives if can_join(there, signal)]
        return next((signal for signal in fitting if signal.signal == there.signal), next(iter(fitting), None))

    # --- Menus

    def _open_menu(self, plot: Plot, place: QPoint) -> None:
        if self._plan is None or plot.curves is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        add_here = partial(self.signal_wanted.emit, plot.curves.i_plot)
        fill_plot_menu(
            menu, plot, self._plan.scene, self._commit, add_here, partial(self._export, plot), self.angle_unit
        )
        menu.popup(place)

    def _commit(self, edit: Edit) -> None:
        if self._plan is None:
            return
        try:
            edit.apply(self._plan.scene)
        except ValueError as reason:
            text = str(reason)
            self.status.emit("amber", text[:1].upper() + text[1:])
        else:
            self.edits.commit(edit)

    def _export(self, plot: Plot, name: str) -> None:
        if plot.curves is not None:
            self.export_requested.emit(PlotPicture(plot.curves, *plot.canvas.ranges, plot.hidden), name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_drag_shown:
            self.dismiss_drag()
        else:
            super().keyPressEvent(event)

    # --- Layout

    def _lay_out(self) -> None:
        self._end_line = separator(is_vertical=True)
        self._end = QWidget()
        end = layouts.column(on=self._end, margins=(0, 2, 0, 0), spacing=METRICS.inner)
        for button in (self.add_button, self.drag_button):
            end.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        end.addStretch(1)
        self._end.setFixedWidth(_END_WIDTH)
        self._page = QWidget()
        self._beside = layouts.row((self.scroll_area, 1), margins=0, spacing=0)
        layouts.row((self._beside, 1), self._end_line, self._end, on=self._page, margins=0, spacing=0)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._page)

    def _append(self) -> None:
        if self._plots:
            self._separators.append(separator(is_vertical=True))
            self._row.addWidget(self._separators[-1])
        plot = Plot()
        self._size_plot(plot)
        plot.canvas.scrubbed.connect(self.scrubbed)
        plot.canvas.scrub_finished.connect(self.scrub_finished)
        plot.header.lines_changed.connect(partial(align_headers, self._plots))
        plot.canvas.t_view_changed.connect(self._on_t_view)
        plot.menu_requested.connect(partial(self._open_menu, plot))
        plot.add_requested.connect(lambda: self.signal_wanted.emit(None))
        plot.canvas.set_region(self._region)
        if self._t is not None:
            plot.set_cursor(self._t)
        last = self._plots[-1].header.menu_button if self._plots else None
        self._plots.append(plot)
        self._row.addWidget(plot, 1)
        # Tab moves from left to right
        if last is not None:
            QWidget.setTabOrder(last, plot)
        QWidget.setTabOrder(plot, plot.header.menu_button)
        QWidget.setTabOrder(plot.header.menu_button, self.add_button)

    def _on_t_view(self, view: Range | None) -> None:
        """Show the same time span in all plots."""
        self.t_view = view
        for plot in self._plots:
            plot.canvas.set_t_view(view)
        self._rest.start()

    def _remove_last(self) -> None:
        for widget in (self._plots.pop(), self._separators.pop()):
            self._row.removeWidget(widget)
            widget.hide()
            widget.deleteLater()


def _by_item(carried: Sequence[ScenePlot]) -> list[list[ScenePlot]]:
    """Return the dragged signals grouped by item."""
    signals_of: dict[str | None, list[ScenePlot]] = {}
    for plot in carried:
        signals_of.setdefault(plot.of, []).append(plot)
    return list(signals_of.values())
