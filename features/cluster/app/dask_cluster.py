"""Rendering of films by the workers of a Dask cluster, chunk by chunk. This process only joins the chunks.

The workers get the scene as a bundle of bytes, without paths of this machine. If a worker is lost, the scheduler gives
its chunk to another one.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import uuid
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from framescope.app.background.worker_client import (
    TaskCancelledError,
    TaskError,
    WorkerPool,
    WorkerTask,
    drawing_loss_text,
)
from framescope.app.exporters.encoding.chunks import Film
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.request import ExportRequest
from framescope.core.errors import FramescopeError
from framescope.core.system.optional_packages import CLUSTER
from framescope.features.cluster.app.chunk_task import ChunkJob, job_of, make_chunk

Client = Future = Any
"""Types of Dask, which has few annotations."""

PATIENCE_S = 5.0
"""Limit of the time for a scheduler to answer, and for its first worker to appear, s."""

LOOK_S = 0.2
"""Interval between checks for cancellation and reports of progress, s."""


def encode_on_cluster(
    request: ExportRequest, film: Film, chunks: Sequence[range], new_part: Callable[[], Path]
) -> list[Path]:
    """Render and encode chunks on the request's cluster; return the file of each."""
    with _connect(request) as client:
        _check_workers(client, request)
        return _Run(client, request, chunks).render(job_of(request, film), new_part)


def _dask() -> Any:
    """Return Dask's package for clusters, imported on first use, as that takes a while."""
    return CLUSTER.part()


@contextmanager
def _connect(request: ExportRequest) -> Generator[Client]:
    """Yield a client of the scheduler, with the certificates in Dask's configuration."""
    distributed = _dask()
    address = request.options.cluster or ""
    try:
        asyncio.run(_try(address))
    except OSError:
        raise ExportError(
            f"cluster: no Dask scheduler answers at {address}. Start one there (dask scheduler), or correct"
            " the address."
        ) from None
    except TypeError:
        raise ExportError(
            f"cluster: {address} needs certificates, and Dask's configuration names none."
            " The manual's page on clusters says how."
        ) from None
    except (ValueError, RuntimeError) as error:
        raise ExportError(
            f'cluster: "{address}" is no address to connect to: {error}. Expected one such as tcp://192.0.2.7:8786.'
        ) from None
    with _silence_client_log():
        client = distributed.Client(address, timeout=PATIENCE_S, set_as_default=False)
        try:
            with client.as_current():
                yield client
        except FramescopeError:
            raise
        except (Exception, asyncio.CancelledError):
            if client.status == "running":
                raise
            raise _lost(address) from None
        finally:
            client.close(timeout=PATIENCE_S)


def _lost(address: str) -> ExportError:
    return ExportError(f"cluster: the scheduler at {address} was lost. Nothing is written; start it and export again.")


@contextmanager
def _silence_client_log() -> Generator[None]:
    """Silence the log of Dask's client about a lost scheduler, which our own errors report."""
    logger = logging.getLogger("distributed.client")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


async def _try(address: str) -> None:
    """Connect briefly, as a Dask client retries a failing connection for a long time."""
    arguments = _dask().Security().get_connection_args("client")
    comm = await CLUSTER.part("comm").connect(address, timeout=PATIENCE_S, **arguments)
    await comm.close()


def _check_workers(client: Client, request: ExportRequest) -> None:
    """Raise `ExportError` if there are no workers, or if a worker has another version of Framescope."""
    address = request.options.cluster
    try:
        client.wait_for_workers(1, timeout=PATIENCE_S)
    except TimeoutError:
        message = f"cluster: the scheduler at {address} has no workers. Start some: dask worker {address}"
        raise ExportError(message) from None

    def own_version() -> str | None:  # nested, so that it is sent by value: a worker may lack this package
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("framescope")
        except PackageNotFoundError:
            return None

    here: dict[str, str | None] = client.run(own_version)
    for worker, there in here.items():
        if there != version("framescope"):
            installed = f"Framescope {there}" if there else "no Framescope"
            raise ExportError(
                f"cluster: the worker {worker} has {installed}, and this is {version('framescope')}."
                " Install the same version on all workers."
            )


