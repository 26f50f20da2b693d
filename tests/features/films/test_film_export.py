"""Files of films, read by foreign readers: chapters, duration, sound, subtitles; and parts kept by their content."""

from __future__ import annotations

import re
import subprocess
import time
import wave
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
import yaml
from PIL import Image

from framescope.app.cli.main import app
from framescope.app.exporters.encoding.chapters import ffmetadata
from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.films import video
from framescope.app.exporters.registry import export, request_for
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.schema.model import Scene
from framescope.features.films.app import kept_parts
from framescope.features.films.app.film_export import webvtt
from framescope.features.films.core.compiled_film import compile_film
from framescope.ui.exports.options import ExportOptions
from tests.support.command_line import CliRunner
from tests.support.films import ffmpeg_frames, ffmpeg_times, pillow_frames
from tests.support.hostile_texts import TEXT

pytestmark = pytest.mark.process

SCENE = """\
framescope: 1
title: Turning
time: {end: 4 s}
frames:
  top: {parent: world, orientation: {form: axis, axis: z, angle: "2*t", unit: rad}}
view:
  camera: {position: [2, -3, 1.5], focal_point: [0, 0, 0], unit: m}
film:
  f:
    title: A film
    fps: 10
    size: [160, 90]
"""
SHOTS = """\
    shots:
      - {title: One, start: 0 s, end: 1 s, texts: [{form: caption, text: "First <b> & **bold**", start: 0.2 s}]}
      - {title: "Two; #2 = \\\\", end: 2 s, transition: {form: cross-fade, duration: 0.3 s}}
      - {duration: 1 s}
    end_card: {title: End, licence: CC BY 4.0, duration: 0.5 s}
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(kept_parts, "cache_folder", lambda: tmp_path / "cache")


def written(folder: Path, name: str, text: str = SHOTS, **options) -> tuple[Path, str]:
    """Write the film; return its path and the sentence about its parts."""
    scene = Scene.model_validate(yaml.safe_load(SCENE + text))
    path = folder / name
    remark = export(scene, compile_plan(scene, folder), path, film="f", **options)
    assert isinstance(remark, str)
    return path, remark


def said_of(path: Path) -> str:
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", str(path)]
    return subprocess.run(command, capture_output=True, check=False, text=True).stderr


def write_sound(path: Path, seconds: float) -> None:
    t = np.arange(round(8000 * seconds)) / 8000
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes((20000 * np.sin(2 * np.pi * 440 * t)).astype("<i2").tobytes())


def test_that_an_mp4_has_its_chapters_its_length_and_its_texts(tmp_path) -> None:
    path, remark = written(tmp_path, "f.mp4", SHOTS + "    subtitles: {language: en}\n")
    assert remark == "35 frames were drawn."
    frames, said = ffmpeg_frames(path)[0], said_of(path)
    assert frames.shape == (35, 90, 160, 3)
    assert len(set(np.diff(ffmpeg_times(path)))) == 1
    assert "Duration: 00:00:03.50" in said
    assert re.findall(r"start (\d\.\d+), end (\d\.\d+)", said) == [("0.000000", "1.000000"), ("1.000000", "3.500000")]
    assert "title           : Two; #2 = \\" in said
    assert "title           : A film" in said
    assert "copyright       : CC BY 4.0" in said
    subtitles = (tmp_path / "f.vtt").read_text(encoding="utf-8")
    assert subtitles == "WEBVTT\n\n00:00:00.200 --> 00:00:01.000\nFirst &lt;b&gt; &amp; bold\n"


@pytest.mark.parametrize("seconds", [0.7, 9.0])
@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_that_sound_is_as_long_as_the_film(tmp_path, seconds, suffix) -> None:
    write_sound(tmp_path / "hum.wav", seconds)
    path, _ = written(tmp_path, f"f{suffix}", SHOTS + "    sound: hum.wav\n")
    said = said_of(path)
    assert re.search(r"Audio: (aac|opus)", said)
    reading = ["-v", "error", "-i", str(path), "-f", "s16le", "-ac", "1", "-ar", "8000", "-"]
    command = [imageio_ffmpeg.get_ffmpeg_exe(), *reading]
    samples = np.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, "<i2").astype(float)
    assert len(samples) / 8000 == pytest.approx(3.5, abs=0.1)
    loud = np.abs(samples).reshape(-1)[: len(samples) // 800 * 800].reshape(-1, 800).max(axis=1) > 2000
    assert loud[1:5].all()
    assert np.abs(samples[-400:]).max() < 3500  # it fades at the end
    assert loud.sum() == pytest.approx(10 * min(seconds, 3.5), abs=3)


@pytest.mark.parametrize("content", [b"", b"no sound", b"RIFF\xff\xff\xff\xffWAVE"])
def test_that_a_broken_sound_is_named(tmp_path, content) -> None:
    (tmp_path / "hum.wav").write_bytes(content)
    with pytest.raises(ExportError, match=r"sound: hum\.wav cannot be read"):
        written(tmp_path, "f.mp4", SHOTS + "    sound: hum.wav\n")
    assert not (tmp_path / "f.mp4").exists()
    with pytest.raises(ExportError, match="no file"):
        written(tmp_path, "f.mp4", SHOTS + "    sound: other.wav\n")


def test_that_gif_apng_webm_and_pictures_show_the_film(tmp_path) -> None:
    gif, _ = written(tmp_path, "f.gif")
    frames, durations, _ = pillow_frames(gif)
    assert (len(frames), sum(durations)) == (35, 3500)
    apng, _ = written(tmp_path, "f.apng", transparent=True)
    with Image.open(apng) as picture:
        assert (picture.n_frames, picture.mode) == (35, "RGBA")
    webm, _ = written(tmp_path, "f.webm", transparent=True)
    clear, _ = ffmpeg_frames(webm, with_alpha=True)
    assert clear.shape == (35, 90, 160, 4)
    assert clear[5, 0, 0, 3] < 8
    assert clear[5, ..., 3].max() > 240
    written(tmp_path, "row-%03d.png", SHOTS, fps=2)
    assert sorted(path.name for path in tmp_path.glob("row-*.png")) == [f"row-{i:03d}.png" for i in range(7)]


def test_that_an_unchanged_film_is_not_drawn_again(tmp_path) -> None:
    first, _ = written(tmp_path, "f.mp4")
    again, remark = written(tmp_path, "g.mp4")
    assert remark == "0 frames were drawn, and 35 kept from an earlier export."
    assert again.read_bytes() == first.read_bytes()


CHANGES = {
    "title of a shot": ("title: One", "title: Other", 0),
    "caption": ("First", "Second", 13),
    "speed of the last shot": ("- {duration: 1 s}", "- {duration: 2 s}", 25),
    "transition": ("duration: 0.3 s", "duration: 0.5 s", 10),
    "end card": ("title: End", "title: The end", 5),
    "another shot before": ("      - {title: One", "      - {start: 3 s, duration: 1 s}\n      - {title: One", 10),
}


@pytest.mark.parametrize("name", CHANGES)
def test_that_only_what_has_changed_is_drawn_again(tmp_path, name) -> None:
    old, new, count = CHANGES[name]
    assert old in SHOTS
    written(tmp_path, "f.mp4")
    path, remark = written(tmp_path, "g.mp4", SHOTS.replace(old, new, 1))
    assert int(remark.split()[0]) == count
    whole, _ = ffmpeg_frames(path)
    for part in (tmp_path / "cache").rglob("*.part"):
        part.unlink()
    fresh, _ = written(tmp_path, "h.mp4", SHOTS.replace(old, new, 1))
    np.testing.assert_array_equal(ffmpeg_frames(fresh)[0], whole)


def test_that_another_scene_size_theme_or_quality_is_drawn_again(tmp_path) -> None:
    written(tmp_path, "f.mp4")
    for options in ({"size": (160, 96)}, {"theme": "light"}, {"quality": "small"}):
        _, remark = written(tmp_path, "g.mp4", **options)
        assert remark == "35 frames were drawn."
    scene = Scene.model_validate(yaml.safe_load((SCENE + SHOTS).replace("2*t", "3*t")))
    remark = export(scene, compile_plan(scene), tmp_path / "h.mp4", film="f")
    assert remark == "35 frames were drawn."


def test_that_the_number_of_frames_to_draw_is_known_before(tmp_path) -> None:
    scene = Scene.model_validate(yaml.safe_load(SCENE + SHOTS))
    plan = compile_plan(scene)
    request = request_for(scene, plan, tmp_path / "f.mp4", ExportOptions(film="f"))
    film, _ = compile_film(plan, "f", request.fps)
    assert kept_parts.frames_to_draw(request, film, video.film_of(request)) == 35
    export(scene, plan, tmp_path / "f.mp4", film="f")
    assert kept_parts.frames_to_draw(request, film, video.film_of(request)) == 0


def test_that_a_kept_part_that_cannot_be_read_is_drawn_again(tmp_path, monkeypatch) -> None:
    first, _ = written(tmp_path, "f.mp4")
    for part in (tmp_path / "cache").rglob("*.part"):
        part.unlink()
        part.mkdir()
    again, remark = written(tmp_path, "g.mp4")
    assert remark == "35 frames were drawn."
    assert again.read_bytes() == first.read_bytes()
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setattr(kept_parts, "cache_folder", lambda: tmp_path / "file")
    again, _ = written(tmp_path, "h.mp4")
    assert again.read_bytes() == first.read_bytes()


def test_that_the_oldest_parts_are_removed(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(kept_parts, "MOST_BYTES", 3000)
    written(tmp_path, "f.mp4")
    parts = list((tmp_path / "cache").rglob("*.part"))
    assert sum(part.stat().st_size for part in parts) <= 3000


def test_that_a_cancelled_export_leaves_no_file_and_keeps_its_complete_parts(tmp_path) -> None:
    fresh, _ = written(tmp_path, "f.mp4")
    for part in (tmp_path / "cache").rglob("*.part"):
        part.unlink()
    drawn = 0

    def progress(done: int, _total: int) -> None:
        nonlocal drawn
        drawn = done
        if done > 15:  # the first shot is complete once its encoder has ended
            deadline = time.monotonic() + 20.0
            while not any((tmp_path / "cache").rglob("*.part")) and time.monotonic() < deadline:
                time.sleep(0.01)

    with pytest.raises(ExportCancelledError):
        written(tmp_path, "g.mp4", is_cancelled=lambda: drawn > 16, progress=progress, jobs=1)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["f.mp4"]
    again, remark = written(tmp_path, "g.mp4")
    assert int(remark.split()[0]) < 35
    assert again.read_bytes() == fresh.read_bytes()


def test_that_several_processes_write_the_film_of_one(tmp_path) -> None:
    alone, _ = written(tmp_path, "f.mp4", jobs=1)
    for part in (tmp_path / "cache").rglob("*.part"):
        part.unlink()
    several, remark = written(tmp_path, "g.mp4", jobs=2)
    assert remark == "35 frames were drawn."
    np.testing.assert_array_equal(ffmpeg_frames(several)[0], ffmpeg_frames(alone)[0])


def test_that_a_film_of_one_frame_and_one_of_many_shots_are_whole(tmp_path) -> None:
    path, _ = written(tmp_path, "f.mp4", "    shots: [{duration: 0.01 s}]\n")
    assert len(ffmpeg_frames(path)[0]) == 1
    many = "    shots:\n" + "      - {title: x, start: 1 s, duration: 0.1 s}\n" * 200
    path, _ = written(tmp_path, "g.mp4", many)
    assert len(ffmpeg_frames(path)[0]) == 200
    assert said_of(path).count("Chapter #") == 200


def test_that_the_command_line_writes_a_film_and_names_what_is_wrong(tmp_path) -> None:
    scene, out = tmp_path / "my.yaml", tmp_path / "out.gif"
    scene.write_text(SCENE + SHOTS, encoding="utf-8")
    result = CliRunner().invoke(app, ["export", str(scene), str(out), "--film", "f", "--fps", "2", "--jobs", "1"])
    assert result.exit_code == 0, result.output
    assert "7 frames were drawn." in result.output
    assert len(pillow_frames(out)[0]) == 7
    for words, message in (
        (["--film", "g"], 'there is no film "g"'),
        (["--film", "f", "--stop", "1"], "takes no stop"),
    ):
        result = CliRunner().invoke(app, ["export", str(scene), str(out), *words])
        assert result.exit_code == 2
        assert message in result.output
    scene.write_text((SCENE + SHOTS).replace("end: 2 s", "end: 20 s"), encoding="utf-8")
    result = CliRunner().invoke(app, ["export", str(scene), str(out), "--film", "f"])
    assert result.exit_code == 2
    assert "film.f.shots[1].end (line 15)" in result.output


def test_that_hostile_texts_stay_texts() -> None:
    rows = [(0.0, 1.0, TEXT), (1.0, 2.0, "a\n\nb --> c\x00"), (2.0, 3.0, " ")]
    lines = webvtt(rows).splitlines()
    assert sum("-->" in line for line in lines) == 3
    assert not re.search(r"<(?!/?\w*;)", webvtt(rows).replace("&lt;", ""))
    metadata = ffmetadata(rows).splitlines()
    assert metadata.count("[CHAPTER]") == 3
    assert len(metadata) == 1 + 5 * 3
