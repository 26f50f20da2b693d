"""The process that exports, as the window sees it: it is started, spoken to, heard, and ended."""

from __future__ import annotations

import base64
import json
import logging
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, QProcess, QTimer, Signal
from PySide6.QtGui import QImage

from framescope.app.background.child_processes import child_command, child_folder
from framescope.app.background.pickle_pipe import packed
from framescope.app.export_service.messages import Answer, Cancel, Measure, Message, OpenScene, Sketch, Write
from framescope.app.exporters.request import SceneSource
from framescope.core.scene.schema.model import Scene
from framescope.core.system.atomic_write import partials_of

PATIENCE_MS = 3000
"""How long a process may take to give up by itself."""

_LAST_WORDS = 20_000
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ended:
    """How an export has ended; `why` says what went wrong, `told` how exact a model is."""

    state: Literal["done", "failed", "cancelled"]
    why: str = ""
    told: str = ""


class ExportProcess(QObject):
    """One process for one scene: it draws sketches, writes one export, and ends.

    Signals
    -------
    sketched(int, QImage)
        A sketch is drawn; its number.
    not_sketched(int, str)
        A sketch cannot be drawn, and why.
    measured(int, str)
        How large a model becomes, and how exact; its number.
    progressed(int, int)
        Parts of the export that are done, and all.
    ended(Ended)
        The export has ended, well or not; the process is gone.
    """

    sketched = Signal(int, QImage)
    not_sketched = Signal(int, str)
    measured = Signal(int, str)
    progressed = Signal(int, int)
    ended = Signal(object)

    def __init__(self, scene: Scene, source: SceneSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path: Path | None = None
        self._before: frozenset[Path] = frozenset()
        self._end: Ended | None = None
        self._is_cancelled = self._is_over = False
        self._n_sketch = 0
        self._errors = b""
        self._process = QProcess(self)
        self._process.readyReadStandardOutput.connect(self._on_answers)
        self._process.readyReadStandardError.connect(self._on_errors)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_process_error)
        self._impatience = QTimer(self, interval=PATIENCE_MS, singleShot=True)
        self._impatience.timeout.connect(self._process.kill)
        program, *arguments = child_command("framescope.app.export_service.worker_main")
        self._process.setWorkingDirectory(child_folder())
        self._process.start(program, arguments)
        self._say(OpenScene(scene, source))

    @property
    def path(self) -> Path | None:
        """What is being written; None as long as nothing is."""
        return self._path

    @property
    def process_id(self) -> int:
        """The system's number of the process; 0 when there is none."""
        return self._process.processId()

    def sketch(self, asked: Sketch) -> None:
        """Have a picture drawn; one that still waits is no longer wanted."""
        self._n_sketch = asked.n
        self._say(asked)

    def measure(self, asked: Measure) -> None:
        """Have it found out how large a model becomes; what is asked for next ends that."""
        self._say(asked)

    def write(self, asked: Write) -> None:
        """Have the export written; `ended` comes once."""
        self._path = asked.path
        self._before = partials_of(asked.path)
        self._say(asked)

    def cancel(self) -> None:
        """Give the export up; what does not end by itself is ended."""
        if not self._is_cancelled and not self._is_over:
            self._is_cancelled = True
            self._say(Cancel())
            self._impatience.start()

    def close(self) -> None:
        """End the process, and wait for it: nothing is left behind."""
        if self._is_over:
            return
        self._is_over = True
        if self._path is not None:
            self._say(Cancel())
            self._process.closeWriteChannel()
            self._process.waitForFinished(PATIENCE_MS)
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.kill()
            self._process.waitForFinished(PATIENCE_MS)
        self._remove_partials()

    # Inside

    def _say(self, message: Message) -> None:
        self._process.write(packed(message))

    def _on_answers(self) -> None:
        while self._process.canReadLine():
            answer: Answer = json.loads(bytes(self._process.readLine().data()))
            if not self._is_over:
                self._hear(answer)

    def _hear(self, answer: Answer) -> None:
        state, n = answer["state"], answer.get("n", 0)
        if state == "progress":
            self.progressed.emit(answer.get("done", 0), answer.get("total", 0))
        elif state == "sketch":
            if n == self._n_sketch:
                self.sketched.emit(n, QImage.fromData(base64.b64decode(answer.get("png", ""))))
        elif state == "no sketch":
            if n == self._n_sketch:
                self.not_sketched.emit(n, answer.get("why", ""))
        elif state == "measured":
            self.measured.emit(n, answer.get("told", ""))
        else:
            self._end = Ended(state, answer.get("why", ""), answer.get("told", ""))

    def _on_errors(self) -> None:
        self._errors = (self._errors + self._process.readAllStandardError().data())[-_LAST_WORDS:]

    def _on_process_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._end = Ended("failed", f"Python cannot be started: {self._process.errorString()}.")
            self._on_finished()

    def _on_finished(self) -> None:
        if self._is_over:
            return
        self._on_answers()
        self._is_over = True
        self._impatience.stop()
        self._remove_partials()
        end = self._end
        if end is None and not self._is_cancelled:
            self._on_errors()
            words = self._errors.decode(errors="replace").strip()
            _LOG.error("the process that exports has ended without a word: %s", words or "nothing was said")
            last = f" ({words.splitlines()[-1][:200]})" if words else ""
            end = Ended("failed", f"The process that exports has ended before its time{last}. The log has more.")
        self.ended.emit(end or Ended("cancelled"))

    def _remove_partials(self) -> None:
        """Remove what a killed process has left behind."""
        if self._path is not None:
            for partial in partials_of(self._path) - self._before:
                with suppress(OSError):
                    partial.unlink()
