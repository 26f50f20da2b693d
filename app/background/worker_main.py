"""Worker process that runs one task after another for the process that started it; see `worker_client`."""

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
from framescope.app.background.pickle_pipe import claim_stdout, pack_message, read_message
from framescope.app.background.worker_client import PATIENCE_S, Message, TaskCancelledError, WorkOrder
from framescope.app.storage.temporary_folders import note_partial
from framescope.core.errors import FramescopeError
from framescope.core.system.atomic_write import note_partials_by


class _Orders:
    """Orders of the parent, read in a thread, so that a cancellation and the parent's end are noticed meanwhile."""

    def __init__(self, descriptor: int) -> None:
        self.is_cancelled = threading.Event()
        self._waiting: queue.SimpleQueue[WorkOrder | None] = queue.SimpleQueue()
        self._descriptor = descriptor
        threading.Thread(target=self._read, name="orders of the worker", daemon=True).start()

    def next(self) -> WorkOrder | None:
        """Return the next order; wait for it. None when the parent has closed the pipe."""
        return self._waiting.get()

    def _read(self) -> None:
        while True:
            try:
                order: WorkOrder | None = read_message(self._descriptor)
            except EOFError:
                break
            except BaseException:  # noqa: BLE001 - an unreadable order cannot be answered
                traceback.print_exc()
                os._exit(1)
            if order is None:
                self.is_cancelled.set()
            else:
                self.is_cancelled.clear()
                self._waiting.put(order)
        self.is_cancelled.set()  # the running task removes its incomplete files
        self._waiting.put(None)
        time.sleep(PATIENCE_S)
        os._exit(0)


def run_order(order: WorkOrder, report: Callable[[Any], None], is_cancelled: Callable[[], bool]) -> Message:
    """Run an order and return its last message."""
    try:
        return Message("done", order.function(*order.args, report, is_cancelled))
    except TaskCancelledError:
        return Message("cancelled")
    except FramescopeError as error:
        return Message("cancelled") if is_cancelled() else Message("failed", str(error))
    except MemoryError:
        return Message("failed", "there is not enough memory.")
    except Exception as error:  # noqa: BLE001 - every error is reported to the user
        return Message("error", f"{type(error).__name__}: {error}", traceback.format_exc())


def main() -> int:
    """Run orders until the parent closes the pipe."""
    out = claim_stdout()
    platforms.lower_priority()
    platforms.prepare_rendering(platforms.this_host())
    note_partials_by(note_partial)
    orders = _Orders(sys.stdin.fileno())

    def send(message: Message) -> None:
        data = pack_message(message)
        while data:
            data = data[os.write(out, data) :]

    def report(value: Any) -> None:
        send(Message("report", value))

    with contextlib.suppress(BrokenPipeError):
        while (order := orders.next()) is not None:
            send(run_order(order, report, orders.is_cancelled.is_set))
    return 0


if __name__ == "__main__":
    sys.exit(main())
