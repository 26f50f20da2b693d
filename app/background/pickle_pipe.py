"""Pipe of pickles to and from child processes of one's own: nobody else can write there."""

from __future__ import annotations

import os
import pickle
import struct
import sys
from typing import Any

LENGTH = struct.Struct("<Q")
"""Of a pickle, before it."""


def packed(message: object) -> bytes:
    """Return a message as it goes through a pipe."""
    data = pickle.dumps(message)
    return LENGTH.pack(len(data)) + data


def read_message(descriptor: int) -> Any:
    """Return the next message; wait for it.

    Raises
    ------
    EOFError
        When there will be no more.
    """
    (length,) = LENGTH.unpack(_exactly(descriptor, LENGTH.size))
    return pickle.loads(_exactly(descriptor, length))  # noqa: S301 - see above


def own_output() -> int:
    """Return a descriptor of standard output for oneself alone; what libraries print goes to standard error instead."""
    own = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return own


def _exactly(descriptor: int, n: int) -> bytes:
    """Return n bytes. A file object would be locked by a thread that waits in it when Python ends."""
    parts: list[bytes] = []
    while n > 0:
        part = os.read(descriptor, min(n, 1 << 20))
        if not part:
            raise EOFError("the pipe is closed")
        parts.append(part)
        n -= len(part)
    return b"".join(parts)
