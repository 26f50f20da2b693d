"""Button with a menu to select plots."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget


class PlotsButton(QPushButton):
    """Button with a menu to select plots, initially all.

    Signals
    -------
    changed()
        Another plot was selected or deselected.
    """

    changed = Signal()

    def __init__(self, titles: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        menu = QMenu(self)
        self._actions: list[QAction] = []
        for title in titles:
            action = menu.addAction(title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(True)
            action.toggled.connect(self._on_toggled)
            self._actions.append(action)
        self.setMenu(menu)
        self.setAccessibleName("plots that are shown")
        self._update_text()

    @property
    def chosen(self) -> tuple[int, ...] | None:
        """Numbers of the selected plots from 0; None for all."""
        selected = tuple(i for i, action in enumerate(self._actions) if action.isChecked())
        return None if len(selected) == len(self._actions) else selected

    def set_chosen(self, chosen: Sequence[int] | None) -> None:
        """Select some plots, or all with None."""
        for i, action in enumerate(self._actions):
            action.setChecked(chosen is None or i in chosen)

    def _on_toggled(self) -> None:
        self._update_text()
        self.changed.emit()

    def _update_text(self) -> None:
        n = len(self._actions)
        n_selected = n if self.chosen is None else len(self.chosen)
        self.setEnabled(n > 0)
        self.setText(
            "No plots" if n == 0 else f"All {n} plots" if n_selected == n > 1 else f"{n_selected} of {n} plots"
        )
