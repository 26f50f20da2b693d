"""H.264 video by ffmpeg: frames go through a pipe while the next ones are rendered."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import imageio_ffmpeg
import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.headless import rendered_frames
from framescope.app.exporters.request import ExportCancelledError, ExportError, ExportRequest

QUEUE_LENGTH = 4
"""Frames that wait for the encoder: memory stays the same however long the video is."""


def write(request: ExportRequest) -> None:
    """Write an MP4 file: H.264, yuv420p, ready to be streamed."""
    target = request.path.absolute()
    partial = target.with_name(f".{target.stem}.partial{target.suffix}")
    try:
        with TemporaryFile() as log:
            _encode(request, partial, log)
        partial.replace(target)
    except OSError as error:
        raise ExportError(f"{request.path} cannot be written: {error.strerror or error}.") from None
    finally:
        partial.unlink(missing_ok=True)


def _encode(request: ExportRequest, partial: Path, log: IO[bytes]) -> None:
    width, height = request.size
    command = [
        *(imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-loglevel", "error"),
        *("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{request.fps:.10g}", "-i", "-"),
        # The picture is full-range sRGB; said so, players show the colours of the window.
        *("-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_primaries", "bt709"),
        *("-color_trc", "bt709", "-color_range", "tv"),
        *("-an", "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p"),
        *("-movflags", "+faststart", str(partial)),
    ]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=log)
    feeder = _Feeder(process)
    total = len(request.times)
    try:
        for done, frame in enumerate(rendered_frames(request), start=1):
            _stop_if_cancelled(request)
            if not feeder.put(frame):
                break  # ffmpeg is gone; its last words follow
            request.progress(done, total)
        feeder.finish()
    except BaseException:
        process.kill()
        feeder.finish()
        process.wait()
        raise
    if process.wait() != 0:
        log.seek(0)
        lines = log.read().decode(errors="replace").strip().splitlines()
        raise ExportError(f"{request.path}: the encoder failed: {lines[-1] if lines else 'no reason given'}.")


def _stop_if_cancelled(request: ExportRequest) -> None:
    if request.is_cancelled():
        raise ExportCancelledError(f"{request.path}: the export was cancelled.")


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
