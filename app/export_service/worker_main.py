"""The process in which the window's exports are made, so that the window never waits for one.

While the person still chooses, it draws small pictures of what will come; then it writes the file. It ends when the
window closes its input, and gives up what it has not finished.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import tempfile
import threading
import time
import traceback
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from framescope.app import platforms
from framescope.app.background.pickle_pipe import own_output, read_message
from framescope.app.export_service.messages import Answer, Cancel, Measure, Message, OpenScene, Sketch, Still, Write
from framescope.app.exporters.formats import EXPORTERS
from framescope.app.exporters.registry import chosen, export
from framescope.app.exporters.request import ExportCancelledError, ExportRequest, SceneSource, checked_request
from framescope.app.exporters.scene_graph.remarks import accuracy_text, told_of
from framescope.app.storage.temporary_folders import noted
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.scene.schema.model import Scene
from framescope.core.system.atomic_write import note_partials_by

SKETCHED = ".png"
"""The format whose frames sketches are: it can be clear, and may have any size."""

TELL_S = 0.1
"""How often progress is told."""


class _Words:
    """What the window says, read in a thread so that a cancel is heard while frames are drawn."""

    def __init__(self, descriptor: int) -> None:
        self.is_cancelled = threading.Event()
        self._waiting: deque[Message] = deque()
        self._is_over = False
        self._news = threading.Condition()
        self._descriptor = descriptor
        threading.Thread(target=self._read, name="words of the window", daemon=True).start()

    def __iter__(self) -> Iterator[Message]:
        """Yield what is to be done, until the window has closed the pipe."""
        while True:
            with self._news:
                self._news.wait_for(lambda: self._waiting or self._is_over)
                if not self._waiting or self.is_cancelled.is_set():
                    return
                message = self._waiting.popleft()
            yield message

    @property
    def has_news(self) -> bool:
        """Whether something waits, or nothing will be asked any more."""
        return bool(self._waiting) or self.is_cancelled.is_set()

    def _read(self) -> None:
        while True:
            try:
                message: Message = read_message(self._descriptor)
            except EOFError:
                break  # the window is gone
            if isinstance(message, Cancel):
                break
            with self._news:
                if isinstance(message, Sketch | Write):  # nobody looks at older sketches any more
                    self._waiting = deque(waits for waits in self._waiting if not isinstance(waits, Sketch | Measure))
                self._waiting.append(message)
                self._news.notify()
        self.is_cancelled.set()
        with self._news:
            self._is_over = True
            self._news.notify()


class _Worker:
    """Does what it is told to, and answers."""

    def __init__(self, words: _Words, out: IO[str]) -> None:
        self._words, self._out = words, out
        self._scene: Scene | None = None
        self._plan: Plan | None = None
        self._source = SceneSource()
        self._told = 0.0

    def serve(self) -> None:
        """Do one thing after another until an export has ended or the window is gone."""
        for message in self._words:
            if isinstance(message, OpenScene):
                self._scene, self._source, self._plan = message.scene, message.source, None
            elif isinstance(message, Sketch):
                self._sketch(message)
            elif isinstance(message, Measure):
                self._measure(message)
            elif isinstance(message, Write):
                self._write(message)
                return

    def _opened(self) -> tuple[Scene, Plan]:
        """Return the scene and its plan, which may take a simulation."""
        if self._scene is None:
            raise FramescopeError("there is no scene to export.")
        if self._plan is None:
            self._plan = compile_plan(self._scene, access=self._source.access)
        return self._scene, self._plan

    def _sketch(self, asked: Sketch) -> None:
        from framescope.app.exporters.picture import png_of

        try:
            scene, plan = self._opened()
            made = EXPORTERS[SKETCHED]
            request = checked_request(
                scene, plan, Path(SKETCHED), made, asked.options, progress=None, is_cancelled=None
            )
            png = png_of(_drawn(request, asked))
        except FramescopeError as error:
            self._say({"state": "no sketch", "n": asked.n, "why": str(error)})
        else:
            self._say({"state": "sketch", "n": asked.n, "png": base64.b64encode(png).decode()})

    def _measure(self, asked: Measure) -> None:
        """Write a model where nobody sees it, and say what came of it."""
        try:
            scene, plan = self._opened()
            # There for a moment only: a process that is ended while it still samples leaves nothing behind.
            path = Path(tempfile.gettempdir()) / f"framescope-{os.getpid()}-{asked.n}{asked.suffix}"
            try:
                made = export(scene, plan, path, is_cancelled=lambda: self._words.has_news, **asked.options)
                told = told_of(path, made)
            finally:
                path.unlink(missing_ok=True)
        except ExportCancelledError:
            return
        except (FramescopeError, OSError) as error:
            told = str(error)
        self._say({"state": "measured", "n": asked.n, "told": told})

    def _write(self, asked: Write) -> None:
        told = ""
        try:
            scene, plan = self._opened()
            if asked.still is None:
                is_cancelled = self._words.is_cancelled.is_set
                path, _ = chosen(asked.path)
                options = asked.options.copy()
                options["source"] = self._source
                made = export(scene, plan, path, progress=self._tell, is_cancelled=is_cancelled, **options)
                told = "" if made is None else accuracy_text(made)
            else:
                _write_still(scene, plan, asked, asked.still)
        except ExportCancelledError:
            self._say({"state": "cancelled"})
        except FramescopeError as error:
            self._say({"state": "failed", "why": str(error)})
        except MemoryError:
            self._say({"state": "failed", "why": "There is not enough memory. Choose a smaller size."})
        else:
            self._say({"state": "done", "told": told})

    def _tell(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._told >= TELL_S or done == total:
            self._told = now
            self._say({"state": "progress", "done": done, "total": total})

    def _say(self, answer: Answer) -> None:
        self._out.write(json.dumps(answer) + "\n")
        self._out.flush()


def _drawn(request: ExportRequest, asked: Sketch) -> NDArray[np.uint8]:
    """Return the picture (height, width, 3 or 4) of a sketch."""
    from framescope.app.exporters.picture import picture_of
    from framescope.app.exporters.rendering.headless import rendered_frames

    if asked.still is None:
        return next(iter(rendered_frames(request, np.array([asked.t]))))
    return picture_of(request, asked.still.t)


def _write_still(scene: Scene, plan: Plan, asked: Write, still: Still) -> None:
    from framescope.app.exporters.picture import write_picture

    write_picture(scene, plan, asked.path, time=still.t, **asked.options)


def main() -> int:
    """Serve the window that started this process; return the exit status."""
    out = os.fdopen(own_output(), "w", encoding="ascii")
    platforms.give_way()
    note_partials_by(noted)
    platforms.prepare_rendering(platforms.this_host())
    worker = _Worker(_Words(sys.stdin.fileno()), out)
    try:
        worker.serve()
    except Exception:  # noqa: BLE001 - the window puts it into the log, and says that there is a fault
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
