"""Panels with larger texts and controls, as for a presentation."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from framescope.ui.theme import current_theme, stylesheet
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.number_field import NumberField
from framescope.ui.widgets.segmented_control import Segmented

CONTROLS = 0.6
"""Part of the growth of the texts by which fields and buttons grow, since they are used rather than read."""

GROWS = "growsFrom"
"""Property of a part of a panel with its fixed width, px, that grows with the fields and buttons inside."""

TEXT_SIZE = "usualTextSize"
"""Property of a label of a fixed size with that size, which grows with its text."""

_USUAL = "usualSize"
_BUTTON = 26
"""Least height of a button inside its border, as in the stylesheet of the application."""


@runtime_checkable
class ScaledPanel(Protocol):
    """Panel that enlarges its texts itself."""

    def set_scale(self, scale: float) -> None:
        """Set the factor of its texts to their usual size."""
        ...


def enlarge_texts(panel: QWidget, scale: float) -> None:
    """Set the factor of labels, read-outs and pictures in a panel to their usual size."""
    panel.setStyleSheet("" if scale == 1.0 else stylesheet.larger_texts(current_theme.current(), scale))


def enlarge_panel(panel: QWidget, scale: float) -> None:
    """Set the factor of texts in a panel to their usual size, and let fields and buttons grow along."""
    controls = 1.0 + CONTROLS * (scale - 1.0)
    rules = stylesheet.larger_texts(current_theme.current(), scale) + (
        f'\nQLineEdit[kind="number"] {{ font-size: {round(controls * METRICS.number)}px; }}'
        f"\nQTableView, QHeaderView::section {{ font-size: {round(controls * METRICS.secondary)}px; }}"
        f"\nQPushButton {{ font-size: {round(controls * METRICS.base)}px; min-height: {round(controls * _BUTTON)}px; }}"
    )
    panel.setStyleSheet("" if scale == 1.0 else rules)
    for switch in panel.findChildren(Segmented):
        switch.set_scale(controls)
    columns = [child for child in panel.findChildren(QWidget) if child.property(GROWS)]
    for column in columns:
        column.setFixedWidth(round(controls * column.property(GROWS)))
    for label in panel.findChildren(QWidget):
        size = label.property(TEXT_SIZE)
        if size is not None:
            label.setFixedSize(round(scale * size.width()), round(scale * size.height()))
    for field in panel.findChildren(NumberField):
        usual = field.property(_USUAL)
        if usual is None:
            usual = QSize(field.minimumWidth(), field.minimumHeight())
            field.setProperty(_USUAL, usual)
        field.setFixedHeight(round(controls * usual.height()))
        if field.minimumWidth() == field.maximumWidth():
            field.setFixedWidth(round(controls * usual.width()))
