"""Texts and insets over the pictures of a shot: where they are, and how they look.

The places are the same during the whole shot. Texts that would cover each other are stacked, and an inset moves off
texts and insets that are there at the same time, or takes another corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageFilter
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QPainterPath

from framescope.app.exporters.rendering.alpha import Pixels
from framescope.app.exporters.rendering.answer_board import AnswerBoard
from framescope.app.exporters.rendering.panel_pictures import PanelPictures
from framescope.app.exporters.rendering.plot_pane import PlotPane, even_headers
from framescope.core.evaluation.compile.plots import compile_answer
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.films import EndCard, FilmText, Inset
from framescope.features.films.core.compiled_film import CompiledShot, Window, i_plot_of
from framescope.ui.plots.plot_content import FINE, plot_contents
from framescope.ui.qt_support.qt_host import on_qt
from framescope.ui.scene_view.base.visual import VIDEO
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.geometry.note_pictures import RichStyle, rich_picture
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import METRICS, Theme
from framescope.ui.widgets.angle_unit import AngleUnit

SAFE = 0.05
"""Margin around texts and insets, as a fraction of the shorter side of the picture."""

GAP = 12.0
"""Gap between texts at the same place, logical pixels."""

SIZES = {"small": 0.75, "normal": 1.0, "large": 1.4}
"""Factors on the size of a text."""

LETTERS = {"title": 46.0, "lower third": 26.0, "caption": 21.0, "text": 21.0, "formula": 30.0}
"""Font sizes of the forms of texts, logical pixels."""

BELOW = 0.55
"""Size of the second line of a title or a lower third, in font sizes of the first."""

PLACES = {"title": "center", "lower third": "lower left", "caption": "bottom", "text": "upper left"}
"""Usual places of the forms of texts; a formula is at the lower left."""

CORNERS = ("upper right", "lower right", "upper left", "lower left", "right", "left", "top", "bottom", "center")
"""Places to try for an inset, after the one that is asked for."""

SHADOW = 0.32
"""Radius of the soft shadow behind a title, in font sizes."""

VEIL = 0.5
"""Opacity of the background over the scene behind a title in the middle of the picture."""

ACCENT = 5.0
"""Width of the bar beside a lower third, logical pixels."""

HIGH = 0.62
"""Height of a plot, as a fraction of its width."""

LEAST_PLOT = 300.0
"""Smallest width of a plot, logical pixels."""

CARD_SCALE = 1.25
"""Enlargement of a read-out or a plot, as films are watched from further away than windows."""

UPRIGHT_SCALE = 1.7
"""Enlargement of a plot in an upright picture, which is as wide as a telephone."""

CLOCK = (120.0, 60.0)
"""Width and height that the clock takes in the upper left corner, logical pixels."""

PLATE = 0.9
"""Opacity of the plate of a plot."""

Box = tuple[int, int, int, int]
"""Left, top, width and height in a picture, pixels."""


@dataclass(frozen=True, eq=False)
class Canvas:
    """Picture to lay things over: size, pixels; colours; device pixels per logical pixel; unit of angles."""

    size: tuple[int, int]
    theme: Theme
    scale: float
    angles: AngleUnit

    @property
    def margin(self) -> int:
        """Margin around texts and insets, pixels."""
        return round(SAFE * min(self.size))

    @property
    def room(self) -> tuple[int, int]:
        """Width and height within the margins, pixels."""
        return self.size[0] - 2 * self.margin, self.size[1] - 2 * self.margin


class Overlay:
    """Texts and insets of one shot.

    Parameters
    ----------
    plan, shot
        The scene and the shot.
    canvas
        The picture.
    has_captions, has_clock
        Whether captions are drawn, and whether the picture has a clock.
    """

    def __init__(
        self, plan: Plan, shot: CompiledShot, canvas: Canvas, *, has_captions: bool = True, has_clock: bool = False
    ) -> None:
        self._canvas = canvas
        texts = [(text, window) for text, window in shot.texts]
        self._authored = [text for text, _ in texts]
        self._texts = [
            text_picture(text, canvas) if has_captions or text.form != "caption" else None for text, _ in texts
        ]
        spans = [_span(window, shot) for _, window in texts]
        width, height = (round(side * canvas.scale) for side in CLOCK)
        clocks: list[Box] = [(0, 0, width, height)] if has_clock else []
        self._text_boxes = _text_boxes(self._authored, self._texts, spans, canvas, clocks)
        shown = [(box, span) for box, span, image in zip(self._text_boxes, spans, self._texts, strict=True) if image]
        self._insets: list[_PlotInset | _AnswerInset | PanelPictures] = []
        self._inset_boxes: list[Box] = []
        for inset, window in shot.insets:
            made, span = _inset(plan, inset, shot, canvas), _span(window, shot)
            if made.size == canvas.size:
                box: Box = (0, 0, *canvas.size)
            else:
                others = [*clocks, *(other for other, time in shown if _meet(time, span))]
                box = _free_box(made.size, inset.place, others, canvas)
                shown.append((box, span))
            self._insets.append(made)
            self._inset_boxes.append(box)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Boxes of all texts and insets, pixels."""
        texts = (box for box, image in zip(self._text_boxes, self._texts, strict=True) if image is not None)
        return (*texts, *self._inset_boxes)

    def veil(self, texts: Sequence[float]) -> float:
        """Return the opacity of the background over the scene, behind a title in the middle of the picture."""
        shares = (
            opacity
            for text, opacity in zip(self._authored, texts, strict=True)
            if text.form == "title" and text.at is None and text.place in (None, "center")
        )
        return VEIL * max(shares, default=0.0)

    def draw_on(self, pixels: Pixels, t: float, insets: Sequence[float], texts: Sequence[float]) -> None:
        """Draw insets and texts with some opacities into a picture (h, w, 3 or 4) at a time of the scene, s."""
        for inset, (x, y, _, _), opacity in zip(self._insets, self._inset_boxes, insets, strict=True):
            if opacity > 0.0:
                lay_over(pixels, inset.picture(t), (x, y), opacity)
        for image, (x, y, _, _), opacity in zip(self._texts, self._text_boxes, texts, strict=True):
            if opacity > 0.0 and image is not None:
                lay_over(pixels, image, (x, y), opacity)

    def shown_texts(self, opacities: Sequence[float]) -> list[tuple[int, FilmText, Box]]:
        """Return index, text and box of the texts that are seen with some opacities."""
        texts = zip(self._authored, self._texts, self._text_boxes, opacities, strict=True)
        return [
            (i, text, box) for i, (text, image, box, opacity) in enumerate(texts) if image is not None and opacity > 0.0
        ]

    def close(self) -> None:
        """Delete the widgets of plots."""
        for inset in self._insets:
            inset.close()


