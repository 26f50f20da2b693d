"""What every bag is: channels with their counts, a span of time, and messages of the channels that are wanted."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Protocol

from framescope.core.errors import FramescopeError

Encoding = Literal["ros1", "cdr", "protobuf", "json", "other"]

ENCODINGS: dict[str, Encoding] = {"ros1": "ros1", "cdr": "cdr", "protobuf": "protobuf", "json": "json"}


ROS1_MAGIC = b"#ROSBAG V2.0\n"
MCAP_MAGIC = b"\x89MCAP0\r\n"
SQLITE_MAGIC = b"SQLite format 3\0"
"""How the files of each kind begin."""


class BagError(FramescopeError):
    """A bag cannot be read at all."""


def cut_text(at: int, error: Exception) -> str:
    """Return what is said of a chunk at a byte that cannot be read to its end."""
    why = "a record is cut off" if isinstance(error, struct.error) else error
    why = f"a record lacks {error}" if isinstance(error, KeyError) else why
    return f"the chunk at byte {at:,} ends early: {why}"


class MissingPackageError(FramescopeError):
    """A bag needs a package that is not installed; the message says which, and how to install it."""


@dataclass(frozen=True)
class Channel:
    """The messages of one type that one publisher, or nobody in particular, sent on one topic.

    Attributes
    ----------
    type
        Name of the type as ROS 1 writes it, such as ``"tf2_msgs/TFMessage"``.
    publisher
        Name of the node, which only ROS 1 records.
    count
        How many messages the index says there are.
    """

    topic: str
    type: str
    encoding: Encoding
    publisher: str = ""
    count: int = 0

    def counted(self, count: int) -> Channel:
        """Return the channel with another count."""
        return replace(self, count=count)


class RawMessage(NamedTuple):
    """A message as it stands in the file, and when it was received, ns."""

    channel: Channel
    log_ns: int
    data: bytes | memoryview


Wanted = Callable[[Channel], bool]


class Bag(Protocol):
    """An open bag. Its messages are read from the file anew each time, chunk by chunk."""

    @property
    def channels(self) -> tuple[Channel, ...]:
        """All that the index lists."""
        ...

    @property
    def span_ns(self) -> tuple[int, int] | None:
        """First and last time at which a message was received, ns; None where there is none."""
        ...

    @property
    def damages(self) -> list[str]:
        """What could not be read so far, in words; reading adds to it."""
        ...

    def messages(self, is_wanted: Wanted) -> Iterator[RawMessage]:
        """Yield the messages of some channels in the order of the file."""
        ...


def ros1_type(name: str) -> str:
    """Return the name of a type as ROS 1 writes it.

    >>> ros1_type("tf2_msgs/msg/TFMessage"), ros1_type("foxglove.FrameTransform")
    ('tf2_msgs/TFMessage', 'foxglove.FrameTransform')
    """
    return name.replace("/msg/", "/")
