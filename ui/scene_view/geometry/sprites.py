"""Text and small pictures in the scene: rendered once by Pillow into one texture, moved as quads.

A `SpriteSheet` collects the pictures while the visuals are built and packs them into one texture. A `SpriteBatch` shows
some of them in one draw call. Positions are whole device pixels, so that each texel meets one pixel and text stays
crisp.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from weakref import WeakSet

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkRenderingCore import vtkTexture

from framescope import assets
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells, rgba
from framescope.ui.scene_view.geometry.system_text import covers, render_by_system, system_width
from framescope.ui.theme.tokens import FONT_FILES, NUMBER_FAMILY, TEXT_FAMILY

SHEET_WIDTH = 2048
"""Width of the texture in texels; wider if a text is, in large pictures."""
GUTTER = 1
"""Empty texels around a sprite, so that filtering never reaches a neighbour."""

HIDDEN = (-1e4, -1e4)
"""Position of a hidden quad: collapsed, and outside the picture."""


@dataclass(frozen=True)
class TextStyle:
    """A font of the theme at a size in logical pixels, in a colour."""

    color: str
    size: float = 12.0
    weight: int = 500
    family: str = TEXT_FAMILY

    def font(self, scale: float) -> ImageFont.FreeTypeFont:
        """Return the font at a device scale."""
        return _font(self.file, self.size * scale)

    @property
    def file(self) -> str:
        """Font file, a path among the assets."""
        return FONT_FILES[self.family, self.weight]


@cache
def _font(file: str, size: float) -> ImageFont.FreeTypeFont:
    # The basic layout engine is built into Pillow: the same pixels on every machine.
    return ImageFont.truetype(str(assets.path(file)), size, layout_engine=ImageFont.Layout.BASIC)


def number_style(color: str, size: float = 12.0, weight: int = 400) -> TextStyle:
    """Return the style of numbers, in which all digits have the same width."""
    return TextStyle(color, size, weight, NUMBER_FAMILY)


@dataclass(frozen=True)
class TextGround:
    """A rounded plate behind a text, in logical pixels."""

    color: str
    alpha: float = 0.85
    pad_x: float = 6.0
    pad_y: float = 3.0
    radius: float = 4.0


def letter_ground(color: str) -> TextGround:
    """Return the plate behind a letter, little larger than the letter, so that it hides little."""
    return TextGround(color, alpha=0.8, pad_x=3.0, pad_y=0.0)


Runs = Sequence[tuple[str, TextStyle]]

KEPT_TEXTS = 512
"""Number of cached text pictures: most are rendered again unchanged whenever a scene's visuals are rebuilt."""
KEPT_PLATES = 128
"""Number of cached pictures of plates behind texts."""


def text_width(text: str, style: TextStyle, scale: float) -> float:
    """Return the width of a text, device pixels."""
    if covers(style.file, text):
        return style.font(scale).getlength(text)
    return system_width(text, style.family, style.size * scale, style.weight)


def draw_text(runs: Runs, scale: float, ground: TextGround | None = None) -> Image.Image:
    """Render one line of text, in runs of different style on one baseline."""
    fonts = [style.font(scale) for _, style in runs]
    foreign = [
        None
        if covers(style.file, text)
        else render_by_system(text, style.family, style.size * scale, style.weight, rgba(style.color))
        for text, style in runs
    ]
    widths = [
        font.getlength(text) if system_run is None else system_run.width
        for (text, _), font, system_run in zip(runs, fonts, foreign, strict=True)
    ]
    system_runs = [system_run for system_run in foreign if system_run is not None]
    ascent = max(*(font.getmetrics()[0] for font in fonts), *(system_run.ascent for system_run in system_runs), 0)
    below = (system_run.image.height - system_run.ascent for system_run in system_runs)
    descent = max(*(font.getmetrics()[1] for font in fonts), *below, 0)
    pad_x, pad_y = (round(ground.pad_x * scale), round(ground.pad_y * scale)) if ground else (0, 0)
    size = (math.ceil(sum(widths)) + 2 * pad_x, ascent + descent + 2 * pad_y)
    image = rounded_plate(size, ground.radius * scale, rgba(ground.color, ground.alpha)) if ground else None
    image = image or Image.new("RGBA", size, rgba(runs[0][1].color, 0.0))
    x = float(pad_x)
    for (text, style), font, system_run, width in zip(runs, fonts, foreign, widths, strict=True):
        layer = Image.new("RGBA", size, rgba(style.color, 0.0))
        if system_run is None:
            ImageDraw.Draw(layer).text((x, pad_y + ascent), text, font=font, fill=rgba(style.color), anchor="ls")
        else:
            layer.paste(system_run.image, (round(x), pad_y + ascent - system_run.ascent))
        image = Image.alpha_composite(image, layer)
        x += width
    return image


