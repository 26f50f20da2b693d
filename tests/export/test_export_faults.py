"""Exports that go wrong: what is said, the exit status, and that the folder is as it was."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
from pathlib import Path

import imageio_ffmpeg
import pytest
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.app.exporters.encoding import chunks, ffmpeg
from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.registry import export
from framescope.app.exporters.request import SceneSource
from framescope.app.session.scene_lookup import example_path
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.core.system.file_access import Access
from tests.support.films import TURNING, turning

pytestmark = [pytest.mark.process, pytest.mark.soak]

FILMS = ["c.mp4", "c.webm", "c.gif", "c.apng"]
ALL = [*FILMS, "f/%d.png", "w.csv", "w.npz", "w.parquet", "w.glb", "w.html", "w.zip"]
SMALL = {"size": (96, 64), "fps": 10, "start": 0.0, "stop": 1.0}


def demo():
    path = example_path("demo")
    loaded = load_scene(path)
    source = SceneSource(path.name, loaded.text, Access(path.parent))
    return loaded.scene, compile_plan(loaded.scene, path.parent), source


def scene_for(name: str):
    """Return a scene for a format, its plan and its source: one that names files where those are copied."""
    return demo() if name.endswith("zip") else (*turning(), SceneSource("turning.yaml", TURNING, Access(Path())))


def options_of(name: str) -> dict:
    return {} if name.endswith("zip") else SMALL


@pytest.mark.parametrize("name", ALL)
def test_that_a_cancelled_export_leaves_the_folder_as_it_was(tmp_path, name) -> None:
    scene, plan, source = scene_for(name)
    path = tmp_path / name
    if path.parent == tmp_path:
        path.write_bytes(b"former")
    before = {item: item.read_bytes() for item in tmp_path.iterdir()}
    answers = iter([False, True] if name.startswith(("c", "w.csv")) else [True])
    with pytest.raises(ExportCancelledError, match="was cancelled"):
        export(scene, plan, path, source=source, is_cancelled=lambda: next(answers), **options_of(name))
    assert {item: item.read_bytes() for item in tmp_path.iterdir()} == before


@pytest.fixture
def ctrl_c():
    """Press Ctrl C; how Python takes it is as at the start of a program, whatever runs the tests."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("name", [name for name in ALL if "/" not in name])  # a row keeps what is whole
def test_that_ctrl_c_waits_for_foreign_code_and_then_leaves_no_file(tmp_path, ctrl_c, name) -> None:
    scene, plan, source = scene_for(name)
    ends = []

    def progress(_done: int, _total: int) -> None:
        if not ends:  # not at the end, when there is nothing to give up
            ctrl_c()  # as in a call of VTK, which would end the program
            ends.append("nothing was raised here")

    with pytest.raises(KeyboardInterrupt):
        export(scene, plan, tmp_path / name, source=source, progress=progress, **options_of(name))
    assert ends
    assert list(tmp_path.iterdir()) == []


