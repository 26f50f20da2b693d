"""The widget that shows the scene: camera, picking and handles by mouse and keyboard, one render per tick."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from framescope.core.evaluate import Plan
from framescope.core.scene.model import Scene
from framescope.core.snapshot import Snapshot
from framescope.ui import appearance
from framescope.ui.panels.wording import NO_ITEM, ItemKey, frame_of
from framescope.ui.theme import Theme
from framescope.ui.view import camera as cameras
from framescope.ui.view.camera import CameraState
from framescope.ui.view.camera_control import CameraControl
from framescope.ui.view.camera_tools import CameraTools
from framescope.ui.view.frame_hand import FrameHand
from framescope.ui.view.hovering import Hovering
from framescope.ui.view.measuring_tool import MeasuringTool
from framescope.ui.view.qt_interactor import RenderWidget
from framescope.ui.view.scene_renderer import SceneRenderer

CLICK_SLOP = 4.0
"""How far the pointer may move between press and release for a click, logical pixels."""

TURN_PER_PIXEL = math.radians(0.35)
KEY_TURN = math.radians(5.0)
ZOOM_PER_STEP = 1.15
GPU_SAMPLES = 4
STILL_MS = 150
"""How long nothing has moved when software takes the time to smooth the edges."""

SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "swiftshader", "software")

_KEY_TURNS = {
    Qt.Key.Key_Left: (-KEY_TURN, 0.0),
    Qt.Key.Key_Right: (KEY_TURN, 0.0),
    Qt.Key.Key_Up: (0.0, KEY_TURN),
    Qt.Key.Key_Down: (0.0, -KEY_TURN),
}
_KEYPAD_PRESETS = {Qt.Key.Key_1: "front", Qt.Key.Key_3: "right", Qt.Key.Key_7: "top", Qt.Key.Key_0: "isometric"}
_KEY_ZOOMS = {
    Qt.Key.Key_Plus: ZOOM_PER_STEP,
    Qt.Key.Key_Equal: ZOOM_PER_STEP,
    Qt.Key.Key_Minus: 1.0 / ZOOM_PER_STEP,
}


class SceneView(RenderWidget):
    """The scene in a window.

    Drag turns the camera about its focal point, with Shift or the middle button it moves it; the wheel zooms
    to the pointer, a double click fits everything in, a click selects, and again at the same place what lies
    behind; Ctrl and click measures from the selected frame. Arrows turn, + and - zoom, F fits, with Shift the
    selection, Home goes back to the scene's own camera, 5 switches between perspective and parallel, 1, 3, 7 and 0 of
    the number pad look from the front, the right, the top and a corner, Space plays. G shows the handles of the
    selected frame (see `FrameHand`), M measures, Escape leaves.

    Signals
    -------
    picked(object)
        The key of the item that was clicked; `NO_ITEM` when the click hit nothing.
    previewed(object, bool), committed(object), cancelled()
        What the handles do, see `FrameHand`.
    said(str, str)
        A kind and a sentence for the status line.
    tools_changed()
        Handles, measure, follow or projection were switched.
    play_toggled()
        Space: play or pause.
    first_frame()
        The first picture is drawn.
    path_left()
        A hand has taken the camera off the path that the scene has for it.
    """

    picked = Signal(object)
    previewed = Signal(object, bool)
    committed = Signal(object)
    cancelled = Signal()
    said = Signal(str, str)
    tools_changed = Signal()
    play_toggled = Signal()
    first_frame = Signal()
    path_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("3D view of the scene")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        window = self.GetRenderWindow()
        # On software, samples are the largest cost of all; a GPU gets them once it has told its name.
        window.SetMultiSamples(0)
        interactor = window.GetInteractor()
        interactor.SetInteractorStyle(None)
        interactor.Enable()  # or it would not render
        self.renderer = SceneRenderer(appearance.current())
        self.renderer.attach(window)
        self.renderer_name: str = ""
        self._is_closed = False
        self._pressed_at: QPointF | None = None
        self._last_at = QPointF()
        self._has_dragged = False
        self._pans = False
        self._frame_times: deque[float] = deque(maxlen=120)
        self._still = QTimer(self, interval=STILL_MS, singleShot=True)
        self._still.timeout.connect(self._smooth_edges)
        self._is_software = True
        self._selected: str | None = None
        self._clicked_at = QPointF(-99.0, -99.0)
        self._shown_key: ItemKey = NO_ITEM
        self.setMouseTracking(True)
        self.camera = CameraControl(self.renderer, lambda: self._selected, self)
        self.camera.moved.connect(self._redraw)
        self.camera.switched.connect(self._on_tools)
        self.camera.path_left.connect(self.path_left)
        self.camera.said.connect(self.said)
        self.hovering = Hovering(self, self.renderer)
        self.hovering.on_look(self._look_up)
        self.hand = FrameHand(self.renderer, self)
        self.hand.previewed.connect(self.previewed)
        self.hand.committed.connect(self.committed)
        self.hand.cancelled.connect(self.cancelled)
        self.hand.refused.connect(self._on_refused)
        self.hand.changed.connect(self._on_hand)
        self.tools = CameraTools(self)
        self.measuring = MeasuringTool(self, self.tools, self.renderer)
        self._connect_tools()

    def _connect_tools(self) -> None:
        tools = self.tools
        tools.fit.clicked.connect(self.camera.fit)
        tools.follow.clicked.connect(lambda is_on: self.camera.set_follow("origin" if is_on else ""))
        tools.parallel.clicked.connect(self.camera.set_parallel)
        tools.handles.clicked.connect(self.set_handles)
        tools.measure.clicked.connect(self.set_measuring)
        tools.axes.chosen.connect(lambda name: self.hand.set_axes_of(name.lower()))

    # What is shown

    def set_scene(self, scene: Scene, plan: Plan) -> None:
        """Show another scene, or an edited one; a snapshot of it follows."""
        self.renderer.set_scene(scene, plan)

    def show_snapshot(self, snapshot: Snapshot, trails: Mapping[str, NDArray[np.float64]]) -> None:
        """Show a moment of the scene: arrays in place, then one render."""
        self.renderer.show(snapshot, trails)
        if not self.hand.is_held:  # what is dragged is seen from one place
            self.camera.follow()
        self.hovering.refresh()
        self._redraw()

    def set_selection(self, name: str | None) -> None:
        """Mark a frame as selected."""
        is_other = name != self._selected
        self._selected = name
        self.renderer.set_selection(name)
        self.hand.set_frame(name)
        if is_other:
            self.update()

    def set_selected_item(self, key: ItemKey) -> None:
        """Tell which item is selected, so that a second click can take the next one behind it."""
        self._shown_key = key

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self.renderer.set_theme(theme)
        self.update()

    # Camera

    def camera_state(self) -> CameraState:
        """Return where the scene is seen from."""
        return self.camera.state

    def set_camera_state(self, camera: CameraState) -> None:
        """See the scene from elsewhere."""
        self.camera.set_state(camera)

    def reset_camera(self) -> None:
        """Go back to the scene's own camera, or to one that shows everything."""
        self.camera.reset()

    # Handles and measure

    def set_handles(self, is_on: bool) -> None:
        """Show the handles of the selected frame, to turn and move it."""
        self.hand.set_on(is_on)
        if is_on:
            what = "Drag a ring or an arrow" if self._selected else "Select a frame to turn and move it"
            self.said.emit("note", f"{what}. Shift and Ctrl snap, A changes the axes, Escape leaves")

    def set_measuring(self, is_on: bool) -> None:
        """Measure from the selected frame to the next one that is clicked."""
        self.measuring.set_on(is_on)
        if is_on:
            start = f"from {self._selected}" if self._selected else "from the selected frame"
            self.said.emit("note", f"Click a frame to measure {start}. Escape leaves")
        self._on_tools()

    def finish(self) -> None:
        """End a gesture that still goes on, as it stands."""
        self.hand.finish()

    def cancel(self) -> None:
        """Give a gesture up that still goes on."""
        self.hand.cancel()

    def _on_refused(self, why: str) -> None:
        self.setCursor(Qt.CursorShape.ForbiddenCursor)
        self.said.emit("amber", why)
        self.hovering.say("Not by hand", why.split(": ", 1)[-1])

    def _on_hand(self) -> None:
        drag = self.hand.drag
        if drag is not None:
            self.hovering.say(*drag.texts)
        else:
            self.hovering.hide_card()
        self._on_tools()
        self._redraw()

    def _on_tools(self) -> None:
        """Show what is switched on."""
        tools = self.tools
        tools.set_handles_shown(self.hand.is_on)
        tools.axes.set_choice(self.hand.axes_of.capitalize())
        tools.measure.setChecked(self.measuring.is_on)
        tools.follow.setChecked(bool(self.camera.follow_mode))
        tools.parallel.setChecked(self.camera.state.is_parallel)
        tools.place()
        self.measuring.follow()
        self.tools_changed.emit()

    def position_of(self, name: str) -> QPointF | None:
        """Return where a frame's origin appears, in the widget's coordinates; None when it is not in the picture."""
        at = self.renderer.position_of(name)
        if at is None:
            return None
        ratio = self.devicePixelRatioF()
        return QPointF(at[0] / ratio, self.height() - at[1] / ratio)

    # How it is drawn

    @property
    def frames_per_second(self) -> float:
        """How many pictures were drawn in the last second."""
        now = time.perf_counter()
        return float(sum(1 for t in self._frame_times if now - t <= 1.0))

    def sizeHint(self) -> QSize:
        return QSize(740, 494)

    def resizeGL(self, width: int, height: int) -> None:
        self.renderer.set_scale(self.devicePixelRatioF())
        super().resizeGL(width, height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.tools.place()
        self.measuring.follow()

    def paintGL(self) -> None:
        if self._is_closed:
            return
        self.renderer.prepare()
        super().paintGL()
        self._frame_times.append(time.perf_counter())
        if not self.renderer_name:
            self._ask_renderer()
            self.first_frame.emit()

    def _ask_renderer(self) -> None:
        """Ask what draws, say so, and have a GPU smooth the edges."""
        window = self.GetRenderWindow()
        lines = window.ReportCapabilities().splitlines()
        name = next((line.split(":", 1)[1] for line in lines if line.startswith("OpenGL renderer string")), "").strip()
        short = name.split("(")[0].strip() or "unknown"
        self._is_software = any(word in name.lower() for word in SOFTWARE_RENDERERS)
        self.renderer_name = f"software GL, {short}" if self._is_software else short
        if not self._is_software:
            self.renderer.smooth_edges(False)
            self.renderer.set_gpu(True)
            window.SetMultiSamples(GPU_SAMPLES)

    def _redraw(self) -> None:
        """Draw again because something moved: quickly now, and with smooth edges once all stands still."""
        if self._is_software:
            self.renderer.smooth_edges(False)
            self._still.start()
        self.measuring.follow()
        self.update()

    def _smooth_edges(self) -> None:
        self.renderer.smooth_edges(True)
        self.update()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._still.stop()
            self.hovering.leave()
            self.hand.cancel()
            self.renderer.detach()
        super().closeEvent(event)

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed_at = self._last_at = event.position()
        self._has_dragged = False
        self.hovering.move(event.position())
        self.hovering.light(None)
        is_other_button = event.button() in (Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton)
        event.accept()
        if not is_other_button and self.hand.press(*self._device(event.position())) is not None:
            self._pressed_at = None
            if self.hand.is_held:
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
            return
        self._pans = is_other_button or bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.hand.is_held and event.buttons():
            self.hovering.move(event.position())
            self.hand.move(*self._device(event.position()), event.modifiers())
            return
        if not event.buttons():
            self.hovering.move(event.position())
        if self._pressed_at is None or not event.buttons():
            return
        moved = event.position() - self._pressed_at
        if not self._has_dragged and math.hypot(moved.x(), moved.y()) < CLICK_SLOP:
            return
        self._has_dragged = True
        step = event.position() - self._last_at
        self._last_at = event.position()
        if self._pans:
            ratio = self.devicePixelRatioF()
            shift = (step.x() * ratio, -step.y() * ratio)
            self.camera.set_state(cameras.pan(self.camera.state, *shift, self.renderer.projection()))
        else:
            self._orbit(-step.x() * TURN_PER_PIXEL, step.y() * TURN_PER_PIXEL)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.hand.is_held:
            self.hand.finish()
        elif self._pressed_at is not None and not self._has_dragged and event.button() == Qt.MouseButton.LeftButton:
            self._click(event.position(), event.modifiers())
        self._pressed_at = None
        self.hovering.move(event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.hand.hover(*self._device(event.position())) is None:
            self.camera.fit()

    def _look_up(self) -> None:
        """Light what is under the pointer, and say with the cursor what a hand could do there."""
        if QApplication.mouseButtons() != Qt.MouseButton.NoButton or self._is_closed or self.hand.is_held:
            return
        x, y = self._device(self.hovering.at)
        handle = self.hand.hover(x, y)
        if handle is not None:
            self.hovering.light(None)
            why = self.hand.why_not(handle)
            if why:
                self.hovering.say("Not by hand", why.split(": ", 1)[-1])
            self.setCursor(Qt.CursorShape.ForbiddenCursor if why else Qt.CursorShape.OpenHandCursor)
            return
        hits = [] if self.renderer.cube_face_at(x, y) is not None else self.renderer.hits(x, y)
        if not hits:
            self.hovering.hide_card()
        self.hovering.light(hits[0].key if hits else None)
        self.setCursor(Qt.CursorShape.PointingHandCursor if hits else Qt.CursorShape.ArrowCursor)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120.0
        if steps:
            self._zoom(ZOOM_PER_STEP**steps, self._device(event.position()))
            event.accept()

    def _click(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        x, y = self._device(at)
        direction = self.renderer.cube_face_at(x, y)
        if direction is not None:
            self.camera.set_state(cameras.look_from(self.camera.state, direction))
            return
        keys = [hit.key for hit in self.renderer.hits(x, y)]
        tick = self.renderer.tick
        if self._selected and tick and (modifiers & Qt.KeyboardModifier.ControlModifier or self.measuring.is_on):
            frame = next((frame for key in keys if (frame := frame_of(tick.plan.scene, key))), None)
            if frame is not None:
                self.measuring.measure(self._selected, frame)
                self._on_tools()
            return
        moved = at - self._clicked_at
        self._clicked_at = at
        is_again = math.hypot(moved.x(), moved.y()) < CLICK_SLOP and self._shown_key in keys
        self.picked.emit(keys[(keys.index(self._shown_key) + 1) % len(keys)] if is_again else next(iter(keys), NO_ITEM))

    def _device(self, at: QPointF) -> tuple[float, float]:
        """Return device pixels from the lower left corner."""
        ratio = self.devicePixelRatioF()
        return at.x() * ratio, (self.height() - at.y()) * ratio

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        is_shifted = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        is_keypad = bool(modifiers & Qt.KeyboardModifier.KeypadModifier)
        if self.hand.key(key, modifiers):
            return
        if key in _KEY_TURNS:
            self._orbit(*_KEY_TURNS[key])
        elif key in _KEY_ZOOMS:
            ratio = self.devicePixelRatioF()
            self._zoom(_KEY_ZOOMS[key], (0.5 * self.width() * ratio, 0.5 * self.height() * ratio))
        elif is_keypad and key in _KEYPAD_PRESETS:
            self.camera.look_from(_KEYPAD_PRESETS[key])
        elif key in self._commands:
            self._commands[key](is_shifted)
        elif not (key == Qt.Key.Key_Escape and self._leave()):
            event.ignore()

    @property
    def _commands(self) -> dict[Qt.Key, Callable[[bool], None]]:
        """What single keys do; they are told whether Shift is held."""
        return {
            Qt.Key.Key_F: lambda is_shifted: self.camera.fit_selection() if is_shifted else self.camera.fit(),
            Qt.Key.Key_Home: lambda _: self.camera.reset(),
            Qt.Key.Key_Space: lambda _: self.play_toggled.emit(),
            Qt.Key.Key_G: lambda _: self.set_handles(not self.hand.is_on),
            Qt.Key.Key_M: lambda _: self.set_measuring(not self.measuring.is_on),
            Qt.Key.Key_5: lambda _: self.camera.set_parallel(not self.camera.state.is_parallel),
        }

    def _leave(self) -> bool:
        """Leave what is on, the nearest first; return whether anything was."""
        if self.hand.escape():
            self.hovering.hide_card()
        elif self.measuring.is_on:
            self.set_measuring(False)
        else:
            return False
        return True

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    # The base would hand these to VTK's own interaction, which has no part here.

    def enterEvent(self, event: object) -> None:
        pass

    def leaveEvent(self, event: QEvent) -> None:  # noqa: ARG002
        if not self._is_closed:
            self.hand.leave()
            self.hovering.leave()

    def focusInEvent(self, event: QFocusEvent) -> None:
        pass

    def _orbit(self, azimuth: float, elevation: float) -> None:
        self.camera.set_state(cameras.orbit(self.camera.state, azimuth, elevation))

    def _zoom(self, factor: float, at: tuple[float, float]) -> None:
        camera = cameras.zoom(self.camera.state, factor, self.renderer.projection(), at)
        self.camera.set_state(camera)
