"""Temporary folders: gone with their process, removed at the next start when it was killed, and no others."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from framescope.app.storage.temporary_folders import LOCK, NOTES, PREFIX, TemporaryFolder, clear_abandoned

pytestmark = pytest.mark.process

OTHER = """
import sys
from framescope.app.storage.temporary_folders import folder_until_exit
folder = folder_until_exit()
(folder / "work").write_text("half")
print(folder.parent, flush=True)
sys.stdin.read()
"""


SAVING = """
import sys
from pathlib import Path
from framescope.app.storage.temporary_folders import note_partial
from framescope.core.system.atomic_write import atomically, note_partials_by, partial_name
note_partials_by(note_partial)
target = Path(sys.argv[1])
with atomically(target) as partial, partial_name(target.with_suffix("")) as folder:
    partial.write_text("half")
    folder.mkdir()
    (folder / "some").write_text("of it")
    print("begun", flush=True)
    sys.stdin.read()
    (folder / "some").unlink()
    folder.rmdir()
"""


@pytest.fixture
def below(tmp_path, monkeypatch):
    """A place for temporary files of one's own."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def other():
    """Give what starts a process with a folder, and returns both."""
    started = []

    def start(program=OTHER, *arguments):
        command = [sys.executable, "-P", "-c", program, *map(str, arguments)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        return process, process.stdout.readline().strip()

    yield start
    for process in started:
        with process:
            process.kill()


def test_that_a_folder_goes_with_its_block_and_with_its_process(below, other) -> None:
    with TemporaryFolder() as folder:
        assert list(folder.iterdir()) == []
        assert folder.is_relative_to(below)
    assert list(below.iterdir()) == []
    process, _ = other()
    assert len(list(below.iterdir())) == 1
    process.communicate("")
    assert list(below.iterdir()) == []


def test_that_what_a_killed_process_has_left_is_removed_and_what_a_living_one_has_is_not(below, other) -> None:
    killed, left = other()
    _, used = other()
    killed.kill()
    killed.wait()
    assert {str(path) for path in below.iterdir()} == {left, used}
    with TemporaryFolder() as own:
        clear_abandoned()
        assert {str(path) for path in below.iterdir()} == {str(own.parent), used}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_that_what_is_not_ours_stays(below) -> None:
    kept = below / "kept"
    kept.mkdir()
    (kept / LOCK).write_text("1")
    (below / f"{PREFIX}link").symlink_to(kept)
    (below / f"{PREFIX}notes").mkdir()  # made by a person, without a lock
    (below / f"{PREFIX}file").write_text("a file")
    (below / f"{PREFIX}early").mkdir()
    (below / f"{PREFIX}early" / LOCK).touch()  # about to be locked
    odd = below / f"{PREFIX}pipe"
    odd.mkdir()
    os.mkfifo(odd / LOCK)
    before = sorted(below.rglob("*"))
    clear_abandoned()
    assert sorted(below.rglob("*")) == before


def test_that_what_a_killed_save_has_left_is_removed_and_nothing_else(below, other, tmp_path_factory) -> None:
    scenes = tmp_path_factory.mktemp("scenes")
    target, by_hand = scenes / "mine.yaml", scenes / ".mine.0123abcd.yaml"
    target.write_text("whole")
    by_hand.write_text("looks like ours")
    process, _ = other(SAVING, target)
    living, _ = other(SAVING, scenes / "other.yaml")
    assert len(list(scenes.iterdir())) == 2 + 2 + 2
    process.kill()
    process.wait()
    clear_abandoned()
    assert {path.name.split(".")[1] for path in scenes.iterdir()} == {"yaml", "mine", "other"}
    assert target.read_text() == "whole"
    assert sorted(scenes.glob(".mine*")) == [by_hand]
    assert len(list(scenes.glob(".other*"))) == 2
    living.communicate("")
    assert {path.name for path in scenes.iterdir()} == {"mine.yaml", "other.yaml", by_hand.name}


def test_that_a_note_of_what_we_never_write_is_left_alone(below, other) -> None:
    kept = below / "thesis.yaml"
    kept.write_text("years of work")
    killed, left = other()
    (Path(left) / NOTES / "odd").write_text(str(kept))
    killed.kill()
    killed.wait()
    clear_abandoned()
    assert list(below.iterdir()) == [kept]
