"""Still pictures: what is in the file, what is refused, and how the window copies and saves them."""

from __future__ import annotations

import os

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.rendering.alpha import with_alpha
from framescope.app.exporters.rendering.scene_picture import drawn_picture
from framescope.app.exporters.request import WHITE
from framescope.core.evaluation.evaluate import compile_plan
from framescope.ui.scene_view.base.visual import BARE, VIDEO
from framescope.ui.theme.tokens import DARK, LIGHT, channels
from tests.support.films import write_picture
from tests.support.scenes import GOOD, HEAD, PROBLEMS, scene_of

pytestmark = pytest.mark.window

GLASS = (
    HEAD
    + """\
  stand: {parent: world}
bodies:
  glass: {frame: stand, color: "#FF0000", opacity: 0.5, shape: {form: box, size: [40, 40, 40], unit: cm}}
  solid: {frame: stand, color: "#00FF00", position: {value: [0.6, 0, 0], unit: m},
    shape: {form: box, size: [40, 40, 40], unit: cm}}
view:
  triads: false
  labels: false
  links: false
  camera: {position: [0.3, -3, 0], focal_point: [0.3, 0, 0], unit: m}
"""
)


def made(text: str, path, **wishes) -> Image.Image:
    scene = scene_of(text)
    write_picture(scene, compile_plan(scene), path, **wishes)
    return opened(path)


def opened(path) -> Image.Image:
    """Return a picture that is read whole, and its file closed."""
    image = Image.open(path)
    image.load()
    return image


@pytest.mark.parametrize("size", [(320, 180), (333, 251), (640, 64)])
def test_that_a_picture_has_the_size_asked_for_even_an_odd_one(tmp_path, size) -> None:
    picture = made(GOOD, tmp_path / "a.png", size=size)
    assert (picture.size, picture.mode, picture.format) == (size, "RGB", "PNG")
    assert picture.text == {"Software": "Framescope", "Title": "Test"}


@pytest.mark.parametrize("theme", [DARK, LIGHT, WHITE])
def test_that_a_picture_has_the_colours_of_its_theme(tmp_path, theme) -> None:
    picture = np.asarray(made(GOOD, tmp_path / "a.png", size=(480, 270), theme=theme.name)).astype(int)
    bottom = 255 * np.array(channels(theme.scene_bottom))
    assert np.abs(picture[-1] - bottom).max(axis=-1).min() <= 1  # between the lines of the grid
    for color in theme.axes:
        assert (np.abs(picture - 255 * np.array(channels(color))).max(axis=-1) < 40).sum() > 20
    assert np.abs(picture[4, 240] - 255 * np.array(channels(theme.panel))).max() <= 1  # the bar


def test_that_a_transparent_picture_is_clear_where_nothing_is_and_half_where_glass_is(tmp_path) -> None:
    picture = made(GLASS, tmp_path / "a.png", size=(400, 300), transparent=True, theme="white")
    assert picture.mode == "RGBA"
    pixels = np.asarray(picture).astype(int)
    alpha = pixels[..., 3]
    assert (pixels[alpha == 0] == 0).all()
    assert [alpha[y, x] for y, x in ((0, 0), (0, 399), (299, 0), (299, 399))] == [0] * 4
    scene = scene_of(GLASS)
    solid = alpha == 255
    assert 2000 < solid.sum() < 20_000
    assert (pixels[solid][:, 1] > pixels[solid][:, 0]).mean() > 0.99
    # Front and back face of the glass lie over each other only if both were drawn; its front lets half through.
    red = (pixels[..., 0] > 60) & (pixels[..., 1] < 20) & (alpha > 0)
    assert np.median(alpha[red]) == pytest.approx(128, abs=3)
    # Laid on white it is what is drawn on white.
    over = Image.new("RGBA", picture.size, "white")
    over.alpha_composite(picture)
    on_white = drawn_picture(compile_plan(scene), 0.0, (400, 300), WHITE, decorations=BARE)
    assert np.abs(np.asarray(over)[..., :3].astype(int) - on_white).max() <= 3


