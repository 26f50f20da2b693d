"""Editor of numbers that belong together, such as a matrix or a quaternion: typed one by one, committed as a whole."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.number_field import NumberField


@dataclass(frozen=True, eq=False)
class EditVerdict:
    """Result of checking typed numbers.

    Parameters
    ----------
    values : (n,)
        The accepted numbers, or the proposed correction; None if there is no correction close by.
    problem
        Reason why the numbers are rejected; empty if they are accepted.
    """

    values: NDArray[np.float64] | None
    problem: str = ""


Check = Callable[[NDArray[np.float64]], EditVerdict]


class ComponentEditor(QWidget):
    """Number fields that are checked together.

    A typed number is kept while the others are still missing: edited fields are marked, the reason is displayed below
    with a button to fix it, and values from outside wait. Escape and "Undo edit" discard the edit.

    Parameters
    ----------
    fields : sequence of NumberField
        The numbers, in order; a subclass arranges them.
    check : callable, optional
        Checks the numbers; without it all are accepted.
    fix : str
        Text of the button that accepts the proposed correction, a word or two.

    Signals
    -------
    committed(object)
        All numbers, as returned by the check.
    cancelled()
        The edit was discarded.
    message(str)
        Error in a typed text; empty once it is resolved.
    """

    committed = Signal(object)
    cancelled = Signal()
    message = Signal(str)

    def __init__(
        self,
        fields: Sequence[NumberField],
        check: Check | None = None,
        fix: str = "Use nearest rotation",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.fields = tuple(fields)
        self._check = check
        self._live = np.zeros(len(self.fields))
        self._draft: NDArray[np.float64] | None = None
        self._typed: set[int] = set()
        self._fixed_values: NDArray[np.float64] | None = None
        self._is_marking = False
        self.problem = InlineMessage()
        self.fix = push_button(fix, "wand-sparkles", kind="main")
        self.undo = push_button("Undo edit", "undo-2")
        self.fix.clicked.connect(self._on_fix)
        self.undo.clicked.connect(self.cancel)
        self._strip = QWidget()
        layouts.row(
            self.fix, self.undo, layouts.STRETCH, on=self._strip, margins=(0, 0, 0, METRICS.inner), spacing=METRICS.gap
        )
        self._strip.hide()
        self.body = layouts.grid(margins=0, spacing=METRICS.inner)
        # Shown and hidden as a unit, so that the surrounding layouts change only once.
        self._below = QWidget()
        layouts.column(self.problem, self._strip, on=self._below, margins=0, spacing=0)
        self._below.hide()
        layouts.column(self.body, self._below, on=self, margins=0, spacing=0)
        for i, field in enumerate(self.fields):
            field.committed.connect(lambda value, i=i: self._on_typed(i, value))
            field.cancelled.connect(self.cancel)
            field.message.connect(self._on_message)

    @property
    def values(self) -> NDArray[np.float64]:
        """The current numbers, including typed ones."""
        return (self._live if self._draft is None else self._draft).copy()

    @property
    def has_draft(self) -> bool:
        """Whether a typed number waits for the others, so that values from outside are not displayed."""
        return self._draft is not None

    def set_values(self, values: ArrayLike | None) -> None:
        """Display numbers from outside, or none; text being typed stays. Emits nothing."""
        self._live = np.full(len(self.fields), np.nan) if values is None else np.array(values, dtype=float).ravel()
        if self._draft is None:
            for field, value in zip(self.fields, self._live.tolist(), strict=True):
                field.set_value(value if np.isfinite(value) else None)

    def reset(self, values: ArrayLike | None) -> None:
        """Display numbers and drop marks and partly typed text. Emits nothing."""
        self._drop()
        self.set_values(values)

    def set_read_only(self, is_read_only: bool) -> None:
        """Forbid or allow edits; text being typed is dropped."""
        if is_read_only and (self.has_draft or any(field.is_busy for field in self.fields)):
            self._drop()
        for field in self.fields:
            field.setReadOnly(is_read_only)

    def set_fix_text(self, text: str) -> None:
        """Change the text of the button that fixes the numbers, for example in a narrow panel."""
        self.fix.setText(f" {text}")

    def keep_draft(self, values: ArrayLike, problem: str) -> None:
        """Keep numbers that the owner rejected, with the reason and without a correction."""
        self._draft = np.array(values, dtype=float).ravel()
        self._show_problem(EditVerdict(None, problem))

    def cancel(self) -> None:
        """Discard the edit and restore the previous numbers."""
        self._drop()
        self.cancelled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.has_draft:
            self.cancel()
        else:
            super().keyPressEvent(event)

    def _on_typed(self, i: int, value: float) -> None:
        draft = self.values
        draft[i] = value
        self._draft = draft
        self._typed.add(i)
        verdict = EditVerdict(draft) if self._check is None else self._check(draft)
        if verdict.problem or verdict.values is None:
            self._show_problem(verdict)
        else:
            self._commit(verdict.values)

    def _on_fix(self) -> None:
        if self._fixed_values is not None:
            self._commit(self._fixed_values)

    def _commit(self, values: NDArray[np.float64]) -> None:
        typed, before, self._live = self._typed, self._live, values.copy()
        self._drop()
        self._typed = typed  # an owner that rejects the numbers marks these fields
        self.committed.emit(self._to_payload(values.copy()))
        if self.has_draft:
            self._live = before
        else:
            self._typed = set()

    def _to_payload(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the numbers in the shape in which they are emitted."""
        return values

    def _drop(self) -> None:
        self._draft = self._fixed_values = None
        self._typed = set()
        self._is_marking = True
        for field, value in zip(self.fields, self._live.tolist(), strict=True):
            field.reset(value if np.isfinite(value) else None)
        self._is_marking = False
        self._show_message("", has_buttons=False)

    def _show_problem(self, verdict: EditVerdict) -> None:
        self._fixed_values = verdict.values
        self._is_marking = True
        for i, field in enumerate(self.fields):
            field.mark(verdict.problem if i in self._typed else "")
        self._is_marking = False
        self.fix.setVisible(verdict.values is not None)
        self._show_message(verdict.problem, has_buttons=True)

    def _show_message(self, text: str, *, has_buttons: bool) -> None:
        self._below.hide()
        self.problem.set_message(text)
        self._strip.setVisible(has_buttons)
        self._below.setVisible(bool(text))

    def _on_message(self, text: str) -> None:
        if self._is_marking:
            return
        if not self.has_draft:
            self._show_message(text, has_buttons=False)
        self.message.emit(text)


