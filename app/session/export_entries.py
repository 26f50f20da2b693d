"""Entries of the export dialog, kept scene by scene for the next time it is opened."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from framescope.app.session.document import Document
from framescope.app.storage.settings import Settings


class ExportEntries:
    """The entries of each scene: with its path in the settings, and with the scene itself while it has none."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._of_document: WeakKeyDictionary[Document, Mapping[str, object]] = WeakKeyDictionary()

    def of(self, document: Document) -> Mapping[str, object]:
        """Return what was entered for a scene."""
        found = self._of_document.get(document)
        if found is not None or document.path is None:
            return found or {}
        return self._settings.export_entries_of(document.path)

    def keep(self, document: Document, entries: Mapping[str, object]) -> None:
        """Remember what was entered for a scene."""
        self._of_document[document] = entries
        if document.path is not None:
            self._settings.set_export_entries_of(document.path, entries)
