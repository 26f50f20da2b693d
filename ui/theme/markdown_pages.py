"""Pages of Markdown as documents of Qt's: of the manual and of lessons, in the fonts and colours of the theme."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QRegularExpression, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QBrush,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPainter,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextImageFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtSvg import QSvgRenderer

from framescope.ui.theme import current_theme, fonts, formulas
from framescope.ui.theme.formulas import Formula, FormulaError
from framescope.ui.theme.tokens import METRICS

_HEADING_SIZES = {1: 22, 2: 16, 3: METRICS.base}
_MARKS = QRegularExpression(formulas.MARKS.pattern)
_FORMULA = 1.2
"""How large formulas are beside text: their letters are narrower."""
_LINE = 135.0
"""Height of a line of text, percent."""


def fill(
    document: QTextDocument, markdown: str, size: int = METRICS.base, weight: QFont.Weight = QFont.Weight.Normal
) -> None:
    """Fill a document with Markdown, and dress it in the present theme; size, px, and weight are those of the text."""
    document.setDefaultFont(fonts.text(size, weight))
    document.setDocumentMargin(0)
    # The empty line that ends an example for the tests is none for readers.
    markdown, found = formulas.taken_out(markdown.replace("\n\n```\n", "\n```\n"))
    document.setMarkdown(markdown, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
    # As one edit: the page is laid out once, and not after each block.
    whole = QTextCursor(document)
    whole.beginEditBlock()
    block = document.begin()
    while block.isValid():
        _dress_block(block, size / METRICS.base)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _dress_table(frame)
    if found:
        _set_formulas(document, found)
    whole.endEditBlock()
    document.setModified(False)


def _set_formulas(document: QTextDocument, found: Sequence[Formula]) -> None:
    """Put formulas as pictures where their marks stand; one that is none stays as it was written."""
    cursor = document.find(_MARKS)
    while not cursor.isNull():
        i = int(cursor.selectedText()[1:-1])
        look = cursor.charFormat()
        try:
            image = _picture(found[i], look.font())
        except FormulaError:
            cursor.insertText(found[i].tex)
        else:
            url = QUrl(f"formula:{i}")
            document.addResource(QTextDocument.ResourceType.ImageResource, url, image)
            shape = QTextImageFormat()
            shape.setName(url.toString())
            shape.setProperty(QTextFormat.Property.ImageAltText, found[i].tex)
            shape.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
            size = image.deviceIndependentSize()
            shape.setWidth(size.width())
            shape.setHeight(size.height())
            cursor.insertImage(shape)
            if found[i].is_display:
                block = QTextBlockFormat()
                block.setAlignment(Qt.AlignmentFlag.AlignHCenter)
                cursor.mergeBlockFormat(block)
        cursor = document.find(_MARKS, cursor)


def _picture(formula: Formula, font: QFont) -> QImage:
    """Return a formula as a picture whose base line is where Qt puts it.

    What is aligned at its middle has a quarter of the height of an x more above the base line than half its own.
    """
    made = formulas.set_formula(formula, QFontInfo(font).pixelSize() * _FORMULA, current_theme.current().text)
    raised = QFontMetricsF(font).xHeight() / 4.0
    half = math.ceil(max(made.ascent - raised, made.descent + raised)) + 1
    ratio = max((screen.devicePixelRatio() for screen in QGuiApplication.screens()), default=1.0)
    size = QSizeF(math.ceil(made.width) + 2, 2 * half) * ratio
    image = QImage(size.toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    area = QRectF(1.0, half + raised - made.ascent, made.width, made.ascent + made.descent)
    QSvgRenderer(made.svg.encode()).render(painter, area)
    painter.end()
    return image


def _dress_block(block: QTextBlock, scale: float) -> None:
    shape = QTextBlockFormat()
    cursor = QTextCursor(block)
    level = block.blockFormat().headingLevel()
    if level:
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        cursor.setCharFormat(_heading_look(level, scale))
        shape.setTopMargin(4 if level == 1 else 20)
        shape.setBottomMargin(6)
    elif _is_code(block):
        look = _code_look(scale)
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        cursor.mergeCharFormat(look)
        shape.setBackground(QBrush(current_theme.qcolor("field")))
        shape.setLeftMargin(METRICS.gap)
        shape.setNonBreakableLines(False)
        shape.setTopMargin(0 if _is_code(block.previous()) else METRICS.gap)
        shape.setBottomMargin(0 if _is_code(block.next()) else 12)
    else:
        _dress_inline_code(block, scale)
        is_in_table = bool(QTextCursor(block).currentTable())
        if not is_in_table:
            shape.setLineHeight(_LINE, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        shape.setBottomMargin(0 if is_in_table else 3 if block.textList() else METRICS.gap)
        shape.setTopMargin(0)
    QTextCursor(block).mergeBlockFormat(shape)


def _heading_look(level: int, scale: float) -> QTextCharFormat:
    # In place of the format that Markdown gives: its size, relative to that of the text, would win.
    look = QTextCharFormat()
    look.setFont(fonts.text(round(scale * _HEADING_SIZES.get(level, METRICS.base)), QFont.Weight.DemiBold))
    return look


def _is_code(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)


def _code_look(scale: float) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setFont(fonts.number(round(scale * METRICS.number)))
    look.setFontFixedPitch(True)
    return look


def _dress_inline_code(block: QTextBlock, scale: float) -> None:
    parts: list[tuple[int, int]] = []
    it = block.begin()
    while not it.atEnd():
        part = it.fragment()
        if part.charFormat().fontFixedPitch():
            parts.append((part.position(), part.length()))
        it += 1
    for start, length in parts:
        cursor = QTextCursor(block)
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        look = _code_look(scale)
        look.setBackground(QBrush(current_theme.qcolor("field")))
        cursor.mergeCharFormat(look)


def _dress_table(table: QTextTable) -> None:
    form = table.format()
    form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    form.setBorder(1)
    form.setBorderBrush(QBrush(current_theme.qcolor("separator")))
    form.setBorderCollapse(True)
    form.setCellPadding(5)
    form.setCellSpacing(0)
    form.setTopMargin(4)
    form.setBottomMargin(12)
    form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    form.setAlignment(Qt.AlignmentFlag.AlignLeft)
    table.setFormat(form)
