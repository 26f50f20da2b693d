"""Lessons as a kind of file: what opens, checks and refuses them."""

from __future__ import annotations

import json

import pytest

from framescope.app.cli.main import app
from framescope.app.importers.registry import checker_of, dialog_filter, importer_of, opens_apart
from framescope.features.lessons.app.lesson_lookup import lesson_paths
from tests.support.command_line import CliRunner

run = CliRunner().invoke


@pytest.fixture
def lesson(tmp_path):
    """Write a lesson without steps."""
    path = tmp_path / "own.lesson.md"
    path.write_text("# Own\n")
    return path


def test_that_a_lesson_is_recognized_by_its_ending_and_opens_in_the_player(lesson) -> None:
    importer = importer_of(lesson)
    assert (importer.title, importer.opens, importer.is_scene) == ("lessons", "lesson", True)
    assert opens_apart(lesson)
    assert "Lessons (*.lesson.md)" in dialog_filter("All")
    assert "lesson" not in dialog_filter("All", with_scenes=False)


@pytest.mark.parametrize("command", [["export"], ["picture"]])
def test_that_a_lesson_in_place_of_a_scene_is_refused_with_the_command_for_a_page(lesson, command) -> None:
    result = run(app, [*command, str(lesson), str(lesson.with_name("out.png" if command == ["picture"] else "o.gif"))])
    assert result.exit_code == 2
    assert "own.lesson.md is a lesson, and no scene." in result.stderr
    assert f"framescope lesson export {lesson} own.html" in result.stderr


def test_that_check_reports_lessons_as_text_and_as_json(lesson) -> None:
    shipped = str(lesson_paths()[0])
    whole = run(app, ["check", shipped])
    assert whole.exit_code == 0
    assert "steps" in whole.stdout
    assert run(app, ["check", "--json", shipped]).stdout == "[]\n"

    faulty = run(app, ["check", str(lesson)])
    assert faulty.exit_code == 2
    assert "own.lesson.md" in faulty.stdout
    as_json = run(app, ["check", "--json", str(lesson)])
    assert as_json.exit_code == 2
    assert json.loads(as_json.stdout)


def test_that_only_files_with_a_report_of_their_own_have_a_checker(lesson, tmp_path) -> None:
    (tmp_path / "empty.bag").touch()
    (tmp_path / "drive.dat").write_bytes(b"#ROSBAG V2.0\n")
    assert checker_of(lesson) is not None
    assert checker_of(tmp_path / "missing.lesson.md") is not None  # it reports that there is none
    assert checker_of(tmp_path / "drive.dat") is not None
    assert checker_of(tmp_path / "empty.bag") is None
    assert checker_of(tmp_path / "demo") is None
