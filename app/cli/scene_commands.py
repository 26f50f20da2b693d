"""Commands that read a scene and report on it: ``check`` and ``evaluate``."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from framescope.app.cli import common
from framescope.core.errors import FramescopeError


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
    """Report the contents and the problems of a scene; exit with 2 for a problem, with 0 for none or for notes alone.

    With --deep or --json every problem comes with its kind and, where there is one, the edit that fixes it.

    \b
    --json prints a list of objects with these keys (of a bag: those below):
      kind, severity (red, amber or note), title, where (the key path), line,
      time and times (s), rows, message, hint, mend,
      is_safe (whether the fix changes nothing else), others [{mend, says}]
    A file that cannot be read is a list of its problems, too.
    Of a bag each fault has
      kind, severity, title, namespace, frame, parent, publishers,
      first_time, last_time (s since the bag begins), first_ns, last_ns,
      count, cause, tf2_answered, mend
    and each damaged part has kind, severity and cause.

    SCENE may be a bag of ROS or Foxglove: faults of its frames are reported then, with the answers of tf2. Or a lesson,
    as by lesson check.
    """  # noqa: D301 (without the backslash the lines would be joined)
    with common.printed_errors():
        from framescope.app.importers.registry import checker_of

        with _errors_as_json() if as_json else nullcontext():
            print_faults = checker_of(Path(scene))
            if print_faults is not None:
                raise typer.Exit(print_faults(Path(scene), as_json))
            loaded, plan, of_file = common.read(scene, allow_outside=allow_outside)
        from framescope.app.cli.check_report import all_problems, as_json_text, as_lines, contents, in_file

        if deep or as_json:
            problems = (*in_file(of_file), *all_problems(plan, deep=deep))
        else:
            problems = (*of_file, *common.all_problems(plan))
        has_problem = any(problem.severity != "note" for problem in problems)
        if as_json:
            typer.echo(as_json_text(loaded, problems))
            raise typer.Exit(common.EXIT_PROBLEM if has_problem else 0)
        typer.echo(common.printable_line(f"{loaded.path}: {plan.scene.title or 'untitled'}"))
        for line in contents(plan):
            typer.echo(common.printable_line(f"  {line}"))
        for line in as_lines(loaded, problems) if deep else ():
            typer.echo(common.printable_line(line))
        for problem in () if deep else problems:
            common.print_problem(loaded, problem, is_answer=True)
        if has_problem:
            raise typer.Exit(common.EXIT_PROBLEM)
        typer.echo("  no problems")


@contextmanager
def _errors_as_json() -> Generator[None]:
    """Print an error in reading as a JSON list of problems, besides the message on standard error."""
    from framescope.app.cli.check_report import as_json_of_error

    try:
        yield
    except FramescopeError as error:
        typer.echo(as_json_of_error(error))
        raise


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
    A signal states everything its numbers need:
      position of tip relative to world resolved in base in mm
      velocity, acceleration, angular velocity, angular acceleration: the same
      angles of tip relative to world by ZYX in deg
      quaternion of tip relative to base
      position of tip relative to arm resolved in arm through map 1 s before in m
      (tip as it was; arm, relative to and resolved in, as it is now)
      residues of rotor
      pixel of board relative to cam0 in px (cam0 carries a camera)
      sensor of NAME, measured of NAME
      port force of POINT in N, port velocity, port displacement
      element force of NAME in N, constraint error of NAME in mm, energy in J

    \b
    Example:
      framescope evaluate demo --out camera.csv \\
        -s "angles of camera relative to world by ZYX in deg"
    """  # noqa: D301 (without the backslash the lines would be joined)
    with common.printed_errors():
        loaded, plan = common.load(scene, allow_outside=allow_outside, out=out)
        for problem in plan.problems:
            common.print_problem(loaded, problem)
        common.print_warnings(scene, plan)
        from framescope.app.cli.evaluate import evaluate_to

        evaluate_to(plan, signals or [], out, start=start, stop=stop, rate=rate)
        if str(out) != "-":
            typer.echo(out)
        if any(problem.severity == "red" for problem in plan.problems):
            raise typer.Exit(common.EXIT_PROBLEM)
