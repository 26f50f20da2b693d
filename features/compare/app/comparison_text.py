"""Work of the command `compare`: reading the sides, and the answer as lines, JSON or Markdown."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from framescope.app.cli.json_output import json_text
from framescope.core.errors import FramescopeError
from framescope.core.orientation import Orientation
from framescope.core.readings import read_text
from framescope.core.readings.read_text import MAX_LENGTH
from framescope.features.compare.core.comparison import Comparison, Row, Verdict, compare
from framescope.features.compare.core.markdown import as_markdown

STANDARD_INPUT = "-"
ERROR = 2
STATUSES: dict[Verdict, int] = {"settled": 0, "likely": 5, "cannot tell": 3, "neither": 4}
"""Exit status of each verdict."""

CERTAINTY: tuple[int, ...] = (0, 5, 3, 4, ERROR)
"""Exit statuses, from the most certain."""

LONGEST_NAME = 240
"""Number of characters above which a text is no name of a file."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def run_compare(
    texts: Sequence[str], *, names: Sequence[str] = (), offset: str = "", code: str = "", as_text: str = "lines"
) -> tuple[str, int]:
    """Return the printed text and the exit status of the command.

    Parameters
    ----------
    texts
        Texts, names of files, or ``"-"`` for standard input, two or more.
    names
        Names of the sides; empty for "the first" and so on.
    offset
        Text of the known orientation of the second side's frame in that of the first; empty for none.
    code
        Target of the conversion code; empty for none.
    as_text
        ``"lines"``, ``"json"`` or ``"markdown"``.

    Raises
    ------
    FramescopeError
        When there are too few texts, the names do not fit, or a side or the offset cannot be read.
    """
    if not 2 <= len(texts) <= len(ORDINALS):
        raise FramescopeError(f"Expected two to {len(ORDINALS)} texts to compare, got {len(texts)}.")
    if names and len(names) != len(texts):
        raise FramescopeError(f"--names: expected {len(texts)} names with commas between, got {len(names)}.")
    if list(texts).count(STANDARD_INPUT) > 1:
        raise FramescopeError("Standard input has the text of one side only: give - once.")
    sides = [_text_of(text) for text in texts]
    labels = tuple(names) or tuple(f"the {ordinal}" for ordinal in ORDINALS[: len(texts)])
    turn = _offset(offset)
    answers = [
        (sides[i], labels[i], compare(sides[0], sides[i], offset=turn, names=(labels[0], labels[i])))
        for i in range(1, len(sides))
    ]
    try:
        codes = [answer.rows[0].code(code) if code and answer.rows else "" for _, _, answer in answers]
    except ValueError as error:
        raise FramescopeError(f"--code: {error}") from None
    status = max((_status(answer) for _, _, answer in answers), key=CERTAINTY.index)
    if as_text == "json":
        content = [
            {"first": labels[0], "second": label, **as_json(answer), **({"code": text} if text else {})}
            for (_, label, answer), text in zip(answers, codes, strict=True)
        ]
        return json_text(content[0] if len(content) == 1 else {"comparisons": content}), status
    write = as_markdown if as_text == "markdown" else as_lines
    blocks = [
        "\n".join([*write(answer, sides[0], side, (labels[0], label)), *(["", text.rstrip()] if text else [])])
        for (side, label, answer), text in zip(answers, codes, strict=True)
    ]
    return "\n\n".join(blocks), status


def compare_texts(first: str, second: str, names: tuple[str, str], *, as_json_text: bool) -> tuple[str, int]:
    """Return the answer why two texts of one pose differ, as lines or JSON, and the exit status of a command."""
    answer = compare(first, second, names=names)
    if as_json_text:
        return json_text({"first": names[0], "second": names[1], **as_json(answer)}), _status(answer)
    return "\n".join(as_lines(answer, first, second, names)), _status(answer)


def _status(answer: Comparison) -> int:
    return ERROR if answer.reason else STATUSES[answer.verdict]


def _text_of(text: str) -> str:
    """Return the text of a side: of standard input, of a file, or as it stands."""
    if text == STANDARD_INPUT:
        return sys.stdin.read(MAX_LENGTH + 1)
    if len(text) > LONGEST_NAME or "\n" in text:
        return text
    try:
        path = Path(text)
        if not path.is_file():
            return text
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(MAX_LENGTH + 1)
    except (OSError, ValueError):  # numbers can be no file name
        return text


def _offset(text: str) -> Orientation | None:
    if not text:
        return None
    readings = read_text(text)
    reading = readings.settled
    if reading is None or reading.R is None:
        why = readings.reason or readings.question or "It has no orientation."
        raise FramescopeError(f"--offset: expected an orientation with one reading. {why}")
    return reading.R


def as_lines(answer: Comparison, first: str, second: str, names: tuple[str, str]) -> Iterator[str]:
    """Yield the lines of an answer."""
    for name, text, readings in zip(names, (first, second), (answer.first, answer.second), strict=True):
        yield f"{name}: {_in_short(text)}"
        for reading in readings.readings:
            yield f"  {reading.source}" + (f": {reading.choice}" if reading.choice else "")
    yield ""
    yield answer.sentence if answer.reason else f"{answer.verdict}: {answer.sentence}"
    if len(answer.rows) > 1 or (answer.rows and answer.verdict == "neither"):
        yield ""
        for i, row in enumerate(answer.rows, start=1):
            yield f"{i:2d}  {_row_text(row)}  ({row.left})"
        if answer.more:
            yield f"    and {answer.more} more"


def as_json(answer: Comparison) -> dict[str, Any]:
    """Return an answer as a mapping for JSON."""
    return {
        "verdict": answer.verdict,
        "sentence": answer.sentence,
        "apart_deg": answer.apart_deg,
        "apart_m": answer.apart_m,
        "rows": [
            {
                "first": row.first,
                "second": row.second,
                "differences": list(row.texts),
                "misfit_deg": row.misfit_deg,
                "misfit_m": row.misfit_m,
                "share": row.share,
                "accidents": row.accidents,
            }
            for row in answer.rows
        ],
        "more": answer.more,
        "next_sample": answer.next_sample,
        "reason": answer.reason,
    }


def _row_text(row: Row) -> str:
    return "; ".join([f"{row.first} against {row.second}", *row.texts])


def _in_short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:99]}\N{HORIZONTAL ELLIPSIS}"
