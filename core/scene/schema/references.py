"""References between items, with the table of all fields that name items of the scene.

Renaming, deleting and copying find names through these functions. A new field of the schema needs an entry in
`REFERENCES` only; a test reports fields that are missing there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, cast, get_args

from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.bodies import Body
from framescope.core.scene.schema.films import DollyCamera, FollowCamera, Inset, StagedTurns
from framescope.core.scene.schema.measured import MeasuredPose, MeasuredVector
from framescope.core.scene.schema.model import ITEM_KINDS, WORLD, Frame, ParentKey, Scene
from framescope.core.scene.schema.motions import BagParent, Simulated, Transforms
from framescope.core.scene.schema.points import JoiningElement, Point
from framescope.core.scene.schema.sensors import AbsoluteSensor, RecordedSensor, RelativeSensor
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.view import Arcs, Hidden, IntermediateFrames, Note, PlottedSignal, Rings, Trail, View

Key = tuple[str, str]
"""Kind and name of an item, such as ``("frames", "camera")``."""

BY_SIGNAL = "by signal"
"""Mark for the field `of` of a plot, whose kind of item depends on the signal."""

_ON_FRAME = {"frame": "frames"}

REFERENCES: Mapping[type[Item], Mapping[str, str]] = {
    Frame: {"parent": "frames"},
    ParentKey: {"parent": "frames"},
    BagParent: _ON_FRAME,
    Simulated: {"like": "frames"},
    Body: _ON_FRAME,
    Point: {"body": "bodies"},
    JoiningElement: {"point": "points", "to": "points"},
    AbsoluteSensor: {"frame_a": "frames", "frame_resolve": "frames"},
    RecordedSensor: {"frame_a": "frames"},
    RelativeSensor: {"frame_a": "frames", "frame_b": "frames", "resolve_in": "frames"},
    MeasuredPose: {"of": "frames", "relative_to": "frames"},
    MeasuredVector: {"of": "frames", "relative_to": "frames", "resolved_in": "frames"},
    Note: _ON_FRAME,
    View: {"frames": "frames"},
    Hidden: {kind: kind for kind in ITEM_KINDS},
    FollowCamera: _ON_FRAME,
    DollyCamera: {"to": "frames"},
    StagedTurns: _ON_FRAME,
    Inset: {"of": "frames"},
    Rings: _ON_FRAME,
    Arcs: _ON_FRAME,
    IntermediateFrames: _ON_FRAME,
    Trail: _ON_FRAME,
    PlottedSignal: {"of": BY_SIGNAL, "relative_to": "frames", "resolved_in": "frames", "through": "frames"},
}
"""Kinds of the named items, by model and field. A field is a name, a list, or a mapping with names as keys."""

OWNERS: Mapping[type, str] = {
    Frame: "parent",
    Body: "frame",
    Point: "body",
    JoiningElement: "point",
    AbsoluteSensor: "frame_a",
    RecordedSensor: "frame_a",
    RelativeSensor: "frame_b",
    MeasuredPose: "of",
    MeasuredVector: "of",
    Note: "frame",
}
"""Field that names the owner of an item in the outline, by model."""

AnyItem = TypeVar("AnyItem", bound=Item)


def references(item: Item) -> Iterator[Key]:
    """Yield the keys of all items that an item or its parts name.

    >>> list(references(Frame(parent="stand")))
    [('frames', 'stand')]
    """
    yield from _own_keys(item)
    for part in _parts(item):
        yield from references(part)


def _own_keys(item: Item) -> Iterator[Key]:
    for field, kind in own_references(item):
        value = getattr(item, field)
        names: Iterable[str] = (value,) if isinstance(value, str) else value or ()
        yield from ((kind, name) for name in names)


SPARED: tuple[type[Item], ...] = (ParentKey, BagParent)
"""Parts that are removed together with the item they name; the item that contains the part stays."""


def _needs(item: Item) -> Iterator[Key]:
    """Yield the keys of the items without which an item cannot exist."""
    if not isinstance(item, SPARED):
        parts = (key for part in _parts(item) for key in _needs(part))
        yield from (*_own_keys(item), *parts)


def own_references(item: Item) -> Iterator[tuple[str, str]]:
    """Yield the fields of an item that name other items, and the kind of these items."""
    for field, kind in reference_fields(type(item)).items():
        yield field, _item_of_signal(item) if kind == BY_SIGNAL else kind


def _item_of_signal(item: Item) -> str:
    """Return the kind of the item of a plotted signal; frames for sums over bodies, which have no item."""
    return signal_named(getattr(item, "signal", "")).item or "frames"


def with_names(item: AnyItem, new_name: Callable[[str, str], str]) -> AnyItem:
    """Return an item with replaced names, or the same object if no name changes.

    Parameters
    ----------
    item
        Part of a scene, or a scene; the keys under which a scene lists its items stay.
    new_name
        Function that returns the new name for a kind and a name.

    Examples
    --------
    >>> with_names(Frame(parent="stand"), lambda kind, name: name.upper()).parent
    'STAND'
    """
    changes: dict[str, Any] = {}
    for field, kind in own_references(item):
        old = getattr(item, field)
        if isinstance(old, str):
            new: Any = new_name(kind, old)
        elif isinstance(old, FrozenDict):
            looks = cast("FrozenDict[Any]", old)
            new = FrozenDict({new_name(kind, name): look for name, look in looks.items()})
        else:
            new = old and tuple(new_name(kind, name) for name in old)
        if new != old:
            changes[field] = new
    return _with_parts(item, changes, lambda part: with_names(part, new_name))


def without_references(item: AnyItem, removed: Collection[Key]) -> AnyItem | None:
    """Return an item without the parts that name removed items; None if the item itself names a removed item.

    >>> without_references(View(trails=(Trail(frame="a", duration="1 s"),)), {("frames", "a")}).trails
    ()
    """
    changes: dict[str, Any] = {}
    for field, kind in own_references(item):
        old = getattr(item, field)
        if isinstance(old, str):
            if (kind, old) in removed:
                return None
        elif old and any((kind, name) in removed for name in old):
            if isinstance(old, FrozenDict):
                looks = cast("FrozenDict[Any]", old)
                changes[field] = FrozenDict({name: look for name, look in looks.items() if (kind, name) not in removed})
            else:
                changes[field] = tuple(name for name in old if (kind, name) not in removed)
    return _with_parts(item, changes, lambda part: without_references(part, removed))


def _with_parts(item: AnyItem, changes: dict[str, Any], change: Callable[[Any], Any]) -> AnyItem:
    """Return an item with changed fields, and with `change` applied to each nested item."""
    for field in _fields_with_parts(type(item)):
        old = changes.get(field, getattr(item, field))
        new = _map_parts(old, change)
        if new is not old:
            changes[field] = new
    return item.model_copy(update=changes) if changes else item


# --- The graph of items


def keys_of(scene: Scene) -> Iterator[Key]:
    """Yield the keys of all items of a scene, in the order of the file."""
    return ((kind, name) for kind in ITEM_KINDS for name in getattr(scene, kind))


def item_of(scene: Scene, key: Key) -> Item | None:
    """Return the item of a key; None when there is none."""
    kind, name = key
    return getattr(scene, kind).get(name) if kind in ITEM_KINDS else None


def owner_of(item: Item) -> Key | None:
    """Return the key of the owner of an item in the outline; None if it has no owner.

    >>> owner_of(Frame(parent="stand"))
    ('frames', 'stand')
    """
    field = owner_field(type(item))
    return (reference_fields(type(item))[field], getattr(item, field)) if field else None


@cache
def owner_field(model: type[Item]) -> str:
    """Return the field that names the owner of an item in the outline; empty for models without owner."""
    return next((OWNERS[base] for base in model.__mro__ if base in OWNERS), "")


def has_transforms(scene: Scene) -> bool:
    """Return whether a frame of a scene moves by the transforms of a bag."""
    return any(isinstance(frame.motion, Transforms) for frame in scene.frames.values())


def hanging_on(scene: Scene, keys: Iterable[Key]) -> dict[Key, None]:
    """Return items and all their descendants (frames, bodies and so on) in the order of the file."""

    def owners(item: Item) -> Iterable[Key]:
        owner = owner_of(item)
        return () if owner is None else (owner,)

    return _collect_users(scene, keys, owners)


def needing(scene: Scene, keys: Iterable[Key]) -> dict[Key, None]:
    """Return items and all items that name them, directly or through other items, in the order of the file."""
    return _collect_users(scene, keys, _needs)


def _collect_users(scene: Scene, keys: Iterable[Key], needs: Callable[[Item], Iterable[Key]]) -> dict[Key, None]:
    users: dict[Key, list[Key]] = {}
    for kind in ITEM_KINDS:
        for name, item in getattr(scene, kind).items():
            for needed in needs(item):
                users.setdefault(needed, []).append((kind, name))
    reached = {key for key in keys if key == ("frames", WORLD) or item_of(scene, key) is not None}
    waiting = list(reached)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if user not in reached:
                reached.add(user)
                waiting.append(user)
    return {key: None for key in keys_of(scene) if key in reached}


# --- The models


@cache
def reference_fields(model: type[Item]) -> Mapping[str, str]:
    """Return the references of a model and its base classes."""
    return {field: kind for base in model.__mro__ for field, kind in REFERENCES.get(base, {}).items()}


@cache
def _fields_with_parts(model: type[Item]) -> tuple[str, ...]:
    """Return the fields of a model that contain parts with references."""
    return tuple(
        name
        for name, field in model.model_fields.items()
        if any(_has_references(part) for part in models_in(field.annotation))
    )


@cache
def _has_references(model: type[Item]) -> bool:
    return bool(reference_fields(model) or _fields_with_parts(model))


def models_in(annotation: Any) -> Iterator[type[Item]]:
    """Yield the models in a type annotation."""
    if isinstance(annotation, type) and issubclass(annotation, Item):
        yield annotation
    for part in get_args(annotation):
        yield from models_in(part)


def _parts(item: Item) -> Iterator[Item]:
    for field in _fields_with_parts(type(item)):
        value = getattr(item, field)
        values: Iterable[Any] = (value,)
        if isinstance(value, FrozenDict):
            values = cast("FrozenDict[Any]", value).values()
        elif isinstance(value, tuple):
            values = cast("tuple[Any, ...]", value)
        yield from (part for part in values if isinstance(part, Item))


def _map_parts(value: Any, change: Callable[[Item], Item | None]) -> Any:
    """Apply `change` to the parts in a field, without those that become None; the same object if none changes."""
    if isinstance(value, Item):
        return change(value)
    if isinstance(value, FrozenDict):
        items = cast("FrozenDict[Any]", value)
        pairs = [(name, _map_parts(part, change), part) for name, part in items.items()]
        if all(new is old for _, new, old in pairs):
            return items
        return FrozenDict({name: new for name, new, _ in pairs if new is not None})
    if isinstance(value, tuple):
        old = cast("tuple[Any, ...]", value)
        new = [_map_parts(part, change) for part in old]
        return old if all(a is b for a, b in zip(new, old, strict=True)) else tuple(x for x in new if x is not None)
    return value
