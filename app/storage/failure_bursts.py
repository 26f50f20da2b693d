"""Bursts of one failure: a slot that fails at each tick is reported once, and counted."""

from __future__ import annotations

import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

QUIET_S = 5.0
"""Time without a failure after which it counts as a new one."""

MAX_KNOWN = 100
"""Number of failures that are told apart."""


@dataclass
class _Burst:
    last_s: float
    count: int


class FailureBursts:
    """Tells a failure that comes again and again from a new one, by its exception and the line that raised it.

    Parameters
    ----------
    clock
        Returns a time that runs on, s.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._bursts: OrderedDict[tuple[str, str, int], _Burst] = OrderedDict()

    def count(self, error: BaseException) -> int:
        """Return how often a failure has come in its burst, this time included."""
        now = self._clock()
        key = type(error).__qualname__, *place_of(error)
        burst = self._bursts.pop(key, None)
        if burst is None or now - burst.last_s > QUIET_S:
            burst = _Burst(now, 0)
        burst.last_s, burst.count = now, burst.count + 1
        self._bursts[key] = burst
        if len(self._bursts) > MAX_KNOWN:
            self._bursts.popitem(last=False)
        return burst.count


def is_worth_a_line(count: int) -> bool:
    """Return whether a failure that has come so often is logged again: at 1, 10, 100 and so on.

    >>> [count for count in range(1, 2000) if is_worth_a_line(count)]
    [1, 10, 100, 1000]
    """
    return str(count).rstrip("0") == "1"


def place_of(error: BaseException) -> tuple[str, int]:
    """Return the file and the line that raised an exception; an empty name where that is not known."""
    frames = traceback.extract_tb(error.__traceback__)
    return (frames[-1].filename, frames[-1].lineno or 0) if frames else ("", 0)
