"""Client of the process that exports a scene: requests sketches and one export, and ends the process."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Signal

from framescope.app.background.latest_task import LatestTask
from framescope.app.background.plan_source import PlanSource
from framescope.app.background.worker_client import WorkerPool
from framescope.app.export_service.tasks import (
    Drawn,
    ExportJob,
    ExportProgress,
    ExportTask,
    J,
    Measured,
    prepare,
    sketch,
    write_export,
)
from framescope.core.system.atomic_write import partials_of
from framescope.ui.qt_support.thread_tasks import thread_task

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ended:
    """Outcome of an export; `why` is the reason of a failure, `summary` the accuracy of a model."""

    state: Literal["done", "failed", "cancelled"]
    why: str = ""
    summary: str = ""


class ExportProcess(QObject):
    """One process for one plan: it draws sketches, writes one export, and ends.

    Signals
    -------
    drawn(Drawn)
        The newest sketch.
    measured(str)
        Size and accuracy of a model of the newest sketch.
    progressed(int, int)
        Number of parts that are done, and their total.
    ended(Ended)
        The export has succeeded, failed or was cancelled; the process has ended.
    """

    drawn = Signal(object)
    measured = Signal(str)
    progressed = Signal(int, int)
    ended = Signal(object)

    def __init__(self, source: PlanSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.plan = source.pack()
        self._path: Path | None = None
        self._before: frozenset[Path] = frozenset()
        self._end: Ended | None = None
        self._pool = WorkerPool(1, _ended_text)
        self._task = LatestTask(self, self._pool, is_patient=True)
        self._task.found.connect(self._on_found)
        self._task.failed.connect(self._on_failed)
        self._task.idle.connect(self._on_idle)
        self._task.want(prepare, self.plan)

    @property
    def process_id(self) -> int:
        """Number of the process; 0 without one."""
        return self._task.process_id

    def sketch(self, job: ExportJob, t: float, measured: ExportJob | None = None) -> None:
        """Request a sketch of time `t`, s, and the size of a model; only the newest request counts, until `write`."""
        if self._path is None:
            self._task.want(sketch, job, t, measured)

    def write(self, job: J, task: ExportTask[J] = write_export) -> None:
        """Request the export of a job by a module's function; `ended` is emitted once."""
        self._path = job.path
        self._before = partials_of(job.path)
        self._task.want(task, job)

    def cancel(self) -> None:
        """Cancel the export; a process that does not end by itself is killed."""
        self._task.stop()

    def close(self) -> None:
        """End the process, wait for it, and remove its incomplete files."""
        if self._path is None:
            self._task.kill()
        else:
            self._task.close()
        self._pool.close(is_let_go=self._path is not None)
        self._remove_partials()

    # Internal

    def _on_found(self, message: Drawn | Measured | ExportProgress | str) -> None:
        match message:
            case Drawn():
                self.drawn.emit(message)
            case Measured(text):
                self.measured.emit(text)
            case ExportProgress(done, total):
                self.progressed.emit(done, total)
            case _:
                self._end = Ended("done", summary=message)

    def _on_failed(self, why: str) -> None:
        self._end = Ended("failed", why)

    def _on_idle(self) -> None:
        end, self._end = self._end, None
        if self._path is not None:
            self._remove_partials()
            announce = partial(self._announce_end, end or Ended("cancelled"))
            thread_task(self, partial(self._pool.close, is_let_go=True), announce, holds_program=False)
        elif end is not None:
            self.ended.emit(end)

    def _announce_end(self, end: Ended, _done: Future[None]) -> None:
        self.ended.emit(end)

    def _remove_partials(self) -> None:
        """Remove the incomplete files of a killed process."""
        if self._path is not None:
            for partial_file in partials_of(self._path) - self._before:
                with suppress(OSError):
                    partial_file.unlink()


def _ended_text(_status: int, words: str) -> str:
    _LOG.error("the process that exports has ended without a word: %s", words or "nothing was said")
    last = f" ({words.splitlines()[-1][:200]})" if words else ""
    return f"The process that exports has ended before its time{last}. The log has more."
