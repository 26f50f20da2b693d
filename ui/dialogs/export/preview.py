"""Small preview of an export: a picture, the text of a file, or a sentence in its place."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import METRICS, mix

_CHECK, _FINE = 8, 2.0

MOST_CHARACTERS = 100_000
"""Number of characters of a file that are shown."""


class FileText(QPlainTextEdit):
    """Beginning of the text of a file, to read and to copy."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, readOnly=True, tabChangesFocus=True)
        self.setProperty("role", "file")
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName("text of the file")
        self.setFont(fonts.number(METRICS.caption))  # without ligatures, which the stylesheet cannot switch off
        self.whole = ""
        """Text of the whole file."""

    def set_text(self, text: str) -> None:
        """Show another text, from its beginning. The same text stays where it is."""
        if text != self.whole:
            self.whole = text
            is_long = len(text) > MOST_CHARACTERS
            self.setPlainText(text[:MOST_CHARACTERS].rpartition("\n")[0] + "\n…" if is_long else text)


class Preview(QWidget):
    """Shows a picture in the shape of the export, on a checkerboard if it is transparent."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.image: QImage | None = None
        """Current picture."""
        self.text = ""
        """Text in place of a picture."""
        self._size = QSize(16, 9)
        self.setAccessibleName("preview")

    def set_shape(self, width: int, height: int) -> None:
        """Set the shape of the coming picture."""
        self._size = QSize(max(width, 1), max(height, 1))
        self.update()

    def wait(self) -> None:
        """Show that a picture is being drawn, unless an older one is visible."""
        if self.image is None:
            self.text = "Drawing…"
        self.update()

    def stop_waiting(self) -> None:
        """Stop showing that a picture is being drawn. An older picture stays."""
        if self.image is None:
            self.show_text("")

    def show_image(self, image: QImage) -> None:
        """Show a picture."""
        self.image, self.text = image, ""
        self.update()

    def show_text(self, text: str) -> None:
        """Show a sentence instead of a picture."""
        self.image, self.text = None, text
        self.setAccessibleDescription(text)
        self.update()

    def room(self) -> QSize:
        """Return the size for a picture of the current shape, pixels. It exceeds the preview, for smooth edges."""
        return self._area().size() * max(_FINE, self.devicePixelRatioF())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        theme = current_theme.current()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.window))
        if self.image is None:
            painter.setPen(QColor(theme.quiet))
            words = self.rect().adjusted(METRICS.padding, 0, -METRICS.padding, 0)
            painter.drawText(words, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self.text)
            return
        area = self._area()
        if self.image.hasAlphaChannel():
            self._paint_checks(painter, area)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(QRectF(area), self.image)
        painter.setPen(QColor(theme.separator))
        painter.drawRect(area.adjusted(0, 0, -1, -1))

    def _area(self) -> QRect:
        inside = self.rect().adjusted(METRICS.gap, METRICS.gap, -METRICS.gap, -METRICS.gap)
        size = self._size.scaled(inside.size(), Qt.AspectRatioMode.KeepAspectRatio)
        area = QRect(inside.topLeft(), size)
        area.moveCenter(inside.center())
        return area

    def _paint_checks(self, painter: QPainter, area: QRect) -> None:
        theme = current_theme.current()
        painter.save()
        painter.setClipRect(area)
        painter.fillRect(area, QColor(theme.raised))
        other = QColor(mix(theme.raised, theme.border, 0.5))
        for row, y in enumerate(range(area.top(), area.bottom() + 1, _CHECK)):
            for x in range(area.left() + (row % 2) * _CHECK, area.right() + 1, 2 * _CHECK):
                painter.fillRect(x, y, _CHECK, _CHECK, other)
        painter.restore()
