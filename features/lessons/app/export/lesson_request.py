"""Checked request for the export of a lesson: a request for a film or a picture, and the steps of the lesson."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.registry import request_for
from framescope.app.exporters.request import ExportRequest
from framescope.core.errors import did_you_mean
from framescope.core.system.features import missing_provider
from framescope.core.system.file_access import Access
from framescope.features.lessons.app.export.drawn_steps import DrawnStep, drawn_step
from framescope.features.lessons.app.export.paper import A4, LETTER, Paper
from framescope.features.lessons.app.export.plain_text import plain_text
from framescope.features.lessons.core.lesson import Lesson
from framescope.features.lessons.core.staging import Staging
from framescope.ui.exports.options import ExportOptions

PAGE, HANDOUT = ".html", ".pdf"
FILMS = (".mp4", ".webm", ".gif")
ENDINGS = (PAGE, HANDOUT, *FILMS)

_HERE = "framescope.features.lessons.app.export"
_MODULES = {PAGE: "page", HANDOUT: "handout"}


@dataclass(frozen=True, eq=False)
class LessonRequest(ExportRequest):
    """Request for the export of a lesson; scene and plan belong to its first step."""

    lesson: Lesson
    steps: tuple[DrawnStep, ...]
    paper: Paper


def lesson_request(
    lesson: Lesson,
    stagings: Sequence[Staging],
    access_to: Callable[[str], Access],
    out: Path | str,
    options: ExportOptions,
    *,
    is_letter: bool = False,
) -> LessonRequest:
    """Return the request for a lesson's page, handout or film.

    Parameters
    ----------
    lesson, stagings
        Lesson without faults, and the stagings of its steps.
    access_to
        Function that returns the files that the scene of a name may read.
    out
        File to write; its suffix sets the format.
    options
        Size, frame rate and theme of a film, and the hosts of a page.
    is_letter
        Whether a handout uses Letter paper instead of A4.

    Raises
    ------
    ExportError
        When the format or an option is not supported.
    """
    path = Path(out)
    _check(path, options, is_letter=is_letter)
    suffix = path.suffix.lower()
    steps = tuple(drawn_step(i, staging, access_to(staging.scene_name)) for i, staging in enumerate(stagings, 1))
    first = steps[0].plan
    all_options = options if suffix == PAGE else replace(options, title=plain_text(lesson.title))
    scene_request = request_for(first.scene, first, path, all_options, is_still=suffix == HANDOUT)
    made = replace(scene_request.made, module=f"{_HERE}.{_MODULES.get(suffix, 'film')}")
    fields: dict[str, Any] = {**vars(scene_request), "made": made}
    return LessonRequest(**fields, lesson=lesson, steps=steps, paper=LETTER if is_letter else A4)


def _check(path: Path, options: ExportOptions, *, is_letter: bool) -> None:
    suffix = path.suffix.lower()
    if suffix not in ENDINGS:
        message = f'"{suffix}" is no format of lessons' if suffix else "the file name has no ending"
        near = did_you_mean(suffix, ENDINGS) if suffix else ""
        raise ExportError(
            f"{path.name}: {message}. Use .html for a page, .pdf for a handout, .mp4, .webm or .gif for a film."
            f" {near}".strip()
        )
    names = {PAGE: ("page", {"theme", "hosts"}), HANDOUT: ("handout", set[str]())}
    if suffix in names:
        format_name, takes = names[suffix]
        unsupported = [
            *(name for name in options.explicit_values if name not in takes),
            *(["letter"] * (is_letter and suffix == PAGE)),
        ]
        if unsupported:
            other = "handout" if suffix == PAGE else "film, such as lesson.mp4"
            raise ExportError(
                f"{unsupported[0]}: a {format_name} takes no {unsupported[0]}. Leave it out, or write a {other}."
            )
    elif feature := missing_provider("film"):
        raise ExportError(f"{path.name}: the shots of films are drawn by {feature}. Write a page or a handout.")
    elif is_letter:
        raise ExportError("letter: a film has no paper. Leave it out, or write a handout, such as lesson.pdf.")
