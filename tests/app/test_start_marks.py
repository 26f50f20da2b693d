"""The mark of a start: it goes with the first picture, and what stays tells the next start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from framescope.app import startup
from framescope.app.session.scene_lookup import find_scene
from framescope.app.storage.start_marks import StartMark
from tests.support.whole_window import leave

pytestmark = pytest.mark.process

DIES = """
import os, sys
from pathlib import Path
from framescope.app.storage.start_marks import StartMark
mark = StartMark(Path(sys.argv[1]))
{end}
"""


def start_in_a_process(below: Path, end: str) -> None:
    command = [sys.executable, "-P", "-c", DIES.format(end=end), str(below)]
    subprocess.run(command, check=False, stderr=subprocess.DEVNULL)


def test_that_a_start_that_got_to_its_picture_leaves_nothing(tmp_path) -> None:
    mark = StartMark(tmp_path / "starts")
    assert not mark.has_failed_before
    assert any((tmp_path / "starts").iterdir())
    mark.remove()
    assert list((tmp_path / "starts").iterdir()) == []
    assert not StartMark(tmp_path / "starts").has_failed_before


def test_that_a_start_that_died_or_raised_is_told_once(tmp_path) -> None:
    for end in ("os._exit(1)", "raise ValueError('in what is remembered')"):
        start_in_a_process(tmp_path, end)
        first = StartMark(tmp_path)
        assert first.has_failed_before
        first.remove()
        again = StartMark(tmp_path)
        assert not again.has_failed_before
        again.remove()


def test_that_a_start_beside_this_one_has_not_failed(tmp_path) -> None:
    other = subprocess.Popen(
        [sys.executable, "-P", "-c", DIES.format(end="print(flush=True); sys.stdin.read()"), str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with other:
        other.stdout.readline()
        mark = StartMark(tmp_path)
        assert not mark.has_failed_before
        mark.remove()
        other.stdin.close()


def test_that_the_mark_of_an_earlier_process_with_the_same_number_counts(tmp_path) -> None:
    start_in_a_process(tmp_path, "os._exit(1)")
    for left in list(tmp_path.iterdir()):
        left.rename(tmp_path / f"{os.getpid()}{left.suffix}")
    mark = StartMark(tmp_path)
    assert mark.has_failed_before
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".lock", ".start"]
    mark.remove()


def test_that_a_place_that_cannot_be_written_stops_nobody(tmp_path) -> None:
    (tmp_path / "starts").write_text("a file, and no folder")
    mark = StartMark(tmp_path / "starts")
    assert not mark.has_failed_before
    mark.remove()


def test_that_what_is_remembered_can_be_left_out(qapp, tmp_path, qtbot) -> None:
    first = startup.make_window(find_scene("demo"))
    first.window.resize(1010, 707)
    first.window.set_place("Check")
    first.window.show()
    qtbot.waitExposed(first.window)
    leave(first)
    for is_as_left, preset, width in ((True, "Check", 1010), (False, "Build", 1280)):
        wiring = startup.make_opening(find_scene("demo"), is_as_left=is_as_left).finish()
        assert (wiring.window.place, wiring.window.width()) == (preset, width)
        wiring.window.deleteLater()
