"""Controller of the convention detective: runs the newest comparison in the worker process."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from framescope.app.background.latest_task import LatestTask
from framescope.app.session.session import Session
from framescope.core.evaluation.evaluate import Plan
from framescope.features.detective.app.comparison_task import compare_sides
from framescope.features.detective.core.inputs import Comparison, Side, SideError
from framescope.features.detective.ui.detective_panel import DetectivePanel
from framescope.ui.scene_view.base.ghost_pose import CANDIDATES

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring

REST_MS = 250
"""Time without changes before a comparison starts, ms."""


class DetectiveController(QObject):
    """Controller that fills the detective's panel from a session.

    Signals
    -------
    candidates_shown(object)
        Findings for the scene to draw: a tuple of `Candidate`, empty for none.
    """

    candidates_shown = Signal(object)

    def __init__(self, session: Session, panel: DetectivePanel, parent: QObject | None = None) -> None:
        super().__init__(parent or panel)
        self._session, self._panel = session, panel
        self._wanted: tuple[Side, Side] | None = None
        self._worker = LatestTask(self)
        self._worker.found.connect(self._on_found)
        self._worker.failed.connect(self._on_failed)
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(self._start)
        panel.requested.connect(self._on_requested)
        panel.stop_requested.connect(self.stop)
        panel.edits.lead_to(session)
        panel.status.connect(session.status)
        panel.candidates_shown.connect(self.candidates_shown)
        session.plan_changed.connect(self._on_plan)
        session.document_opened.connect(self._forget)
        panel.set_plan(session.plan)

    def close(self) -> None:
        """Wait for the running comparison when the window closes."""
        self._rest.stop()
        self._worker.close()

    def stop(self) -> None:
        """Cancel the running comparison."""
        self._rest.stop()
        self._worker.cancel()
        self._panel.set_busy(False)

    def _on_requested(self, a: Side, b: Side) -> None:
        self._wanted = (a, b)
        self._worker.cancel()
        self._rest.start()

    def _on_plan(self, plan: Plan, is_preview: bool) -> None:
        self._panel.set_plan(plan)
        if not is_preview:
            self._panel.ask_again()

    def _forget(self) -> None:
        self.stop()
        self._panel.forget_scene()

    def _start(self) -> None:
        if self._wanted is not None:
            self._panel.set_busy(True)
            self._worker.want(compare_sides, self._session.plan_source().pack(), *self._wanted)

    def _on_found(self, result: Comparison | SideError) -> None:
        self._panel.set_busy(False)
        if isinstance(result, SideError):
            self._panel.show_failure(result)
        else:
            self._panel.show_comparison(result)

    def _on_failed(self, why: str) -> None:
        self._panel.set_busy(False)
        self._panel.show_failure(SideError("", why))


def fill_detective(wiring: Wiring) -> None:
    """Fill the dock of the detective."""
    window = wiring.window
    panel = DetectivePanel(window.ground("detective"))
    window.fill_dock("detective", panel, panel.header_widgets())
    panel.titled.connect(partial(window.set_dock_title, "detective"))
    controller = DetectiveController(wiring.session, panel)
    controller.candidates_shown.connect(partial(window.scene_view.set_option, CANDIDATES))
    wiring.instruments.close_with_window(controller)
