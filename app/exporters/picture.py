"""Still pictures: a scene at a moment, of any size up to 8K, also on a transparent ground.

A picture is drawn, and composed, as a frame of a video is, in one piece: 8K with four samples takes 2.5 GB of memory
for a moment. In an SVG or a PDF texts, plots and numbers are vectors, and the scene behind them is an image.
"""

from __future__ import annotations

import io

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from framescope.app.exporters.rendering.alpha import Pixels
from framescope.app.exporters.rendering.headless import rendered_frames
from framescope.app.exporters.request import ExportRequest
from framescope.core.system.atomic_write import atomically


def write(request: ExportRequest) -> None:
    """Write a picture of a scene to a PNG, SVG or PDF file, which appears whole or not at all."""
    try:
        with atomically(request.path) as partial:
            if request.path.suffix.lower() == ".png":
                (pixels,) = rendered_frames(request)
                partial.write_bytes(png_of(pixels, request.title, request.license))
            else:
                from framescope.app.exporters.vector_picture import write_vectors

                write_vectors(request, partial)
    except OSError as error:
        raise request.failure(error) from None


def png_of(pixels: Pixels, title: str = "", license: str = "") -> bytes:  # noqa: A002 - the option's name
    """Return the PNG file of a picture, with title and licence in its data where there are any."""
    info = PngInfo()
    info.add_text("Software", "Framescope")
    for key, message in (("Title", title), ("Copyright", license)):
        if message:
            info.add_itxt(key, message)
    buffer = io.BytesIO()
    # Level 6 of zlib, the default, takes most of the time of a picture of 8K, for files little smaller.
    Image.fromarray(pixels).save(buffer, "PNG", pnginfo=info, compress_level=4)
    return buffer.getvalue()
