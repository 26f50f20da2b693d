"""Scene archives: a zip with a scene and its files, not trusted, unpacked within limits or rejected.

Before anything is unpacked, sizes and target paths in the archive's directory are checked. Only a scene and files that
a scene can refer to are unpacked. The folder appears complete or not at all.
"""

from __future__ import annotations

import os
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from framescope.core.errors import ItemError, Problem, SceneError
from framescope.core.scene.files.referenced_files import KNOWN_FILES
from framescope.core.system.atomic_write import partial_name
from framescope.core.system.file_access import check_name

SUFFIX = ".zip"
SCENE_SUFFIXES = (".yaml", ".yml", ".json")

MAX_FILE_BYTES = 500_000_000
"""Maximum size of a bundle, bytes."""

MAX_DIRECTORY_BYTES = 1_000_000
"""Maximum size of the archive's directory, bytes."""

MAX_FILES = 1000
MAX_UNPACKED_BYTES = 1_000_000_000
"""Maximum total size of the unpacked files, bytes; five times the limit of one file."""

MAX_ONE_BYTES = 200_000_000
MAX_RATIO = 200
ANY_RATIO_BYTES = 16_000_000
"""Unpacked size below which any compression ratio is allowed, bytes; above, `MAX_RATIO` is the limit."""

MAX_LEVELS = 20
"""Maximum nesting depth of folders."""

MAX_SAME = 1000
"""Maximum number of numbered folder names that are tried."""

_CHUNK = 1 << 20
_END, _END_SIZE, _COMMENT = b"PK\x05\x06", 22, 1 << 16
_FAR_END, _FAR_SIZE = b"PK\x06\x07", 20
"""Marks of archives beyond 4 GB or 65 535 files."""

_STRANGE = "Framescope did not make this: leave it alone."
_NO_BUNDLE = "Make one with: framescope export SCENE bundle.zip"


def is_bundle(path: Path) -> bool:
    """Return whether a file has the suffix of a bundle."""
    return path.suffix.lower() == SUFFIX


def unpack_beside(path: Path) -> Path:
    """Unpack a bundle into a folder of its name beside it, and return the path of the scene in it.

    A folder with the same files is used as it is. A folder with other files stays, and a number is added to the name.

    Raises
    ------
    SceneError
        When the file is not a bundle, exceeds a limit, or cannot be unpacked there.
    """
    with _open(path) as (archive, entries):
        scene = _scene_of(path, entries)
        for folder in _folders(path):
            if not os.path.lexists(folder):
                return _unpack(path, archive, entries, folder) / scene
            if folder.is_dir() and _has_all(folder, entries):
                return folder / scene
    raise _error(path, "there are too many folders of its name.", "Move it into an empty folder.")


def unpack_into(path: Path, folder: Path) -> Path:
    """Unpack a bundle into an empty folder, and return the path of the scene; errors are as in `unpack_beside`."""
    with _open(path) as (archive, entries):
        scene = _scene_of(path, entries)
        _extract(path, archive, entries, folder)
    return folder / scene


# --- Checking the contents


Entries = dict[str, zipfile.ZipInfo]
"""Entries to unpack, by target path with / between folders."""


@contextmanager
def _open(path: Path) -> Generator[tuple[zipfile.ZipFile, Entries]]:
    """Yield the archive and the entries to unpack; all faults of either raise a `SceneError`."""
    try:
        _check_kind(path)
        with path.open("rb") as file:
            _check_end(path, file)
            with zipfile.ZipFile(file) as archive:
                yield archive, _check_entries(path, archive.infolist())
    except SceneError:
        raise
    except OSError as error:
        raise _error(path, f"it cannot be unpacked: {error.strerror or error}.", "Copy it elsewhere.") from None
    except Exception as error:  # noqa: BLE001 - zipfile and zlib raise a dozen kinds for damaged files
        raise _error(path, f"it is no zip, or a damaged one: {error!s:.200}.", _NO_BUNDLE) from None


def _check_kind(path: Path) -> None:
    """Reject anything but an ordinary file: opening a pipe would block."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise _error(path, "it is no ordinary file.", _NO_BUNDLE)


def _check_end(path: Path, file: BinaryIO) -> None:
    """Reject a file by its size and the size of its directory, before zipfile reads all of it."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END_SIZE - _COMMENT - _FAR_SIZE))
    tail = file.read()
    if size > MAX_FILE_BYTES:
        raise _error(path, f"it has {_megabytes(size)}, at most {_megabytes(MAX_FILE_BYTES)} are read.", "")
    # Search for the end record as zipfile does: at the very end of the file, or else before a comment at the end.
    last = tail[-_END_SIZE:]
    is_plain = len(last) == _END_SIZE and last.startswith(_END) and last.endswith(b"\0\0")
    at = len(tail) - _END_SIZE if is_plain else tail.rfind(_END)
    end = tail[at : at + _END_SIZE]
    if at < 0 or len(end) < _END_SIZE:
        raise _error(path, "it is no zip, or a damaged one.", _NO_BUNDLE)
    directory_bytes = struct.unpack("<I", end[12:16])[0]
    if directory_bytes > MAX_DIRECTORY_BYTES or tail[max(0, at - _FAR_SIZE) : at].startswith(_FAR_END):
        raise _error(path, f"it holds more than {MAX_FILES} files.", "Bundle one scene.")


