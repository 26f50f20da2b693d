"""Exports in the whole window by real events: chosen, written by a process beside it, cancelled, and failed."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QTimer
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from framescope.app.exporters.registry import export
from framescope.app.exporters.rendering.scene_picture import drawn_picture
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.ui.dialogs.export.dialog import ExportDialog
from framescope.ui.theme.tokens import DARK
from tests.support.films import ffmpeg_frames, write_picture
from tests.support.hands import CTRL, SHIFT, Key, drag, focus, strike, type_in, x_of
from tests.support.processes import is_running
from tests.support.scenes import GOOD
from tests.support.whole_window import answering, click, drop_files, name_file, press_button, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")
SCENE = GOOD.replace("frames:", "time: {end: 1 s}\nframes:", 1)
LONG = GOOD.replace("frames:", "time: {end: 1000 s}\nframes:", 1)
FOR_S = 60.0
"""How long a process may take on a machine that does much else."""


@pytest.fixture
def wiring(shared_window, tmp_path):
    path = tmp_path / "good.yaml"
    path.write_text(SCENE)
    found = shared_window(path)
    yield found
    leave_nothing_open(found)


@pytest.fixture
def long(shared_window, tmp_path):
    path = tmp_path / "long.yaml"
    path.write_text(LONG)
    found = shared_window(path)
    yield found
    leave_nothing_open(found)


def leave_nothing_open(wiring) -> None:
    """Give up what still goes on: a test that has failed must not end in a question."""
    wiring.exports.close()
    wiring.window.status.show_message("note", "")  # nor the folder of this test be offered to the next


def ask(wiring) -> ExportDialog:
    """Ask for the dialog by its keys."""
    strike_in(wiring, Key.Key_E, CTRL | SHIFT)
    dialog = shown(wiring)
    assert dialog is not None
    wait_for(dialog.isActiveWindow)
    return dialog


def test_that_an_export_starts_from_the_view_of_the_window_once_it_was_moved(wiring) -> None:
    dialog = ask(wiring)
    assert not dialog.choice.is_eye
    strike(dialog, Key.Key_Escape)
    wiring.window.scene_view.camera.orbit(0.3, 0.1)
    dialog = ask(wiring)
    assert dialog.choice.is_eye
    strike(dialog, Key.Key_Escape)
    wiring.window.scene_view.camera.reset()
    assert not ask(wiring).choice.is_eye


def shown(wiring) -> ExportDialog | None:
    """Return the dialog that is there; older ones are gone as soon as Qt comes to it."""
    return next((dialog for dialog in wiring.window.findChildren(ExportDialog) if dialog.isVisible()), None)


def choose(dialog: ExportDialog, key: str) -> None:
    """Go to a format by the arrows of the list."""
    focus(dialog.formats)
    strike(dialog, Key.Key_Home)
    for _ in range(60):
        if dialog.formats.offer.key == key:
            return
        strike(dialog, Key.Key_Down)
    raise AssertionError(f"{key} is not offered")


def own_size(dialog: ExportDialog, width: int, height: int) -> None:
    box = dialog.form.widget("size")
    focus(box)
    strike(dialog, Key.Key_End)
    type_in(dialog.form.widget("width"), str(width), Key.Key_Tab)
    type_in(dialog.form.widget("height"), str(height), Key.Key_Tab)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name the file when it is asked for, above the dialog that is there already."""
    named: list[bool] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog) and dialog.isVisible() and not named:
            if not dialog.isActiveWindow():
                dialog.activateWindow()
                return
            named.append(True)
            name_file(path)(dialog)

    timer = QTimer(interval=5)
    timer.timeout.connect(look)
    timer.start()
    yield
    timer.stop()
    assert named, "no file was asked for"


def begin(wiring, key: str, path: Path, *, size: tuple[int, int] = (96, 64), fps: str = "10") -> None:
    """Begin an export into a file."""
    dialog = ask(wiring)
    choose(dialog, key)
    own_size(dialog, *size)
    type_in(dialog.form.widget("fps").lineEdit(), fps, Key.Key_Tab)
    with naming(path):
        click(dialog.export_button)


def ended(wiring) -> str:
    """Wait until the export has ended; return what is said."""
    wait_for(lambda: not wiring.exports.is_running, FOR_S)
    return wiring.window.status.message


