"""Writer into a URDF file: replaces the placements of joints, and keeps every other byte."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from framescope.core.errors import FramescopeError
from framescope.core.system.xml_elements import Element, read_elements
from framescope.features.robots.core.robot import Placement, Triple

DIGITS = 12
"""Significant digits of written numbers."""

_ATTRIBUTE = re.compile(rb"""\s([^\s=/>"']+)\s*=\s*("[^"]*"|'[^']*')""")

Patch = tuple[int, int, bytes]
"""First byte, end byte and new content of a replaced part."""


def with_placements(data: bytes, placements: Mapping[str, Placement]) -> bytes:
    """Return a URDF with new placements of some joints, by their names.

    Parameters
    ----------
    data
        The file.
    placements
        The new placements. Unchanged numbers keep their spelling.

    Raises
    ------
    FramescopeError
        When a joint is missing or not unique, or the file is in UTF-16.

    Examples
    --------
    >>> with_placements(b'<robot><joint name="a"><origin rpy="0 0 1"/></joint></robot>', {"a": Placement((1, 0, 0))})
    b'<robot><joint name="a"><origin rpy="0 0 0" xyz="1 0 0"/></joint></robot>'
    """
    root = read_elements(data)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
        raise FramescopeError("it is in UTF-16, which cannot be changed in place. Save it as UTF-8.")
    joints = dict[str, list[Element]]()
    for joint in root.all("joint"):
        joints.setdefault(joint.get("name") or "", []).append(joint)
    patches = list[Patch]()
    for name, placement in placements.items():
        matches = joints.get(name, [])
        if len(matches) != 1:
            many = "no joint is" if not matches else f"{len(matches)} joints are"
            raise FramescopeError(f'{many} called "{name}".')
        patches += _patches(data, matches[0], placement)
    for start, end, text in sorted(patches, reverse=True):
        data = data[:start] + text + data[end:]
    return data


def _patches(data: bytes, joint: Element, placement: Placement) -> Iterator[Patch]:
    new_values = {"xyz": placement.xyz, "rpy": placement.rpy}
    origin = joint.first("origin")
    if origin is None:
        end = _end_of_tag(data, joint.start)
        line = data[data.rfind(b"\n", 0, joint.start) + 1 : joint.start]
        newline = b"\r\n" if data[:4096].count(b"\r\n") else b"\n"
        before = newline + line + b"  " if not line.strip() else b""
        text = " ".join(f'{name}="{_text(value)}"' for name, value in new_values.items())
        yield end, end, before + f"<origin {text}/>".encode()
        return
    end = _end_of_tag(data, origin.start)
    tag = data[origin.start : end]
    there = {match[1].decode(): match for match in _ATTRIBUTE.finditer(tag)}
    missing = ""
    for name, value in new_values.items():
        match = there.get(name)
        if match is None:
            missing += f' {name}="{_text(value)}"' if any(value) else ""
        elif _numbers(match[2][1:-1]) != value:
            quote = match[2][:1]
            yield origin.start + match.start(2), origin.start + match.end(2), quote + _text(value).encode() + quote
    if missing:
        at = end - (2 if tag.endswith(b"/>") else 1)
        while data[at - 1 : at].isspace():
            at -= 1
        yield at, at, missing.encode()


def _end_of_tag(data: bytes, start: int) -> int:
    """Return the end of a tag, just behind its ``>``; a ``>`` within quotes is skipped."""
    quote = b""
    for i in range(start, len(data)):
        sign = data[i : i + 1]
        if quote:
            quote = b"" if sign == quote else quote
        elif sign in (b'"', b"'"):
            quote = sign
        elif sign == b">":
            return i + 1
    return len(data)


def _numbers(text: bytes) -> tuple[float, ...]:
    try:
        return tuple(float(word) for word in text.replace(b",", b" ").split())
    except ValueError:
        return ()


def _text(values: Triple) -> str:
    return " ".join(f"{value + 0.0:.{DIGITS}g}" for value in values)
