"""Kinds of files: what each is by what it holds, and a new kind on every way in."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from framescope import assets
from framescope.app.cli.main import app
from framescope.app.importers import registry
from framescope.app.importers.foreign import foreign_kind
from framescope.app.importers.registry import IMPORTERS, Importer, importer_of
from framescope.core.errors import FramescopeError
from framescope.core.system import optional_packages
from framescope.features.table_import.ui.import_dialog import ImportDialog
from tests.features.table_import.ui.test_importing import write_csv
from tests.support import toy_importer
from tests.support.hands import CTRL, Key
from tests.support.mesh_fuzzing import SEEDS
from tests.support.scenes import GOOD
from tests.support.whole_window import answering, click, drop_files, name_file, strike_in

pytestmark = pytest.mark.usefixtures("dark")

MESHES = [data for of_kind in SEEDS.values() for data in of_kind]

TOY = Importer("toys", (".toy",), toy_importer.recognizes, toy_importer.read, is_scene=True)
WORDS = "toy\nwheel 0.5 0 0\nhub 0 0 0.2\n"


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """Add the toy importer by one line, and write a file of it under a name that says nothing."""
    monkeypatch.setattr(registry, "IMPORTERS", (TOY, *IMPORTERS))
    path = tmp_path / "cart.dat"
    path.write_text(WORDS)
    return path


@pytest.fixture
def good(shared_window, tmp_path):
    (tmp_path / "good.yaml").write_text(GOOD)
    return shared_window(tmp_path / "good.yaml")


def frames_of(wiring) -> list[str]:
    return list(wiring.session.document.scene.frames)


# --- What a file is


def test_that_a_file_is_what_it_holds_whatever_it_is_called(tmp_path) -> None:
    for name in ("demo", "field"):
        (tmp_path / f"{name}.txt").write_bytes(assets.path(f"scenes/{name}.yaml").read_bytes())
    (tmp_path / "a.csv").write_text('{"framescope": 1, "frames": {}}')
    (tmp_path / "walk.yaml").write_text("t x y z\n0 1 2 3\n1 1 2 3\n")
    shutil.copy(assets.path("scenes/freiburg1_xyz.txt"), tmp_path / "walk")
    np.savez(tmp_path / "table.npz", t=np.arange(2.0))
    (tmp_path / "table.npz").rename(tmp_path / "table.zip")
    (tmp_path / "columns.txt").write_bytes(b"PAR1....PAR1")
    meshes = {f"mesh {i}.txt": data for i, data in enumerate(MESHES)}
    for name, data in meshes.items():
        (tmp_path / name).write_bytes(data)
    expected = {
        "demo.txt": "scenes",
        "field.txt": "scenes",
        "a.csv": "scenes",
        "walk.yaml": "tables and trajectories",
        "walk": "tables and trajectories",
        "table.zip": "NPZ tables",
        "columns.txt": "Parquet tables",
        **dict.fromkeys(meshes, "meshes"),
    }
    assert {name: importer_of(tmp_path / name).title for name in expected} == expected


def test_that_a_name_decides_where_nothing_is_recognized_and_what_is_neither_is_said_with_what_there_is(
    tmp_path,
) -> None:
    (tmp_path / "damaged.parquet").write_bytes(b"\x00\x01\x02")
    (tmp_path / "empty.parquet").touch()
    (tmp_path / "odd.csv").write_text("no numbers here\nnor here\n")
    (tmp_path / "of another program.json").write_text('{"version": 3}')
    (tmp_path / "text.md").write_text("# Notes\n\nNothing but words.\n")
    assert importer_of(tmp_path / "damaged.parquet").title == "Parquet tables"
    with pytest.raises(FramescopeError, match=r"^empty\.parquet is empty"):
        importer_of(tmp_path / "empty.parquet")
    assert importer_of(tmp_path / "odd.csv").title == "tables and trajectories"
    with pytest.raises(FramescopeError, match="is a JSON file with the key version, and no scene"):
        importer_of(tmp_path / "of another program.json")
    for name in ("text.md", "none", "."):
        with pytest.raises(FramescopeError, match=r"can be opened: scenes \(yaml.*meshes \(stl.*csv"):
            importer_of(tmp_path / name)


def test_that_a_package_that_is_missing_is_said_before_anything_is_read(tmp_path) -> None:
    needing = Importer("bags", (".bag",), toy_importer.recognizes, toy_importer.read,
                       extra=optional_packages.Extra("no_such_module", "rosbags", "Bags", "bags"))  # fmt: skip
    with pytest.raises(FramescopeError, match=r"a\.bag: Bags needs rosbags\. Add it with"):
        needing.read(tmp_path / "a.bag")


# --- A new kind, on every way in


def test_that_a_toy_is_opened_by_the_command_line(toy, open_window) -> None:
    with toy.open("a") as file:
        file.write("lost\n")
    result = CliRunner().invoke(app, ["check", str(toy)])
    assert result.exit_code == 2
    assert "2 frames" in result.stdout
    assert "lost has no place" in result.stdout
    wiring = open_window(toy)
    assert frames_of(wiring) == ["wheel", "hub"]
    assert wiring.session.document.path is None  # it is saved elsewhere
    assert any("lost has no place" in problem.message for problem in wiring.window.problems.problems)


def test_that_a_toy_is_opened_by_drop_and_by_the_dialogs(toy, good, qtbot) -> None:
    assert drop_files(good, toy)
    assert frames_of(good) == ["wheel", "hub"]
    good.open(toy.parent / "good.yaml")
    with answering(name_file(toy)):
        strike_in(good, Key.Key_O, CTRL)
    assert frames_of(good) == ["wheel", "hub"]
    good.open(toy.parent / "good.yaml")
    before = frames_of(good)
    with answering(name_file(toy)):
        strike_in(good, Key.Key_I, CTRL)
    qtbot.waitUntil(lambda: frames_of(good) == [*before, "wheel", "hub"])  # it is added
    strike_in(good, Key.Key_Z, CTRL)
    assert frames_of(good) == before


def test_that_what_a_toy_does_not_hold_is_said(toy, good) -> None:
    toy.write_text("toy\n")
    assert drop_files(good, toy)
    assert "holds no toys" in good.window.status.message


@pytest.mark.parametrize("head", [b"GIF89a", b"\x89PNG\r\n\x1a\n", b'<?xml version="1.0"?><mujocoinclude>'])
def test_that_a_dropped_foreign_file_is_said_to_be_what_it_is(good, tmp_path, head) -> None:
    path = tmp_path / "recording.csv"
    path.write_bytes(head)
    assert drop_files(good, path)
    kind = foreign_kind(head)
    assert kind is not None
    assert kind.what in good.window.status.message
    assert kind.do in good.window.status.message


# --- Meshes, and tables with other names


def test_that_a_dropped_mesh_becomes_a_body_with_its_file_beside_the_scene(good, qtbot, tmp_path_factory) -> None:
    path = tmp_path_factory.mktemp("elsewhere") / "part.stl"
    path.write_bytes(next(data for data in MESHES if data.startswith(b"solid t")))
    for names in (["part"], ["part", "part_2"]):
        assert drop_files(good, path)
        qtbot.waitUntil(lambda names=names: list(good.session.document.scene.bodies)[-len(names) :] == names)
    assert good.session.document.scene.bodies["part_2"].shape.file == "part.stl"
    assert (good.session.document.folder / "part.stl").is_file()
    assert good.session.selection == ("bodies", "part_2")


def test_that_a_table_with_another_ending_is_copied_under_one_that_a_scene_can_name(good, qtbot, tmp_path) -> None:
    write_csv(tmp_path / "walk.csv").rename(tmp_path / "walk.log")
    assert drop_files(good, tmp_path / "walk.log")
    qtbot.waitUntil(lambda: good.window.findChild(ImportDialog) is not None)
    dialog = good.window.findChild(ImportDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    qtbot.waitUntil(dialog.import_button.isEnabled)
    click(dialog.import_button)
    qtbot.waitUntil(lambda: "walk" in frames_of(good))
    assert Path(good.session.document.scene.frames["walk"].motion.file).suffix in (".csv", ".txt")
    assert [problem for problem in good.session.problems if problem.severity == "red"] == []
    qtbot.waitUntil(lambda: good.window.findChild(ImportDialog) is None)


def test_that_a_table_is_imported_by_the_command_line_into_a_new_scene(open_window, qtbot, tmp_path) -> None:
    wiring = open_window(write_csv(tmp_path / "walk.csv"))
    qtbot.waitUntil(lambda: wiring.window.findChild(ImportDialog) is not None)
    assert wiring.session.document.path is None
    wiring.window.findChild(ImportDialog).reject()
    result = CliRunner().invoke(app, ["check", str(tmp_path / "walk.csv")])
    assert result.exit_code == 2
    assert "no scene, but one of the tables" in result.stderr
