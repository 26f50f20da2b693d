"""Cooperative yield points for long computations, at which a window may let them rest."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

_rest: ContextVar[Callable[[], None] | None] = ContextVar("rest", default=None)


def breathe() -> None:
    """Stop for breath, once for each item of long work. Without `resting` this is nothing."""
    rest = _rest.get()
    if rest is not None:
        rest()


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
