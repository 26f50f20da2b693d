"""The widget that shows the scene: a turntable camera by mouse and keyboard, picking, one render per tick."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from framescope.core.evaluate import Plan
from framescope.core.scene.model import Scene
from framescope.core.snapshot import Snapshot
from framescope.ui import appearance
from framescope.ui.theme import Theme
from framescope.ui.view import camera as cameras
from framescope.ui.view.camera import CameraState
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
_KEY_ZOOMS = {
    Qt.Key.Key_Plus: ZOOM_PER_STEP,
    Qt.Key.Key_Equal: ZOOM_PER_STEP,
    Qt.Key.Key_Minus: 1.0 / ZOOM_PER_STEP,
}


class SceneView(RenderWidget):
    """The scene in a window.

    Drag turns the camera about its focal point, with Shift or the middle button it moves it; the wheel zooms
    to the pointer, a double click fits everything in, a click selects. Arrows turn, + and - zoom, F fits,
    Home goes back to the scene's own camera, Space plays.

    Signals
    -------
    picked(str)
        A frame was clicked; empty when the click hit nothing.
    play_toggled()
        Space: play or pause.
    first_frame()
        The first picture is drawn.
    path_left()
        A hand has taken the camera off the path that the scene has for it.
    """

    picked = Signal(str)
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

    # What is shown

    def set_scene(self, scene: Scene, plan: Plan) -> None:
        """Show another scene, or an edited one; a snapshot of it follows."""
        self.renderer.set_scene(scene, plan)

    def show_snapshot(self, snapshot: Snapshot, trails: Mapping[str, NDArray[np.float64]]) -> None:
        """Show a moment of the scene: arrays in place, then one render."""
        self.renderer.show(snapshot, trails)
        self._redraw()

    def set_selection(self, name: str | None) -> None:
        """Mark a frame as selected."""
        self.renderer.set_selection(name)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self.renderer.set_theme(theme)
        self.update()

    # Camera

    def camera_state(self) -> CameraState:
        """Return where the scene is seen from."""
        return self.renderer.camera()

    def set_camera_state(self, camera: CameraState) -> None:
        """See the scene from elsewhere."""
        was_on_path = self.renderer.is_on_path
        self.renderer.set_camera(camera)
        self._redraw()
        if was_on_path:
            self.path_left.emit()

    def reset_camera(self) -> None:
        """Go back to the scene's own camera, or to one that shows everything."""
        self.renderer.reset_camera()
        self._redraw()

    def fit(self) -> None:
        """Move the camera until everything is in the picture."""
        was_on_path = self.renderer.is_on_path
        self.renderer.fit()
        self._redraw()
        if was_on_path:
            self.path_left.emit()

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
            window.SetMultiSamples(GPU_SAMPLES)

    def _redraw(self) -> None:
        """Draw again because something moved: quickly now, and with smooth edges once all stands still."""
        if self._is_software:
            self.renderer.smooth_edges(False)
            self._still.start()
        self.update()

    def _smooth_edges(self) -> None:
        self.renderer.smooth_edges(True)
        self.update()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._still.stop()
            self.renderer.detach()
        super().closeEvent(event)

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed_at = self._last_at = event.position()
        self._has_dragged = False
        is_other_button = event.button() in (Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton)
        self._pans = is_other_button or bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
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
            self.set_camera_state(cameras.pan(self.camera_state(), *shift, self.renderer.projection()))
        else:
            self._orbit(-step.x() * TURN_PER_PIXEL, step.y() * TURN_PER_PIXEL)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed_at is not None and not self._has_dragged and event.button() == Qt.MouseButton.LeftButton:
            self._click(event.position())
        self._pressed_at = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120.0
        if steps:
            self._zoom(ZOOM_PER_STEP**steps, self._device(event.position()))
            event.accept()

    def _click(self, at: QPointF) -> None:
        x, y = self._device(at)
        direction = self.renderer.cube_face_at(x, y)
        if direction is not None:
            self.set_camera_state(cameras.look_from(self.camera_state(), direction))
        else:
            self.picked.emit(self.renderer.pick(x, y) or "")

    def _device(self, at: QPointF) -> tuple[float, float]:
        """Return device pixels from the lower left corner."""
        ratio = self.devicePixelRatioF()
        return at.x() * ratio, (self.height() - at.y()) * ratio

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _KEY_TURNS:
            self._orbit(*_KEY_TURNS[key])
        elif key in _KEY_ZOOMS:
            ratio = self.devicePixelRatioF()
            self._zoom(_KEY_ZOOMS[key], (0.5 * self.width() * ratio, 0.5 * self.height() * ratio))
        elif key == Qt.Key.Key_F:
            self.fit()
        elif key == Qt.Key.Key_Home:
            self.reset_camera()
        elif key == Qt.Key.Key_Space:
            self.play_toggled.emit()
        else:
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    # The base would hand these to VTK's own interaction, which has no part here.

    def enterEvent(self, event: object) -> None:
        pass

    def leaveEvent(self, event: object) -> None:
        pass

    def focusInEvent(self, event: QFocusEvent) -> None:
        pass

    def _orbit(self, azimuth: float, elevation: float) -> None:
        self.set_camera_state(cameras.orbit(self.camera_state(), azimuth, elevation))

    def _zoom(self, factor: float, at: tuple[float, float]) -> None:
        camera = cameras.zoom(self.camera_state(), factor, self.renderer.projection(), at)
        self.set_camera_state(camera)
