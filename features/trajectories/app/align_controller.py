"""Controller of the panel of the alignment: aligns in the worker process, and connects panel, scene and files."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from framescope.app.background.latest_task import LatestTask
from framescope.app.session.session import Session
from framescope.core.errors import FramescopeError, RefusedError, visible_text
from framescope.core.evaluation.evaluate import Plan
from framescope.core.snapshot import Snapshot
from framescope.core.system.atomic_write import atomically
from framescope.features.trajectories.app.align_task import align_frames
from framescope.features.trajectories.core.alignment_edit import aligning_edit
from framescope.features.trajectories.core.alignment_study import AlignmentStudy, ErrorCurve, FramePair
from framescope.features.trajectories.core.moving_frames import first_pair
from framescope.features.trajectories.core.trajectory_errors import RELATIONS
from framescope.features.trajectories.ui.align_panel import AlignPanel
from framescope.features.trajectories.ui.aligned_paths import ALIGNED_PATH
from framescope.features.trajectories.ui.error_colors import error_colors, largest_colored
from framescope.ui.dialogs.save_dialog import path_to_save
from framescope.ui.theme import current_theme
from framescope.ui.timeline.strip import Strip

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring

REST_MS = 200
"""Time without changes of the scene before the alignment is computed again, ms."""


class AlignController(QObject):
    """Controller that aligns the frames of the panel while it is visible.

    Signals
    -------
    path_shown(object)
        Paths for the scene to draw.
    strip_shown(object)
        The errors as a `Strip` for the timeline, or None.
    """

    path_shown = Signal(object)
    strip_shown = Signal(object)

    def __init__(self, session: Session, panel: AlignPanel, parent: QObject | None = None) -> None:
        super().__init__(parent or panel)
        self._session, self._panel = session, panel
        self._wanted: FramePair | None = None
        self._worker = LatestTask(self)
        self._worker.found.connect(self._on_found)
        self._worker.failed.connect(panel.show_refusal)
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(self._start)
        panel.requested.connect(self._on_requested)
        panel.seen.connect(self._start)
        panel.applied.connect(self._apply)
        panel.table_wanted.connect(self._save_table)
        panel.figure_wanted.connect(self._save_figure)
        panel.copied.connect(partial(session.status.emit, "good"))
        panel.path_shown.connect(self.path_shown)
        panel.errors_shown.connect(self._show_errors)
        panel.scrubbed.connect(partial(session.scrub, is_drag=True))
        panel.scrub_finished.connect(session.end_scrub)
        session.plan_changed.connect(self._on_plan)
        session.numbers_due.connect(self._on_numbers)
        session.document_opened.connect(self._begin)
        self._begin()

    def close(self) -> None:
        """Wait for the running alignment when the window closes."""
        self._rest.stop()
        self._worker.close()

    def _begin(self) -> None:
        """Choose the two recorded frames of a scene, if it has no more than two."""
        self._rest.stop()
        self._worker.cancel()
        self._panel.forget()
        plan = self._session.plan
        self._panel.set_plan(plan)
        pair = first_pair(plan)
        if pair is not None:
            self._panel.set_pair(*pair)

    def _on_requested(self, pair: FramePair) -> None:
        self._wanted = pair
        self._worker.cancel()
        self._panel.show_busy()
        self._rest.start()

    def _on_plan(self, plan: Plan, is_preview: bool) -> None:
        if not is_preview:
            self._panel.set_plan(plan)
            pair = first_pair(plan)
            if pair is not None and not (self._panel.a.name or self._panel.b.name):
                self._panel.set_pair(*pair)  # the second of two files was dropped

    def _on_numbers(self, snapshot: Snapshot) -> None:
        if self._panel.isVisible():
            self._panel.set_time(float(snapshot.t))

    def _start(self) -> None:
        if self._wanted is not None and self._panel.isVisible():
            wanted, self._wanted = self._wanted, None
            self._worker.want(align_frames, self._session.plan_source().pack(), wanted)

    def _on_found(self, result: AlignmentStudy | str) -> None:
        if isinstance(result, str):
            self._panel.show_refusal(result)
        else:
            self._panel.show_study(result)

    def _show_errors(self, curve: ErrorCurve | None) -> None:
        """Show the errors over time on the timeline, in the colours of the path."""
        if curve is None:
            self.strip_shown.emit(None)
            return
        errors = curve.errors.errors
        colors = error_colors(errors, largest_colored(errors), current_theme.current())
        self.strip_shown.emit(Strip(curve.t, errors, colors, "errors of the aligned path in colours"))

    def _apply(self, study: AlignmentStudy) -> None:
        try:
            edit = aligning_edit(self._session.plan, study)
        except RefusedError as error:
            self._session.status.emit("amber", str(error))
        else:
            self._session.commit_items(edit)

    def _ask_path(self, title: str, name: str, kinds: str) -> Path | None:
        """Ask where a file is written; None if the user leaves the dialog."""
        document = self._session.document
        suggested = document.working_folder / name
        return path_to_save(self._panel.window(), title, suggested, kinds, Path(name).suffix, inputs=document.files)

    def _save_figure(self, study: AlignmentStudy, curve: ErrorCurve) -> None:
        from framescope.features.trajectories.app.error_figure import FigureCurve, FigureWords, write_figure

        path = self._ask_path("Save the figure", "errors.pdf", "Vector figure (*.pdf *.svg)")
        if path is None:
            return
        words, unit = RELATIONS[curve.errors.relation]
        a, b = visible_text(study.pair.a), visible_text(study.pair.b)
        errors = curve.errors
        drawn = FigureCurve(b, curve.t, errors.errors, curve.p, curve.p_reference, errors.rows)
        label = f"{words}, {unit}" if unit else words
        try:
            write_figure(path, [drawn], FigureWords(f"Errors of {b} against {a}", label, "t, s"))
        except FramescopeError as error:
            self._session.status.emit("red", str(error))
        else:
            self._session.status.emit("good", f"Wrote {path.name}")

    def _save_table(self, text: str) -> None:
        session = self._session
        path = self._ask_path("Save the errors", "errors.csv", "Table (*.csv)")
        if path is None:
            return
        try:
            with atomically(path) as temporary:
                temporary.write_text(text, encoding="utf-8")
        except OSError as error:
            why = f"{path.name} is not written: {error.strerror or error}. Choose another place."
            session.status.emit("red", why)
        else:
            session.status.emit("good", f"Wrote {path.name}")


def fill_align(wiring: Wiring) -> None:
    """Fill the dock of the alignment."""
    window = wiring.window
    panel = AlignPanel(window.ground("align"))
    window.fill_dock("align", panel)
    controller = AlignController(wiring.session, panel)
    controller.path_shown.connect(partial(window.scene_view.set_option, ALIGNED_PATH))
    controller.strip_shown.connect(window.timeline.set_strip)
    wiring.instruments.close_with_window(controller)
