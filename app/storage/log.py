"""Log of the program: the last lines in memory for the window, and a file of limited size."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Signal

from framescope.app.storage.app_directories import log_folder
from framescope.app.storage.failure_bursts import FailureBursts, is_worth_a_line, place_of
from framescope.app.storage.log_file import FILE, file_handler
from framescope.ui.help.log_lines import Level, LogLine

ROOT = "framescope"
MAX_FEED_LINES = 2000
"""Largest number of lines in memory."""

MAX_TEXT = 120
"""Largest number of characters of an exception's text in the status line."""


class LogFeed(QObject):
    """Lines of the log so far, and a signal for each new one.

    Signals
    -------
    added(LogLine)
        A line was logged in any thread; the slot runs in the receiver's thread.
    failed(str)
        An unexpected error occurred; a sentence, sent once for a repeated error.
    """

    added = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: deque[LogLine] = deque(maxlen=MAX_FEED_LINES)
        self.last_failure = ""
        """Sentence about the last failure, for windows that open later."""

    @property
    def lines(self) -> tuple[LogLine, ...]:
        """The last lines, the oldest first."""
        return tuple(self._lines)

    def add(self, line: LogLine) -> None:
        """Keep a line and send it."""
        self._lines.append(line)
        self.added.emit(line)

    def fail(self, words: str) -> None:
        """Report a failure."""
        self.last_failure = words
        self.failed.emit(words)


class FeedHandler(logging.Handler):
    """Logging handler that passes records to a feed."""

    def __init__(self, feed: LogFeed) -> None:
        super().__init__()
        self._feed = feed
        self._formatter = logging.Formatter()

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a record to the feed."""
        try:
            self._feed.add(line_of(record, self._formatter))
        except Exception:  # noqa: BLE001 - a handler never raises into the code that logs
            self.handleError(record)


def line_of(record: logging.LogRecord, formatter: logging.Formatter) -> LogLine:
    """Convert a record of Python's logging to a line, with its traceback below the text."""
    level: Level = "error" if record.levelno >= logging.ERROR else "info"
    if record.levelno < logging.INFO:
        level = "debug"
    elif logging.WARNING <= record.levelno < logging.ERROR:
        level = "warning"
    when = datetime.fromtimestamp(record.created, UTC).astimezone()
    return LogLine(when, level, record.name.removeprefix(f"{ROOT}."), formatter.format(record))


class Log:
    """Log of this process, from its creation until `close`.

    Parameters
    ----------
    folder
        Folder of the file; None for the platform's own place. When the file cannot be written, the log has none and its
        first line reports it.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.feed = LogFeed()
        self.file: Path | None = None
        self._logger = logging.getLogger(ROOT)
        self._level = self._logger.level
        self._logger.setLevel(logging.INFO)
        self._handlers: list[logging.Handler] = [FeedHandler(self.feed)]
        self._logger.addHandler(self._handlers[0])
        self._bursts = FailureBursts()
        self._is_reporting = threading.local()
        self._old_hooks = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        self._add_file(log_folder() if folder is None else folder)

    def close(self) -> None:
        """Stop logging, and restore the former handlers and hooks."""
        for handler in self._handlers:
            self._logger.removeHandler(handler)
            handler.close()
        self._handlers.clear()
        self._logger.setLevel(self._level)
        sys.excepthook, threading.excepthook = self._old_hooks

    def _add_file(self, folder: Path) -> None:
        try:
            handler = file_handler(folder)
        except OSError as error:
            self._logger.warning("no log file: %s", error)
            return
        self._handlers.append(handler)
        self._logger.addHandler(handler)
        self.file = folder / FILE

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, Exception):
            self._report(error.with_traceback(trace), "an exception that no code has caught")
        self._old_hooks[0](kind, error, trace)
        for name in (
            "last_exc",
            "last_type",
            "last_value",
            "last_traceback",
        ):  # set for debuggers; keep variables alive
            if hasattr(sys, name):
                delattr(sys, name)

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        if isinstance(args.exc_value, Exception):
            self._report(args.exc_value.with_traceback(args.exc_traceback), "an exception in a thread")
        self._old_hooks[1](args)

    def _report(self, error: Exception, what: str) -> None:
        """Log a failure and report it; a failure while reporting is ignored."""
        if getattr(self._is_reporting, "now", False):
            return
        self._is_reporting.now = True
        try:
            count = self._bursts.count(error)
            if is_worth_a_line(count):
                often = f", {count} times in a row" if count > 1 else ""
                # As text, because a record with the exception keeps all variables of the failed code alive.
                trace = "".join(traceback.format_exception(error)).rstrip()
                self._logger.error("%s%s\n%s", what, often, trace)
            if count == 1:
                self.feed.fail(failure_text(error))
        finally:
            self._is_reporting.now = False


def failure_text(error: BaseException) -> str:
    """Describe an unexpected exception in a sentence for the status line.

    >>> failure_text(ValueError("not so"))
    'The program itself has failed: ValueError, not so. What you did last may not be complete'
    """
    name, line = place_of(error)
    where = f" in {Path(name).name}, line {line}" if name else ""
    text = " ".join(str(error).split())[:MAX_TEXT]
    reason = f", {text}" if text else ""
    return (
        f"The program itself has failed: {type(error).__name__}{where}{reason}. What you did last may not be complete"
    )


def status_logger() -> Callable[[str, str], None]:
    """Return a slot for `Session.status` that copies the status line's messages to the log."""
    log = logging.getLogger(f"{ROOT}.said")
    levels = {"red": logging.ERROR, "amber": logging.WARNING}

    def note(kind: str, sentence: str) -> None:
        log.log(levels.get(kind, logging.INFO), "%s", sentence)

    return note
