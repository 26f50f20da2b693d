"""Cards of answers in a picture: numbers and sentences at the right edge, as in the window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from framescope.core.evaluation.answer_texts import sentence_at, values_at
from framescope.core.evaluation.signal_curves import labels
from framescope.core.scene.schema.signal_kinds import XYZ
from framescope.ui.formatting import number_text
from framescope.ui.formatting.answer_titles import decimals_of, detail_at, letters_of, title_of
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.formatting.line_breaking import rows_of
from framescope.ui.scene_view.geometry.default_sizes import BAR_HEIGHT
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.geometry.sprites import (
    PlacedText,
    Runs,
    TextStyle,
    draw_text,
    number_style,
    rounded_plate,
    text_width,
)
from framescope.ui.theme.tokens import METRICS, Theme

if TYPE_CHECKING:
    from framescope.app.exporters.rendering.alpha import Pixels
    from framescope.core.evaluation.compile.plots import CompiledAnswer, CompiledPlot
    from framescope.core.evaluation.evaluate import Plan
    from framescope.ui.scene_view.base.visual import Decorations
    from framescope.ui.scene_view.scene_renderer import Rect

WIDTH = 244
"""Width of a card, logical pixels."""

PAD = (12.0, 8.0)
"""Room between the edge of a card and its texts, across and down, logical pixels."""

ROW = 20.0
"""Height of a line, logical pixels."""

GROUND_ALPHA = 0.86

TOP_OF_LECTURE = 44.0
"""Distance of the cards from the upper edge below a large clock, logical pixels."""


@dataclass(frozen=True)
class _Line:
    """Runs of text at the left and at the right of one line."""

    left: tuple[tuple[str, TextStyle], ...] = ()
    right: tuple[tuple[str, TextStyle], ...] = ()


@dataclass(frozen=True)
class _Card:
    """Upper edge and height of a card, logical pixels, and its lines."""

    top: float
    height: float
    lines: list[_Line]


_cached_text = lru_cache(maxsize=64)(draw_text)


class AnswerBoard:
    """Cards with the answers of a plan.

    Parameters
    ----------
    plan
        The plan, whose answers are numbers and sentences.
    theme, scale
        Colours, and device pixels per logical pixel.
    size
        Width and height of the picture, device pixels.
    decorations
        Parts of the picture besides the scene: the cards are below the bar at the upper edge, or else below the large
        clock.
    """

    def __init__(self, plan: Plan, theme: Theme, scale: float, size: tuple[int, int], decorations: Decorations) -> None:
        self._plan, self._theme, self._scale = plan, theme, scale
        self.size = size[0] / scale, size[1] / scale
        """Width and height of the picture, logical pixels."""
        self._left = size[0] / scale - WIDTH - METRICS.padding
        top = TOP_OF_LECTURE if decorations.corners else METRICS.padding
        self._top = BAR_HEIGHT + METRICS.padding if decorations.title_bar else top
        self._bottom = size[1] / scale - METRICS.padding
        self._last: tuple[float, list[_Card]] | None = None
        self._answers = plan.view_data.answers if decorations.cards and self._left > WIDTH else ()
        self._strong = TextStyle(theme.text, METRICS.base, 600)
        self._plain = TextStyle(theme.text, METRICS.base, 400)
        self._quiet = TextStyle(theme.quiet, METRICS.secondary, 400)
        self._digits = number_style(theme.text, METRICS.number, 500)

    def areas(self, t: float) -> tuple[Rect, ...]:
        """Return the areas of the cards at a time, s: x, y, width and height, logical pixels from the upper left."""
        return tuple((round(self._left), round(card.top), WIDTH, round(card.height)) for card in self._cards(t))

    def draw_on(self, pixels: Pixels, t: float, texts: list[PlacedText] | None = None) -> None:
        """Draw the cards at a time, s, into a picture (height, width, 3 or 4).

        When `texts` is given, the texts are appended to it with their places, and only the plates are drawn.
        """
        mode = "RGBA" if pixels.shape[2] == 4 else "RGB"
        for card in self._cards(t):
            x, y = round(self._left * self._scale), round(card.top * self._scale)
            image = self._draw_card(card, None if texts is None else (texts, x, pixels.shape[0] - y))
            part = pixels[y : y + image.height, x : x + image.width]
            below = Image.fromarray(np.ascontiguousarray(part), mode).convert("RGBA")
            below.alpha_composite(image)
            part[:] = np.asarray(below.convert(mode))

    def card_picture(self, t: float) -> Image.Image | None:
        """Return the picture of the first card at a time, s; None without a card."""
        return next((self._draw_card(card, None) for card in self._cards(t)), None)

    def _cards(self, t: float) -> list[_Card]:
        """Return the cards that fit into the picture; those of the last time are kept."""
        if self._last is None or self._last[0] != t:
            self._last = t, list(self._cards_at(t))
        return self._last[1]

    def _cards_at(self, t: float) -> Iterator[_Card]:
        top = self._top
        for answer in self._answers:
            lines = list(self._lines(answer, t))
            height = len(lines) * ROW + 2 * PAD[1]
            if top + height > self._bottom:
                return
            yield _Card(top, height, lines)
            top += height + METRICS.gap

    def _draw_card(self, card: _Card, placed: tuple[list[PlacedText], int, int] | None) -> Image.Image:
        """Return the picture of a card; with `placed`, its texts go to a list, by left and upper edge of the card."""
        scale = self._scale
        size = round(WIDTH * scale), round(card.height * scale)
        picture = rounded_plate(size, METRICS.card_radius * scale, rgba(self._theme.panel, GROUND_ALPHA)).copy()
        for i, line in enumerate(card.lines):
            middle = round((PAD[1] + (i + 0.5) * ROW) * scale)
            for runs, is_right in ((line.left, False), (line.right, True)):
                if not runs:
                    continue
                image = _cached_text(runs, scale)
                x = picture.width - round(PAD[0] * scale) - image.width if is_right else round(PAD[0] * scale)
                y = max(middle - image.height // 2, 0)
                if placed is None:
                    picture.alpha_composite(image, (max(x, 0), y))
                else:
                    texts, left, top = placed
                    texts.append(PlacedText(runs, None, float(left + x), float(top - y - image.height)))
        return picture

    # --- the lines of a card

    def _lines(self, answer: CompiledAnswer, t: float) -> Iterator[_Line]:
        signal = answer.signal
        if answer.form == "sentence":
            yield from (
                _Line(((row, self._plain),)) for row in self._rows(sentence_at(self._plan, signal, t), self._plain)
            )
            return
        values, names = values_at(self._plan, signal, t), labels(self._plan, signal)
        unit = ((f" {unit_text(signal.unit)}", self._quiet),) if signal.unit else ()
        *titles, title = self._rows(title_of(signal), self._strong)
        yield from (_Line(((row, self._strong),)) for row in titles)
        if len(names) == 1:
            number = ((number_text.fixed(float(values[0]), decimals_of(signal)), self._digits), *unit)
            if self._width(((title, self._strong),)) + self._width(number) + METRICS.gap <= WIDTH - 2 * PAD[0]:
                yield _Line(((title, self._strong),), number)
            else:
                yield _Line(((title, self._strong),))
                yield _Line((), number)
        else:
            yield _Line(((title, self._strong),), unit)
            yield from self._vector(signal, names, values.tolist())
        yield from (_Line(((row, self._quiet),)) for row in self._rows(detail_at(self._plan, signal, t), self._quiet))

    def _vector(self, signal: CompiledPlot, names: tuple[str, ...], values: list[float]) -> Iterator[_Line]:
        """Yield lines with the components of a vector, side by side as far as they fit."""
        decimals = decimals_of(signal)
        decimals = min(decimals, 3) if len(names) > 3 else decimals
        colors: dict[str, str] = dict(zip(XYZ, self._theme.axis_texts, strict=True))
        runs: tuple[tuple[str, TextStyle], ...] = ()
        for name, value in zip(letters_of(signal, names), values, strict=True):
            letter = TextStyle(colors.get(name, self._theme.quiet), METRICS.secondary, 600)
            part = ((f"{name} ", letter), (f"{number_text.fixed(value, decimals)}   ", self._digits))
            if runs and self._width((*runs, *part)) > WIDTH - 2 * PAD[0]:
                yield _Line(runs)
                runs = ()
            runs = (*runs, *part)
        yield _Line(runs)

    def _width(self, runs: Runs) -> float:
        """Return the width of runs of text, logical pixels."""
        return sum(text_width(text, style, self._scale) for text, style in runs) / self._scale

    def _rows(self, text: str, style: TextStyle) -> list[str]:
        """Return the rows of a text in a card."""
        return rows_of(text, lambda row: self._width(((row, style),)), WIDTH - 2 * PAD[0])
