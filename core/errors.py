"""Error classes of the core, and `Problem`: a located problem of a scene or another file, with its fixes.

`SceneError`
    A file cannot be read as a scene at all (broken YAML, unknown key, wrong type, duplicate key).
`ItemError`
    An item of a readable scene cannot be compiled. The compiler turns the error into a `Problem` of that item and
    keeps the other items.
`RefusedError`
    An edit cannot be made; the scene stays unchanged.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Generic, Literal, TypeVar

KeyPath = tuple[str | int, ...]
Severity = Literal["red", "amber", "note"]

MAX_LISTED = 20
"""Largest number of names listed in a hint without a near miss."""

ALIKE = 0.6
"""Similarity from which a word counts as a misspelling of another."""


def key_path_text(path: KeyPath) -> str:
    """Return a key path as text for messages.

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
    """Return the candidate that the user probably meant, or None.

    Among equally close candidates, the one with the longest common beginning is returned.

    >>> near_miss("stadn", ["world", "stand"]), near_miss("XYY", ["ZXY", "XYZ"])
    ('stand', 'XYZ')
    """
    return _near_miss(word, tuple(candidates))


@lru_cache(maxsize=128)
def _near_miss(word: str, candidates: tuple[str, ...]) -> str | None:
    """Search and cache a near miss, because one wrong word may occur in a thousand places."""
    folded = word.casefold()
    matcher = difflib.SequenceMatcher(None, b=folded)
    best, closest = None, (ALIKE, -1)
    for candidate in candidates:
        other = candidate.casefold()
        if 2 * min(len(other), len(folded)) < closest[0] * (len(other) + len(folded)):
            continue  # too long or too short, regardless of its letters
        matcher.set_seq1(other)
        if matcher.quick_ratio() < closest[0]:
            continue
        same_start = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(folded, other, strict=False))
        closeness = matcher.ratio(), len(list(same_start))
        if closeness > closest:
            best, closest = candidate, closeness
    return best


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Return a hint: the near miss if there is one, else a list of the existing names.

    >>> did_you_mean("degs", ["rad", "deg"])
    'Did you mean "deg"?'
    """
    names = list(candidates)
    match = near_miss(word, names)
    if match is not None:
        return f'Did you mean "{match}"?'
    if not names:
        return ""
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return "Use one of: " + ", ".join(names[:MAX_LISTED]) + more + "."


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


MAX_TIMES = 1000
"""Largest number of times and of rows in a problem that a check finds."""

ChangeT_co = TypeVar("ChangeT_co", covariant=True)


@dataclass(frozen=True)
class Fix(Generic[ChangeT_co]):
    """Way to fix a problem.

    Attributes
    ----------
    text
        Label of its button.
    change
        The change that fixes the problem: an `Edit` of the scene, the name of a fix of rows (see
        `framescope.core.recordings.row_mends`), or the value to write in place of the wrong one.
    effect
        Effect of the fix as a sentence or phrase; empty if it is not known.
    is_safe
        Whether it changes nothing but the problem, so that it needs no review.
    """

    text: str
    change: ChangeT_co
    effect: str = ""
    is_safe: bool = False


@dataclass(frozen=True)
class Problem:
    """A located problem: its place, a message, and its fixes.

    Attributes
    ----------
    key_path
        Keys that lead to the place in the scene file; in files of others, the names of the part.
    message, hint
        Description of the problem, and of its fix.
    severity
        ``"red"`` when the item is omitted or drawn wrongly, ``"amber"`` when it is drawn under a stated assumption, and
        ``"note"`` for information without a fault.
    line
        Line in the file, from 1; None for scenes made in code.
    time, times
        The time in the scene to show, s, or None; all times at which the problem occurs.
    kind
        Short permanent name: ``"left-handed"``, ``"time-gap"``, ``"loop-open"`` and so on. Compiling leaves it empty
        where the place implies it (see `framescope.core.analysis.diagnostics`).
    meant
        The word that was probably meant at the place, where it is known.
    choices
        The words that are possible at the place, such as all units of a length.
    title
        A few words; empty until `framescope.core.analysis.diagnostics` adds them.
    rows
        Affected rows of a file, from 1.
    fix
        The fix that is known to be right; None without one.
    action, action_text
        Name of the action of the window that fixes the problem outside of the scene, and the text of its button.
    others
        Other possible fixes. Without `fix`, the data does not show the right one among them.
    explains
        Kinds of problems of the same item that are consequences of this one, and are not reported beside it.
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
    choices: tuple[str, ...] = ()
    action: str = ""
    action_text: str = ""
    title: str = ""
    rows: tuple[int, ...] = ()
    fix: Fix[Any] | None = field(default=None, compare=False)
    others: tuple[Fix[Any], ...] = field(default=(), compare=False)
    explains: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """Key path as text; empty for the scene as a whole."""
        return key_path_text(self.key_path)

    @property
    def item(self) -> tuple[str, str] | None:
        """Kind and name of the item concerned, such as ``("frames", "camera")``."""
        if len(self.key_path) < 2:
            return None
        return str(self.key_path[0]), str(self.key_path[1])

    @property
    def name(self) -> str:
        """Name of the item concerned; empty for the scene as a whole."""
        return "" if self.item is None else self.item[1]

    @property
    def fixes(self) -> tuple[Fix[Any], ...]:
        """All fixes, `fix` first."""
        return (*(() if self.fix is None else (self.fix,)), *self.others)

    @property
    def fix_text(self) -> str:
        """Label of the button of `fix`; empty without a fix."""
        return "" if self.fix is None else self.fix.text

    @property
    def has_safe_fix(self) -> bool:
        """Whether `fix` changes nothing but the problem."""
        return self.fix is not None and self.fix.is_safe

    @property
    def mend(self) -> Any:
        """Change of `fix` under its former name, for scripts; None without a fix."""
        return None if self.fix is None else self.fix.change

    @property
    def mend_text(self) -> str:
        """Text of `fix` under its former name, for scripts."""
        return self.fix_text

    def with_fix(self, text: str, change: object, effect: str = "", *, is_safe: bool = False) -> Problem:
        """Return a copy with a fix."""
        return replace(self, fix=Fix(text, change, effect, is_safe))

    def __str__(self) -> str:
        is_named = self.where.endswith(f"line {self.line}")  # the place is the line
        line = f" (line {self.line})" if self.line is not None and not is_named else ""
        place = f"{self.where}{line}: " if self.where else f"line {self.line}: " if line else ""
        return place + self.message + (f" {self.hint}" if self.hint else "")


