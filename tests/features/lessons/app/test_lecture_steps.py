"""Keys of a step that stage a lecture: panel, light and pause are checked, with the line and what there is instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from framescope.app.session.scene_lookup import example_path
from framescope.core.scene.files.loading import scene_file_text
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


@for_each("light", ["z of arrow", "x of world", "outer axle of arrow", "inner axle of arrow"])
def test_that_a_step_may_light_an_axis_or_an_axle(light) -> None:
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
        ("light: outer axle of stand", "no gimbal"),
        ("light: outer axle of arow", "arrow"),
        ("hide: [rings]\nlight: outer axle of arrow", "no gimbal"),
        ("light: outer axel of arrow", "outer axle of arrow"),
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


def read_plate(keys: str, folder: Path):
    """Return the moment of a step with a plate on springs, whose forces, torques and angular velocity are drawn."""
    plate = scene_file_text(example_path("three-springs"))
    plate = plate.replace("  forces: 0.1 m per N\n", "  forces: 0.1 m per N\n  torques: 0.1 m per N m\n")
    sensors = "sensors: {gyro: {form: absolute, frame_a: plate, get_w: true, arrows: {w: 0.1 m per rad/s}}}"
    (folder / "plate.yaml").write_text(f"{plate}\n{sensors}\n", encoding="utf-8")
    text = f"# Lesson\n\n## Step\n\n```yaml\nscene: plate.yaml\n{keys}\n```\n"
    return read_lesson_text(text, folder / "a.lesson.md").stagings[0].step.moment


@for_each("light", ["F of A", "M of plate", "z of small-angle plate", "ω of gyro"])
def test_that_a_step_may_light_a_force_a_torque_and_an_axis_that_is_not_drawn(light, tmp_path) -> None:
    assert read_plate(f"light: {light}", tmp_path).light == light


@for_each("keys", ["hide: [forces]\nlight: F of A", "hide: [A]\nlight: F of A", "light: a of gyro"])
def test_that_an_arrow_that_is_not_in_the_picture_is_named(keys, tmp_path) -> None:
    with pytest.raises(LessonError) as caught:
        read_plate(keys, tmp_path)
    (problem,) = caught.value.problems
    assert "in the picture" in problem.message
    assert problem.line == 7 + keys.count("\n")


def test_that_no_lesson_leads_to_a_lecture_and_none_follows_it() -> None:
    lectures = [path for path in lesson_paths() if path.name.startswith("lecture-")]
    assert lectures
    following = [next_lesson(path) for path in lesson_paths()]
    assert not {entry[1] for entry in following if entry} & set(lectures)
    assert all(next_lesson(path) is None for path in lectures)
