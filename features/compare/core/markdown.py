"""Answer of a comparison in Markdown, for an issue."""

from __future__ import annotations

from collections.abc import Iterator

from framescope.features.compare.core.comparison import Comparison

MOST_LINES = 40
"""Largest number of lines of a text."""


def as_markdown(answer: Comparison, first: str, second: str, names: tuple[str, str]) -> Iterator[str]:
    """Yield the lines of an answer in Markdown, for an issue."""
    for name, text in zip(names, (first, second), strict=True):
        yield f"{name}:"
        yield ""
        yield from (f"    {line}" for line in text.strip().splitlines()[:MOST_LINES])
        yield ""
    verdict = "not read" if answer.reason else answer.verdict
    yield f"**{verdict.capitalize()}.** {answer.sentence}"
    if answer.rows:
        yield ""
        yield f"| | {_cell(names[0])} | {_cell(names[1])} | differences | left |"
        yield "|---|---|---|---|---|"
        for i, row in enumerate(answer.rows, start=1):
            cells = (row.first, row.second, "; ".join(row.texts) or "none", row.left)
            yield f"| {i} | {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
