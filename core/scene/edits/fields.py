"""Edits of single fields of a scene, by key path; invalid values are rejected.

A path is as in the file: ``("bodies", "disc", "shape", "radius")``. Keys left out of the file stay left out.
"""

# Scenes of any shape pass through here; the types of their parts are checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import TypeAdapter, ValidationError

from framescope.core.errors import ExpressionError, FramescopeError, KeyPath
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.bounds import broken_bound
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.view import FrameLook
from framescope.core.time_functions.expressions import check_parameter_name


class RefusedValueError(FramescopeError, ValueError):
    """Error of an invalid value of a field; the message states the expected values."""


def value_at(scene: Scene, path: KeyPath) -> Any:
    """Return the value of a field; raise a `KeyError` if there is no such field.

    Examples
    --------
    >>> value_at(Scene(), ("time", "end")).value
    10.0
    """
    node: Any = scene
    for i, part in enumerate(path):
        node = _child(node, part, path[: i + 1])
    return node


def with_value(scene: Scene, path: KeyPath, value: object) -> Scene:
    """Return the scene with a new value of one field, validated as if read from a file.

    The last part of a path may be a new name of a mapping, or the index after the last of a list.

    Raises
    ------
    RefusedValueError
        When the field cannot have this value.
    KeyError
        When the place no longer exists.

    Examples
    --------
    >>> with_value(Scene(), ("time", "end"), "5 s").time.end.value
    5.0
    >>> with_value(Scene(), ("simulation", "tolerance"), 1.0)
    Traceback (most recent call last):
    ...
    framescope.core.scene.edits.fields.RefusedValueError: Expected at most 0.01.
    """
    if not path:
        raise _missing_error("the field")
    nodes: list[Any] = [scene]
    for i, part in enumerate(path[:-1]):
        nodes.append(_child(nodes[-1], part, path[: i + 1]))
    last = max(i for i, node in enumerate(nodes) if isinstance(node, Item))
    changed: Any = value
    for i in reversed(range(len(path))):
        changed = _replace_part(nodes[i], path[i], changed, is_checked=i == last)
    return changed


def without_value(scene: Scene, path: KeyPath) -> Scene:
    """Return the scene without one field, one name of a mapping, or one entry of a list.

    Examples
    --------
    >>> scene = with_value(Scene(), ("gravity",), {"value": (0, 0, -9.81), "unit": "m/s²"})
    >>> without_value(scene, ("gravity",)) == Scene()
    True
    """
    node, key = value_at(scene, path[:-1]), path[-1]
    if isinstance(node, FrameLook) and node.model_fields_set <= {key}:
        return without_value(scene, path[:-1])  # no setting of the frame remains
    if isinstance(node, Item):
        remaining: Any = _without_field(node, str(key))
    elif isinstance(node, FrozenDict):
        remaining = node.without(str(key))
    elif isinstance(node, tuple):
        remaining = tuple(item for i, item in enumerate(node) if i != key)
    else:
        raise _missing_error(key)
    return with_value(scene, path[:-1], remaining) if path[:-1] else remaining


def set_values(values: Mapping[KeyPath, object], label: str) -> Edit:
    """Return the edit that sets several fields at once; applying it raises `RefusedValueError` if one is rejected."""

    def apply(scene: Scene) -> Scene:
        for path, value in values.items():
            try:
                scene = with_value(scene, path, value)
            except KeyError as gone:  # deleted or undone during the edit
                raise RefusedValueError(f"{gone.args[0]} is not there any more, so nothing is changed.") from None
        return scene

    return Edit(label, apply)


def unset_value(path: KeyPath, label: str) -> Edit:
    """Return the edit that removes a field."""
    return Edit(label, lambda scene: without_value(scene, path))


def rename_parameter(old: str, new: str, label: str) -> Edit:
    """Return the edit that renames a parameter, also in every expression that uses it.

    Raises
    ------
    RefusedValueError
        When the new name is invalid, or (on applying the edit) taken.

    Examples
    --------
    >>> scene = Scene.model_validate({"parameters": {"a": 1, "b": 2}, "frames": {"f": {"parent": "world", "position":
    ...     {"value": ["a*sin(t)", 0, 0], "unit": "m"}}}})
    >>> renamed = rename_parameter("a", "amplitude", "").apply(scene)
    >>> list(renamed.parameters), renamed.frames["f"].position.value[0]
    (['amplitude', 'b'], 'amplitude*sin(t)')
    """
    try:
        check_parameter_name(new)
    except ExpressionError as error:
        raise RefusedValueError(str(error)) from None
    mention = re.compile(rf"(?<![\w.]){re.escape(old)}(?!\w)", re.ASCII)

    def apply(scene: Scene) -> Scene:
        if new in scene.parameters:
            raise RefusedValueError(f'There is a parameter "{new}" already.')
        parameters = {new if name == old else name: value for name, value in scene.parameters.items()}
        renamed: Scene = _rename_in(scene, mention, new)
        return renamed.model_copy(update={"parameters": FrozenDict(parameters)})

    return Edit(label, apply)


