"""Deferred Ctrl C during an export: noticed between frames, and never in the middle of foreign code.

VTK ends the program at once when it is raised in one of its calls, files half written; USD swallows it. To be told to
end, by ``kill`` or by a terminal that closes, is heard in the same way, so that nothing half written stays then either.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

from framescope.app.exporters.errors import ExportCancelledError, ExportError

_USUAL = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}
"""What ends a program, and how Python takes it; Windows does not know all of them."""


@contextmanager
def interrupts_between_frames() -> Generator[Callable[[], bool]]:
    """Give what says whether the program is to end; when the block has cleaned up, it does as ever.

    The second time it does not wait. Off the main thread, or where the program has a handler of its own, nothing
    changes.
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
        yield lambda: bool(heard)
    except (ExportCancelledError, ExportError):  # the terminal interrupts encoders as well, which then fail
        if not heard:
            raise
    finally:
        let_go()
    if heard:
        signal.raise_signal(heard[0])
