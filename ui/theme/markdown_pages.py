"""Pages of Markdown as documents of Qt's: of the manual and of lessons, in the fonts and colours of the theme."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)

from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import METRICS

_HEADING_SIZES = {1: 22, 2: 16, 3: METRICS.base}
_LINE = 135.0
"""Height of a line of text, percent."""


def fill(document: QTextDocument, markdown: str) -> None:
    """Fill a document with Markdown, and dress it in the present theme."""
    document.setDefaultFont(fonts.text())
    document.setDocumentMargin(0)
    # The empty line that ends an example for the tests is none for readers.
    markdown = markdown.replace("\n\n```\n", "\n```\n")
    document.setMarkdown(markdown, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
    # As one edit: the page is laid out once, and not after each block.
    whole = QTextCursor(document)
    whole.beginEditBlock()
    block = document.begin()
    while block.isValid():
        _dress_block(block)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _dress_table(frame)
    whole.endEditBlock()
    document.setModified(False)


def _dress_block(block: QTextBlock) -> None:
    shape = QTextBlockFormat()
    cursor = QTextCursor(block)
    level = block.blockFormat().headingLevel()
    if level:
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        cursor.setCharFormat(_heading_look(level))
        shape.setTopMargin(4 if level == 1 else 20)
        shape.setBottomMargin(6)
    elif _is_code(block):
        look = _code_look()
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        cursor.mergeCharFormat(look)
        shape.setBackground(QBrush(current_theme.qcolor("field")))
        shape.setLeftMargin(METRICS.gap)
        shape.setNonBreakableLines(False)
        shape.setTopMargin(0 if _is_code(block.previous()) else METRICS.gap)
        shape.setBottomMargin(0 if _is_code(block.next()) else 12)
    else:
        _dress_inline_code(block)
        is_in_table = bool(QTextCursor(block).currentTable())
        if not is_in_table:
            shape.setLineHeight(_LINE, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        shape.setBottomMargin(0 if is_in_table else 3 if block.textList() else METRICS.gap)
        shape.setTopMargin(0)
    QTextCursor(block).mergeBlockFormat(shape)


def _heading_look(level: int) -> QTextCharFormat:
    # In place of the format that Markdown gives: its size, relative to that of the text, would win.
    look = QTextCharFormat()
    look.setFont(fonts.text(_HEADING_SIZES.get(level, METRICS.base), QFont.Weight.DemiBold))
    return look


def _is_code(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)


def _code_look() -> QTextCharFormat:
    look = QTextCharFormat()
    look.setFont(fonts.number())
    look.setFontFixedPitch(True)
    return look


def _dress_inline_code(block: QTextBlock) -> None:
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
        look = _code_look()
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
