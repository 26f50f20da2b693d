"""Controller of the bar for a frame as one row of typing: previews the frame, and inserts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from framescope.app.session.session import Session
from framescope.core.scene.schema.model import WORLD
from framescope.features.things.core.frame_row import FrameRow, insert_row, parents_for, read_row, with_parent
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring
    from framescope.features.things.ui.frame_row_bar import FrameRowBar


class FrameRowController(QObject):
    """Opens the bar, reads the row at every change, shows the frame in the scene, and inserts it on Return."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self.bar: FrameRowBar | None = None
        """The bar; None until it is opened."""
        self._row: FrameRow | None = None
        self._parent = WORLD
        self._is_shown = False
        window.commands.of_features["frame_row"].triggered.connect(self.open)
        session.document_opened.connect(self.close)

    def open(self) -> None:
        """Open the bar over the search box."""
        if self.bar is None:
            from framescope.features.things.ui.frame_row_bar import FrameRowBar

            self.bar = FrameRowBar(self._window)
            self.bar.edited.connect(self._read)
            self.bar.accepted.connect(self._insert)
            self.bar.completed.connect(self._complete)
            self.bar.closed.connect(self._cancel)
        self._parent = self._session.selected_frame() or WORLD
        self.bar.open_at(self._window.header.search.place(self._window))

    def close(self) -> None:
        """Close the bar without a change."""
        if self.bar is not None:
            self.bar.close_bar()

    def _read(self) -> None:
        bar, scene = self.bar, self._session.document.scene
        if bar is None:
            return
        text = bar.field.text()
        row = read_row(text, scene, self._parent)
        place = bar.field.cursorPosition()
        bar.show_row(row, parents_for(row, text, place, scene) if text.strip() else (), not text.strip())
        if row != self._row:
            self._row = row
            self._show_in_scene(row)

    def _show_in_scene(self, row: FrameRow) -> None:
        """Show the frame in the scene as in a gesture; nothing while the row has a problem."""
        session = self._session
        if row.frame is not None:
            self._is_shown = True
            session.preview(insert_row(row, session.document.scene))
        else:
            self._hide()

    def _hide(self) -> None:
        if self._is_shown:
            self._is_shown = False
            self._session.cancel()

    def _complete(self, name: str) -> None:
        if self.bar is not None:
            text, place = with_parent(self.bar.field.text(), self.bar.field.cursorPosition(), name)
            self.bar.field.setText(text)
            self.bar.field.setCursorPosition(place)

    def _insert(self) -> None:
        row, bar = self._row, self.bar
        if row is None or bar is None:
            return
        if row.frame is None:
            bar.insist()
            return
        self._is_shown = False  # the commit ends the preview
        self._session.commit_items(insert_row(row, self._session.document.scene))
        bar.close_bar()

    def _cancel(self) -> None:
        self._hide()
        self._row = None


def connect_frame_rows(wiring: Wiring) -> None:
    """Connect the action with the bar."""
    FrameRowController(wiring.session, wiring.window)
