"""Layouts of messages of transforms: those that differ in their numbers alone are read with one unpacking each.

A bag holds hundreds of thousands of such messages, of a few frames. The first of each kind is read field by field,
which says where its texts and its numbers stand. Others of the same length and with the same texts have them there too.
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
"""Layouts of messages of one length, and different texts in those of one layout; others are read field by field."""

_POSE = "7d"
_STAMPS = ("II", "iI")
_CDR_HEAD = 4


@dataclass(frozen=True)
class Layout(Generic[T]):
    """Places of the texts and numbers in a message of transforms.

    Attributes
    ----------
    unpack
        Returns the fields of a message.
    texts
        Chooses from fields the texts, with their lengths and the count of transforms.
    stamps
        Chooses seconds and nanoseconds of one transform after the other.
    poses
        Chooses position and quaternion of one transform after the other.
    known
        What is kept for texts.
    """

    unpack: Callable[[bytes | memoryview], Fields]
    texts: Choose
    stamps: Choose
    poses: Choose
    known: dict[Fields, T] = field(default_factory=dict)


class Layouts(Generic[T]):
    """The layouts of the messages of one channel, and what is kept for the texts in them, such as numbers of frames.

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
        """Return what is kept for the texts of a message, its stamps and its poses; None where nothing is kept."""
        layouts = self._of_size.get(len(data))
        if layouts is not None:
            for layout in layouts.values():
                fields = layout.unpack(data)
                kept = layout.known.get(layout.texts(fields))
                if kept is not None:
                    return kept, layout.stamps(fields), layout.poses(fields)
        return None

    def read(self, data: bytes | memoryview) -> tuple[list[Message], Callable[[T], None]]:
        """Return what a message holds, and what keeps something for its texts.

        Raises
        ------
        MessageError
            As `framescope.features.bags.core.messages.read_ros`.
        """
        cursor = cursor_over(self._encoding, data)
        messages = READERS[self._type_name](cursor)

        def keep(value: T) -> None:
            layouts = self._of_size.setdefault(len(data), {})
            form = _form_of(cursor, is_cdr=self._encoding == "cdr")
            if form not in layouts and len(layouts) < MAX_LAYOUTS:
                layouts[form] = _layout_of(cursor, form, is_cdr=self._encoding == "cdr")
            layout = layouts.get(form)
            if layout is not None and len(layout.known) < MAX_TEXTS:
                layout.known[layout.texts(layout.unpack(data))] = value

        return messages, keep


def _form_of(cursor: Ros1Cursor, *, is_cdr: bool) -> str:
    """Return the form of a message that a cursor has gone through, as `struct` writes it; gaps are left out."""
    at = _CDR_HEAD if is_cdr else 0
    parts = [cursor.order, "4s"] if is_cdr else [cursor.order]
    for start, form in cursor.trail:
        parts.append(f"{start - at}x{form}")
        at = start + struct.calcsize(cursor.order + form)
    return "".join(parts)


def _layout_of(cursor: Ros1Cursor, form: str, *, is_cdr: bool) -> Layout[Any]:
    """Return the layout of a message of transforms that a cursor has gone through."""
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
        elif is_text or k == 0 or forms[k + 1].endswith("s"):  # else it is the count in a header of ROS 1
            texts.append(i)
        i += n
    return Layout(struct.Struct(form).unpack_from, itemgetter(*texts), itemgetter(*stamps), itemgetter(*poses))
