"""Still pictures: a scene at one time, of any size up to 8K, with an optional transparent background.

A picture is drawn and composed in one piece, like a frame of a film: 8K with four samples briefly takes 2.5 GB of
memory. In SVG and PDF files texts, plots and numbers are vectors, over an image of the scene.
"""

from __future__ import annotations

from framescope.app.exporters.rendering.headless import rendered_picture
from framescope.app.exporters.rendering.png import png_of
from framescope.app.exporters.request import ExportRequest
from framescope.core.system.atomic_write import atomically


def write(request: ExportRequest) -> None:
    """Write a scene to a PNG, SVG or PDF file; the file appears complete or not at all."""
    try:
        with atomically(request.path) as partial:
            if request.path.suffix.lower() == ".png":
                partial.write_bytes(png_of(rendered_picture(request), request.title, request.license))
            else:
                from framescope.app.exporters.vector_picture import write_vectors

                write_vectors(request, partial)
    except OSError as error:
        raise request.failure(error) from None
