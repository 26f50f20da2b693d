"""Plates of problems: an icon and a text on an amber or red background; plates of gaps show live numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from framescope.ui.formatting.number_text import MINUS
from framescope.ui.scene_view.base.label_plates import RunningLine, RunningTexts
from framescope.ui.scene_view.base.problem_marks import ProblemMark
from framescope.ui.scene_view.base.visual import ViewContext
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.geometry.sprites import TextStyle, draw_text, number_style
from framescope.ui.theme.tokens import METRICS, Theme

Array = NDArray[np.float64]

SLOTS = 22
"""Maximum number of characters of a gap: ``0.1402 m  3.14°`` and room for larger values."""

GLYPHS = f"0123456789.e{MINUS}° mrad"
PAD_X, PAD_Y, RADIUS, ICON, ICON_GAP = 8.0, 4.0, 4.0, 13.0, 6.0
GROUND_ALPHA = 0.93
RING_RADIUS, RING_WIDTH = 11.0, 1.75
"""Radius and line width of the circle around a marked item without a body, logical pixels."""
FINE = 4
"""Oversampling factor for smooth corners."""


class ProblemPlates(RunningTexts):
    """One plate for each mark; `write` the plates of gaps, then `place` all."""

    def __init__(self, context: ViewContext, marks: tuple[ProblemMark, ...]) -> None:
        sheet, scale = context.sheet, context.scale
        advance = number_style(context.theme.text, METRICS.number, 500).font(scale).getlength("0")
        lines: list[RunningLine] = []
        for mark in marks:
            color = getattr(context.theme, mark.severity)
            words, digits = TextStyle(color, METRICS.secondary, 500), number_style(color, METRICS.number, 500)
            # An empty run of digits gives text and numbers the same baseline.
            text = draw_text([("gap  " if mark.measurement else mark.text, words), ("", digits)], scale)
            counts = range(SLOTS + 1) if mark.measurement else range(1)
            plates = {n: sheet.add(plate_picture(context, mark, text, n * advance)) for n in counts}
            chars = GLYPHS if mark.measurement else ""
            glyphs = {char: sheet.text([(char, digits), ("", words)]) for char in chars}
            left = round((PAD_X + ICON + ICON_GAP) * scale) + text.width
            lines.append(RunningLine(plates, glyphs, left, round(PAD_Y * scale)))
        super().__init__(sheet, lines, SLOTS, advance)


def gap_text(distance: float, angle: str) -> str:
    """Format a gap: metres with four decimals, and the given angle; zero parts are left out.

    >>> gap_text(0.14021, "3.14°"), gap_text(0.0, "3.14°"), gap_text(0.14021, "0.00°")
    ('0.1402 m 3.14°', '3.14°', '0.1402 m')
    """
    length = f"{distance:.4f} m" if distance < 1e4 else f"{distance:.1e} m".replace("+", "").replace("-", MINUS)
    is_turned = any(digit in angle for digit in "123456789")
    is_off = distance >= 5e-5
    parts = [length] * (is_off or not is_turned) + [angle] * is_turned
    return " ".join(parts)


def plate_picture(context: ViewContext, mark: ProblemMark, text: Image.Image, room: float = 0.0) -> Image.Image:
    """Render a plate with icon and text, and room after them for numbers, device pixels."""
    scale, theme = context.scale, context.theme
    pad_x, pad_y, icon = (round(x * scale) for x in (PAD_X, PAD_Y, ICON))
    left = round((PAD_X + ICON + ICON_GAP) * scale)
    size = (left + text.width + math.ceil(room) + pad_x, text.height + 2 * pad_y)
    image = _background(size, mark.severity, theme, scale)
    image.alpha_composite(_icon(mark.severity, icon, getattr(theme, mark.severity)), (pad_x, (size[1] - icon) // 2))
    image.alpha_composite(text, (left, pad_y))
    return image


def ring_picture(context: ViewContext, severity: str) -> Image.Image:
    """Render the circle around a marked item."""
    color, scale = getattr(context.theme, severity), context.scale * FINE
    size = math.ceil((2.0 * RING_RADIUS + RING_WIDTH) * context.scale) + 2
    large = Image.new("RGBA", (size * FINE, size * FINE), rgba(color, 0.0))
    middle, reach = size * FINE / 2, (RING_RADIUS + RING_WIDTH / 2) * scale
    area = (middle - reach, middle - reach, middle + reach, middle + reach)
    ImageDraw.Draw(large).ellipse(area, outline=rgba(color), width=round(RING_WIDTH * scale))
    return large.resize((size, size), Image.Resampling.BOX)


def _background(size: tuple[int, int], severity: str, theme: Theme, scale: float) -> Image.Image:
    color, ground = rgba(getattr(theme, severity)), rgba(getattr(theme, f"{severity}_ground"), GROUND_ALPHA)
    large = Image.new("RGBA", (size[0] * FINE, size[1] * FINE), (*color[:3], 0))
    width = max(1, round(scale)) * FINE
    area = (0, 0, large.width - 1, large.height - 1)
    ImageDraw.Draw(large).rounded_rectangle(area, RADIUS * scale * FINE, fill=ground, outline=color, width=width)
    return large.resize(size, Image.Resampling.BOX)


def _icon(severity: str, size: int, color: str) -> Image.Image:
    """Render Lucide's octagon-x or triangle-alert without Qt, which renders them elsewhere."""
    unit = size * FINE / 24.0
    large = Image.new("RGBA", (size * FINE, size * FINE), rgba(color, 0.0))
    pen = ImageDraw.Draw(large)
    fill, width = rgba(color), round(2.2 * unit)

    def line(*points: tuple[float, float]) -> None:
        pen.line([(x * unit, y * unit) for x, y in points], fill=fill, width=width, joint="curve")
        for x, y in (points[0], points[-1]):
            r = width / 2
            pen.ellipse((x * unit - r, y * unit - r, x * unit + r, y * unit + r), fill=fill)

    if severity == "red":
        eighths = (np.pi / 8 + np.arange(9) * np.pi / 4).tolist()
        line(*((12 + 10.6 * math.cos(phi), 12 + 10.6 * math.sin(phi)) for phi in eighths))
        line((15, 9), (9, 15))
        line((9, 9), (15, 15))
    else:
        line((12, 3.2), (21.8, 20.4), (2.2, 20.4), (12, 3.2))
        line((12, 9.2), (12, 13.4))
        line((12, 16.9), (12.02, 16.9))
    return large.resize((size, size), Image.Resampling.BOX)
