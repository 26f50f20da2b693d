"""GIF with one palette of 256 colours for all frames, computed in a first pass over some of them.

A single pass would have to keep all frames until the palette is known; a palette per frame flickers.
"""

from __future__ import annotations

import numpy as np

from framescope.app.exporters.encoding.chunks import Film
from framescope.app.exporters.encoding.ffmpeg import Buffers, Encoder
from framescope.app.exporters.encoding.film_writer import write_film
from framescope.app.exporters.rendering.headless import rendered_frames
from framescope.app.exporters.request import ExportRequest
from framescope.app.storage.temporary_folders import TemporaryFolder

PALETTE_FRAMES = 16
"""Frames, spread evenly over the range, whose colours give the palette."""

# An ordered pattern does not move in still areas; error diffusion would shimmer and enlarge the file.
DITHER = "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"


def write(request: ExportRequest) -> None:
    """Write a GIF file that plays without end."""
    try:
        palette = _palette(request)
    except OSError as error:
        raise request.failure(error) from None
    write_film(request, Film(("-lavfi", f"[0:v][1:v]{DITHER}", "-loop", "0"), "gif", palette=palette))


def _palette(request: ExportRequest) -> bytes:
    """Return a PNG file with the palette that fits frames of the whole range."""
    times = request.times
    some = times[np.unique(np.linspace(0, len(times) - 1, PALETTE_FRAMES).round().astype(int))]
    making = ["-vf", "palettegen=max_colors=256", "-frames:v", "1", "-update", "1"]
    with TemporaryFolder() as folder:
        path = folder / "palette.png"
        encoder = Encoder(request, Buffers(request), (), making, path)
        try:
            for frame in rendered_frames(request, some):
                encoder.put(frame)
            encoder.end_input()
            encoder.finish()
        finally:
            encoder.give_up()
        return path.read_bytes()
