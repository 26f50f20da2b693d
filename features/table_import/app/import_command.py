"""Command ``import``: decisions for each file with their reasons, and the scene made from the files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from framescope.app.cli import common
from framescope.core.errors import counted

if TYPE_CHECKING:
    from framescope.app.importers.contents import Contents
    from framescope.core.scene.files.loading import LoadedScene
    from framescope.core.scene.schema.model import Scene
    from framescope.features.table_import.app.import_report import FileReport

EXIT_OPEN = 3
"""Exit status if a decision is open because nothing in the file settles it."""


def add_command(app: typer.Typer) -> None:
    """Add the command ``import``."""
    app.command("import")(import_files)


def import_files(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Recordings: tables of text, NPZ or Parquet, or a bag.")
    ],
    *,
    out: Annotated[Path | None, typer.Option(help="A scene file to write, ending in .yaml.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
    accept: Annotated[bool, typer.Option("--accept-open", help="Write the scene although a decision is open.")] = False,
    time: Annotated[str | None, typer.Option(metavar="COLUMN", help="Column of time, or none.")] = None,
    rate: Annotated[float | None, typer.Option(metavar="HZ", help="Rows a second.", min=1e-6, max=1e9)] = None,
    unit: Annotated[
        list[str] | None, typer.Option(metavar="WHAT=UNIT", help="Such as position=mm, angle=deg; again for more.")
    ] = None,
    position: Annotated[str | None, typer.Option(metavar="X,Y,Z", help="Columns of the position, or none.")] = None,
    orientation: Annotated[
        str | None, typer.Option(metavar="FORM=COLUMNS", help="Such as axes=roll,pitch,yaw.")
    ] = None,
    vector: Annotated[
        list[str] | None, typer.Option(metavar="FORM=X,Y,Z", help="Such as acceleration=ax,ay,az; again for more.")
    ] = None,
    frames: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column that names the frame of each row, or none.")
    ] = None,
    quaternion: Annotated[str | None, typer.Option(metavar="ORDER", help="xyzw or wxyz.")] = None,
    matrix: Annotated[str | None, typer.Option(metavar="BY", help="row or column.")] = None,
    sequence: Annotated[str | None, typer.Option(metavar="AXES", help="ZYX: moving axes; xyz: fixed ones.")] = None,
    heading: Annotated[
        str | None, typer.Option(metavar="WAY", help="counterclockwise or clockwise from x, or compass.")
    ] = None,
    rotation: Annotated[str | None, typer.Option(metavar="WAY", help='"frame to parent" or "parent to frame".')] = None,
    direction: Annotated[
        str | None, typer.Option(metavar="WAY", help='"frame in parent" or "parent in frame".')
    ] = None,
    decimal_comma: Annotated[
        str | None, typer.Option(metavar="WHAT", help="Commas in numbers are decimal, or part thousands.")
    ] = None,
    every: Annotated[
        int | None, typer.Option(metavar="N", help="Take every n-th row of each frame.", min=1, max=10_000)
    ] = None,
    mend: Annotated[
        list[str] | None, typer.Option(metavar="WHAT", help='Such as "sort by time", all or none; again for more.')
    ] = None,
) -> None:
    """Report how files are read and why, and make a scene of them with --out.

    Each decision has a value, a reason and a certainty: format (the file's format, header or names state it), certain
    (its numbers or an option settle it), assumed (usual, with no evidence against it), open (nothing settles it). Exit
    status: 0; 3 if a decision is open; 2 if a file cannot be imported.

    \b
    --json prints {version, files, open, scene}; each of files has
      file, kind (table, bag, scene, mesh, foreign, unreadable), message,
      rows, columns, notes [{kind, text}],
      decisions [{name, value, alternatives, reason, certainty, settled_by}],
      open (a list of names),
      recordings [{name, parent, form, rows, first_time, last_time, duration,
        first, last, usable, mends,
        problems [{kind, severity, text, rows, mend, change, mended}]}]
    first and last are {time, position, quaternion_xyzw, matrix} of the frame
    in its parent: s, m; the matrix, by rows, takes vectors of the frame into
    the parent. Of a measured vector they are {time, value, unit}.

    A bag or a robot becomes a scene that refers to it; framescope check reports its problems. The file is not copied: a
    scene outside its folder needs --allow-outside to read it.

    The import fixes and reports rows without a number or with lost tracking, placeholders such as -9999, repeated
    times, and quaternions slightly off unit length. --mend applies the other fixes that problems name: "sort by time",
    "unwrap time", "drop backward", "drop frozen", "drop outliers", "leave gaps empty", ...; --mend all applies all of
    them, --mend none applies none.

    \b
    Names of decisions, and the options that answer them:
      format  time --time  time_unit --unit time=  rate --rate
      position --position  position_unit --unit position=
      orientation --orientation  quaternion --quaternion  matrix --matrix
      sequence --sequence  heading --heading  angle_unit --unit angle=
      rotation --rotation  direction --direction  frames --frames
      holds (poses or vectors) --vector
      angular_velocity, acceleration, velocity, angular_acceleration --vector
      angular_velocity_unit --unit angular_velocity=
      acceleration_unit, velocity_unit, angular_acceleration_unit
      decimal_comma (decimal or thousands) --decimal-comma

    \b
    Example:
      framescope import walk.csv --quaternion wxyz --unit position=mm \\
        --out walk.yaml
    """  # noqa: D301 (without the backslash the lines would be joined)
    with common.printed_errors():
        from framescope.core.system.output_check import check_output
        from framescope.features.table_import.app.import_report import as_json as json_of
        from framescope.features.table_import.app.import_report import as_lines

        words = {
            "time": time, "frames": frames,
            "position": position, "orientation": orientation, "quaternion": quaternion, "matrix": matrix,
            "sequence": sequence, "heading": heading, "rotation": rotation, "direction": direction,
            "decimal_comma": decimal_comma,
        }  # fmt: skip
        options = tuple(unit or ()), rate, tuple(vector or ()), tuple(mend or ()), every
        reports = [_report(path, words, *options) for path in files]
        has_failed = any(report.has_failed for report in reports)
        is_open = any(report.open_decisions for report in reports)
        written, why = None, _why_not(reports, accept=accept)
        if out is not None:
            check_output(out, _inputs(reports))
        if out is not None and not why:
            _write(reports, out)
            written = str(out)
        if as_json:
            typer.echo(json_of(reports, written))
        else:
            for line in as_lines(reports):
                typer.echo(common.printable(line))
            if written is not None:
                typer.echo(written)
            elif out is not None:
                typer.echo(common.printable(f"{out} is not written: {why}."), err=True)
        if has_failed or (out is not None and why and not is_open):
            raise typer.Exit(common.EXIT_PROBLEM)
        if is_open and not (accept and written is not None):
            raise typer.Exit(EXIT_OPEN)


def _inputs(reports: list[FileReport]) -> list[Path]:
    """Return the files that were read, including the files of bags."""
    from framescope.core.scene.files.referenced_files import files_read
    from framescope.core.system.file_access import Access

    bags = [path for report in reports if report.bag for path in files_read(report.bag.scene, Access(report.bag.home))]
    return [*(Path(report.file) for report in reports), *bags]


def _why_not(reports: list[FileReport], *, accept: bool) -> str:
    """Return the reason for not writing a scene; empty for none."""
    if any(report.has_failed for report in reports):
        return "a file cannot be imported"
    if any(report.open_decisions for report in reports) and not accept:
        return "decisions are open: answer them, or --accept-open"
    if any(report.table is not None or report.bag is not None for report in reports):
        return ""
    scenes = [Path(report.file).name for report in reports if report.kind == "scene"]
    return f"{scenes[0]} is a scene already" if scenes else "these files have no recording, no robot and no scene"


def _report(
    path: Path,
    words: dict[str, str | None],
    units: tuple[str, ...],
    rate: float | None,
    vectors: tuple[str, ...],
    mends: tuple[str, ...],
    every: int | None,
) -> FileReport:
    from framescope.app.importers.foreign import ForeignFileError
    from framescope.app.importers.registry import SCENES, importer_of
    from framescope.core.errors import FramescopeError
    from framescope.features.table_import.app.import_report import FileReport
    from framescope.features.table_import.app.table_import import import_table
    from framescope.features.table_import.core.answers import parse_answers, parse_marks

    try:
        importer = importer_of(path)
        if importer.opens == "bag":
            return _bag_report(path, importer.read(path))
        if importer is SCENES:
            importer.read(path)
            return FileReport(str(path), "scene", "a scene: framescope check says what is in it.")
        if importer.is_scene:
            made = None if importer.opens else importer.read(path).scene
            is_new = made is not None and not made.text
            what = f"one of the {importer.title}: framescope check reports its content, and the window opens it."
            hint = " --out writes a scene of it." if is_new else ""
            return FileReport(str(path), "scene", what + hint, bag=made if is_new else None)
        contents = importer.read(path)
        made = contents.scene
        if not contents.recordings and made is not None and made.scene.frames:
            return FileReport(str(path), "scene", _scene_message(importer.title, contents), bag=made)
        if not contents.recordings:
            return FileReport(str(path), "mesh", f"one of the {importer.title}: name it as the shape of a body.")
        table = contents.recordings[0].read()
    except ForeignFileError as error:
        return FileReport(str(path), "foreign", str(error))
    except FramescopeError as error:
        return FileReport(str(path), "unreadable", str(error))
    table = table.read_otherwise(parse_marks(words["decimal_comma"]))
    answers = parse_answers(table.order, words, units, rate, vectors, mends, every)
    return FileReport(str(path), "table", "", import_table(path, table, answers))


def _scene_message(title: str, contents: Contents) -> str:
    """Return the sentence on a file whose frames make a scene, and a line for each of its problems."""
    n = 0 if contents.scene is None else len(contents.scene.scene.frames)
    line = (
        f"one of the {contents.title or title}, {counted(n, 'frame')}. The window opens it, --out writes a scene of it."
    )
    problems = (common.printable_line(str(problem)) for problem in contents.problems)
    return "\n  ".join([line, *map(common.printable_line, contents.describe()), *problems])


def _bag_report(path: Path, contents: Contents) -> FileReport:
    from framescope.features.table_import.app.import_report import FileReport

    scene = contents.scene
    n = 0 if scene is None else len(scene.scene.frames)
    lines = [f"a bag with {counted(n, 'frame')}; framescope check says what is wrong with them."]
    lines += [common.printable_line(str(problem)) for problem in contents.problems]
    return FileReport(str(path), "bag", "\n  ".join(lines), bag=scene)


def _write(reports: list[FileReport], out: Path) -> None:
    from framescope.core.errors import FramescopeError
    from framescope.core.scene.files.saving import save_scene
    from framescope.core.scene.schema.model import Scene
    from framescope.features.table_import.app.table_import import add_table

    if out.suffix.lower() not in (".yaml", ".yml", ".json"):
        raise FramescopeError(f"--out {out}: expected a name that ends in .yaml.")
    scene = _bag_scene(reports, out) or Scene()
    for report in reports:
        if report.table is not None:
            scene = add_table(scene, report.table, out.resolve().parent)
    try:
        save_scene(scene, out)
    except OSError as error:
        raise FramescopeError(f"{out} cannot be written: {error.strerror or error}.") from None


def _bag_scene(reports: list[FileReport], out: Path) -> Scene | None:
    """Return the scene of the only bag or robot among the files; None without one."""
    from framescope.core.errors import FramescopeError

    bags = [report.bag for report in reports if report.bag is not None]
    if not bags:
        return None
    if len(bags) > 1:
        raise FramescopeError(f"{out} is not written: one bag or robot makes one scene, and these are {len(bags)}.")
    scene, outside = _scene_relative_to(out.resolve().parent, bags[0], out)
    if outside:
        names = ", ".join(outside)
        typer.echo(
            common.printable(
                f"{out.name} names {names}, outside its folder: framescope check --allow-outside reads it, and the"
                f" window asks first. A scene beside {Path(bags[0].path).name}, or above it, needs no consent."
            ),
            err=True,
        )
    return scene


def _scene_relative_to(folder: Path, bag: LoadedScene, out: Path) -> tuple[Scene, tuple[str, ...]]:
    """Return the scene of a bag or a robot with file names relative to a folder, and the names that lead out of it.

    Raises
    ------
    FramescopeError
        When a scene in that folder cannot name a file of the bag or the robot.
    """
    from framescope.core.errors import FramescopeError, ItemError
    from framescope.core.scene.files.referenced_files import named_files, renamed_files
    from framescope.core.system.file_access import Access, check_name, outside_names

    names: dict[str, str] = {}
    for name in named_files(bag.scene):
        try:
            names[name] = Path(os.path.relpath(bag.home / name, folder)).as_posix()
            check_name(names[name])
        except (ItemError, ValueError) as error:  # ValueError: another drive of Windows
            why = error.message if isinstance(error, ItemError) else "it is on another drive."
            raise FramescopeError(
                f"{out} is not written: a scene there cannot name {name}: {why} Write it beside the bag."
            ) from None
    return renamed_files(bag.scene, names), outside_names(names.values(), Access(folder))
