"""Panels with larger texts and controls, as for a presentation."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QWidget

from framescope.ui.theme import current_theme, stylesheet
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.segmented_control import Segmented

CONTROLS = 0.6
"""Part of the growth of the texts by which buttons grow, since they are used rather than read."""

GROWS = "growsFrom"
"""Property of a part of a panel with its fixed width, px, that grows with the buttons inside."""

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
    """Set the factor of texts in a panel to their usual size. Fields and headings have the same one, buttons less."""
    controls = 1.0 + CONTROLS * (scale - 1.0)
    sizes = {
        "QLineEdit": METRICS.base,
        'QLineEdit[kind="number"], QLineEdit[kind="expression"]': METRICS.number,
        "QTableView, QHeaderView::section": METRICS.secondary,
        'QCheckBox, QRadioButton, QToolButton[kind="fold"], AxisMark': METRICS.base,
        'QPushButton[kind="code"]': METRICS.number,
        'QComboBox[kind="unit"]': METRICS.secondary,
    }
    rules = (
        stylesheet.larger_texts(current_theme.current(), scale),
        f"QPushButton {{ font-size: {round(controls * METRICS.base)}px; min-height: {round(controls * _BUTTON)}px; }}",
        *(f"{texts} {{ font-size: {round(scale * size)}px; }}" for texts, size in sizes.items()),
    )
    panel.setStyleSheet("" if scale == 1.0 else "\n".join(rules))
    for switch in panel.findChildren(Segmented):
        switch.set_scale(controls)
    columns = [child for child in panel.findChildren(QWidget) if child.property(GROWS)]
    for column in columns:
        column.setFixedWidth(round(controls * column.property(GROWS)))
