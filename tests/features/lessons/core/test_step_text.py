"""The text of a step as fields and back: whatever is not edited stays as it is written."""

from __future__ import annotations

import pytest

from framescope import assets
from framescope.core.scene.schema.model import Frame, Scene
from framescope.features.lessons.core.editing import source_of
from framescope.features.lessons.core.lesson import parse_lesson, step_lines
from framescope.features.lessons.core.schema import Choose, Option
from framescope.features.lessons.core.step_text import StepFields, read_step, settle, step_scene, write_step
from tests.support.cases import for_each
from tests.support.hostile_texts import NAME, TEXT

STEP = """\
## A step

Words.

```yaml
time: 3 s # when it begins
question:
  # of yaw
  form: number
  ask: How far?
  value: 50
  tolerance: 1
  misreadings:
    - {value: -50, reply: The other way.} # usual
notes: |
  One line.
  Another.
```
"""


def with_question(fields: StepFields, **values: object) -> StepFields:
    question = fields.moment.question.model_copy(update=values)
    return fields.model_copy(update={"moment": fields.moment.model_copy(update={"question": question})})


def reread(source: str):
    return parse_lesson(f"# A lesson\n\n{source}").steps[0]


@pytest.mark.parametrize("path", sorted(assets.path("lessons").glob("*.lesson.md")), ids=lambda path: path.name)
def test_that_reading_and_writing_a_shipped_step_changes_nothing(path) -> None:
    text = path.read_text(encoding="utf-8")
    for i in range(len(step_lines(text))):
        step = read_step(source_of(text, i))
        assert step.problem == ""
        assert write_step(step, step.fields) == source_of(text, i)
        assert step.fields.moment == parse_lesson(text).steps[i].moment


def test_that_comments_order_and_other_values_stay() -> None:
    step = read_step(STEP)
    source = write_step(step, with_question(step.fields, ask="How much?"))
    assert source == STEP.replace("ask: How far?", 'ask: "How much?"')


def test_that_half_a_question_is_read_and_its_invalid_values_stay_written() -> None:
    source = "## A\n\n```yaml\nquestion: {form: number, value: much, speed: 3}\n```\n"
    step = read_step(source)
    question = step.fields.moment.question
    assert (question.form, question.ask, question.value, question.tolerance) == ("number", "", None, None)
    written = write_step(step, with_question(step.fields, tolerance=2.0))
    assert "value: much, speed: 3, tolerance: 2" in written


@for_each(
    "yaml",
    [
        "question: 5",
        "question: {form: riddle}",
        "question: {form: choose, options: [a, {text: b}]}",
        "question: {form: choose, options: {}}",
        "question: {form: turn, to: {form: axes}}",
        "question: {form: point, axis: [1, 2]}",
        "camera: 3",
        "lit: 3",
        "[1, 2]",
        "a: [",
        "&a b: *a",
        "time: 3",
    ],
)
def test_that_any_text_is_read(yaml) -> None:
    step = read_step(f"## A\n\n```yaml\n{yaml}\n```\n")
    assert write_step(step, step.fields) == f"## A\n\n```yaml\n{yaml}\n```\n"
    assert step_scene(Scene(frames={"tip": Frame(parent="world")}), step.fields).step == step.fields


def test_that_a_block_that_cannot_be_read_is_reported() -> None:
    assert "YAML is broken" in read_step("## A\n\n```yaml\na: [\n```\n").problem
    assert "expected keys" in read_step("## A\n\n```yaml\n[1]\n```\n").problem


@for_each(
    "source",
    [
        "## A\n\n```\ncode\n",
        "## A\n\n```yaml\ntime: 3 s\n",
        "## A\n\n~~~\ncode\n```\n",
        "## A\n\n<!-- why\n\n```yaml\ntime: 3 s\n```\n",
    ],
)
def test_that_a_block_without_an_end_is_reported(source) -> None:
    assert "has no end" in read_step(source).problem


def test_that_a_text_that_only_the_reader_of_scenes_takes_is_written_anew() -> None:
    step = read_step("## A\n\n```yaml\nti\tme: 3\nquestion: {form: number, ask: a} # gone\n```\n")
    assert step.problem == ""
    written = read_step(write_step(step, with_question(step.fields, ask="b")))
    assert written.data == {"ti\tme": 3, "question": {"form": "number", "ask": "b"}}


@for_each(
    "text",
    [NAME, TEXT, "a\n```\nb", "  ```yaml\nb: 3\n```", "- a\n  b", "\ttab", "# no heading", "<!-- a", "a\n\n\nb\n"],
)
def test_that_hostile_texts_of_a_question_are_read_as_they_were_written(text) -> None:
    step = read_step(STEP)
    again = read_step(write_step(step, with_question(step.fields, ask=text)))
    assert again.problem == ""
    assert again.fields.moment.question.ask == text
    assert again.fields.moment.notes == step.fields.moment.notes


def test_that_title_and_words_are_written_beside_the_block() -> None:
    step = read_step(STEP)
    source = write_step(step, step.fields.model_copy(update={"title": "Another", "words": "One.\n\nTwo."}))
    assert source.startswith("## Another\n\nOne.\n\nTwo.\n\n```yaml\ntime: 3 s # when it begins\n")
    assert reread(source).moment == step.fields.moment


def test_that_a_step_without_a_block_gets_one() -> None:
    step = read_step("## A\n\nWords.\n")
    question = Choose(ask="Why?", options=(Option(text="a", right=True), Option(text="b")))
    moment = step.fields.moment.model_copy(update={"question": question})
    source = write_step(step, step.fields.model_copy(update={"moment": moment}))
    assert reread(source).moment.question == question
    assert reread(source).text == "Words."


def test_that_another_right_option_takes_the_place_of_the_first() -> None:
    options = (Option(text="a", right=True), Option(text="b"), Option(text="c"))
    moment = StepFields().moment.model_copy(update={"question": Choose(ask="Why?", options=options)})
    before = StepFields(moment=moment)
    after = with_question(before, options=(*options[:2], options[2].model_copy(update={"right": True})))
    assert [option.right for option in settle(before, after).moment.question.options] == [False, False, True]


def test_that_an_orientation_takes_the_place_of_a_time() -> None:
    before = read_step("## A\n\n```yaml\nquestion: {form: turn, ask: Turn., frame: tip, at: 3 s}\n```\n")
    after = with_question(before.fields, to={"form": "axis", "axis": "z", "angle": 30, "unit": "deg"})
    question = settle(before.fields, after).moment.question
    assert question.at is None
    assert "at:" not in write_step(before, settle(before.fields, after))
