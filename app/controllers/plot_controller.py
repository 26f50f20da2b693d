"""Controller of the plots and the strip chart of a drag."""

from __future__ import annotations

import math
import time

from PySide6.QtCore import QObject

from framescope.app.session.session import Session
from framescope.core.analysis.drag_motion import as_keyframes
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import Plan
from framescope.core.snapshot import Snapshot
from framescope.ui.dialogs.save_dialog import path_to_save
from framescope.ui.plots.curves import Curves
from framescope.ui.plots.export import PlotPicture, write_plot
from framescope.ui.plots.plot_content import COARSE, FINE, PlotContents, plot_contents
from framescope.ui.window.main_window import MainWindow

PRESS_S = 1.0 / 60.0
"""Time before the first motion of a drag at which its first pose is recorded, s."""

MOST_APPENDED = 4 * FINE
"""Number of samples up to which data are appended to a curve instead of evaluating it again."""

FILTERS = {"csv": "Table (*.csv)", "png": "Picture (*.png)", "svg": "Drawing (*.svg)"}


class PlotController(QObject):
    """Fills the plots of a window from a session."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self.dragged_frame = ""
        self._is_drag_in_scene = False
        self._is_late = False
        self._shown: object = None
        self._contents: list[Curves] = []
        self.kept_contents = PlotContents()
        self._data_until = -math.inf
        plots = window.plots
        session.document_opened.connect(plots.forget_views)
        plots.uncovered.connect(self._catch_up)
        plots.edits.lead_to(session)
        plots.status.connect(window.status.show_message)
        plots.view_settled.connect(lambda: self.show_fine(session.plan))
        plots.angle_unit_changed.connect(lambda: self.show_fine(session.plan))
        plots.export_requested.connect(self._ask_export)
        plots.keep_drag_requested.connect(self._keep_drag)
        self._connect_dismissal()

    def show(self, plan: Plan, *, is_preview: bool) -> None:
        """Show the curves of a plan: coarse during a gesture if the plots are visible, fine otherwise."""
        self._window.plots.set_plan(plan)
        if not is_preview:
            self._show_curves(plan, FINE)
        elif self._window.plots.isVisible():
            self._show_curves(plan, COARSE)

    def show_fine(self, plan: Plan) -> None:
        """Show the curves of a plan in full resolution, after a gesture or an edit."""
        self._show_curves(plan, FINE)

    def _show_curves(self, plan: Plan, n_samples: int) -> None:
        plots = self._window.plots
        self._is_late = plots.is_covered
        if plots.is_covered:
            return  # the plots are hidden, and computing them would slow the gesture down
        is_simulating = self._session.simulator.activity.state == "running"
        drawing = (plan, n_samples, plots.t_view, is_simulating, plots.angle_unit)
        if drawing == self._shown:
            return  # the edit has been drawn already
        self._shown = drawing
        self._data_until = _data_until(plan)
        t_view, angles = plots.t_view, plots.angle_unit
        i_plots = plots.i_plots_in_view if n_samples < FINE else None
        self._contents = self.kept_contents.of(
            plan, n_samples, t_view, is_simulating=is_simulating, angles=angles, i_plots=i_plots
        )
        plots.set_plots(self._contents, (plan.start, plan.end))
        plots.set_cursor(self._session.playback.t)  # for new plots, since a paused clock sends no time

    def extend(self, plan: Plan) -> None:
        """Append new data to the curves.

        Evaluate the curves again where appending would give far more samples than `FINE`.
        """
        since, self._data_until = self._data_until, _data_until(plan)
        step = (plan.end - plan.start) / FINE
        n = math.ceil((plan.end - since) / step) + 1 if since > plan.start else FINE
        plots, n_drawn = self._window.plots, max((len(curves.t) for curves in self._contents), default=MOST_APPENDED)
        if plots.is_covered or n >= FINE or n_drawn >= MOST_APPENDED:
            self._show_curves(plan, FINE)
            return
        more = plot_contents(plan, n, is_simulating=False, angles=plots.angle_unit, start=since)
        pairs = zip(self._contents, more, strict=True)
        self._contents = [curves.extended(new.t, new.ys, plan.start) for curves, new in pairs]
        plots.set_plots(self._contents, (plan.start, plan.end))

    def _catch_up(self) -> None:
        if self._is_late:
            self.show_fine(self._session.plan)

    # The motion of a hand

    def begin_drag(self, *, is_in_scene: bool) -> None:
        """Start to record the motion of the selected frame during a gesture.

        A gesture in the scene shows the strip chart beside the plots. A gesture in a panel offers the chart afterwards.
        """
        frame = self._session.selected_frame()
        if frame and frame != self.dragged_frame:
            self.dragged_frame, self._is_drag_in_scene = frame, is_in_scene
            self._window.plots.dismiss_drag()
            self._window.plots.begin_drag(frame, is_seen=False)
            snapshot = self._session.snapshot
            if frame in snapshot.index:
                T_PF = snapshot.T_PF[snapshot.index[frame]]
                self._window.plots.strip.add(time.perf_counter() - PRESS_S, T_PF)

    def end_drag(self) -> None:
        """Stop recording when the gesture ends. The chart stays until the user does something else."""
        if self.dragged_frame:
            self.dragged_frame = ""
            self._window.plots.end_drag()

    def drop_drag(self) -> None:
        """Discard the recording of a cancelled gesture."""
        self.dragged_frame = ""
        self._window.plots.dismiss_drag()

    def _connect_dismissal(self) -> None:
        """Hide the strip chart when the user turns to something else.

        Playback that resumes by itself after a gesture keeps the chart.
        """
        session, window = self._session, self._window
        timeline, actions, plots = window.timeline, window.commands, window.plots
        signals = (timeline.play_toggled, window.scene_view.play_toggled, actions.play.triggered, timeline.step)
        signals += (timeline.scrubbed, timeline.jumped, window.scene_view.jumped, plots.edits.committed)
        signals += (actions.undo.triggered, actions.redo.triggered)
        for signal in (*signals, session.selection_changed, session.document_opened):
            signal.connect(self._dismiss_finished_drag)

    def _dismiss_finished_drag(self) -> None:
        if not self.dragged_frame:
            self._window.plots.dismiss_drag()

    def follow_drag(self, snapshot: Snapshot) -> None:
        """Record the pose of the dragged frame. Called at every tick."""
        if self.dragged_frame in snapshot.index:
            T_PF = snapshot.T_PF[snapshot.index[self.dragged_frame]]
            plots = self._window.plots
            plots.strip.add(time.perf_counter(), T_PF)
            if self._is_drag_in_scene and plots.strip.isHidden() and plots.strip.record.is_motion:
                plots.show_drag()

    def _keep_drag(self) -> None:
        plots, session = self._window.plots, self._session
        name, snapshot = plots.strip.name, session.snapshot
        if name not in snapshot.index:
            return
        i, j = snapshot.index[name], snapshot.index[session.plan.scene.frames[name].parent]
        p_PF = snapshot.R_WF[j].T @ (snapshot.p_WF[i] - snapshot.p_WF[j])
        try:
            edit = as_keyframes(plots.strip.record, name, session.playback.t, p_PF)
        except (FramescopeError, ValueError) as error:
            self._window.status.show_message("amber", str(error))
            return
        session.commit(edit)
        plots.show_kept_drag()

    # Files

    def _ask_export(self, picture: PlotPicture, form: str) -> None:
        document = self._session.document
        suggested = document.working_folder / f"{picture.name}.{form}"
        path = path_to_save(
            self._window, "Export the plot", suggested, FILTERS[form], f".{form}", inputs=document.files
        )
        if path is None:
            return
        try:
            write_plot(path, picture, self._session.plan, self._window.plots.angle_unit)
        except (FramescopeError, OSError) as error:
            self._window.status.show_message("red", f"{path.name} is not written: {error}")
        else:
            self._window.status.show_message("good", f"Wrote {path.name}")


def _data_until(plan: Plan) -> float:
    """Return the end of the data that all growing series of a plan have, s. Later parts of curves may still change."""
    return min((float(times[-1]) for series in plan.live if len(times := series.times)), default=-math.inf)
