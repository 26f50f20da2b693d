"""Common part of commands that take a scene: reading it, printing its problems, and the exit status."""

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
"""Exit status when a scene has a problem or a request is invalid."""

EXIT_SYSTEM = 3
"""Exit status when the system lacks something, as in ``run.py``."""

AllowOutside = Annotated[
    bool,
    typer.Option("--allow-outside", help="Read files that the scene names outside its folder. Only if you trust it."),
]
SceneName = Annotated[str, typer.Argument(metavar="SCENE", help="A scene file, a bundle, or the name of an example.")]


EXIT_SLIP = 1
"""Exit status when the program itself has an error."""


@contextmanager
def printed_errors() -> Generator[None]:
    """Turn an error into its message and an exit status; the log, not the terminal, gets the traceback.

    The status is 2 or 3 for an expected error, `FramescopeError`, and 1 for any other.
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
    except Exception as error:  # noqa: BLE001 - every error is reported to the user
        log_slip("a command has failed")
        what = printable(" ".join(f"{type(error).__name__}: {error}".split()))
        typer.echo(f"This is an error of Framescope ({what[:MOST_TEXT]}). Please report it.", err=True)
        slips.name_file()
        raise typer.Exit(EXIT_SLIP) from None
    finally:
        LOGGER.removeHandler(slips)


class SlipsToFile(logging.Handler):
    """Logging handler that writes internal errors to the log file when no window does."""

    def __init__(self) -> None:
        super().__init__()
        self._file = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        if logging.getLogger("framescope").handlers:
            return
        try:
            from framescope.app.storage.app_directories import log_folder  # imports Qt
            from framescope.app.storage.log_file import file_handler

            handler = file_handler(log_folder())
            with closing(handler):
                handler.emit(record)
            self._file = handler.baseFilename
        except (ImportError, OSError):  # without a log file the printed sentence must be enough
            return

    def name_file(self) -> None:
        """Print the path of the log file if an error was written there."""
        if self._file:
            typer.echo(f"The details are in {self._file}.", err=True)


def load(named: str, *, allow_outside: bool, out: str | Path) -> tuple[LoadedScene, Plan]:
    """Read the scene that a command names, compile its plan, and print problems of converting the file.

    Raises
    ------
    OutputIsInputError
        When the command would overwrite a file that it reads with `out`; ``-`` is standard output.
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
    """Read the scene that a command names; return it, its plan, and the problems of converting another file."""
    from framescope.app.importers.registry import read_scene
    from framescope.app.session.scene_lookup import find_scene, unpack_scene
    from framescope.core.evaluation.evaluate import compile_plan

    with report_slow_reading(named):
        loaded, problems = read_scene(unpack_scene(find_scene(named)))
    with report_progress() as run:
        plan = compile_plan(loaded.scene, access=access_to(loaded, allow_outside=allow_outside), run=run)
    return loaded, plan, problems


PROGRESS_AFTER_S = 10.0
"""Time until the progress of long work is first reported, s; each report doubles the time to the next."""


@contextmanager
def report_progress() -> Generator[Runner]:
    """Report the progress of long work, its remaining time, and advice on slow simulations, on standard error.

    Yields the function that runs simulations.
    """
    from framescope.core.evaluation.compile.simulation_systems import run_now
    from framescope.core.system.cooperative_yield import report_progress_to
    from framescope.core.system.time_left import time_left

    begun, report_at, jobs = time.monotonic(), PROGRESS_AFTER_S, list["SimulationJob"]()

    def report(share: float | None) -> None:
        nonlocal report_at
        elapsed = time.monotonic() - begun
        if share is None or elapsed < report_at:
            return
        report_at = 2.0 * elapsed
        remaining = time_left(share, elapsed)
        to_go = f", {remaining}" if remaining else ""
        text = f"{100.0 * share:.2g} % is done after {elapsed:.0f} s{to_go}. Ctrl C ends it."
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

    with report_progress_to(report):
        yield run


@contextmanager
def report_slow_reading(named: str) -> Generator[None]:
    """Report at a terminal, after a while, that a file is still being read and how to cancel."""
    if not sys.stderr.isatty():
        yield
        return
    from framescope.core.system.cooperative_yield import report_progress_to

    end = time.monotonic() + SLOW_READING_S
    is_reported = False

    def report(_share: float | None) -> None:
        nonlocal is_reported
        if not is_reported and time.monotonic() > end:
            is_reported = True
            typer.echo(printable(f"Reading {named}… Ctrl C ends it."), err=True)

    with report_progress_to(report):
        yield


SLOW_READING_S = 1.0
"""Time until reading a file is reported, s."""


def access_to(loaded: LoadedScene, *, allow_outside: bool) -> Access:
    """Return the access to the files that a scene names."""
    from framescope.core.system.file_access import Access

    return Access(loaded.home, allow_all=allow_outside)


def all_problems(plan: Plan) -> tuple[Problem, ...]:
    """Return the problems of a plan, of the mesh files it draws, and of the quick checks of features."""
    from framescope.app.session.mesh_problems import mesh_problems
    from framescope.core.analysis.diagnostics.diagnose import without_consequences
    from framescope.core.analysis.diagnostics.masked_problems import masked_problems
    from framescope.core.system.features import entries

    checks = entries(lambda feature: feature.quick_checks)
    compiled = (*plan.problems, *masked_problems(plan))
    found = (problem for check in checks for problem in check(plan))
    return tuple(without_consequences((*compiled, *mesh_problems(plan), *found)))


def print_warnings(named: str, plan: Plan) -> None:
    """Print the warnings of features about evaluating or exporting a scene, on standard error."""
    from framescope.core.system.features import entries

    for make_warning in entries(lambda feature: feature.evaluation_warnings):
        if warning := make_warning(named, plan):
            typer.echo(printable(warning), err=True)


def stop_at_problems(loaded: LoadedScene, plan: Plan, *, with_problems: bool, message: str) -> None:
    """Print the problems of a scene; exit with status 2 when an item cannot be drawn, unless `with_problems`."""
    problems = [problem for problem in all_problems(plan) if problem.severity != "note"]
    for problem in problems:
        print_problem(loaded, problem)
    if any(problem.severity == "red" for problem in problems) and not with_problems:
        typer.echo(f"{message} Fix the scene, or add --with-problems.", err=True)
        raise typer.Exit(EXIT_PROBLEM)


def print_problem(loaded: LoadedScene, problem: Problem, *, is_answer: bool = False) -> None:
    """Print a problem with its place in the file: on standard error, or as the command's answer on standard output."""
    typer.echo(printable_line(f"{loaded.path}: {problem.severity}: {loaded.locate(problem)}"), err=not is_answer)


MAX_WORD = 400
"""Longest printed word, characters: names in a stranger's file may have thousands."""


def printable_line(text: str) -> str:
    r"""Return a text as one line for a terminal, so that a line break in a name cannot fake a line of output.

    >>> printable_line("/tf\n/drive.bag: red")
    '/tf /drive.bag: red'
    """
    line = printable(" ".join(text.splitlines()))
    return re.sub(rf"\S{{{MAX_WORD},}}", lambda word: f"{word[0][: MAX_WORD // 2]}…{word[0][-20:]}", line)


def printable(text: str) -> str:
    """Replace unprintable characters of a text: a scene may contain control sequences for the terminal."""
    return "".join(char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text)
