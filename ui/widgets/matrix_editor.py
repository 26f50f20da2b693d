"""Editor of a 3x3 matrix, with rows and columns named by the axes of two frames."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from framescope.ui.theme.tokens import AXIS_LETTERS
from framescope.ui.widgets.component_editor import Check, ComponentEditor
from framescope.ui.widgets.number_field import NumberField


class MatrixEditor(ComponentEditor):
    """Nine number fields.

    Parameters
    ----------
    check : callable, optional
        Checks the nine numbers row by row, as in `ComponentEditor`; without it any matrix is committed.

    Signals
    -------
    committed(object)
        The whole matrix, shape (3, 3).
    cancelled(), message(str)
        As in `ComponentEditor`.
    """

    def __init__(self, check: Check | None = None, parent: QWidget | None = None) -> None:
        cells = [NumberField(decimals=4) for _ in range(9)]
        super().__init__(cells, check, parent=parent)
        for index, letter in enumerate(AXIS_LETTERS):
            self.body.addWidget(_axis_label(f"{letter}₁", letter), 0, index + 1, Qt.AlignmentFlag.AlignRight)
            self.body.addWidget(_axis_label(f"{letter}₂", letter), index + 1, 0)
            self.body.setColumnStretch(index + 1, 1)
        for index, cell in enumerate(cells):
            row, column = divmod(index, 3)
            self.body.addWidget(cell, row + 1, column + 1)
            cell.setAccessibleName(f"{AXIS_LETTERS[row]} 2, {AXIS_LETTERS[column]} 1")
        self.reset(np.eye(3))

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The current matrix."""
        return self.values.reshape(3, 3)

    def set_matrix(self, matrix: NDArray[np.float64]) -> None:
        """Display a matrix from outside; a cell being typed into keeps its text. Emits nothing."""
        self.set_values(matrix)

    def mark(self, row: int, column: int, error: str) -> None:
        """Mark a cell as wrong; an empty text removes the mark."""
        self.cell(row, column).mark(error)

    def cell(self, row: int, column: int) -> NumberField:
        """Return the field of an entry."""
        return self.fields[3 * row + column]

    def _to_payload(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return values.reshape(3, 3)


def _axis_label(text: str, letter: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("axis", letter)
    return label
