"""Film of a lesson: one encoder receives the frames of all shots in turn, drawn as those of films of several shots.

The captions are in a band below the pictures, and a chart to draw in is on a card over them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from framescope.app.exporters.encoding.chapters import Chapter, chapter_inputs
from framescope.app.exporters.encoding.chunks import Film, inputs_of, parts_of
from framescope.app.exporters.encoding.ffmpeg import encode_frames
from framescope.app.exporters.films import gif, video
from framescope.app.exporters.rendering.alpha import Pixels
from framescope.app.exporters.rendering.headless import rendered_frames
from framescope.app.exporters.request import ignore_progress
from framescope.core.system.atomic_write import atomically
from framescope.features.lessons.app.export.lesson_captions import LessonCaptions
from framescope.features.lessons.app.export.lesson_request import LessonRequest
from framescope.features.lessons.app.export.sketch_charts import SketchChart, paint_chart
from framescope.features.lessons.app.export.storyboard import FILM, LessonShot, storyboard
from framescope.ui.qt_support.qt_host import on_qt
from framescope.ui.theme import current_theme

CHART_SHARE = 0.34, 0.42
"""Width and height of a chart in the lower left corner, as fractions of the width and height of the picture."""

CARD = 14.0
"""Margin around the card of a chart, logical pixels; the chart is inset by half of it."""

CHART_ZOOM = 1.25
"""Factor by which the texts of a chart are larger than on paper, as films are read from a distance."""


def write(request: LessonRequest) -> None:
    """Write the film of a lesson atomically."""
    shots = storyboard(request.lesson, request.steps, request.fps)
    texts = [caption for shot in shots for _, caption in shot.captions]
    captions = LessonCaptions(texts, request.size, request.theme, request.scale)
    try:
        film = _film_of(request, shots, captions)
        with atomically(request.path) as partial, parts_of(request.path) as new_part:
            inputs, mapping = inputs_of(film, new_part), ()
            if not film.palette:
                inputs, mapping = chapter_inputs(chapters_of(shots, request.fps), new_part, 1)
            frames = _frames(request, shots, captions)
            encode_frames(request, frames, inputs, (*mapping, *film.arguments, *film.joining), partial)
    except OSError as error:
        raise request.failure(error) from None


def chapters_of(shots: Sequence[LessonShot], fps: float) -> list[Chapter]:
    """Return start and end, s, and title of each step."""
    starts, n = list[tuple[float, str]](), 0
    for shot in shots:
        if shot.title:
            starts.append((n / fps, shot.title))
        n += shot.count
    ends = [*(start for start, _ in starts), n / fps][1:]
    return [(start, end, title) for (start, title), end in zip(starts, ends, strict=True)]


def _film_of(request: LessonRequest, shots: Sequence[LessonShot], captions: LessonCaptions) -> Film:
    """Return the encoder settings, those of films of scenes."""
    if request.path.suffix.lower() == ".gif":
        return gif.film_of(request, _last_frames(replace(request, progress=ignore_progress), shots, captions))
    return video.film_of(request)


def _frames(request: LessonRequest, shots: Sequence[LessonShot], captions: LessonCaptions) -> Iterator[Pixels]:
    """Yield the frames of all shots in turn."""
    done, total = 0, sum(shot.count for shot in shots)
    for shot in shots:
        yield from _shot_frames(request.with_progress_after(done, total), shot, captions, range(shot.count))
        done += shot.count


def _last_frames(request: LessonRequest, shots: Sequence[LessonShot], captions: LessonCaptions) -> Iterator[Pixels]:
    """Yield the last frame of each shot, from which the colour palette of the film is computed."""
    for shot in shots:
        yield from _shot_frames(request, shot, captions, range(shot.count - 1, shot.count))


def _shot_frames(
    request: LessonRequest, shot: LessonShot, captions: LessonCaptions, numbers: range
) -> Iterator[Pixels]:
    """Yield frames (height, width, 3) of a shot. The next frame overwrites the array of the previous one."""
    width, height = request.size
    above = height - captions.height
    part = shot_request(request, shot, (width, above))
    card = None if shot.chart is None else _card(request, shot.chart, (width, above), has_curve=shot.has_curve)
    frame = np.empty((height, width, 3), np.uint8)
    starts = [start for start, _ in shot.captions]
    for i, pixels in zip(numbers, rendered_frames(part, np.array(numbers) / request.fps), strict=True):
        caption = shot.captions[int(np.searchsorted(starts, i, side="right")) - 1][1]
        frame[:above] = pixels
        frame[above:] = captions.strip(caption)
        if card is not None:
            corner = round(CARD * request.scale)
            frame[above - corner - card.shape[0] : above - corner, corner : corner + card.shape[1]] = card
        yield frame


def shot_request(request: LessonRequest, shot: LessonShot, size: tuple[int, int]) -> LessonRequest:
    """Return the request for the pictures of a shot in a size: for the film in its scene."""
    return replace(
        request,
        scene=shot.plan.scene,
        plan=shot.plan,
        size=size,
        start=0.0,
        stop=shot.count / request.fps,
        options=replace(request.options, film=FILM),
    )


def _card(request: LessonRequest, chart: SketchChart, size: tuple[int, int], *, has_curve: bool) -> Pixels:
    """Return a chart on an opaque card, for the corner of a picture of a size."""
    width, height = (round(share * side) for share, side in zip(CHART_SHARE, size, strict=True))
    pixels = np.empty((height, width, 3), np.uint8)

    def paint() -> None:
        image = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888)
        with current_theme.painted_in(request.theme):
            painter = QPainter(image)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(QRectF(0, 0, width, height), current_theme.qcolor("panel"))
            scale = CHART_ZOOM * request.scale
            painter.scale(scale, scale)
            area = QRectF(0, 0, width / scale, height / scale)
            paint_chart(painter, area.adjusted(CARD / 2, CARD / 2, 0, 0), chart, has_curve=has_curve)
            painter.setPen(QPen(current_theme.qcolor("separator"), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
            painter.end()
        del image

    on_qt(paint)
    return pixels
