"""Options of a picture: data shown besides the scene, such as the selected frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.scene.schema.model import ItemKey

Value = TypeVar("Value")


def whole(value: object) -> object:
    """Return the value, so that every change makes the renderer rebuild its visuals."""
    return value


def nothing(value: object) -> None:
    """Return None, so that visuals apply every change without a rebuild."""


@dataclass(frozen=True, eq=False)
class SceneOption(Generic[Value]):
    """Option of a picture, usually defined beside the visual that shows it.

    Attributes
    ----------
    default
        Value of the option while none is set.
    look
        Function that returns the part of a value that requires new actors. If that part changes, the renderer rebuilds
        its visuals. Otherwise `Visual.apply_option` applies the value.
    is_shared
        Whether the second picture of a split window shows it, too, when a rotation is read both ways.
    hides_values
        Whether arrows hide their values, to make room for the visual, while the option is not at its default.
    """

    default: Value
    look: Callable[[Value], object] = whole
    is_shared: bool = True
    hides_values: bool = False


class SceneOptions:
    """Values of options: one mapping for all visuals of a picture, which their renderer changes in place."""

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
        """Whether an option hides the values of arrows."""
        return any(option.hides_values and value != option.default for option, value in self._values.items())

    def shared(self) -> list[tuple[SceneOption[Any], Any]]:
        """Return the options, with their values, that a second picture shows, too."""
        return [(option, value) for option, value in self._values.items() if option.is_shared]


def _frame_and_sequence(rotation: StagedRotation | None) -> tuple[str, str] | None:
    return None if rotation is None else (rotation.frame, rotation.sequence)


SELECTED = SceneOption[str | None](None, nothing)
"""Selected frame."""

LEAST_OUTLINES = 4
"""Outlines that every picture has ready."""


def n_outlines(frames: Sequence[str]) -> int:
    """Return how many outlines a picture has for some frames: twice as many whenever they no longer suffice."""
    return max(LEAST_OUTLINES, 1 << (len(frames) - 1).bit_length()) if frames else LEAST_OUTLINES


ALSO_SELECTED = SceneOption[tuple[str, ...]]((), n_outlines)
"""Frames that are selected beside `SELECTED`."""

HOVERED = SceneOption[ItemKey | None](None, nothing, is_shared=False)
"""Item under the pointer."""

STAGED_ROTATION = SceneOption[StagedRotation | None](None, _frame_and_sequence)
"""Rotation shown as single turns about the axes of a sequence."""

HIDDEN_AXES = SceneOption[frozenset[tuple[str, int]]](frozenset())
"""Single axes that are not drawn: name of the frame, and 0, 1 or 2."""

LARGE_CORNERS = SceneOption[bool](False, nothing, is_shared=False)
"""Whether title and clock are large enough for the last row of a lecture hall."""

SILENT_NAMES = SceneOption[frozenset[str]](frozenset(), nothing)
"""Frames whose names are not drawn, but keep their places: other names are where they are with them."""
