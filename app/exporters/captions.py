"""Captions of a film or a picture: texts with the time of the scene from which each stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from framescope.app.exporters.errors import ExportError
from framescope.ui.formatting.line_breaking import rows_of
from framescope.ui.scene_view.geometry.sprites import TextStyle, text_width
from framescope.ui.theme.tokens import METRICS

MOST, LONGEST = 200, 300
"""How many captions there may be, and how many letters each may have."""

MAX_SHARE = 1 / 3
"""Of the height of a picture, for captions."""

SIDE, ABOVE, BELOW = METRICS.padding, METRICS.gap, METRICS.padding
"""Around the text, logical pixels."""

_TIME = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*s?\s*:\s*(.*)", re.DOTALL)


@dataclass(frozen=True)
class Caption:
    """A text that stands below the picture from a time of the scene on, s, until the next one; empty for none."""

    t: float
    text: str


def checked_captions(told: Sequence[str] | None) -> tuple[Caption, ...]:
    """Return captions in the order of their times; raise `ExportError` for what is none.

    >>> checked_captions(["2.5: then the pitch", "First the yaw", "4 s:"])
    (Caption(t=-inf, text='First the yaw'), Caption(t=2.5, text='then the pitch'), Caption(t=4.0, text=''))
    """
    if isinstance(told, str):
        told = [told]
    found = [_caption(text) for text in told or () if text.strip()]
    if len(found) > MOST:
        raise ExportError(f"captions: expected at most {MOST}, got {len(found)}.")
    times = [caption.t for caption in found]
    twice = next((t for t in times if times.count(t) > 1), None)
    if twice is not None:
        when = "without a time" if twice == -float("inf") else f"at {twice:g} s"
        raise ExportError(f"captions: two stand {when}. Give each a time of its own, such as 2.5: Then the pitch.")
    return tuple(sorted(found, key=lambda caption: caption.t))


def caption_at(captions: Sequence[Caption], t: float) -> str:
    """Return what stands at a time, s; empty where nothing does."""
    i = bisect_right([caption.t for caption in captions], t + 1e-9)
    return captions[i - 1].text if i else ""


def caption_style(color: str) -> TextStyle:
    """Return how captions are written."""
    return TextStyle(color, METRICS.teach_title, 500)


def caption_rows(text: str, size: tuple[int, int], scale: float) -> list[str]:
    """Return the rows of a caption in a picture."""
    style = caption_style("#000000")
    return rows_of(text, lambda part: text_width(part, style, scale), size[0] - 2 * round(SIDE * scale))


def row_height(scale: float) -> int:
    """Return the height of a row of a caption, device pixels."""
    return round(1.35 * METRICS.teach_title * scale)


def band_height(captions: Sequence[Caption], size: tuple[int, int], scale: float) -> int:
    """Return what the strip of the captions takes of a picture's height, device pixels: room for the longest one."""
    n_rows = max((len(caption_rows(caption.text, size, scale)) for caption in captions if caption.text), default=0)
    if n_rows == 0:
        return 0
    height = n_rows * row_height(scale) + round((ABOVE + BELOW) * scale)
    if height > MAX_SHARE * size[1]:
        raise ExportError("captions: the longest one takes more than a third of the picture. Make it shorter.")
    return height


def _caption(text: str) -> Caption:
    timed = _TIME.fullmatch(text)
    t, words = (float(timed[1]), timed[2]) if timed else (-float("inf"), text)
    words = " ".join(words.split())
    if len(words) > LONGEST:
        raise ExportError(f"captions: expected at most {LONGEST} letters, got {len(words)}: {words[:40]}…")
    return Caption(t, words)
