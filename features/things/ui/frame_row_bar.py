"""Bar for a frame as one row of typing: the row, its fields as they are read, and what is wrong or missing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QLabel, QLineEdit, QSizePolicy, QWidget
from shiboken6 import isValid

from framescope.features.things.core.frame_row import MOST, PLACE, FrameRow, Key
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.key_use import HAS_ALL_KEYS

WIDTH = 720
"""Width of the bar, logical pixels."""

EXAMPLE = "camera base_link 0.1 0 0.25 0 -10 0 deg optical"

TITLES: dict[Key, str] = {"unit": "angles", "axes": "axes"}
"""Titles of fields that are not called by their key."""

USUAL: dict[Key, str] = {"axes": "body"}
"""Values of fields that are left out."""

MOST_SHOWN = 6
"""Largest number of names that are offered at once."""

_BETWEEN = 12


class FrameRowBar(QFrame):
    """Bar above the window with the row, its fields, and a line of text below.

    Signals
    -------
    edited()
        The text or the place of the cursor has changed; the owner calls `show_row`.
    accepted()
        Return was pressed.
    completed(str)
        The user takes a name for the parent.
    closed()
        The bar was closed.
    """

    edited = Signal()
    accepted = Signal()
    completed = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self._focus_before: QWidget | None = None
        self.setProperty("role", "popup")
        self.setProperty("helpTopic", "window.md#a-frame-as-one-row")
        self.setProperty(HAS_ALL_KEYS, True)
        self.setAccessibleName("frame as a row")
        self.field = QLineEdit()
        self.field.setAccessibleName("row of a frame: name, parent, x y z, roll pitch yaw, unit, optical")
        self.field.setPlaceholderText(EXAMPLE)
        self.field.setMaxLength(MOST)
        self.field.setProperty("kind", "expression")
        self.field.setMinimumHeight(METRICS.button)
        self.field.textChanged.connect(self._on_text)
        self.field.cursorPositionChanged.connect(self.edited)
        self.field.installEventFilter(self)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(METRICS.gap, METRICS.inner, METRICS.gap, 0)
        self._grid.setHorizontalSpacing(_BETWEEN)
        self._grid.setVerticalSpacing(0)
        self.titles: list[QLabel] = []
        self.values: list[ElidedLabel] = []
        self.keys: tuple[Key, ...] = ()
        self.line = layouts.plain_label("", "quiet", wordWrap=True)
        self.line.setContentsMargins(METRICS.gap, 0, METRICS.gap, 0)
        self.line.setAccessibleName("state of the row")
        self.offered: tuple[str, ...] = ()
        """Names that complete the parent, the one that Tab takes first."""
        self._i_offered = 0
        self._is_asked = False
        """Whether the user has pressed Return since the last change: a missing field is a mistake then."""
        fields = QWidget()
        fields.setLayout(self._grid)
        layouts.column(self.field, fields, self.line, on=self, margins=METRICS.gap, spacing=METRICS.inner)
        self.hide()

    # Opening and closing

    def open_at(self, box: QRect, text: str = "") -> None:
        """Open over a rectangle of the window, such as the search box."""
        if not self.isVisible():
            self._focus_before = QApplication.focusWidget()
        window = self._over.rect()
        width = min(WIDTH, window.width() - 2 * METRICS.gap)
        left = min(max(box.center().x() - width // 2, METRICS.gap), max(window.width() - width - METRICS.gap, 0))
        self.setGeometry(left, max(box.top() - METRICS.inner - 1, 0), width, self.height())
        self.field.setText(text)
        self.edited.emit()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        app = QApplication.instance()
        if app is not None:
            app.removeEventFilter(self)
            app.installEventFilter(self)

    def close_bar(self) -> None:
        """Close, and restore the focus."""
        if not self.isVisible():
            return
        app = QApplication.instance()
        if app is not None:
            app.removeEventFilter(self)
        before, self._focus_before = self._focus_before, None
        now = QApplication.focusWidget()
        had_focus = now is None or self.isAncestorOf(now)
        self.hide()
        if before is not None and isValid(before) and had_focus and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)
        self.closed.emit()

    # Content

    def show_row(self, row: FrameRow, parents: Sequence[str], is_empty: bool) -> None:
        """Show the fields of a row, what is wrong or missing, and names for the parent."""
        keys: tuple[Key, ...] = tuple(field.key for field in row.fields)
        if keys != self.keys:
            self._set_keys(keys)
        current = row.field_at(self.field.cursorPosition())
        is_open = is_empty or bool(parents) or (row.is_begun and not self._is_asked)
        unit = "m" if row.frame is None or row.frame.position is None else row.frame.position.unit
        for field, title, value in zip(row.fields, self.titles, self.values, strict=True):
            is_wrong = bool(row.problem) and field.key == row.at and not is_open
            text = field.text or (USUAL.get(field.key, "–") if field.key != "axes" or row.frame is not None else "–")
            is_typed = field.start >= 0
            role = "error" if is_wrong else "hint" if field.key == current and not is_empty else "caption"
            _set_role(title, role)
            title.setText(
                f"{field.key} {unit}" if field.key in PLACE and unit != "m" else TITLES.get(field.key, field.key)
            )
            _set_role(value, "error" if is_wrong else "number" if is_typed else "code")
            value.setText(text)
        if tuple(parents) != self.offered:
            self.offered, self._i_offered = tuple(parents), 0
        self._show_line(row, is_empty, is_open)
        self.resize(self.width(), self.sizeHint().height())

    def insist(self) -> None:
        """Show what is missing as a mistake, after Return."""
        self._is_asked = True
        self.edited.emit()

    def _on_text(self) -> None:
        self._is_asked = False
        self.edited.emit()

    def _show_line(self, row: FrameRow, is_empty: bool, is_open: bool) -> None:
        if self.offered:
            first = self.offered[self._i_offered]
            shown = self.offered[:MOST_SHOWN] if self._i_offered < MOST_SHOWN else (first,)
            names = " · ".join(f"[{name}]" if name == first else name for name in shown)
            more = f" · {len(self.offered) - len(shown)} more" if len(self.offered) > len(shown) else ""
            keys = "Tab takes it, ↑ ↓ choose" if len(self.offered) > 1 else "Tab takes it"
            _set_role(self.line, "quiet")
            self.line.setText(f"parent: {names}{more}. {keys}")
        elif is_empty:
            _set_role(self.line, "quiet")
            self.line.setText(
                "Name, parent, x y z in m, roll pitch yaw with deg or rad, optical or not. A static_transform_publisher"
                " or an <origin> can be pasted."
            )
        elif row.problem:
            _set_role(self.line, "quiet" if is_open else "error")
            self.line.setText(row.problem)
        else:
            _set_role(self.line, "quiet")
            self.line.setText(f"{f'{row.note} ' if row.note else ''}Return inserts {row.name}, Escape leaves.")

    def _set_keys(self, keys: tuple[Key, ...]) -> None:
        for label in (*self.titles, *self.values):
            self._grid.removeWidget(label)
            label.hide()
            label.deleteLater()
        self.keys, self.titles, self.values = keys, [], []
        for column, key in enumerate(keys):
            title, value = layouts.plain_label(TITLES.get(key, key), "caption"), ElidedLabel("", role="number")
            value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            value.setAccessibleName(f"{TITLES.get(key, key)} as read")
            self._grid.addWidget(title, 0, column)
            self._grid.addWidget(value, 1, column)
            self._grid.setColumnStretch(column, 3 if key in ("name", "parent") else 2)
            self.titles.append(title)
            self.values.append(value)

    # Events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent) and watched is not self.field and watched is not self._over:
            return False  # reject most events of the program early, for speed
        kind = event.type()
        if watched is self.field and isinstance(event, QKeyEvent):
            taken = (Qt.Key.Key_Escape, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Tab)
            if kind == QEvent.Type.ShortcutOverride and event.key() in taken:
                event.accept()
                return False
            if kind == QEvent.Type.KeyPress:
                return self._on_key(event)
        is_of_window = isinstance(watched, QWidget) and watched.window() is self.window()
        if isinstance(event, QMouseEvent) and kind == QEvent.Type.MouseButtonPress and is_of_window:
            if not self.rect().contains(self.mapFromGlobal(event.globalPosition().toPoint())):
                self.close_bar()
        elif kind == QEvent.Type.Resize and watched is self._over:
            self.close_bar()
        return False

    def _on_key(self, event: QKeyEvent) -> bool:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.close_bar()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accepted.emit()
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            if self.offered and key == Qt.Key.Key_Tab:
                self.completed.emit(self.offered[self._i_offered])
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            if self.offered:
                step = 1 if key == Qt.Key.Key_Down else -1
                self._i_offered = (self._i_offered + step) % len(self.offered)
                self.edited.emit()
        else:
            return False
        return True


def _set_role(label: QLabel, role: str) -> None:
    """Give a label another look."""
    if label.property("role") != role:
        label.setProperty("role", role)
        label.style().unpolish(label)
        label.style().polish(label)
