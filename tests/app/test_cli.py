"""The command line: what it prints, its exit status, and what it must not import."""

from __future__ import annotations

import subprocess
import sys

import pytest

from framescope.app.cli.main import app, with_command
from tests.support.command_line import CliRunner
from tests.support.scenes import GOOD, PROBLEMS, UNREADABLE

run = CliRunner().invoke


def test_that_check_says_what_a_scene_holds(tmp_path) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    result = run(app, ["check", str(path)])
    assert result.exit_code == 0, result.output
    lines = [line.strip() for line in result.output.splitlines()]
    assert lines[0].endswith("good.yaml: Test")
    assert {"time 0 to 10 s", "3 frames", "1 body", "2 plots", "no problems"} <= set(lines)
    assert "ring: in stand, axes XYZ" in lines
    assert "box: box on ring" in lines
    assert "angular velocity of ring relative to stand resolved in ring in deg/s" in lines


@pytest.mark.parametrize("fault", PROBLEMS)
def test_that_a_problem_is_one_line_with_key_path_and_hint_and_exit_status_2(tmp_path, fault) -> None:
    text, where, message, hint = PROBLEMS[fault]
    (tmp_path / "walk.txt").write_text("")
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    result = run(app, ["check", str(path)])
    assert result.exit_code == 2
    (line,) = (line for line in result.output.splitlines() if where in line)
    assert message in line
    assert hint in line
    assert "(line " in line


@pytest.mark.parametrize("fault", UNREADABLE)
@pytest.mark.parametrize("command", [["check"], ["export"]])
def test_that_an_unreadable_file_is_a_message_and_exit_status_2(tmp_path, fault, command) -> None:
    text, message, _ = UNREADABLE[fault]
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    result = run(app, [*command, str(path), *(["out.mp4"] if command == ["export"] else [])])
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def test_that_a_scene_with_problems_is_not_exported_unasked(tmp_path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(PROBLEMS["unknown parent"][0])
    result = run(app, ["export", str(path), str(tmp_path / "out.mp4")])
    assert result.exit_code == 2
    assert "Fix the scene, or add --with-problems" in result.output
    assert not (tmp_path / "out.mp4").exists()


def test_that_a_misspelt_scene_is_answered_with_the_nearest() -> None:
    result = run(app, with_command(["demmo"]))
    assert result.exit_code == 2
    assert 'Did you mean "demo"?' in result.output


def test_that_a_command_that_does_not_exist_is_told_as_one_and_a_file_before_others_is_opened(tmp_path) -> None:
    result = run(app, with_command(["chek", "drive.mcap"]))
    assert result.exit_code == 2
    assert "No such command 'chek'. Did you mean 'check'" in result.output
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    assert with_command([str(path), "more"])[0] == "open"


@pytest.mark.parametrize("size", ["big", "10x", "x10", "-2x4"])
def test_that_a_size_that_is_none_is_refused(tmp_path, size) -> None:
    result = run(app, ["export", "demo", str(tmp_path / "out.mp4"), f"--size={size}"])
    assert result.exit_code == 2
    assert "expected width x height" in result.output


HEAVY = ("PySide6", "vtkmodules", "pyvista", "pyqtgraph", "matplotlib")


def modules_after(code: str) -> set[str]:
    script = f"{code}\nimport sys\nprint(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(result.stdout.splitlines()[-1].split())


@pytest.mark.process
def test_that_the_core_needs_neither_qt_nor_vtk() -> None:
    code = (
        "import importlib, pkgutil, framescope.core\n"
        "for module in pkgutil.walk_packages(framescope.core.__path__, 'framescope.core.'):\n"
        "    importlib.import_module(module.name)"
    )
    assert modules_after(code).isdisjoint(HEAVY)


@pytest.mark.process
def test_that_headless_commands_import_neither_qt_nor_vtk() -> None:
    code = (
        "import sys\nfrom framescope.app.__main__ import main\n"
        "for arguments in (['--help'], ['check', 'demo'], ['export', '--help']):\n"
        "    sys.argv = ['framescope', *arguments]\n    try:\n        main()\n    except SystemExit:\n        pass\n"
        f"    assert not [name for name in {HEAVY!r} if name in sys.modules], arguments"
    )
    assert modules_after(code).isdisjoint(HEAVY)


def test_that_a_scene_cannot_steer_the_terminal(tmp_path) -> None:
    path = tmp_path / "esc.yaml"
    path.write_text('framescope: 1\ntitle: "\\e]0;owned\\a"\n')
    result = run(app, ["check", str(path)])
    assert "\x1b" not in result.output
    assert "]0;owned" in result.output


def test_that_the_help_lists_commands_of_base_and_features_in_one_order() -> None:
    text = run(app, ["--help"]).stdout
    names = (
        "open",
        "schema",
        "check",
        "evaluate",
        "import",
        "export",
        "picture",
        "convert",
        "detect",
        "lesson",
        "robot",
    )
    places = [text.index(f" {name}  ") for name in names]
    assert places == sorted(places)
