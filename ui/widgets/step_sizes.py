"""Step sizes of wheel and keys: one step, fifteen with Page, a tenth with Ctrl."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputEvent, QKeyEvent, QWheelEvent

PAGE_STEPS = 15.0
FINE_STEPS = 0.1

_NOTCH = 120.0
_KEY_STEPS = {
    Qt.Key.Key_Up: 1.0,
    Qt.Key.Key_Down: -1.0,
    Qt.Key.Key_PageUp: PAGE_STEPS,
    Qt.Key.Key_PageDown: -PAGE_STEPS,
}
_SIDEWAYS_STEPS = {Qt.Key.Key_Right: 1.0, Qt.Key.Key_Left: -1.0}


def fineness(event: QInputEvent) -> float:
    """Return the factor of one step: a tenth while Ctrl is pressed."""
    return FINE_STEPS if event.modifiers() & Qt.KeyboardModifier.ControlModifier else 1.0


def key_steps(event: QKeyEvent, *, is_sideways: bool = False) -> float:
    """Return the steps of a key, 0 for other keys; left and right count only if no text is edited."""
    table = _KEY_STEPS | _SIDEWAYS_STEPS if is_sideways else _KEY_STEPS
    return table.get(Qt.Key(event.key()), 0.0) * fineness(event)


def wheel_steps(event: QWheelEvent) -> float:
    """Return the steps of a wheel event, a fraction of one for a touch pad."""
    return event.angleDelta().y() / _NOTCH * fineness(event)
