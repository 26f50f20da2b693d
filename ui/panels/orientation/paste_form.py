"""Form for a pasted orientation: parses it, describes the result, and asks about ambiguities."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QPlainTextEdit, QScrollArea, QWidget

from framescope.core.angle_branches import axes_rotations_angles_branches
from framescope.core.orientation import Orientation
from framescope.core.readings import Reading, TextReadings, read_text
from framescope.ui.formatting import number_text
from framescope.ui.panels.orientation.values import LETTERS
from framescope.ui.theme import fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.headings import SectionHeader
from framescope.ui.widgets.inline_message import InlineMessage

_HINT = "[1 0 0; 0 1 0; 0 0 1]\n0, 0, 0, 1\naxes ZYX 10 20 30 deg"

NOTABLE_ROUNDING_DEG = 0.05
"""Uncertainty from rounded digits that the description mentions, degrees."""


class PasteForm(QFrame):
    """Text field with a live description of the parsed orientation.

    Signals
    -------
    accepted(object, object)
        The matrix (3, 3), parent into frame, and the position (3,) in the parent, m, or None.
    closed()
        The form was closed, with or without a result.
    """

    accepted = Signal(object, object)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._sequence = "XYZ"
        self._result = TextReadings()
        self._offered: tuple[Reading, ...] = ()
        self._choice = ""
        self._question: QWidget | None = None
        self.choices = QButtonGroup(self)
        self.text = QPlainTextEdit()
        self.text.setFont(fonts.number())
        self.text.setFixedHeight(72)
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(_HINT)
        self.text.setAccessibleName("pasted orientation")
        self.text.setToolTip(
            "A matrix of numpy, MATLAB, Julia or Modelica, a quaternion, angles, or code of a library.\n"
            "A pose of ROS, URDF, SDF, MJCF, OpenCV, COLMAP or a robot controller, with the words around it"
        )
        self.description = layouts.plain_label("", "quiet", wordWrap=True)
        self.problem = InlineMessage("warning")
        self._questions = layouts.column(margins=0, spacing=METRICS.inner)
        self.position = push_button("Set the position, too", kind="small", checkable=True, checked=True)
        self.position.toggled.connect(lambda _: self._show())
        self.use = push_button("Use it", "check", kind="main")
        self.leave = push_button("Close")
        self.use.clicked.connect(self._on_use)
        self.leave.clicked.connect(self.close_form)
        self.text.textChanged.connect(self._read)
        # Delayed until the layout has placed the form.
        self._shower = QTimer(self, interval=0, singleShot=True)
        self._shower.timeout.connect(self._come_into_view)
        buttons = layouts.row(self.use, self.leave, layouts.STRETCH, spacing=METRICS.gap)
        layouts.column(
            SectionHeader("Paste notation", "Ctrl Enter uses it"),
            self.text,
            self.description,
            self._questions,
            layouts.row(self.position, layouts.STRETCH, spacing=METRICS.gap),
            self.problem,
            buttons,
            on=self,
            margins=METRICS.gap,
            spacing=METRICS.inner,
        )
        self.hide()

    @property
    def question(self) -> str:
        """What the text leaves open; empty if it settles its reading."""
        return self._result.question if len(self._offered) > 1 else ""

    def open_form(self, sequence: str) -> None:
        """Show the form with the clipboard if it can be read. Angles without a sequence are in `sequence`."""
        self._sequence, self._choice = sequence, ""
        text = QGuiApplication.clipboard().text()
        self.text.setPlainText(text if read_text(text, sequence).readings else "")
        self._read()
        self.show()
        self.text.setFocus()
        self.text.selectAll()
        self._shower.start()

    def close_form(self) -> None:
        """Hide the form."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() == Qt.Key.Key_Escape:
            self.close_form()
        elif is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._on_use()
        else:
            super().keyPressEvent(event)

    # --- parsing

    def _read(self) -> None:
        self._result = read_text(self.text.toPlainText(), self._sequence)
        readings = self._result.readings
        self._offered = tuple(reading for reading in readings if reading.kind in ("orientation", "pose"))
        self._ask()
        self._show()
        self._shower.start()

    @property
    def _reading(self) -> Reading | None:
        """The settled or chosen reading, or None."""
        if len(self._offered) == 1:
            return self._offered[0]
        return next((reading for reading in self._offered if reading.choice == self._choice), None)

    def _show(self) -> None:
        """Show the description of the text and what keeps it from being used."""
        is_empty = not self.text.toPlainText().strip()
        reading = self._reading
        problem = "" if is_empty else self._problem(reading)
        if is_empty:
            description = self._result.reason
        elif reading is not None and reading.R is not None:
            description = _description_text(reading, reading.R, self._sequence, with_position=self.position.isChecked())
        else:
            description = f"{self._offered[0].source}." if self._offered else ""
        self.description.setText(description)
        self.description.setVisible(bool(description))
        self.problem.set_message(problem)
        self.position.setVisible(reading is not None and reading.p_PF is not None and reading.R is not None)
        self.use.setEnabled(reading is not None and reading.R is not None and not reading.is_list)

    def _problem(self, reading: Reading | None) -> str:
        if self._result.readings and not self._offered:
            return f"The text has a {self._result.readings[0].kind} and no orientation."
        if reading is None:
            return self._result.reason
        if reading.is_list:
            names = ", ".join(placement.child for placement in reading.placements[:5] if placement.child)
            of = f" of {names}" if names else ""
            return f"The text has several poses{of}: paste that of one frame alone."
        if reading.fault:
            return reading.fault
        if reading.is_off:
            return f"Off the nearest rotation by {reading.distance:.4f}; the nearest is what is used."
        return ""

    def _come_into_view(self) -> None:
        """Scroll the surrounding area until the form's buttons are visible."""
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        if above is not None and self.isVisible():
            above.ensureWidgetVisible(self, 0, METRICS.gap)

    def _ask(self) -> None:
        """Show a button for each reading that the text leaves open."""
        choices = [reading.choice for reading in self._offered] if len(self._offered) > 1 else []
        if choices == [button.text() for button in self.choices.buttons()]:
            return
        if self._question is not None:
            self._questions.removeWidget(self._question)
            self._question.hide()
            self._question.deleteLater()
            self._question = None
        self.choices = QButtonGroup(self)
        if not choices:
            return
        holder = self._question = QWidget()
        column = layouts.column(layouts.label(self.question, "section"), on=holder, margins=0, spacing=2)
        for choice in choices:
            button = push_button(choice, kind="small", checkable=True, checked=choice == self._choice)
            button.setAccessibleName(f"{self.question} {choice}")
            button.clicked.connect(lambda _=False, choice=choice: self._on_choice(choice))
            self.choices.addButton(button)
            column.addLayout(layouts.row(button, layouts.STRETCH, spacing=METRICS.inner))
        self._questions.addWidget(holder)

    def _on_choice(self, choice: str) -> None:
        self._choice = choice
        self._show()

    def _on_use(self) -> None:
        reading = self._reading
        if reading is not None and reading.R is not None and self.use.isEnabled():
            p = reading.p_PF if self.position.isChecked() else None
            self.accepted.emit(reading.R.T, None if p is None else np.array(p))


def _description_text(reading: Reading, R: Orientation, sequence: str, *, with_position: bool) -> str:
    """Return a description of a reading: its source, angles, position, assumptions and rounding."""
    angles = np.degrees(axes_rotations_angles_branches(R, sequence)[0])
    angles_text = ", ".join(
        f"{letter} {number_text.fixed(float(a), 2)}°" for letter, a in zip(LETTERS, angles, strict=True)
    )
    p = reading.p_PF if with_position else None
    at = "" if p is None else f", at {', '.join(f'{x:.6g}' for x in p)} m"
    notes = [f"Assumed: {', '.join(reading.assumed)}."] if reading.assumed else []
    if reading.rounding_deg >= NOTABLE_ROUNDING_DEG:
        notes.append(f"Rounded digits leave about {reading.rounding_deg:.1g}°.")
    return "\n".join([f"{reading.source}: {sequence} {angles_text}{at}", *notes])
