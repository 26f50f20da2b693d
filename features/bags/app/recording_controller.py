"""Controller of the recording panel: all recorded frames of the scene over time, with their faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from framescope.app.session.session import Session
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.motions import Recorded, Transforms
from framescope.core.snapshot import Snapshot
from framescope.features.bags.ui.frame_bars import FrameBar, FrameMark
from framescope.features.bags.ui.recording_panel import RecordingPanel
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring

MAX_NAMED = 4
"""Limit of listed parents of a frame."""


class RecordingController(QObject):
    """Updates the recording panel, and follows clicks in it to times and frames."""

    def __init__(self, session: Session, window: MainWindow, panel: RecordingPanel) -> None:
        super().__init__(panel)
        self._session, self._window, self._panel = session, window, panel
        self._shown: tuple[Plan | None, Sequence[Problem]] = None, ()
        session.plan_changed.connect(self._on_plan)
        session.numbers_due.connect(self._on_numbers)
        session.selection_changed.connect(self._on_selection)
        window.problems.listed.connect(self._show_bars)
        panel.time_requested.connect(self._go_to)
        panel.frame_picked.connect(self._pick)
        self._show_bars()
        self._on_selection(None)
        panel.set_time(float(session.snapshot.t))

    def _on_plan(self, _plan: Plan, is_preview: bool) -> None:
        if not is_preview:
            self._show_bars()

    def _show_bars(self) -> None:
        plan, problems = self._session.plan, self._window.problems.problems
        if self._shown[0] is plan and self._shown[1] is problems:
            return
        self._shown = plan, problems
        self._panel.set_frames(tuple(frame_bars(plan, problems)))
        self._panel.set_range(plan.start, plan.end)

    def _on_numbers(self, snapshot: Snapshot) -> None:
        if self._panel.isVisible():
            self._panel.set_time(float(snapshot.t))

    def _on_selection(self, _key: object) -> None:
        self._panel.set_selected(self._session.selected_frame())

    def _go_to(self, t: float) -> None:
        self._session.pause()
        self._session.scrub(t)

    def _pick(self, name: str) -> None:
        if self._session.exists(("frames", name)):
            self._session.select(("frames", name))


def frame_bars(plan: Plan, problems: Iterable[Problem]) -> Iterator[FrameBar]:
    """Yield the bars of all frames with recorded motions and of their ancestors, parents first.

    Frames that messages of a bag name, but that the scene lacks, follow with the marks of their faults alone.
    """
    marks: dict[str, list[FrameMark]] = {}
    lacking: dict[str, list[FrameMark]] = {}
    for problem in problems:
        item = problem.item
        if item is not None and item[0] in ("frames", "bag"):
            text = f"{problem.title}: {problem.message}"
            marks_of = marks if item[0] == "frames" else lacking
            marks_of.setdefault(item[1], []).extend(FrameMark(t, problem.severity, text) for t in problem.times)
    children: dict[int, list[int]] = {}
    for row, parent in enumerate(plan.tree.parents.tolist()):
        if row:
            children.setdefault(parent, []).append(row)
    bars: list[FrameBar] = []
    recorded: set[int] = set()
    stack = [(row, 0) for row in reversed(children.get(0, []))]
    while stack:
        row, depth = stack.pop()
        bars.append(_bar(plan, row, depth, tuple(marks.get(plan.names[row], ()))))
        if isinstance(plan.scene.frames[plan.names[row]].motion, Transforms | Recorded):
            up = row
            while up > 0 and up not in recorded:
                recorded.add(up)
                up = int(plan.tree.parents[up])
        stack += [(child, depth + 1) for child in reversed(children.get(row, []))]
    names = {plan.names[row] for row in recorded}
    yield from (bar for bar in bars if bar.name in names)
    for name, own_marks in lacking.items():
        yield FrameBar(name, 0, (), "", tuple(own_marks), is_static=False)


def _bar(plan: Plan, row: int, depth: int, marks: tuple[FrameMark, ...]) -> FrameBar:
    motion = plan.tree.motions.get(row)
    spans: tuple[tuple[float, float], ...] = ()
    if motion is not None and motion.known is not None:
        spans = tuple((a, b) for a, b in motion.known.tolist())
    elif motion is not None and motion.sample_times is not None and len(motion.sample_times):
        spans = ((float(motion.sample_times[0]), float(motion.sample_times[-1])),)
    elif motion is not None:
        spans = ((plan.start, plan.end),)
    switch = plan.tree.switches.get(row)
    rows = [int(plan.tree.parents[row])] if switch is None else list(dict.fromkeys(switch.rows.tolist()))
    names = [plan.names[i] for i in rows if i >= 0]
    parents = ", then ".join(names[:MAX_NAMED]) + (" and more" if len(names) > MAX_NAMED else "")
    return FrameBar(plan.names[row], depth, spans, parents, marks, is_static=motion is not None and motion.is_constant)


def fill_recording(wiring: Wiring) -> None:
    """Fill the dock of the recording."""
    panel = RecordingPanel(wiring.window.ground("recording"))
    wiring.window.fill_dock("recording", panel)
    RecordingController(wiring.session, wiring.window, panel)
