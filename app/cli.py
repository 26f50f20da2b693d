"""The command line. What a command needs is imported inside it, so that help and checks stay quick and headless."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from framescope.core.errors import FramescopeError

if TYPE_CHECKING:
    from framescope.core.errors import Problem
    from framescope.core.evaluate import Plan
    from framescope.core.named_files import Access
    from framescope.core.scene.loading import LoadedScene

EXIT_FAULT = 2
"""Exit status when a scene has a fault or a request cannot be met."""


app = typer.Typer(
    add_completion=False,
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

AllowOutside = Annotated[
    bool,
    typer.Option("--allow-outside", help="Read files that the scene names outside its folder. Only if you trust it."),
]
SceneName = Annotated[str, typer.Argument(metavar="SCENE", help="A scene file, a bundle, or the name of an example.")]


def with_command(arguments: list[str]) -> list[str]:
    """Put the command ``open`` before a first word that is no command: ``framescope my.yaml``.

    >>> with_command(["my.yaml"]), with_command(["check", "my.yaml"]), with_command(["--help"])
    (['open', 'my.yaml'], ['check', 'my.yaml'], ['--help'])
    """
    commands = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    is_scene = bool(arguments) and not arguments[0].startswith("-") and arguments[0] not in commands
    return ["open", *arguments] if is_scene else arguments


def print_version(is_asked: bool) -> None:
    """Print the version and stop, when asked to."""
    if is_asked:
        typer.echo(f"framescope {version('framescope')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def framescope(
    ctx: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """See, check and export rotations and reference frames.

    Without a command the window opens on SCENE, or on the demo.
    """
    if ctx.invoked_subcommand is None:
        open_scene("demo")


@app.command("open")
def open_scene(scene: SceneName = "demo", *, allow_outside: AllowOutside = False) -> None:
    """Open the window on a scene (the word open may be left out)."""
    from framescope.app import startup

    with _Faults():
        raise typer.Exit(startup.open_window(scene, allow_outside=allow_outside))


@app.command()
def schema() -> None:
    """Print the JSON Schema of scene files, for editors."""
    from framescope.core.scene.schema import schema_text

    typer.echo(schema_text(), nl=False)


@app.command()
def check(
    scene: SceneName,
    *,
    deep: Annotated[
        bool,
        typer.Option("--deep", help="Also compare: frames in one place, the rows of recordings, claims, balances."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what is wrong as a JSON list.")] = False,
    allow_outside: AllowOutside = False,
) -> None:
    """Say what a scene holds and what is wrong with it; exit with 2 if anything is.

    With --deep or --json every fault comes with its kind and, where there is one, the edit that mends it.
    """
    with _Faults():
        loaded, plan = _load(scene, allow_outside=allow_outside)
        from framescope.app.checking import all_faults, as_json_text, as_lines
        from framescope.app.contents import contents

        if deep or as_json:
            faults = all_faults(plan, deep=deep)
            problems = tuple(fault.problem for fault in faults)
        else:
            faults, problems = (), _all_problems(plan)
        has_fault = any(problem.severity != "note" for problem in problems)
        if as_json:
            typer.echo(as_json_text(loaded, faults))
            raise typer.Exit(EXIT_FAULT if has_fault else 0)
        typer.echo(_printable(f"{loaded.path}: {plan.scene.title or 'untitled'}"))
        for line in contents(plan):
            typer.echo(_printable(f"  {line}"))
        for line in as_lines(loaded, faults):
            typer.echo(_printable(line), err=True)
        for problem in () if deep else problems:
            _print_problem(loaded, problem)
        if has_fault:
            raise typer.Exit(EXIT_FAULT)
        typer.echo("  no problems")


@app.command("evaluate")
def evaluate_signals(
    scene: SceneName,
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
    allow_outside: AllowOutside = False,
) -> None:
    """Write signals of a scene over time to a table; without --signals those that it plots.

    \b
    A signal says everything its numbers need:
      position of tip relative to world resolved in base in mm
      velocity, acceleration, angular velocity, angular acceleration: the same
      angles of tip relative to world by ZYX in deg
      quaternion of tip relative to base
      residues of rotor
      sensor of NAME, measured of NAME
      port force of POINT in N, port velocity, port displacement
      element force of NAME in N, constraint error of NAME in mm, energy in J

    \b
    Example:
      framescope evaluate demo -s "angles of camera relative to world by ZYX in deg" --out camera.csv
    """  # noqa: D301 (without the backslash the lines would be joined)
    with _Faults():
        loaded, plan = _load(scene, allow_outside=allow_outside)
        for problem in plan.problems:
            _print_problem(loaded, problem)
        from framescope.app.evaluating import evaluate_to

        evaluate_to(plan, signals or [], out, start=start, stop=stop, rate=rate)
        if str(out) != "-":
            typer.echo(out)
        if any(problem.severity == "red" for problem in plan.problems):
            raise typer.Exit(EXIT_FAULT)


@app.command()
def export(
    scene: SceneName,
    out: Annotated[
        str,
        typer.Argument(
            metavar="OUT", help="The file to write; its ending says the format. A folder takes numbered pictures."
        ),
    ],
    *,
    size: Annotated[str | None, typer.Option(help="Width and height in pixels; 1280x720 when left out.")] = None,
    fps: Annotated[
        float | None, typer.Option(help="Frames, or rows of a table, a second; 30 when left out, 25 for a GIF.")
    ] = None,
    start: Annotated[float | None, typer.Option(help="Start, s; the scene's own when left out.")] = None,
    stop: Annotated[float | None, typer.Option(help="End, s; the scene's own when left out.")] = None,
    theme: Annotated[str | None, typer.Option(help="dark, light, or white for papers; dark when left out.")] = None,
    transparent: Annotated[
        bool, typer.Option("--transparent", help="Leave the ground out; pictures are bare then. WebM, APNG and PNG.")
    ] = False,
    bare: Annotated[bool, typer.Option("--bare", help="The scene alone: no bar, legend, clock and grid.")] = False,
    angle_unit: Annotated[
        str | None, typer.Option(help="What angles are written in, in pictures: deg, when left out, or rad.")
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option(
            help="scene, when left out; plots: the scene and its plots;"
            " lecture: also matrix, quaternion and angles of a frame."
        ),
    ] = None,
    plots: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT",
            help="Which plots a layout shows, by title or number, with ; between; all when left out.",
        ),
    ] = None,
    frame: Annotated[
        str | None, typer.Option(help="Whose numbers a lecture shows; the first that moves by angles when left out.")
    ] = None,
    camera: Annotated[
        str | None, typer.Option(help="scene, when left out, or turntable: turns about what it looks at.")
    ] = None,
    turns: Annotated[
        int | None, typer.Option(help="Of a turntable: whole turns, 1 when left out; negative from above clockwise.")
    ] = None,
    follow: Annotated[str | None, typer.Option(help="A frame that the camera stays beside.")] = None,
    turning: Annotated[
        bool, typer.Option("--turning", help="With --follow: the camera turns with the frame, too.")
    ] = False,
    bounce: Annotated[bool, typer.Option("--bounce", help="Forth and back, so that a loop closes.")] = False,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="A Dask scheduler, such as tcp://host:8786, whose workers make a film. They do what the scene asks.",
        ),
    ] = None,
    long: Annotated[
        bool, typer.Option("--long", help="A table with a row for each number, with its name and unit. CSV, Parquet.")
    ] = False,
    with_problems: Annotated[
        bool, typer.Option("--with-problems", help="Export what can be drawn of a scene that has problems.")
    ] = False,
    allow_outside: AllowOutside = False,
) -> None:
    """Export a scene as a video, pictures, a moving model, a table or a bundle, with no window.

    \b
    OUT is one of:
      clip.mp4               video, H.264
      clip.webm              video, VP9; can be transparent
      clip.gif               256 colours, at most 50 frames a second
      clip.apng              lossless, can be transparent
      frames/, a/b-%04d.png  numbered pictures; goes on where it was left
      walk.csv, .npz, .parquet
                             poses and velocities of all frames in world, and
                             all sensors, with their units
      walk.glb               nodes that move, for Blender and the web
      walk.zip               the scene with all files that it names

    \b
    Examples:
      framescope export demo demo.mp4 --size 1920x1080
      framescope export demo demo.webm --transparent --start 1 --stop 3
      framescope export demo talk.mp4 --layout lecture --plots "2; Six residues"
      framescope export demo round.gif --camera turntable --bounce
      framescope export demo walk.csv --fps 100
    """  # noqa: D301 (without the backslash the lines would be joined)
    with _Faults():
        from framescope.app.exporters.registry import check_given, chosen
        from framescope.app.exporters.request import ExportOptions, SceneSource

        options = ExportOptions(
            size=None if size is None else _size(size),
            fps=fps,
            start=start,
            stop=stop,
            theme=theme,
            transparent=transparent,
            bare=bare,
            layout=layout,
            plots=_several(plots),
            frame=frame,
            camera=camera,
            turns=turns,
            follow=follow,
            turning=turning,
            bounce=bounce,
            cluster=cluster,
            long=long,
            angle_unit=cast('Literal["deg", "rad"] | None', angle_unit),  # checked with the request
        )
        path, _ = chosen(out)
        check_given(path, [name for name, value in options.items() if value not in (None, False)])
        loaded, plan = _load(scene, allow_outside=allow_outside)
        _stop_at_problems(loaded, plan, with_problems=with_problems, told="Nothing is exported.")
        options["source"] = SceneSource(
            loaded.path.name, loaded.text, _access(loaded.path, allow_outside=allow_outside)
        )
        from framescope.app.startup import export_with_progress

        export_with_progress(loaded.scene, plan, path, **options)
        typer.echo(path)


@app.command()
def picture(
    scene: SceneName,
    out: Annotated[Path, typer.Argument(help="The file to write, ending in .png.")],
    *,
    time: Annotated[float | None, typer.Option(help="The moment, s; the start of the scene when left out.")] = None,
    size: Annotated[str, typer.Option(help="Width and height in pixels, up to 7680x4320.")] = "1920x1080",
    theme: Annotated[str, typer.Option(help="dark, light, or white for papers.")] = "dark",
    transparent: Annotated[
        bool, typer.Option("--transparent", help="Leave the ground out; the picture is bare then.")
    ] = False,
    bare: Annotated[bool, typer.Option("--bare", help="The scene alone: no bar, legend, clock and grid.")] = False,
    samples: Annotated[int, typer.Option(help="For each pixel, to smooth edges.", min=0, max=16)] = 4,
    with_problems: Annotated[
        bool, typer.Option("--with-problems", help="Draw what can be drawn of a scene that has problems.")
    ] = False,
    allow_outside: AllowOutside = False,
) -> None:
    """Draw a scene at a moment into a PNG file, with no window."""
    with _Faults():
        loaded, plan = _load(scene, allow_outside=allow_outside)
        _stop_at_problems(loaded, plan, with_problems=with_problems, told="Nothing is drawn.")
        from framescope.app import platforms

        platforms.prepare_rendering(platforms.this_host())
        from framescope.app.exporters.picture import write_picture

        write_picture(
            loaded.scene,
            plan,
            out,
            time=time,
            size=_size(size),
            theme=theme,
            transparent=transparent,
            bare=bare,
            samples=samples,
        )
        typer.echo(out)


@app.command()
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
    """Read an orientation in one form and write it in others, each with what it means.

    Frame 1 is turned into frame 2; v_1 and v_2 are the components of a vector in either.

    \b
    --from reads (commas, semicolons and brackets may stand between numbers):
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
    with _Faults():
        from framescope.app import convert as conversion

        typer.echo(_printable(conversion.convert(source, targets, unit=unit, as_json=as_json, take_nearest=nearest)))


