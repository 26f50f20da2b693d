"""The film panel by mouse and keyboard in the whole window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu

from framescope.app.controllers.exports.export_dialog_controller import ExportDialogController
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.features.films.app.film_desk import FilmDesk
from framescope.features.films.ui.film_panel import FilmPanel
from framescope.features.films.ui.shot_form import ShotForm
from framescope.ui.dialogs.export.dialog import ExportDialog
from framescope.ui.panels.inspector.editors.editor import Editor
from framescope.ui.timeline.track import MARKER_Y, TRACK_Y
from tests.support.hands import Key, focus, strike, type_in
from tests.support.hostile_texts import TEXT
from tests.support.whole_window import ALT, click, entry, from_menu, strike_in, wait_for, window_menu, windows

CONTROL = Qt.KeyboardModifier.ControlModifier

SCENE = """\
framescope: 1
title: spinner
time: {end: 4 s}
frames:
  arm:
    parent: world
    orientation: {form: axes, sequence: XYZ, angles: ["40*t", 0, 0], unit: deg}
bodies:
  arm: {frame: arm, mass: 1 kg, shape: {form: box, size: [0.4, 0.2, 0.1], unit: m}}
"""

FILM = """\
film:
  two:
    shots:
      - {title: First, start: 0 s, end: 1 s, duration: 2 s, camera: {form: orbit, angle: 90 deg}}
      - {title: Second, start: 2 s, duration: 1 s, camera: {form: pose, position: [3, 0, 1], focal_point: [0, 0, 0],
         unit: m}}
      - {title: Third, start: 3 s, duration: 1 s}
