"""Files that a scene names: what opens, what needs consent, what nothing opens, and that nothing outside is touched."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager

import pytest

from framescope.core.errors import ItemError
from framescope.core.scene.files.referenced_files import renamed_files
from framescope.core.scene.schema.model import Scene
from framescope.core.system import file_access
from framescope.core.system.file_access import Access, OutsideError, outside_names, resolve_named

KEY = ("motion", "file")
EXTENSIONS = (".csv", ".txt")

OUTSIDE = [
    *(
        "../walk.txt",
        "a/../../walk.txt",
        "./../walk.txt",
        "/walk.txt",
        "/a/../walk.txt",
        "~/walk.txt",
        "~root/walk.txt",
    ),
    *(
        "//server/share/walk.txt",
        "\\\\server\\share\\walk.txt",
        "C:\\walk.txt",
        "c:/walk.txt",
        "C:walk.txt",
        "\\walk.txt",
    ),
]
HOPELESS = {
    "address": ("https://example.org/walk.txt", "fetches nothing", "Download the file beside the scene"),
    "address of another kind": ("smb://server/walk.txt", "fetches nothing", "Download"),
    "address of a file": ("file:///home/me/walk.txt", "fetches nothing", "Copy the file"),
    "data in an address": ("data:text/plain,1.txt", "fetches nothing", ""),
    "device": ("/dev/shm/walk.txt", "is a device", "Name a file"),
    "process": ("/proc/self/environ.txt", "is a device", ""),
    "device of Windows": ("NUL.txt", "is a device", ""),
    "device of Windows in a folder": ("runs/com1.walk.txt", "is a device", ""),
    "pipe of Windows": ("\\\\.\\pipe\\walk.txt", "is a device", ""),
    "long path of Windows": ("\\\\?\\C:\\walk.txt", "is a device", ""),
    "backslash": ("runs\\walk.txt", "backslash", "Write / between folders"),
    "zero": ("walk\0.txt", "no usable file name", ""),
    "line feed": ("walk\n.txt", "no usable file name", ""),
    "turned text": ("walk\u202etxt.csv", "no usable file name", ""),
    "nothing": ("", "no usable file name", ""),
    "blank": ("  ", "no usable file name", ""),
    "folder": ("walk.txt/", "no usable file name", ""),
    "too long": ("w" * 2000 + ".txt", "no usable file name", ""),
    "too long for a folder": ("w" * 400 + ".txt", "", ""),
    "blank at an end": ("runs /walk.txt", "Windows drops", "Rename"),
    "no extension": ("walk", "it has no extension", "Known are: .csv, .txt."),
    "unknown extension": ("walk.exe", '".exe" is no extension', "Known are: .csv, .txt."),
    "misspelt extension": ("walk.cvs", '".cvs" is no extension', 'Did you mean ".csv"?'),
    "hidden extension": (".txt", "it has no extension", ""),
}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "scene"
    (folder / "runs").mkdir(parents=True)
    for name in ("walk.txt", "runs/walk.CSV", "../outside.txt"):
        (folder / name).write_text("1 2\n")
    return folder


@contextmanager
def nothing_else_touched(folder):
    """Watch the calls that ask the system for something that lies neither in a folder nor on the way to it."""
    touched = []

    def watched(look):
        def call(path, *args, **kwargs):
            given = os.path.normpath(os.fspath(path))
            if not given.startswith(str(folder)) and not str(folder).startswith(given):
                touched.append(given)
            return look(path, *args, **kwargs)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in ("stat", "lstat", "readlink", "scandir", "open"):
            patch.setattr(os, name, watched(getattr(os, name)))
        yield
    assert not touched


def refusal(name: str, access: Access) -> ItemError:
    with pytest.raises(ItemError) as caught:
        resolve_named(name, access, KEY, EXTENSIONS)
    assert caught.value.key_path == KEY
    assert len(str(caught.value)) < 400
    assert str(caught.value).isprintable()
    return caught.value


@pytest.mark.parametrize("name", ["walk.txt", "./walk.txt", "runs/../walk.txt", "runs//walk.CSV"])
def test_that_a_file_in_the_folder_is_found(folder, name) -> None:
    assert resolve_named(name, Access(folder), KEY, EXTENSIONS) == (folder / name).resolve()


@pytest.mark.parametrize("name", OUTSIDE)
def test_that_what_is_outside_is_judged_by_its_name_and_not_touched(folder, name) -> None:
    with nothing_else_touched(folder):
        error = refusal(name, Access(folder))
    assert isinstance(error, OutsideError)
    assert error.name == name
    assert "outside the folder" in error.message
    assert "--allow-outside" in error.hint


@pytest.mark.parametrize("kind", HOPELESS)
@pytest.mark.parametrize("allow_all", [False, True])
def test_that_no_consent_opens_what_is_no_file_name(folder, kind, allow_all) -> None:
    name, message, hint = HOPELESS[kind]
    error = refusal(name, Access(folder, allow_all=allow_all))
    assert not isinstance(error, OutsideError)
    assert message in error.message
    assert hint in error.hint


def test_that_consent_opens_the_name_it_was_given_for(folder) -> None:
    outside = str(folder.parent / "outside.txt")
    for access in (Access(folder, frozenset((outside, "../outside.txt"))), Access(folder, allow_all=True)):
        for name in (outside, "../outside.txt"):
            assert resolve_named(name, access, KEY, EXTENSIONS) == folder.parent / "outside.txt"
    assert isinstance(refusal("../other.txt", Access(folder, frozenset(("../outside.txt",)))), OutsideError)
    assert "there is no file ../other.txt" in refusal("../other.txt", Access(folder, allow_all=True)).message


def test_that_a_scene_that_is_not_saved_names_files_by_their_whole_path(folder) -> None:
    whole = str(folder / "walk.txt")
    assert isinstance(refusal(whole, Access()), OutsideError)
    assert resolve_named(whole, Access(allow_all=True), KEY, EXTENSIONS) == folder / "walk.txt"
    assert refusal("walk.txt", Access()).hint == "Save the scene first."
    assert refusal("walk.txt", Access(allow_all=True)).hint == "Save the scene first."


@pytest.mark.skipif(os.name == "nt", reason="the names are those of this system")
def test_that_a_path_of_windows_is_no_file_here_even_with_consent(folder) -> None:
    (folder / "C:walk.txt").write_text("")
    assert "path of Windows" in refusal("C:walk.txt", Access(folder, allow_all=True)).message


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_that_links_are_followed_within_the_folder_and_not_out_of_it(folder) -> None:
    links = {
        "near.txt": "runs/../walk.txt",
        "whole.txt": str(folder / "walk.txt"),
        "chain.txt": "near.txt",
        "out.txt": "../outside.txt",
        "far.txt": "/etc/hostname",
        "share": "//server/share",
        "up": "runs/../..",
        "odd.txt": f"{folder}/../outside.txt",
    }
    for name, target in links.items():
        (folder / name).symlink_to(target)
    access = Access(folder)
    outside = ("out.txt", "far.txt", "share/a.txt", "up/outside.txt", "odd.txt")
    with nothing_else_touched(folder):
        for name in ("near.txt", "whole.txt", "chain.txt"):
            assert resolve_named(name, access, KEY, EXTENSIONS) == folder / "walk.txt"
        for name in outside:
            assert isinstance(refusal(name, access), OutsideError)
        found = outside_names((*links, *outside), access)
    assert found == ("out.txt", "far.txt", "share", "up", "odd.txt", *outside[2:4])
    allowed = Access(folder, frozenset(("out.txt",)))
    assert resolve_named("out.txt", allowed, KEY, EXTENSIONS) == folder.parent / "outside.txt"


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_that_a_scene_in_a_folder_behind_a_link_finds_its_files(folder) -> None:
    (folder.parent / "alias").symlink_to(folder)
    assert resolve_named("walk.txt", Access(folder.parent / "alias"), KEY, EXTENSIONS) == folder / "walk.txt"


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_that_links_in_a_circle_and_links_to_other_extensions_are_refused(folder) -> None:
    (folder / "round.txt").symlink_to("again.txt")
    (folder / "again.txt").symlink_to("round.txt")
    assert "no usable file name" in refusal("round.txt", Access(folder)).message
    (folder / "key").write_text("secret")
    (folder / "key.txt").symlink_to("key")
    assert "no extension" in refusal("key.txt", Access(folder)).message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_that_only_ordinary_files_are_opened(folder) -> None:
    os.mkfifo(folder / "pipe.txt")
    (folder / "folder.txt").mkdir()
    assert "no ordinary file" in refusal("pipe.txt", Access(folder)).message
    assert "is a folder" in refusal("folder.txt", Access(folder)).message
    assert "no file walk.txt/a.txt" in refusal("walk.txt/a.txt", Access(folder)).message


def test_that_a_missing_file_names_the_nearest_of_those_that_could_be_meant(folder) -> None:
    (folder / "wlak.md").write_text("")
    error = refusal("wlak.txt", Access(folder))
    assert error.message == "there is no file wlak.txt beside the scene."
    assert error.hint == 'Did you mean "walk.txt"?'
    assert refusal("zz.csv", Access(folder)).hint == "Use one of: walk.txt."
    assert refusal("none/a.csv", Access(folder)).hint == "Check its name."


def test_that_names_for_consent_are_told_once_and_without_what_nothing_opens(folder) -> None:
    names = ["walk.txt", "../b.txt", "missing.txt", "http://x.org/a.txt", "/dev/zero", "../b.txt", "/data/a.npz", "NUL"]
    assert outside_names(names, Access(folder)) == ("../b.txt", "/data/a.npz")
    assert outside_names(names, Access(folder, frozenset(("../b.txt",)))) == ("/data/a.npz",)
    assert outside_names(names, Access(folder, allow_all=True)) == ()


def test_that_a_colon_is_refused_on_windows_only(folder, monkeypatch) -> None:
    if sys.platform != "win32":
        (folder / "12:30.txt").write_text("")
        assert resolve_named("12:30.txt", Access(folder), KEY, EXTENSIONS).name == "12:30.txt"
    monkeypatch.setattr(file_access, "IS_WINDOWS", True)
    assert "colon" in refusal("walk.csv:hidden.txt", Access(folder)).message


def test_that_access_can_be_a_key() -> None:
    assert len({Access(), Access(), Access(allow_all=True), Access(allowed=frozenset("a"))}) == 3


def test_that_a_file_of_times_is_renamed_too() -> None:
    motion = {"form": "recorded", "file": "../a.txt", "format": "kitti", "times": "../times.txt", "bandwidth": "4 Hz"}
    scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "motion": motion}}})
    renamed = renamed_files(scene, {"../a.txt": "files/a.txt", "../times.txt": "files/times.txt"})
    assert (renamed.frames["a"].motion.file, renamed.frames["a"].motion.times) == ("files/a.txt", "files/times.txt")
