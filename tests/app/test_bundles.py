"""Bundles from anybody: what is whole is unpacked, what is hostile is refused and writes nothing."""

from __future__ import annotations

import os
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from framescope.app.cli.main import app
from framescope.app.exporters.registry import export
from framescope.app.exporters.request import SceneSource
from framescope.core.errors import SceneError
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files import scene_archive
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.files.scene_archive import unpack_beside, unpack_into
from framescope.core.system.file_access import Access
from tests.support.command_line import CliRunner
from tests.support.scenes import GOOD
from tests.support.whole import WHOLE, write_whole

NAME = "b.zip"


QUICK = WHOLE.replace("tolerance: 1e-9", "tolerance: 1e-3").replace("end: 2 s}", "end: 200 ms}", 1)
"""The scene of everything, quickly simulated."""


def packed(folder: Path, entries: dict[str, str | bytes], *, method: int = zipfile.ZIP_DEFLATED) -> Path:
    path = folder / NAME
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def everything(folder: Path) -> dict[str, bytes]:
    return {str(item.relative_to(folder)): item.read_bytes() for item in folder.rglob("*") if item.is_file()}


def test_that_a_bundle_of_ours_opens_elsewhere_as_the_same_scene(tmp_path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    source = write_whole(here, QUICK)
    loaded = load_scene(source)
    access = Access(here)
    plan = compile_plan(loaded.scene, access=access)
    export(loaded.scene, plan, there / NAME, source=SceneSource(source.name, loaded.text, access))
    path = unpack_beside(there / NAME)
    assert path == there / "b" / source.name
    opened = load_scene(path)
    assert opened.scene == loaded.scene
    assert compile_plan(opened.scene, path.parent).problems == plan.problems
    assert os.access(path, os.W_OK)


def test_that_a_folder_with_the_same_files_is_taken_and_another_is_left_alone(tmp_path) -> None:
    bundle = packed(tmp_path, {"s.yaml": GOOD, "a/walk.csv": "t,x\n0,1\n"})
    first = unpack_beside(bundle)
    assert unpack_beside(bundle) == first
    first.write_text(GOOD.replace("Test", "Mine"))
    second = unpack_beside(bundle)
    assert second == tmp_path / "b-2" / "s.yaml"
    assert "Mine" in first.read_text()
    assert (tmp_path / "b-2" / "a" / "walk.csv").read_text() == "t,x\n0,1\n"


def test_that_what_a_scene_cannot_name_stays_in_the_bundle(tmp_path) -> None:
    bundle = packed(tmp_path, {"d/s.yaml": GOOD, "d/run.exe": b"MZ", ".DS_Store": b"x", "__MACOSX/._s": b"y"})
    assert unpack_beside(bundle) == tmp_path / "b" / "d" / "s.yaml"
    assert sorted(everything(tmp_path / "b")) == ["d/s.yaml"]


HOSTILE = {
    "parent": ("../evil.csv", "leads out of it"),
    "deep parent": ("a/../../evil.csv", "leads out of it"),
    "rooted": ("/tmp/evil.csv", "leads out of it"),
    "home": ("~/evil.csv", "leads out of it"),
    "drive": ("C:/evil.csv", "leads out of it"),
    "backslash": ("..\\evil.csv", "backslash"),
    "share": ("\\\\server\\share\\evil.csv", "leads out of it"),
    "stream": ("s.csv:evil.csv", "leads out of it"),
    "device": ("aux.csv", "device"),
    "dot at the end": ("a./evil.csv", "a dot at an end"),
    "not printable": ("a\x1b[2Jb.csv", "no usable file name"),
    "too long": ("x" * 1100 + ".csv", "no usable file name"),
    "too deep": ("a/" * 30 + "b.csv", "more than 20 folders"),
    "address": ("http://x.org/a.csv", "address"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_that_a_name_that_leads_elsewhere_is_refused(tmp_path, kind) -> None:
    name, said = HOSTILE[kind]
    inner = tmp_path / "inner"
    inner.mkdir()
    refused(packed(inner, {"s.yaml": GOOD, name: "evil"}), said)


def refused(bundle: Path, said: str) -> None:
    """Both ways refuse it, say why, and leave nothing anywhere."""
    above = bundle.parent.parent
    before = everything(above)
    into = bundle.parent / "into"
    into.mkdir()
    for unpack in (lambda: unpack_beside(bundle), lambda: unpack_into(bundle, into)):
        with pytest.raises(SceneError) as caught:
            unpack()
        assert said in str(caught.value)
        assert len(str(caught.value)) < 1000
        if "than it says" not in said:
            assert everything(above) == before
    assert sorted(item.name for item in bundle.parent.iterdir()) == sorted({bundle.name, "into"})


def hostile(tmp_path: Path, **entries: str | bytes) -> Path:
    inner = tmp_path / "inner"
    inner.mkdir()
    return packed(inner, {name.replace("__", "."): content for name, content in entries.items()})


def test_that_links_and_devices_are_refused(tmp_path) -> None:
    for i, kind in enumerate((stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO)):
        folder = tmp_path / str(i) / "inner"
        folder.mkdir(parents=True)
        with zipfile.ZipFile(folder / NAME, "w") as archive:
            archive.writestr("s.yaml", GOOD)
            entry = zipfile.ZipInfo("walk.csv")
            entry.external_attr = (kind | 0o777) << 16
            archive.writestr(entry, "/etc/passwd")
        refused(folder / NAME, "a link or a device")


def test_that_too_many_files_are_refused_before_they_are_listed(tmp_path) -> None:
    refused(
        hostile(tmp_path, s__yaml=GOOD, **{f"f{i}__csv": "" for i in range(scene_archive.MAX_FILES)}), "at most 1000"
    )


def test_that_a_directory_too_large_to_read_is_not_read(tmp_path, monkeypatch) -> None:
    bundle = hostile(tmp_path, s__yaml=GOOD, **{f"{'x' * 150}{i}__csv": "" for i in range(6000)})
    monkeypatch.setattr(zipfile, "ZipFile", None)
    refused(bundle, "more than 1000 files")


def test_that_a_bomb_is_refused_by_what_it_says(tmp_path) -> None:
    refused(hostile(tmp_path, s__yaml=GOOD, bomb__csv=b"0" * 20_000_000), "200 times its packed size")


def test_that_a_bomb_that_lies_is_stopped(tmp_path) -> None:
    bundle = hostile(tmp_path, s__yaml=GOOD, bomb__csv=b"0" * 5_000_000)
    data = bytearray(bundle.read_bytes())
    at = data.rfind(b"PK\x01\x02")
    assert struct.unpack_from("<I", data, at + 24)[0] == 5_000_000
    struct.pack_into("<I", data, at + 24, 1000)  # what the directory says
    bundle.write_bytes(data)
    with pytest.raises(SceneError):
        unpack_beside(bundle)
    assert [item.name for item in bundle.parent.iterdir()] == [NAME]


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"walk__csv": "t\n0\n"}, "no scene"),
        ({"a__yaml": GOOD, "b__yaml": GOOD}, "2 scenes"),
        ({"a__yaml": GOOD, "A__csv": "", "a__csv": ""}, "twice"),
    ],
)
def test_that_what_is_no_bundle_is_refused(tmp_path, entries, said) -> None:
    refused(hostile(tmp_path, **entries), said)


