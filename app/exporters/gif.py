"""GIF: one palette of 256 colours for all frames, found in a first pass over some of them.

One pass would have to keep all frames until the palette is known, or have a palette for each, which flickers.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from framescope.app.exporters.ffmpeg import encode, write_film
from framescope.app.exporters.headless import rendered_frames
from framescope.app.exporters.request import ExportRequest

PALETTE_FRAMES = 24
"""Frames whose colours make the palette, spread over the whole time."""

# An ordered pattern stands still where the picture does; scattered errors would shimmer, and fill the file.
DITHER = "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"


def write(request: ExportRequest) -> None:
    """Write a GIF file that plays without end."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            palette = Path(folder) / "palette.png"
            times = request.times
            some = times[np.unique(np.linspace(0, len(times) - 1, PALETTE_FRAMES).round().astype(int))]
            making = ["-vf", "palettegen=max_colors=256", "-frames:v", "1", "-update", "1", str(palette)]
            encode(request, rendered_frames(request, some), None, (), making)
            write_film(request, ["-lavfi", f"[0:v][1:v]{DITHER}", "-loop", "0"], ["-i", str(palette)])
    except OSError as error:
        raise request.failure(error) from None
