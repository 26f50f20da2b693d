"""The parts of the whole window by hand: timeline, inspector, outline, help, and the first start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QTabBar
from shiboken6 import isValid

from framescope.app import startup
from framescope.app.controllers import restart
from framescope.app.controllers.data_docks import NEEDS
from framescope.app.session.recovery import find_recoveries
from framescope.app.session.scene_lookup import find_scene
from framescope.app.storage.settings import Settings
from framescope.core.scene.schema.model import NO_ITEM
from framescope.features.lessons.app.lesson_entry import lesson_player
from framescope.features.table_import.ui.import_dialog import ImportDialog
from framescope.ui.dialogs.welcome import Doors
from framescope.ui.help.manual_viewer import ManualViewer
from framescope.ui.panels.inspector.editors.editor import Editor
from framescope.ui.window.places import PLACES
from tests.features.table_import.ui.test_importing import write_csv
from tests.support.grown_scenes import PLATE
from tests.support.hands import CTRL, LEFT, PLAIN, Key, focus, strike, type_in
from tests.support.whole_window import (
    ALT,
    answering,
    choose,
    click,
    click_item,
    from_menu,
    leave,
    name_file,
    strike_in,
    wait_for,
)

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def plate(open_window, tmp_path):
    path = tmp_path / "plate.yaml"
    path.write_text(PLATE)
    return open_window(path)


def menu_of(button) -> QMenu:
    click(button)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def pull(widget, start: QPoint, end: QPoint) -> None:
    QTest.mousePress(widget, LEFT, PLAIN, start)
    for share in (0.3, 0.7, 1.0):
        QTest.mouseMove(widget, start + (end - start) * share)
    QTest.mouseRelease(widget, LEFT, PLAIN, end)


# --- Timeline


def test_that_range_step_speed_and_loop_are_set_by_mouse_and_playing_keeps_to_them(plate) -> None:
    session, timeline = plate.session, plate.window.timeline
    track, y = timeline.track, 23
    start, end = session.playback.start, session.playback.end
    first, last = start + 0.4 * (end - start), start + 0.5 * (end - start)
    session.pause()
    pull(track, QPoint(round(track.x_of(start)) - 3, y), QPoint(round(track.x_of(first)), y))
    pull(track, QPoint(round(track.x_of(end)) + 3, y), QPoint(round(track.x_of(last)), y))
    per_pixel = 1.0 / (track.x_of(1.0) - track.x_of(0.0))
    assert session.playback.part == pytest.approx((first, last), abs=6 * per_pixel)
    first, last = session.playback.part

    QTest.mouseClick(track, LEFT, PLAIN, QPoint(round(track.x_of((first + last) / 2)), 18))
    before = session.playback.t
    choose(menu_of(timeline.menu_button), "Step", "10 ms")
    while QApplication.activePopupWidget() is not None:
        QApplication.activePopupWidget().close()
    click(timeline.step_forward_button)
    assert session.playback.t == pytest.approx(before + 0.01)
    click(timeline.step_back_button)
    assert session.playback.t == pytest.approx(before)
    click(timeline.end_button)
    assert session.playback.t == pytest.approx(end)

    focus(timeline.speed_choice)
    strike(timeline, Key.Key_End)
    assert session.playback.speed == 10.0
    if session.playback.is_looping:
        click(timeline.loop)
    assert not session.playback.is_looping
    click(timeline.play_button)
    wait_for(lambda: not session.playback.is_playing)
    assert session.playback.t == pytest.approx(last)
    click(timeline.loop)
    assert session.playback.is_looping
    choose(menu_of(timeline.menu_button), "Play everything")
    assert session.playback.part in (None, (start, end))
    assert not session.document.is_dirty


# --- Inspector


def editor_of(wiring, key: str):
    """Return the editor of a field of the page that is shown, from a fold where it is in one."""
    page = wiring.window.inspector.page
    for fold in (None, *page.folds.values()):
        if fold is not None:
            fold.set_open(True)
        editors = [editor for editor in page.findChildren(Editor) if editor.isVisible() and editor.path]
        found = [editor for editor in editors if editor.path[-1] == key]
        if found:
            QApplication.processEvents()
            return found[0]
    raise AssertionError(f"no field {key}")


# An item of each kind: the field that is changed, what is typed, and what the scene has then.
CHANGES = (
    (("frames", "plate"), "position", "0.25", lambda scene: scene.frames["plate"].position.value[0], 0.25),
    (("bodies", "slab"), "mass", "7 kg", lambda scene: scene.bodies["slab"].mass.value, 7.0),
    (("points", "A"), "offset", "0,31", lambda scene: scene.points["A"].offset.value[0], 0.31),
    (("elements", "spring A"), "damping", "9", lambda scene: scene.elements["spring A"].damping.value, 9.0),
    (("sensors", "gyro"), "frame_a", "arm", lambda scene: scene.sensors["gyro"].frame_a, "arm"),
    (("measured", "survey"), "of", "arm", lambda scene: scene.measured["survey"].of, "arm"),
    (NO_ITEM, "title", "Another title", lambda scene: scene.title, "Another title"),
)


def test_that_a_field_of_each_kind_of_item_is_changed_and_taken_back(open_window, tmp_path) -> None:
    path = tmp_path / "plate.yaml"
    path.write_text(PLATE.replace("end: 1 s", "end: 20 ms"))  # it is simulated anew after each change
    plate = open_window(path)
    session = plate.session
    before = session.document.scene
    for key, field, text, read, wanted in CHANGES:
        if key == NO_ITEM:
            session.select(key)
        else:
            click_item(plate, key)
        editor = editor_of(plate, field)
        line = editor if isinstance(editor, QLineEdit) else editor.findChildren(QLineEdit)[0]
        plate.window.inspector.page.ensureWidgetVisible(line)
        type_in(line, text)
        assert read(session.document.scene) == wanted, field
        strike_in(plate, Key.Key_Z, CTRL)
        assert session.document.scene is before, field


# --- Outline and help


def test_that_the_outline_is_searched_and_f1_opens_the_page_of_the_panel_in_focus(plate) -> None:
    window, outline = plate.window, plate.window.outline
    focus(outline.tree)
    strike(window, Key.Key_F, CTRL)
    assert outline.search.field.hasFocus()
    QTest.keyClicks(outline.search.field, "spring")
    model = outline.tree.model()
    shown = names_of(model)
    assert {"spring A", "spring B"} <= shown
    assert "ball" not in shown
    strike(window, Key.Key_Return)
    assert outline.tree.hasFocus()
    strike(window, Key.Key_Escape)
    assert not outline.search.isVisible()
    assert len(names_of(model)) > len(shown)

    timeline = window.timeline
    for widget, page in (
        (outline.tree, "Outline"),
        (timeline.field, "Timeline"),
        (window.inspector.orientation.rows[0].field, "Orientation panel"),
    ):
        plate.session.select(("frames", "plate"))
        focus(widget)
        strike_in(plate, Key.Key_F1)
        (manual,) = [each for each in QApplication.topLevelWidgets() if isinstance(each, ManualViewer)]
        wait_for(manual.isVisible)
        assert manual.target.endswith("#" + page.lower().replace(" ", "-"))
        manual.close()
        plate.window.activateWindow()
        wait_for(plate.window.isActiveWindow)


def names_of(model, parent=None) -> set[str]:
    found: set[str] = set()
    for i in range(model.rowCount() if parent is None else model.rowCount(parent)):
        index = model.index(i, 0) if parent is None else model.index(i, 0, parent)
        found |= {index.data()} | names_of(model, index)
    return found


# --- First start, and another size


def test_that_the_doors_lead_to_own_data_and_a_new_scene(open_window, tmp_path) -> None:
    wiring = open_window(find_scene("demo"))
    window, session = wiring.window, wiring.session
    assert Settings().is_first_start
    wiring.preferences.offer_first_steps()
    links = window.findChild(Doors)
    table = write_csv(tmp_path / "walk.csv")
    with answering(name_file(table)):
        click(links.buttons["open"])
    wait_for(lambda: any(each.isVisible() for each in window.findChildren(ImportDialog)))
    dialog = next(each for each in window.findChildren(ImportDialog) if each.isVisible())
    wait_for(dialog.import_button.isEnabled)
    with answering(name_file(tmp_path / "mine.yaml")):
        click(dialog.import_button)
        wait_for(lambda: session.document.path == tmp_path / "mine.yaml")
    wait_for(lambda: session.selection == ("frames", "walk"))
    assert not links.isVisible()
    forms = [getattr(frame.motion, "form", "") for frame in session.document.scene.frames.values()]
    assert forms == ["", "recorded"]  # in a scene of its own, not beside the rings of the example
    session.scrub(1.0)
    assert session.snapshot.is_posed.all()

    session.document.is_handed_back = True
    strike_in(wiring, Key.Key_N, CTRL)
    assert session.document.path is None


def test_that_another_size_is_a_new_start_that_brings_everything_back(
    open_window, tmp_path, monkeypatch, settings_of_its_own
) -> None:
    path = tmp_path / "plate.yaml"
    path.write_text(PLATE)
    wiring = open_window(path)
    window, session = wiring.window, wiring.session
    window.resize(1100, 700)
    strike_in(wiring, Key.Key_2, ALT)
    session.pause()
    session.scrub(0.4)
    selected = session.selection
    type_in(window.inspector.orientation.rows[1].field, "12")
    assert session.document.is_dirty
    edited = session.document.scene
    window.scene_view.camera.orbit(0.3, 0.1)
    camera = window.scene_view.camera.state
    undone = window.commands.undo.text()
    started = []

    def start(command, environment) -> None:
        note = Path(environment[restart.VARIABLE])
        (file,) = settings_of_its_own.rglob("framescope.ini")
        started.append((environment, file.read_text(), note.read_text()))
        note.unlink()  # as the new process does once it stands

    monkeypatch.setattr(restart, "start_process", start)
    for _ in range(2):  # two strokes are one new start, two sizes up
        strike_in(wiring, Key.Key_Plus, CTRL)
    assert Settings().font_scale == 1.25
    wait_for(lambda: not window.isVisible(), for_s=30.0)
    ((environment, settings, said),) = started
    assert "font-scale=1.25\n" in settings
    assert "QT_SCALE_FACTOR" not in environment
    assert path.read_text() == PLATE

    note = restart.RestartNote(tmp_path / "note.json")
    note.path.write_text(said)
    opening, then = startup.restore_window(note)
    again = opening.finish()
    try:
        then(again)
        again.window.show()
        assert again.session.document.scene == edited
        assert again.session.document.is_dirty
        assert again.session.document.path == path
        assert again.session.playback.t == 0.4
        assert not again.session.playback.is_playing
        assert again.session.selection == selected
        assert again.window.scene_view.camera.state == camera
        assert again.window.place == "Learn"
        assert (again.window.width(), again.window.height()) == (1100, 700)
        assert not note.path.exists()
        assert not find_recoveries()  # nothing is offered: it is here
        assert again.window.commands.undo.text() == undone
        strike_in(again, Key.Key_Z, CTRL)
        assert not again.session.document.is_dirty
        assert again.session.document.history.undo_label is None
    finally:
        leave(again)


def go_on(wiring, folder, monkeypatch, change=lambda note: note):
    """Choose a larger size, and return the window that continues from its note, in this process."""
    notes = []

    def start(_command, environment) -> None:
        note = Path(environment[restart.VARIABLE])
        notes.append(note.read_text())
        note.unlink()

    monkeypatch.setattr(restart, "start_process", start)
    strike_in(wiring, Key.Key_Plus, CTRL)
    wait_for(lambda: not wiring.window.isVisible(), for_s=30.0)
    note = restart.RestartNote(folder / "note.json")
    note.path.write_text(json.dumps(change(json.loads(notes[0]))))
    opening, then = startup.restore_window(note)
    again = opening.finish()
    then(again)
    again.window.show()
    return again


def test_that_every_step_can_be_undone_and_redone_in_another_size(open_window, tmp_path, monkeypatch) -> None:
    path = tmp_path / "plate.yaml"
    path.write_text(PLATE)
    wiring = open_window(path)
    scenes = [wiring.session.document.scene]
    for text in ("12", "24", "36"):
        type_in(wiring.window.inspector.orientation.rows[1].field, text)
        scenes.append(wiring.session.document.scene)
    strike_in(wiring, Key.Key_Z, CTRL)
    label = wiring.session.document.history.undo_label
    again = go_on(wiring, tmp_path, monkeypatch)
    try:
        session = again.session
        assert session.document.history.undo_label == label
        assert session.document.scene == scenes[2]
        again.window.commands.redo.trigger()
        assert session.document.scene == scenes[3]
        for scene in reversed(scenes[:3]):
            strike_in(again, Key.Key_Z, CTRL)
            assert session.document.scene == scene
        assert not session.document.is_dirty
        assert not again.window.commands.undo.isEnabled()
    finally:
        leave(again)


@pytest.mark.parametrize("record", [{}, None, [1], {"scenes": ["no scene"]}, "x" * 100])
def test_that_unsaved_work_survives_a_note_whose_history_is_broken(open_window, tmp_path, monkeypatch, record) -> None:
    path = tmp_path / "plate.yaml"
    path.write_text(PLATE)
    wiring = open_window(path)
    type_in(wiring.window.inspector.orientation.rows[1].field, "12")
    edited = wiring.session.document.scene
    again = go_on(wiring, tmp_path, monkeypatch, lambda note: note | {"document": record, "covers": {"lessons": 3}})
    try:
        assert again.session.document.scene == edited
        assert again.session.document.history.undo_label == restart.LABEL
        strike_in(again, Key.Key_Z, CTRL)
        assert not again.session.document.is_dirty
    finally:
        leave(again)


def test_that_all_selected_items_are_selected_in_another_size(open_window, tmp_path, monkeypatch) -> None:
    path = tmp_path / "plate.yaml"
    path.write_text(PLATE)
    wiring = open_window(path)
    keys = tuple(("frames", name) for name in wiring.session.document.scene.frames)[:2]
    wiring.session.select(keys[0])
    wiring.window.outline.select_again(keys)
    assert wiring.session.selected == keys
    again = go_on(wiring, tmp_path, monkeypatch)
    try:
        assert again.session.selected == keys
        assert set(again.window.outline.tree.selected_keys()) == {*keys}
    finally:
        leave(again)


def test_that_a_lesson_goes_on_at_its_step_in_another_size(open_window, tmp_path, monkeypatch) -> None:
    path = tmp_path / "plate.yaml"
    path.write_text(PLATE)
    wiring = open_window(path)
    player = lesson_player(wiring)
    player.open_by_name("gimbal-lock")
    wait_for(lambda: player.is_on)
    player.go(2)
    title = player.staging.step.title
    again = go_on(wiring, tmp_path, monkeypatch)
    try:
        player = lesson_player(again)
        wait_for(lambda: player.is_on)
        assert player.staging.step.title == title
        player.leave()
        assert again.session.document.path == path
    finally:
        leave(again)


def test_that_a_new_start_that_does_not_come_leaves_the_window(open_window, tmp_path, monkeypatch) -> None:
    path = tmp_path / "plate.yaml"
    path.write_text(PLATE)
    wiring = open_window(path)
    monkeypatch.setattr(restart, "PATIENCE_S", 0.1)
    monkeypatch.setattr(restart, "start_process", lambda _command, _environment: None)
    type_in(wiring.window.inspector.orientation.rows[1].field, "12")
    strike_in(wiring, Key.Key_Minus, CTRL)
    wait_for(lambda: "does not come" in wiring.window.status.message, for_s=30.0)
    assert wiring.window.isVisible()
    assert Settings().font_scale == 1.0
    assert wiring.session.document.is_dirty
    assert not list(tmp_path.rglob("new-start*"))


# --- The manual beside the scene


def test_that_the_manual_stands_beside_the_scene_and_goes_back_into_a_window(open_window) -> None:
    wiring = open_window(find_scene("aircraft"))
    window, habits = wiring.window, wiring.preferences
    window.resize(1280, 800)
    habits.show_manual("laboratory.md")
    manual = habits.manual_window
    wait_for(manual.isVisible)
    click(manual.move_button)
    assert not manual.isVisible()
    beside = habits.manual_beside
    wait_for(beside.isVisible, for_s=20.0)
    assert beside.window() is window
    assert beside.target == "laboratory.md"
    assert beside.width() >= 320
    assert not beside.contents.isVisible()

    # The page is read, and a scene looked at, at the same time.
    assert window.scene_view.isVisible()
    assert window.scene_view.width() > 400
    click(beside.unfold)
    assert beside.contents.isVisible()
    focus(beside.browser)
    strike(window, Key.Key_Escape)
    assert not beside.contents.isVisible()
    type_in(beside.search, "cover of the rotations")
    assert beside.target == "conventions.md#quaternions"
    strike(window, Key.Key_Escape)
    assert beside.search.text() == ""
    assert beside.isVisible()

    # Escape elsewhere is not the manual's; F1 shows its page here.
    focus(window.outline.tree)
    strike_in(wiring, Key.Key_F1)
    assert beside.target == "window.md#outline"
    assert not manual.isVisible()
    click(beside.move_button)
    wait_for(manual.isVisible)
    assert manual.target == "window.md#outline"
    assert not window.has_dock("manual")


def test_that_the_manual_beside_the_scene_stays_when_another_layout_is_taken(open_window) -> None:
    wiring = open_window(find_scene("aircraft"))
    window = wiring.window
    window.resize(1280, 800)
    from_menu(wiring, "Window", "Manual beside the scene")
    wait_for(lambda: wiring.preferences.manual_beside is not None, for_s=20.0)
    beside = wiring.preferences.manual_beside
    for key in (Key.Key_2, Key.Key_3, Key.Key_1, Key.Key_2):
        strike_in(wiring, key, ALT)
        wait_for(lambda: not beside.visibleRegion().isEmpty())
        assert beside.width() >= 320
    assert window.place == "Learn"
    assert not window.has_dock("readouts")
    window.hide_dock("manual")
    for key in (Key.Key_3, Key.Key_2):
        strike_in(wiring, key, ALT)
        assert not window.has_dock("manual")


def test_that_the_manual_opens_where_it_was_last(open_window) -> None:
    wiring = open_window(find_scene("aircraft"))
    from_menu(wiring, "Window", "Manual beside the scene")
    wait_for(lambda: wiring.preferences.manual_beside is not None, for_s=20.0)
    wiring.window.hide_dock("manual")
    wiring.window.close()
    again = open_window(find_scene("aircraft"))
    assert not again.window.has_dock("manual")
    again.preferences.show_manual("laboratory.md")
    beside = again.preferences.manual_beside
    wait_for(beside.isVisible, for_s=20.0)
    assert beside.target == "laboratory.md"
    click(beside.move_button)
    wait_for(again.preferences.manual_window.isVisible)
    again.preferences.manual_window.close()
    again.preferences.show_manual("shift.md")
    wait_for(again.preferences.manual_window.isVisible)
    assert not again.window.has_dock("manual")


def test_that_a_window_that_comes_up_again_while_it_goes_lets_go_of_its_manual_once(open_window) -> None:
    wiring = open_window(find_scene("aircraft"))
    wiring.preferences.show_manual("laboratory.md")
    manual = wiring.preferences.manual_window
    assert manual is not None
    assert wiring.window.close()
    wait_for(lambda: not isValid(manual))
    wiring.window.showFullScreen()  # as an order that was on its way does
    assert wiring.window.close()


def test_that_the_manual_beside_the_scene_is_there_at_the_next_start(open_window) -> None:
    wiring = open_window(find_scene("aircraft"))
    from_menu(wiring, "Window", "Manual beside the scene")
    wait_for(lambda: wiring.preferences.manual_beside is not None, for_s=20.0)
    wiring.window.close()
    again = open_window(find_scene("aircraft"))
    assert again.window.has_dock("manual")
    again.preferences.show_manual("laboratory.md")
    beside = again.preferences.manual_beside
    wait_for(beside.isVisible, for_s=20.0)
    assert beside.target == "laboratory.md"
    beside.browser.anchorClicked.emit(QUrl("scene:gimbal-lock"))
    wait_for(lambda: again.session.document.name == "gimbal-lock.yaml")


def test_that_no_tabs_of_another_place_stay(open_window) -> None:
    window = open_window(find_scene("demo")).window

    def bars() -> list[QTabBar]:
        """Return the tab bars that are seen in the window."""
        there = (bar for bar in window.findChildren(QTabBar) if bar.parent() is window and bar.isVisible())
        return [bar for bar in there if window.rect().intersects(bar.geometry())]

    for place in ("Check", "Build", "Check", "Learn", "Build", "Check"):
        window.set_place(place)
        wait_for(lambda place=place: len(bars()) == (place == "Check"))
    for is_reset in (False, True):
        if is_reset:
            window.reset_layout()
        wait_for(lambda: len(bars()) == 1)
        (bar,) = bars()
        for i in (0, 1):
            click(bar, bar.tabRect(i).center())
            panel = window.docks[("inspector", "relation")[i]]
            wait_for(lambda panel=panel: not panel.visibleRegion().isEmpty())


def test_that_a_reset_shows_no_panel_whose_data_the_scene_lacks(open_window) -> None:
    wiring = open_window(find_scene("aircraft"))
    window = wiring.window
    lacking = [name for name, has_data in NEEDS.items() if not has_data(wiring.session.document.scene)]
    assert "film" in lacking
    for place in PLACES:
        window.set_place(place)
        window.reset_layout()
        assert [name for name in lacking if window.has_dock(name) and window.docks[name].isVisible()] == []
