"""The dialog of the settings by mouse and keys, and what each setting changes in the window."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from framescope.app import startup
from framescope.app.controllers import restart
from framescope.app.controllers.exports.export_dialog_controller import first_choice, first_values
from framescope.app.controllers.setting_rows import ROWS, values_of
from framescope.app.exporters.formats import offers
from framescope.app.session.scene_lookup import example_path
from framescope.app.storage.settings import Settings
from framescope.app.storage.settings_store import wait_until_written
from framescope.core.scene.schema.view import PlottedSignal
from framescope.features.quaternions.ui.quaternion_panel import QuaternionPanel
from framescope.ui.dialogs.export.choice import ExportChoice
from framescope.ui.dialogs.export.dialog import ExportDialog
from framescope.ui.dialogs.settings.settings_dialog import SettingsDialog
from framescope.ui.help.shortcut_sheet import ShortcutSheet
from framescope.ui.panels.relation.relation_panel import RelationPanel
from framescope.ui.qt_support.tab_stops import tab_stops
from framescope.ui.scene_view.interaction.navigation import MIDDLE, PLAIN, PRESETS
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK, LIGHT
from tests.support.hands import CTRL, Key, strike, wheel
from tests.support.whole_window import click_item, from_menu, leave, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")

BARE = """
framescope: 1
time: {end: 10 s}
frames:
  arm: {parent: world, orientation: {form: axes, sequence: ZXZ, angles: [10, 20, 30], unit: deg}}
  given: {parent: world, orientation: {form: quaternion, value: [0, 0.6, 0, 0.8], order: xyzw}}
  bare: {parent: world, position: {value: [0.5, 0, 0], unit: m}}
