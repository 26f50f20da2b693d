"""The process in which a worker of a cluster makes chunks of films, one after another.

A process of its own, because drawing and Qt want the main thread, which a worker has for itself, and because a fault of
a graphics driver then costs a chunk and not a worker. It reads what to do from standard input, and ends when that is
closed: with a worker that dies, what it has begun dies too.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

from framescope.app import platforms
from framescope.app.background.pickle_pipe import own_output
from framescope.app.exporters.encoding.chunks import encoded_here
from framescope.app.exporters.encoding.film_spec import Film
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.request import ExportRequest, SceneSource
from framescope.app.storage.temporary_folders import TemporaryFolder, clear_abandoned
from framescope.core.errors import FramescopeError

TELL_S = 0.25
"""How often it tells how far it is."""

IDLE_S = 60.0
"""How long it waits for something to do; starting anew takes a second or two."""


@dataclass(frozen=True)
class ChunkJob:
    """A film to make, and nothing that only the machine knows that asks for it.

    Attributes
    ----------
    version
        Of Framescope, of which only the same makes the same frames.
    bundle
        A zip with the scene and all files that it names.
    look
        The fields of the request but for scene, plan, and what belongs to a machine.
    name
        What the film is called.
    film
        How it is encoded.
    """

    version: str
    bundle: bytes
    look: dict[str, Any]
    name: str
    film: Film


def made_chunk(job: ChunkJob, chunk: range, folder: Path, tell: Say) -> Path:
    """Return the file, in a folder of its own, of one chunk of a film."""
    from framescope.core.evaluation.evaluate import compile_plan
    from framescope.core.scene.files.loading import load_scene
    from framescope.core.scene.files.scene_archive import unpack_into
    from framescope.core.system.file_access import Access

    if job.version != version("framescope"):
        raise ExportError(f"a worker has Framescope {version('framescope')}, and this is {job.version}.")
    archive, unpacked = folder / "bundle.zip", folder / "scene"
    archive.write_bytes(job.bundle)
    unpacked.mkdir()
    path = unpack_into(archive, unpacked)
    scene = load_scene(path).scene
    request = ExportRequest(
        scene=scene,
        plan=compile_plan(scene, access=Access(path.parent)),
        path=folder / job.name,
        source=SceneSource(),
        cluster=None,
        progress=tell.progress,
        is_cancelled=lambda: False,
        **job.look,
    )
    numbers = iter(range(1000))
    new_part = lambda: folder / f"{next(numbers)}{request.path.suffix}"  # noqa: E731
    return encoded_here(request, job.film, [chunk], new_part)[0]


class Say:
    """Lines of JSON on standard output, the last followed by the bytes of the chunk."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._told = 0.0

    def progress(self, done: int, _total: int) -> None:
        """Tell how many frames are done, now and then."""
        if time.monotonic() - self._told >= TELL_S:
            self._told = time.monotonic()
            self.line(done=done)

    def line(self, **said: object) -> None:
        """Tell something."""
        self._out.write(json.dumps(said).encode() + b"\n")
        self._out.flush()

    def chunk(self, path: Path) -> None:
        """Hand over a chunk."""
        self.line(size=path.stat().st_size)
        with path.open("rb") as file:
            shutil.copyfileobj(file, self._out)
        self._out.flush()


class _Orders:
    """What the worker asks for, read in a thread so that its end is noticed while frames are drawn."""

    def __init__(self, clear: Callable[[], None]) -> None:
        self._waiting: queue.SimpleQueue[tuple[bytes, int, int]] = queue.SimpleQueue()
        self._clear = clear
        threading.Thread(target=self._read, name="orders of the worker", daemon=True).start()

    def __iter__(self) -> Iterator[tuple[bytes, int, int]]:
        """Yield what is to be done, until nothing has been for a while."""
        while True:
            try:
                yield self._waiting.get(timeout=IDLE_S)
            except queue.Empty:
                return

    def _read(self) -> None:
        while True:
            try:
                self._waiting.put(pickle.load(sys.stdin.buffer))  # noqa: S301 - a worker runs what it is sent anyway
            except (EOFError, pickle.UnpicklingError):
                self._clear()
                os._exit(1)


def main() -> int:
    """Serve the worker that started this process; return the exit status."""
    own = os.fdopen(own_output(), "wb")
    platforms.prepare_rendering(platforms.this_host())
    say = Say(own)
    clear_abandoned()
    temporary = TemporaryFolder()
    with temporary as folder:
        for job, first, stop in _Orders(temporary.close):
            with tempfile.TemporaryDirectory(dir=folder) as place:
                try:
                    say.chunk(made_chunk(pickle.loads(job), range(first, stop), Path(place), say))  # noqa: S301
                except (FramescopeError, OSError) as error:
                    say.line(failed=str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
