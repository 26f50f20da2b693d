"""List of the frames to import: selection, names and parents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QWidget

from framescope.core.scene.edits.recordings import frame_name, name_problems
from framescope.core.scene.schema.model import WORLD, Scene
from framescope.features.table_import.core.choices import TableSource
from framescope.features.table_import.ui.item_list import ImportRow, RowsList
from framescope.ui.widgets.choice_box import ChoiceBox

AT_ONCE = 20
"""Number of rows to build before the event loop runs again."""


@dataclass(frozen=True)
class FrameRow(ImportRow):
    """Row of one frame to import."""

    parent_box: QComboBox

    @property
    def fields(self) -> tuple[QWidget, ...]:
        """Widgets that the user can change."""
        return (*super().fields, self.parent_box)


class FramesList(RowsList[FrameRow]):
    """List with a row for each frame of a table."""

    def __init__(self, scene: Scene, stem: str, parent: QWidget | None = None) -> None:
        super().__init__(scene, stem, parent)
        self._names: tuple[str, ...] = ()
        self._column = self._clear()
        self._more = QTimer(self, interval=0, singleShot=True)
        self._more.timeout.connect(self._add_lines)

    def set_sources(self, sources: Sequence[TableSource]) -> None:
        """Show a row for each source; while the frames stay the same, so do the user's entries."""
        if self.is_complete and [source.label for source in sources] == [source.label for source in self._sources]:
            self.rows = [
                FrameRow(source, row.is_wanted, row.name, row.parent_box)
                for source, row in zip(sources, self.rows, strict=True)
            ]
            self._sources = tuple(sources)
            return
        self._sources = tuple(sources)
        self._build()

    def chosen_sources(self) -> list[tuple[str, str, TableSource]]:
        """Return name, parent and source of each selected frame."""
        return [(row.name.text().strip(), row.parent_box.currentData(), row.source) for row in self._wanted_rows()]

    def problem(self) -> str:
        """Mark faulty names and return the first problem; empty for none."""
        problem = self._mark_names(partial(name_problems, self._scene))
        return problem if self._wanted_rows() else "Choose at least one frame."

    def _build(self) -> None:
        self._more.stop()
        self._column = self._clear()
        names: list[str] = []
        for source in self._sources:
            names.append(frame_name(source.label or self._stem, [*self._scene.frames, *names]))
        self._names = tuple(names)
        self._add_lines()

    def _add_lines(self) -> None:
        """Add the next rows."""
        first = len(self.rows)
        labels = {source.label: name for source, name in zip(self._sources, self._names, strict=True)}
        part, grid = self._part_in(self._column, stretched=(1, 3))
        for i in range(first, min(first + AT_ONCE, len(self._sources))):
            row = self._row(self._sources[i], self._names[i], labels, part)
            for i_column, widget in enumerate((row.is_wanted, row.name, QLabel("in", part), row.parent_box)):
                grid.addWidget(widget, i - first, i_column)
            self.rows.append(row)
            for signal in (row.is_wanted.toggled, row.name.textEdited, row.parent_box.activated):
                signal.connect(self._on_changed)
        part.show()
        if not self.is_complete:
            self._more.start()
        elif first:
            self.changed.emit()

    def _row(self, source: TableSource, name: str, labels: dict[str, str], content: QWidget) -> FrameRow:
        is_wanted = QCheckBox(content)
        is_wanted.setChecked(True)
        if len(self._sources) == 1:
            is_wanted.hide()
        is_wanted.setAccessibleName(f"import {name}")
        field = QLineEdit(name, content)
        field.setAccessibleName(f"name of the frame {name}")
        stated = source.parent.strip("/")
        wanted = labels.get(source.parent, stated if stated in self._scene.frames else WORLD)
        wanted = WORLD if wanted == name else wanted
        others = (other for other in self._names if other != name)
        box = _ParentBox(wanted, lambda: [WORLD, *self._scene.frames, *others], content)
        box.setAccessibleName(f"parent of the frame {name}")
        if stated and wanted == WORLD and stated != WORLD:
            box.setToolTip(f"The table says {stated}, which is no frame of the scene.")
        for widget in (is_wanted, field, box):
            widget.installEventFilter(self)
        return FrameRow(source, is_wanted, field, box)


class _ParentBox(ChoiceBox):
    """Box of parents that lists its choices on focus only, as there may be a thousand such boxes."""

    def __init__(self, parent_name: str, names_of: Callable[[], list[str]], parent: QWidget) -> None:
        super().__init__(parent)
        self._names_of: Callable[[], list[str]] | None = names_of
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.addItem(parent_name, parent_name)

    def showPopup(self) -> None:
        self._fill()
        super().showPopup()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._fill()
        super().focusInEvent(event)

    def _fill(self) -> None:
        if self._names_of is None:
            return
        chosen, names = self.currentData(), self._names_of()
        self._names_of = None
        self.clear()
        for name in names:
            self.addItem(name, name)
        self.setCurrentIndex(max(self.findData(chosen), 0))
