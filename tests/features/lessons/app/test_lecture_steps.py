"""Keys of a step that stage a lecture: panel, light and pause are checked, with the line and what there is instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from framescope.features.lessons.app.lesson_lookup import PANELS, lesson_paths, next_lesson, read_lesson_text
from framescope.features.lessons.core.lesson import LessonError
from tests.support.cases import for_each

STEP = "# Lesson\n\n## Step\n\n```yaml\nscene: gimbal-lock\n{}\n```\n"
QUESTION = "question: {form: number, ask: How much?, value: 1, tolerance: 0.1}"


def read(keys: str):
    return read_lesson_text(STEP.format(keys), Path("a.lesson.md")).stagings[0].step.moment


@for_each("name", PANELS)
def test_that_a_step_may_name_every_panel(name) -> None:
    assert read(f"panel: {name}\nstage: panel").panel == name


@for_each("light", ["z of arrow", "x of world"])
def test_that_a_step_may_light_an_axis(light) -> None:
    assert read(f"light: {light}").light == light


def test_that_a_pause_has_a_question() -> None:
    assert read(f"pause: true\n{QUESTION}").pause


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("panel: gimball", "gimbal"),
        ("panel: timeline", "timeline"),
        ("light: z of arow", "arrow"),
        ("light: the arrow", "z of stand"),
        ("light: ω of gyro", "gyro"),
        ("pause: true", "question"),
        ("stage: panel", "panel"),
        ("panel: gimbal\nstage: huge", "both"),
    ],
)
def test_that_a_wrong_key_is_reported_with_its_line_and_what_there_is(keys, said) -> None:
    with pytest.raises(LessonError) as caught:
        read(keys)
    (problem,) = caught.value.problems
    assert said in f"{problem.message} {problem.hint}"
    assert problem.line is not None


def test_that_no_lesson_leads_to_a_lecture_and_none_follows_it() -> None:
    lectures = [path for path in lesson_paths() if path.name.startswith("lecture-")]
    assert lectures
    following = [next_lesson(path) for path in lesson_paths()]
    assert not {entry[1] for entry in following if entry} & set(lectures)
    assert all(next_lesson(path) is None for path in lectures)
