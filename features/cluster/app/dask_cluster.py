"""Rendering of films by the workers of a Dask cluster, a chunk at a time; here they are only joined.

The workers get the scene as a bundle of bytes, and no path of this machine. A chunk whose worker is lost is made again
by another one: the scheduler sees to it.
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
from framescope.features.cluster.app.chunk_task import ChunkJob, job_of, made_chunk

Client = Future = Any
"""Dask's, which says little of the types of what it takes and gives."""

PATIENCE_S = 5.0
"""How long a scheduler may take to answer, and its first worker to be there."""

LOOK_S = 0.2
"""How often is looked whether the export was given up, and told how far it is."""


def encode_on_cluster(
    request: ExportRequest, film: Film, chunks: Sequence[range], new_part: Callable[[], Path]
) -> list[Path]:
    """Have chunks rendered and encoded by the workers of the request's cluster; return the file of each."""
    with _connected(request) as client:
        _check_workers(client, request)
        return _Run(client, request, chunks).made(job_of(request, film), new_part)


def _dask() -> Any:
    """Return Dask's package for clusters; imported only where there is a cluster, as it takes a while."""
    return CLUSTER.part()


@contextmanager
def _connected(request: ExportRequest) -> Generator[Client]:
    """Give a client of the scheduler; how it proves who it is, and whom it trusts, stands in Dask's configuration."""
    distributed = _dask()
    address = request.options.cluster or ""
    try:
        asyncio.run(_try(address))
    except OSError:
        raise ExportError(
            f"cluster: no Dask scheduler answers at {address}. Start one there (dask scheduler), or mend the address."
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
    with _unlogged():
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
def _unlogged() -> Generator[None]:
    """Keep Dask's client from printing its own troubles with a scheduler that is gone: they are told in our words."""
    logger = logging.getLogger("distributed.client")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


async def _try(address: str) -> None:
    """Connect for a moment: a client that cannot would try on and on, and end slowly."""
    arguments = _dask().Security().get_connection_args("client")
    comm = await CLUSTER.part("comm").connect(address, timeout=PATIENCE_S, **arguments)
    await comm.close()


def _check_workers(client: Client, request: ExportRequest) -> None:
    """Raise `ExportError` when there are no workers, or some that would make other frames."""
    address = request.options.cluster
    try:
        client.wait_for_workers(1, timeout=PATIENCE_S)
    except TimeoutError:
        message = f"cluster: the scheduler at {address} has no workers. Start some: dask worker {address}"
        raise ExportError(message) from None

    def own_version() -> str | None:  # inside, so that it is sent as it is: a worker may lack this package
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("framescope")
        except PackageNotFoundError:
            return None

    here: dict[str, str | None] = client.run(own_version)
    for worker, there in here.items():
        if there != version("framescope"):
            found = f"Framescope {there}" if there else "no Framescope"
            raise ExportError(
                f"cluster: the worker {worker} has {found}, and this is {version('framescope')}."
                " Install the same version on all workers."
            )


class _Run:
    """One film on its way: what is asked for, how far each chunk is, and what has come back."""

    def __init__(self, client: Client, request: ExportRequest, chunks: Sequence[range]) -> None:
        self._client, self._request, self._chunks = client, request, chunks
        self._topic = f"framescope-{uuid.uuid4().hex}"
        self._done = [0] * len(chunks)
        client.subscribe_topic(self._topic, self._hear)

    def made(self, job: ChunkJob, new_part: Callable[[], Path]) -> list[Path]:
        """Return the files of all chunks."""
        parts: dict[int, Path] = {}
        futures = self._submitted(job)
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

    def _submitted(self, job: ChunkJob) -> dict[Future, int]:
        with warnings.catch_warnings():
            # A scene with large files; the scheduler keeps it once, so that it can be given to workers that come later.
            warnings.filterwarnings("ignore", "Sending large graph")
            sent = self._client.submit(received, pickle.dumps(job), key=f"{self._topic}-job", pure=False)
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
        """Return a chunk; raise `ExportError` when it cannot be made."""
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

    def _hear(self, event: tuple[float, tuple[int, int]]) -> None:
        k, done = event[1]
        self._done[k] = max(self._done[k], done)


# --- On the workers -------------------------------------------------------------------------------------------------


def received(job: bytes) -> bytes:
    """Return what was sent: a task of its own, so that chunks find it again when the worker that had it is lost."""
    return job


def chunk_of(job: bytes, k: int, first: int, stop: int, topic: str) -> bytes:
    """Return the file of a chunk, made in a process of its own; tell how far it is under `topic`."""
    worker = _dask().get_worker()
    dask_task = worker.state.tasks.get(worker.get_current_task())
    task = WorkerTask(made_chunk, job, first, stop, pool=_POOL)

    def tell(done: int) -> None:
        if dask_task is not None and dask_task.state == "cancelled":
            task.kill()
        else:
            worker.log_event(topic, (k, done))

    try:
        return task.result(tell)
    except TaskCancelledError:
        raise ExportError("nobody waits for it any more.") from None
    except TaskError as error:
        raise ExportError(str(error)) from None


_POOL = WorkerPool(os.cpu_count() or 1, drawing_loss_text)
"""Processes of a worker that make chunks."""
