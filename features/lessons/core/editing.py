"""Edits of the text of a lesson: insert, remove, move and replace steps, and write the text of a new step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from framescope.features.lessons.core.lesson import step_lines

WIDTH = 100
"""Length of a line of YAML, characters."""


def source_of(text: str, i: int) -> str:
    """Return the text of a step, from its heading on. The text need not be a valid lesson."""
    begin, end = _lines_of(text, i)
    return "\n".join(text.split("\n")[begin:end]).strip("\n") + "\n"


def replace_step(text: str, i: int, source: str) -> str:
    """Return a text with the text of a step replaced."""
    begin, end = _lines_of(text, i)
    lines = text.split("\n")
    return _join_parts(lines[:begin], source, lines[end:])


def insert_step(text: str, i: int, source: str) -> str:
    """Return a text with a step inserted after step `i`; before the first step for -1."""
    lines = text.split("\n")
    at = _lines_of(text, i)[1] if i >= 0 else _lines_of(text, 0)[0]
    return _join_parts(lines[:at], source, lines[at:])


def remove_step(text: str, i: int) -> str:
    """Return a text without a step."""
    begin, end = _lines_of(text, i)
    lines = text.split("\n")
    return _join_parts(lines[:begin], "", lines[end:])


def move_step(text: str, i: int, by: int) -> str:
    """Return a text in which a step has changed places with the step before it (-1) or after it (1)."""
    first = min(i, i + by)
    if not 0 <= first < len(step_lines(text)) - 1:
        return text
    parts = [source_of(text, k) for k in range(len(step_lines(text)))]
    parts[first], parts[first + 1] = parts[first + 1], parts[first]
    lines = text.split("\n")
    begin = _lines_of(text, 0)[0]
    return _join_parts(lines[:begin], "\n".join(parts), [])


def step_source(title: str, words: str, moment: Mapping[str, Any]) -> str:
    """Return the text of a step: title, words, and the moment as YAML.

    >>> print(step_source("One turn", "It turns.", {"scene": "demo", "time": "3 s"}))
    ## One turn
    <BLANKLINE>
    It turns.
    <BLANKLINE>
    ```yaml
    scene: demo
    time: 3 s
    ```
    <BLANKLINE>
    """
    block = "".join(_entry(key, value) for key, value in moment.items())
    return f"## {title}\n\n{words}\n\n```yaml\n{block}```\n"


def _entry(key: str, value: Any) -> str:
    """Return a key with its value as YAML. Lists and mappings of plain values take one line."""
    is_scalar = not isinstance(value, Mapping | list | tuple)
    style = False if is_scalar else None
    return yaml.safe_dump({key: value}, sort_keys=False, default_flow_style=style, width=WIDTH, allow_unicode=True)


def _lines_of(text: str, i: int) -> tuple[int, int]:
    """Return the first line of a step and the line after its last, counted from 0."""
    begins = step_lines(text)
    return begins[i], begins[i + 1] if i + 1 < len(begins) else len(text.split("\n"))


def _join_parts(before: list[str], source: str, after: list[str]) -> str:
    """Join parts with one empty line between them and a newline at the end."""
    parts = ["\n".join(before).strip("\n"), source.strip("\n"), "\n".join(after).strip("\n")]
    return "\n\n".join(part for part in parts if part) + "\n"
