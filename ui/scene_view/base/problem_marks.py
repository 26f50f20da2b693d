"""What of the problems list is marked in the scene: which item, in which words, how badly, and when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from framescope.core.scene.schema.model import ItemKey, Scene
from framescope.ui.formatting.item_names import frame_of
from framescope.ui.scene_view.base.features import Feature

if TYPE_CHECKING:  # the window opens before anything is diagnosed
    from framescope.core.analysis.diagnostics import Diagnosis

MAX_MARKS = 40
"""Items that are marked at most: who has more looks at the list."""

LONGEST_NAME = 24

Faults = Iterable["Diagnosis"]

LOOP = "loop-open"
"""The kind of fault that is shown as a gap."""


@dataclass(frozen=True)
class FaultMark:
    """One item that is marked.

    Attributes
    ----------
    key
        The item.
    frame
        Where it is in the scene.
    text
        What stands on its plate; that of a gap is written at each tick.
    severity
        ``"red"`` or ``"amber"``.
    times
        When it shows, s; empty for a fault that is there all the time.
    claim
        The claim that does not close its loop; empty for other faults.
    """

    key: ItemKey
    frame: str
    text: str
    severity: str
    times: tuple[float, ...] = ()
    claim: str = ""


MARKS = Feature[tuple[FaultMark, ...]](())
"""What is wrong with items of the scene, where it is to be seen."""


def marks_of(scene: Scene, faults: Faults) -> tuple[FaultMark, ...]:
    """Return the marks of a scene's faults, the worst first and one for each item; notes have none."""
    marks: dict[ItemKey, FaultMark] = {}
    serious = [fault for fault in faults if fault.problem.severity != "note" and fault.problem.item is not None]
    for fault in sorted(serious, key=lambda fault: fault.problem.severity != "red"):
        item = fault.problem.item
        if item is None or item in marks or len(marks) == MAX_MARKS:
            continue
        frame = frame_of(scene, item)
        if not frame:
            continue
        # What is in some rows of a file is marked when they are, what is in a number all the time.
        times = fault.times if fault.rows else ()
        claim = item[1] if fault.kind == LOOP else ""
        marks[item] = FaultMark(item, frame, f"{_short(item[1])}, {fault.title}", fault.problem.severity, times, claim)
    return tuple(marks.values())


def _short(name: str) -> str:
    name = " ".join(name.split())
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"
