"""The laboratories beside a session: runs in another process, edits to take back, previews that leave nothing."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from framescope.app.background import latest_task
from framescope.app.session.document import Document
from framescope.app.session.session import Session
from framescope.core.scene.edits.authored_angles import turn_to
from framescope.features.laboratory.app import drift_task
from framescope.features.laboratory.app.laboratory_controller import DriftController, GimbalController
from framescope.features.laboratory.core.drift import run_drift
from framescope.features.laboratory.core.rate_presets import OfFrame, make_rate
from framescope.features.laboratory.ui import DriftPanel, GimbalPanel
from tests.support.hands import LEFT, PLAIN, Key, drag, focus, type_in
from tests.support.tasks_here import TaskHere

SCENE = """\
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  arm: {parent: world, orientation: {form: axes, sequence: XYZ, angles: ["40*t", "30*t", 10], unit: deg}}
  other: {parent: world, orientation: {form: axes, sequence: ZYX, angles: [10, 20, 30], unit: deg}}
"""
WAIT_MS = 20_000


@pytest.fixture
def session(qapp, tmp_path):
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE, encoding="utf-8")
    session = Session(Document.open(path))
    session.start()
    session.select(("frames", "arm"))
    yield session
    session.close()


def window_of(panel, qtbot, header=()) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    column, row = QVBoxLayout(window), QHBoxLayout()
    for button in header:
        row.addWidget(button)
    column.addLayout(row)
    column.addWidget(panel, 1)
    window.resize(980, 900)
    return window


def show(window, qtbot) -> None:
    window.show()
    with qtbot.waitExposed(window):
        pass
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


@pytest.fixture
def drift(qtbot, dark, session):
    panel = DriftPanel()
    window = window_of(panel, qtbot, panel.header_widgets())
    owner = DriftController(session, panel)
    panel.edits.items_committed.connect(session.commit)
    show(window, qtbot)
    settle(panel, owner, qtbot)
    panel.owner, panel.speech = owner, []
    panel.status.connect(lambda kind, text: panel.speech.append((kind, text)))
    yield panel
    owner.close()
    window.close()


@pytest.fixture
def gimbal(qtbot, dark, session):
    panel = GimbalPanel()
    window = window_of(panel, qtbot)
    GimbalController(session, panel)
    show(window, qtbot)
    yield panel
    window.close()


def settle(panel, owner, qtbot) -> None:
    def is_done() -> bool:
        rows = panel.rows
        return not owner.worker.is_busy and bool(rows) and rows[0].study is not None

    qtbot.waitUntil(is_done, timeout=WAIT_MS)


def choose(combo, text: str) -> None:
    focus(combo)
    QTest.keyClick(combo, Key.Key_Home)
    for _ in range(combo.findText(text)):
        QTest.keyClick(combo, Key.Key_Down)
    assert combo.currentText() == text


def click(widget) -> None:
    QTest.mouseClick(widget, LEFT, PLAIN, widget.rect().center())


# --- Drift


def test_that_a_panel_that_is_shown_is_filled(drift) -> None:
    row = drift.rows[0]
    assert row.run.end_error > 0.0
    assert row.study.fit.order == pytest.approx(4.0, abs=0.1)


def test_that_the_newest_of_many_wishes_is_what_is_shown(drift, session, qtbot) -> None:
    slider = drift.choices.slider
    drag(slider, slider.knob_x(), 14, steps=20)
    drag(slider, slider.knob_x(), slider.width() * 0.7, steps=20)
    settle(drift, drift.owner, qtbot)
    run = drift.rows[0].run
    assert run.settings == drift.choices.settings
    again = run_drift(make_rate(run.choice, session.plan), run.settings)
    np.testing.assert_array_equal(run.error, again.error)


def test_that_an_edit_of_the_frame_is_run_anew_and_one_of_another_is_not(drift, session, qtbot) -> None:
    choose(drift.choices.rate, "of the selected frame")
    settle(drift, drift.owner, qtbot)
    before = drift.rows[0].run
    assert before.choice == OfFrame("arm")
    session.commit(turn_to("other", 0, 0.3, 0.0, "turned"))
    settle(drift, drift.owner, qtbot)
    assert drift.rows[0].run is before
    session.commit(turn_to("arm", 2, 0.7, 0.0, "turned"))
    qtbot.waitUntil(lambda: bool(drift.rows) and drift.rows[0].run is not before, timeout=WAIT_MS)
    settle(drift, drift.owner, qtbot)
    run = drift.rows[0].run
    np.testing.assert_array_equal(run.error, run_drift(make_rate(OfFrame("arm"), session.plan), run.settings).error)
    session.select(("frames", "other"))
    qtbot.waitUntil(lambda: drift.rows[0].run.choice == OfFrame("other"), timeout=WAIT_MS)


def test_that_what_changed_while_hidden_is_run_when_it_is_seen_again(drift, session, qtbot) -> None:
    choose(drift.choices.rate, "of the selected frame")
    settle(drift, drift.owner, qtbot)
    before = drift.rows[0].run
    drift.hide()
    session.commit(turn_to("arm", 2, 0.7, 0.0, "turned"))
    session.select(("frames", "other"))
    session.select(("frames", "arm"))
    assert not drift.owner.worker.is_busy
    drift.show()
    qtbot.waitUntil(lambda: drift.rows[0].run is not before, timeout=WAIT_MS)


def test_that_a_run_is_put_into_the_scene_in_one_step_that_can_be_taken_back(drift, session, qtbot) -> None:
    choose(drift.choices.rate, "of the selected frame")
    click(drift.put_button)
    assert "arm by rk4" in session.plan.index
    assert not session.plan.problems
    session.undo()
    assert "arm by rk4" not in session.plan.index


def test_that_a_hand_in_a_plot_takes_the_time_along(drift, session) -> None:
    canvas = drift.error.canvas
    at = QPoint(round(canvas.pixel_of(2.5)), round(canvas.area.center().y()))
    QTest.mouseClick(canvas.viewport(), LEFT, PLAIN, at)
    assert session.playback.t == pytest.approx(2.5, abs=0.05)
    assert drift.error.value.text()


def test_that_a_refusal_comes_back_from_the_thread(drift, qtbot) -> None:
    type_in(drift.choices.step, "0.00001")
    qtbot.waitUntil(lambda: "steps are more than" in drift.refusal.text(), timeout=WAIT_MS)
    assert not drift.rows


def test_that_the_table_is_written_where_a_person_says(drift, tmp_path, monkeypatch) -> None:
    target = tmp_path / "runs"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    click(drift.save_button)
    assert (tmp_path / "runs.csv").read_text(encoding="utf-8").startswith("rate,equation,method")
    assert drift.speech[-1] == ("good", "Wrote runs.csv")
    target = tmp_path / "nowhere" / "runs.csv"
    click(drift.save_button)
    assert drift.speech[-1][0] == "red"


def test_that_a_fault_in_a_run_is_said(drift, qtbot, monkeypatch) -> None:
    def broken(*_args):
        raise ArithmeticError("out of numbers")

    monkeypatch.setattr(latest_task, "WorkerTask", TaskHere)
    monkeypatch.setattr(drift_task, "run_drift", broken)
    type_in(drift.choices.step, "30")
    qtbot.waitUntil(lambda: "out of numbers" in drift.refusal.text(), timeout=WAIT_MS)


# --- Gimbal


def test_that_the_path_is_seen_in_the_scene_and_leaves_nothing_there(gimbal, session) -> None:
    before = session.document.scene
    click(gimbal.preview_button)
    assert session.is_previewing
    np.testing.assert_allclose(session.plan.angles("arm", 0.0)[0], gimbal.rings.angles, atol=1e-9)
    type_in(gimbal.place, "20")
    np.testing.assert_allclose(session.plan.angles("arm", 0.0)[0], gimbal.rings.angles, atol=1e-9)
    assert session.plan.view_data.rings
    click(gimbal.preview_button)
    assert not session.is_previewing
    assert session.document.scene is before
    assert not session.plan.view_data.rings


def test_that_an_edit_ends_the_preview(gimbal, session) -> None:
    click(gimbal.preview_button)
    session.commit(turn_to("other", 0, 0.3, 0.0, "turned"))
    assert not gimbal.preview_button.isChecked()
    type_in(gimbal.place, "20")
    assert not session.is_previewing


def test_that_the_own_motion_follows_selection_edits_and_time(gimbal, session) -> None:
    click(gimbal.kind.buttons["own motion"])
    assert "t = 3.00 s" in gimbal.verdict.text()
    session.commit(turn_to("arm", 1, np.deg2rad(30.0), 0.0, "turned"))  # angle 2 is 90 degrees at 2 s now
    assert "t = 2.00 s" in gimbal.verdict.text()
    session.scrub(1.0)
    np.testing.assert_allclose(np.cos(gimbal.rings.angles), np.cos(session.plan.angles("arm", 1.0)[0]), atol=1e-9)
    session.select(("frames", "other"))
    assert "other" in gimbal.verdict.text()
