"""Deferred Ctrl C during an export: it takes effect between frames, never inside foreign code.

An exception in a VTK call ends the program and leaves incomplete files; USD swallows it. SIGTERM and SIGHUP, from
``kill`` or a closed terminal, are deferred in the same way.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager
from types import FrameType

from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.core.system.atomic_write import remove_partials

_USUAL = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}
"""Signals that end a program, with Python's default handlers; Windows lacks some of them."""

PATIENCE_S = 5.0
"""Longest time from a signal to the next check between frames, s; after it the program ends at once."""


@contextmanager
def interrupts_between_frames() -> Generator[Callable[[], bool]]:
    """Yield a function that returns whether the program was asked to end; raise the signal again after the block.

    A second signal takes effect at once, and so does the first after `PATIENCE_S`. Nothing changes outside the main
    thread, or for signals with a handler of the program's own.
    """
    ours = {
        number: usual
        for name, usual in _USUAL.items()
        if (number := getattr(signal, name, None)) is not None and signal.getsignal(number) == usual
    }
    if threading.current_thread() is not threading.main_thread():
        ours.clear()
    received: list[int] = []

    def restore_handlers() -> None:
        for number, usual in ours.items():
            signal.signal(number, usual)

    def record_signal(number: int, _frame: FrameType | None) -> None:
        received.append(number)
        restore_handlers()

    for number in ours:
        signal.signal(number, record_signal)
    try:
        with _end_late(ours):
            yield lambda: bool(received)
    except (ExportCancelledError, ExportError):  # the terminal also interrupts ffmpeg, which then fails
        if not received:
            raise
    finally:
        restore_handlers()
    if received:
        signal.raise_signal(received[0])


@contextmanager
def _end_late(numbers: Collection[int]) -> Generator[None]:
    """Remove incomplete files and end the program `PATIENCE_S` after a signal if the block is still running.

    Python calls signal handlers in the main thread between bytecodes. The listening thread also notices a signal while
    the main thread is inside foreign code.
    """
    if not numbers:
        yield
        return
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)  # `set_wakeup_fd` requires it
    is_done = threading.Event()

    def listen() -> None:
        while number := os.read(read_end, 1):
            if number[0] in numbers and not is_done.wait(PATIENCE_S):
                remove_partials()
                os._exit(128 + number[0])

    former = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(former)
        is_done.set()
        os.close(write_end)
        listener.join()
        os.close(read_end)
