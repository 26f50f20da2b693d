"""Messages of Foxglove about frames and cameras, in protobuf and in JSON.

References
----------
Foxglove schemas, ``foxglove.FrameTransform``, ``FrameTransforms``, ``PoseInFrame``, ``CameraCalibration``; Protocol
Buffers, "Encoding".
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.messages import CameraInfo, Message, StampedPose, Triple
from framescope.features.bags.core.wire import MessageError

Fields = dict[int, list[Any]]
"""Values by field number: integers, floats, and bytes of nested messages."""

_VARINT, _FIXED64, _NESTED, _FIXED32 = 0, 1, 2, 5
_MAX_VARINT_BYTES = 10


def read_foxglove(type_name: str, encoding: str, data: bytes | memoryview) -> list[Message]:
    """Return the contents of a Foxglove message.

    Parameters
    ----------
    type_name
        One of `READERS`.
    encoding
        ``"protobuf"`` or ``"json"``.
    data
        The message.

    Raises
    ------
    MessageError
        When the bytes are not a message of this type.
    """
    from_protobuf, from_json = READERS[type_name]
    try:
        if encoding == "json":
            return from_json(json.loads(bytes(data)))
        return from_protobuf(fields(bytes(data)))
    except (ValueError, TypeError, KeyError, AttributeError, struct.error, RecursionError, OverflowError) as error:
        raise MessageError(f"it is no {type_name} in {encoding} ({error})") from None


def fields(data: bytes) -> Fields:
    """Return the fields of a message in protobuf, with the values of each field in order.

    >>> fields(bytes.fromhex("0a0377 6f72 10 96 01"))
    {1: [b'wor'], 2: [150]}
    """
    values_by_number: Fields = {}
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == _VARINT:
            value, at = _varint(data, at)
        elif kind == _FIXED64:
            (value,), at = struct.unpack_from("<d", data, at), at + 8
        elif kind == _FIXED32:
            (value,), at = struct.unpack_from("<f", data, at), at + 4
        elif kind == _NESTED:
            size, at = _varint(data, at)
            value, at = data[at : at + size], at + size
            if at > len(data):
                raise ValueError("a field goes beyond the end")
        else:
            raise ValueError(f"there is no wire type {kind}")
        values_by_number.setdefault(tag >> 3, []).append(value)
    return values_by_number


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for i in range(_MAX_VARINT_BYTES):
        if at + i >= len(data):
            break
        byte = data[at + i]
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value, at + i + 1
    raise ValueError("a number does not end")


def _nested_fields(of: Fields, number: int) -> Fields:
    """Return a nested message; a missing message has only default values."""
    parts = of.get(number, ())
    return fields(b"".join(parts))  # repeated parts merge: the last value of each field counts


def _text(of: Fields, number: int) -> str:
    return bytes(of.get(number, [b""])[-1]).decode("utf-8", "replace")


def _numbers(of: Fields, n: int) -> Triple:
    return tuple(float(of.get(i + 1, [0.0])[-1]) for i in range(n))


def _size(of: Fields, number: int) -> int:
    """Return an unsigned integer of four bytes, which `fields` reads as a float."""
    return int.from_bytes(struct.pack("<f", of.get(number, [0.0])[-1]), "little")


def _doubles(of: Fields, number: int) -> Triple:
    """Return repeated numbers, which are packed into bytes or follow one by one."""
    values: list[float] = []
    for part in of.get(number, ()):
        values += struct.unpack(f"<{len(part) // 8}d", part) if isinstance(part, bytes) else (float(part),)
    return tuple(values)


def _stamp(of: Fields) -> int:
    seconds, nanoseconds = (int(of.get(number, [0])[-1]) for number in (1, 2))
    return seconds * NS + nanoseconds


def _rotation(q: Triple) -> Triple:
    """Return a quaternion; four zeros mean a missing field, hence no rotation."""
    return q if any(q) else (0.0, 0.0, 0.0, 1.0)


def _transform(of: Fields) -> StampedPose:
    position, rotation = _numbers(_nested_fields(of, 4), 3), _rotation(_numbers(_nested_fields(of, 5), 4))
    return StampedPose(_stamp(_nested_fields(of, 1)), _text(of, 2), _text(of, 3), position, rotation)


def _pose(of: Fields) -> StampedPose:
    pose = _nested_fields(of, 3)
    position, rotation = _numbers(_nested_fields(pose, 1), 3), _rotation(_numbers(_nested_fields(pose, 2), 4))
    return StampedPose(_stamp(_nested_fields(of, 1)), _text(of, 2), "", position, rotation)


def _camera(of: Fields) -> CameraInfo:
    stamp, sizes = _stamp(_nested_fields(of, 1)), (_size(of, 2), _size(of, 3))
    return CameraInfo(stamp, _text(of, 9), *sizes, _text(of, 4), *(_doubles(of, number) for number in (5, 6, 7, 8)))


def _json_stamp(of: Any) -> int:
    if isinstance(of, str):  # RFC 3339, as protobuf writes it in JSON
        date, _, fraction = of.rstrip("Z").partition(".")
        seconds = int(datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp())
        return seconds * NS + int(f"{fraction:0<9.9}" if fraction else 0)
    return int(of.get("sec", 0)) * NS + int(of.get("nsec", of.get("nanosec", 0)))


def _json_numbers(of: Any, names: str) -> Triple:
    return tuple(float(of.get(name, 0.0)) for name in names)


def _json_transform(of: Any) -> StampedPose:
    return StampedPose(
        _json_stamp(of["timestamp"]),
        str(of["parent_frame_id"]),
        str(of["child_frame_id"]),
        _json_numbers(of.get("translation", {}), "xyz"),
        _rotation(_json_numbers(of.get("rotation", {}), "xyzw")),
    )


def _json_pose(of: Any) -> StampedPose:
    pose = of["pose"]
    return StampedPose(
        _json_stamp(of["timestamp"]),
        str(of["frame_id"]),
        "",
        _json_numbers(pose.get("position", {}), "xyz"),
        _rotation(_json_numbers(pose.get("orientation", {}), "xyzw")),
    )


def _json_camera(of: Any) -> CameraInfo:
    sizes = int(of["width"]), int(of["height"])
    matrices = (tuple(map(float, of.get(name, ()))) for name in "DKRP")
    return CameraInfo(
        _json_stamp(of["timestamp"]), str(of["frame_id"]), *sizes, str(of.get("distortion_model", "")), *matrices
    )


READERS: dict[str, tuple[Callable[[Fields], list[Message]], Callable[[Any], list[Message]]]] = {
    "foxglove.FrameTransform": (lambda of: [_transform(of)], lambda of: [_json_transform(of)]),
    "foxglove.FrameTransforms": (
        lambda of: [_transform(fields(part)) for part in of.get(1, ())],
        lambda of: [_json_transform(part) for part in of.get("transforms", ())],
    ),
    "foxglove.PoseInFrame": (lambda of: [_pose(of)], lambda of: [_json_pose(of)]),
    "foxglove.CameraCalibration": (lambda of: [_camera(of)], lambda of: [_json_camera(of)]),
}
"""Readers of messages from protobuf and from JSON, by schema name."""
