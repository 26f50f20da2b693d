"""Recovery of work that a process which is gone has left: writing it, finding it on the next start, restoring it.

Each running window has a folder of its own, which it holds by a lock. In it lie `scene.json`, the scene as a file that
can be opened as well, and `about.json`, which says whose work it is. Both are written atomically, the scene last:
`about.json` holds the digest of the scene it belongs to, and what it said of the one before, so that a crash between
the two neither gives a scene the name of another file nor takes its own away.
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
"""Folders that are looked at on a start."""

LABEL = "Recovered the unsaved work"


def recovery_folder() -> Path:
    """Return the folder below which every window has its own."""
    return data_folder() / "recovery"


@dataclass(frozen=True)
class Unsaved:
    """Unsaved work of a document, frozen, so that another thread may write it.

    Attributes
    ----------
    scene
        As it is now.
    path, folder
        The file it was opened from, and where the files are that it names; None where there is none.
    """

    scene: Scene
    path: Path | None
    folder: Path | None

    @classmethod
    def of(cls, document: Document) -> Unsaved:
        """Return it of a document."""
        return cls(document.scene, document.path, document.folder)


class Slot:
    """The folder of one running window, held by a lock until `close`.

    Raises
    ------
    OSError
        When no folder can be made.
    """

    def __init__(self, below: Path) -> None:
        below.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=below))
        self._lock = _lock_of(self.folder)
        if not self._lock.tryLock(0):
            shutil.rmtree(self.folder, ignore_errors=True)  # another one is made at the next step
            raise OSError(0, "the folder of unsaved work cannot be locked", str(self.folder))
        self._former: dict[str, Any] | None = None

    def write(self, work: Unsaved) -> None:
        """Write it down; raise `OSError` when that fails, and the last one stays."""
        text = scene_json(work.scene)
        about = {
            "path": None if work.path is None else str(work.path.resolve()),
            "folder": None if work.folder is None else str(work.folder),
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
            "version": version("framescope"),
            "pid": os.getpid(),
            "digest": _digest(text),
        }
        write_atomically(self.folder / ABOUT, json.dumps(about | {"former": self._former}, indent=1))
        write_atomically(self.folder / SCENE, text)
        self._former = about

    def clear(self) -> None:
        """Remove what was written; raise `OSError` when that fails."""
        for name in (SCENE, ABOUT):
            (self.folder / name).unlink(missing_ok=True)
        self._former = None

    def leave(self) -> None:
        """Let go of the lock: what was written is found at the next start."""
        self._lock.unlock()

    def close(self) -> None:
        """Remove the folder and let go of the lock."""
        self._lock.unlock()
        shutil.rmtree(self.folder, ignore_errors=True)


def scene_json(scene: Scene) -> str:
    """Return a scene as the text of a JSON scene file: some fifty times as quick to write as YAML with its comments.

    >>> parse_scene(scene_json(Scene(title="Ä")))[0].title
    'Ä'
    """
    return json.dumps(scene.model_dump(exclude_unset=True), ensure_ascii=False, indent=1)


@dataclass(frozen=True)
class Recovery:
    """Unsaved work of a process that is gone. It is held until `discard` or `leave`: no other window offers it.

    Attributes
    ----------
    path
        The file it was opened from, None for a new scene.
    data_folder
        Where the files are that the scene names.
    when
        When it was written.
    """

    path: Path | None
    data_folder: Path | None
    when: datetime
    version: str
    folder: Path
    text: str = field(repr=False)
    _lock: QLockFile = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """The file name to show."""
        return "untitled.yaml" if self.path is None else self.path.name

    def discard(self) -> None:
        """Remove it for good."""
        self._lock.unlock()
        shutil.rmtree(self.folder, ignore_errors=True)

    def leave(self) -> None:
        """Leave it for the next start."""
        self._lock.unlock()


def find_recoveries(below: Path | None = None) -> tuple[Recovery, ...]:
    """Return what processes that are gone have left, the newest first; what is empty or broken is cleared away.

    A folder whose process lives is left alone, and so is whatever is no folder of ours.
    """
    below = recovery_folder() if below is None else below
    try:
        folders = sorted(path for path in below.iterdir() if _is_ours(path))[:MAX_FOLDERS]
    except OSError:
        return ()
    found = [recovery for folder in folders if (recovery := _taken(folder)) is not None]
    return tuple(sorted(found, key=lambda recovery: recovery.when, reverse=True))


def take_recovery(folder: Path) -> Recovery | None:
    """Return the work in one folder whose process has let go of it; None where there is none."""
    return _taken(folder) if folder.parent == recovery_folder() and _is_ours(folder) else None


def restore(recovery: Recovery, label: str = LABEL) -> Document:
    """Return a document with the recovered scene, unsaved, and the file as it is on disk one step of undo before.

    Raises
    ------
    SceneError
        When the text that was kept is no scene.
    """
    scene, _ = parse_scene(recovery.text, f"the unsaved work on {recovery.name}")
    document = None
    if recovery.path is not None:
        try:
            document = Document.open(recovery.path)
        except SceneError:
            document = None  # gone or broken since: what was kept is all there is
    if document is None:
        document = Document(Scene(), folder=recovery.data_folder)
    document.commit(Edit(label, lambda _: scene))
    return document


def _taken(folder: Path) -> Recovery | None:
    """Take a folder whose process is gone; remove it when there is no work in it."""
    lock = _lock_of(folder)
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
        data_folder=_path(about.get("folder")),
        when=_when(about.get("when"), folder),
        version=str(about.get("version", ""))[:40],
        folder=folder,
        text=text,
        _lock=lock,
    )


def _is_ours(path: Path) -> bool:
    """Return whether a path is a folder, and no link to one, that the person owns and nobody else may write.

    Its lock is no pipe either, for whose writer Qt would wait.
    """
    try:
        state, lock = path.lstat(), path / LOCK
        is_plain = not os.path.lexists(lock) or stat.S_ISREG(lock.lstat().st_mode)
    except OSError:
        return False
    is_own = os.name == "nt" or (state.st_uid == os.getuid() and not state.st_mode & 0o022)
    return stat.S_ISDIR(state.st_mode) and is_own and is_plain


def _lock_of(folder: Path) -> QLockFile:
    lock = QLockFile(str(folder / LOCK))
    lock.setStaleLockTime(0)  # stale when its process is gone, however old it is
    return lock


def _read(path: Path, max_bytes: int) -> str | None:
    """Return the text of a plain file of bounded size, else None."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > max_bytes:
            return None
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def _about_text(folder: Path, text: str) -> Mapping[str, Any]:
    """Return what is said of a scene; of another one, but for what a bug report needs, nothing."""
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
        return when.astimezone(UTC)  # of the first and the last year it is none
    except (ValueError, OverflowError):
        return datetime.fromtimestamp(folder.stat().st_mtime, UTC)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
