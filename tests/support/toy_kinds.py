"""Kinds that are registered for a test: in their registry, and in the unions of the models that hold them."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from copy import copy
from typing import Annotated, Any, Union, get_args, get_origin

from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.kinds.registry import Kind, Kinds

Registration = tuple[Kinds, Kind, *tuple[tuple[MutableMapping, object, object], ...]]
"""A registry, a kind for it, and entries of the kind elsewhere: tables with key and value."""


@contextmanager
def registered(*registrations: Registration) -> Iterator[None]:
    """Register kinds, and rebuild the models once for all of them."""
    try:
        with ExitStack() as stack:
            for registration in registrations:
                stack.enter_context(_entered(*registration))
            _rebuild()
            yield
    finally:
        _rebuild()


@contextmanager
def _entered(kinds: Kinds, kind: Kind, *tables: tuple[MutableMapping, object, object]) -> Iterator[None]:
    family, before = set(kinds.by_model), {}
    for model in _models(Item):
        for name, info in model.model_fields.items():
            annotation = _extended(info.annotation, family, kind.model)
            if annotation != info.annotation:
                before[model, name] = info
                model.model_fields[name] = copy(info)
                model.model_fields[name].annotation = annotation
    kinds.by_model[kind.model] = kind
    for table, key, value in tables:
        table[key] = value
    try:
        yield
    finally:
        for table, key, _ in tables:
            del table[key]
        del kinds.by_model[kind.model]
        for (model, name), info in before.items():
            model.model_fields[name] = info


def _models(base: type[Item]) -> Iterator[type[Item]]:
    for model in base.__subclasses__():
        yield model
        yield from _models(model)


def _extended(annotation: Any, family: set[type[Item]], model: type[Item]) -> Any:
    """Return a type with a model in each union of at least two of a family."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return Annotated[(_extended(args[0], family, model), *args[1:])]
    if origin in (Union, types.UnionType):
        members = tuple(_extended(arg, family, model) for arg in args)
        return Union[(*members, model)] if len(family & set(args)) > 1 else Union[members]  # noqa: UP007 - made of parts
    if args and origin is not None and any(isinstance(arg, type) or get_args(arg) for arg in args):
        extended = tuple(_extended(arg, family, model) for arg in args)
        return origin[extended] if extended != args else annotation
    return annotation


def _rebuild() -> None:
    """Have all models read what they consist of once more, and every cache of it forget."""
    for model in _models(Item):
        model.model_rebuild(force=True)
    for name, module in list(sys.modules.items()):
        if name.startswith(("framescope.core.scene.", "framescope.ui.panels.inspector.")):
            for member in vars(module).values():
                if hasattr(member, "cache_clear"):
                    member.cache_clear()
