"""Live data in the whole window: a program appends, the frame follows, plots extend, and nothing is compiled anew."""

from __future__ import annotations

import pickle
import threading

import numpy as np
import pytest
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

import framescope.app
from framescope.app import startup
from framescope.app.background.plan_source import whole_plan_of
from framescope.app.controllers import plot_controller
from framescope.app.session import session as session_module
from framescope.app.session.document import Document
from framescope.core.evaluation.evaluate import evaluate
from framescope.core.scene.edits import base
from framescope.core.system.growing_series import GrowingSeries
from framescope.ui.plots.plot_content import FINE, plot_contents
from framescope.ui.window.main_window import MainWindow
from tests.support.hands import Key, drag, strike
from tests.support.scenes import scene_of
from tests.support.whole_window import click, leave, wait_for

pytestmark = pytest.mark.usefixtures("dark")

SCENE = """\
framescope: 1
frames:
  cart: {parent: world, motion: {form: live, series: cart}}
  tip: {parent: cart, position: {value: [1, 0, 0], unit: m}}
view:
  plots:
    - {signal: position, of: tip, relative_to: world, resolved_in: world, unit: m}
    - {signal: angular velocity, of: cart, relative_to: world, resolved_in: world, unit: rad/s}
  trails: [{frame: tip, duration: 2 s}]
"""
RATE = 2.0
"""Of the cart, rad/s."""


def feed(series: GrowingSeries, start: float, end: float) -> None:
    """Append at 100 Hz, as a sensor would."""
    for t in start + 0.01 * np.arange(1, round(100 * (end - start)) + 1):
        series.append(t, [0.1 * t, 0.0, 0.0, 0.0, 0.0, np.sin(0.5 * RATE * t), np.cos(0.5 * RATE * t)])


@pytest.fixture
def live(qtbot, monkeypatch):
    """Open the window on a cart that is fed by hand, and count how often anything is compiled."""
    series, compiled = GrowingSeries(7), []
    compile_plan = session_module.compile_plan

    def counted(*args, **kwargs):
        compiled.append(args)
        return compile_plan(*args, **kwargs)

    monkeypatch.setattr(session_module, "compile_plan", counted)
    wiring = startup.window_on(Document(scene_of(SCENE), live={"cart": series}))
    wiring.series, wiring.compiled = series, compiled
    wiring.window.show()
    with qtbot.waitExposed(wiring.window):
        pass
    compiled.clear()
    yield wiring
    leave(wiring)


def has_come(wiring, t: float) -> bool:
    """Let the window take what was appended, and return whether it stands at a time."""
    wait_for(lambda: wiring.session.playback.end == wiring.series.times[-1])
    return wiring.session.playback.t == pytest.approx(t)


def tip_x(wiring) -> float:
    snapshot = wiring.session.snapshot
    return float(snapshot.p_WF[snapshot.index["tip"], 0])


def test_that_a_frame_follows_what_is_appended_and_nothing_is_compiled(live, monkeypatch) -> None:
    window, sampled = live.window, []

    def counted(plan, n_samples, *args, **kwargs):
        sampled.append(n_samples)
        return plot_contents(plan, n_samples, *args, **kwargs)

    assert window.timeline.end_button.isChecked()
    feed(live.series, 0.0, 0.5)
    assert has_come(live, 0.5)
    monkeypatch.setattr(plot_controller, "plot_contents", counted)
    for end in np.arange(1.0, 6.5, 0.5):
        feed(live.series, end - 0.5, end)
        assert has_come(live, end)
        assert tip_x(live) == pytest.approx(0.1 * end + np.cos(RATE * end))
        assert window.timeline.field.value == pytest.approx(end)
    assert live.compiled == []
    position, rate = (plot.curves for plot in window.plots.plots)
    assert sum(sampled) < len(sampled) * FINE  # curves were extended, not evaluated anew
    assert (position.t[0], position.t[-1]) == (pytest.approx(0.01), pytest.approx(6.0))
    assert (np.diff(position.t) > 0.0).all()
    np.testing.assert_allclose(position.ys[0], 0.1 * position.t + np.cos(RATE * position.t), atol=1e-3)
    np.testing.assert_allclose(rate.ys[2], np.degrees(RATE))


def test_that_scrubbing_back_stays_there_and_the_end_is_followed_again_on_command(live) -> None:
    session, timeline = live.session, live.window.timeline
    feed(live.series, 0.0, 2.0)
    assert has_come(live, 2.0)
    drag(timeline.track, timeline.track.width() // 2, timeline.track.width() // 2 + 10)
    t = session.playback.t
    assert 0.5 < t < 1.7
    assert tip_x(live) == pytest.approx(0.1 * t + np.cos(RATE * t), abs=1e-3)
    feed(live.series, 2.0, 3.0)
    assert has_come(live, t)
    assert not timeline.end_button.isChecked()
    click(timeline.end_button)
    assert session.playback.t == pytest.approx(3.0)
    feed(live.series, 3.0, 3.5)
    assert has_come(live, 3.5)
    click(timeline.play_button)  # pauses
    feed(live.series, 3.5, 4.0)
    assert has_come(live, 3.5)
    strike(timeline, Key.Key_End)
    assert session.playback.is_following
    assert session.playback.t == pytest.approx(4.0)
    assert live.compiled == []


def test_that_an_edit_meanwhile_keeps_the_data_and_what_is_followed(live) -> None:
    feed(live.series, 0.0, 1.0)
    assert has_come(live, 1.0)
    live.session.commit(base.Edit("Named", lambda scene: scene.model_copy(update={"title": "Cart"})))
    assert len(live.compiled) == 1
    assert live.session.playback.is_following
    assert (live.session.plan.end, live.session.playback.t) == (pytest.approx(1.0), pytest.approx(1.0))
    feed(live.series, 1.0, 1.5)
    assert has_come(live, 1.5)


def test_that_a_new_scene_follows_nothing(live) -> None:
    feed(live.series, 0.0, 1.0)
    assert has_come(live, 1.0)
    live.session.new()
    assert (live.session.playback.is_live, live.session.playback.is_following) == (False, False)
    assert not live.window.timeline.end_button.isCheckable()
    assert not live.session.data_timer.isActive()


def test_that_a_program_feeds_a_window_that_it_shows(qapp) -> None:
    series, found = GrowingSeries(7), []

    def look() -> None:
        window = next((each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)), None)
        if window is None or not window.isVisible() or window.timeline.field.value != pytest.approx(3.0):
            QTimer.singleShot(10, look)
            return
        found.append(window.timeline.field.value)
        window.close()

    producer = threading.Thread(target=feed, args=(series, 0.0, 3.0))
    producer.start()
    loop = QEventLoop()  # as from a notebook
    QTimer.singleShot(0, look)
    QTimer.singleShot(0, lambda: (framescope.app.show(scene_of(SCENE), live={"cart": series}), loop.quit()))
    loop.exec()
    producer.join()
    assert found == [pytest.approx(3.0)]


def test_that_an_export_draws_what_has_come_so_far(live) -> None:
    feed(live.series, 0.0, 1.0)
    assert has_come(live, 1.0)
    packed = pickle.dumps(live.session.plan_source())
    feed(live.series, 1.0, 2.0)
    plan = whole_plan_of(packed)
    assert plan.end == pytest.approx(1.0)
    now = evaluate(plan, 1.0)
    assert now.p_WF[now.index["tip"], 0] == pytest.approx(0.1 + np.cos(RATE))
