"""Identifiers in expressions: the names that expressions may use are among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from pydantic import BaseModel

_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def words_in(item: BaseModel) -> frozenset[str]:
    """Return the words of all texts in an item, or in a scene.

    Examples
    --------
    >>> from framescope.core.scene.schema.poses import Position
    >>> sorted(words_in(Position(value=("radius*cos(t)", 0.0, 1.0), unit="mm")))
    ['cos', 'mm', 'radius', 't']
    """
    return frozenset(_words(item.model_dump(exclude_unset=True)))


def _words(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield from _WORD.findall(data)
        return
    parts: Iterable[Any] = ()
    if isinstance(data, Mapping):
        parts = cast("Mapping[str, Any]", data).values()
    elif isinstance(data, list | tuple):
        parts = cast("Iterable[Any]", data)
    for part in parts:
        yield from _words(part)
