"""Segmented control: a switch between a few words."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QSizePolicy, QWidget

from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts

_HEIGHT, _PAD = 28, 10


class Segmented(QFrame):
    """A row of buttons with exactly one checked.

    Parameters
    ----------
    choices : sequence of str
        Their texts, which are also their names.
    name : str
        Name of the choice, for screen readers.
    tips : mapping of str to str
        Tool tips by choice; None for none.

    Signals
    -------
    chosen(str)
        The user has chosen another one.
    """

    chosen = Signal(str)

    def __init__(
        self,
        choices: Sequence[str],
        name: str = "",
        parent: QWidget | None = None,
        *,
        tips: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "segmented")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_HEIGHT)
        self.setAccessibleName(name)
        self.choice = choices[0]
        """The current choice."""
        self._group = QButtonGroup(self)
        self.buttons = {}
        row = layouts.row(on=self, margins=2, spacing=0)
        for choice in choices:
            button = QPushButton(choice)
            button.setCheckable(True)
            button.setAutoDefault(False)  # Return belongs to the focused field of a dialog
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAccessibleName(f"{name} {choice}".strip())
            button.setToolTip(tips.get(choice, "") if tips else "")
            self._group.addButton(button)
            self.buttons[choice] = button
            row.addWidget(button)
        self._group.buttonClicked.connect(self._on_clicked)
        self.set_choice(self.choice)

    def set_scale(self, scale: float) -> None:
        """Scale the control relative to its usual size, for example for a presentation."""
        self.setFixedHeight(round(scale * _HEIGHT))
        larger = f"font-size: {round(scale * METRICS.base)}px; padding: 0 {round(scale * _PAD)}px; min-height: 0;"
        for button in self.buttons.values():
            button.setStyleSheet(larger if scale != 1.0 else "")

    def set_choice(self, choice: str) -> None:
        """Set the choice from outside; emits nothing."""
        self.choice = choice
        self.buttons[choice].setChecked(True)

    def show_choice(self, choice: str, is_offered: bool) -> None:
        """Show or hide one of the choices; hiding the current choice selects the first."""
        self.buttons[choice].setVisible(is_offered)
        if not is_offered and self.choice == choice:
            self.set_choice(next(iter(self.buttons)))

    def set_usable(self, choice: str, is_usable: bool) -> None:
        """Enable or disable one of the choices; the current choice stays."""
        self.buttons[choice].setEnabled(is_usable)

    def _on_clicked(self, button: QPushButton) -> None:
        if button.text() != self.choice:
            self.choice = button.text()
            self.chosen.emit(self.choice)
