"""The commands of lessons: ``lesson check``, ``lesson play``, ``lesson list`` and ``lesson schema``."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from framescope.app.cli.common import EXIT_PROBLEM, printable, printed_errors

lesson = typer.Typer(no_args_is_help=True, help="Check and play lessons: files that end in .lesson.md.")

Name = Annotated[str, typer.Argument(metavar="LESSON", help="The file of a lesson, or the name of a shipped one.")]


@lesson.command()
def check(
    names: Annotated[list[str], typer.Argument(metavar="LESSON...", help="Files, or names of shipped ones.")],
) -> None:
    """Say what lessons hold and what is wrong with them, with lines; exit with 2 if anything is.

    All that a step names has to be there: scenes, frames, parameters, times, signals. Each question has to have an
    answer.
    """
    from framescope.app.session.lesson_lookup import find_lesson, read_lesson
    from framescope.core.analysis.lessons.lesson import LessonError

    is_wrong = False
    for name in names:
        try:
            read = read_lesson(find_lesson(name))
        except LessonError as error:
            typer.echo(printable(str(error)))
            is_wrong = True
            continue
        asked = [question.form for staging in read.stagings if (question := staging.question) is not None]
        kinds = f" ({', '.join(dict.fromkeys(asked))})" if asked else ""
        said = f"{len(read.stagings)} steps, {len(asked)} questions{kinds}"
        typer.echo(printable(f"{read.path}: {read.lesson.title}: {said}"))
    if is_wrong:
        raise typer.Exit(EXIT_PROBLEM)


@lesson.command()
def play(name: Name) -> None:
    """Open the window on a lesson."""
    from framescope.app import startup
    from framescope.app.session.lesson_lookup import find_lesson

    with printed_errors():
        raise typer.Exit(startup.open_window(str(find_lesson(name))))


@lesson.command("list")
def list_lessons() -> None:
    """Print the names and titles of the shipped lessons."""
    from framescope.app.session.lesson_lookup import lesson_titles
    from framescope.core.analysis.lessons import SUFFIX

    for title, path in lesson_titles():
        typer.echo(f"{path.name.removesuffix(SUFFIX)}  {title}")


@lesson.command()
def schema() -> None:
    """Print the JSON Schema of the block of YAML in a step, for editors."""
    from framescope.core.analysis.lessons.schema import Moment

    typer.echo(json.dumps(Moment.model_json_schema(), indent=1, ensure_ascii=False))
