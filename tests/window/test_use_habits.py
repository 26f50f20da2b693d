"""Habits of a person in the whole window by real events: layouts, presenting, pictures, reports, units, keys alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import numpy as np
import pytest
import shiboken6
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QMenu, QPushButton

from framescope.app import startup
from framescope.app.controllers import preferences
from framescope.app.session.recovery import find_recoveries
from framescope.app.session.scene_lookup import find_scene
from framescope.app.storage.log import Log
from framescope.core import frames
from framescope.features.detective.ui.detective_panel import DetectivePanel
from framescope.ui.dialogs.picture_dialog import PictureDialog
from framescope.ui.dialogs.recovery_dialog import RecoveryDialog
from framescope.ui.help.log_view import LogView
from framescope.ui.palette.command_palette import CommandPalette
from framescope.ui.panels.relation.relation_panel import RelationPanel
from framescope.ui.scene_view.visuals.frame_names import Labels
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import DARK, LIGHT, METRICS
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.number_field import NumberField
from framescope.ui.window.places import DIGIT
from tests.support.grown_scenes import PLATE
from tests.support.hands import (
    CTRL,
    SHIFT,
    Key,
    degrees_per_pixel,
    focus,
    move,
    press,
    release,
    show,
    strike,
    type_in,
    x_of,
)
from tests.support.scenes import GOOD
from tests.support.whole_window import (
    ALT,
    answering,
    click,
    click_item,
    follow,
    from_menu,
    leave,
    name_file,
    strike_in,
    wait_for,
    wait_until_saved,
)

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def good(open_window, tmp_path):
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    return open_window(path)


def docks(window) -> dict[str, QDockWidget]:
    return {dock.objectName(): dock for dock in window.findChildren(QDockWidget)}


def seen(window) -> set[str]:
    return {name for name, dock in docks(window).items() if not dock.isHidden()}


def test_that_a_window_that_goes_while_the_new_one_is_waited_for_is_let_go(qtbot, tmp_path, monkeypatch) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    wiring = startup.make_window(path)
    show(wiring.window, qtbot)

    def closed_meanwhile(_work) -> bool:
        wiring.window.close()
        shiboken6.delete(wiring.window)
        return True

    wiring.settings.font_scale = 1.25
    with monkeypatch.context() as changed:
        changed.setattr(preferences, "restart_program", lambda _note: None)
        changed.setattr(preferences, "run_and_wait", closed_meanwhile)
        wiring.preferences.restart()
    assert not shiboken6.isValid(wiring.window)


# --- Layout


def test_that_closed_docks_sizes_preset_unit_and_theme_are_remembered(good, open_window, tmp_path) -> None:
    window = good.window
    before = seen(window)
    dock = docks(window)["readouts"]
    close = [button for button in dock.titleBarWidget().findChildren(IconButton) if "Hide" in button.toolTip()]
    click(close[0])
    assert seen(window) == before - {"readouts"}
    strike_in(good, Key.Key_2, ALT)
    assert window.place == "Learn"
    teaching = seen(window)
    assert "outline" not in teaching
    from_menu(good, "Window", "Outline")
    assert seen(window) == teaching | {"outline"}
    from_menu(good, "Edit", "Angles in radians")
    strike_in(good, Key.Key_T, CTRL)
    assert current_theme.current() is LIGHT
    window.resize(1240, 780)
    window.close()

    again = open_window(tmp_path / "good.yaml")
    assert again.window.place == "Learn"
    assert seen(again.window) == teaching | {"outline"}
    assert (again.window.width(), again.window.height()) == (1240, 780)
    assert again.settings.theme == "light"
    assert again.window.commands.units["rad"].isChecked()
    strike_in(again, Key.Key_1, ALT)
    assert seen(again.window) == before - {"readouts"}
    from_menu(again, "Window", "Reset the layout")
    assert seen(again.window) == before
    strike_in(again, Key.Key_T, CTRL)
    assert current_theme.current() is DARK


def test_that_instruments_of_the_remembered_layout_are_there_at_the_next_start(good, qtbot, tmp_path) -> None:
    strike_in(good, Key.Key_3, ALT)
    from_menu(good, "Window", "More panels", "Convention detective")
    filled(good.window)
    good.window.close()

    opening, opened = startup.make_opening(tmp_path / "good.yaml"), []
    qtbot.addWidget(opening.window)
    opening.show(opened.append)
    wait_for(lambda: bool(opened))
    assert opening.window.place == "Check"
    filled(opening.window)
    leave(opened[0])


def filled(window) -> None:
    """Wait until the instruments of the layout are there: the relation, and the detective that was asked for."""
    for panel in (RelationPanel, DetectivePanel):
        wait_for(lambda panel=panel: any(each.isVisible() for each in window.findChildren(panel)))


def test_that_presenting_shows_the_scene_plays_by_keys_and_escape_or_another_layout_ends_it(good) -> None:
    window, before = good.window, seen(good.window)
    strike_in(good, Key.Key_F11)
    wait_for(window.isFullScreen)
    assert seen(window) == {"timeline"}
    assert window.header.isHidden()
    assert window.status.isHidden()
    strike_in(good, Key.Key_Space, CTRL)
    assert good.session.playback.is_playing
    strike_in(good, Key.Key_Space, CTRL)
    assert not good.session.playback.is_playing
    strike_in(good, Key.Key_Z, CTRL)  # keys of the menus go on working
    strike_in(good, Key.Key_Escape)
    wait_for(lambda: not window.isFullScreen())
    assert seen(window) == before
    assert not window.header.isHidden()
    for key, name in ((Key.Key_2, "Learn"), (Key.Key_3, "Check")):
        strike_in(good, Key.Key_F11)
        wait_for(window.isFullScreen)
        strike_in(good, key, ALT)
        wait_for(lambda: not window.isFullScreen())
        assert window.place == name
        assert not window.header.isHidden()
        assert "inspector" in seen(window)
    strike_in(good, Key.Key_1, ALT)
    assert "outline" in seen(window)


def test_that_numbers_of_the_scene_are_read_from_the_last_row_while_presenting(open_window) -> None:
    wiring = open_window(find_scene("aircraft"))
    view, window = wiring.window.scene_view, wiring.window
    wiring.session.pause()
    wiring.session.scrub(5.0)

    def digits() -> list[int]:
        """Return the heights of all digits that there are for the picture, device pixels."""
        view.active_passive.prepare()
        visual = next(visual for visual in view.renderer.visuals if isinstance(visual, Labels))
        sheet = visual.context.sheet
        found = []
        for (runs, _), sprite in sheet.sprite_numbers.items():
            if "".join(text for text, _ in runs) in set("0123456789"):
                box = sheet.images[sprite].getchannel("A").getbbox()
                found.append(box[3] - box[1])
        return found

    usual = digits()
    assert len(usual) > 10
    strike_in(wiring, Key.Key_F11)
    wait_for(lambda: view.renderer.magnification > 1.0, for_s=20.0)
    wait_for(lambda: min(digits()) >= 0.02 * window.height() * window.devicePixelRatioF(), for_s=20.0)
    assert min(usual) < min(digits())  # there are digits of both clocks
    timeline, least = window.timeline, 0.02 * window.height()
    for widget in (timeline.field, timeline.end_label, timeline.speed_choice):
        widget.ensurePolished()
        assert widget.fontMetrics().tightBoundingRect("0").height() >= least - 1
        assert widget.height() > widget.fontMetrics().ascent()
    assert fonts.text(timeline.track.label_size).pixelSize() * DIGIT >= least
    assert timeline.track.sizeHint().height() <= timeline.height()
    strike(window, Key.Key_Escape)
    wait_for(lambda: view.renderer.magnification == 1.0, for_s=20.0)
    assert digits() == usual
    assert timeline.height() == METRICS.timeline


def test_that_plots_are_read_from_the_last_row_while_presenting(open_window) -> None:
    wiring = open_window(find_scene("aircraft"))
    window, plots = wiring.window, wiring.window.plots
    wiring.session.pause()
    wait_for(lambda: all(plot.curves is not None for plot in plots.plots))
    plot = plots.plots[0]
    dock = window.docks["plots"]
    sizes = [dock.height(), plot.header.height(), plot.canvas.left.width()]
    strike_in(wiring, Key.Key_F11)
    wait_for(window.isFullScreen)
    strike(window, Key.Key_K, CTRL)
    palette = window.findChild(CommandPalette)
    wait_for(palette.isVisible)
    QTest.keyClicks(palette.field, "plots")
    strike(palette.field, Key.Key_Return)
    wait_for(plots.isVisible)
    least = 0.02 * window.height()

    def entry_heights() -> list[int]:
        """Return the heights of the entries of the legend, logical pixels."""
        return [round(area.height()) for area in plot.header.entry_areas()]

    wait_for(lambda: min(entry_heights()) >= 20 * least / (DIGIT * METRICS.number) - 1)
    for axis in (plot.canvas.left, plot.canvas.bottom):
        assert axis.style["tickFont"].pixelSize() * DIGIT >= least - 1
    wait_for(lambda: plot.canvas.area.height() > 0.1 * window.height())
    inside = plot.header.rect().adjusted(-1, -1, 1, 1)
    assert all(inside.contains(area.toRect()) for area in plot.header.entry_areas())
    assert not any(plot.header.menu_button.geometry().intersects(area.toRect()) for area in plot.header.entry_areas())
    click(plot.header, plot.header.entry_areas()[1].center().toPoint())
    assert plot.hidden == {1}
    click(plot.header, plot.header.entry_areas()[1].center().toPoint())
    assert plot.hidden == frozenset()
    window.activateWindow()
    wait_for(window.isActiveWindow)
    strike(window, Key.Key_A, CTRL | SHIFT)  # turn by turn: another chart stands in their place
    wait_for(lambda: plots.turn_chart is not None and plots.turn_chart.isVisible())
    for turns in (plots.turn_chart.angles, plots.turn_chart.vector):
        assert turns.canvas.left.style["tickFont"].pixelSize() * DIGIT >= least - 1
        wait_for(lambda header=turns.header: header.entry_areas()[0].top() >= 20 * header.scale)  # below the title
        assert turns.canvas.area.height() > 0.1 * window.height()
    strike(window, Key.Key_A, CTRL | SHIFT)
    wait_for(lambda: not plots.turn_chart.isVisible())
    strike(window, Key.Key_Escape)
    wait_for(lambda: not window.isFullScreen())
    wait_for(lambda: [dock.height(), plot.header.height(), plot.canvas.left.width()] == sizes)


def test_that_a_panel_opened_while_presenting_is_read_from_the_last_row(open_window) -> None:
    window = open_window(find_scene("aircraft")).window
    matrix = window.readouts.in_parent.matrix
    usual = matrix.sizeHint()
    window.commands.present.trigger()
    wait_for(window.isFullScreen)
    window.show_dock("readouts")
    wait_for(lambda: matrix.isVisible() and matrix.height() > 1.5 * usual.height())
    title = window.readouts.in_parent.title
    assert title.fontMetrics().height() > 1.5 * METRICS.base
    window.commands.present.trigger()
    wait_for(lambda: not window.isFullScreen())
    assert matrix.sizeHint() == usual


def test_that_closing_while_presenting_leaves_a_whole_window_and_which_plots_stay_for_the_next_start(
    good, open_window, tmp_path
) -> None:
    before = seen(good.window)
    strike_in(good, Key.Key_F11)
    wait_for(good.window.isFullScreen)
    strike_in(good, Key.Key_Q, CTRL)
    assert not good.window.isVisible()

    again = open_window(tmp_path / "good.yaml")
    assert seen(again.window) == before
    assert not again.window.isFullScreen()
    assert not again.window.header.isHidden()
    from_menu(again, "Window", "While presenting", "Keep the plots")
    strike_in(again, Key.Key_F11)
    wait_for(again.window.isFullScreen)
    assert seen(again.window) == {"timeline", "plots"}
    wait_for(lambda: again.window.plots.height() > 0.2 * again.window.height())
    strike_in(again, Key.Key_Escape)
    wait_for(lambda: not again.window.isFullScreen())
    assert seen(again.window) == before
    again.window.close()

    last = open_window(tmp_path / "good.yaml")
    strike_in(last, Key.Key_F11)
    wait_for(last.window.isFullScreen)
    assert seen(last.window) == {"timeline", "plots"}
    for shown in ({"timeline"}, {"timeline", "plots"}, {"timeline"}):
        strike_in(last, Key.Key_F11, SHIFT)
        wait_for(lambda shown=shown: seen(last.window) == shown)
    assert last.window.isFullScreen()
    strike_in(last, Key.Key_Escape)


# --- Pictures, reports, log


def test_that_the_picture_is_copied_and_saved(good, qtbot, tmp_path) -> None:
    strike_in(good, Key.Key_C, CTRL | SHIFT)
    image = QGuiApplication.clipboard().image()
    assert image.width() > good.window.scene_view.width()
    assert "copied" in good.window.status.message
    from_menu(good, "File", "Save a picture…")
    dialog = good.window.findChild(PictureDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    dialog.size_box.setFocus()
    QTest.keyClick(dialog.size_box, Key.Key_Home)
    QTest.keyClick(dialog.size_box, Key.Key_Down)
    with answering(name_file(tmp_path / "moment")):
        QTest.keyClick(dialog, Key.Key_Return)
    qtbot.waitUntil(lambda: not good.exports.is_running, timeout=30_000)
    saved = QImage(str(tmp_path / "moment.png"))
    assert (saved.width(), saved.height()) == (1280, 720)


def test_that_a_bug_report_holds_log_scene_and_picture_and_no_path_of_a_home(
    open_window, qtbot, tmp_path, monkeypatch
) -> None:
    home = tmp_path / "home" / "ada"
    folder = home / "secret project"
    folder.mkdir(parents=True)
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.setenv("HOME", str(home))
    path = folder / "good.yaml"
    path.write_text(GOOD.replace("title: Test", f"title: kept in {folder}"))
    wiring = open_window(path)
    log = Log()
    wiring.preferences.keep_log(log.feed)
    wiring.open(folder / "missing.yaml")
    from_menu(wiring, "Help", "Log")
    view = wiring.window.findChild(LogView)
    assert "missing.yaml is not opened" in view.text.toPlainText()
    qtbot.waitUntil(view.isVisible)
    view.window().activateWindow()
    qtbot.waitUntil(view.window().isActiveWindow)
    for box in (view.with_scene, view.with_picture):
        box.setFocus()
        QTest.keyClick(box, Key.Key_Space)
    bundle = tmp_path / "report.zip"
    with answering(name_file(bundle)):
        click(view.save)
    log.close()
    view.window().close()
    qtbot.waitUntil(lambda: wiring.window.status.message == "Wrote report.zip")
    with zipfile.ZipFile(bundle) as packed:
        texts = {name: packed.read(name) for name in packed.namelist()}
    assert set(texts) == {"README.txt", "about.json", "log.txt", "scene.yaml", "window.png"}
    about = json.loads(texts["about.json"])
    assert about["renderer"]
    assert about["packages"]["numpy"] == np.__version__
    assert b"missing.yaml is not opened" in texts["log.txt"]
    assert b"ring:" in texts["scene.yaml"]
    assert QImage.fromData(texts["window.png"]).width() >= 900
    for name, data in texts.items():
        if not name.endswith(".png"):
            assert str(home).encode() not in data, name
            assert b"ada" not in data, name


# --- Units, decimals, palette, keys


def test_that_decimals_take_a_comma_and_angles_radians_in_every_kind_of_field(good) -> None:
    session, window = good.session, good.window
    panel = window.inspector.orientation
    click_item(good, ("frames", "ring"))
    type_in(panel.rows[0].field, "12,5")
    assert session.document.scene.frames["ring"].orientation.angles[0] == 12.5
    from_menu(good, "Edit", "Angles in radians")
    type_in(panel.rows[0].field, "0,5")
    assert session.document.scene.frames["ring"].orientation.angles[0] == pytest.approx(np.degrees(0.5))
    from_menu(good, "Edit", "Angles in degrees")
    type_in(window.timeline.field, "2,5")
    assert session.playback.t == 2.5
    click_item(good, ("bodies", "box"))
    fields = [field for field in window.inspector.page.findChildren(NumberField) if field.isVisible()]
    assert len(fields) >= 3
    type_in(fields[-1], "0,25")
    assert "0.25" in repr(session.document.scene.bodies["box"])


def test_that_undo_reaches_the_scene_from_a_field_but_not_out_of_half_typed_text(good) -> None:
    session, window = good.session, good.window
    before, field = session.document.scene, window.inspector.orientation.rows[0].field
    for end in (Key.Key_Return, Key.Key_Tab):
        type_in(field, "12,5", end)
        kept = session.document.scene
        assert kept is not before
        focus(field)
        strike_in(good, Key.Key_Z, CTRL)
        assert session.document.scene is before
        assert field.text() == "10.00"
        strike_in(good, Key.Key_Z, CTRL | SHIFT)
        assert session.document.scene is kept
        strike_in(good, Key.Key_Z, CTRL)
    type_in(field, "12,5")
    kept = session.document.scene
    type_in(field, "77", None)
    strike_in(good, Key.Key_Z, CTRL)
    assert session.document.scene is kept
    assert field.text() != "77"


def test_that_undo_shows_the_scene_where_a_text_was_refused(good) -> None:
    session, window = good.session, good.window
    name = next(iter(session.document.scene.bodies))
    session.select(("bodies", name))
    form = window.inspector.page.editor
    opacity = form.editors["opacity"]
    type_in(opacity.number, "0.5")
    type_in(opacity.number, "5")
    assert opacity.message
    strike_in(good, Key.Key_Z, CTRL)
    assert session.document.scene.bodies[name].opacity == 1.0
    assert (opacity.number.text(), opacity.message) == ("1", "")
    type_in(opacity.number, "5")
    strike_in(good, Key.Key_Z, CTRL | SHIFT)
    assert session.document.scene.bodies[name].opacity == 0.5
    assert (opacity.number.text(), opacity.message) == ("0.5", "")


def test_that_the_palette_finds_a_command_an_item_and_an_example(good) -> None:
    window, session = good.window, good.session
    strike_in(good, Key.Key_K, CTRL)
    QTest.keyClicks(QApplication.focusWidget(), "switch dark")
    strike(window, Key.Key_Return)
    assert current_theme.current() is LIGHT
    strike_in(good, Key.Key_T, CTRL)
    strike_in(good, Key.Key_K, CTRL)
    QTest.keyClicks(QApplication.focusWidget(), "stand")
    strike(window, Key.Key_Return)
    assert session.selection == ("frames", "stand")
    strike_in(good, Key.Key_K, CTRL)
    QTest.keyClicks(QApplication.focusWidget(), "gimbal lock")
    strike(window, Key.Key_Return)
    assert session.document.is_example


def test_that_menus_are_walked_by_keys_alone(good) -> None:
    window, session = good.window, good.session
    bar = window.header.menu_bar
    strike_in(good, Key.Key_E, ALT)
    assert QApplication.activePopupWidget() is not None
    QTest.keyClick(QApplication.activePopupWidget(), Key.Key_Escape)
    bar.setFocus()
    for key, title in ((Key.Key_F, "File"), (Key.Key_V, "View"), (Key.Key_H, "Help")):
        strike_in(good, key, ALT)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        assert menu.title().replace("&", "") == title
        while QApplication.activePopupWidget() is not None:
            QTest.keyClick(QApplication.activePopupWidget(), Key.Key_Escape)
    strike_in(good, Key.Key_F, ALT)
    menu = QApplication.activePopupWidget()
    QTest.keyClick(menu, Key.Key_Down)
    while menu.activeAction() is None or menu.activeAction().text() != "New":
        QTest.keyClick(menu, Key.Key_Down)
    QTest.keyClick(menu, Key.Key_Return)
    assert session.document.path is None


# --- Orientation


TURNED = """\
framescope: 1
frames:
  plain: {parent: world}
  quat: {parent: world, orientation: {form: quaternion, value: [0, 0, 0, 1], order: xyzw}}
  tilted: {parent: world, orientation: {form: axes, sequence: XYZ, angles: [20, 60, -35], unit: deg}}
