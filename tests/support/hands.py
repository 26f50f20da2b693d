"""What a hand does to a widget, and what an ear and an eye have of it, for the tests of widgets."""

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.ui.theme.tokens import METRICS

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PLAIN = Qt.KeyboardModifier.NoModifier
Key = Qt.Key
SIGNALS = ("previewed", "committed", "cancelled", "reset_requested", "message", "chosen")


def hear(widget) -> list[tuple]:
    """Keep what a widget says from now on: name of the signal and its values."""
    heard: list[tuple] = []
    for owner in (widget, getattr(widget, "edits", None)):
        for name in SIGNALS:
            if hasattr(owner, name):
                getattr(owner, name).connect(lambda *values, name=name: heard.append((name, *values)))
    return heard


def said(heard: list[tuple], *names: str) -> list:
    return [said[-1] if len(said) > 1 else said[0] for said in heard if said[0] in names]


def press(widget, x: float, modifiers=PLAIN) -> None:
    QTest.mousePress(widget, LEFT, modifiers, QPoint(round(x), widget.height() // 2))


def move(widget, x: float) -> None:
    QTest.mouseMove(widget, QPoint(round(x), widget.height() // 2))


def release(widget, x: float) -> None:
    QTest.mouseRelease(widget, LEFT, PLAIN, QPoint(round(x), widget.height() // 2))


def drag(widget, from_x: float, to_x: float, *, steps: int = 8) -> None:
    """Drag as a hand does, in steps."""
    press(widget, from_x)
    for i in range(1, steps + 1):
        move(widget, from_x + (to_x - from_x) * i / steps)
    release(widget, to_x)


def pull(view, way: list[QPointF], modifiers=PLAIN, *, lets_go: bool = True) -> None:
    """Drag with the left button through points of a widget between the pixels, keys held but for the press."""
    mouse(view, QEvent.Type.MouseButtonPress, way[0], PLAIN)
    for where in way[1:]:
        mouse(view, QEvent.Type.MouseMove, where, modifiers)
    if lets_go:
        let_go(view, way[-1])


def let_go(view, where: QPointF) -> None:
    mouse(view, QEvent.Type.MouseButtonRelease, where, PLAIN)


def mouse(view, kind: QEvent.Type, where: QPointF, modifiers) -> None:
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else LEFT
    buttons = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else LEFT
    QApplication.sendEvent(view, QMouseEvent(kind, where, view.mapToGlobal(where), button, buttons, modifiers))


def point_in(view, device) -> QPointF:
    """Return where a device pixel of the 3D view, from the lower left, is in the widget."""
    ratio = view.devicePixelRatioF()
    return QPointF(device[0] / ratio, view.height() - device[1] / ratio)


def wheel(widget, notches: float, modifiers=PLAIN) -> None:
    at = QPointF(widget.width() / 2, widget.height() / 2)
    turned = QPoint(0, round(120 * notches))
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(at, widget.mapToGlobal(at), QPoint(), turned, Qt.MouseButton.NoButton, modifiers, phase, False)
    QApplication.sendEvent(widget, event)


def roll(widget, notches: float) -> None:
    """Turn the wheel over a widget, as the window gets it: what the widget leaves goes to what it stands in."""
    window = widget.window()
    at = QPointF(widget.mapTo(window, widget.rect().center()))
    QTest.wheelEvent(window.windowHandle(), at, QPoint(0, round(120 * notches)))


def strike(widget, key: Key, modifiers=PLAIN) -> None:
    """Strike a key of the keyboard: it goes where the focus is."""
    QTest.keyClick(widget.window().windowHandle(), key, modifiers)


def focus(widget) -> None:
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    assert widget.hasFocus()


def type_in(field, text: str, end: Key | None = Key.Key_Return) -> None:
    focus(field)
    field.selectAll()
    for sign in text:
        if sign.isascii():
            QTest.keyClick(field, sign)
        else:  # no key of QTest's has it
            QApplication.sendEvent(field, QKeyEvent(QEvent.Type.KeyPress, Key.Key_unknown, PLAIN, sign))
    if end is not None:
        strike(field, end)


def degrees_per_pixel(slider) -> float:
    return 360.0 / (slider.width() - METRICS.halo)


def x_of(slider, value_deg: float) -> float:
    return METRICS.halo / 2 + (value_deg + 180.0) / degrees_per_pixel(slider)


def least_opacity(image: QImage) -> int:
    """Return the least opacity of the points of an image, 0 to 255."""
    image = image.convertToFormat(QImage.Format.Format_Alpha8)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return int(rows[:, : image.width()].min())


def picture(widget) -> QImage:
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def show(window, qtbot) -> None:
    """Show a window, and give it, or a dialog of it that has come up by then, the keyboard."""
    window.show()
    with qtbot.waitExposed(window):
        pass
    window.activateWindow()

    def is_active() -> bool:
        active = QApplication.activeWindow()
        while active is not None and active is not window:
            active = active.parentWidget()
        return active is window

    qtbot.waitUntil(is_active)
