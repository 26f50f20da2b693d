"""Still pictures: a scene at a moment, of any size up to 8K, also on a transparent ground.

A picture is drawn, and composed, as a frame of a video is, in one piece: 8K with four samples takes 2.5 GB of memory
for a moment.
"""

from __future__ import annotations

import io
import math
from dataclasses import replace
from pathlib import Path
from typing import Unpack

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from vtkmodules.util.numpy_support import vtk_to_numpy  # pyright: ignore[reportUnknownVariableType]
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.app.exporters.camera_modes import for_narrow
from framescope.app.exporters.formats import STILLS
from framescope.app.exporters.layouts import Arrangement, arranged, scale_of
from framescope.app.exporters.rendering.alpha import Pixels, with_alpha
from framescope.app.exporters.rendering.caption_band import CaptionBand
from framescope.app.exporters.rendering.headless import LECTURE
from framescope.app.exporters.rendering.offscreen_window import SAMPLES
from framescope.app.exporters.rendering.renderer_info import renderer_name
from framescope.app.exporters.request import (
    ExportError,
    ExportOptions,
    ExportRequest,
    check_folder,
    checked_request,
)
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.core.scene.schema.model import Scene
from framescope.core.system.atomic_write import atomically
from framescope.ui.scene_view.base.visual import BARE, VIDEO, Furniture
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.scene_view.geometry.sprites import PlacedText
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.theme.tokens import Theme
from framescope.ui.widgets.angle_unit import DEG, AngleUnit

USUAL_SIZE = (1920, 1080)
MAX_SAMPLES = 16


def write_picture(
    scene: Scene,
    plan: Plan,
    path: str | Path,
    *,
    time: float | None = None,
    samples: int = SAMPLES,
    **options: Unpack[ExportOptions],
) -> None:
    """Write a picture of a scene to a PNG, SVG or PDF file, which appears whole or not at all.

    In an SVG or a PDF texts, plots and numbers are vectors, and the scene behind them is an image.

    Parameters
    ----------
    scene, plan
        The document, and its compiled plan.
    path
        Where to write; it ends in .png, .svg or .pdf.
    time
        The moment, s; the start of the scene when left out.
    samples
        For each pixel, to smooth edges.
    options
        ``size`` up to 8K, 1920 by 1080 when left out; ``theme``, ``transparent``, ``bare``, ``angle_unit``, ``layout``,
        ``plots``, ``frame``, ``captions``, ``text_size``, ``title``, ``license`` and ``eye`` as `export` takes them.

    Raises
    ------
    ExportError
        When the picture cannot be made as asked, or not be written.
    """
    path = Path(path)
    check_path(path)
    request = checked_picture(scene, plan, path, options, time=time, samples=samples)
    t = plan.start if time is None else time
    try:
        with atomically(path) as partial:
            if path.suffix.lower() == ".png":
                pixels = picture_of(request, t, samples)
                partial.write_bytes(png_of(pixels, request.title, request.license))
            else:
                from framescope.app.exporters.vector_picture import write_vectors

                write_vectors(request, t, partial, samples)
    except OSError as error:
        raise request.failure(error) from None


def checked_picture(
    scene: Scene,
    plan: Plan,
    path: Path,
    options: ExportOptions,
    *,
    time: float | None = None,
    samples: int = SAMPLES,
) -> ExportRequest:
    """Return the request of a picture; raise `ExportError` for one that cannot be made as asked."""
    if time is not None and not math.isfinite(time):
        raise ExportError(f"time: expected a number of seconds, got {time:g}.")
    if time is not None and not plan.start <= time <= plan.end:
        raise ExportError(f"time: expected {plan.start:g} to {plan.end:g} s, the time of the scene, got {time:g} s.")
    if not 0 <= samples <= MAX_SAMPLES:
        raise ExportError(f"samples: expected 0 to {MAX_SAMPLES}, got {samples}.")
    made = STILLS[path.suffix.lower()]
    asked = options.copy()
    asked["size"] = options.get("size") or USUAL_SIZE
    return checked_request(scene, plan, path, made, asked, progress=None, is_cancelled=None)


def picture_of(request: ExportRequest, t: float, samples: int = SAMPLES) -> Pixels:
    """Return the picture (height, width, 3 or 4) of a moment, s, with what a request composes beside the scene."""
    band = CaptionBand(request)
    above = band.above(request)
    if above.composed.layout == "scene":
        return band.below(scene_picture(above, t, samples), t)
    from framescope.app.exporters.rendering.composition import Composition

    place = place_of(above)
    drawn = scene_picture(above, t, samples, (place.scene.width, place.scene.height))
    composition = Composition(above, place)
    try:
        return band.below(composition.frame(evaluate(above.plan, t), drawn), t)
    finally:
        composition.close()


def place_of(request: ExportRequest) -> Arrangement:
    """Return where everything stands in a composed picture."""
    composed = request.composed
    place = arranged(composed.layout, request.size, len(composed.plots), request.scale)
    if place is None:
        raise ExportError("layout: the plots find no room.")
    return place


def scene_picture(
    request: ExportRequest,
    t: float,
    samples: int,
    size: tuple[int, int] | None = None,
    zoom: float = 1.0,
    texts: list[PlacedText] | None = None,
) -> Pixels:
    """Return the picture of the scene alone, as large as asked for or `size`, and that many times larger."""
    width, height = size or request.size
    is_lecture = request.composed.layout == "lecture"
    furniture = BARE if request.is_bare else LECTURE if is_lecture else VIDEO
    return drawn_picture(
        *(request.scene, request.plan, t, (round(zoom * width), round(zoom * height)), request.theme),
        furniture=furniture,
        is_transparent=request.is_transparent,
        samples=samples,
        camera=request.seen_from.eye,
        scale=zoom * request.scale,
        angles=request.angles,
        is_lecture=is_lecture,
        texts=texts,
    )


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
    texts: list[PlacedText] | None = None,
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
    texts
        Gets the texts that are left out of the picture then, each with its place.
    """
    renderer_name()  # raises when nothing can be drawn
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
        if texts is not None:
            texts += renderer.lift_texts()
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


def png_of(pixels: Pixels, title: str = "", license: str = "") -> bytes:  # noqa: A002 - the option's name
    """Return the PNG file of a picture, with title and licence in its data where there are any."""
    info = PngInfo()
    info.add_text("Software", "Framescope")
    for key, said in (("Title", title), ("Copyright", license)):
        if said:
            info.add_itxt(key, said)
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
    if path.suffix.lower() not in STILLS:
        said = f'"{path.suffix}" is no format of pictures' if path.suffix else "the file name has no ending"
        raise ExportError(f"{path.name}: {said}. Use .png, .svg or .pdf.")
    check_folder(path)
