"""The manual in the window: contents, search, and pages, all from local files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from PySide6.QtCore import QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QShortcut,
    QShowEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSplitter, QTreeWidget, QTreeWidgetItem, QWidget

from framescope.ui.help.manual_index import FIRST, Page, anchor_of, manual_pages, plain, search
from framescope.ui.help.manual_pictures import manual_picture
from framescope.ui.theme import current_theme, markdown_pages
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.search_field import SearchField
from framescope.ui.widgets.text_page import TextPage

TARGET_ROLE = Qt.ItemDataRole.UserRole + 1
_SIZE = QSize(1000, 720)
_CONTENTS_WIDTH, _CONTENTS_HEIGHT = 288, 220


class ManualViewer(QWidget):
    """Viewer of the manual, in a window of its own or in a dock beside the scene.

    Parameters
    ----------
    pages
        Pages to show; default: the manual of the program.
    links
        Functions that follow links to objects of the program, by the scheme of the link. Each takes a name.
    is_beside
        Whether the viewer is in a dock, where the contents are folded until requested.

    Signals
    -------
    moved(str)
        Request to move to the other place, a window or a dock, at this page.
    turned(str)
        Another page is shown: its title.
    """

    moved = Signal(str)
    turned = Signal(str)

    def __init__(
        self,
        pages: Sequence[Page] | None = None,
        parent: QWidget | None = None,
        *,
        links: Mapping[str, Callable[[str], object]] | None = None,
        is_beside: bool = False,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Widget if is_beside else Qt.WindowType.Window)
        self.is_beside = is_beside
        self._links = {} if links is None else links
        layouts.lay_ground(self)
        self.setWindowTitle("Manual")  # the window manager appends the name of the program
        self.resize(_SIZE)
        self._pages = {page.target: page for page in (manual_pages() if pages is None else pages)}
        self._history: list[str] = []
        self._at = -1
        self._is_stale = False
        self.back = IconButton("chevron-left", "Back (Alt Left)")
        self.forward = IconButton("chevron-right", "Forward (Alt Right)")
        self.back.clicked.connect(lambda: self._go(-1))
        self.forward.clicked.connect(lambda: self._go(1))
        self.search = SearchField("Search the manual", "search the manual")
        self.search.setClearButtonEnabled(True)
        current_theme.signals.theme_changed.connect(self._on_theme)
        self.search.textChanged.connect(self._show_contents)
        self.search.returnPressed.connect(self._open_first)
        self.unfold = IconButton("chevron-down", "Contents")
        self.unfold.setCheckable(True)
        self.unfold.toggled.connect(self._show_fold)
        if is_beside:
            self.move_button = IconButton("scan", "In a window of its own", size=METRICS.small_button)
        else:
            self.move_button = push_button("Beside the scene", "pin", kind="small")
            self.move_button.setToolTip("Puts the manual into a panel of the window, beside the scene")
        self.move_button.clicked.connect(lambda: self.moved.emit(self.target))
        self.contents = QTreeWidget()
        self.contents.setHeaderHidden(True)
        self.contents.setAccessibleName("contents of the manual")
        self.contents.setIndentation(METRICS.outline_indent)
        self.contents.itemClicked.connect(self._on_item)
        self.contents.itemActivated.connect(self._on_item)
        self.browser = _Browser()
        self.browser.anchorClicked.connect(self._follow)
        self.note = layouts.plain_label("", "quiet", wordWrap=True)
        self.note.setContentsMargins(24, METRICS.gap, 24, METRICS.gap)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.note.hide()
        self._lay_out()
        for keys, do in (
            ("Alt+Left", lambda: self._go(-1)),
            ("Alt+Right", lambda: self._go(1)),
            ("Ctrl+F", self._focus_search),
            ("Escape", self._leave),
        ):
            # around a dock the same keys have other meanings
            inside, whole = Qt.ShortcutContext.WidgetWithChildrenShortcut, Qt.ShortcutContext.WindowShortcut
            QShortcut(QKeySequence(keys), self, do, context=inside if is_beside else whole)
        self._show_contents()
        self.show_page(FIRST)

    # Pages

    @property
    def target(self) -> str:
        """Current page, with a heading if one was requested; empty before the first page."""
        return self._history[self._at] if self._history else ""

    def show_page(self, target: str) -> bool:
        """Show a page, perhaps at a heading, such as ``conventions.md#quaternions``. Return whether it exists."""
        if target.startswith("#"):
            target = self.target.partition("#")[0] + target
        if target.partition("#")[0] not in self._pages:
            self._show_note(f"The manual has no page {target}.")
            return False
        del self._history[self._at + 1 :]
        self._history.append(target)
        self._at = len(self._history) - 1
        self._render()
        return True

    def open_at(self, target: str) -> None:
        """Show a page, and raise the window."""
        self.show_page(target)
        self.show()
        if not self.is_beside:
            self.raise_()
            self.activateWindow()
        self.browser.setFocus()

    def _go(self, step: int) -> None:
        if 0 <= self._at + step < len(self._history):
            self._at += step
            self._render()

    def _render(self) -> None:
        name, _, anchor = self.target.partition("#")
        page = self._pages[name]
        self.note.hide()
        self._is_stale = False
        self.browser.show_text(page.text)
        self.browser.begin_at(anchor)
        self.setWindowTitle(f"Manual: {page.title}")
        self.turned.emit(page.title)
        self.back.setEnabled(self._at > 0)
        self.forward.setEnabled(self._at < len(self._history) - 1)
        self._mark_contents()

    def _follow(self, url: QUrl) -> None:
        """Follow a link to a page of the manual or to an object. Copy external addresses to the clipboard."""
        follow = self._links.get(url.scheme())
        if follow is not None:
            follow(url.path() or url.host())
        elif not url.scheme():
            self.show_page(url.toString())
        else:
            address = url.toString()
            QGuiApplication.clipboard().setText(address)
            self._show_note(f"Copied, to open in a browser: {address}")

    def _show_note(self, sentence: str) -> None:
        self.note.setText(sentence)
        self.note.show()

    # Contents and search

    def _show_contents(self) -> None:
        query = self.search.text().strip()
        self._show_fold()
        self.contents.clear()
        if query:
            self._list_hits(query)
        else:
            for page in self._pages.values():
                top = _item(page.title, page.target)
                self.contents.addTopLevelItem(top)
                for heading in page.headings:
                    if heading.level == 2:
                        top.addChild(_item(plain(heading.text), f"{page.target}#{heading.anchor}"))
            self._mark_contents()

    def _list_hits(self, query: str) -> None:
        hits = search(tuple(self._pages.values()), query)
        for hit in hits:
            item = _item(hit.title, hit.target)
            item.setToolTip(0, f"<qt>{escape(hit.excerpt or hit.title)}</qt>")
            self.contents.addTopLevelItem(item)
        if not hits:
            nothing = _item("Nothing found. Try one word, or fewer letters.", "")
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            self.contents.addTopLevelItem(nothing)

    def _mark_contents(self) -> None:
        """Mark the current page in the contents, and expand its headings."""
        if self.search.text().strip():
            return
        name = self.target.partition("#")[0]
        for i in range(self.contents.topLevelItemCount()):
            top = self.contents.topLevelItem(i)
            if top is None:
                continue
            is_shown = top.data(0, TARGET_ROLE) == name
            top.setExpanded(is_shown)
            if not is_shown:
                continue
            inner = [child for k in range(top.childCount()) if (child := top.child(k)) is not None]
            marked = next((child for child in inner if child.data(0, TARGET_ROLE) == self.target), top)
            self.contents.setCurrentItem(marked)

    def _on_item(self, item: QTreeWidgetItem) -> None:
        target: str = item.data(0, TARGET_ROLE)
        if target and target != self.target:
            self.unfold.setChecked(False)
            self.show_page(target)
            query = self.search.text().strip()
            if query:
                self.browser.mark(query.split()[0])

    def _open_first(self) -> None:
        first = self.contents.topLevelItem(0)
        if first is not None and self.search.text().strip():
            self.contents.setCurrentItem(first)
            self._on_item(first)

    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _leave(self) -> None:
        if self.search.text():
            self.search.clear()
        elif self.unfold.isChecked():
            self.unfold.setChecked(False)
        elif not self.is_beside:
            self.close()

    # Building

    def _show_fold(self) -> None:
        """Show the contents beside the page; in a dock only while unfolded or searching."""
        self.contents.setVisible(not self.is_beside or self.unfold.isChecked() or bool(self.search.text().strip()))

    def _lay_out(self) -> None:
        left = QWidget()
        row = layouts.row(self.back, self.forward, (self.search, 1), spacing=METRICS.inner)
        column = layouts.column(
            row,
            (self.contents, 1),
            on=left,
            margins=(METRICS.padding, METRICS.gap, METRICS.gap, METRICS.gap),
            spacing=METRICS.gap,
        )
        if self.is_beside:
            row.addWidget(self.unfold)
        else:
            self.unfold.setParent(self)
            self.unfold.hide()
            column.addWidget(self.move_button)
        right = QWidget()
        layouts.column((self.browser, 1), self.note, on=right, margins=0, spacing=0)
        if self.is_beside:
            column.setContentsMargins(METRICS.gap, METRICS.gap, METRICS.gap, METRICS.gap)
            layouts.column(left, (right, 1), on=self, margins=0, spacing=0)
            self.contents.setMaximumHeight(_CONTENTS_HEIGHT)
            return
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(left)
        split.addWidget(right)
        split.setSizes([_CONTENTS_WIDTH, _SIZE.width() - _CONTENTS_WIDTH])
        split.setStretchFactor(1, 1)
        split.setChildrenCollapsible(False)
        layouts.column(split, on=self, margins=0)

    def showEvent(self, event: QShowEvent) -> None:
        if self._is_stale:
            self._render_again()
        super().showEvent(event)

    def _on_theme(self) -> None:
        self._is_stale = bool(self._history)
        if self._is_stale and self.isVisible():
            self._render_again()

    def _render_again(self) -> None:
        at = self.browser.verticalScrollBar().value()
        self._render()
        self.browser.verticalScrollBar().setValue(at)


