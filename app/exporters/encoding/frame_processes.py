"""Drawing of frames by several processes of this machine, a few at a time by whichever is free.

A frame depends on its time alone, so that it is the same whoever draws it. A process that is lost, by a driver or for
want of memory, costs nothing but time: what it had yet to draw is drawn by another one.
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
    drawing_ended,
)
from framescope.app.exporters.encoding.frame_task import drawn, frame_job_of
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.request import ExportRequest
from framescope.app.storage.temporary_folders import TemporaryFolder
from framescope.core.kernels.machine_share import cores, free_memory, used_memory

PIECE = 4
"""Frames that a process is asked for at once."""

START_S = 1.5
"""What the start of processes takes."""


@dataclass(frozen=True)
class Cost:
    """Cost of a frame of `PIXELS` pixels, s, measured: of one core alone, of what drawing threads share, and of all."""

    alone: float
    shared: float
    whole: float

    def taken(self, n_jobs: int, n_cores: int) -> float:
        """Return the time from frame to frame with so many processes."""
        return max((self.alone + self.shared / max(1.0, n_cores / n_jobs)) / n_jobs, self.whole / n_cores)


PIXELS = 1280 * 720
FILM, ROW = Cost(0.020, 0.024, 0.060), Cost(0.045, 0.024, 0.060)
"""Of a film, and of a row of pictures, each of which is packed by the process that draws it."""

GAIN = 0.1
"""Share of the time that a further process must save to be started unasked."""

LEAST_BYTES, PIXEL_BYTES = 400_000_000, 100
"""Memory of a process: at least, or what this one has that knows the same scene; and for each pixel of its pictures,
drawn twice as large, of which some wait."""

AHEAD = 2
"""Pieces for each process that may be drawn before an earlier one is whole: what is drawn too early waits in memory."""

LOSSES = 3
"""Processes that may be lost before a film is given up."""

LOOK_S = 0.2
"""How often is looked whether the export was given up, and told how far it is."""

MESA_THREADS = "LP_NUM_THREADS"
"""The variable that says how many threads Mesa's software renderer draws with."""

Take = Callable[[int, bytes], None]
"""Called with the number of a frame and what was made of it, from several threads; it may keep them waiting."""


def jobs_of(request: ExportRequest, n_frames: int, cost: Cost = FILM) -> int:
    """Return how many processes draw so many frames: as many as asked for, else as is worth it and memory allows."""
    n_pieces = -(-n_frames // PIECE)
    if request.options.jobs is not None:
        return min(request.options.jobs, n_pieces)
    width, height = request.size
    room = free_memory() // (max(LEAST_BYTES, used_memory()) + PIXEL_BYTES * width * height)
    work, best = n_frames * max(1.0, width * height / PIXELS), 1
    least = work * cost.taken(1, cores())
    for n in range(2, min(cores(), n_pieces, room) + 1):
        taken = START_S + work * cost.taken(n, cores())
        if taken < (1.0 - GAIN) * least:
            best, least = n, taken
    return best


def in_pieces(runs: Sequence[Sequence[int]], n_at_once: int) -> Iterable[Sequence[int]]:
    """Yield what is asked for at once, in the order in which it is: of so many runs by turns, and then of the next.

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
    """Have frames drawn by so many processes, in about that order, and handed to `take` as pixels or as PNG files.

    Raises
    ------
    ExportError
        When one cannot be drawn, or what `take` raises.
    ExportCancelledError
        When the export is given up meanwhile.
    """
    with TemporaryFolder() as folder:
        job = folder / "job.pickle"
        job.write_bytes(pickle.dumps(frame_job_of(request)))
        _Drawing(request, str(job), pieces, take, as_png=as_png).run(n_jobs)


class _Drawing:
    """Frames on their way: what is still to be drawn, by whom, and whether it is over."""

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
        """Have all drawn; the thread that calls is the one that tells how far it is."""
        pool = WorkerPool(n_jobs, drawing_ended, _shared_cores(n_jobs))
        self._n_ahead, self._n_drawers = AHEAD * n_jobs, n_jobs
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
            done, drawers = wait(drawers, timeout=LOOK_S, return_when=FIRST_EXCEPTION)
            for each in done:
                each.result()
            self._request.progress(self._done, self._total)

    def _stop(self) -> None:
        with self._change:
            self._is_over = True
            for task in self._drawn_now.values():
                task.kill()
            self._change.notify_all()

    def _draw(self, pool: WorkerPool) -> None:
        """Have one piece after another drawn by a process of the pool."""
        while (begun := self._begin(pool)) is not None:
            k, task, left = begun
            try:
                task.result(partial(self._taken, left))
            except TaskCancelledError:
                return
            except ProcessLostError as error:
                if isinstance(error, ProcessStartError) and self._may_leave(k, left):
                    return
                self._give_back(k, left, str(error))
            except TaskError as error:
                raise ExportError(_failed(left, str(error))) from None
            finally:
                with self._change:
                    del self._drawn_now[k]
                    self._change.notify_all()

    def _begin(self, pool: WorkerPool) -> tuple[int, WorkerTask, deque[int]] | None:
        """Return the next piece: its number, what draws it, and its frames; wait while an earlier one lags behind."""
        with self._change:
            self._change.wait_for(self._may_go_on)
            if self._is_over or not self._waiting:
                self._n_drawers -= 1
                return None
            k, piece = self._waiting.popleft()
            task = self._drawn_now[k] = WorkerTask(drawn, self._job, piece, self._as_png, pool=pool)
            return k, task, deque(piece)

    def _may_go_on(self) -> bool:
        if self._is_over or not self._waiting:
            return True
        return self._waiting[0][0] < min(self._drawn_now, default=math.inf) + self._n_ahead

    def _taken(self, left: deque[int], made: bytes) -> None:
        self._take(left[0], made)
        left.popleft()
        with self._change:
            self._done += 1

    def _may_leave(self, k: int, left: deque[int]) -> bool:
        """Leave what it had to draw to the others, where there are any."""
        with self._change:
            if self._n_drawers == 1:
                return False
            self._n_drawers -= 1
            self._waiting.appendleft((k, list(left)))
            return True

    def _give_back(self, k: int, left: deque[int], why: str) -> None:
        """Have what a process that is lost had yet to draw drawn by another one."""
        with self._change:
            self._n_lost += 1
            if self._n_lost > LOSSES:
                raise ExportError(
                    f"{_failed(left, why)} {self._n_lost} processes were lost, perhaps for want of memory: try fewer"
                    " jobs, or a smaller size."
                )
            if left:
                self._waiting.appendleft((k, list(left)))


def _failed(frames: Sequence[int], why: str) -> str:
    if not frames:
        return why
    which = f"frame {frames[0]}" if len(frames) == 1 else f"frames {frames[0]} to {frames[-1]}"
    return f"the {which} cannot be drawn: {why}"


def _shared_cores(n_jobs: int) -> dict[str, str]:
    """Return the variables that give each process its part of the cores for drawing, unless somebody has said so."""
    return {} if MESA_THREADS in os.environ else {MESA_THREADS: str(max(1, math.ceil(cores() / n_jobs)))}
