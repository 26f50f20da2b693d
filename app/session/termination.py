"""Termination of the program from outside: by a signal, or by the loss of the display.

The user cannot be asked about unsaved changes then. They are written at once and offered at the next start, as after a
crash, but including the last second of edits.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType

from PySide6.QtCore import (
    QCoreApplication,
    QMessageLogContext,
    QObject,
    QSocketNotifier,
    QThread,
    QtMsgType,
    qInstallMessageHandler,
)

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that end a program; Windows lacks some of them."""

_DISPLAY_LOST = ("The X11 connection broke", "The Wayland connection broke")
"""Beginnings of Qt's messages about a lost display; Qt ends the process right after them."""


class Termination(QObject):
    """Handler of signals and of Qt's fatal messages in the main thread, until `close`.

    Parameters
    ----------
    end
        Ends the program's work after a signal without questions; its windows close.
    keep
        Writes unsaved work without using widgets.

    Attributes
    ----------
    status
        Exit status for the signal; 0 without one.
    """

    def __init__(self, end: Callable[[], object], keep: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.end, self.keep = end, keep
        self.status = 0
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signal)
        # Python runs signal handlers between its own instructions, and there are none while Qt waits.
        self._former_fd = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._former = {
            number: signal.signal(number, self._record_signal)
            for name in SIGNALS
            if (number := getattr(signal, name, None)) is not None and signal.getsignal(number) != signal.SIG_IGN
        }
        self._former_messages = qInstallMessageHandler(self._on_message)

    def close(self) -> None:
        """Restore the former handlers of signals and messages."""
        self._restore_handlers()
        signal.set_wakeup_fd(self._former_fd)
        qInstallMessageHandler(self._former_messages)
        self._notifier.setEnabled(False)
        self._reader.close()
        self._writer.close()

    def _restore_handlers(self) -> None:
        for number, former in self._former.items():
            signal.signal(number, former)
        self._former.clear()

    def _record_signal(self, number: int, _frame: FrameType | None) -> None:
        self.status = 128 + number

    def _on_signal(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._reader.recv(4096)
        if not self.status or not self._former:
            return
        for number in self._former:
            signal.signal(number, signal.SIG_DFL)  # a second signal ends the program at once
        self._former.clear()
        self.end()
        QCoreApplication.exit(self.status)

    def _on_message(self, kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        category = str(context.category or "default")
        _print_error(message if category == "default" else f"{category}: {message}")
        is_gone = message.startswith(_DISPLAY_LOST)
        if (is_gone or kind == QtMsgType.QtFatalMsg) and QThread.currentThread() is self.thread():
            self.keep()
        if is_gone:
            _print_error("The display is gone. What was not saved is offered at the next start.")
            os._exit(1)  # Qt would end the process while threads are running


def _print_error(text: str) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):  # nothing reads standard error any more
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
