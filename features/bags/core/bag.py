"""Interface of all bags: channels with their counts, a time span, and the messages of selected channels."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Protocol

from framescope.core.errors import FramescopeError

Encoding = Literal["ros1", "cdr", "protobuf", "json", "other"]

ENCODINGS: dict[str, Encoding] = {"ros1": "ros1", "cdr": "cdr", "protobuf": "protobuf", "json": "json"}


ROS1_MAGIC = b"#ROSBAG V2.0\n"
MCAP_MAGIC = b"\x89MCAP0\r\n"
SQLITE_MAGIC = b"SQLite format 3\0"
"""First bytes of a file of each kind."""


class BagError(FramescopeError):
    """A bag cannot be read at all."""


def cut_text(at: int, error: Exception) -> str:
    """Return the message about a chunk at a byte that cannot be read to its end."""
    why = "a record is cut off" if isinstance(error, struct.error) else error
    why = f"a record lacks {error}" if isinstance(error, KeyError) else why
    return f"the chunk at byte {at:,} ends early: {why}"


class MissingPackageError(FramescopeError):
    """A bag needs a package that is not installed. The message names the package and the way to install it."""


@dataclass(frozen=True)
class Channel:
    """Messages of one type that one publisher, or an unknown publisher, sent on one topic.

    Attributes
    ----------
    type
        Name of the type in the spelling of ROS 1, such as ``"tf2_msgs/TFMessage"``.
    publisher
        Name of the node. Only ROS 1 records it.
    count
        Number of messages by the index.
    has_header
        Whether the messages begin with a header, by the definition that the bag stores.
    """

    topic: str
    type: str
    encoding: Encoding
    publisher: str = ""
    count: int = 0
    has_header: bool = field(default=False, compare=False)

    def with_count(self, count: int) -> Channel:
        """Return the channel with another count of messages."""
        return replace(self, count=count)


class RawMessage(NamedTuple):
    """Serialized bytes of a message, and the time of its reception, ns."""

    channel: Channel
    log_ns: int
    data: bytes | memoryview


Wanted = Callable[[Channel], bool]


class Bag(Protocol):
    """An open bag. Each iteration reads its messages from the file anew, chunk by chunk."""

    @property
    def channels(self) -> tuple[Channel, ...]:
        """All channels in the index."""
        ...

    @property
    def span_ns(self) -> tuple[int, int] | None:
        """First and last time of reception of a message, ns; None for a bag without messages."""
        ...

    @property
    def damages(self) -> list[str]:
        """Messages about parts that could not be read so far; reading adds to them."""
        ...

    def messages(self, is_wanted: Wanted) -> Iterator[RawMessage]:
        """Yield the messages of some channels in the order of the file."""
        ...


def ros1_type(name: str) -> str:
    """Return the name of a type in the spelling of ROS 1.

    >>> ros1_type("tf2_msgs/msg/TFMessage"), ros1_type("foxglove.FrameTransform")
    ('tf2_msgs/TFMessage', 'foxglove.FrameTransform')
    """
    return name.replace("/msg/", "/")
