"""Label that is shortened with an ellipsis if there is no room; the tool tip has the full text."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QStyleOption, QWidget

from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.widgets.text_growth import FONT_EVENTS, growth, usual_font

NARROWEST = 12
"""Minimum width of a label, the width of an ellipsis, logical pixels."""


class ElidedLabel(QLabel):
    """A label of one line that never requests more width than it has.

    Parameters
    ----------
    text : str
        The line.
    role : str
        A `role` of the stylesheet, such as `quiet` or `code`.
    elide : Qt.TextElideMode
        The part to be shortened.
    least : int
        Width below which it is not cut, logical pixels.
    """

    def __init__(
        self,
        text: str = "",
        role: str = "",
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
        *,
        least: int = NARROWEST,
    ) -> None:
        super().__init__(text, parent)
        self._least = least
        self._elide = elide
        self._hint = ""
        self._usual_width = self._usual_height = 0
        self._column: tuple[str, ...] = ()
        if role:
            self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def set_hint(self, hint: str) -> None:
        """Set a tool tip that takes the place of the full text; empty for the full text again."""
        self._hint = hint
        self.update()

    def set_usual_width(self, width: int, height: int = 0) -> None:
        """Set a fixed width, and if given a fixed height, for the usual size of the text, logical pixels.

        They grow with the size of its font.
        """
        self._usual_width, self._usual_height = width, height
        self._grow()

    def set_column(self, texts: Sequence[str]) -> None:
        """Set the texts of all labels in a column, so that each asks for the width of the longest one."""
        if self._column != tuple(texts):  # else the panel is laid out anew with every edit
            self._column = tuple(texts)
            self.updateGeometry()

    def _grow(self) -> None:
        if self._usual_width:
            scale = growth(self, usual_font(self))
            self.setFixedWidth(round(self._usual_width * scale))
            if self._usual_height:
                self.setFixedHeight(round(self._usual_height * scale))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in FONT_EVENTS and hasattr(self, "_column"):
            self._grow()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint() - QSize(0, self._height_of_further_lines)
        widest = max((self.fontMetrics().horizontalAdvance(text) for text in self._column), default=0)
        return QSize(max(hint.width(), widest), hint.height())

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        width = max(NARROWEST, min(hint.width(), self._least))
        return QSize(width, hint.height() - self._height_of_further_lines)

    @property
    def _height_of_further_lines(self) -> int:
        return self.text().count("\n") * self.fontMetrics().lineSpacing()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        area = self.contentsRect()
        elided = self.fontMetrics().elidedText(line := self.text().replace("\n", " "), self._elide, area.width())
        is_cut = elided != line
        hint = self._hint or (self.text() if is_cut else "")
        if self.toolTip() != hint:
            self.setToolTip(literal_text(hint))
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        flags = int(self.alignment())
        self.style().drawItemText(painter, area, flags, option.palette, self.isEnabled(), elided, self.foregroundRole())