class _Run:
    """Rendering of one film: the request, the progress of each chunk, and the received files."""

    def __init__(self, client: Client, request: ExportRequest, chunks: Sequence[range]) -> None:
        self._client, self._request, self._chunks = client, request, chunks
        self._topic = f"framescope-{uuid.uuid4().hex}"
        self._done = [0] * len(chunks)
        client.subscribe_topic(self._topic, self._note_progress)

    def render(self, job: ChunkJob, new_part: Callable[[], Path]) -> list[Path]:
        """Return the files of all chunks."""
        parts: dict[int, Path] = {}
        futures = self._submit_chunks(job)
        waiting = dict(futures)
        try:
            while waiting:
                self._request.stop_if_cancelled()
                try:
                    done, _ = _dask().wait(list(waiting), timeout=LOOK_S, return_when="FIRST_COMPLETED")
                except TimeoutError:
                    done: set[Future] = set()
                for future in done:
                    k = waiting.pop(future)
                    parts[k] = new_part()
                    parts[k].write_bytes(self._content(future, k))
                    future.release()
                    self._done[k] = len(self._chunks[k])
                self._request.progress(sum(self._done), sum(map(len, self._chunks)))
        finally:
            self._client.cancel(list(waiting))
        return [parts[k] for k in range(len(self._chunks))]

    def _submit_chunks(self, job: ChunkJob) -> dict[Future, int]:
        with warnings.catch_warnings():
            # The scene may be large. The scheduler stores it once, and can give it to workers that join later.
            warnings.filterwarnings("ignore", "Sending large graph")
            sent = self._client.submit(pass_job, pickle.dumps(job), key=f"{self._topic}-job", pure=False)
            return {
                self._client.submit(
                    chunk_of,
                    *(sent, k, chunk.start, chunk.stop, self._topic),
                    key=f"{self._topic}-{k}",
                    priority=-k,
                    retries=1,
                ): k
                for k, chunk in enumerate(self._chunks)
            }

    def _content(self, future: Future, k: int) -> bytes:
        """Return the file of a chunk; raise `ExportError` if its rendering failed."""
        chunk = self._chunks[k]
        if future.status == "finished":
            return future.result()
        text = f"cluster: the frames {chunk.start} to {chunk.stop - 1} cannot be made:"
        if future.status != "error":
            raise _lost(self._request.options.cluster or "")
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            raise ExportError(f"{text} every worker that tried ended. It may have had too little memory.")
        raise ExportError(f"{text} {error}")

    def _note_progress(self, event: tuple[float, tuple[int, int]]) -> None:
        k, done = event[1]
        self._done[k] = max(self._done[k], done)


# --- On the workers -------------------------------------------------------------------------------------------------


def pass_job(job: bytes) -> bytes:
    """Return the job: a task of its own, so that chunks get it again if the worker that stored it is lost."""
    return job


def chunk_of(job: bytes, k: int, first: int, stop: int, topic: str) -> bytes:
    """Return the file of a chunk, rendered in a process of its own; report its progress under `topic`."""
    worker = _dask().get_worker()
    dask_task = worker.state.tasks.get(worker.get_current_task())
    task = WorkerTask(make_chunk, job, first, stop, pool=CHUNK_POOL)

    def report(done: int) -> None:
        if dask_task is not None and dask_task.state == "cancelled":
            task.kill()
        else:
            worker.log_event(topic, (k, done))

    try:
        return task.result(report)
    except TaskCancelledError:
        raise ExportError("nobody waits for it any more.") from None
    except TaskError as error:
        raise ExportError(str(error)) from None


CHUNK_POOL = WorkerPool(os.cpu_count() or 1, drawing_loss_text)
"""Processes of a worker that make chunks."""
