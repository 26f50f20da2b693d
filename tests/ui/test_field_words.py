"""Words of the inspector for each field of the scene's models: label, explanation, dimension. Needs no window.

The words are in `assets/field_labels.toml`, the choices and files in `field_labels.py`.
"""

from __future__ import annotations

import pytest

from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import Quantity
from framescope.ui.panels.inspector.editors import field_labels
from framescope.ui.panels.inspector.editors.fields import fields_of
from tests.support.field_words import missing_words
from tests.support.schema_models import models, models_in

WITHOUT_FORM = {"Answer", "Plot", "PlottedSignal", "Hidden"}
"""Models that are edited in the plots and the outline, without a form."""

ELSEWHERE = {
    ("View", "frames"),  # the look of a frame, on its page
    ("View", "hidden"),  # the eyes of the outline
    ("View", "answers"),  # the cards over the scene
    ("View", "plots"),  # the plots themselves
    ("Scene", "film"),  # films, in the scene file
    ("Scene", "robots"),  # where the frames come from: it changes with the file
    *(("Scene", kind) for kind in ("frames", "bodies", "points", "elements", "sensors", "measured", "notes")),  # pages
}
"""Fields that are edited outside the forms."""


@pytest.mark.parametrize("model", [model for model in models() if model.__name__ not in WITHOUT_FORM])
def test_that_each_field_of_each_model_has_an_explanation_and_units(model) -> None:
    assert missing_words(model, ELSEWHERE) == []


@pytest.mark.parametrize("model", [model for model in models() if model.__name__ not in WITHOUT_FORM])
def test_that_no_field_of_a_model_is_left_out_of_its_form(model) -> None:
    assert {field.key for field in fields_of(model)} == model.model_fields.keys() - {"framescope", "form"}
    assert len({field.label for field in fields_of(model)}) == len(fields_of(model))
    if "form" in model.model_fields and model is not Scene:
        assert any(model in models_in(info.annotation) for other in models() for info in other.model_fields.values())


def test_that_a_planted_field_is_asked_for_its_words() -> None:
    class Planted(Item):
        color: str  # has words that hold for every model
        stiffness_of_it: Quantity
        planted_unit: str = "m"
        planted_arms: tuple[Quantity, Quantity, Quantity]
        planted_word: str = ""
        planted_items: FrozenDict[str, str] = FrozenDict()

    words = [line.partition(",")[0] for line in missing_words(Planted, ELSEWHERE)]
    assert words == [
        *("Planted.stiffness_of_it: explanation", "Planted.stiffness_of_it: dimension"),
        *("Planted.planted_unit: explanation", "Planted.planted_unit: dimension"),
        *("Planted.planted_arms: explanation", "Planted.planted_arms: dimension"),
        *("Planted.planted_word: explanation", "Planted.planted_word: reference"),
        *("Planted.planted_items: explanation", "Planted.planted_items: editor"),
    ]


def test_that_each_word_is_of_a_field_that_there_is() -> None:
    found = {model.__name__: model for model in models()}
    fields = {key for model in found.values() for key in model.model_fields}
    words = (field_labels.LABELS, field_labels.HELP, field_labels.ABSENT)
    tables = [table.maps[0] for table in (*words, field_labels.DIMENSIONS, field_labels.CHOICES)]  # without features
    for name, key in (*(key for table in tables for key in table), *field_labels.FILES, *field_labels.WITHOUT_WORLD):
        assert key in (fields if name is None else found[name].model_fields), (name, key)
    assert set(field_labels.SCALES) <= set(found)
    assert set(found) >= WITHOUT_FORM
    assert all(key in found[name].model_fields for name, key in ELSEWHERE)
