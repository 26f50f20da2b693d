"""Captions of a film or a picture: texts, each shown from a time of the scene until the next."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from PIL import Image

from framescope.app.exporters.errors import ExportError
from framescope.ui.formatting.line_breaking import rows_of
from framescope.ui.formatting.time_text import parse_seconds
from framescope.ui.scene_view.geometry.note_pictures import RichStyle, rich_picture
from framescope.ui.scene_view.geometry.sprites import TextStyle, text_width
from framescope.ui.theme.formulas import extract_formulas
from framescope.ui.theme.tokens import METRICS

MAX_CAPTIONS, MAX_CHARACTERS = 200, 300
"""Largest number of captions, and of characters in each."""

MAX_SHARE = 1 / 3
"""Largest share of a picture's height that captions may take."""

SIDE, ABOVE, BELOW = METRICS.padding, METRICS.gap, METRICS.padding
"""Margins around a caption's text, logical pixels."""

_NUMBER = r"[-+\u2212]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?"
_TIMED = re.compile(rf"\s*(\d+:\d\d(?:[.,]\d+)?|{_NUMBER}\s*(?:h|min|s|ms)?)\s*:(?!\d\d(?:[:.,\s]|\Z))(.*)", re.DOTALL)
"""A time, a colon and the text. Two digits directly after the first colon are read as minutes and seconds."""
_UNENDED = re.compile(r"\s*\d+:\d\d(?:[:.,\s]|\Z)")

EXAMPLE = "expected a time such as 2.5 or 1:30 before the colon, and then the words"


@dataclass(frozen=True)
class Caption:
    """A text shown below the picture from time `t`, s, until the next caption; empty to show nothing."""

    t: float
    text: str
    line: int = field(default=0, compare=False, repr=False)
    """Line of the input that the caption comes from, counted from 1."""


def checked_captions(lines_given: Sequence[str] | None) -> tuple[Caption, ...]:
    """Return captions sorted by time; raise `ExportError` for a line that cannot be read.

    In the first line only, the text before a colon need not be a time. It then belongs to the caption.

    >>> checked_captions(["2,5: then the pitch", "First the yaw", "1:30:"])
    (Caption(t=-inf, text='First the yaw'), Caption(t=2.5, text='then the pitch'), Caption(t=90.0, text=''))
    """
    if isinstance(lines_given, str):
        lines_given = [lines_given]
    lines = [(number, text) for number, text in enumerate(lines_given or (), 1) if text.strip()]
    rows = [_caption(number, text, is_first=number == lines[0][0]) for number, text in lines]
    if len(rows) > MAX_CAPTIONS:
        raise ExportError(f"captions: expected at most {MAX_CAPTIONS}, got {len(rows)}.")
    rows.sort(key=lambda caption: caption.t)
    for former, latter in pairwise(rows):
        if former.t == latter.t:
            when = "without a time" if former.t == -math.inf else f"at {former.t:g} s"
            raise ExportError(
                f"captions: two stand {when}, in lines {former.line} and {latter.line}."
                " Give each a time of its own, such as 2.5: Then the pitch."
            )
    return tuple(rows)


def check_times(captions: Sequence[Caption], start: float, end: float) -> None:
    """Raise `ExportError` for captions that never show: two at or before the start, s, or one after the end, s."""
    first = [caption for caption in captions if caption.t <= start]
    if len(first) > 1:
        number, later = sorted(caption.line for caption in first[:2])
        problem = f"lines {number} and {later} both begin at the start, {start:g} s"
        raise ExportError(f"captions: {problem}. Give one of them a later time.")
    late = next((caption for caption in captions if caption.t > end), None)
    if late is not None:
        message = f"captions: line {late.line} never shows: it begins at {late.t:g} s, and the scene ends at {end:g} s."
        raise ExportError(message)


def outside_text(captions: Sequence[Caption], last: float) -> str:
    """Return a sentence about captions that begin after `last`, the time of the last picture, s; empty for none."""
    late = sorted(caption.line for caption in captions if caption.t > last + 1e-9)
    if not late:
        return ""
    *earlier, line = map(str, late)
    which = f"Lines {', '.join(earlier)} and {line}" if earlier else f"Line {line}"
    return f"{which} of the captions never show{'s' * (not earlier)}: what is exported ends before."


def caption_at(captions: Sequence[Caption], t: float) -> str:
    """Return the caption's text at a time, s; empty where none is shown."""
    i = bisect_right([caption.t for caption in captions], t + 1e-9)
    return captions[i - 1].text if i else ""


def caption_style(color: str) -> TextStyle:
    """Return the text style of captions in a colour."""
    return TextStyle(color, METRICS.teach_title, 500)


def caption_rows(text: str, size: tuple[int, int], scale: float) -> list[str]:
    """Break a caption's text into the rows that fit a picture of `size`."""
    style = caption_style("#000000")
    return rows_of(text, lambda part: text_width(part, style, scale), size[0] - 2 * round(SIDE * scale))


def caption_with_formulas(text: str, size: tuple[int, int], scale: float, color: str) -> Image.Image | None:
    """Render a caption that has formulas, with its rows centred; None for a caption of words alone."""
    if not extract_formulas(text)[1]:
        return None
    letters = METRICS.teach_title
    room = size[0] / scale - 2 * SIDE
    look = RichStyle(color, letters, color, opacity=0.0, widest=room / letters, is_centered=True, has_pad=False)
    return rich_picture(text, look, scale)


def row_height(scale: float) -> int:
    """Return the height of a row of a caption, device pixels."""
    return round(1.35 * METRICS.teach_title * scale)


def band_height(captions: Sequence[Caption], size: tuple[int, int], scale: float) -> int:
    """Return the height of the caption band, device pixels: room for the longest caption.

    Raises
    ------
    ExportError
        When the band takes more than `MAX_SHARE` of the picture.
    """
    text_height = max((_text_height(caption.text, size, scale) for caption in captions if caption.text), default=0)
    if text_height == 0:
        return 0
    height = text_height + round((ABOVE + BELOW) * scale)
    if height > MAX_SHARE * size[1]:
        raise ExportError("captions: the longest one takes more than a third of the picture. Make it shorter.")
    return height


def _text_height(text: str, size: tuple[int, int], scale: float) -> int:
    picture = caption_with_formulas(text, size, scale, "#000000")
    return len(caption_rows(text, size, scale)) * row_height(scale) if picture is None else picture.height


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
    if len(words) > MAX_CHARACTERS:
        raise ExportError(f"captions: expected at most {MAX_CHARACTERS} letters, got {len(words)}: {words[:40]}…")
    return Caption(t, words, line)


def _no_time(line: int, text: str) -> ExportError:
    words = " ".join(text.split())
    shown = words if len(words) <= 40 else f"{words[:40]}…"
    return ExportError(f'captions: line {line}, "{shown}": {EXAMPLE}.')
