"""The commands that write a scene to a file with no window: ``export`` and ``picture``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from framescope.app.cli.common import AllowOutside, Faults, SceneName, access_to, load, stop_at_problems
from framescope.core.errors import FramescopeError
from framescope.core.scene.schema.model import Scene

if TYPE_CHECKING:
    from framescope.app.exporters.formats import Format
    from framescope.app.exporters.request import ExportOptions
    from framescope.core.evaluation.evaluate import Plan

Layout = Annotated[
    str | None,
    typer.Option(
        help="scene, when left out; plots: the scene and its plots;"
        " lecture: also matrix, quaternion and angles of a frame."
    ),
]
Plots = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        help="Which plots a layout shows, by title or number, with ; between; all when left out.",
    ),
]
FrameShown = Annotated[
    str | None, typer.Option(help="Whose numbers a lecture shows; the first that moves by angles when left out.")
]
Captions = Annotated[
    list[str] | None,
    typer.Option(
        "--caption",
        metavar="TEXT",
        help='A text below the picture, from the time of the scene that it begins with: "2.5: Then the pitch".'
        " Without a time it stands from the start. Give it again for more: each stands until the next one, the last"
        ' until the end, and a time without words ("4:") ends the one before.',
    ),
]
TextSize = Annotated[
    float | None, typer.Option(help="How large text is, apart from the size of the picture; 1 when left out.")
]
Title = Annotated[str | None, typer.Option(help="The title in the file's own data; the scene's when left out.")]
License = Annotated[str | None, typer.Option(help="Who may use it, in the file's own data, such as CC BY 4.0.")]
Bare = Annotated[bool, typer.Option("--bare", help="The scene alone: no bar, legend, clock and grid.")]


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
    accuracy: Annotated[
        float | None,
        typer.Option(
            help="Of a model or a page: how far turns may be off between samples, degrees, and places in proportion;"
            " 0.005 when left out."
        ),
    ] = None,
    start: Annotated[float | None, typer.Option(help="Start, s; the scene's own when left out.")] = None,
    stop: Annotated[float | None, typer.Option(help="End, s; the scene's own when left out.")] = None,
    theme: Annotated[str | None, typer.Option(help="dark, light, or white for papers; dark when left out.")] = None,
    transparent: Annotated[
        bool, typer.Option("--transparent", help="Leave the ground out; pictures are bare then. WebM, APNG and PNG.")
    ] = False,
    bare: Bare = False,
    angle_unit: Annotated[
        str | None, typer.Option(help="What angles are written in, in pictures: deg, when left out, or rad.")
    ] = None,
    layout: Layout = None,
    plots: Plots = None,
    frame: FrameShown = None,
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
    speed: Annotated[
        float | None,
        typer.Option(help="How fast the scene goes in a film: 0.1 for ten times as slow; 1 when left out."),
    ] = None,
    hold: Annotated[float | None, typer.Option(help="How long the end stays in a film, s; 0 when left out.")] = None,
    caption: Captions = None,
    text_size: TextSize = None,
    quality: Annotated[str | None, typer.Option(help="Of an MP4 or WebM: small, good, when left out, or best.")] = None,
    title: Title = None,
    license: License = None,  # noqa: A002 - the option's name
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
      walk.usdc, .usda, .usd the same for film and robotics
      walk.html              a page that plays in any browser, offline
      walk.zip               the scene with all files that it names

    \b
    Examples:
      framescope export demo demo.mp4 --size 1920x1080
      framescope export demo demo.webm --transparent --start 1 --stop 3
      framescope export demo talk.mp4 --layout lecture --plots "2; Six residues"
      framescope export demo round.gif --camera turntable --bounce
      framescope export demo slow.mp4 --speed 0.1 --start 1 --stop 2 --hold 2
      framescope export demo told.mp4 --caption "0: Both turn" --caption "4: The camera too"
      framescope export demo walk.glb --accuracy 0.1
      framescope export demo walk.csv --fps 100
    """  # noqa: D301 (without the backslash the lines would be joined)
    with Faults():
        from framescope.app.exporters.registry import check_given, chosen
        from framescope.app.exporters.request import ExportOptions, SceneSource

        options = ExportOptions(
            size=None if size is None else _size(size),
            fps=fps,
            accuracy=accuracy,
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
            speed=speed,
            hold=hold,
            captions=caption or None,
            text_size=text_size,
            quality=cast('Literal["small", "good", "best"] | None', quality),
            title=title,
            license=license,
            cluster=cluster,
            long=long,
            angle_unit=cast('Literal["deg", "rad"] | None', angle_unit),  # checked with the request
        )
        path, made = chosen(out)
        check_given(path, [name for name, value in options.items() if value not in (None, False)])
        loaded, plan = load(scene, allow_outside=allow_outside)
        stop_at_problems(loaded, plan, with_problems=with_problems, told="Nothing is exported.")
        options["source"] = SceneSource(
            loaded.path.name, loaded.text, access_to(loaded.path, allow_outside=allow_outside)
        )
        from framescope.app.exporters.scene_graph.remarks import left_out_text, told_of
        from framescope.app.startup import export_with_progress

        lacks = left_out_text(plan, path.suffix.lower())
        if lacks:
            typer.echo(lacks, err=True)
        accuracy_kept = export_with_progress(loaded.scene, plan, path, **options)
        if accuracy_kept is not None:
            typer.echo(f"{told_of(path, accuracy_kept)}.", err=True)
        if caption:
            _say_outside(plan, path, made, options)
        if "theme" in made.takes:
            _say_letters(loaded.scene, caption)
        typer.echo(path)


