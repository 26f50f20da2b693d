"""What the Tab key stops at, as it is laid out.

Qt's own chain is not read: PySide takes what `QWidget.nextInFocusChain` returns for a child of the widget that was
asked, down to the window, which is then never freed.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget


def tab_stops(part: QWidget | QLayout | None) -> Iterator[QWidget]:
    """Yield the widgets of a part, itself included, that Tab stops at."""
    if isinstance(part, QWidget) and part.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield part
    if isinstance(part, QScrollArea):
        yield from tab_stops(part.widget())
        return
    layout = part.layout() if isinstance(part, QWidget) else part
    for i in range(layout.count() if layout is not None else 0):
        item = layout.itemAt(i) if layout is not None else None
        if item is not None:
            yield from tab_stops(item.widget() or item.layout())
