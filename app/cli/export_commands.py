"""Commands that write a scene to a file without a window: ``export`` and ``picture``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from framescope.app.cli.common import (
    AllowOutside,
    SceneName,
    access_to,
    load,
    print_warnings,
    printed_errors,
    stop_at_problems,
)
from framescope.app.exporters.formats import formats_by_suffix
from framescope.core.errors import FramescopeError
from framescope.core.scene.schema.model import Scene
from framescope.ui.exports.options import ExportOptions, Option, options_in

if TYPE_CHECKING:
    from framescope.app.exporters.request import ExportRequest


def with_options(
    kind: type[ExportOptions] = ExportOptions, *, is_still: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Replace the argument ``options`` of a command by the options of its formats."""

    def replace_options(command: Callable[..., None]) -> Callable[..., None]:
        taken = {name for file_format in formats_by_suffix(is_still=is_still).values() for name in file_format.takes}
        options = {name: option for name, option in options_in(kind).items() if name in taken and option.help}

        def run(**given: Any) -> None:
            with printed_errors():
                values = {name: _value_of(name, option, given.pop(name)) for name, option in options.items()}
            command(options=kind(**values), **given)

        parameters: list[inspect.Parameter] = []
        for own in inspect.signature(command, eval_str=True).parameters.values():
            if own.name == "options":
                parameters += [_parameter(name, option, is_still=is_still) for name, option in options.items()]
            else:
                parameters.append(own.replace(kind=inspect.Parameter.KEYWORD_ONLY))
        run.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]
        run.__name__, run.__doc__ = command.__name__.removeprefix("write_"), command.__doc__
        return run

    return replace_options


def _parameter(name: str, option: Option, *, is_still: bool) -> inspect.Parameter:
    """Return the parameter of a command for typer."""
    is_flag = option.kind is bool
    flag = option.flag or (f"--{name.replace('_', '-')}" if is_flag else "")
    words = option.still_help if is_still and option.still_help else option.help
    least, most = option.bounds
    message = typer.Option(*filter(None, [flag]), help=words, metavar=option.metavar, min=least, max=most)
    default = option.still_default if is_still else None
    if option.text is not None and default is not None:
        default = option.text(default)
    kind = option.kind if is_flag or default is not None else option.kind | None
    by_name, default = inspect.Parameter.KEYWORD_ONLY, False if is_flag else default
    return inspect.Parameter(name, by_name, default=default, annotation=Annotated[kind, message])


def _value_of(name: str, option: Option, given: Any) -> Any:
    """Convert the given value of an option; raise `FramescopeError` when it is invalid."""
    if option.parse is None or given is None:
        return given if given != [] else None
    try:
        return option.parse(given)
    except ValueError as error:
        raise FramescopeError(f"{name}: {error}") from None


