"""Export: the video read back by ffmpeg, and everything that can go wrong."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys

import imageio_ffmpeg
import numpy as np
import pytest

from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.registry import export
from framescope.app.session.scene_lookup import example_path
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.ui.theme.tokens import DARK

pytestmark = pytest.mark.process

SIZE = (320, 180)


def demo():
    path = example_path("demo")
    scene = load_scene(path).scene
    return scene, compile_plan(scene, path.parent)


def decoded(path) -> tuple[np.ndarray, str]:
    """Return the frames (n, height, width, 3) of a video, and what ffmpeg says of the file."""
    ffmpeg = imageio_ffmpeg.get_ffmpeg_exe()
    raw = [ffmpeg, "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    result = subprocess.run(raw, capture_output=True, check=True)
    said = result.stderr.decode()
    width, height = map(int, re.search(r"Video: h264.* (\d+)x(\d+)", said).groups())
    return np.frombuffer(result.stdout, np.uint8).reshape(-1, height, width, 3), said


def colored(frame: np.ndarray, color: str, tolerance: int = 60) -> int:
    """Return how many pixels are near a colour."""
    target = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])
    return int((np.abs(frame.astype(int) - target).max(axis=-1) <= tolerance).sum())


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    path = tmp_path_factory.mktemp("video") / "demo.mp4"
    seen = []
    export(*demo(), path, size=SIZE, fps=10, start=1.0, stop=3.0, progress=lambda *done: seen.append(done))
    return path, seen


def test_that_the_video_has_the_frames_rate_and_size_asked_for(video) -> None:
    frames, said = decoded(video[0])
    assert frames.shape == (20, 180, 320, 3)
    assert "10 fps" in said
    assert "yuv420p" in said


def test_that_the_axes_of_the_frames_are_seen_in_their_colours(video) -> None:
    frames, _ = decoded(video[0])
    for color in DARK.axes:
        assert colored(frames[0], color) > 15


def test_that_the_frames_differ_as_the_scene_moves(video) -> None:
    frames, _ = decoded(video[0])
    changes = [np.abs(a.astype(int) - b.astype(int)).max() for a, b in itertools.pairwise(frames)]
    assert min(changes) > 30


def test_that_progress_counts_every_frame(video) -> None:
    assert video[1] == [(done, 20) for done in range(1, 21)]


def test_that_the_same_scene_gives_the_same_file(video, tmp_path) -> None:
    again = tmp_path / "again.mp4"
    export(*demo(), again, size=SIZE, fps=10, start=1.0, stop=3.0)
    assert again.read_bytes() == video[0].read_bytes()


def test_that_the_light_theme_is_light(tmp_path) -> None:
    path = tmp_path / "light.mp4"
    export(*demo(), path, size=SIZE, fps=10, start=0.0, stop=0.1, theme="light")
    frames, _ = decoded(path)
    assert frames.shape[0] == 1
    assert np.median(frames) > 200


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": (321, 180)}, "even width and height from 64 to 7680, got 321x180. Use 322x180"),
        ({"size": (0, 180)}, "even width and height"),
        ({"fps": 0}, "fps: expected more than 0"),
        ({"size": (2, 100_000)}, "Use 64x7680"),
        ({"stop": float("inf")}, "more than 1000000 frames"),
        ({"start": float("-inf")}, "start: expected a number of seconds, got -inf"),
        ({"start": 3.0, "stop": 3.0}, "stop: expected a time after the start"),
        ({"theme": "pink"}, "theme: expected dark, light or white"),
        ({"theme": "drak"}, 'Did you mean "dark"?'),
        ({"transparent": True}, "transparent: an MP4 cannot leave the ground out. Use .apng, .webm"),
        ({"long": True}, "long: an MP4 has no long form. Use .csv or .parquet."),
        ({"path": "clip.gif", "fps": 60}, "fps: a GIF shows at most 50 frames a second, got 60. Use 50."),
        ({"path": "clip.gif", "size": (32, 99)}, "expected a width and height from 64 to 7680, got 32x99. Use 64x99."),
        ({"path": "clip.webm", "size": (320, 181)}, "Use 320x182"),
        ({"path": "walk.csv", "start": 2.0, "stop": 2.0}, "stop: expected a time after the start"),
        ({"path": "walk.csv", "fps": 1000, "stop": 900.0}, "Use a lower rate"),
        ({"path": "clip.gfi"}, 'Did you mean ".gif"?'),
        ({"path": "no such folder/walk.zip"}, "there is no folder"),
        ({"path": "no such folder/frames/%04d.png"}, "there is no folder"),
        ({"path": "clip.png"}, "need one place for their number, such as clip-%04d.png"),
        ({"path": "%d-%d.png"}, "need one place for their number"),
        ({"path": "%s.png"}, "need one place for their number"),
        ({"path": "clip.mpg"}, 'Did you mean ".mp4"?|Use one of: .mp4'),
        ({"path": "clip"}, "the file name has no ending"),
        ({"path": "no such folder/clip.mp4"}, "there is no folder"),
        ({"path": "folder.mp4"}, "this is a folder"),
    ],
)
def test_that_a_request_that_cannot_be_met_says_why_and_leaves_no_file(tmp_path, options, message) -> None:
    (tmp_path / "folder.mp4").mkdir()
    path = tmp_path / options.pop("path", "clip.mp4")
    with pytest.raises(ExportError, match=re.escape(message) if "|" not in message else message):
        export(*demo(), path, **options)
    assert [item.name for item in tmp_path.iterdir()] == ["folder.mp4"]


def test_that_a_cancelled_export_leaves_no_file(tmp_path) -> None:
    answers = iter([False, False, True])
    with pytest.raises(ExportCancelledError):
        export(*demo(), tmp_path / "clip.mp4", size=SIZE, is_cancelled=lambda: next(answers))
    assert list(tmp_path.iterdir()) == []


def test_that_an_encoder_that_fails_is_reported_in_its_own_words(tmp_path, monkeypatch) -> None:
    broken = tmp_path / "ffmpeg"
    broken.write_text("#!/bin/sh\necho 'no space left' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(imageio_ffmpeg, "get_ffmpeg_exe", lambda: str(broken))
    with pytest.raises(ExportError, match="the encoder failed: no space left"):
        export(*demo(), tmp_path / "clip.mp4", size=SIZE, start=0.0, stop=0.5)
    assert [item.name for item in tmp_path.iterdir()] == ["ffmpeg"]


def test_that_a_full_disk_leaves_the_former_file(tmp_path) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(b"former")
    # The child's files may not grow beyond 4 kB: what a full disk looks like to it.
    code = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, 4_000))\n"
        "from framescope.app.__main__ import main\n"
        f"sys.argv = ['framescope', 'export', 'demo', {str(path)!r}, '--size', '320x180', '--stop', '0.5']\n"
        "main()\n"
    )
    result = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 2, result.stderr
    assert "clip.mp4" in result.stderr
    assert "Traceback" not in result.stderr
    assert path.read_bytes() == b"former"
    assert [item.name for item in tmp_path.iterdir()] == ["clip.mp4"]