def _check_entries(path: Path, listed: Sequence[zipfile.ZipInfo]) -> Entries:
    """Return the entries to unpack; raise `SceneError` if one exceeds a limit or leads outside the folder."""
    if len(listed) > MAX_FILES:
        raise _error(path, f"it holds {len(listed)} files, at most {MAX_FILES} are unpacked.", "Bundle one scene.")
    entries: Entries = {}
    names: set[str] = set()
    for entry in listed:
        name = entry.filename
        _check_entry(path, entry)
        if entry.is_dir() or PurePosixPath(name).suffix.lower() not in (*SCENE_SUFFIXES, *KNOWN_FILES):
            continue
        if name.casefold() in names:
            raise _error(path, f"it holds {_quote(name)} twice.", _NO_BUNDLE)
        names.add(name.casefold())
        entries[name] = entry
    total = sum(entry.file_size for entry in entries.values())
    if total > MAX_UNPACKED_BYTES:
        raise _error(path, f"it says it holds {_megabytes(total)}, at most {_megabytes(MAX_UNPACKED_BYTES)}.", "")
    return entries


def _check_entry(path: Path, entry: zipfile.ZipInfo) -> None:
    name = entry.filename
    parts = name.rstrip("/").split("/")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    try:
        check_name(name.rstrip("/") or name)
    except ItemError as error:
        raise _error(path, f"{error.message}", _STRANGE) from None
    if name.startswith(("/", "~")) or ":" in name or "\\" in name or any(part in ("", ".", "..") for part in parts):
        raise _error(path, f"{_quote(name)} leads out of it.", _STRANGE)
    if len(parts) > MAX_LEVELS:
        raise _error(path, f"{_quote(name)} lies in more than {MAX_LEVELS} folders.", _NO_BUNDLE)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise _error(path, f"{_quote(name)} is a link or a device.", _STRANGE)
    if entry.flag_bits & 1:
        raise _error(path, f"{_quote(name)} is locked with a password.", "Unpack it yourself, and open the scene.")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _error(path, f"{_quote(name)} is packed by an unusual method.", _NO_BUNDLE)
    if entry.file_size > MAX_ONE_BYTES:
        most = _megabytes(MAX_ONE_BYTES)
        raise _error(path, f"{_quote(name)} says it has {_megabytes(entry.file_size)}, at most {most} are read.", "")
    if entry.file_size > max(ANY_RATIO_BYTES, MAX_RATIO * entry.compress_size):
        raise _error(path, f"{_quote(name)} says it has more than {MAX_RATIO} times its packed size.", _NO_BUNDLE)


def _scene_of(path: Path, entries: Entries) -> str:
    """Return the name of the scene: the only scene at the least depth."""
    scenes = [name for name in entries if PurePosixPath(name).suffix.lower() in SCENE_SUFFIXES]
    least = min((name.count("/") for name in scenes), default=0)
    scenes = [name for name in scenes if name.count("/") == least]
    if len(scenes) == 1:
        return scenes[0]
    many = f"{len(scenes)} scenes: {', '.join(map(_quote, scenes[:3]))}" if scenes else "no scene"
    hint = "Unpack it yourself, and open one." if scenes else _NO_BUNDLE
    raise _error(path, f"it holds {many}, expected one.", hint)


# --- Unpacking


def _folders(path: Path) -> Iterator[Path]:
    yield path.with_suffix("")
    for n in range(2, MAX_SAME):
        yield path.with_name(f"{path.stem}-{n}")


def _unpack(path: Path, archive: zipfile.ZipFile, entries: Entries, folder: Path) -> Path:
    """Unpack into a new folder that appears only when complete."""
    with partial_name(folder) as partial:
        partial.mkdir(mode=0o700)
        try:
            _extract(path, archive, entries, partial)
            partial.chmod(0o777 & ~_umask())
            partial.rename(folder)
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
    return folder


def _extract(path: Path, archive: zipfile.ZipFile, entries: Entries, folder: Path) -> None:
    for name, entry in entries.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        n_bytes = 0
        with archive.open(entry) as packed, target.open("xb") as file:
            while chunk := packed.read(_CHUNK):
                n_bytes += len(chunk)
                if n_bytes > entry.file_size:
                    raise _error(path, f"{_quote(name)} holds more than it says.", _NO_BUNDLE)
                file.write(chunk)
        if n_bytes != entry.file_size:
            raise _error(path, f"{_quote(name)} holds less than it says.", _NO_BUNDLE)


def _has_all(folder: Path, entries: Entries) -> bool:
    """Return whether a folder has all files of a bundle, unchanged."""
    for name, entry in entries.items():
        file = folder / name
        if not file.is_file() or file.stat().st_size != entry.file_size or _crc(file) != entry.CRC:
            return False
    return True


def _crc(path: Path) -> int:
    crc = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            crc = zlib.crc32(chunk, crc)
    return crc


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask


# --- In messages


def _error(path: Path, message: str, hint: str) -> SceneError:
    return SceneError(str(path), [Problem((), message, hint)])


def _quote(name: str) -> str:
    text = name if name.isprintable() else ascii(name)
    return f'"{text if len(text) <= 80 else text[:60] + "…" + text[-15:]}"'


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.0f} MB"
