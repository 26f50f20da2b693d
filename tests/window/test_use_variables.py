"""Variables of recordings plotted in the whole window by keys: of a Modelica result, and of a table."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.ui.plots.signal_chooser import SignalChooser
from tests.support.hands import CTRL, Key, strike
from tests.support.modelica_results import pendulum, write
from tests.support.whole_window import strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")

OF_RESULT = """\
framescope: 1
time: {start: 0 s, end: 2 s}
frames:
  bar:
    parent: world
    motion:
      {form: recorded, file: run_res.mat, format: table, mends: [drop duplicates], columns: {time: time, time_unit: s,
      position: ["boxBody1.frame_b.r_0[1]", "boxBody1.frame_b.r_0[2]", "boxBody1.frame_b.r_0[3]"], position_unit: m}}
"""
OF_TABLE = """\
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  door:
    parent: world
    motion: {form: joint, type: revolute, unit: deg, recording: {file: run.csv, time: t, time_unit: s, column: angle}}
"""


def plot_by_keys(wiring, typed: str) -> np.ndarray:
    """Return time and values of the curve that appears when a variable is typed in the list of signals."""
    n_before = len(wiring.session.document.scene.view.plots)
    strike_in(wiring, Key.Key_P, CTRL)
    chooser = wiring.window.findChild(SignalChooser)
    wait_for(chooser.isActiveWindow)
    QTest.keyClicks(QApplication.focusWidget(), typed)
    wait_for(lambda: chooser.list.count() > 0)
    strike(chooser, Key.Key_Return)
    plots = wiring.window.plots
    wait_for(lambda: len(wiring.session.document.scene.view.plots) == n_before + 1)
    wait_for(lambda: len(plots.plots) == n_before + 1 and plots.plots[-1].curves is not None)
    curves = plots.plots[-1].curves
    return np.stack([curves.t, curves.ys[0]])


def test_that_a_variable_of_a_result_is_typed_and_has_its_curve_and_one_undo(shared_window, tmp_path) -> None:
    made = pendulum()
    made.values["damper.lossPower"] = 3.0 * made.times**2
    made.descriptions["damper.lossPower"] = "Power that is lost [W]"
    write(tmp_path / "run_res.mat", made)
    (tmp_path / "run.yaml").write_text(OF_RESULT, "utf-8")
    wiring = shared_window(tmp_path / "run.yaml")
    session = wiring.session
    before = session.document.scene
    t, values = plot_by_keys(wiring, "lossp damper")
    np.testing.assert_allclose(values, np.interp(t, made.times, made.values["damper.lossPower"]), atol=1e-9)
    assert wiring.window.plots.plots[-1].curves.unit == "W"
    assert list(session.document.scene.sensors) == ["damper.lossPower"]
    assert session.document.history.undo_label == "Added a plot of damper.lossPower"
    strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene is before


def test_that_a_column_is_plotted_a_second_time_by_the_sensor_that_there_is(shared_window, tmp_path) -> None:
    rows = "\n".join(f"{i},{10 * i},{i * i}" for i in range(5))
    (tmp_path / "run.csv").write_text(f"t,angle,flow\n{rows}\n", "utf-8")
    (tmp_path / "door.yaml").write_text(OF_TABLE, "utf-8")
    wiring = shared_window(tmp_path / "door.yaml")
    session = wiring.session
    for _ in range(2):
        t, values = plot_by_keys(wiring, "flow")
        np.testing.assert_allclose(values, np.interp(t, range(5), [0, 1, 4, 9, 16]), atol=1e-9)
        assert list(session.document.scene.sensors) == ["flow"]
    assert [plot.of for plot in session.document.scene.view.plots] == ["flow", "flow"]
