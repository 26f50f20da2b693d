"""Garbage is looked for in the window's thread alone: what is found there may be widgets."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from framescope.app import process_settings, startup
from framescope.app.session.scene_lookup import example_path
from framescope.core.system import garbage_collection

N = 200_000
"""Objects that make Python look for garbage a hundred times."""


@pytest.fixture
def threads():
    """Return the threads in which garbage is looked for."""
    found: list[threading.Thread] = []

    def note(phase: str, _info: object) -> None:
        if phase == "start":
            found.append(threading.current_thread())

    gc.callbacks.append(note)
    yield found
    gc.callbacks.remove(note)


def make_much() -> None:
    made = [[] for _ in range(N)]
    del made


def work_aside() -> None:
    thread = threading.Thread(target=make_much)
    thread.start()
    thread.join()


def test_that_python_by_itself_looks_in_any_thread(threads) -> None:
    work_aside()
    assert threading.main_thread() not in threads
    assert threads


def test_that_garbage_is_looked_for_in_the_thread_of_the_window_alone(qapp, qtbot, threads, monkeypatch) -> None:
    monkeypatch.setattr(process_settings, "PERIOD_MS", 1)
    window = QObject()
    process_settings.collect_between_events(window)
    work_aside()
    assert threads == []
    kept = [[] for _ in range(10_000)]
    qtbot.waitUntil(lambda: bool(threads))
    assert set(threads) == {threading.main_thread()}
    del kept
    shiboken6.delete(window)
    assert gc.isenabled()


def test_that_old_garbage_is_found_too(monkeypatch) -> None:
    collected = []
    monkeypatch.setattr(process_settings.gc, "collect", collected.append)
    monkeypatch.setattr(process_settings.gc, "get_threshold", lambda: (700, 10, 10))
    for counts in ((700, 10, 10), (701, 3, 3), (701, 11, 3), (5, 11, 11)):
        monkeypatch.setattr(process_settings.gc, "get_count", lambda counts=counts: counts)
        process_settings.collect_due_generations()
    assert collected == [0, 1, 2]


@pytest.fixture
def set_aside_again():
    """Set aside from the collector, once the window is closed, what was before: the scenes of other test modules."""
    yield
    gc.unfreeze()
    gc.collect()
    gc.freeze()


@pytest.mark.usefixtures("dark")
def test_that_scenes_that_were_open_in_a_window_do_not_stay_for_ever(set_aside_again, open_window, monkeypatch) -> None:
    """Each was set aside from the collector with what it had in cycles, half a megabyte a scene."""
    names = ("sensor", "aircraft", "demo", "three-springs")
    monkeypatch.setattr(garbage_collection, "N_SCENES", n_scenes := 4)
    wiring = open_window(example_path("gimbal-lock"))
    startup.control_garbage_collection(wiring)
    opened = []
    for i in range(3 * n_scenes):
        wiring.open(example_path(names[i % len(names)]))
        QApplication.processEvents()
        opened.append(weakref.ref(wiring.session.snapshot))
    alive = [i for i, snapshot in enumerate(opened) if snapshot() is not None]
    assert len(alive) <= n_scenes + 2, alive
    assert min(alive) > n_scenes
