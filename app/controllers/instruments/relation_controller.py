"""Controllers of panels that follow the selected frame, such as the relation of two frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject, Qt

from framescope.app.session.session import Session
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.view import PlottedSignal
from framescope.core.snapshot import Snapshot
from framescope.ui.panels.relation.relation_block import RelationKey, key_of
from framescope.ui.panels.relation.relation_panel import RelationPanel

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring


class FramePanel(Protocol):
    """Panel that shows the selected frame."""

    def set_plan(self, plan: Plan) -> None:
        """Show another plan."""
        ...

    def set_frame(self, name: str, /) -> None:
        """Show another frame; none where the name is empty."""
        ...

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the poses of a time."""
        ...

    def isVisible(self) -> bool:
        """Return whether the user sees the panel."""
        ...


class FrameController(QObject):
    """Passes the plan, the selected frame and the current snapshot to a panel.

    Parameters
    ----------
    session
        Session of the scene.
    panel
        Panel that shows the frame.
    parent
        The same panel as a QObject; Qt deletes the controller with it.
    """

    shows_hidden = False
    """Whether a hidden panel receives snapshots, too."""

    def __init__(self, session: Session, panel: FramePanel, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._follower, self._plan = session, panel, session.plan
        session.plan_changed.connect(self.on_plan)
        session.numbers_due.connect(self._on_numbers)
        session.selection_changed.connect(self._on_selection)
        panel.set_plan(session.plan)
        panel.set_frame(session.selected_frame())
        panel.show_snapshot(session.snapshot)
        parent.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the present time when the panel is seen again: while it was hidden, it was told none."""
        if event.type() == QEvent.Type.Show:
            self._on_numbers(self._session.snapshot)
        return super().eventFilter(watched, event)

    def on_plan(self, plan: Plan, is_preview: bool) -> None:
        """Show another plan: after an edit at once, during a gesture with its numbers."""
        if not is_preview:
            self._take_plan(plan)

    def _take_plan(self, plan: Plan) -> None:
        self._plan = plan
        self._follower.set_plan(plan)

    def _on_numbers(self, snapshot: Snapshot) -> None:
        if self._plan is not self._session.plan:
            self._take_plan(self._session.plan)
        if self.shows_hidden or self._follower.isVisible():
            self._follower.show_snapshot(snapshot)

    def _on_selection(self, _key: object) -> None:
        self._follower.set_frame(self._session.selected_frame())


class RelationController(FrameController):
    """Connects the relation panel with a session."""

    shows_hidden = True

    def __init__(self, session: Session, panel: RelationPanel) -> None:
        super().__init__(session, panel, panel)
        self._panel = panel
        panel.edits.lead_to(session)
        panel.status.connect(session.status)
        # Queued, so that the item that the new scene is about is selected.
        session.document_opened.connect(self._show_selected, Qt.ConnectionType.QueuedConnection)
        self._show_selected()

    def _show_selected(self) -> None:
        """Show the selected frame relative to the world, as first in each scene."""
        self._panel.set_key(RelationKey(self._session.selected_frame(), WORLD, WORLD))

    def show(self, question: PlottedSignal) -> None:
        """Show the relation of the frames of a question, instead of following the selection."""
        self._panel.show_key(key_of(question))


def fill_relation(wiring: Wiring) -> None:
    """Fill the dock of the relation."""
    window = wiring.window
    panel = RelationPanel(window.ground("relation"))
    window.fill_dock("relation", panel, panel.header_widgets())
    wiring.instruments.follow_unit(panel.set_angle_unit)
    wiring.instruments.follow_quaternion_order(panel.set_quaternion_order)
    controller = RelationController(wiring.session, panel)
    wiring.questions.connect_panel("relation", controller.show)
