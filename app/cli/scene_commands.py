"""The commands that read a scene and say what is in it: ``check`` and ``evaluate``."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from framescope.app.cli import common
from framescope.core.errors import FramescopeError
from framescope.features.lessons.app.lesson_commands import check as check_lessons
from framescope.features.lessons.core import SUFFIX


def check(
    scene: common.SceneName,
    *,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep", help="Also compare: frames in one place, the rows of recordings, measurements, balances."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what is wrong as a JSON list.")] = False,
    allow_outside: common.AllowOutside = False,
) -> None:
    """Say what a scene holds and what is wrong with it; exit with 2 if anything is, with 0 if there are notes alone.

    With --deep or --json every problem comes with its kind and, where there is one, the edit that mends it.

    \b
    --json prints a list of objects with these keys (of a bag: those below):
      kind, severity (red, amber or note), title, where (the key path), line, time and times (s), rows, message, hint,
      mend, is_safe (whether the mend changes nothing else), others [{mend, says}]
    A file that cannot be read is a list of its problems, too. Of a bag each fault has
      kind, severity, title, namespace, frame, parent, publishers, first_time, last_time (s since the bag begins),
      first_ns, last_ns, count, cause, tf2_answered, mend
    and what is damaged kind, severity and cause.

    SCENE may be a bag of ROS or Foxglove: what is wrong with its frames is said then, and what tf2 answered there. Or a
    lesson, as by lesson check.
    """  # noqa: D301 (without the backslash the lines would be joined)
    with common.printed_errors():
        from framescope.features.bags.core.bag_file import is_bag_at

        if scene.lower().endswith(SUFFIX) and not as_json:
            check_lessons([scene])
            raise typer.Exit
        with _errors_as_json() if as_json else nullcontext():
            if scene.lower().endswith(SUFFIX):
                from framescope.features.lessons.app.lesson_lookup import find_lesson, read_lesson

                read_lesson(find_lesson(scene))
                typer.echo("[]")
                raise typer.Exit
            if is_bag_at(Path(scene)):
                raise typer.Exit(_check_bag(Path(scene), as_json=as_json))
            loaded, plan, of_file = common.read(scene, allow_outside=allow_outside)
        from framescope.app.cli.check_report import all_problems, as_json_text, as_lines, contents, in_file

        if deep or as_json:
            found_problems = (*in_file(of_file), *all_problems(plan, deep=deep))
            problems = tuple(error_text.problem for error_text in found_problems)
        else:
            found_problems, problems = (), (*of_file, *common.all_problems(plan))
        has_problem = any(problem.severity != "note" for problem in problems)
        if as_json:
            typer.echo(as_json_text(loaded, found_problems))
            raise typer.Exit(common.EXIT_PROBLEM if has_problem else 0)
        typer.echo(common.printable_line(f"{loaded.path}: {plan.scene.title or 'untitled'}"))
        for line in contents(plan):
            typer.echo(common.printable_line(f"  {line}"))
        for line in as_lines(loaded, found_problems):
            typer.echo(common.printable_line(line))
        for problem in () if deep else problems:
            common.print_problem(loaded, problem, is_answer=True)
        if has_problem:
            raise typer.Exit(common.EXIT_PROBLEM)
        typer.echo("  no problems")


@contextmanager
def _errors_as_json() -> Generator[None]:
    """Print an error of reading as the JSON list of its problems, besides the message on standard error."""
    from framescope.app.cli.check_report import as_json_of_error

    try:
        yield
    except FramescopeError as error:
        typer.echo(as_json_of_error(error))
        raise


def _check_bag(path: Path, *, as_json: bool) -> int:
    """Print the autopsy of a bag, and return the exit status."""
    from framescope.features.bags.app import bag_report
    from framescope.features.bags.core.autopsy.bag_autopsy import examine_bag
    from framescope.features.bags.core.bag_file import open_bag

    with open_bag(path) as bag:
        autopsy = examine_bag(bag)
    if as_json:
        typer.echo(bag_report.as_json_text(bag, autopsy))
    else:
        typer.echo(common.printable_line(str(path)))
        for line in bag_report.contents(bag, autopsy):
            typer.echo(common.printable_line(f"  {line}"))
        for line in bag_report.as_lines(path, bag, autopsy):
            typer.echo(common.printable_line(line))
    is_wrong = bool(autopsy.damages) or any(fault.severity != "note" for _, fault in autopsy.faults)
    if not is_wrong and not as_json:
        typer.echo(f"  {bag_report.verdict(bag, autopsy)}")
    return common.EXIT_PROBLEM if is_wrong else 0


def evaluate_signals(
    scene: common.SceneName,
    *,
    signals: Annotated[
        list[str] | None,
        typer.Option(
            "--signals", "-s", metavar="TEXT", help="A signal in words; several with ; between, or the option again."
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option(help="A file ending in .csv, .npz or .parquet; - is CSV on the terminal.")
    ] = Path("-"),
    start: Annotated[float | None, typer.Option(help="Start, s; the scene's own when left out.")] = None,
    stop: Annotated[float | None, typer.Option(help="End, s; the scene's own when left out.")] = None,
    rate: Annotated[float, typer.Option(help="Samples a second.", min=1e-6, max=1e6)] = 100,
    allow_outside: common.AllowOutside = False,
) -> None:
    """Write signals of a scene over time to a table; without --signals those that it plots.

    \b
    A signal says everything its numbers need:
      position of tip relative to world resolved in base in mm
      velocity, acceleration, angular velocity, angular acceleration: the same
      angles of tip relative to world by ZYX in deg
      quaternion of tip relative to base
      position of tip relative to base resolved in base through odom 0.2 s before in m
      (tip as it was; base, relative to and resolved in, as it is now)
      residues of rotor
      sensor of NAME, measured of NAME
      port force of POINT in N, port velocity, port displacement
      element force of NAME in N, constraint error of NAME in mm, energy in J

    \b
    Example:
      framescope evaluate demo -s "angles of camera relative to world by ZYX in deg" --out camera.csv
    """  # noqa: D301 (without the backslash the lines would be joined)
    with common.printed_errors():
        loaded, plan = common.load(scene, allow_outside=allow_outside, out=out)
        for problem in plan.problems:
            common.print_problem(loaded, problem)
        common.say_faults(scene, plan)
        from framescope.app.cli.evaluate import evaluate_to

        evaluate_to(plan, signals or [], out, start=start, stop=stop, rate=rate)
        if str(out) != "-":
            typer.echo(out)
        if any(problem.severity == "red" for problem in plan.problems):
            raise typer.Exit(common.EXIT_PROBLEM)
