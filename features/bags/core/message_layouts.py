"""Byte layouts of transform messages: messages that differ only in their numbers are unpacked with one struct call.

A bag holds hundreds of thousands of such messages about a few frames. The first message of each kind is read field by
field, which yields the byte positions of its texts and numbers. Messages of the same length with the same texts share
these positions.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Generic, TypeVar

from framescope.features.bags.core.messages import READERS, Message, cursor_over
from framescope.features.bags.core.wire import Ros1Cursor

T = TypeVar("T")

Fields = tuple[Any, ...]
Choose = Callable[[Fields], Fields]

MAX_LAYOUTS, MAX_TEXTS = 16, 4096
"""Limits of layouts per message length, and of distinct texts per layout. Further messages are read field by field."""

_POSE = "7d"
_STAMPS = ("II", "iI")
_CDR_HEAD = 4


@dataclass(frozen=True)
class Layout(Generic[T]):
    """Positions of the texts and numbers in a message of transforms.

    Attributes
    ----------
    unpack
        Reads all fields of a message.
    texts
        Selects the texts, with their lengths and the count of transforms, from the fields.
    stamps
        Selects seconds and nanoseconds of each transform in turn.
    poses
        Selects position and quaternion of each transform in turn.
    known
        Cached value for each combination of texts.
    """

    unpack: Callable[[bytes | memoryview], Fields]
    texts: Choose
    stamps: Choose
    poses: Choose
    known: dict[Fields, T] = field(default_factory=dict)


class Layouts(Generic[T]):
    """Layouts of the messages of one channel, with a cached value for their texts, such as numbers of frames.

    Parameters
    ----------
    type_name
        One of `framescope.features.bags.core.messages.TF_TYPES`.
    encoding
        ``"ros1"`` or ``"cdr"``.
    """

    def __init__(self, type_name: str, encoding: str) -> None:
        self._type_name, self._encoding = type_name, encoding
        self._of_size: dict[int, dict[str, Layout[T]]] = {}

    def find(self, data: bytes | memoryview) -> tuple[T, Fields, Fields] | None:
        """Return the cached value, stamps and poses of a message; None for texts without a cached value."""
        layouts = self._of_size.get(len(data))
        if layouts is not None:
            for layout in layouts.values():
                fields = layout.unpack(data)
                value = layout.known.get(layout.texts(fields))
                if value is not None:
                    return value, layout.stamps(fields), layout.poses(fields)
        return None

    def read(self, data: bytes | memoryview) -> tuple[list[Message], Callable[[T], None]]:
        """Return the contents of a message, and a function that caches a value for its texts.

        Raises
        ------
        MessageError
            As raised by `framescope.features.bags.core.messages.read_ros`.
        """
        cursor = cursor_over(self._encoding, data)
        messages = READERS[self._type_name](cursor)

        def keep(value: T) -> None:
            layouts = self._of_size.setdefault(len(data), {})
            form = _format_of(cursor, is_cdr=self._encoding == "cdr")
            if form not in layouts and len(layouts) < MAX_LAYOUTS:
                layouts[form] = _layout_from(cursor, form, is_cdr=self._encoding == "cdr")
            layout = layouts.get(form)
            if layout is not None and len(layout.known) < MAX_TEXTS:
                layout.known[layout.texts(layout.unpack(data))] = value

        return messages, keep


def _format_of(cursor: Ros1Cursor, *, is_cdr: bool) -> str:
    """Return the `struct` format of a message that a cursor has read, with padding for the gaps."""
    at = _CDR_HEAD if is_cdr else 0
    parts = [cursor.order, "4s"] if is_cdr else [cursor.order]
    for start, form in cursor.trail:
        parts.append(f"{start - at}x{form}")
        at = start + struct.calcsize(cursor.order + form)
    return "".join(parts)


def _layout_from(cursor: Ros1Cursor, form: str, *, is_cdr: bool) -> Layout[Any]:
    """Return the layout of a message of transforms that a cursor has read."""
    i = 1 if is_cdr else 0
    texts, stamps, poses = list(range(i)), list[int](), list[int]()
    forms = [form for _, form in cursor.trail]
    for k, part in enumerate(forms):
        is_text = part.endswith("s")
        n = 1 if is_text else len(struct.unpack(f"<{part}", bytes(struct.calcsize(f"<{part}"))))
        if part in _STAMPS:
            stamps += range(i, i + n)
        elif part == _POSE:
            poses += range(i, i + n)
        elif is_text or k == 0 or forms[k + 1].endswith("s"):  # other integers are sequence numbers of ROS 1 headers
            texts.append(i)
        i += n
    return Layout(struct.Struct(form).unpack_from, itemgetter(*texts), itemgetter(*stamps), itemgetter(*poses))
