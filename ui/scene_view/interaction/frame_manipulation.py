"""Manipulation of the selected frame: pointer and keys become previews and one commit."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from framescope.core.kernels.validation import USUAL_SEQUENCE
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.geometry.drag_geometry import Handle
from framescope.ui.scene_view.geometry.frame_drag import AXES_OF, AxesOf, FrameDrag, joint_handle
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals.manipulator import HANDLES, HandlesState, Held

SETTLE_MS = 600
"""Pause after the last key press that ends a gesture of several presses, ms."""

AXIS_KEYS = {Qt.Key.Key_X: 0, Qt.Key.Key_Y: 1, Qt.Key.Key_Z: 2}
STROKES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1}
_SHIFT, _CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class FrameManipulation(QObject):
    """Manipulation of the handles of the selected frame.

    Signals
    -------
    refused(str)
        The frame cannot be turned or moved this way; the text is the reason.
    changed()
        The handles have changed and must be redrawn.
    """

    refused = Signal(str)
    changed = Signal()

    def __init__(self, renderer: SceneRenderer, edits: EditSink, parent: QObject) -> None:
        super().__init__(parent)
        self._renderer, self._edits = renderer, edits
        self.is_on = False
        self.axes_of: AxesOf = "own"
        self.sequence = USUAL_SEQUENCE
        """Axis sequence of the rotation of a frame without one."""
        self.drag: FrameDrag | None = None
        self._name: str | None = None
        self._lit: Handle | None = None
        self._chosen: Handle | None = None
        self._has_previewed = False
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self.finish)

    # Display

    def set_on(self, is_on: bool) -> None:
        """Show or hide the handles."""
        self.finish()
        self.is_on, self._lit, self._chosen = is_on, None, None
        self._show()

    def set_frame(self, name: str | None) -> None:
        """Take another frame; a running gesture on the previous one is committed."""
        if name != self._name:
            self.finish()
            self._name, self._lit, self._chosen = name, None, None
            self._show()

    def set_axes_of(self, axes_of: AxesOf) -> None:
        """Turn about the axes of the frame itself, of its parent or of the world."""
        self.finish()
        self.axes_of = axes_of
        self._show()

    def next_axes(self) -> None:
        """Switch from own to parent's to world's axes and back."""
        self.set_axes_of(AXES_OF[(AXES_OF.index(self.axes_of) + 1) % len(AXES_OF)])

    @property
    def is_held(self) -> bool:
        """Whether a gesture is running."""
        return self.drag is not None

    def joint_handle(self) -> Handle | None:
        """Return the one handle of a frame that a joint moves; None without a joint."""
        tick: Tick | None = self._renderer.tick
        if tick is None or self._name is None or self._name not in tick.plan.index:
            return None
        return joint_handle(tick.plan, self._name)

    # The pointer, in device pixels from the lower left

    def hover(self, x: float, y: float) -> Handle | None:
        """Highlight the handle under a pixel and return it."""
        handle = self._renderer.handle_at(x, y) if self.is_on and self.drag is None else None
        if handle != self._lit:
            self._lit = handle
            self._show()
        return handle

    def leave(self) -> None:
        """Remove the highlight."""
        if self._lit is not None:
            self._lit = None
            self._show()

    def why_not(self, handle: Handle) -> str:
        """Return the reason why a handle moves nothing; empty if it can."""
        drag = self._new_drag(handle)
        return "" if drag is None else drag.refusal

    def press(self, x: float, y: float) -> Handle | None:
        """Grab and return the handle under a pixel, if any; a frame that cannot be moved is reported by `refused`."""
        handle = self._renderer.handle_at(x, y) if self.is_on else None
        if handle is None:
            return None
        self.finish()
        if self._begin(handle) and self.drag is not None:
            self.drag.press(self._renderer.projection(), x, y)
            self._show()
        return handle

    def move(self, x: float, y: float, modifiers: Qt.KeyboardModifier) -> None:
        """Follow the pointer."""
        self._change(lambda drag: drag.move(x, y, is_fine=bool(modifiers & _SHIFT), is_coarse=bool(modifiers & _CTRL)))

    # Keys

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        """Handle a key and return whether it was used.

        X, Y and Z choose the ring of an axis, pressed again its arrow, or else the handle of the frame's joint. The
        arrow keys turn or move. A switches the axes and Enter commits.
        """
        if not self.is_on or self._name is None:
            return False
        if key == Qt.Key.Key_A:
            self.next_axes()
        elif key in AXIS_KEYS and not modifiers & (_SHIFT | _CTRL):
            self.finish()
            self._chosen = self.joint_handle() or self._next_handle(AXIS_KEYS[key])
            self._show()
        elif key in STROKES and self._chosen is not None:
            self._stroke(self._chosen, STROKES[key], modifiers)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.drag is not None:
            self.finish()
        else:
            return False
        return True

    def _next_handle(self, axis: int) -> Handle:
        turn = Handle("turn", axis)
        return Handle("shift", axis) if self._chosen == turn else turn

    def escape(self) -> bool:
        """Cancel the gesture, the chosen axis or the handles, in this order; return whether there was anything."""
        if self.drag is not None:
            self.cancel()
        elif self._chosen is not None:
            self._chosen = None
            self._show()
        elif self.is_on:
            self.set_on(False)
        else:
            return False
        return True

    def _stroke(self, handle: Handle, n: int, modifiers: Qt.KeyboardModifier) -> None:
        if self.drag is None and not self._begin(handle):
            return
        self._change(lambda drag: drag.stroke(n, is_fine=bool(modifiers & _SHIFT), is_coarse=bool(modifiers & _CTRL)))
        self._settle.start()

    # The gesture

    def finish(self) -> None:
        """Commit the running gesture."""
        self._settle.stop()
        drag, self.drag = self.drag, None
        if drag is None:
            return
        if drag.amount != 0.0:
            self._edits.commit(drag.edit)
        elif self._has_previewed:
            self._edits.cancel()
        self._show()

    def cancel(self) -> None:
        """Cancel the running gesture."""
        self._settle.stop()
        if self.drag is not None:
            self.drag = None
            self._edits.cancel()
            self._show()

    def _begin(self, handle: Handle) -> bool:
        drag = self._new_drag(handle)
        if drag is None:
            return False
        refusal = drag.refusal
        if refusal:
            self.refused.emit(refusal)
            return False
        self.drag, self._has_previewed = drag, False
        return True

    def _change(self, move: Callable[[FrameDrag], None]) -> None:
        drag = self.drag
        if drag is None:
            return
        before = drag.amount
        move(drag)
        if drag.amount != before:
            self._has_previewed = True
            self._edits.preview(drag.edit, pauses=drag.pauses)
            self._show()

    def _new_drag(self, handle: Handle) -> FrameDrag | None:
        tick: Tick | None = self._renderer.tick
        if tick is None or self._name is None or self._name not in tick.plan.index:
            return None
        return FrameDrag(
            tick.plan, tick.snapshot, self._name, self.axes_of, handle, self._renderer.angle_unit, self.sequence
        )

    def _show(self) -> None:
        drag = self.drag
        grip = None if drag is None else Held(drag.handle, drag.center_W, drag.e_W, drag.start_W, drag.amount)
        name = self._name if self.is_on else None
        state = HandlesState(name, self.axes_of, self._chosen or self._lit, grip)
        self._renderer.set_option(HANDLES, state)
        self.changed.emit()
