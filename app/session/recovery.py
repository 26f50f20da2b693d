"""Recovery of unsaved work after a crash: writing it, finding it on the next start, and restoring it.

Each running window has a folder of its own, which it holds by a lock. `scene.json` in it is a scene file that can also
be opened directly; `about.json` names the document. Both are written atomically, the scene last. `about.json` holds
the digest of its scene, and its own previous contents, so that a crash between the two writes neither gives a scene
another file's name nor loses its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLockFile

from framescope.app.session.document import Document
from framescope.app.storage.app_directories import data_folder
from framescope.core.errors import SceneError
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import write_atomically
from framescope.core.scene.files.yaml_reading import MAX_FILE_BYTES
from framescope.core.scene.schema.model import Scene

SCENE, ABOUT, LOCK = "scene.json", "about.json", "lock"
MAX_ABOUT_BYTES = 64_000
MAX_PATH_LENGTH = 4096
MAX_FOLDERS = 100
"""Largest number of folders that a start looks at."""

LABEL = "Recovered the unsaved work"


def recovery_folder() -> Path:
    """Return the parent folder of all windows' folders."""
    return data_folder() / "recovery"


@dataclass(frozen=True)
class Unsaved:
    """Unsaved work of a document, frozen, so that another thread may write it.

    Attributes
    ----------
    scene
        The present scene.
    path, folder
        The scene's file, and the folder of the files it names; None where there is none.
    source
        The file of another kind that the scene was made from; None where there is none.
    """

    scene: Scene
    path: Path | None
    folder: Path | None
    source: Path | None = None

    @classmethod
    def of(cls, document: Document) -> Unsaved:
        """Return the unsaved work of a document."""
        return cls(document.scene, document.path, document.folder, document.source)


class Slot:
    """Folder of one running window, locked until `close`.

    Raises
    ------
    OSError
        When no folder can be created or locked.
    """

    def __init__(self, below: Path) -> None:
        below.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=below))
        self.lock = create_lock(self.folder)
        if not self.lock.tryLock(0):
            shutil.rmtree(self.folder, ignore_errors=True)  # the next step creates another one
            raise OSError(0, "the folder of unsaved work cannot be locked", str(self.folder))
        self._former: dict[str, Any] | None = None

    def write(self, work: Unsaved) -> None:
        """Write unsaved work; raise `OSError` when that fails, and keep the previous copy."""
        text = scene_json(work.scene)
        about = {
            "path": None if work.path is None else str(work.path.resolve()),
            "folder": None if work.folder is None else str(work.folder),
            "source": None if work.source is None else str(work.source.resolve()),
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
            "version": version("framescope"),
            "pid": os.getpid(),
            "digest": _digest(text),
        }
        write_atomically(self.folder / ABOUT, json.dumps(about | {"former": self._former}, indent=1))
        write_atomically(self.folder / SCENE, text)
        self._former = about

    def clear(self) -> None:
        """Remove the copy; raise `OSError` when that fails."""
        for name in (SCENE, ABOUT):
            (self.folder / name).unlink(missing_ok=True)
        self._former = None

    def leave(self) -> None:
        """Release the lock, so that the next start finds the copy."""
        self.lock.unlock()

    def close(self) -> None:
        """Remove the folder and release the lock."""
        self.lock.unlock()
        shutil.rmtree(self.folder, ignore_errors=True)


def scene_json(scene: Scene) -> str:
    """Return a scene as JSON, which is some fifty times faster to write than YAML with comments.

    >>> parse_scene(scene_json(Scene(title="Ä")))[0].title
    'Ä'
    """
    return json.dumps(scene.model_dump(exclude_unset=True), ensure_ascii=False, indent=1)


@dataclass(frozen=True)
class Recovery:
    """Unsaved work of a process that has ended, locked until `discard` or `leave`: no other window offers it.

    Attributes
    ----------
    path
        The scene's file, None for a new scene.
    source
        The file of another kind that the scene was made from; None where there is none.
    data_folder
        Folder of the files that the scene names.
    when
        Time at which the work was written.
    """

    path: Path | None
    source: Path | None
    data_folder: Path | None
    when: datetime
    version: str
    folder: Path
    text: str = field(repr=False)
    _lock: QLockFile = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """File name to show."""
        file = self.path or self.source
        return "untitled.yaml" if file is None else file.name

    def discard(self) -> None:
        """Remove the work for good."""
        self._lock.unlock()
        shutil.rmtree(self.folder, ignore_errors=True)

    def leave(self) -> None:
        """Keep the work for the next start."""
        self._lock.unlock()


