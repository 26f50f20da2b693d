"""Typed letters in a menu: each goes to the next entry that begins with it, as on most desktops."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu

_NO_TEXT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class MenuLetters(QObject):
    """Selects the entry of a menu, or of one of its submenus, that begins with a typed letter.

    Parameters
    ----------
    menu : QMenu
        Menu without mnemonics of its own; it owns this object.
    """

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        self._menu = menu
        menu.installEventFilter(self)
        menu.aboutToShow.connect(self._follow_submenus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take a typed letter that an entry begins with."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress or event.modifiers() & _NO_TEXT:
            return False
        letter = event.text().casefold()
        if not isinstance(watched, QMenu) or not letter.isalnum():
            return False
        found = next_entry(watched, letter)
        if found is not None:
            watched.setActiveAction(found)
        return found is not None

    def _follow_submenus(self) -> None:
        # Installed again, a filter moves to the front and is still called once.
        for submenu in self._menu.findChildren(QMenu):
            submenu.installEventFilter(self)


def next_entry(menu: QMenu, letter: str) -> QAction | None:
    """Return the next entry below the active one that begins with a letter, from the top again after the last."""
    entries = [action for action in menu.actions() if action.isVisible() and action.isEnabled() and action.text()]
    active = menu.activeAction()
    i = entries.index(active) + 1 if active in entries else 0
    return next((action for action in entries[i:] + entries[:i] if action.text().casefold().startswith(letter)), None)
