"""Still pictures: a scene at a moment, of any size up to 8K, also on a transparent ground.

A picture is drawn, and composed, as a frame of a video is, in one piece: 8K with four samples takes 2.5 GB of memory
for a moment. In an SVG or a PDF texts, plots and numbers are vectors, and the scene behind them is an image.
"""

from __future__ import annotations

from framescope.app.exporters.rendering.headless import rendered_frames
from framescope.app.exporters.rendering.png import png_of
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
