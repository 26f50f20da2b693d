"""Outputs of commands: none of them replaces a file that the command reads, by whatever name it is given."""

from __future__ import annotations

import os
from pathlib import Path
from zipfile import ZipFile

import pytest
import typer

from framescope.app.cli.main import app
from framescope.app.exporters.formats import formats_by_suffix
from framescope.core.system.optional_packages import XACRO
from framescope.core.system.output_check import OutputIsInputError, check_output
from framescope.features.lessons.app.export.lesson_request import ENDINGS, PAGE
from tests.support.bags import drive, write_ros2
from tests.support.command_line import CliRunner

run = CliRunner().invoke

SCENE = "framescope: 1\nframes:\n  a: {parent: world}\n"
RECORDED = """\
framescope: 1
frames:
  cart:
    parent: world
    motion: {form: recorded, file: walk.csv, format: tum}
bodies:
  hull: {frame: cart, shape: {form: mesh, file: part.glb, unit: m}}
"""
TABLE = "".join(f"{t} {t / 10} 0 0 0 0 0 1\n" for t in range(20))
LESSON = "# Steps\n\nWhat it is about.\n\n## First\n\nLook.\n\n```yaml\nscene: scene.yaml\n```\n"
XACRO_ROBOT = (
    '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="part.xacro"/>'
    '<link name="${1}"/></robot>'
)
PART = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="base"/></robot>'

JOINTED = """\
framescope: 1
frames:
  arm:
    parent: world
    motion: {form: joint, type: revolute, axis: [0, 0, 1], value: 0, unit: rad}
"""
JOINTS = "t,arm\n" + "".join(f"{t / 10},{t / 50}\n" for t in range(20))

CAMCHAIN = "cam0:\n  T_cam_imu: [[1, 0, 0, 0.1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]\n"

CASES: dict[str, list[tuple[list[str], str, str]]] = {
    "evaluate": [
        *((["evaluate", "IN", "-s", "position of a", "--out", "OUT"], f"in{end}", SCENE) for end in (".csv", ".npz")),
        (["evaluate", "IN", "--out=OUT"], "in.parquet", SCENE),
    ],
    "import": [(["import", "IN", "--out", "OUT", "--accept-open"], f"in{end}", TABLE) for end in (".yaml", ".json")],
    "export": [
        (["export", "IN", "OUT"], f"in{end}", SCENE) for end in formats_by_suffix()
    ],  # of which .zip is a bundle, see `_made`
    "picture": [(["picture", "IN", "OUT"], f"in{end}", SCENE) for end in formats_by_suffix(is_still=True)],
    "lesson export": [(["lesson", "export", "IN", "OUT"], f"in{end}", LESSON) for end in (PAGE, *ENDINGS)],
    "robot play": [
        (["robot", "play", "IN", "in/joints.csv", "--angles", "rad", "--out", "OUT"], "in.yaml", JOINTED),
        (["robot", "play", "in/jointed.yaml", "IN", "--angles", "rad", "--out", "OUT"], "in.csv", JOINTS),
    ],
    "rig": [(["rig", "IN", "--out", "OUT"], "in.yaml", CAMCHAIN)],
    "align": [
        (["align", "IN", "in/path.txt", "--save", "OUT"], "in.txt", TABLE),
        (["align", "in/path.txt", "IN", "--save", "OUT"], "in.tum", TABLE),
        (["align", "IN", "in/path.txt", "--plot", "OUT"], "in.pdf", TABLE),
    ],
    **{
        name: [
            ([name, "IN", "in/path.txt", "--save_results", "OUT"], "in.csv", TABLE),
            ([name, "in/path.txt", "IN", "--save_results", "OUT"], "in.npz", TABLE),
            ([name, "in/path.txt", "IN", "--save_aligned", "OUT"], "in.tum", TABLE),
            ([name, "IN", "in/path.txt", "--plot", "OUT"], "in.svg", TABLE),
        ]
        for name in ("ape", "rpe")
    },
    "robot expand": [(["robot", "expand", "IN", "OUT"], f"in{end}", XACRO_ROBOT) for end in (".urdf", ".xacro")],
}
"""Calls of each command that takes an output: its words, a name that it takes for both, and what the input holds."""