def test_that_alpha_is_found_again() -> None:
    rng = np.random.default_rng(3)
    color, alpha = rng.uniform(0, 255, (40, 30, 3)), rng.uniform(0, 1, (40, 30, 1))
    black, white = (np.rint(color * alpha + ground * (1 - alpha)).astype(np.uint8) for ground in (0, 255))
    found = with_alpha(black, white).astype(float)
    np.testing.assert_allclose(found[..., 3], 255 * alpha[..., 0], atol=1.01)
    is_solid = alpha[..., 0] > 0.3
    np.testing.assert_allclose(found[..., :3][is_solid], color[is_solid], atol=6)


def test_that_a_bare_picture_is_the_scene_alone_and_samples_smooth_edges(tmp_path) -> None:
    bare = np.asarray(made(GLASS, tmp_path / "a.png", size=(400, 300), bare=True, theme="white"))
    assert (bare[:40] == 255).all()
    assert (bare[-40:] == 255).all()
    sharp = np.asarray(made(GLASS, tmp_path / "b.png", size=(400, 300), bare=True, theme="white", samples=0))
    tones = [len(np.unique(picture.reshape(-1, 3), axis=0)) for picture in (bare, sharp)]
    assert tones[0] > tones[1]


def test_that_a_picture_shows_its_moment(tmp_path) -> None:
    first, same, later = (
        np.asarray(made(GOOD, tmp_path / f"{i}.png", size=(320, 180), time=t)) for i, t in enumerate((None, 0.0, 5.0))
    )
    np.testing.assert_array_equal(first, same)
    assert (first != later).any()


def test_that_a_large_picture_is_the_small_one_with_more_pixels(tmp_path) -> None:
    wide_title = GOOD.replace(
        "title: Test", "title: " + "A very long title " * 4 + "\nsource: " + "And its source " * 12
    )
    scene = scene_of(wide_title)
    plan = compile_plan(scene)
    large = drawn_picture(plan, 0.0, (3200, 1800), DARK, decorations=VIDEO, samples=0)
    small = drawn_picture(plan, 0.0, (800, 450), DARK, decorations=VIDEO)
    shrunk = np.asarray(Image.fromarray(large).resize((800, 450), Image.Resampling.BOX))
    assert np.abs(shrunk.astype(int) - small).mean() < 2.0
    # The source line is whole: it goes as far to the right as in the small picture.
    ends = [
        np.flatnonzero((np.ptp(picture[-14:, :780].astype(int), axis=0).max(axis=-1)) > 90).max()
        for picture in (shrunk, small)
    ]
    assert abs(ends[0] - ends[1]) < 30


