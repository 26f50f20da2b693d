"""Common part of commands that take a scene: its name, reading it, its problems as lines and exit status."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from framescope.app.errors import GraphicsError
from framescope.core.errors import FramescopeError

if TYPE_CHECKING:
    from framescope.core.errors import Problem
    from framescope.core.evaluation.evaluate import Plan
    from framescope.core.scene.files.loading import LoadedScene
    from framescope.core.system.file_access import Access

EXIT_PROBLEM = 2
"""Exit status when a scene has a problem or a request cannot be met."""

EXIT_SYSTEM = 3
"""Exit status when something of the system is missing, as of ``run.py``."""

AllowOutside = Annotated[
    bool,
    typer.Option("--allow-outside", help="Read files that the scene names outside its folder. Only if you trust it."),
]
SceneName = Annotated[str, typer.Argument(metavar="SCENE", help="A scene file, a bundle, or the name of an example.")]


@contextmanager
def printed_errors() -> Generator[None]:
    """Turn an error raised on purpose into its message and exit status, 2 or 3, without a traceback."""
    try:
        yield
    except FramescopeError as error:
        typer.echo(printable(str(error)), err=True)
        raise typer.Exit(EXIT_SYSTEM if isinstance(error, GraphicsError) else EXIT_PROBLEM) from None


def load(named: str, *, allow_outside: bool, out: str | Path) -> tuple[LoadedScene, Plan]:
    """Return the scene that a command names, with its plan, and print what could not be taken over.

    Raises
    ------
    OutputIsInputError
        When `out`, which the command is to write, is a file that it reads. A ``-`` stands for standard output.
    """
    from framescope.core.scene.files.referenced_files import files_read
    from framescope.core.system.output_check import check_output

    loaded, plan, problems = read(named, allow_outside=allow_outside)
    if str(out) != "-":
        inputs = files_read(plan.scene, access_to(loaded, allow_outside=allow_outside))
        check_output(Path(out), [Path(named), loaded.path, *inputs])
    for problem in problems:
        print_problem(loaded, problem)
    return loaded, plan


def read(named: str, *, allow_outside: bool) -> tuple[LoadedScene, Plan, tuple[Problem, ...]]:
    """Return the scene that a command names, with its plan, and what could not be taken over of another file."""
    from framescope.app.importers.registry import read_scene
    from framescope.app.session.scene_lookup import find_scene, unpacked
    from framescope.core.evaluation.evaluate import compile_plan

    loaded, problems = read_scene(unpacked(find_scene(named)))
    return loaded, compile_plan(loaded.scene, access=access_to(loaded, allow_outside=allow_outside)), problems


def access_to(loaded: LoadedScene, *, allow_outside: bool) -> Access:
    """Return which files the names in a scene may stand for."""
    from framescope.core.system.file_access import Access

    return Access(loaded.home, allow_all=allow_outside)


def all_problems(plan: Plan) -> tuple[Problem, ...]:
    """Return what is wrong with a plan, with the mesh files it draws, and with the robots in it."""
    from framescope.app.session.mesh_problems import mesh_problems
    from framescope.core.analysis.diagnostics.files.robot_problems import robot_problems

    return (*plan.problems, *mesh_problems(plan), *(one.problem for one in robot_problems(plan)))


def say_faults(named: str, plan: Plan) -> None:
    """Say on standard error that a scene has frames of a bag with faults, and what tells them."""
    from framescope.core.analysis.diagnostics.files.bag_problems import bag_problems
    from framescope.core.recordings.bags.bag_file import is_bag_at

    n = sum(one.problem.severity != "note" for one in bag_problems(plan))
    if n:
        deep = "" if is_bag_at(Path(named)) else " --deep"
        what = "fault" if n == 1 else "faults"
        typer.echo(printable(f"{named}: {n} {what} in recorded frames: framescope check{deep} says which."), err=True)


def stop_at_problems(loaded: LoadedScene, plan: Plan, *, with_problems: bool, message: str) -> None:
    """Print the problems of a scene; end with status 2 when something cannot be drawn, unless that is allowed."""
    problems = [problem for problem in all_problems(plan) if problem.severity != "note"]
    for problem in problems:
        print_problem(loaded, problem)
    if any(problem.severity == "red" for problem in problems) and not with_problems:
        typer.echo(f"{message} Mend the scene, or add --with-problems.", err=True)
        raise typer.Exit(EXIT_PROBLEM)


def print_problem(loaded: LoadedScene, problem: Problem, *, is_answer: bool = False) -> None:
    """Print a problem with its place in the file: on standard error, unless it is what was asked for."""
    typer.echo(printable(f"{loaded.path}: {problem.severity}: {loaded.locate(problem)}"), err=not is_answer)


def printable(text: str) -> str:
    """Return a text that a terminal shows as it is: a scene may hold what would steer the terminal."""
    return "".join(char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text)
