"""What a reading says: who turns and who stands still, and the numbers of one vector in both frames."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from framescope.core.stepwise import EXAMPLE, Stepwise
from framescope.ui import appearance, fonts
from framescope.ui.staged.formula import Formula, ReadingOne
from framescope.ui.theme import METRICS
from framescope.ui.units import fixed
from framescope.ui.widgets.elided_label import ElidedLabel

DECIMALS, FEW_DECIMALS = 3, 2
PLATE = 0.82
"""Opacity of the plate behind it, as of the names in the scene."""


def sentence_of(step: Stepwise, reading: ReadingOne) -> str:
    """Return who turns.

    >>> sentence_of(Stepwise("plane", "world", "XYZ", (0.4, 0.6, 0.2)), "passive")
    'Passive: world turns back around plane and v'
    """
    if reading == "active":
        return f"Active: {step.frame} and v turn in {step.parent}"
    return f"Passive: {step.parent} turns back around {step.frame} and v"


def short_sentence_of(step: Stepwise, reading: ReadingOne) -> str:
    """Return who turns, in as few words as can be.

    >>> short_sentence_of(Stepwise("plane", "world", "XYZ", (0.4, 0.6, 0.2)), "passive")
    'world turns back'
    """
    return f"{step.frame} turns" if reading == "active" else f"{step.parent} turns back"


def numbers_of(step: Stepwise, reading: ReadingOne, decimals: int = DECIMALS) -> str:
    """Return the vector before and after the matrix; v₁ is resolved in the parent, v₂ in the frame.

    >>> print(numbers_of(Stepwise("plane", "world", "XYZ", (0.4, 0.6, 0.2)), "active", 2))
    v₁ = R (0.60, 0.48, 0.64) = (0.60, 0.48, 0.64)
    """
    v_F = np.array(EXAMPLE)
    v_1, v_2 = (f"({', '.join(fixed(float(x), decimals) for x in v)})" for v in (step.T.T @ v_F, v_F))
    return f"v₁ = R {v_2} = {v_1}" if reading == "active" else f"v₂ = T {v_1} = {v_2}"


class Caption(QWidget):
    """The formula of a reading, and what it says; the mouse goes through it."""

    def __init__(self, reading: ReadingOne, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reading: ReadingOne = reading
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.formula = Formula(reading)
        self.sentence, self.numbers = ElidedLabel(role="quiet"), ElidedLabel(role="number")
        column = QVBoxLayout(self)
        column.setContentsMargins(METRICS.gap, METRICS.inner, METRICS.gap, METRICS.inner)
        column.setSpacing(METRICS.inner)
        for widget in (self.formula, self.sentence, self.numbers):
            column.addWidget(widget)

    def show_step(self, step: Stepwise, widest: int, *, is_low: bool = False) -> None:
        """Show the numbers of a rotation as far as it has come, in at most `widest` logical pixels.

        What finds no room is said shorter, or left out: the numbers first, then who turns. In a picture that `is_low`
        there is the formula alone.
        """
        sides = 2 * METRICS.gap
        self.formula.show_step(step, widest - sides)
        widths = [self.formula.width() + sides]
        sentences = (sentence_of(step, self._reading), short_sentence_of(step, self._reading))
        told = ((text, fonts.width(fonts.text(METRICS.secondary), text) + sides + 2) for text in sentences)
        widths += _say(self.sentence, () if is_low else told, widest)
        # Room for a sign at each number, so that the plate keeps its size.
        numbers = (numbers_of(step, self._reading, decimals) for decimals in (DECIMALS, FEW_DECIMALS))
        told = ((text, fonts.width(fonts.number(METRICS.number), f"{text}---") + sides) for text in numbers)
        widths += _say(self.numbers, () if is_low else told, widest)
        self.setFixedWidth(min(widest, math.ceil(max(widths))))
        self.setFixedHeight(self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(appearance.qcolor("scene_top", PLATE))
        painter.drawRoundedRect(QRectF(self.rect()), METRICS.field_radius, METRICS.field_radius)


def _say(label: ElidedLabel, texts: Iterable[tuple[str, float]], widest: int) -> list[float]:
    """Write the first of some texts that is not too wide, and return its width; hide the label where none is."""
    for text, width in texts:
        if width <= widest:
            label.setText(text)
            label.show()
            return [width]
    label.hide()
    return []
