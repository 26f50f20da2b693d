"""Identifiers in expressions: the names that expressions may use are among them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

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
    found: set[str] = set()
    _gather(item.model_dump(exclude_unset=True), found)
    return frozenset(found)


def _gather(data: object, found: set[str]) -> None:
    """Add the words of all texts in plain data to those found."""
    if isinstance(data, str):
        found.update(_WORD.findall(data))
    elif isinstance(data, dict):
        for part in cast("dict[str, object]", data).values():
            _gather(part, found)
    elif isinstance(data, list | tuple):
        for part in cast("Iterable[object]", data):
            if not isinstance(part, float):
                _gather(part, found)