class FramescopeError(Exception):
    """Base class of all errors that Framescope raises on purpose."""


class SceneError(FramescopeError):
    """A file cannot be read as a scene; `problems` lists every place and its fix."""

    def __init__(self, source: str, problems: Iterable[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        super().__init__("\n".join(with_source(source, str(problem)) for problem in self.problems))


def with_source(source: str, message: str) -> str:
    """Return a message that begins with the file it is about, also where the message already begins with its name.

    >>> with_source("robots/arm.xml", "line 3: there is no mesh.")
    'robots/arm.xml: line 3: there is no mesh.'
    >>> with_source("robots/arm.xml", "arm.xml: it is empty.")
    'robots/arm.xml: it is empty.'
    >>> with_source("robots/arm.xml", "arm.xml cannot be read.")
    'robots/arm.xml cannot be read.'
    """
    name = re.split(r"[/\\]", source)[-1]
    for spelling in (source, name):
        remainder = message.removeprefix(spelling)
        if spelling and remainder != message and remainder.startswith((":", " ")):
            return f"{source}{remainder}"
    return f"{source}: {message}"


def as_scene_error(source: str, error: FramescopeError) -> SceneError:
    """Return an error as the error of a file that is no scene."""
    return error if isinstance(error, SceneError) else SceneError(source, [Problem((), str(error))])


class HintedError(FramescopeError):
    """An input is unusable; the message describes the fault and its place, `hint` the fix."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} {hint}".strip())


class ExpressionError(HintedError):
    """A text is no expression of t; the message describes the fault, `hint` the fix.

    `place` is the index of the character at fault, or None for the whole text.
    """

    def __init__(self, message: str, hint: str = "", place: int | None = None) -> None:
        self.place = place
        super().__init__(message, hint)


class RefusedError(FramescopeError, ValueError):
    """An edit of an item is impossible in the form it is authored in; the message gives the reason."""


class ItemError(FramescopeError):
    """An item of a scene is unusable; `key_path` is relative to the item.

    `meant` is the word that was probably meant, where it is known; `choices`, `kind` and `severity` are those of the
    `Problem`.
    """

    def __init__(
        self,
        key_path: KeyPath,
        message: str,
        hint: str = "",
        *,
        meant: str = "",
        choices: tuple[str, ...] = (),
        kind: str = "",
        severity: Severity = "red",
    ) -> None:
        self.key_path = key_path
        self.message = message
        self.meant = meant
        self.choices = choices
        self.kind = kind
        self.severity: Severity = severity
        self._hint = hint
        super().__init__(message)

    @property
    def hint(self) -> str:
        """Description of the fix."""
        return self._hint

    def problem(self, prefix: KeyPath, *, is_hinted: bool = True) -> Problem:
        """Return the finding, with its place in the whole scene."""
        return Problem(
            prefix + self.key_path,
            self.message,
            self.hint if is_hinted else "",
            self.severity,
            kind=self.kind,
            meant=self.meant,
            choices=self.choices,
        )

    def __str__(self) -> str:
        return str(self.problem(()))


class NoSuchNameError(ItemError):
    """A name that an item refers to does not exist; the near miss is searched only when `hint` is read."""

    def __init__(self, key_path: KeyPath, what: str, name: str, known: Iterable[str]) -> None:
        super().__init__(key_path, f'there is no {what} "{name}".')
        self._name, self._known = name, known

    @property
    def hint(self) -> str:
        """The near miss, or a list of the existing names."""
        return did_you_mean(self._name, self._known)


MAX_HINTS = 50
"""Largest number of problems with a hint; the search for near misses among many names takes time."""


def add_problem(problems: list[Problem], prefix: KeyPath, problem: ItemError) -> None:
    """Append the problem of an item to the problems of a scene."""
    problems.append(problem.problem(prefix, is_hinted=len(problems) < MAX_HINTS))
