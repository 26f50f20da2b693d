"""WebM, GIF and APNG read back by ffmpeg and Pillow: count, rate, size, and that frames look as the picture does."""

from __future__ import annotations

import re
import subprocess
import sys
import tracemalloc

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

from framescope.app.exporters import ExportCancelledError, export
from framescope.app.exporters.picture import drawn_picture
from framescope.app.scenes import example_path
from framescope.core.evaluate import compile_plan
from framescope.core.scene.loading import load_scene
from framescope.ui.theme import DARK
from framescope.ui.view.context import BARE

SIZE = (320, 180)
START, STOP, FPS = 1.0, 2.2, 10
SUFFIXES = [".webm", ".gif", ".apng"]


def demo():
    path = example_path("demo")
    scene = load_scene(path).scene
    return scene, compile_plan(scene, path.parent)


def pillow_frames(path) -> tuple[np.ndarray, list[float], int]:
    """Return the frames (n, h, w, 4) of an animated picture, how long each is shown, ms, and how often it plays."""
    frames, durations = [], []
    with Image.open(path) as picture:
        for i in range(picture.n_frames):
            picture.seek(i)
            frames.append(np.asarray(picture.convert("RGBA")))
            durations.append(picture.info["duration"])
        return np.stack(frames), durations, picture.info["loop"]


def ffmpeg_frames(path, *, with_alpha: bool = False) -> tuple[np.ndarray, str]:
    """Return the frames of a video, and what ffmpeg says of it."""
    kind, depth = ("rgba", 4) if with_alpha else ("rgb24", 3)
    decoder = ["-c:v", "libvpx-vp9"] if with_alpha else []
    command = [imageio_ffmpeg.get_ffmpeg_exe(), *decoder, "-i", str(path), "-f", "rawvideo", "-pix_fmt", kind, "-"]
    result = subprocess.run(command, capture_output=True, check=True)
    said = result.stderr.decode()
    width, height = map(int, re.search(r"Video: vp9.* (\d+)x(\d+)", said).groups())
    return np.frombuffer(result.stdout, np.uint8).reshape(-1, height, width, depth), said


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    folder = tmp_path_factory.mktemp("films")
    for suffix in SUFFIXES:
        export(*demo(), folder / f"demo{suffix}", size=SIZE, fps=FPS, start=START, stop=STOP)
    return folder


@pytest.fixture(scope="module")
def pictures():
    return [drawn_picture(*demo(), START + i / FPS, SIZE, DARK).astype(int) for i in (0, 7)]


def assert_alike(frames, pictures, tolerance: float) -> None:
    """Check that frames 0 and 7 are nearer to their own pictures than the tolerance, and than to each other's."""
    first, second = (frames[i][..., :3].astype(int) for i in (0, 7))
    for frame, own, other in ((first, *pictures), (second, *pictures[::-1])):
        assert np.abs(frame - own).mean() <= tolerance
        assert np.abs(frame - own).mean() < 0.7 * np.abs(frame - other).mean()


def test_that_a_webm_has_the_frames_rate_and_size_asked_for_and_looks_as_the_picture(films, pictures) -> None:
    frames, said = ffmpeg_frames(films / "demo.webm")
    assert frames.shape == (12, 180, 320, 3)
    assert "10 fps" in said
    assert "Duration: 00:00:01.20" in said
    assert_alike(frames, pictures, 3.0)


def test_that_a_gif_has_the_frames_rate_and_size_asked_for_loops_and_looks_as_the_picture(films, pictures) -> None:
    frames, durations, loop = pillow_frames(films / "demo.gif")
    assert frames.shape == (12, 180, 320, 4)
    assert durations == [100] * 12
    assert loop == 0  # without end
    assert_alike(frames, pictures, 5.0)


def test_that_an_apng_has_the_frames_rate_and_size_asked_for_loops_and_loses_nothing(films, pictures, tmp_path) -> None:
    frames, durations, loop = pillow_frames(films / "demo.apng")
    assert frames.shape == (12, 180, 320, 4)
    assert durations == [100] * 12
    assert loop == 0  # without end
    assert_alike(frames, pictures, 1.0)
    export(*demo(), tmp_path, size=SIZE, fps=FPS, start=START, stop=STOP)
    for i, path in enumerate(sorted(tmp_path.glob("[!.]*.png"))):
        with Image.open(path) as picture:
            np.testing.assert_array_equal(frames[i, ..., :3], np.asarray(picture))


def test_that_a_gif_of_thirty_frames_a_second_keeps_its_length_in_hundredths(tmp_path) -> None:
    path = tmp_path / "clip.gif"
    export(*demo(), path, size=(64, 64), fps=30, start=0.0, stop=1.0)
    frames, durations, _ = pillow_frames(path)
    assert len(frames) == 30
    assert sum(durations) == pytest.approx(1000, abs=20)
    assert min(durations) >= 20


