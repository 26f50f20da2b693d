"""Drawing of frames by several processes of this machine; each takes the next few frames when it is free.

A frame depends on its time alone, so any process can draw it. When a graphics driver or a lack of memory ends a
process, another one draws its remaining frames.
"""

from __future__ import annotations

import math
import os
import pickle
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

from framescope.app.background.worker_client import (
    ProcessLostError,
    ProcessStartError,
    TaskCancelledError,
    TaskError,
    WorkerPool,
    WorkerTask,
    drawing_loss_text,
)
from framescope.app.exporters.encoding.frame_task import frame_job_of, report_frames
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.request import ExportRequest, frame_source_of
from framescope.app.storage.temporary_folders import TemporaryFolder
from framescope.core.kernels.machine_share import cores, free_memory, used_memory

PIECE = 4
"""Frames that a process draws per task."""

START_S = 1.5
"""Time to start the processes, s."""


@dataclass(frozen=True)
class Cost:
    """Measured costs of a frame of `PIXELS` pixels, s: for a single core, for shared drawing threads, and in total."""

    alone: float
    shared: float
    whole: float

    def frame_time(self, n_jobs: int, n_cores: int) -> float:
        """Return the time per frame with `n_jobs` processes, s."""
        return max((self.alone + self.shared / max(1.0, n_cores / n_jobs)) / n_jobs, self.whole / n_cores)


PIXELS = 1280 * 720
FILM, ROW = Cost(0.020, 0.024, 0.060), Cost(0.045, 0.024, 0.060)
"""Costs for a film, and for numbered pictures, which the drawing process also compresses to PNG."""

MIN_GAIN = 0.1
"""Share of the total time that one more process must save to be started without `jobs`."""

MIN_BYTES, PIXEL_BYTES = 400_000_000, 100
"""Memory of a drawing process: a minimum, and bytes per pixel of its pictures, which are drawn twice as large and
queued. Where this process, which holds the same scene, uses more than the minimum, its use replaces the minimum."""

MAX_PIECES_AHEAD = 2
"""Pieces per process that may be drawn ahead of the oldest unfinished piece; frames drawn early wait in memory."""

MAX_LOSSES = 3
"""Lost processes after which the export is cancelled."""

POLL_S = 0.2
"""Interval at which the export checks for cancellation and reports progress, s."""

MESA_THREADS = "LP_NUM_THREADS"
"""Environment variable for the number of threads of Mesa's software renderer."""

Take = Callable[[int, bytes], None]
"""Callback for a frame's number and its pixels or PNG file, called from several threads; it may block them."""


