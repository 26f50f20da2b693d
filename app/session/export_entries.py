"""Entries of the export dialog, remembered for each scene."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from framescope.app.session.document import Document
from framescope.app.storage.settings import Settings


class ExportEntries:
    """Entries of each scene: in the settings by its path, and with the document while it has none."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._of_document: WeakKeyDictionary[Document, Mapping[str, object]] = WeakKeyDictionary()

    def of(self, document: Document) -> Mapping[str, object]:
        """Return the remembered entries of a document's scene."""
        entries = self._of_document.get(document)
        if entries is not None or document.path is None:
            return entries or {}
        return self._settings.export_entries_of(document.path)

    def keep(self, document: Document, entries: Mapping[str, object]) -> None:
        """Remember the entries of a document's scene."""
        self._of_document[document] = entries
        if document.path is not None:
            self._settings.set_export_entries_of(document.path, entries)
