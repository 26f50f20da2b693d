"""Text in scripts that the bundled fonts lack, rendered by Qt with system fonts.

Pillow renders the other text of the scene, with the same pixels on every machine. Scripts that the bundled fonts lack,
such as Chinese or Hebrew, depend on the machine anyway, and Qt can shape them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from PIL import Image, ImageDraw, ImageFont

from framescope import assets
from framescope.ui.theme.tokens import FONT_FILES, TEXT_FAMILY

if TYPE_CHECKING:
    from PySide6.QtGui import QFont

T = TypeVar("T")

_PROBE_SIZE = 24.0
_NO_LETTER = chr(0x10FFFD)
"""A private-use character that no font has; it shows the glyph for missing letters."""


@dataclass(frozen=True)
class SetText:
    """A rendered line of text: its picture, the distance of its baseline from the top, and its width, pixels."""

    image: Image.Image
    ascent: int
    width: float


@cache
def has_letter(file: str, letter: str) -> bool:
    """Return whether a bundled font has a letter.

    >>> has_letter("third_party/fonts/Inter-Regular.ttf", "ω"), has_letter("third_party/fonts/Inter-Regular.ttf", "中")
    (True, False)
    """
    font = _probe(file)
    return letter.isspace() or _mask(font, letter) != _mask(font, _NO_LETTER)


def covers(file: str, text: str) -> bool:
    """Return whether a bundled font has all letters of a text."""
    return text.isascii() or all(has_letter(file, letter) for letter in text)


def render_by_system(text: str, family: str, size: float, weight: int, color: tuple[int, int, int, int]) -> SetText:
    """Render a line of text, with system fonts for letters that the bundled font lacks; size in device pixels."""
    return _with_qt(lambda: _render_text(text, _font(family, size, weight), color))


def system_width(text: str, family: str, size: float, weight: int) -> float:
    """Return the width of a line rendered with system fonts, device pixels."""

    def measure() -> float:
        from PySide6.QtGui import QFontMetricsF

        return QFontMetricsF(_font(family, size, weight)).horizontalAdvance(text)

    return _with_qt(measure)


def letters_without_font(letters: Iterable[str]) -> str:
    """Return the letters that no font has, neither bundled nor of the system; pictures show boxes for them."""
    file = FONT_FILES[TEXT_FAMILY, 500]
    foreign = sorted(
        {letter for letter in letters if unicodedata.category(letter)[0] not in "CZ" and not covers(file, letter)}
    )
    return "".join(_with_qt(lambda: [letter for letter in foreign if not _is_in_system(letter)])) if foreign else ""


@cache
def _probe(file: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(assets.path(file)), _PROBE_SIZE, layout_engine=ImageFont.Layout.BASIC)


@cache
def _mask(font: ImageFont.FreeTypeFont, letter: str) -> bytes:
    image = Image.new("L", (round(3 * _PROBE_SIZE), round(2 * _PROBE_SIZE)))
    ImageDraw.Draw(image).text((_PROBE_SIZE, 1.5 * _PROBE_SIZE), letter, font=font, fill=255, anchor="ls")
    return image.tobytes()


def _with_qt(work: Callable[[], T]) -> T:
    """Call a function that needs Qt, which may paint text into images on any thread."""
    from PySide6.QtCore import QCoreApplication

    if QCoreApplication.instance() is not None:
        return work()
    from framescope.ui.qt_support.qt_host import on_qt

    return on_qt(work)


def _font(family: str, size: float, weight: int) -> QFont:
    from PySide6.QtGui import QFont

    from framescope.ui.theme import fonts

    fonts.register()
    font = QFont(family)
    font.setPixelSize(max(round(size), 1))
    font.setWeight(QFont.Weight(weight))
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    return font


def _render_text(text: str, font: QFont, color: tuple[int, int, int, int]) -> SetText:
    from PySide6.QtCore import QPointF, Qt
    from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

    metrics = QFontMetricsF(font)
    width, bounds = metrics.horizontalAdvance(text), metrics.boundingRect(text)
    # A system font may reach higher and lower than the bundled font whose metrics these are.
    ascent = max(round(metrics.ascent()), -int(bounds.top()) + 1)
    height = ascent + max(round(metrics.descent()), int(bounds.bottom()) + 2)
    image = QImage(max(int(width) + 2, 1), height, QImage.Format.Format_RGBA8888)
    image.fill(QColor(*color[:3], 0))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    painter.setFont(font)
    painter.setPen(QColor(*color))
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    painter.drawText(QPointF(0.0, float(ascent)), text)
    painter.end()
    rows = bytes(image.constBits()), image.bytesPerLine()
    pixels = Image.frombytes("RGBA", (image.width(), height), rows[0], "raw", "RGBA", rows[1])
    return SetText(pixels, ascent, width)


def _is_in_system(letter: str) -> bool:
    from PySide6.QtGui import QTextLayout

    layout = QTextLayout(letter, _font(TEXT_FAMILY, _PROBE_SIZE, 500))
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    glyphs = [glyph for run in layout.glyphRuns() for glyph in run.glyphIndexes()]
    return bool(glyphs) and 0 not in glyphs
