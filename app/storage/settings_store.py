"""Store of settings by name, in an INI file in the platform's own place.

All there is is read at the start. A thread writes: a disk that has other work takes up to a third of a second, in which
the window would be deaf.
"""

from __future__ import annotations

import logging
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

from PySide6.QtCore import QSettings

MAX_BYTES = 4_000_000
"""Size of a file of settings that is read; usual ones have some kilobytes."""

_WRITER = ThreadPoolExecutor(1, "settings")
_LOG = logging.getLogger(__name__)


class Store:
    """The values, as they were left and as they were set since."""

    def __init__(self) -> None:
        wait_until_written()
        self._file = settings_file()
        self._values: dict[str, Any] = _read(self._file)
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
        if fault := _fault_of(self._file):
            _LOG.warning("the settings cannot be written to %s: it %s", self._file, fault)
            return
        kept = QSettings(str(self._file), QSettings.Format.IniFormat)
        for key, value in changes.items():
            if value is None:
                kept.remove(key)
            else:
                kept.setValue(key, value)
        kept.sync()
        if kept.status() != QSettings.Status.NoError:
            _LOG.warning("the settings cannot be written to %s", self._file)


def settings_file() -> Path:
    """Return the file of the settings; it need not exist."""
    # Qt opens the file of whatever it is asked about, and would wait for the writer of a pipe: it is asked about none.
    elsewhere = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Framescope nowhere", "none")
    return Path(elsewhere.fileName()).parents[1] / "Framescope" / "framescope.ini"


def _fault_of(file: Path) -> str:
    """Return why a file cannot be one of settings; empty where it can, or is not there yet."""
    try:
        state = file.stat()
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot be looked at: {error.strerror or error}"
    if not stat.S_ISREG(state.st_mode):
        return "is no ordinary file"
    return f"has more than {MAX_BYTES} bytes" if state.st_size > MAX_BYTES else ""


def _read(file: Path) -> dict[str, Any]:
    """Return what a file of settings holds, as far as it can be read."""
    if fault := _fault_of(file):
        _LOG.warning("the settings cannot be read from %s: it %s", file, fault)
        return {}
    kept = QSettings(str(file), QSettings.Format.IniFormat)
    values: dict[str, Any] = {}
    for key in filter(None, kept.allKeys()):
        try:
            values[key] = kept.value(key)
        except Exception:  # noqa: BLE001 - Qt reads objects of Python, too, and whatever they raise
            _LOG.exception("the setting %r cannot be read", key)
    return values


def wait_until_written() -> None:
    """Return when all that was set is in its file; the end of the program waits by itself."""
    _WRITER.submit(int).result()
