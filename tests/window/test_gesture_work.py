"""Work of a gesture: the picture comes first, numbers and curves once after it, and all is exact once it ends."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QDockWidget

from framescope.app import startup
from framescope.app.controllers import after_picture
from framescope.app.session.document import Document
from framescope.ui.panels.inspector.inspector import Inspector
from framescope.ui.panels.relation.readouts_panel import ReadOuts
from framescope.ui.plots.plot import Plot
from framescope.ui.plots.plot_content import COARSE, FINE, PlotContents, plot_contents
from framescope.ui.plots.strip_chart import Strip
from framescope.ui.theme.tokens import METRICS
from tests.support.hands import Key, move, press, release, show, strike
from tests.support.scenes import scene_of
from tests.support.whole_window import wait_for

SCENE = """\
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  base: {parent: world, orientation: {form: axes, sequence: XYZ, angles: [10, 20, 30], unit: deg}}
  arm:
    parent: base
    position: {value: [0.3, 0, 0], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: ["90*t", "20*sin(t)", 0], unit: deg}
  aside: {parent: world, orientation: {form: axes, sequence: XYZ, angles: ["40*t", 0, 0], unit: deg}}
view:
  plots:
    - {signal: velocity, of: arm, relative_to: world, resolved_in: world, unit: m/s}
    - {signal: quaternion, of: arm, relative_to: world}
    - {signal: angles, of: aside, relative_to: world, sequence: XYZ, unit: deg}
