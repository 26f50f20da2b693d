"""Encoding by ffmpeg: frames go through a pipe while the next ones are rendered."""

from __future__ import annotations

import contextlib
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import imageio_ffmpeg
import numpy as np
from numpy.typing import NDArray

from framescope.app.background.child_processes import start_program
from framescope.app.exporters.request import ExportError, ExportRequest

QUEUE_LENGTH = 4
"""Frames that wait for the encoder: memory stays the same however long the film is."""

PIPE_BYTES = 1 << 20
"""What a pipe holds, where the system lets it grow: fewer changes between us and the encoder."""


class Buffers:
    """Memory for the frames of one size that wait for an encoder; it is made once."""

    def __init__(self, request: ExportRequest) -> None:
        width, height = request.size
        shape = (height, width, 4 if request.is_transparent else 3)
        self._free: queue.Queue[NDArray[np.uint8]] = queue.Queue()
        for _ in range(QUEUE_LENGTH):
            self._free.put(np.empty(shape, dtype=np.uint8))

    def filled(self, frame: NDArray[np.uint8], is_needed: Callable[[], bool]) -> NDArray[np.uint8] | None:
        """Return a buffer with a copy of a frame as soon as one is free; None when it is no longer needed."""
        while is_needed():
            with contextlib.suppress(queue.Empty):
                buffer = self._free.get(timeout=0.5)
                np.copyto(buffer, frame)
                return buffer
        return None

    def give_back(self, buffer: NDArray[np.uint8]) -> None:
        """Take back a buffer that is written."""
        self._free.put(buffer)


class Encoder:
    """One run of ffmpeg that makes a file of frames, fed by a thread so that rendering goes on meanwhile.

    Parameters
    ----------
    request
        Size and rate of the frames, and the film that errors name.
    buffers
        Where frames wait.
    inputs, arguments
        What ffmpeg reads besides the frames, and how they are encoded.
    out
        The file to make.
    """

    def __init__(
        self, request: ExportRequest, buffers: Buffers, inputs: Sequence[str], arguments: Sequence[str], out: Path
    ) -> None:
        width, height = request.size
        self._request, self._buffers = request, buffers
        pixels = "rgba" if request.is_transparent else "rgb24"
        frames = ("-f", "rawvideo", "-pix_fmt", pixels, "-s", f"{width}x{height}", "-r", f"{request.fps:.10g}")
        command = ffmpeg_command([*frames, "-i", "-", *inputs, "-an", *arguments, str(out)])
        # What ffmpeg says goes to a file: nobody reads a pipe while it is fed.
        self._log = TemporaryFile()  # noqa: SIM115 - closed when ffmpeg has ended
        try:
            self._child = start_program(command, self._log)
        except BaseException:
            self._log.close()
            raise
        _let_grow(self._child.process.stdin)
        self._frames: queue.Queue[NDArray[np.uint8] | None] = queue.Queue()
        self._is_broken = threading.Event()
        self._thread = threading.Thread(target=self._feed, name="video encoder feed", daemon=True)
        self._thread.start()

    def put(self, frame: NDArray[np.uint8]) -> None:
        """Queue a copy of a frame.

        Raises
        ------
        ExportError
            When ffmpeg has failed, in its own words.
        ExportCancelledError
            When the export is given up meanwhile.
        """
        buffer = self._buffers.filled(frame, self._is_taking)
        self._frames.put(buffer)
        if buffer is None:
            self.finish()

    def end_input(self) -> None:
        """Tell that there are no more frames; ffmpeg writes what it has while others go on."""
        self._frames.put(None)

    def finish(self) -> None:
        """Wait until the file is whole; raise `ExportError`, in ffmpeg's words, when it cannot be made."""
        self._thread.join()
        status = self._child.wait()
        with self._log:
            if status != 0 or self._is_broken.is_set():
                self._log.seek(0)
                raise failed(self._request, self._log.read(), status)

    def give_up(self) -> None:
        """End ffmpeg at once, and wait for it."""
        self._child.process.kill()
        self._frames.put(None)
        self._thread.join()
        self._child.wait()
        self._log.close()

    def _is_taking(self) -> bool:
        self._request.stop_if_cancelled()
        return not self._is_broken.is_set()

    def _feed(self) -> None:
        pipe = self._child.process.stdin
        if pipe is None:
            return
        while (frame := self._frames.get()) is not None:
            if not self._is_broken.is_set():
                try:
                    pipe.write(frame.data)
                except OSError:
                    self._is_broken.set()
            self._buffers.give_back(frame)
        with contextlib.suppress(OSError):  # what is still buffered for an encoder that is gone
            pipe.close()


def _let_grow(pipe: IO[bytes] | None) -> None:
    """Make a pipe as long as it may be; the system says no to those who have many."""
    if pipe is not None and sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def ffmpeg_command(arguments: Sequence[str]) -> list[str]:
    """Return the command that runs ffmpeg quietly; it writes over files that are there."""
    try:
        program = imageio_ffmpeg.get_ffmpeg_exe()
    except RuntimeError:
        raise ExportError(
            "films need ffmpeg, and none is found. Install it, or say where it is in the variable IMAGEIO_FFMPEG_EXE."
        ) from None
    return [program, "-y", "-loglevel", "error", *arguments]


def run_ffmpeg(request: ExportRequest, arguments: Sequence[str], message: bytes = b"") -> None:
    """Run ffmpeg to its end, with `status` on its standard input; raise `ExportError` when it fails."""
    status, log = start_program(ffmpeg_command(arguments), subprocess.PIPE).output(message)
    if status != 0:
        raise failed(request, log, status)


def failed(request: ExportRequest, log: bytes, status: int) -> ExportError:
    """Return what to say when ffmpeg fails: its first words name the cause, the later ones what came of it.

    One that the system has ended said nothing.
    """
    lines = log.decode(errors="replace").strip().splitlines()
    full = next((line for line in lines if "No space left" in line or "File too large" in line), None)
    silent = signal.strsignal(-status) if status < 0 else None
    message = full or (lines[-1] if lines else silent or "no reason given")
    return ExportError(f"{request.path}: the encoder failed: {message.rpartition('] ')[2].rstrip('.')}.")
