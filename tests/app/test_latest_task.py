"""The newest wish: older ones are given up, and what they have told is dropped."""

from __future__ import annotations

import threading
from concurrent.futures import wait

from framescope.app.background import latest_task
from framescope.app.background.latest_task import LatestTask
from tests.support.tasks_here import TaskHere

WAIT_MS = 20_000


def heard(monkeypatch) -> tuple[LatestTask, list[object]]:
    monkeypatch.setattr(latest_task, "WorkerTask", TaskHere)
    worker, found = LatestTask(), []
    worker.found.connect(found.append)
    worker.failed.connect(found.append)
    return worker, found


def say(word: str):
    return lambda _report, _is_cancelled: word


def test_that_what_is_not_wanted_any_more_ends_and_its_results_are_dropped(qtbot, monkeypatch) -> None:
    worker, found = heard(monkeypatch)
    began, ended = threading.Event(), threading.Event()

    def endless(report, is_cancelled):
        report("begun")
        began.set()
        while not is_cancelled():
            pass
        ended.set()
        return "too late"

    worker.want(endless)
    assert worker.is_busy
    assert began.wait(10)
    worker.want(say("newest"))
    qtbot.waitUntil(lambda: "newest" in found, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not worker.is_busy, timeout=WAIT_MS)
    assert ended.is_set()
    assert "too late" not in found
    worker.want(endless)
    worker.close()
    assert not worker.is_busy


def test_that_a_result_that_came_just_before_a_newer_wish_is_dropped(qtbot, monkeypatch) -> None:
    worker, found = heard(monkeypatch)
    worker.want(say("older"))
    wait([worker.future])  # its result waits in the queue
    worker.want(say("newer"))
    qtbot.waitUntil(lambda: "newer" in found, timeout=WAIT_MS)
    assert found == ["newer"]
    worker.close()


def test_that_one_that_is_cancelled_tells_nothing_more(qtbot, monkeypatch) -> None:
    worker, found = heard(monkeypatch)
    worker.want(say("unheard"))
    wait([worker.future])
    worker.cancel()
    qtbot.waitUntil(lambda: not worker.is_busy, timeout=WAIT_MS)
    assert found == []
    worker.want(say("heard"))
    qtbot.waitUntil(lambda: found == ["heard"], timeout=WAIT_MS)
    worker.close()


def test_that_a_failure_is_told_once_and_the_next_wish_is_done(qtbot, monkeypatch, caplog) -> None:
    worker, found = heard(monkeypatch)

    def broken(_report, _is_cancelled):
        raise ArithmeticError("out of numbers")

    with qtbot.waitSignal(worker.idle):
        worker.want(broken)
    assert found == ["ArithmeticError: out of numbers. This is an error of Framescope; the log has more."]
    assert "Traceback" in caplog.text
    with qtbot.waitSignal(worker.idle):
        worker.want(say("well"))
    assert found[1:] == ["well"]
