"""PNG files of pictures."""

from __future__ import annotations

import io

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from framescope.app.exporters.rendering.alpha import Pixels


def png_of(pixels: Pixels, title: str = "", license: str = "") -> bytes:  # noqa: A002 - the option's name
    """Encode a picture as PNG, with its title and licence, if any, in the metadata."""
    info = PngInfo()
    info.add_text("Software", "Framescope")
    for key, text in (("Title", title), ("Copyright", license)):
        if text:
            info.add_itxt(key, text)
    buffer = io.BytesIO()
    # zlib's default, level 6, takes most of the time of an 8K picture and saves little.
    Image.fromarray(pixels).save(buffer, "PNG", pnginfo=info, compress_level=4)
    return buffer.getvalue()
