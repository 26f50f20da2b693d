"""Handout of a lesson: a PDF to print with room for answers. The right answers are on separate pages at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen

from framescope.app.exporters.errors import ExportError
from framescope.core.system.atomic_write import atomically
from framescope.features.lessons.app.export.answers import RightAnswer, right_answer
from framescope.features.lessons.app.export.lesson_request import LessonRequest
from framescope.features.lessons.app.export.page_flow import Page, Piece, break_pages
from framescope.features.lessons.app.export.paper import COLUMN, DPI, FOOT, MM, TOP, UNIT, Paper, paper_font
from framescope.features.lessons.app.export.plain_text import plain_text
from framescope.features.lessons.app.export.printed_plots import PrintedPlots
from framescope.features.lessons.app.export.printed_text import markdown_pieces, text_piece
from framescope.features.lessons.app.export.questions import answer_pieces, question_pieces
from framescope.features.lessons.app.export.sketch_charts import number_of_time
from framescope.features.lessons.app.export.stills import GUTTER, Still, Stills
from framescope.features.lessons.core.schema import PointQuestion, Turn
from framescope.ui.qt_support.qt_host import on_qt
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import LIGHT

ANSWERS = "Answers"

SHRUNK = (1.0, 0.95, 0.9, 0.85, 0.8)
"""Widths of pictures to try, as fractions of the column: a step may fit on a page with slightly smaller pictures."""

_BOLD = QFont.Weight.DemiBold


def write(request: LessonRequest) -> None:
    """Write the handout of a lesson atomically."""
    stills, pictures = Stills(), list[list[Still]]()
    answers: dict[int, RightAnswer] = {}
    for done, step in enumerate(request.steps, 1):
        request.stop_if_cancelled()
        pictures.append(stills.of(step))
        if step.staging.question is not None:
            answers[step.number] = right_answer(step.staging.question, step.plan)
        request.progress(done, len(request.steps))
    try:
        with atomically(request.path) as partial:
            on_qt(lambda: _write_pages(request, pictures, answers, partial))
    except OSError as error:
        raise request.failure(error) from None


def _write_pages(
    request: LessonRequest, pictures: Sequence[list[Still]], answers: dict[int, RightAnswer], path: Path
) -> None:
    with current_theme.painted_in(LIGHT), PrintedPlots() as printed:
        plots = [printed.pieces(step) for step in request.steps]
        pages = _pages(request, pictures, plots, answers)
        device = QPdfWriter(str(path))
        sheet = QPageSize(request.paper.size)
        device.setPageLayout(QPageLayout(sheet, QPageLayout.Orientation.Portrait, QMarginsF()))
        device.setResolution(DPI)
        device.setTitle(request.title)
        device.setCreator("Framescope")
        painter = QPainter()
        if not painter.begin(device):
            raise ExportError(f"{request.path} cannot be written.")
        painter.scale(UNIT * DPI / 72.0, UNIT * DPI / 72.0)
        for i, page in enumerate(pages):
            if i > 0:
                device.newPage()
            _paint_page(painter, page, request.paper)
            _paint_footer(painter, request.paper, request.title, f"{i + 1} / {len(pages)}")
        painter.end()
        del device


def _pages(
    request: LessonRequest,
    pictures: Sequence[list[Still]],
    plots: Sequence[list[Piece]],
    answers: dict[int, RightAnswer],
) -> list[Page]:
    """Return the pages with the largest pictures that do not need more pages than smaller ones."""
    room = request.paper.room
    candidates = [break_pages(handout_pieces(request, _shrink(pictures, by), plots, answers), room) for by in SHRUNK]
    return min(candidates, key=len)


def _shrink(pictures: Sequence[list[Still]], by: float) -> list[list[Still]]:
    return [[replace(still, width=by * still.width) for still in stills] for stills in pictures]


def handout_pieces(
    request: LessonRequest,
    step_stills: Sequence[list[Still]],
    step_plots: Sequence[list[Piece]],
    answers: dict[int, RightAnswer],
) -> Iterator[Piece]:
    """Yield the pieces of all pages, from top to bottom."""
    lesson = request.lesson
    yield replace(text_piece(request.title, COLUMN, paper_font(24, _BOLD)), keeps_next=True)
    yield from _space_before(markdown_pieces(lesson.text, COLUMN) if lesson.text else [], 3.0 * MM)
    numbers = {step: number for number, step in enumerate(answers, 1)}
    for step, stills, plots in zip(request.steps, step_stills, step_plots, strict=True):
        lesson_step, question = step.staging.step, step.staging.question
        heading = text_piece(f"{step.number}  {plain_text(lesson_step.title)}", COLUMN, paper_font(16, _BOLD))
        yield replace(heading, space=7.5 * MM, keeps_next=True)
        text = _space_before(markdown_pieces(lesson_step.text, COLUMN) if lesson_step.text else [], 1.0 * MM)
        is_by_hand = isinstance(question, Turn | PointQuestion)
        pictures = [replace(_picture_row(stills), space=2.5 * MM, keeps_next=is_by_hand)] if stills else []
        pictures += plots
        keeps = bool(pictures) or question is not None
        yield from text[:-1]
        yield from (replace(piece, keeps_next=keeps) for piece in text[-1:])
        yield from pictures
        if question is not None:
            yield from question_pieces(numbers[step.number], question, answers[step.number].chart)
    if answers:
        heading = text_piece(ANSWERS, COLUMN, paper_font(24, _BOLD))
        yield replace(heading, keeps_next=True, begins_page=True)
    titles = {step.number: plain_text(step.staging.step.title) for step in request.steps}
    for step, answer in answers.items():
        yield from answer_pieces(numbers[step], titles[step], answer)


def _space_before(pieces: Sequence[Piece], space: float) -> list[Piece]:
    """Add space above the first piece."""
    return [replace(piece, space=space if i == 0 else piece.space) for i, piece in enumerate(pieces)]


def _picture_row(stills: Sequence[Still]) -> Piece:
    """Return a piece with pictures side by side, each with its time below."""
    font = paper_font(10)
    metrics = QFontMetricsF(font)
    images = [_image(still) for still in stills]
    height = max(still.height for still in stills)

    def paint(painter: QPainter) -> None:
        x = 0.0
        for still, image in zip(stills, images, strict=True):
            area = QRectF(x, 0.0, still.width, still.height)
            painter.drawImage(area, image)
            painter.setPen(QPen(current_theme.qcolor("separator"), 0.7))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area)
            painter.setFont(font)
            painter.setPen(current_theme.qcolor("quiet"))
            painter.drawText(QPointF(x, still.height + metrics.ascent() + 1.0 * MM), number_of_time(still.t))
            x += still.width + GUTTER

    return Piece(height + metrics.height() + 1.0 * MM, paint)


def _image(still: Still) -> QImage:
    data = np.ascontiguousarray(still.pixels)
    height, width, n = data.shape
    return QImage(data.data, width, height, n * width, QImage.Format.Format_RGB888).copy()


def _paint_page(painter: QPainter, page: Page, paper: Paper) -> None:
    for y, piece in page:
        painter.save()
        painter.translate(paper.left, TOP + y)
        piece.paint(painter)
        painter.restore()


def _paint_footer(painter: QPainter, paper: Paper, title: str, number: str) -> None:
    font = paper_font(10)
    metrics = QFontMetricsF(font)
    base = paper.height - FOOT
    painter.setPen(QPen(current_theme.qcolor("separator"), 0.7))
    rule = base - metrics.ascent() - 2.0 * MM
    painter.drawLine(QPointF(paper.left, rule), QPointF(paper.left + COLUMN, rule))
    painter.setFont(font)
    painter.setPen(current_theme.qcolor("quiet"))
    room = COLUMN - metrics.horizontalAdvance(number) - 5.0 * MM
    painter.drawText(QPointF(paper.left, base), metrics.elidedText(title, Qt.TextElideMode.ElideRight, room))
    painter.drawText(QPointF(paper.left + COLUMN - metrics.horizontalAdvance(number), base), number)
