"""Formula of the rotation as a product of its turns, with the present factor highlighted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.core.analysis.staged_rotation import N_TURNS, StagedRotation, TurnState
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import AXIS_LETTERS, Theme, mix

SUB_DROP = 4.0
GAP, HEIGHT = 1.0, 28
TINT, INK = 0.15, 0.25
"""Share of the axis colour in a highlighted background, and of the text colour in its letters."""

ReadingOne = Literal["active", "passive"]


@dataclass(frozen=True)
class Factor:
    """Turn of the product: matrix, axis (0, 1 or 2), angle letter, and progress."""

    matrix: str
    axis: int
    greek: str
    state: TurnState
    is_lit: bool

    @property
    def text(self) -> str:
        """Text of the factor."""
        return f"{self.matrix}{AXIS_LETTERS[self.axis]}({self.greek})"


@dataclass(frozen=True)
class Face:
    """Font sizes of a formula: letters, subscripts, padding beside factors, and scale."""

    size: int
    sub_size: int
    pad: float
    scale: float = 1.0

    def scale_by(self, scale: float) -> Face:
        """Return the face enlarged by a factor."""
        return Face(round(scale * self.size), round(scale * self.sub_size), scale * self.pad, scale * self.scale)


FACES = (Face(15, 11, 6.0), Face(13, 10, 3.0), Face(12, 9, 1.0))


def factors_of(step: StagedRotation, active_passive: ReadingOne) -> tuple[Factor, ...]:
    """Return the factors from left to right. T takes vectors into the frame, R takes them out of it.

    >>> step = StagedRotation("plane", "world", "XYZ", (0.4, 0.6, 0.2), 1.5)
    >>> [factor.text for factor in factors_of(step, "passive")]
    ['Tz(γ)', 'Ty(β)', 'Tx(α)']
    >>> [factor.text for factor in factors_of(step, "active") if factor.is_lit]
    ['Ry(β)']
    """
    letter = "R" if active_passive == "active" else "T"
    turns = [Factor(letter, step.axes[i], step.letter(i), step.state(i), i == step.turn) for i in range(N_TURNS)]
    factors = tuple(turns[k] for k in step.order)
    return factors if active_passive == "active" else factors[::-1]


def lit_colors(theme: Theme, axis: int, ground: str) -> tuple[str, str]:
    """Return background and text colour of a highlight in the colour of an axis."""
    return mix(ground, theme.axes[axis], TINT), mix(theme.axis_texts[axis], theme.text, INK)


class FormulaLabel(QWidget):
    """R = Rx(α) Ry(β) Rz(γ) of the active reading, or T = Tz(γ) Ty(β) Tx(α) of the passive one."""

    def __init__(self, active_passive: ReadingOne, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._active_passive: ReadingOne = active_passive
        self._factors: tuple[Factor, ...] = ()
        self.face = FACES[0]
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_step(self, step: StagedRotation, widest: int | None = None, scale: float = 1.0) -> None:
        """Highlight the factor of the present turn. Use a smaller font if the formula is wider than `widest`.

        `scale` is the factor to the default size where there is room.
        """
        self._factors = factors_of(step, self._active_passive)
        faces = (*(face.scale_by(scale) for face in FACES), *FACES)
        self.face = next((face for face in faces if widest is None or self._width(face) <= widest), FACES[-1])
        lit = [factor.text for factor in self._factors if factor.is_lit]
        self.setAccessibleName(", turned now: ".join([self.text, *lit]))
        self.setFixedSize(self.sizeHint())
        self.update()

    @property
    def text(self) -> str:
        """Text of the formula."""
        letter = "R" if self._active_passive == "active" else "T"
        return f"{letter} = {' '.join(factor.text for factor in self._factors)}"

    def sizeHint(self) -> QSize:
        return QSize(self._width(self.face), round(self.face.scale * HEIGHT))

    def _width(self, face: Face) -> int:
        width = sum(run[2] for run in self._head(face)) + GAP
        width += sum(2 * face.pad + sum(run[2] for run in _runs(factor, face)) + GAP for factor in self._factors)
        return round(width) + 1

    def _head(self, face: Face) -> list[tuple[str, QFont, float]]:
        font = fonts.text(face.size, 500)
        text = "R  = " if self._active_passive == "active" else "T  = "
        return [(text, font, fonts.width(font, text))]

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        painter.setPen(current_theme.qcolor("text"))
        x = self._write(painter, self._head(self.face), 0.0) + GAP
        theme = current_theme.current()
        for factor in self._factors:
            runs = _runs(factor, self.face)
            width = 2 * self.face.pad + sum(run[2] for run in runs)
            color = theme.text if factor.state == "done" else theme.quiet
            if factor.is_lit:
                painter.setPen(Qt.PenStyle.NoPen)
                ground, color = lit_colors(theme, factor.axis, theme.scene_top)
                painter.setBrush(current_theme.qcolor(ground))
                painter.drawRoundedRect(QRectF(x, 0.0, width, self.height()), 4.0, 4.0)
            painter.setPen(current_theme.qcolor(color))
            self._write(painter, runs, x + self.face.pad)
            x += width + GAP

    def _write(self, painter: QPainter, runs: list[tuple[str, QFont, float]], x: float) -> float:
        baseline = self.height() / 2 + 0.36 * self.face.size
        for text, font, width in runs:
            painter.setFont(font)
            drop = self.face.scale * SUB_DROP if font.pixelSize() == self.face.sub_size else 0.0
            painter.drawText(round(x), round(baseline + drop), text)
            x += width
        return x


def _runs(factor: Factor, face: Face) -> list[tuple[str, QFont, float]]:
    """Return the texts of a factor with fonts and widths. Subscripts are smaller and lower."""
    weight = 600 if factor.is_lit else 500
    large, small = fonts.text(face.size, weight), fonts.text(face.sub_size, weight)
    runs = ((factor.matrix, large), (AXIS_LETTERS[factor.axis], small), (f"({factor.greek})", large))
    return [(text, font, fonts.width(font, text) + (1.0 if font is small else 0.0)) for text, font in runs]
