"""What the forms of models lack in words."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from framescope.core.scene.schema.base import Item
from framescope.ui.panels.inspector.editors.fields import fields_of

TEXT_FIELDS = {
    *("title", "source", "file", "series", "times", "time", "column", "value"),
    *("name", "frame", "namespace", "topic", "zero", "received_from", "received_until"),  # as a bag has them
    "folder",
    "entry",  # of a calibration file
    *("text", "below", "licence", "language", "plot"),  # of films
}
"""Fields of free text; every other text is a choice, a file, a colour or the name of an item."""


def missing_words(model: type[Item], elsewhere: AbstractSet[tuple[str, str]] = frozenset()) -> list[str]:
    """Return the words that the inspector lacks for the fields of a model, with the place of each."""
    missing = []
    for field in fields_of(model):
        name = f"{model.__name__}.{field.key}"
        if (model.__name__, field.key) in elsewhere:
            continue
        if not field.help:
            missing.append(f"{name}: explanation, in [help] of assets/field_labels.toml")
        is_measured = field.kind in ("quantity", "unit") or (field.kind == "cells" and field.cell == "quantity")
        if is_measured and not field.units and model.__name__ != "MeasuredVector":
            missing.append(f"{name}: dimension, in [dimensions] of assets/field_labels.toml")
        if field.kind == "mapping":
            missing.append(f"{name}: editor, as no form has one; edited elsewhere, in ELSEWHERE")
        if field.kind == "text" and field.key not in TEXT_FIELDS:
            missing.append(f"{name}: reference, choices or file endings, in field_labels.py; free text, in TEXT_FIELDS")
    return missing
