"""One errand at a time, the newest wish first."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from framescope.app.background.worker_client import Errand, ErrandCancelledError, ErrandError


@dataclass(eq=False)
class _Wish:
    """What is wanted, and the thread that waits for it."""

    errand: Errand
    thread: threading.Thread | None = None


class Newest(QObject):
    """Has one function at a time done by another process; a newer wish makes it give up what it is at.

    Signals
    -------
    found(object)
        Something the newest wish has told, or its result; None is nothing.
    failed(str)
        The newest wish has failed, and why.
    idle()
        Nothing is under way any more.
    """

    found = Signal(object)
    failed = Signal(str)
    idle = Signal()
    _told = Signal(object, object)
    _ended = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._at: _Wish | None = None
        self._next: _Wish | None = None
        self._is_wanted = self._is_closed = False
        # From the thread to the window's one.
        self._told.connect(self._on_told, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)

    @property
    def is_busy(self) -> bool:
        """Whether something is under way."""
        return self._at is not None

    def want(self, function: Callable[..., Any], *args: Any) -> None:
        """Have this done and nothing else, see `Errand`."""
        self.cancel()
        self._next = _Wish(Errand(function, *args))
        self._start()

    def cancel(self) -> None:
        """Give up what is under way, and what waits for that."""
        self._next = None
        self._is_wanted = False
        if self._at is not None:
            self._at.errand.cancel()

    def close(self) -> None:
        """Give up what is under way, and wait for it."""
        self._is_closed = True
        self.cancel()
        if self._at is not None and self._at.thread is not None:
            self._at.thread.join()
        self._at = None

    def _start(self) -> None:
        if self._at is not None or self._next is None or self._is_closed:
            return
        self._at, self._next, self._is_wanted = self._next, None, True
        self._at.thread = threading.Thread(target=self._wait_for, args=(self._at,), name="errand", daemon=True)
        self._at.thread.start()

    def _wait_for(self, wish: _Wish) -> None:
        """Wait for a wish; in the thread."""
        why = ""
        with contextlib.suppress(RuntimeError):  # the window is gone
            try:
                self._told.emit(wish, wish.errand.result(lambda said: self._told.emit(wish, said)))
            except ErrandCancelledError:
                pass
            except ErrandError as error:
                why = str(error)
            self._ended.emit(wish, why)

    def _on_told(self, wish: _Wish, said: object) -> None:
        if wish is self._at and self._is_wanted and said is not None:
            self.found.emit(said)

    def _on_ended(self, wish: _Wish, why: str) -> None:
        if wish is not self._at:
            return
        if wish.thread is not None:
            wish.thread.join()
        self._at = None
        if why and self._is_wanted:
            self.failed.emit(why)
        self._start()
        if self._at is None:
            self.idle.emit()
