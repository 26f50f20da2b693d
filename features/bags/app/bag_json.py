"""JSON of ``check --json`` on a bag, as types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from framescope.app.cli.json_output import Severity
from framescope.core.errors import Problem
from framescope.core.scene.schema.stamps import NS


@dataclass(frozen=True)
class BagDamage:
    """Part of a bag that cannot be read."""

    kind: Literal["damaged"]
    severity: Literal["amber"]
    cause: str


@dataclass(frozen=True)
class BagFault:
    """Fault of the frames in a bag; times in s since the bag begins, and in ns as recorded."""

    kind: str
    severity: Severity
    title: str
    namespace: str
    frame: str
    parent: str
    publishers: tuple[str, ...]
    first_time: float
    last_time: float
    first_ns: int
    last_ns: int
    count: int
    cause: str
    tf2_answered: str | None
    mend: str | None


def fault_of_problem(problem: Problem, begin_ns: int) -> BagFault:
    """Return a problem that a feature has found in a bag, with times in s since the bag begins, as a fault."""
    first, last = (problem.times[0], problem.times[-1]) if problem.times else (0.0, 0.0)
    return BagFault(
        kind=problem.kind,
        severity=problem.severity,
        title=problem.title,
        namespace="",
        frame=problem.name,
        parent="",
        publishers=(),
        first_time=first,
        last_time=last,
        first_ns=begin_ns + round(first * NS),
        last_ns=begin_ns + round(last * NS),
        count=1,
        cause=problem.message,
        tf2_answered=None,
        mend="\n".join(fix.text for fix in problem.fixes) or None,
    )
