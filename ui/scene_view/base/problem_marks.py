"""Marks of problems in the scene: item, text, severity and times of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from framescope.core.errors import Problem
from framescope.core.scene.schema.model import ItemKey, Scene
from framescope.ui.formatting.item_names import frame_of
from framescope.ui.scene_view.base.scene_options import SceneOption

MAX_MARKS = 40
"""Maximum number of marked items; the problem list shows all of them."""

LONGEST_NAME = 24

LOOP = "loop-open"
"""Kind of problem that is shown as a gap."""


@dataclass(frozen=True)
class ProblemMark:
    """Mark of one item with a problem.

    Attributes
    ----------
    key
        The marked item.
    frame
        Frame at which the mark is drawn.
    text
        Text of its plate; the text of a gap is rewritten at each tick.
    severity
        ``"red"`` or ``"amber"``.
    times
        Times at which the mark is shown, s; empty if it is always shown.
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
"""Problem marks of the scene's items."""


def marks_of(scene: Scene, problems: Iterable[Problem]) -> tuple[ProblemMark, ...]:
    """Return the marks of a scene's problems, the worst first and one for each item; notes have none."""
    marks: dict[ItemKey, ProblemMark] = {}
    serious = [problem for problem in problems if problem.severity != "note" and problem.item is not None]
    for problem in sorted(serious, key=lambda problem: problem.severity != "red"):
        item = problem.item
        if item is None or item in marks or len(marks) == MAX_MARKS:
            continue
        frame = frame_of(scene, item)
        if not frame:
            continue
        # A problem of single rows in a file is marked at the times of these rows, any other one all the time.
        times = problem.times if problem.rows else ()
        measurement = item[1] if problem.kind == LOOP else ""
        marks[item] = ProblemMark(
            item, frame, f"{_short(item[1])}, {problem.title}", problem.severity, times, measurement
        )
    return tuple(marks.values())


def _short(name: str) -> str:
    name = " ".join(name.split())
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"
