"""Watcher of open files that another program changes: the scene's own, and the files it names."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from framescope.app.session.document import Document
from framescope.core.errors import ItemError
from framescope.core.scene.files.referenced_files import KNOWN_FILES, named_files
from framescope.core.system.caches import FileState, file_state
from framescope.core.system.file_access import resolve_named

SETTLED_MS = 250
"""Delay from a change to reading the files, ms, because programs write files in pieces."""


class FileWatcher(QObject):
    """Notices when a file of the open document is written, replaced or removed.

    Signals
    -------
    scene_overtaken()
        The scene's file differs from the version that was read or saved here.
    files_changed(object)
        Paths of changed files that the scene names.
    """

    scene_overtaken = Signal()
    files_changed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._stamps: dict[Path, tuple[int, int]] = {}
        self._reported: tuple[int, int] | None = None
        self._watcher = QFileSystemWatcher(self)
        self._settled = QTimer(self, interval=SETTLED_MS, singleShot=True)
        self._settled.timeout.connect(self.look)
        # Replacing a file notifies its folder, writing in place notifies the file.
        self._watcher.fileChanged.connect(self._on_change)
        self._watcher.directoryChanged.connect(self._on_change)

    def watch(self, document: Document) -> None:
        """Watch the files that a document names now, and no others."""
        if document is not self._document:
            self._document, self._stamps, self._reported = document, {}, None
        self._stamps = {path: self._stamps.get(path, stamp) for path, stamp in _stamps_of(document).items()}
        self._watch_files()

    def accept(self, paths: Collection[Path]) -> None:
        """Take the present state of files as known, which the program itself has written."""
        self._stamps |= {path: stamp for path in paths if path in self._stamps and (stamp := _stamp(path)) is not None}
        self._watch_files()

    def look(self) -> None:
        """Report all changes since the last call."""
        document = self._document
        if document is None:
            return
        if document.path is not None and document.is_overtaken:
            stamp = _stamp(document.path) or (0, 0)
            if stamp != self._reported:
                self._reported = stamp
                self.scene_overtaken.emit()
        before, self._stamps = self._stamps, _stamps_of(document)
        paths = before.keys() | self._stamps.keys()
        changed = tuple(sorted(path for path in paths if before.get(path) != self._stamps.get(path)))
        self._watch_files()
        if changed:
            self.files_changed.emit(changed)

    def _on_change(self, _path: str) -> None:
        self._settled.start()

    def _watch_files(self) -> None:
        document = self._document
        own = [] if document is None or document.path is None or document.is_example else [document.path.resolve()]
        files = [*own, *self._stamps]
        needed = {str(path) for path in (*files, *(path.parent for path in files)) if path.exists()}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if gone := watched - needed:
            self._watcher.removePaths(sorted(gone))
        if new := needed - watched:
            self._watcher.addPaths(sorted(new))


def _stamps_of(document: Document) -> dict[Path, tuple[int, int]]:
    """Return the stamps of the existing files that a scene names, by path."""
    stamps: dict[Path, tuple[int, int]] = {}
    for name in () if document.is_example else named_files(document.scene):
        try:
            path = resolve_named(name, document.access, (), KNOWN_FILES)
        except ItemError:  # the problems list reports it
            continue
        stamp = _stamp(path)
        if stamp is not None:
            stamps[path] = stamp
    return stamps


def _stamp(path: Path) -> FileState | None:
    """Return a file's time of modification and size; None when it does not exist."""
    try:
        return file_state(path)
    except OSError:
        return None