def test_that_damaged_and_foreign_files_are_refused(tmp_path) -> None:
    good = hostile(tmp_path, s__yaml=GOOD).read_bytes()
    damaged = good.replace(b"PK\x03\x04", b"PK\x03\x05")
    for i, data in enumerate((b"", b"PK", b"x" * 100, good[: len(good) // 2], damaged, b"PK\x05\x06" + b"\xff" * 18)):
        folder = tmp_path / str(i) / "inner"
        folder.mkdir(parents=True)
        (folder / NAME).write_bytes(data)
        refused(folder / NAME, "zip" if data != damaged else "Bad magic number")


def test_that_a_bundle_that_is_locked_or_packed_otherwise_is_refused(tmp_path) -> None:
    bundle = hostile(tmp_path, s__yaml=GOOD)
    data = bytearray(bundle.read_bytes())
    data[data.rfind(b"PK\x01\x02") + 8] |= 1
    bundle.write_bytes(data)
    refused(bundle, "password")
    other = tmp_path / "other" / "inner"
    other.mkdir(parents=True)
    refused(packed(other, {"s.yaml": GOOD}, method=zipfile.ZIP_LZMA), "unusual method")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_that_a_pipe_is_not_waited_for(tmp_path) -> None:
    os.mkfifo(tmp_path / NAME)
    with pytest.raises(SceneError, match="no ordinary file"):
        unpack_beside(tmp_path / NAME)


def test_that_the_page_on_security_states_these_limits() -> None:
    page = (Path(__file__).parents[2] / "SECURITY.md").read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| bundle |"))
    for text in (
        f"{scene_archive.MAX_FILE_BYTES // 1_000_000} MB",
        f"{scene_archive.MAX_UNPACKED_BYTES // 1_000_000_000} GB when unpacked",
        f"{scene_archive.MAX_FILES} files",
        f"{scene_archive.MAX_ONE_BYTES // 1_000_000} MB each",
        f"{scene_archive.MAX_RATIO} times its packed size",
        f"where that is over {scene_archive.ANY_RATIO_BYTES // 1_000_000} MB",
        f"{scene_archive.MAX_LEVELS} folders deep",
    ):
        assert text in row


def test_that_commands_look_into_a_bundle_and_leave_nothing_beside_it(tmp_path) -> None:
    bundle = packed(tmp_path, {"s.yaml": GOOD})
    out = tmp_path / "t.csv"
    for arguments, status in ((["check", bundle], 0), (["export", bundle, out, "--fps", "1"], 0)):
        assert CliRunner().invoke(app, [str(argument) for argument in arguments]).exit_code == status
    assert sorted(item.name for item in tmp_path.iterdir()) == [NAME, "t.csv"]
    bundle.write_bytes(b"PK")
    result = CliRunner().invoke(app, ["check", str(bundle)])
    assert result.exit_code == 2
    assert "no zip" in result.output
