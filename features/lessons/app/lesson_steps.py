"""Last step of each lesson, stored between starts of the program."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any, cast

from framescope.app.storage.settings_store import Store

KEY = "lessons/steps"

MAX_LESSONS = 50
"""Number of lessons whose last step is stored, the newest first."""


class LessonSteps:
    """Last step of each lesson, in the store of settings. An unreadable value counts as empty."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def step_of(self, path: Path) -> int:
        """Return the last step of a lesson, from 0; 0 for a lesson that is new or was finished."""
        return self._read().get(str(path.absolute()), 0)

    def remember(self, path: Path, step: int) -> None:
        """Store the step of a lesson, from 0; 0 removes the lesson from the store."""
        key = str(path.absolute())
        others = {name: number for name, number in self._read().items() if name != key}
        steps = {key: step, **others} if step else others
        self._store.set_value(KEY, json.dumps(dict(islice(steps.items(), MAX_LESSONS))))

    def _read(self) -> dict[str, int]:
        try:
            value: Any = json.loads(str(self._store.value(KEY)))
        except ValueError:
            return {}
        entries = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        return {path: step for path, step in entries.items() if isinstance(step, int) and step > 0}
