"""Watcher of open files that another program changes: the scene's own, and those that it names."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from framescope.app.session.document import Document
from framescope.core.errors import ItemError
from framescope.core.scene.files.referenced_files import KNOWN_FILES, named_files
from framescope.core.system.caches import FileState, file_state
from framescope.core.system.file_access import resolve_named

SETTLED_MS = 250
"""How long files are left alone after a change: whoever writes one writes it in pieces."""


class FileWatcher(QObject):
    """Notices when a file of the open document is written, replaced or removed.

    Signals
    -------
    scene_overtaken()
        The scene's file is no longer the one that was read or saved here.
    files_changed(object)
        The paths of files which the scene names, and which are others now.
    """

    scene_overtaken = Signal()
    files_changed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._stamps: dict[Path, tuple[int, int]] = {}
        self._told: tuple[int, int] | None = None
        self._watcher = QFileSystemWatcher(self)
        self._settled = QTimer(self, interval=SETTLED_MS, singleShot=True)
        self._settled.timeout.connect(self.look)
        # A file that is replaced is told of by its folder, one that is written in place by itself.
        self._watcher.fileChanged.connect(self._on_change)
        self._watcher.directoryChanged.connect(self._on_change)

    def watch(self, document: Document) -> None:
        """Watch the files of a document as it is now, and no others."""
        if document is not self._document:
            self._document, self._stamps, self._told = document, {}, None
        self._stamps = {path: self._stamps.get(path, stamp) for path, stamp in _stamps_of(document).items()}
        self._follow()

    def look(self) -> None:
        """Tell what has changed since the last look."""
        document = self._document
        if document is None:
            return
        if document.path is not None and document.is_overtaken:
            stamp = _stamp(document.path) or (0, 0)
            if stamp != self._told:
                self._told = stamp
                self.scene_overtaken.emit()
        before, self._stamps = self._stamps, _stamps_of(document)
        paths = before.keys() | self._stamps.keys()
        changed = tuple(sorted(path for path in paths if before.get(path) != self._stamps.get(path)))
        self._follow()
        if changed:
            self.files_changed.emit(changed)

    def _on_change(self, _path: str) -> None:
        self._settled.start()

    def _follow(self) -> None:
        document = self._document
        own = [] if document is None or document.path is None or document.is_example else [document.path.resolve()]
        files = [*own, *self._stamps]
        wanted = {str(path) for path in (*files, *(path.parent for path in files)) if path.exists()}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if gone := watched - wanted:
            self._watcher.removePaths(sorted(gone))
        if new := wanted - watched:
            self._watcher.addPaths(sorted(new))


def _stamps_of(document: Document) -> dict[Path, tuple[int, int]]:
    """Return the stamp of each file that a scene names, and that there is."""
    found: dict[Path, tuple[int, int]] = {}
    for name in () if document.is_example else named_files(document.scene):
        try:
            path = resolve_named(name, document.access, (), KNOWN_FILES)
        except ItemError:  # the problems list says it
            continue
        stamp = _stamp(path)
        if stamp is not None:
            found[path] = stamp
    return found


def _stamp(path: Path) -> FileState | None:
    """Return when a file was written, and its size; None when there is none."""
    try:
        return file_state(path)
    except OSError:
        return None
