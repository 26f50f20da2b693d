"""Base of the lists of frames and vectors to import: rows with a check box, a name and its problem."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from framescope.core.scene.schema.model import Scene
from framescope.features.table_import.core.choices import TableSource
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts


@dataclass(frozen=True)
class ImportRow:
    """Row of one frame or vector to import: source, check box and name."""

    source: TableSource
    is_wanted: QCheckBox
    name: QLineEdit

    @property
    def fields(self) -> tuple[QWidget, ...]:
        """Widgets that the user can change."""
        return (self.is_wanted, self.name)


Row = TypeVar("Row", bound=ImportRow)


class RowsList(QScrollArea, Generic[Row]):
    """List with a row for each frame or vector to import.

    Parameters
    ----------
    scene
        Scene to import into.
    stem
        Name for a frame or vector that the table does not name.

    Signals
    -------
    changed()
        The user changed a row, or the last rows were added.
    focused(int)
        A row got the focus.
    """

    changed = Signal()
    focused = Signal(int)

    def __init__(self, scene: Scene, stem: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene, self._stem = scene, stem
        self._sources: tuple[TableSource, ...] = ()
        self.rows: list[Row] = []
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @property
    def is_complete(self) -> bool:
        """Whether all rows exist; the last of many are added later, followed by `changed`."""
        return len(self.rows) == self.n_sources

    @property
    def n_sources(self) -> int:
        """Number of rows, including those still to be added."""
        return len(self._sources)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            for i, row in enumerate(self.rows):
                if watched in row.fields:
                    self.ensureWidgetVisible(row.name, 0, METRICS.gap)
                    self.focused.emit(i)
        return super().eventFilter(watched, event)

    def _wanted_rows(self) -> list[Row]:
        return [row for row in self.rows if row.is_wanted.isChecked()]

    def _mark_names(self, problems_of: Callable[[Sequence[str]], Iterable[str]]) -> str:
        """Mark faulty names and return the first problem; empty for none."""
        rows = self._wanted_rows()
        problems = list(problems_of([row.name.text().strip() for row in rows]))
        for row in self.rows:
            _mark(row.name, "")
        for row, problem in zip(rows, problems, strict=True):
            _mark(row.name, problem)
        return next(filter(None, problems), "")

    def _clear(self) -> QVBoxLayout:
        """Remove all rows, and return the layout for new parts, see `_part_in`."""
        ground = layouts.panel()
        self.setWidget(ground)
        column = layouts.column(
            layouts.STRETCH, on=ground, margins=(METRICS.padding, METRICS.inner), spacing=METRICS.inner
        )
        self.rows = []
        return column

    def _part_in(self, column: QVBoxLayout, stretched: Iterable[int]) -> tuple[QWidget, QGridLayout]:
        """Return a hidden part of the list, a widget with a grid, for the next rows.

        Each part has its own layout: in a common grid, each added row would lay out up to a thousand rows again.
        """
        # Parents first: Qt restyles a widget with all its children when its parent changes.
        part = QWidget(column.parentWidget())
        part.hide()
        column.insertWidget(column.count() - 1, part)
        grid = layouts.grid(on=part, margins=0, spacing=(METRICS.gap, METRICS.inner))
        for i_column in stretched:
            grid.setColumnStretch(i_column, 1)
        return part, grid

    def _on_changed(self, _: object) -> None:
        self.changed.emit()


def _mark(field: QLineEdit, problem: str) -> None:
    if bool(field.property("invalid")) != bool(problem):
        field.setProperty("invalid", bool(problem))
        field.style().unpolish(field)
        field.style().polish(field)
    field.setToolTip(literal_text(problem))
