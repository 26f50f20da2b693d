"""Staged mode: the rotation of a frame shown one axis at a time, as a preview that is never committed.

The scene does not change. The preview places the frame where the rotations so far have brought it, and its children
follow as in any gesture.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from framescope.app.session.session import Session
from framescope.core.analysis.staged_rotation import N_TURNS, StagedRotation, TurnAxes, staged_rotation_of
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.snapshot import Snapshot

TICK_MS = 16
SECONDS_PER_TURN = 2.5


class StagedMode(QObject):
    """Progress of a staged rotation: plays it and shows it through a session.

    The session's clock is paused meanwhile. A gesture shows the frame with its full rotation. The staged rotation
    returns once the gesture, an edit, undo or redo is over. The mode ends when another frame is selected, when the
    frame was removed or cannot be shown in stages any more, and when another document is opened.

    Signals
    -------
    changed(object)
        A `StagedRotation`, before the scene shows it; None once the mode has ended, before the scene is restored.
    playing_changed(bool)
        Whether it plays.
    status(str, str)
        A kind and a sentence for the status line.
    """

    changed = Signal(object)
    playing_changed = Signal(bool)
    status = Signal(str, str)

    def __init__(
        self, session: Session, parent: QObject | None = None, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        super().__init__(parent)
        self._session, self._clock = session, clock
        self.step: StagedRotation | None = None
        """The rotation and its progress; None while the mode is off."""
        self._base: Plan = session.plan
        self._shown: Plan | None = None
        self._t = 0.0
        self._read_as = "XYZ"
        self._turn_axes: TurnAxes = "moving"
        self._resumes = self._is_applying = self._is_aside = False
        self._back_at = 0.0
        """Progress to restore after a gesture."""
        self._last_tick = 0.0
        self._note = ""
        self._timer = QTimer(self, interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.advance)
        session.plan_changed.connect(self._on_plan)
        session.selection_changed.connect(self._on_selection)
        session.document_opened.connect(self._drop)
        session.ticked.connect(self._on_tick)

    @property
    def is_on(self) -> bool:
        """Whether a staged rotation is shown."""
        return self.step is not None

    @property
    def is_playing(self) -> bool:
        """Whether the rotation plays."""
        return self._timer.isActive()

    @property
    def is_aside(self) -> bool:
        """Whether the mode is suspended while a gesture or the choice of a sequence changes the scene."""
        return self._is_aside

    # Commands of the user

    def set_on(self, is_on: bool, read_as: str = "XYZ") -> None:
        """Enter or leave the mode for the selected frame.

        A frame without a sequence of its own is shown in the sequence `read_as`.
        """
        if is_on and not self.is_on:
            self._enter(read_as)
        elif not is_on:
            self.leave()

    def leave(self) -> None:
        """Leave the mode; the session's clock resumes if it was playing before."""
        if self.step is None:
            return
        frame = self.step.frame
        self._drop()
        self.status.emit("note", f"{frame} stands as in the scene again")

    def go_to(self, progress: float) -> None:
        """Show the rotation at a progress, from 0 to 3."""
        if self.step is not None:
            self._stop()
            self._apply(self.step.at(progress))

    def go(self, turns: int) -> None:
        """Go one stage forward (1) or back (-1)."""
        if self.step is not None:
            self._stop()
            self._apply(self.step.next() if turns > 0 else self.step.previous())

    def set_turn_axes(self, turn_axes: TurnAxes) -> None:
        """Rotate about the frame's moving axes, or in reverse order about its parent's axes; kept for later stages."""
        self._turn_axes = turn_axes
        if self.step is not None and self.step.turn_axes != turn_axes:
            self._apply(replace(self.step, turn_axes=turn_axes))

    def toggle_play(self) -> None:
        """Play or pause; at the end, play starts again at the beginning."""
        if self.step is None:
            return
        if self.is_playing:
            self._stop()
            return
        if self.step.is_at_end:
            self._apply(self.step.at(0.0))
        self._last_tick = self._clock()
        self._timer.start()
        self.playing_changed.emit(True)

    def advance(self) -> None:
        """Advance by the time since the last call; late ticks are dropped."""
        if self.step is None:
            return
        now = self._clock()
        step = self.step.advance(now - self._last_tick, SECONDS_PER_TURN)
        self._last_tick = now
        self._apply(step)
        if step.is_at_end:
            self._stop()

    def stand_aside(self, read_as: str) -> None:
        """Suspend the mode while another sequence is chosen; the new one is shown as soon as that is done.

        `read_as` is the sequence for frames without one of their own from now on.
        """
        if self.step is None:
            return
        self._read_as = read_as
        self._go_aside()
        self._is_applying = True
        try:
            self._session.cancel()
        finally:
            self._is_applying = False
        QTimer.singleShot(0, self, self._come_back)

    # Internal

    def _go_aside(self) -> None:
        """Suspend the mode, so that a gesture or an edit shows the scene, until `_come_back`."""
        if self.step is None or self._is_aside:
            return
        self._stop()
        self._is_aside, self._back_at = True, self.step.progress

    def _come_back(self) -> None:
        """Resume the mode at its progress, with the rotation that the frame has now."""
        step, session = self.step, self._session
        if step is None or not self._is_aside or session.is_previewing:
            return
        self._is_aside = False
        if step.frame not in session.plan.index:
            self._drop()
            return
        try:
            there = staged_rotation_of(session.plan, session.snapshot, step.frame, self._read_as)
        except ValueError as why:
            self.status.emit("note", str(why))
            self._drop()
            return
        self._base, self._t = session.plan, float(session.snapshot.t)
        self._apply(replace(there, progress=self._back_at, turn_axes=self._turn_axes))

    def _enter(self, read_as: str) -> None:
        session = self._session
        if session.is_previewing:
            session.cancel()
        try:
            step = staged_rotation_of(session.plan, session.snapshot, session.selected_frame(), read_as)
        except ValueError as why:
            self.status.emit("note", str(why))
            return
        self._base, self._read_as = session.plan, read_as
        self._resumes = session.playback.is_playing
        if self._resumes:
            session.pause()
        self._t = float(session.snapshot.t)
        self._apply(replace(step, turn_axes=self._turn_axes))
        self._note = f"{step.frame} turn by turn: Space plays, Left and Right step, Escape leaves"
        self.status.emit("note", self._note)

    def _apply(self, step: StagedRotation) -> None:
        self.step = step
        self.changed.emit(step)
        self._is_applying = True
        try:
            self._session.preview(step.edit())
        finally:
            self._is_applying = False
        self._shown = self._session.plan

    def _drop(self) -> None:
        if self.step is None:
            return
        self._end()
        if self._session.is_previewing:
            self._session.cancel()
        self._resume()

    def _end(self) -> None:
        self._stop()
        self._is_aside = False
        self.step = self._shown = None
        self.status.emit("", self._note)
        self.changed.emit(None)

    def _stop(self) -> None:
        if self._timer.isActive():
            self._timer.stop()
            self.playing_changed.emit(False)

    def _resume(self) -> None:
        if self._resumes and not self._session.playback.is_playing:
            self._session.toggle_play()
        self._resumes = False

    def _on_plan(self, plan: Plan, is_preview: bool) -> None:
        """Suspend the mode when anything else changes the scene, and resume once that is done."""
        if self.step is None or self._is_applying:
            return
        if self._shown is not None and plan.scene is self._shown.scene:
            return  # the same scene, after a simulation has ended
        self._go_aside()
        if is_preview:
            self._show_whole(plan)
        else:
            QTimer.singleShot(0, self, self._come_back)  # after all other views got the scene

    def _show_whole(self, plan: Plan) -> None:
        """Report the full rotation that a gesture gives the frame, with all three stages done."""
        if self.step is None or self.step.frame not in plan.index:
            return
        try:
            there = staged_rotation_of(plan, evaluate(plan, self._session.playback.t), self.step.frame, self._read_as)
        except ValueError:
            return
        self.step = replace(there.at(N_TURNS), turn_axes=self._turn_axes)
        self.changed.emit(self.step)

    def _on_selection(self, _key: object) -> None:
        if self.step is not None and self._session.selected_frame() != self.step.frame:
            self.leave()

    def _on_tick(self, snapshot: Snapshot, _trails: object) -> None:
        """Show the rotation at another time, with the same progress."""
        t = float(snapshot.t)
        if self.step is None or self._is_applying or self._is_aside or t == self._t:
            return
        self._t = t
        try:
            there = staged_rotation_of(self._base, evaluate(self._base, t), self.step.frame, self._read_as)
        except ValueError as why:
            self.status.emit("note", str(why))
            self.leave()
            return
        self._apply(replace(there, progress=self.step.progress, turn_axes=self._turn_axes))
