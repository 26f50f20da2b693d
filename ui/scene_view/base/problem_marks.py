"""Marks of problems in the scene: which item, in which words, how severe, and when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from framescope.core.scene.schema.model import ItemKey, Scene
from framescope.ui.formatting.item_names import frame_of
from framescope.ui.scene_view.base.scene_options import SceneOption

if TYPE_CHECKING:  # the window opens before anything is diagnosed
    from framescope.core.analysis.diagnostics import Diagnosis

MAX_MARKS = 40
"""Items that are marked at most: who has more looks at the list."""

LONGEST_NAME = 24

Diagnoses = Iterable["Diagnosis"]

LOOP = "loop-open"
"""The kind of problem that is shown as a gap."""


@dataclass(frozen=True)
class ProblemMark:
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
        When it shows, s; empty for a problem that is there all the time.
    measurement
        The measurement that does not close its loop; empty for other problems.
    """

    key: ItemKey
    frame: str
    text: str
    severity: str
    times: tuple[float, ...] = ()
    measurement: str = ""


MARKS = SceneOption[tuple[ProblemMark, ...]](())
"""What is wrong with items of the scene, where it is to be seen."""


def marks_of(scene: Scene, problems: Diagnoses) -> tuple[ProblemMark, ...]:
    """Return the marks of a scene's problems, the worst first and one for each item; notes have none."""
    marks: dict[ItemKey, ProblemMark] = {}
    serious = [
        problem for problem in problems if problem.problem.severity != "note" and problem.problem.item is not None
    ]
    for problem in sorted(serious, key=lambda problem: problem.problem.severity != "red"):
        item = problem.problem.item
        if item is None or item in marks or len(marks) == MAX_MARKS:
            continue
        frame = frame_of(scene, item)
        if not frame:
            continue
        # What is in some rows of a file is marked when they are, what is in a number all the time.
        times = problem.times if problem.rows else ()
        measurement = item[1] if problem.kind == LOOP else ""
        marks[item] = ProblemMark(
            item, frame, f"{_short(item[1])}, {problem.title}", problem.problem.severity, times, measurement
        )
    return tuple(marks.values())


def _short(name: str) -> str:
    name = " ".join(name.split())
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"
