"""Captions of a film or a picture: texts with the time of the scene from which each stands."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from framescope.app.exporters.errors import ExportError
from framescope.ui.formatting.line_breaking import rows_of
from framescope.ui.formatting.time_text import parse_seconds
from framescope.ui.scene_view.geometry.sprites import TextStyle, text_width
from framescope.ui.theme.tokens import METRICS

MOST, LONGEST = 200, 300
"""How many captions there may be, and how many letters each may have."""

MAX_SHARE = 1 / 3
"""Of the height of a picture, for captions."""

SIDE, ABOVE, BELOW = METRICS.padding, METRICS.gap, METRICS.padding
"""Around the text, logical pixels."""

_NUMBER = r"[-+\u2212]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?"
_TIMED = re.compile(rf"\s*(\d+:\d\d(?:[.,]\d+)?|{_NUMBER}\s*(?:h|min|s|ms)?)\s*:(?!\d\d(?:[:.,\s]|\Z))(.*)", re.DOTALL)
"""A time, a colon and the words; what has two digits at once after its first colon is minutes and seconds."""
_UNENDED = re.compile(r"\s*\d+:\d\d(?:[:.,\s]|\Z)")

EXAMPLE = "expected a time such as 2.5 or 1:30 before the colon, and then the words"


@dataclass(frozen=True)
class Caption:
    """A text that stands below the picture from a time of the scene on, s, until the next one; empty for none."""

    t: float
    text: str
    line: int = field(default=0, compare=False, repr=False)
    """Which of those that were told it is, from 1."""


def checked_captions(message: Sequence[str] | None) -> tuple[Caption, ...]:
    """Return captions in the order of their times; raise `ExportError` for what is none.

    A text before a colon that is no time belongs to the words in the first line only.

    >>> checked_captions(["2,5: then the pitch", "First the yaw", "1:30:"])
    (Caption(t=-inf, text='First the yaw'), Caption(t=2.5, text='then the pitch'), Caption(t=90.0, text=''))
    """
    if isinstance(message, str):
        message = [message]
    lines = [(number, text) for number, text in enumerate(message or (), 1) if text.strip()]
    found = [_caption(number, text, is_first=number == lines[0][0]) for number, text in lines]
    if len(found) > MOST:
        raise ExportError(f"captions: expected at most {MOST}, got {len(found)}.")
    found.sort(key=lambda caption: caption.t)
    for one, other in pairwise(found):
        if one.t == other.t:
            when = "without a time" if one.t == -math.inf else f"at {one.t:g} s"
            raise ExportError(
                f"captions: two stand {when}, in lines {one.line} and {other.line}."
                " Give each a time of its own, such as 2.5: Then the pitch."
            )
    return tuple(found)


def check_times(captions: Sequence[Caption], start: float, end: float) -> None:
    """Raise `ExportError` for what never shows in a scene: of two that begin at its start, or after its end, s."""
    first = [caption for caption in captions if caption.t <= start]
    if len(first) > 1:
        one, other = sorted(caption.line for caption in first[:2])
        both = f"lines {one} and {other} both begin at the start, {start:g} s"
        raise ExportError(f"captions: {both}. Give one of them a later time.")
    late = next((caption for caption in captions if caption.t > end), None)
    if late is not None:
        message = f"captions: line {late.line} never shows: it begins at {late.t:g} s, and the scene ends at {end:g} s."
        raise ExportError(message)


def outside_text(captions: Sequence[Caption], last: float) -> str:
    """Return a sentence on captions that begin after the last picture of what is exported, s; empty where none does."""
    late = sorted(caption.line for caption in captions if caption.t > last + 1e-9)
    if not late:
        return ""
    *others, line = map(str, late)
    which = f"Lines {', '.join(others)} and {line}" if others else f"Line {line}"
    return f"{which} of the captions never show{'s' * (not others)}: what is exported ends before."


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


def _caption(line: int, text: str, *, is_first: bool) -> Caption:
    t, words, timed = -math.inf, text, _TIMED.fullmatch(text)
    if timed:
        try:
            t, words = parse_seconds(timed[1]), timed[2]
        except ValueError:
            raise _no_time(line, text) from None
    elif _UNENDED.match(text) or (":" in text and not is_first):
        raise _no_time(line, text)
    words = " ".join(words.split())
    if len(words) > LONGEST:
        raise ExportError(f"captions: expected at most {LONGEST} letters, got {len(words)}: {words[:40]}…")
    return Caption(t, words, line)


def _no_time(line: int, text: str) -> ExportError:
    words = " ".join(text.split())
    shown = words if len(words) <= 40 else f"{words[:40]}…"
    return ExportError(f'captions: line {line}, "{shown}": {EXAMPLE}.')
