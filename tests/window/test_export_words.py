"""Films and pictures as they are told to be: pace, captions, size of text, quality, data of the file, any script."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QFontDatabase
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.app.exporters.captions import Caption, caption_at, checked_captions, outside_text
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.formats import formats_by_suffix
from framescope.app.exporters.registry import export
from framescope.app.exporters.rendering.headless import rendered_frames
from framescope.app.exporters.request import checked_request
from framescope.app.session.document import Document
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import parse_scene
from framescope.ui.exports.options import ExportOptions
from framescope.ui.scene_view.geometry.sprites import TextStyle, draw_text
from framescope.ui.scene_view.geometry.system_text import covers, letters_without_font
from framescope.ui.theme.tokens import DARK, FONT_FILES, TEXT_FAMILY
from tests.support.films import ffmpeg_frames, pillow_frames, write_picture

pytestmark = pytest.mark.usefixtures("qapp")

SIZE = (160, 120)

SCENE = """
framescope: 1
title: A turn
time: {start: 0 s, end: 2 s}
frames:
  arm:
    parent: world
    orientation: {form: axes, sequence: XYZ, angles: ["20*t", "10*t", 0], unit: deg}
view:
  camera: {position: [2, -3, 1.5], focal_point: [0, 0, 0], unit: m}
  plots:
    - {signal: angles, of: arm, relative_to: world, sequence: XYZ, unit: deg, title: First}
