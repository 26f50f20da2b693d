"""Exceptions that no code has caught: told once, with the log a click away, and never in a circle."""

from __future__ import annotations

import math
import sys
import threading

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from framescope.app.session.scene_lookup import example_path
from framescope.app.storage import failure_bursts
from framescope.app.storage.failure_bursts import MAX_KNOWN, FailureBursts
from framescope.app.storage.log import Log, failure_text
from framescope.ui.help.log_view import LogView
from tests.support.whole_window import click, wait_for

pytestmark = [pytest.mark.usefixtures("dark"), pytest.mark.qt_no_exception_capture]


@pytest.fixture
def silent(monkeypatch):
    """Keep what is raised on purpose off the terminal, and from pytest."""
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    monkeypatch.setattr(threading, "excepthook", lambda *_: None)


@pytest.fixture
def log(qapp, silent, tmp_path):
    log = Log(tmp_path / "log")
    yield log
    log.close()


@pytest.fixture
def wiring(open_window, log):
    opened = open_window(example_path("gimbal-lock"))
    opened.preferences.keep_log(log.feed)
    return opened


def raise_it(text: str = "tuple index out of range") -> None:
    raise IndexError(text)


def happen(do) -> None:
    """Have Qt call something as it calls a slot, and deal with what follows."""
    QTimer.singleShot(0, do)
    QTimer.singleShot(0, lambda: None)
    for _ in range(5):
        QApplication.processEvents()


def test_that_a_slot_that_raises_is_told_with_the_log_one_click_away(wiring, log) -> None:
    status = wiring.window.status
    happen(raise_it)
    assert "IndexError in test_failures.py" in status.message
    assert "tuple index out of range" in status.message
    click(status.offer_button)
    view = wiring.window.findChild(LogView)
    assert view.isVisible()
    assert "Traceback" in view.text.toPlainText()
    assert "raise_it" in view.text.toPlainText()
    assert not hasattr(sys, "last_traceback"), "it would keep all that the slot had in its hands"


def test_that_a_slot_of_the_window_that_raises_is_told(wiring, monkeypatch) -> None:
    monkeypatch.setattr(wiring.window.inspector, "set_item", lambda _key: raise_it("no page"))
    names = [name for name in wiring.session.plan.names[1:] if name != wiring.session.selected_frame()]
    wiring.session.select(("frames", names[0]))
    wait_for(lambda: "no page" in wiring.window.status.message)


def test_that_a_failure_at_each_tick_is_told_once_and_leaves_the_line_to_others(wiring, log, monkeypatch) -> None:
    monkeypatch.setattr(failure_bursts, "QUIET_S", math.inf)  # a busy machine may pause between two
    n_before = len(log.feed.lines)
    happen(raise_it)
    wiring.window.status.show_message("good", "Saved")
    for _ in range(1200):
        QTimer.singleShot(0, raise_it)
    for _ in range(20):
        QApplication.processEvents()
    assert wiring.window.status.message == "Saved"
    lines = log.feed.lines[n_before:]
    assert len(lines) == 4  # of the first, tenth, hundredth and thousandth time
    assert "1000 times in a row" in lines[-1].text


def test_that_a_failure_in_telling_of_one_ends(wiring, log, monkeypatch) -> None:
    n = 0

    def fail(*_arguments) -> None:
        nonlocal n
        n += 1
        raise RuntimeError("the status line")  # of another type: no part of the other's burst

    with monkeypatch.context() as patch:  # closing the window ends its messages
        patch.setattr(wiring.window.status, "show_message", fail)
        log.feed.added.connect(fail)
        happen(raise_it)
    assert 0 < n < 10
    assert any("tuple index" in line.text for line in log.feed.lines)


def test_that_a_failure_in_a_thread_is_told(wiring) -> None:
    thread = threading.Thread(target=raise_it, args=("in a thread",))
    thread.start()
    thread.join()
    wait_for(lambda: "in a thread" in wiring.window.status.message)


def test_that_a_failure_before_the_window_is_told_when_it_comes(open_window, log) -> None:
    happen(raise_it)
    wiring = open_window(example_path("gimbal-lock"))
    wiring.preferences.keep_log(log.feed)
    assert "IndexError" in wiring.window.status.message


def test_that_a_long_text_of_several_lines_becomes_one_sentence() -> None:
    text = failure_text(ValueError("one\n  two " + 300 * "x"))
    assert text.startswith("The program itself has failed: ValueError, one two xxx")
    assert len(text) < 250


def test_that_a_burst_ends_after_a_while_and_few_failures_are_kept() -> None:
    now = 0.0
    bursts = FailureBursts(lambda: now)
    error = ValueError()
    assert [bursts.count(error) for _ in range(3)] == [1, 2, 3]
    now += failure_bursts.QUIET_S + 1.0
    assert bursts.count(error) == 1
    others = [type(f"Error{i}", (Exception,), {})() for i in range(MAX_KNOWN)]
    assert {bursts.count(other) for other in others} == {1}
    assert bursts.count(others[0]) == 2
    assert bursts.count(error) == 1  # the others have taken its place
