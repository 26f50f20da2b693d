"""Variables of recordings plotted in the whole window by keys: of a Modelica result, and of a table."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.hands import CTRL, Key
from tests.support.modelica_results import pendulum, write
from tests.support.questions import ask, hit, type_text
from tests.support.whole_window import click, strike_in, wait_for

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
    """Return time and values of the curve that appears when a variable is typed in the question bar."""
    n_before = len(wiring.session.document.scene.view.plots)
    ask(wiring, typed, Key.Key_P, CTRL, None)
    wait_for(lambda: bool(wiring.window.question.what.offered))
    hit(Key.Key_Return)
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


def test_that_a_variable_is_asked_for_by_its_name_and_answered_as_number_and_sentence(shared_window, tmp_path) -> None:
    made = pendulum()
    made.values["damper.lossPower"] = np.full_like(made.times, 3.0)
    made.descriptions["damper.lossPower"] = "Heat lost [W]"
    write(tmp_path / "run_res.mat", made)
    (tmp_path / "run.yaml").write_text(OF_RESULT, "utf-8")
    wiring = shared_window(tmp_path / "run.yaml")
    session, bar = wiring.session, wiring.window.question
    before = session.document.scene
    assert not bar.variables.is_reading  # a scene that opens reads no names
    assert not bar.variables.find("damper").count
    click(bar.of.line)
    assert bar.variables.is_reading
    assert "Reading the variables of recordings…" in shown_in(bar.of)
    wait_for(lambda: not bar.variables.is_reading)
    assert any(row.endswith("in run_res.mat") for row in bar.of.offered)
    type_text("loss")
    hit(Key.Key_Return)
    assert (bar.what.name, bar.of.name, bar.question) == ("recorded values", "damper.lossPower", None)
    assert not bar.relative_to.isVisible()
    assert not bar.buttons["arrow"].isEnabled()
    assert session.document.scene is before
    click(bar.buttons["number"])
    assert list(session.document.scene.sensors) == ["damper.lossPower"]
    assert (bar.question.signal, bar.question.of) == ("sensor", "damper.lossPower")
    assert bar.buttons["number"].isChecked()
    click(bar.buttons["sentence"])
    number, sentence = wiring.questions.cards.cards
    assert number.row.texts() == ["3.0000"]
    assert "3" in sentence.sentence.text()
    strike_in(wiring, Key.Key_Z, CTRL)
    strike_in(wiring, Key.Key_Z, CTRL)
    assert session.document.scene is before
    assert bar.question is not None


def shown_in(field) -> list[str]:
    model = field.popup.model()
    return [model.index(i, 0).data() for i in range(model.rowCount())]
