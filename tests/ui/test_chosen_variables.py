"""Variables of recordings in the list of signals: they come in a moment, are searched quickly, and harm nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtTest import QTest

from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.edits.base import Edit
from framescope.ui.plots import signal_chooser
from framescope.ui.plots.plot_panel import PlotPanel
from framescope.ui.plots.signal_chooser import MAX_VARIABLES, SignalChooser
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from tests.support.hands import LEFT, Key
from tests.support.modelica_results import Variables, write
from tests.support.scenes import scene_of

N = 5000
SCENE = """\
framescope: 1
time: {start: 0 s, end: 1 s}
frames:
  arm: {parent: world}
sensors:
  valve: {form: recorded, file: plant_res.mat, time: time, time_unit: s, values: ["unit0.part7.x"]}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    made = Variables(np.linspace(0.0, 1.0, 11))
    for i in range(N):
        made.values[f"unit{i // 50}.part{i % 50}.x"] = made.times + i
    made.descriptions["unit2.part3.x"] = "Torque of it [N.m]"
    return write(tmp_path_factory.mktemp("plant") / "plant_res.mat", made).parent


@pytest.fixture
def panel(qapp, qtbot, folder):
    if current_theme.current() is not DARK or not qapp.styleSheet():
        current_theme.apply_theme(qapp, DARK)
    panel = PlotPanel()
    qtbot.addWidget(panel)
    panel.set_plan(compile_plan(scene_of(SCENE), folder))
    panel.show()
    with qtbot.waitExposed(panel):
        pass
    return panel


def opened(panel, qtbot) -> SignalChooser:
    panel.choose_signal()
    chooser = panel.findChild(SignalChooser)
    qtbot.waitUntil(lambda: not chooser.is_reading)
    return chooser


def texts(chooser) -> list[str]:
    return [chooser.list.item(i).text() for i in range(chooser.list.count())]


def test_that_some_dozens_are_listed_behind_the_signals_and_how_many_more_there_are(panel, qtbot) -> None:
    chooser = opened(panel, qtbot)
    n_signals = len(chooser.choices)
    assert texts(chooser)[:n_signals] == [choice.text for choice in chooser.choices]
    assert len(texts(chooser)) == n_signals + MAX_VARIABLES
    assert chooser.more.text() == f"And {N - MAX_VARIABLES:,} more variables of plant_res.mat. Type part of a name."
    QTest.keyClicks(chooser.search, "part3 unit2.")
    assert texts(chooser)[0] == "unit2.part3.x  ·  N m  ·  in plant_res.mat"
    assert not chooser.more.isVisible()
    assert not chooser.components.isVisible()
    chooser.search.setText("unit2.part3.x")
    assert len(texts(chooser)) == 1
    chooser.reject()


def test_that_a_chosen_variable_is_one_edit(panel, qtbot) -> None:
    edits: list[Edit] = []
    panel.edits.committed.connect(edits.append)
    chooser = opened(panel, qtbot)
    QTest.keyClicks(chooser.search, "unit2.part3.x")
    QTest.mouseClick(chooser.add, LEFT)
    (edit,) = edits
    after = edit.apply(scene_of(SCENE))
    assert list(after.sensors) == ["valve", "unit2.part3.x"]
    assert (after.view.plots[-1].of, after.sensors["unit2.part3.x"].unit) == ("unit2.part3.x", "N m")


def test_that_what_a_person_went_to_meanwhile_stays(panel, qtbot) -> None:
    panel.choose_signal()
    chooser = panel.findChild(SignalChooser)
    assert chooser.more.text() == "Reading the variables of recordings…"
    assert chooser.more.isVisible()
    QTest.keyClick(chooser.search, Key.Key_Down)
    QTest.keyClick(chooser.search, Key.Key_Down)
    text = chooser.list.currentItem().text()
    qtbot.waitUntil(lambda: not chooser.is_reading)
    assert chooser.list.count() > MAX_VARIABLES
    assert (chooser.list.currentRow(), chooser.list.currentItem().text()) == (2, text)
    chooser.reject()


def test_that_nothing_is_read_while_a_person_types(panel, qtbot, monkeypatch) -> None:
    calls: list[object] = []
    monkeypatch.setattr(
        signal_chooser,
        "recorded_variables",
        lambda *args, it=signal_chooser.recorded_variables: calls.append(args) or it(*args),
    )
    chooser = opened(panel, qtbot)
    QTest.keyClicks(chooser.search, "part33 unit")
    assert len(calls) == 1
    chooser.reject()


def test_that_a_chooser_that_is_closed_at_once_and_files_that_are_gone_do_no_harm(panel, qtbot, tmp_path) -> None:
    panel.choose_signal()
    panel.findChild(SignalChooser).reject()
    qtbot.waitUntil(lambda: panel.findChild(SignalChooser) is None)
    panel.set_plan(compile_plan(scene_of(SCENE), tmp_path))
    chooser = opened(panel, qtbot)
    assert len(texts(chooser)) == len(chooser.choices)
    assert not chooser.more.isVisible()
    chooser.reject()
    qtbot.waitUntil(lambda: panel.findChild(SignalChooser) is None)
    panel.set_plan(compile_plan(scene_of("framescope: 1")))
    panel.choose_signal()
    chooser = panel.findChild(SignalChooser)
    assert not chooser.is_reading
    chooser.reject()


def test_that_a_sensor_called_as_its_variable_is_listed_once(panel, qtbot, folder) -> None:
    panel.set_plan(compile_plan(scene_of(SCENE.replace("valve:", "unit0.part7.x:")), folder))
    chooser = opened(panel, qtbot)
    QTest.keyClicks(chooser.search, "unit0.part7.x")
    assert texts(chooser) == [text for text in texts(chooser) if "measured by a sensor" in text]
    assert len(texts(chooser)) == 1
    chooser.reject()
