"""Text of the handout: Markdown and plain text in pieces that can be on different pages, formulas as vectors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import cast

from PySide6.QtCore import QRectF, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QImage,
    QPainter,
    QPalette,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextImageFormat,
    QTextLine,
)

from framescope.features.lessons.app.export.page_flow import Piece
from framescope.features.lessons.app.export.paper import without_alternates
from framescope.features.lessons.app.export.vector_formulas import paint_formula
from framescope.ui.theme import current_theme, fonts, formulas, markdown_pages
from framescope.ui.theme.formulas import Formula, SetFormula

LINE = 135.0
"""Height of a line of text, percent, as in the Markdown pages of the window."""

FORMULA = 1.2
"""Size of formulas relative to text."""

SLACK = 3.5
"""Height by which a formula may exceed the ascent or descent of letters without a taller line, units."""

PREFIX = "formula:"
"""Prefix of the names of the images that are placeholders for formulas."""


class _Text(QTextDocument):
    """Document that loads no files: a lesson from an untrusted source could name any file."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: ARG002
        return QImage()


_IS_SET = re.compile(r"[*_`$\[\\&<!]")
"""Characters that make text Markdown instead of plain text."""


def markdown_pieces(markdown: str, width: float) -> list[Piece]:
    """Return the paragraphs of Markdown, laid out in a width, in the current theme."""
    document = _Text()
    document.setUseDesignMetrics(True)
    markdown_pages.fill(document, markdown)
    document.setDefaultFont(without_alternates(document.defaultFont()))
    all_formulas = formulas.extract_formulas(markdown)[1]
    for i in range(len(all_formulas)):
        # Formulas are painted as vectors below; their placeholders are transparent.
        clear = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
        clear.fill(Qt.GlobalColor.transparent)
        document.addResource(QTextDocument.ResourceType.ImageResource, f"{PREFIX}{i}", clear)
    _plain_links(document)
    _even_lines(document, all_formulas)
    document.setTextWidth(width)
    layout = list(_place_formulas(document, all_formulas))
    placed = [(place, svg) for _, place, svg in layout]
    middles = [place.center().y() for formula, place, _ in layout if formula.is_display]
    strips = list(_strips(document))
    has_display = [any(top <= y < bottom for y in middles) for top, bottom in strips]
    # A displayed formula is part of a sentence: it stays with the paragraphs before and after it.
    keeps = [here or after for here, after in zip(has_display, [*has_display[1:], False], strict=True)]
    return [
        replace(_strip(document, placed, *strip), keeps_next=keeps_next and i < len(strips) - 1)
        for i, (strip, keeps_next) in enumerate(zip(strips, keeps, strict=True))
    ]


def _plain_links(document: QTextDocument) -> None:
    """Replace links by their text in italics, as paper has no links."""
    for begin, end, look in markdown_pages.fragments(document):
        if look.isAnchor():
            for link_property in (QTextFormat.Property.IsAnchor, QTextFormat.Property.AnchorHref):
                look.clearProperty(link_property)
            look.setFontUnderline(False)
            look.setFontItalic(True)
            look.setForeground(current_theme.qcolor("text"))
            markdown_pages.span(document, begin, end).setCharFormat(look)


def _even_lines(document: QTextDocument, all_formulas: tuple[Formula, ...]) -> None:
    """Give lines with small formulas the same height as lines without: their placeholders get a height of 1."""
    for block in _blocks(document):
        images = [(at, shape, i) for at, shape in _images(block) if (i := _formula_index(shape)) is not None]
        metrics = QFontMetricsF(fonts.text(QFontInfo(_font(block)).pixelSize()))
        for at, shape, i in images:
            typeset = _typeset(all_formulas[i], block)
            if all_formulas[i].is_display:
                continue
            if typeset.ascent <= metrics.ascent() + SLACK and typeset.descent <= metrics.descent() + SLACK:
                shape.setHeight(1.0)
                cursor = QTextCursor(block)
                cursor.setPosition(block.position() + at)
                cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
                cursor.setCharFormat(shape)
        if block.blockFormat().lineHeight() == LINE:
            is_display = bool(images) and all_formulas[images[0][2]].is_display
            _set_line_height(block, 0.0 if is_display else metrics.height() * LINE / 100.0)