def write_export(
    scene: SceneName,
    out: Annotated[
        str,
        typer.Argument(
            metavar="OUT", help="The file to write; its ending says the format. A folder takes numbered pictures."
        ),
    ],
    *,
    options: ExportOptions,
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
      frames/, a/b-%04d.png  numbered pictures; continues an interrupted export
      walk.csv, .npz, .parquet
                             poses and velocities of all frames in world, and
                             all sensors, with their units
      walk.glb               nodes that move, for Blender and the web
      walk.usdc, .usda, .usd the same for film and robotics
      walk.html              a page that plays in any browser, offline
      walk.zip               the scene with all files that it names
      tree.urdf, tree.sdf    links and fixed joints of a tree of frames
      tree.launch.py, .launch.xml, .launch.yaml, .launch
                             publishers of its static transforms for ROS
      tree.py, .cpp, .hpp, .m
                             its poses as code: numpy, Eigen and others
      tree.tree.csv          a row for each frame with its parent and pose

    \b
    Examples:
      framescope export demo demo.mp4 --size 1920x1080
      framescope export demo demo.webm --transparent --start 1 --stop 3
      framescope export demo talk.mp4 --layout lecture --plots "2; 1"
      framescope export demo round.gif --camera turntable --bounce
      framescope export demo slow.mp4 --speed 0.1 --start 1 --stop 2 --hold 2
      framescope export gimbal-film film.mp4 --film lock
      framescope export demo captions.mp4 --caption "0: Turn" --caption "4: Stop"
      framescope export demo walk.glb --accuracy 0.1
      framescope export demo walk.csv --fps 100
      framescope export arm.yaml arm.launch.py --frame base
    """  # noqa: D301 (without the backslash the lines would be joined)
    with printed_errors():
        from framescope.app.exporters.registry import check_options, chosen, request_for
        from framescope.app.exporters.request import SceneSource
        from framescope.app.exporters.scene_graph.remarks import accuracy_remark, left_out_text
        from framescope.app.startup import export_with_progress

        check_options(out, options.explicit_values)
        loaded, plan = load(scene, allow_outside=allow_outside, out=chosen(out)[0])
        stop_at_problems(loaded, plan, with_problems=with_problems, message="Nothing is exported.")
        print_warnings(scene, plan)
        source = SceneSource(loaded.path.name, loaded.text, access_to(loaded, allow_outside=allow_outside))
        request = request_for(loaded.scene, plan, out, options, source=source)
        if lacks := left_out_text(plan, request.made.suffix):
            typer.echo(lacks, err=True)
        remark = export_with_progress(request)
        if remark:
            typer.echo(remark if isinstance(remark, str) else f"{accuracy_remark(request.path, remark)}.", err=True)
        _report_late_captions(request)
        _report_omitted_answers(request)
        if "theme" in request.made.takes:
            _report_missing_letters(loaded.scene, options)
        typer.echo(request.path)


def write_picture(
    scene: SceneName,
    out: Annotated[Path, typer.Argument(help="The file to write, ending in .png, .svg or .pdf.")],
    *,
    options: ExportOptions,
    with_problems: Annotated[
        bool, typer.Option("--with-problems", help="Draw what can be drawn of a scene that has problems.")
    ] = False,
    allow_outside: AllowOutside = False,
) -> None:
    """Draw a scene at a moment into a PNG, SVG or PDF file, with no window.

    In an SVG or a PDF names, numbers and plots are vectors, to be set in a paper; the scene behind them is an image.
    """
    with printed_errors():
        loaded, plan = load(scene, allow_outside=allow_outside, out=out)
        stop_at_problems(loaded, plan, with_problems=with_problems, message="Nothing is drawn.")
        print_warnings(scene, plan)
        from framescope.app import platforms

        platforms.prepare_rendering(platforms.this_host())
        from framescope.app.exporters.registry import request_for, write

        request = request_for(loaded.scene, plan, out, options, is_still=True)
        write(request)
        _report_omitted_answers(request)
        _report_missing_letters(loaded.scene, options)
        typer.echo(out)


def _report_late_captions(request: ExportRequest) -> None:
    """Report captions that begin after the exported range, on standard error."""
    from framescope.app.exporters.captions import outside_text

    note = outside_text(request.captions, float(request.times.max())) if request.captions else ""
    if note:
        typer.echo(note, err=True)


def _report_omitted_answers(request: ExportRequest) -> None:
    """Report how many answers have no room beside the scene, on standard error."""
    if "layout" not in request.made.takes:
        return
    from framescope.app.exporters.rendering.headless import omitted_answers

    if note := omitted_answers(request):
        typer.echo(note, err=True)


def _report_missing_letters(scene: Scene, options: ExportOptions) -> None:
    """Report characters of a scene that are drawn as boxes, on standard error."""
    from framescope.app.exporters.rendering.missing_glyphs import letters_note

    if note := letters_note(scene, options.captions or ()):
        typer.echo(note, err=True)


export = with_options()(write_export)
picture = with_options(is_still=True)(write_picture)
