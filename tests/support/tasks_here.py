"""Tasks of worker processes that are done in the thread that waits for them, where a test has its hands on them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from framescope.app.background.worker_client import WorkerPool, WorkOrder, value_of
from framescope.app.background.worker_main import run_order


class TaskHere:
    """Stands in for `WorkerTask`."""

    process_id = 0

    def __init__(self, function: Callable[..., Any], *args: Any, pool: WorkerPool | None = None) -> None:
        self._order = WorkOrder(function, args)
        self._stop = threading.Event()

    def result(self, report: Callable[[Any], object]) -> Any:
        return value_of(run_order(self._order, report, self._stop.is_set))

    def cancel(self, *, is_patient: bool = False) -> None:
        self._stop.set()

    kill = cancel
