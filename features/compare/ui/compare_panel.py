"""Panel that compares two texts: the reading of each, the answer, and the relations that fit."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QListWidget, QListWidgetItem, QMenu, QPlainTextEdit, QSizePolicy, QWidget

from framescope.core.kernels.validation import Array
from framescope.core.orientation import Orientation
from framescope.core.readings import TextReadings
from framescope.core.readings.read_text import EMPTY, MAX_LENGTH
from framescope.core.scene.schema.model import WORLD
from framescope.features.compare.core.comparison import Comparison, Row, Verdict
from framescope.features.compare.core.markdown import as_markdown
from framescope.features.detective.core.conversion import LABELS
from framescope.features.detective.core.pipeline import Status
from framescope.features.detective.ui.detective_panel import VerdictBlock
from framescope.ui.scene_view.base.ghost_pose import Candidate
from framescope.ui.theme import fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button

TYPING_MS = 80
"""Time without typing before the texts are compared, ms."""

WAITING = "Give both sides a text of the same pose: numbers, a print, code, a message, the line of a file."

TEXT_HEIGHT = 70
"""Height of a text, logical pixels."""

WIDE = 560
"""Width from which the answer stands beside the texts, logical pixels."""

COINCIDING = 0.02
"""Largest difference of the elements of two orientations that are drawn as one."""

NAMES = ("the first", "the second")
"""Names of the sides within sentences."""

_STATUSES: dict[Verdict, Status] = {
    "settled": "found",
    "likely": "found",
    "cannot tell": "unclear",
    "neither": "nothing",
}

_TITLES: dict[Verdict, str] = {
    "settled": "Settled.",
    "likely": "Likely.",
    "cannot tell": "Cannot tell.",
    "neither": "Neither.",
}


class ComparePanel(QWidget):
    """
    Panel for two texts of one pose.

    Signals
    -------
    begun()
        The user asked for the panel, to compare the selected frame and the clipboard.
    requested(str, str)
        The user changed the texts, which are to be compared.
    frame_wanted(int)
        The user wants the selected frame of the scene on a side, 0 or 1.
    added(object)
        The user adds the poses of a `Row` to the scene.
    more_wanted(str, str)
        The user has more samples: the texts go to the convention detective.
    copied(str)
        A text was copied; the sentence for the status line.
    candidates_shown(object)
        Orientations for the scene to draw: a tuple of `Candidate`, empty for none.
    """

    begun = Signal()
    requested = Signal(str, str)
    frame_wanted = Signal(int)
    added = Signal(object)
    more_wanted = Signal(str, str)
    copied = Signal(str)
    candidates_shown = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layouts.lay_ground(self)
        self.sides = (_SideBox("First"), _SideBox("Second"))
        self.answer: Comparison | None = None
        self.verdict = VerdictBlock()
        self.hint = layouts.plain_label(WAITING, "quiet", wordWrap=True)
        self.rows = QListWidget()
        self.rows.setAccessibleName("relations that fit")
        self.rows.setWordWrap(True)
        self.rows.setMinimumHeight(160)
        self.rows.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.add = push_button("Add to the scene", "plus", kind="small")
        self.markdown = push_button("Copy as Markdown", "copy", kind="small")
        self.code = push_button("Copy code", "code", kind="small")
        self.more = push_button("More pairs…", kind="small")
        self.more.setToolTip("Compares several pairs, with fixed offsets, in the convention detective")
        self.menu = QMenu(self.code)
        for target, text in LABELS.items():
            self.menu.addAction(text, partial(self._copy_code, target))
        self.code.setMenu(self.menu)
        self._has_candidates = False
        self._asked = ("", "")
        self._typing = QTimer(self, interval=TYPING_MS, singleShot=True)
        self._typing.timeout.connect(self._request)
        self._lay_out()
        for i, side in enumerate(self.sides):
            side.text.textChanged.connect(self._typing.start)
            side.frame.clicked.connect(partial(self.frame_wanted.emit, i))
        self.rows.currentRowChanged.connect(self._on_row)
        self.add.clicked.connect(self._add)
        self.markdown.clicked.connect(self._copy_markdown)
        self.more.clicked.connect(lambda: self.more_wanted.emit(*self.texts()))
        # From text to text: what follows a typed text is the other one.
        order = (*(side.text for side in self.sides), *(side.frame for side in self.sides), self.add)
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)
        self._show_answer(None)

    def texts(self) -> tuple[str, str]:
        """Return both texts."""
        first, second = (side.text.toPlainText() for side in self.sides)
        return first, second

    def set_text(self, side: int, text: str) -> None:
        """Set the text of a side, 0 or 1, and compare at once."""
        self.sides[side].text.setPlainText(text[:MAX_LENGTH])
        self._typing.stop()
        self._request()

    def put_text(self, text: str) -> None:
        """Put a text on the first empty side, or on the second, and give the keyboard to the other side if empty."""
        self.set_text(0 if not self.texts()[0].strip() else 1, text)
        self.focus_empty_side()

    def focus_empty_side(self) -> None:
        """Give the keyboard to the first side without a text."""
        empty = [side for side in self.sides if not side.text.toPlainText().strip()]
        (empty or self.sides)[0].text.setFocus()

    def show_comparison(self, answer: Comparison) -> None:
        """Show an answer, and the readings of both sides."""
        if self.texts() != self._asked:
            return  # of texts that are changed since then: theirs follows
        for side, readings in zip(self.sides, (answer.first, answer.second), strict=True):
            side.show_readings(readings)
        is_given = all(text.strip() for text in self.texts())
        self._show_answer(answer if is_given else None)

    def show_failure(self, why: str) -> None:
        """Show that the comparison itself failed."""
        self._show_answer(None)
        self.hint.setText(why)

    def row(self) -> Row | None:
        """Return the chosen relation, the first if none is chosen; None without one."""
        rows = () if self.answer is None else _rows_of(self.answer)
        return rows[max(self.rows.currentRow(), 0)] if rows else None

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._send(())

    def sizeHint(self) -> QSize:
        return QSize(300, 520)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 160)

    def _lay_out(self) -> None:
        self.buttons = QWidget()
        grid = layouts.grid(on=self.buttons, margins=0, spacing=METRICS.inner)
        for i, button in enumerate((self.add, self.markdown, self.code, self.more)):
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            grid.addWidget(button, i // 2, i % 2)
        answer = QWidget()
        parts = (self.verdict, self.hint, self.buttons, self.rows, layouts.STRETCH)
        layouts.column(*parts, on=answer, margins=0, spacing=METRICS.gap)
        sides = QWidget()
        layouts.column(*self.sides, layouts.STRETCH, on=sides, margins=0, spacing=METRICS.gap)
        content = layouts.panel()
        self._box = layouts.column((sides, 0), (answer, 1), on=content, margins=(METRICS.padding, METRICS.gap))
        self._box.setSpacing(METRICS.padding)
        area = layouts.scroll_area(content, "comparison of two numbers")
        layouts.column(area, on=self, margins=0, spacing=0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_wide = event.size().width() >= WIDE
        self._box.setStretch(0, 2 if is_wide else 0)
        self._box.setDirection(QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom)
        super().resizeEvent(event)

    def _request(self) -> None:
        self._asked = self.texts()
        self.requested.emit(*self.texts())

    def _show_answer(self, answer: Comparison | None) -> None:
        self.answer = answer
        self.verdict.setVisible(answer is not None)
        self.buttons.setVisible(answer is not None)
        self.hint.setVisible(answer is None)
        self.hint.setText(WAITING)
        rows = () if answer is None else _rows_of(answer)
        self.rows.setVisible(len(rows) > 1)
        blocked = self.rows.blockSignals(True)
        self.rows.clear()
        for i, row in enumerate(rows, 1):
            item = QListWidgetItem(f"#{i}  {row_text(row)}")
            item.setToolTip(row_text(row))
            self.rows.addItem(item)
        if rows:
            self.rows.setCurrentRow(0)
        self.rows.blockSignals(blocked)
        if answer is not None:
            title = "Not read." if answer.reason else _TITLES[answer.verdict]
            status: Status = "unclear" if answer.reason else _STATUSES[answer.verdict]
            self.verdict.set_verdict(status, title, answer.sentence)
        self.markdown.setEnabled(answer is not None)
        self._on_row()

    def _on_row(self, _row: int = 0) -> None:
        row = self.row()
        self.add.setEnabled(row is not None and row.R_first is not None)
        self.code.setEnabled(row is not None and row.has_code)
        self._draw()

    def _add(self) -> None:
        row = self.row()
        if row is not None:
            self.added.emit(row)
            self._send(())  # the frames stand there now

    def _copy_markdown(self) -> None:
        if self.answer is not None:
            lines = as_markdown(self.answer, *self.texts(), NAMES)
            QGuiApplication.clipboard().setText("\n".join(lines) + "\n")
            self.copied.emit("Copied the comparison as Markdown")

    def _copy_code(self, target: str) -> None:
        row = self.row()
        if row is not None:
            QGuiApplication.clipboard().setText(row.code(target))
            self.copied.emit(f"Copied the conversion as {LABELS[target]}")

    def _draw(self) -> None:
        """Show both orientations of the chosen relation in the scene, and that of the first text in each other one."""
        row = self.row()
        if row is None or row.R_first is None or row.R_second is None or not self.isVisible():
            self._send(())
            return
        first, second = (_active(R) for R in (row.R_first, row.R_second))
        if float(np.abs(first - second).max()) < COINCIDING:
            pair = [Candidate("first and second", WORLD, WORLD, first)]
        else:
            pair = [
                Candidate("first", WORLD, WORLD, first, turn_to="second"),
                Candidate("second", WORLD, WORLD, second),
            ]
        rows = () if self.answer is None else _rows_of(self.answer)
        others = [
            Candidate(f"#{i}", WORLD, WORLD, _active(other.R_first))
            for i, other in enumerate(rows, 1)
            if other is not row and other.R_first is not None
        ]
        self._send((*pair, *others))

    def _send(self, candidates: tuple[Candidate, ...]) -> None:
        if candidates or self._has_candidates:
            self._has_candidates = bool(candidates)
            self.candidates_shown.emit(candidates)


def _rows_of(answer: Comparison) -> tuple[Row, ...]:
    """Return what can be shown of an answer: its relations, behind both texts as they stand if none is meant."""
    return answer.rows if answer.simplest is None else (answer.simplest, *answer.rows)


def _active(R: Orientation) -> Array:
    """Return an orientation as one active matrix (1, 3, 3)."""
    return R.T.T[np.newaxis].copy()


def row_text(row: Row) -> str:
    """Return a relation in one line."""
    return "; ".join([f"{row.left}: {row.first}, {row.second}", *row.texts])


def readings_text(readings: TextReadings) -> str:
    """Return the readings of a text, in one line.

    >>> from framescope.core.readings import read_text
    >>> readings_text(read_text("q.setRPY(0, 0, 1)")), readings_text(read_text("0 0 0 1"))
    ("tf2's setRPY: roll, pitch, yaw", 'A quaternion: scalar last: x y z w, or scalar first: w x y z')
    """
    if not readings.readings:
        return "" if readings.reason == EMPTY else readings.reason
    if readings.settled is not None:
        return readings.settled.source
    choices = [reading.choice for reading in readings.readings if reading.choice]
    return f"{readings.readings[0].source}: {', '.join(choices[:-1])}, or {choices[-1]}"


class _SideBox(QWidget):
    """Text box of one side, with its readings."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.text = _TextBox()
        self.text.setAccessibleName(f"{name.lower()} text")
        self.text.setPlaceholderText("Paste or drop any text with a pose.")
        self.frame = push_button("Selected frame", kind="link")
        self.frame.setAccessibleName(f"selected frame as the {name.lower()} text")
        self.frame.setToolTip("Takes the pose of the selected frame in its parent, at this time")
        self.reading = layouts.plain_label("", "caption", wordWrap=True)
        self.reading.setAccessibleName(f"what the {name.lower()} text is read as")
        head = layouts.row(layouts.label(name, "title"), layouts.STRETCH, self.frame, margins=0, spacing=METRICS.gap)
        layouts.column(head, (self.text, 1), self.reading, on=self, margins=0, spacing=2)

    def show_readings(self, readings: TextReadings) -> None:
        """Show the readings of the text."""
        self.reading.setText(readings_text(readings))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasText():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.text.setPlainText(event.mimeData().text()[:MAX_LENGTH])
        event.acceptProposedAction()


class _TextBox(QPlainTextEdit):
    """Text box in which Tab moves to the next field."""

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setFont(fonts.number(METRICS.number))
        self.setAcceptDrops(False)
        self.setFixedHeight(TEXT_HEIGHT)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
