"""Request for a film of several shots: its size, frame rate and duration, from the film and the options of the user."""

from __future__ import annotations

from dataclasses import replace

from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.layouts import scale_of
from framescope.app.exporters.registry import request_for
from framescope.app.exporters.request import ExportRequest, FrameSource
from framescope.core.errors import did_you_mean
from framescope.core.evaluation.evaluate import Plan
from framescope.features.films.app.film_frames import MOST_RENDERERS, FilmFrames
from framescope.features.films.core.compiled_film import compile_film
from framescope.ui.exports.options import ExportOptions, fill_defaults

TAKEN = frozenset(
    {
        *("film", "size", "fps", "theme", "transparent", "bare", "angle_unit", "text_size", "quality", "title"),
        *("license", "samples", "jobs"),
    }
)
"""Options that a film takes."""

MAX_TITLE = 1000
"""Longest title in a file, characters."""


def prepare_film(request: ExportRequest, given: ExportOptions) -> ExportRequest:
    """Return the request for a film; raise `ExportError` for an unknown film, or an option that films do not take."""
    films, name = request.plan.scene.film, given.film or ""
    if name not in films:
        have = did_you_mean(name, films) if films else "The scene has no films."
        raise ExportError(f'film: there is no film "{name}". {have}')
    for option in given.explicit_values:
        if option not in TAKEN:
            raise ExportError(f"{option}: a film has its own shots and takes no {option}. Leave it out.")
    film = films[name]
    fps = given.fps or (min(film.fps, request.made.max_fps) if film.fps else request.made.fps)
    compiled, _ = compile_film(request.plan, name, fps)
    size = given.size or film.size or request.size
    title = (given.title or " ".join(film.title.split()) or request.title).strip()[:MAX_TITLE]
    card = film.end_card
    licence = (given.license or ("" if card is None else " ".join(card.licence.split()))).strip()
    options = replace(fill_defaults(given), fps=fps, size=size, title=title or None, license=licence or None)
    untaken = dict.fromkeys(("layout", "camera", "speed", "hold", "accuracy"))
    return replace(
        request,
        options=replace(options, **untaken),
        made=replace(request.made, module="framescope.features.films.app.film_export"),
        fps=fps,
        size=size,
        scale=scale_of(size, options.text_size or 1.0),
        start=0.0,
        stop=compiled.duration,
        title=title,
        license=licence,
    )


def open_preview(plan: Plan, name: str, size: tuple[int, int], theme: str = "dark") -> FilmFrames:
    """Return the drawer of a film in a size, pixels; its `picture` draws the moment of any time (`moment_at`).

    Raises
    ------
    ExportError
        When there is no such film, or the size is too small.
    """
    return FilmFrames(request_for(plan.scene, plan, "preview.apng", ExportOptions(film=name, size=size, theme=theme)))


def count_undrawn(request: ExportRequest) -> int | None:
    """Return how many frames of a film an export would draw, for formats that keep parts and need no palette first."""
    from framescope.features.films.app.film_export import film_settings
    from framescope.features.films.app.kept_parts import frames_to_draw

    if request.made.key == "frames" or request.path.suffix.lower() == ".gif":
        return None
    film, _ = compile_film(request.plan, request.options.film or "", request.fps)
    return frames_to_draw(request, film, film_settings(request))


SOURCE = FrameSource(prepare_film, FilmFrames, windows=MOST_RENDERERS + 1, takes=TAKEN, count_undrawn=count_undrawn)
"""Source of the frames of films."""
