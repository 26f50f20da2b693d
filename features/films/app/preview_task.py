"""Pictures of a film for its panel, drawn in another process: the present moment, and a still of each shot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from framescope.app.background.plan_source import IsCancelled, Report, whole_plan_of
from framescope.app.export_service.tasks import ExportJob, count_undrawn
from framescope.app.exporters.rendering.alpha import Pixels
from framescope.core.errors import FramescopeError
from framescope.features.films.app.film_frames import FilmFrames
from framescope.features.films.app.film_request import open_preview
from framescope.features.films.core.compiled_film import CompiledShot
from framescope.features.films.core.moments import moment_at, moment_in_shot

Size = tuple[int, int]


@dataclass(frozen=True)
class PreviewPicture:
    """Picture of the film: the still of a shot, or of the present moment if `shot` is None.

    Attributes
    ----------
    shot
        Index of the shot.
    size, data
        Width and height, pixels, and the rows of red, green and blue.
    why
        The reason why there is no picture.
    """

    shot: int | None
    size: Size = (0, 0)
    data: bytes = b""
    why: str = ""


@dataclass(frozen=True)
class UndrawnFrames:
    """Number of frames that an export of the film would draw; None where it is unknown."""

    n: int | None


def still_time(shot: CompiledShot) -> float:
    """Return the time of a shot, s, at which its still shows it: late enough for texts and transitions."""
    return 0.6 * shot.duration


_open: dict[tuple[bytes, str, Size, str], FilmFrames] = {}
"""The drawer that the last task of this process has used."""


def draw_preview(
    plan: bytes,
    name: str,
    size: Size,
    theme: str,
    t: float,
    stills: Sequence[int],
    export: ExportJob | None,
    report: Report,
    is_cancelled: IsCancelled,
) -> None:
    """Report the picture of a time of the film, s, the stills of some shots, and the frames that an export draws."""
    try:
        frames = _drawer(plan, name, size, theme)
        report(_picture(None, frames.picture(moment_at(frames.film, t))))
        for k in stills:
            if is_cancelled():
                return
            report(_picture(k, frames.picture(moment_in_shot(frames.film, k, still_time(frames.film.shots[k])))))
        if export is not None and not is_cancelled():
            report(UndrawnFrames(count_undrawn(export)))
    except FramescopeError as error:
        report(PreviewPicture(None, why=str(error)))


def _drawer(plan: bytes, name: str, size: Size, theme: str) -> FilmFrames:
    key = plan, name, size, theme
    if key not in _open:
        while _open:
            _open.popitem()[1].close()
        _open[key] = open_preview(whole_plan_of(plan), name, size, theme)
    return _open[key]


def _picture(k: int | None, pixels: Pixels) -> PreviewPicture:
    height, width = pixels.shape[:2]
    return PreviewPicture(k, (width, height), np.ascontiguousarray(pixels[..., :3]).tobytes())
