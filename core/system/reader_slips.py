"""Slips of readers: whatever a reader raises becomes a sentence for the person, and a traceback in the log.

A file comes from a stranger, and a reader may have an error that nobody has met yet. That is no reason for a window
that does not open, or for a terminal full of code.
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
    """A file is not read because of an error in the program; the log has its traceback."""


@contextmanager
def slips_as_errors(name: str) -> Generator[None]:
    """Raise what is no `FramescopeError` as one that says that the file with a name cannot be read, and why.

    A read that was given up stays that.

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
    except Exception as error:  # noqa: BLE001 - whatever it is, the person is told
        log_slip(f"the reader of {name} has failed")
        text = " ".join(str(error).split())[:MOST_TEXT]
        what = f"{type(error).__name__}: {text}" if text else type(error).__name__
        message = f"{name} cannot be read, because of an error in Framescope ({what})."
        raise ReaderSlipError(f"{message} Please report it, with the file; the log has the details.") from None


def log_slip(what: str) -> None:
    """Log an exception that is being handled, as text: a record that holds it would hold all that its frames know."""
    LOGGER.error("%s\n%s", what, traceback.format_exc())


MOST_TEXT = 200
"""Characters of what an exception says that are shown."""
