"""A 3x3 matrix to type into, its rows and columns named by the axes of two frames."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from framescope.ui.theme import AXIS_LETTERS, METRICS
from framescope.ui.widgets.number_field import NumberField


class MatrixEditor(QWidget):
    """
    Nine number fields.

    Signals
    -------
    committed(object)
        The whole matrix, shape (3, 3), after a cell was changed; it need not be a rotation.
    cancelled()
        Escape in a cell.
    message(str)
        What is wrong with a typed text; empty when it is well.
    """

    committed = Signal(object)
    cancelled = Signal()
    message = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cells = [[NumberField(decimals=4) for _ in range(3)] for _ in range(3)]
        # Kept beside the cells: a cell shows what was typed, this is what it stands for.
        self._matrix = np.eye(3)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(METRICS.inner)
        for index, letter in enumerate(AXIS_LETTERS):
            grid.addWidget(_axis_label(f"{letter}₁", letter), 0, index + 1, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(_axis_label(f"{letter}₂", letter), index + 1, 0)
            grid.setColumnStretch(index + 1, 1)
        for row, cells in enumerate(self._cells):
            for column, cell in enumerate(cells):
                grid.addWidget(cell, row + 1, column + 1)
                cell.setAccessibleName(f"{AXIS_LETTERS[row]} 2, {AXIS_LETTERS[column]} 1")
                cell.committed.connect(lambda value, at=(row, column): self._on_committed(at, value))
                cell.cancelled.connect(self.cancelled)
                cell.message.connect(self.message)
        self.reset(self._matrix)

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The matrix as it stands."""
        return self._matrix.copy()

    def set_matrix(self, matrix: NDArray[np.float64]) -> None:
        """Show a matrix from outside; a cell that is being typed into keeps its text. Emits nothing."""
        self._matrix = np.array(matrix, dtype=float)
        for cells, row in zip(self._cells, self._matrix.tolist(), strict=True):
            for cell, value in zip(cells, row, strict=True):
                cell.set_value(value)

    def reset(self, matrix: NDArray[np.float64]) -> None:
        """Show a matrix and drop marks and half-typed text."""
        self._matrix = np.array(matrix, dtype=float)
        for cells, row in zip(self._cells, self._matrix.tolist(), strict=True):
            for cell, value in zip(cells, row, strict=True):
                cell.reset(value)

    def set_read_only(self, is_read_only: bool) -> None:
        """Forbid or allow changes."""
        for cells in self._cells:
            for cell in cells:
                cell.setReadOnly(is_read_only)

    def mark(self, row: int, column: int, error: str) -> None:
        """Mark a cell as the offender, or well again with an empty text."""
        self._cells[row][column].mark(error)

    def cell(self, row: int, column: int) -> NumberField:
        """Return the field of an entry."""
        return self._cells[row][column]

    def _on_committed(self, at: tuple[int, int], value: float) -> None:
        self._matrix[at] = value
        self.committed.emit(self.matrix)


def _axis_label(text: str, letter: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("axis", letter)
    return label
