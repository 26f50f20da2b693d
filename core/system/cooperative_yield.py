"""Checkpoints in long computations, at which a window can pause them and receive their progress."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

_rest: ContextVar[Callable[[], None] | None] = ContextVar("rest", default=None)
_hear: ContextVar[Callable[[float | None], None] | None] = ContextVar("hear", default=None)


def breathe(share: float | None = None) -> None:
    """Yield to other work, and report the completed fraction if it is known. Call once for each item of long work.

    Without `resting` and `hearing` this does nothing.
    """
    rest, hear = _rest.get(), _hear.get()
    if hear is not None:
        hear(share)
    if rest is not None:
        rest()


@contextmanager
def hearing(hear: Callable[[float | None], None]) -> Generator[None, None, None]:
    """Have `hear` called with the completed fraction of work in this block and thread.

    The fraction is None where it is unknown. An exception raised by `hear` ends the work.

    >>> shares = []
    >>> with hearing(shares.append):
    ...     breathe(0.5)
    ...     with part(0.5, 1.0):
    ...         breathe(0.5)
    >>> shares
    [0.5, 0.75]
    """
    token = _hear.set(hear)
    try:
        yield
    finally:
        _hear.reset(token)


@contextmanager
def part(begin: float, end: float) -> Generator[None, None, None]:
    """Scale the progress reported in this block to a range of fractions of the surrounding work."""
    hear = _hear.get()
    if hear is None:
        yield
        return
    with hearing(lambda share: hear(None if share is None else begin + share * (end - begin))):
        yield


@contextmanager
def resting(rest: Callable[[], None]) -> Generator[None, None, None]:
    """Have `rest` called at each checkpoint of work in this block and thread.

    >>> stops = []
    >>> with resting(lambda: stops.append("here")):
    ...     breathe()
    >>> breathe()
    >>> stops
    ['here']
    """
    token = _rest.set(rest)
    try:
        yield
    finally:
        _rest.reset(token)
