"""Options of a picture: data that visuals show besides the scene, such as the selected frame."""

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
class SceneOption(Generic[Value]):
    """One kind of such data. A module defines it beside the visual that shows it.

    Attributes
    ----------
    default
        Its value where nobody has given one.
    look
        Part of a value that decides on actors. Where it changes, the renderer makes its visuals anew; otherwise
        `Visual.apply_option` takes the value.
    is_shared
        Whether the second half of the window shows it, too, where a rotation is read both ways.
    hides_values
        Whether arrows leave out their values while the option has another value than its default: its visual needs
        their room.
    """

    default: Value
    look: Callable[[Value], object] = whole
    is_shared: bool = True
    hides_values: bool = False


class SceneOptions:
    """The value of each option: one mapping for all visuals of a picture, changed in place by their renderer."""

    def __init__(self, values: Mapping[SceneOption[Any], Any] | None = None) -> None:
        self._values: dict[SceneOption[Any], Any] = dict(values or {})

    def __getitem__(self, option: SceneOption[Value]) -> Value:
        return self._values.get(option, option.default)

    def __setitem__(self, option: SceneOption[Value], value: Value) -> None:
        self._values[option] = value

    def __iter__(self) -> Iterator[SceneOption[Any]]:
        return iter(self._values)

    @property
    def hides_values(self) -> bool:
        """Whether an option takes the room of the values of arrows."""
        return any(option.hides_values and value != option.default for option, value in self._values.items())

    def shared(self) -> list[tuple[SceneOption[Any], Any]]:
        """Return what a second picture shows, too."""
        return [(option, value) for option, value in self._values.items() if option.is_shared]


def _turns_of(rotation: StagedRotation | None) -> tuple[str, str] | None:
    return None if rotation is None else (rotation.frame, rotation.sequence)


SELECTED = SceneOption[str | None](None, nothing)
"""The frame that is selected."""

HOVERED = SceneOption[ItemKey | None](None, nothing, is_shared=False)
"""What the pointer is over."""

STAGED_ROTATION = SceneOption[StagedRotation | None](None, _turns_of)
"""The rotation that is shown turn by turn: which frame, and in which sequence."""
