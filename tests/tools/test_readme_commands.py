"""Every command that README shows runs as its reader has it: with the packages of requirements.lock and no others.

The files that the commands name are made here. There is no display, so that what opens a window makes a film instead.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import venv
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from framescope.app import platforms
from tests.support.bags import drive, write_foxglove
from tests.tools import lock_files

pytestmark = [pytest.mark.process, pytest.mark.long]

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
RUN = "python3 run.py"
WORDS = ("check", "convert", "detect", "evaluate", "export", "import", "lesson", "open", "picture", "robot", "schema")
"""The commands of `framescope`."""

BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w*)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
"""Blocks of code, each with its language."""

VERBS = ("add", "test", "check", "bench", "lock")
"""What `run.py` does by itself; tests/tools/test_run.py looks at that."""

SCENE = """\
framescope: 1
title: Mine
time: {start: 0 s, end: 3 s}
frames:
  base: {parent: world}
  tip:
    parent: base
    position: {value: ["0.1*t", 0, 0.5], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: ["40*t", 20, 0], unit: deg}
"""
ARM = """\
<robot name="arm">
  <link name="base"/>
  <link name="upper"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/> <child link="upper"/> <origin xyz="0 0 0.3"/> <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>
"""
PLAYS = ["lesson", "play"]
"""What needs a window: without a display it says what to do instead."""


def quaternions(order: str) -> str:
    """Return a table of random orientations, with the same ones for each order of its columns."""
    random = np.random.default_rng(4)
    rows = random.normal(size=(30, 4))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    chosen = rows[:, ["wxyz".index(letter) for letter in order]]
    lines = [",".join(f"q{letter}" for letter in order), *(",".join(f"{x:.9f}" for x in row) for row in chosen)]
    return "\n".join(lines) + "\n"


def makes_film(command: list[str]) -> bool:
    """Return whether a command draws a film or computes a whole lesson, which takes long."""
    return command[0] in ("export", "picture") or command[:2] == ["lesson", "export"] or command[0] not in WORDS


def shown_commands() -> list[list[str]]:
    """Return the arguments of `framescope` in each command that README shows, each once."""
    blocks = [text for language, text in BLOCKS if language in ("", "sh")]
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```\w*\n.*?^```", "", README, flags=re.MULTILINE | re.DOTALL))
    found: list[list[str]] = []
    for text in (*lines, *spans):
        command = _arguments(text)
        if command is not None and command not in found:
            found.append(command)
    return found


def _arguments(text: str) -> list[str] | None:
    """Return what `framescope` gets by a command; None where the text is none of its commands."""
    text = text.partition("  #")[0].strip()
    if text.startswith(f"{RUN} -- "):
        return shlex.split(text.removeprefix(f"{RUN} -- "))
    if text.startswith("framescope "):
        return shlex.split(text.removeprefix("framescope "))
    is_command = text.partition(" ")[0] in WORDS and " " in text
    return shlex.split(text) if is_command else None


def shown_options() -> list[list[str]]:
    """Return the options of exports that README shows by themselves."""
    options = (shlex.split(text) for text in re.findall(r"`(--[a-z][^`\n]*)`", README))
    return [words for words in options if words[0] not in ("--json", "--deep", "--compare", "--version")]


COMMANDS = shown_commands()


def test_that_the_commands_of_readme_are_found() -> None:
    starts = {command[0] for command in COMMANDS}
    assert {"my.yaml", "drive.mcap", "arm.urdf"} <= starts
    assert starts & set(WORDS) == {
        *("check", "convert", "detect", "evaluate", "export", "lesson", "picture", "schema"),
    }
    assert len(COMMANDS) >= 17


def test_that_what_run_py_does_itself_is_known() -> None:
    verbs = re.findall(rf"{RUN} (\w+)", README)
    assert set(verbs) <= set(VERBS)


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the packages of requirements.lock alone, which are linked into it."""
    host = platforms.this_host()
    folder = tmp_path_factory.mktemp("user") / ".venv"
    venv.create(folder, with_pip=False, symlinks=not host.is_windows)
    packages = platforms.venv_site_packages(folder, host)
    pins = lock_files.pins((ROOT / lock_files.LOCK).read_text(encoding="utf-8"))
    for name in {pin.partition("==")[0] for pin in pins} | {"framescope"}:
        for source in _installed(name):
            if not (packages / source.name).exists():
                (packages / source.name).symlink_to(source, target_is_directory=source.is_dir())
    return platforms.venv_python(folder, host)