class _Browser(TextPage):
    """Browser for a page of the manual."""

    def __init__(self) -> None:
        super().__init__("page of the manual")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewportMargins(0, 0, METRICS.gap, 0)  # margin between the text and the scroll bar
        self._anchor = ""
        self.verticalScrollBar().actionTriggered.connect(self._forget_anchor)
        self._page: QTextDocument | None = None

    def show_text(self, markdown: str) -> None:
        """Show another page. It is filled before it is shown, because each change of a visible page causes a layout."""
        before, self._page = self._page, QTextDocument(self)
        markdown_pages.fill(self._page, markdown, pictures=manual_picture)
        self.setDocument(self._page)
        self._page.documentLayout().documentSizeChanged.connect(self._return)
        if before is not None:
            before.deleteLater()

    def begin_at(self, anchor: str) -> None:
        """Show a new page from a heading, or from the top."""
        block = _place_of(self.document(), anchor) if anchor else None
        # A new browser scrolls to its cursor, which is at the end after filling.
        self.setTextCursor(QTextCursor(self.document() if block is None else block))
        self.go_to(anchor)

    def go_to(self, anchor: str) -> None:
        """Scroll to a heading or to the top, and keep that position when the page is laid out again."""
        self._anchor = anchor
        block = _place_of(self.document(), anchor) if anchor else None
        bar = self.verticalScrollBar()
        if block is None:
            bar.setValue(0)
        else:
            bar.setValue(int(self.document().documentLayout().blockBoundingRect(block).top()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._forget_anchor()
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._forget_anchor()
        super().keyPressEvent(event)

    def _return(self) -> None:
        """Scroll back to the heading after a new layout, such as after a change of size."""
        if self._anchor:
            QTimer.singleShot(0, self, lambda: self.go_to(self._anchor))

    def _forget_anchor(self) -> None:
        self._anchor = ""

    def mark(self, word: str) -> None:
        """Select the next occurrence of a word after the current heading."""
        cursor = self.cursorForPosition(self.viewport().rect().topLeft())
        match = self.document().find(word, cursor)
        if not match.isNull():
            self.setTextCursor(match)


def _item(text: str, target: str) -> QTreeWidgetItem:
    item = QTreeWidgetItem([text])
    item.setData(0, TARGET_ROLE, target)
    item.setToolTip(0, f"<qt>{escape(text)}</qt>")
    return item


def _place_of(document: QTextDocument, anchor: str) -> QTextBlock | None:
    """Return the block of the heading with an anchor, or None."""
    block = document.begin()
    while block.isValid():
        if block.blockFormat().headingLevel() and anchor_of(block.text()) == anchor:
            return block
        block = block.next()
    return None
