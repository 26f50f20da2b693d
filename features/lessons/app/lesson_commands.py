"""The commands of lessons: ``lesson check``, ``play``, ``export``, ``list`` and ``schema``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from framescope.app.cli.common import EXIT_PROBLEM, printable, printed_errors
from framescope.core.errors import FramescopeError, counted
from framescope.ui.exports.options import ExportOptions, options_in, size_of

lesson = typer.Typer(no_args_is_help=True, help="Check, play and export lessons: files that end in .lesson.md.")

Name = Annotated[str, typer.Argument(metavar="LESSON", help="A lesson file, or the name of a shipped lesson.")]


def _help(option: str) -> str:
    """Return the help of an option of ``export``, for films."""
    return f"Of a film: {options_in(ExportOptions)[option].help}"


def add_group(app: typer.Typer) -> None:
    """Add the commands of lessons."""
    app.add_typer(lesson, name="lesson")


@lesson.command()
def check(
    names: Annotated[list[str], typer.Argument(metavar="LESSON...", help="Lesson files, or names of shipped lessons.")],
) -> None:
    """Check lessons: print their contents and their faults, with lines; exit with 2 if there are faults.

    Scenes, frames, parameters, times and signals that a step names must exist. Each question must have an answer, which
    no note, number, plot or arrow of its step may show.
    """
    if has_faults(names):
        raise typer.Exit(EXIT_PROBLEM)


def has_faults(names: list[str]) -> bool:
    """Print the contents and the faults of lessons. Return True if there are any faults."""
    from framescope.features.lessons.app.lesson_lookup import find_lesson, read_lesson
    from framescope.features.lessons.core.lesson import LessonError

    is_wrong = False
    for name in names:
        try:
            read = read_lesson(find_lesson(name))
        except LessonError as error:
            typer.echo(printable(str(error)))
            is_wrong = True
            continue
        forms = [question.form for staging in read.stagings if (question := staging.question) is not None]
        kinds = f" ({', '.join(dict.fromkeys(forms))})" if forms else ""
        contents = f"{counted(len(read.stagings), 'step')}, {counted(len(forms), 'question')}{kinds}"
        typer.echo(printable(f"{read.path}: {read.lesson.title}: {contents}"))
        for problem in read.advice():
            typer.echo(printable(f"  {problem}"))
            is_wrong = is_wrong or problem.severity == "amber"
    return is_wrong


def check_file(path: Path, as_json: bool) -> int:
    """Print the faults of a lesson for ``framescope check``, and return the exit status.

    With `as_json`, the lesson's own error carries the faults, which the caller prints as a list.
    """
    from framescope.features.lessons.app.lesson_lookup import find_lesson, read_lesson

    if not as_json:
        return EXIT_PROBLEM if has_faults([str(path)]) else 0
    read_lesson(find_lesson(str(path)))
    typer.echo("[]")
    return 0


@lesson.command()
def play(name: Name) -> None:
    """Open the window on a lesson."""
    from framescope.app import startup
    from framescope.features.lessons.app.lesson_lookup import find_lesson

    with printed_errors():
        raise typer.Exit(startup.open_window(str(find_lesson(name))))


@lesson.command("export")
def export_lesson(
    name: Name,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write; its ending sets the format.")],
    *,
    letter: Annotated[bool, typer.Option("--letter", help="Of a handout: Letter paper instead of A4.")] = False,
    size: Annotated[str | None, typer.Option(help=_help("size"))] = None,
    fps: Annotated[float | None, typer.Option(help=_help("fps"))] = None,
    theme: Annotated[str | None, typer.Option(help=_help("theme"))] = None,
    host: Annotated[list[str] | None, typer.Option(metavar="ORIGIN", help=_help("hosts"))] = None,
) -> None:
    """Export a lesson as a page, as a handout to print, or as a film with captions, with no window.

    \b
    OUT is one of:
      lesson.html            page that asks and judges as the window does, in
                             one file, for any browser and with no network
      lesson.pdf             handout: texts, pictures, questions with room for
                             answers, and the right ones on a page at the end
      lesson.mp4             film, H.264: each step is a shot with its motion,
                             its light and its captions, for as long as it
                             takes to read; each question, a pause, and its
                             answer; a chapter for each step
      lesson.webm            the same, VP9
      lesson.gif             the same, 256 colours

    \b
    Examples:
      framescope lesson export gimbal-lock handout.pdf
      framescope lesson export gimbal-lock film.mp4 --size 1920x1080 --theme light
    """  # noqa: D301 (without the backslash the lines would be joined)
    from framescope.features.lessons.app.lesson_lookup import find_lesson, read_lesson

    with printed_errors():
        from framescope.app.startup import export_with_progress
        from framescope.core.system.file_access import Access
        from framescope.core.system.output_check import check_output
        from framescope.features.lessons.app.export.lesson_request import lesson_request

        read = read_lesson(find_lesson(name))
        check_output(out, read.inputs)
        options = ExportOptions(size=_size(size), fps=fps, theme=theme, hosts=host or None)

        def access_to(scene_name: str) -> Access:
            return Access(read.folder_of(scene_name))

        export_with_progress(lesson_request(read.lesson, read.stagings, access_to, out, options, is_letter=letter))
        typer.echo(out)


def _size(text: str | None) -> tuple[int, int] | None:
    """Parse a size that the user typed; raise `FramescopeError` if it is invalid."""
    try:
        return None if text is None else size_of(text)
    except ValueError as error:
        raise FramescopeError(f"size: {error}") from None


@lesson.command("list")
def list_lessons() -> None:
    """Print the names and titles of the shipped lessons."""
    from framescope.features.lessons.app.lesson_lookup import lesson_titles
    from framescope.features.lessons.core import SUFFIX

    for title, path in lesson_titles():
        typer.echo(f"{path.name.removesuffix(SUFFIX)}  {title}")


@lesson.command()
def schema() -> None:
    """Print the JSON Schema of the block of YAML in a step, for editors."""
    from framescope.features.lessons.core.schema import LessonMoment

    typer.echo(json.dumps(LessonMoment.model_json_schema(), indent=1, ensure_ascii=False))
