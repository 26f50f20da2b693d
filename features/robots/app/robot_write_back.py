"""Writing of moved frames into the files of their robots: the pending changes, and the change itself."""

from __future__ import annotations

from dataclasses import dataclass

from framescope.app.session.file_change import FileChange
from framescope.core.errors import FramescopeError
from framescope.core.scene.files.referenced_files import ROBOT_FILES
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access, resolve_named
from framescope.features.robots.core.moved_links import moved_links
from framescope.features.robots.core.urdf import read_urdf
from framescope.features.robots.core.urdf_writing import with_placements


@dataclass(frozen=True)
class WriteBack(FileChange):
    """Change of a robot's file, with the joints whose origins change."""

    joints: tuple[str, ...]


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
            changes.append(WriteBack(path, before, after, frames, joints))
    return tuple(changes)
