"""The formats by suffix: which module makes each, and what it takes. A new one is a line here and a module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from framescope.core.extras import PARQUET, USD, Extra

RANGE = frozenset({"fps", "start", "stop"})
PICTURES = frozenset({"size", "theme", "bare", "angle_unit"})
ALPHA = frozenset({"transparent"})
VIEW = frozenset(
    {"layout", "plots", "frame", "camera", "follow", "turning", "turns", "bounce", "eye", "eye_time"},
)
"""What a moving picture is composed of, and from where it is seen."""
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
    """

    module: str
    called: str
    takes: frozenset[str]
    is_even: bool = False
    fps: float = 30.0
    max_fps: float = 1000.0
    extra: Extra | None = None


_HERE = "framescope.app.exporters"

EXPORTERS: Mapping[str, Format] = {
    ".mp4": Format(f"{_HERE}.video", "an MP4", RANGE | PICTURES | VIEW | CLUSTER, is_even=True),
    ".webm": Format(f"{_HERE}.video", "a WebM", RANGE | PICTURES | VIEW | ALPHA | CLUSTER, is_even=True),
    # Players take two hundredths of a second as the shortest time of a picture, and show shorter ones slowly.
    ".gif": Format(f"{_HERE}.gif", "a GIF", RANGE | PICTURES | VIEW | CLUSTER, fps=25.0, max_fps=50.0),
    ".apng": Format(f"{_HERE}.apng", "an APNG", RANGE | PICTURES | VIEW | ALPHA | CLUSTER),
    ".png": Format(f"{_HERE}.sequence", "a row of pictures", RANGE | PICTURES | VIEW | ALPHA),
    ".glb": Format(f"{_HERE}.glb", "a GLB", RANGE | {"theme"}),
    ".html": Format(f"{_HERE}.html", "a page", RANGE | {"theme", "angle_unit"}),
    ".usdc": Format(f"{_HERE}.usd", "a USD file", RANGE | {"theme"}, extra=USD),
    ".usda": Format(f"{_HERE}.usd", "a USD file", RANGE | {"theme"}, extra=USD),
    ".usd": Format(f"{_HERE}.usd", "a USD file", RANGE | {"theme"}, extra=USD),
    ".csv": Format(f"{_HERE}.table", "a table", RANGE | {"long"}),
    ".npz": Format(f"{_HERE}.table", "an NPZ table", RANGE),
    ".parquet": Format(f"{_HERE}.table", "a table", RANGE | {"long"}, extra=PARQUET),
    ".zip": Format(f"{_HERE}.bundle", "a bundle", frozenset({"source"})),
}
