"""The commands of robots: ``robot diff``, ``robot write`` and ``robot expand``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from framescope.app.cli.common import AllowOutside, SceneName, printable, printed_errors

if TYPE_CHECKING:
    from framescope.app.session.robot_write_back import WriteBack

robot = typer.Typer(
    no_args_is_help=True, help="Compare the frames of a scene with the files of its robots, and write them there."
)


@robot.command()
def diff(scene: SceneName, *, allow_outside: AllowOutside = False) -> None:
    """Print what `robot write` would change in the files of the robots of a scene, as a unified diff.

    Exit with 1 if anything would change, with 0 if all frames stand as in the files.
    """
    with printed_errors():
        found = _found(scene, allow_outside=allow_outside)
        for each in found:
            typer.echo(printable(each.diff))
        if found:
            raise typer.Exit(1)


@robot.command()
def write(scene: SceneName, *, allow_outside: AllowOutside = False) -> None:
    """Write where frames of a scene stand into the files of its robots: those origins change, and nothing else.

    A copy of each file as it was before stays beside it: arm.urdf.bak.
    """
    with printed_errors():
        for each in _found(scene, allow_outside=allow_outside):
            copy = each.write()
            typer.echo(printable(f"{each.path}: {', '.join(each.joints)} (before: {copy.name})"))


@robot.command()
def expand(
    file: Annotated[Path, typer.Argument(help="A file in xacro that you trust: it is run.")],
    out: Annotated[Path, typer.Argument(help="The URDF to write.")],
    arguments: Annotated[list[str] | None, typer.Argument(help="Arguments of the file, such as name:=value.")] = None,
) -> None:
    """Run a file in xacro, in a process of its own, and write the URDF that it makes. It runs with your rights."""
    from framescope.app.cli.common import waiting_told
    from framescope.app.importers.xacro import expanded
    from framescope.core.errors import FramescopeError
    from framescope.core.scene.files.saving import write_atomically
    from framescope.core.system.output_check import check_output

    with printed_errors():
        given = dict[str, str]()
        for text in arguments or ():
            name, sign, value = text.partition(":=")
            if not sign:
                raise FramescopeError(f'"{text}" is no argument. Write name:=value.')
            given[name] = value
        if not file.is_file():
            raise FramescopeError(f"there is no file {file}.")
        check_output(out, [file])
        with waiting_told(file.name):
            made = expanded(file, given)
        check_output(out, made.inputs)
        write_atomically(out, made.urdf)
        typer.echo(printable(f"{out}: made of {file.name}"))


def _found(scene: str, *, allow_outside: bool) -> tuple[WriteBack, ...]:
    from framescope.app.cli.common import access_to, read
    from framescope.app.session.robot_write_back import write_backs
    from framescope.core.errors import FramescopeError

    loaded, _, _ = read(scene, allow_outside=allow_outside)
    if not loaded.scene.robots:
        raise FramescopeError(f"{loaded.path.name} names no robot.")
    return write_backs(loaded.scene, access_to(loaded, allow_outside=allow_outside))
