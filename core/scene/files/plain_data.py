"""Plain data of a scene, and its comparison with the content of a file."""

# Plain data of any shape passes through here; its types are checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from framescope.core.scene.files import ruamel_round_trip
from framescope.core.scene.schema.miscounted import Miscounted
from framescope.core.scene.schema.plain_scalars import plain_scalar


def is_nested(value: Any) -> bool:
    """Return whether a value is a mapping or a list."""
    return isinstance(value, Mapping | list | tuple)


def part(source: object, key: str | int) -> object:
    """Return the object from which a part of plain data was made; None for a key without such an object."""
    if isinstance(source, Mapping):
        return source[key]
    if isinstance(source, Miscounted):
        return source.authored[int(key)]
    if isinstance(source, list | tuple):
        return source[int(key)]
    return getattr(source, str(key), None)


def means(written: Any, value: Any) -> bool:
    """Return whether a scalar of a file reads as a value, including the sign of zero."""
    read = plain_scalar(written) if isinstance(written, ruamel_round_trip.Plain) else written
    if isinstance(value, float) and isinstance(read, int | float) and not isinstance(read, bool):
        return repr(float(read)) == repr(value)
    if isinstance(value, str):
        return isinstance(read, str) and read == value
    return type(read) is type(value) and read == value


def is_equal(read: Any, value: Any, source: object) -> bool:
    """Return whether data read from a file equals a value; `source` is the object from which the value was made.

    The order of names of items matters, the order of an item's keys does not.
    """
    if isinstance(value, Mapping):
        is_alike = isinstance(read, Mapping) and read.keys() == value.keys()
        is_alike = is_alike and not (isinstance(source, Mapping) and list(read) != list(value))
        return is_alike and all(is_equal(read[key], item, part(source, key)) for key, item in value.items())
    if isinstance(value, list | tuple):
        is_alike = isinstance(read, list) and len(read) == len(value)
        return is_alike and all(is_equal(read[i], item, part(source, i)) for i, item in enumerate(value))
    return not is_nested(read) and means(read, value)
