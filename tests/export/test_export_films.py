"""WebM, GIF and APNG read back by ffmpeg and Pillow: count, rate, size, and that frames look as the picture does."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from framescope.app.exporters.encoding import chunks
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.registry import export
from framescope.app.session.scene_lookup import example_path
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.ui.scene_view.base.visual import BARE
from framescope.ui.theme.tokens import DARK
from tests.support.films import ffmpeg_frames, ffmpeg_times, picture_of, pillow_frames, turning

pytestmark = pytest.mark.process

SIZE = (320, 180)
START, STOP, FPS = 1.0, 1.8, 10
SUFFIXES = [".webm", ".gif", ".apng"]


def demo():
    path = example_path("demo")
    scene = load_scene(path).scene
    return scene, compile_plan(scene, path.parent)


def digest(path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    folder = tmp_path_factory.mktemp("films")
    for suffix in (*SUFFIXES, ".mp4"):
        export(*demo(), folder / f"demo{suffix}", size=SIZE, fps=FPS, start=START, stop=STOP)
    return folder


@pytest.fixture(scope="module")
def pictures():
    return [picture_of(*demo(), START + i / FPS, SIZE, DARK) for i in (0, 7)]


def assert_alike(frames, pictures, tolerance: float) -> None:
    """Check that frames 0 and 7 are nearer to their own pictures than the tolerance, and than to each other's."""
    first, second = (frames[i][..., :3].astype(int) for i in (0, 7))
    for frame, own, other in ((first, *pictures), (second, *pictures[::-1])):
        assert np.abs(frame - own).mean() <= tolerance
        assert np.abs(frame - own).mean() < 0.7 * np.abs(frame - other).mean()


def test_that_a_webm_has_the_frames_rate_and_size_asked_for_and_looks_as_the_picture(films, pictures) -> None:
    frames, said = ffmpeg_frames(films / "demo.webm")
    assert frames.shape == (8, 180, 320, 3)
    assert "10 fps" in said
    assert "Duration: 00:00:00.80" in said
    assert_alike(frames, pictures, 3.0)


def test_that_a_gif_has_the_frames_rate_and_size_asked_for_loops_and_looks_as_the_picture(films, pictures) -> None:
    frames, durations, loop = pillow_frames(films / "demo.gif")
    assert frames.shape == (8, 180, 320, 4)
    assert durations == [100] * 8
    assert loop == 0  # without end
    assert_alike(frames, pictures, 5.0)


def test_that_an_apng_has_the_frames_rate_and_size_asked_for_loops_and_loses_nothing(films, pictures, tmp_path) -> None:
    frames, durations, loop = pillow_frames(films / "demo.apng")
    assert frames.shape == (8, 180, 320, 4)
    assert durations == [100] * 8
    assert loop == 0  # without end
    assert_alike(frames, pictures, 1.0)
    export(*demo(), tmp_path, size=SIZE, fps=FPS, start=START, stop=STOP)
    for i, path in enumerate(sorted(tmp_path.glob("[!.]*.png"))):
        with Image.open(path) as picture:
            np.testing.assert_array_equal(frames[i, ..., :3], np.asarray(picture))


def test_that_a_gif_of_thirty_frames_a_second_keeps_its_length_in_hundredths(tmp_path) -> None:
    path = tmp_path / "clip.gif"
    export(*turning(), path, size=(64, 64), fps=30, start=0.0, stop=1.0)
    frames, durations, _ = pillow_frames(path)
    assert len(frames) == 30
    assert sum(durations) == pytest.approx(1000, abs=20)
    assert min(durations) >= 20


@pytest.mark.parametrize("fps", [0.002, 0.3141592, 0.7])
def test_that_gif_and_apng_show_a_picture_as_long_as_asked(fps, tmp_path) -> None:
    for suffix in (".gif", ".apng"):
        path = tmp_path / f"clip{suffix}"
        export(*turning(), path, size=(64, 64), fps=fps, start=0.0, stop=2.0 / fps)
        frames, durations, _ = pillow_frames(path)
        assert len(frames) == 2
        assert durations == pytest.approx([1000.0 / fps] * 2, abs=10.0)
        with pytest.raises(ExportError, match=r"for at most 500 s, got 0.001 frames a second. Use 0.002"):
            export(*turning(), path, size=(64, 64), fps=0.001, start=0.0, stop=1.0)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere pipes do not grow")
def test_that_a_pipe_that_may_not_grow_is_no_hindrance(tmp_path, monkeypatch) -> None:
    def refused(*_arguments: int) -> int:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("fcntl.fcntl", refused)
    path = tmp_path / "clip.mp4"
    export(*turning(), path, size=(64, 64), fps=10, start=0.0, stop=0.5)
    assert path.stat().st_size > 0