OTHERS = {"part.xacro": PART, "joints.csv": JOINTS, "jointed.yaml": JOINTED, "path.txt": TABLE}
"""Files beside the input that a command reads too."""

WITHOUT = {
    "open", "schema", "check", "convert", "read", "detect", "compare",
    "lesson check", "lesson play", "lesson list", "lesson schema",
    "extras add",
    "robot diff", "robot write", "traj",
}  # fmt: skip
"""Commands that take no output. `robot write` writes into the file of a robot: that is what it is for. `traj` gives its
files their names itself: its tests hold it."""

OUTPUTS = {"out", "save", "plot", "save_results", "save_aligned"}
"""Parameters that name a file to write."""


def commands(command, name: str = ""):
    """Yield the name of each command, and the names of its parameters."""
    for word, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, f"{name} {word}".strip())
    if name and not hasattr(command, "commands"):
        yield name, {parameter.name for parameter in command.params}


def test_that_each_command_with_an_output_is_tried_here() -> None:
    known = dict(commands(typer.main.get_command(app)))
    assert {name for name, parameters in known.items() if parameters & OUTPUTS} == set(CASES)
    assert {name for name, parameters in known.items() if not parameters & OUTPUTS} == WITHOUT
    for name in ("align", "ape", "rpe"):
        tried = {word.removeprefix("--") for words, _, _ in CASES[name] for word in words if word.startswith("--")}
        assert tried == known[name] & OUTPUTS


