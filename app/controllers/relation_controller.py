"""The relation of two frames beside the window: what the session shows in its panel."""

from __future__ import annotations

from PySide6.QtCore import QObject

from framescope.app.session.session import Session
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import WORLD
from framescope.core.snapshot import Snapshot
from framescope.ui.panels.relation.relation_block import RelationKey
from framescope.ui.panels.relation.relation_panel import RelationPanel


class Relating(QObject):
    """Fills a relation's panel from a session."""

    def __init__(self, session: Session, panel: RelationPanel) -> None:
        super().__init__(panel)
        self._session, self._panel = session, panel
        panel.edits.lead_to(session)
        panel.said.connect(session.said)
        session.plan_changed.connect(self._on_plan)
        session.ticked.connect(self._on_tick)
        session.selection_changed.connect(self._on_selection)
        panel.set_plan(session.plan)
        panel.set_frame(session.selected_frame())
        panel.set_key(RelationKey(session.selected_frame(), WORLD, WORLD))
        panel.show_snapshot(session.snapshot)

    def _on_plan(self, plan: Plan, _is_preview: bool) -> None:
        self._panel.set_plan(plan)

    def _on_tick(self, snapshot: Snapshot, _trails: object) -> None:
        self._panel.show_snapshot(snapshot)

    def _on_selection(self, _key: object) -> None:
        self._panel.set_frame(self._session.selected_frame())
