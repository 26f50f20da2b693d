"""File of the log: it is never large, and a command that has no window writes there what a terminal is not to show."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

FILE = "framescope.log"

MAX_FILE_BYTES = 500_000
N_OLD_FILES = 2


def file_handler(folder: Path) -> RotatingFileHandler:
    """Return a handler that writes into the log file in a folder, which it makes; raise `OSError` where it cannot."""
    folder.mkdir(parents=True, exist_ok=True)
    handler = RotatingFileHandler(folder / FILE, maxBytes=MAX_FILE_BYTES, backupCount=N_OLD_FILES, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    return handler
