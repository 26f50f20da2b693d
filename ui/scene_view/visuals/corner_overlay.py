"""Overlay in the corners: title, clock and grid scale; in videos also a bar, a legend and the source."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from PIL import Image, ImageDraw

from framescope.core.evaluation.evaluate import Plan
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.default_sizes import BAR_HEIGHT
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells, rgba, set_colors
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, TextStyle, draw_text, number_style
from framescope.ui.scene_view.visuals.grid import grid_note
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS

CLOCK_SLOTS = 10
MINUS = "\u2212"
MARGIN = METRICS.padding
CLOCK_TOP = 8
"""Distance of a large clock from the top, in line with the buttons, logical pixels."""
CLOCK_WIDTH = 140
"""Width taken by a large clock in the upper right corner, its margin included, logical pixels."""

TOOLS_WIDTH = 170
"""Width taken by the buttons of the window beside that corner, logical pixels."""
LONGEST = 200
"""Largest number of characters of a title that are drawn."""

SMALLER = (1.0, 0.8, 0.65)
"""Fractions of its size that are tried for a whole title, before it is cut."""

SHORTER = (0.8, 0.6, 0.4, 0.25, 0.15)
"""Fractions of a title that are tried if it does not fit into a narrow picture."""


class Overlay(Visual):
    """Texts in the corners. Only the digits of the clock change from tick to tick."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        if not context.decorations.corners:
            return
        self._has_bar = context.decorations.title_bar
        theme, sheet = context.theme, context.sheet
        scene = context.plan.scene
        if self._has_bar:
            self._bar = _Bar(context)
            self.overlay_actors.append(self._bar.actor)
        self._sheet = sheet
        # In both sizes, so that a change of place or the projector's view rebuilds nothing.
        self._corners = {is_large: _Corners(context, is_large=is_large) for is_large in (False, True)}
        for corners in self._corners.values():
            self.overlay_actors.append(corners.fixed_texts.actor)
            if context.decorations.clock:
                self.overlay_actors.append(corners.clock.actor)
        self._extra: SpriteBatch | None = None
        if self._has_bar:
            source = sheet.text(scene.source or " ", TextStyle(theme.quiet, METRICS.caption, 400))
            self._extra = SpriteBatch(sheet, [source, sheet.add(_legend(context))])
            self.overlay_actors.append(self._extra.actor)

    @property
    def clock(self) -> _Clock:
        """The clock that is shown."""
        return self._corners[self.context.has_large_corners].clock

    @property
    def fixed_texts(self) -> SpriteBatch:
        """The title and the note on the grid that are shown."""
        return self._corners[self.context.has_large_corners].fixed_texts

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        """Return the displayed texts."""
        return plan.scene.title, plan.scene.source

    def show(self, tick: Tick) -> None:
        """Update the clock."""
        self._t = float(tick.snapshot.t)

    def place(self, projection: Projection) -> None:
        """Place the texts in their corners."""
        px, width, height = self.context.px, projection.width, projection.height
        margin, is_large = px(MARGIN), self.context.has_large_corners
        corners, clock = self._corners[is_large], self.clock
        self._corners[not is_large].hide()
        clock.set(self._t)
        room = self._title_room(width)
        fitting = (title for title in corners.titles if self._sheet.size(title)[0] <= room)
        corners.fixed_texts.exchange(0, next(fitting, corners.titles[-1]))
        sizes = corners.fixed_texts.sizes
        grid = (width - margin - sizes[1, 0], margin - px(4))
        if self._has_bar:
            middle = height - px(BAR_HEIGHT) / 2
            title = (margin, middle - sizes[0, 1] / 2)
            self._bar.place(width, height)
            clock.place(width - margin - clock.width, middle - clock.height / 2)
        else:
            title = (margin, height - margin - sizes[0, 1])
            if is_large:
                clock.place(width - margin - clock.width, height - px(CLOCK_TOP) - clock.height)
            else:
                clock.place(margin, title[1] - clock.height - px(1))
        corners.fixed_texts.move(np.array([title, grid]), np.full(2, self.context.decorations.title))
        if self._extra is not None:
            legend = (width - margin - self._extra.sizes[1, 0], grid[1] + sizes[1, 1] + px(2))
            self._extra.move(np.array([(margin, margin - px(4)), legend]), np.array([True, True]))

    def _title_room(self, width: float) -> float:
        """Return the width that clock and buttons leave for the title at the upper edge, pixels."""
        px, decorations = self.context.px, self.context.decorations
        has_clock = decorations.clock and (self._has_bar or self.context.has_large_corners)
        used = self.clock.width + px(MARGIN) if has_clock and not decorations.tools else 0.0
        if decorations.tools:
            used = self.context.px_of_tools(TOOLS_WIDTH) + (px(CLOCK_WIDTH) if self.context.has_large_corners else 0.0)
        return width - 2 * px(MARGIN) - used