"""


@pytest.fixture
def turned(open_window, tmp_path):
    path = tmp_path / "turned.yaml"
    path.write_text(TURNED)
    wiring = open_window(path)
    strike_in(wiring, Key.Key_2, ALT)  # Teach: all forms are there
    return wiring


def test_that_a_typed_matrix_moves_the_sliders_and_the_scene(turned) -> None:
    session, panel = turned.session, turned.window.inspector.orientation
    before = session.document.scene
    wanted = frames.axes_rotations("XYZ", np.radians([10.0, 40.0, -60.0])).T
    for name in before.frames:
        session.select(("frames", name))
        cell = panel.parts.matrix.editor.cell(0, 0)
        assert cell.isVisible()
        focus(cell)
        for value in wanted.ravel():
            QTest.keyClicks(QApplication.focusWidget(), f"{value:.6f}".replace(".", ","))
            strike(turned.window, Key.Key_Tab)
        assert [row.value_deg for row in panel.rows] == pytest.approx([10.0, 40.0, -60.0], abs=1e-3)
        assert panel.rows[1].slider.knob_x() == pytest.approx(x_of(panel.rows[1].slider, 40.0), abs=0.1)
        i = session.snapshot.index[name]
        np.testing.assert_allclose(session.snapshot.T_PF[i], wanted, atol=1e-5)
        strike_in(turned, Key.Key_Z, CTRL)
        assert session.document.scene is before


def test_that_a_drag_through_gimbal_lock_does_not_jump_in_the_continuous_branch(turned) -> None:
    panel = turned.window.inspector.orientation
    turned.session.select(("frames", "tilted"))
    slider, shown = panel.rows[1].slider, []
    press(slider, x_of(slider, 60.0))
    for angle in range(60, 131):
        move(slider, x_of(slider, angle))
        follow(turned)
        shown.append(np.array(panel.parts.table.rows[2].values))
    release(slider, x_of(slider, 130.0))
    assert np.abs(np.diff(shown, axis=0)).max() < 1.0 + 1.5 * degrees_per_pixel(slider)  # it snaps to 90°
    assert shown[-1] == pytest.approx([20.0, 130.0, -35.0], abs=degrees_per_pixel(slider))
    assert [row.value_deg for row in panel.rows] == pytest.approx(shown[-1], abs=1e-9)


# --- Long work, and a process that is killed


def test_that_a_long_simulation_shows_its_progress_and_is_cancelled_by_its_button(open_window, tmp_path) -> None:
    path = tmp_path / "slow.yaml"
    path.write_text(PLATE.replace("end: 1 s", "end: 100000 s"))
    wiring = open_window(path)
    progress = wiring.window.status.progress
    wait_for(progress.isVisible)
    assert progress.text.startswith("Simulating ")
    click(progress.findChild(QPushButton))
    wait_for(lambda: not progress.is_running)
    assert progress.text == "Not simulated"


EDITING = """
    import sys
    from pathlib import Path
    from PySide6.QtCore import Qt, QTimer
    from PySide6.QtTest import QTest
    from framescope.app import startup
    from framescope.app.session.recovery import SCENE, Unsaved, recovery_folder

    taken = []  # the angle as it stood each time the work was taken to be written down
    take = Unsaved.of

    def angle_of(scene):
        return scene.frames["ring"].orientation.angles[0]

    def take_and_note(document):
        taken.append(angle_of(document.scene))
        return take(document)

    Unsaved.of = take_and_note
    app = startup.make_application()
    wiring = startup.make_window(Path(sys.argv[1]))
    wiring.window.show()
    row = wiring.window.inspector.orientation.rows[0]
    number = 0

    def edit():
        global number
        number += 1
        row.field.setFocus()
        row.field.selectAll()
        QTest.keyClicks(row.field, str(number))
        QTest.keyClick(row.field, Qt.Key.Key_Return)
        assert angle_of(wiring.session.document.scene) == number
        if list(recovery_folder().glob(f"*/{SCENE}")):  # it is written last
            print(taken[0], flush=True)

    timer = QTimer(interval=60)
    timer.timeout.connect(edit)
    timer.start()
    app.exec()
