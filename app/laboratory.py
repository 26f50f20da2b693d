"""The laboratories beside the window: runs go on in a thread, the newest wish first."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog

from framescope.app.session import Session
from framescope.core.atomic import atomically
from framescope.core.evaluate import Plan
from framescope.core.laboratory import (
    Choice,
    LaboratoryError,
    OfFrame,
    Rate,
    Run,
    Study,
    make_rate,
    run_drift,
    study_order,
)
from framescope.core.snapshot import Snapshot
from framescope.ui.laboratory import DriftPanel, GimbalPanel
from framescope.ui.laboratory.words import DriftWish

AWAKE_S, NAP_S = 2e-3, 1e-4
"""How long a run goes on by itself, and how long it then sleeps, so that the window's thread gets its turn."""

_LOG = logging.getLogger(__name__)

Results = Iterator[object]
Work = Callable[[Callable[[], bool]], Results]
"""Yields results; asks the function it is given whether they are still wanted."""


class Newest(QObject):
    """Does one thing at a time in a thread; a newer wish makes it give up what it is at.

    Signals
    -------
    found(object)
        A result of the newest wish.
    idle()
        Nothing is under way any more.
    """

    found = Signal(object)
    idle = Signal()
    _told = Signal(object, object)
    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._next: Work | None = None
        self._is_closed = False
        # From the thread to the window's one.
        self._told.connect(self._on_told, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)

    @property
    def is_busy(self) -> bool:
        """Whether something is under way."""
        return self._thread is not None

    def want(self, work: Work) -> None:
        """Do this and nothing else."""
        self._next = work
        self._stop.set()
        self._start()

    def cancel(self) -> None:
        """Give up what is under way."""
        self._next = None
        self._stop.set()

    def close(self) -> None:
        """Give up what is under way, and wait for it."""
        self._is_closed = True
        self.cancel()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _start(self) -> None:
        if self._thread is not None or self._next is None or self._is_closed:
            return
        work, self._next, self._stop = self._next, None, threading.Event()
        self._thread = threading.Thread(target=self._do, args=(work, self._stop), name="laboratory", daemon=True)
        self._thread.start()

    def _do(self, work: Work, stop: threading.Event) -> None:
        """Do the work; in the thread."""
        woke = time.perf_counter()

        def is_stopped() -> bool:
            nonlocal woke
            if time.perf_counter() - woke > AWAKE_S:
                time.sleep(NAP_S)
                woke = time.perf_counter()
            return stop.is_set()

        try:
            for result in work(is_stopped):
                if stop.is_set():
                    break
                self._told.emit(stop, result)
        except Exception:  # noqa: BLE001 - whatever it is, the thread ends well and the log has it
            _LOG.exception("a laboratory failed")
        with contextlib.suppress(RuntimeError):  # the window is gone
            self._ended.emit(stop)

    def _on_told(self, stop: threading.Event, result: object) -> None:
        if stop is self._stop and not stop.is_set():
            self.found.emit(result)

    def _on_ended(self, stop: threading.Event) -> None:
        if stop is not self._stop or self._thread is None:
            return
        self._thread.join()
        self._thread = None
        self._start()
        if self._thread is None:
            self.idle.emit()


