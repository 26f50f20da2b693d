"""Cursors over serialized messages: ROS 1's packed fields, and CDR of ROS 2, aligned and in either order of bytes."""

from __future__ import annotations

import struct
from functools import lru_cache

from framescope.core.errors import FramescopeError
from framescope.core.scene.schema.stamps import NS


class MessageError(FramescopeError):
    """A message does not hold what its type says."""


@lru_cache(maxsize=256)
def _struct(form: str) -> struct.Struct:
    return struct.Struct(form)


class Ros1Cursor:
    """Reads the fields of a message of ROS 1 one after another: little-endian, without gaps."""

    has_seq = True
    """Whether a header begins with a count."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data = data
        self._at = 0
        self.order = "<"
        """Order of the bytes, as `struct` writes it."""
        self.trail: list[tuple[int, str]] = []
        """What has been read: the byte at which it begins, and its form, such as ``"7d"``, or ``"5s"`` of a text."""

    def _align(self, size: int) -> None:
        pass

    def take(self, form: str, size: int) -> tuple[int | float, ...]:
        """Return numbers of one size by their form, such as ``"7d"``."""
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
        """Return some floats of 64 bits."""
        return self.take(f"{n}d", 8)

    def doubles_counted(self) -> tuple[float, ...]:
        """Return a sequence of floats that begins with how many there are."""
        n = self.counted(8)
        return self.doubles(n) if n else ()

    def counted(self, size: int) -> int:
        """Return how many parts of at least some bytes follow, which have to have room in the message."""
        n = self.u32()
        if n * size > len(self._data) - self._at:
            raise MessageError(f"a sequence of {n:,} does not fit into the message")
        return n

    def string(self) -> str:
        """Return a string."""
        n = self.counted(1)
        text = bytes(self._data[self._at : self._at + n])
        self.trail.append((self._at, f"{n}s"))
        self._at += n
        return text.decode("utf-8", "replace")

    def strings(self) -> tuple[str, ...]:
        """Return a sequence of strings."""
        return tuple(self.string() for _ in range(self.counted(4)))

    def stamp_ns(self) -> int:
        """Return a time, ns."""
        seconds, rest = self.take("II", 4)
        return int(seconds) * NS + int(rest)

    def header(self) -> tuple[int, str]:
        """Return stamp, ns, and frame of a header."""
        if self.has_seq:
            self.u32()
        return self.stamp_ns(), self.string()


class CdrCursor(Ros1Cursor):
    """Reads the fields of a message in CDR: each aligned to its size, strings with a zero at their end."""

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
        """Return a time, ns."""
        seconds, rest = self.take("iI", 4)
        return int(seconds) * NS + int(rest)
