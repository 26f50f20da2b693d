"""Mouse modes of the 3D view: turning and moving the camera, drags of handles, selection, measuring, hovering."""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from framescope.core.scene.schema.model import NO_ITEM, ItemKey
from framescope.ui.formatting.item_names import frame_of
from framescope.ui.scene_view.interaction.active_passive_view import ActivePassiveView
from framescope.ui.scene_view.interaction.camera_control import ZOOM_PER_STEP, CameraControl
from framescope.ui.scene_view.interaction.frame_manipulation import FrameManipulation
from framescope.ui.scene_view.interaction.hover import Hovering
from framescope.ui.scene_view.interaction.measuring_tool import MeasuringTool
from framescope.ui.scene_view.interaction.navigation import NO_BUTTON, USUAL, CameraMove, is_two_fingers
from framescope.ui.scene_view.interaction.note_drag import NoteDrag
from framescope.ui.scene_view.scene_renderer import SceneRenderer

CLICK_SLOP = 4.0
"""Maximum distance of the pointer between press and release of a click, logical pixels."""

TURN_PER_PIXEL = math.radians(0.35)

PIXELS_PER_STEP = 24.0
"""Length of a drag that zooms as one step of the wheel, and of a scroll without pixels, logical pixels."""

MAX_PINCH = 4.0
"""Largest factor by which one event of a pinch zooms out."""

ANGLE_PER_STEP = 120.0
"""Angle that Qt reports for one step of the wheel."""


