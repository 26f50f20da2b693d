"""Encoding by ffmpeg: frames go through a pipe while the next ones are rendered."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
from collections.abc import Iterable, Sequence
from tempfile import TemporaryFile
from typing import IO

import imageio_ffmpeg
import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.headless import rendered_frames
from framescope.app.exporters.request import ExportError, ExportRequest
from framescope.core.atomic import atomically

QUEUE_LENGTH = 4
"""Frames that wait for the encoder: memory stays the same however long the film is."""


def write_film(request: ExportRequest, arguments: Sequence[str], inputs: Sequence[str] = ()) -> None:
    """Write all frames of a request to its file, which appears whole or not at all.

    `arguments` say how they are encoded, `inputs` what ffmpeg reads besides the frames.
    """
    try:
        with atomically(request.path) as partial:
            encode(request, rendered_frames(request), len(request.times), inputs, [*arguments, str(partial)])
    except OSError as error:
        raise request.failure(error) from None


def encode(
    request: ExportRequest,
    frames: Iterable[NDArray[np.uint8]],
    total: int | None,
    inputs: Sequence[str],
    arguments: Sequence[str],
) -> None:
    """Hand frames to ffmpeg; tell the progress when they are `total` in number.

    Raises
    ------
    ExportError
        When ffmpeg fails, in its own words.
    ExportCancelledError
        When the request is given up meanwhile.
    """
    width, height = request.size
    command = [
        *(imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-loglevel", "error"),
        *("-f", "rawvideo", "-pix_fmt", "rgba" if request.is_transparent else "rgb24", "-s", f"{width}x{height}"),
        *("-r", f"{request.fps:.10g}", "-i", "-", *inputs, "-an", *arguments),
    ]
    with TemporaryFile() as log:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=log)
        feeder = _Feeder(process)
        try:
            for done, frame in enumerate(frames, start=1):
                request.stop_if_cancelled()
                if not feeder.put(frame):
                    break  # ffmpeg is gone; its last words follow
                if total is not None:
                    request.progress(done, total)
            feeder.finish()
        except BaseException:
            process.kill()
            feeder.finish()
            process.wait()
            raise
        if process.wait() != 0:
            raise ExportError(f"{request.path}: the encoder failed: {_last_words(log)}.")


def _last_words(log: IO[bytes]) -> str:
    log.seek(0)
    lines = log.read().decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "no reason given"


class _Feeder:
    """A thread that hands frames to the encoder, so that rendering goes on meanwhile."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._frames: queue.Queue[bytes | None] = queue.Queue(QUEUE_LENGTH)
        self._is_broken = threading.Event()
        self._thread = threading.Thread(target=self._run, name="video encoder feed", daemon=True)
        self._thread.start()

    def put(self, frame: NDArray[np.uint8]) -> bool:
        """Queue a copy of a frame; return False when the encoder no longer takes any."""
        data = frame.tobytes()
        while not self._is_broken.is_set():
            try:
                self._frames.put(data, timeout=0.5)
            except queue.Full:
                continue
            return True
        return False

    def finish(self) -> None:
        """Wait until every frame is written, and close the pipe."""
        while self._thread.is_alive():
            try:
                self._frames.put(None, timeout=0.1)
                break
            except queue.Full:
                continue
        self._thread.join()

    def _run(self) -> None:
        pipe = self._process.stdin
        if pipe is None:
            return
        try:
            while (frame := self._frames.get()) is not None:
                pipe.write(frame)
        except OSError:
            self._is_broken.set()
        finally:
            with contextlib.suppress(OSError):  # what is still buffered for an encoder that is gone
                pipe.close()
