"""Tab order of widgets, according to their layout.

Qt's own focus chain is not read: PySide treats the result of `QWidget.nextInFocusChain` as a child of the widget, down
to the window, which is then never freed. Layout items are not read either: `QLayout.itemAt` leaves a wrapper that
outlives its item, and is then mistaken for the next Qt object at the same address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget

InOrder = Callable[[Iterable[QWidget]], Iterable[QWidget]]
_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


def tab_stops(part: QWidget | None) -> Iterator[QWidget]:
    """Yield the widgets of a part, itself included, at which Tab stops.

    A part whose tab order differs from its layout has the method `in_tab_order`, which sorts the stops.
    """
    if part is None:
        return
    if part.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield part
    if isinstance(part, QScrollArea):
        yield from tab_stops(part.widget())
        return
    layout = part.layout()
    if layout is not None:
        inside = _inside(layout, part.findChildren(QWidget, options=_DIRECT))
        in_tab_order: InOrder | None = getattr(part, "in_tab_order", None)
        yield from in_tab_order(inside) if in_tab_order else inside


def _inside(layout: QLayout, widgets: list[QWidget]) -> Iterator[QWidget]:
    """Yield the tab stops in a layout; `widgets` are all children of its widget, including those in nested layouts."""
    layouts = layout.findChildren(QLayout, options=_DIRECT)
    placed = {layout.indexOf(part): part for part in (*widgets, *layouts)}
    for index in sorted(placed.keys() - {-1}):
        part = placed[index]
        yield from tab_stops(part) if isinstance(part, QWidget) else _inside(part, widgets)