def frames_of(path: Path) -> list[np.ndarray]:
    with Image.open(path) as film:
        found = []
        for i in range(film.n_frames):
            film.seek(i)
            found.append(np.asarray(film.convert("RGB")))
        return found


def leftovers(folder: Path, *known: str) -> list[str]:
    return sorted(item.name for item in folder.iterdir() if item.name not in known)


def test_that_a_gif_is_exported_by_keys_alone_while_the_window_goes_on_and_is_shown(
    wiring, tmp_path, monkeypatch
) -> None:
    opened, pauses = [], _Pauses()
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    dialog = ask(wiring)
    choose(dialog, "gif")
    own_size(dialog, 96, 64)
    type_in(dialog.form.widget("fps").lineEdit(), "10", Key.Key_Tab)
    assert dialog.summary.text() == "10 frames, 1 s, 96 × 64"
    wait_for(lambda: dialog.preview.image is not None, FOR_S)
    assert dialog.preview.image.width() / dialog.preview.image.height() == pytest.approx(1.5, abs=0.02)
    with naming(tmp_path / "turn"):  # its ending is added
        focus(dialog.export_button)
        strike(dialog, Key.Key_Space)
    assert wiring.exports.is_running

    row = wiring.window.inspector.orientation.rows[0]
    drag(row.slider, x_of(row.slider, row.value_deg), x_of(row.slider, row.value_deg + 40))
    assert wiring.session.document.is_dirty
    assert wiring.exports.is_running
    pauses.begin()
    message = ended(wiring)
    pauses.end()
    # In the window's own process there would be one pause, as long as the export.
    assert pauses.n > 20
    assert pauses.longest_s < 0.2

    assert message.startswith("Exported turn.gif, "), message
    frames = frames_of(tmp_path / "turn.gif")
    assert len(frames) == 10
    assert frames[0].shape == (64, 96, 3)
    assert np.abs(frames[0].astype(int) - frames[-1].astype(int)).max() > 50
    button = wiring.window.status.offer_button
    assert button.isVisible()
    wiring.window.activateWindow()
    wait_for(wiring.window.isActiveWindow)
    focus(button)
    strike(wiring.window, Key.Key_Space)
    assert opened == [str(tmp_path)]
    assert leftovers(tmp_path) == ["good.yaml", "turn.gif"]
    wiring.window.status.show_message("good", "Something else")
    assert not button.isVisible()
    again = ask(wiring)  # what was chosen last is chosen again
    assert again.formats.offer.key == "gif"
    assert again.choice.size == (96, 64)
    assert again.choice.fps == 10.0
    strike(again, Key.Key_Escape)

    scene = load_scene(tmp_path / "good.yaml").scene  # as it was when the export began
    export(scene, compile_plan(scene, tmp_path), tmp_path / "again.gif", size=(96, 64), fps=10)
    assert (tmp_path / "again.gif").read_bytes() == (tmp_path / "turn.gif").read_bytes()


class _Pauses:
    """How often the window came to itself, and the longest it was busy between: in time of its thread alone.

    On the clock a machine that does much else holds up everything.
    """

    def __init__(self) -> None:
        self.n, self.longest_s = 0, 0.0
        self._last = time.thread_time()
        self._timer = QTimer(interval=5)
        self._timer.timeout.connect(self._tick)

    def begin(self) -> None:
        self._last = time.thread_time()
        self._timer.start()

    def end(self) -> None:
        self._timer.stop()

    def _tick(self) -> None:
        now = time.thread_time()
        self.n += 1
        self.longest_s = max(self.longest_s, now - self._last)
        self._last = now


def test_that_an_export_tells_how_far_it_is_and_escape_asks_before_it_ends_it(long, tmp_path) -> None:
    begin(long, "gif", tmp_path / "long.gif")
    progress = long.window.status.export
    wait_for(lambda: "left" in progress.text, FOR_S)
    assert progress.isVisible()
    assert progress.text.startswith("Exporting long.gif ")
    strike_in(long, Key.Key_E, CTRL | SHIFT)  # one at a time
    assert "still being exported" in long.window.status.message
    assert shown(long) is None
    for answer in (lambda dialog: strike(dialog, Key.Key_Escape), press_button("Go on")):
        strike_in(long, Key.Key_Escape)
        with answering(answer):
            wait_for(lambda: long.exports.question is None)
        assert long.exports.is_running
    strike_in(long, Key.Key_Escape)
    with answering(press_button("Give up")):
        wait_for(lambda: long.exports.question is None)
    assert "cancelled" in ended(long)
    assert not progress.isVisible()
    assert leftovers(tmp_path) == ["long.yaml"]


