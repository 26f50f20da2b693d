"""List of the measured vectors to import: selection, names, frames and units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QWidget

from framescope.core.scene.edits.items import free_name
from framescope.core.scene.edits.recordings import measured_problems
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.motions import Mend, Recorded
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.table_import.core.choices import Choices, TableSource
from framescope.features.table_import.core.vectors import measured_of
from framescope.features.table_import.ui.item_list import ImportRow, RowsList
from framescope.ui.formatting.literal_text import literal_text

NO_FRAME = (
    "The table holds measured vectors, and the scene has no frame that they could be of: make one first, or give "
    "columns the roles of a pose."
)
_UNIT_WIDTH = 84


@dataclass(frozen=True)
class VectorRow(ImportRow):
    """Row of one vector to import."""

    of_box: QComboBox
    resolved_box: QComboBox
    unit_box: QComboBox

    @property
    def fields(self) -> tuple[QWidget, ...]:
        """Widgets that the user can change."""
        return (*super().fields, self.of_box, self.resolved_box, self.unit_box)


class VectorsList(RowsList[VectorRow]):
    """List with a row for each vector of a table without poses."""

    def set_sources(self, sources: Sequence[TableSource]) -> None:
        """Show a row for each vector; while the vectors stay the same, so do the user's entries."""
        if tuple(sources) != self._sources:
            self._sources = tuple(sources)
            self._build()

    def chosen_sources(self) -> list[tuple[str, str, TableSource]]:
        """Return name, frame and source of each selected vector."""
        return [(row.name.text().strip(), row.of_box.currentText(), row.source) for row in self._wanted_rows()]

    def measured(
        self,
        choices_of: Callable[[TableSource], Choices],
        file: str,
        mends_of: Callable[[TableSource], Sequence[Mend]],
    ) -> dict[str, MeasuredVector]:
        """Return the selected vectors as a scene holds them, by name; raise `ValueError` without a time."""
        return {
            row.name.text().strip(): measured_of(
                choices_of(row.source),
                row.source.vector,
                file,
                of=row.of_box.currentText(),
                resolved_in=row.resolved_box.currentText(),
                unit=row.unit_box.currentText(),
                mends=mends_of(row.source),
            )
            for row in self._wanted_rows()
            if row.source.vector is not None
        }

    def problem(self) -> str:
        """Mark faulty names and return the first problem; empty for none."""
        if not self._scene.frames:
            return NO_FRAME
        problem = self._mark_names(partial(measured_problems, self._scene))
        return problem if self._wanted_rows() else "Choose at least one vector."

    def _build(self) -> None:
        content, grid = self._part_in(self._clear(), stretched=(1, 3, 5))
        names: list[str] = []
        for i, source in enumerate(self._sources):
            names.append(free_name({*self._scene.measured, *names}, f"{self._stem} {source.label}"))
            row = self._row(source, names[-1], content)
            widgets = (row.is_wanted, row.name, QLabel("of", content), row.of_box, QLabel("in axes of", content))
            for i_column, widget in enumerate((*widgets, row.resolved_box, QLabel("in", content), row.unit_box)):
                grid.addWidget(widget, i, i_column)
            self.rows.append(row)
        content.show()
        for row in self.rows:
            signals = (row.is_wanted.toggled, row.name.textEdited)
            for signal in (*signals, row.of_box.activated, row.resolved_box.activated, row.unit_box.activated):
                signal.connect(self._on_changed)

    def _row(self, source: TableSource, name: str, content: QWidget) -> VectorRow:
        vector = source.vector
        assert vector is not None  # noqa: S101 - a list of vectors alone
        is_wanted = QCheckBox(content)
        is_wanted.setChecked(True)
        is_wanted.setAccessibleName(f"import {name}")
        field = QLineEdit(name, content)
        field.setAccessibleName(f"name of {name}")
        frames = list(self._scene.frames)
        recorded = (name for name, frame in self._scene.frames.items() if isinstance(frame.motion, Recorded))
        of = next(recorded, None)
        of = of or next(iter(frames), WORLD)
        of_box = _box([*frames] or [WORLD], of, f"frame of {name}", content)
        resolved_box = _box([*frames, WORLD], of, f"frame in which {name} is resolved", content)
        unit_box = _box(list(UNITS[vector.form]), vector.unit, f"unit of {name}", content)
        unit_box.setToolTip(literal_text(vector.why.text))
        unit_box.setFixedWidth(_UNIT_WIDTH)
        of_box.currentTextChanged.connect(resolved_box.setCurrentText)  # as for a sensor fixed to the frame
        for widget in (is_wanted, field, of_box, resolved_box, unit_box):
            widget.installEventFilter(self)
        return VectorRow(source, is_wanted, field, of_box, resolved_box, unit_box)


def _box(names: Sequence[str], chosen: str, called: str, parent: QWidget) -> QComboBox:
    box = QComboBox(parent)
    box.addItems(list(names))
    box.setCurrentText(chosen)
    box.setAccessibleName(called)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return box
