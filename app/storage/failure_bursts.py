"""Bursts of a failure: a slot that fails at every tick is reported once, and counted."""

from __future__ import annotations

import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

QUIET_S = 5.0
"""Time without a failure, s, after which its next occurrence is reported again."""

MAX_KNOWN = 100
"""Largest number of failures that are counted separately."""


@dataclass
class _Burst:
    last_s: float
    count: int


class FailureBursts:
    """Counts repeated failures, which have the same exception type and the same line of code.

    Parameters
    ----------
    clock
        Returns a monotonic time, s.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._bursts: OrderedDict[tuple[str, str, int], _Burst] = OrderedDict()

    def count(self, error: BaseException) -> int:
        """Return the number of a failure in its burst, this one included."""
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
    """Return whether the count-th failure of a burst is logged: 1, 10, 100 and so on.

    >>> [count for count in range(1, 2000) if is_worth_a_line(count)]
    [1, 10, 100, 1000]
    """
    return str(count).rstrip("0") == "1"


def place_of(error: BaseException) -> tuple[str, int]:
    """Return file and line that raised an exception; an empty name where they are unknown."""
    frames = traceback.extract_tb(error.__traceback__)
    return (frames[-1].filename, frames[-1].lineno or 0) if frames else ("", 0)
