"""Command palette: typed text finds commands, items, examples and help, and Return runs the selected one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QFrame, QListView, QStackedWidget, QWidget
from shiboken6 import isValid

from framescope.ui.formatting.fuzzy_match import INITIALS, SCATTERED, WHOLE, Match, rank
from framescope.ui.palette.command import Command
from framescope.ui.palette.row_delegate import FOUND_ROLE, ROW, RowDelegate
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.key_use import HAS_ALL_KEYS
from framescope.ui.widgets.search_field import SearchField

Provider = Callable[[], Iterable[Command]]
Finder = Callable[[str], Iterable[Command]]

MAX_FOUND = 60
MAX_ROWS = 10
MAX_RECENT = 5
MIN_WIDTH = 480
_FIELD = 24
"""Least height of the field inside its border, as in the stylesheet of the application."""
RECENT = WHOLE - 1.0
"""Score of the newest command if words of its title begin with the typed ones. Only a whole title scores more."""
_PAGE = 8
_SMALL_WORDS = {
    *("a", "an", "and", "another", "can", "do", "for", "from", "how", "i", "in", "into", "it", "my", "of", "on", "one"),
    *("some", "the", "this", "to", "with"),
}
"""Words of sentences that titles may lack."""
_MOVES = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: _PAGE, Qt.Key.Key_PageUp: -_PAGE}


class CommandPalette(QFrame):
    """Search field with the list of its results, above all other widgets of a window.

    Parameters
    ----------
    parent
        Window that the palette opens in.

    Signals
    -------
    ran(str)
        Title of the command that is about to run.
    closed()
        The palette was closed.
    """

    ran = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.setProperty("role", "popup")
        self.setProperty(HAS_ALL_KEYS, True)
        self.setAccessibleName("command palette")
        self._providers: list[Provider] = []
        self._finders: list[Finder] = []
        self._commands: tuple[Command, ...] = ()
        self.recent: tuple[str, ...] = ()
        """Titles of the last commands, newest first."""
        self._common: tuple[str, ...] = ()
        self._focus_before: QWidget | None = None
        self.field = SearchField("Search everything", "search everything")
        self.field.textChanged.connect(self.show_results)
        self.field.installEventFilter(self)
        self._model = QStandardItemModel(self)
        self.list = QListView()
        self.list.setModel(self._model)
        self._delegate = RowDelegate(self.list)
        self.list.setItemDelegate(self._delegate)
        self.list.setAccessibleName("found commands")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setStyleSheet("QListView { background: transparent; }")
        self.list.clicked.connect(self._run_selected)
        self.nothing = layouts.plain_label("", "quiet", wordWrap=True)
        self.nothing.setContentsMargins(12, METRICS.gap, 12, METRICS.gap)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._pages.addWidget(self.nothing)
        layouts.column(self.field, self._pages, on=self, margins=METRICS.inner, spacing=METRICS.inner)
        self.hide()

    # Sources of results

    def add_provider(self, provider: Provider) -> None:
        """Add a function that provides commands each time the palette opens."""
        self._providers.append(provider)

    def add_finder(self, finder: Finder) -> None:
        """Add a function that searches longer texts. Its results come last."""
        self._finders.append(finder)

    def set_common(self, titles: Sequence[str]) -> None:
        """Set the commands to show before the user types, after the recent ones."""
        self._common = tuple(titles)

    def set_recent(self, titles: Sequence[str]) -> None:
        """Set the remembered recent commands."""
        self.recent = tuple(titles)[:MAX_RECENT]

    def set_scale(self, scale: float) -> None:
        """Scale texts and rows relative to their usual size, as for a presentation."""
        if scale == self._delegate.scale:
            return
        self.close_palette()
        self._delegate.scale = scale
        size, height = round(scale * METRICS.base), round(scale * _FIELD)
        larger = f"QLineEdit {{ font-size: {size}px; min-height: {height}px; }} QLabel {{ font-size: {size}px; }}"
        self.setStyleSheet(larger if scale != 1.0 else "")

    # Opening and closing

    def open_at(self, box: QRect, text: str = "") -> None:
        """Open over a rectangle of the window, such as the search box."""
        if not self.isVisible():
            self._focus_before = QApplication.focusWidget()
        self._commands = tuple(command for provider in self._providers for command in provider())
        window = self._over.rect()
        width = max(round(self._delegate.scale * MIN_WIDTH), box.width() + 2 * METRICS.inner)
        width = min(width, window.width() - 2 * METRICS.gap)
        left = min(max(box.center().x() - width // 2, METRICS.gap), max(window.width() - width - METRICS.gap, 0))
        top = max(box.top() - METRICS.inner - 1, 0)
        self.setGeometry(left, top, min(width, window.width()), self.height())
        self.field.setText(text)
        self.show_results()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        app = QApplication.instance()
        if app is not None:
            app.removeEventFilter(self)
            app.installEventFilter(self)

    def close_palette(self) -> None:
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

    # Results

    def titles(self) -> list[str]:
        """Return the listed titles from the top."""
        return [self._command(i).title for i in range(self._model.rowCount())]

    def selected_title(self) -> str:
        """Return the title of the selected row; empty if there is none."""
        index = self.list.currentIndex()
        return self._command(index.row()).title if index.isValid() else ""

    def show_results(self) -> None:
        """List the commands that match the typed text, or the common ones."""
        query = self.field.text().strip()
        if query:
            entries = [(command, command.title, f"{command.words} {command.kind}") for command in self._commands]
            results = rank(query, entries, MAX_FOUND) or rank(_drop_small_words(query), entries, MAX_FOUND)
            results.sort(key=lambda result: -self._worth(*result))
            results += [(command, Match(0.0)) for finder in self._finders for command in finder(query)]
        else:
            results = [(command, Match(0.0)) for command in self._at_first()]
        self._model.clear()
        for command, match in results:
            item = QStandardItem(", ".join(part for part in (command.title, command.kind, command.shortcut) if part))
            item.setData((command, match), FOUND_ROLE)
            item.setEditable(False)
            self._model.appendRow(item)
        if results:
            self._pages.setCurrentWidget(self.list)
            self._mark(0)
            row = round(self._delegate.scale * ROW)
            most = max((self._over.height() - self.field.sizeHint().height()) // row - 1, 1)
            height = min(len(results), MAX_ROWS, most) * row
        else:
            self.nothing.setText(
                f"Nothing is called “{query}”. Try fewer letters, the name of a frame, or a word such as plot, camera"
                " or lesson."
                if query
                else "Type what you want to do, or the name of a frame, an example or a page of the manual."
            )
            self._pages.setCurrentWidget(self.nothing)
            height = self.nothing.heightForWidth(self.width() - 2 * METRICS.inner)
        self._pages.setFixedHeight(height)
        self.resize(self.width(), self.field.sizeHint().height() + height + 3 * METRICS.inner + 2)

    def _worth(self, command: Command, match: Match) -> float:
        """Return the score of a result.

        Recent commands come before others whose titles match as well. Texts to read are between commands found by
        other words and scattered letters.
        """
        if command.is_to_read:
            return SCATTERED + 0.1 * match.score
        is_again = match.score > INITIALS and command.title in self.recent
        return max(match.score, RECENT - self.recent.index(command.title)) if is_again else match.score

    def _at_first(self) -> list[Command]:
        by_title = {command.title: command for command in reversed(self._commands)}
        titles = dict.fromkeys((*self.recent, *self._common))
        listed = [by_title[title] for title in titles if title in by_title]
        return listed or list(self._commands[:MAX_ROWS])

    def _command(self, row: int) -> Command:
        result: tuple[Command, Match] = self._model.item(row).data(FOUND_ROLE)
        return result[0]

    def _mark(self, row: int) -> None:
        index = self._model.index(row, 0)
        self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.list.scrollTo(index)

    def _run_selected(self) -> None:
        index = self.list.currentIndex()
        if not index.isValid() or not self._model.rowCount():
            return
        command = self._command(index.row())
        self.recent = (command.title, *(title for title in self.recent if title != command.title))[:MAX_RECENT]
        self.close_palette()
        self.ran.emit(command.title)
        command.run()

    # Events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent) and watched is not self.field and watched is not self._over:
            return False  # reject most events of the program early, for speed
        kind = event.type()
        if watched is self.field and isinstance(event, QKeyEvent):
            if kind == QEvent.Type.ShortcutOverride and event.key() in (Qt.Key.Key_Escape, *_MOVES):
                event.accept()
                return False
            if kind == QEvent.Type.KeyPress:
                return self._on_key(event)
        is_of_window = isinstance(watched, QWidget) and watched.window() is self.window()
        if isinstance(event, QMouseEvent) and kind == QEvent.Type.MouseButtonPress and is_of_window:
            if not self.rect().contains(self.mapFromGlobal(event.globalPosition().toPoint())):
                self.close_palette()
        elif kind in (QEvent.Type.Resize, QEvent.Type.WindowDeactivate) and watched is self._over:
            self.close_palette()
        return False

    def _on_key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        n_rows = self._model.rowCount()
        if key == Qt.Key.Key_Escape:
            self.close_palette()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run_selected()
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            return True
        elif key in _MOVES and n_rows:
            now, step = self.list.currentIndex().row(), _MOVES[key]
            # Single steps wrap around, pages stop at the ends.
            self._mark((now + step) % n_rows if abs(step) == 1 else min(max(now + step, 0), n_rows - 1))
        else:
            return False
        return True


def _drop_small_words(query: str) -> str:
    """Return a query without the small words of a sentence, unless no others remain.

    >>> _drop_small_words("how do I add a frame")
    'add frame'
    """
    return " ".join(word for word in query.split() if word.lower() not in _SMALL_WORDS) or query
