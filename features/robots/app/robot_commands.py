"""The commands of robots: ``robot diff``, ``robot write``, ``robot expand`` and ``robot play``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from framescope.app.cli.common import AllowOutside, SceneName, printable, printable_line, printed_errors

if TYPE_CHECKING:
    from framescope.features.robots.app.robot_write_back import WriteBack

robot = typer.Typer(
    no_args_is_help=True, help="Compare the frames of a scene with the files of its robots, and write them there."
)


def add_group(app: typer.Typer) -> None:
    """Add the commands of robots."""
    app.add_typer(robot, name="robot")


@robot.command()
def diff(scene: SceneName, *, allow_outside: AllowOutside = False) -> None:
    """Print the changes that `robot write` would make to the files of a scene's robots, as a unified diff.

    Exit with 1 if anything would change, with 0 if all frames have their poses in the files.
    """
    with printed_errors():
        changes = _find_write_backs(scene, allow_outside=allow_outside)
        for change in changes:
            typer.echo(printable(change.diff))
        if changes:
            raise typer.Exit(1)


@robot.command()
def write(scene: SceneName, *, allow_outside: AllowOutside = False) -> None:
    """Write the poses of moved frames into the files of a scene's robots: only those origins change.

    A copy of each file before the change is kept beside it: arm.urdf.bak.
    """
    with printed_errors():
        for change in _find_write_backs(scene, allow_outside=allow_outside):
            copy = change.write()
            typer.echo(printable_line(f"{change.path}: {', '.join(change.joints)} (before: {copy.name})"))


@robot.command()
def expand(
    file: Annotated[Path, typer.Argument(help="A file in xacro that you trust, because it is run.")],
    out: Annotated[Path, typer.Argument(help="The URDF to write.")],
    arguments: Annotated[list[str] | None, typer.Argument(help="Arguments of the file, such as name:=value.")] = None,
) -> None:
    """Run a xacro file in a process of its own, and write the URDF that it produces. It runs with your rights."""
    from framescope.app.cli.common import report_slow_reading
    from framescope.core.errors import FramescopeError
    from framescope.core.scene.files.saving import write_atomically
    from framescope.core.system.output_check import check_output
    from framescope.features.robots.app.xacro_reader import expand_xacro

    with printed_errors():
        values = dict[str, str]()
        for text in arguments or ():
            name, sign, value = text.partition(":=")
            if not sign:
                raise FramescopeError(f'"{text}" is no argument. Write name:=value.')
            values[name] = value
        if not file.is_file():
            raise FramescopeError(f"there is no file {file}.")
        check_output(out, [file])
        with report_slow_reading(file.name):
            made = expand_xacro(file, values)
        check_output(out, made.inputs)
        write_atomically(out, made.urdf)
        typer.echo(printable(f"{out}: made of {file.name}"))


@robot.command()
def play(
    scene: SceneName,
    file: Annotated[Path, typer.Argument(help="A table or a bag with values of its joints.")],
    *,
    out: Annotated[Path | None, typer.Option(help="A scene file to write beside both, ending in .yaml.")] = None,
    angles: Annotated[str | None, typer.Option(metavar="UNIT", help="Unit of the angles: rad or deg.")] = None,
    accept: Annotated[bool, typer.Option("--accept-open", help="Write the scene although the unit is open.")] = False,
    allow_outside: AllowOutside = False,
) -> None:
    """Print the columns and the unit in which a recording moves the joints of a scene; --out writes that scene.

    The unit of angles is a decision as in framescope import: format (names or the kind of file state it), certain
    (limits, velocities or --angles settle it), assumed (usual, with no evidence against it), open (nothing settles it).
    Exit status: 0; 3 if the unit is open; 2 if the file cannot be played.

    \b
    Example:
      framescope robot play arm.yaml joints.csv --angles deg --out played.yaml
    """  # noqa: D301 (without the backslash the lines would be joined)
    from framescope.features.table_import.app.import_command import EXIT_OPEN
    from framescope.features.table_import.app.import_report import decision_lines

    with printed_errors():
        from framescope.app.cli.common import load
        from framescope.core.scene.files.saving import save_scene
        from framescope.core.system.output_check import check_output
        from framescope.features.robots.app.joint_recordings import find_joints

        loaded, plan = load(scene, allow_outside=allow_outside, out="-" if out is None else out)
        if out is not None:
            check_output(out, [file])
        recording = find_joints(plan, file, _name_beside(file, loaded.home, out, scene), angles)
        decisions = () if recording.angles is None else (recording.angles,)
        typer.echo(printable_line(f"{recording.file}: {', '.join(sorted(recording.recordings))}"))
        for line in decision_lines(decisions):
            typer.echo(printable_line(line))
        if recording.note:
            typer.echo(printable_line(f"  note: {recording.note}"))
        is_open = any(decision.certainty == "open" for decision in decisions)
        if out is not None and (accept or not is_open):
            save_scene(recording.edit(plan).apply(plan.scene), out)
            typer.echo(printable(str(out)))
        elif out is not None:
            typer.echo(printable(f"{out} is not written: add --angles or --accept-open."), err=True)
        if is_open and not (accept and out is not None):
            raise typer.Exit(EXIT_OPEN)


def _name_beside(file: Path, home: Path, out: Path | None, scene: str) -> str:
    """Return the name of a recording in the written scene; raise if the scene cannot refer to it."""
    from framescope.core.errors import FramescopeError

    if out is None:
        return file.name
    if out.suffix.lower() not in (".yaml", ".yml", ".json"):
        raise FramescopeError(f"--out {out}: expected a name that ends in .yaml.")
    folder = out.resolve().parent
    if folder != home:
        raise FramescopeError(f"{out} is not written: {scene} names files beside it. Write {home / out.name}.")
    if not file.resolve().is_relative_to(folder):
        raise FramescopeError(f"{out} is not written: {file} is not beside it. Move the recording to {folder}.")
    if any(out.resolve() == source.resolve() for source in (Path(scene), file)):
        raise FramescopeError(f"{out} is not written: it is read. Give the new scene another name.")
    return file.resolve().relative_to(folder).as_posix()


def _find_write_backs(scene: str, *, allow_outside: bool) -> tuple[WriteBack, ...]:
    from framescope.app.cli.common import access_to, read
    from framescope.core.errors import FramescopeError
    from framescope.features.robots.app.robot_write_back import write_backs

    loaded, _, _ = read(scene, allow_outside=allow_outside)
    if not loaded.scene.robots:
        raise FramescopeError(f"{loaded.path.name} names no robot.")
    return write_backs(loaded.scene, access_to(loaded, allow_outside=allow_outside))
