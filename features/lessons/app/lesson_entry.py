"""Entry points of lessons: menu, palette, links of the manual, files, and the dock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from framescope.app.controllers.restart import Cover
from framescope.features.lessons.app.lesson_place import LessonPlace
from framescope.ui.palette.command import Command

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring
    from framescope.features.lessons.app.lesson_controller import LessonController

NEW_LESSON = "New lesson of this moment…"


class LessonEntry(QObject):
    """Entry points of a window for playing and writing lessons."""

    def __init__(self, wiring: Wiring) -> None:
        super().__init__(wiring.window)
        self._wiring = wiring
        self._player: LessonController | None = None
        menu = wiring.window.commands.of_features["lessons"].menu()
        if isinstance(menu, QMenu):
            menu.aboutToShow.connect(partial(self._fill, menu))
        wiring.files.lesson_requested.connect(self._open)
        wiring.preferences.add_commands(self._commands)
        wiring.preferences.links["lesson"] = self._open_by_name
        wiring.before_close.append(self._leave)
        wiring.files.before_question.append(self._uncover)
        wiring.preferences.covers["lessons"] = Cover(
            lambda: None if self._player is None else self._player.document_before,
            lambda: self._player is None or self._player.may_leave(),
            lambda: self.player.place,
            self._go_on,
        )

    @property
    def player(self) -> LessonController:
        """Player of lessons, created on first use."""
        if self._player is None:
            from framescope.features.lessons.app.lesson_controller import LessonController

            wiring = self._wiring
            self._player = LessonController(
                wiring.session, wiring.window, wiring.files, wiring.staged, wiring.exports, wiring.settings
            )
        return self._player

    def _open(self, path: Path, _is_checked: bool = False) -> None:
        self.player.open(path)

    def _open_by_name(self, name: str) -> None:
        self.player.open_by_name(name)

    def _write_new(self) -> None:
        self.player.write_new()

    def _go_on(self, state: Any) -> None:
        """Continue with the lesson of another process."""
        with suppress(ValidationError):
            self.player.go_on(LessonPlace.model_validate(state))

    def _commands(self) -> Iterator[Command]:
        yield Command(NEW_LESSON, "help", "", self._write_new, "lesson write author teach capture")
        if self._player is not None and self._player.is_on:
            yield from self._player.commands()

    def _fill(self, menu: QMenu) -> None:
        if not menu.isEmpty():
            return
        from framescope.features.lessons.app.lesson_lookup import lesson_titles

        for title, path in lesson_titles():
            menu.addAction(title).triggered.connect(partial(self._open, path))
        menu.addSeparator()
        menu.addAction(NEW_LESSON).triggered.connect(self._write_new)

    def _uncover(self) -> None:
        if self._player is not None:
            self._player.uncover()

    def _leave(self) -> bool:
        """End the lesson before the window closes; return False where the user wants to keep it open."""
        if self._player is None:
            return True
        if not self._player.may_leave():
            return False
        self._player.leave()
        return True


def lesson_player(wiring: Wiring) -> LessonController:
    """Return the player of lessons of a window."""
    (entry,) = wiring.window.findChildren(LessonEntry)
    return entry.player


def fill_lesson(wiring: Wiring) -> None:
    """Fill the dock of lessons."""
    lesson_player(wiring).show_panel()
