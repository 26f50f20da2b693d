"""Chapters of films: spans with titles, to which players can jump."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

Chapter = tuple[float, float, str]
"""Start and end, s, and title of a chapter."""


def chapter_inputs(
    chapters: Sequence[Chapter], new_part: Callable[[], Path], k: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return ffmpeg's arguments for chapters as its input number `k`: the input, and how the film uses it."""
    if not chapters:
        return (), ()
    path = new_part()
    path.write_text(ffmetadata(chapters), encoding="utf-8")
    return ("-f", "ffmetadata", "-i", f"file:{path}"), ("-map_chapters", str(k))


def ffmetadata(chapters: Sequence[Chapter]) -> str:
    r"""Return chapters in ffmpeg's format of metadata.

    >>> print(ffmetadata([(0.0, 1.5, "x=1; y")]))
    ;FFMETADATA1
    [CHAPTER]
    TIMEBASE=1/1000
    START=0
    END=1500
    title=x\=1\; y
    <BLANKLINE>
    """
    lines = [";FFMETADATA1"]
    for start, end, title in chapters:
        words = re.sub(r"([=;#\\])", r"\\\1", one_line(title))
        lines += ["[CHAPTER]", "TIMEBASE=1/1000", f"START={round(1e3 * start)}", f"END={round(1e3 * end)}"]
        lines += [f"title={words}"]
    return "\n".join(lines) + "\n"


def one_line(text: str) -> str:
    r"""Return a text on one line, without control characters.

    >>> one_line("a\x00 b\n c")
    'a b c'
    """
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
