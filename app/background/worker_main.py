"""Worker process that does one task after another for whoever has started it, see `worker_client`."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

from framescope.app import platforms
from framescope.app.background.pickle_pipe import own_output, packed, read_message
from framescope.app.background.worker_client import PATIENCE_S, Message, Order, TaskCancelledError
from framescope.app.storage.temporary_folders import noted
from framescope.core.errors import FramescopeError
from framescope.core.system.atomic_write import note_partials_by


class _Orders:
    """What is ordered, read in a thread so that a cancel, and the end of who orders, is heard meanwhile."""

    def __init__(self, descriptor: int) -> None:
        self.is_cancelled = threading.Event()
        self._waiting: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._descriptor = descriptor
        threading.Thread(target=self._read, name="orders of the worker", daemon=True).start()

    def next(self) -> Order | None:
        """Return what is to be done; wait for it. None when nobody waits for anything any more."""
        return self._waiting.get()

    def _read(self) -> None:
        while True:
            try:
                order: Order | None = read_message(self._descriptor)
            except EOFError:
                break
            except BaseException:  # noqa: BLE001 - what cannot be read cannot be answered
                traceback.print_exc()
                os._exit(1)
            if order is None:
                self.is_cancelled.set()
            else:
                self.is_cancelled.clear()
                self._waiting.put(order)
        self.is_cancelled.set()  # so that nothing half written stays
        self._waiting.put(None)
        time.sleep(PATIENCE_S)
        os._exit(0)


def done(order: Order, report: Callable[[Any], None], is_cancelled: Callable[[], bool]) -> Message:
    """Do what is ordered, and return the last word on it."""
    try:
        return Message("done", order.function(*order.args, report, is_cancelled))
    except TaskCancelledError:
        return Message("cancelled")
    except FramescopeError as error:
        return Message("cancelled") if is_cancelled() else Message("failed", str(error))
    except MemoryError:
        return Message("failed", "there is not enough memory.")
    except Exception as error:  # noqa: BLE001 - whatever it is, the person is told
        return Message("error", f"{type(error).__name__}: {error}", traceback.format_exc())


def main() -> int:
    """Do what is ordered, until there is nobody who orders."""
    out = own_output()
    platforms.give_way()
    platforms.prepare_rendering(platforms.this_host())
    note_partials_by(noted)
    orders = _Orders(sys.stdin.fileno())

    def say(message: Message) -> None:
        data = packed(message)
        while data:
            data = data[os.write(out, data) :]

    def report(value: Any) -> None:
        say(Message("report", value))

    with contextlib.suppress(BrokenPipeError):
        while (order := orders.next()) is not None:
            say(done(order, report, orders.is_cancelled.is_set))
    return 0


if __name__ == "__main__":
    sys.exit(main())
