"""Comparison of orders by hand: asks for another sequence, and puts a twin of the selected frame beside it."""

from __future__ import annotations

from functools import partial

from framescope.app.session.session import Session
from framescope.core.analysis.order_comparison import room_beside
from framescope.core.errors import RefusedError
from framescope.core.scene.edits.twins import Kept, add_twin, why_no_twin
from framescope.ui.dialogs.twin_dialog import TwinDialog
from framescope.ui.window.main_window import MainWindow


def compare_orders(session: Session, window: MainWindow) -> None:
    """Ask by which order the twin of the selected frame is turned, or say why it can have none."""
    name, plan = session.selected_frame(), session.plan
    why = why_no_twin(session.document.scene, name)
    sequence = None if why else plan.sequence(name)
    authored = None if sequence is None else plan.angles(name, float(session.snapshot.t))
    if sequence is None or authored is None:
        window.status.show_message("note", why or f"{name} has no angles at this time that could be compared")
        return
    dialog = TwinDialog(name, sequence, authored[0], window.scene_view.angle_unit, window)
    dialog.chosen.connect(partial(_put_beside, session, window, name))
    dialog.open()


def _put_beside(session: Session, window: MainWindow, name: str, sequence: str, kept: Kept) -> None:
    camera = window.scene_view.camera
    try:
        offset = room_beside(session.plan, session.snapshot, name, camera.state.axes()[0])
        session.commit_items(add_twin(session.document.scene, name, sequence, kept, offset))
    except (RefusedError, KeyError) as error:  # it has changed while the dialog was open
        window.status.show_message("amber", str(error))
        return
    camera.fit()
