"""The import of a recording by hand: the table, its roles and choices, what does not fit, and the frames it becomes."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog

from framescope import assets
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.recordings.tables.mixed import read_mixed
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.system.cooperative_yield import checkpoint
from framescope.features.table_import.ui.import_dialog import ImportDialog
from framescope.ui.dialogs.read_thread import ReadProgressDialog
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK, LIGHT
from tests.support.hands import LEFT, PLAIN, Key, strike, type_in
from tests.support.threads import end_threads
from tests.support.whole_window import wait_for

pytestmark = pytest.mark.usefixtures("dark")

T = np.arange(200) * 0.02
ANGLE = 0.5 * np.sin(T)
NAMES = ("t", "x", "y", "z", "qx", "qy", "qz", "qw")


def columns() -> np.ndarray:
    zero = np.zeros_like(T)
    return np.column_stack([T, np.sin(T), np.cos(T), zero, np.sin(ANGLE / 2), zero, zero, np.cos(ANGLE / 2)])


def write_csv(path: Path, names: tuple[str, ...] = NAMES, values: np.ndarray | None = None) -> Path:
    rows = (columns() if values is None else values).tolist()
    path.write_text("\n".join([",".join(names), *(",".join(map(repr, row)) for row in rows)]) + "\n", "utf-8")
    return path


@pytest.fixture
def show(qtbot, tmp_path):
    def shown(
        path: Path, scene: Scene | None = None, folder: Path | None = tmp_path, end_s: float = 10.0
    ) -> ImportDialog:
        dialog = ImportDialog(path, read_mixed(path), scene or Scene(), folder=folder, end_s=end_s)
        qtbot.addWidget(dialog)
        dialog.show()
        with qtbot.waitExposed(dialog):
            pass
        dialog.activateWindow()
        qtbot.waitUntil(dialog.isActiveWindow)
        return dialog

    return shown


def choose(box: QComboBox, text: str) -> None:
    """Choose a line of a list by its keys."""
    box.setFocus(Qt.FocusReason.TabFocusReason)
    wanted = box.findText(text)
    assert wanted >= 0
    step = Key.Key_Down if wanted > box.currentIndex() else Key.Key_Up
    for _ in range(abs(wanted - box.currentIndex())):
        QTest.keyClick(box, step)
    assert box.currentText() == text


def click(widget) -> None:
    QTest.mouseClick(widget, LEFT, PLAIN, widget.rect().center())


def pick(dialog: ImportDialog, i_column: int, role: str) -> None:
    """Click the heading of a column, and a role in the menu that opens."""
    heading = dialog.preview.heading
    x = heading.sectionViewportPosition(i_column) + heading.sectionSize(i_column) // 2
    QTest.mouseClick(heading.viewport(), LEFT, PLAIN, QPoint(x, heading.height() // 2))
    menu = dialog.preview.menu
    assert menu.isVisible()
    action = next(action for action in menu.actions() if action.text() == role)
    QTest.mouseClick(menu, LEFT, PLAIN, menu.actionGeometry(action).center())


def chips(dialog: ImportDialog) -> list[str]:
    return [dialog.preview.heading.chip_text(i) for i in range(dialog.preview.model().columnCount())]


def test_that_a_table_is_shown_as_it_is_guessed_and_becomes_a_frame(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "walk.csv", values=columns() * [1e3, 1, 1, 1, 1, 1, 1, 1]))
    assert chips(dialog) == ["time", "x", "y", "z", "qx", "qy", "qz", "qw"]
    assert dialog.form.boxes["time_unit"].currentText() == "ms"
    assert dialog.form.reason_of("time") == "steps of 20: milliseconds"
    assert dialog.preview.model().index(1, 0).data() == "20"
    assert dialog.import_button.isEnabled()
    click(dialog.import_button)
    assert dialog.result() == QDialog.DialogCode.Accepted
    before = Scene()
    after = dialog.edit().apply(before)
    assert dialog.edit().label == "Imported walk"
    plan = compile_plan(after, tmp_path)
    assert [problem for problem in plan.problems if problem.severity == "red"] == []
    np.testing.assert_allclose(evaluate(plan, 1.0).p_WF[1], [np.sin(1), np.cos(1), 0], atol=1e-3)
    assert before == Scene()  # undo goes back to it


def test_that_the_real_recording_is_imported_with_one_key(show, tmp_path) -> None:
    path = tmp_path / "freiburg1_xyz.txt"
    path.write_bytes(assets.path("scenes/freiburg1_xyz.txt").read_bytes())
    dialog = show(path)
    assert dialog.form.boxes["format"].currentText() == "TUM trajectory"
    dialog.frames.rows[0].name.setFocus()
    strike(dialog, Key.Key_Return)
    assert dialog.result() == QDialog.DialogCode.Accepted
    motion = dialog.edit().apply(Scene()).frames["freiburg1_xyz"].motion
    assert (motion.format, motion.columns) == ("tum", None)


def test_that_a_scene_lasts_as_long_as_what_is_recorded_unless_it_is_not_to(show, tmp_path) -> None:
    path = write_csv(tmp_path / "walk.csv")
    dialog = show(path, end_s=10.0)
    assert not dialog.lengthen.isVisible()
    assert dialog.edit().apply(Scene()).time == Scene().time
    dialog = show(path, end_s=2.0)
    assert dialog.lengthen.isVisible()
    assert "to 3.98 s" in dialog.lengthen.text()
    assert compile_plan(dialog.edit().apply(Scene()), tmp_path).end == 3.98
    click(dialog.lengthen)
    assert dialog.edit().apply(Scene()).time == Scene().time


def test_that_a_table_without_a_pose_says_what_is_missing_in_place_of_the_plot(show, tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b,c\n1,2,3\n3,4,4\n")
    dialog = show(path)
    assert dialog.plot.nothing.isVisible()
    assert not dialog.plot.plot.isVisible()
    dialog = show(write_csv(tmp_path / "b.csv"))
    assert not dialog.plot.nothing.isVisible()


def test_that_a_role_is_changed_by_mouse_and_by_key(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "a.csv"))
    pick(dialog, 1, "y")
    assert chips(dialog)[:4] == ["time", "y", "not used", "z"]
    assert not dialog.import_button.isEnabled()
    assert "x is missing" in dialog.message.text()
    dialog.preview.setFocus()
    dialog.preview.setCurrentIndex(dialog.preview.model().index(0, 2))
    strike(dialog, Key.Key_Return)
    menu = QApplication.activePopupWidget()
    assert menu is dialog.preview.menu
    roles = [action.text() for action in menu.actions()]
    for _ in range(roles.index("x") + 1):
        QTest.keyClick(menu, Key.Key_Down)
    while menu.activeAction().text() != "x":
        QTest.keyClick(menu, Key.Key_Down)
    QTest.keyClick(menu, Key.Key_Return)
    assert chips(dialog)[:4] == ["time", "y", "x", "z"]
    assert dialog.import_button.isEnabled()
    motion = dialog.edit().apply(Scene()).frames["a"].motion
    assert motion.columns.position == ("y", "x", "z")


def test_that_choices_change_what_is_shown_and_made(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "a.csv", tuple("abcdefgh"[: len(NAMES)])))
    assert dialog.form.boxes["format"].currentText() == "Table, columns named"
    choose(dialog.form.boxes["order"], "w x y z, scalar first")
    assert chips(dialog)[4:] == ["qw", "qx", "qy", "qz"]
    assert dialog.form.reason_of("order") == "chosen by you"
    choose(dialog.form.boxes["pose"], "parent in frame")
    choose(dialog.form.boxes["position_unit"], "mm")
    type_in(dialog.form.numbers["bandwidth_hz"], "2,5")
    motion = dialog.edit().apply(Scene()).frames["a"].motion
    assert motion.pose == "parent in frame"
    assert (motion.bandwidth.value, motion.columns.position_unit) == (2.5, "mm")
    assert motion.columns.orientation.order == "wxyz"


def test_that_position_and_orientation_have_a_bandwidth_each(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "a.csv"))
    position, orientation = (dialog.form.numbers[key] for key in ("bandwidth_hz", "orientation_bandwidth_hz"))
    assert (position.placeholderText(), orientation.placeholderText()) == ("by the noise", "by the noise")
    type_in(orientation, "6")
    motion = dialog.edit().apply(Scene()).frames["a"].motion
    assert (motion.bandwidth, motion.orientation_bandwidth.value) == (None, 6.0)
    assert dialog.form.reason_of("orientation_bandwidth_hz") == "chosen by you"
    type_in(position, "2")
    wait_for(lambda: "smoothed at 2 Hz in position and 6 Hz in orientation, as stated" in dialog.plot.smoothing.text())
    choose(dialog.form.boxes["format"], "Table, columns named")
    choose(dialog.form.boxes["format"], "TUM trajectory")
    motion = dialog.edit().apply(Scene()).frames["a"].motion
    assert (motion.bandwidth.value, motion.orientation_bandwidth.value) == (2.0, 6.0)
    type_in(orientation, "40")
    assert dialog.form.is_marked("orientation_bandwidth_hz")
    assert not dialog.form.is_marked("bandwidth_hz")
    assert not dialog.import_button.isEnabled()


def test_that_an_orientation_bandwidth_is_as_the_other_where_that_alone_is_stated(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "a.csv"))
    type_in(dialog.form.numbers["bandwidth_hz"], "4")
    assert dialog.form.numbers["orientation_bandwidth_hz"].placeholderText() == "as bandwidth"
    assert dialog.form.reason_of("orientation_bandwidth_hz") == "as the bandwidth"
    assert dialog.edit().apply(Scene()).frames["a"].motion.orientation_bandwidth is None


def test_that_points_have_no_orientation_bandwidth(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "a.csv", NAMES[:4], columns()[:, :4]))
    assert dialog.form.numbers["bandwidth_hz"].isVisibleTo(dialog)
    assert not dialog.form.numbers["orientation_bandwidth_hz"].isVisibleTo(dialog)


def test_that_a_format_gives_way_to_what_it_does_not_have_and_comes_back(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "a.csv"))
    assert dialog.choices.format == "tum"
    choose(dialog.form.boxes["order"], "w x y z, scalar first")
    choose(dialog.form.boxes["pose"], "parent in frame")
    assert dialog.choices.format == "table"
    choose(dialog.form.boxes["format"], "TUM trajectory")
    assert (dialog.choices.order, dialog.choices.pose) == ("xyzw", "parent in frame")
    assert dialog.edit().apply(Scene()).frames["a"].motion.columns is None


def test_that_a_bandwidth_that_does_not_fit_is_said_where_it_stands(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "a.csv"))
    type_in(dialog.form.numbers["bandwidth_hz"], "40")
    assert dialog.form.is_marked("bandwidth_hz")
    assert "Use less than 25 Hz" in dialog.message.text()
    assert not dialog.import_button.isEnabled()
    type_in(dialog.form.numbers["bandwidth_hz"], "4")
    assert not dialog.form.is_marked("bandwidth_hz")
    assert dialog.import_button.isEnabled()


def test_that_what_does_not_fit_is_listed_and_leads_to_its_row(show, tmp_path) -> None:
    values = columns()
    values[50, 4:] *= 1.5
    dialog = show(write_csv(tmp_path / "a.csv", values=values))
    (norm,) = [problem for problem in dialog.findings.problems if problem.kind == "norm"]
    assert norm.rows == (51,)
    assert dialog.form.is_marked("form")
    item = dialog.findings.item(0)
    QTest.mouseClick(dialog.findings.viewport(), LEFT, PLAIN, dialog.findings.visualItemRect(item).center())
    assert dialog.preview.currentIndex().row() == 50


def test_that_a_long_table_makes_frames_in_each_other(show, tmp_path) -> None:
    lines = ["t,parent,child_frame_id,x,y,z,qx,qy,qz,qw"]
    for row in columns().tolist():
        for parent, child in (("map", "base"), ("base", "cam")):
            lines.append(f"{row[0]},{parent},{child}," + ",".join(map(repr, row[1:])))
    (tmp_path / "tf.csv").write_text("\n".join(lines), "utf-8")
    dialog = show(tmp_path / "tf.csv", Scene(frames={"map": Frame(parent="world")}))
    assert [row.name.text() for row in dialog.frames.rows] == ["base", "cam"]
    assert [row.parent_box.currentText() for row in dialog.frames.rows] == ["map", "base"]
    assert dialog.import_button.text() == "Import 2 frames"
    type_in(dialog.frames.rows[1].name, "map", None)
    assert "map already" in dialog.message.text()
    assert not dialog.import_button.isEnabled()
    type_in(dialog.frames.rows[1].name, "camera", None)
    click(dialog.import_button)
    scene = dialog.edit().apply(Scene(frames={"map": Frame(parent="world")}))
    assert scene.frames["camera"].motion.rows.value == "cam"
    plan = compile_plan(scene, tmp_path)
    assert [problem for problem in plan.problems if problem.severity == "red"] == []


def test_that_a_frame_that_is_not_wanted_is_left_out(show, tmp_path) -> None:
    names = ("t", *(f"imu_{n}" for n in NAMES[1:]), *(f"cam_{n}" for n in NAMES[1:]))
    values = np.concatenate([columns(), columns()[:, 1:]], axis=1)
    dialog = show(write_csv(tmp_path / "a.csv", names, values))
    box = dialog.frames.rows[0].is_wanted
    QTest.mouseClick(box, LEFT, PLAIN, QPoint(8, box.height() // 2))
    assert list(dialog.edit().apply(Scene()).frames) == ["cam"]


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_that_packed_tables_are_imported(show, tmp_path, suffix) -> None:
    path = tmp_path / f"a.{suffix}"
    named = dict(zip(NAMES, columns().T, strict=True))
    if suffix == "npz":
        np.savez(path, **named)
    else:
        pytest.importorskip("pyarrow.parquet").write_table(pytest.importorskip("pyarrow").table(named), path)
    dialog = show(path)
    click(dialog.import_button)
    plan = compile_plan(dialog.edit().apply(Scene()), tmp_path)
    np.testing.assert_allclose(evaluate(plan, 1.0).p_WF[1], [np.sin(1), np.cos(1), 0], atol=1e-3)


def test_that_a_file_from_elsewhere_says_that_it_is_copied(show, tmp_path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    path = write_csv(there / "a.csv")
    (tmp_path / "here").mkdir()
    dialog = show(path, folder=tmp_path / "here")
    assert "it is copied there" in dialog.note.text()
    assert dialog.place.copy_to == (tmp_path / "here").resolve() / "a.csv"
    assert "not saved yet" in show(path, folder=None).note.text()


def test_that_escape_leaves_everything_as_it_was(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "a.csv"))
    strike(dialog, Key.Key_Escape)
    assert dialog.result() == QDialog.DialogCode.Rejected


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_that_nothing_is_cut_at_the_smallest_window(show, qapp, tmp_path, theme) -> None:
    current_theme.apply_theme(qapp, theme)
    dialog = show(write_csv(tmp_path / "a.csv"))
    dialog.resize(1000, 700)
    assert (dialog.width(), dialog.height()) == (1000, 700)
    for widget in (dialog.preview, dialog.plot, dialog.findings, dialog.frames, dialog.import_button):
        area = widget.rect().translated(widget.mapTo(dialog, QPoint()))
        assert dialog.rect().contains(area)
    for box in dialog.form.findChildren(QComboBox):
        assert box.accessibleName()
    current_theme.apply_theme(qapp, DARK)


def test_that_every_field_is_reached_by_tab(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "a.csv"))
    dialog.preview.setFocus()
    seen = set()
    for _ in range(40):
        seen.add(QApplication.focusWidget())
        strike(dialog, Key.Key_Tab)
    form = dialog.form
    wanted = {
        dialog.preview,
        dialog.findings,
        form.boxes["time"],
        form.boxes["time_unit"],
        form.boxes["order"],
        form.boxes["pose"],
    }
    wanted |= {
        form.numbers["bandwidth_hz"],
        form.numbers["start_s"],
        dialog.frames.rows[0].name,
        dialog.frames.rows[0].parent_box,
    }
    assert wanted | {dialog.import_button, dialog.cancel_button} <= seen


# --- Reading


def test_that_a_table_is_read_beside_the_window(qtbot, tmp_path) -> None:
    dialog = ReadProgressDialog("a.csv", partial(read_mixed, write_csv(tmp_path / "a.csv")))
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.done_reading) as caught:
        dialog.start()
    assert caught.args[0].n_rows == len(T)
    assert not dialog.isVisible()


def test_that_a_file_that_is_no_table_is_said_in_place(qtbot, tmp_path) -> None:
    (tmp_path / "a.npz").write_bytes(b"nothing")
    dialog = ReadProgressDialog("a.npz", partial(read_mixed, tmp_path / "a.npz"))
    qtbot.addWidget(dialog)
    dialog.start()
    qtbot.waitUntil(lambda: "NPZ" in dialog.message.text())
    click(dialog.cancel)
    assert not dialog.isVisible()


def test_that_a_long_reason_is_not_cut(qtbot, tmp_path, dark) -> None:
    path = tmp_path / "notes of the day before.txt"
    path.write_text("hello\nthis is no table at all\n")
    dialog = ReadProgressDialog(path.name, partial(read_mixed, path))
    qtbot.addWidget(dialog)
    dialog.start()
    qtbot.waitUntil(lambda: bool(dialog.message.text()))
    message = dialog.message
    qtbot.waitUntil(lambda: message.height() >= message.layout().heightForWidth(message.width()))  # it grows
    assert dialog.rect().contains(dialog.cancel.geometry())


def test_that_reading_says_how_far_it_is_and_ends_when_it_is_cancelled(qtbot) -> None:
    is_shown, is_over = Event(), Event()

    def read() -> None:
        try:
            checkpoint()
            checkpoint(0.25)
            assert is_shown.wait(10)
            checkpoint(0.5)
        finally:
            is_over.set()

    dialog = ReadProgressDialog("a.bag", read)
    qtbot.addWidget(dialog)
    dialog.start()
    qtbot.waitUntil(lambda: dialog.bar.value() == 25)
    click(dialog.cancel)
    is_shown.set()
    assert is_over.wait(10)
    end_threads()
    QApplication.processEvents()
    assert dialog.bar.value() == 25
    assert not dialog.message.text()


def test_that_a_cancelled_reading_says_no_more(qtbot, tmp_path) -> None:
    dialog = ReadProgressDialog("a.csv", partial(read_mixed, write_csv(tmp_path / "a.csv")))
    qtbot.addWidget(dialog)
    heard = []
    dialog.done_reading.connect(heard.append)
    dialog.start()
    click(dialog.cancel)
    end_threads()
    QApplication.processEvents()
    assert heard == []


def test_that_a_stamp_in_two_columns_is_shown_as_one_time(show, tmp_path) -> None:
    ticks = [1_700_000_000_000_000_000 + 20_000_000 * i for i in range(200)]
    values = np.column_stack([[tick // 10**9 for tick in ticks], [tick % 10**9 for tick in ticks], columns()[:, 1:]])
    dialog = show(write_csv(tmp_path / "a.csv", ("secs", "nsecs", *NAMES[1:]), values))
    assert chips(dialog)[:3] == ["time", "in time", "in time"]
    assert dialog.form.boxes["time"].currentText() == "secs + nsecs"
    assert dialog.form.reason_of("time") == "seconds and nanoseconds, joined"
    assert dialog.preview.model().index(1, 0).data() == "1700000000.02"
    assert dialog.facts.text().startswith("200 rows · 9 columns · 3.98 s at 50 Hz")
    click(dialog.import_button)
    plan = compile_plan(dialog.edit().apply(Scene()), tmp_path)
    np.testing.assert_allclose(evaluate(plan, 1.0).p_WF[1], [np.sin(1), np.cos(1), 0], atol=1e-3)


def test_that_the_preview_says_how_far_the_smoothed_motion_is_from_the_samples(show, tmp_path) -> None:
    dialog = show(write_csv(tmp_path / "a.csv"))
    assert dialog.form.numbers["bandwidth_hz"].text() == ""
    wait_for(dialog.plot.smoothing.isVisible)
    assert "most accurate" in dialog.plot.smoothing.text()
    type_in(dialog.form.numbers["bandwidth_hz"], "1")
    wait_for(lambda: "smoothed at 1 Hz, as stated" in dialog.plot.smoothing.text())
    assert "Off the samples: " in dialog.plot.smoothing.text()
    assert "mm rms, at most" in dialog.plot.smoothing.text()
    assert "Pose: the samples, exactly" in dialog.plot.smoothing.toolTip()
    click(dialog.import_button)
    assert dialog.edit().apply(Scene()).frames["a"].motion.bandwidth.value == 1.0
