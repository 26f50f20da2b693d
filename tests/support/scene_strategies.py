"""Any scene that the schema allows, made by hypothesis from the models themselves: a new field is in it by itself."""

from __future__ import annotations

import itertools
import types
from collections.abc import Iterable
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from framescope.core.scene.schema import base
from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import UNITS, Quantity
from framescope.core.scene.schema.signal_kinds import SignalKind, all_signals

NUMBERS = st.one_of(
    st.sampled_from((0.0, -0.0, 1.0, -1.0, 1e-300, 1e99, 5e-324, 0.1, 1e15, 1e16, 123456789.123)),
    st.floats(-1e100, 1e100),
    st.integers(-10, 10).map(float),
)
# What YAML reads as something else when it is not quoted, and what a terminal or a page may trip over.
ODD_TEXT = (
    "no",
    "1e3",
    "~",
    "null",
    "a: b",
    "# not a comment",
    "- x",
    "'",
    '"',
    "{",
    "[a, b]",
    "&a",
    "*a",
    "!t",
    "%y",
    "@",
    "`",
    "  ",
    "0x10",
    "=",
    "<<",
    "2026-11-21",
    "1:30",
    "yes",
    ".inf",
    "…",
    "é",
    "\u200b",
    "\u2028",
    "a\\n",
    "<b>",
)
WORDS = st.one_of(
    st.sampled_from(ODD_TEXT), st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co")), max_size=12)
)
NAMES = WORDS.map(str.strip).filter(lambda name: bool(name) and name.isprintable())
LONG_TEXT = st.one_of(WORDS, st.text(st.characters(exclude_categories=("Cs",)), max_size=30))
QUANTITIES = st.builds(
    Quantity, NUMBERS, st.one_of(st.none(), st.sampled_from([unit for units in UNITS.values() for unit in units]))
)

_BY_ALIAS: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (base.Number, NUMBERS),
    (base.Signal, st.one_of(NUMBERS, WORDS)),
    (base.Name, NAMES),
    (base.Text, LONG_TEXT),
]

_BOUNDED: dict[str, st.SearchStrategy[Any]] = {
    "color": st.sampled_from(("neutral", "own", "frame", "x", "#09aFfe")),
    "opacity": st.sampled_from((0.0, 0.25, 1.0)),
    "tolerance": st.sampled_from((1e-13, 1e-9, 0.01)),
    "max_steps": st.integers(1, 1_000_000),
    "at": st.one_of(st.none(), st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0))),
    "language": st.sampled_from(("en", "de-AT", "zh-Hant")),
    "text": st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=30),
}
"""Fields that do not take all of their type: shares of a picture, the words of a note."""


def of_model(model: type[Item]) -> st.SearchStrategy[Any]:
    """Return what a file may hold for an item: all that is required, and any of the rest."""
    required, optional = {}, {}
    for name, field in model.model_fields.items():
        kept = required if field.is_required() or name in ("form", "framescope") else optional
        kept[name] = _of_field(name, field)
    return st.fixed_dictionaries(required, optional=optional)


def _of_field(name: str, field: FieldInfo) -> st.SearchStrategy[Any]:
    if name in _BOUNDED:
        return _BOUNDED[name]
    if tuple(field.metadata) == get_args(SignalKind)[1:]:  # an annotation of a field lies in its metadata
        return st.sampled_from(tuple(all_signals()))
    if name == "columns" and field.annotation == tuple[str, ...]:
        return st.lists(WORDS, min_size=9, max_size=9)
    if name == "values" and get_args(field.annotation)[1:] == (...,):
        return st.lists(WORDS, min_size=1, max_size=3)
    if name == "components":
        return st.one_of(st.none(), st.lists(WORDS, min_size=1, max_size=3))
    if name == "keys":
        (item, _) = get_args(field.annotation)
        return st.lists(of_model(item), min_size=2, max_size=3)
    if name == "title" or (name == "source" and field.annotation is str):
        return LONG_TEXT
    within = _within(field.annotation, field.metadata)
    return _of_type(field.annotation) if within is None else within


def _within(annotation: Any, metadata: Iterable[Any]) -> st.SearchStrategy[Any] | None:
    """Return the numbers between two bounds, or lists of a least length; None without such limits."""
    limits = {type(limit).__name__: limit for limit in metadata}
    most = limits["Le"].le if "Le" in limits else None
    least = limits["Ge"].ge if "Ge" in limits else limits["Gt"].gt if "Gt" in limits else None
    kinds = {annotation, *get_args(annotation), *(get_args(part)[0] for part in get_args(annotation) if get_args(part))}
    if most is not None and least is not None:
        is_whole = int in kinds
        numbers = st.integers(least, most) if is_whole else st.floats(least, most, exclude_min="Gt" in limits)
        return st.one_of(st.none(), numbers) if type(None) in kinds else numbers
    if "MinLen" in limits and annotation is str:
        return WORDS.filter(bool)
    if "MinLen" in limits and get_origin(annotation) is tuple and get_args(annotation)[1:] == (...,):
        least_length = limits["MinLen"].min_length
        return st.lists(_of_type(get_args(annotation)[0]), min_size=least_length, max_size=max(3, least_length))
    return None


def _of_type(annotation: Any) -> st.SearchStrategy[Any]:
    for alias, strategy in _BY_ALIAS:
        if annotation == alias:
            return strategy
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        metadata = (part.metadata if isinstance(part, FieldInfo) else (part,) for part in parts[1:])
        within = _within(parts[0], itertools.chain.from_iterable(metadata))
        return _of_type(parts[0]) if within is None else within
    if origin is Literal:
        return st.sampled_from(parts)
    if origin in (Union, types.UnionType):
        return st.one_of([_of_type(part) for part in parts])
    if origin is tuple:
        if parts[1:] == (...,):
            return st.lists(_of_type(parts[0]), max_size=3)
        return st.tuples(*map(_of_type, parts)).map(list)
    if origin is FrozenDict:
        return st.dictionaries(NAMES, _of_type(parts[0]), max_size=2)
    if isinstance(annotation, type) and issubclass(annotation, Item):
        return of_model(annotation)
    plain = {str: WORDS, bool: st.booleans(), float: NUMBERS, int: st.integers(1, 99), type(None): st.none(),
             Quantity: QUANTITIES}  # fmt: skip
    return plain[annotation]


SCENES = of_model(Scene).map(Scene.model_validate)
