"""Variables of recordings in the question bar: they come in a moment, are searched quickly, and harm nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.edits.recordings import add_recorded_plot
from framescope.core.scene.schema.model import Scene
from framescope.ui.panels.question import question_choices
from framescope.ui.panels.question.question_bar import Aim, QuestionBar
from framescope.ui.panels.question.question_choices import MAX_VARIABLES, all_signals
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import DARK
from tests.support.hands import LEFT, PLAIN, Key
from tests.support.modelica_results import Variables, write
from tests.support.questions import hit, type_text
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
def bar(qapp, qtbot, folder):
    if current_theme.current() is not DARK or not qapp.styleSheet():
        current_theme.apply_theme(qapp, DARK)
    bar = QuestionBar()
    qtbot.addWidget(bar)
    bar.resize(1100, 40)
    bar.set_plan(compile_plan(scene_of(SCENE), folder))
    bar.show()
    with qtbot.waitExposed(bar):
        pass
    bar.activateWindow()
    qtbot.waitUntil(bar.isActiveWindow)
    yield bar
    for field in (bar.what, bar.of):
        field.popup.hide()


def open_list(bar, qtbot, *, waits: bool = True) -> None:
    """Open the list of items as a click does, and wait for the variables."""
    QTest.mouseClick(bar.of.line, LEFT, PLAIN, QPoint(12, 10))
    assert bar.of.is_open
    if waits:
        qtbot.waitUntil(lambda: not bar.variables.is_reading)


def last_row(field) -> tuple[str, bool]:
    """Return the last row of an open list, and whether it can be selected."""
    index = field.popup.model().index(field.popup.model().rowCount() - 1, 0)
    return index.data(), bool(index.flags())


def test_that_some_dozens_are_listed_behind_the_items_and_how_many_more_there_are(bar, qtbot) -> None:
    assert not bar.variables.is_reading
    assert bar.of.offered == []
    open_list(bar, qtbot)
    assert bar.of.offered[:2] == ["arm", "valve"]
    assert len(bar.of.offered) == 2 + MAX_VARIABLES
    more = f"And {N - MAX_VARIABLES:,} more variables of plant_res.mat. Type part of a name."
    assert last_row(bar.of) == (more, False)
    type_text("part3 unit2.")
    assert bar.of.offered[0] == "unit2.part3.x  ·  N m  ·  in plant_res.mat"
    assert last_row(bar.of)[0] == bar.of.offered[-1]
    hit(Key.Key_Down)
    hit(Key.Key_Return)
    assert bar.of.name == "unit2.part3.x"
    assert not bar.component.isVisible()
    assert not bar.unit.isVisible()
    open_list(bar, qtbot)
    type_text("unit4.part3.x")
    hit(Key.Key_Return)  # a whole name is enough
    assert bar.variable.name == "unit4.part3.x"


def test_that_a_chosen_variable_is_one_edit(bar, qtbot) -> None:
    asked: list[tuple] = []
    bar.variable_asked.connect(lambda *values: asked.append(values))
    bar.ask(Aim("curve"))
    qtbot.waitUntil(lambda: not bar.variables.is_reading)
    type_text("unit2.part3.x")
    assert bar.what.offered[0].startswith("unit2.part3.x")
    hit(Key.Key_Return)
    ((sensor, aim),) = asked
    assert aim == Aim("curve")
    after = add_recorded_plot(sensor).apply(scene_of(SCENE))
    assert list(after.sensors) == ["valve", "unit2.part3.x"]
    assert (after.view.plots[-1].of, after.sensors["unit2.part3.x"].unit) == ("unit2.part3.x", "N m")


def test_that_a_variable_that_a_sensor_shows_is_asked_as_this_sensor(bar, qtbot) -> None:
    open_list(bar, qtbot)
    type_text("unit0.part7.x")
    hit(Key.Key_Return)
    assert bar.variable is None
    assert (bar.question.signal, bar.question.of) == ("sensor", "valve")


def test_that_the_row_to_which_a_person_went_meanwhile_stays(bar, qtbot) -> None:
    open_list(bar, qtbot, waits=False)
    assert last_row(bar.of) == ("Reading the variables of recordings…", False)
    hit(Key.Key_Down)
    hit(Key.Key_Down)
    text = bar.of.popup.currentIndex().data()
    qtbot.waitUntil(lambda: not bar.variables.is_reading)
    assert len(bar.of.offered) > MAX_VARIABLES
    assert (bar.of.popup.currentIndex().row(), bar.of.popup.currentIndex().data()) == (1, text)


def test_that_nothing_is_read_while_a_person_types(bar, qtbot, monkeypatch) -> None:
    calls: list[object] = []
    monkeypatch.setattr(
        question_choices,
        "recorded_variables",
        lambda *args, it=question_choices.recorded_variables: calls.append(args) or it(*args),
    )
    open_list(bar, qtbot)
    type_text("part33 unit")
    assert len(calls) == 1


def test_that_a_bar_that_is_closed_at_once_and_files_that_are_gone_do_no_harm(bar, qtbot, tmp_path) -> None:
    open_list(bar, qtbot, waits=False)
    hit(Key.Key_Escape)
    assert not bar.of.is_open
    qtbot.waitUntil(lambda: not bar.variables.is_reading)
    assert not bar.of.is_open
    bar.set_plan(compile_plan(scene_of(SCENE.replace("0 s", "0.1 s")), tmp_path))
    open_list(bar, qtbot)
    assert bar.of.offered == ["arm", "valve"]
    assert last_row(bar.of)[1]
    hit(Key.Key_Escape)
    bar.set_plan(compile_plan(scene_of("framescope: 1")))
    assert not bar.isEnabled()
    bar.variables.read()
    assert not bar.variables.is_reading


def test_that_a_sensor_called_as_its_variable_is_listed_once(bar, qtbot, folder) -> None:
    bar.set_plan(compile_plan(scene_of(SCENE.replace("valve:", "unit0.part7.x:")), folder))
    open_list(bar, qtbot)
    type_text("unit0.part7.x")
    assert bar.of.offered == ["unit0.part7.x"]


def test_that_every_signal_of_the_scene_is_found_by_typing(bar) -> None:
    bar.ask()
    type_text("a")
    rows = set(bar.what.offered)
    for choice in all_signals(scene_of(SCENE)):
        if "a" in choice.text:
            assert {choice.text, choice.quantity} & rows


def test_that_a_search_without_a_hit_asks_nothing(bar, qtbot) -> None:
    refused: list[str] = []
    bar.refused.connect(lambda _kind, text: refused.append(text))
    asked: list[object] = []
    bar.asked.connect(lambda *values: asked.append(values))
    before = bar.question
    bar.ask(Aim("curve"))
    type_text("zebra")
    assert bar.what.offered == []
    hit(Key.Key_Return)
    assert "still being read" in refused[-1]
    qtbot.waitUntil(lambda: not bar.variables.is_reading)
    hit(Key.Key_Return)
    assert refused[-1].startswith("Nothing is called “zebra”")
    assert (asked, bar.question) == ([], before)
    hit(Key.Key_Escape)
    assert bar.what.line.text() == bar.what.name


def test_that_a_search_among_thousands_of_signals_makes_no_plots(bar, monkeypatch) -> None:
    frames = {f"node {i}": {"parent": "world"} for i in range(2000)}
    bar.set_plan(compile_plan(Scene.model_validate({"framescope": 1, "frames": frames})))
    calls: list[object] = []
    monkeypatch.setattr(
        question_choices,
        "signal_of_frame",
        lambda *args, it=question_choices.signal_of_frame: calls.append(args) or it(*args),
    )
    bar.ask()
    type_text("node 1987 velo")
    assert bar.what.offered == [
        "node 1987  ·  velocity  ·  relative to world",
        "node 1987  ·  angular velocity  ·  relative to world",
    ]
    assert calls == []
    hit(Key.Key_Return)
    assert (bar.question.signal, bar.question.of) == ("velocity", "node 1987")
    assert 0 < len(calls) < 10
