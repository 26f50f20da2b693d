"""Legend of arrow scales, in the lower right corner: the length of one unit of each quantity."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.sensors import RecordedSensor, Sensor
from framescope.ui.scene_view.base.visual import ViewContext, Visual, system_of
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, TextStyle, draw_text, letter_ground, rounded_plate
from framescope.ui.scene_view.visuals.arrow_labels import readable
from framescope.ui.scene_view.visuals.corner_overlay import MARGIN
from framescope.ui.scene_view.visuals.sensor_arrows import SYMBOLS
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.angle_unit import AngleUnit

ROW = 19.0
ICON = (26.0, 9.0)
GAP, SYMBOL = 8.0, 15.0
"""Gap between arrow and symbol, and distance from there to the scale, logical pixels."""
LINES_BELOW = 1.0
"""Lines of the corner taken by the note on the grid; in a video one more, by the legend of the axes."""

SHORT_MM = 100.0
"""Length below which a scale is given in millimetres, mm."""

LINES_OF_STEPS = 2.5
"""Lines taken at the bottom by the steps of a rotation that is shown turn by turn."""


class ArrowScales(Visual):
    """One line for each kind of arrow, above the note on the grid."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        notes = scale_notes(context) if context.decorations.corners else []
        if not notes:
            return
        sprites = [context.sheet.add(render_scale_line(symbol, text, color, context)) for symbol, text, color in notes]
        self.batch = SpriteBatch(context.sheet, sprites)
        self.overlay_actors.append(self.batch.actor)

    def place(self, projection: Projection) -> None:
        """Place the lines in the corner."""
        at = self._places(projection)
        self.batch.move(at, np.ones(len(at), dtype=bool))

    def occupy(self, projection: Projection) -> None:
        """Keep names off the lines."""
        left = self._places(projection)[0, 0]
        self.context.occupied.add_corner(left, 0.0, projection.width, self.top(projection))

    def top(self, projection: Projection) -> float:
        """Return the height of the lines from the lower edge of the picture, pixels."""
        return float(self._places(projection)[0, 1] + self.batch.sizes[0, 1])

    def _places(self, projection: Projection) -> NDArray[np.float64]:
        """Return the lower left corners of the lines ``(n, 2)``, pixels."""
        px, sizes = self.context.px, self.batch.sizes
        below = (
            LINES_BELOW
            + self.context.decorations.title_bar
            + LINES_OF_STEPS * (self.context.staged_rotation is not None)
        )
        rows = np.arange(len(sizes))[::-1]
        at = np.empty_like(sizes)
        at[:, 0] = projection.width - px(MARGIN) - sizes[:, 0].max()  # arrows and symbols are aligned in columns
        at[:, 1] = px(MARGIN) - px(4) + (below + rows) * px(ROW)
        return at


def scale_notes(context: ViewContext) -> list[tuple[str, str, str]]:
    """Return symbol, authored scale and colour of each kind of arrow, with the frames if sensors differ in scale."""
    theme, scene = context.theme, context.plan.scene
    sensors = context.plan.instruments.sensors
    notes: list[tuple[str, str, str]] = []
    for key, symbol in SYMBOLS.items():
        frames: dict[str, list[str]] = {}
        for name, compiled in sensors.items():
            if key in compiled.arrows:
                frames.setdefault(_unit_length(scene.sensors[name], key), []).append(compiled.at)
        several = len(frames) > 1
        notes += [
            (symbol, ", ".join([scale_text(scale, context.angles), *(at if several else ())]), theme.sensor)
            for scale, at in frames.items()
        ]
    system = system_of(context.plan)
    if system is not None and system.points:
        for symbol, length, authored, color in (
            ("F", context.view_data.forces, scene.view.forces, theme.force),
            ("M", context.view_data.torques, scene.view.torques, theme.omega),
        ):
            if length is not None:
                notes.append((symbol, str(authored), color))
    return notes


def _unit_length(sensor: Sensor, key: str) -> str:
    """Return the length that the scene sets for one unit of the quantity that an arrow shows."""
    return str(sensor.arrow if isinstance(sensor, RecordedSensor) else getattr(sensor.arrows, key))


def scale_text(authored: str, angles: AngleUnit) -> str:
    """Return a scale as authored; a scale of a rate is converted to the display unit of rates.

    >>> from framescope.ui.widgets.angle_unit import DEG, RAD
    >>> scale_text("0.12 m per rad/s", DEG), scale_text("0.12 m per rad/s", RAD), scale_text("50 mm per m/s", DEG)
    ('2.09 mm per °/s', '0.12 m per rad/s', '50 mm per m/s')
    """
    length, per, of = authored.partition(" per ")
    unit, factor = angles.shown(of)
    if factor == 1.0:
        return authored
    quantity = Quantity.parse(length)
    mm = 1e3 * quantity.si("length", ()) / factor
    converted = f"{mm:.3g} mm" if mm < SHORT_MM else f"{mm / 1e3:.3g} m"
    return f"{converted}{per}{unit}"


def render_scale_line(symbol: str, text: str, color: str, context: ViewContext) -> Image.Image:
    """Render arrow, symbol and scale on one line, on a plate if a rotation is shown turn by turn."""
    theme, scale = context.theme, context.scale
    letter = TextStyle(readable(color, theme), METRICS.secondary, 600)
    quiet = TextStyle(theme.quiet, METRICS.secondary, 400)
    # Empty runs of the other style give both texts the same baseline.
    parts = draw_text([(symbol, letter), ("", quiet)], scale), draw_text([("", letter), (text, quiet)], scale)
    icon = _icon(color, scale)
    starts = [icon.width + round(GAP * scale), icon.width + round((GAP + SYMBOL) * scale)]
    line = Image.new("RGBA", (starts[1] + parts[1].width, parts[1].height))
    line.alpha_composite(icon, (0, (line.height - icon.height) // 2))
    for part, x in zip(parts, starts, strict=True):
        line.alpha_composite(part, (x, 0))
    if context.staged_rotation is None:
        return line
    ground = letter_ground(theme.scene_top)  # the rings and axes of the rotation reach the legend
    pad, fill = round(ground.pad_x * scale), rgba(ground.color, ground.alpha)
    plate = rounded_plate((line.width + 2 * pad, line.height), ground.radius * scale, fill).copy()
    plate.alpha_composite(line, (pad, 0))
    return plate


def _icon(color: str, scale: float) -> Image.Image:
    fine = 4
    width, height = (round(side * scale) for side in ICON)
    image = Image.new("RGBA", (width * fine, height * fine), rgba(color, 0.0))
    draw, w, h = ImageDraw.Draw(image), width * fine, height * fine
    neck, half = w - 1.15 * h, 0.11 * h
    draw.rectangle((0, h / 2 - half, neck, h / 2 + half), fill=rgba(color))
    draw.polygon([(neck, 0), (w - 1, h / 2), (neck, h - 1)], fill=rgba(color))
    return image.resize((width, height), Image.Resampling.BOX)
