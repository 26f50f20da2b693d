"""Encoding by ffmpeg: frames go through a pipe while the next ones are rendered."""

from __future__ import annotations

import contextlib
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import imageio_ffmpeg
import numpy as np
from numpy.typing import NDArray

from framescope.app.background.child_processes import NO_LIMITS_OF_ITS_OWN, ProcessLimits, start_program
from framescope.app.exporters.request import ExportError, ExportRequest

QUEUE_LENGTH = 4
"""Largest number of frames that wait for the encoder; it bounds memory for films of any length."""

PIPE_BYTES = 1 << 20
"""Wanted capacity of the pipe to ffmpeg, bytes, where the system allows it; a large pipe saves context switches."""


class Buffers:
    """Reused memory for waiting frames of one size."""

    def __init__(self, request: ExportRequest) -> None:
        width, height = request.size
        shape = (height, width, 4 if request.is_transparent else 3)
        self._free: queue.Queue[NDArray[np.uint8]] = queue.Queue()
        for _ in range(QUEUE_LENGTH):
            self._free.put(np.empty(shape, dtype=np.uint8))

    def copy_in(self, frame: NDArray[np.uint8], is_needed: Callable[[], bool]) -> NDArray[np.uint8] | None:
        """Copy a frame into a free buffer and return it, waiting for one; None once `is_needed` returns false."""
        while is_needed():
            with contextlib.suppress(queue.Empty):
                buffer = self._free.get(timeout=0.5)
                np.copyto(buffer, frame)
                return buffer
        return None

    def give_back(self, buffer: NDArray[np.uint8]) -> None:
        """Return a buffer to the free ones once the encoder has written it."""
        self._free.put(buffer)


class Encoder:
    """A run of ffmpeg that encodes frames into a file; a thread feeds it while the caller renders.

    Parameters
    ----------
    request
        Size and rate of the frames, and the film's path for error messages.
    buffers
        Memory for waiting frames.
    inputs, arguments
        ffmpeg's arguments for inputs besides the frames, and for the encoding.
    out
        File to write.
    """

    def __init__(
        self, request: ExportRequest, buffers: Buffers, inputs: Sequence[str], arguments: Sequence[str], out: Path
    ) -> None:
        width, height = request.size
        self._request, self.buffers = request, buffers
        pixels = "rgba" if request.is_transparent else "rgb24"
        frames = ("-f", "rawvideo", "-pix_fmt", pixels, "-s", f"{width}x{height}", "-r", f"{request.fps:.10g}")
        command = ffmpeg_command([*frames, "-i", "-", *inputs, "-an", *arguments, str(out)])
        # ffmpeg's messages go to a file: a pipe that nobody reads would block it.
        self._log = TemporaryFile()  # noqa: SIM115 - closed when ffmpeg has ended
        try:
            self._child = start_program(command, self._log)
        except BaseException:
            self._log.close()
            raise
        _enlarge(self._child.process.stdin)
        self._frames: queue.Queue[NDArray[np.uint8] | None] = queue.Queue()
        self._is_broken = threading.Event()
        self._thread = threading.Thread(target=self._feed, name="video encoder feed", daemon=True)
        self._thread.start()

    def put(self, frame: NDArray[np.uint8]) -> None:
        """Queue a copy of a frame.

        Raises
        ------
        ExportError
            When ffmpeg has failed, with its message.
        ExportCancelledError
            When the export was cancelled.
        """
        buffer = self.buffers.copy_in(frame, self._is_accepting)
        self._frames.put(buffer)
        if buffer is None:
            self.finish()

    def end_input(self) -> None:
        """End the input; ffmpeg finishes its file in the background, and another encoder may use the buffers."""
        self._frames.put(None)

    def finish(self) -> None:
        """Wait until the file is complete; raise `ExportError` with ffmpeg's message when encoding fails."""
        self._thread.join()
        status = self._child.wait()
        with self._log:
            if status != 0 or self._is_broken.is_set():
                self._log.seek(0)
                raise encoder_error(self._request, self._log.read(), status)

    def give_up(self) -> None:
        """Kill ffmpeg and wait until it has ended."""
        self._child.process.kill()
        self._frames.put(None)
        self._thread.join()
        self._child.wait()
        self._log.close()

    def _is_accepting(self) -> bool:
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
            self.buffers.give_back(frame)
        with contextlib.suppress(OSError):  # ffmpeg may have ended with data still buffered
            pipe.close()


def _enlarge(pipe: IO[bytes] | None) -> None:
    """Enlarge a pipe to `PIPE_BYTES`; the system refuses for users who already have many."""
    if pipe is not None and sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def encode_frames(
    request: ExportRequest,
    frames: Iterable[NDArray[np.uint8]],
    inputs: Sequence[str],
    arguments: Sequence[str],
    out: Path,
) -> None:
    """Encode frames, in order, into one file; the arguments are those of `Encoder`."""
    encoder = Encoder(request, Buffers(request), inputs, arguments, out)
    try:
        for frame in frames:
            encoder.put(frame)
        encoder.end_input()
        encoder.finish()
    finally:
        encoder.give_up()


def ffmpeg_command(arguments: Sequence[str]) -> list[str]:
    """Return the command line that runs ffmpeg quietly and overwrites existing files."""
    try:
        program = imageio_ffmpeg.get_ffmpeg_exe()
    except RuntimeError:
        raise ExportError(
            "films need ffmpeg, and none is found. Install it, or say where it is in the variable IMAGEIO_FFMPEG_EXE."
        ) from None
    return [program, "-y", "-loglevel", "error", *arguments]


def run_ffmpeg(
    request: ExportRequest,
    arguments: Sequence[str],
    message: bytes = b"",
    limits: ProcessLimits = NO_LIMITS_OF_ITS_OWN,
) -> None:
    """Run ffmpeg to its end, with `message` on its standard input; raise `ExportError` when it fails."""
    status, log = start_program(ffmpeg_command(arguments), subprocess.PIPE, limits).communicate(message)
    if status != 0:
        raise encoder_error(request, log, status)


def encoder_error(request: ExportRequest, log: bytes, status: int) -> ExportError:
    """Return the error for a failed run of ffmpeg.

    The reason is a full disk, the last line of the log, or the signal that ended the process.
    """
    lines = log.decode(errors="replace").strip().splitlines()
    full = next((line for line in lines if "No space left" in line or "File too large" in line), None)
    silent = signal.strsignal(-status) if status < 0 else None
    message = full or (lines[-1] if lines else silent or "no reason given")
    return ExportError(f"{request.path}: the encoder failed: {message.rpartition('] ')[2].rstrip('.')}.")
