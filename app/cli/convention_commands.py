"""Commands ``convert`` and ``read``, which need no scene."""

from __future__ import annotations

from typing import Annotated

import typer

from framescope.app.cli.common import printable, printed_errors


def convert(
    source: Annotated[str, typer.Option("--from", metavar="TEXT", help="An orientation; - is standard input.")],
    targets: Annotated[
        str, typer.Option("--to", metavar="FORMS", help="Forms to write, with commas between.")
    ] = "quaternion,matrix,axis-angle",
    *,
    unit: Annotated[str, typer.Option(help="Of angles to write: deg or rad.")] = "deg",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    nearest: Annotated[bool, typer.Option("--nearest", help="Take the nearest rotation however far it is.")] = False,
) -> None:
    """Read an orientation in one form and write it in others, each with its meaning.

    Frame 1 is turned into frame 2; v_1 and v_2 are the components of a vector in either.

    \b
    --from reads any text with an orientation or a pose: numbers, code, messages
    (see framescope read), and its own notation, which leaves nothing open:
      axes ZYX 10 20 30 deg        about the axes of the moving frame
      extrinsic xyz 10 20 30 deg   about the fixed axes of frame 1
      rpy 10 20 30 deg             roll, pitch, yaw as in ROS
      quaternion xyzw 0 0 0.6 0.8  scalar last, or wxyz: scalar first
      matrix passive 0 1 0 -1 0 0 0 0 1
                                   rows, v_2 = T v_1, or active: v_1 = R v_2
      axis-angle 0 0 1 90 deg
      rotation-vector 0 0 1.57 rad
      rodrigues 0 0 1
      mrp 0 0 0.4                  modified Rodrigues parameters

    \b
    --to writes:
      axes:ZYX, extrinsic:xyz, rpy, quaternion, quaternion:wxyz, matrix,
      matrix:active, axis-angle, rotation-vector:rad, rodrigues, mrp,
      and one line of code: code:scipy, code:numpy, code:ros-tf2,
      code:modelica, code:julia, code:eigen, code:matlab

    \b
    Examples:
      framescope convert --from "rpy 10 20 30 deg"
      framescope convert --from "axes XYZ 10 20 30 deg" --to code:scipy,axes:ZYX
      echo "quaternion wxyz 1 0 0 0" | framescope convert --from - --json
    """  # noqa: D301 (without the backslash the lines would be joined)
    with printed_errors():
        from framescope.app.cli import convert as conversion

        typer.echo(printable(conversion.convert(source, targets, unit=unit, as_json=as_json, take_nearest=nearest)))


def read(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Any text; - is standard input.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Read any text as an orientation, a pose, a position or a vector, and print all its readings.

    The exit status is 0 for one reading, 3 for several, 2 if there is none or its matrix is mirrored.

    \b
    Examples:
      framescope read "q.setRPY(0.1, 0.2, 0.3)"
      framescope read "0.71 0 0 0.71"
      ros2 topic echo --once /pose | framescope read -
    """  # noqa: D301 (without the backslash the lines would be joined)
    with printed_errors():
        from framescope.app.cli import read as reader

        result = reader.read(text, as_json=as_json)
        typer.echo(printable(result.text), err=result.status == reader.NOTHING and not as_json)
        raise typer.Exit(result.status)
