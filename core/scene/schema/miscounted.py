"""Lists of numbers with too few or too many of them: a scene with one opens, and its item has a problem.

A pose needs its numbers in full. A list of another length becomes a `Miscounted`. It has as many entries as its field
needs, so that code can unpack it, and it is saved as it was written.
"""

# Plain data of any shape passes through here; its types are checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Self

from pydantic import SerializerFunctionWrapHandler, ValidatorFunctionWrapHandler, WrapSerializer, WrapValidator

from framescope.core.scene.schema.base import Signal3, Vector3

MAX_AUTHORED = 100
"""Largest number of entries of a list of wrong length. Longer lists are no numbers of a pose."""

MISSING = float("nan")
"""Entry that stands for a missing number."""


class Miscounted(tuple[Any, ...]):  # noqa: SLOT001 - a tuple has no slots for an attribute
    """List of wrong length: its first entries, and NaN for missing ones; `authored` is the list as it was written."""

    authored: tuple[Any, ...]

    def __new__(cls, authored: Sequence[Any], count: int, missing: Any = MISSING) -> Self:
        """Return the list with `count` entries."""
        self = super().__new__(cls, (*authored, *([missing] * count))[:count])
        self.authored = tuple(authored)
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Miscounted) and self.authored == other.authored and len(self) == len(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.authored)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.authored, len(self), self[-1] if len(self.authored) < len(self) else MISSING)


def _take(count: int, filler: Any, missing: Any) -> Callable[[Any, ValidatorFunctionWrapHandler], Any]:
    """Return the validator of a list of `count` entries that takes lists of other lengths, too.

    `filler` is any valid entry, with which the present entries of a short list are validated. Edits of single entries
    pass the others as they are: missing entries at the end stay missing, others become `filler`.
    """

    def take(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
        if isinstance(value, Miscounted):
            value = value.authored
        elif isinstance(value, tuple) and any(map(_is_missing, value)):
            last = max((i for i, entry in enumerate(value) if not _is_missing(entry)), default=-1)
            value = [filler if _is_missing(entry) else entry for entry in value[: last + 1]]
        n = len(value) if isinstance(value, list | tuple) else count
        if n == count or n > MAX_AUTHORED:
            return validate(value)
        entries: list[Any] = []
        for start in range(0, n, count):
            part = value[start : start + count]
            entries += validate([*part, *[filler] * (count - len(part))])[: len(part)]
        return Miscounted(entries, count, missing)

    return take


def _is_missing(entry: Any) -> bool:
    return entry != entry or (isinstance(entry, tuple) and all(map(_is_missing, entry)))  # noqa: PLR0124 - NaN


def _write(value: Any, write: SerializerFunctionWrapHandler) -> Any:
    if not isinstance(value, Miscounted):
        return write(value)
    return tuple(tuple(row) if isinstance(row, tuple) else row for row in value.authored)


AnySignals3 = Annotated[Signal3, WrapValidator(_take(3, 0.0, MISSING)), WrapSerializer(_write)]
"""Three signals, or a list of wrong length."""

AnyVector3 = Annotated[Vector3, WrapValidator(_take(3, 0.0, MISSING)), WrapSerializer(_write)]
"""Three numbers, or a list of wrong length."""

ANY_FOUR = (WrapValidator(_take(4, 0.0, MISSING)), WrapSerializer(_write))
"""Marks of four numbers, or of a list of wrong length."""

ANY_ROWS = (WrapValidator(_take(3, (0.0, 0.0, 0.0), (MISSING, MISSING, MISSING))), WrapSerializer(_write))
"""Marks of three rows, or of a list of wrong length."""
