"""Controller of the shift panel, its arrows in the scene, and the drag of its point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from framescope.app.session.session import Session
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.view import PlottedSignal
from framescope.core.snapshot import Snapshot
from framescope.features.shift.app.shift_questions import shift_of
from framescope.features.shift.ui.shift_look import SHIFT, DrawnShift
from framescope.features.shift.ui.shift_panel import ShiftPanel
from framescope.features.shift.ui.shift_point_manipulation import ShiftPointManipulation
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring


class ShiftController(QObject):
    """Controller of a shift panel: connects it with the session, and draws its shift in the scene.

    The point is an instrument. It is not part of the document, and a drag of it is not an undo step.
    """

    def __init__(self, session: Session, window: MainWindow, panel: ShiftPanel) -> None:
        super().__init__(window)
        self._session, self._window, self._panel = session, window, panel
        view = window.scene_view
        self.manipulation = ShiftPointManipulation(view)
        session.document_opened.connect(panel.forget)
        session.plan_changed.connect(self._on_plan)
        session.ticked.connect(self._on_tick)
        session.selection_changed.connect(panel.set_item)
        view.angle_unit_changed.connect(self._on_angle_unit)
        panel.drawn_changed.connect(self._on_drawn)
        panel.picked.connect(session.select)
        panel.edits.lead_to(session)
        panel.pick.clicked.connect(self.manipulation.set_picking)
        self.manipulation.moved.connect(panel.set_point)
        self.manipulation.gripped.connect(self._on_gripped)
        self.manipulation.picking_changed.connect(panel.pick.setChecked)
        for speaker in (panel, self.manipulation):
            speaker.status.connect(window.status.show_message)
        panel.set_angle_unit(view.angle_unit.key)
        panel.set_plan(session.plan)
        panel.set_item(session.selection)
        panel.show_snapshot(session.snapshot)

    def show(self, question: PlottedSignal) -> None:
        """Show the shift that explains the answer to a question, in the axes of the question."""
        key = shift_of(self._session.plan, question)
        if key is not None:
            self._session.select(("frames", key.frame))
            self._panel.show_key(key, question.resolved_in or WORLD)

    def close(self) -> None:
        """Disconnect from the scene before the window closes: hiding the panel emits `drawn_changed`."""
        self._panel.drawn_changed.disconnect(self._on_drawn)

    def _on_plan(self, plan: Plan, is_preview: bool) -> None:
        self._panel.set_plan(plan, is_preview=is_preview)

    def _on_tick(self, snapshot: Snapshot, _trails: object) -> None:
        self._panel.show_snapshot(snapshot)

    def _on_angle_unit(self) -> None:
        self._panel.set_angle_unit(self._window.scene_view.angle_unit.key)

    def _on_drawn(self, drawn: DrawnShift | None) -> None:
        self.manipulation.set_key(None if drawn is None else drawn.key)
        self._window.scene_view.set_option(SHIFT, drawn)

    def _on_gripped(self, is_held: bool) -> None:
        """Pause time during a drag of the point, so that its body does not move."""
        if is_held:
            self._session.scrub(self._session.playback.t)
        else:
            self._session.end_scrub()


def fill_shift(wiring: Wiring) -> None:
    """Fill the dock of the shift."""
    panel = ShiftPanel(wiring.window.ground("shift"))
    wiring.window.fill_dock("shift", panel, panel.header_widgets())
    controller = ShiftController(wiring.session, wiring.window, panel)
    wiring.instruments.close_with_window(controller)
    wiring.questions.connect_panel("shift", controller.show)
