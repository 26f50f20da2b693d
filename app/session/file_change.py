"""Change of a file that a scene was read from: its old and new contents, as a diff, and the writing."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

from framescope.core.errors import FramescopeError
from framescope.core.system.atomic_write import atomically, keep_former


@dataclass(frozen=True)
class FileChange:
    """Change of a file: its old and new contents, and the frames whose poses are written."""

    path: Path
    before: bytes
    after: bytes
    frames: tuple[str, ...]

    @property
    def diff(self) -> str:
        """Changed lines as a unified diff without context and line ends."""
        before, after = (text.decode("utf-8", "replace").splitlines() for text in (self.before, self.after))
        name = self.path.name
        return "\n".join(difflib.unified_diff(before, after, name, name, lineterm="", n=0))

    def write(self) -> Path:
        """Write the file atomically, and return the path of the copy of its old contents.

        Raises
        ------
        FramescopeError
            When another program has changed it in the meantime, or it cannot be written.
        """
        try:
            if self.path.read_bytes() != self.before:
                raise FramescopeError(f"{self.path.name} has changed meanwhile: check the changes again.")
            copy = keep_former(self.path)
            with atomically(self.path) as temporary:
                temporary.write_bytes(self.after)
        except OSError as error:
            raise FramescopeError(f"{self.path.name} cannot be written: {error.strerror or error}.") from None
        return copy