def test_that_a_second_ctrl_c_does_not_wait(tmp_path, ctrl_c) -> None:
    scene, plan = turning()
    ends = []

    def progress(done: int, _total: int) -> None:
        ctrl_c()
        ends.append(done)
        ctrl_c()

    with pytest.raises(KeyboardInterrupt):
        export(scene, plan, tmp_path / "a.gif", progress=progress, **options_of("a.gif"))
    assert ends == [1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without a signal")
def test_that_an_export_told_to_end_leaves_no_file(tmp_path) -> None:
    command = [sys.executable, "-m", "framescope.app", "export", "demo", "a.mp4", "--size", "96x64", "--stop", "5"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True) as process:
        process.stderr.readline()  # a quarter is done
        assert list(tmp_path.iterdir()) != []
        process.terminate()
    assert process.returncode == -signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_that_ctrl_c_of_an_encoder_is_told_as_such(tmp_path, ctrl_c, monkeypatch) -> None:
    def finish(_encoder: ffmpeg.Encoder) -> None:
        ctrl_c()
        raise ExportError("the encoder failed")

    monkeypatch.setattr(ffmpeg.Encoder, "finish", finish)
    scene, plan = turning()
    with pytest.raises(KeyboardInterrupt):
        export(scene, plan, tmp_path / "a.mp4", **options_of("a.mp4"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", FILMS)
@pytest.mark.parametrize("error", [ExportCancelledError, KeyboardInterrupt])
def test_that_a_film_given_up_in_its_third_chunk_leaves_no_file_and_no_encoder(
    tmp_path, monkeypatch, name, error
) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 3)
    started, usual = [], subprocess.Popen
    monkeypatch.setattr(
        ffmpeg.subprocess, "Popen", lambda *args, **kw: started.append(usual(*args, **kw)) or started[-1]
    )

    def progress(done: int, _total: int) -> None:
        if done == 8:
            raise error("given up")

    scene, plan = turning()
    with pytest.raises(error):
        export(scene, plan, tmp_path / name, progress=progress, **SMALL)
    assert len(started) >= 3
    assert all(process.poll() is not None for process in started)
    assert list(tmp_path.iterdir()) == []


ROOM = [*((name, 2_000, 160) for name in ALL if name != "w.html"), ("c.apng", 30_000, 320), ("c.gif", 30_000, 320)]
"""Formats, how large a file may be, and how wide the pictures are.

The last is more than a chunk and less than the film: the disk is full when they are joined.
"""


def test_that_a_full_disk_is_told_for_every_format_and_leaves_no_file(tmp_path) -> None:
    # No file may grow beyond a limit: what a full disk looks like.
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from framescope.app import platforms\n"
        "from framescope.app.exporters.errors import ExportError\n"
        "from framescope.app.exporters.registry import export\n"
        "from framescope.app.exporters.request import SceneSource\n"
        "from framescope.app.session.scene_lookup import example_path\n"
        "from framescope.core.evaluation.evaluate import compile_plan\n"
        "from framescope.core.system.file_access import Access\n"
        "from framescope.core.scene.files.loading import load_scene\n"
        "path = example_path('recorded-camera')\n"
        "scene = load_scene(path).scene\n"
        "plan = compile_plan(scene, path.parent)\n"
        "source = SceneSource(path.name, None, Access(path.parent))\n"
        "platforms.prepare_rendering(platforms.this_host())\n"
        "import pyarrow.parquet\n"
        "from framescope.app.exporters.encoding import chunks\n"
        "chunks.CHUNK = 3\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "for name, limit, width in zip(sys.argv[2::3], map(int, sys.argv[3::3]), map(int, sys.argv[4::3])):\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))\n"
        "    try:\n"
        "        size = width, width * 9 // 16\n"
        "        export(scene, plan, sys.argv[1] + '/' + name, size=size, fps=10, stop=0.5, source=source)\n"
        "    except ExportError as error:\n"
        "        print(error)\n"
    )
    command = [sys.executable, "-B", "-c", code, str(tmp_path), *(str(part) for room in ROOM for part in room)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    told = [line.removeprefix(f"{tmp_path}/").partition(" ")[0].rstrip(":") for line in lines]
    assert told == [name for name, *_ in ROOM]
    assert all("cannot be written" in line or "the encoder failed" in line for line in lines)
    assert list(tmp_path.iterdir()) == []


@contextlib.contextmanager
def small_disk(folder):
    """Mount a file system of 16 kB; skip the test where that is not allowed."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("no small file system can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a file system as Linux does")
def test_that_a_disk_that_fills_up_is_told_and_leaves_it_empty(tmp_path) -> None:
    scene, plan, source = demo()
    with small_disk(tmp_path):
        for name in ("c.mp4", "c.apng", "w.csv"):
            with pytest.raises(ExportError, match="No space left on device"):
                export(scene, plan, tmp_path / name, source=source, size=(480, 270), fps=30, stop=0.8)
            assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["c.mp4", "c.gif", "w.csv", "w.zip"])
def test_that_a_file_that_may_not_be_replaced_stays(tmp_path, monkeypatch, name) -> None:
    path = tmp_path / name
    path.write_text("former")
    monkeypatch.setattr("framescope.core.system.atomic_write.os.access", lambda *_: False)  # root may write anything
    short = [] if name == "w.zip" else ["--stop", "0.2", "--fps", "10"]
    result = CliRunner().invoke(app, ["export", "demo", str(path), *short])
    assert result.exit_code == 2
    assert "cannot be written: the file is read-only" in " ".join(result.output.split())
    assert path.read_text() == "former"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["c.mpg"], '".mpg" is no format that can be exported'),
        (["c.mp4", "--start", "2", "--stop", "2"], "stop: expected a time after the start at 2 s, got 2 s."),
        (["c.mp4", "--size", "641x361"], "Use 642x362."),
        (["nowhere/c.mp4"], "there is no folder"),
        (["c.mp4", "--fps", "0"], "fps: expected more than 0"),
    ],
)
def test_that_what_cannot_be_met_is_said_with_exit_status_2(tmp_path, arguments, message) -> None:
    result = CliRunner().invoke(app, ["export", "demo", f"{tmp_path}/{arguments[0]}", *arguments[1:]])
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without a signal")
@pytest.mark.parametrize(("name", "told"), [("SIGKILL", "Killed"), ("SIGXFSZ", "File size limit exceeded")])
def test_that_an_encoder_that_ends_early_is_told_and_leaves_no_file(tmp_path, monkeypatch, name, told) -> None:
    imageio_ffmpeg.get_ffmpeg_exe()  # which starts it once, and remembers whether that went well
    usual = subprocess.Popen

    def mortal(*args, **kw):
        process = usual(*args, **kw)
        process.send_signal(signal.Signals[name])
        return process

    monkeypatch.setattr(ffmpeg.subprocess, "Popen", mortal)
    scene, plan = turning()
    with pytest.raises(ExportError, match=rf"c\.mp4: the encoder failed: {told}\."):
        export(scene, plan, tmp_path / "c.mp4", **SMALL)
    assert list(tmp_path.iterdir()) == []


def test_that_a_missing_encoder_is_told_and_leaves_no_file(tmp_path, monkeypatch) -> None:
    def without() -> str:
        raise RuntimeError("No ffmpeg exe could be found.")

    monkeypatch.setattr(imageio_ffmpeg, "get_ffmpeg_exe", without)
    scene, plan = turning()
    for name in ("c.mp4", "c.gif"):
        with pytest.raises(ExportError, match="films need ffmpeg, and none is found"):
            export(scene, plan, tmp_path / name, **SMALL)
    assert list(tmp_path.iterdir()) == []


def test_that_buffers_are_used_again(tmp_path) -> None:
    scene, plan = turning()
    seen: set[int] = set()
    usual = ffmpeg.Buffers.copy_in

    def filled(self, frame, is_needed):
        buffer = usual(self, frame, is_needed)
        seen.add(buffer.ctypes.data)
        assert (buffer == frame).all()
        return buffer

    ffmpeg.Buffers.copy_in = filled
    try:
        export(scene, plan, tmp_path / "c.mp4", **SMALL)
    finally:
        ffmpeg.Buffers.copy_in = usual
    assert len(seen) <= ffmpeg.QUEUE_LENGTH
