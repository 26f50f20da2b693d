"""Deferred Ctrl C during an export: noticed between frames, and never in the middle of foreign code.

VTK ends the program at once when it is raised in one of its calls, files half written; USD swallows it. To be told to
end, by ``kill`` or by a terminal that closes, is heard in the same way, so that nothing half written stays then either.
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
"""What ends a program, and how Python takes it; Windows does not know all of them."""

PATIENCE_S = 5.0
"""How long an export may take from a signal to its next look at it; then the program ends where it stands, s."""


@contextmanager
def interrupts_between_frames() -> Generator[Callable[[], bool]]:
    """Give what says whether the program is to end; when the block has cleaned up, it does as ever.

    The second time it does not wait, nor where the block goes on for `PATIENCE_S`. Off the main thread, or where the
    program has a handler of its own, nothing changes.
    """
    ours = {
        number: usual
        for name, usual in _USUAL.items()
        if (number := getattr(signal, name, None)) is not None and signal.getsignal(number) == usual
    }
    if threading.current_thread() is not threading.main_thread():
        ours.clear()
    heard: list[int] = []

    def let_go() -> None:
        for number, usual in ours.items():
            signal.signal(number, usual)

    def hear(number: int, _frame: FrameType | None) -> None:
        heard.append(number)
        let_go()

    for number in ours:
        signal.signal(number, hear)
    try:
        with _ends_late(ours):
            yield lambda: bool(heard)
    except (ExportCancelledError, ExportError):  # the terminal interrupts encoders as well, which then fail
        if not heard:
            raise
    finally:
        let_go()
    if heard:
        signal.raise_signal(heard[0])


@contextmanager
def _ends_late(numbers: Collection[int]) -> Generator[None]:
    """End the program `PATIENCE_S` after a signal, if the block goes on until then, with nothing half written.

    Python calls handlers in the main thread, between two of its own steps; a thread hears a signal also while that
    thread stands in foreign code.
    """
    if not numbers:
        yield
        return
    listened, told = os.pipe()
    os.set_blocking(told, False)  # as asked for what signals are written to
    is_done = threading.Event()

    def listen() -> None:
        while heard := os.read(listened, 1):
            if heard[0] in numbers and not is_done.wait(PATIENCE_S):
                remove_partials()
                os._exit(128 + heard[0])

    former = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(former)
        is_done.set()
        os.close(told)
        listener.join()
        os.close(listened)
