"""Label plates with a name, a number that changes with each tick, and a unit.

All characters of a number are in the texture from the start. A tick exchanges the digits and the plate, which is as
wide as the digits need.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.ui.formatting.number_text import MINUS
from framescope.ui.scene_view.base.visual import ViewContext
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.geometry.sprites import (
    SpriteBatch,
    SpriteSheet,
    TextGround,
    TextStyle,
    number_style,
    rounded_plate,
)
from framescope.ui.theme.tokens import METRICS

Array = NDArray[np.float64]

SLOTS = 8
"""Number of characters of a number, see `magnitude_text`."""

SCIENTIFIC_BELOW, SCIENTIFIC_FROM = 1e-3, 1e5


@dataclass(frozen=True)
class LabelPlate:
    """Fixed text of a plate around its number."""

    symbol: str
    name: str
    unit: str
    color: str


def magnitude_text(value: float, *, is_in_degrees: bool = False) -> str:
    """Format a magnitude: degrees with one decimal, other values with three significant digits.

    >>> [magnitude_text(x) for x in (0.3449, 51.26, 1234.0, 0.00004, 2.5e7)]
    ['0.345', '51.3', '1234', '4.0e−5', '2.5e7']
    >>> magnitude_text(51.26, is_in_degrees=True), magnitude_text(0.0)
    ('51.3', '0.00')
    """
    if not math.isfinite(value):
        return "–"
    if value >= SCIENTIFIC_FROM or (0.0 < value < SCIENTIFIC_BELOW and not is_in_degrees):
        mantissa, _, exponent = f"{value:.1e}".partition("e")
        return f"{mantissa}e{int(exponent)}".replace("-", MINUS)
    if is_in_degrees:
        return f"{value:.1f}"
    decimals = 2 if value == 0.0 else max(0, 2 - math.floor(math.log10(value)))
    return f"{value:.{decimals}f}"


@dataclass(frozen=True, eq=False)
class RunningLine:
    """The sprites of one line of a `RunningTexts`.

    Attributes
    ----------
    plates, glyphs
        The plate by number of characters, and the characters.
    left, low
        Offset of the first character from the lower left corner of the plate, device pixels.
    head, tail
        Sprites before the characters, `head_left` from the left of the plate, and after them.
    """

    plates: Mapping[int, int]
    glyphs: Mapping[str, int]
    left: float
    low: float
    head: int | None = None
    head_left: float = 0.0
    tail: int | None = None


class RunningTexts:
    """Texts on plates that change with each tick, one sprite per character; `write` them, then `place` them."""

    def __init__(self, sheet: SpriteSheet, lines: Sequence[RunningLine], slots: int, advance: float) -> None:
        """Reserve `slots` characters a line, each `advance` device pixels wide."""
        self._lines, self._slots, self._advance = lines, slots, advance
        self._first = 2 if lines and lines[0].head is not None else 1
        parts = [
            [
                max(line.plates.items())[1],
                line.head,
                *[next(iter(line.glyphs.values()), line.plates[max(line.plates)])] * slots,
                line.tail,
            ]
            for line in lines
        ]
        sprites = [[part for part in line if part is not None] for line in parts]
        self.batch = SpriteBatch(sheet, [sprite for line in sprites for sprite in line])
        self._parts = len(sprites[0]) if sprites else 1
        self.texts = [""] * len(lines)
        self._at = np.zeros((len(lines), self._parts, 2))
        self.is_visible = np.zeros((len(lines), self._parts), dtype=bool)
        self.actors = [self.batch.actor] if lines else []

    @property
    def sizes(self) -> Array:
        """Width and height of the plates (n, 2), device pixels."""
        return self.batch.sizes[:: self._parts]

    @property
    def boxes(self) -> Array:
        """Left, bottom, right and top (n, 4) of the plates as placed, pixels."""
        return np.hstack([self._at[:, 0], self._at[:, 0] + self.sizes])

    def write(self, k: int, text: str) -> None:
        """Replace the text of line k; only changed sprites are exchanged."""
        text = text[: self._slots]
        if text == self.texts[k]:
            return
        self.texts[k] = text
        line, first = self._lines[k], k * self._parts
        if len(text) in line.plates:
            self.batch.exchange(first, line.plates[len(text)])
        for i, char in enumerate(text):
            self.batch.exchange(first + self._first + i, line.glyphs[char])

    def place(self, centers: Array, is_visible: NDArray[np.bool_]) -> None:
        """Move the centres of the plates to pixels ``(n, 2)``, and hide the invisible ones."""
        sizes, first, last = self.sizes, self._first, self._first + self._slots
        for k, (line, text) in enumerate(zip(self._lines, self.texts, strict=True)):
            at = self._at[k]
            at[0] = np.round(centers[k] - sizes[k] / 2)
            at[1:] = at[0] + (line.head_left, line.low)
            at[first:last, 0] = at[0, 0] + line.left + np.arange(self._slots) * self._advance
            if line.tail is not None:
                at[last, 0] = at[first, 0] + len(text) * self._advance
            self.is_visible[k] = is_visible[k]
            self.is_visible[k, first + len(text) : last] = False
        self.batch.move(self._at.reshape(-1, 2), self.is_visible.ravel())

    def corners(self) -> NDArray[np.float32]:
        """Return the corners of all sprites ``(n, parts, 4, 3)``, pixels."""
        return self.batch.corners().reshape(-1, self._parts, 4, 3)


class LiveValues(RunningTexts):
    """Plates with a name, a number and its unit."""

    def __init__(self, context: ViewContext, captions: Sequence[LabelPlate]) -> None:
        sheet, scale = context.sheet, context.scale
        ground = TextGround(context.theme.scene_top)
        pad_x, pad_y = round(ground.pad_x * scale), round(ground.pad_y * scale)
        advance = number_style(context.theme.text, METRICS.number, 500).font(scale).getlength("0")
        lines: list[RunningLine] = []
        for caption in captions:
            styles = TextStyle(caption.color, METRICS.base, 600), TextStyle(caption.color, METRICS.secondary, 500)
            digits = number_style(caption.color, METRICS.number, 500)

            def on_one_line(*runs: tuple[str, TextStyle], styles: tuple[TextStyle, ...] = (*styles, digits)) -> int:
                # Empty runs of the other styles give all sprites the same baseline.
                return sheet.text([*runs, *(("", style) for style in styles)])

            name = on_one_line((f"{caption.symbol} ", styles[0]), (f"{caption.name} ".lstrip(), styles[1]))
            unit = on_one_line((f" {caption.unit}", styles[1]))
            glyphs = {char: on_one_line((char, digits)) for char in f"0123456789.e{MINUS}–"}
            (name_width, height), unit_width = sheet.size(name), sheet.size(unit)[0]
            widths = {count: math.ceil(name_width + unit_width + count * advance) for count in range(1, SLOTS + 1)}
            plates = {count: ground_plate(sheet, ground, width, height, scale) for count, width in widths.items()}
            lines.append(RunningLine(plates, glyphs, pad_x + name_width, pad_y, name, pad_x, unit))
        super().__init__(sheet, lines, SLOTS, advance)


def ground_plate(sheet: SpriteSheet, ground: TextGround, width: int, height: int, scale: float) -> int:
    """Return the sprite of a plate around a content of the given size, device pixels."""
    size = width + 2 * round(ground.pad_x * scale), height + 2 * round(ground.pad_y * scale)
    return sheet.add(rounded_plate(size, ground.radius * scale, rgba(ground.color, ground.alpha)))
