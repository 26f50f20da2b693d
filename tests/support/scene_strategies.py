"""Any scene that the schema allows, made by hypothesis from the models themselves: a new field is in it by itself."""

from __future__ import annotations

import types
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
    if name in {"title", "source"}:
        return LONG_TEXT
    return _of_type(field.annotation)


def _of_type(annotation: Any) -> st.SearchStrategy[Any]:
    for alias, strategy in _BY_ALIAS:
        if annotation == alias:
            return strategy
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _of_type(parts[0])
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
