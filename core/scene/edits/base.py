"""Edits: pure, labelled functions from a scene to a scene.

A label is a short sentence in the past tense, shown by undo and in the status line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from framescope.core.errors import did_you_mean
from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.model import ITEM_KINDS, Scene

DECIMALS = 12
"""Decimals of an angle set by dragging, in its authored unit; cuts off only conversion errors."""


@dataclass(frozen=True)
class Edit:
    """A change of a scene with the label that undo shows."""

    label: str
    apply: Callable[[Scene], Scene]


def set_frame(scene: Scene, name: str, **changes: object) -> Scene:
    """Return the scene with some fields of one frame replaced."""
    frame = scene.frames[name].model_copy(update=changes)
    return scene.model_copy(update={"frames": scene.frames | {name: frame}})


def with_item(scene: Scene, kind: str, name: str, item: Item) -> Scene:
    """Return the scene with an item added or replaced.

    Parameters
    ----------
    kind
        ``"frames"``, ``"bodies"``, ``"points"``, ``"elements"``, ``"sensors"`` or ``"measured"``.
    name, item
        Name of the item, and the item.

    Raises
    ------
    ValueError
        When the kind does not exist, or the item is of another kind.

    Examples
    --------
    >>> from framescope.core.scene.schema.model import Frame
    >>> with_item(Scene(), "frames", "arm", Frame(parent="world")).frames["arm"].parent
    'world'
    """
    items = _items(scene, kind)
    try:
        changed = Scene.model_validate({kind: {name: item}})
    except ValidationError as error:
        raise ValueError(f"{kind}: {name!r} is no item of this kind: {error.errors()[0]['msg']}") from None
    return scene.model_copy(update={kind: items | getattr(changed, kind)})


def without_item(scene: Scene, kind: str, name: str) -> Scene:
    """Return the scene without an item; references to it stay and become problems.

    >>> from framescope.core.scene.schema.model import Frame
    >>> scene = with_item(Scene(), "frames", "arm", Frame(parent="world"))
    >>> len(without_item(scene, "frames", "arm").frames)
    0
    """
    items = _items(scene, kind)
    if name not in items:
        raise ValueError(f"{kind}: there is no {name!r}. {did_you_mean(name, items)}".strip())
    return scene.model_copy(update={kind: items.without(name)})


def _items(scene: Scene, kind: str) -> FrozenDict[Any]:
    if kind not in ITEM_KINDS:
        raise ValueError(f"kind: expected one of {', '.join(ITEM_KINDS)}, got {kind!r}")
    return getattr(scene, kind)
