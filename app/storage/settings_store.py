"""Store of settings by name, in an INI file in the platform's own place.

All there is is read at the start. A thread writes: a disk that has other work takes up to a third of a second, in which
the window would be deaf.
"""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

from PySide6.QtCore import QSettings

_WRITER = ThreadPoolExecutor(1, "settings")
_LOG = logging.getLogger(__name__)


class Store:
    """The values, as they were left and as they were set since."""

    def __init__(self) -> None:
        wait_until_written()
        kept = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Framescope", "framescope")
        self._file = kept.fileName()
        self._values: dict[str, Any] = {key: kept.value(key) for key in kept.allKeys()}
        self._changes: dict[str, object] = {}
        self._lock = Lock()

    def value(self, key: str, default: object = None) -> Any:
        """Return a value as it was set, or as Qt has read it from the file; the default where there is none."""
        return self._values.get(key, default)

    def set_value(self, key: str, value: object) -> None:
        """Remember a value."""
        self._values[key] = value
        self._change(key, value)

    def remove(self, key: str) -> None:
        """Forget a value."""
        if key in self._values:
            del self._values[key]
            self._change(key, None)

    def _change(self, key: str, value: object) -> None:
        with self._lock:
            is_first = not self._changes
            self._changes[key] = value
        if is_first:
            _WRITER.submit(self._write)

    def _write(self) -> None:
        with self._lock:
            changes, self._changes = self._changes, {}
        kept = QSettings(self._file, QSettings.Format.IniFormat)
        for key, value in changes.items():
            if value is None:
                kept.remove(key)
            else:
                kept.setValue(key, value)
        kept.sync()
        if kept.status() != QSettings.Status.NoError:
            _LOG.warning("the settings cannot be written to %s", self._file)


def wait_until_written() -> None:
    """Return when all that was set is in its file; the end of the program waits by itself."""
    _WRITER.submit(int).result()