class VectorEditor(ComponentEditor):
    """A row of numbers, each with its letter.

    Parameters
    ----------
    letters : sequence of str
        One for each number; x, y and z have the colours of their axes.
    name : str
        Name of the whole, for screen readers.
    check, fix
        As in `ComponentEditor`.
    """

    def __init__(
        self,
        letters: Sequence[str],
        name: str,
        check: Check | None = None,
        fix: str = "Use nearest rotation",
        parent: QWidget | None = None,
    ) -> None:
        self._letters = tuple(letters)
        fields = [NumberField(decimals=4, prefix=letter, axis=_axis(letter)) for letter in letters]
        super().__init__(fields, check, fix, parent)
        for i, (letter, field) in enumerate(zip(letters, fields, strict=True)):
            field.setAccessibleName(f"{name} {letter}".strip())
            self.body.addWidget(field, 0, i)
            self.body.setColumnStretch(i, 1)

    def set_order(self, order: Sequence[int]) -> None:
        """Place the fields in another order. The values keep theirs."""
        for column, i in enumerate(order):
            self.body.addWidget(self.fields[i], 0, column)
        for before, after in itertools.pairwise(order):
            QWidget.setTabOrder(self.fields[before], self.fields[after])

    def show_letters(self, is_lettered: bool) -> None:
        """Show or hide the letters, for example if four numbers share a narrow row."""
        for letter, field in zip(self._letters, self.fields, strict=True):
            field.set_prefix(letter if is_lettered else "")


def _axis(letter: str) -> int | None:
    return "xyz".index(letter) if letter in ("x", "y", "z") else None
