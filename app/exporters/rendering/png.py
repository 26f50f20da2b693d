"""PNG files of pictures."""

from __future__ import annotations

import io

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from framescope.app.exporters.rendering.alpha import Pixels


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
