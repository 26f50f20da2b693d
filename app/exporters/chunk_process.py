"""The process in which a worker of a cluster makes one chunk of a film.

A process of its own, because drawing and Qt want the main thread, which a worker has for itself, and because a fault of
a graphics driver then costs a chunk and not a worker. It reads a `Job` from standard input, and ends when that is
closed: with a worker that dies, what it has begun dies too.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import sys
import tempfile
import threading
import time
import zipfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

from framescope.app import platforms
from framescope.app.exporters.chunks import Film, encoded_here
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.request import ExportRequest, SceneSource
from framescope.core.errors import FramescopeError

TELL_S = 0.25
"""How often it tells how far it is."""


@dataclass(frozen=True)
class Job:
    """A film to make, and nothing that only the machine knows that asks for it.

    Attributes
    ----------
    version
        Of Framescope, of which only the same makes the same frames.
    bundle, scene
        A zip with the scene and all files that it names, and which of them is the scene.
    look
        The fields of the request but for scene, plan, and what belongs to a machine.
    name
        What the film is called.
    film
        How it is encoded.
    """

    version: str
    bundle: bytes
    scene: str
    look: dict[str, Any]
    name: str
    film: Film


def made_chunk(job: Job, chunk: range, folder: Path, tell: Say) -> Path:
    """Return the file, in a folder of its own, of one chunk of a film."""
    from framescope.core.evaluate import compile_plan
    from framescope.core.named_files import Access
    from framescope.core.scene.loading import load_scene

    if job.version != version("framescope"):
        raise ExportError(f"a worker has Framescope {version('framescope')}, and this is {job.version}.")
    archive = folder / "bundle.zip"
    archive.write_bytes(job.bundle)
    with zipfile.ZipFile(archive) as bundle:
        bundle.extractall(folder / "scene")  # names with .. or a root are made harmless by it
    scene = load_scene(folder / "scene" / job.scene).scene
    request = ExportRequest(
        scene=scene,
        plan=compile_plan(scene, access=Access(folder / "scene")),
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


def main() -> int:
    """Make the chunk that is asked for; return the exit status."""
    own = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no part of the answer
    say = Say(own)
    platforms.prepare_rendering(platforms.this_host())
    job, first, stop = pickle.load(sys.stdin.buffer)  # noqa: S301 - a worker runs what its scheduler sends anyway
    folder = Path(tempfile.mkdtemp(prefix="framescope-"))

    def end_with_the_worker() -> None:
        sys.stdin.buffer.read()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)

    threading.Thread(target=end_with_the_worker, daemon=True).start()
    try:
        say.chunk(made_chunk(job, range(first, stop), folder, say))
    except (FramescopeError, OSError) as error:
        say.line(failed=str(error))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    own.flush()
    os._exit(0)  # the thread still waits for the worker


if __name__ == "__main__":
    sys.exit(main())