"""


class Studio:
    """A window with the panels of the film."""

    def __init__(self, wiring) -> None:
        self.wiring, self.window, self.session = wiring, wiring.window, wiring.session
        self.desk = self.window.findChild(FilmDesk)

    def wait_for_panels(self) -> None:
        wait_for(lambda: {"film", "shot"} <= set(self.window.instruments))

    @property
    def panel(self) -> FilmPanel:
        return self.window.instruments["film"]

    @property
    def form(self) -> ShotForm:
        return self.window.instruments["shot"]

    @property
    def titles(self) -> list[str]:
        (film,) = self.session.document.scene.film.values()
        return [shot.title for shot in film.shots]

    def editor(self, key: str) -> Editor:
        return self.form.shot.editors[key]

    def type(self, key: str, text: str) -> None:
        field = self.editor(key).findChild(QLineEdit)
        self.form.area.ensureWidgetVisible(field)
        type_in(field, text)


@pytest.fixture
def studio_of(qtbot, dark, tmp_path):
    with windows(qtbot) as open_it:

        def open_scene(text: str) -> Studio:
            path = Path(tmp_path) / "spinner.yaml"
            path.write_text(text, encoding="utf-8")
            wiring = open_it(path)
            wait_for(lambda: wiring.window.is_furnished)
            wiring.window.resize(1280, 800)
            return Studio(wiring)

        yield open_scene


def shown(studio: Studio) -> Studio:
    studio.window.show_dock("film")
    studio.window.show_dock("shot")
    studio.wait_for_panels()
    studio.window.show_dock("film")
    return studio


def test_that_a_film_of_two_shots_is_made_by_hand_and_undone(studio_of) -> None:
    studio = studio_of(SCENE)
    assert not studio.window.has_dock("film")
    from_menu(studio.wiring, "Insert", "Film")
    studio.wait_for_panels()
    assert studio.titles == [""]
    studio.type("title", "Begin")
    click(studio.panel.add)
    assert studio.desk.k == 1
    studio.type("title", "End")
    assert studio.titles == ["Begin", "End"]
    strip = studio.panel.strip
    focus(strip)
    strike(strip, Key.Key_Left, ALT)
    assert studio.titles == ["End", "Begin"]
    assert studio.desk.k == 0
    strike_in(studio.wiring, Key.Key_Z, CONTROL)
    assert studio.titles == ["Begin", "End"]
    while studio.session.document.scene.film:
        strike_in(studio.wiring, Key.Key_Z, CONTROL)
    assert not studio.window.has_dock("film")
    assert not studio.window.has_dock("shot")


def test_that_a_shot_is_dragged_duplicated_and_deleted(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    strip = studio.panel.strip
    wait_for(lambda: strip.isVisible() and strip.visualItemRect(strip.item(1)).right() < strip.viewport().width())
    start, over = (strip.visualItemRect(strip.item(i)).center() for i in (0, 1))
    QTest.mousePress(strip.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 9):
        QTest.mouseMove(strip.viewport(), start + (over + QPoint(30, 0) - start) * step / 8)
    QTest.mouseRelease(strip.viewport(), Qt.MouseButton.LeftButton, pos=over + QPoint(30, 0))
    assert studio.titles == ["Second", "First", "Third"]
    assert studio.desk.k == 1
    focus(strip)
    strike(strip, Key.Key_D, CONTROL)
    assert studio.titles == ["Second", "First", "First", "Third"]
    strike(strip, Key.Key_Delete)
    assert studio.titles == ["Second", "First", "Third"]
    QTest.mousePress(strip.viewport(), Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(strip.viewport(), over + QPoint(30, 0))
    strike(strip, Key.Key_Escape)
    QTest.mouseRelease(strip.viewport(), Qt.MouseButton.LeftButton, pos=over + QPoint(30, 0))
    assert studio.titles == ["Second", "First", "Third"]


def test_that_scrubbing_and_playing_show_time_and_camera_in_the_scene(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    camera, track = studio.window.scene_view.camera, studio.panel.track
    focus(track)
    for _ in range(2):
        strike(track, Key.Key_PageUp)
    assert studio.desk.t == pytest.approx(2.0)
    assert studio.desk.k == 1
    assert studio.session.playback.t == pytest.approx(2.0)
    assert camera.state.position == pytest.approx((3.0, 0.0, 1.0))
    click(studio.panel.play)
    wait_for(lambda: studio.desk.k == 2)
    assert studio.session.playback.t == pytest.approx(3.0)
    click(studio.panel.play)
    assert not studio.desk.is_playing
    wait_for(lambda: studio.panel.picture.image is not None)
    stills = Qt.ItemDataRole.UserRole
    wait_for(lambda: all(studio.panel.strip.item(k).data(stills) is not None for k in range(3)))


def test_that_pictures_are_drawn_as_soon_as_the_panel_is_seen(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    wait_for(lambda: studio.panel.picture.image is not None)
    studio.window.hide_dock("film")
    studio.type("title", "Other")
    studio.window.show_dock("film")
    stills = Qt.ItemDataRole.UserRole
    wait_for(lambda: all(studio.panel.strip.item(k).data(stills) is not None for k in range(3)))


def test_that_a_fault_shows_at_its_field_and_at_its_card(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    studio.type("speed", "2")
    assert "duration" in studio.editor("speed").message or "duration" in studio.editor("duration").message
    assert studio.panel.strip.item(0).data(Qt.ItemDataRole.UserRole + 1).is_faulty
    strike_in(studio.wiring, Key.Key_Z, CONTROL)
    assert not studio.editor("speed").message
    assert not studio.panel.strip.item(0).data(Qt.ItemDataRole.UserRole + 1).is_faulty


def test_that_the_camera_of_a_shot_becomes_that_of_the_view(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    view = studio.window.scene_view
    view.camera.look_from("top")
    click(studio.form.take)
    camera = studio.session.document.scene.film["two"].shots[0].camera
    assert camera.form == "orbit"
    assert camera.pose.position == pytest.approx(view.camera.state.position, abs=1e-3)
    strike_in(studio.wiring, Key.Key_Z, CONTROL)
    assert studio.session.document.scene.film["two"].shots[0].camera.pose is None


def test_that_every_form_of_camera_and_every_part_can_be_added(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    editor = studio.editor("camera")
    for form in ("scene", "pose", "path", "orbit", "follow", "dolly"):
        editor.combo.chosen.emit(form)
        assert studio.session.document.scene.film["two"].shots[0].camera.form == form
    box = editor.form.editors["to"].box
    assert box.placeholderText() == "one per line"
    studio.form.area.ensureWidgetVisible(box)
    focus(box)
    box.setPlainText("arm\nworld")
    box.finished.emit()
    assert studio.session.document.scene.film["two"].shots[0].camera.to == ("arm", "world")
    assert studio.window.status.message.startswith("Set approaches of shot 1 to arm, world")
    for key in ("items", "insets", "texts"):
        studio.editor(key).add.click()
        assert len(getattr(studio.session.document.scene.film["two"].shots[0], key)) == 1, key
    for key, form in (("staged", ""), ("transition", "fade")):
        studio.editor(key).combo.chosen.emit(form)
        assert getattr(studio.session.document.scene.film["two"].shots[0], key) is not None


def test_that_a_shot_after_the_end_of_the_scene_begins_again(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))  # the last shot rests at 3 s, and the scene ends at 4 s
    studio.desk.k = 2
    for _ in range(2):
        studio.desk.add()
    rest, again = studio.session.document.scene.film["two"].shots[3:]
    assert (rest.start, rest.duration.value) == (None, pytest.approx(1.0))
    assert (again.start.value, again.duration.value) == (0.0, 0.5)
    assert studio.desk.problems == ()


def test_that_the_menu_shows_a_film_that_the_scene_has(studio_of) -> None:
    studio = studio_of(SCENE + FILM)
    film = studio.session.document.scene.film
    for dock in ("film", "shot"):
        studio.window.hide_dock(dock)
    from_menu(studio.wiring, "Insert", "Show the film")
    studio.wait_for_panels()
    assert studio.window.has_dock("film")
    assert studio.session.document.scene.film is film


def test_that_the_menu_adds_a_film_again_after_undo(studio_of) -> None:
    studio = studio_of(SCENE)
    from_menu(studio.wiring, "Insert", "Film")
    entry(window_menu(studio.wiring, "Insert"), "Show the film")
    strike(QApplication.activePopupWidget(), Key.Key_Escape)
    studio.session.undo()
    from_menu(studio.wiring, "Insert", "Film")
    assert len(studio.session.document.scene.film) == 1


def test_that_the_name_of_a_chapter_differs_from_the_titles_in_the_picture(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    labels = {label.text() for label in studio.form.shot.findChildren(QLabel)}
    assert {"chapter", "titles and texts"} <= labels
    assert "title" not in labels
    assert "chapter list of a player" in studio.editor("title").findChild(QLineEdit).toolTip()
    studio.type("title", "Begin")
    assert studio.window.status.message.startswith("Set chapter of shot 1 to Begin")


def test_that_a_title_with_a_second_line_is_made_without_the_file(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    editor = studio.editor("texts")
    editor.add.click()
    assert editor.rows.index(0).data() == "Text   text"
    kinds = [data for _, data in editor.kind.choices]
    assert kinds == ["title", "lower third", "caption", "text", "formula"]
    assert editor.kind.data == "text"
    line = editor.form.editors["below"].findChild(QLineEdit)
    studio.form.area.ensureWidgetVisible(line)
    type_in(line, "of three rings")
    wait_for(lambda: "a text has no second line" in editor.message)
    studio.form.area.ensureWidgetVisible(editor.kind)
    focus(editor.kind)
    strike(editor.kind, Key.Key_Home)
    text = studio.session.document.scene.film["two"].shots[0].texts[0]
    assert (text.form, text.below) == ("title", "of three rings")
    wait_for(lambda: not editor.message)
    assert "to title" in studio.window.status.message
    assert editor.rows.index(0).data() == "Text   title   of three rings"
    line = editor.form.editors["start"].findChild(QLineEdit)
    studio.form.area.ensureWidgetVisible(line)
    type_in(line, "0.5 s")
    assert studio.window.status.message.startswith("Set start of text 1 of shot 1 to 0.5 s")
    strike_in(studio.wiring, Key.Key_Z, CONTROL)
    strike_in(studio.wiring, Key.Key_Z, CONTROL)
    assert studio.session.document.scene.film["two"].shots[0].texts[0].form == "text"
    assert editor.kind.data == "text"


def test_that_hostile_texts_stay_texts(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    title = " ".join(TEXT.split()).replace("\x1b", "").replace("\x9b", "")[:80]
    studio.type("title", title)
    QApplication.processEvents()
    assert studio.titles[0] == title
    assert title[:20] in studio.form.title.text()
    assert studio.form.title.textFormat() == Qt.TextFormat.PlainText
    tip = studio.panel.strip.item(0).toolTip()
    assert "&lt;/script" in tip or not GuiQt.mightBeRichText(tip)


def test_that_the_film_is_chosen_in_the_export_dialog_and_exported(studio_of, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    studio = shown(studio_of(SCENE + FILM.replace("  two:\n", "  two:\n    size: [160, 90]\n    fps: 10\n")))
    click(studio.panel.export)
    wait_for(lambda: studio.window.findChild(ExportDialog) is not None)
    dialog = studio.window.findChild(ExportDialog)
    film = dialog.form.widget("film")
    assert film.isVisible()
    assert film.currentData() == "two"
    choice = dialog.choice
    assert (choice.film, choice.size, choice.fps) == ("two", (160, 90), 10.0)
    assert not dialog.form.widget("speed").isVisible()
    wait_for(dialog.export_button.isEnabled)
    wait_for(lambda: dialog.preview.image is not None)
    assert dialog.preview.image.width() / dialog.preview.image.height() == pytest.approx(16 / 9, rel=0.01)
    wait_for(lambda: "to draw" in dialog.summary.text())
    assert dialog.summary.text().startswith("40 frames, 40 to draw, 4 s")
    path = tmp_path / "two.mp4"
    monkeypatch.setattr(ExportDialogController, "ask_file", lambda _self, _offer: path)
    click(dialog.export_button)
    wait_for(lambda: not studio.wiring.exports.is_running and path.is_file(), 60.0)
    assert path.stat().st_size > 1000
    wait_for(lambda: "all kept from an earlier export" in studio.panel.facts.text())
    studio.desk.select(2)
    studio.type("duration", "2")
    wait_for(lambda: "50 frames · 20 to draw" in studio.panel.facts.text())


def test_that_a_scene_without_films_has_no_field_for_them(studio_of) -> None:
    studio = studio_of(SCENE)
    strike_in(studio.wiring, Key.Key_E, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    wait_for(lambda: studio.window.findChild(ExportDialog) is not None)
    dialog = studio.window.findChild(ExportDialog)
    assert not dialog.form.widget("film").isVisible()
    dialog.reject()


def scrub(studio: Studio, pages: int = 2) -> None:
    track = studio.panel.track
    focus(track)
    for _ in range(pages):
        strike(track, Key.Key_PageUp)


def test_that_the_viewpoint_from_before_returns_when_the_film_is_left(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    camera = studio.window.scene_view.camera
    camera.look_from("top")
    before = camera.state
    scrub(studio)
    assert camera.state != before
    camera.orbit(0.3, 0.1)
    studio.window.docks["film"].close()
    assert camera.state == before
    assert not studio.desk.is_playing
    shown(studio)
    scrub(studio)
    click(studio.panel.play)
    assert camera.state != before
    strike(studio.panel.track, Key.Key_Escape)
    assert camera.state == before
    assert not studio.desk.is_playing
    assert studio.window.has_dock("film")


def test_that_full_screen_keeps_the_camera_of_the_film(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    camera = studio.window.scene_view.camera
    camera.look_from("top")
    own = camera.state
    scrub(studio)
    of_film = camera.state
    assert of_film != own
    for is_full in (True, False):
        strike(studio.window, Key.Key_F11)
        wait_for(lambda is_full=is_full: studio.window.is_presenting == is_full)
        QTest.qWait(100)
        assert camera.state.position == pytest.approx(of_film.position)
        assert camera.state.focal_point == pytest.approx(of_film.focal_point)
    studio.window.docks["film"].close()
    assert camera.state == own


def test_that_undoing_the_film_returns_the_viewpoint(studio_of) -> None:
    studio = studio_of(SCENE)
    from_menu(studio.wiring, "Insert", "Film")
    studio.wait_for_panels()
    camera = studio.window.scene_view.camera
    camera.look_from("front")
    before = camera.state
    scrub(studio)
    assert camera.state != before
    strike_in(studio.wiring, Key.Key_Z, CONTROL)
    assert camera.state == before


def test_that_another_scene_has_its_own_viewpoint_after_a_film(studio_of, tmp_path) -> None:
    studio = shown(studio_of(SCENE + FILM))
    camera = studio.window.scene_view.camera
    scrub(studio)
    other = tmp_path / "other.yaml"
    look = "view: {camera: {position: [9, 0, 1], focal_point: [0, 0, 0], unit: m}}\n"
    other.write_text(SCENE + FILM + look, encoding="utf-8")
    studio.wiring.files.open(other)
    wait_for(lambda: studio.session.document.path == other)
    assert camera.state.position == pytest.approx((9.0, 0.0, 1.0))
    scrub(studio)
    assert camera.state.position == pytest.approx((3.0, 0.0, 1.0))
    studio.window.docks["film"].close()
    assert camera.state.position == pytest.approx((9.0, 0.0, 1.0))


PATH = """\
      - {title: Path, start: 0 s, end: 1 s, duration: 4 s, camera: {form: path, unit: m, keys: [
         {time: 0 s, position: [3, 0, 1], focal_point: [0, 0, 0]},
         {time: 2 s, position: [0, 3, 1], focal_point: [0, 0, 0]}]}}
