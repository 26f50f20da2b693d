"""Undo and redo: a history of whole scenes, one point per finished gesture."""

from __future__ import annotations

from dataclasses import dataclass, field

from framescope.core.scene.schema.model import Scene

MAX_POINTS = 500


@dataclass(frozen=True)
class HistoryPoint:
    """A scene, and the label of the edit that led to it."""

    scene: Scene
    label: str


@dataclass
class History:
    """The present scene with what came before and what was undone."""

    _past: list[HistoryPoint]
    _future: list[HistoryPoint] = field(default_factory=list)

    @classmethod
    def of(cls, scene: Scene) -> History:
        """Begin a history with one scene."""
        return cls([HistoryPoint(scene, "")])

    @property
    def scene(self) -> Scene:
        """The present scene."""
        return self._past[-1].scene

    @property
    def undo_label(self) -> str | None:
        """The label of the edit that undo takes back, None when there is none."""
        return self._past[-1].label if len(self._past) > 1 else None

    @property
    def redo_label(self) -> str | None:
        """The label of the edit that redo brings again, None when there is none."""
        return self._future[-1].label if self._future else None

    def commit(self, scene: Scene, label: str) -> None:
        """Add a finished gesture. A scene equal to the present one adds nothing."""
        if scene == self.scene:
            return
        self._past.append(HistoryPoint(scene, label))
        self._future.clear()
        del self._past[: -(MAX_POINTS + 1)]

    def undo(self) -> str | None:
        """Go one point back; return the label taken back."""
        if len(self._past) < 2:
            return None
        self._future.append(self._past.pop())
        return self._future[-1].label

    def redo(self) -> str | None:
        """Go one point forward again; return its label."""
        if not self._future:
            return None
        self._past.append(self._future.pop())
        return self._past[-1].label