"""


class Watch(QObject):
    """Counts pictures, and the work that a gesture gives, in the order in which they come."""

    def __init__(self, monkeypatch, window) -> None:
        super().__init__()
        self.told: list[str] = []
        self.samples: list[int] = []
        self.painted: Counter[str] = Counter()
        self.painted_before_picture: Counter[str] = Counter()
        self.laid_out: Counter[str] = Counter()
        window.scene_view.frameSwapped.connect(self._on_picture)
        for kind, name in ((Plot, "set_curves"), (Inspector, "set_plan"), (ReadOuts, "set_plan"), (Strip, "refresh")):
            self._count(monkeypatch, kind, name)
        contents_of = PlotContents.of

        def of(contents: PlotContents, plan: Any, n_samples: int, *args: Any, **more: Any) -> Any:
            self.samples.append(n_samples)
            return contents_of(contents, plan, n_samples, *args, **more)

        monkeypatch.setattr(PlotContents, "of", of)
        QApplication.instance().installEventFilter(self)

    def _on_picture(self) -> None:
        if "picture" not in self.told:
            self.painted_before_picture = self.painted.copy()
        self.told.append("picture")

    def _count(self, monkeypatch, kind: type, name: str) -> None:
        do = getattr(kind, name)

        def counted(widget: Any, *args: Any, **more: Any) -> Any:
            self.told.append(f"{kind.__name__}.{name}")
            return do(widget, *args, **more)

        monkeypatch.setattr(kind, name, counted)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.painted[type(watched).__name__] += 1
        elif event.type() == QEvent.Type.LayoutRequest:
            self.laid_out[type(watched).__name__] += 1
        return False

    def forget(self) -> None:
        self.told.clear()
        self.samples.clear()
        self.painted.clear()
        self.laid_out.clear()


@pytest.fixture
def wiring(qtbot, dark, monkeypatch):
    monkeypatch.setattr(after_picture, "MOST_LATE_MS", 2000)  # a busy machine draws a picture slowly
    wiring = startup.window_on(Document(scene_of(SCENE), is_handed_back=True))
    show(wiring.window, qtbot)
    wiring.window.show_dock("readouts")
    wiring.session.select(("frames", "base"))
    yield wiring
    wiring.session.document.is_handed_back = True
    wiring.window.close()
    wiring.window.deleteLater()


@pytest.fixture
def watch(wiring, monkeypatch):
    # A gesture of the test never rests by itself, however slow the machine is.
    wiring.session.rest_timer.setInterval(3_600_000)
    watch = Watch(monkeypatch, wiring.window)
    settle(wiring)
    watch.forget()
    yield watch
    QApplication.instance().removeEventFilter(watch)


@pytest.fixture
def slider(wiring):
    return wiring.window.inspector.orientation.rows[0].slider


def settle(wiring) -> None:
    wait_for(lambda: not wiring.is_behind)
    for _ in range(5):
        QApplication.processEvents()


def take_hold(wiring, slider, watch) -> float:
    x = slider.knob_x()
    press(slider, x)
    settle(wiring)
    watch.forget()
    return x


def test_that_a_picture_of_a_gesture_comes_before_its_numbers_and_curves(wiring, watch, slider) -> None:
    x = take_hold(wiring, slider, watch)
    for by in (9, 17, 24):
        watch.forget()
        move(slider, x + by)
        assert watch.told == []
        wait_for(lambda: not wiring.is_behind)
        assert watch.told[0] == "picture"
        settle(wiring)
        assert watch.painted["SceneView"] == 1, "one movement is drawn once"
        assert watch.told.count("Plot.set_curves") == 3
        assert watch.told.count("Inspector.set_plan") == watch.told.count("ReadOuts.set_plan") == 1
        assert watch.samples == [COARSE]
    release(slider, x + 24)


def test_that_a_drag_lays_nothing_out_anew(wiring, watch, slider, monkeypatch) -> None:
    monkeypatch.setattr(wiring.window.status, "set_facts", lambda *_, **__: None)  # the frame rate, once a second
    x = take_hold(wiring, slider, watch)
    move(slider, x + 9)
    settle(wiring)
    watch.forget()
    for by in (12, 17):
        move(slider, x + by)
        settle(wiring)
    assert not watch.laid_out
    release(slider, x + 17)


def test_that_a_selection_paints_the_inspector_once(wiring, watch) -> None:
    """Selecting a frame with formulas lays the panel out anew, which is done before it is painted."""
    for name in ("arm", "base", "arm"):
        watch.forget()
        wiring.session.select(("frames", name))
        settle(wiring)
        assert watch.laid_out["OrientationPanel"] > 0, "else nothing is tested"
        assert watch.painted["AngleSlider"] == 3
        assert watch.painted["SceneView"] == 1


def test_that_movements_between_two_pictures_give_one_update(wiring, watch, slider) -> None:
    x = take_hold(wiring, slider, watch)
    for by in range(5, 30, 2):
        move(slider, x + by)
    wait_for(lambda: not wiring.is_behind)
    assert watch.samples == [COARSE]
    assert watch.told.count("Plot.set_curves") == 3
    assert watch.told.count("Inspector.set_plan") == 1
    release(slider, x + 30)


def test_that_curves_come_at_most_once_for_each_picture_of_a_long_drag(wiring, watch, slider) -> None:
    x = take_hold(wiring, slider, watch)
    for by in range(1, 40):
        move(slider, x + by)
        QApplication.processEvents()
    settle(wiring)
    n_updates = watch.told.count("Inspector.set_plan")
    assert 0 < n_updates <= watch.told.count("picture")
    assert watch.told.count("Plot.set_curves") == 3 * n_updates
    release(slider, x + 40)


def test_that_curves_come_though_no_picture_is_drawn(wiring, watch, slider) -> None:
    x = take_hold(wiring, slider, watch)
    wiring.window.scene_view.setUpdatesEnabled(False)
    move(slider, x + 20)
    wait_for(lambda: not wiring.is_behind)
    assert watch.samples == [COARSE]
    release(slider, x + 20)
    wiring.window.scene_view.setUpdatesEnabled(True)


def test_that_numbers_and_curves_are_exact_once_a_gesture_ends(wiring, watch, slider) -> None:
    x = take_hold(wiring, slider, watch)
    for by in (10, 20, 35):
        move(slider, x + by)
    release(slider, x + 35)  # before any picture
    assert_exact(wiring)
    settle(wiring)
    assert_exact(wiring)


def test_that_numbers_and_curves_are_exact_once_a_gesture_is_given_up(wiring, watch, slider) -> None:
    x = take_hold(wiring, slider, watch)
    move(slider, x + 25)
    settle(wiring)
    move(slider, x + 30)
    strike(wiring.window, Key.Key_Escape)
    assert not wiring.session.is_previewing
    assert_exact(wiring)
    settle(wiring)
    assert_exact(wiring)


def test_that_curves_are_exact_where_a_hand_rests_without_letting_go(wiring, watch, slider) -> None:
    x = take_hold(wiring, slider, watch)
    move(slider, x + 25)
    wiring.session.rest_timer.timeout.emit()
    assert wiring.session.is_previewing
    assert watch.samples == [FINE]
    assert_curves_exact(wiring)
    release(slider, x + 25)


def test_that_a_selection_amid_a_gesture_sees_the_present_plan(wiring, watch, slider) -> None:
    x = take_hold(wiring, slider, watch)
    move(slider, x + 25)
    wiring.session.select(("frames", "arm"))
    assert wiring.window.inspector.plan is wiring.session.plan
    assert wiring.window.readouts.plan is wiring.session.plan
    release(slider, x + 25)


def test_that_curves_that_a_gesture_leaves_alone_are_neither_made_nor_painted(wiring, watch, slider) -> None:
    wiring.session.select(("frames", "aside"))
    settle(wiring)
    before = [plot.curves for plot in wiring.window.plots.plots]
    # What is dragged is the first angle of `aside`, which time drives: it is its constant part that moves.
    x = take_hold(wiring, slider, watch)
    move(slider, x + 15)
    wait_for(lambda: not wiring.is_behind)
    after = [plot.curves for plot in wiring.window.plots.plots]
    release(slider, x + 15)
    assert [a is b for a, b in zip(before, after, strict=True)] == [False, False, False]  # they are coarse now
    before, x = after, take_hold(wiring, slider, watch)
    assert_curves_exact(wiring)
    move(slider, x + 8)
    wait_for(lambda: not wiring.is_behind)
    before = [plot.curves for plot in wiring.window.plots.plots]
    move(slider, x + 16)
    wait_for(lambda: not wiring.is_behind)
    after = [plot.curves for plot in wiring.window.plots.plots]
    assert [a is b for a, b in zip(before, after, strict=True)] == [True, True, False]
    release(slider, x + 16)
    assert_exact(wiring)


def test_that_a_gesture_paints_no_plot_before_its_curves(wiring, watch, slider) -> None:
    x = take_hold(wiring, slider, watch)
    move(slider, x + 10)  # with the first movement the record of the hand begins
    settle(wiring)
    watch.forget()
    move(slider, x + 20)
    wait_for(lambda: "picture" in watch.told)
    assert watch.painted_before_picture["AngleSlider"] == 1
    assert watch.painted_before_picture["PlotHeader"] == 0
    assert watch.painted_before_picture["TimeTrack"] == 0
    release(slider, x + 20)


def test_that_hidden_plots_are_left_alone_by_a_gesture(wiring, watch, slider) -> None:
    dock = wiring.window.findChild(QDockWidget, "plots")
    dock.hide()
    settle(wiring)
    x = take_hold(wiring, slider, watch)
    move(slider, x + 20)
    wait_for(lambda: not wiring.is_behind)
    assert watch.samples == []
    release(slider, x + 20)
    dock.show()
    assert_exact(wiring)


def test_that_plots_out_of_view_are_left_alone_by_a_gesture(wiring, watch, slider) -> None:
    first, *others = wiring.window.plots.plots
    for plot in others:
        plot.hide()
    x = take_hold(wiring, slider, watch)
    move(slider, x + 20)
    wait_for(lambda: not wiring.is_behind)
    assert [len(plot.curves.t) for plot in (first, *others)] == [COARSE, FINE, FINE]
    for plot in others:
        plot.show()
    release(slider, x + 20)
    assert_exact(wiring)


def test_that_the_chart_of_a_hand_is_drawn_only_while_it_is_seen(wiring, watch, slider) -> None:
    plots = wiring.window.plots
    x = take_hold(wiring, slider, watch)
    for by in (10, 20, 30, 40):
        move(slider, x + by)
        settle(wiring)
    assert watch.told.count("Strip.refresh") == 0
    assert len(plots.strip.record) > 2
    plots.show_drag()
    assert len(plots.strip.velocity.curves.t) == len(plots.strip.record)
    release(slider, x + 40)


def assert_exact(wiring) -> None:
    """Assert that all that is shown is of the plan that stands, at its time."""
    assert_curves_exact(wiring)
    session, window = wiring.session, wiring.window
    assert window.inspector.plan is session.plan
    assert window.readouts.plan is session.plan
    authored = session.plan.angles("base", session.playback.t)[0]
    shown = [row.value_deg for row in window.inspector.orientation.rows]
    if window.inspector.frame == "base":
        np.testing.assert_allclose(shown, np.degrees(authored), atol=1e-9)
    name = window.readouts.in_parent.key.of
    np.testing.assert_array_equal(
        window.readouts.in_parent.matrix.values, session.snapshot.T_PF[session.snapshot.index[name]]
    )


def assert_curves_exact(wiring) -> None:
    expected = plot_contents(wiring.session.plan, FINE)
    for plot, curves in zip(wiring.window.plots.plots, expected, strict=True):
        np.testing.assert_array_equal(plot.curves.t, curves.t)
        np.testing.assert_array_equal(plot.curves.ys, curves.ys)
        assert (plot.curves.title, plot.curves.unit, plot.curves.rule) == (curves.title, curves.unit, curves.rule)


def test_that_the_knob_of_the_slider_is_where_the_hand_is_before_any_picture(wiring, watch, slider) -> None:
    x = take_hold(wiring, slider, watch)
    move(slider, x + 20)
    assert abs(slider.knob_x() - (x + 20)) <= METRICS.halo
    assert wiring.window.inspector.orientation.rows[0].field.value == pytest.approx(slider.value_deg, abs=0.01)
    release(slider, x + 20)


def test_that_a_change_of_place_draws_the_scene_once(wiring) -> None:
    wiring.window.set_place("Learn")
    settle(wiring)
    wiring.window.set_place("Build")
    settle(wiring)
    rendered = []
    wiring.window.scene_view.renderer.layers.scene_layer.AddObserver("EndEvent", lambda *_: rendered.append(1))
    for place in ("Check", "Learn", "Build"):
        rendered.clear()
        wiring.window.set_place(place)
        settle(wiring)
        assert len(rendered) == 1, place
