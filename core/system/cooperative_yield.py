"""Cooperative yield points for long computations, at which a window may let them rest and hear how far they are."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

_rest: ContextVar[Callable[[], None] | None] = ContextVar("rest", default=None)
_hear: ContextVar[Callable[[float | None], None] | None] = ContextVar("hear", default=None)


def breathe(share: float | None = None) -> None:
    """Stop for breath, once for each item of long work, and say what share of it is done, if that is known.

    Without `resting` and `hearing` this is nothing.
    """
    rest, hear = _rest.get(), _hear.get()
    if hear is not None:
        hear(share)
    if rest is not None:
        rest()


@contextmanager
def hearing(hear: Callable[[float | None], None]) -> Generator[None, None, None]:
    """Have `hear` called with the share of work that is begun here, in this thread, as it goes on.

    The share is None where it is not known. What `hear` raises ends the work.

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
    """Have what is begun here heard as the part of some work between two shares of it."""
    hear = _hear.get()
    if hear is None:
        yield
        return
    with hearing(lambda share: hear(None if share is None else begin + share * (end - begin))):
        yield


@contextmanager
def resting(rest: Callable[[], None]) -> Generator[None, None, None]:
    """Have `rest` called whenever work that is begun here, in this thread, stops for breath.

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