class DriftLaboratory(QObject):
    """Runs what a `DriftPanel` wants while it is seen, again when the scene changes."""

    def __init__(self, session: Session, panel: DriftPanel) -> None:
        super().__init__(panel)
        self._session, self._panel = session, panel
        self._rate: tuple[object, Rate] | None = None
        self._study: tuple[object, Study] | None = None
        self._shown: object = None
        self.worker = Newest(self)
        self.worker.found.connect(self._on_found)
        panel.wanted.connect(self._want)
        panel.save_asked.connect(self._ask_save)
        panel.scrubbed.connect(session.scrub)
        panel.scrub_finished.connect(session.end_scrub)
        session.plan_changed.connect(self._on_plan)
        session.ticked.connect(self._on_tick)
        session.selection_changed.connect(self._on_selection)
        panel.set_plan(session.plan)
        panel.set_frame(session.selected_frame())
        panel.show_snapshot(session.snapshot)
        panel.seen.connect(self.refresh)
        if panel.isVisible():
            self.refresh()

    def refresh(self) -> None:
        """Run again what the panel wants, when the scene gives another rate than that which is shown."""
        wish = self._panel.wish
        if isinstance(wish.choice, OfFrame) and not wish.choice.name:
            return
        if (wish, *_identity(wish.choice, self._session.plan)) != self._shown:
            self._want(wish)

    def close(self) -> None:
        """Let go: the window closes."""
        self.worker.close()

    def _want(self, wish: DriftWish) -> None:
        if not self._panel.isVisible():
            return  # it is run when it is seen
        plan = self._session.plan
        identity = _identity(wish.choice, plan)
        self._shown = (wish, *identity)
        self.worker.want(lambda stop: self._work(wish, identity, plan, stop))

    def _work(self, wish: DriftWish, identity: tuple[object, ...], plan: Plan, stop: Callable[[], bool]) -> Results:
        """Make the rate, the run and the study; in the thread."""
        try:
            rate = self._rate[1] if self._rate is not None and self._rate[0] == identity else None
            if rate is None:
                rate = make_rate(wish.choice, plan)
                self._rate = (identity, rate)
            run = run_drift(rate, wish.settings, stop)
            if run is None:
                return
            yield wish, run
            line = (identity, wish.settings.equation, wish.settings.method, wish.settings.every)
            study = self._study[1] if self._study is not None and self._study[0] == line else None
            if study is None:
                study = study_order(rate, wish.settings, stop)
                if study is None:
                    return
                self._study = (line, study)
            yield wish, study
        except LaboratoryError as error:
            yield wish, error
        except Exception as error:  # noqa: BLE001 - whatever it is, the person is told
            _LOG.exception("a run failed")
            yield wish, LaboratoryError(f"{type(error).__name__}: {error}.", "A fault of Framescope; the log has more.")

    def _on_found(self, told: tuple[DriftWish, Run | Study | LaboratoryError]) -> None:
        wish, result = told
        match result:
            case Run():
                self._panel.show_run(wish, result)
            case Study():
                self._panel.show_study(wish, result)
            case _:
                self._panel.show_refusal(wish, result.message, result.hint)

    def _on_plan(self, plan: Plan, _is_preview: bool) -> None:
        self._panel.set_plan(plan)
        if self._panel.isVisible():
            self.refresh()

    def _on_tick(self, snapshot: Snapshot, _trails: object) -> None:
        if self._panel.isVisible():
            self._panel.show_snapshot(snapshot)

    def _on_selection(self, _key: object) -> None:
        self._panel.set_frame(self._session.selected_frame())

    def _ask_save(self, text: str) -> None:
        suggested = str(self._session.document.working_folder / "drift.csv")
        chosen, _ = QFileDialog.getSaveFileName(
            self._panel.window(), "Save the table of runs", suggested, "Table (*.csv)"
        )
        if not chosen:
            return
        path = Path(chosen)
        path = path if path.suffix else path.with_suffix(".csv")
        try:
            with atomically(path) as partial:
                partial.write_text(text, encoding="utf-8")
        except OSError as error:
            self._panel.said.emit(
                "red", f"{path.name} is not written: {error.strerror or error}. Choose another place."
            )
        else:
            self._panel.said.emit("good", f"Wrote {path.name}")


class GimbalLaboratory(QObject):
    """Keeps a `GimbalPanel` up to date, and shows its path in the scene as a preview."""

    def __init__(self, session: Session, panel: GimbalPanel) -> None:
        super().__init__(panel)
        self._session, self._panel = session, panel
        panel.previewed.connect(session.preview)
        panel.cancelled.connect(session.cancel)
        panel.scrubbed.connect(session.scrub)
        panel.scrub_finished.connect(session.end_scrub)
        session.plan_changed.connect(self._on_plan)
        session.ticked.connect(self._on_tick)
        session.selection_changed.connect(self._on_selection)
        panel.set_plan(session.plan)
        panel.set_frame(session.selected_frame())
        panel.show_snapshot(session.snapshot)

    def _on_plan(self, plan: Plan, is_preview: bool) -> None:
        if not is_preview:
            self._panel.end_preview()
        self._panel.set_plan(plan)

    def _on_tick(self, snapshot: Snapshot, _trails: object) -> None:
        if self._panel.isVisible():
            self._panel.show_snapshot(snapshot)

    def _on_selection(self, _key: object) -> None:
        self._panel.set_frame(self._session.selected_frame())


def _identity(choice: Choice, plan: Plan) -> tuple[object, ...]:
    """Return what a rate depends on: the choice, the time range, and the motion of its frame."""
    if not isinstance(choice, OfFrame) or choice.name not in plan.index:
        return choice, plan.start, plan.end
    return choice, plan.start, plan.end, plan.tree.motions.get(plan.index[choice.name])
