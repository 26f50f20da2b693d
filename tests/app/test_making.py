"""Edits that take long to make: the window goes on meanwhile, and what it does then holds."""

from __future__ import annotations

import gc
import threading
import weakref
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from framescope.app import startup
from framescope.app.controllers import compile_ahead, problems_controller
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.compile import recorded as recorded_motion
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.items import ItemEdit, set_hidden
from tests.support.hands import show
from tests.support.scenes import GOOD
from tests.support.whole_window import leave, wait_for

pytestmark = pytest.mark.usefixtures("dark")


class Gate:
    """Holds work until it is opened, and knows in which threads it was asked for."""

    def __init__(self, work) -> None:
        self._work, self._opened = work, threading.Event()
        self.threads: list[threading.Thread] = []

    def __call__(self, *args, **kwargs):
        self.threads.append(threading.current_thread())
        if threading.current_thread() is not threading.main_thread():
            assert self._opened.wait(20.0)
        return self._work(*args, **kwargs)

    def open(self) -> None:
        self._opened.set()

    def close(self) -> None:
        self._opened.clear()


@pytest.fixture
def good(open_window, tmp_path):
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    return open_window(path)


@pytest.fixture
def gate(monkeypatch):
    gate = Gate(compile_plan)
    monkeypatch.setattr(compile_ahead, "compile_plan", gate)
    yield gate
    gate.open()


def titled(title: str) -> ItemEdit:
    return ItemEdit(f"Called it {title}", lambda scene: scene.model_copy(update={"title": title}))


def title_of(wiring) -> str:
    return wiring.session.document.scene.title


def test_that_the_window_goes_on_and_what_is_done_meanwhile_stays(good, gate, qtbot) -> None:
    session, said = good.session, []
    session.status.connect(lambda _kind, text: said.append(text))
    good.compile_ahead.commit(replace(titled("made"), keys=(("bodies", "box"),)), "Making it")
    (frame, *_) = session.document.scene.frames
    session.commit(set_hidden(session.document.scene, [("frames", frame)], True))
    assert title_of(good) == "Test"
    assert said[0] == "Making it…"
    gate.open()
    qtbot.waitUntil(lambda: title_of(good) == "made")
    assert said[-1].startswith("Called it made")
    assert session.selection == ("bodies", "box")
    assert gate.threads[0] is not threading.main_thread()
    assert session.document.history.undo_label == "Called it made"
    session.undo()
    assert title_of(good) == "Test"
    assert session.document.history.undo_label not in (None, "Called it made")


def test_that_the_second_edit_is_kept_after_the_first_and_saved_with_it(good, gate, qtbot) -> None:
    good.compile_ahead.commit(titled("one"), "Making it")
    gate.open()
    good.compile_ahead.commit(titled("two"), "Making it")
    assert title_of(good) == "one"
    qtbot.waitUntil(lambda: title_of(good) == "two")
    gate.close()
    good.compile_ahead.commit(titled("made"), "Making it")
    threading.Timer(0.05, gate.open).start()
    assert good.files.save_and_wait()
    assert "title: made" in good.session.document.path.read_text()


def test_that_another_scene_does_not_get_it_and_a_refused_edit_says_why_at_once(good, gate, qtbot) -> None:
    good.compile_ahead.commit(titled("made"), "Making it")
    done = good.compile_ahead.pending.done
    good.session.new()
    gate.open()
    qtbot.waitUntil(lambda: done.done() and good.compile_ahead.pending is None)
    assert title_of(good) != "made"

    def refuse(_scene):
        raise ValueError("there is no room")

    said = []
    good.session.status.connect(lambda _kind, text: said.append(text))
    before = good.session.document.scene
    good.compile_ahead.commit(Edit("Tried", refuse), "Making it")
    assert good.session.document.scene is before
    assert ["no room" in text for text in said] == [True]


def test_that_what_has_changed_meanwhile_is_looked_at_anew(good, qtbot, monkeypatch) -> None:
    gate = Gate(diagnose)
    monkeypatch.setattr(problems_controller, "diagnose", gate)
    qtbot.waitUntil(lambda: not good.problems.is_looking)
    good.problems.look_deeper()
    assert good.problems.is_looking
    good.session.commit(titled("other"))
    first = good.problems.pending_diagnosis
    shown, show = [], good.window.scene_view.set_problems

    def watched(faults) -> None:
        shown.append(title_of(good))
        show(faults)

    monkeypatch.setattr(good.window.scene_view, "set_problems", watched)
    gate.open()
    qtbot.waitUntil(lambda: shown == ["other"], timeout=5000)
    assert first.done()
    assert good.problems.pending_diagnosis is not first
    assert sum(thread is not threading.main_thread() for thread in gate.threads) == 2


def test_that_a_recording_that_is_imported_is_not_read_by_the_window(good, qtbot, tmp_path, monkeypatch) -> None:
    n = 2000
    t = np.arange(n) * 0.01
    rows = np.column_stack([t, np.cos(t), np.sin(t), 0 * t, np.zeros((n, 3)), np.ones(n)])
    np.savetxt(tmp_path / "long.tum", rows, fmt="%.6f")
    recorded = {"form": "recorded", "file": "long.tum", "format": "tum", "bandwidth": "10 Hz"}

    def add(scene):
        data = scene.model_dump(exclude_unset=True, mode="json")
        data["frames"]["walk"] = {"parent": "world", "motion": recorded}
        return type(scene).model_validate(data)

    reads, read = [], recorded_motion.table_of

    def watched(source):
        reads.append(threading.current_thread())
        return read(source)

    monkeypatch.setattr(recorded_motion, "table_of", watched)
    good.compile_ahead.commit(Edit("Imported", add), "Making it")
    qtbot.waitUntil(lambda: "walk" in good.session.plan.index)
    assert reads
    assert threading.main_thread() not in reads


def test_that_a_window_goes_although_its_problems_are_still_looked_into(qtbot, tmp_path, monkeypatch) -> None:
    """On a busy machine it was held, with all its pictures, until that was done."""
    looking = Gate(diagnose)
    monkeypatch.setattr(problems_controller, "diagnose", looking)
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    found = opened_and_closed(path, qtbot, looking)
    try:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert found() is None
    finally:
        looking.open()


def opened_and_closed(path, qtbot, looking: Gate) -> weakref.ref:
    """Close a window while it looks into its problems, and return a trace of what draws in it."""
    wiring = startup.make_window(path)
    show(wiring.window, qtbot)
    wiring.problems.look_deeper()
    wait_for(lambda: threading.main_thread() not in looking.threads[-1:])
    leave(wiring)
    return weakref.ref(wiring.window.scene_view.renderer)
