"""Editors of lists: selectable rows, and the fields of the selected row below."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListView, QWidget

from framescope.core.scene.edits.camera import camera_key_from
from framescope.core.scene.edits.fields import set_values, unset_value, value_at
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.kinds.motions import key_at
from framescope.core.scene.schema.motions import Key
from framescope.core.scene.schema.quantities import UNITS, Quantity
from framescope.core.scene.schema.view import CameraKey
from framescope.ui.formatting import number_text
from framescope.ui.panels.inspector.editors.choices import word_text
from framescope.ui.panels.inspector.editors.combo import Combo
from framescope.ui.panels.inspector.editors.default_values import default_item
from framescope.ui.panels.inspector.editors.editor import (
    LABEL_WIDTH,
    Editor,
    EditorContext,
    column_label,
    label_of,
    owner_text,
)
from framescope.ui.panels.inspector.editors.fields import Field
from framescope.ui.panels.inspector.editors.form import EDITORS, ModelForm
from framescope.ui.panels.inspector.editors.value_field import shown_number
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton, push_button

_ROWS_SHOWN = 5
_SAME_TIME = 1e-6


class ListEditor(Editor):
    """Editor of a list of items of one model. Items with a time can be sorted and set to the present pose."""

    is_wide = True

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        model = field.forms[0][1]
        assert model is not None  # noqa: S101 - lists contain models
        self.model = model
        self._is_keys = "time" in model.model_fields
        self._count = label_of("", role="caption")
        add_text = "Add a key at the present time" if self._is_keys else f"Add to {field.label}"
        self.add = IconButton("plus", add_text, size=METRICS.small_button, clicked=self._on_add)
        head = layouts.row((label_of(field.label, field.help), 1), self._count, self.add, spacing=METRICS.inner)
        self.rows = _Rows()
        self.view = _View(self.rows)
        self.view.setAccessibleName(field.label)
        self.view.delete_requested = self._on_remove
        self.view.selectionModel().currentChanged.connect(lambda now, _before: self._on_row(now.row()))
        self.form = ModelForm(model)
        kinds = tuple(name for name, other in field.forms if other is model and name)
        self.kind = Combo("kind") if len(kinds) > 1 else None
        self._kind_row = QWidget()
        if self.kind is not None:
            self.kind.set_choices((word_text(name), name) for name in kinds)
            self.kind.chosen.connect(self._on_kind)
            label = column_label("kind", LABEL_WIDTH)
            layouts.row(label, (self.kind, 1), on=self._kind_row, margins=0, spacing=METRICS.gap)
        self.remove = push_button("Remove", "trash-2", "small", clicked=self._on_remove)
        is_camera = model is CameraKey
        if is_camera:
            self.take = push_button("Set to view", "camera", kind="small")
        else:
            self.take = push_button("Set to pose now", "crosshair", kind="small")
        text = "Give this key the present view" if is_camera else "Give this key the current pose of the frame"
        self.take.setToolTip(text)
        self.take.clicked.connect(self._on_take)
        self.sort = push_button("Sort", "", "small", toolTip="Put the keys in the order of their times")
        self.sort.clicked.connect(self._on_sort)
        self._tools = QWidget()
        layouts.row(
            self.take,
            self.remove,
            self.sort,
            layouts.STRETCH,
            on=self._tools,
            margins=(0, 0, 0, METRICS.inner),
            spacing=METRICS.inner,
        )
        self.column.addLayout(head)
        for part in (self.view, self._kind_row, self.form, self._tools):
            self.column.addWidget(part)

    @property
    def i_row(self) -> int:
        """Selected row; -1 if there is none."""
        return self.view.currentIndex().row()

    def display(self, value: Any, *, is_other: bool) -> None:
        before = self.i_row
        self.rows.set_items(value)
        self._count.setText(str(len(value)) if value else "none")
        self.view.fit(len(value))
        i_wanted = min(0 if is_other else max(before, 0), len(value) - 1)
        if i_wanted >= 0 and i_wanted != self.i_row:
            self.view.setCurrentIndex(self.rows.index(i_wanted))
        self._on_row(self.i_row)
        times = [_seconds(item) for item in value] if self._is_keys else []
        self.sort.setVisible(times != sorted(times))

    def forget(self) -> None:
        """Keep the selected row. The editors of its fields discard typed text themselves."""

    def leave(self) -> None:
        """Keep the selected row. The editors of its fields keep refused text themselves."""

    def show_time(self, context: EditorContext) -> None:
        super().show_time(context)
        if 0 <= self.i_row < self.rows.rowCount():
            self.form.show_time(context)

    def choose(self, i_row: int) -> None:
        """Select a row."""
        self.view.setCurrentIndex(self.rows.index(i_row))

    def _on_row(self, i_row: int) -> None:
        is_there = self.context is not None and 0 <= i_row < self.rows.rowCount()
        self.form.setVisible(is_there)
        self._kind_row.setVisible(is_there and self.kind is not None)
        self._tools.setVisible(is_there)
        has_eye = self.context is not None and self.context.eye is not None
        self.take.setVisible(is_there and (self.model is Key or (self.model is CameraKey and has_eye)))
        if is_there and self.context is not None:
            self.form.show_values(self.context, (*self.path, i_row))
            if self.kind is not None:
                self.kind.show_data(getattr(value_at(self.context.scene, (*self.path, i_row)), "form", None))

    # Actions of the user

    def _on_kind(self, kind: str) -> None:
        if self.context is not None and self.i_row >= 0:
            label = f"Changed {name_with_article(self.model)} of {owner_text(self.path)} to {word_text(kind)}"
            self.ask(set_values({(*self.path, self.i_row, "form"): kind}, label))

    def _on_add(self) -> None:
        if self.context is None:
            return
        items = value_at(self.context.scene, self.path)
        item = self._new(items)
        i = len(items)
        if self._is_keys:
            times = [_seconds(other) for other in items]
            rows_now = [k for k, time in enumerate(times) if abs(time - self.context.t) <= _SAME_TIME]
            if rows_now:
                self.choose(rows_now[0])
                self.show_message("There is a key at this time: it is selected.")
                return
            i = sum(time < self.context.t for time in times)
        label = f"Added {name_with_article(self.model)} to {owner_text(self.path)}"
        if self.ask(set_values({self.path: (*items[:i], item, *items[i:])}, label)) and i < self.rows.rowCount():
            self.choose(i)

    def _new(self, items: tuple[Any, ...]) -> Item:
        assert self.context is not None  # noqa: S101 - checked by the caller
        if self.model is Key:
            return self._key_now()
        if self.model is CameraKey and self.context.eye is not None:
            return self._camera_now(Quantity(round(self.context.t, 9), "s"))
        if not self._is_keys:
            return default_item(self.model, self.context.scene, self.path)
        t = self.context.t
        near = min(items, key=lambda other: abs(_seconds(other) - t), default=None)
        item = default_item(self.model, self.context.scene, self.path) if near is None else near
        return item.model_copy(update={"time": Quantity(round(t, 9), "s")})

    def _key_now(self) -> Key:
        assert self.context is not None  # noqa: S101 - checked by the caller
        motion = value_at(self.context.scene, self.path[:-1])
        units_used = [key.time.unit for key in motion.keys]
        return key_at(
            self.context.plan.moment(str(self.path[1]), self.context.t), (units_used or ["s"])[0], motion.unit
        )

    def _camera_now(self, time: Quantity) -> CameraKey:
        """Return a key with the present camera of the view."""
        assert self.context is not None  # noqa: S101 - checked by the caller
        assert self.context.eye is not None  # noqa: S101
        return camera_key_from(self.context.eye(), time, value_at(self.context.scene, self.path[:-1]).unit)

    def _on_take(self) -> None:
        if self.context is None:
            return
        if self.model is CameraKey:
            path = (*self.path, self.i_row)
            key = self._camera_now(value_at(self.context.scene, path).time)
            self.ask(set_values({path: key}, f"Set camera key {self.i_row + 1} to the present view"))
        else:
            key = self._key_now()
            path = (*self.path, self.i_row)
            values = {(*path, "position"): key.position, (*path, "orientation"): key.orientation}
            label = f"Set key {self.i_row + 1} of {owner_text(self.path)} to the pose of {self.context.t:.4g} s"
            self.ask(set_values(values, label))

    def _on_remove(self) -> None:
        if self.context is not None and self.i_row >= 0:
            label = f"Removed {name_with_article(self.model)} from {owner_text(self.path)}"
            self.ask(unset_value((*self.path, self.i_row), label))

    def _on_sort(self) -> None:
        if self.context is not None:
            items = sorted(value_at(self.context.scene, self.path), key=_seconds)
            self.ask(set_values({self.path: tuple(items)}, f"Sorted the keys of {owner_text(self.path)}"))


class _Rows(QAbstractListModel):
    """One line per item, computed when it is displayed."""

    def __init__(self) -> None:
        super().__init__()
        self._items: tuple[Any, ...] = ()

    def set_items(self, items: tuple[Any, ...]) -> None:
        """Show other items. The selection stays if their number is the same."""
        if items is self._items:
            return
        if len(items) == len(self._items):
            self._items = items
            self.dataChanged.emit(self.index(0), self.index(len(items) - 1))
            return
        self.beginResetModel()
        self._items = items
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._items)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return _line(self._items[index.row()]) if role == Qt.ItemDataRole.DisplayRole else None


class _View(QListView):
    """List that is as high as its rows, up to a limit."""

    def __init__(self, rows: _Rows) -> None:
        super().__init__()
        self.setModel(rows)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.delete_requested = lambda: None

    def fit(self, n_rows: int) -> None:
        """Adapt the height to a number of rows."""
        self.setVisible(n_rows > 0)
        self.setFixedHeight(METRICS.outline_row * min(max(n_rows, 1), _ROWS_SHOWN) + 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.delete_requested()
        else:
            super().keyPressEvent(event)


def _line(item: Any) -> str:
    """Return an item as a line of text: time and form, or its form and all values that are not the usual ones."""
    if "time" in type(item).model_fields:
        words = [number_text.fixed(item.time.value, 3) + f" {item.time.unit or ''}".rstrip()]
        words += [key for key in ("position", "orientation") if getattr(item, key, None) is not None]
        return "   ".join(words[:1]) + "   " + ", ".join(words[1:])
    values = [(key, field, getattr(item, key)) for key, field in type(item).model_fields.items()]
    given = [(key, field, value) for key, field, value in values if _is_given(value)]
    own = [(key, field, value) for key, field, value in given if key == "form" or value != field.default]
    texts = [key.replace("_", " ") if value is True else _value_text(value) for key, _, value in own or given]
    return "   ".join(texts)


def _is_given(value: Any) -> bool:
    return value is not False and value not in (None, (), "")


def _value_text(value: Any) -> str:
    """Return a value as text: names after one another, and only the first line of a text."""
    if isinstance(value, tuple):
        return ", ".join(map(_value_text, value))
    if isinstance(value, float):
        return shown_number(value)
    return " ".join(str(value).split())


def _seconds(item: Any) -> float:
    return item.time.value * UNITS["time"].get(item.time.unit or "s", 1.0)


def name_with_article(model: type[Item]) -> str:
    """Return the name of a model in words, with its indefinite article."""
    word = re.sub("(?<=[a-z])(?=[A-Z])", " ", model.__name__).lower().removesuffix("s")
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


EDITORS["list"] = ListEditor