"""


def keys_of(studio: Studio, k: int) -> list[tuple[str, str]]:
    camera = studio.session.document.scene.film["two"].shots[k].camera
    return [(str(key.time), key.easing) for key in camera.keys]


def menu_of(track, x: float, y: float) -> dict[str, QAction]:
    place = QPoint(round(x), round(y))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, track.mapToGlobal(place))
    QApplication.sendEvent(track, event)
    menu = track.findChildren(QMenu)[-1]
    return {action.text().split("\t")[0]: action for action in menu.actions() if action.text()}


def test_that_camera_keys_are_dragged_on_the_clock_of_the_film(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM + PATH))
    track = studio.panel.track
    wait_for(lambda: track.isVisible() and track.width() > 300)
    assert [(marker.t, marker.kind) for marker in track.markers] == [(4.0, "camera key"), (6.0, "camera key")]
    y = round(MARKER_Y)
    start, end = (QPoint(round(track.x_of(t)), y) for t in (6.0, 7.0))
    QTest.mousePress(track, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 5):
        QTest.mouseMove(track, start + (end - start) * step / 4)
    assert studio.session.is_previewing
    QTest.mouseRelease(track, Qt.MouseButton.LeftButton, pos=end)
    moved = keys_of(studio, 3)[1][0]
    assert float(moved.split()[0]) == pytest.approx(3.0, abs=0.1)
    strike_in(studio.wiring, Key.Key_Z, CONTROL)
    assert keys_of(studio, 3)[1][0] == "2 s"
    QTest.mousePress(track, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(track, QPoint(round(track.x_of(5.0)), y))
    strike(track, Key.Key_Escape)
    QTest.mouseRelease(track, Qt.MouseButton.LeftButton, pos=start)
    assert keys_of(studio, 3)[1][0] == "2 s"


def test_that_the_menu_of_the_clock_adds_eases_and_deletes_camera_keys(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM + PATH))
    track, camera = studio.panel.track, studio.window.scene_view.camera
    wait_for(lambda: track.isVisible() and track.width() > 300)
    actions = menu_of(track, track.x_of(4.0), MARKER_Y)
    assert actions["Ease in and out"].isChecked()
    actions["Linear"].trigger()
    assert keys_of(studio, 3) == [("0 s", "linear"), ("2 s", "ease in and out")]
    studio.desk.go(5.0)
    camera.look_from("top")
    seen = camera.state
    menu_of(track, track.x_of(3.2), TRACK_Y)["Add a camera key at 0:05.0 from this view"].trigger()
    assert [time for time, _ in keys_of(studio, 3)] == ["0 s", "1 s", "2 s"]
    assert camera.state.position == pytest.approx(seen.position, abs=1e-3)
    menu_of(track, track.x_of(5.0), MARKER_Y)["Delete this key"].trigger()
    assert [time for time, _ in keys_of(studio, 3)] == ["0 s", "2 s"]
    for title, is_possible in (("First", False), ("Second", True)):
        studio.desk.select(studio.titles.index(title))
        assert next(iter(menu_of(track, track.x_of(3.2), TRACK_Y).values())).isEnabled() == is_possible


def test_that_a_camera_at_rest_begins_to_move_with_its_first_key(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    track, camera = studio.panel.track, studio.window.scene_view.camera
    studio.desk.go(2.5)
    camera.orbit(0.5, 0.2)
    seen = camera.state
    menu_of(track, 5, TRACK_Y)["Add a camera key at 0:02.5 from this view"].trigger()
    assert [time for time, _ in keys_of(studio, 1)] == ["0 s", "0.5 s"]
    first, second = studio.session.document.scene.film["two"].shots[1].camera.keys
    assert first.position == (3.0, 0.0, 1.0)
    assert second.position == pytest.approx(seen.position, abs=1e-3)
    QApplication.activePopupWidget().close()
    strike_in(studio.wiring, Key.Key_Z, CONTROL)
    assert studio.session.document.scene.film["two"].shots[1].camera.form == "pose"


LOOKS = """\
film:
  two:
    shots:
      - {duration: 4 s, items: [{look: hidden, bodies: [arm], start: 1 s, end: 2 s, fade: 0 s},
         {look: lit, frames: [arm], parts: [z], start: 3 s, fade: 0 s}]}
