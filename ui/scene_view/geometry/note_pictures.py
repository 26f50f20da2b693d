"""Pictures of notes: lines of words and formulas on a plate, rendered once.

Words are rendered like all text of the scene. Formulas are paths filled by Qt, without system fonts and without a
window.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.geometry.sprites import TextStyle, draw_text, rounded_plate, text_width
from framescope.ui.theme.formulas import MARKS, Formula, FormulaError, extract_formulas, set_formula
from framescope.ui.theme.tokens import Theme

SIZES = {"small": 13.0, "normal": 16.0, "large": 24.0}
"""Font sizes, logical pixels."""

WIDEST = 22.0
"""Maximum line width, in font sizes; a longer line is broken."""

PAD_X, PAD_Y, LEADING = 0.7, 0.45, 0.3
"""Padding beside and above the text, and gap between its lines, in font sizes."""

SPACE = 0.28
"""Gap between words, in font sizes."""

OPACITY, RADIUS = 0.88, 6.0
"""Opacity of the plate, and radius of its corners, logical pixels."""

FORMULA = 1.1
"""Size of formulas, relative to the surrounding text."""

BOLD = re.compile(r"\*\*(.+?)\*\*")
"""Bold text within a line."""

MOST_LINES = 100
"""Maximum number of lines of a note; further lines are left out."""

_KEPT = 64


@dataclass(frozen=True)
class _Piece:
    """A word or a formula of a line: its picture, and the distance of its baseline from the top, pixels."""

    image: Image.Image
    ascent: float
    width: float
    has_space: bool
    """Whether a space precedes it."""


def note_picture(text: str, size: str, theme: Theme, scale: float) -> Image.Image:
    """Render a note; text outside formulas is shown as typed."""
    return rich_picture(text, RichStyle(theme.text, SIZES[size], theme.raised), scale)


@dataclass(frozen=True)
class RichStyle:
    """Style of a text with formulas.

    Attributes
    ----------
    color, size, weight
        Colour, font size, logical pixels, and weight; bold words have the weight 600.
    ground, opacity, radius
        Colour of the plate and its opacity, and the radius of its corners, logical pixels.
    widest
        Maximum line width, in font sizes.
    is_centered
        Whether all lines are centred, and not formulas on lines of their own alone.
    """

    color: str
    size: float
    ground: str
    opacity: float = OPACITY
    radius: float = RADIUS
    weight: int = 500
    widest: float = WIDEST
    is_centered: bool = False
    has_pad: bool = True
    """Whether there is padding around the text."""


def rich_picture(text: str, style: RichStyle, scale: float) -> Image.Image:
    """Render a text with bold words and formulas on a plate; text outside formulas is shown as typed."""
    return marked_picture(*extract_formulas(text), style, scale)


@lru_cache(maxsize=_KEPT)
def marked_picture(bare: str, formulas: tuple[Formula, ...], style: RichStyle, scale: float) -> Image.Image:
    """Render a text with marks in place of its formulas, as `extract_formulas` returns it, as `rich_picture`."""
    letters = style.size * scale
    gap = SPACE * letters
    lines = [
        line for part in _lines(bare, formulas, style, scale) for line in _break_line(part, style.widest * letters, gap)
    ]
    widths = [sum(piece.width for piece in line) + gap * sum(piece.has_space for piece in line[1:]) for line in lines]
    least = 1.2 * letters
    heights = [
        (
            max([least * 0.8, *(piece.ascent for piece in line)]),
            max([least * 0.2, *(piece.image.height - piece.ascent for piece in line)]),
        )
        for line in lines
    ]
    padding = (PAD_X, PAD_Y) if style.has_pad else (0.0, 0.0)
    pad_x, pad_y, leading = (round(part * letters) for part in (*padding, LEADING))
    width = math.ceil(max(widths, default=0.0)) + 2 * pad_x
    height = math.ceil(sum(map(sum, heights))) + leading * (len(lines) - 1) + 2 * pad_y
    image = rounded_plate((max(width, 1), max(height, 1)), style.radius * scale, rgba(style.ground, style.opacity))
    y = float(pad_y)
    for line, line_width, (above, below) in zip(lines, widths, heights, strict=True):
        is_formula = len(line) == 1 and line[0].image.height > 1.6 * letters
        x = pad_x + ((width - 2 * pad_x - line_width) / 2 if is_formula or style.is_centered else 0.0)
        for k, piece in enumerate(line):
            x += gap if k and piece.has_space else 0.0
            layer = Image.new("RGBA", image.size, (0, 0, 0, 0))
            layer.paste(piece.image, (round(x), round(y + above - piece.ascent)))
            image = Image.alpha_composite(image, layer)
            x += piece.width
        y += above + below + leading
    return image


def _lines(bare: str, formulas: tuple[Formula, ...], look: RichStyle, scale: float) -> Iterator[list[_Piece]]:
    """Yield the lines of a text as typed, each split into pieces."""
    for line in bare.split("\n")[:MOST_LINES]:
        pieces: list[_Piece] = []
        before = ""
        for k, part in enumerate(BOLD.split(line)):
            style = TextStyle(look.color, look.size, 600 if k % 2 else look.weight)
            for mark, word in _words(part):
                has_space = before.endswith(" ")
                if mark:
                    pieces.append(_formula(formulas[int(word)], style, scale, has_space))
                elif word.strip():
                    pieces.append(_word(word, style, scale, has_space))
                before = word if word.strip() else " "
        yield pieces


def _words(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the words and spaces of a text, unmarked, and the numbers of its formulas, marked."""
    for k, part in enumerate(MARKS.split(text)):
        if k % 2:
            yield True, part
        else:
            yield from ((False, word) for word in re.split(r"(\s+)", part) if word)


def _word(word: str, style: TextStyle, scale: float, has_space: bool) -> _Piece:
    image = draw_text([(word, style)], scale)
    ascent = style.font(scale).getmetrics()[0]
    return _Piece(image, ascent, text_width(word, style, scale), has_space)


def _formula(formula: Formula, style: TextStyle, scale: float, has_space: bool) -> _Piece:
    try:
        picture = set_formula(formula, FORMULA * style.size * scale, style.color)
    except FormulaError:
        return _word(formula.source, style, scale, has_space)
    size = (math.ceil(picture.width) + 1, math.ceil(picture.ascent + picture.descent) + 1)
    return _Piece(
        _render_svg(picture.svg, size, (picture.width, picture.ascent + picture.descent)),
        picture.ascent,
        picture.width,
        has_space,
    )


def _render_svg(svg: str, size: tuple[int, int], bounds: tuple[float, float]) -> Image.Image:
    from PySide6.QtCore import QByteArray, QRectF
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(*size, QImage.Format.Format_RGBA8888)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0.0, 0.0, *bounds))
    painter.end()
    return Image.frombytes("RGBA", size, bytes(image.constBits()), "raw", "RGBA", image.bytesPerLine())


def _break_line(line: list[_Piece], widest: float, gap: float) -> Iterator[list[_Piece]]:
    """Yield a line in parts no wider than `widest`, broken at spaces; an empty line yields one empty part."""
    words: list[list[_Piece]] = []
    for piece in line:
        if piece.has_space or not words:
            words.append([])
        words[-1].append(piece)
    part: list[_Piece] = []
    width = 0.0
    for word in words:
        own = sum(piece.width for piece in word) + gap
        if part and width + own > widest:
            yield part
            part, width = [], 0.0
        part += word
        width += own
    yield part
