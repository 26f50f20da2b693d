"""Writing into a URDF: where joints are at zero, each at its place in the file, and everything else to the letter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from framescope.core.errors import FramescopeError
from framescope.core.system.xml_elements import Element, read_elements
from framescope.features.robots.core.robot import Placement, Triple

DIGITS = 12
"""Of the numbers that are written."""

_ATTRIBUTE = re.compile(rb"""\s([^\s=/>"']+)\s*=\s*("[^"]*"|'[^']*')""")

Patch = tuple[int, int, bytes]
"""From where to where, in bytes, and what stands there then."""


def with_placements(data: bytes, placements: Mapping[str, Placement]) -> bytes:
    """Return a URDF in which joints stand otherwise at zero, by their names.

    Parameters
    ----------
    data
        The file.
    placements
        The new placements. Numbers that stay as they are keep their spelling.

    Raises
    ------
    FramescopeError
        When a joint is not there, or is there twice, or the file is not in an encoding that has ASCII in it.

    Examples
    --------
    >>> with_placements(b'<robot><joint name="a"><origin rpy="0 0 1"/></joint></robot>', {"a": Placement((1, 0, 0))})
    b'<robot><joint name="a"><origin rpy="0 0 0" xyz="1 0 0"/></joint></robot>'
    """
    root = read_elements(data)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
        raise FramescopeError("it is in UTF-16, and only what has ASCII in it is written into. Save it as UTF-8.")
    joints = dict[str, list[Element]]()
    for joint in root.all("joint"):
        joints.setdefault(joint.get("name") or "", []).append(joint)
    patches = list[Patch]()
    for name, placement in placements.items():
        found = joints.get(name, [])
        if len(found) != 1:
            many = "no joint is" if not found else f"{len(found)} joints are"
            raise FramescopeError(f'{many} called "{name}".')
        patches += _patches(data, found[0], placement)
    for start, end, text in sorted(patches, reverse=True):
        data = data[:start] + text + data[end:]
    return data


def _patches(data: bytes, joint: Element, placement: Placement) -> Iterator[Patch]:
    wanted = {"xyz": placement.xyz, "rpy": placement.rpy}
    origin = joint.first("origin")
    if origin is None:
        end = _end_of_tag(data, joint.start)
        line = data[data.rfind(b"\n", 0, joint.start) + 1 : joint.start]
        newline = b"\r\n" if data[:4096].count(b"\r\n") else b"\n"
        before = newline + line + b"  " if not line.strip() else b""
        text = " ".join(f'{name}="{_text(value)}"' for name, value in wanted.items())
        yield end, end, before + f"<origin {text}/>".encode()
        return
    end = _end_of_tag(data, origin.start)
    tag = data[origin.start : end]
    there = {found[1].decode(): found for found in _ATTRIBUTE.finditer(tag)}
    missing = ""
    for name, value in wanted.items():
        found = there.get(name)
        if found is None:
            missing += f' {name}="{_text(value)}"' if any(value) else ""
        elif _numbers(found[2][1:-1]) != value:
            quote = found[2][:1]
            yield origin.start + found.start(2), origin.start + found.end(2), quote + _text(value).encode() + quote
    if missing:
        at = end - (2 if tag.endswith(b"/>") else 1)
        while data[at - 1 : at].isspace():
            at -= 1
        yield at, at, missing.encode()


def _end_of_tag(data: bytes, start: int) -> int:
    """Return where a tag ends, just behind its ``>``; one within quotes is none."""
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
