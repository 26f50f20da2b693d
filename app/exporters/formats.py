"""The formats by suffix: which module makes each, and what it takes. A new one is a line here and a module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from framescope.core.system.optional_packages import PARQUET, USD, Extra

PART = frozenset({"start", "stop"})
RANGE = PART | {"fps"}
PICTURES = frozenset({"size", "theme", "bare", "angle_unit", "text_size", "captions", "title", "license"})
ALPHA = frozenset({"transparent"})
VIEW = frozenset(
    {"layout", "plots", "frame", "camera", "follow", "turning", "turns", "bounce", "eye", "eye_time", "speed", "hold"},
)
"""What a moving picture is composed of, from where it is seen, and how fast it goes."""
CODED = frozenset({"quality"})
"""Of films whose encoder leaves out what is hardly seen."""
MODEL = PART | {"theme", "accuracy"}
"""What is sampled by its error; USD counts its time in frames besides."""
CLUSTER = frozenset({"cluster"})


@dataclass(frozen=True)
class Format:
    """What can be made of a scene.

    Attributes
    ----------
    module
        Its ``write(request)`` makes the file; it is imported when it is needed.
    called
        The format in a sentence, such as ``"a GIF"``.
    takes
        Names of the options that mean something to it.
    is_even
        Whether width and height must be even.
    fps, max_fps
        Frames, or rows, a second: when nobody says how many, and at most.
    extra
        The package that it needs besides those that are always there.
    max_side
        Of a picture, in pixels.
    """

    module: str
    called: str
    takes: frozenset[str]
    is_even: bool = False
    fps: float = 30.0
    max_fps: float = 1000.0
    extra: Extra | None = None
    max_side: int = 7680


_HERE = "framescope.app.exporters"

EXPORTERS: Mapping[str, Format] = {
    ".mp4": Format(f"{_HERE}.video", "an MP4", RANGE | PICTURES | VIEW | CODED | CLUSTER, is_even=True),
    ".webm": Format(f"{_HERE}.video", "a WebM", RANGE | PICTURES | VIEW | CODED | ALPHA | CLUSTER, is_even=True),
    # Players take two hundredths of a second as the shortest time of a picture, and show shorter ones slowly.
    ".gif": Format(f"{_HERE}.gif", "a GIF", RANGE | PICTURES | VIEW | CLUSTER, fps=25.0, max_fps=50.0),
    ".apng": Format(f"{_HERE}.apng", "an APNG", RANGE | PICTURES | VIEW | ALPHA | CLUSTER),
    ".png": Format(f"{_HERE}.png_sequence", "a row of pictures", RANGE | PICTURES | VIEW | ALPHA),
    ".glb": Format(f"{_HERE}.scene_graph.glb", "a GLB", MODEL),
    ".html": Format(f"{_HERE}.scene_graph.html", "a page", MODEL | {"angle_unit"}),
    ".usdc": Format(f"{_HERE}.scene_graph.usd", "a USD file", MODEL | {"fps"}, extra=USD),
    ".usda": Format(f"{_HERE}.scene_graph.usd", "a USD file", MODEL | {"fps"}, extra=USD),
    ".usd": Format(f"{_HERE}.scene_graph.usd", "a USD file", MODEL | {"fps"}, extra=USD),
    ".csv": Format(f"{_HERE}.table", "a table", RANGE | {"long"}),
    ".npz": Format(f"{_HERE}.table", "an NPZ table", RANGE),
    ".parquet": Format(f"{_HERE}.table", "a table", RANGE | {"long"}, extra=PARQUET),
    ".zip": Format(f"{_HERE}.scene_zip", "a bundle", frozenset({"source"})),
}

STILL = PICTURES | {"layout", "plots", "frame"}
"""What one picture of a moment takes, besides the moment."""

STILLS: Mapping[str, Format] = {
    ".png": Format(f"{_HERE}.picture", "a picture", STILL | ALPHA, max_side=8192),
    ".svg": Format(f"{_HERE}.vector_picture", "an SVG", STILL, max_side=8192),
    ".pdf": Format(f"{_HERE}.vector_picture", "a PDF", STILL, max_side=8192),
}
"""The formats of one picture of a moment, by suffix."""
