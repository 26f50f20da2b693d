"""Questions and answers of the handout: boxes to tick, a line to write on, axes to draw in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from framescope.features.lessons.app.export.answers import RightAnswer
from framescope.features.lessons.app.export.page_flow import Piece
from framescope.features.lessons.app.export.paper import COLUMN, MM, paper_font
from framescope.features.lessons.app.export.printed_text import text_piece, words_piece
from framescope.features.lessons.app.export.sketch_charts import SketchChart, paint_chart
from framescope.features.lessons.core.schema import AnyQuestion, Choose, NumberQuestion, Sketch
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.theme import current_theme

INDENT = 5.0 * MM
"""Indent of a question beside its bar, and of an option beside its box, units."""

BOX = 3.2 * MM
"""Size of the box to tick, units."""

LINE = 40.0 * MM
"""Length of the line on which a number is written, units."""

CHART, ANSWER_CHART = (130.0 * MM, 55.0 * MM), (90.0 * MM, 38.0 * MM)
"""Width and height of axes to draw in, and of a curve among the answers, units."""

BAR = 0.8 * MM
"""Width of the bar beside a question, units."""

BY_HAND = "Draw it into the picture."

_BOLD = QFont.Weight.DemiBold


def question_pieces(number: int, question: AnyQuestion, chart: SketchChart | None) -> list[Piece]:
    """Return the pieces of a numbered question with room for its answer; `chart` has the axes of a sketch question."""
    width = COLUMN - INDENT
    pieces = [
        text_piece(f"Question {number}", width, paper_font(11, _BOLD), "accent_text"),
        words_piece(question.ask, width, paper_font(13, _BOLD)),
        *_answer_room(question, chart),
    ]
    linked = [replace(_add_bar(piece), keeps_next=i < len(pieces) - 1) for i, piece in enumerate(pieces)]
    return [replace(linked[0], space=5.0 * MM), *linked[1:]]


def answer_pieces(number: int, title: str, answer: RightAnswer) -> list[Piece]:
    """Return the pieces of the answer to a numbered question; `title` is the title of its step."""
    pieces = [text_piece(f"Question {number} · {title}", COLUMN, paper_font(11), "quiet")]
    if answer.text:
        pieces.append(words_piece(answer.text, COLUMN, paper_font(13, _BOLD)))
    if answer.chart is not None:
        pieces.append(replace(_chart(answer.chart, ANSWER_CHART, has_curve=True), space=1.0 * MM))
    if answer.reply:
        pieces.append(words_piece(answer.reply, COLUMN, paper_font(13)))
    linked = [replace(piece, keeps_next=i < len(pieces) - 1) for i, piece in enumerate(pieces)]
    return [replace(linked[0], space=4.5 * MM), *linked[1:]]


def _answer_room(question: AnyQuestion, chart: SketchChart | None) -> Iterator[Piece]:
    match question:
        case Choose():
            yield from (_option(option.text) for option in question.options)
        case NumberQuestion():
            yield _number_line(unit_text(question.unit))
        case Sketch() if chart is not None:
            yield replace(_chart(chart, CHART, has_curve=False), space=1.0 * MM)
        case _:
            yield text_piece(BY_HAND, COLUMN - INDENT, paper_font(13))


def _option(text: str) -> Piece:
    words = words_piece(text, COLUMN - INDENT, paper_font(13), indent=INDENT + 1.0 * MM)
    line = QFontMetricsF(paper_font(13)).height() * 1.35

    def paint(painter: QPainter) -> None:
        painter.setPen(QPen(current_theme.qcolor("quiet"), 0.9))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        # Text is aligned to the bottom of its line.
        painter.drawRect(QRectF(0.0, line * 0.56 - BOX / 2.0, BOX, BOX))
        words.paint(painter)

    return Piece(words.height, paint, 0.8 * MM)


def _number_line(unit: str) -> Piece:
    font = paper_font(13)

    def paint(painter: QPainter) -> None:
        painter.setPen(QPen(current_theme.qcolor("quiet"), 0.9))
        painter.drawLine(QPointF(0.0, 9.0 * MM), QPointF(LINE, 9.0 * MM))
        painter.setFont(font)
        painter.setPen(current_theme.qcolor("text"))
        painter.drawText(QPointF(LINE + 2.0 * MM, 9.0 * MM), unit)

    return Piece(10.5 * MM, paint)


def _chart(chart: SketchChart, size: tuple[float, float], *, has_curve: bool) -> Piece:
    width, height = size

    def paint(painter: QPainter) -> None:
        paint_chart(painter, QRectF(0.0, 0.0, width, height), chart, has_curve=has_curve)

    return Piece(height, paint)


def _add_bar(piece: Piece) -> Piece:
    """Indent a piece and paint a bar beside it, which also covers the space above."""

    def paint(painter: QPainter) -> None:
        painter.fillRect(QRectF(0.0, -piece.space, BAR, piece.height + piece.space), current_theme.qcolor("accent"))
        painter.save()
        painter.translate(INDENT, 0.0)
        piece.paint(painter)
        painter.restore()

    return replace(piece, paint=paint)
