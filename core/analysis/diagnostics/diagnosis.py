"""Diagnosis: a located problem, said by its cause, with the edit that mends it where there is one."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from framescope.core.errors import KeyPath, Problem, Severity
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import MISSING

MAX_TIMES = 1000
"""Times and rows of one diagnosis that are kept."""


@dataclass(frozen=True)
class TriedMend:
    """An edit that may take a problem away: the words of its button, and what it makes of all that is measured."""

    text: str
    edit: Edit
    says: str = ""


PACKAGE = "missing-package"
"""Kind of the problem that a package that a robot names is not there."""


@dataclass(frozen=True)
class Diagnosis:
    """One problem of a scene.

    Attributes
    ----------
    problem
        Its place, cause and severity; `problem.time` is when it is in the scene, where it has a time.
    kind
        A short name that does not change: ``"left-handed"``, ``"time-gap"``, ``"loop-open"`` and so on.
    title
        A few words.
    times
        All times at which it is in the scene, s, the first `MAX_TIMES` of them.
    rows
        The rows of a file that it is about, from 1.
    mend, mend_text
        The edit that takes it away, and the words of its button; None and empty where there is no obvious one.
    is_safe
        Whether the mend changes nothing but the problem, so that nobody has to look at it first.
    others
        Other edits that may take it away; where there is no `mend`, what is known does not tell which of them is right.
    """

    problem: Problem
    kind: str
    title: str
    times: tuple[float, ...] = ()
    rows: tuple[int, ...] = ()
    mend: Edit | None = None
    mend_text: str = ""
    is_safe: bool = False
    others: tuple[TriedMend, ...] = ()

    @property
    def name(self) -> str:
        """The name of the item concerned; empty for the scene as a whole."""
        item = self.problem.item
        return "" if item is None else item[1]

    @property
    def is_of_missing_file(self) -> bool:
        """Whether a file, or a folder, is not there that a person may know the place of."""
        return self.kind in (MISSING, PACKAGE)

    @property
    def mends(self) -> tuple[TriedMend, ...]:
        """All its mends, the first one first."""
        first = () if self.mend is None else (TriedMend(self.mend_text, self.mend),)
        return *first, *self.others

    def with_mend(self, text: str, edit: Edit, *, is_safe: bool = False) -> Diagnosis:
        """Return it with a mend."""
        return replace(self, mend=edit, mend_text=text, is_safe=is_safe)

    def with_hint(self, hint: str) -> Diagnosis:
        """Return it with another hint."""
        return replace(self, problem=replace(self.problem, hint=hint))


def found(
    key_path: KeyPath,
    kind: str,
    title: str,
    message: str,
    hint: str = "",
    *,
    severity: Severity = "amber",
    times: Iterable[float] = (),
    rows: Iterable[int] = (),
) -> Diagnosis:
    """Return a problem that compiling does not know."""
    at = tuple(times)[:MAX_TIMES]
    problem = Problem(key_path, message, hint, severity, time=at[0] if at else None, kind=kind, times=at)
    return Diagnosis(problem, kind, title, at, tuple(rows)[:MAX_TIMES])


def mend_all_safe(problems: Iterable[Diagnosis]) -> Edit | None:
    """Return the edit that makes all safe mends at once; None where there is none.

    A mend that is in the way of another one is made first where it comes first, and the other left out.
    """
    mends = [one.mend for one in problems if one.is_safe and one.mend is not None]
    if not mends:
        return None

    def apply(scene: Scene) -> Scene:
        for mend in mends:
            with suppress(ValueError, KeyError):
                scene = mend.apply(scene)
        return scene

    return Edit(mends[0].label if len(mends) == 1 else f"Fixed {len(mends)} problems", apply)
