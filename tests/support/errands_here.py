"""Errands that are done in the thread that waits for them, where a test has its hands on what they do."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from framescope.app.background.worker_client import Order, value_of
from framescope.app.background.worker_main import done


class ErrandHere:
    """Stands in for `Errand`."""

    def __init__(self, function: Callable[..., Any], *args: Any) -> None:
        self._order = Order(function, args)
        self._stop = threading.Event()

    def result(self, tell: Callable[[Any], None]) -> Any:
        return value_of(done(self._order, tell, self._stop.is_set))

    def cancel(self) -> None:
        self._stop.set()
