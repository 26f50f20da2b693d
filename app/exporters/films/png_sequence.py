"""Sequence of numbered pictures, which goes on where it was left.

Beside the pictures lies a journal: a line of what they are made of, then a line for each picture that was written
whole, with its digest. A picture is kept when the journal's first line fits the scene and the options, and its file
still has the digest; everything else is drawn anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from framescope.app.exporters.encoding.frame_processes import ROW, draw_by_processes, in_pieces, jobs_of
from framescope.app.exporters.rendering.headless import rendered_frames
from framescope.app.exporters.rendering.offscreen_window import SAMPLES
from framescope.app.exporters.rendering.png import png_of
from framescope.app.exporters.rendering.renderer_info import renderer_name
from framescope.app.exporters.request import ExportError, ExportRequest
from framescope.core.errors import ItemError
from framescope.core.scene.files.referenced_files import KNOWN_FILES, named_files
from framescope.core.system.atomic_write import atomically
from framescope.core.system.file_access import resolve_named

_NUMBER = re.compile(r"%(0\d)?d")


def write(request: ExportRequest) -> None:
    """Write a PNG file for each frame, counted from 0, such as ``frames/0000.png`` and so on."""
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
    """The pictures of a pattern: where they are, what stands around the number, and how it is written."""

    folder: Path
    name: str

    @classmethod
    def of(cls, path: Path) -> _Row:
        found = _NUMBER.findall(path.name)
        if len(found) != 1 or path.name.count("%") != 1:
            raise ExportError(
                f"{path.name}: pictures of a row need one place for their number, such as"
                f" {path.stem.replace('%', '') or 'frame'}-%04d.png. One picture alone: framescope picture."
            )
        return cls(path.parent, path.name)

    @property
    def journal(self) -> Path:
        """Where the journal lies."""
        return self.folder / f".{self.name.replace('%', '#')}.journal"

    def picture(self, i: int) -> Path:
        """Return the file of a frame."""
        return self.folder / _NUMBER.sub(lambda found: found[0] % i, self.name)


def _write_row(request: ExportRequest, row: _Row) -> None:
    times = request.times
    made_of = _made_of(request)
    known_of, known = _journal(row)
    kept = {i for i in _whole(row, known) if i < len(times)} if known_of == made_of else set[int]()
    for i in set(_whole(row, known)) - kept:
        row.picture(i).unlink()  # of another scene or beyond the end: a reader would take it for one of the row
    _begin_journal(row, made_of, {i: known[i] for i in sorted(kept)})
    missing = [i for i in range(len(times)) if i not in kept]
    done = len(kept)
    if done:
        request.progress(done, len(times))
    journalling = threading.Lock()

    def keep(i: int, data: bytes) -> None:
        with atomically(row.picture(i)) as partial:
            partial.write_bytes(data)
        with journalling, row.journal.open("a", encoding="ascii") as file:
            file.write(json.dumps([i, hashlib.sha256(data).hexdigest()]) + "\n")

    def tell(n: int, _total: int) -> None:
        request.progress(done + n, len(times))

    if missing:
        _draw(replace(request, progress=tell), missing, keep)


def _draw(request: ExportRequest, missing: list[int], keep: Callable[[int, bytes], None]) -> None:
    """Draw pictures, here or by several processes, and hand each to `keep` as a PNG file."""
    n_jobs = jobs_of(request, len(missing), ROW)
    if n_jobs > 1:
        draw_by_processes(request, in_pieces([missing], 1), n_jobs, keep, as_png=True)
        return
    for n, (i, frame) in enumerate(zip(missing, rendered_frames(request, request.times[missing]), strict=True), 1):
        request.stop_if_cancelled()
        keep(i, png_of(frame, request.title, request.license))
        request.progress(n, len(missing))


def _made_of(request: ExportRequest) -> str:
    """Return a digest of all that a picture depends on besides its number: scene, files, options, and what draws."""
    digest = hashlib.sha256()
    drawn_by = (SAMPLES, version("framescope"), version("vtk"), renderer_name())
    digest.update(repr((request.look, drawn_by)).encode())
    digest.update(request.scene.model_dump_json().encode())
    for name in named_files(request.scene):
        try:
            with resolve_named(name, request.source.access, (), KNOWN_FILES).open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except (ItemError, OSError):
            digest.update(b"?")  # not there: what is drawn does not depend on it either
    return digest.hexdigest()


def _journal(row: _Row) -> tuple[str | None, dict[int, str]]:
    """Return what the pictures there were made of, and the digest of each; nothing where no journal can be read."""
    try:
        first, *rest = row.journal.read_text("ascii").splitlines()
        known: dict[int, str] = {}
        for line in rest:
            entry: Any = json.loads(line)
            i, digest = entry
            if isinstance(i, int) and isinstance(digest, str) and i >= 0:
                known[i] = digest
        return first, known
    except (OSError, ValueError, TypeError):
        return None, {}


def _begin_journal(row: _Row, made_of: str, known: dict[int, str]) -> None:
    lines = [made_of, *(json.dumps([i, digest]) for i, digest in known.items())]
    with atomically(row.journal) as partial:
        partial.write_text("\n".join(lines) + "\n", encoding="ascii")


def _whole(row: _Row, known: dict[int, str]) -> Iterator[int]:
    """Yield the frames whose files are as they were written."""
    for i, digest in known.items():
        with contextlib.suppress(OSError), row.picture(i).open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == digest:
                yield i


def _drop_empty(row: _Row) -> None:
    """Remove a folder made for pictures of which there are none."""
    if not any(path != row.journal for path in row.folder.iterdir()):
        row.journal.unlink(missing_ok=True)
        row.folder.rmdir()
