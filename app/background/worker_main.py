"""The process that runs errands for the window, see `errands`. It ends when the window does."""

from __future__ import annotations

import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

from framescope.app import platforms
from framescope.app.background.pickle_pipe import own_output, packed, read_message
from framescope.app.background.worker_client import ErrandCancelledError, Order, Word
from framescope.core.errors import FramescopeError


class _Orders:
    """What the window says, read in a thread so that a cancel, and the end of the window, is heard meanwhile."""

    def __init__(self, descriptor: int) -> None:
        self.is_cancelled = threading.Event()
        self._waiting: queue.SimpleQueue[Order] = queue.SimpleQueue()
        self._descriptor = descriptor
        threading.Thread(target=self._read, name="words of the window", daemon=True).start()

    def next(self) -> Order:
        """Return what is to be done; wait for it."""
        return self._waiting.get()

    def _read(self) -> None:
        while True:
            try:
                order: Order | None = read_message(self._descriptor)
            except EOFError:
                os._exit(0)  # nobody waits for anything any more
            except BaseException:  # noqa: BLE001 - what cannot be read cannot be answered
                traceback.print_exc()
                os._exit(1)
            if order is None:
                self.is_cancelled.set()
            else:
                self.is_cancelled.clear()
                self._waiting.put(order)


def done(order: Order, tell: Callable[[Any], None], is_cancelled: Callable[[], bool]) -> Word:
    """Do what is ordered, and return the last word on it."""
    try:
        return Word("done", order.function(*order.args, tell, is_cancelled))
    except ErrandCancelledError:
        return Word("cancelled")
    except FramescopeError as error:
        return Word("cancelled") if is_cancelled() else Word("failed", str(error))
    except MemoryError:
        return Word("failed", "there is not enough memory.")
    except Exception as error:  # noqa: BLE001 - whatever it is, the person is told
        return Word("fault", f"{type(error).__name__}: {error}", traceback.format_exc())


def main() -> int:
    """Serve the window that started this process, until it ends."""
    out = own_output()
    platforms.give_way()
    orders = _Orders(sys.stdin.fileno())

    def say(word: Word) -> None:
        data = packed(word)
        while data:
            data = data[os.write(out, data) :]

    def tell(value: Any) -> None:
        say(Word("told", value))

    while True:
        say(done(orders.next(), tell, orders.is_cancelled.is_set))


if __name__ == "__main__":
    sys.exit(main())
