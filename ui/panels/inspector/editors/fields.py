"""Fields of the scene's models, derived from the models, so that none is missing."""

from __future__ import annotations

import types
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.quantities import UNITS, Quantity, single_spellings
from framescope.core.scene.schema.references import reference_fields
from framescope.ui.panels.inspector.editors import field_labels

Kind = Literal[
    "number",
    "count",
    "quantity",
    "signal",
    "cells",
    "unit",
    "name",
    "choice",
    "switch",
    "colour",
    "text",
    "paragraph",
    "lines",
    "file",
    "item",
    "forms",
    "list",
    "flags",
    "parameters",
    "mapping",
]
CellKind = Literal["number", "signal", "quantity", "text"]

USUAL_LINES = 4
"""Lines of a text that are seen at once."""


@dataclass(frozen=True)
class FieldShape:
    """Shape of a field's numbers: ``(1,)``, ``(3,)`` or ``(3, 3)``, with a word for it."""

    size: tuple[int, ...]
    word: str = ""


@dataclass(frozen=True)
class Field:
    """Field of a model.

    Attributes
    ----------
    owner, key
        The model and its field.
    kind
        Kind of editor.
    label, help
        Label and description.
    is_optional
        Whether the field may be left out; `absent` describes the meaning.
    units
        Selectable units, of a quantity or of the unit beside numbers.
    unit_key
        Field of the owner that the same editor sets, such as the unit of these numbers.
    choices
        Selectable words of the file, or names of forms.
    references
        Kinds of items that a name may refer to.
    forms
        Models by form; a single one has the empty name.
    cell, shapes
        Content of the cells, and their possible shapes.
    suffixes
        Allowed endings of file names.
    takes_numbers
        Whether a text that is a number becomes a number.
    lines
        Number of lines of a text that are seen at once.
    default
        Value when left out; None for a required field.
    """

    owner: type[Item]
    key: str
    kind: Kind
    label: str
    help: str
    is_optional: bool = False
    absent: str = "not set"
    units: tuple[str, ...] = ()
    unit_key: str = ""
    choices: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    forms: tuple[tuple[str, type[Item] | None], ...] = ()
    cell: CellKind = "number"
    shapes: tuple[FieldShape, ...] = ()
    suffixes: tuple[str, ...] = ()
    takes_numbers: bool = False
    lines: int = USUAL_LINES
    default: Any = None


@cache
def fields_of(model: type[Item]) -> tuple[Field, ...]:
    """Return the fields of a model in file order, some first, except `form`, which the choice of a form sets."""
    keys = dict.fromkeys((*field_labels.FIRST.get(model.__name__, ()), *model.model_fields))
    return tuple(_field(model, key) for key in keys if key not in ("form", "framescope"))


def units_of(dimension: str) -> tuple[str, ...]:
    """Return the units of one or several comma-separated dimensions, each in one spelling.

    >>> units_of("acceleration")
    ('m/s²', 'mm/s²', 'g', 'mg', 'cm/s²', 'ft/s²')
    """
    return single_spellings(tuple(unit for name in dimension.split(", ") for unit in UNITS.get(name, ())))


def dimension_of(model: type[Item], key: str) -> str:
    """Return the dimension of a quantity or a unit field."""
    return field_labels.word_of(field_labels.DIMENSIONS, model.__name__, key) or ""


def forms_in(annotation: Any) -> tuple[tuple[str, type[Item] | None], ...]:
    """Return the forms of a union of models with their models, or None for forms that are plain words."""
    forms: list[tuple[str, type[Item] | None]] = []
    for part in _parts(annotation):
        if isinstance(part, type) and issubclass(part, Item):
            form = part.model_fields.get("form")
            names = get_args(form.annotation) if form is not None else ("",)
            forms += [(name, part) for name in names]
        elif get_origin(part) is Literal:
            forms += [(word, None) for word in get_args(part)]
    return tuple(forms)


def form_of(value: object, forms: tuple[tuple[str, type[Item] | None], ...]) -> str | None:
    """Return the form of a value, or None if there is no value."""
    if value is None:
        return None
    if isinstance(value, str):
        return value
    return getattr(value, "form", next(name for name, model in forms if model is type(value)))


def _field(model: type[Item], key: str) -> Field:
    info = model.model_fields[key]
    parts = _parts(info.annotation)
    is_optional = type(None) in parts
    default = None if info.is_required() else info.get_default()
    name = model.__name__
    label = field_labels.word_of(field_labels.LABELS, name, key) or key.replace("_", " ")
    text = field_labels.word_of(field_labels.HELP, name, key) or ""
    absent = field_labels.word_of(field_labels.ABSENT, name, key) or "not set"
    common = Field(model, key, "text", label, text, is_optional, absent, default=default)
    return _with_kind(common, [part for part in parts if part is not type(None)])


