"""Controller of the comparison of two orders: asks for the other order, and adds a twin beside the frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from framescope.app.session.session import Session
from framescope.core.errors import RefusedError
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.twins import make_twin, offset_beside, sequence_of
from framescope.features.detective.ui.order_dialog import OrderChoice, OrderDialog
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring


class OrderController(QObject):
    """Controller that compares the selected frame with a twin of another order.

    `finish_gestures` ends a drag in progress first.
    """

    def __init__(self, session: Session, window: MainWindow, finish_gestures: Callable[[], None]) -> None:
        super().__init__(window)
        self._session, self._window, self._finish_gestures = session, window, finish_gestures

    def ask(self) -> None:
        """Ask for the other order, or show why the frame has none."""
        self._finish_gestures()
        session, name = self._session, self._session.selected_frame()
        if not name:
            self._refuse("no frame is selected: select one that is turned by three angles")
            return
        try:
            sequence = sequence_of(session.plan.scene, name)
        except RefusedError as error:
            self._refuse(str(error))
            return
        now = session.plan.angles(name, session.playback.t)
        angles = np.full(3, np.nan) if now is None else now[0]
        dialog = OrderDialog(name, sequence, angles, self._window.scene_view.angle_unit, self._window)
        dialog.chosen.connect(self.put_beside)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def put_beside(self, choice: OrderChoice) -> None:
        """Add a twin beside its frame, to the right if there is room, as one step of undo."""
        session, view = self._session, self._window.scene_view
        name, scene, t = choice.frame, session.plan.scene, session.playback.t
        if name not in session.plan.index:
            self._refuse(f"{name} no longer exists")
            return
        try:
            edit = make_twin(
                scene, name, choice.sequence, choice.keeps, self._offset(name), session.plan.moment(name, t)
            )
        except RefusedError as error:
            self._refuse(str(error))
            return
        session.commit_items(edit)
        if view.camera.fit_frames((name, edit.keys[0][1])):  # otherwise the view reports its change
            session.status.emit("good", f"{edit.label}. Ctrl Z undoes it")

    def _offset(self, name: str) -> Array:
        """Return the offset of the twin of a frame, by `offset_beside`."""
        plan, snapshot, view = self._session.plan, self._session.snapshot, self._window.scene_view
        parents = plan.tree.parents_at(float(snapshot.t))
        row = plan.index[name]
        R_WP, p_WP = snapshot.R_WF[parents[row]], snapshot.p_WF[parents[row]]
        if not np.isfinite(R_WP).all():
            R_WP, p_WP = np.eye(3), np.zeros(3)
        right_P = view.camera.state.axes()[0] @ R_WP
        places_P = (snapshot.p_WF - p_WP) @ R_WP
        others = np.isfinite(places_P).all(axis=1)
        reach = view.renderer.reach_of(name) or float(plan.view_data.triad_length[row])
        return offset_beside(reach, right_P, places_P[row], places_P[others])

    def _refuse(self, why: str) -> None:
        self._window.status.show_message("amber", f"Nothing is compared: {why}")


def connect_orders(wiring: Wiring) -> None:
    """Connect the comparison of orders with its action."""
    orders = OrderController(wiring.session, wiring.window, wiring.finish_gestures)
    wiring.window.commands.of_features["compare_orders"].triggered.connect(orders.ask)
