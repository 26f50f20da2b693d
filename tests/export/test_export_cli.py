"""The command `framescope export`: formats, options that mean nothing to them, messages and exit codes."""

from __future__ import annotations

import json
import zipfile

import pytest
from typer.testing import CliRunner

from framescope.app.cli.main import app

pytestmark = pytest.mark.process


def run(*arguments: str):
    result = CliRunner().invoke(app, ["export", *arguments])
    assert "Traceback" not in result.output
    return result


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("clip.web", [], 'Did you mean ".webm"?'),
        ("clip", [], "the file name has no ending"),
        ("clip.png", [], "One picture alone: framescope picture."),
        ("nowhere/clip.gif", [], "there is no folder"),
        ("clip.gif", ["--transparent"], "transparent: a GIF cannot leave the ground out"),
        ("clip.gif", ["--start", "2", "--stop", "2"], "stop: expected a time after the start"),
        ("clip.gif", ["--start", "nan"], "start: expected a number of seconds, got nan."),
        ("clip.webm", ["--size", "321x200"], "Use 322x200"),
        ("clip.apng", ["--theme", "withe"], 'Did you mean "white"?'),
        ("walk.csv", ["--size", "320x200"], "size: a table takes no size. It takes fps, long, start, stop."),
        ("walk.npz", ["--long"], "long: an NPZ table has no long form. Use .csv or .parquet."),
        ("walk.csv", ["--fps", "-1"], "fps: expected more than 0"),
        ("walk.zip", ["--fps", "10"], "fps: a bundle takes no fps. Leave it out."),
    ],
)
def test_that_what_cannot_be_met_is_said_with_exit_status_2_and_leaves_no_file(tmp_path, name, options, message):
    result = run("demo", str(tmp_path / name), *options)
    assert result.exit_code == 2
    assert message in result.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["export", "picture"])
def test_that_help_says_when_a_caption_without_a_time_begins_and_ends(command) -> None:
    output = CliRunner().invoke(app, [command, "--help"]).output
    words = " ".join(output.replace("│", " ").split())
    for told in ("Without a time", "at the start", "until the next one", "until the end"):
        assert told in words


def test_that_a_caption_that_never_comes_is_said(tmp_path) -> None:
    size = ("--size", "96x96", "--fps", "5", "--stop", "0.4")
    wrong = run("demo", str(tmp_path / "a.gif"), *size, "--caption", "0: a", "--caption", "zwei: b")
    assert wrong.exit_code == 2
    assert "line 2" in wrong.output
    assert not list(tmp_path.iterdir())
    late = run("demo", str(tmp_path / "a.gif"), *size, "--caption", "0: a", "--caption", "1: b")
    assert late.exit_code == 0
    assert "Line 2 of the captions never shows" in late.output


def test_that_a_folder_that_cannot_be_written_is_told(tmp_path) -> None:
    (tmp_path / "frames").write_text("a file")
    result = run("demo", str(tmp_path / "frames" / "%04d.png"))
    assert result.exit_code == 2
    assert "cannot be written: " in result.output


@pytest.mark.parametrize("name", ["walk.csv", "walk.npz", "walk.parquet", "walk.zip"])
def test_that_a_table_and_a_bundle_are_written_and_named(tmp_path, name) -> None:
    path = tmp_path / name
    result = run("demo", str(path), *([] if name.endswith("zip") else ["--stop", "1", "--fps", "10"]))
    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == str(path)
    assert path.stat().st_size > 1000


def test_that_pictures_in_a_folder_are_named_by_their_pattern(tmp_path) -> None:
    folder = f"{tmp_path}/frames/"
    result = run("demo", folder, "--size", "96x64", "--stop", "0.1")
    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == f"{folder}%04d.png"
    assert [path.name for path in sorted((tmp_path / "frames").glob("[!.]*"))] == ["0000.png", "0001.png", "0002.png"]


def test_that_a_scene_written_as_json_is_bundled_so_that_it_opens(tmp_path) -> None:
    path = tmp_path / "scene.json"
    path.write_text(json.dumps({"framescope": 1, "title": "Mine", "frames": {"a": {"parent": "world"}}}))
    assert run(str(path), str(tmp_path / "scene.zip")).exit_code == 0
    with zipfile.ZipFile(tmp_path / "scene.zip") as bundle:
        bundle.extractall(tmp_path / "out")
    result = CliRunner().invoke(app, ["check", str(tmp_path / "out" / "scene.json")])
    assert result.exit_code == 0
    assert "Mine" in result.output