def find_recoveries(below: Path | None = None) -> tuple[Recovery, ...]:
    """Return the unsaved work of processes that have ended, the newest first, and remove empty or broken folders.

    Folders of running processes, and files and folders that are not ours, stay untouched.
    """
    below = recovery_folder() if below is None else below
    try:
        folders = sorted(path for path in below.iterdir() if _is_ours(path))[:MAX_FOLDERS]
    except OSError:
        return ()
    recoveries = [recovery for folder in folders if (recovery := _take_folder(folder)) is not None]
    return tuple(sorted(recoveries, key=lambda recovery: recovery.when, reverse=True))


def take_recovery(folder: Path) -> Recovery | None:
    """Return the unsaved work in one folder whose lock is free; None where there is none."""
    return _take_folder(folder) if folder.parent == recovery_folder() and _is_ours(folder) else None


def restore(recovery: Recovery, label: str = LABEL) -> Document:
    """Return a document with the recovered scene, unsaved; undo leads back to the file on disk.

    Raises
    ------
    SceneError
        When the recovered text is no scene.
    """
    scene, _ = parse_scene(recovery.text, f"the unsaved work on {recovery.name}")
    document, file = None, recovery.path or recovery.source
    if file is not None:
        try:
            document = Document.open(file)
        except SceneError:
            document = None  # removed or broken since then: only the recovered scene remains
    if document is None:
        document = Document(Scene(), folder=recovery.data_folder)
    document.commit(Edit(label, lambda _: scene))
    return document


def _take_folder(folder: Path) -> Recovery | None:
    """Lock a folder whose process has ended and read it; remove the folder when it has no work."""
    lock = create_lock(folder)
    if not lock.tryLock(0):
        return None
    text = _read(folder / SCENE, MAX_FILE_BYTES)
    if not text or not text.strip():
        lock.unlock()
        shutil.rmtree(folder, ignore_errors=True)
        return None
    about = _about_text(folder, text)
    return Recovery(
        path=_path(about.get("path")),
        source=_path(about.get("source")),
        data_folder=_path(about.get("folder")),
        when=_when(about.get("when"), folder),
        version=str(about.get("version", ""))[:40],
        folder=folder,
        text=text,
        _lock=lock,
    )


def _is_ours(path: Path) -> bool:
    """Return whether a path is a real folder, not a link, that the user owns and nobody else may write.

    Its lock must not be a named pipe either: Qt would wait for the pipe's writer.
    """
    try:
        state, lock = path.lstat(), path / LOCK
        is_plain = not os.path.lexists(lock) or stat.S_ISREG(lock.lstat().st_mode)
    except OSError:
        return False
    is_own = os.name == "nt" or (state.st_uid == os.getuid() and not state.st_mode & 0o022)
    return stat.S_ISDIR(state.st_mode) and is_own and is_plain


def create_lock(folder: Path) -> QLockFile:
    """Return the lock file of a folder, not yet locked."""
    lock = QLockFile(str(folder / LOCK))
    lock.setStaleLockTime(0)  # stale only when its process has ended, whatever its age
    return lock


def _read(path: Path, max_bytes: int) -> str | None:
    """Return the text of a regular file of limited size, else None."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > max_bytes:
            return None
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _about_text(folder: Path, text: str) -> Mapping[str, Any]:
    """Return the description that belongs to a scene's text; of any other description only its time and version."""
    read = _about(folder)
    digest = _digest(text)
    for about in (read, _mapping(read.get("former"))):
        if about.get("digest") == digest:
            return about
    return {key: read[key] for key in ("when", "version") if key in read}


def _about(folder: Path) -> Mapping[str, Any]:
    try:
        return _mapping(json.loads(_read(folder / ABOUT, MAX_ABOUT_BYTES) or ""))
    except (ValueError, RecursionError):
        return {}


def _mapping(read: object) -> Mapping[str, Any]:
    return read if isinstance(read, dict) else {}  # pyright: ignore[reportUnknownVariableType] - plain JSON


def _path(value: object) -> Path | None:
    if not isinstance(value, str) or not value.isprintable() or not 0 < len(value) <= MAX_PATH_LENGTH:
        return None
    return Path(value) if Path(value).is_absolute() else None


def _when(value: object, folder: Path) -> datetime:
    try:
        when = datetime.fromisoformat(str(value))
        when = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
        return when.astimezone(UTC)  # overflows in the first and the last year
    except (ValueError, OverflowError):
        return datetime.fromtimestamp(folder.stat().st_mtime, UTC)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
