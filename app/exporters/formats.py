"""Formats of exports: the module that writes each, its options, and its texts in the dialog.

To add a format to the base, add a module and a line here. A feature adds one in its record.
"""

from __future__ import annotations

from framescope.app.exporters.format_options import (
    ALPHA,
    CODED,
    FILM,
    FRAMES,
    MODEL,
    NOTHING,
    RANGE,
    STILL,
)
from framescope.core.system.features import entries
from framescope.core.system.optional_packages import PARQUET, USD
from framescope.ui.exports.format import TREE_GROUP, Format

_FILMS, _PICTURES, _MODELS, _NUMBERS, _SCENE = "Film", "Pictures", "Moving model", "Numbers", "Scene"
_GROUPS = (_FILMS, _PICTURES, _MODELS, _NUMBERS, TREE_GROUP, _SCENE)
_HERE = "framescope.app.exporters"
_USD = (f"{_HERE}.scene_graph.usd", "a USD file", MODEL | {"fps"}, False, 30.0, 1000.0, USD)
_OMITTED = f"{_HERE}.scene_graph.remarks:omitted_by_models"
_GIF_USE = "Plays by itself in mail; 256 colours"
_CSV_USE = "Poses, velocities and sensors, for any program"

MIN_FPS = 0.002
"""Lowest frame rate, 1/s: 16 bits hold the duration of a frame, in a GIF as hundredths of a second."""

_BASE = [
    Format(
        *("mp4", ".mp4", _FILMS, "Video, MP4", "Plays everywhere: lectures, slides, phones"),
        *(f"{_HERE}.films.video", "an MP4", CODED, True),
    ),
    Format(
        *("webm", ".webm", _FILMS, "Video, WebM", "For web pages; may be transparent"),
        *(f"{_HERE}.films.video", "a WebM", CODED | ALPHA, True),
    ),
    # Players treat frames shorter than two hundredths of a second as longer ones.
    Format(
        *("gif", ".gif", _FILMS, "GIF", _GIF_USE, f"{_HERE}.films.gif", "a GIF", FILM),
        fps=25.0,
        min_fps=MIN_FPS,
        max_fps=50.0,
    ),
    Format(
        *("apng", ".apng", _FILMS, "APNG", "As a GIF, with all colours and transparency"),
        *(f"{_HERE}.films.apng", "an APNG", FILM | ALPHA),
        min_fps=MIN_FPS,
    ),
    Format(
        *("still", ".png", _PICTURES, "Picture, PNG", "One moment, up to 8K: slides and posters"),
        *(f"{_HERE}.picture", "a picture", STILL | ALPHA),
        is_still=True,
    ),
    Format(
        *("svg", ".svg", _PICTURES, "Picture, SVG", "For papers: text and plots as vectors"),
        *(f"{_HERE}.picture", "an SVG", STILL),
        is_still=True,
    ),
    Format(
        *("pdf", ".pdf", _PICTURES, "Picture, PDF", "The same for LaTeX, with its fonts"),
        *(f"{_HERE}.picture", "a PDF", STILL),
        is_still=True,
    ),
    Format(
        *("frames", ".png", _PICTURES, "Numbered pictures, PNG", "For cutting; continues an interrupted export"),
        *(f"{_HERE}.films.png_sequence", "a row of pictures", FRAMES | ALPHA),
    ),
    Format(
        *("glb", ".glb", _MODELS, "Model, GLB", "Moves in Blender, slides and on the web"),
        *(f"{_HERE}.scene_graph.glb", "a GLB", MODEL),
        omits=_OMITTED,
    ),
    Format("usd", ".usdc", _MODELS, "Model, USD", "For film and robotics, such as Omniverse", *_USD, omits=_OMITTED),
    Format("usda", ".usda", _MODELS, "", "", *_USD, omits=_OMITTED),
    Format("usd-any", ".usd", _MODELS, "", "", *_USD, omits=_OMITTED),
    Format("csv", ".csv", _NUMBERS, "Table, CSV", _CSV_USE, f"{_HERE}.table", "a table", RANGE | {"long"}),
    Format(
        *("parquet", ".parquet", _NUMBERS, "Table, Parquet", "The same with types, for pandas and polars"),
        *(f"{_HERE}.table", "a table", RANGE | {"long"}),
        extra=PARQUET,
    ),
    Format("npz", ".npz", _NUMBERS, "Arrays, NPZ", "The same for numpy", f"{_HERE}.table", "an NPZ table", RANGE),
    Format(
        *("zip", ".zip", _SCENE, "Bundle, ZIP", "The scene with all its files, to hand on"),
        *(f"{_HERE}.scene_zip", "a bundle", NOTHING),
    ),
]

_ALL = [*_BASE, *entries(lambda feature: feature.formats)]
FORMATS = sorted(_ALL, key=lambda offer: _GROUPS.index(offer.group))
"""Formats in the order of the dialog: by group, with the features' formats last."""


def formats_by_suffix(*, is_still: bool = False) -> dict[str, Format]:
    """Return the formats by suffix, of films and files or, with `is_still`, of a single picture."""
    return {offer.suffix: offer for offer in FORMATS if offer.is_still == is_still}


def offers() -> tuple[Format, ...]:
    """Return the formats that the export dialog offers."""
    return tuple(offer for offer in FORMATS if offer.title)