def jobs_of(request: ExportRequest, n_frames: int, cost: Cost = FILM) -> int:
    """Return the number of processes for `n_frames` frames: the `jobs` option, or as many as pay off and fit memory."""
    n_pieces = -(-n_frames // PIECE)
    if request.options.jobs is not None:
        return min(request.options.jobs, n_pieces)
    width, height = request.size
    source = frame_source_of(request.options)
    windows = 1 if source is None else source.windows
    room = free_memory() // (max(MIN_BYTES, used_memory()) + windows * PIXEL_BYTES * width * height)
    work, best = n_frames * max(1.0, width * height / PIXELS), 1
    least = work * cost.frame_time(1, cores())
    for n in range(2, min(cores(), n_pieces, room) + 1):
        duration = START_S + work * cost.frame_time(n, cores())
        if duration < (1.0 - MIN_GAIN) * least:
            best, least = n, duration
    return best


def in_pieces(runs: Sequence[Sequence[int]], n_at_once: int) -> Iterable[Sequence[int]]:
    """Yield pieces of frame numbers in drawing order: `n_at_once` runs in turn, then the next runs.

    >>> list(in_pieces([range(6), range(6, 10), range(10, 12)], 2))
    [range(0, 4), range(6, 10), range(4, 6), range(10, 12)]
    """
    for k in range(0, len(runs), n_at_once):
        pieces = [[run[i : i + PIECE] for i in range(0, len(run), PIECE)] for run in runs[k : k + n_at_once]]
        for turn in zip_longest(*pieces):
            yield from (piece for piece in turn if piece is not None)


def draw_by_processes(
    request: ExportRequest, pieces: Iterable[Sequence[int]], n_jobs: int, take: Take, *, as_png: bool = False
) -> None:
    """Draw frames in `n_jobs` processes, roughly in order, and pass each to `take` as pixels or as a PNG file.

    Raises
    ------
    ExportError
        When a frame cannot be drawn, or `take` raises it.
    ExportCancelledError
        When the export was cancelled.
    """
    with TemporaryFolder() as folder:
        job = folder / "job.pickle"
        job.write_bytes(pickle.dumps(frame_job_of(request)))
        _Drawing(request, str(job), pieces, take, as_png=as_png).run(n_jobs)


class _Drawing:
    """Progress of the drawing: waiting pieces, running tasks, and whether it is over."""

    def __init__(
        self, request: ExportRequest, job: str, pieces: Iterable[Sequence[int]], take: Take, *, as_png: bool
    ) -> None:
        self._request, self._job, self._take, self._as_png = request, job, take, as_png
        self._waiting: deque[tuple[int, Sequence[int]]] = deque(enumerate(pieces))
        self._total, self._done = sum(len(piece) for _, piece in self._waiting), 0
        self._drawn_now: dict[int, WorkerTask] = {}
        self._n_ahead = self._n_lost = self._n_drawers = 0
        self._is_over = False
        self._change = threading.Condition()

    def run(self, n_jobs: int) -> None:
        """Draw all pieces; the calling thread reports the progress."""
        pool = WorkerPool(n_jobs, drawing_loss_text, _shared_cores(n_jobs))
        self._n_ahead, self._n_drawers = MAX_PIECES_AHEAD * n_jobs, n_jobs
        try:
            with ThreadPoolExecutor(n_jobs, "drawing") as threads:
                try:
                    self._wait_for({threads.submit(self._draw, pool) for _ in range(n_jobs)})
                finally:
                    self._stop()
        finally:
            pool.close()

    def _wait_for(self, drawers: set[Future[None]]) -> None:
        while drawers:
            self._request.stop_if_cancelled()
            done, drawers = wait(drawers, timeout=POLL_S, return_when=FIRST_EXCEPTION)
            for drawer in done:
                drawer.result()
            self._request.progress(self._done, self._total)

    def _stop(self) -> None:
        with self._change:
            self._is_over = True
            for task in self._drawn_now.values():
                task.kill()
            self._change.notify_all()

    def _draw(self, pool: WorkerPool) -> None:
        """Draw pieces in a process of the pool until none is waiting."""
        while (begun := self._begin(pool)) is not None:
            k, task, remaining = begun
            try:
                task.result(partial(self._take_result, remaining))
            except TaskCancelledError:
                return
            except ProcessLostError as error:
                if isinstance(error, ProcessStartError) and self._may_leave(k, remaining):
                    return
                self._give_back(k, remaining, str(error))
            except TaskError as error:
                raise ExportError(_failure_text(remaining, str(error))) from None
            finally:
                with self._change:
                    del self._drawn_now[k]
                    self._change.notify_all()

    def _begin(self, pool: WorkerPool) -> tuple[int, WorkerTask, deque[int]] | None:
        """Start the next piece; return its number, task and frames. Wait while an earlier piece is too far behind."""
        with self._change:
            self._change.wait_for(self._may_go_on)
            if self._is_over or not self._waiting:
                self._n_drawers -= 1
                return None
            k, piece = self._waiting.popleft()
            task = self._drawn_now[k] = WorkerTask(report_frames, self._job, piece, self._as_png, pool=pool)
            return k, task, deque(piece)

    def _may_go_on(self) -> bool:
        if self._is_over or not self._waiting:
            return True
        return self._waiting[0][0] < min(self._drawn_now, default=math.inf) + self._n_ahead

    def _take_result(self, remaining: deque[int], content: bytes) -> None:
        self._take(remaining[0], content)
        remaining.popleft()
        with self._change:
            self._done += 1

    def _may_leave(self, k: int, remaining: deque[int]) -> bool:
        """Return the piece to the queue and end this thread, unless it is the last one."""
        with self._change:
            if self._n_drawers == 1:
                return False
            self._n_drawers -= 1
            self._waiting.appendleft((k, list(remaining)))
            return True

    def _give_back(self, k: int, remaining: deque[int], why: str) -> None:
        """Return the remaining frames of a lost process to the queue; raise `ExportError` after `MAX_LOSSES` losses."""
        with self._change:
            self._n_lost += 1
            if self._n_lost > MAX_LOSSES:
                raise ExportError(
                    f"{_failure_text(remaining, why)} {self._n_lost} processes were lost, perhaps for want of memory:"
                    " try fewer jobs, or a smaller size."
                )
            if remaining:
                self._waiting.appendleft((k, list(remaining)))


def _failure_text(frames: Sequence[int], why: str) -> str:
    if not frames:
        return why
    which = f"frame {frames[0]}" if len(frames) == 1 else f"frames {frames[0]} to {frames[-1]}"
    return f"the {which} cannot be drawn: {why}"


def _shared_cores(n_jobs: int) -> dict[str, str]:
    """Return variables that divide the cores among drawing processes, unless the user has set them."""
    return {} if MESA_THREADS in os.environ else {MESA_THREADS: str(max(1, math.ceil(cores() / n_jobs)))}
