"""Captions of a lesson's film: a band of constant height below the picture, with a title and rows of text."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PIL import Image

from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.rendering.alpha import Pixels
from framescope.features.lessons.app.export.plain_text import MarkedFormulas
from framescope.features.lessons.app.export.storyboard import LessonCaption
from framescope.ui.formatting.line_breaking import rows_of
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.geometry.note_pictures import RichStyle, marked_picture
from framescope.ui.scene_view.geometry.sprites import TextStyle, draw_text, text_width
from framescope.ui.theme.tokens import METRICS, Theme

MEASURE = 1000.0
"""Largest width of a row, logical pixels: about a hundred letters."""

SIDE, ABOVE, BELOW = 2.0 * METRICS.padding, 1.2 * METRICS.padding, 1.2 * METRICS.padding
"""Margins around the text, logical pixels."""

TEXT = 18.0
"""Font size, logical pixels."""

ROW = 1.4
"""Height of a row, in font sizes."""

SHRUNK = (1.0, 0.9, 0.8, 0.7, 0.6)
"""Scales of the text to try; the first with which all captions fit is used."""

MAX_SHARE = 0.4
"""Largest height of the band, as a fraction of the height of the film."""

Row = tuple[str, TextStyle] | Image.Image


class LessonCaptions:
    """Renderer of the captions of a film, in a band of constant height.

    Parameters
    ----------
    captions
        All captions of the film.
    size, theme, scale
        Size of the film, its theme, and device pixels per logical pixel.

    Raises
    ------
    ExportError
        When a caption takes too much of the picture.
    """

    def __init__(self, captions: Iterable[LessonCaption], size: tuple[int, int], theme: Theme, scale: float) -> None:
        self._width, self._theme, self._size = size[0], theme, TEXT
        all_captions = list(captions)
        for shrunk in SHRUNK:
            self._scale = shrunk * scale
            height = max(self._height_of(caption) for caption in all_captions)
            if height <= MAX_SHARE * size[1]:
                break
        else:
            where = max(all_captions, key=self._height_of).title
            where = where if len(where) <= 60 else f"{where[:60]}…"
            raise ExportError(f'size: the text of "{where}" takes more than {MAX_SHARE:.0%} of it. Use a larger one.')
        self.height = height + (size[1] - height) % 2
        """Height of the band, device pixels; the height of the picture above is even."""
        self._drawn: tuple[LessonCaption, Pixels] | None = None

    def strip(self, caption: LessonCaption) -> Pixels:
        """Return the band (height, width, 3) of a caption."""
        if self._drawn is None or self._drawn[0] != caption:
            self._drawn = caption, self._strip(caption)
        return self._drawn[1]

    def _strip(self, caption: LessonCaption) -> Pixels:
        strip = Image.new("RGBA", (self._width, self.height), rgba(self._theme.panel))
        line = max(1, round(self._scale))
        strip.paste(rgba(self._theme.separator), (0, 0, self._width, line))
        text_left, y = (self._width - self._room) // 2, round(ABOVE * self._scale)
        for row in self._rows(caption):
            height = self._height_of_row(row)
            image = draw_text([row], self._scale) if isinstance(row, tuple) else row
            strip.alpha_composite(image, (max(text_left, 0), y + (height - image.height) // 2))
            y += height
        return np.asarray(strip.convert("RGB"))

    @property
    def _room(self) -> int:
        """Width of a row, device pixels."""
        return round(min(self._width - 2.0 * SIDE * self._scale, MEASURE * self._scale))

    @property
    def _row(self) -> int:
        return round(ROW * TEXT * self._scale)

    def _height_of(self, caption: LessonCaption) -> int:
        return sum(map(self._height_of_row, self._rows(caption))) + round((ABOVE + BELOW) * self._scale)

    def _height_of_row(self, row: Row) -> int:
        """Return the height of a row of words, or of a picture of words and formulas."""
        return (
            self._row if isinstance(row, tuple) else max(self._row, row.height + self._row - round(TEXT * self._scale))
        )

    def _rows(self, caption: LessonCaption) -> list[Row]:
        title, text = TextStyle(self._theme.accent_text, TEXT, 600), TextStyle(self._theme.text, TEXT, 400)
        parts = [(caption.title, title), *((row, text) for row in caption.rows)]
        return [row for words, style in parts for row in self._rows_of(words, style, caption.formulas)]

    def _rows_of(self, words: str, style: TextStyle, formulas: MarkedFormulas) -> list[Row]:
        """Return rows of words, or one picture of a text with formulas."""
        if not formulas.has_formula(words):
            return [(row, style) for row in self._break_rows(words, style)]
        widest = self._room / self._scale / TEXT
        look = RichStyle(style.color, TEXT, style.color, 0.0, weight=style.weight, widest=widest, has_pad=False)
        return [marked_picture(formulas.marked(words), tuple(formulas.formulas), look, self._scale)]

    def _break_rows(self, words: str, style: TextStyle) -> list[str]:
        return rows_of(words, lambda part: text_width(part, style, self._scale), self._room)
