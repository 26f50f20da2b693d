"""Dialog that puts a twin beside a frame: turned from the same angles by another sequence."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from framescope.core.analysis.order_comparison import angle_apart
from framescope.core.analysis.staged_rotation import GREEK
from framescope.core.kernels.validation import SEQUENCES, Array
from framescope.core.scene.edits.twins import Kept, can_keep_axes, same_angles
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import AngleUnit
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.segmented_control import Segmented

_WIDTH = 420
KEPT: dict[str, Kept] = {"Its axis": "axis", "Its place": "place"}


def product_text(sequence: str, letters: str) -> str:
    """Return a rotation as the product of its turns, as rich text.

    >>> product_text("ZYX", "αβγ")
    'R = R<sub>z</sub>(α) R<sub>y</sub>(β) R<sub>x</sub>(γ)'
    """
    return "R = " + " ".join(f"R<sub>{a.lower()}</sub>({b})" for a, b in zip(sequence, letters, strict=True))


class TwinDialog(QDialog):
    """Asks by which sequence a twin is turned, and what its angles keep.

    Parameters
    ----------
    name, sequence
        The frame, and its own sequence.
    angles : (3,)
        Its angles now, rad.
    unit
        In which angles are shown.

    Signals
    -------
    chosen(str, str)
        The sequence, and ``"axis"`` or ``"place"``; the dialog closes.
    """

    chosen = Signal(str, str)

    def __init__(self, name: str, sequence: str, angles: Array, unit: AngleUnit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "panel")
        self.setProperty("helpTopic", "window.md#compare-orders")
        self.setWindowTitle("Compare with another order")
        self._sequence, self._angles, self._unit = sequence, angles, unit
        heading = layouts.label(f"A twin of {name}, from the same three angles", "title")
        text = layouts.label(
            "The angles become parameters: one slider turns both, and what differs is the order alone.",
            "quiet",
            wordWrap=True,
        )
        self.sequence = ChoiceBox()
        self.sequence.setAccessibleName("sequence of the twin")
        self.sequence.addItems([each for each in SEQUENCES if each != sequence])
        self.sequence.setCurrentText(_opposite(sequence))
        self.kept = Segmented([*KEPT], "each angle keeps")
        self.own = layouts.label(product_text(sequence, "".join(GREEK)), textFormat=Qt.TextFormat.RichText)
        self.twin = layouts.label("", textFormat=Qt.TextFormat.RichText)
        self.apart = layouts.label("", "quiet", wordWrap=True)
        self.sequence.currentTextChanged.connect(self._show)
        self.kept.chosen.connect(self._show)
        self.make, cancel = push_button("Put it beside", kind="main", default=True), push_button("Cancel")
        cancel.setAutoDefault(False)
        self.make.clicked.connect(self._on_make)
        cancel.clicked.connect(self.reject)
        rows = [
            layouts.row(layouts.label(text, "quiet"), layouts.STRETCH, widget, spacing=METRICS.gap)
            for text, widget in (("Turned by", self.sequence), ("Each angle keeps", self.kept))
        ]
        shown = [
            layouts.row(layouts.label(text, "quiet"), layouts.STRETCH, widget, spacing=METRICS.gap)
            for text, widget in ((name, self.own), ("Twin", self.twin))
        ]
        buttons = layouts.row(layouts.STRETCH, cancel, self.make, spacing=METRICS.gap)
        parts = (heading, text, *rows, METRICS.inner, *shown, self.apart, METRICS.inner, buttons)
        layouts.column(*parts, on=self, margins=METRICS.padding, spacing=METRICS.gap)
        self.setMinimumWidth(_WIDTH)
        self._show()
        self.sequence.setFocus()

    def _show(self) -> None:
        other = self.sequence.currentText()
        can_keep = can_keep_axes(self._sequence, other)
        self.kept.set_offered("Its axis", can_keep)
        self.kept.setToolTip(
            "Its axis: the angle about x stays the angle about x. Its place: the first angle stays the first"
            if can_keep
            else "Where an axis comes twice each angle keeps its place: the first stays the first"
        )
        kept = KEPT[self.kept.choice]
        letters = "".join(GREEK[k] for k in same_angles(self._sequence, other, kept))
        self.twin.setText(product_text(other, letters))
        apart = self._unit.text(angle_apart(self._sequence, self._angles, other, kept))
        self.apart.setText(f"With the angles of now the two are turned {apart} apart.")

    def _on_make(self) -> None:
        self.accept()
        self.chosen.emit(self.sequence.currentText(), KEPT[self.kept.choice])


def _opposite(sequence: str) -> str:
    """Return the sequence that one would compare with first: the same axes the other way round, or two exchanged.

    >>> _opposite("ZYX"), _opposite("ZXZ")
    ('XYZ', 'XZX')
    """
    first, second, third = sequence
    return third + second + first if first != third else second + first + second