def shorter_titles(title: str) -> list[str]:
    """Return a title and shorter forms of it, cut between words where possible.

    >>> shorter_titles("Recorded camera and a gimbal")
    ['Recorded camera and a gimbal', 'Recorded camera and a…', 'Recorded camera…', 'Recorded…', 'Recorde…', 'Reco…']
    """
    titles = [title if len(title) <= LONGEST else f"{title[:LONGEST]}…"]
    title = title[:LONGEST]
    for share in SHORTER:
        cut = title[: max(round(share * len(title)), 1)]
        is_between_words = title[len(cut) : len(cut) + 1] in ("", " ")
        stem = cut if is_between_words else cut.rpartition(" ")[0] or cut
        titles.append(f"{stem.rstrip(' ,;:')}…")
    return titles if title.strip() else [title]


class _Corners:
    """Title, note on the grid and clock in one of their two sizes."""

    def __init__(self, context: ViewContext, *, is_large: bool) -> None:
        theme, sheet = context.theme, context.sheet
        size = METRICS.teach_title if is_large else METRICS.scene_title
        style = TextStyle(theme.text, size, 600)
        title, *shorter = shorter_titles(context.plan.scene.title or " ")
        self.titles = [
            *(sheet.text(title, TextStyle(theme.text, round(share * size), 600)) for share in SMALLER),
            *(sheet.text(text, style) for text in (*shorter, " ")),
        ]
        """Sprites of the title and of shorter forms of it, the longest first."""
        # The steps of a rotation shown turn by turn occupy the bottom.
        note = grid_note(context.plan.view_data.grid) if context.staged_rotation is None else " "
        grid = sheet.text(note, TextStyle(theme.quiet, METRICS.secondary, 400))
        self.fixed_texts = SpriteBatch(sheet, [self.titles[0], grid])
        self.clock = _Clock(context, is_large=is_large)

    def hide(self) -> None:
        """Hide all texts."""
        self.fixed_texts.hide()
        self.clock.hide()


