"""Plates with a name, a number that changes with each tick, and a unit.

All that a number is written with lies in the texture from the start; a tick exchanges the digits and the plate, which
is as wide as they need.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.ui.formatting.number_text import MINUS
from framescope.ui.scene_view.base.visual import ViewContext
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, TextGround, TextStyle, number_style, rounded_plate
from framescope.ui.theme.tokens import METRICS

Array = NDArray[np.float64]

SLOTS = 8
"""Characters of a number, see `magnitude_text`."""

PARTS = SLOTS + 3
"""Sprites of a plate: itself, the name, the digits, the unit."""

SCIENTIFIC_BELOW, SCIENTIFIC_FROM = 1e-3, 1e5


@dataclass(frozen=True)
class LabelPlate:
    """What stands on a plate beside the number."""

    symbol: str
    name: str
    unit: str
    color: str


def magnitude_text(value: float, *, is_in_degrees: bool = False) -> str:
    """Write a magnitude: of degrees one decimal, of anything else three digits that count.

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


class LiveValues:
    """Some plates; `write` their numbers, then `place` them."""

    def __init__(self, context: ViewContext, captions: Sequence[LabelPlate]) -> None:
        sheet, scale = context.sheet, context.scale
        ground = TextGround(context.theme.scene_top)
        self._glyphs: list[dict[str, int]] = []
        self._plates: list[dict[int, int]] = []
        self._pad = np.array([round(ground.pad_x * scale), round(ground.pad_y * scale)])
        self._advance = number_style(context.theme.text, METRICS.number, 500).font(scale).getlength("0")
        sprites: list[int] = []
        for caption in captions:
            styles = TextStyle(caption.color, METRICS.base, 600), TextStyle(caption.color, METRICS.secondary, 500)
            digits = number_style(caption.color, METRICS.number, 500)

            def on_one_line(*runs: tuple[str, TextStyle], styles: tuple[TextStyle, ...] = (*styles, digits)) -> int:
                # Empty runs of the other styles give all sprites one baseline.
                return sheet.text([*runs, *(("", style) for style in styles)])

            name = on_one_line((f"{caption.symbol} ", styles[0]), (f"{caption.name} ".lstrip(), styles[1]))
            unit = on_one_line((f" {caption.unit}", styles[1]))
            self._glyphs.append({char: on_one_line((char, digits)) for char in f"0123456789.e{MINUS}–"})
            width = sheet.size(name)[0] + sheet.size(unit)[0]
            self._plates.append(
                {
                    count: sheet.add(
                        rounded_plate(
                            (
                                math.ceil(width + count * self._advance) + 2 * int(self._pad[0]),
                                sheet.size(name)[1] + 2 * int(self._pad[1]),
                            ),
                            ground.radius * scale,
                            rgba(ground.color, ground.alpha),
                        )
                    )
                    for count in range(1, SLOTS + 1)
                }
            )
            sprites += [self._plates[-1][SLOTS], name, *[self._glyphs[-1]["0"]] * SLOTS, unit]
        count = len(captions)
        self._batch = SpriteBatch(sheet, sprites)
        self._at = np.zeros((count, PARTS, 2))
        self._is_visible = np.zeros((count, PARTS), dtype=bool)
        self.texts = [""] * count
        self.actors = [self._batch.actor] if captions else []

    @property
    def sizes(self) -> Array:
        """Width and height of the plates (n, 2), device pixels."""
        return self._batch.sizes[::PARTS]

    def write(self, k: int, text: str) -> None:
        """Write a number."""
        if text == self.texts[k]:
            return
        self.texts[k] = text
        first = k * PARTS
        self._batch.exchange(first, self._plates[k][len(text)])
        for i, char in enumerate(text):
            self._batch.exchange(first + 2 + i, self._glyphs[k][char])

    def place(self, centers: Array, is_visible: NDArray[np.bool_]) -> None:
        """Put the middles of the plates at pixels ``(n, 2)``, and hide the others."""
        sizes = self._batch.sizes.reshape(-1, PARTS, 2)
        for k, text in enumerate(self.texts):
            at = self._at[k]
            at[0] = np.round(centers[k] - sizes[k, 0] / 2)
            at[1:] = at[0] + self._pad
            at[2:, 0] += sizes[k, 1, 0] + np.arange(SLOTS + 1) * self._advance
            at[-1, 0] = at[2, 0] + len(text) * self._advance
            self._is_visible[k] = is_visible[k]
            self._is_visible[k, 2 + len(text) : -1] = False
        self._batch.move(self._at.reshape(-1, 2), self._is_visible.ravel())

    def corners(self) -> NDArray[np.float32]:
        """Return the corners of all sprites ``(n, PARTS, 4, 3)``, in pixels."""
        return self._batch.corners().reshape(-1, PARTS, 4, 3)
