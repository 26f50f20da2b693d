"""Words in the texts of scenes, including all names that expressions use."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

from pydantic import BaseModel

_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def words_in(item: BaseModel) -> frozenset[str]:
    """Return the words in all texts of an item or a scene.

    Examples
    --------
    >>> from framescope.core.scene.schema.poses import Position
    >>> sorted(words_in(Position(value=("radius*cos(t)", 0.0, 1.0), unit="mm")))
    ['cos', 'mm', 'radius', 't']
    """
    words: set[str] = set()
    _gather(item.model_dump(exclude_unset=True), words)
    return frozenset(words)


def _gather(data: object, words: set[str]) -> None:
    """Add the words of all texts in plain data to `words`."""
    if isinstance(data, str):
        words.update(_WORD.findall(data))
    elif isinstance(data, dict):
        for part in cast("dict[str, object]", data).values():
            _gather(part, words)
    elif isinstance(data, list | tuple):
        for part in cast("Iterable[object]", data):
            if not isinstance(part, float):
                _gather(part, words)