def _without_field(item: Item, key: str) -> Item:
    copy = item.model_copy(update={key: type(item).model_fields[key].get_default()})
    copy.__pydantic_fields_set__.discard(key)
    return copy


def _rename_in(node: Any, mention: re.Pattern[str], new: str) -> Any:
    """Return a part of a scene with a name replaced in its expressions; the same object if nothing changes."""
    if isinstance(node, FrozenDict):
        entries: dict[str, Any] = {key: _rename_in(item, mention, new) for key, item in node.items()}
        return node if all(entries[key] is node[key] for key in node) else FrozenDict(entries)
    if isinstance(node, tuple):
        items = tuple(_rename_in(item, mention, new) for item in node)
        return node if all(a is b for a, b in zip(items, node, strict=True)) else items
    if not isinstance(node, Item):
        return node
    changes: dict[str, object] = {}
    for key, is_signal in _fields_of(type(node)):
        before = getattr(node, key)
        rename = _rename_in_signals if is_signal else _rename_in
        after = rename(before, mention, new)
        if after is not before:
            changes[key] = after
    return node.model_copy(update=changes) if changes else node


def _rename_in_signals(value: Any, mention: re.Pattern[str], new: str) -> Any:
    if isinstance(value, tuple):
        items = tuple(_rename_in_signals(item, mention, new) for item in value)
        return value if items == value else items
    replaced = mention.sub(new, value) if isinstance(value, str) else value
    return value if replaced == value else replaced


@cache
def _fields_of(owner: type[Item]) -> tuple[tuple[str, bool], ...]:
    """Return the fields of a kind of item, and whether each may contain expressions."""
    return tuple((key, _takes_signals(field.annotation)) for key, field in owner.model_fields.items())


def _takes_signals(annotation: Any) -> bool:
    if get_origin(annotation) in (Union, types.UnionType) and {float, str} <= set(get_args(annotation)):
        return True
    return any(_takes_signals(part) for part in get_args(annotation))


def _child(node: Any, part: str | int, path: KeyPath) -> Any:
    if isinstance(node, Item) and part in type(node).model_fields:
        return getattr(node, str(part))
    if isinstance(node, FrozenDict):
        # A frame without settings has the appearance of the view.
        return FrameLook() if part not in node and path[:2] == ("view", "frames") else node[str(part)]
    if isinstance(node, tuple) and isinstance(part, int) and part < len(node):
        return node[part]
    raise _missing_error(part)


def _missing_error(part: str | int) -> KeyError:
    return KeyError(f"entry {part + 1}" if isinstance(part, int) else part)


def _replace_part(node: Any, part: str | int, value: object, *, is_checked: bool) -> Any:
    if isinstance(node, Item):
        key = str(part)
        return node.model_copy(update={key: _validate(node, key, value) if is_checked else value})
    if isinstance(node, FrozenDict):
        return node | {str(part): value}
    if isinstance(node, tuple) and isinstance(part, int) and part <= len(node):
        return (*node[:part], value, *node[part + 1 :])
    raise _missing_error(part)


def _validate(node: Item, key: str, value: object) -> object:
    owner = type(node)
    try:
        checked = _adapter(owner, key).validate_python(value)
    except ValidationError as error:
        raise RefusedValueError(_message(error)) from None
    bound = broken_bound(owner.model_fields[key].metadata, checked, getattr(node, key))
    if bound is not None:
        raise RefusedValueError(f"Expected {bound.words}.")
    return checked


@cache
def _adapter(owner: type[Item], key: str) -> TypeAdapter[Any]:
    field = owner.model_fields[key]
    annotated: Any = Annotated[field.annotation, field]  # pyright: ignore[reportInvalidTypeForm] - made of a field
    return TypeAdapter(annotated)


_SENTENCES = {
    "greater_than_equal": "Expected at least {ge:g}.",
    "greater_than": "Expected more than {gt:g}.",
    "less_than_equal": "Expected at most {le:g}.",
    "int_type": "Expected a whole number.",
    "int_from_float": "Expected a whole number.",
    "finite_number": "Expected a finite number.",
    "string_pattern_mismatch": "Expected neutral, own, frame, x, y, z or a colour such as #4c9be8.",
    "string_too_long": "Expected at most {max_length} characters.",
    "too_short": "Expected at least {min_length}.",
    "too_long": "Expected at most {max_length}.",
    "literal_error": "Expected {expected}.",
}


def _message(error: ValidationError) -> str:
    """Return the first error as a sentence."""
    first = error.errors()[0]
    known = _SENTENCES.get(first["type"])
    if known is not None:
        return known.format(**first.get("ctx", {}))
    text = first["msg"]
    return f"{text[:1].upper()}{text[1:]}."
