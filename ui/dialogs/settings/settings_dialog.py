"""Dialog of the settings. Each change takes effect at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QLabel, QScrollArea, QSizePolicy, QStackedWidget, QWidget

from framescope.ui.dialogs.settings.setting_row import SettingRow, Value, matching_rows
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.headings import separator
from framescope.ui.widgets.search_field import SearchField

_SIZE, _SHARE_OF_SCREEN = QSize(640, 640), 0.9
_BOX = 216
RESET = "Reset to usual"


class SettingEditor(QWidget):
    """A row: title, key and sentence at the left, the choice at the right, and beside it a button that resets it.

    Signals
    -------
    chosen(object)
        The user has chosen a value.
    """

    chosen = Signal(object)

    def __init__(self, row: SettingRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = row
        title = QLabel(row.title)
        key = _selectable(layouts.plain_label(row.key, "caption"))
        key.setToolTip("Key in the settings file. A slash follows the name of its section")
        text = layouts.plain_label(row.text, "quiet", wordWrap=True)
        self.details = layouts.plain_label("", "caption", wordWrap=True)
        self.box = ChoiceBox()
        self.box.setFixedWidth(_BOX)
        self.box.setAccessibleName(row.title)
        self.box.setAccessibleDescription(row.text)
        self.reset = push_button(RESET, kind="link", autoDefault=False)
        self.reset.setAccessibleName(f"{RESET}: {row.title}")
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
        for name, value in row.choices:
            self.box.addItem(name, value)
        self.box.activated.connect(lambda _i: self.chosen.emit(self.box.currentData()))
        self.reset.clicked.connect(self._reset)
        heading = layouts.row(title, key, layouts.STRETCH, self.reset, spacing=METRICS.gap)
        words = layouts.column(heading, text, self.details, layouts.STRETCH, spacing=0)
        choice = layouts.column(self.box, layouts.STRETCH)
        layouts.row((words, 1), choice, on=self, margins=(0, METRICS.inner), spacing=METRICS.padding)

    def show_value(self, value: Value) -> None:
        """Show a value. One that is no choice, as typed into the file, becomes the last."""
        place = self.box.findData(value)
        if place < 0:
            place = self.box.count()
            self.box.addItem(_text_of(value), value)
        self.box.setCurrentIndex(place)
        details = self.row.details(value)
        self.details.setText(details)
        self.details.setVisible(bool(details))
        if self.reset.hasFocus() and value == self.row.usual:
            self.box.setFocus(Qt.FocusReason.OtherFocusReason)  # the button is about to disappear
        self.reset.setVisible(value != self.row.usual)

    def _reset(self) -> None:
        self.chosen.emit(self.row.usual)


class SettingsDialog(QDialog):
    """Lists settings under headings and searches them.

    Parameters
    ----------
    rows
        The settings, those of one group together.
    values
        Values by the names of the settings.
    file
        Path of the settings file.

    Signals
    -------
    chosen(str, object)
        Name of a setting and the value that the user has chosen.
    """

    chosen = Signal(str, object)

    def __init__(
        self, rows: Sequence[SettingRow], values: Mapping[str, Value], file: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setProperty("helpTopic", "settings.md")
        self.setWindowTitle("Settings")
        self._rows = tuple(rows)
        self.search = SearchField("Search the settings", "search settings")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._show_matches)
        self.editors = {row.name: SettingEditor(row) for row in rows}
        for name, editor in self.editors.items():
            editor.chosen.connect(partial(self.chosen.emit, name))
        self.headings: dict[str, QWidget] = {}
        self._scroll = self._lay_out_rows()
        nothing = EmptyState("search", "No setting for that", "Ctrl K finds every command, too.")
        self.pages = QStackedWidget()
        self.pages.addWidget(self._scroll)
        self.pages.addWidget(nothing)
        path = _selectable(layouts.plain_label(file, "caption"))
        path.setToolTip("The settings file")
        path.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        close = push_button("Close", autoDefault=False, clicked=self.accept)
        top = layouts.row(self.search, margins=(METRICS.padding, METRICS.gap))
        foot = layouts.row((path, 1), close, margins=(METRICS.padding, METRICS.gap), spacing=METRICS.padding)
        layouts.column(top, separator(), (self.pages, 1), separator(), foot, on=self, margins=0, spacing=0)
        self.resize(_SIZE.boundedTo(self.screen().availableSize() * _SHARE_OF_SCREEN))
        self.show_values(values)
        self.search.setFocus()

    def show_values(self, values: Mapping[str, Value]) -> None:
        """Show the values of the settings."""
        for name, editor in self.editors.items():
            editor.show_value(values[name])

    def go_to(self, name: str) -> None:
        """Show all rows, and focus the choice of one."""
        self.search.clear()
        editor = self.editors[name]
        editor.box.setFocus(Qt.FocusReason.OtherFocusReason)
        # Once the rows are laid out.
        QTimer.singleShot(0, editor, lambda: self._scroll.ensureWidgetVisible(editor, 0, METRICS.padding))

    @property
    def focused(self) -> str:
        """Name of the setting whose row has the focus; empty for none."""
        focus = self.focusWidget()
        return next((name for name, editor in self.editors.items() if editor.isAncestorOf(focus)), "") if focus else ""

    @property
    def shown(self) -> tuple[str, ...]:
        """Names of the settings that match the search, in order."""
        return tuple(row.name for row in matching_rows(self._rows, self.search.text()))

    def _show_matches(self) -> None:
        shown = self.shown
        groups = {row.group for row in self._rows if row.name in shown}
        for name, editor in self.editors.items():
            editor.setVisible(name in shown)
        for group, heading in self.headings.items():
            heading.setVisible(group in groups)
        self.pages.setCurrentIndex(0 if shown else 1)

    def _lay_out_rows(self) -> QScrollArea:
        content = layouts.panel()
        column = layouts.column(on=content, margins=(METRICS.padding, METRICS.gap), spacing=METRICS.inner)
        for row in self._rows:
            if row.group not in self.headings:
                heading = layouts.label(row.group, "title")
                heading.setContentsMargins(0, METRICS.gap if self.headings else 0, 0, 0)
                self.headings[row.group] = heading
                column.addWidget(heading)
            column.addWidget(self.editors[row.name])
        column.addStretch(1)
        area = layouts.scroll_area(content, "settings")
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab goes through the rows, which scroll into view
        return area


def _selectable(label: QLabel) -> QLabel:
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setCursor(Qt.CursorShape.IBeamCursor)
    return label


def _text_of(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:.0%}"
