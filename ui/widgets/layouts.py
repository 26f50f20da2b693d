"""Rows, columns and grids of widgets, and labels with a role: what panels and dialogs are laid out with."""

from __future__ import annotations

from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

STRETCH = -1
"""A part that takes the room which the others leave."""

Place = QWidget | QLayout | int
Part = Place | tuple[Place, int] | tuple[QWidget, int, Qt.AlignmentFlag]
"""A widget or a layout, perhaps with its stretch and its alignment; a gap, px; or `STRETCH`."""

Margins = int | tuple[int, int] | tuple[int, int, int, int]
"""At all sides; at the sides, and above and below; or left, top, right and bottom, px."""

Box = TypeVar("Box", bound=QBoxLayout)
Layout = TypeVar("Layout", bound=QLayout)


def column(
    *parts: Part, on: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Return parts below each other.

    Parameters
    ----------
    parts
        From top to bottom.
    on
        The widget whose layout this is; without one it becomes a part of another layout.
    margins
        See `Margins`; without, those of the style.
    spacing
        Between the parts, px; without, that of the style.
    """
    return _filled(_box(QVBoxLayout, on), parts, margins, spacing)


def row(
    *parts: Part, on: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """Return parts beside each other, from left to right; see `column`."""
    return _filled(_box(QHBoxLayout, on), parts, margins, spacing)


def grid(
    *, on: QWidget | None = None, margins: Margins | None = None, spacing: int | tuple[int, int] | None = None
) -> QGridLayout:
    """Return a grid; `spacing` is between its columns and between its rows, px."""
    made = _box(QGridLayout, on)
    _set_margins(made, margins)
    if spacing is not None:
        across, down = (spacing, spacing) if isinstance(spacing, int) else spacing
        made.setHorizontalSpacing(across)
        made.setVerticalSpacing(down)
    return made


def label(text: str = "", role: str = "", *, parent: QWidget | None = None, **properties: Any) -> QLabel:
    """Return a label with a role of the stylesheet (`quiet`, `caption`, `title`) and Qt's properties by their names."""
    made = QLabel(text, parent, **properties)
    if role:
        made.setProperty("role", role)
    return made


def plain_label(text: str = "", role: str = "", *, parent: QWidget | None = None, **properties: Any) -> QLabel:
    """Return a label of words that others wrote: nothing in them is taken for HTML."""
    return label(text, role, parent=parent, textFormat=Qt.TextFormat.PlainText, **properties)


def panel(parent: QWidget | None = None) -> QWidget:
    """Return a widget with the ground of a panel, to put something on."""
    made = QWidget(parent)
    made.setProperty("role", "panel")
    return made


def scroll_area(content: QWidget, name: str, **properties: Any) -> QScrollArea:
    """Return what a panel scrolls up and down in, without a frame."""
    area = QScrollArea(widgetResizable=True, **properties)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(name)
    area.setWidget(content)
    return area


def lay_ground(widget: QWidget, role: str = "panel") -> None:
    """Let the stylesheet draw the ground of a widget, which is that of a role."""
    widget.setProperty("role", role)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def _box(kind: type[Layout], on: QWidget | None) -> Layout:
    return kind() if on is None else kind(on)


def _filled(box: Box, parts: tuple[Part, ...], margins: Margins | None, spacing: int | None) -> Box:
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