REFUSED = {
    "too large": ({"size": (9000, 100)}, "a.png", "size: expected a width and height from 64 to 8192, got 9000x100"),
    "too many": ({"size": (8192, 8192)}, "a.png", "no more pixels than 7680x4320"),
    "too small": ({"size": (0, 100)}, "a.png", "got 0x100"),
    "theme": ({"theme": "lihgt"}, "a.png", 'theme: expected dark, light or white, got "lihgt". Did you mean "light"?'),
    "time": ({"time": 99.0}, "a.png", "time: expected 0 to 10 s, the time of the scene, got 99 s"),
    "not a time": ({"time": float("nan")}, "a.png", "time: expected a number of seconds"),
    "samples": ({"samples": 99}, "a.png", "samples: expected 0 to 16"),
    "ending": ({}, "a.jpg", '".jpg" is no format of pictures. Use .png, .svg or .pdf.'),
    "no ending": ({}, "a", "the file name has no ending"),
    "folder": ({}, "nowhere/a.png", "there is no folder"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_that_what_cannot_be_made_is_said_and_leaves_no_file(tmp_path, case) -> None:
    wishes, name, said = REFUSED[case]
    scene = scene_of(GOOD)
    with pytest.raises(ExportError) as caught:
        write_picture(scene, compile_plan(scene), tmp_path / name, **wishes)
    assert said in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_that_a_file_that_may_not_be_written_stays_as_it_is(tmp_path, monkeypatch) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"old")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(ExportError, match="this is a folder"):
        made(GOOD, tmp_path / "folder.png", size=(64, 64))
    monkeypatch.setattr(os, "access", lambda *_: False)  # as for anybody but root
    with pytest.raises(ExportError, match="cannot be written: the file is read-only"):
        made(GOOD, path, size=(64, 64))
    assert path.read_bytes() == b"old"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.png", "folder.png"]


def test_that_the_command_draws_a_picture_and_says_where(tmp_path) -> None:
    scene, out = tmp_path / "my.yaml", tmp_path / "my.png"
    scene.write_text(GLASS)
    run = CliRunner().invoke
    result = run(app, ["picture", str(scene), str(out), "--time", "0", "--size", "96x64", "--transparent"])
    assert (result.exit_code, result.output.strip()) == (0, str(out))
    assert (opened(out).size, opened(out).mode) == ((96, 64), "RGBA")
    result = run(app, ["picture", str(scene), str(out), "--size", "96"])
    assert result.exit_code == 2
    assert "expected width x height" in result.output
    scene.write_text(PROBLEMS["unknown parent"][0])
    other = tmp_path / "other.png"
    result = run(app, ["picture", str(scene), str(other), "--size", "96x64"])
    assert result.exit_code == 2
    assert "Nothing is drawn" in result.output
    assert not other.exists()
    assert run(app, ["picture", str(scene), str(other), "--size", "96x64", "--with-problems"]).exit_code == 0
    assert other.exists()


# In the window


@pytest.fixture
def wiring(qtbot, tmp_path):
    from framescope.app.startup import make_application, make_window

    make_application()
    path = tmp_path / "glass.yaml"
    path.write_text(GLASS)
    made = make_window(path)
    qtbot.addWidget(made.window)
    made.window.show()
    with qtbot.waitExposed(made.window):
        pass
    yield made
    made.window.close()


def test_that_the_window_copies_what_it_shows(wiring) -> None:
    from PySide6.QtGui import QGuiApplication

    wiring.window.commands.copy_picture.trigger()
    image = QGuiApplication.clipboard().image()
    view = wiring.window.scene_view
    ratio = 2 * view.devicePixelRatioF()
    assert (image.width(), image.height()) == (round(view.width() * ratio), round(view.height() * ratio))
    assert "copied" in wiring.window.status.message
    x, y, _ = view.renderer.projection().project(np.array([0.6, -0.2, 0.0]))
    color = image.pixelColor(round(2 * x), image.height() - round(2 * y))
    assert color.green() > 150 > color.red()
    QGuiApplication.clipboard().clear()


def test_that_a_picture_is_saved_as_the_dialog_says(wiring, tmp_path, monkeypatch, qtbot) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QFileDialog

    from framescope.ui.dialogs.picture_dialog import PictureDialog

    out = tmp_path / "out"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    wiring.window.commands.save_picture.trigger()
    dialog = wiring.window.findChild(PictureDialog)
    dialog.size_box.setCurrentIndex(1)
    dialog.theme_box.setCurrentIndex(2)
    dialog.transparent.click()
    assert not dialog.bare.isChecked(), "the answers stay"
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not wiring.exports.is_running, timeout=30_000)
    assert wiring.window.status.message.startswith("Exported out.png")
    picture = opened(tmp_path / "out.png")
    assert (picture.size, picture.mode) == ((1280, 720), "RGBA")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "a.png"), ""))
    wiring.window.commands.save_picture.trigger()
    dialog = next(found for found in wiring.window.findChildren(PictureDialog) if found.isVisible())
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert "there is no folder" in wiring.window.status.message
