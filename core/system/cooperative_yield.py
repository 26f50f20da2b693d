"""Checkpoints in long computations, at which a window can pause them and receive their progress."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

_pause: ContextVar[Callable[[], None] | None] = ContextVar("pause", default=None)
_receive: ContextVar[Callable[[float | None], None] | None] = ContextVar("receive", default=None)


def checkpoint(share: float | None = None) -> None:
    """Let other work run, and report the completed fraction if it is known. Long work calls this once for each item.

    Outside `call_at_checkpoints` and `report_progress_to` a checkpoint does nothing.
    """
    pause, receive = _pause.get(), _receive.get()
    if receive is not None:
        receive(share)
    if pause is not None:
        pause()


@contextmanager
def report_progress_to(receive: Callable[[float | None], None]) -> Generator[None, None, None]:
    """Call `receive` with the completed fraction at each checkpoint in this block and thread.

    The fraction is None where it is unknown. An exception raised by `receive` ends the work.

    >>> shares = []
    >>> with report_progress_to(shares.append):
    ...     checkpoint(0.5)
    ...     with part(0.5, 1.0):
    ...         checkpoint(0.5)
    >>> shares
    [0.5, 0.75]
    """
    token = _receive.set(receive)
    try:
        yield
    finally:
        _receive.reset(token)


@contextmanager
def part(begin: float, end: float) -> Generator[None, None, None]:
    """Scale the progress reported in this block to a range of fractions of the surrounding work."""
    receive = _receive.get()
    if receive is None:
        yield
        return
    with report_progress_to(lambda share: receive(None if share is None else begin + share * (end - begin))):
        yield


@contextmanager
def call_at_checkpoints(pause: Callable[[], None]) -> Generator[None, None, None]:
    """Call `pause` at each checkpoint in this block and thread.

    >>> stops = []
    >>> with call_at_checkpoints(lambda: stops.append("here")):
    ...     checkpoint()
    >>> checkpoint()
    >>> stops
    ['here']
    """
    token = _pause.set(pause)
    try:
        yield
    finally:
        _pause.reset(token)
