"""Edits of the text of a lesson: nothing is lost but what is taken out, and the rest stays to the letter."""

from __future__ import annotations

import pytest

from framescope.features.lessons.core.editing import (
    insert_step,
    move_step,
    remove_step,
    replace_step,
    source_of,
    step_source,
)
from framescope.features.lessons.core.lesson import parse_lesson

TEXT = """\
# Title

Before.

## One

First, with `code`.

```yaml
scene: demo  # a comment
```

## Two

Second.

### Inside

```python
## no heading
```

## Three
"""


def test_that_each_step_has_its_text_and_putting_it_back_changes_nothing() -> None:
    sources = [source_of(TEXT, i) for i in range(3)]
    assert [source.split("\n")[0] for source in sources] == ["## One", "## Two", "## Three"]
    assert "# a comment" in sources[0]
    assert "## no heading" in sources[1]
    for i, source in enumerate(sources):
        assert replace_step(TEXT, i, source) == TEXT


def test_that_steps_are_put_in_and_taken_out() -> None:
    new = step_source("New", "Words.", {"scene": "demo", "time": "3 s"})
    found = {-1: ["New", "One", "Two", "Three"], 0: ["One", "New", "Two", "Three"], 2: ["One", "Two", "Three", "New"]}
    for i, titles in found.items():
        text = insert_step(TEXT, i, new)
        again = parse_lesson(text)
        assert [step.title for step in again.steps] == titles
        assert str(again.steps[titles.index("New")].moment.time) == "3 s"
        assert remove_step(text, titles.index("New")) == TEXT


@pytest.mark.parametrize(
    ("i", "by", "titles"),
    [
        (0, 1, ["Two", "One", "Three"]),
        (2, -1, ["One", "Three", "Two"]),
        (0, -1, ["One", "Two", "Three"]),
        (2, 1, ["One", "Two", "Three"]),
    ],
)
def test_that_steps_change_places(i: int, by: int, titles: list[str]) -> None:
    text = move_step(TEXT, i, by)
    again = parse_lesson(text)
    assert [step.title for step in again.steps] == titles
    assert again.text == "Before."
    assert sorted(text.split()) == sorted(TEXT.split())
    if titles != ["One", "Two", "Three"]:
        assert move_step(text, i + by, -by) == TEXT


def test_that_words_of_any_kind_survive_in_the_block() -> None:
    moment = {"scene": "a: b.yaml", "select": "x # y", "notes": "Two\nlines: [not yaml]"}
    lesson = parse_lesson("# T\n\n" + step_source("One", "It.", moment))
    step = lesson.steps[0].moment
    assert (step.scene, step.select, step.notes) == ("a: b.yaml", "x # y", "Two\nlines: [not yaml]")
