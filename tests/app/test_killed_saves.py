"""Saves that end by kill -9 at any moment: what was there, or what is new, whole, and nothing else for long."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from framescope.app.storage.temporary_folders import clear_abandoned
from framescope.core.system.atomic_write import PARTIAL
from framescope.features.lessons.app.lesson_author import RECOVERY_SUFFIX

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of POSIX"),
]

WRITER = """\
import itertools, sys
from pathlib import Path
from framescope.app.storage.temporary_folders import note_partial
from framescope.core.scene.files.saving import write_atomically
from framescope.core.system.atomic_write import copy_atomically, note_partials_by

note_partials_by(note_partial)
lesson, kept, scene = map(Path, sys.argv[1:])
for n in itertools.count():
    text = f"# Lesson {n}\\n" + f"{n}\\n" * 20_000
    write_atomically(kept, text)        # while it is written
    write_atomically(lesson, text)      # saved
    kept.unlink(missing_ok=True)
    copy_atomically(lesson, scene)      # a scene that goes along
    print(n, flush=True)
"""


def _whole(path: Path) -> int:
    """Return the number of the text in a file, all of which has to be there."""
    head, *rows = path.read_text().splitlines()
    n = head.removeprefix("# Lesson ")
    assert rows == [n] * 20_000
    return int(n)


def test_that_a_lesson_is_whole_whenever_the_program_is_killed(tmp_path, monkeypatch) -> None:
    temporary = tmp_path / "tmp"
    work = tmp_path / "work"
    temporary.mkdir()
    work.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    files = [work / name for name in ("a.lesson.md", f"a.lesson.md{RECOVERY_SUFFIX}", "a.yaml")]
    for i in range(8):
        command = [sys.executable, "-P", "-c", WRITER, *map(str, files)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            written = int(process.stdout.readline())  # it is under way
            end = time.perf_counter() + 0.003 * i
            while time.perf_counter() < end:
                pass
            os.kill(process.pid, signal.SIGKILL)
            written = max([written, *map(int, process.stdout.read().split())])
        assert _whole(files[0]) in {written, written + 1}
        assert not files[1].exists() or _whole(files[1]) in {written, written + 1}
        assert not files[2].exists() or _whole(files[2]) in {written, written + 1}
    left = [path.name for path in work.iterdir() if path not in files]
    assert all(PARTIAL.fullmatch(name) for name in left)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    clear_abandoned()
    assert [path for path in work.iterdir() if path not in files] == []
