"""Importer: a kind of file that can be opened or imported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from framescope.app.importers.contents import Contents, Stream
from framescope.core.errors import FramescopeError
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.model import Scene
from framescope.core.system.features import load_entry
from framescope.core.system.optional_packages import Extra
from framescope.core.system.reader_slips import slips_as_errors


@dataclass(frozen=True)
class Importer:
    """A kind of file and its reader.

    Attributes
    ----------
    title
        Name of such files, in the plural.
    suffixes
        Usual suffixes, the most usual first. The suffix decides where no kind recognizes the content.
    recognizes
        Returns whether a file with these first bytes and this size, bytes, is of the kind.
    reader
        Returns the `Contents` of a file. It imports the package of `extra` when it is called.
    claims
        Returns whether a path is of the kind whatever its content: a folder, or a file with a suffix that no other kind
        has.
    file_in
        Returns the file that the user means by a folder. It raises a `FramescopeError` where there is none.
    is_scene
        Whether opening such a file closes the open scene. Other kinds are added to it.
    is_table
        Whether the file is a single table, which `read_once` reads.
    opens
        Name of the dialog or player that the window opens for the file (`FileCommands.openers`). Empty: none.
    takes_long
        Returns whether reading a file with these first bytes and this size may take long, even if it is small: another
        process then reads it.
    check
        Prints the faults of a file, as JSON where the second argument is true, and returns the exit status. None: the
        command prints the scene's problems.
    refuse_without_display
        Raises an error when the program starts with such a file and without a display. None: the scene becomes a video.
    extra
        Optional package that the reader needs.
    add
        Returns the edit that adds the scene of a file, the first argument, to the open scene. None: the items become
        copies with free names.
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
    add: Callable[[Scene, Scene], Edit] | None = None

    def read(self, path: Path) -> Contents:
        """Read the contents of a file; raise a `FramescopeError` when it is invalid or a package is missing."""
        if self.extra is not None and not self.extra.is_installed:
            raise FramescopeError(f"{path.name}: {self.extra.reason}.")
        with slips_as_errors(path.name):
            contents = self.reader(path)
            return replace(contents, recordings=tuple(_guarded_stream(stream) for stream in contents.recordings))


def _guarded_stream(stream: Stream) -> Stream:
    """Wrap a recording so that any error of its reader becomes a `FramescopeError`."""

    def read() -> MixedTable:
        with slips_as_errors(stream.name):
            return stream.read()

    return replace(stream, read=read)


def import_later(entry: str) -> Callable[..., Any]:
    """Return a function that imports ``"package.module:function"`` when called: most sessions need few readers.

    >>> import_later("math:hypot")(3.0, 4.0)
    5.0
    """

    def call(*arguments: Any) -> Any:
        return load_entry(entry)(*arguments)

    return call
