"""Diagnosis: a located problem with its cause, and the edit that fixes it where one exists."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from framescope.core.errors import KeyPath, Problem, Severity
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import MISSING

MAX_TIMES = 1000
"""Largest number of times and of rows in a diagnosis."""


@dataclass(frozen=True)
class TriedMend:
    """Edit that may fix a problem: the label of its button, and its effect on all measurements."""

    text: str
    edit: Edit
    says: str = ""


PACKAGE = "missing-package"
"""Kind of the problem that a package named by a robot is missing."""


@dataclass(frozen=True)
class Diagnosis:
    """Problem of a scene.

    Attributes
    ----------
    problem
        Place, cause and severity; `problem.time` is its first time in the scene, if it has one.
    kind
        Short permanent name: ``"left-handed"``, ``"time-gap"``, ``"loop-open"`` and so on.
    title
        A few words.
    times
        Times in the scene at which it occurs, s, up to `MAX_TIMES`.
    rows
        Affected rows of a file, from 1.
    mend, mend_text
        Edit that fixes it, and the label of its button; None and empty without an obvious fix.
    is_safe
        Whether the fix changes nothing but the problem, so that it needs no review.
    others
        Other edits that may fix it. Without a `mend`, the data does not show the right one among them.
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
        """Name of the affected item; empty for the scene as a whole."""
        item = self.problem.item
        return "" if item is None else item[1]

    @property
    def is_of_missing_file(self) -> bool:
        """Whether a file or folder is missing that the user could locate."""
        return self.kind in (MISSING, PACKAGE)

    @property
    def mends(self) -> tuple[TriedMend, ...]:
        """All fixes, `mend` first."""
        first = () if self.mend is None else (TriedMend(self.mend_text, self.mend),)
        return *first, *self.others

    def with_mend(self, text: str, edit: Edit, *, is_safe: bool = False) -> Diagnosis:
        """Return a copy with a fix."""
        return replace(self, mend=edit, mend_text=text, is_safe=is_safe)

    def with_hint(self, hint: str) -> Diagnosis:
        """Return a copy with another hint."""
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
    """Return the diagnosis of a problem that compiling does not report."""
    at = tuple(times)[:MAX_TIMES]
    problem = Problem(key_path, message, hint, severity, time=at[0] if at else None, kind=kind, times=at)
    return Diagnosis(problem, kind, title, at, tuple(rows)[:MAX_TIMES])


def mend_all_safe(problems: Iterable[Diagnosis]) -> Edit | None:
    """Return an edit that applies all safe fixes; None without any.

    Fixes are applied in order. A fix that fails after an earlier one is skipped.
    """
    mends = [diagnosis.mend for diagnosis in problems if diagnosis.is_safe and diagnosis.mend is not None]
    if not mends:
        return None

    def apply(scene: Scene) -> Scene:
        for mend in mends:
            with suppress(ValueError, KeyError):
                scene = mend.apply(scene)
        return scene

    return Edit(mends[0].label if len(mends) == 1 else f"Fixed {len(mends)} problems", apply)
