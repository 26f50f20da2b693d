"""Decisions in the import dialog: marked by their certainty, and both orders of a quaternion to compare."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtTest import QTest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.recordings.tables.mixed import read_mixed
from framescope.core.scene.schema.model import Scene
from framescope.features.table_import.ui.import_dialog import ImportDialog
from framescope.features.table_import.ui.preview_plot import BOTH, POSITION
from tests.features.table_import.ui.test_importing import choose
from tests.imports.motions import drive, pose, quat, text, tumble, walk, xyz
from tests.support.hands import LEFT, PLAIN

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def show(qtbot, tmp_path):
    def shown(content: str, name: str = "walk.csv") -> ImportDialog:
        path = tmp_path / name
        path.write_text(content, "utf-8")
        dialog = ImportDialog(path, read_mixed(path), Scene(), folder=tmp_path)
        qtbot.addWidget(dialog)
        dialog.show()
        with qtbot.waitExposed(dialog):
            pass
        dialog.activateWindow()
        qtbot.waitUntil(dialog.isActiveWindow)
        return dialog

    return shown


def evaluated(dialog: ImportDialog, folder, t: float):
    plan = compile_plan(dialog.edit().apply(Scene()), folder)
    assert [problem for problem in plan.problems if problem.severity == "red"] == []
    return evaluate(plan, t)


def test_that_a_table_whose_names_say_all_has_one_mark_for_what_numbers_cannot_tell(show) -> None:
    m = walk()
    named = (
        {"time [s]": m.t} | {f"{k} [m]": v for k, v in xyz(m).items()} | quat(m) | {"battery": np.full(len(m.t), 9.0)}
    )
    dialog = show(text(named))
    marked = {key for key in ("time", "position_unit", "form", "order", "maps", "pose") if dialog.form.is_marked(key)}
    assert marked == {"maps", "pose"}
    assert not dialog.form.is_doubtful("order")
    assert dialog.plot.switch.choice == POSITION
    assert not dialog.plot.other.isVisible()


def test_that_both_orders_of_a_table_without_a_header_stand_side_by_side_until_one_is_chosen(show, tmp_path) -> None:
    m = tumble()
    columns = {"t": m.t} | xyz(m) | quat(m, "qw qx qy qz")
    dialog = show(text(columns, header=False))
    assert dialog.form.is_marked("order")
    assert dialog.form.is_doubtful("order")
    assert dialog.plot.switch.choice == BOTH
    assert dialog.plot.plot.isVisible()
    assert dialog.plot.other.isVisible()
    wanted = {"xyzw": "w x y z, scalar first", "wxyz": "x y z w, scalar last"}[dialog.choices.order]
    choose(dialog.form.boxes["order"], wanted)
    assert not dialog.form.is_doubtful("order")
    assert dialog.form.reason_of("order") == "chosen by you"
    assert not dialog.plot.other.isVisible()
    choose(dialog.form.boxes["order"], "w x y z, scalar first")
    found = evaluated(dialog, tmp_path, float(m.t[30]))
    np.testing.assert_allclose(found.R_WF[1], m.R[30], atol=0.1)


def test_that_the_plots_of_both_orders_can_be_left_by_the_mouse(show) -> None:
    m = tumble()
    dialog = show(text({"t": m.t} | xyz(m) | quat(m), header=False))
    assert dialog.plot.other.isVisible()
    button = dialog.plot.switch.buttons[POSITION]
    QTest.mouseClick(button, LEFT, PLAIN, button.rect().center())
    assert dialog.plot.switch.choice == POSITION
    assert not dialog.plot.other.isVisible()


def test_that_a_heading_is_read_the_way_it_is_chosen_to_count(show, tmp_path) -> None:
    m = drive()
    still = {"t": m.t, "x": 0.0 * m.t, "y": 0.0 * m.t, "heading": np.degrees(np.pi / 2 - m.angles[:, 0])}
    dialog = show(text(still))
    assert dialog.choices.form == "heading"
    assert dialog.form.boxes["counts"].isVisible()
    assert dialog.form.is_marked("counts")
    assert dialog.choices.counts == "compass"
    i = 30
    np.testing.assert_allclose(evaluated(dialog, tmp_path, float(m.t[i])).R_WF[1], m.R[i], atol=0.02)
    choose(dialog.form.boxes["counts"], "counterclockwise from x")
    turned = evaluated(dialog, tmp_path, float(m.t[i])).R_WF[1]
    assert turned[0, 0] == pytest.approx(np.sin(m.angles[i, 0]), abs=0.02)
    assert dialog.form.reason_of("counts") == "chosen by you"


def test_that_a_matrix_is_turned_over_where_it_is_chosen_to_stand_column_by_column(show, tmp_path) -> None:
    m = tumble()
    cells = dict(zip((f"c{i}" for i in range(9)), np.swapaxes(m.R, -1, -2).reshape(-1, 9).T, strict=True))
    dialog = show(text({"t": m.t} | cells | xyz(m), " ", header=False), "walk.txt")
    assert dialog.form.is_marked("major")
    choose(dialog.form.boxes["major"], "column by column")
    np.testing.assert_allclose(evaluated(dialog, tmp_path, float(m.t[30])).R_WF[1], m.R[30], atol=0.1)


def test_that_inverse_poses_are_open_and_read_right_when_the_other_direction_is_chosen(show, tmp_path) -> None:
    m = walk()
    dialog = show(text(pose(m.inverse)))
    assert dialog.form.is_marked("pose")
    assert dialog.form.reason_of("pose").startswith("perhaps parent in frame: the rotation carries the positions")
    box = dialog.form.boxes["pose"]
    descriptions = {box.accessibleDescription(), box.parentWidget().accessibleDescription()}
    assert any("Open: choose frame in parent or parent in frame" in text for text in descriptions)
    other = next(box.itemText(i) for i in range(box.count()) if i != box.currentIndex())
    choose(box, other)
    assert dialog.choices.pose == "parent in frame"
    assert dialog.form.reason_of("pose") == "chosen by you"
    np.testing.assert_allclose(evaluated(dialog, tmp_path, float(m.t[30])).R_WF[1], m.R[30], atol=0.1)
