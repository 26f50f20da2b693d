"""Pipe of pickles between this program and its own child processes, the only writers."""

from __future__ import annotations

import os
import pickle
import struct
import sys
from typing import Any

LENGTH = struct.Struct("<Q")
"""Format of a pickle's length, which precedes it."""


def pack_message(message: object) -> bytes:
    """Encode a message for a pipe: the length of its pickle, then the pickle."""
    data = pickle.dumps(message)
    return LENGTH.pack(len(data)) + data


def read_message(descriptor: int) -> Any:
    """Read the next message; wait for it.

    Raises
    ------
    EOFError
        When the pipe is closed.
    """
    (length,) = LENGTH.unpack(_read_exactly(descriptor, LENGTH.size))
    return pickle.loads(_read_exactly(descriptor, length))  # noqa: S301 - see above


def claim_stdout() -> int:
    """Return a private descriptor of standard output; prints of libraries go to standard error instead."""
    own = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return own


def _read_exactly(descriptor: int, n: int) -> bytes:
    """Read n bytes. A file object would be locked by a thread that waits in it when Python ends."""
    parts: list[bytes] = []
    while n > 0:
        part = os.read(descriptor, min(n, 1 << 20))
        if not part:
            raise EOFError("the pipe is closed")
        parts.append(part)
        n -= len(part)
    return b"".join(parts)