def over_each_other(
    a: Overlay, a_opacities: Sequence[float], b: Overlay, b_opacities: Sequence[float]
) -> list[tuple[int, int]]:
    """Return the indices of the seen texts of two shots that cover each other, except equal texts at one place."""
    return [
        (i, j)
        for i, first, here in a.shown_texts(a_opacities)
        for j, second, there in b.shown_texts(b_opacities)
        if _common(here, there) and (here, first.text, first.below) != (there, second.text, second.below)
    ]


def lay_over(pixels: Pixels, image: Image.Image, place: tuple[int, int], opacity: float = 1.0) -> None:
    """Lay a picture with alpha over another (h, w, 3 or 4), in place; parts outside are cut off."""
    x, y = place
    left, top = max(-x, 0), max(-y, 0)
    right, bottom = min(image.width, pixels.shape[1] - x), min(image.height, pixels.shape[0] - y)
    if right <= left or bottom <= top:
        return
    image = image.crop((left, top, right, bottom))
    if opacity < 1.0:
        image.putalpha(image.getchannel("A").point([round(value * opacity) for value in range(256)]))
    part = pixels[y + top : y + bottom, x + left : x + right]
    mode = "RGBA" if pixels.shape[2] == 4 else "RGB"
    below = Image.fromarray(np.ascontiguousarray(part), mode)
    if mode == "RGB":
        below.paste(image, (0, 0), image.getchannel("A"))
    else:
        below.alpha_composite(image)
    part[:] = np.asarray(below)


