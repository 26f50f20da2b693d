"""Rendering of films by several processes of this machine, a chunk at a time; here they are only joined.

A process is what a worker of a cluster starts for a chunk: the same chunks, so that both, and one process alone, give
the same film.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from framescope.app.background.worker_client import TaskCancelledError, TaskError, WorkerPool, WorkerTask
from framescope.app.exporters.encoding.chunk_task import job_of, made_chunk
from framescope.app.exporters.encoding.chunks import Film
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.request import ExportRequest
from framescope.core.kernels.code.threads import cores
from framescope.core.system.free_memory import free_memory

if TYPE_CHECKING:
    from collections.abc import Generator

CORES_EACH = 2
"""Cores that one process keeps busy: while it draws, its encoder writes."""

LEAST_BYTES, PIXEL_BYTES = 400_000_000, 80
"""Memory of a process: at least, and for each pixel of its pictures, drawn twice as large, of which four wait."""

LOOK_S = 0.2
"""How often is looked whether the export was given up, and told how far it is."""

MESA_THREADS = "LP_NUM_THREADS"
"""The variable that says how many threads Mesa's software renderer draws with."""


def jobs_of(request: ExportRequest, n_chunks: int) -> int:
    """Return how many processes draw a film: as many as asked for, else as cores and free memory allow."""
    asked = request.options.jobs
    if asked is None:
        width, height = request.size
        room = free_memory() // (LEAST_BYTES + PIXEL_BYTES * width * height)
        asked = max(1, min(cores() // CORES_EACH, room))
    return min(asked, n_chunks)


def encoded_by_processes(
    request: ExportRequest, film: Film, chunks: Sequence[range], new_part: Callable[[], Path], n_jobs: int
) -> list[Path]:
    """Have chunks rendered and encoded by so many processes; return the file of each."""
    job, done, total = pickle.dumps(job_of(request, film)), [0] * len(chunks), sum(map(len, chunks))
    pool = WorkerPool(n_jobs, _ended_text)
    tasks = [WorkerTask(made_chunk, job, chunk.start, chunk.stop, pool=pool) for chunk in chunks]
    parts: dict[int, Path] = {}

    def made(k: int) -> bytes:
        def tell(n: int) -> None:
            done[k] = max(done[k], n)

        return tasks[k].result(tell)

    with _shared_cores(n_jobs), ThreadPoolExecutor(n_jobs) as threads:
        waiting: dict[Future[bytes], int] = {threads.submit(made, k): k for k in range(len(chunks))}
        try:
            while waiting:
                request.stop_if_cancelled()
                for future in wait(waiting, timeout=LOOK_S, return_when=FIRST_COMPLETED).done:
                    k = waiting.pop(future)
                    parts[k] = new_part()
                    parts[k].write_bytes(_content(future, chunks[k]))
                    done[k] = len(chunks[k])
                request.progress(sum(done), total)
        finally:
            for future in waiting:
                future.cancel()
            for task in tasks:
                task.kill()
    pool.close()
    return [parts[k] for k in range(len(chunks))]


def _content(future: Future[bytes], chunk: range) -> bytes:
    try:
        return future.result()
    except (TaskError, TaskCancelledError) as error:
        raise ExportError(f"the frames {chunk.start} to {chunk.stop - 1} cannot be made: {error}") from None


@contextmanager
def _shared_cores(n_jobs: int) -> Generator[None]:
    """Give each process that is started meanwhile its part of the cores for drawing, unless somebody has said so."""
    if MESA_THREADS in os.environ:
        yield
        return
    os.environ[MESA_THREADS] = str(max(1, cores() // n_jobs))
    try:
        yield
    finally:
        del os.environ[MESA_THREADS]


def _ended_text(status: int, words: str) -> str:
    return f"its process ended with status {status}: {(words or 'no reason given').splitlines()[-1]}."