@app.command("detect")
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
    by_row: Annotated[bool, typer.Option("--by-row", help="Pair row by row, whatever the times say.")] = False,
    code: Annotated[str, typer.Option(help="Also print the conversion: python, scipy, matlab, julia, ...")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find out in which conventions two sets of numbers are the same orientations.

    Order of quaternions, sequence of angles about moving or fixed axes, units, active or passive, changed axes
    (NED and ENU, FRD and FLU, Y-up and Z-up, mirrored ones) and fixed offsets are tried in all combinations. Rows are
    matched by time where both sides have times, otherwise in their order.

    \b
    Exit status:
      0  one convention fits
      2  the numbers cannot be read or do not pair up
      3  several fit: the data cannot tell them apart, the advice says what would
      4  nothing fits

    \b
    Examples:
      framescope detect vendor.csv truth.csv
      framescope detect vendor.csv truth.csv --a-as angles --code numpy
      framescope detect "10 20 30; 40 5 60" "0.95 0.04 0.19 0.24; ..." --json
    """  # noqa: D301 (without the backslash the lines would be joined)
    with _Faults():
        from framescope.app.detect_command import Side, run_detect

        text, status = run_detect(
            Side(a, a_as, a_columns, a_time),
            Side(b, b_as, b_columns, b_time),
            offset=time_offset,
            by_row=by_row,
            as_text="json" if as_json else "table",
            code={"python": "numpy"}.get(code, code),
        )
        typer.echo(_printable(text))
        raise typer.Exit(status)


class _Faults:
    """Turn a fault raised on purpose into its message and exit status 2, without a traceback."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, FramescopeError):
            typer.echo(_printable(str(error)), err=True)
            raise typer.Exit(EXIT_FAULT) from None


def _load(named: str, *, allow_outside: bool) -> tuple[LoadedScene, Plan]:
    from framescope.app.scenes import find_scene, unpacked
    from framescope.core.evaluate import compile_plan
    from framescope.core.scene.loading import load_scene

    loaded = load_scene(unpacked(find_scene(named)))
    return loaded, compile_plan(loaded.scene, access=_access(loaded.path, allow_outside=allow_outside))


def _access(path: Path, *, allow_outside: bool) -> Access:
    """Return which files the names in a scene file may stand for."""
    from framescope.core.named_files import Access

    return Access(path.resolve().parent, allow_all=allow_outside)


def _all_problems(plan: Plan) -> tuple[Problem, ...]:
    """Return what is wrong with a plan, and with the mesh files it draws."""
    from framescope.app.mesh_problems import mesh_problems

    return (*plan.problems, *mesh_problems(plan))


def _stop_at_problems(loaded: LoadedScene, plan: Plan, *, with_problems: bool, told: str) -> None:
    """Print the problems of a scene; end with status 2 when something cannot be drawn, unless that is allowed."""
    problems = [problem for problem in _all_problems(plan) if problem.severity != "note"]
    for problem in problems:
        _print_problem(loaded, problem)
    if any(problem.severity == "red" for problem in problems) and not with_problems:
        typer.echo(f"{told} Mend the scene, or add --with-problems.", err=True)
        raise typer.Exit(EXIT_FAULT)


def _print_problem(loaded: LoadedScene, problem: Problem) -> None:
    typer.echo(_printable(f"{loaded.path}: {problem.severity}: {loaded.locate(problem)}"), err=True)


def _printable(text: str) -> str:
    """Return a text that a terminal shows as it is: a scene may hold what would steer the terminal."""
    return "".join(char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text)


def _several(texts: list[str] | None) -> list[str] | None:
    """Return what is named by an option that takes several, with ; between or given again; None when left out."""
    if not texts:
        return None
    return [part.strip() for text in texts for part in text.split(";") if part.strip()]


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise FramescopeError(f'size: expected width x height such as 1280x720, got "{text}".')
    return int(width), int(height)
