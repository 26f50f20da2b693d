"""Command ``detect``: the conventions under which two sets of numbers are the same orientations."""

from __future__ import annotations

from typing import Annotated

import typer

from framescope.app.cli.common import printable, printed_errors


def add_command(app: typer.Typer) -> None:
    """Add the command ``detect``."""
    app.command("detect")(detect_conventions)


def detect_conventions(
    a: Annotated[str, typer.Argument(metavar="A", help="A table, numbers, or - for standard input.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The same orientations, likewise.")],
    *,
    a_as: Annotated[str, typer.Option(help="What A is, where it is known: angles, quaternion wxyz, ZYX deg.")] = "auto",
    b_as: Annotated[str, typer.Option(help="What B is.")] = "auto",
    a_columns: Annotated[str, typer.Option(help="Columns of A, with commas between; guessed when left out.")] = "",
    b_columns: Annotated[str, typer.Option(help="Columns of B.")] = "",
    a_time: Annotated[str | None, typer.Option(help="Column of A's time, s; guessed when left out.")] = None,
    b_time: Annotated[str | None, typer.Option(help="Column of B's time, s.")] = None,
    time_offset: Annotated[float | None, typer.Option(help="Added to B's times, s; found when left out.")] = None,
    by_row: Annotated[bool, typer.Option("--by-row", help="Pair row by row, even if both sides have times.")] = False,
    code: Annotated[str, typer.Option(help="Also print the conversion: python, scipy, matlab, julia, ...")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find the conventions under which two sets of numbers are the same orientations.

    Order of quaternions, sequence of angles about moving or fixed axes, units, active or passive, changed axes
    (NED and ENU, FRD and FLU, Y-up and Z-up, mirrored ones) and fixed offsets are tried in all combinations. Rows are
    matched by time if both sides have times, otherwise in their order.

    \b
    Exit status:
      0  one convention fits
      2  the numbers cannot be read or do not pair up
      3  several conventions fit, or the fit is not proven; the last line
         describes a sample that would decide
      4  nothing fits

    \b
    Examples:
      framescope detect vendor.csv truth.csv
      framescope detect vendor.csv truth.csv --a-as angles --code numpy
      framescope detect "10 20 30; 40 5 60" rotations.txt --json
    """  # noqa: D301 (without the backslash the lines would be joined)
    with printed_errors():
        from framescope.features.detective.app.detect import SideOption, run_detect

        text, status = run_detect(
            SideOption(a, a_as, a_columns, a_time),
            SideOption(b, b_as, b_columns, b_time),
            offset=time_offset,
            by_row=by_row,
            as_text="json" if as_json else "table",
            code={"python": "numpy"}.get(code, code),
        )
        typer.echo(printable(text))
        raise typer.Exit(status)
