"""JSON of ``check --json`` on a bag, as types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from framescope.app.cli.json_output import Severity


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
