"""GIF with one palette of 256 colours for all frames, computed in a first pass over some of them.

A single pass would have to keep all frames until the palette is known; a palette per frame flickers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from framescope.app.exporters.encoding.chunks import Film
from framescope.app.exporters.encoding.ffmpeg import encode_frames
from framescope.app.exporters.encoding.film_writer import write_film
from framescope.app.exporters.rendering.alpha import Pixels
from framescope.app.exporters.rendering.headless import rendered_frames
from framescope.app.exporters.request import ExportRequest, ignore_progress
from framescope.app.storage.temporary_folders import TemporaryFolder

PALETTE_FRAMES = 16
"""Frames, spread evenly over the range, whose colours give the palette."""

# An ordered pattern does not move in still areas; error diffusion would shimmer and enlarge the file.
DITHER = "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"


def write(request: ExportRequest) -> None:
    """Write a GIF file that plays without end."""
    times = request.times
    some = times[np.unique(np.linspace(0, len(times) - 1, PALETTE_FRAMES).round().astype(int))]
    try:
        film = film_of(request, rendered_frames(replace(request, progress=ignore_progress), some))
    except OSError as error:
        raise request.failure(error) from None
    write_film(request, film)


def film_of(request: ExportRequest, some_frames: Iterable[Pixels]) -> Film:
    """Return the encoder settings of a GIF whose palette fits some of its frames."""
    making = ("-vf", "palettegen=max_colors=256", "-frames:v", "1", "-update", "1")
    with TemporaryFolder() as folder:
        path = folder / "palette.png"
        encode_frames(request, some_frames, (), making, path)
        return Film(("-lavfi", f"[0:v][1:v]{DITHER}", "-loop", "0"), "gif", palette=path.read_bytes())
