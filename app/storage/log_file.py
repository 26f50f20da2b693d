"""File of the log: of limited size, and the place for details of commands that would clutter a terminal."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

FILE = "framescope.log"

MAX_FILE_BYTES = 500_000
N_OLD_FILES = 2


def file_handler(folder: Path) -> RotatingFileHandler:
    """Return a handler for the log file in a folder, which is created if needed; raise `OSError` on failure."""
    folder.mkdir(parents=True, exist_ok=True)
    handler = RotatingFileHandler(folder / FILE, maxBytes=MAX_FILE_BYTES, backupCount=N_OLD_FILES, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    return handler