def test_that_closing_asks_once_and_gives_the_export_up(long, tmp_path) -> None:
    begin(long, "mp4", tmp_path / "long.mp4")
    wait_for(lambda: leftovers(tmp_path, "long.yaml"), FOR_S)
    process_id = long.exports.process.process_id
    with answering(press_button("No")):
        long.window.close()
    assert long.window.isVisible()
    with answering(press_button("Yes")):
        long.window.close()
    assert not long.window.isVisible()
    assert leftovers(tmp_path) == ["long.yaml"]
    assert not is_running(process_id)


@pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there")
def test_that_a_process_that_is_killed_is_said_and_leaves_nothing(long, tmp_path) -> None:
    begin(long, "gif", tmp_path / "long.gif")
    wait_for(lambda: leftovers(tmp_path, "long.yaml"), FOR_S)
    os.kill(long.exports.process.process_id, signal.SIGKILL)
    assert "has ended before its time" in ended(long)
    assert leftovers(tmp_path) == ["long.yaml"]


def test_that_a_file_that_cannot_be_written_is_said_in_red(wiring, tmp_path) -> None:
    dialog = ask(wiring)
    choose(dialog, "csv")
    path = tmp_path / "gone" / "t.csv"
    path.parent.mkdir()
    with naming(path):
        click(dialog.export_button)
    path.parent.rmdir()  # before the process writes
    message = ended(wiring)
    assert message.startswith("t.csv is not exported: ")
    assert leftovers(tmp_path) == ["good.yaml"]


def test_that_return_in_a_field_ends_typing_and_does_not_export(wiring) -> None:
    dialog = ask(wiring)
    choose(dialog, "mp4")
    form = dialog.form
    asked = []
    dialog.chosen.connect(asked.append)
    for field, typed in (
        (form.widget("hold"), "1.5"),
        (form.widget("title"), "Mine"),
        (form.widget("speed").lineEdit(), "0.5"),
    ):
        type_in(field, typed, Key.Key_Return)
        assert field.text() == typed
    type_in(form.widget("fps").lineEdit(), "12", Key.Key_Enter)
    assert asked == []
    assert dialog.isVisible()
    assert (dialog.choice.hold, dialog.choice.title, dialog.choice.fps) == (1.5, "Mine", 12.0)
    strike(dialog, Key.Key_Escape)


def test_that_a_still_is_seen_as_in_the_window_until_something_else_is_chosen(wiring, tmp_path) -> None:
    def written(name: str) -> np.ndarray:
        with naming(tmp_path / name):
            click(shown(wiring).export_button)
        assert ended(wiring).startswith(f"Exported {name}, ")
        with Image.open(tmp_path / name) as picture:
            return np.asarray(picture.convert("RGB")).astype(int)

    wiring.window.scene_view.camera.look_from("top")
    dialog = ask(wiring)
    choose(dialog, "still")
    own_size(dialog, 192, 192)
    assert dialog.form.widget("theme").currentText().startswith("Dark")
    type_in(dialog.form.widget("moment"), "0.5", Key.Key_Tab)
    focus(dialog.form.widget("eye"))
    strike(dialog, Key.Key_End)
    seen = written("seen.png")
    camera, plan = wiring.window.scene_view.camera.state, wiring.session.plan
    from_top = drawn_picture(plan, 0.5, (192, 192), DARK, camera=camera)
    own = drawn_picture(plan, 0.5, (192, 192), DARK)
    assert np.abs(seen - from_top).max() == 0
    assert np.abs(seen - own).max() > 50

    wiring.window.commands.theme.trigger()
    dialog = ask(wiring)
    assert dialog.choice.theme == "light"
    assert dialog.form.widget("theme").currentText().startswith("Light")
    focus(dialog.form.widget("theme"))
    strike(dialog, Key.Key_End)
    assert dialog.choice.theme == "white"
    focus(dialog.form.widget("captions"))
    QTest.keyClicks(dialog.form.widget("captions"), "Here")
    type_in(dialog.form.widget("moment"), "0.25", Key.Key_Tab)
    assert seen[40, 96].max() < 80
    assert written("white.png")[40, 96].min() > 200

    dialog = ask(wiring)
    assert dialog.choice.theme == "white"
    assert dialog.choice.captions == ("Here",)
    assert dialog.choice.moment == pytest.approx(wiring.session.playback.t, abs=1e-3)  # not what was typed
    strike(dialog, Key.Key_Escape)
    wiring.window.commands.theme.trigger()


