"""Layouts of a composed picture by name: scene, plots and the read-outs of a frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from framescope.app.exporters.errors import ExportError
from framescope.core.errors import did_you_mean
from framescope.core.evaluation.evaluate import Plan
from framescope.ui.exports.options import ExportOptions
from framescope.ui.widgets.angle_unit import AngleUnit

REFERENCE_SIDE = 720
"""Shorter side, pixels, at which text has its size in the window; text scales with the side."""

MIN_SCALE = 0.25
"""Smallest scale of text, because fonts have no size below one pixel."""

PLOT_WIDTH, PLOT_HEIGHT, LOW_PLOT = 280, 232, 150
"""Smallest width and largest height of a plot, and its smallest height in several rows, logical pixels."""

PLOTS_SHARE = {"plots": 0.6, "lecture": 0.5}
"""Largest share of the height that plots take, by layout."""

ONE_ROW_SHARE = 0.34
"""Share of the height for a single row of plots."""

MIN_SCENE_SIDE = 120
"""Shortest side of the scene beside plots and numbers, logical pixels; a smaller scene would be unreadable."""

COLUMN_WIDTH, COLUMN_HEIGHT = 320, 520
"""Size of the read-outs in one column, logical pixels; two columns are twice as wide and about half as high."""

BESIDE_HEIGHT = 290
MAX_ZOOM = 1.3
"""Largest factor by which read-outs are enlarged over the window, where there is room."""


@dataclass(frozen=True)
class Composed:
    """Layout of a picture, indices of the plots shown, counted from 0, and the frame of the read-outs."""

    layout: str = "scene"
    plots: tuple[int, ...] = ()
    frame: str = ""


@dataclass(frozen=True)
class PixelBox:
    """A rectangle in device pixels; `x` and `y` are its upper left corner."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Arrangement:
    """Places of all parts of a composition.

    Attributes
    ----------
    scale
        Device pixels per logical pixel.
    scene, plots
        Box of the scene, and of each plot.
    panel, panel_columns, panel_zoom
        Box of the read-outs, their number of columns, and their enlargement over the window.
    """

    scale: float
    scene: PixelBox
    plots: tuple[PixelBox, ...] = ()
    panel: PixelBox | None = None
    panel_columns: int = 1
    panel_zoom: float = 1.0


def arrange_parts(layout: str, size: tuple[int, int], n_plots: int, scale: float | None = None) -> Arrangement | None:
    """Return the places of all parts in a picture of `size`; None when the plots do not fit.

    `scale` gives device pixels per logical pixel. Without it the size decides.

    >>> arrange_parts("plots", (1280, 720), 2).scene
    PixelBox(x=0, y=0, width=1280, height=488)
    """
    scale = scale_of(size) if scale is None else scale
    width, height = size[0] / scale, size[1] / scale
    is_tall, is_wide = height > 1.2 * width, width > 1.2 * height
    is_alone, zoom, left = layout == "plots", MAX_ZOOM, 0.0
    if is_tall:
        zoom = min(zoom, width / (2 * COLUMN_WIDTH))
    elif is_wide and not is_alone:
        zoom = min(zoom, height / COLUMN_HEIGHT, 0.4 * width / COLUMN_WIDTH)
        left = COLUMN_WIDTH * zoom
    rows = _rows(n_plots, width - left, height, PLOTS_SHARE[layout], is_tall=is_tall)
    if rows is None:
        return None
    top = height - sum(h for _, h in rows)
    plots = tuple(_plot_boxes(scale, rows, left, top, width))
    if is_alone:
        return Arrangement(scale, _box(scale, 0, 0, width, top), plots)
    if is_tall:
        panel_top = top - BESIDE_HEIGHT * zoom
        panel = _box(scale, 0, panel_top, width, top)
        return Arrangement(scale, _box(scale, 0, 0, width, panel_top), plots, panel, 2, zoom)
    if not is_wide:  # the panel is above the plots, not beside them
        zoom = min(zoom, top / COLUMN_HEIGHT, 0.45 * width / COLUMN_WIDTH)
        left = COLUMN_WIDTH * zoom
    panel = _box(scale, 0, 0, left, height if is_wide else top)
    return Arrangement(scale, _box(scale, left, 0, width, top), plots, panel, 1, zoom)


def scale_of(size: tuple[int, int], text_size: float = 1.0) -> float:
    """Return device pixels per logical pixel in a picture of `size`, with text enlarged by `text_size`.

    >>> scale_of((1920, 1080)), scale_of((1080, 1920)), scale_of((1920, 1080), 2.0)
    (1.5, 1.5, 3.0)
    """
    return max(text_size * min(size) / REFERENCE_SIDE, MIN_SCALE)


Rows = list[tuple[int, float]]
"""Number of plots in each row, and the row's height in logical pixels."""