def test_that_gif_and_apng_take_odd_sizes(tmp_path) -> None:
    for suffix in (".gif", ".apng"):
        path = tmp_path / f"clip{suffix}"
        export(*demo(), path, size=(101, 67), fps=10, start=0.0, stop=0.2)
        assert pillow_frames(path)[0].shape == (2, 67, 101, 4)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_that_the_same_scene_gives_the_same_file(films, tmp_path, suffix) -> None:
    again = tmp_path / f"again{suffix}"
    export(*demo(), again, size=SIZE, fps=FPS, start=START, stop=STOP)
    assert again.read_bytes() == (films / f"demo{suffix}").read_bytes()


def test_that_transparent_films_leave_the_ground_out(tmp_path) -> None:
    picture = drawn_picture(*demo(), START, SIZE, DARK, furniture=BARE, is_transparent=True)
    options = {"size": SIZE, "fps": 10, "start": START, "stop": START + 0.2, "transparent": True}
    export(*demo(), tmp_path / "clip.apng", **options)
    frames, _, _ = pillow_frames(tmp_path / "clip.apng")
    assert np.abs(frames[0].astype(int) - picture)[..., 3].mean() < 1.0
    export(*demo(), tmp_path / "clip.webm", **options)
    films, _ = ffmpeg_frames(tmp_path / "clip.webm", with_alpha=True)
    assert films.shape == (2, 180, 320, 4)
    assert np.abs(films[0, ..., 3].astype(int) - picture[..., 3]).mean() < 2.0
    assert (films[0, ..., 3] < 8).mean() > 0.5
    solid = picture[..., 3] == 255
    assert np.abs(films[0][solid].astype(int) - picture[solid])[:, :3].mean() < 12.0


def test_that_bare_films_in_the_white_theme_stand_on_white(tmp_path) -> None:
    export(*demo(), tmp_path / "clip.apng", size=SIZE, fps=10, start=0.0, stop=0.2, theme="white", bare=True)
    frames, _, _ = pillow_frames(tmp_path / "clip.apng")
    assert (frames[0] == 255).all(axis=-1).mean() > 0.5


@pytest.mark.parametrize("name", ["clip.webm", "clip.gif", "clip.apng", "walk.csv", "walk.parquet", "walk.zip"])
def test_that_a_cancelled_export_leaves_the_folder_as_it_was(tmp_path, name) -> None:
    answers = iter([False, True])
    scene, plan = demo()
    if name == "walk.zip":
        path = example_path("recorded-camera")
        scene, answers = load_scene(path).scene, iter([True])
        from framescope.app.exporters import SceneSource
        from framescope.core.named_files import Access

        options = {"source": SceneSource(path.name, None, Access(path.parent))}
    else:
        options = {"fps": 50, "long": name.endswith((".csv", ".parquet"))}
    with pytest.raises(ExportCancelledError):
        export(scene, plan, tmp_path / name, size=SIZE, is_cancelled=lambda: next(answers), **options)
    assert list(tmp_path.iterdir()) == []


def test_that_a_full_disk_is_told_for_every_format_and_leaves_no_file(tmp_path) -> None:
    # No file may grow beyond 2 kB: what a full disk looks like.
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from framescope.app import platforms\n"
        "from framescope.app.exporters import ExportError, SceneSource, export\n"
        "from framescope.app.scenes import example_path\n"
        "from framescope.core.evaluate import compile_plan\n"
        "from framescope.core.named_files import Access\n"
        "from framescope.core.scene.loading import load_scene\n"
        "path = example_path('recorded-camera')\n"
        "scene = load_scene(path).scene\n"
        "plan = compile_plan(scene, path.parent)\n"
        "source = SceneSource(path.name, None, Access(path.parent))\n"
        "platforms.prepare_rendering(platforms.this_host())\n"
        "import pyarrow.parquet\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))\n"
        "for name in sys.argv[2:]:\n"
        "    try:\n"
        "        export(scene, plan, sys.argv[1] + '/' + name, size=(320, 180), fps=10, stop=0.5, source=source)\n"
        "    except ExportError as error:\n"
        "        print(error)\n"
    )
    names = ["c.webm", "c.gif", "c.apng", "f/%d.png", "w.csv", "w.npz", "w.parquet", "w.zip"]
    command = [sys.executable, "-B", "-c", code, str(tmp_path), *names]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert [line.removeprefix(f"{tmp_path}/").partition(" ")[0].rstrip(":") for line in lines] == names
    assert all("cannot be written" in line or "the encoder failed" in line for line in lines)
    assert list(tmp_path.iterdir()) == []


def test_that_memory_does_not_grow_with_the_length(tmp_path) -> None:
    scene, plan = demo()
    tracemalloc.start()
    try:
        export(scene, plan, tmp_path / "clip.mp4", size=(640, 360), fps=30, start=0.0, stop=1.0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 15 * 640 * 360 * 3  # half of the frames