def test_that_what_was_entered_comes_back_after_escape_for_that_scene_alone(wiring, open_window, tmp_path) -> None:
    dialog = ask(wiring)
    choose(dialog, "webm")
    form = dialog.form
    focus(form.widget("captions"))
    QTest.keyClicks(form.widget("captions"), "0.2: First")
    type_in(form.widget("hold"), "2", Key.Key_Tab)
    type_in(form.widget("fps").lineEdit(), "soon", Key.Key_Tab)  # what cannot be read is no less work
    focus(form.widget("size"))
    strike(form.widget("size"), Key.Key_End)
    size = form.widget("size").currentText()
    choose(dialog, "glb")  # which has neither
    strike(dialog, Key.Key_Escape)

    again = ask(wiring)
    assert again.formats.offer.key == "glb"
    choose(again, "webm")
    assert again.form.widget("captions").toPlainText() == "0.2: First"
    assert again.form.widget("hold").text() == "2"
    assert again.form.widget("fps").currentText() == "soon"
    assert again.form.widget("size").currentText() == size
    type_in(again.form.widget("fps").lineEdit(), "20", Key.Key_Tab)
    strike(again, Key.Key_Escape)

    path = tmp_path / "other.yaml"
    path.write_text(SCENE)
    wiring.open(path)
    other = ask(wiring)
    choose(other, "webm")
    assert other.form.widget("captions").toPlainText() == ""
    strike(other, Key.Key_Escape)

    later = ask(open_window(tmp_path / "good.yaml"))
    assert later.form.widget("size").currentText() == size
    assert (later.choice.key, later.choice.fps, later.choice.hold) == ("webm", 20.0, 2.0)
    assert later.choice.captions == ("0.2: First",)
    strike(later, Key.Key_Escape)


def test_that_the_button_waits_for_a_caption_whose_time_is_not_understood(wiring) -> None:
    dialog = ask(wiring)
    choose(dialog, "mp4")
    field = dialog.form.widget("captions")
    focus(field)
    QTest.keyClicks(field, "0: First")
    strike(field, Key.Key_Return)
    strike(field, Key.Key_Return)
    QTest.keyClicks(field, "zwei: Then")
    assert "ine 3, " in dialog.message.text()
    assert field.property("invalid")
    assert not dialog.export_button.isEnabled()
    strike(dialog, Key.Key_Escape)


def test_that_what_is_wrong_stands_in_the_dialog_before_the_button_can_be_pressed(wiring) -> None:
    dialog = ask(wiring)
    choose(dialog, "mp4")
    form = dialog.form
    own_size(dialog, 97, 64)
    assert "Use 98x64" in dialog.message.text()
    assert form.widget("width").property("invalid")
    assert not dialog.export_button.isEnabled()
    own_size(dialog, 98, 64)
    assert dialog.message.text() == ""
    assert dialog.export_button.isEnabled()
    for text, said in (("0", "more than 0"), ("2000", "at most 1000"), ("fast", "not known")):
        type_in(form.widget("fps").lineEdit(), text, Key.Key_Tab)
        assert said in dialog.message.text()
        assert not dialog.export_button.isEnabled()
    type_in(form.widget("fps").lineEdit(), "12,5", Key.Key_Tab)
    focus(form.widget("time"))
    strike(dialog, Key.Key_End)
    type_in(form.widget("start"), "0,5", Key.Key_Tab)
    type_in(form.widget("stop"), "500 ms", Key.Key_Tab)
    assert "after the start" in dialog.message.text()
    assert form.widget("stop").property("invalid")
    type_in(form.widget("stop"), "0.9", Key.Key_Tab)
    assert dialog.summary.text() == "5 frames, 0.4 s, 98 × 64"
    strike(dialog, Key.Key_Escape)
    assert not wiring.exports.is_running


