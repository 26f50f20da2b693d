"""Combo boxes of the inspector: narrow, and unaffected by a passing mouse wheel."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QWidget

from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.choice_box import ChoiceBox

_POPUP_FRAME = 28
_ARROW = 30


class Combo(ChoiceBox):
    """Choice among words. Each has a text for the window and data for the file.

    Signals
    -------
    chosen(object)
        The data of the entry that the user selected.
    """

    chosen = Signal(object)

    def __init__(self, name: str, kind: str = "field", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setProperty("kind", kind)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(3)
        self.choices: tuple[tuple[str, object], ...] = ()
        """Texts and data of all choices."""
        self.data: object = None
        """Data of the selected choice."""
        self.keys_open_list = False
        """Whether the arrow keys open the list instead of passing from choice to choice, each of which is an edit."""
        self._offered: tuple[object, ...] = ()
        self.activated.connect(self._on_activated)

    def set_choices(self, choices: Iterable[tuple[str, object]]) -> None:
        """Replace the choices."""
        new = tuple(choices)
        self._offered = tuple(data for _, data in new)
        self._fill(new)

    def _fill(self, new: tuple[tuple[str, object], ...]) -> None:
        if new != self.choices:
            self.choices = new
            with QSignalBlocker(self):
                self.clear()
                self.addItems([text for text, _ in new])

    def be_unit(self) -> None:
        """Style the box as the unit of a number: smaller, and as wide as its widest choice."""
        self.setProperty("kind", "unit")
        font = fonts.text(METRICS.secondary)
        widest = max((fonts.width(font, text) for text, _ in self.choices), default=0)
        self.set_usual_width(max(round(widest) + _ARROW, 52))

    def show_data(self, data: object) -> None:
        """Select the choice with these data. Unknown data become a new choice, and the box is marked."""
        values = [value for _, value in self.choices]
        if data not in values:
            missing = "?" if self.property("kind") == "unit" else "not set"  # a unit has little room
            self._fill((*self.choices, (str(data) if data is not None else missing, data)))
            values.append(data)
        self.data = data
        self._mark(is_wrong=bool(self._offered) and not self._is_offered(data))
        if self.currentIndex() != values.index(data):
            with QSignalBlocker(self):
                self.setCurrentIndex(values.index(data))
        is_missing = data is None and None not in self._offered
        self.setToolTip("not set" if is_missing else literal_text(self.choices[values.index(data)][0]))

    def _is_offered(self, data: object) -> bool:
        """Return whether data are among the choices, also in another spelling of a unit, such as ``m/s2``."""
        return data in self._offered or (isinstance(data, str) and data.replace("2", "²") in self._offered)

    def _mark(self, *, is_wrong: bool) -> None:
        if is_wrong != bool(self.property("invalid")):
            self.setProperty("invalid", is_wrong)
            self.style().polish(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.keys_open_list and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.showPopup()
        else:
            super().keyPressEvent(event)

    def showPopup(self) -> None:
        widest = max((self.fontMetrics().horizontalAdvance(text) for text, _ in self.choices), default=0)
        self.view().setMinimumWidth(widest + _POPUP_FRAME)
        super().showPopup()

    def _on_activated(self, index: int) -> None:
        data = self.choices[index][1]
        if data != self.data:
            self.data = data
            self.chosen.emit(data)
