"""Folders of the program in the platform's standard places, never beside a user's files."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths

FOLDER = "framescope"
"""Name of the program's folders; the application's name is not set in scripts and tests."""


def data_folder() -> Path:
    """Return the folder of work in progress, such as ``~/.local/share/framescope``; it may not exist yet."""
    return _below(QStandardPaths.StandardLocation.GenericDataLocation)


def log_folder() -> Path:
    """Return the folder of the log, such as ``~/.local/state/framescope``; it may not exist yet."""
    return _below(QStandardPaths.StandardLocation.GenericStateLocation)


def cache_folder() -> Path:
    """Return the folder of results that can be made again, such as ``~/.cache/framescope``; it may not exist yet."""
    return _below(QStandardPaths.StandardLocation.GenericCacheLocation)


def _below(location: QStandardPaths.StandardLocation) -> Path:
    return Path(QStandardPaths.writableLocation(location)) / FOLDER