def _installed(name: str) -> Iterator[Path]:
    """Yield the files and folders of an installed package in the folder of packages."""
    try:
        package = metadata.distribution(name)
    except metadata.PackageNotFoundError:  # of another platform or version of Python
        return
    home = Path(str(package.locate_file("")))
    for part in sorted({file.parts[0] for file in package.files or () if file.parts[0] != ".."}):
        yield home / part


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files that README's commands name."""
    for name, text in {
        "my.yaml": SCENE,
        "arm.urdf": ARM,
        "vendor.csv": quaternions("wxyz"),
        "mine.csv": quaternions("xyzw"),
        "my.lesson.md": (ROOT / "assets" / "lessons" / "2-gimbal-lock.lesson.md").read_text(encoding="utf-8"),
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "assets").symlink_to(ROOT / "assets", target_is_directory=True)
    write_foxglove(tmp_path / "drive.mcap", drive(seconds=2.0, hz=10.0))
    return tmp_path


def run(python: Path, folder: Path, command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run `framescope` in a folder, without a display, with a home of its own."""
    left_out = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "PYTHONPATH", "VIRTUAL_ENV")
    environ = {key: value for key, value in os.environ.items() if key not in left_out}
    home = folder.parent / f"{folder.name}-home"
    home.mkdir(exist_ok=True)
    environ |= {"HOME": str(home), **dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"), str(home))}
    return subprocess.run(
        [python, "-P", "-m", "framescope.app", *command],
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_that_the_environment_of_a_user_has_no_extras(python: Path) -> None:
    code = (
        "import importlib.util as u\n"
        "assert not [n for n in ('pyarrow', 'mujoco', 'pxr', 'distributed', 'llvmlite', 'pytest') if u.find_spec(n)]\n"
        "import framescope.app, lz4, mcap, xacro, zstandard, PySide6, vtkmodules, numpy"
    )
    done = subprocess.run([python, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "command",
    [pytest.param(c, marks=pytest.mark.journey if makes_film(c) else (), id=" ".join(c)) for c in COMMANDS],
)
def test_that_a_command_of_readme_runs_in_the_environment_of_a_user(
    command: list[str], python: Path, folder: Path
) -> None:
    done = run(python, folder, command)
    told = f"{done.stdout}\n{done.stderr}"
    assert done.returncode == (3 if command[:2] == PLAYS else 0), told
    assert "There is no display to play" in done.stderr or command[:2] != PLAYS
    assert "Traceback" not in told
    assert "needs " not in done.stderr
    outputs = [word for word in command if word.startswith(("out.", "v.", "drive.mp4"))]
    assert all((folder / name).stat().st_size > 0 for name in outputs)


@pytest.mark.journey
@pytest.mark.parametrize("options", shown_options(), ids=" ".join)
def test_that_the_options_of_exports_that_readme_shows_are_taken(
    options: list[str], python: Path, folder: Path
) -> None:
    ends = {"--interactive": ".html", "--accuracy": ".glb"}
    runs = [(ends.get(options[0], ".webm"), [word for word in options if word != "--long"])]
    if options == ["--accuracy"]:
        runs = [(".glb", ["--accuracy", "1"])]
    if "--long" in options:  # of tables, and not of films
        runs.append((".csv", ["--long"]))
    (folder / "my.yaml").write_text(SCENE.replace("start: 0 s, end: 3 s", "start: 2.4 s, end: 2.6 s"), encoding="utf-8")
    for end, taken in runs:
        done = run(python, folder, ["export", "my.yaml", f"out{end}", *taken])
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        assert (folder / f"out{end}").stat().st_size > 0


def test_that_the_code_and_the_scene_of_readme_work_for_a_user(python: Path, folder: Path) -> None:
    texts = dict(BLOCKS)
    done = subprocess.run(
        [python, "-P", "-c", texts["python"]], capture_output=True, text=True, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    (folder / "shown.yaml").write_text(texts["yaml"], encoding="utf-8")
    assert run(python, folder, ["check", "shown.yaml"]).returncode == 0
