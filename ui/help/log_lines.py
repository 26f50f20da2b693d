"""Line of the program's log. Imports no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Level = Literal["debug", "info", "warning", "error"]
LEVELS: tuple[Level, ...] = ("debug", "info", "warning", "error")


@dataclass(frozen=True)
class LogLine:
    """Line of the log: time, severity, module, and text, with a traceback if there is one.

    >>> from datetime import UTC
    >>> print(LogLine(datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC), "info", "app.session", "Opened demo.yaml"))
    2026-05-04 03:02:01 info app.session: Opened demo.yaml
    """

    when: datetime
    level: Level
    source: str
    text: str

    def __str__(self) -> str:
        return f"{self.when:%Y-%m-%d %H:%M:%S} {self.level} {self.source}: {self.text}"
