"""Controllers of the laboratories. Runs are computed in the worker process, the newest request first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QAbstractButton

from framescope.app.background.latest_task import LatestTask
from framescope.app.controllers.instruments.relation_controller import FrameController, FramePanel
from framescope.app.session.session import Session
from framescope.core.evaluation.evaluate import Plan
from framescope.core.system.atomic_write import atomically
from framescope.features.laboratory.app.drift_task import run_with_study
from framescope.features.laboratory.core.convergence_order import Study
from framescope.features.laboratory.core.drift import DriftRun
from framescope.features.laboratory.core.rate_presets import Choice, LaboratoryError, OfFrame
from framescope.features.laboratory.ui import DriftPanel, GimbalPanel
from framescope.features.laboratory.ui.labels import DriftRequest
from framescope.ui.dialogs.save_dialog import path_to_save
from framescope.ui.qt_support.edit_sink import EditSink

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring


class DriftController(FrameController):
    """Controller of a `DriftPanel`: computes its runs while it is visible, and repeats them when the scene changes."""

    def __init__(self, session: Session, panel: DriftPanel) -> None:
        super().__init__(session, panel, panel)
        self._panel = panel
        self._request = panel.request
        self._line: object = None
        self._study: tuple[object, Study] | None = None
        self._inputs_shown: object = None
        self.worker = LatestTask(self)
        self.worker.found.connect(self._on_found)
        self.worker.failed.connect(self._on_failed)
        panel.requested.connect(self._want)
        panel.save_requested.connect(self._ask_save)
        panel.scrubbed.connect(partial(session.scrub, is_drag=True))
        panel.scrub_finished.connect(session.end_scrub)
        panel.seen.connect(self.refresh)
        if panel.isVisible():
            self.refresh()

    def refresh(self) -> None:
        """Repeat the run of the panel if the request or its angular velocity has changed."""
        request = self._panel.request
        if isinstance(request.choice, OfFrame) and not request.choice.name:
            return
        if (request, *_identity(request.choice, self._session.plan)) != self._inputs_shown:
            self._want(request)

    def close(self) -> None:
        """Release the worker before the window closes."""
        self.worker.close()

    def _want(self, request: DriftRequest) -> None:
        if not self._panel.isVisible():
            return  # computed when the panel is shown
        identity = _identity(request.choice, self._session.plan)
        self._inputs_shown = (request, *identity)
        settings = request.settings
        self._line = (identity, settings.equation, settings.method, settings.every)
        has_study = self._known_study() is None
        self._request = request
        self.worker.want(run_with_study, self._session.plan_source().pack(), request.choice, settings, has_study)

    def _known_study(self) -> Study | None:
        return self._study[1] if self._study is not None and self._study[0] == self._line else None

    def _on_found(self, result: DriftRun | Study | LaboratoryError) -> None:
        request = self._request
        match result:
            case DriftRun():
                self._panel.show_run(request, result, self._known_study())
            case Study():
                self._study = (self._line, result)
                self._panel.show_study(request, result)
            case _:
                self._panel.show_refusal(request, result.message, result.hint)

    def _on_failed(self, why: str) -> None:
        self._panel.show_refusal(self._request, why)

    def on_plan(self, plan: Plan, is_preview: bool) -> None:
        """Set the plan, and repeat the run if the panel is visible."""
        super().on_plan(plan, is_preview)
        if self._panel.isVisible():
            self.refresh()

    def _ask_save(self, text: str) -> None:
        document = self._session.document
        suggested = document.working_folder / "drift.csv"
        title = "Save the table of runs"
        path = path_to_save(self._panel.window(), title, suggested, "Table (*.csv)", ".csv", inputs=document.files)
        if path is None:
            return
        try:
            with atomically(path) as partial:
                partial.write_text(text, encoding="utf-8")
        except OSError as error:
            message = f"{path.name} is not written: {error.strerror or error}. Choose another place."
            self._panel.status.emit("red", message)
        else:
            self._panel.status.emit("good", f"Wrote {path.name}")


class PreviewPanel(FramePanel, Protocol):
    """Panel that previews a trial in the scene."""

    @property
    def edits(self) -> EditSink:
        """Sink of the panel's edits."""
        ...

    @property
    def preview_button(self) -> QAbstractButton:
        """Button that shows the trial in the scene."""
        ...


class PreviewController(FrameController):
    """Controller of a panel that previews a trial in the scene; `parent` is the same panel."""

    def __init__(self, session: Session, panel: PreviewPanel, parent: QObject) -> None:
        super().__init__(session, panel, parent)
        self._panel = panel
        panel.edits.lead_to(session)

    def on_plan(self, plan: Plan, is_preview: bool) -> None:
        """Set the plan. A committed plan ends the preview."""
        if not is_preview:
            self._panel.preview_button.setChecked(False)
        super().on_plan(plan, is_preview)


class GimbalController(PreviewController):
    """Controller of a `GimbalPanel`, whose path over time the user can scrub."""

    def __init__(self, session: Session, panel: GimbalPanel) -> None:
        super().__init__(session, panel, panel)
        panel.scrubbed.connect(partial(session.scrub, is_drag=True))
        panel.scrub_finished.connect(session.end_scrub)


def _identity(choice: Choice, plan: Plan) -> tuple[object, ...]:
    """Return the inputs of a rate: the choice, the time range, and the motion of its frame."""
    if not isinstance(choice, OfFrame) or choice.name not in plan.index:
        return choice, plan.start, plan.end
    return choice, plan.start, plan.end, plan.tree.motions.get(plan.index[choice.name])


def fill_gimbal(wiring: Wiring) -> None:
    """Fill the dock of the gimbal laboratory."""
    panel = GimbalPanel(wiring.window.ground("gimbal"))
    wiring.window.fill_dock("gimbal", panel)
    wiring.instruments.follow_unit(panel.set_angle_unit)
    wiring.instruments.add_preview(panel.stop_preview)
    GimbalController(wiring.session, panel)


def fill_drift(wiring: Wiring) -> None:
    """Fill the dock of the drift laboratory."""
    window = wiring.window
    panel = DriftPanel(window.ground("drift"))
    window.fill_dock("drift", panel, panel.header_widgets())
    wiring.instruments.follow_unit(panel.set_angle_unit)
    panel.edits.items_committed.connect(wiring.make_items)
    panel.status.connect(window.status.show_message)
    wiring.instruments.close_with_window(DriftController(wiring.session, panel))