def _made(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    (folder / "scene.yaml").write_text(SCENE)
    if name.endswith(".zip"):
        with ZipFile(path, "w") as bundle:
            bundle.writestr("scene.yaml", SCENE)
    else:
        path.write_text(text)
    for other, content in {
        "part.xacro": PART,
        "joints.csv": JOINTS,
        "jointed.yaml": JOINTED,
        "path.txt": TABLE,
    }.items():
        (folder / other).write_text(content)
    return path


def _ending(path: Path) -> str:
    return "".join(path.suffixes)


def _link(path: Path) -> Path:
    (link := path.with_name(f"link{_ending(path)}")).symlink_to(path.name)
    return link


def _hard_link(path: Path) -> Path:
    (link := path.with_name(f"hard{_ending(path)}")).hardlink_to(path)
    return link


def _folder_link(path: Path) -> Path:
    (link := path.parent.parent / "elsewhere").symlink_to(path.parent, target_is_directory=True)
    return link / path.name


SPELLINGS = {
    "as it is": lambda path: path,
    "relative": lambda path: Path(os.path.relpath(path)),
    "by way of its folder": lambda path: path.parent / ".." / path.parent.name / path.name,
    "a link": _link,
    "a link to a link": lambda path: _link(_link(path).rename(path.with_name(f"first{_ending(path)}"))),
    "a hard link": _hard_link,
    "a link to its folder": _folder_link,
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("command", CASES)
def test_that_no_command_writes_onto_its_input(tmp_path, monkeypatch, command, spelling) -> None:
    for i, (words, name, text) in enumerate(CASES[command]):
        folder = tmp_path / f"{i}" / "in"
        folder.mkdir(parents=True)
        monkeypatch.chdir(folder.parent)
        path = _made(folder, name, text)
        before, out = path.read_bytes(), SPELLINGS[spelling](path)
        files = sorted(folder.iterdir())
        shown = run(app, [word.replace("IN", str(path)).replace("OUT", str(out)) for word in words])
        assert path.read_bytes() == before, words
        assert sorted(folder.iterdir()) == files, words
        assert shown.exit_code == 2, (words, shown.output)
        assert "Choose another name" in shown.output, (words, shown.output)


@pytest.mark.parametrize(
    ("words", "target"),
    [
        (["evaluate", "scene.yaml", "-s", "position of cart", "--out", "walk.csv"], "walk.csv"),
        (["export", "scene.yaml", "walk.csv"], "walk.csv"),
        (["export", "scene.yaml", "part.glb", "--with-problems"], "part.glb"),
        (["export", "again/../scene.yaml", "walk.csv"], "walk.csv"),
        (["lesson", "export", "steps.lesson.md", "link.html"], "scene.yaml"),
        (["picture", "frame-0003.png", "frame-0003.png"], "frame-0003.png"),
        (["export", "frame-0003.png", "frame-%04d.png"], "frame-0003.png"),
        (["export", "frames/0003.png", "frames"], "frames/0003.png"),
    ],
)
def test_that_files_that_a_scene_names_are_inputs_too(tmp_path, monkeypatch, words, target) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scene.yaml").write_text(RECORDED)
    (tmp_path / "walk.csv").write_text(TABLE)
    (tmp_path / "part.glb").write_bytes(b"glTF")
    (tmp_path / "again").mkdir()
    (tmp_path / "steps.lesson.md").write_text(LESSON)
    (tmp_path / "link.html").symlink_to("scene.yaml")
    (tmp_path / "frames").mkdir()
    for name in ("frame-0003.png", "frames/0003.png"):
        (tmp_path / name).write_text(SCENE)
    before = (tmp_path / target).read_bytes()
    shown = run(app, words)
    assert (tmp_path / target).read_bytes() == before
    assert shown.exit_code == 2, shown.output
    assert "Choose another name" in shown.output, shown.output


@pytest.mark.process
def test_that_files_that_a_xacro_includes_are_inputs_too(tmp_path) -> None:
    if not XACRO.is_installed:
        pytest.skip("needs xacro")
    path = _made(tmp_path, "arm.xacro", XACRO_ROBOT)
    shown = run(app, ["robot", "expand", str(path), str(tmp_path / "part.xacro")])
    assert shown.exit_code == 2
    assert "part.xacro is not written" in shown.output
    assert (tmp_path / "part.xacro").read_text() == PART
    assert run(app, ["robot", "expand", str(path), str(tmp_path / "arm.urdf")]).exit_code == 0


@pytest.mark.process
def test_that_the_command_that_check_advises_for_a_urdf_with_xacro_in_it_writes_another_file(tmp_path) -> None:
    import shlex

    folder = tmp_path / "my robots"
    folder.mkdir()
    path = _made(folder, "mini.urdf", XACRO_ROBOT)
    shown = run(app, ["check", str(path)])
    advice = shown.output.partition("framescope robot expand ")[2].strip()
    words = shlex.split(advice)
    assert words[0] == str(path)
    if XACRO.is_installed:
        assert run(app, ["robot", "expand", *words]).exit_code == 0
        assert "<link" in Path(words[1]).read_text()
    assert path.read_text() == XACRO_ROBOT


def test_that_the_metadata_of_a_bag_is_an_input(tmp_path) -> None:
    folder = write_ros2(tmp_path / "drive", drive(seconds=1.0))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    shown = run(app, ["import", str(folder), "--out", str(folder / "metadata.yaml")])
    assert shown.exit_code == 2, shown.output
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    for _ in range(2):  # the scene that was written before is no part of the bag
        shown = run(app, ["import", str(folder), "--out", str(folder / "drive.yaml")])
        assert shown.exit_code == 0, shown.output


def test_that_names_that_differ_by_case_are_one_file_where_the_system_says_so(tmp_path, monkeypatch) -> None:
    path = tmp_path / "walk.csv"
    path.write_text(TABLE)
    other = tmp_path / "WALK.csv"
    check_output(other, [path])
    # A system without the difference, such as Windows and macOS, opens one by the name of the other.
    monkeypatch.setattr(Path, "exists", lambda _self: True)
    monkeypatch.setattr(Path, "samefile", lambda a, b: str(a).lower() == str(b).lower())
    with pytest.raises(OutputIsInputError, match="Choose another name"):
        check_output(other, [path])


@pytest.mark.parametrize("out", ["no/such/folder/a.csv", "a\0b.csv", "x" * 5000, "-%04d.png", ""])
def test_that_an_output_that_is_no_file_is_left_to_whoever_writes_it(tmp_path, monkeypatch, out) -> None:
    monkeypatch.chdir(tmp_path)
    check_output(Path(out), [tmp_path / "missing"])
