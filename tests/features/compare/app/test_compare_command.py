"""Command `compare`: its statuses and forms of output, and `detect` with one pair."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from framescope.app.cli.main import app

pytestmark = pytest.mark.long

SAME = ("rpy 10 20 30 deg", "quaternion wxyz 0.951548 0.038135 0.189308 0.239298")


def run(*words: str, text: str | None = None):
    return CliRunner().invoke(app, list(words), input=text)


@pytest.mark.parametrize(
    ("texts", "status"),
    [
        (SAME, 0),
        (("0 0 0 1", "0 0 0 1"), 3),
        (("rpy 10 20 30 deg", "rpy 15 -20 60 deg"), 4),
        (("30 30 60", "0.84150635 0.09150635 0.34150635 0.40849365"), 5),
        (("hello", "0 0 0 1"), 2),
        (("0 0 0 1",), 2),
        (("-0.1 0.2 0.3 0.9274", "-0.1 0.2 0.3 0.9274"), 0),
    ],
)
def test_that_the_status_is_the_verdict(texts, status) -> None:
    result = run("compare", *texts)
    assert result.exit_code == status, result.output


def test_that_sides_come_from_files_and_standard_input(tmp_path) -> None:
    (tmp_path / "pose.txt").write_text(SAME[0], encoding="utf-8")
    result = run("compare", str(tmp_path / "pose.txt"), "-", text=SAME[1])
    assert result.exit_code == 0
    assert "They are the same" in result.output
    assert run("compare", "-", "-", text=SAME[1]).exit_code == 2


def test_that_json_has_all_of_the_answer() -> None:
    content = json.loads(run("compare", *SAME, "--json", "--code", "python").output)
    assert content["verdict"] == "settled"
    assert content["rows"][0]["second"] == "quaternion wxyz"
    assert content["rows"][0]["misfit_deg"] < 0.001
    assert "def b_from_a" in content["code"]


def test_that_more_than_two_are_compared_with_the_first() -> None:
    result = run("compare", *SAME, "rpy 15 -20 60 deg", "--names", "flange,tool,camera")
    assert result.exit_code == 4
    assert "tool" in result.output
    assert "camera" in result.output
    content = json.loads(run("compare", *SAME, "rpy 15 -20 60 deg", "--json").output)
    assert [each["verdict"] for each in content["comparisons"]] == ["settled", "neither"]
    assert run("compare", *SAME, "--names", "flange").exit_code == 2


def test_that_markdown_holds_hostile_text_as_a_block() -> None:
    result = run("compare", SAME[0], f"| {SAME[1]} |", "--markdown", "--names", "a|b,c")
    assert "    rpy 10 20 30 deg" in result.output
    assert "| | a\\|b | c |" in result.output


def test_that_an_offset_is_read_or_refused() -> None:
    assert run("compare", *SAME, "--offset", "0 0 0 1").exit_code == 2
    result = run("compare", "rpy 0 0 30 deg", "rpy 10 0 30 deg", "--offset", "rpy 10 0 0 deg", "--json")
    assert json.loads(result.output)["rows"][0]["differences"] == []


def test_that_detect_answers_one_pair() -> None:
    result = run("detect", "30 30 60", "0.84150635 0.09150635 0.34150635 0.40849365")
    assert result.exit_code == 5, result.output
    assert "quaternion wxyz" in result.output
    content = json.loads(run("detect", "30 30 60", "0.84150635 0.09150635 0.34150635 0.40849365", "--json").output)
    assert content["verdict"] == "likely"


def test_that_an_unknown_language_is_told() -> None:
    result = run("compare", *SAME, "--code", "cobol")
    assert result.exit_code == 2
    assert "cobol" in result.output
