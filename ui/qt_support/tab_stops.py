"""Tab order of the widgets, as they are laid out.

Qt's own chain is not read: PySide takes what `QWidget.nextInFocusChain` returns for a child of the widget that was
asked, down to the window, which is then never freed. Nor are the items of layouts: `QLayout.itemAt` leaves a
wrapper behind that outlives its item, and is then taken for whatever Qt makes at the same place in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget

InOrder = Callable[[Iterable[QWidget]], Iterable[QWidget]]
_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


def tab_stops(part: QWidget | None) -> Iterator[QWidget]:
    """Yield the widgets of a part, itself included, that Tab stops at.

    A part whose stops have another order than they stand in has the method `in_tab_order`, which puts them in order.
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
    """Yield what is in a layout; `widgets` are all that its widget holds, in layouts inside this one, too."""
    layouts = layout.findChildren(QLayout, options=_DIRECT)
    placed = {layout.indexOf(part): part for part in (*widgets, *layouts)}
    for index in sorted(placed.keys() - {-1}):
        part = placed[index]
        yield from tab_stops(part) if isinstance(part, QWidget) else _inside(part, widgets)
