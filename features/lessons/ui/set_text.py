"""Label with Markdown and formulas, as high as its text, in the fonts and colours of the manual."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen, QResizeEvent, QTextFormat
from PySide6.QtWidgets import QFrame, QSizePolicy

from framescope.ui.theme import current_theme, markdown_pages
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.text_page import TextPage


class SetText(TextPage):
    """Read-only text of a lesson.

    Parameters
    ----------
    name
        Accessible name, for screen readers.
    weight
        Weight of the font.
    is_label
        Whether the text is the label of a control and ignores keyboard and mouse.
    """

    def __init__(self, name: str, *, weight: QFont.Weight = QFont.Weight.Normal, is_label: bool = False) -> None:
        super().__init__(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setProperty("role", "step")
        if is_label:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._weight = weight
        self._markdown, self._size = "", METRICS.base
        current_theme.signals.theme_changed.connect(self.dress)

    def text(self) -> str:
        """Return the current Markdown."""
        return self._markdown

    def spoken_text(self) -> str:
        """Return the text for screen readers: without markup, with formulas as TeX."""
        document = self.document()
        parts: list[str] = []
        for begin, end, look in markdown_pages.fragments(document):
            is_formula = look.isImageFormat()
            alternative = str(look.property(QTextFormat.Property.ImageAltText) or "")
            parts.append(alternative if is_formula else markdown_pages.span(document, begin, end).selectedText())
        return " ".join("".join(parts).split())

    def show_text(self, markdown: str) -> None:
        """Show Markdown."""
        self._markdown = markdown
        self.dress()

    def dress(self) -> None:
        """Apply the colours of the theme."""
        markdown_pages.fill(self.document(), self._markdown, self._size, self._weight)
        self._fit()

    def set_size(self, size: int) -> None:
        """Set the size of the font, px."""
        if size != self._size:
            self._size = size
            self.dress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():  # the text has no border, which the stylesheet could colour
            painter = QPainter(self.viewport())
            painter.setPen(QPen(current_theme.qcolor("accent"), METRICS.focus))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))

    def _fit(self) -> None:
        document = self.document()
        document.setTextWidth(self.viewport().width())
        margins = self.contentsMargins()
        self.setFixedHeight(math.ceil(document.size().height()) + margins.top() + margins.bottom() + 2)