# --- Texts


def text_picture(text: FilmText, canvas: Canvas) -> Image.Image:
    """Render a text of a film; it is made smaller where it does not fit."""
    theme, scale = canvas.theme, canvas.scale
    size = LETTERS[text.form] * SIZES[text.size]
    widest = 0.9 * canvas.room[0] / (size * scale)
    match text.form:
        case "title":
            rows = [(text.text, size, 600, theme.text), (text.below, BELOW * size, 400, theme.text)]
            picture = _with_shadow(
                _stacked(rows, canvas, widest=0.9 * canvas.room[0], is_centered=True, gap=8.0), canvas, size
            )
        case "lower third":
            rows = [(text.text, size, 600, theme.text), (text.below, 0.68 * size, 400, theme.quiet)]
            picture = _with_bar(
                _stacked(rows, canvas, widest=0.62 * canvas.room[0], is_centered=False, gap=5.0), canvas
            )
        case "caption":
            style = RichStyle(theme.text, size, theme.panel, 0.8, widest=min(widest, 34.0), is_centered=True)
            picture = rich_picture(text.text, style, scale)
        case _:
            style = RichStyle(theme.text, size, theme.raised, widest=min(widest, 26.0))
            picture = rich_picture(text.text, style, scale)
    return _within(picture, canvas.room)


def card_picture(card: EndCard, canvas: Canvas) -> Image.Image:
    """Render the texts of an end card, centred."""
    theme = canvas.theme
    rows = [
        (card.title, LETTERS["title"], 600, theme.text),
        (card.text, 22.0, 400, theme.text),
        (card.licence, 16.0, 400, theme.quiet),
    ]
    return _within(_stacked(rows, canvas, widest=0.8 * canvas.room[0], is_centered=True, gap=18.0), canvas.room)


