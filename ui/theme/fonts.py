"""The bundled fonts as Qt fonts: Inter for text, JetBrains Mono for numbers and code."""

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

from framescope import assets
from framescope.ui.theme.tokens import FONT_FILES, METRICS, NUMBER_FAMILY, TEXT_FAMILY


@cache
def register() -> None:
    """Register the bundled fonts with Qt; needs the application object, runs once."""
    for file in FONT_FILES.values():
        if QFontDatabase.addApplicationFont(str(assets.path(file))) < 0:
            raise RuntimeError(f"Qt cannot read the bundled font {file}; the installation is damaged")


def text(size: int = METRICS.base, weight: int = QFont.Weight.Normal) -> QFont:
    """Return the text font; size in pixels, weight 400, 500 or 600."""
    return QFont(_font(TEXT_FAMILY, size, int(weight)))


def number(size: int = METRICS.number, weight: int = QFont.Weight.Normal) -> QFont:
    """Return the font of numbers and code; size in pixels, weight 400 or 500."""
    return QFont(_font(NUMBER_FAMILY, size, int(weight)))


def width(font: QFont, sample: str) -> float:
    """Return the advance of a text, pixels."""
    return QFontMetricsF(font).horizontalAdvance(sample)


@cache
def _font(family: str, size: int, weight: int) -> QFont:
    register()
    font = QFont(family)
    font.setPixelSize(size)
    font.setWeight(QFont.Weight(weight))
    # Set here rather than left to the desktop, so that pictures agree between machines.
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    if family == NUMBER_FAMILY:
        font.setStyleHint(QFont.StyleHint.Monospace)
        # Without its ligatures: a typed `->` or `<=` must stay as typed.
        font.setFeature(QFont.Tag("calt"), 0)
    return font
