"""The error family of the core, and the `Problem`: one located finding about a scene.

`SceneError`
    A file cannot be read as a scene at all (broken YAML, unknown key, wrong type, duplicate key).
`ItemError`
    Raised while one item of a readable scene is compiled; the compiler turns it into a `Problem`
    of that item, and the rest of the scene lives on.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

KeyPath = tuple[str | int, ...]
Severity = Literal["red", "amber", "note"]

ALIKE = 0.6
"""Similarity from which on one word may stand for another."""


def key_path_text(path: KeyPath) -> str:
    """Write a key path the way messages show it.

    >>> key_path_text(("frames", "camera", "orientation", "angles", 2))
    'frames.camera.orientation.angles[2]'
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def near_miss(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate a person probably meant, or None.

    Among equally close ones it is the one that begins alike.

    >>> near_miss("stadn", ["world", "stand"]), near_miss("XYY", ["ZXY", "XYZ"])
    ('stand', 'XYZ')
    """
    folded = word.casefold()

    def closeness(candidate: str) -> tuple[float, int]:
        other = candidate.casefold()
        alike = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(folded, other, strict=False))
        return difflib.SequenceMatcher(None, folded, other).ratio(), len(list(alike))

    best = max(candidates, key=closeness, default=None)
    return best if best is not None and closeness(best)[0] >= ALIKE else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Return a hint: the near miss when there is one, else the list of what exists.

    >>> did_you_mean("degs", ["rad", "deg"])
    'Did you mean "deg"?'
    """
    names = list(candidates)
    found = near_miss(word, names)
    if found is not None:
        return f'Did you mean "{found}"?'
    return "Use one of: " + ", ".join(names) + "." if names else ""


@dataclass(frozen=True)
class Problem:
    """One finding about a scene: where, what, and how to mend it.

    `severity` is ``"red"`` when the item is left out or wrong as drawn, ``"amber"`` when it is drawn under a stated
    assumption, and ``"note"`` when nothing is wrong and there is something to know. `line` counts from 1 and is None
    for scenes made in code.
    """

    key_path: KeyPath
    message: str
    hint: str = ""
    severity: Severity = "red"
    line: int | None = None

    @property
    def where(self) -> str:
        """The key path as text; empty for the scene as a whole."""
        return key_path_text(self.key_path)

    @property
    def item(self) -> tuple[str, str] | None:
        """The kind and name of the item concerned, such as ``("frames", "camera")``."""
        if len(self.key_path) < 2:
            return None
        return str(self.key_path[0]), str(self.key_path[1])

    def __str__(self) -> str:
        line = f" (line {self.line})" if self.line is not None else ""
        place = f"{self.where}{line}: " if self.where else f"line {self.line}: " if line else ""
        return place + self.message + (f" {self.hint}" if self.hint else "")


class FramescopeError(Exception):
    """Base of every error that Framescope raises on purpose."""


class SceneError(FramescopeError):
    """A file cannot be read as a scene; `problems` tells every place and how to mend it."""

    def __init__(self, source: str, problems: Iterable[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{source}: {problem}" for problem in self.problems))


class ItemError(FramescopeError):
    """One item of a scene cannot be used as it stands; `key_path` is relative to the item."""

    def __init__(self, key_path: KeyPath, message: str, hint: str = "") -> None:
        self.key_path = key_path
        self.message = message
        self.hint = hint
        super().__init__(str(Problem(key_path, message, hint)))

    def problem(self, prefix: KeyPath) -> Problem:
        """Return the finding, with its place in the whole scene."""
        return Problem(prefix + self.key_path, self.message, self.hint)
