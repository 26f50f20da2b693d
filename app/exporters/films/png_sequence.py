"""Sequence of numbered pictures that continues an interrupted export.

A journal lies beside the pictures. Its first line is a digest of the scene and the options; each further line is the
number and digest of a complete picture. A picture is reused when the first line matches the export and the file still
has its digest; all others are drawn again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from framescope.app.exporters.encoding.frame_drawing import draw_png_files
from framescope.app.exporters.rendering.offscreen_window import SAMPLES
from framescope.app.exporters.rendering.renderer_info import renderer_name
from framescope.app.exporters.request import ExportError, ExportRequest
from framescope.core.errors import ItemError
from framescope.core.scene.files.referenced_files import KNOWN_FILES, named_files
from framescope.core.system.atomic_write import atomically
from framescope.core.system.file_access import resolve_named

_NUMBER = re.compile(r"%(0\d)?d")


def write(request: ExportRequest) -> None:
    """Write a PNG file for each frame, numbered from 0, such as ``frames/0000.png``."""
    row = _Row.of(request.path)
    folder = row.folder
    if not folder.parent.is_dir():
        raise ExportError(f"{request.path}: there is no folder {folder.parent.absolute()}. Make it first.")
    is_new = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
        try:
            _write_row(request, row)
        finally:
            if is_new:
                _drop_empty(row)
    except OSError as error:
        raise request.failure(error) from None


@dataclass(frozen=True)
class _Row:
    """Numbered pictures: their folder, and the pattern of their names."""

    folder: Path
    name: str

    @classmethod
    def of(cls, path: Path) -> _Row:
        numbers = _NUMBER.findall(path.name)
        if len(numbers) != 1 or path.name.count("%") != 1:
            raise ExportError(
                f"{path.name}: pictures of a row need one place for their number, such as"
                f" {path.stem.replace('%', '') or 'frame'}-%04d.png. One picture alone: framescope picture."
            )
        return cls(path.parent, path.name)

    @property
    def journal(self) -> Path:
        """Path of the journal."""
        return self.folder / f".{self.name.replace('%', '#')}.journal"

    def picture(self, i: int) -> Path:
        """Return the path of frame `i`."""
        return self.folder / _NUMBER.sub(lambda number: number[0] % i, self.name)


def _write_row(request: ExportRequest, row: _Row) -> None:
    times = request.times
    source = _source_digest(request)
    written_source, digests = _read_journal(row)
    complete = (
        {i for i in _complete_pictures(row, digests) if i < len(times)} if written_source == source else set[int]()
    )
    for i in set(_complete_pictures(row, digests)) - complete:
        row.picture(i).unlink()  # from another scene or beyond the end: readers would take it for part of the row
    _start_journal(row, source, {i: digests[i] for i in sorted(complete)})
    missing = [i for i in range(len(times)) if i not in complete]
    done = len(complete)
    if done:
        request.progress(done, len(times))
    journalling = threading.Lock()

    def keep(i: int, data: bytes) -> None:
        with atomically(row.picture(i)) as partial:
            partial.write_bytes(data)
        with journalling, row.journal.open("a", encoding="ascii") as file:
            file.write(json.dumps([i, hashlib.sha256(data).hexdigest()]) + "\n")

    if missing:
        draw_png_files(request.with_progress_after(done, len(times)), missing, keep)


def _source_digest(request: ExportRequest) -> str:
    """Return a digest of everything but the time that affects a picture: scene, files, options and renderer."""
    digest = hashlib.sha256()
    drawn_by = (SAMPLES, version("framescope"), version("vtk"), renderer_name())
    digest.update(repr((request.look, drawn_by)).encode())
    digest.update(request.scene.model_dump_json().encode())
    for name in named_files(request.scene):
        try:
            with resolve_named(name, request.source.access, (), KNOWN_FILES).open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except (ItemError, OSError):
            digest.update(b"?")  # a missing file does not affect the picture
    return digest.hexdigest()


def _read_journal(row: _Row) -> tuple[str | None, dict[int, str]]:
    """Read the journal: the digest of scene and options, and of each picture; None and {} where it is unreadable."""
    try:
        first, *lines = row.journal.read_text("ascii").splitlines()
        known: dict[int, str] = {}
        for line in lines:
            entry: Any = json.loads(line)
            i, digest = entry
            if isinstance(i, int) and isinstance(digest, str) and i >= 0:
                known[i] = digest
        return first, known
    except (OSError, ValueError, TypeError):
        return None, {}


def _start_journal(row: _Row, source: str, known: dict[int, str]) -> None:
    lines = [source, *(json.dumps([i, digest]) for i, digest in known.items())]
    with atomically(row.journal) as partial:
        partial.write_text("\n".join(lines) + "\n", encoding="ascii")


def _complete_pictures(row: _Row, known: dict[int, str]) -> Iterator[int]:
    """Yield the numbers of pictures whose files still have their digests."""
    for i, digest in known.items():
        with contextlib.suppress(OSError), row.picture(i).open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == digest:
                yield i


def _drop_empty(row: _Row) -> None:
    """Remove a new folder that got no pictures."""
    if not any(path != row.journal for path in row.folder.iterdir()):
        row.journal.unlink(missing_ok=True)
        row.folder.rmdir()
