"""Unexpected errors of file readers: a sentence for the user, and the traceback for the log.

Files come from strangers, and a reader may have an unknown fault. Such a fault must neither keep a window from opening
nor fill a terminal with a traceback.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Generator
from concurrent.futures import CancelledError
from contextlib import contextmanager

from framescope.core.errors import FramescopeError

LOGGER = logging.getLogger(__name__)


class ReaderSlipError(FramescopeError):
    """Error of a file that cannot be read because of a fault in the program; the log has the traceback."""


@contextmanager
def slips_as_errors(name: str) -> Generator[None]:
    """Convert unexpected exceptions into a `FramescopeError` with the name of the file and the reason.

    `FramescopeError` and `CancelledError` pass unchanged.

    >>> with slips_as_errors("arm.sdf"):
    ...     dict()["elbow"]
    Traceback (most recent call last):
    framescope.core.system.reader_slips.ReaderSlipError: arm.sdf cannot be read, because of an error in Framescope \
(KeyError: 'elbow'). Please report it, with the file; the log has the details.
    """
    try:
        yield
    except (FramescopeError, CancelledError):
        raise
    except MemoryError:
        raise FramescopeError(f"{name} does not fit into the memory.") from None
    except OSError as error:
        raise FramescopeError(f"{name} cannot be read: {error.strerror or error}.") from None
    except Exception as error:  # noqa: BLE001 - every unexpected exception is reported to the user
        log_slip(f"the reader of {name} has failed")
        text = " ".join(str(error).split())[:MOST_TEXT]
        reason = f"{type(error).__name__}: {text}" if text else type(error).__name__
        message = f"{name} cannot be read, because of an error in Framescope ({reason})."
        raise ReaderSlipError(f"{message} Please report it, with the file; the log has the details.") from None


def log_slip(message: str) -> None:
    """Log the current exception as text, because a log record with the exception would keep its stack frames alive."""
    LOGGER.error("%s\n%s", message, traceback.format_exc())


MOST_TEXT = 200
"""Largest number of characters shown from the message of an exception."""