def test_that_a_bundle_is_exported_dropped_and_opened_elsewhere(wiring, tmp_path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    dialog = ask(wiring)
    choose(dialog, "zip")
    assert dialog.summary.text() == "The scene and 0 files"
    with naming(there / "b.zip"):
        click(dialog.export_button)
    assert ended(wiring).startswith("Exported b.zip, ")
    assert drop_files(wiring, there / "b.zip")
    document = wiring.session.document
    assert document.path == there / "b" / "good.yaml"
    assert document.scene == load_scene(tmp_path / "good.yaml").scene
    wiring.open(tmp_path / "good.yaml")
    wiring.open(there / "b.zip")
    assert wiring.session.document.path == there / "b" / "good.yaml"
    (there / "b.zip").write_bytes(b"PK")
    assert drop_files(wiring, there / "b.zip")
    assert wiring.window.status.message.startswith("b.zip is not opened: it is no zip")


def test_that_a_table_is_said_to_hold_the_rows_that_it_holds(wiring, tmp_path) -> None:
    dialog = ask(wiring)
    choose(dialog, "csv")
    assert dialog.summary.text().startswith("31 rows, 1 s")
    with naming(tmp_path / "t.csv"):
        click(dialog.export_button)
    assert "t.csv" in ended(wiring)
    assert len((tmp_path / "t.csv").read_text().splitlines()) == 1 + 31


def test_that_a_still_picture_can_be_a_lecture(wiring, tmp_path) -> None:
    dialog = ask(wiring)
    choose(dialog, "still")
    own_size(dialog, 480, 270)
    focus(dialog.form.widget("layout"))
    strike(dialog, Key.Key_End)
    wait_for(lambda: dialog.preview.image is not None, FOR_S)
    asked = dialog.choice
    with naming(tmp_path / "lecture.png"):
        click(dialog.export_button)
    assert "lecture.png" in ended(wiring)
    scene = load_scene(tmp_path / "good.yaml").scene
    again = tmp_path / "again.png"
    write_picture(
        scene,
        compile_plan(scene),
        again,
        time=asked.moment,
        size=(480, 270),
        layout="lecture",
        frame=asked.frame or None,
    )
    with Image.open(tmp_path / "lecture.png") as made, Image.open(again) as wanted:
        assert np.abs(np.subtract(np.asarray(made).astype(int), np.asarray(wanted))).mean() < 1.0


def test_that_a_slow_film_with_a_caption_and_a_hold_is_made_from_the_window(wiring, tmp_path) -> None:
    dialog = ask(wiring)
    choose(dialog, "mp4")
    own_size(dialog, 160, 120)
    type_in(dialog.form.widget("fps").lineEdit(), "10", Key.Key_Tab)
    dialog.form.widget("time").setCurrentIndex(dialog.form.widget("time").count() - 1)
    type_in(dialog.form.widget("stop"), "0.2", Key.Key_Tab)
    type_in(dialog.form.widget("speed").lineEdit(), "0.1×", Key.Key_Tab)
    type_in(dialog.form.widget("hold"), "0.3", Key.Key_Tab)
    focus(dialog.form.widget("captions"))
    QTest.keyClicks(dialog.form.widget("captions"), "0.1: now")
    type_in(dialog.form.widget("license"), "CC0", Key.Key_Tab)
    assert dialog.summary.text() == "23 frames, 2.3 s, 160 × 120"
    with naming(tmp_path / "slow.mp4"):
        click(dialog.export_button)
    assert "slow.mp4" in ended(wiring)
    frames, said = ffmpeg_frames(tmp_path / "slow.mp4")
    assert len(frames) == 23
    assert "CC0" in said


def test_that_a_model_says_how_large_and_how_exact_it_is_before_it_is_written_and_after(wiring, tmp_path) -> None:
    dialog = ask(wiring)
    choose(dialog, "glb")
    wait_for(lambda: "places within" in dialog.summary.text(), FOR_S)
    size = dialog.summary.text().split(";")[0]
    assert size.endswith((" kB", " MB"))
    assert "turns are within 0.005°" in dialog.summary.text()
    assert dialog.left_out.text().startswith("Left out: names and letters")
    with naming(tmp_path / "out.glb"):
        click(dialog.export_button)
    said = ended(wiring)
    assert f"out.glb, {size}; between samples turns are within 0.005°" in said
    assert (tmp_path / "out.glb").exists()


def test_that_a_page_has_a_preview_while_a_frame_is_selected(wiring) -> None:
    wiring.session.select(("frames", "ring"))
    dialog = ask(wiring)
    drawn = []
    dialog.show_sketch = drawn.append
    dialog.show_no_sketch = drawn.append
    choose(dialog, "html")
    wait_for(lambda: drawn, FOR_S)
    assert isinstance(drawn[-1], QImage), drawn
