"""Still pictures: a scene at a moment, of any size up to 8K, also on a transparent ground.

A picture is drawn, and composed, as a frame of a video is, in one piece: 8K with four samples takes 2.5 GB of memory
for a moment.
"""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Unpack

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from framescope.app.exporters.formats import STILLS
from framescope.app.exporters.rendering.alpha import Pixels
from framescope.app.exporters.rendering.caption_band import CaptionBand
from framescope.app.exporters.rendering.offscreen_window import SAMPLES
from framescope.app.exporters.rendering.scene_picture import place_of, scene_picture
from framescope.app.exporters.request import ExportError, ExportOptions, ExportRequest, check_folder, checked_request
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.scene.schema.model import Scene
from framescope.core.system.atomic_write import atomically

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


def check_path(path: Path) -> None:
    """Raise `ExportError` for what cannot be written."""
    if path.suffix.lower() not in STILLS:
        said = f'"{path.suffix}" is no format of pictures' if path.suffix else "the file name has no ending"
        raise ExportError(f"{path.name}: {said}. Use .png, .svg or .pdf.")
    check_folder(path)
