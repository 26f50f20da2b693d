"""Files are read in a thread behind a dialog; nothing opens after a cancel, nor over a closed window."""

import threading

import pytest
from PySide6.QtCore import QCoreApplication, QEventLoop
from PySide6.QtWidgets import QWidget

from framescope.ui.dialogs.read_thread import ReadProgressDialog, read_in_thread
from framescope.ui.qt_support.thread_tasks import IS_CLOSED

pytestmark = pytest.mark.window


@pytest.fixture
def window(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


def settle(qtbot, window) -> None:
    qtbot.waitUntil(lambda: window.findChild(ReadProgressDialog) is None)
    for _ in range(3):
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)


def test_that_the_result_is_taken_once_the_dialog_is_closed(qtbot, window) -> None:
    results = []
    read_in_thread(window, "a.csv", lambda: 42, lambda result: results.append((result, dialogs_of(window))))
    settle(qtbot, window)
    assert [result for result, _ in results] == [42]
    assert not any(dialog.isVisible() for _, dialogs in results for dialog in dialogs)


def dialogs_of(window) -> list[ReadProgressDialog]:
    return window.findChildren(ReadProgressDialog)


@pytest.mark.parametrize("moment", ["while it reads", "when it has read"])
def test_that_a_window_that_is_closed_meanwhile_takes_nothing(qtbot, window, moment) -> None:
    results, may_end = [], threading.Event()

    def read() -> int:
        assert may_end.wait(10.0)
        return 42

    read_in_thread(window, "a.csv", read, results.append)
    (dialog,) = dialogs_of(window)

    def close() -> None:
        window.setProperty(IS_CLOSED, True)
        window.close()

    if moment == "while it reads":
        close()
    else:
        dialog.done_reading.connect(close)
    may_end.set()
    settle(qtbot, window)
    assert results == []


def test_that_nothing_is_taken_after_a_cancel(qtbot, window) -> None:
    results, may_end = [], threading.Event()

    def read() -> int:
        assert may_end.wait(10.0)
        return 42

    read_in_thread(window, "a.csv", read, results.append)
    dialogs_of(window)[0].cancel.click()
    may_end.set()
    settle(qtbot, window)
    assert results == []
