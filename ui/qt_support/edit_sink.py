"""Edit sink: the receiver of a panel's edits, as previews during a gesture and as one commit or a cancel at its end."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QObject, Signal

from framescope.core.scene.edits.base import Edit


class EditTarget(Protocol):
    """Receiver that applies edits to a document: the session."""

    def preview(self, edit: Edit, pauses: bool) -> None:
        """Show an edit without storing it; `pauses` stops the clock until the gesture ends."""
        ...

    def commit(self, edit: Edit) -> None:
        """Store an edit as one undo step."""
        ...

    def commit_items(self, edit: Edit) -> None:
        """Store an edit of items, and select the items it created."""
        ...

    def cancel(self) -> None:
        """End a gesture, and restore the state before it."""
        ...


class EditSink(QObject):
    """Passed to everything that edits within a panel; the window connects it once.

    Signals
    -------
    previewed(object, bool), committed(object), items_committed(object), cancelled()
        The calls of the methods of the same meaning, with an `Edit`; see `EditTarget`.
    """

    previewed = Signal(object, bool)
    committed = Signal(object)
    items_committed = Signal(object)
    cancelled = Signal()

    def preview(self, edit: Edit, *, pauses: bool = True) -> None:
        """Show an edit during a gesture; the clock stops meanwhile if time drives the edited values."""
        self.previewed.emit(edit, pauses)

    def commit(self, edit: Edit) -> None:
        """Store an edit."""
        self.committed.emit(edit)

    def commit_items(self, edit: Edit) -> None:
        """Store an edit of items, and select the items it created."""
        self.items_committed.emit(edit)

    def cancel(self) -> None:
        """Cancel a gesture."""
        self.cancelled.emit()

    def lead_to(self, target: EditTarget) -> None:
        """Connect all edits to a target."""
        self.previewed.connect(target.preview)
        self.committed.connect(target.commit)
        self.items_committed.connect(target.commit_items)
        self.cancelled.connect(target.cancel)