def _set_line_height(block: QTextBlock, least: float) -> None:
    shape = QTextBlockFormat()
    shape.setLineHeight(least, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
    QTextCursor(block).mergeBlockFormat(shape)


def text_piece(text: str, width: float, font: QFont, color: str = "text", *, indent: float = 0.0) -> Piece:
    """Return plain text in a font and a colour of the theme, laid out in a width less an indent."""
    document = QTextDocument()
    document.setUseDesignMetrics(True)
    document.setDocumentMargin(0)
    document.setDefaultFont(without_alternates(font))
    document.setPlainText(text)
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    look = QTextCharFormat()
    look.setForeground(current_theme.qcolor(color))
    cursor.mergeCharFormat(look)
    for block in _blocks(document):
        _set_line_height(block, QFontMetricsF(font).height() * LINE / 100.0)
    document.setTextWidth(width - indent)
    piece = _strip(document, [], 0.0, document.size().height())
    return piece if not indent else replace(piece, paint=partial(_paint_at_indent, piece, indent))


def words_piece(text: str, width: float, font: QFont, *, indent: float = 0.0) -> Piece:
    """Return a text of a question as one piece: plain text, or Markdown if it has formulas or emphasis."""
    if not _IS_SET.search(text):
        return text_piece(text, width, font, indent=indent)
    pieces = markdown_pieces(text, width - indent)
    tops = [sum(piece.height + piece.space for piece in pieces[:i]) for i in range(len(pieces))]

    def paint(painter: QPainter) -> None:
        for top, piece in zip(tops, pieces, strict=True):
            painter.save()
            painter.translate(indent, top)
            piece.paint(painter)
            painter.restore()

    return Piece(sum(piece.height + piece.space for piece in pieces), paint)


def _paint_at_indent(piece: Piece, indent: float, painter: QPainter) -> None:
    painter.save()
    painter.translate(indent, 0.0)
    piece.paint(painter)
    painter.restore()


def _strips(document: QTextDocument) -> Iterator[tuple[float, float]]:
    """Yield the top and bottom of each paragraph, list entry or table, units."""
    layout, top = document.documentLayout(), 0.0
    block = document.begin()
    while block.isValid():
        table = QTextCursor(block).currentTable()
        if table:  # None outside of tables, although the type annotations exclude it
            bottom = layout.frameBoundingRect(table).bottom()
            block = table.lastCursorPosition().block().next()
        else:
            bottom = layout.blockBoundingRect(block).bottom() + block.blockFormat().bottomMargin()
            block = block.next()
        if bottom > top:
            yield top, bottom
            top = bottom


def _strip(document: QTextDocument, placed: list[tuple[QRectF, str]], top: float, bottom: float) -> Piece:
    def paint(painter: QPainter) -> None:
        painter.save()
        painter.translate(0.0, -top)
        area = QRectF(-20.0, top, document.textWidth() + 40.0, bottom - top)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.clip = area
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Text, current_theme.qcolor("text"))
        context.palette = palette
        painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
        document.documentLayout().draw(painter, context)
        for place, svg in placed:
            if top <= place.center().y() < bottom:
                paint_formula(painter, place, svg)
        painter.restore()

    return Piece(bottom - top, paint)


def _place_formulas(
    document: QTextDocument, all_formulas: tuple[Formula, ...]
) -> Iterator[tuple[Formula, QRectF, str]]:
    """Yield the formulas of a document with their rectangles and SVGs."""
    for block in _blocks(document):
        for at, shape in _images(block):
            if (i := _formula_index(shape)) is not None:
                typeset = _typeset(all_formulas[i], block)
                corner = document.documentLayout().blockBoundingRect(block).topLeft()
                line = block.layout().lineForTextPosition(at)
                left, base = corner.x() + _x(line, at) + 1.0, corner.y() + line.y() + line.ascent()
                yield (
                    all_formulas[i],
                    QRectF(left, base - typeset.ascent, typeset.width, typeset.ascent + typeset.descent),
                    typeset.svg,
                )


def _x(line: QTextLine, at: int) -> float:
    x, _ = cast("tuple[float, int]", line.cursorToX(at))
    return x


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _images(block: QTextBlock) -> list[tuple[int, QTextImageFormat]]:
    """Return the images of a block and their positions in it."""
    images: list[tuple[int, QTextImageFormat]] = []
    it = block.begin()
    while not it.atEnd():
        part = it.fragment()
        if part.charFormat().isImageFormat():
            first = part.position() - block.position()
            images += [(first + i, part.charFormat().toImageFormat()) for i in range(part.length())]
        it += 1
    return images


def _formula_index(shape: QTextImageFormat) -> int | None:
    """Return the index of the formula of a placeholder image; None for other images."""
    name = shape.name()
    return int(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else None


def _typeset(formula: Formula, block: QTextBlock) -> SetFormula:
    """Typeset a formula in the font size of a block."""
    size = QFontInfo(_font(block)).pixelSize() * FORMULA
    return formulas.set_formula(formula, size, current_theme.current().text)


def _font(block: QTextBlock) -> QFont:
    """Return the font of the text of a block."""
    it = block.begin()
    while not it.atEnd():
        look = it.fragment().charFormat()
        if not look.isImageFormat():
            return look.font()
        it += 1
    return fonts.text()
