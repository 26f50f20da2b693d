"""Caption of the staged mode: which frame turns, and one vector in both frames."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget

from framescope.core.analysis.staged_rotation import EXAMPLE, StagedRotation
from framescope.ui.formatting.number_text import fixed
from framescope.ui.panels.staged.formula import FormulaLabel, ReadingOne
from framescope.ui.theme import fonts, painters
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.elided_label import ElidedLabel

DECIMALS, FEW_DECIMALS = 3, 2
PLATE = 0.82
"""Opacity of the background, as for names in the scene."""


def sentence_of(step: StagedRotation, active_passive: ReadingOne) -> str:
    """Return a sentence on which frame turns.

    >>> sentence_of(StagedRotation("plane", "world", "XYZ", (0.4, 0.6, 0.2)), "passive")
    'Passive: world turns back around plane and v'
    """
    axes = f" about the axes of {step.parent}" if step.turn_axes == "fixed" else ""
    if active_passive == "active":
        return f"Active: {step.frame} and v turn {axes[1:] or f'in {step.parent}'}"
    return f"Passive: {step.parent} turns back{axes and ' about its own axes'} around {step.frame} and v"


def short_sentence_of(step: StagedRotation, active_passive: ReadingOne) -> str:
    """Return a short sentence on which frame turns.

    >>> short_sentence_of(StagedRotation("plane", "world", "XYZ", (0.4, 0.6, 0.2)), "passive")
    'world turns back'
    """
    return f"{step.frame} turns" if active_passive == "active" else f"{step.parent} turns back"


def numbers_of(step: StagedRotation, active_passive: ReadingOne, decimals: int = DECIMALS) -> str:
    """Return the vector before and after the matrix. v₁ is resolved in the parent, v₂ in the frame.

    >>> print(numbers_of(StagedRotation("plane", "world", "XYZ", (0.4, 0.6, 0.2)), "active", 2))
    v₁ = R (0.60, 0.48, 0.64) = (0.60, 0.48, 0.64)
    """
    v_F = np.array(EXAMPLE)
    v_1, v_2 = (f"({', '.join(fixed(float(x), decimals) for x in v)})" for v in (step.T.T @ v_F, v_F))
    return f"v₁ = R {v_2} = {v_1}" if active_passive == "active" else f"v₂ = T {v_1} = {v_2}"


class StagedCaption(QWidget):
    """Formula of a reading with its explanation. It ignores the mouse."""

    def __init__(self, active_passive: ReadingOne, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._active_passive: ReadingOne = active_passive
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.formula = FormulaLabel(active_passive)
        self.sentence, self.numbers = ElidedLabel(role="quiet"), ElidedLabel(role="number")
        self.result = ElidedLabel(role="number")
        """Second line of the numbers, where they are too long for one line in large text."""
        layouts.column(
            self.formula,
            self.sentence,
            self.numbers,
            self.result,
            on=self,
            margins=(METRICS.gap, METRICS.inner),
            spacing=METRICS.inner,
        )

    def show_step(self, step: StagedRotation, widest: int, *, is_low: bool = False, scale: float = 1.0) -> None:
        """Show a rotation's present state, in at most `widest` logical pixels.

        Texts that do not fit become shorter, then smaller, down to the default size. Then the numbers are left out,
        then the sentence. If `is_low`, only the formula is shown. `scale` is the factor to the default size where there
        is room.
        """
        widest = max(widest, 0)
        room = widest - 2 * METRICS.gap
        self.formula.show_step(step, room, scale)
        widths = [float(self.formula.width())]
        sentences = (sentence_of(step, self._active_passive), short_sentence_of(step, self._active_passive))
        texts = [(text, fonts.width(fonts.text(METRICS.secondary), text) + 2) for text in sentences]
        widths += _show_fitting(self.sentence, [] if is_low else texts, room, scale, METRICS.secondary)
        # Reserve room for signs, so that the background keeps its size.
        numbers = (numbers_of(step, self._active_passive, decimals) for decimals in (DECIMALS, FEW_DECIMALS))
        texts = [(text, fonts.width(fonts.number(METRICS.number), f"{text}---")) for text in numbers]
        lines = _two_lines(texts[-1]) if scale > 1.0 and scale * texts[-1][1] > room else ()
        if lines and not is_low and all(scale * width <= room for _, width in lines):
            for label, line in zip((self.numbers, self.result), lines, strict=True):
                widths += _show_fitting(label, [line], room, scale, METRICS.number)
        else:
            self.result.hide()
            widths += _show_fitting(self.numbers, [] if is_low else texts, room, scale, METRICS.number)
        self.setFixedWidth(min(widest, math.ceil(max(widths)) + 2 * METRICS.gap))
        self.setFixedHeight(self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        painters.fill_with(painter, "scene_top", PLATE)
        painter.drawRoundedRect(QRectF(self.rect()), METRICS.field_radius, METRICS.field_radius)


def _two_lines(line: tuple[str, float]) -> tuple[tuple[str, float], tuple[str, float]]:
    """Return an equation with its width as two lines, the second from its last equals sign."""
    text, width = line
    head, _, tail = text.rpartition(" = ")
    tail = f"{' ' * head.index('=')}= {tail}"
    per_letter = width / (len(text) + 3)
    return (head, per_letter * (len(head) + 3)), (tail, per_letter * (len(tail) + 3))


def _show_fitting(
    label: ElidedLabel, texts: Sequence[tuple[str, float]], room: int, scale: float, size: int
) -> list[float]:
    """Show the first of some texts that fits, and return its width in a list. Hide the label if none fits.

    Parameters
    ----------
    texts
        Texts with their widths at the default size, the shortest last.
    scale, size
        Factor to the default size, less if no text fits; and the default size, logical pixels.
    """
    fit = next(((text, width, scale) for text, width in texts if scale * width <= room), None)
    if fit is None and texts and texts[-1][1] <= room:
        text, width = texts[-1]
        fit = text, width, room / width
    label.setVisible(fit is not None)
    if fit is None:
        return []
    text, width, scale = fit
    label.setText(text)
    # whole pixels, rounded down to fit
    style = "" if scale == 1.0 else f"font-size: {int(scale * size)}px;"
    if label.styleSheet() != style:
        label.setStyleSheet(style)
    return [scale * width]
