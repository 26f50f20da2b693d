"""Command ``rig``: several calibrations as one tree, its loops, and the entry that is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from framescope.app.cli.common import EXIT_PROBLEM, printable, printed_errors


def add_command(app: typer.Typer) -> None:
    """Add the command ``rig``."""
    app.command("rig")(check_rig)


def check_rig(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Calibrations, robots in URDF or SDF, and bags.")],
    *,
    same: Annotated[
        list[str] | None,
        typer.Option("--same", metavar="NAME=NAME", help="Two names of one frame; the second is kept."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write the rig: .yaml is a scene, .urdf, .launch.py, .py and others are trees of frames."),
    ] = None,
    root: Annotated[
        str, typer.Option(metavar="NAME", help="Root of the tree: else that of a robot, a base, or an IMU.")
    ] = "",
    position_noise: Annotated[float, typer.Option(help="Standard deviation of positions, mm.", min=0.0)] = 1.0,
    angle_noise: Annotated[float, typer.Option(help="Standard deviation of rotations, degrees.", min=0.0)] = 0.1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Join calibrations to one rig, and tell which entry is wrong where its loops do not close.

    Of a robot the fixed joints count, of a bag its fixed transforms and the fixed joints of its robot description.

    Frames of equal names are one frame. Names that may mean one frame are asked about: answer with --same. The answer
    comes first, then the tree with the directions of its axes, the loops with their residuals, and notes.

    \b
    Exit status:
      0  all loops close, or there is none
      2  a loop is open, or a file or an entry of it cannot be read

    \b
    Examples:
      framescope rig camchain.yaml imucam.yaml
      framescope rig camchain.yaml imucam.yaml --out rig.yaml
      framescope rig drive.mcap camchain.yaml
    """  # noqa: D301 (without the backslash the lines would be joined)
    with printed_errors():
        from framescope.features.calibrations.app.rig_report import run_rig
        from framescope.features.calibrations.core.rig.adjustment import Noise

        noise = Noise(1e-3 * position_noise, angle_noise)
        text, is_open = run_rig(files, same or [], out, noise, root=root, as_json=as_json)
        typer.echo(printable(text))
        if is_open:
            raise typer.Exit(EXIT_PROBLEM)