def _rows(n: int, width: float, height: float, share: float, *, is_tall: bool) -> Rows | None:
    if n == 0:
        return []
    most = share * height
    widest = max(1, int(width // PLOT_WIDTH))
    # In a tall picture: one column as long as it fits.
    n_columns = 1 if is_tall and n * PLOT_HEIGHT <= most else min(n, widest)
    n_rows = math.ceil(n / n_columns)
    row_height = ONE_ROW_SHARE * height if n_rows == 1 else most / n_rows
    if n_rows > 1 and row_height < LOW_PLOT:
        return None
    row_height = min(row_height, PLOT_HEIGHT)
    full, over = divmod(n, n_rows)
    return [(full + (i < over), row_height) for i in range(n_rows)]


def _plot_boxes(scale: float, rows: Rows, start: float, top: float, right: float) -> list[PixelBox]:
    boxes: list[PixelBox] = []
    for count, height in rows:
        plot_width = (right - start) / count
        boxes += [
            _box(scale, start + i * plot_width, top, start + (i + 1) * plot_width, top + height) for i in range(count)
        ]
        top += height
    return boxes


def _box(scale: float, left: float, top: float, right: float, bottom: float) -> PixelBox:
    """Convert a rectangle to device pixels; neighbours share their edges."""
    x, y = round(left * scale), round(top * scale)
    return PixelBox(x, y, round(right * scale) - x, round(bottom * scale) - y)


def checked_layout(
    plan: Plan, size: tuple[int, int], options: ExportOptions, angles: AngleUnit, scale: float
) -> Composed:
    """Return the composition that the options describe; raise `ExportError` for a plot or frame that does not exist."""
    layout, plots, frame = options.layout or "scene", options.plots, options.frame
    if plots is not None and layout == "scene":
        raise ExportError("plots: the scene alone shows no plots. Add layout plots or lecture.")
    if frame and layout != "lecture":
        raise ExportError("frame: only the layout lecture shows the numbers of a frame. Add layout lecture.")
    if layout == "scene":
        return Composed()
    from framescope.ui.plots.plot_content import chart_titles

    charts = _chosen_plots(chart_titles(plan, angles), plots)
    if layout == "plots" and not charts:
        raise ExportError("layout: the scene has no plots. Add one to the scene, or choose the layout scene.")
    if not _has_room(layout, size, len(charts), scale):
        room = max((n for n in range(len(charts)) if _has_room(layout, size, n, scale)), default=0)
        choose = f"Choose up to {room} of them" if room else "Choose another layout"
        smaller = ", or a smaller text_size" if scale > scale_of(size) else ""
        raise ExportError(f"plots: {len(charts)} do not fit into {size[0]}x{size[1]}. {choose}{smaller}.")
    return Composed(layout, charts, _chosen_frame(plan, frame) if layout == "lecture" else "")


def _has_room(layout: str, size: tuple[int, int], n_plots: int, scale: float) -> bool:
    place = arrange_parts(layout, size, n_plots, scale)
    return place is not None and min(place.scene.width, place.scene.height) >= MIN_SCENE_SIDE * scale


def _chosen_plots(titles: list[str], plots: Sequence[str | int] | None) -> tuple[int, ...]:
    if plots is None:
        return tuple(range(len(titles)))
    chosen: list[int] = []
    for entry in plots:
        word = str(entry).strip()
        if word.isdecimal() and 1 <= int(word) <= len(titles):
            chosen.append(int(word) - 1)
            continue
        matches = [i for i, title in enumerate(titles) if title.casefold() == word.casefold()]
        if not matches:
            have = did_you_mean(word, titles) if titles else "The scene has no plots."
            numbers = f" Or a number from 1 to {len(titles)}." if titles else ""
            raise ExportError(f'plots: there is no plot "{word}". {have}{numbers}')
        chosen += matches
    if not chosen:
        raise ExportError("plots: none is named. Leave plots out to show all of them.")
    return tuple(dict.fromkeys(chosen))


def _chosen_frame(plan: Plan, frame: str | None) -> str:
    names = [name for name in plan.names if name in plan.scene.frames]
    if frame:
        check_frame(frame, names)
        return frame
    if not names:
        raise ExportError("layout: a lecture shows the numbers of a frame, and the scene has none but world.")
    with_sequence = [name for name in names if plan.sequence(name) is not None]
    moving = [name for name in names if _is_moving(plan, name)]
    return next(iter((*(name for name in with_sequence if name in moving), *with_sequence, *moving, *names)))


def check_frame(frame: str, names: Sequence[str]) -> None:
    """Raise `ExportError` if no frame has this name."""
    if frame not in names:
        raise ExportError(f'frame: there is no frame "{frame}". {did_you_mean(frame, names)}'.strip())


def _is_moving(plan: Plan, name: str) -> bool:
    motion = plan.tree.motions.get(plan.index[name])
    return motion is not None and not motion.is_constant
