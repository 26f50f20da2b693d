"""Editor of numbers that are one thing, such as a matrix or a quaternion: typed one by one, committed as a whole."""

from __future__ import annotations

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
    """Verdict of a check on typed numbers.

    Parameters
    ----------
    values : (n,)
        The numbers as they are taken, or as they would be when mended; None where nothing near would do.
    problem
        Why they cannot be taken as they are; empty when they can.
    """

    values: NDArray[np.float64] | None
    problem: str = ""


Check = Callable[[NDArray[np.float64]], EditVerdict]


class ComponentEditor(QWidget):
    """
    Number fields that are checked together.

    What was typed into one of them is kept while the others are still to be typed: the typed ones are marked, the
    reason stands below with an offer to mend it, and values from outside wait. Escape and "Undo edit" give it up.

    Parameters
    ----------
    fields : sequence of NumberField
        The numbers, in order; a subclass lays them out.
    check : callable, optional
        Says whether they can be taken; without one they always are.
    mend : str
        What the button does that takes the mended numbers, in a word or two.

    Signals
    -------
    committed(object)
        All numbers, as the check gives them.
    cancelled()
        What was typed is given up.
    message(str)
        What is wrong with a typed text; empty when it is well again.
    """

    committed = Signal(object)
    cancelled = Signal()
    message = Signal(str)

    def __init__(
        self,
        fields: Sequence[NumberField],
        check: Check | None = None,
        mend: str = "Use nearest rotation",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.fields = tuple(fields)
        self._check = check
        self._live = np.zeros(len(self.fields))
        self._draft: NDArray[np.float64] | None = None
        self._typed: set[int] = set()
        self._mended: NDArray[np.float64] | None = None
        self._is_marking = False
        self.problem = InlineMessage()
        self.mend = push_button(mend, "wand-sparkles", kind="main")
        self.undo = push_button("Undo edit", "undo-2")
        self.mend.clicked.connect(self._on_mend)
        self.undo.clicked.connect(self.cancel)
        self._strip = QWidget()
        layouts.row(
            self.mend, self.undo, layouts.STRETCH, on=self._strip, margins=(0, 0, 0, METRICS.inner), spacing=METRICS.gap
        )
        self._strip.hide()
        self.body = layouts.grid(margins=0, spacing=METRICS.inner)
        # Shown and hidden as one: the layouts around it take two changes at once for one.
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
        """The numbers as they stand, typed ones included."""
        return (self._live if self._draft is None else self._draft).copy()

    @property
    def is_held(self) -> bool:
        """Whether something typed waits for the rest, so that values from outside are not shown."""
        return self._draft is not None

    def set_values(self, values: ArrayLike | None) -> None:
        """Show numbers from outside, or none; what is being typed stays. Emits nothing."""
        self._live = np.full(len(self.fields), np.nan) if values is None else np.array(values, dtype=float).ravel()
        if self._draft is None:
            for field, value in zip(self.fields, self._live.tolist(), strict=True):
                field.set_value(value if np.isfinite(value) else None)

    def reset(self, values: ArrayLike | None) -> None:
        """Show numbers and drop marks and half-typed text. Emits nothing."""
        self._drop()
        self.set_values(values)

    def set_read_only(self, is_read_only: bool) -> None:
        """Forbid or allow changes; what is being typed is dropped."""
        if is_read_only and (self.is_held or any(field.is_busy for field in self.fields)):
            self._drop()
        for field in self.fields:
            field.setReadOnly(is_read_only)

    def set_mend(self, text: str) -> None:
        """Change what the mending button says, as where there is less room."""
        self.mend.setText(f" {text}")

    def hold(self, values: ArrayLike, problem: str) -> None:
        """Keep numbers that the owner could not take, with the reason; nothing near would do."""
        self._draft = np.array(values, dtype=float).ravel()
        self._show_problem(EditVerdict(None, problem))

    def cancel(self) -> None:
        """Give up what was typed and show the numbers from before."""
        self._drop()
        self.cancelled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_held:
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

    def _on_mend(self) -> None:
        if self._mended is not None:
            self._commit(self._mended)

    def _commit(self, values: NDArray[np.float64]) -> None:
        typed, before, self._live = self._typed, self._live, values.copy()
        self._drop()
        self._typed = typed  # an owner that holds the numbers marks those
        self.committed.emit(self._emitted(values.copy()))
        if self.is_held:
            self._live = before
        else:
            self._typed = set()

    def _emitted(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the numbers in the shape they are told in."""
        return values

    def _drop(self) -> None:
        self._draft = self._mended = None
        self._typed = set()
        self._is_marking = True
        for field, value in zip(self.fields, self._live.tolist(), strict=True):
            field.reset(value if np.isfinite(value) else None)
        self._is_marking = False
        self._say("", has_buttons=False)

    def _show_problem(self, verdict: EditVerdict) -> None:
        self._mended = verdict.values
        self._is_marking = True
        for i, field in enumerate(self.fields):
            field.mark(verdict.problem if i in self._typed else "")
        self._is_marking = False
        self.mend.setVisible(verdict.values is not None)
        self._say(verdict.problem, has_buttons=True)

    def _say(self, text: str, *, has_buttons: bool) -> None:
        self._below.hide()
        self.problem.set_message(text)
        self._strip.setVisible(has_buttons)
        self._below.setVisible(bool(text))

    def _on_message(self, text: str) -> None:
        if self._is_marking:
            return
        if not self.is_held:
            self._say(text, has_buttons=False)
        self.message.emit(text)


class VectorEditor(ComponentEditor):
    """
    A row of numbers, each with its letter.

    Parameters
    ----------
    letters : sequence of str
        One for each number; x, y and z have the colours of their axes.
    name : str
        What they are together, for a screen reader.
    check, mend
        As for `ComponentEditor`.
    """

    def __init__(
        self,
        letters: Sequence[str],
        name: str,
        check: Check | None = None,
        mend: str = "Use nearest rotation",
        parent: QWidget | None = None,
    ) -> None:
        self._letters = tuple(letters)
        fields = [NumberField(decimals=4, prefix=letter, axis=_axis(letter)) for letter in letters]
        super().__init__(fields, check, mend, parent)
        for i, (letter, field) in enumerate(zip(letters, fields, strict=True)):
            field.setAccessibleName(f"{name} {letter}".strip())
            self.body.addWidget(field, 0, i)
            self.body.setColumnStretch(i, 1)

    def set_lettered(self, is_lettered: bool) -> None:
        """Show or leave out the letters, as where four numbers share a narrow row."""
        for letter, field in zip(self._letters, self.fields, strict=True):
            field.set_prefix(letter if is_lettered else "")


def _axis(letter: str) -> int | None:
    return "xyz".index(letter) if letter in ("x", "y", "z") else None
