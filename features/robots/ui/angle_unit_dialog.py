"""Dialog that asks for the unit of recorded angles if the file does not settle it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from framescope.features.table_import.core.decisions import Decision
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.segmented_control import Segmented

TITLE = "Unit of the angles"
TEXTS: Mapping[str, str] = {"rad": "radians", "deg": "degrees", "as each joint": "as each joint"}
_WIDTH = 420


class AngleUnitDialog(QDialog):
    """Shows the assumed unit of the angles of a file and the reason, and asks for the unit.

    Parameters
    ----------
    file
        Name of the file.
    decision
        The decision on the unit.

    Signals
    -------
    chosen(str)
        The unit, in the words of decisions.
    """

    chosen = Signal(str)

    def __init__(self, file: str, decision: Decision, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "panel")
        self.setWindowTitle(TITLE)
        taken = TEXTS.get(decision.value, decision.value)
        is_open = decision.certainty == "open"
        heading = layouts.label("In which unit are the angles?", "title")
        guess = "Nothing settles it" if is_open else f"Assumed to be {taken}"
        self.reason = layouts.plain_label(f"{file} does not state the unit. {guess}: {decision.reason}.", wordWrap=True)
        self.settled_by = layouts.plain_label(f"To settle it, {decision.settled_by}.", "quiet", wordWrap=True)
        self._values = {TEXTS.get(unit, unit): unit for unit in (decision.value, *decision.alternatives)}
        self.unit = Segmented(tuple(self._values), "unit of the angles")
        self.unit.set_choice(taken)
        self.play = push_button("Play", kind="main", default=True)
        self.cancel = push_button("Cancel")
        self.cancel.setAutoDefault(False)
        self.play.clicked.connect(self._on_play)
        self.cancel.clicked.connect(self.reject)
        buttons = layouts.row(layouts.STRETCH, self.cancel, self.play, spacing=METRICS.gap)
        layouts.column(
            heading, self.reason, self.unit, self.settled_by, METRICS.inner, buttons,
            on=self, margins=METRICS.padding, spacing=METRICS.gap,
        )  # fmt: skip
        self.setMinimumWidth(_WIDTH)

    def _on_play(self) -> None:
        self.accept()
        self.chosen.emit(self._values[self.unit.choice])
