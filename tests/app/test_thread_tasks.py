"""Work that the window waits for goes on in a thread, while it goes on; and imports at leisure."""

from __future__ import annotations

import gc
import importlib.util
import sys
import threading
import weakref
from functools import partial
from types import SimpleNamespace

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QThread, QTimer
from PySide6.QtWidgets import QApplication, QTabBar

from framescope.app.background import preload
from framescope.app.process_settings import shorten_switch_interval
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import parse_scene
from framescope.core.system.cooperative_yield import call_at_checkpoints, checkpoint
from framescope.ui.qt_support import thread_tasks
from framescope.ui.qt_support.thread_tasks import run_and_wait, thread_task, window_yielder
from tests.support.scenes import GOOD


def test_that_the_window_goes_on_meanwhile(qapp) -> None:
    is_seen, ticks = threading.Event(), []
    timer = QTimer(interval=1)
    timer.timeout.connect(lambda: (ticks.append(None), is_seen.set() if len(ticks) > 20 else None))
    timer.start()

    def work() -> bool:
        assert QThread.currentThread() is not QApplication.instance().thread()
        return is_seen.wait(10.0)

    assert run_and_wait(work) is True
    timer.stop()
    assert len(ticks) > 20


def test_that_a_thread_at_work_gives_the_window_its_turn_soon() -> None:
    usual = sys.getswitchinterval()
    try:
        sys.setswitchinterval(0.005)
        shorten_switch_interval()
        assert sys.getswitchinterval() == pytest.approx(0.0001)
    finally:
        sys.setswitchinterval(usual)


@pytest.mark.parametrize(
    ("wall_s", "cpu_s", "rests"),
    [(0.002, 0.002, 0), (0.002, 0.001, 1), (0.0009, 0.0, 0)],
    ids=["alone", "it had to wait", "a moment after the last stop"],
)
def test_that_a_thread_rests_while_the_window_is_at_work_too(monkeypatch, wall_s, cpu_s, rests) -> None:
    slept, wall, cpu = [], [0.0], [0.0]
    clock = SimpleNamespace(perf_counter=lambda: wall[0], thread_time=lambda: cpu[0], sleep=slept.append)
    monkeypatch.setattr(thread_tasks, "time", clock)
    rest = window_yielder()
    wall[0] += wall_s
    cpu[0] += cpu_s
    rest()
    assert len(slept) == rests
    rest()  # at once again: it has hardly worked since
    assert len(slept) == rests


def test_that_work_beside_the_window_gives_way_where_it_stops_for_breath(qapp, qtbot, monkeypatch) -> None:
    stops, done, owner = [], [], QObject()
    monkeypatch.setattr(thread_tasks, "window_yielder", lambda: lambda: stops.append(threading.get_ident()))

    def work() -> int:
        checkpoint()
        return threading.get_ident()

    thread_task(owner, work, done.append)
    qtbot.waitUntil(lambda: bool(done))
    assert stops == [done[0].result()]
    checkpoint()
    assert len(stops) == 1


def test_that_reading_a_scene_stops_for_breath_at_every_item() -> None:
    frame = "{parent: world, orientation: {form: axes, sequence: xyz, angles: [2*t, 0, 0]}}"
    frames = "".join(f"  f{i}: {frame}\n" for i in range(50))
    stops = []
    with call_at_checkpoints(lambda: stops.append(len(stops))):
        scene, _ = parse_scene("framescope: 1\nframes:\n" + frames)
        read = len(stops)
        compile_plan(scene)
    assert read >= 50
    assert len(stops) - read >= 50


def test_that_what_goes_wrong_is_raised_here(qapp) -> None:
    def work() -> None:
        raise OSError(28, "No space left")

    with pytest.raises(OSError, match="No space left"):
        run_and_wait(work)


def test_that_without_a_window_of_its_own_work_is_simply_done(qapp) -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(run_and_wait(threading.get_ident)))
    thread.start()
    thread.join(10.0)
    assert found == [thread.ident]


def test_that_the_window_takes_orders_while_something_is_done_beside_it(qapp, qtbot) -> None:
    may_end, told, owner = threading.Event(), [], QObject()

    def work() -> int:
        may_end.wait(10.0)
        return threading.get_ident()

    def tell(done) -> None:
        told.append((done.result(), threading.get_ident()))

    thread_task(owner, work, tell)
    QApplication.processEvents()
    assert told == []
    may_end.set()
    qtbot.waitUntil(lambda: bool(told))
    assert told[0][0] != told[0][1] == threading.get_ident()


def test_that_what_goes_wrong_beside_the_window_is_told_unless_that_is_gone(qapp, qtbot) -> None:
    errors, staying, leaving = [], QObject(), QObject()
    may_end = threading.Event()

    def work() -> None:
        may_end.wait(10.0)
        raise OSError(28, "No space left")

    for owner, name in ((leaving, "leaving"), (staying, "staying")):
        thread_task(owner, work, lambda done, name=name: errors.append((name, done.exception().strerror)))
    leaving.deleteLater()
    qtbot.waitUntil(lambda: not shiboken6.isValid(leaving))
    may_end.set()
    qtbot.waitUntil(lambda: bool(errors))
    assert errors == [("staying", "No space left")]


def test_that_a_window_that_is_gone_is_not_held_by_work_that_goes_on(qapp, qtbot) -> None:
    """On a busy machine the deeper look of the problems list ended long after the window did."""
    goes_on, is_held = threading.Event(), threading.Event()

    class Window:
        """What the window has, which VTK and Qt would keep."""

    def begin() -> weakref.ref:
        window, owner = Window(), QObject()
        thread_task(owner, partial(goes_on.wait, 60.0), lambda _done, window=window: is_held.set())
        owner.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return weakref.ref(window)

    found = begin()
    try:
        gc.collect()
        assert found() is None
    finally:
        goes_on.set()
    qtbot.waitUntil(lambda: not [thread for thread in threading.enumerate() if "beside the window" in thread.name])
    assert not is_held.is_set()


def test_that_all_that_is_imported_at_leisure_exists(qapp, qtbot, monkeypatch) -> None:
    assert [name for name in preload.LATER if importlib.util.find_spec(name) is None] == []
    monkeypatch.setattr(preload, "FIRST_MS", 0)
    monkeypatch.setattr(preload, "NEXT_MS", 0)
    imported = []
    monkeypatch.setattr(preload.importlib, "import_module", imported.append)
    made = preload.Preloader(qapp)
    qtbot.waitUntil(lambda: len(imported) == len(preload.LATER))
    assert tuple(imported) == preload.LATER
    made.deleteLater()


def test_that_the_tabs_of_docks_have_a_name(open_window, tmp_path) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    window = open_window(path).window
    for preset in ("Build", "Check"):
        window.set_place(preset)
        bars = [bar for bar in window.findChildren(QTabBar) if bar.parent() is window and bar.isVisible()]
        assert bars
        assert all(bar.accessibleName() for bar in bars)
