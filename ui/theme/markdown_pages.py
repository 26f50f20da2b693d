"""Pages of Markdown as Qt documents, for the manual and lessons, in the fonts and colours of the theme."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

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
_DIALECT = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_MARKS = QRegularExpression(formulas.MARKS.pattern)
_CODE = QTextFormat.Property.BlockCodeFence, QTextFormat.Property.BlockCodeLanguage
"""Properties of code blocks: fenced ones have the first, indented ones only the second."""
_FORMULA = 1.2
"""Size of formulas relative to text, as their letters are narrower."""
_LINE = 135.0
"""Height of a line of text, percent."""


def fill(
    document: QTextDocument,
    markdown: str,
    size: int = METRICS.base,
    weight: QFont.Weight = QFont.Weight.Normal,
    pictures: Callable[[str], QImage | None] = lambda _name: None,
) -> None:
    """Fill a document with Markdown in the current theme; `size`, px, and `weight` apply to plain text.

    `pictures` returns the picture of a name; by default no picture is shown.
    """
    document.setDefaultFont(fonts.text(size, weight))
    document.setDocumentMargin(0)
    # The empty line at the end of an example is for the tests, not for readers.
    markdown, formulas_of_page = formulas.extract_formulas(markdown.replace("\n\n```\n", "\n```\n"))
    # HTML stays plain text: Qt would load files for it, and treat the following text as a part of it.
    document.setMarkdown(markdown, _DIALECT)
    # As one edit, so that the page is laid out once instead of after each block.
    whole = QTextCursor(document)
    whole.beginEditBlock()
    _replace_images(document, formulas_of_page, pictures)
    _restore_in_links(document, formulas_of_page)
    block = document.begin()
    while block.isValid():
        _dress_block(block, size / METRICS.base)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _dress_table(frame)
    if formulas_of_page:
        _set_formulas(document, formulas_of_page)
    whole.endEditBlock()
    document.setModified(False)


def fragments(document: QTextDocument) -> list[tuple[int, int, QTextCharFormat]]:
    """Split a document into parts of one format each, and return the start, end and format of each part."""
    parts: list[tuple[int, int, QTextCharFormat]] = []
    block = document.begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            part = iterator.fragment()
            parts.append((part.position(), part.position() + part.length(), part.charFormat()))
            iterator += 1
        block = block.next()
    return parts


def span(document: QTextDocument, begin: int, end: int) -> QTextCursor:
    """Return a cursor that selects a part of a document."""
    cursor = QTextCursor(document)
    cursor.setPosition(begin)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor


def _replace_images(
    document: QTextDocument, page_formulas: Sequence[Formula], pictures: Callable[[str], QImage | None]
) -> None:
    """Replace images without a picture by their alternative texts, so that no file is read for a text."""
    for begin, end, look in reversed(fragments(document)):
        if look.isImageFormat():
            shown = look.toImageFormat()
            image = pictures(shown.name())
            if image is not None:
                document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(shown.name()), image)
                shown.setWidth(image.deviceIndependentSize().width())
                shown.setMaximumWidth(QTextLength(QTextLength.Type.PercentageLength, 100.0))
                span(document, begin, end).setCharFormat(shown)
                continue
            words = formulas.restore_formulas(
                str(look.property(QTextFormat.Property.ImageAltText) or ""), page_formulas
            )
            plain = QTextCharFormat()
            plain.setFont(look.font())
            span(document, begin, end).insertText(words * (end - begin), plain)


def _restore_in_links(document: QTextDocument, page_formulas: Sequence[Formula]) -> None:
    """Restore formulas in the addresses of links, and remove link titles, which Qt would display as HTML."""
    for begin, end, look in fragments(document):
        if look.isAnchor():
            look.setAnchorHref(formulas.restore_formulas(look.anchorHref(), page_formulas))
            look.setToolTip("")
            span(document, begin, end).setCharFormat(look)


def _set_formulas(document: QTextDocument, page_formulas: Sequence[Formula]) -> None:
    """Replace the marks by pictures of the formulas; an invalid formula, or one in code, is restored as written."""
    cursor = document.find(_MARKS)
    while not cursor.isNull():
        i = int(cursor.selectedText()[1:-1])
        look = cursor.charFormat()
        try:
            image = None if look.fontFixedPitch() else _picture(page_formulas[i], look.font())
        except FormulaError:
            image = None
        if image is None:
            cursor.insertText(page_formulas[i].source)
        else:
            _insert_picture(cursor, document, page_formulas[i], i, image)
        cursor = document.find(_MARKS, cursor)


def _insert_picture(cursor: QTextCursor, document: QTextDocument, formula: Formula, i: int, image: QImage) -> None:
    url = QUrl(f"formula:{i}")
    document.addResource(QTextDocument.ResourceType.ImageResource, url, image)
    shape = QTextImageFormat()
    shape.setName(url.toString())
    shape.setProperty(QTextFormat.Property.ImageAltText, formula.tex)
    shape.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
    size = image.deviceIndependentSize()
    shape.setWidth(size.width())
    shape.setHeight(size.height())
    cursor.insertImage(shape)
    if formula.is_display:
        block = QTextBlockFormat()
        block.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        cursor.mergeBlockFormat(block)


def _picture(formula: Formula, font: QFont) -> QImage:
    """Render a formula as a picture with its baseline where Qt puts it.

    Content aligned at its middle extends above the baseline by half its height plus a quarter of the x-height.
    """
    rendered_formula = formulas.set_formula(
        formula, QFontInfo(font).pixelSize() * _FORMULA, current_theme.current().text
    )
    raised = QFontMetricsF(font).xHeight() / 4.0
    half = math.ceil(max(rendered_formula.ascent - raised, rendered_formula.descent + raised)) + 1
    ratio = max((screen.devicePixelRatio() for screen in QGuiApplication.screens()), default=1.0)
    size = QSizeF(math.ceil(rendered_formula.width) + 2, 2 * half) * ratio
    image = QImage(size.toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    area = QRectF(
        1.0,
        half + raised - rendered_formula.ascent,
        rendered_formula.width,
        rendered_formula.ascent + rendered_formula.descent,
    )
    QSvgRenderer(rendered_formula.svg.encode()).render(painter, area)
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
        if not is_in_table and not _is_picture(block):
            shape.setLineHeight(_LINE, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        shape.setBottomMargin(0 if is_in_table else 3 if block.textList() else METRICS.gap)
        shape.setTopMargin(0)
    QTextCursor(block).mergeBlockFormat(shape)


def _is_picture(block: QTextBlock) -> bool:
    """Return whether a block is a picture alone, whose line is as high as the picture."""
    iterator = block.begin()
    return block.length() == 2 and not iterator.atEnd() and iterator.fragment().charFormat().isImageFormat()


def _heading_look(level: int, scale: float) -> QTextCharFormat:
    # Replaces the format given by Markdown, whose relative size would take precedence.
    look = QTextCharFormat()
    look.setFont(fonts.text(round(scale * _HEADING_SIZES.get(level, METRICS.base)), QFont.Weight.DemiBold))
    return look


def _is_code(block: QTextBlock) -> bool:
    shape = block.blockFormat()
    return block.isValid() and any(map(shape.hasProperty, _CODE))


def _code_look(scale: float) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setFont(fonts.number(round(scale * METRICS.number)))
    look.setFontFixedPitch(True)
    return look


def _dress_inline_code(block: QTextBlock, scale: float) -> None:
    parts: list[tuple[int, int]] = []
    iterator = block.begin()
    while not iterator.atEnd():
        part = iterator.fragment()
        if part.charFormat().fontFixedPitch():
            parts.append((part.position(), part.length()))
        iterator += 1
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
