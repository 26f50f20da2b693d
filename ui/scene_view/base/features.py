"""Features of a picture: data that visuals show besides the scene, such as what is selected, by what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.scene.schema.model import ItemKey

Value = TypeVar("Value")


def whole(value: object) -> object:
    """Return a value itself: another one has the visuals made anew."""
    return value


def nothing(value: object) -> None:
    """Return nothing of a value: visuals take another one as they are."""


@dataclass(frozen=True, eq=False)
class Feature(Generic[Value]):
    """One kind of such data; defined beside the visual that shows it.

    Attributes
    ----------
    default
        Its value where nobody has given one.
    look
        What of a value decides on actors: where that changes, visuals are made anew, else they `heed` the value.
    is_shared
        Whether the second half of the window shows it, too, where a rotation is read both ways.
    """

    default: Value
    look: Callable[[Value], object] = whole
    is_shared: bool = True


class Features:
    """The value of each feature: one mapping for all visuals of a picture, changed in place by their renderer."""

    def __init__(self, values: Mapping[Feature[Any], Any] | None = None) -> None:
        self._values: dict[Feature[Any], Any] = dict(values or {})

    def __getitem__(self, feature: Feature[Value]) -> Value:
        return self._values.get(feature, feature.default)

    def __setitem__(self, feature: Feature[Value], value: Value) -> None:
        self._values[feature] = value

    def __iter__(self) -> Iterator[Feature[Any]]:
        return iter(self._values)

    def shared(self) -> list[tuple[Feature[Any], Any]]:
        """Return what a second picture shows, too."""
        return [(feature, value) for feature, value in self._values.items() if feature.is_shared]


def _turns_of(rotation: StagedRotation | None) -> tuple[str, str] | None:
    return None if rotation is None else (rotation.frame, rotation.sequence)


SELECTED = Feature[str | None](None, nothing)
"""The frame that is selected."""

HOVERED = Feature[ItemKey | None](None, nothing, is_shared=False)
"""What the pointer is over."""

STAGED_ROTATION = Feature[StagedRotation | None](None, _turns_of)
"""The rotation that is shown turn by turn: which frame, and in which sequence."""