"""


@pytest.fixture
def wiring(open_window, tmp_path):
    path = tmp_path / "bare.yaml"
    path.write_text(BARE)
    return open_window(path)


def dialog_of(wiring) -> SettingsDialog:
    strike_in(wiring, Key.Key_Comma, CTRL)
    dialog = wiring.settings_controller.dialog
    assert dialog is not None
    wait_for(dialog.isActiveWindow)
    return dialog


def choose(dialog: SettingsDialog, name: str, value: object) -> None:
    """Choose a value as keys do: open the list, go to the entry, Return."""
    box = dialog.editors[name].box
    dialog.activateWindow()
    wait_for(dialog.isActiveWindow)
    dialog.go_to(name)
    strike(box, Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    wait_for(box.view().isVisible)
    place = box.findData(value)
    assert place >= 0
    while box.view().currentIndex().row() != place:
        down = box.view().currentIndex().row() < place
        QTest.keyClick(box.view(), Key.Key_Down if down else Key.Key_Up)
    QTest.keyClick(box.view(), Key.Key_Return)
    wait_for(lambda: not box.view().isVisible())
    assert box.currentData() == value


def frame(wiring, name: str):
    return wiring.session.document.scene.frames[name]


# --- The dialog


def test_that_it_opens_by_key_menu_and_search_once_and_closes_by_escape(wiring) -> None:
    dialog = dialog_of(wiring)
    assert dialog.search.hasFocus()
    assert not dialog.isModal()
    from_menu(wiring, "Edit", "Settings…")
    assert wiring.settings_controller.dialog is dialog
    dialog.activateWindow()
    wait_for(dialog.isActiveWindow)
    strike(dialog, Key.Key_Escape)
    assert wiring.settings_controller.dialog is None
    palette = wiring.preferences.command_palette
    strike_in(wiring, Key.Key_K, CTRL)
    palette.field.setText("preferences")
    assert "Settings…" in palette.titles()[:3]
    palette.field.setText("middle button camera")
    assert "Settings: Navigation" in palette.titles()[:3]
    palette.field.setText("settings navigation")
    strike(palette.field, Key.Key_Return)
    wait_for(lambda: wiring.settings_controller.shown == "navigation")


def test_that_typing_filters_rows_by_names_and_other_words(wiring) -> None:
    dialog = dialog_of(wiring)
    finds = {"euler": {"sequence"}, "hamilton": {"quaternion_order"}, "night": {"theme"}, "film/rate": {"film_rate"}}
    for query, names in finds.items():
        dialog.search.clear()
        QTest.keyClicks(dialog.search, query)
        assert set(dialog.shown) == names
        assert {name for name, editor in dialog.editors.items() if editor.isVisible()} == names
        headings = [heading for heading in dialog.headings.values() if heading.isVisible()]
        assert len(headings) == 1
    QTest.keyClicks(dialog.search, "nonsense")
    assert dialog.shown == ()
    assert dialog.pages.currentIndex() == 1
    dialog.search.clear()
    assert len(dialog.shown) == len(ROWS)


def test_that_every_row_has_a_sentence_a_key_that_can_be_copied_and_a_name_for_ears(wiring) -> None:
    dialog = dialog_of(wiring)
    assert len({row.key for row in ROWS}) == len({row.title for row in ROWS}) == len(ROWS)
    for name, editor in dialog.editors.items():
        row = editor.row
        assert row.text.endswith(".")
        assert row.usual in [value for _, value in row.choices]
        assert editor.box.accessibleName() == row.title
        assert re.fullmatch("[a-z-]+(/[a-z-]+)?", row.key), "it stands in the file as it is shown"
        key = next(label for label in editor.findChildren(QLabel) if label.text() == row.key)
        assert key.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
        assert getattr(Settings(), name) == row.usual
        assert not editor.reset.isVisible()


def test_that_tab_reaches_every_choice_from_top_to_bottom(wiring) -> None:
    dialog = dialog_of(wiring)
    reached = []
    for _ in range(len(ROWS)):
        strike(dialog, Key.Key_Tab)
        reached.append(dialog.focused)
    assert reached == [row.name for row in ROWS]


def test_that_each_setting_survives_a_start_and_goes_back_to_usual(wiring) -> None:
    dialog = dialog_of(wiring)
    rows = [row for row in ROWS if row.name != "font_scale"]  # that is a new start
    other = {row.name: next(value for _, value in reversed(row.choices) if value != row.usual) for row in rows}
    for name, value in other.items():
        choose(dialog, name, value)
    wait_until_written()
    assert {name: getattr(Settings(), name) for name in other} == other
    for name in other:
        reset = dialog.editors[name].reset
        assert reset.isVisible()
        dialog.activateWindow()
        wait_for(dialog.isActiveWindow)
        reset.setFocus()
        QTest.keyClick(reset, Key.Key_Space)
        assert not reset.isVisible()
        assert dialog.editors[name].box.hasFocus()
    wait_until_written()
    assert values_of(Settings()) == {row.name: row.usual for row in ROWS}


def test_that_damaged_settings_fall_back(settings_of_its_own) -> None:
    store = Settings().store
    for row in ROWS:
        store.set_value(row.key, "no such thing")
    wait_until_written()
    assert values_of(Settings()) == {row.name: row.usual for row in ROWS}
    for row in ROWS:
        store.set_value(row.key, ["a", "list"])
    assert {row.name for row in ROWS if getattr(Settings(), row.name) != row.usual} == set()


# --- What they change


def test_that_theme_and_unit_agree_with_the_menus(wiring, monkeypatch) -> None:
    dialog, window = dialog_of(wiring), wiring.window
    choose(dialog, "theme", "light")
    assert current_theme.current() is LIGHT
    strike_in(wiring, Key.Key_T, CTRL)
    assert current_theme.current() is DARK
    assert dialog.editors["theme"].box.currentData() == "dark"
    choose(dialog, "angle_unit", "rad")
    assert window.commands.units["rad"].isChecked()
    assert window.scene_view.angle_unit.key == "rad"
    from_menu(wiring, "Edit", "Angles in degrees")
    assert dialog.editors["angle_unit"].box.currentData() == "deg"

    scheme = Qt.ColorScheme.Light
    hints = QGuiApplication.styleHints()
    monkeypatch.setattr(type(hints), "colorScheme", lambda _hints: scheme)
    hints.colorSchemeChanged.emit(scheme)
    assert current_theme.current() is DARK  # it was chosen
    choose(dialog, "theme", "system")
    assert current_theme.current() is LIGHT
    scheme = Qt.ColorScheme.Unknown
    hints.colorSchemeChanged.emit(scheme)
    assert current_theme.current() is DARK
    strike_in(wiring, Key.Key_T, CTRL)
    assert (current_theme.current(), Settings().theme) == (LIGHT, "light")


def test_that_new_frames_scenes_and_rotations_have_the_chosen_sequence(wiring) -> None:
    dialog, window, session = dialog_of(wiring), wiring.window, wiring.session
    click_item(wiring, ("frames", "bare"))
    orientation = window.inspector.orientation
    assert orientation.sequence.currentText() == "XYZ"
    choose(dialog, "sequence", "ZYX")
    assert orientation.sequence.currentText() == "ZYX"
    window.docks["readouts"].show()
    titles = [label.text() for label in window.readouts.findChildren(QLabel)]
    assert any("ZYX" in title for title in titles)

    window.scene_view.set_handles(True)
    window.scene_view.setFocus()
    for key in (Key.Key_Z, Key.Key_Right, Key.Key_Return):
        strike_in(wiring, key)
    wait_for(lambda: frame(wiring, "bare").orientation is not None)
    assert frame(wiring, "bare").orientation.sequence == "ZYX"
    session.undo()
    orientation.rows[0].committed.emit(20.0)  # the angle about z
    form = frame(wiring, "bare").orientation
    assert (form.sequence, form.angles) == ("ZYX", (20.0, 0.0, 0.0))

    from_menu(wiring, "Insert", "Frame")
    assert frame(wiring, "frame").orientation.sequence == "ZYX"
    from_menu(wiring, "Insert", "Measured pose")
    click_item(wiring, ("frames", "arm"))
    assert orientation.sequence.currentText() == "ZXZ"  # its own
    session.document.is_handed_back = True
    session.new()
    assert frame(wiring, "frame 1").orientation.sequence == "ZYX"
    assert session.document.text.count("sequence: ZYX") == 1


def test_that_a_rotation_shown_turn_by_turn_changes_to_the_chosen_sequence(wiring) -> None:
    dialog = dialog_of(wiring)
    click_item(wiring, ("frames", "given"))
    wiring.window.commands.staged.trigger()
    assert wiring.staged.step.sequence == "XYZ"
    choose(dialog, "sequence", "ZXZ")
    wait_for(lambda: wiring.staged.is_on and wiring.staged.step.sequence == "ZXZ")
    assert wiring.window.inspector.orientation.sequence.currentText() == "ZXZ"


def test_that_pasted_numbers_are_offered_in_the_chosen_sequence(wiring) -> None:
    dialog = dialog_of(wiring)
    choose(dialog, "sequence", "ZXZ")
    click_item(wiring, ("frames", "bare"))
    QApplication.clipboard().setText("10 20 30 deg")
    orientation = wiring.window.inspector.orientation
    orientation.open_paste()
    assert "angles ZXZ, degrees" in [button.text() for button in orientation.parts.paste.choices.buttons()]


def test_that_quaternions_are_shown_typed_and_copied_in_the_chosen_order(wiring) -> None:
    dialog, window = dialog_of(wiring), wiring.window
    window.show_dock("relation")
    wait_for(lambda: bool(window.findChildren(RelationPanel)))
    (panel,) = window.findChildren(RelationPanel)
    click_item(wiring, ("frames", "arm"))
    editor = window.inspector.orientation.parts.quaternion
    window.inspector.orientation.parts.also.chosen.emit("quaternion")

    def places() -> list[str]:
        fields = sorted(editor.editor.fields, key=lambda field: field.mapTo(editor, QPoint()).x())
        return [field.accessibleName()[-1] for field in fields]

    QApplication.processEvents()
    assert places() == list("xyzw")
    before = panel.values[1].row.values
    choose(dialog, "quaternion_order", "wxyz")
    QApplication.processEvents()
    assert places() == list("wxyz")
    assert "scalar first" in editor.header.note_label.text()
    row = panel.values[1].row
    np.testing.assert_array_equal(row.values, np.roll(before, 1))
    assert row.letters == ("w", "x", "y", "z")
    assert "scalar first" in panel.values[1].caption.text()
    for action in panel.copy_button.menu().actions()[:2]:
        action.trigger()
        text = QApplication.clipboard().text()
        assert "scalar first" in text
        assert row.full_text().replace("\t", ", ") in text.replace("\t", ", ")
    stops = [stop for stop in tab_stops(editor.editor) if stop in editor.editor.fields]
    assert [stop.accessibleName()[-1] for stop in stops] == list("wxyz")  # Tab goes through them as they stand
    choose(dialog, "quaternion_order", "xyzw")
    QApplication.processEvents()
    assert places() == list("xyzw")


def test_that_cards_and_panels_have_quaternions_in_the_chosen_order(wiring) -> None:
    dialog, window = dialog_of(wiring), wiring.window
    choose(dialog, "quaternion_order", "wxyz")
    wiring.questions.toggle(PlottedSignal(signal="quaternion", of="arm", relative_to="world"), "number", is_wanted=True)
    click_item(wiring, ("frames", "arm"))
    window.show_dock("quaternion")
    wait_for(lambda: bool(window.findChildren(QuaternionPanel)))
    (panel,) = window.findChildren(QuaternionPanel)
    (card,) = wiring.questions.cards.cards
    rows = card.row, panel.cover.q
    wait_for(lambda: all(np.isfinite(row.values).all() for row in rows))
    first = [row.values for row in rows]
    assert all(row.letters == ("w", "x", "y", "z") for row in rows)
    choose(dialog, "quaternion_order", "xyzw")
    assert all(row.letters == ("x", "y", "z", "w") for row in rows)
    for row, before in zip(rows, first, strict=True):
        np.testing.assert_array_equal(row.values, np.roll(before, -1))
        assert float(row.full_text().split("\t")[3]) == before[0]


def test_that_the_scene_is_navigated_as_chosen_while_the_dialog_is_open(wiring) -> None:
    dialog, view = dialog_of(wiring), wiring.window.scene_view
    choose(dialog, "navigation", "blender")
    assert PRESETS["blender"].summary == dialog.editors["navigation"].details.text()
    before = view.camera.state
    QTest.mousePress(view, MIDDLE, PLAIN, QPoint(200, 90))
    QTest.mouseMove(view, QPoint(240, 110))
    QTest.mouseRelease(view, MIDDLE, PLAIN, QPoint(240, 110))
    assert view.camera.state.focal_point == before.focal_point
    assert not np.allclose(view.camera.state.direction, before.direction)
    wheel(view, 1)
    assert view.camera.state.distance < before.distance
    strike_in(wiring, Key.Key_Slash, CTRL)
    sheet = wiring.window.findChild(ShortcutSheet)
    listed = {(one.does, one.keys) for one in sheet.matches()}
    assert ("Move the camera", "Shift middle drag") in listed
    assert ("Move the camera", "Right drag") not in listed
    sheet.close()


def test_that_another_size_is_a_new_start_that_opens_the_dialog_again(
    wiring, tmp_path, monkeypatch, settings_of_its_own
) -> None:
    dialog = dialog_of(wiring)
    notes = []

    def start(_command, environment) -> None:
        note = Path(environment[restart.VARIABLE])
        notes.append(note.read_text())
        note.unlink()

    monkeypatch.setattr(restart, "start_process", start)
    choose(dialog, "font_scale", 1.5)
    wait_for(lambda: not wiring.window.isVisible())
    assert Settings().font_scale == 1.5
    note = restart.RestartNote(tmp_path / "note.json")
    note.path.write_text(notes[0])
    opening, then = startup.restore_window(note)
    again = opening.finish()
    try:
        again.window.show()
        then(again)
        assert again.settings_controller.shown == "font_scale"
        assert again.settings_controller.dialog.editors["font_scale"].box.currentText() == "150%"
    finally:
        leave(again)


def test_that_a_size_from_the_file_that_is_no_choice_is_shown_and_a_failed_start_takes_it_back(
    wiring, monkeypatch
) -> None:
    wiring.settings.font_scale = 1.3
    wiring.preferences.window_scale = 1.3
    dialog = dialog_of(wiring)
    box = dialog.editors["font_scale"].box
    assert box.currentText() == "130%"
    monkeypatch.setattr(restart, "PATIENCE_S", 0.1)
    monkeypatch.setattr(restart, "start_process", lambda _command, _environment: None)
    choose(dialog, "font_scale", 2.0)
    wait_for(lambda: "does not come" in wiring.window.status.message)
    assert box.currentText() == "130%"
    assert Settings().font_scale == 1.3


def test_that_a_video_starts_in_the_export_dialog_as_chosen(wiring) -> None:
    dialog = dialog_of(wiring)
    chosen = {"film_size": "4K", "film_rate": "60", "film_quality": "best", "film_colours": "white"}
    for name, value in chosen.items():
        choose(dialog, name, value)
    strike_in(wiring, Key.Key_E, CTRL | Qt.KeyboardModifier.ShiftModifier)
    wait_for(lambda: wiring.window.findChild(ExportDialog) is not None)
    export = wiring.window.findChild(ExportDialog)
    choice = export.choice
    assert (choice.size, choice.fps, choice.quality, choice.theme) == ((3840, 2160), 60.0, "best", "white")
    export.formats.choose("gif")
    assert export.choice.fps == 25.0
    assert export.choice.size == (640, 360)  # as it was
    export.formats.choose("webm")
    assert (export.choice.size, export.choice.fps) == ((3840, 2160), 60.0)
    export.reject()


def test_that_first_values_leave_other_formats_and_the_last_export_alone() -> None:
    settings = Settings()
    formats = {offer.key: first_values(offer, settings) for offer in offers()}
    assert formats == {offer.key: offer for offer in offers()}
    last = ExportChoice(key="mp4", size=(640, 360), fps=15.0, quality="small", theme="light")
    assert first_choice(last, formats, "dark", settings) == last
    settings.film_size, settings.film_rate, settings.film_colours = "8K", "24", "window"
    formats = {offer.key: first_values(offer, settings) for offer in offers()}
    assert (formats["webm"].size, formats["webm"].fps) == ("8K", 24.0)
    assert (formats["gif"].size, formats["gif"].fps) == ("small", 25.0)
    choice = first_choice(last, formats, "dark", settings)
    assert (choice.size, choice.fps, choice.quality) == ((7680, 4320), 24.0, "small")
    assert (choice.theme, choice.is_theme_of_window) == ("dark", True)
    still = ExportChoice(key="still", size=(640, 360))
    assert first_choice(still, formats, "dark", settings).size == (640, 360)


def test_that_the_example_opens_with_the_chosen_settings(open_window) -> None:
    settings = Settings()
    settings.navigation, settings.sequence, settings.quaternion_order = "rviz", "ZXZ", "wxyz"
    settings.angle_unit = "rad"
    again = open_window(example_path("demo"))
    assert again.window.scene_view.pointer.navigation is PRESETS["rviz"]
    assert again.window.outline.sequence == "ZXZ"
    assert "scalar first" in again.window.inspector.orientation.parts.quaternion.header.note_label.text()
    assert again.window.commands.units["rad"].isChecked()