def _stacked(
    rows: Sequence[tuple[str, float, int, str]], canvas: Canvas, *, widest: float, is_centered: bool, gap: float = 0.0
) -> Image.Image:
    """Render texts of some sizes, weights and colours below each other, without a plate; `gap` in logical pixels."""
    plate = canvas.theme.panel, 0.0, 0.0
    pictures = [
        rich_picture(
            text,
            RichStyle(color, size, *plate, weight, widest / (size * canvas.scale), is_centered, has_pad=False),
            canvas.scale,
        )
        for text, size, weight, color in rows
        if text.strip()
    ]
    if not pictures:
        return Image.new("RGBA", (1, 1), (0, 0, 0, 0))
    step = round(gap * canvas.scale)
    width, height = max(image.width for image in pictures), sum(image.height for image in pictures)
    whole = Image.new("RGBA", (width, height + step * (len(pictures) - 1)), (0, 0, 0, 0))
    y = 0
    for image in pictures:
        whole.alpha_composite(image, ((width - image.width) // 2 if is_centered else 0, y))
        y += image.height + step
    return whole


def _with_shadow(image: Image.Image, canvas: Canvas, size: float) -> Image.Image:
    """Return a picture over its soft shadow in the colour of the background, so that it is legible anywhere."""
    radius = SHADOW * size * canvas.scale
    pad = round(2 * radius)
    whole = Image.new("RGBA", (image.width + 2 * pad, image.height + 2 * pad), rgba(canvas.theme.scene_bottom, 0.0))
    mask = Image.new("L", whole.size, 0)
    mask.paste(image.getchannel("A"), (pad, pad))
    shade = mask.filter(ImageFilter.GaussianBlur(radius)).point([min(round(2.6 * value), 225) for value in range(256)])
    whole.putalpha(shade)
    whole.alpha_composite(image, (pad, pad))
    return whole


def _with_bar(image: Image.Image, canvas: Canvas) -> Image.Image:
    """Return a picture on a plate with a bar in the accent colour at its left."""
    theme, bar, pad = canvas.theme, round(ACCENT * canvas.scale), round(12 * canvas.scale)
    whole = Image.new("RGBA", (image.width + bar + 2 * pad, image.height + 2 * pad), rgba(theme.panel, 0.86))
    whole.paste(rgba(theme.accent), (0, 0, bar, whole.height))
    whole.alpha_composite(image, (bar + pad, pad))
    return whole


def _within(image: Image.Image, room: tuple[int, int]) -> Image.Image:
    """Return a picture, made smaller where it does not fit."""
    factor = min(room[0] / image.width, room[1] / image.height, 1.0)
    if factor == 1.0:
        return image
    return image.resize(
        (max(int(image.width * factor), 1), max(int(image.height * factor), 1)), Image.Resampling.LANCZOS
    )


# --- Places

Span = tuple[float, float]
"""First and last time of a text or an inset in its shot, s."""


def _span(window: Window, shot: CompiledShot) -> Span:
    return window.start or 0.0, shot.duration if window.end is None else window.end


def _meet(a: Span, b: Span) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def box_at(place: str, size: tuple[int, int], canvas: Canvas) -> Box:
    """Return the box of a size at a place of the picture.

    >>> from framescope.ui.theme.tokens import DARK
    >>> from framescope.ui.widgets.angle_unit import DEG
    >>> box_at("lower right", (100, 50), Canvas((1000, 500), DARK, 1.0, DEG))
    (875, 425, 100, 50)
    """
    (width, height), margin = canvas.size, canvas.margin
    x, y = (width - size[0]) // 2, (height - size[1]) // 2
    if "left" in place:
        x = margin
    if "right" in place:
        x = width - margin - size[0]
    if place.startswith(("top", "upper")):
        y = margin
    if place.startswith(("bottom", "lower")):
        y = height - margin - size[1]
    return x, y, *size


def _text_boxes(
    texts: Sequence[FilmText],
    images: Sequence[Image.Image | None],
    spans: Sequence[Span],
    canvas: Canvas,
    taken: Sequence[Box] = (),
) -> list[Box]:
    """Return the box of each text: off the `taken` boxes, and texts at the same time off each other.

    Texts with a place of their own in the picture stay there, and captions come before other texts.
    """
    step = round(GAP * canvas.scale)
    boxes: list[Box] = [(0, 0, 1, 1)] * len(texts)
    placed: list[tuple[Span, Box]] = []
    for i in sorted(range(len(texts)), key=lambda i: (texts[i].at is None, texts[i].form != "caption")):
        text, image, span = texts[i], images[i], spans[i]
        size: tuple[int, int] = (1, 1) if image is None else image.size
        if text.at is not None:
            boxes[i] = _box_around(text.at, size, canvas)
        else:
            place = text.place or PLACES.get(text.form, "lower left")
            others = [*taken, *(box for time, box in placed if _meet(time, span))]
            boxes[i] = _moved_off(box_at(place, size, canvas), place, others, step)
            if not _is_within(boxes[i], canvas):
                boxes[i] = box_at(place, size, canvas)
        if image is not None:
            placed.append((span, boxes[i]))
    return boxes


def _moved_off(box: Box, place: str, others: Sequence[Box], gap: int) -> Box:
    """Return a box moved away from the edge of its place, up or down, until it is a gap away from all others.

    >>> _moved_off((0, 80, 20, 10), "lower left", [(10, 75, 50, 20), (0, 60, 5, 12)], 2)
    (0, 48, 20, 10)
    >>> _moved_off((0, 80, 20, 10), "lower left", [(30, 75, 50, 20)], 2)
    (0, 80, 20, 10)
    """
    x, y, width, height = box
    is_up = place.startswith(("bottom", "lower"))
    for left, top, wide, tall in sorted(others, key=lambda other: -(other[1] + other[3]) if is_up else other[1]):
        if _common((x, y, width, height), (left - gap, top - gap, wide + 2 * gap, tall + 2 * gap)):
            y = top - gap - height if is_up else top + tall + gap
    return x, y, width, height


def _is_within(box: Box, canvas: Canvas) -> bool:
    """Return whether a box is inside the margins, above and below."""
    return canvas.margin <= box[1] and box[1] + box[3] <= canvas.size[1] - canvas.margin


def _box_around(at: tuple[float, float], size: tuple[int, int], canvas: Canvas) -> Box:
    """Return the box around a point, given in fractions of the picture, moved into the margins."""
    x, y = (
        min(max(round(share * side - own / 2), canvas.margin), max(side - canvas.margin - own, canvas.margin))
        for share, side, own in zip(at, canvas.size, size, strict=True)
    )
    return x, y, *size


def _free_box(size: tuple[int, int], wanted: str, others: Sequence[Box], canvas: Canvas) -> Box:
    """Return the box of an inset where it covers nothing: at the wanted place, above or below it, or elsewhere."""
    places = tuple(dict.fromkeys((wanted, *CORNERS)))
    boxes = [box_at(place, size, canvas) for place in places]
    step = round(GAP * canvas.scale)
    moved = [_moved_off(box, place, others, step) for box, place in zip(boxes, places, strict=True)]
    tried = [boxes[0], moved[0], *boxes[1:], *moved[1:]]
    return min((box for box in tried if box in boxes or _is_within(box, canvas)), key=lambda box: _covered(box, others))


def _covered(box: Box, others: Sequence[Box]) -> int:
    """Return the area of a box that lies over other boxes."""
    return sum(_common(box, other) for other in others)


def _common(a: Box, b: Box) -> int:
    """Return the area that two boxes have in common."""
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return max(width, 0) * max(height, 0)


# --- Insets


def _inset(plan: Plan, inset: Inset, shot: CompiledShot, canvas: Canvas) -> _PlotInset | _AnswerInset | PanelPictures:
    if inset.answer is not None:
        return _AnswerInset(plan, inset, canvas)
    if inset.panel is None:
        return _PlotInset(plan, inset, shot, canvas)
    is_whole = inset.width >= 1.0
    is_upright = canvas.size[1] > canvas.size[0]
    wide = canvas.room[0] if is_upright else max(inset.width * canvas.size[0], LEAST_PLOT * canvas.scale)
    width = min(wide, canvas.room[0])
    return PanelPictures(
        plan,
        inset.panel,
        inset.of or "",
        None if is_whole else round(width),
        canvas.size if is_whole else (canvas.room[0], round(canvas.room[1] * (0.5 if is_upright else 1.0))),
        theme=canvas.theme,
        scale=canvas.scale,
        angles=canvas.angles,
    )


class _AnswerInset:
    """Card with the answer to a question."""

    def __init__(self, plan: Plan, inset: Inset, canvas: Canvas) -> None:
        if inset.answer is None:
            raise ValueError("the inset has no answer")
        answer = compile_answer(inset.answer, plan.scene, plan.index)
        plan = replace(plan, view_data=replace(plan.view_data, answers=(answer,)))
        scale = CARD_SCALE * canvas.scale
        room = max(canvas.size[0], round(600 * scale)), max(canvas.size[1], round(400 * scale))
        self._board = AnswerBoard(plan, canvas.theme, scale, room, VIDEO)
        card = self.picture(plan.start)
        self.size = card.size

    def picture(self, t: float) -> Image.Image:
        """Return the card at a time of the scene, s."""
        return self._board.card_picture(t) or Image.new("RGBA", (1, 1), (0, 0, 0, 0))

    def close(self) -> None:
        """Release nothing: a card has no widgets."""


class _PlotInset:
    """Plot on a plate; with `draws` its curves end at the present time."""

    def __init__(self, plan: Plan, inset: Inset, shot: CompiledShot, canvas: Canvas) -> None:
        is_upright = canvas.size[1] > canvas.size[0]
        self._theme, self._scale = canvas.theme, canvas.scale * (UPRIGHT_SCALE if is_upright else CARD_SCALE)
        wide = canvas.room[0] if is_upright else max(inset.width * canvas.size[0], LEAST_PLOT * canvas.scale)
        width = round(min(wide, canvas.room[0]))
        self.size = width, round(min(HIGH * width, (0.3 if is_upright else 0.5) * canvas.room[1]))
        plots = plan.scene.view.plots
        if inset.plot is not None:
            plots = (plots[i_plot_of(inset.plot, [plot.called for plot in plots]) or 0],)
        elif inset.curves is not None:
            plots = (inset.curves,)
        scene = plan.scene.model_copy(update={"view": plan.scene.view.model_copy(update={"plots": plots})})
        first, last = sorted((shot.start, shot.end))
        self._range = (first, last) if last > first else (plan.start, plan.end)
        charts = plot_contents(replace(plan, scene=scene), FINE, self._range, is_simulating=False, angles=canvas.angles)
        within = (charts[0].t >= self._range[0]) & (charts[0].t <= self._range[1])
        self._curves = replace(charts[0], t=charts[0].t[within], ys=charts[0].ys[:, within])
        self._draws = inset.draws
        self._panes: list[PlotPane] = []
        self._grounds: list[QImage] = []
        on_qt(self._build)

    def _build(self) -> None:
        width, height = (side / self._scale for side in self.size)
        with current_theme.painted_in(self._theme):
            for is_empty in (False, True)[: 1 + self._draws]:
                pane = PlotPane(self._scale)
                pane.show(self._curves, self._range, width, height)
                even_headers([pane])
                if is_empty:
                    for item in (pane.canvas.names_item, *pane.canvas.curve_items):
                        item.hide()
                image = QImage(*self.size, QImage.Format.Format_RGBA8888)
                image.fill(0)
                painter = self._painter(image)
                painter.fillRect(QRectF(0.0, 0.0, width, height), current_theme.qcolor("panel"))
                pane.paint_ground(painter)
                painter.end()
                self._panes.append(pane)
                self._grounds.append(image)

    def _painter(self, image: QImage) -> QPainter:
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        painter.scale(self._scale, self._scale)
        path = QPainterPath()
        area = QRectF(0.0, 0.0, self.size[0] / self._scale, self.size[1] / self._scale)
        path.addRoundedRect(area, METRICS.card_radius, METRICS.card_radius)
        painter.setClipPath(path)
        return painter

    def picture(self, t: float) -> Image.Image:
        """Return the plot at a time of the scene, s; beyond its range it rests."""
        return on_qt(lambda: self._paint(min(max(t, self._range[0]), self._range[1])))

    def _paint(self, t: float) -> Image.Image:
        width, height = self.size
        pane = self._panes[0]
        with current_theme.painted_in(self._theme):
            image = self._grounds[0].copy()
            if self._draws:
                x = pane.present_x(t, self._range) * self._scale
                painter = QPainter(image)
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
                area = QRectF(x, 0.0, width - x, height)
                painter.drawImage(area, self._grounds[1], area)
                painter.end()
            painter = self._painter(image)
            pane.paint_moment(painter, t)
            painter.end()
        picture = Image.frombytes("RGBA", self.size, bytes(image.constBits()), "raw", "RGBA", image.bytesPerLine())
        picture.putalpha(picture.getchannel("A").point([round(PLATE * value) for value in range(256)]))
        return picture

    def close(self) -> None:
        """Delete the widgets; nothing is left to delete when the program has ended before the film."""
        panes = [pane for pane in self._panes if pane.is_there]
        if panes:
            on_qt(lambda: [pane.close() for pane in panes])
        self._panes.clear()
