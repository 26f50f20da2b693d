"""Scenes of older and newer versions: brought up to date, or refused with what would help."""

from __future__ import annotations

import pytest

from framescope.core.errors import SceneError
from framescope.core.scene.files import loading
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.migrations import MIGRATIONS, migrate
from framescope.core.scene.schema.model import FORMAT_VERSION


def turned_to_degrees(data):
    """Bring version 1 to 2: angles had no unit, and were in degrees."""
    for frame in data["frames"].values():
        frame["orientation"].setdefault("unit", "deg")
    return data


def named_by_title(data):
    return {"title" if key == "name" else key: value for key, value in data.items()}


STEPS = {1: turned_to_degrees, 2: named_by_title}


def old_scene() -> dict:
    return {"framescope": 1, "name": "Old", "frames": {"a": {"orientation": {"form": "axes"}}}}


def refusal(data, *args) -> str:
    with pytest.raises(SceneError) as caught:
        migrate(data, "a.yaml", *args)
    (problem,) = caught.value.problems
    assert problem.where == "framescope"
    assert caught.value.source == "a.yaml"
    return str(caught.value)


def test_that_there_is_a_step_from_every_older_version() -> None:
    assert set(MIGRATIONS) == set(range(1, FORMAT_VERSION))


def test_that_steps_follow_one_another_and_leave_what_was_read_alone() -> None:
    data = old_scene()
    found = migrate(data, "a.yaml", STEPS, 3)
    assert found == {
        "framescope": 3,
        "title": "Old",
        "frames": {"a": {"orientation": {"form": "axes", "unit": "deg"}}},
    }
    assert data == old_scene()
    assert migrate({**old_scene(), "framescope": 2}, "a.yaml", STEPS, 3)["frames"] == old_scene()["frames"]


def test_that_a_present_scene_is_not_touched() -> None:
    data = {"framescope": 1}
    assert migrate(data, "a.yaml") is data


def test_that_a_newer_scene_says_to_update() -> None:
    message = "written by a newer Framescope: version 3, this one reads up to 1. Update Framescope."
    assert message in refusal({"framescope": 3})
    with pytest.raises(SceneError, match="newer Framescope") as caught:
        parse_scene("title: a\n\nframescope: 3\nanything: new\n")
    assert caught.value.problems[0].line == 3


@pytest.mark.parametrize("version", [True, False, None, 1.0, 1.5, "1", "one", 0, -1, 10**18, 1e300, [1], {"a": 1}])
def test_that_what_is_no_version_is_refused(version) -> None:
    said = refusal({"framescope": version})
    assert "of the file format is not known to this Framescope. Expected framescope: 1." in said


@pytest.mark.parametrize("frames", [None, [], {"a": None}, {"a": {}}, {"a": {"orientation": 5}}])
def test_that_a_wrong_old_scene_is_refused_and_not_a_traceback(frames) -> None:
    assert "cannot be brought to version 2" in refusal({"framescope": 1, "frames": frames}, STEPS, 3)


def test_that_a_version_without_a_step_is_refused() -> None:
    assert "version 1 of the file format is no longer read" in refusal(old_scene(), {2: named_by_title}, 3)


def test_that_problems_after_a_migration_have_the_lines_of_the_file(monkeypatch) -> None:
    def wrapped(data):
        return {"framescope": 1, "title": data["name"], "frames": data["frames"]}

    monkeypatch.setattr(loading, "migrate", lambda data, source: {**wrapped(data), "framescope": 1})
    text = "framescope: 1\nname: [1]\nframes:\n  a:\n    parent: world\n    positoin: 1\n"
    with pytest.raises(SceneError) as caught:
        parse_scene(text)
    places = {problem.where: problem.line for problem in caught.value.problems}
    assert places == {"title": 1, "frames.a.positoin": 6}