"""


def test_that_the_work_in_a_window_that_is_killed_is_offered_and_recovered_at_the_next_start(
    open_window, qtbot, tmp_path
) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    command = [sys.executable, "-c", textwrap.dedent(EDITING), str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    taken = float(process.stdout.readline())
    process.kill()  # in the middle of typing
    process.wait()
    process.stdout.close()
    assert path.read_text() == GOOD

    wiring = open_window(find_scene("demo"))
    wiring.preferences.offer_recovery()
    dialog = wiring.window.findChild(RecoveryDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    strike(dialog, Key.Key_Return)
    session = wiring.session
    qtbot.waitUntil(lambda: session.document.path == path)
    assert session.document.is_dirty
    assert "Recovered good.yaml" in wiring.window.status.message
    angle = session.document.scene.frames["ring"].orientation.angles[0]
    assert taken > 1.0  # a moment after the first step
    assert angle >= taken  # and not what was typed since, while the disk wrote
    assert angle == int(angle)
    strike_in(wiring, Key.Key_S, CTRL)
    wait_until_saved(wiring)
    assert f"angles: [{angle:g}" in path.read_text()
    assert "# turns" in path.read_text()
    assert find_recoveries() == ()


def test_that_unsaved_work_that_is_no_scene_is_refused_and_left(open_window, qtbot) -> None:
    from framescope.app.session.recovery import SCENE, recovery_folder

    folder = recovery_folder() / "1-torn"
    folder.mkdir(parents=True)
    (folder / SCENE).write_text('{"framescope": 1, "frames": ')
    wiring = open_window(find_scene("demo"))
    before = wiring.session.document
    wiring.preferences.offer_recovery()
    dialog = wiring.window.findChild(RecoveryDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    strike(dialog, Key.Key_Return)
    qtbot.waitUntil(lambda: "untitled.yaml is not opened" in wiring.window.status.message)
    assert wiring.session.document is before
    (left,) = find_recoveries()
    assert left.folder == folder
    left.leave()
