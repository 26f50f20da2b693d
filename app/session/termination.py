"""Termination of the program by others: a signal, or a display that goes away.

Nobody can be asked about unsaved changes then. They are written down at once, and offered at the next start as after a
crash, which costs nothing of the last second of edits.
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
"""What tells a program to end; Windows does not know all of them."""

_GONE = ("The X11 connection broke", "The Wayland connection broke")
"""How Qt begins to tell that there is no display any more. Right after it, it ends the process."""


class Termination(QObject):
    """Hears the signals and Qt's last words in the main thread, until `close`.

    Parameters
    ----------
    end
        Ends the program's work on a signal, with no question; its windows close.
    keep
        Writes unsaved work down, and touches no widget.

    Attributes
    ----------
    status
        The exit status that a signal asks for; 0 as long as there was none.
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
        # Python runs its handlers between its own instructions, of which there are none while Qt waits.
        self._former_fd = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._former = {
            number: signal.signal(number, self._note)
            for name in SIGNALS
            if (number := getattr(signal, name, None)) is not None and signal.getsignal(number) != signal.SIG_IGN
        }
        self._former_messages = qInstallMessageHandler(self._on_message)

    def close(self) -> None:
        """Leave signals and messages to whom they were left before."""
        self._let_go()
        signal.set_wakeup_fd(self._former_fd)
        qInstallMessageHandler(self._former_messages)
        self._notifier.setEnabled(False)
        self._reader.close()
        self._writer.close()

    def _let_go(self) -> None:
        for number, former in self._former.items():
            signal.signal(number, former)
        self._former.clear()

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.status = 128 + number

    def _on_signal(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._reader.recv(4096)
        if not self.status or not self._former:
            return
        for number in self._former:
            signal.signal(number, signal.SIG_DFL)  # the second time it does not wait
        self._former.clear()
        self.end()
        QCoreApplication.exit(self.status)

    def _on_message(self, kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        category = str(context.category or "default")
        _tell(message if category == "default" else f"{category}: {message}")
        is_gone = message.startswith(_GONE)
        if (is_gone or kind == QtMsgType.QtFatalMsg) and QThread.currentThread() is self.thread():
            self.keep()
        if is_gone:
            _tell("The display is gone. What was not saved is offered at the next start.")
            os._exit(1)  # Qt would end in the midst of what threads are at


def _tell(text: str) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):  # nobody listens any more
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
