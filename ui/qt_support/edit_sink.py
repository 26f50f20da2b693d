"""Edit sink: where a panel's edits go, as previews while a gesture goes on and as one commit or a cancel at its end."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QObject, Signal

from framescope.core.scene.edits.base import Edit


class EditTarget(Protocol):
    """What applies edits to a document: the session."""

    def preview(self, edit: Edit, pauses: bool) -> None:
        """Show an edit without keeping it; `pauses` the clock until the gesture ends."""
        ...

    def commit(self, edit: Edit) -> None:
        """Keep an edit as one step of undo."""
        ...

    def commit_items(self, edit: Edit) -> None:
        """Keep an edit of items, and select what it has made."""
        ...

    def cancel(self) -> None:
        """End a gesture, and show what there was before it."""
        ...


class EditSink(QObject):
    """Handed down to whatever edits within a panel; the window connects it once.

    Signals
    -------
    previewed(object, bool), committed(object), items_committed(object), cancelled()
        What was called, with an `Edit`; see `EditTarget`.
    """

    previewed = Signal(object, bool)
    committed = Signal(object)
    items_committed = Signal(object)
    cancelled = Signal()

    def preview(self, edit: Edit, *, pauses: bool = True) -> None:
        """Show an edit while a gesture goes on; the clock waits meanwhile where time drives what it changes."""
        self.previewed.emit(edit, pauses)

    def commit(self, edit: Edit) -> None:
        """Keep an edit."""
        self.committed.emit(edit)

    def commit_items(self, edit: Edit) -> None:
        """Keep an edit of items, and have what it makes selected."""
        self.items_committed.emit(edit)

    def cancel(self) -> None:
        """Give a gesture up."""
        self.cancelled.emit()

    def lead_to(self, target: EditTarget) -> None:
        """Have all edits go to a target."""
        self.previewed.connect(target.preview)
        self.committed.connect(target.commit)
        self.items_committed.connect(target.commit_items)
        self.cancelled.connect(target.cancel)
