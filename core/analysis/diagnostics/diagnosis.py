"""Making of the problems that a diagnosis finds, and the edit that applies all their safe fixes."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from framescope.core.errors import MAX_TIMES, KeyPath, Problem, Severity
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import MISSING

PACKAGE = "missing-package"
"""Kind of the problem that a package named by a robot is missing."""


def make_problem(
    key_path: KeyPath,
    kind: str,
    title: str,
    message: str,
    hint: str = "",
    *,
    severity: Severity = "amber",
    times: Iterable[float] = (),
    rows: Iterable[int] = (),
) -> Problem:
    """Return a problem that compiling does not report, with up to `MAX_TIMES` of its times and rows."""
    at, rows = tuple(times)[:MAX_TIMES], tuple(rows)[:MAX_TIMES]
    time = at[0] if at else None
    return Problem(key_path, message, hint, severity, time=time, kind=kind, times=at, title=title, rows=rows)


def is_of_missing_file(problem: Problem) -> bool:
    """Return whether a file or folder is missing that the user could locate."""
    return problem.kind in (MISSING, PACKAGE)


def fix_all_safe(problems: Iterable[Problem]) -> Edit | None:
    """Return an edit that applies all safe fixes; None without any.

    Fixes are applied in order. A fix that fails after an earlier one is skipped.
    """
    edits: list[Edit] = [problem.fix.change for problem in problems if problem.fix is not None and problem.fix.is_safe]
    if not edits:
        return None

    def apply(scene: Scene) -> Scene:
        for edit in edits:
            with suppress(ValueError, KeyError):
                scene = edit.apply(scene)
        return scene

    return Edit(edits[0].label if len(edits) == 1 else f"Fixed {len(edits)} problems", apply)
