"""Cursors over serialized messages: packed fields of ROS 1, and aligned CDR of ROS 2 in either byte order."""

from __future__ import annotations

import struct
from functools import lru_cache

from framescope.core.errors import FramescopeError
from framescope.core.scene.schema.stamps import NS


class MessageError(FramescopeError):
    """The bytes of a message do not match its type."""


@lru_cache(maxsize=256)
def _struct(form: str) -> struct.Struct:
    return struct.Struct(form)


class Ros1Cursor:
    """Reads the fields of a message of ROS 1 in order: little-endian, without padding."""

    has_seq = True
    """Whether a header begins with a sequence number."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data = data
        self._at = 0
        self.order = "<"
        """Byte order as a character of `struct`."""
        self.trail: list[tuple[int, str]] = []
        """Fields read so far: first byte and format of each, such as ``"7d"``, or ``"5s"`` for a text."""

    def _align(self, size: int) -> None:
        pass

    def take(self, form: str, size: int) -> tuple[int | float, ...]:
        """Return numbers of one size by their format, such as ``"7d"``."""
        self._align(size)
        packed = _struct(self.order + form)
        try:
            values = packed.unpack_from(self._data, self._at)
        except struct.error:
            raise MessageError("the message ends before its fields do") from None
        self.trail.append((self._at, form))
        self._at += packed.size
        return values

    def u32(self) -> int:
        """Return an unsigned integer, such as a length."""
        return int(self.take("I", 4)[0])

    def byte(self) -> int:
        """Return a byte."""
        return int(self.take("B", 1)[0])

    def doubles(self, n: int) -> tuple[float, ...]:
        """Return n 64-bit floats."""
        return self.take(f"{n}d", 8)

    def double_sequence(self) -> tuple[float, ...]:
        """Return a sequence of floats that is preceded by its length."""
        n = self.sequence_length(8)
        return self.doubles(n) if n else ()

    def sequence_length(self, size: int) -> int:
        """Return the length of a sequence with elements of at least `size` bytes, checked against the message."""
        n = self.u32()
        if n * size > len(self._data) - self._at:
            raise MessageError(f"a sequence of {n:,} does not fit into the message")
        return n

    def string(self) -> str:
        """Return a string."""
        n = self.sequence_length(1)
        text = bytes(self._data[self._at : self._at + n])
        self.trail.append((self._at, f"{n}s"))
        self._at += n
        return text.decode("utf-8", "replace")

    def strings(self) -> tuple[str, ...]:
        """Return a sequence of strings."""
        return tuple(self.string() for _ in range(self.sequence_length(4)))

    def stamp_ns(self) -> int:
        """Return a timestamp, ns."""
        seconds, nanoseconds = self.take("II", 4)
        return int(seconds) * NS + int(nanoseconds)

    def header(self) -> tuple[int, str]:
        """Return the timestamp, ns, and the frame of a header."""
        if self.has_seq:
            self.u32()
        return self.stamp_ns(), self.string()


class CdrCursor(Ros1Cursor):
    """Reads the fields of a message in CDR: each aligned to its size, strings with a trailing zero byte."""

    has_seq = False

    def __init__(self, data: bytes | memoryview) -> None:
        super().__init__(data)
        if len(data) < 4 or data[0] != 0 or data[1] > 1:
            raise MessageError("the message does not begin as CDR does")
        self.order = "<" if data[1] else ">"
        self._at = 4

    def _align(self, size: int) -> None:
        self._at += -(self._at - 4) % size

    def string(self) -> str:
        """Return a string."""
        return super().string().removesuffix("\0")

    def stamp_ns(self) -> int:
        """Return a timestamp, ns."""
        seconds, nanoseconds = self.take("iI", 4)
        return int(seconds) * NS + int(nanoseconds)
