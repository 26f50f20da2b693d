"""The error family of the core, and the `Problem`: one located finding about a scene.

`SceneError`
    A file cannot be read as a scene at all (broken YAML, unknown key, wrong type, duplicate key).
`ItemError`
    Raised while one item of a readable scene is compiled; the compiler turns it into a `Problem`
    of that item, and the rest of the scene lives on.
`RefusedError`
    An edit cannot be made; the scene stays as it is.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

KeyPath = tuple[str | int, ...]
Severity = Literal["red", "amber", "note"]

MAX_LISTED = 20
"""Names that are listed when none is near."""

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
    return visible_text(text)


def visible_text(text: str) -> str:
    r"""Return a text on one line in which every character is seen, those without a shape by their code.

    A line break in a name would look like the end of a message, and an override of the writing direction turn it round.

    >>> print(visible_text("two\nlines \u202eof names"))
    two\nlines \u202eof names
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def near_miss(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate a person probably meant, or None.

    Among equally close ones it is the one that begins alike.

    >>> near_miss("stadn", ["world", "stand"]), near_miss("XYY", ["ZXY", "XYZ"])
    ('stand', 'XYZ')
    """
    return _near_miss(word, tuple(candidates))


@lru_cache(maxsize=128)
def _near_miss(word: str, candidates: tuple[str, ...]) -> str | None:
    """Look once: one wrong word may be in a thousand places."""
    folded = word.casefold()
    matcher = difflib.SequenceMatcher(None, b=folded)
    best, closest = None, (ALIKE, -1)
    for candidate in candidates:
        other = candidate.casefold()
        if 2 * min(len(other), len(folded)) < closest[0] * (len(other) + len(folded)):
            continue  # too long or too short, whatever its letters are
        matcher.set_seq1(other)
        if matcher.quick_ratio() < closest[0]:
            continue
        same_start = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(folded, other, strict=False))
        closeness = matcher.ratio(), len(list(same_start))
        if closeness > closest:
            best, closest = candidate, closeness
    return best


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Return a hint: the near miss when there is one, else the list of what exists.

    >>> did_you_mean("degs", ["rad", "deg"])
    'Did you mean "deg"?'
    """
    names = list(candidates)
    found = near_miss(word, names)
    if found is not None:
        return f'Did you mean "{found}"?'
    if not names:
        return ""
    rest = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return "Use one of: " + ", ".join(names[:MAX_LISTED]) + rest + "."


def plural(count: int, one: str, many: str = "") -> str:
    """Return a noun as it follows a count: `many`, where the plural is not made with an s.

    >>> plural(1, "row"), plural(0, "row"), plural(3, "index", "indices")
    ('row', 'rows', 'indices')
    """
    return one if count == 1 else many or f"{one}s"


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun.

    >>> counted(1, "sample"), counted(1200, "sample")
    ('1 sample', '1,200 samples')
    """
    return f"{count:,} {plural(count, one, many)}"


@dataclass(frozen=True)
class Problem:
    """One finding about a scene: where, what, and how to mend it.

    `severity` is ``"red"`` when the item is left out or wrong as drawn, ``"amber"`` when it is drawn under a stated
    assumption, and ``"note"`` when nothing is wrong and there is something to know. `line` counts from 1 and is None
    for scenes made in code. `time` is when it is in the scene, s, where it has a time, and `times` are all such times
    where there are more. `kind` is a short name of what it is, where the place does not tell (see
    `framescope.core.analysis.diagnostics`). `meant` is the word that was meant at the place, where it is known.
    """

    key_path: KeyPath
    message: str
    hint: str = ""
    severity: Severity = "red"
    line: int | None = None
    time: float | None = None
    kind: str = ""
    times: tuple[float, ...] = ()
    meant: str = ""

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
        super().__init__("\n".join(with_source(source, str(problem)) for problem in self.problems))


def with_source(source: str, message: str) -> str:
    """Return a message with the file that it is about in front, once also where the message begins with its name.

    >>> with_source("robots/arm.xml", "line 3: there is no mesh.")
    'robots/arm.xml: line 3: there is no mesh.'
    >>> with_source("robots/arm.xml", "arm.xml: it is empty.")
    'robots/arm.xml: it is empty.'
    >>> with_source("robots/arm.xml", "arm.xml cannot be read.")
    'robots/arm.xml cannot be read.'
    """
    name = re.split(r"[/\\]", source)[-1]
    for spelling in (source, name):
        rest = message.removeprefix(spelling)
        if spelling and rest != message and rest.startswith((":", " ")):
            return f"{source}{rest}"
    return f"{source}: {message}"


def as_scene_error(source: str, error: FramescopeError) -> SceneError:
    """Return an error as one of a file that is no scene."""
    return error if isinstance(error, SceneError) else SceneError(source, [Problem((), str(error))])


class HintedError(FramescopeError):
    """Something cannot be used as it stands; the message says what and where, `hint` how to mend it."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} {hint}".strip())


class ExpressionError(HintedError):
    """A text is no expression of t; the message says what, `hint` how to mend it.

    `place` is the index of the character at problem, or None where it is the whole.
    """

    def __init__(self, message: str, hint: str = "", place: int | None = None) -> None:
        self.place = place
        super().__init__(message, hint)


class RefusedError(FramescopeError, ValueError):
    """What is wanted of an item cannot be said in the form it is authored in; the message says why."""


class ItemError(FramescopeError):
    """One item of a scene cannot be used as it stands; `key_path` is relative to the item.

    `meant` is the word that was meant there, where it is known, and `kind` as of a `Problem`.
    """

    def __init__(self, key_path: KeyPath, message: str, hint: str = "", *, meant: str = "", kind: str = "") -> None:
        self.key_path = key_path
        self.message = message
        self.meant = meant
        self.kind = kind
        self._hint = hint
        super().__init__(message)

    @property
    def hint(self) -> str:
        """How to mend it."""
        return self._hint

    def problem(self, prefix: KeyPath, *, is_hinted: bool = True) -> Problem:
        """Return the finding, with its place in the whole scene."""
        return Problem(
            prefix + self.key_path, self.message, self.hint if is_hinted else "", kind=self.kind, meant=self.meant
        )

    def __str__(self) -> str:
        return str(self.problem(()))


class NoSuchNameError(ItemError):
    """A name that an item refers to does not exist; the near miss is only looked for when it is asked for."""

    def __init__(self, key_path: KeyPath, what: str, name: str, known: Iterable[str]) -> None:
        super().__init__(key_path, f'there is no {what} "{name}".')
        self._name, self._known = name, known

    @property
    def hint(self) -> str:
        """The near miss, or what exists."""
        return did_you_mean(self._name, self._known)


MAX_HINTS = 50
"""Problems that get a hint: looking for what was meant among many names takes its time."""


def add_problem(problems: list[Problem], prefix: KeyPath, problem: ItemError) -> None:
    """Add a problem of an item to the problems of a scene."""
    problems.append(problem.problem(prefix, is_hinted=len(problems) < MAX_HINTS))
