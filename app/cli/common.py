"""Common part of commands that take a scene: its name, reading it, its problems as lines and exit status."""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from framescope.app.errors import GraphicsError
from framescope.core.errors import FramescopeError
from framescope.core.system.reader_slips import LOGGER, MOST_TEXT, log_slip

if TYPE_CHECKING:
    from framescope.core.errors import Problem
    from framescope.core.evaluation.compile.simulation_systems import SimulationJob
    from framescope.core.evaluation.evaluate import Plan, Runner
    from framescope.core.scene.files.loading import LoadedScene
    from framescope.core.simulation.result import Simulation
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


EXIT_SLIP = 1
"""Exit status when the program itself has an error."""


@contextmanager
def printed_errors() -> Generator[None]:
    """Turn an error into its message and an exit status; a traceback goes into the log, and not to the terminal.

    The status is 2 or 3 for an error raised on purpose, which readers make of all of theirs, and 1 for any other.
    """
    slips = SlipsToFile()
    LOGGER.addHandler(slips)
    try:
        yield
    except FramescopeError as error:
        typer.echo(printable(str(error)), err=True)
        slips.name_file()
        raise typer.Exit(EXIT_SYSTEM if isinstance(error, GraphicsError) else EXIT_PROBLEM) from None
    except (typer.Exit, typer.Abort, typer.BadParameter):
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, the person is told
        log_slip("a command has failed")
        what = printable(" ".join(f"{type(error).__name__}: {error}".split()))
        typer.echo(f"This is an error of Framescope ({what[:MOST_TEXT]}). Please report it.", err=True)
        slips.name_file()
        raise typer.Exit(EXIT_SLIP) from None
    finally:
        LOGGER.removeHandler(slips)


class SlipsToFile(logging.Handler):
    """Writes errors of the program into the file of the log, where no window does."""

    def __init__(self) -> None:
        super().__init__()
        self._file = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        if logging.getLogger("framescope").handlers:
            return
        try:
            from framescope.app.storage.app_directories import log_folder  # it asks Qt
            from framescope.app.storage.log_file import file_handler

            handler = file_handler(log_folder())
            with closing(handler):
                handler.emit(record)
            self._file = handler.baseFilename
        except (ImportError, OSError):  # the sentence has to do
            return

    def name_file(self) -> None:
        """Print where an error was written, if it was."""
        if self._file:
            typer.echo(f"The details are in {self._file}.", err=True)


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

    with waiting_told(named):
        loaded, problems = read_scene(unpacked(find_scene(named)))
    with told_progress() as run:
        plan = compile_plan(loaded.scene, access=access_to(loaded, allow_outside=allow_outside), run=run)
    return loaded, plan, problems


TOLD_AFTER_S = 10.0
"""Time that work takes before its progress is told, and then each time it has taken twice as long, s."""


@contextmanager
def told_progress() -> Generator[Runner]:
    """Tell on standard error how far long work is, how long it will still take, and what makes a simulation long.

    What is yielded runs simulations.
    """
    from framescope.core.evaluation.compile.simulation_systems import run_now
    from framescope.core.system.cooperative_yield import report_progress_to
    from framescope.core.system.time_left import time_left

    begun, told_at, jobs = time.monotonic(), TOLD_AFTER_S, list["SimulationJob"]()

    def hear(share: float | None) -> None:
        nonlocal told_at
        elapsed = time.monotonic() - begun
        if share is None or elapsed < told_at:
            return
        told_at = 2.0 * elapsed
        rest = time_left(share, elapsed)
        text = f"{100.0 * share:.2g} % is done after {elapsed:.0f} s{f', {rest}' if rest else ''}. Ctrl C ends it."
        typer.echo(text, err=True)
        if jobs:
            from framescope.core.simulation.outlook import stiff_advice

            job = jobs.pop()
            advice = stiff_advice(job.system, job.settings.method)
            if advice:
                typer.echo(printable(f"The {advice}."), err=True)

    def run(job: SimulationJob) -> Simulation | None:
        jobs[:] = [job]
        return run_now(job)

    with report_progress_to(hear):
        yield run


@contextmanager
def waiting_told(named: str) -> Generator[None]:
    """Tell a person at a terminal, after a while, that a file is still being read, and how to end that."""
    if not sys.stderr.isatty():
        yield
        return
    from framescope.core.system.cooperative_yield import report_progress_to

    end = time.monotonic() + READING_TOLD_AFTER_S
    is_told = False

    def hear(_share: float | None) -> None:
        nonlocal is_told
        if not is_told and time.monotonic() > end:
            is_told = True
            typer.echo(printable(f"Reading {named}… Ctrl C ends it."), err=True)

    with report_progress_to(hear):
        yield


READING_TOLD_AFTER_S = 1.0
"""Time that reading takes before that is told, s."""


def access_to(loaded: LoadedScene, *, allow_outside: bool) -> Access:
    """Return which files the names in a scene may stand for."""
    from framescope.core.system.file_access import Access

    return Access(loaded.home, allow_all=allow_outside)


def all_problems(plan: Plan) -> tuple[Problem, ...]:
    """Return the problems of a plan, those of the mesh files it draws, and those that features find quickly."""
    from framescope.app.session.mesh_problems import mesh_problems
    from framescope.core.system.features import entries

    checks = entries(lambda feature: feature.quick_checks)
    diagnoses = (diagnosis for check in checks for diagnosis in check(plan))
    return (*plan.problems, *mesh_problems(plan), *(diagnosis.problem for diagnosis in diagnoses))


def print_warnings(named: str, plan: Plan) -> None:
    """Print on standard error the warnings of features to users who evaluate or export a scene."""
    from framescope.core.system.features import entries

    for make_warning in entries(lambda feature: feature.evaluation_warnings):
        if warning := make_warning(named, plan):
            typer.echo(printable(warning), err=True)


def stop_at_problems(loaded: LoadedScene, plan: Plan, *, with_problems: bool, message: str) -> None:
    """Print the problems of a scene; end with status 2 when something cannot be drawn, unless that is allowed."""
    problems = [problem for problem in all_problems(plan) if problem.severity != "note"]
    for problem in problems:
        print_problem(loaded, problem)
    if any(problem.severity == "red" for problem in problems) and not with_problems:
        typer.echo(f"{message} Fix the scene, or add --with-problems.", err=True)
        raise typer.Exit(EXIT_PROBLEM)


def print_problem(loaded: LoadedScene, problem: Problem, *, is_answer: bool = False) -> None:
    """Print a problem with its place in the file: on standard error, unless it is what was asked for."""
    typer.echo(printable_line(f"{loaded.path}: {problem.severity}: {loaded.locate(problem)}"), err=not is_answer)


MOST_WORD = 400
"""Letters of a word that are printed: a name in a stranger's file may have thousands."""


def printable_line(text: str) -> str:
    r"""Return a text as one line for a terminal: a line break in a name would begin a line that nobody has said.

    >>> printable_line("/tf\n/drive.bag: red")
    '/tf /drive.bag: red'
    """
    line = printable(" ".join(text.splitlines()))
    return re.sub(rf"\S{{{MOST_WORD},}}", lambda word: f"{word[0][: MOST_WORD // 2]}…{word[0][-20:]}", line)


def printable(text: str) -> str:
    """Return a text that a terminal shows as it is: a scene may hold what would steer the terminal."""
    return "".join(char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text)
