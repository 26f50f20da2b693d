"""Store of settings by name, in an INI file in the platform's standard place.

The whole file is read at the start. A thread writes, because a busy disk takes up to a third of a second, which would
block the window.
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
"""Largest settings file that is read, bytes; usual ones have some kilobytes."""

_WRITER = ThreadPoolExecutor(1, "settings")
_LOG = logging.getLogger(__name__)


class Store:
    """Values of the settings file, with later changes."""

    def __init__(self) -> None:
        wait_until_written()
        self.file = settings_file()
        """The settings file."""
        self.values: dict[str, Any] = _read(self.file)
        self._changes: dict[str, object] = {}
        self._lock = Lock()

    def value(self, key: str, default: object = None) -> Any:
        """Return a value as it was set or as Qt read it from the file; `default` where there is none."""
        return self.values.get(key, default)

    def set_value(self, key: str, value: object) -> None:
        """Set a value."""
        self.values[key] = value
        self._change(key, value)

    def remove(self, key: str) -> None:
        """Remove a value."""
        if key in self.values:
            del self.values[key]
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
        if fault := _fault_of(self.file):
            _LOG.warning("the settings cannot be written to %s: it %s", self.file, fault)
            return
        ini = QSettings(str(self.file), QSettings.Format.IniFormat)
        for key, value in changes.items():
            if value is None:
                ini.remove(key)
            else:
                ini.setValue(key, value)
        ini.sync()
        if ini.status() != QSettings.Status.NoError:
            _LOG.warning("the settings cannot be written to %s", self.file)


def settings_file() -> Path:
    """Return the settings file; it may not exist yet."""
    # Qt opens a file to name it and would block on a named pipe, so it is asked about a file that does not exist.
    elsewhere = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Framescope nowhere", "none")
    return Path(elsewhere.fileName()).parents[1] / "Framescope" / "framescope.ini"


def _fault_of(file: Path) -> str:
    """Return why a file cannot hold settings; empty when it can or does not exist yet."""
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
    """Read the values of a settings file, as far as possible."""
    if fault := _fault_of(file):
        _LOG.warning("the settings cannot be read from %s: it %s", file, fault)
        return {}
    ini = QSettings(str(file), QSettings.Format.IniFormat)
    values: dict[str, Any] = {}
    for key in filter(None, ini.allKeys()):
        try:
            values[key] = ini.value(key)
        except Exception:  # noqa: BLE001 - Qt also unpickles Python objects, which may raise anything
            _LOG.exception("the setting %r cannot be read", key)
    return values


def wait_until_written() -> None:
    """Wait until all changes are in the file; the end of the program waits by itself."""
    _WRITER.submit(int).result()
