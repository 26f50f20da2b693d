"""Manipulation of the point of a shift: the user drags it over its body, or clicks a new place on a body."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent

from framescope.core.analysis.shifts import ShiftKey
from framescope.features.shift.ui.shift_arrows import ShiftArrows
from framescope.features.shift.ui.shift_look import SHIFT_LIT
from framescope.ui.formatting.item_names import frame_of
from framescope.ui.scene_view.interaction.surface_drag import PointDrag, Surfaces
from framescope.ui.scene_view.scene_view import SceneView

GRASP = 11.0
"""Distance from the point within which the pointer grips it, logical pixels."""

PICKING = "Click where the point is to be on a body. Escape leaves"
"""Message while a click places the point."""

_SHIFT = Qt.KeyboardModifier.ShiftModifier


class ShiftPointManipulation(QObject):
    """Event filter of a view that moves the point of the shown shift. It does not change the document.

    Signals
    -------
    moved(str, object)
        The user moved the point: frame, and position (3,) in it, m.
    gripped(bool)
        The user starts or ends a drag of the point.
    picking_changed(bool)
        Whether the next click on a body places the point.
    status(str, str)
        Kind and sentence for the status line.
    """

    moved = Signal(str, object)
    gripped = Signal(bool)
    picking_changed = Signal(bool)
    status = Signal(str, str)

    def __init__(self, view: SceneView) -> None:
        super().__init__(view)
        self._view, self._renderer = view, view.renderer
        self.key: ShiftKey | None = None
        self._surfaces = Surfaces()
        self._drag: PointDrag | None = None
        self._is_picking = self._is_lit = self._is_clicking = False

    @property
    def is_held(self) -> bool:
        """Whether the user is dragging the point."""
        return self._drag is not None

    def set_key(self, key: ShiftKey | None) -> None:
        """Set the shown shift. Without a shift, mouse events are not filtered."""
        if (key is None) is not (self.key is None):
            if key is None:
                self._let_go()
                self.set_picking(False)
                self._view.removeEventFilter(self)
            else:
                self._view.installEventFilter(self)
        self.key = key

    def set_picking(self, is_on: bool) -> None:
        """Start or stop waiting for a click on a body."""
        if is_on == self._is_picking:
            return
        self._is_picking = is_on
        if is_on:
            self._view.setFocus()  # to receive Escape
            self._view.setCursor(Qt.CursorShape.CrossCursor)
            self.status.emit("note", PICKING)
        else:
            self.status.emit("", PICKING)
            self._view.setCursor(Qt.CursorShape.ArrowCursor)
        self.picking_changed.emit(is_on)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle events for the point, and pass all others to the view."""
        del watched
        if self.key is None:
            return False
        if isinstance(event, QMouseEvent):
            return self._on_mouse(event)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            was_on = self._is_picking
            self.set_picking(False)
            return was_on
        if event.type() == QEvent.Type.Leave:
            self._light(False)
        return False

    def _on_mouse(self, event: QMouseEvent) -> bool:
        at, kind = event.position(), event.type()
        is_left = event.button() == Qt.MouseButton.LeftButton
        if kind == QEvent.Type.MouseButtonPress and is_left:
            return self._place_point(at) if self._is_picking else self._grip(at)
        if kind == QEvent.Type.MouseMove:
            return self._move(at, event)
        if kind == QEvent.Type.MouseButtonRelease and is_left:
            if self._drag is not None:
                self._let_go()
                return True
            was_clicking, self._is_clicking = self._is_clicking, False
            return was_clicking
        return False

    def _move(self, at: QPointF, event: QMouseEvent) -> bool:
        drag, key = self._drag, self.key
        if drag is not None and key is not None:
            p_W = drag.move(*self._device(at), is_free=bool(event.modifiers() & _SHIFT))
            self._emit_point(key.frame, p_W)
            return True
        if event.buttons() or self._is_picking:
            return self._is_picking
        is_over = self._is_over(at)
        self._light(is_over)
        return is_over

    def _grip(self, at: QPointF) -> bool:
        key, tick = self.key, self._renderer.tick
        arrows = self._renderer.visual(ShiftArrows)
        shift = None if arrows is None else arrows.shift
        if key is None or tick is None or shift is None or not self._is_over(at):
            return False
        x, y = self._device(at)
        self._drag = PointDrag(self._renderer.projection(), shift.p_W, x, y, self._surfaces.of(tick, key.frame))
        self._light(True)
        self._view.setCursor(Qt.CursorShape.ClosedHandCursor)
        self.gripped.emit(True)
        return True

    def _let_go(self) -> None:
        if self._drag is None:
            return
        self._drag = None
        self._view.setCursor(Qt.CursorShape.OpenHandCursor)
        self.gripped.emit(False)

    def _place_point(self, at: QPointF) -> bool:
        """Place the point on the clicked body. Ignore clicks elsewhere."""
        tick, renderer = self._renderer.tick, self._renderer
        if tick is None:
            return False
        x, y = self._device(at)
        bodies = [hit.key for hit in renderer.hits(x, y) if hit.key[0] == "bodies"]
        if not bodies:
            self.status.emit("amber", "There is no body there. Click on one, or press Escape")
            return False
        frame = frame_of(tick.plan.scene, bodies[0])
        projection = renderer.projection()
        hit_W = self._surfaces.of(tick, frame)(projection.ray_start(x, y), projection.ray(x, y))
        if hit_W is None:
            return False
        self._is_clicking = True
        self.set_picking(False)
        self._emit_point(frame, hit_W)
        return True

    def _emit_point(self, frame: str, p_W: NDArray[np.float64]) -> None:
        pose = self._renderer.pose_of(frame)
        if pose is None:
            return
        R_WF, p_WF = pose
        self.moved.emit(frame, R_WF.T @ (p_W - p_WF))

    def _is_over(self, at: QPointF) -> bool:
        arrows = self._renderer.visual(ShiftArrows)
        place = None if arrows is None else arrows.handle_at(self._renderer.projection())
        if place is None:
            return False
        x, y = self._device(at)
        return bool((place[0] - x) ** 2 + (place[1] - y) ** 2 <= (GRASP * self._view.devicePixelRatioF()) ** 2)

    def _light(self, is_lit: bool) -> None:
        if is_lit != self._is_lit:
            self._is_lit = is_lit
            self._renderer.set_option(SHIFT_LIT, is_lit)
            self._view.hovering.light(None)
            self._view.setCursor(Qt.CursorShape.OpenHandCursor if is_lit else Qt.CursorShape.ArrowCursor)
            self._view.update()

    def _device(self, at: QPointF) -> tuple[float, float]:
        """Return a position in device pixels from the lower left corner of the picture under the pointer."""
        ratio = self._view.devicePixelRatioF()
        return self._view.active_passive.within(at.x() * ratio, (self._view.height() - at.y()) * ratio)
