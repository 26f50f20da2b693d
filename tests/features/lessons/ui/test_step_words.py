"""Words of the form of a step for each field of the models of lessons. Needs no window."""

from __future__ import annotations

import pytest

from framescope.features.lessons.core.schema import LessonMoment
from framescope.features.lessons.core.step_text import StepFields
from framescope.features.lessons.ui.step_form import FOR_CLASS, IN_TEXT
from framescope.ui.panels.inspector.editors.fields import fields_of
from tests.support.field_words import missing_words
from tests.support.schema_models import models, models_in

FREE = {"scene", "panel", "light", "signal", "component", "unit", "expression", "words", "hints"}
"""Fields of free text."""


def lesson_models() -> list[type]:
    reached: list[type] = [StepFields]
    for model in reached:
        for info in model.model_fields.values():
            reached += [other for other in models_in(info.annotation) if other not in (*reached, *models())]
    return reached


@pytest.mark.parametrize("model", lesson_models(), ids=lambda model: model.__name__)
def test_that_each_field_of_a_step_has_an_explanation_and_units(model) -> None:
    mappings = {(LessonMoment.__name__, key) for key in IN_TEXT}
    missing = [line for line in missing_words(model, mappings) if line.split(":")[0].partition(".")[2] not in FREE]
    assert missing == []
    assert len({field.label for field in fields_of(model)}) == len(fields_of(model))


def test_that_no_model_of_lessons_is_called_as_one_of_scenes() -> None:
    assert not {model.__name__ for model in lesson_models()} & {model.__name__ for model in models()}
    assert {*FOR_CLASS, *IN_TEXT} <= LessonMoment.model_fields.keys()
