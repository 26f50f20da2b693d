"""Surroundings that somebody else has set up: settings, variables, temporary folders, unsaved work, import paths."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths

from framescope.app import platforms
from framescope.app.background.child_processes import ProcessLimits, child_folder, run_child
from framescope.app.background.plan_source import PlanSource
from framescope.app.cli.common import EXIT_SYSTEM
from framescope.app.export_service import tasks
from framescope.app.export_service.tasks import ExportJob
from framescope.app.session.recovery import ABOUT, LOCK, SCENE, find_recoveries
from framescope.app.storage import settings_store
from framescope.app.storage.settings import Settings
from framescope.app.storage.settings_store import settings_file, wait_until_written
from framescope.core.system.file_access import Access
from framescope.ui.exports.options import ExportOptions
from framescope.ui.qt_support import application_start
from framescope.ui.qt_support.platform_plugins import platform_fault
from tests.support.scenes import GOOD, scene_of

posix = pytest.mark.skipif(sys.platform == "win32", reason="pipes, owners and modes are of POSIX")

# --- Settings


def _made(kind: str) -> Path:
    file = settings_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "pipe behind a link":
        os.mkfifo(file.with_name("pipe"))
        file.symlink_to("pipe")
    elif kind == "device":
        file.symlink_to("/dev/zero")
    elif kind == "folder":
        file.mkdir()
    elif kind == "circle of links":
        file.symlink_to(file.name)
    elif kind == "huge":
        with file.open("wb") as opened:
            opened.truncate(1 << 32)
    else:
        file.write_bytes(GARBAGE[kind])
    return file


GARBAGE = {
    "bytes": bytes(range(256)) * 100,
    "objects": b"[General]\ntheme=@Variant(\\0\\0\\0\\x7f\\0\\0\\0\\x1PyObject\\0garbage)\nfont-scale=@ByteArray(\n",
    "objects under old keys": b"[General]\nangle%20unit=@Variant(\\0\\0\\0\\x7f\\0)\nfont%20scale=@ByteArray(\n",
    "no lines": b"=" * 100_000,
    "deep": b"[" * 100_000,
    "not text": b"\xff\xfe\x00" * 1000,
}


@posix
@pytest.mark.qt_log_ignore("unknown user type")
@pytest.mark.parametrize(
    "kind", ["pipe", "pipe behind a link", "device", "folder", "circle of links", "huge", *GARBAGE]
)
def test_that_no_settings_file_keeps_the_window_away(qapp, settings_of_its_own, kind) -> None:
    file = _made(kind)
    before = file.lstat()
    settings = Settings()
    assert settings.font_scale == 1.0
    assert settings.recent == ()
    settings.font_scale = 1.5
    wait_until_written()
    assert settings.font_scale == 1.5
    if kind not in GARBAGE:  # it is not written over either
        assert (file.lstat().st_mode, file.lstat().st_size) == (before.st_mode, before.st_size)


def test_that_a_usual_settings_file_is_where_qt_has_it(qapp, settings_of_its_own) -> None:
    Settings().font_scale = 1.25
    wait_until_written()
    assert settings_file().is_file()
    assert settings_file().is_relative_to(settings_of_its_own)
    assert Settings().font_scale == 1.25
    assert 100 * settings_file().stat().st_size < settings_store.MAX_BYTES


# --- Variables


@pytest.mark.parametrize("asked", ["bogus", "bogus;nothing", "xbc", " ;bogus:x=1", "/etc/passwd", "\N{SNOWMAN}"])
def test_that_a_platform_that_qt_does_not_have_is_said_and_not_tried(qapp, asked) -> None:
    said = platform_fault(asked)
    assert asked in said
    assert "take that variable away" in said
    for good in ("", "offscreen", "OFFSCREEN", "bogus;offscreen", "minimal:x"):
        assert platform_fault(good) == ""


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="has a display of its own there")
def test_that_the_program_ends_with_a_sentence_where_qt_would_abort() -> None:
    if not platforms.has_display(platforms.this_host()):
        pytest.skip("needs a display")
    command = [sys.executable, "-P", "-m", "framescope.app", "demo"]
    environ = os.environ | {"QT_QPA_PLATFORM": "bogus"}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 3
    assert "QT_QPA_PLATFORM is bogus, and Qt has no platform of that name here." in done.stderr
    assert "Traceback" not in done.stderr


START = "import sys; from framescope.ui.qt_support.application_start import start_application as start; start(sys.argv)"
EGLFS = {"QT_QPA_PLATFORM": "eglfs", "QT_QPA_EGLFS_INTEGRATION": "none"}


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="these platforms are of Linux")
@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        (EGLFS, "Qt cannot start on its platform eglfs."),
        (EGLFS | {"QT_QPA_PLATFORM": "bogus;eglfs"}, 'Could not find the Qt platform plugin "bogus"'),
        (EGLFS | {"QT_QPA_EGLFS_INTEGRATION": "eglfs_emu"}, "QT_QPA_EGLFS_INTEGRATION is 'eglfs_emu': try without it."),
        ({"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":98765"}, "could not connect to display :98765"),
        ({"DISPLAY": ":98765", "XAUTHORITY": "/nowhere"}, "XAUTHORITY is '/nowhere': try without it."),
        ({"QT_QPA_PLATFORM": "wayland", "WAYLAND_DISPLAY": "none"}, "QT_QPA_PLATFORM is 'wayland': try without it."),
        (EGLFS | {"QT_QPA_PLATFORM": "\x1b[31mx;eglfs"}, r"QT_QPA_PLATFORM is '\x1b[31mx;eglfs'"),
    ],
)
def test_that_a_platform_that_cannot_start_ends_the_process_with_a_sentence(tmp_path, variables, expected) -> None:
    left_out = ("WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR", "DISPLAY", "XAUTHORITY")
    environ = {name: value for name, value in os.environ.items() if name not in left_out} | variables
    command = [sys.executable, "-P", "-c", START]
    done = subprocess.run(command, env=environ, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == application_start.EXIT_STATUS == EXIT_SYSTEM
    assert "\nFramescope cannot draw: Qt cannot start" in f"\n{done.stderr}"
    assert expected in done.stderr
    assert "\x1b" not in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.process
def test_that_a_platform_that_starts_says_nothing_and_takes_no_other_process(tmp_path) -> None:
    code = f"import sys\nsys.modules['subprocess'] = None\n{START}\nprint('up')"
    environ = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-P", "-c", code]
    done = subprocess.run(command, env=environ, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "up\n", "")


@pytest.mark.process
def test_that_arrows_are_drawn_without_a_folder_for_temporary_files(tmp_path) -> None:
    code = (
        "import os\nfrom PySide6.QtWidgets import QApplication\nfrom PySide6.QtCore import QFile\n"
        "app = QApplication(['x'])\nfrom framescope.ui.theme import current_theme, stylesheet\n"
        "from framescope.ui.theme.tokens import DARK\ncurrent_theme.apply_theme(app, DARK)\n"
        "names = list(stylesheet.images(DARK))\nassert names\n"
        "print(all(QFile.exists(f'{stylesheet.IMAGE_SCHEME}:{name}') for name in names), os.listdir())\n"
    )
    environ = os.environ | {"TMPDIR": str(tmp_path / "nowhere"), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-P", "-c", code]
    empty = tmp_path / "empty"
    empty.mkdir()
    done = subprocess.run(command, env=environ, cwd=empty, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.split("\n")[0] == "True []", done.stderr


# --- What is imported


@pytest.mark.process
@pytest.mark.parametrize(
    "parts",
    [
        *(["", "/opt/none"], ["./", "sub/../"]),
        *(pytest.param(parts, marks=pytest.mark.soak) for parts in ([""], ["."], ["sub"])),
    ],
    ids=os.pathsep.join,
)
def test_that_no_part_of_the_import_path_makes_the_current_folder_importable(tmp_path, monkeypatch, parts) -> None:
    log = tmp_path / "sprung"
    for name in ("numpy", "typer", "yaml", "pydantic", "scipy"):
        for folder in (tmp_path, tmp_path / "sub"):
            folder.mkdir(exist_ok=True)
            (folder / f"{name}.py").write_text(f"open({str(log)!r}, 'a').write({name!r})\nraise RuntimeError\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([*parts, ""] if len(parts) == 1 else parts))
    command = [sys.executable, "-P", "-m", "framescope.app", "check", "demo"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert not log.exists()


@pytest.mark.process
def test_that_a_child_sees_no_relative_part_of_the_import_path(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", "lib", str(tmp_path)]))
    status, written = run_child("site", b"", 30.0, ProcessLimits())
    places = written.decode().partition("]")[0]
    assert status == 0
    assert repr(str(tmp_path)) in places
    assert repr(child_folder()) not in places
    assert repr(f"{child_folder()}/lib") not in places


# --- Unsaved work


def _work(below: Path, name: str = "1-abc") -> Path:
    folder = below / name
    folder.mkdir(parents=True, mode=0o700)
    (folder / SCENE).write_text(GOOD)
    return folder


@posix
def test_that_unsaved_work_of_others_is_left_alone(qapp, tmp_path) -> None:
    below = tmp_path / "recovery"
    open_to_all = _work(below, "1-open")
    open_to_all.chmod(0o777)
    os.mkfifo(_work(below, "2-pipe") / LOCK)
    (_work(below, "3-link") / LOCK).symlink_to("/dev/zero")
    (below / "4-link").symlink_to(_work(tmp_path, "elsewhere"))
    ours = _work(below, "5-ours")
    (found,) = find_recoveries(below)
    assert found.folder == ours
    found.leave()
    assert sorted(path.name for path in below.iterdir()) == ["1-open", "2-pipe", "3-link", "4-link", "5-ours"]


@posix
@pytest.mark.parametrize("file", [SCENE, ABOUT])
@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "huge"])
def test_that_files_of_unsaved_work_that_are_none_are_not_opened(qapp, tmp_path, file, kind) -> None:
    path = _work(tmp_path) / file
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        with path.open("wb") as opened:
            opened.truncate(1 << 32)
    for found in find_recoveries(tmp_path):
        assert file == ABOUT
        assert found.path is None
        found.leave()


@pytest.mark.parametrize(
    "about",
    [
        {"when": "0001-01-01T00:00:00+14:00"},
        {"when": "9999-12-31T23:59:59-14:00"},
        {"when": "2026-01-01"},
        {"when": 10**400, "version": "\x1b]0;x\a" * 50, "path": "../../etc/passwd", "folder": "a/../.."},
        {"former": {"former": {"when": [1]}}, "path": {"a": 1}, "digest": None},
    ],
)
def test_that_no_description_of_unsaved_work_is_an_error(qapp, tmp_path, about) -> None:
    folder = _work(tmp_path)
    (folder / ABOUT).write_text(json.dumps(about, default=str)[:60_000])
    _work(tmp_path, "2-other")
    found = find_recoveries(tmp_path)
    assert len(found) == 2
    for each in found:
        assert each.path is None
        assert len(f"{each.when.astimezone():%d %B, %H:%M}") > 8
        each.leave()


def test_that_the_folder_of_data_is_asked_of_the_platform() -> None:
    assert QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericDataLocation)


# --- Temporary files


@posix
def test_that_a_model_that_is_measured_is_written_where_nobody_else_can_put_a_link(tmp_path, monkeypatch) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / f"framescope-{os.getpid()}.glb").symlink_to(precious)
    job = ExportJob(PlanSource(scene_of(GOOD), Access()).pack(), tmp_path / "a.glb", ExportOptions(stop=0.2))
    assert tasks.measure_model(job, lambda: False)
    assert precious.read_bytes() == b"precious"
    assert not (tmp_path / "a.glb").exists()
