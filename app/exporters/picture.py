"""Still pictures: a PNG of a scene at a moment, of any size up to 8K, also on a transparent ground.

A picture is drawn, and composed, as a frame of a video is, in one piece: 8K with four samples takes 2.5 GB of memory
for a moment.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from vtkmodules.util.numpy_support import vtk_to_numpy  # pyright: ignore[reportUnknownVariableType]
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.app.exporters.alpha import Pixels, with_alpha
from framescope.app.exporters.canvas import SAMPLES
from framescope.app.exporters.formats import EXPORTERS
from framescope.app.exporters.headless import LECTURE
from framescope.app.exporters.layouts import arranged, scale_of
from framescope.app.exporters.request import (
    THEMES,
    ExportError,
    ExportOptions,
    ExportRequest,
    check_folder,
    checked_composition,
    checked_request,
)
from framescope.app.exporters.seen_from import for_narrow
from framescope.core.atomic import atomically
from framescope.core.curves import trails
from framescope.core.errors import did_you_mean
from framescope.core.evaluate import Plan, evaluate
from framescope.core.scene.model import Scene
from framescope.ui.theme import Theme
from framescope.ui.view.camera import CameraState
from framescope.ui.view.context import BARE, VIDEO, Furniture
from framescope.ui.view.scene_renderer import SceneRenderer
from framescope.ui.widgets.angle_unit import DEG, AngleUnit

MIN_SIDE, MAX_SIDE = 64, 8192
MAX_PIXELS = 7680 * 4320
MAX_SAMPLES = 16


def write_picture(
    scene: Scene,
    plan: Plan,
    path: str | Path,
    *,
    time: float | None = None,
    size: tuple[int, int] = (1920, 1080),
    theme: str = "dark",
    transparent: bool = False,
    bare: bool = False,
    samples: int = SAMPLES,
    camera: CameraState | None = None,
    angles: AngleUnit = DEG,
    layout: str | None = None,
    plots: Sequence[str | int] | None = None,
    frame: str | None = None,
) -> None:
    """Write a picture of a scene to a PNG file, which appears whole or not at all.

    Parameters
    ----------
    scene, plan
        The document, and its compiled plan.
    path
        Where to write; it ends in .png.
    time
        The moment, s; the start of the scene when left out.
    size
        Width and height in pixels, up to 8K.
    theme
        ``"dark"``, ``"light"``, or ``"white"`` for papers.
    transparent
        Leave the ground out; the picture is bare then.
    bare
        Draw the scene alone, without bar, legend, clock, source line and grid.
    samples
        For each pixel, to smooth edges.
    camera
        Where the scene is seen from; its own camera when left out.
    angles
        What angles and their rates are written in.
    layout, plots, frame
        What is composed, as in a film: ``"plots"`` or ``"lecture"``; the scene alone when left out.

    Raises
    ------
    ExportError
        When the picture cannot be made as asked, or not be written.
    """
    path = Path(path)
    check_path(path)
    check_picture(plan, time=time, size=size, theme=theme, samples=samples)
    options = ExportOptions(
        size=size, theme=theme, transparent=transparent, bare=bare, layout=layout, plots=plots, frame=frame
    )
    composed = checked_composition(plan, size, options, angles)
    t = plan.start if time is None else time
    if composed.layout == "scene":
        furniture = BARE if bare or transparent else VIDEO
        pixels = drawn_picture(
            *(scene, plan, t, size, THEMES[theme]),
            furniture=furniture,
            is_transparent=transparent,
            samples=samples,
            camera=camera,
            angles=angles,
        )
    else:
        options["angle_unit"] = "rad" if angles.key == "rad" else "deg"
        request = checked_request(scene, plan, path, EXPORTERS[".png"], options, progress=None, is_cancelled=None)
        pixels = composed_picture(request, t, samples, camera)
    try:
        with atomically(path) as partial:
            partial.write_bytes(png_of(pixels, scene.title))
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror or error}.") from None


def composed_picture(
    request: ExportRequest, t: float, samples: int = SAMPLES, camera: CameraState | None = None
) -> Pixels:
    """Return the picture of a moment, s, with what a request composes beside the scene."""
    from framescope.app.exporters.composition import Composition

    layout = request.composed.layout
    place = arranged(layout, request.size, len(request.composed.plots))
    if place is None:
        raise ExportError("layout: the plots find no room.")
    drawn = drawn_picture(
        *(request.scene, request.plan, t, (place.scene.width, place.scene.height), request.theme),
        furniture=LECTURE if layout == "lecture" else VIDEO,
        samples=samples,
        camera=camera,
        scale=place.scale,
        angles=request.angles,
        is_lecture=layout == "lecture",
    )
    composition = Composition(request, place)
    try:
        return composition.frame(evaluate(request.plan, t), drawn)
    finally:
        composition.close()


def drawn_picture(
    scene: Scene,
    plan: Plan,
    t: float,
    size: tuple[int, int],
    theme: Theme,
    *,
    furniture: Furniture = VIDEO,
    is_transparent: bool = False,
    samples: int = SAMPLES,
    camera: CameraState | None = None,
    scale: float | None = None,
    angles: AngleUnit = DEG,
    is_lecture: bool = False,
) -> Pixels:
    """Return a picture (height, width, 3), or with alpha (height, width, 4), top row first.

    Parameters
    ----------
    scene, plan, t
        The document, its plan, and the moment, s.
    size, theme, furniture
        Width and height in pixels, the colours, and what is drawn besides the scene.
    is_transparent
        Give alpha; the furniture needs a plain ground.
    samples
        For each pixel.
    camera
        Where the scene is seen from; its own camera when left out.
    scale
        Pixels for each logical pixel; when left out text grows with the shorter side.
    angles
        What angles and their rates are written in.
    is_lecture
        Make title and clock large.
    """
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(samples)
    window.SetSize(*size)
    scale = scale_of(size) if scale is None else scale
    renderer = SceneRenderer(theme, scale, replace(furniture, ground=furniture.ground and not is_transparent))
    renderer.set_angle_unit(angles)
    renderer.set_lecture(is_lecture)
    renderer.attach(window)
    try:
        renderer.set_scene(scene, plan)
        renderer.show(evaluate(plan, t), trails(plan, t))
        if camera is not None:
            renderer.set_camera(camera)
        elif plan.staging.camera is not None or renderer.is_on_path:
            renderer.set_camera(for_narrow(renderer.camera(), size[0] / size[1]))
        renderer.prepare()
        if not is_transparent:
            return _read(window)
        on_color: list[Pixels] = []
        for level in (0.0, 1.0):
            renderer.clear_with((level, level, level))
            on_color.append(_read(window))
        return with_alpha(*on_color)
    finally:
        renderer.detach()
        window.Finalize()


def png_of(pixels: Pixels, title: str | None = None) -> bytes:
    """Return the PNG file of a picture."""
    info = PngInfo()
    info.add_text("Software", "Framescope")
    if title:
        info.add_itxt("Title", title)
    buffer = io.BytesIO()
    # Level 6 of zlib, the default, takes most of the time of a picture of 8K, for files little smaller.
    Image.fromarray(pixels).save(buffer, "PNG", pnginfo=info, compress_level=4)
    return buffer.getvalue()


def _read(window: vtkRenderWindow) -> Pixels:
    window.Render()
    width, height = window.GetSize()
    pixels = vtkUnsignedCharArray()
    window.GetPixelData(0, 0, width - 1, height - 1, 0, pixels, 0)
    data: Pixels = np.asarray(vtk_to_numpy(pixels), dtype=np.uint8)
    return data.reshape(height, width, 3)[::-1].copy()


def check_path(path: Path) -> None:
    """Raise `ExportError` for what cannot be written."""
    if path.suffix.lower() != ".png":
        said = f'"{path.suffix}" is no format of pictures' if path.suffix else "the file name has no ending"
        raise ExportError(f"{path.name}: {said}. Use .png.")
    check_folder(path)


def check_picture(
    plan: Plan, *, time: float | None, size: tuple[int, int], theme: str = "dark", samples: int = SAMPLES
) -> None:
    """Raise `ExportError` for a picture that cannot be drawn."""
    width, height = size
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in size) or width * height > MAX_PIXELS:
        raise ExportError(
            f"size: expected sides from {MIN_SIDE} to {MAX_SIDE} and no more pixels than 7680x4320,"
            f" got {width}x{height}."
        )
    if theme not in THEMES:
        raise ExportError(f'theme: expected dark, light or white, got "{theme}". {did_you_mean(theme, THEMES)}'.strip())
    if time is not None and not math.isfinite(time):
        raise ExportError(f"time: expected a number of seconds, got {time:g}.")
    if time is not None and not plan.start <= time <= plan.end:
        raise ExportError(f"time: expected {plan.start:g} to {plan.end:g} s, the time of the scene, got {time:g} s.")
    if not 0 <= samples <= MAX_SAMPLES:
        raise ExportError(f"samples: expected 0 to {MAX_SAMPLES}, got {samples}.")