def picture(
    scene: SceneName,
    out: Annotated[Path, typer.Argument(help="The file to write, ending in .png, .svg or .pdf.")],
    *,
    time: Annotated[float | None, typer.Option(help="The moment, s; the start of the scene when left out.")] = None,
    size: Annotated[str, typer.Option(help="Width and height in pixels, up to 7680x4320.")] = "1920x1080",
    theme: Annotated[str, typer.Option(help="dark, light, or white for papers.")] = "dark",
    transparent: Annotated[
        bool, typer.Option("--transparent", help="Leave the ground out; the picture is bare then.")
    ] = False,
    bare: Bare = False,
    angle_unit: Annotated[str, typer.Option(help="What angles are written in: deg or rad.")] = "deg",
    layout: Layout = None,
    plots: Plots = None,
    frame: FrameShown = None,
    caption: Captions = None,
    text_size: TextSize = None,
    title: Title = None,
    license: License = None,  # noqa: A002 - the option's name
    samples: Annotated[int, typer.Option(help="For each pixel, to smooth edges.", min=0, max=16)] = 4,
    with_problems: Annotated[
        bool, typer.Option("--with-problems", help="Draw what can be drawn of a scene that has problems.")
    ] = False,
    allow_outside: AllowOutside = False,
) -> None:
    """Draw a scene at a moment into a PNG, SVG or PDF file, with no window.

    In an SVG or a PDF names, numbers and plots are vectors, to be set in a paper; the scene behind them is an image.
    """
    with Faults():
        loaded, plan = load(scene, allow_outside=allow_outside)
        stop_at_problems(loaded, plan, with_problems=with_problems, told="Nothing is drawn.")
        from framescope.app import platforms

        platforms.prepare_rendering(platforms.this_host())
        from framescope.app.exporters.picture import write_picture

        write_picture(
            loaded.scene,
            plan,
            out,
            time=time,
            samples=samples,
            size=_size(size),
            theme=theme,
            transparent=transparent,
            bare=bare,
            angle_unit=cast('Literal["deg", "rad"]', angle_unit),  # checked with the request
            layout=layout,
            plots=_several(plots),
            frame=frame,
            captions=caption or None,
            text_size=text_size,
            title=title,
            license=license,
        )
        _say_letters(loaded.scene, caption)
        typer.echo(out)


def _say_outside(plan: Plan, path: Path, made: Format, options: ExportOptions) -> None:
    """Say on standard error which captions begin after what is exported."""
    from framescope.app.exporters.captions import outside_text
    from framescope.app.exporters.request import checked_request

    request = checked_request(plan.scene, plan, path, made, options, progress=None, is_cancelled=None)
    note = outside_text(request.captions, float(request.times.max()))
    if note:
        typer.echo(note, err=True)


def _say_letters(scene: Scene, captions: list[str] | None) -> None:
    """Say on standard error which letters of a scene are drawn as boxes."""
    from framescope.app.exporters.rendering.missing_glyphs import letters_note

    note = letters_note(scene, captions or ())
    if note:
        typer.echo(note, err=True)


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
