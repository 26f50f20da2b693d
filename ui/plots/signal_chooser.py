"""Signal chooser: search all signals of a scene and all variables of its recordings, by keyboard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStackedLayout,
    QWidget,
)

from framescope.core.errors import counted
from framescope.core.evaluation.available_signals import signals_of_item, signals_of_scene
from framescope.core.evaluation.compile.recordings.variables import (
    NO_VARIABLES,
    FoundVariables,
    TableVariables,
    find_variables,
    names_tables,
    recorded_variables,
)
from framescope.core.evaluation.local_motion import MotionContext
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.scene.edits.plots import shown_of, with_keys
from framescope.core.scene.schema.model import ITEM_KINDS, NO_ITEM, WORLD, ItemKey, Scene
from framescope.core.scene.schema.sensors import RecordedSensor
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.signals import components_of, sensed_quantities, units_of
from framescope.core.scene.schema.view import Plot
from framescope.ui.formatting.item_names import frame_of, unit_text
from framescope.ui.qt_support.thread_tasks import thread_task
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.search_field import SearchField

MAX_SHOWN = 400
"""Largest number of signals in the list; more letters narrow the search."""

MAX_VARIABLES = 60
"""Largest number of variables in the list."""

_SIZE = (480, 520)
_HINT = "Search by item and quantity, such as camera velocity"
_HINT_OF_TABLES = "Search by item and quantity, or by the name of a variable"
_ALL = "all"
_MOVES = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}


@dataclass(frozen=True)
class Choice:
    """Signal in the list, with the words that a search matches."""

    plot: Plot
    item: str
    quantity: str
    detail: str
    key: ItemKey = NO_ITEM

    @property
    def text(self) -> str:
        """Text of the row in the list."""
        return "  ·  ".join(part for part in (self.item, self.quantity, self.detail) if part)


@dataclass(frozen=True)
class VariableChoice:
    """Variable of a recording in the list, with the words that a search matches."""

    table: TableVariables
    name: str

    @property
    def text(self) -> str:
        """Text of the row in the list."""
        unit = unit_text(self.table.unit(self.name))
        return "  ·  ".join(part for part in (self.name, unit, f"in {self.table.clock.file}") if part)


def choices_of(scene: Scene) -> list[Choice]:
    """Return every signal of a scene, item by item."""
    return list(_choices(scene))


def _choices(scene: Scene) -> Iterator[Choice]:
    for plot in signals_of_scene(scene):
        yield Choice(plot, "all simulated bodies", plot.signal, "")
    for kind in ITEM_KINDS:
        if kind == "bodies":
            continue  # bodies move with their frames
        for name in getattr(scene, kind):
            for plot in signals_of_item(scene, kind, name):
                yield _choice(scene, kind, name, plot)


def _choice(scene: Scene, kind: str, name: str, plot: Plot) -> Choice:
    if plot.signal == "sensor":
        quantities = list(sensed_quantities(shown_of(plot, scene)))
        # The row of a whole sensor names no quantity, so that a search for a quantity finds its own row.
        quantity = "all that it measures" if len(quantities) > 1 else "".join(quantities)
        return Choice(plot, name, quantity, "measured by a sensor", (kind, name))
    if plot.signal == "measured":
        form = scene.measured[name].form
        return Choice(plot, name, f"measured {form}", "measured", (kind, name))
    detail = f"relative to {plot.relative_to}" if plot.relative_to else kind[:-1]
    return Choice(plot, name, plot.signal, detail, (kind, name))


def found_by(choices: Sequence[Choice], query: str) -> list[Choice]:
    """Return the choices that contain all words of a query, best matches of item and quantity first.

    >>> choices = [Choice(Plot(signal=kind), "tip", kind, "") for kind in ("angular velocity", "velocity")]
    >>> [choice.quantity for choice in found_by(choices, "tip velo")]
    ['velocity', 'angular velocity']
    """
    words = query.casefold().split()
    matches = [choice for choice in choices if all(word in choice.text.casefold() for word in words)]
    return sorted(matches, key=lambda choice: (_count_detail_words(choice, words), _count_missing_words(choice, words)))


def _count_detail_words(choice: Choice, words: Sequence[str]) -> int:
    """Count the words that match only the detail of a choice, such as its reference frame."""
    text = f"{choice.item} {choice.quantity}".casefold()
    return sum(word not in text for word in words)


def _count_missing_words(choice: Choice, words: Sequence[str]) -> int:
    """Count the words of the quantity that the query lacks; 0 if it has none of them. The start of a word suffices."""
    of_quantity = [word for word in words if word not in choice.item.casefold()]
    quantity_words = choice.quantity.casefold().split()
    is_matched = [any(part.startswith(word) for word in of_quantity) for part in quantity_words]
    return is_matched.count(False) if any(is_matched) else 0


def _columns_of_sensors(scene: Scene) -> set[tuple[str, str]]:
    """Return file and column of each recorded sensor named like its only column: the list has the sensor instead."""
    sensors = ((name, item) for name, item in scene.sensors.items() if isinstance(item, RecordedSensor))
    return {(item.file, name) for name, item in sensors if item.values == (name,)}


def _text_of_more(matches: FoundVariables, n_tables: int) -> str:
    """Return the message about variables beyond the list."""
    n_more = matches.count - len(matches.nearest)
    if n_more <= 0:
        return ""
    of = matches.nearest[0][0].clock.file if n_tables == 1 else f"{n_tables} files"
    return f"And {counted(n_more, 'more variable')} of {of}. Type part of a name."


def _components_of(plot: Plot, scene: Scene) -> tuple[str, ...]:
    """Return the components that the user can choose: all, or those of the plotted quantity of a sensor."""
    every = components_of(plot, scene).every
    if plot.components is None:
        return every
    quantities = sensed_quantities(plot.components)
    return tuple(part for name, parts in sensed_quantities(every).items() if name in quantities for part in parts)


def _text_of_empty_list(query: str) -> str:
    """Return the message for an empty list."""
    if query:
        return f"Nothing is called “{query}”. Try fewer letters, the name of an item, or a quantity such as velocity."
    return "There is nothing to plot yet. Add a frame to the scene first."


class SignalChooser(QDialog):
    """
    Dialog with a searchable list of signals, and fields for frames, sequence, components and unit of the chosen signal.

    Parameters
    ----------
    selected
        Item whose signals come first.

    Signals
    -------
    chosen(object)
        The user chose a signal, given as a plot.
    variable_chosen(object)
        The user chose a variable, given as the recorded sensor to plot.
    """

    chosen = Signal(object)
    variable_chosen = Signal(object)

    def __init__(self, scene: Scene, selected: ItemKey = NO_ITEM, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "panel")
        self.setWindowTitle("Add a signal")
        self.resize(*_SIZE)
        self._scene = scene
        self._columns_of_sensors = _columns_of_sensors(scene)
        first = (selected, ("frames", frame_of(scene, selected)))
        self._tables: tuple[TableVariables, ...] = ()
        self.is_reading = False
        self.choices = sorted(choices_of(scene), key=lambda choice: [choice.key != key for key in first])
        self._has_tables = names_tables(scene)
        self.search = SearchField(_HINT_OF_TABLES if self._has_tables else _HINT, "search signals")
        self.search.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName("signals")
        self.list.setUniformItemSizes(True)
        self.nothing = layouts.plain_label("", "quiet", wordWrap=True, alignment=Qt.AlignmentFlag.AlignTop)
        self.more = layouts.plain_label("", "quiet", wordWrap=True)
        self._pages = QStackedLayout()
        self.relative_to, self.resolved_in, self.sequence, self.components, self.unit = (ChoiceBox() for _ in range(5))
        self.add = push_button("Add", kind="main", default=True)
        cancel = push_button("Cancel", autoDefault=False)
        self._rows: list[tuple[QLabel, QComboBox]] = []
        self._lay_out(cancel)
        self.search.textChanged.connect(self._filter)
        self.list.currentItemChanged.connect(self._show_options)
        self.list.itemDoubleClicked.connect(self._choose)
        self.add.clicked.connect(self._choose)
        cancel.clicked.connect(self.reject)
        self._filter("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Arrow and page keys move through the list while the search has the focus.
        is_key_press = watched is self.search and event.type() == QEvent.Type.KeyPress
        by = _MOVES.get(Qt.Key(event.key())) if is_key_press and isinstance(event, QKeyEvent) else None
        if by is None:
            return super().eventFilter(watched, event)
        row = self.list.currentRow() + by
        self.list.setCurrentRow(min(max(row, 0), self.list.count() - 1))
        return True

    def read_variables(self, context: MotionContext) -> None:
        """Read the variables of the tables of the scene in a worker thread, then add them to the list."""
        if self._has_tables:
            self.is_reading = True
            read = partial(recorded_variables, self._scene, context)
            thread_task(self, read, self._take_variables, holds_program=False)
            self._update_more(NO_VARIABLES)

    def _take_variables(self, done: Future[tuple[TableVariables, ...]]) -> None:
        row, current = self.list.currentRow(), self._current()
        self._tables, self.is_reading = done.result(), False
        self._filter(self.search.text())
        if row > 0:  # keep the row that the user moved to meanwhile
            self.list.setCurrentRow(next((i for i in range(row, self.list.count()) if self._at(i) == current), 0))

    def _filter(self, text: str) -> None:
        matches = find_variables(self._tables, text, MAX_VARIABLES, self._columns_of_sensors)
        choices: list[Choice | VariableChoice] = [*found_by(self.choices, text)[:MAX_SHOWN]]
        variables = [VariableChoice(table, name) for table, name in matches.nearest]
        is_named = bool(variables) and variables[0].name.casefold() == text.strip().casefold()
        # A variable whose whole name is the query comes first.
        choices = [variables[0], *choices, *variables[1:]] if is_named else [*choices, *variables]
        self.list.clear()
        for choice in choices:
            item = QListWidgetItem(choice.text)
            item.setData(Qt.ItemDataRole.UserRole, choice)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.nothing.setText(_text_of_empty_list(text.strip()))
        self._pages.setCurrentWidget(self.list if self.list.count() else self.nothing)
        self._update_more(matches)
        self._show_options()

    def _update_more(self, matches: FoundVariables) -> None:
        text = "Reading the variables of recordings…" if self.is_reading else _text_of_more(matches, len(self._tables))
        self.more.setText(text)
        self.more.setVisible(bool(text))

    def _current(self) -> Choice | VariableChoice | None:
        # The current row, not the selected one: during a click the selection still has the previous row.
        return self._at(self.list.currentRow())

    def _at(self, row: int) -> Choice | VariableChoice | None:
        return None if row < 0 else self.list.item(row).data(Qt.ItemDataRole.UserRole)

    def _show_options(self) -> None:
        choice = self._current()
        self.add.setEnabled(choice is not None)
        for label, combo in self._rows:
            combo.clear()
            combo.hide()
            label.hide()
        if not isinstance(choice, Choice):
            return
        plot = choice.plot
        frames = [WORLD, *(name for name in self._scene.frames if name != WORLD)]
        every, kind = _components_of(plot, self._scene), signal_named(plot.signal)
        options = (
            (frames if "relative_to" in kind.frames else [], plot.relative_to),
            (frames if "resolved_in" in kind.frames else [], plot.resolved_in),
            (list(SEQUENCES) if kind.has_sequence else [], plot.sequence),
            ([_ALL, *every] if len(every) > 1 else [], _ALL),
            (list(units_of(plot.signal)), plot.unit),
        )
        for (label, combo), (values, current) in zip(self._rows, options, strict=True):
            for value in values:
                text = {"norm": "magnitude"}.get(value, value)
                combo.addItem(unit_text(text) if combo is self.unit else text, value)
            combo.setCurrentIndex(max(combo.findData(current), 0))
            combo.setVisible(bool(values))
            label.setVisible(bool(values))

    def _choose(self) -> None:
        choice = self._current()
        if choice is None:
            return
        if isinstance(choice, VariableChoice):
            self.variable_chosen.emit(choice.table.sensor(choice.name))
            self.accept()
            return
        keys: dict[str, object] = {}
        named = {"relative_to": self.relative_to, "resolved_in": self.resolved_in, "sequence": self.sequence}
        for key, combo in (*named.items(), ("unit", self.unit)):
            if combo.count():
                keys[key] = combo.currentData()
        if self.components.count() and self.components.currentData() != _ALL:
            keys["components"] = [self.components.currentData()]
        signal = with_keys(choice.plot, **keys)
        self.chosen.emit(Plot.model_validate(signal.model_dump(exclude_unset=True)))
        self.accept()

    def _lay_out(self, cancel: QWidget) -> None:
        column = layouts.column(self.search, on=self, margins=METRICS.padding, spacing=METRICS.gap)
        self._pages.addWidget(self.list)
        self._pages.addWidget(self.nothing)
        column.addLayout(self._pages, 1)
        column.addWidget(self.more)
        form = QFormLayout()
        form.setSpacing(METRICS.gap)
        named = (
            ("relative to", self.relative_to),
            ("resolved in", self.resolved_in),
            ("sequence", self.sequence),
            ("components", self.components),
            ("unit", self.unit),
        )
        for text, combo in named:
            label = layouts.label(text, "quiet")
            combo.setAccessibleName(text)
            form.addRow(label, combo)
            self._rows.append((label, combo))
        column.addLayout(form)
        buttons = layouts.row(layouts.STRETCH, cancel, self.add)
        column.addLayout(buttons)