class Pointer(QObject):
    """The mouse over a widget that shows a scene.

    Signals
    -------
    picked(object)
        The key of the clicked item; `NO_ITEM` if the click hit nothing.
    toggled(object)
        The key of an item that a click with Ctrl adds to the selection, or takes from it.
    measured()
        A click has measured the distance to a frame.
    menu_requested(object, QPoint)
        A click with the right button: the key of the item, `NO_ITEM` for none, and the place on the screen.
    """

    picked = Signal(object)
    toggled = Signal(object)
    measured = Signal()
    menu_requested = Signal(object, QPoint)

    def __init__(
        self,
        widget: QWidget,
        renderer: SceneRenderer,
        active_passive: ActivePassiveView,
        camera: CameraControl,
        manipulation: FrameManipulation,
        hovering: Hovering,
        measuring: MeasuringTool,
        notes: NoteDrag,
    ) -> None:
        super().__init__(widget)
        self._widget, self._renderer, self._active_passive, self._camera = widget, renderer, active_passive, camera
        self._manipulation, self._hovering, self._measuring, self._notes = manipulation, hovering, measuring, notes
        self.selected: str | None = None
        """The selected frame, from which distances are measured."""
        self.shown_key: ItemKey = NO_ITEM
        """The selected item. A second click at the same place takes the item behind it."""
        self._pressed_at: QPointF | None = None
        self._last_at = QPointF()
        self._clicked_at = QPointF(-99.0, -99.0)
        self.navigation = USUAL
        """The gestures that move the camera."""
        self._has_dragged = False
        self._camera_move: CameraMove | None = None
        self._is_closed = False
        hovering.on_look(self._look_up)

    def close(self) -> None:
        """Ignore all further events."""
        self._is_closed = True
        self._hovering.leave()

    def leave(self) -> None:
        """Forget the pointer, which has left the widget."""
        if not self._is_closed:
            self._notes.cancel()
            self._manipulation.leave()
            self._hovering.leave()

    def press(self, event: QMouseEvent) -> None:
        """Grab a handle, or begin to turn or move the camera."""
        self._pressed_at = self._last_at = event.position()
        self._has_dragged = False
        self._hovering.move(event.position())
        self._hovering.light(None)
        is_other_button = event.button() in (Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton)
        event.accept()
        if not is_other_button and self._manipulation.press(*self._device(event.position())) is not None:
            self._pressed_at = None
            if self._manipulation.is_held:
                self._widget.setCursor(Qt.CursorShape.ClosedHandCursor)
            return
        self._camera_move = self.navigation.move_of(event.button(), event.modifiers())
        x, y = self._device(event.position())
        hits = [] if is_other_button or self._active_passive.second is not None else self._active_passive.hits(x, y)
        if hits:
            self._notes.press(hits[0].key, x, y)

    def move(self, event: QMouseEvent) -> None:
        """Drag the handle, the note or the camera; without a button, hover."""
        if self._manipulation.is_held and event.buttons():
            self._hovering.move(event.position())
            self._manipulation.move(*self._device(event.position()), event.modifiers())
            return
        if not event.buttons():
            self._hovering.move(event.position())
        if self._pressed_at is None or not event.buttons():
            return
        moved = event.position() - self._pressed_at
        if not self._has_dragged and math.hypot(moved.x(), moved.y()) < CLICK_SLOP:
            return
        self._has_dragged = True
        if self._notes.is_held:
            self._widget.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._notes.move(*self._device(event.position()))
            return
        step = event.position() - self._last_at
        self._last_at = event.position()
        self._move_camera(self._camera_move, step, self._pressed_at)

    def release(self, event: QMouseEvent) -> None:
        """End the drag; without a drag, this was a click."""
        if self._manipulation.is_held:
            self._manipulation.finish()
        elif self._pressed_at is not None and not self._has_dragged and event.button() == Qt.MouseButton.LeftButton:
            self._click(event.position(), event.modifiers())
        elif self._pressed_at is not None and not self._has_dragged and event.button() == Qt.MouseButton.RightButton:
            hits = self._active_passive.hits(*self._device(event.position()))
            self._hovering.hide_card()
            self.menu_requested.emit(hits[0].key if hits else NO_ITEM, event.globalPosition().toPoint())
        self._notes.finish()
        self._pressed_at = None
        self._hovering.move(event.position())

    def double_click(self, event: QMouseEvent) -> None:
        """Fit everything into the picture."""
        if (
            event.button() == Qt.MouseButton.LeftButton
            and self._manipulation.hover(*self._device(event.position())) is None
        ):
            self._camera.fit()

    def wheel(self, event: QWheelEvent) -> None:
        """Zoom towards the pointer by the wheel; move the camera by two fingers on a touchpad."""
        move = self.navigation.move_of(NO_BUTTON, event.modifiers()) if is_two_fingers(event) else "zoom"
        angle = QPointF(event.angleDelta()) / ANGLE_PER_STEP
        if move == "zoom":
            if angle.y():
                self._zoom(ZOOM_PER_STEP ** angle.y(), event.position())
                event.accept()
        else:
            pixels = event.pixelDelta()
            self._move_camera(move, angle * PIXELS_PER_STEP if pixels.isNull() else QPointF(pixels), event.position())
            event.accept()

    def pinch(self, event: QNativeGestureEvent) -> bool:
        """Zoom towards two fingers that spread on a touchpad; return False for another gesture."""
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
            return False
        self._zoom(max(1.0 + event.value(), 1.0 / MAX_PINCH), event.position())
        return True

    def _move_camera(self, move: CameraMove | None, step: QPointF, at: QPointF) -> None:
        """Move the camera by a step of a drag in logical pixels, which zooms towards `at`."""
        if move == "orbit":
            self._camera.orbit(-step.x() * TURN_PER_PIXEL, step.y() * TURN_PER_PIXEL)
        elif move == "pan":
            ratio = self._widget.devicePixelRatioF()
            self._camera.pan(step.x() * ratio, -step.y() * ratio)
        elif move == "zoom":
            self._zoom(ZOOM_PER_STEP ** (-step.y() / PIXELS_PER_STEP), at)

    def _zoom(self, factor: float, at: QPointF) -> None:
        self._camera.zoom(factor, *self._active_passive.within(*self._device(at)))

    def _click(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        x, y = self._device(at)
        direction = self._renderer.cube_face_at(x, y)
        if direction is not None:
            self._camera.look_towards(direction)
            return
        keys = [hit.key for hit in self._active_passive.hits(x, y)]
        tick = self._renderer.tick
        if self.selected and tick and self._measuring.is_on:
            frame = next((frame for key in keys if (frame := frame_of(tick.plan.scene, key))), None)
            if frame is not None:
                self._measuring.measure(self.selected, frame)
                self.measured.emit()
            return
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            if keys:
                self.toggled.emit(keys[0])
            return
        moved = at - self._clicked_at
        self._clicked_at = at
        is_again = math.hypot(moved.x(), moved.y()) < CLICK_SLOP and self.shown_key in keys
        self.picked.emit(keys[(keys.index(self.shown_key) + 1) % len(keys)] if is_again else next(iter(keys), NO_ITEM))

    def _look_up(self) -> None:
        """Highlight the item under the pointer, and set the cursor to show the effect of a drag there."""
        if QApplication.mouseButtons() != Qt.MouseButton.NoButton or self._is_closed or self._manipulation.is_held:
            return
        x, y = self._device(self._hovering.at)
        handle = self._manipulation.hover(x, y)
        if handle is not None:
            self._hovering.light(None)
            why = self._manipulation.why_not(handle)
            if why:
                self._hovering.show_message("Not by hand", why.split(": ", 1)[-1])
            self._widget.setCursor(Qt.CursorShape.ForbiddenCursor if why else Qt.CursorShape.OpenHandCursor)
            return
        hits = [] if self._renderer.cube_face_at(x, y) is not None else self._active_passive.hits(x, y)
        if not hits:
            self._hovering.hide_card()
        self._hovering.light(hits[0].key if hits else None)
        self._widget.setCursor(Qt.CursorShape.PointingHandCursor if hits else Qt.CursorShape.ArrowCursor)

    def _device(self, at: QPointF) -> tuple[float, float]:
        """Convert a widget position to device pixels from the lower left corner."""
        ratio = self._widget.devicePixelRatioF()
        return at.x() * ratio, (self._widget.height() - at.y()) * ratio
