"""Keyboard focus that stays where it is when fields commit their text or pages change."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid


def end_typing(inside: QWidget) -> None:
    """Let the focused field of a widget commit its text. It keeps the focus, unless committing moves the focus.

    Without a focused widget, Qt would focus the first button of the window when the window becomes active again.
    """
    focused = QApplication.focusWidget()
    if focused is not None and inside.isAncestorOf(focused):
        focused.clearFocus()
        if QApplication.focusWidget() is None and _can_have_focus(focused):
            focused.setFocus(Qt.FocusReason.OtherFocusReason)


@contextmanager
def kept_focus(home: QWidget) -> Generator[None]:
    """Give the focus back after a change of the window: to the widget that had it, or to `home` if it is gone."""
    focused = QApplication.focusWidget()
    yield
    if focused is not None and QApplication.focusWidget() is not focused:
        (focused if _can_have_focus(focused) else home).setFocus(Qt.FocusReason.OtherFocusReason)


def _can_have_focus(widget: QWidget) -> bool:
    return isValid(widget) and widget.isVisible() and widget.isEnabled()