_cached_text = lru_cache(maxsize=KEPT_TEXTS)(draw_text)


@lru_cache(maxsize=KEPT_PLATES)
def rounded_plate(size: tuple[int, int], radius: float, fill: tuple[int, int, int, int]) -> Image.Image:
    """Render a rounded rectangle with smooth corners."""
    fine = 4
    mask = Image.new("L", (size[0] * fine, size[1] * fine))
    box = (0, 0, mask.width - 1, mask.height - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius * fine, fill=fill[3])
    image = Image.new("RGBA", size, (*fill[:3], 0))
    image.putalpha(mask.resize(size, Image.Resampling.BOX))
    return image


@dataclass(frozen=True)
class PlacedText:
    """A line of text in runs, its plate, and the lower left corner of both in the picture, device pixels."""

    runs: Runs
    ground: TextGround | None
    x: float
    y: float


class SpriteSheet:
    """Pictures collected for one texture. Add them first, then `pack`; a sprite is referred to by its number."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.texture = vtkTexture()
        self.texture.InterpolateOn()
        self.texture.RepeatOff()
        self.images: list[Image.Image] = []
        self.sprite_numbers: dict[object, int] = {}
        self._texts: dict[int, tuple[Runs, TextGround | None]] = {}
        self._batches: WeakSet[SpriteBatch] = WeakSet()
        self._uv: NDArray[np.float32] | None = None

    def add(self, image: Image.Image) -> int:
        """Add a picture and return its number."""
        self.images.append(image)
        return len(self.images) - 1

    def text(self, runs: Runs | str, style: TextStyle | None = None, ground: TextGround | None = None) -> int:
        """Add a line of text (equal lines once only) and return its number."""
        if isinstance(runs, str):
            if style is None:
                raise TypeError("a plain text needs its style")
            runs = [(runs, style)]
        key = (tuple(runs), ground)
        if key not in self.sprite_numbers:
            self.sprite_numbers[key] = self.add(_cached_text(key[0], self.scale, ground))
            self._texts[self.sprite_numbers[key]] = key
        return self.sprite_numbers[key]

    def register(self, batch: SpriteBatch) -> None:
        """Register a batch that shows sprites of this sheet, held weakly."""
        self._batches.add(batch)

    def lift_texts(self) -> list[PlacedText]:
        """Hide the upright texts and return them with their places, for formats that store text as text."""
        return [
            PlacedText(*self._texts[sprite], *corner)
            for batch in self._batches
            for sprite, corner in batch.lift(self._texts)
        ]

    def size(self, sprite: int) -> tuple[int, int]:
        """Return width and height in device pixels."""
        return self.images[sprite].size

    def uv(self, sprite: int) -> NDArray[np.float32]:
        """Return the texture coordinates of the four corners, counter-clockwise from the lower left."""
        if self._uv is None:
            raise RuntimeError("the sheet is not packed yet")
        return self._uv[sprite]

    def pack(self) -> None:
        """Arrange the pictures in rows and upload them as one texture."""
        area = sum(width * height for width, height in (image.size for image in self.images))
        widest = max((image.width for image in self.images), default=0)
        # About square if there is much: often a texture may be at most 16 384 texels high.
        sheet_width = max(SHEET_WIDTH, widest + 2 * GUTTER, math.ceil(math.sqrt(1.2 * area)))
        places, height = self._arrange(sheet_width)
        sheet = Image.new("RGBA", (sheet_width, height))
        self._uv = np.empty((len(self.images), 4, 2), dtype=np.float32)
        for k, (image, (x, y)) in enumerate(zip(self.images, places, strict=True)):
            sheet.paste(image, (x, y))
            left, right = x / sheet_width, (x + image.width) / sheet_width
            bottom, top = 1 - (y + image.height) / height, 1 - y / height
            self._uv[k] = (left, bottom), (right, bottom), (right, top), (left, top)
        texels = np.ascontiguousarray(np.asarray(sheet)[::-1]).reshape(-1, 4)
        data = vtkImageData()
        data.SetDimensions(sheet_width, height, 1)
        data.GetPointData().SetScalars(numpy_to_vtk(texels, deep=True))
        self.texture.SetColorModeToDirectScalars()
        self.texture.SetInputData(data)

    def _arrange(self, sheet_width: int) -> tuple[list[tuple[int, int]], int]:
        places, x, y, row = [(0, 0)] * len(self.images), GUTTER, GUTTER, 0
        for k in sorted(range(len(places)), key=lambda k: -self.images[k].height):
            width, height = self.images[k].size
            if x + width + GUTTER > sheet_width:
                x, y, row = GUTTER, y + row + GUTTER, 0
            places[k] = x, y
            x, row = x + width + GUTTER, max(row, height)
        return places, max(4, y + row + GUTTER)


class SpriteBatch:
    """Some sprites of a sheet as one actor; a sprite is invisible until it is moved to its place."""

    def __init__(self, sheet: SpriteSheet, sprites: Sequence[int]) -> None:
        count = len(sprites)
        corners = np.arange(4 * count).reshape(count, 4)
        self._polydata = pv.PolyData(np.zeros((4 * count, 3), dtype=np.float32), faces=pv_cells(corners))
        texture_coordinates = numpy_to_vtk(np.zeros((4 * count, 2), dtype=np.float32), deep=True)
        texture_coordinates.SetName("uv")
        self._polydata.GetPointData().SetTCoords(texture_coordinates)
        self._points = actors.points_of(self._polydata).reshape(count, 4, 3)
        self._next = np.zeros((count, 4, 2), dtype=np.float32)
        self._uv = vtk_to_numpy(texture_coordinates).reshape(count, 4, 2)
        self._sheet = sheet
        self.sprites = list(sprites)
        self._has_uv = False
        self.sizes = np.array([sheet.size(sprite) for sprite in sprites], dtype=float).reshape(count, 2)
        self.actor = actors.overlay_surface(self._polydata, sheet.texture)
        self._is_shown = True
        sheet.register(self)

    def exchange(self, k: int, sprite: int) -> None:
        """Replace the sprite of number `k`."""
        if self.sprites[k] != sprite:
            self.sprites[k] = sprite
            self.sizes[k] = self._sheet.size(sprite)
            self._has_uv = False

    def refresh(self) -> None:
        """Read the texture coordinates again, after the sheet was repacked."""
        self._has_uv = False

    def move(self, lower_left: NDArray[np.float64], is_visible: NDArray[np.bool_]) -> None:
        """Move the lower left corners of all sprites to pixels ``(count, 2)``, and hide the invisible ones."""
        low = np.round(lower_left)
        high = low + self.sizes
        corners = self._next  # written in place: nothing large is allocated at each tick
        corners[:, 0], corners[:, 2] = low, high
        corners[:, 1, 0], corners[:, 1, 1] = high[:, 0], low[:, 1]
        corners[:, 3, 0], corners[:, 3, 1] = low[:, 0], high[:, 1]
        self._place(is_visible)

    def bend(self, corners: NDArray[np.float64], is_visible: NDArray[np.bool_]) -> None:
        """Move the corners of all sprites to pixels ``(count, 4, 2)``, counter-clockwise; hide the invisible ones."""
        self._next[:] = corners
        self._place(is_visible)

    def _place(self, is_visible: NDArray[np.bool_]) -> None:
        """Move the corners where they are next; those that stay are not loaded again."""
        is_shown = bool(is_visible.any())
        if is_shown != self._is_shown:
            self._is_shown = is_shown
            self.actor.SetVisibility(is_shown)  # an empty overlay is not drawn at all
        if not self._has_uv:
            for k, sprite in enumerate(self.sprites):
                self._uv[k] = self._sheet.uv(sprite)
            self._polydata.GetPointData().GetTCoords().Modified()
            self._has_uv = True
        if not is_visible.all():
            self._next[~is_visible] = HIDDEN
        if (self._next != self._points[..., :2]).any():
            self._points[..., :2] = self._next
            actors.touch(self._polydata)

    def hide(self) -> None:
        """Hide all sprites until they are moved again."""
        if self._is_shown:
            self._is_shown = False
            self.actor.SetVisibility(False)

    def lift(self, chosen: Container[int]) -> Iterator[tuple[int, tuple[float, float]]]:
        """Hide the visible, upright sprites among `chosen`; yield each with its lower left corner."""
        if not self._is_shown or not self.actor.GetVisibility():
            return
        for k, sprite in enumerate(self.sprites):
            low, high = self._points[k, 0, :2], self._points[k, 2, :2]
            is_upright = np.allclose(high - low, self.sizes[k], atol=0.5)
            if sprite in chosen and is_upright and low[0] > HIDDEN[0]:
                corner = float(low[0]), float(low[1])
                self._points[k, :, :2] = HIDDEN
                yield sprite, corner
        actors.touch(self._polydata)

    def corners(self) -> NDArray[np.float32]:
        """Return the corners in the picture, ``(count, 4, 3)``."""
        return self._points
