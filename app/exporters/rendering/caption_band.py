"""Band of captions below a picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from framescope.app.exporters.captions import (
    ABOVE,
    band_height,
    caption_at,
    caption_rows,
    caption_style,
    caption_with_formulas,
    row_height,
)
from framescope.app.exporters.request import ExportRequest
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.geometry.sprites import TextGround, draw_text, rounded_plate

Pixels = NDArray[np.uint8]


class CaptionBand:
    """Band that shows the caption of the current time below each picture; without captions it has no height.

    Parameters
    ----------
    request
        The export, with its size, captions, theme and text scale.
    """

    def __init__(self, request: ExportRequest) -> None:
        self._captions, self._theme, self._scale = request.captions, request.theme, request.scale
        self._is_clear = request.is_transparent
        self._width = request.size[0]
        self._height = band_height(request.captions, request.size, request.scale)
        self._frame = np.zeros((request.size[1], request.size[0], 4 if self._is_clear else 3), np.uint8)
        self._shown: str | None = None

    def above(self, request: ExportRequest) -> ExportRequest:
        """Return the request for the part of the picture above the band."""
        width, height = request.size
        return replace(request, size=(width, height - self._height)) if self._height else request

    def below(self, pixels: Pixels, t: float) -> Pixels:
        """Return the picture (height, width, 3 or 4) with the caption at a time, s; the next call overwrites it."""
        if not self._height:
            return pixels
        self._frame[: -self._height] = pixels
        text = caption_at(self._captions, t)
        if text != self._shown:
            self._shown = text
            self._frame[-self._height :] = self._draw_strip(text)
        return self._frame

    def _draw_strip(self, text: str) -> Pixels:
        """Draw a centred caption: on the panel colour, or with a transparent background each row on its own plate."""
        size, theme, scale = (self._width, self._height), self._theme, self._scale
        strip = Image.new("RGBA", size, rgba(theme.panel, 0.0 if self._is_clear else 1.0))
        plate = TextGround(theme.panel) if self._is_clear else None
        rich = caption_with_formulas(text, size, scale, theme.text)
        rows = caption_rows(text, size, scale) if text and rich is None else []
        height = row_height(scale)
        room = self._height - round(2.5 * ABOVE * scale)
        top = round(ABOVE * scale) + (room - len(rows) * height) // 2
        if rich is not None:
            self._place_formulas(strip, rich, room)
        for i, row in enumerate(rows):
            image = draw_text([(row, caption_style(theme.text))], scale, plate)
            place = (self._width - image.width) // 2, top + i * height + (height - image.height) // 2
            strip.alpha_composite(image, (max(place[0], 0), max(place[1], 0)))
        return np.asarray(strip if self._is_clear else strip.convert("RGB"))

    def _place_formulas(self, strip: Image.Image, picture: Image.Image, room: int) -> None:
        """Put the picture of a caption with formulas into the middle, with a transparent background on a plate."""
        x, y = (self._width - picture.width) // 2, round(ABOVE * self._scale) + (room - picture.height) // 2
        if self._is_clear:
            ground = TextGround(self._theme.panel)
            pad_x, pad_y = round(ground.pad_x * self._scale), round(ground.pad_y * self._scale)
            size = (picture.width + 2 * pad_x, picture.height + 2 * pad_y)
            plate = rounded_plate(size, ground.radius * self._scale, rgba(ground.color, ground.alpha))
            strip.alpha_composite(plate, (max(x - pad_x, 0), max(y - pad_y, 0)))
        strip.alpha_composite(picture, (max(x, 0), max(y, 0)))
