"""Quaternion panel: interactive pictures and numbers of the selected frame's quaternion."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.core.orientation import QuaternionOrder
from framescope.core.quaternions import from_T, to_T
from framescope.core.scene.edits.orientation import orient_frame
from framescope.core.scene.schema.model import WORLD
from framescope.core.snapshot import Snapshot
from framescope.features.laboratory.core.gimbal import path_of_frame
from framescope.features.laboratory.core.rate_presets import LaboratoryError
from framescope.features.quaternions.core.half_angle import rotation_vectors
from framescope.features.quaternions.ui.ball_view import BallView
from framescope.features.quaternions.ui.cover_view import CoverView
from framescope.features.quaternions.ui.product_view import ProductView
from framescope.features.quaternions.ui.sandwich_view import SandwichView
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import ANGLE_UNITS
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.segmented_control import Segmented
from framescope.ui.widgets.value_row import QuaternionRow

COVER, BALL, SANDWICH, PRODUCT = "q, −q", "Ball", "q v q*", "q p"
LARGE = 480
"""Width from which the panel counts as large, px."""

_NO_FRAME = "Select one in the outline or in the scene: its quaternion in its parent is shown."


class _View(Protocol):
    """View of a quaternion."""

    def show_quaternion(self, q: Array) -> None:
        """Show a quaternion (4,), scalar last."""
        ...


class QuaternionPanel(QWidget):
    """Panel with four views of a quaternion: double cover, ball of attitudes, sandwich product, and two turns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edits = EditSink(self)
        layouts.lay_ground(self)
        self._plan: Plan | None = None
        self._snapshot: Snapshot | None = None
        self._frame = ""
        self._is_path_due = True
        self._is_alone = False
        self.views = Segmented((COVER, BALL, SANDWICH, PRODUCT), "view")
        self.title = layouts.plain_label("", "quiet", wordWrap=True)
        self.cover, self.ball, self.sandwich, self.product = CoverView(), BallView(), SandwichView(), ProductView()
        views: tuple[_View, ...] = self.cover, self.ball, self.sandwich, self.product
        self._views: dict[str, _View] = dict(zip((COVER, BALL, SANDWICH, PRODUCT), views, strict=True))
        self._stack = QStackedWidget()
        self._pages: list[QWidget] = []
        for view in (self.cover, self.ball, self.sandwich, self.product):
            page = layouts.panel()
            layouts.column(view, layouts.STRETCH, on=page, margins=0)
            self._stack.addWidget(page)
            self._pages.append(page)
        self.preview_button = push_button("Show it in the scene", "rotate-3d", kind="small", checkable=True)
        self.empty = EmptyState("axis-3d", "No frame selected", _NO_FRAME)
        content = layouts.panel()
        preview = self.preview_button, 0, Qt.AlignmentFlag.AlignLeft
        parts = self.views, self.title, self._stack, preview, self.empty, layouts.STRETCH
        layouts.column(*parts, on=content, margins=METRICS.padding, spacing=METRICS.gap)
        layouts.column(layouts.scroll_area(content, "quaternion"), on=self, margins=0)
        self.views.chosen.connect(self._on_view)
        for view in (self.cover, self.ball, self.product):
            view.tried.connect(self._on_tried)
        self.preview_button.clicked.connect(self._on_preview)
        self._tried: Array | None = None
        self._show()

    def set_plan(self, plan: Plan) -> None:
        """Set the plan."""
        self._plan, self._is_path_due = plan, True
        self._show()

    def set_frame(self, name: str) -> None:
        """Set the selected frame; empty for none."""
        if name != self._frame:
            self.stop_preview()
            self._frame, self._is_path_due = name, True
            self._show()

    def set_angle_unit(self, unit: str) -> None:
        """Set the unit of angles, "deg" or "rad"."""
        for view in (self.cover, self.ball, self.product):
            view.set_unit(ANGLE_UNITS[unit])

    def set_quaternion_order(self, order: QuaternionOrder) -> None:
        """Show all quaternions in another order."""
        for row in self.findChildren(QuaternionRow):
            row.set_order(order)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the quaternion of a snapshot. A quaternion that is previewed in the scene stays."""
        self._snapshot = snapshot
        if not self.preview_button.isChecked():
            self._show()

    def show_alone(self, view: str) -> None:
        """Show one view without the controls of the others, for pictures."""
        self._is_alone = True
        self.views.set_choice(view)
        self._on_view(view)
        for page in self._pages:
            if page is not self._stack.currentWidget():
                self._stack.removeWidget(page)
                page.setParent(self)
                page.hide()
        self._pages = [page for page in self._pages if page is self._stack.currentWidget()]

    def stop_preview(self) -> None:
        """End the preview in the scene, if there is one."""
        if self.preview_button.isChecked():
            self.preview_button.setChecked(False)
            self.edits.cancel()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        self.stop_preview()
        super().hideEvent(event)

    # Display

    @property
    def quaternion(self) -> Array | None:
        """Quaternion (4,) from the parent of the frame into the frame, scalar last, with a sign continuous in time."""
        plan, snapshot = self._plan, self._snapshot
        if plan is None or snapshot is None or self._frame in ("", WORLD) or self._frame not in plan.index:
            return None
        if self._frame not in snapshot.index:
            return None
        parent = plan.scene.frames[self._frame].parent
        q = np.asarray(plan.traces.quaternions(snapshot, self._frame, parent), dtype=np.float64).reshape(-1)
        return q if np.isfinite(q).all() else None

    def _show(self) -> None:
        q = self.quaternion
        for part in (self.title, self._stack):
            part.setVisible(q is not None)
        for part in (self.views, self.preview_button):
            part.setVisible(q is not None and not self._is_alone)
        self.empty.setVisible(q is None)
        self._show_preview_button()
        if q is None or self._plan is None or self.preview_button.isChecked():
            return
        parent = self._plan.scene.frames[self._frame].parent
        self.title.setText(f"{self._frame} in {parent}")
        self._views[self.views.choice].show_quaternion(q)
        if self.views.choice == BALL and self._is_path_due and self.isVisible():
            self._show_path(self._plan)

    def _show_path(self, plan: Plan) -> None:
        self._is_path_due = False
        try:
            path = path_of_frame(plan, self._frame)
        except LaboratoryError:
            self.ball.set_path(np.zeros((0, 3)))
        else:
            self.ball.set_path(rotation_vectors(from_T(path.T)))

    def _show_preview_button(self) -> None:
        frame = None if self._plan is None else self._plan.scene.frames.get(self._frame)
        why = ""
        if self.views.choice == SANDWICH:
            why = "This view turns nothing"
        elif frame is not None and frame.motion is not None:
            why = f"{self._frame} is {frame.motion.form}: select a frame with an orientation of its own"
        self.preview_button.setEnabled(not why)
        self.preview_button.setToolTip(why or f"Turn {self._frame} as it is tried here; nothing is kept")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._size_pages()

    def _size_pages(self) -> None:
        """Let the highest view keep the button below in its place, unless the panel is large and needs the room."""
        is_large = self.width() > LARGE
        for i, page in enumerate(self._pages):
            is_unseen = is_large and i != self._stack.currentIndex()
            policy = QSizePolicy.Policy.Ignored if is_unseen else QSizePolicy.Policy.Preferred
            page.setSizePolicy(QSizePolicy.Policy.Preferred, policy)

    # User input

    def _on_view(self, choice: str) -> None:
        self.stop_preview()
        self._stack.setCurrentIndex((COVER, BALL, SANDWICH, PRODUCT).index(choice))
        self._size_pages()
        self._tried = None
        self._show()

    def _on_tried(self, q: Array) -> None:
        self._tried = q
        self._preview()

    def _on_preview(self, is_on: bool) -> None:
        if is_on:
            self._preview()
        else:
            self.edits.cancel()
            self._show()

    def _preview(self) -> None:
        if not self.preview_button.isChecked() or self._tried is None or self._plan is None or self._snapshot is None:
            return
        moment = self._plan.moment(self._frame, float(self._snapshot.t))
        self.edits.preview(orient_frame(self._frame, to_T(self._tried), moment, ""), pauses=True)