"""


def test_that_the_scene_shows_hidden_and_lit_items_of_the_present_moment(studio_of) -> None:
    studio = shown(studio_of(SCENE + LOOKS))
    view = studio.window.scene_view

    def body_is_drawn() -> bool:
        return "arm" in [body.name for body in view.renderer.tick.plan.view_data.bodies]

    studio.desk.go(0.5)
    assert body_is_drawn()
    studio.desk.go(1.5)
    assert not body_is_drawn()
    studio.type("title", "Edited")
    assert studio.titles == ["Edited"]
    assert not body_is_drawn()
    studio.desk.go(3.5)
    assert body_is_drawn()
    assert view.lit == "z of arm"
    studio.desk.go(1.5)
    assert view.lit == ""
    studio.window.hide_dock("film")
    assert body_is_drawn()
    assert studio.session.document.scene.view.hidden.bodies == ()


def test_that_the_shape_of_the_film_is_chosen_from_a_menu(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    aspect = studio.panel.aspect

    def size() -> tuple[int, int] | None:
        return studio.session.document.scene.film["two"].size

    assert aspect.currentText() == "16:9"
    for key, text, expected in ((Key.Key_Down, "9:16", (1080, 1920)), (Key.Key_Down, "1:1", (1080, 1080))):
        focus(aspect)
        strike(aspect, key)
        assert (aspect.currentText(), size()) == (text, expected)
    wait_for(lambda: studio.panel.picture.image is not None)
    wait_for(lambda: studio.panel.picture.image.width() == studio.panel.picture.image.height())
    strike_in(studio.wiring, Key.Key_Z, CONTROL)
    strike_in(studio.wiring, Key.Key_Z, CONTROL)
    assert (aspect.currentText(), size()) == ("16:9", None)
    film = studio.session.document.scene.film["two"].model_copy(update={"size": (700, 300)})
    studio.session.commit(Edit("Sized", lambda scene: scene.model_copy(update={"film": scene.film | {"two": film}})))
    assert aspect.currentText() == "700 × 300"


def test_that_a_gesture_beside_the_film_leaves_its_panels_and_its_camera_alone(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    studio.desk.go(1.0)
    camera, changes = studio.window.scene_view.camera, []
    before = camera.state
    studio.desk.changed.connect(lambda: changes.append(True))

    def turned(angle: float) -> Edit:
        def apply(scene):
            arm = scene.frames["arm"]
            orientation = arm.orientation.model_copy(update={"angles": (angle, 0, 0)})
            return set_frame(scene, "arm", orientation=orientation)

        return Edit("Turned", apply)

    for angle in range(5):
        studio.session.preview(turned(angle))
    assert changes == []
    assert camera.state == before
    studio.session.commit(turned(5.0))
    assert changes
    strike_in(studio.wiring, Key.Key_Z, CONTROL)
    assert camera.state == before


FOLLOWED = """\
film:
  two:
    shots:
      - {duration: 2 s, camera: {form: follow, frame: arm}, insets: [{panel: gimbal, of: arm}],
         items: [{look: lit, frames: [arm], parts: [z]}, {look: hidden, bodies: [arm]}]}
      - {duration: 2 s, camera: {form: pose, position: [3, 0, 1], focal_point: [0, 0, 0], unit: m}}
