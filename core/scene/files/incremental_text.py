"""Incremental saving: unchanged items keep their text to the letter, only the rest goes through the YAML library.

The library that keeps comments takes seconds for large files. So items next to each other that say what they said
before are folded: in the text that it sees, one line stands for all of theirs; in what it writes they stand again.
"""

# Plain data of any shape goes through here: what is unknown about it is checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from types import SimpleNamespace
from typing import Any

from framescope.core.errors import KeyPath, SceneError
from framescope.core.scene.files.plain_data import says
from framescope.core.scene.files.yaml_reading import YamlReader

_MARK = "kept"
_COMMENT = re.compile(r"\s*(#.*)?")
_ITEM = re.compile(r"  [^\s#{\[].*")
"""The line on which an item begins where all stand on lines of their own, indented as they are written."""


@dataclass(frozen=True)
class Folded:
    """The text of a scene file in which a line may stand for many, and what it is to say, folded alike.

    Attributes
    ----------
    text
        The text of the file.
    data
        What is to be written, as plain data.
    source
        What `data` was made of, as attributes.
    kept
        The lines that another one stands for, by its key.
    """

    text: str
    data: Mapping[str, Any]
    source: object
    kept: Mapping[str, str] = field(default_factory=dict)

    def unfolded(self, text: str) -> str:
        """Return a text with all lines in it again."""
        if not self.kept:
            return text
        keys = "|".join(map(re.escape, self.kept))
        return re.sub(rf"^  ({keys}): {_MARK}$", lambda found: self.kept[found[1]], text, flags=re.MULTILINE)


@dataclass(frozen=True)
class _Run:
    """Items of a section that are kept, and their lines in the file, counted from 0."""

    section: str
    names: list[str]
    start: int
    end: int


def folded(text: str, data: Mapping[str, Any], source: object) -> Folded:
    """Return a text folded where it says what is to be written: `data`, which is `source` as plain data.

    A text that is no scene, or whose items do not stand on lines of their own, stays as it is.
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
    kept = {f"{stem}{i}": "\n".join(rows[run.start : run.end]) for i, run in enumerate(runs)}
    for key, run in reversed(list(zip(kept, runs, strict=True))):
        rows[run.start : run.end] = [f"  {key}: {_MARK}"]
    parts = {section: getattr(source, section) for section in data}
    marked = SimpleNamespace(**_with_marks(parts, kept, runs))
    made = Folded("\n".join(rows), _with_marks(data, kept, runs), marked, kept)
    return made if _read(made.text)[0] == _with_marks(read, kept, runs) else whole


def _read(text: str) -> tuple[dict[str, Any], dict[KeyPath, int]]:
    """Return the plain data of a scene file and the line of every key; nothing where it cannot be read."""
    reader = YamlReader(text, "scene")
    try:
        read = reader.document()
    except SceneError:
        return {}, {}
    return (read, reader.lines) if isinstance(read, dict) else ({}, {})


def _runs(
    rows: list[str], read: dict[str, Any], lines: dict[KeyPath, int], data: Mapping[str, Any], source: object
) -> Iterator[_Run]:
    """Yield what can be folded, in the order of the file."""
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
        kept = {name for name in old if name in new and says(old[name], new[name], named[name])}
        for names in _side_by_side(old, new, kept):
            start, end = lines[section, names[0]] - 1, ends[names[-1]]
            while _COMMENT.fullmatch(rows[end - 1]):  # it stands above what follows
                end -= 1
            yield _Run(section, names, start, end)


def _is_block(rows: list[str], section: str, begin: int, starts: list[int]) -> bool:
    """Return whether the items of a section begin on lines of their own, below its key."""
    is_alone = bool(starts) and rows[begin].partition("#")[0].rstrip() == f"{section}:"
    is_alone = is_alone and all(map(_COMMENT.fullmatch, rows[begin + 1 : starts[0]]))
    return is_alone and all(_ITEM.fullmatch(rows[start]) for start in starts)


def _side_by_side(old: Iterable[str], new: Iterable[str], kept: set[str]) -> Iterator[list[str]]:
    """Yield the names that are kept, those together that follow each other in the old order and in the new one."""
    before_old, before_new = ({b: a for a, b in pairwise(names)} for names in (old, new))
    names: list[str] = []
    for name in filter(kept.__contains__, old):
        if names and not (before_old[name] == before_new.get(name) == names[-1]):
            yield names
            names = []
        names.append(name)
    if names:
        yield names


def _with_marks(whole: Mapping[str, Any], kept: Iterable[str], runs: Iterable[_Run]) -> dict[str, Any]:
    """Return sections in which one entry stands for those that are kept."""
    made = dict(whole)
    for key, run in zip(kept, runs, strict=True):
        keys = dict.fromkeys(run.names, key)
        made[run.section] = {
            keys.get(name, name): _MARK if name in keys else item for name, item in made[run.section].items()
        }
    return made