"""


@pytest.fixture(scope="module")
def scene():
    found = parse_scene(SCENE)[0]
    return found, compile_plan(found)


def request_for(scene, **options):
    options = {"size": SIZE, "fps": 10, **options}
    return checked_request(*scene, Path("a.mp4"), formats_by_suffix()[".mp4"], ExportOptions(**options))


# Pace


def test_that_a_slow_film_has_more_frames_of_the_same_time(scene) -> None:
    request = request_for(scene, speed=0.1, start=1.0, stop=1.5)
    assert request.count == 50
    assert np.allclose(request.times, 1.0 + 0.01 * np.arange(50))
    assert request_for(scene, speed=4.0).times.tolist() == pytest.approx([0.0, 0.4, 0.8, 1.2, 1.6])


def test_that_the_very_end_is_held_and_drawn_once(scene, monkeypatch) -> None:
    request = request_for(scene, hold=1.0)
    assert request.times.tolist()[19:] == pytest.approx([1.9, *([2.0] * 10)])
    from framescope.app.exporters.rendering import headless

    drawn = []
    evaluate = headless.evaluate
    monkeypatch.setattr(headless, "evaluate", lambda plan, t: drawn.append(float(t)) or evaluate(plan, t))
    frames = [frame.copy() for frame in rendered_frames(request)]
    assert len(frames) == 30
    assert drawn.count(2.0) == 1
    assert all((frame == frames[-1]).all() for frame in frames[20:])
    assert (frames[19] != frames[20]).any()


def test_that_what_goes_forth_and_back_is_held_where_it_turns(scene) -> None:
    times = request_for(scene, hold=0.2, bounce=True).times
    assert times[20:22].tolist() == [2.0, 2.0]
    assert times[22] == pytest.approx(1.9)
    assert len(times) == 20 + 2 + 19


def test_that_a_slow_film_that_is_held_is_as_long_as_said(scene, tmp_path) -> None:
    path = tmp_path / "a.mp4"
    export(*scene, path, size=SIZE, fps=10, speed=0.5, hold=0.5, captions=["0: one", "1: two"])
    frames, _ = ffmpeg_frames(path)
    assert len(frames) == 45
    still = np.abs(frames[41:].astype(int) - frames[44]).max()
    assert still < 12  # the same picture, as it is encoded
    band = frames[:, -20:].astype(int)
    assert np.abs(band[21] - band[18]).max() > 60  # another caption from 1 s of the scene on, which is 2 s of the film
    assert np.abs(band[18] - band[3]).max() < 30


# Captions


def test_that_captions_are_read_with_and_without_times() -> None:
    captions = checked_captions(["3 s : then: pitch", "First", "-1e1: before", "5:", "Note: no time", ""][:2])
    assert captions == (Caption(-np.inf, "First"), Caption(3.0, "then: pitch"))
    (note,) = checked_captions(["Note: that is no time"])
    assert note == Caption(-np.inf, "Note: that is no time")
    told = checked_captions(["1: a", "2:", "3: b"])
    assert [caption_at(told, t) for t in (0.0, 1.0, 1.999, 2.0, 3.0, 9.0)] == ["", "a", "a", "", "b", "b"]


@pytest.mark.parametrize(
    ("told", "t", "words"),
    [
        ("2,5: Dann", 2.5, "Dann"),
        ("500 ms: z", 0.5, "z"),
        ("0.5 s: z", 0.5, "z"),
        ("1:30: Then", 90.0, "Then"),
        ("1:30.5:", 90.5, ""),
        ("1: 30 degrees", 1.0, "30 degrees"),
        ("1:2nd turn", 1.0, "2nd turn"),
        ("3 m/s: fast", -np.inf, "3 m/s: fast"),
    ],
)
def test_that_the_time_of_a_caption_is_read_as_times_are_typed(told, t, words) -> None:
    assert checked_captions([told]) == (Caption(t, words),)


def test_that_captions_after_the_part_that_is_exported_are_told(scene) -> None:
    request = request_for(scene, captions=["a", "0.5: b", "1: c"], stop=1.0)
    assert "Line 3 " in outside_text(request.captions, request.times.max())
    held = request_for(scene, captions=["a", "0.5: b", "1: c"], stop=1.0, hold=1.0)
    assert outside_text(held.captions, held.times.max()) == ""


@pytest.mark.parametrize(
    ("captions", "said"),
    [
        (["a", "b"], "captions: two stand without a time"),
        (["1: a", "1.0 s: b"], "captions: two stand at 1 s"),
        (["0: a", "zwei: Then"], 'captions: line 2, "zwei: Then": expected a time such as 2.5 or 1:30'),
        (["0: a", "", "ein 2: Then"], "captions: line 3"),
        (["1:30 Then"], "captions: line 1"),
        (["First", "0: Then"], "captions: lines 1 and 2 both begin at the start"),
        (["-1: First", "0: Then"], "captions: lines 1 and 2 both begin at the start"),
        (["99: Then", "First"], "captions: line 1 never shows"),
        (["x" * 301], "captions: expected at most 300 letters"),
        (["word " * 55], "captions: the longest one takes more than a third"),
    ],
)
def test_that_captions_that_cannot_be_are_refused(scene, captions, said) -> None:
    with pytest.raises(ExportError, match=said):
        request_for(scene, captions=captions, layout="scene", size=(96, 96))


@pytest.mark.parametrize("layout", ["scene", "lecture"])
@pytest.mark.parametrize("is_still", [False, True])
def test_that_a_caption_stands_below_all_else(scene, tmp_path, layout, is_still) -> None:
    pictures = []
    for captions in (["Both turn"], ["Both turns"]):
        options = {"size": (320, 240), "layout": layout, "captions": captions}
        if is_still:
            write_picture(*scene, tmp_path / "a.png", time=1.0, **options)
            pictures.append(np.asarray(Image.open(tmp_path / "a.png")).astype(int))
        else:
            (frame,) = rendered_frames(request_for(scene, **options), np.array([1.0]))
            pictures.append(frame.astype(int))
    rows = np.flatnonzero((pictures[0] != pictures[1]).any(axis=(1, 2)))
    assert rows[0] > 220
    assert rows[-1] < 240
    columns = np.flatnonzero((pictures[0][rows[0] : rows[-1]] - pictures[0][-2, 2]).any(axis=(0, 2)))
    assert abs(columns[0] + columns[-1] - 319) < 3  # in the middle


def test_that_a_caption_on_no_ground_has_a_plate_and_leaves_the_rest_clear(scene) -> None:
    request = checked_request(
        *scene,
        Path("a.apng"),
        formats_by_suffix()[".apng"],
        ExportOptions(size=(320, 240), fps=10, transparent=True, captions=["arm"]),
    )
    (frame,) = rendered_frames(request, np.array([1.0]))
    assert frame.shape == (240, 320, 4)
    alpha = frame[-16:, :, 3]
    assert alpha[:, :60].max() == 0
    assert alpha[:, 140:180].max() > 200


# Size of text, quality


def test_that_text_is_larger_in_a_picture_of_the_same_size(scene) -> None:
    found = []
    for text_size in (1.0, 2.0):
        request = request_for(scene, size=(640, 480), text_size=text_size, layout="scene")
        (frame,) = rendered_frames(request, np.array([1.0]))
        bar = frame[: round(36 * request.scale), :320].astype(int)
        light = np.abs(bar - np.array([int(DARK.text[i : i + 2], 16) for i in (1, 3, 5)])).max(axis=-1) < 40
        found.append(np.ptp(np.flatnonzero(light.any(axis=0))))
    assert 1.8 < found[1] / found[0] < 2.2


def test_that_quality_is_weighed_against_size(scene, tmp_path) -> None:
    sizes = []
    for quality in ("small", "good", "best"):
        export(*scene, tmp_path / "a.mp4", size=(320, 240), fps=10, stop=1.0, quality=quality)
        sizes.append((tmp_path / "a.mp4").stat().st_size)
    assert sizes[0] < 0.8 * sizes[1] < 0.7 * sizes[2]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"speed": 0.0}, "speed: expected 0.001 to 1000"),
        ({"speed": float("nan")}, "speed: expected"),
        ({"speed": 0.001, "fps": 1000}, "stop: 2 s, 0.001 times as fast, at 1000 fps are more than 1000000 frames"),
        ({"hold": -1.0}, "hold: expected 0 to 3600 s"),
        ({"hold": float("inf")}, "hold: expected"),
        ({"text_size": 9.0}, "text_size: expected 0.5 to 3"),
        ({"quality": "bets"}, 'quality: expected small, good or best, got "bets". Did you mean "best"'),
        ({"title": "a\nb"}, "title: expected one line"),
        ({"license": "x" * 1001}, "license: expected at most 1000"),
    ],
)
def test_that_what_cannot_be_is_refused_with_a_reason(scene, options, said) -> None:
    with pytest.raises(ExportError) as caught:
        request_for(scene, **options)
    assert said in str(caught.value)


# Data of the file


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_that_films_carry_title_and_licence(scene, tmp_path, suffix) -> None:
    path = tmp_path / f"a{suffix}"
    export(*scene, path, size=SIZE, fps=10, stop=0.5, title='Turn; = \u2026 "two"', license="CC BY 4.0")
    _, said = ffmpeg_frames(path)
    told = {line.partition(":")[0].strip().lower(): line.partition(":")[2].strip() for line in said.splitlines()}
    assert told["title"] == 'Turn; = \u2026 "two"'
    assert told["copyright"] == "CC BY 4.0"


def test_that_pictures_that_move_carry_title_and_licence(scene, tmp_path) -> None:
    export(*scene, tmp_path / "a.apng", size=SIZE, fps=10, stop=0.5, license="CC BY 4.0")
    with Image.open(tmp_path / "a.apng") as picture:
        assert (picture.text["Title"], picture.text["Copyright"]) == ("A turn", "CC BY 4.0")
    export(*scene, tmp_path / "a.gif", size=SIZE, fps=10, stop=0.5, license="CC BY " + "4" * 300)
    with Image.open(tmp_path / "a.gif") as picture:
        assert picture.info["comment"].decode() == "Title: A turn\nCopyright: CC BY " + "4" * 300
    assert len(pillow_frames(tmp_path / "a.gif")[0]) == 5
    export(*scene, f"{tmp_path}/frames/", size=SIZE, fps=10, stop=0.1, license="CC0")
    with Image.open(tmp_path / "frames" / "0000.png") as picture:
        assert picture.text["Copyright"] == "CC0"


def test_that_the_command_takes_it_all(tmp_path) -> None:
    path, out = tmp_path / "scene.yaml", tmp_path / "a.mp4"
    path.write_text(SCENE)
    asked = ["export", str(path), str(out), "--size", "160x120", "--fps", "10", "--stop", "0.2", "--speed", "0.1"]
    words = ["--caption", "0: one", "--caption", "0.1: two", "--title", "T", "--license", "L", "--text-size", "1.5"]
    result = CliRunner().invoke(app, [*asked, "--hold", "0.3", "--quality", "small", *words])
    assert (result.exit_code, result.stdout.strip().splitlines()[-1]) == (0, str(out))
    assert len(ffmpeg_frames(out)[0]) == 23
    result = CliRunner().invoke(app, ["export", str(path), str(tmp_path / "a.gif"), "--quality", "best"])
    assert result.exit_code == 2
    assert "quality: a GIF takes no quality" in result.output


# Vectors


@pytest.mark.parametrize("layout", ["scene", "plots", "lecture"])
def test_that_an_svg_holds_names_numbers_and_curves_as_such(scene, tmp_path, layout) -> None:
    path = tmp_path / "a.svg"
    write_picture(*scene, path, time=1.0, size=(640, 480), layout=layout, captions=["It turns"], license="CC0")
    root = ET.parse(path).getroot()
    space = "{http://www.w3.org/2000/svg}"
    words = [element.text for element in root.iter(f"{space}text")]
    assert {"arm", "world", "x", "It turns"} <= set(words)
    if layout != "scene":
        assert {"First", "Angles, °", "t, s"} <= set(words)
        curves = [element for element in root.iter() if element.tag in (f"{space}path", f"{space}polyline")]
        assert any(len(element.get("d", element.get("points", ""))) > 2000 for element in curves)
    if layout == "lecture":
        assert "20.00°" in words
    assert len(list(root.iter(f"{space}image"))) == 1  # the scene itself
    assert root.find(f"{space}title").text == "A turn"
    assert all(element.get("textLength") for element in root.iter(f"{space}text") if (element.text or "").strip())


def test_that_texts_of_an_svg_stand_where_those_of_the_picture_do(scene, tmp_path) -> None:
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    options = {"time": 1.0, "size": (640, 480), "theme": "light"}
    write_picture(*scene, tmp_path / "a.svg", **options)
    write_picture(*scene, tmp_path / "a.png", **options)
    image = QImage(640, 480, QImage.Format.Format_RGB888)
    painter = QPainter(image)
    QSvgRenderer(str(tmp_path / "a.svg")).render(painter)
    painter.end()
    vectors = np.array(image.constBits()).reshape(480, image.bytesPerLine())[:, : 3 * 640].reshape(480, 640, 3)
    pixels = np.asarray(Image.open(tmp_path / "a.png"))
    blurred = [uniform(each.astype(float)) for each in (vectors, pixels)]
    assert np.abs(blurred[0] - blurred[1]).max() < 60
    assert np.abs(blurred[0] - blurred[1]).mean() < 2


def uniform(pixels: np.ndarray) -> np.ndarray:
    from scipy.ndimage import uniform_filter

    return uniform_filter(pixels, size=(9, 9, 1))


def test_that_a_pdf_has_a_page_of_its_size_and_carries_its_fonts(scene, tmp_path) -> None:
    path = tmp_path / "a.pdf"
    write_picture(*scene, path, time=1.0, size=(640, 480), layout="plots")
    data = path.read_bytes()
    assert data.startswith(b"%PDF-")
    assert b"/MediaBox [0 0 480" in data  # points: 640 pixels at 96 an inch
    assert b"Inter" in data
    assert b"/FontFile2" in data


# Any script


def boxes_of(text: str) -> np.ndarray:
    image = draw_text([(text, TextStyle("#FFFFFF", 20.0))], 1.0)
    return np.asarray(image)[..., 3]


def test_that_a_script_that_the_fonts_of_the_program_lack_has_letters_of_the_system() -> None:
    file = FONT_FILES[TEXT_FAMILY, 500]
    assert covers(file, "Ωμέγα кадр naïve →")
    hebrew, box = "ז", "\U0010fffd"
    assert not covers(file, hebrew)
    has_hebrew = not letters_without_font(hebrew)
    assert has_hebrew == bool(QFontDatabase.families(QFontDatabase.WritingSystem.Hebrew))
    drawn, missing = boxes_of(hebrew), boxes_of(box)
    if has_hebrew:
        assert drawn.max() > 100
        assert drawn.shape != missing.shape or (drawn != missing).any()
        mixed = boxes_of(f"arm {hebrew}")  # one line, on one baseline
        assert mixed.shape[1] > boxes_of("arm ").shape[1]


def test_that_letters_of_no_font_are_named() -> None:
    assert letters_without_font("abc Ω") == ""
    assert letters_without_font("a\U00012001\U00012001 \U00012000b") == "\U00012000\U00012001"


@pytest.mark.process
def test_that_the_command_says_which_letters_it_has_no_font_for(tmp_path) -> None:
    path, out = tmp_path / "scene.yaml", tmp_path / "a.png"
    path.write_text(SCENE.replace("A turn", "\U00012000 turns"), encoding="utf-8")
    program = [sys.executable, "-P", "-m", "framescope.app", "picture", str(path), str(out), "--size", "96x64"]
    done = subprocess.run(program, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout.strip()) == (0, str(out))
    assert "\U00012000" in done.stderr
    assert "boxes" in done.stderr


def test_that_the_window_says_which_letters_it_has_no_font_for(open_window, tmp_path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE.replace("A turn", "\U00012000 turns"), encoding="utf-8")
    wiring = open_window(path)
    wiring.session.report_opened()
    assert "No font here has \U00012000" in wiring.window.status.message
    path.write_text(SCENE.replace("A turn", "Ωμέγα → кадр"), encoding="utf-8")
    wiring.session.open("again", lambda: Document.open(path))
    wiring.session.report_opened()
    assert "No font" not in wiring.window.status.message
