"""Importer: what the program knows of a kind of file that can be opened or imported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from framescope.app.importers.contents import Contents, Stream
from framescope.core.errors import FramescopeError
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.core.system.features import load_entry
from framescope.core.system.optional_packages import Extra
from framescope.core.system.reader_slips import slips_as_errors


@dataclass(frozen=True)
class Importer:
    """Kind of file.

    Attributes
    ----------
    title
        Name of such files, in the plural.
    suffixes
        Usual endings of their names, the most usual one first. The ending decides where the content is not recognized.
    recognizes
        Whether a file that begins with some bytes, and has so many in all, is one.
    reader
        Returns the `Contents` of a file. It imports the package of `extra` when it is called.
    claims
        Whether a path is one of them whatever its content: a folder, or a file with an ending that no other kind has.
    file_in
        Returns the file that the user means by a folder. It raises a `FramescopeError` where there is none.
    is_scene
        Whether opening one closes the open scene. Other kinds are added to it.
    is_table
        Whether it is one table, which `read_once` reads.
    opens
        Name of the dialog or player that the window opens for one (`FileCommands.openers`). Empty: none.
    takes_long
        Whether reading a file that begins with some bytes, and has so many in all, may take long however small it is:
        another process works on it.
    check
        Prints the faults of a file, as JSON where the second argument is true, and returns the exit status. None: the
        faults of the scene are printed.
    refuse_without_display
        Raises an error where the program starts on a file and has no display. None: the scene becomes a video.
    extra
        Optional package that the reader needs.
    """

    title: str
    suffixes: tuple[str, ...]
    recognizes: Callable[[bytes, int], bool]
    reader: Callable[[Path], Contents]
    claims: Callable[[Path], bool] = lambda _path: False
    file_in: Callable[[Path], Path] | None = None
    is_scene: bool = False
    is_table: bool = False
    opens: str = ""
    takes_long: Callable[[bytes, int], bool] = lambda _head, _size: False
    check: Callable[[Path, bool], int] | None = None
    refuse_without_display: Callable[[Path], None] | None = None
    extra: Extra | None = None

    def read(self, path: Path) -> Contents:
        """Return the contents of a file; raise a `FramescopeError` where it cannot be read or a package is missing."""
        if self.extra is not None and not self.extra.is_installed:
            raise FramescopeError(f"{path.name}: {self.extra.reason}.")
        with slips_as_errors(path.name):
            contents = self.reader(path)
            return replace(contents, recordings=tuple(_guarded_stream(stream) for stream in contents.recordings))


def _guarded_stream(stream: Stream) -> Stream:
    """Return a recording that raises a `FramescopeError` whatever its reader raises."""

    def read() -> MixedTable:
        with slips_as_errors(stream.name):
            return stream.read()

    return replace(stream, read=read)


def import_later(entry: str) -> Callable[..., Any]:
    """Return a function that imports ``"package.module:function"`` when it is called: most sessions need few readers.

    >>> import_later("math:hypot")(3.0, 4.0)
    5.0
    """

    def call(*arguments: Any) -> Any:
        return load_entry(entry)(*arguments)

    return call