"""


def test_that_a_followed_frame_can_be_deleted_while_its_shot_is_shown_and_comes_back(studio_of) -> None:
    studio = shown(studio_of(SCENE + FOLLOWED))
    studio.desk.go(1.0)
    studio.session.select(("frames", "arm"))
    studio.window.outline.actions_of_items.by_name["delete"].trigger()
    assert "arm" not in studio.session.document.scene.frames
    shot = studio.session.document.scene.film["two"].shots[0]
    assert shot.insets == ()
    assert studio.panel.strip.item(0).data(Qt.ItemDataRole.UserRole + 1).is_faulty
    studio.desk.go(1.5)
    wait_for(lambda: studio.panel.picture.image is not None)
    strike_in(studio.wiring, Key.Key_Z, CONTROL)
    assert studio.session.document.scene.film["two"].shots[0].insets[0].of == "arm"
    assert not studio.panel.strip.item(0).data(Qt.ItemDataRole.UserRole + 1).is_faulty


def test_that_closing_the_panel_during_a_drag_of_a_camera_key_ends_the_drag(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM + PATH))
    camera, track = studio.window.scene_view.camera, studio.panel.track
    wait_for(lambda: track.isVisible() and track.width() > 300)
    before = camera.state
    studio.desk.go(6.0)
    start = QPoint(round(track.x_of(6.0)), round(MARKER_Y))
    QTest.mousePress(track, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(track, start + QPoint(40, 0))
    assert studio.session.is_previewing
    studio.window.hide_dock("film")
    assert not studio.session.is_previewing
    assert keys_of(studio, 3)[1][0] == "2 s"
    assert camera.state == before


def test_that_a_film_of_a_hundred_shots_is_shown_and_scrubbed(studio_of) -> None:
    shots = "".join(
        f"      - {{title: Shot {i}, start: 0 s, duration: 1 s, camera: {{form: orbit, blend: 0.5 s}}}}\n"
        for i in range(100)
    )
    studio = shown(studio_of(SCENE + "film:\n  two:\n    shots:\n" + shots))
    assert studio.panel.strip.count() == 100
    focus(studio.panel.track)
    strike(studio.panel.track, Key.Key_End)
    assert studio.desk.k == 99
    strike(studio.panel.track, Key.Key_Home)
    assert studio.desk.k == 0
    studio.desk.delete(0)
    assert len(studio.titles) == 99
    strike_in(studio.wiring, Key.Key_Z, CONTROL)
    assert studio.titles[0] == "Shot 0"


def test_that_the_window_closes_while_the_film_plays(studio_of) -> None:
    studio = shown(studio_of(SCENE + FILM))
    click(studio.panel.play)
    wait_for(lambda: studio.desk.t > 0.1)
    assert studio.desk.is_playing
    studio.session.document.is_handed_back = True
    studio.window.close()
    assert not studio.desk.is_playing
