"""The models that the schema of a scene reaches, and those that a scene has, with the fields that it sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.model import ITEM_KINDS, ItemKey, Scene


def models() -> list[type[Item]]:
    """Return all models that the schema of a scene reaches, members of unions included."""
    reached: list[type[Item]] = [Scene]
    for model in reached:
        for info in model.model_fields.values():
            reached += [other for other in models_in(info.annotation) if other not in reached]
    return reached


def models_in(annotation: Any) -> list[type[Item]]:
    """Return the models in a type."""
    if isinstance(annotation, type) and issubclass(annotation, Item):
        return [annotation]
    return [model for part in get_args(annotation) for model in models_in(part)]


def set_fields(node: Any) -> Iterator[tuple[type[Item], str]]:
    """Yield the model and the name of each field that a scene or a part of one sets, those of its parts included."""
    if isinstance(node, Item):
        for key in sorted(node.model_fields_set):
            yield type(node), key
            yield from set_fields(getattr(node, key))
    elif isinstance(node, Mapping):
        for part in node.values():
            yield from set_fields(part)
    elif isinstance(node, tuple):
        for part in node:
            yield from set_fields(part)


def items_of(scene: Scene) -> list[ItemKey]:
    return [(kind, name) for kind in ITEM_KINDS for name in getattr(scene, kind)]


def one_of_each(scene: Scene) -> list[ItemKey]:
    """Return the first item of each combination of models."""
    return list(
        {
            (kind, *sorted(_models_of(getattr(scene, kind)[name]))): (kind, name)
            for kind, name in reversed(items_of(scene))
        }.values()
    )


def _models_of(item: Item) -> set[str]:
    parts = (getattr(item, key) for key in item.model_fields_set)
    return {type(item).__name__, *(type(part).__name__ for part in parts if isinstance(part, Item))}