class _Clock:
    """The time, ``t 26.40 s``: one sprite per character, exchanged as time runs."""

    def __init__(self, context: ViewContext, *, is_large: bool) -> None:
        sheet, theme = context.sheet, context.theme
        quiet = TextStyle(theme.quiet, METRICS.scene_title if is_large else METRICS.secondary, 400)
        digits = number_style(theme.text, METRICS.teach_clock if is_large else METRICS.base, 500 if is_large else 400)

        def on_one_line(*runs: tuple[str, TextStyle]) -> int:
            # Empty runs of the other style give all sprites the same baseline.
            return sheet.text([*runs, ("", quiet), ("", digits)])

        self._glyphs = {char: on_one_line((char, digits)) for char in f"0123456789.{MINUS} "}
        self._parts = [
            on_one_line(("" if is_large else "t ", quiet)),
            *[self._glyphs[" "]] * CLOCK_SLOTS,
            on_one_line((" s", quiet)),
        ]
        self._batch = SpriteBatch(sheet, self._parts)
        self._advance = digits.font(context.scale).getlength("0")
        self._text = "0.00"
        self.height = float(self._batch.sizes[0, 1])
        self.actor = self._batch.actor

    @property
    def width(self) -> float:
        """Width of the whole line, pixels."""
        sizes = self._batch.sizes
        return float(sizes[0, 0] + len(self._text) * self._advance + sizes[-1, 0])

    def hide(self) -> None:
        """Hide the line until it is placed again."""
        self._batch.hide()

    def set(self, t: float) -> None:
        """Display a time in seconds."""
        self._text = clock_text(t)[:CLOCK_SLOTS]
        for k, char in enumerate(self._text):
            self._batch.exchange(1 + k, self._glyphs[char])

    def place(self, x: float, y: float) -> None:
        """Place the lower left corner of the line at a pixel."""
        count = len(self._text)
        at = np.full((CLOCK_SLOTS + 2, 2), y)
        at[0, 0] = x
        at[1:-1, 0] = x + self._batch.sizes[0, 0] + np.arange(CLOCK_SLOTS) * self._advance
        at[-1, 0] = at[1, 0] + count * self._advance
        is_visible = np.ones(CLOCK_SLOTS + 2, dtype=bool)
        is_visible[1 + count : -1] = False
        self._batch.move(at, is_visible)


def clock_text(t: float) -> str:
    """Format a time with two decimals and a true minus sign.

    >>> clock_text(26.4), clock_text(-0.001)
    ('26.40', '0.00')
    """
    text = f"{t:.2f}"
    return "0.00" if text == "-0.00" else text.replace("-", MINUS)


class _Bar:
    """The strip along the top of a video."""

    def __init__(self, context: ViewContext) -> None:
        self._height = round(context.px(BAR_HEIGHT))
        self._line = max(1, round(context.px(1)))
        theme = context.theme
        self._polydata = pv.PolyData(np.zeros((8, 3), dtype=np.float32), faces=pv_cells(np.arange(8).reshape(2, 4)))
        colors = np.repeat([rgba(theme.panel), rgba(theme.separator)], 4, axis=0).astype(np.uint8)
        set_colors(self._polydata, colors)
        self._corners = actors.points_of(self._polydata).reshape(2, 4, 3)
        self.actor = actors.overlay_surface(self._polydata)

    def place(self, width: int, height: int) -> None:
        """Stretch the strip over the top of the picture."""
        bottom = height - self._height
        for corners, low, high in zip(self._corners, (bottom, bottom - self._line), (height, bottom), strict=True):
            corners[:, :2] = (0, low), (width, low), (width, high), (0, high)
        actors.touch(self._polydata)


def _legend(context: ViewContext) -> Image.Image:
    """Render shape and letter of each axis on one line."""
    fine, scale = 4, context.scale
    theme = context.theme
    mark, gap = round(9 * scale), round(5 * scale)
    images: list[Image.Image] = []
    for letter, color, text_color in zip(AXIS_LETTERS, theme.axes, theme.axis_texts, strict=True):
        shape = Image.new("RGBA", (mark * fine, mark * fine), rgba(color, 0.0))
        draw, end = ImageDraw.Draw(shape), mark * fine - 1
        if letter == "x":
            draw.polygon([(0, end), (end, end), (end / 2, 0)], fill=rgba(color))
        elif letter == "y":
            draw.rectangle((end * 0.08, end * 0.08, end * 0.92, end * 0.92), fill=rgba(color))
        else:
            draw.ellipse((0, 0, end, end), fill=rgba(color))
        images.append(shape.resize((mark, mark), Image.Resampling.BOX))
        images.append(draw_text([(letter, TextStyle(text_color, METRICS.secondary, 600))], scale))
    height = max(image.height for image in images)
    width = sum(image.width for image in images) + gap * (len(images) + 1)
    line = Image.new("RGBA", (width, height))
    x = 0
    for k, image in enumerate(images):
        line.alpha_composite(image, (x, (height - image.height) // 2))
        x += image.width + gap * (1 + k % 2)
    return line.crop((0, 0, x - 2 * gap, height))