def test_that_gif_and_apng_take_odd_sizes(tmp_path) -> None:
    for suffix in (".gif", ".apng"):
        path = tmp_path / f"clip{suffix}"
        export(*turning(), path, size=(101, 67), fps=10, start=0.0, stop=0.2)
        assert pillow_frames(path)[0].shape == (2, 67, 101, 4)


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".mp4"])
def test_that_the_same_scene_gives_the_same_file(films, tmp_path, suffix) -> None:
    again = tmp_path / f"again{suffix}"
    export(*demo(), again, size=SIZE, fps=FPS, start=START, stop=STOP)
    assert digest(again) == digest(films / f"demo{suffix}")


def test_that_a_film_made_by_another_process_has_the_same_bytes_and_takes_no_dask(films, tmp_path) -> None:
    code = (
        "import runpy, sys\n"
        "try:\n"
        "    runpy.run_module('framescope.app', run_name='__main__', alter_sys=True)\n"
        "finally:\n"
        "    assert not {'dask', 'distributed'} & set(sys.modules)\n"
    )
    arguments = ["--size", "320x180", "--fps", "10", "--start", "1", "--stop", "1.8"]
    again = tmp_path / "again.mp4"
    subprocess.run([sys.executable, "-P", "-c", code, "export", "demo", again, *arguments], check=True)
    assert digest(again) == digest(films / "demo.mp4")


@pytest.mark.parametrize(("suffix", "fps"), [(".gif", 30), (".gif", 7), (".apng", 29.97)])
def test_that_chunks_of_a_lossless_film_are_joined_to_the_same_pictures_and_times(
    tmp_path, monkeypatch, suffix, fps
) -> None:
    options = {"size": (97, 65), "fps": fps, "start": 0.0, "stop": 13.4 / fps}
    export(*turning(), tmp_path / f"whole{suffix}", **options)
    monkeypatch.setattr(chunks, "CHUNK", 5)
    export(*turning(), tmp_path / f"joined{suffix}", **options)
    whole, joined = (pillow_frames(tmp_path / f"{name}{suffix}") for name in ("whole", "joined"))
    assert len(joined[0]) == 13
    assert (joined[0] == whole[0]).all()
    assert joined[1:] == whole[1:]
    assert sum(joined[1]) == pytest.approx(13_000 / fps, abs=5.0)


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
@pytest.mark.parametrize("fps", [30, 29.97, 7])
def test_that_chunks_of_a_video_follow_each_other_evenly(tmp_path, monkeypatch, suffix, fps) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 5)
    path = tmp_path / f"clip{suffix}"
    export(*turning(), path, size=(96, 64), fps=fps, start=0.0, stop=13.4 / fps)
    times = np.array(ffmpeg_times(path))
    ticks = 1000 if suffix == ".webm" else round((times[-1] - times[0]) / 12 * fps)
    np.testing.assert_allclose(times / ticks, np.arange(13) / fps, atol=1.01 / ticks)
    frames, said = ffmpeg_frames(path)
    assert len(frames) == 13
    assert f"{fps:g} fps" in said
    seconds = float(re.search(r"Duration: 00:00:([\d.]+)", said)[1])
    assert seconds == pytest.approx(13 / fps, abs=0.02)


def test_that_chunks_of_a_transparent_webm_keep_their_transparency(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 2)
    options = {"size": SIZE, "fps": 10, "start": START, "stop": START + 0.4, "transparent": True}
    export(*demo(), tmp_path / "clip.webm", **options)
    frames, _ = ffmpeg_frames(tmp_path / "clip.webm", with_alpha=True)
    assert len(frames) == 4
    assert all((frame[..., 3] < 8).mean() > 0.5 and frame[..., 3].max() > 240 for frame in frames)


def test_that_an_mp4_of_chunks_has_its_index_first(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 3)
    export(*turning(), tmp_path / "clip.mp4", size=(96, 64), fps=10, start=0.0, stop=0.7)
    content = (tmp_path / "clip.mp4").read_bytes()
    assert 0 < content.index(b"moov") < content.index(b"mdat")


def test_that_transparent_films_leave_the_ground_out(tmp_path) -> None:
    picture = picture_of(*demo(), START, SIZE, DARK, decorations=replace(BARE, cards=True), is_transparent=True)
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


def test_that_memory_does_not_grow_with_the_length(tmp_path, monkeypatch) -> None:
    scene, plan = turning()
    peaks = []
    monkeypatch.setattr(chunks, "CHUNK", 40)
    for count in (15, 90):
        tracemalloc.start()
        try:
            export(scene, plan, tmp_path / "clip.mp4", size=(320, 180), fps=30, start=0.0, stop=count / 30)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] - peaks[0] < 4 * 320 * 180 * 3  # some frames, of 75 more