def _with_kind(field: Field, parts: list[Any]) -> Field:  # noqa: C901, PLR0912 - one line for each kind
    name, key = field.owner.__name__, field.key
    first = parts[0]
    unit_key = "unit" if field_labels.SCALES.get(name) == (key,) else ""
    if (key == "unit" or key.endswith("_unit")) and (name, key) not in field_labels.TEXTS:
        return _but(field, kind="unit", units=units_of(dimension_of(field.owner, key)))
    if parts == [str, float]:  # cell of a table, not an expression
        return _but(field, kind="text", takes_numbers=True)
    if parts in ([float, str], [float]):
        kind = "signal" if str in parts else "number"
        cells = "signal" if str in parts else "number"
        if unit_key:
            return _but(field, kind="cells", cell=cells, shapes=(FieldShape((1,)),), unit_key=unit_key)
        return _but(field, kind=kind)
    if name == "MatrixColumns" and key == "columns":  # always nine, although the annotation allows other numbers
        return _but(field, kind="cells", cell="text", shapes=(FieldShape((3, 3), "matrix"),))
    shapes = [shape for shape in map(_shape, parts) if shape is not None]
    if shapes and len(shapes) + (Quantity in parts) + (float in parts) + (str in parts) >= len(parts):
        is_one_too = len(shapes) < len(parts)
        sizes = ([FieldShape((1,), "all alike")] if is_one_too else []) + [size for size, _ in shapes]
        cell = shapes[0][1]
        units = units_of(dimension_of(field.owner, key)) if cell == "quantity" else ()
        return _but(field, kind="cells", cell=cell, shapes=tuple(sizes), units=units, unit_key=unit_key)
    if any(isinstance(part, type) and issubclass(part, Item) for part in parts):
        forms = forms_in(Union[tuple(parts)])  # noqa: UP007 - made of parts
        return _but(field, kind="item" if len(forms) == 1 else "forms", forms=forms)
    if get_origin(first) is tuple and get_args(first)[-1] is Ellipsis:
        forms = forms_in(get_args(first)[0])
        if forms and all(model is None for _, model in forms):
            return _but(field, kind="flags", choices=tuple(word for word, _ in forms))
        if not forms:
            return _but(field, kind="lines", lines=field_labels.PARAGRAPHS.get((name, key), USUAL_LINES))
        return _but(field, kind="list", forms=forms)
    if get_origin(first) is FrozenDict:
        is_numbers = _parts(get_args(first)[0]) == [float]
        return _but(field, kind="parameters" if is_numbers else "mapping")
    if get_origin(first) is Literal:
        return _but(field, kind="choice", choices=tuple(map(str, get_args(first))))
    if first is Quantity:
        return _but(field, kind="quantity", units=units_of(dimension_of(field.owner, key)))
    if first is bool:
        return _but(field, kind="switch")
    if first is int:
        return _but(field, kind="count")
    return _but(field, **_of_text(field.owner, key))


def _of_text(model: type[Item], key: str) -> dict[str, Any]:
    name = model.__name__
    choices = field_labels.CHOICES.get((name, key), field_labels.CHOICES.get((None, key)))
    if (name, key) in field_labels.FILES:
        return {"kind": "file", "suffixes": field_labels.FILES[name, key]}
    if key == "color":
        return {"kind": "colour"}
    if (name, key) in field_labels.PARAGRAPHS:
        return {"kind": "paragraph", "lines": field_labels.PARAGRAPHS[name, key]}
    if (name, key) in field_labels.AXES:
        return {"kind": "axes", "references": ("world", "frames"), "unit_key": field_labels.AXES[name, key]}
    if choices:
        return {"kind": "choice", "choices": choices, "is_optional": model.model_fields[key].default == ""}
    if (name, key) in field_labels.NAMES:
        is_optional = not model.model_fields[key].is_required()
        return {"kind": "name", "references": field_labels.NAMES[name, key], "is_optional": is_optional}
    kind = reference_fields(model).get(key)
    has_world = kind == "frames" and (name, key) not in field_labels.WITHOUT_WORLD
    return {"kind": "name", "references": ("world", kind) if has_world else (kind,)} if kind else {"kind": "text"}


def _shape(annotation: Any) -> tuple[FieldShape, CellKind] | None:
    """Return the shape and content of a fixed-length tuple of numbers, signals, quantities or texts, or None."""
    if get_origin(annotation) is not tuple:
        return None
    parts = get_args(annotation)
    if parts[-1] is Ellipsis:
        return None
    inner = _shape(_parts(parts[0])[0])
    if inner is not None:
        return FieldShape((len(parts), *inner[0].size), "matrix"), inner[1]
    cells = _parts(parts[0])
    kind: CellKind = "number"
    if set(cells) == {float, str}:
        kind = "signal"
    elif cells == [Quantity]:
        kind = "quantity"
    elif cells == [str]:
        kind = "text"
    return FieldShape((len(parts),), "principal" if kind == "number" else "x, y, z"), kind


def _parts(annotation: Any) -> list[Any]:
    """Return the members of a union without annotations, or the type itself."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, types.UnionType):
        return [member for part in get_args(annotation) for member in _parts(part)]
    return [annotation]


def _but(field: Field, **changes: Any) -> Field:
    return Field(**{**vars(field), **changes})
