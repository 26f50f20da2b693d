"""Rows, columns and grids of widgets, and labels with a role, for panels and dialogs."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QScrollArea,
    QScrollBar,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

USUAL_FRAME = QSize(8, 40)
"""Assumed frame of a window until its real frame is known, logical pixels."""

PASSES = 12
"""Number of passes in which what waits to be laid out is laid out: each goes one widget further out."""

STRETCH = -1
"""A stretching gap that takes the remaining room."""

Place = QWidget | QLayout | int
Part = Place | tuple[Place, int] | tuple[QWidget, int, Qt.AlignmentFlag]
"""A widget or a layout, optionally with its stretch and its alignment; a gap, px; or `STRETCH`."""

Margins = int | tuple[int, int] | tuple[int, int, int, int]
"""On all sides; horizontal and vertical; or left, top, right and bottom, px."""

Box = TypeVar("Box", bound=QBoxLayout)
Layout = TypeVar("Layout", bound=QLayout)


def column(
    *parts: Part, on: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Return a layout of parts below each other.

    Parameters
    ----------
    parts
        From top to bottom.
    on
        The widget to lay out; without it the layout becomes part of another one.
    margins
        See `Margins`; by default the margins of the style.
    spacing
        Gap between the parts, px; by default the spacing of the style.
    """
    return _fill_box(_box(QVBoxLayout, on), parts, margins, spacing)


def row(
    *parts: Part, on: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """Return a layout of parts beside each other, from left to right; see `column`."""
    return _fill_box(_box(QHBoxLayout, on), parts, margins, spacing)


def grid(
    *, on: QWidget | None = None, margins: Margins | None = None, spacing: int | tuple[int, int] | None = None
) -> QGridLayout:
    """Return a grid layout; `spacing` is between its columns and between its rows, px."""
    layout = _box(QGridLayout, on)
    _set_margins(layout, margins)
    if spacing is not None:
        across, down = (spacing, spacing) if isinstance(spacing, int) else spacing
        layout.setHorizontalSpacing(across)
        layout.setVerticalSpacing(down)
    return layout


def label(text: str = "", role: str = "", *, parent: QWidget | None = None, **properties: Any) -> QLabel:
    """Return a label with a role of the stylesheet (`quiet`, `caption`, `title`) and Qt properties by name."""
    widget = QLabel(text, parent, **properties)
    if role:
        widget.setProperty("role", role)
    return widget


def plain_label(text: str = "", role: str = "", *, parent: QWidget | None = None, **properties: Any) -> QLabel:
    """Return a label for text by others, of which nothing is interpreted as HTML."""
    return label(text, role, parent=parent, textFormat=Qt.TextFormat.PlainText, **properties)


def panel(parent: QWidget | None = None) -> QWidget:
    """Return an empty widget with the background of a panel."""
    widget = QWidget(parent)
    widget.setProperty("role", "panel")
    return widget


class _WholeHeight(QScrollArea):
    """A scroll area that asks for the whole height of its content."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        content: QWidget | None = self.widget()
        return QSize(super().sizeHint().width(), 0 if content is None else content.sizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


def scroll_area(content: QWidget, name: str, *, is_whole: bool = False, **properties: Any) -> QScrollArea:
    """Return a frameless area in which a panel scrolls vertically.

    With `is_whole` it asks for the height of the whole content, and scrolls only where there is no room for it.
    """
    area = (_WholeHeight if is_whole else QScrollArea)(widgetResizable=True, **properties)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(name)
    area.setWidget(content)
    return area


class _SteadyBar(QScrollBar):
    """A scroll bar that is always there, but is only seen where there is something to scroll."""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.maximum() > self.minimum():
            super().paintEvent(event)


def keep_bar(area: QScrollArea) -> None:
    """Reserve the room of the vertical scroll bar, so that contents keep their width; see `Metrics.beside_bar`."""
    area.setVerticalScrollBar(_SteadyBar(area))
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)


def fitting_size(window: QWidget, size: QSize) -> QSize:
    """Return the size of a new window, reduced to the room that its screen has, frame of the window included."""
    return size.boundedTo(window.screen().availableSize() - USUAL_FRAME)


def settle(widget: QWidget) -> None:
    """Lay a widget out now, so that its parts have the sizes that were asked for."""
    layout = widget.layout()
    if layout is not None:
        layout.invalidate()
        layout.activate()


def settle_all() -> None:
    """Lay out whatever waits for it, from the inside out, so that it is painted once and in its final place."""
    for _ in range(PASSES):  # a layout can ask for another one without an end
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)


@contextmanager
def laid_out_once(widget: QWidget) -> Generator[None]:
    """Leave the parts of a widget where they are during the block, and lay them out when events are next handled.

    Otherwise Qt lays out all that holds a part each time a part is shown.
    """
    own = widget.layout()
    held = [layout for layout in (own, *widget.findChildren(QLayout)) if layout is not None and layout.isEnabled()]
    for layout in held:
        layout.setEnabled(False)
    try:
        yield
    finally:
        for layout in held:
            layout.setEnabled(True)
            holder: QWidget | None = layout.parentWidget()
            # Qt lays out a hidden part when it is shown, which a disabled layout ignores and does not do later.
            if holder is not None and holder.layout() is layout:
                QCoreApplication.postEvent(holder, QEvent(QEvent.Type.LayoutRequest))


def lay_ground(widget: QWidget, role: str = "panel") -> None:
    """Let the stylesheet draw the background of a widget, according to a role."""
    widget.setProperty("role", role)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def _box(kind: type[Layout], on: QWidget | None) -> Layout:
    return kind() if on is None else kind(on)


def _fill_box(box: Box, parts: tuple[Part, ...], margins: Margins | None, spacing: int | None) -> Box:
    _set_margins(box, margins)
    if spacing is not None:
        box.setSpacing(spacing)
    for part in parts:
        place, stretch, *alignment = part if isinstance(part, tuple) else (part, 0)
        if isinstance(place, QWidget):
            box.addWidget(place, stretch, *alignment)
        elif isinstance(place, QLayout):
            box.addLayout(place, stretch)
        elif place == STRETCH:
            box.addStretch(1)
        else:
            box.addSpacing(place)
    return box


def _set_margins(layout: QLayout, margins: Margins | None) -> None:
    if isinstance(margins, int):
        margins = margins, margins
    if margins is not None:
        layout.setContentsMargins(*(2 * margins if len(margins) == 2 else margins))
