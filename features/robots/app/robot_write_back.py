"""Writing of moved frames into the files of their robots: the pending changes, and the change itself."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

from framescope.core.errors import FramescopeError
from framescope.core.scene.files.referenced_files import ROBOT_FILES
from framescope.core.scene.schema.model import Scene
from framescope.core.system.atomic_write import atomically, keep_former
from framescope.core.system.file_access import Access, resolve_named
from framescope.features.robots.core.moved_links import moved_links
from framescope.features.robots.core.urdf import read_urdf
from framescope.features.robots.core.urdf_writing import with_placements


@dataclass(frozen=True)
class WriteBack:
    """Change of a robot's file: its old and new contents, the joints with changed origins, and their frames."""

    path: Path
    before: bytes
    after: bytes
    joints: tuple[str, ...]
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


def write_backs(scene: Scene, access: Access) -> tuple[WriteBack, ...]:
    """Return the pending changes of the files of a scene's robots; empty if no frame has moved.

    Raises
    ------
    FramescopeError
        When a file is missing or unreadable, or a joint's name in it is missing or not unique.
    """
    changes: list[WriteBack] = []
    for name, robot_file in scene.robots.items():
        path = resolve_named(robot_file.file, access, ("robots", name, "file"), ROBOT_FILES)
        try:
            before = path.read_bytes()
        except OSError as error:
            raise FramescopeError(f"{path.name} cannot be read: {error.strerror or error}.") from None
        moved = tuple(moved_links(scene, read_urdf(before, path.stem)))
        if moved:
            after = with_placements(before, {link.joint.name: link.placement for link in moved})
            joints, frames = (
                tuple(names) for names in zip(*((link.joint.name, link.frame) for link in moved), strict=True)
            )
            changes.append(WriteBack(path, before, after, joints, frames))
    return tuple(changes)
