"""Incremental saving: unchanged items keep their exact text, and only other items pass through the YAML library.

The library that preserves comments takes seconds for large files. So consecutive unchanged items are folded: the
library sees one placeholder line for them, and their text replaces this line in its output.
"""

# Plain data of any shape passes through here; its types are checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from types import SimpleNamespace
from typing import Any

from framescope.core.errors import KeyPath, SceneError
from framescope.core.scene.files.plain_data import is_equal
from framescope.core.scene.files.yaml_reading import YamlReader

_MARK = "kept"
_COMMENT = re.compile(r"\s*(#.*)?")
_ITEM = re.compile(r"  [^\s#{\[].*")
"""First line of an item in block style, with the indentation that saving writes."""


@dataclass(frozen=True)
class Folded:
    """Text and new data of a scene file, with placeholders for runs of unchanged items in both.

    Attributes
    ----------
    text
        Text of the file, folded.
    data
        New content as plain data, folded.
    source
        Object that `data` was made of, with sections as attributes.
    kept
        Lines replaced by a placeholder, by the key of the placeholder.
    """

    text: str
    data: Mapping[str, Any]
    source: object
    kept: Mapping[str, str] = field(default_factory=dict)

    def unfold(self, text: str) -> str:
        """Return a text with all placeholders replaced by their lines."""
        if not self.kept:
            return text
        keys = "|".join(map(re.escape, self.kept))
        return re.sub(rf"^  ({keys}): {_MARK}$", lambda match: self.kept[match[1]], text, flags=re.MULTILINE)


@dataclass(frozen=True)
class _Run:
    """Consecutive unchanged items of a section, and their lines in the file, counted from 0."""

    section: str
    names: list[str]
    start: int
    end: int


def fold(text: str, data: Mapping[str, Any], source: object) -> Folded:
    """Return a text and its new `data` with unchanged items folded; `source` is the object that `data` was made of.

    A text that is not a scene, or has no items in block style, is returned unchanged.
    """
    whole = Folded(text, data, source)
    read, lines = _read(text)
    rows = text.split("\n")
    runs = list(_runs(rows, read, lines, data, source))
    if not runs:
        return whole
    stem = _MARK
    while stem in text:
        stem += "_"
    placeholders = {f"{stem}{i}": "\n".join(rows[run.start : run.end]) for i, run in enumerate(runs)}
    for key, run in reversed(list(zip(placeholders, runs, strict=True))):
        rows[run.start : run.end] = [f"  {key}: {_MARK}"]
    parts = {section: getattr(source, section) for section in data}
    marked = SimpleNamespace(**_with_marks(parts, placeholders, runs))
    result = Folded("\n".join(rows), _with_marks(data, placeholders, runs), marked, placeholders)
    return result if _read(result.text)[0] == _with_marks(read, placeholders, runs) else whole


def _read(text: str) -> tuple[dict[str, Any], dict[KeyPath, int]]:
    """Return the plain data of a scene file and the line of every key; empty mappings if it cannot be read."""
    reader = YamlReader(text, "scene")
    try:
        read = reader.document()
    except SceneError:
        return {}, {}
    return (read, reader.lines) if isinstance(read, dict) else ({}, {})


def _runs(
    rows: list[str], read: dict[str, Any], lines: dict[KeyPath, int], data: Mapping[str, Any], source: object
) -> Iterator[_Run]:
    """Yield the runs of items that can be folded, in the order of the file."""
    sections = sorted(read, key=lambda section: lines[section,])
    for section, after in zip_longest(sections, sections[1:]):
        named, old, new = getattr(source, section, None), read[section], data.get(section)
        if not (isinstance(named, Mapping) and isinstance(old, dict) and isinstance(new, Mapping)):
            continue
        begin, end = lines[section,] - 1, len(rows) if after is None else lines[after,] - 1
        starts = [lines[section, name] - 1 for name in old]
        if not _is_block(rows, section, begin, starts):
            continue
        ends = dict(zip(old, [*starts[1:], end], strict=True))
        unchanged = {name for name in old if name in new and is_equal(old[name], new[name], named[name])}
        for names in _consecutive_runs(old, new, unchanged):
            start, end = lines[section, names[0]] - 1, ends[names[-1]]
            while _COMMENT.fullmatch(rows[end - 1]):  # a comment belongs to the item below it
                end -= 1
            yield _Run(section, names, start, end)


def _is_block(rows: list[str], section: str, begin: int, starts: list[int]) -> bool:
    """Return whether the items of a section begin on lines of their own, below its key."""
    is_alone = bool(starts) and rows[begin].partition("#")[0].rstrip() == f"{section}:"
    is_alone = is_alone and all(map(_COMMENT.fullmatch, rows[begin + 1 : starts[0]]))
    return is_alone and all(_ITEM.fullmatch(rows[start]) for start in starts)


def _consecutive_runs(old: Iterable[str], new: Iterable[str], unchanged: set[str]) -> Iterator[list[str]]:
    """Yield runs of unchanged names that are consecutive in the old and in the new order."""
    before_old, before_new = ({b: a for a, b in pairwise(names)} for names in (old, new))
    names: list[str] = []
    for name in filter(unchanged.__contains__, old):
        if names and not (before_old[name] == before_new.get(name) == names[-1]):
            yield names
            names = []
        names.append(name)
    if names:
        yield names


def _with_marks(whole: Mapping[str, Any], placeholders: Iterable[str], runs: Iterable[_Run]) -> dict[str, Any]:
    """Return sections in which a placeholder replaces each run of items."""
    result = dict(whole)
    for key, run in zip(placeholders, runs, strict=True):
        keys = dict.fromkeys(run.names, key)
        result[run.section] = {
            keys.get(name, name): _MARK if name in keys else item for name, item in result[run.section].items()
        }
    return result
