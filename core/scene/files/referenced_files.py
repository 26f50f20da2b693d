"""Files that a scene refers to, and their renaming."""

from __future__ import annotations

import errno
import filecmp
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from framescope.core.errors import ItemError
from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.films import Film
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.scene.schema.kinds.shapes import SHAPE_KINDS
from framescope.core.scene.schema.measured import MeasuredPose, MeasuredVector
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.motions import Joint, JointRecording
from framescope.core.scene.schema.robots import RobotFile
from framescope.core.scene.schema.sensors import RecordedSensor
from framescope.core.system import bag_names
from framescope.core.system.file_access import Access, resolve_named

TEXT_FILES = (".txt", ".csv", ".tsv", ".tum", ".kitti")
"""Suffixes of trajectories."""

TABLE_FILES = (*TEXT_FILES, ".npz", ".parquet", ".mat", ".bin", ".json")
"""Suffixes of tables; tables in ``.bin`` and some in ``.json`` are read by features."""

MESH_FILES = (".stl", ".obj", ".ply", ".glb", ".dae")
"""Suffixes of meshes."""

POINT_FILES = (".ply", ".txt", ".bin")
"""Suffixes of clouds of points."""

PICTURE_FILES = (".png", ".jpg", ".jpeg")
"""Suffixes of pictures of cameras."""

SHAPE_FILES = {"mesh": MESH_FILES, "points": POINT_FILES, "camera": PICTURE_FILES}
"""Suffixes of the files of shapes, by form."""

BAG_FILES = (*bag_names.PARTS, ".yaml", ".yml")
"""Suffixes of bags in scenes; a bag folder is named by its metadata file."""

ROBOT_FILES = (".urdf", ".xml")
"""Suffixes of robot files."""

SOUND_FILES = (".wav", ".mp3", ".m4a", ".aac", ".flac", ".ogg", ".opus")
"""Suffixes of the sound of films."""

KNOWN_FILES = tuple(
    dict.fromkeys(
        TEXT_FILES + TABLE_FILES + MESH_FILES + POINT_FILES + PICTURE_FILES + BAG_FILES + ROBOT_FILES + SOUND_FILES
    )
)


def named_files(scene: Scene) -> tuple[str, ...]:
    """Return the names of all files that the scene refers to, without duplicates, in the order of the scene."""
    parts = (
        *scene.robots.values(),
        *(frame.motion for frame in scene.frames.values()),
        *(motion.recording for motion in map(_motion, scene.frames.values()) if isinstance(motion, Joint)),
        *(body.shape for body in scene.bodies.values()),
        *scene.sensors.values(),
        *(
            measurement.motion if isinstance(measurement, MeasuredPose) else measurement
            for measurement in scene.measured.values()
        ),
        *scene.film.values(),
    )
    return tuple(dict.fromkeys(name for part in parts for name in _names_in(part).values()))


def files_read(scene: Scene, access: Access) -> tuple[Path, ...]:
    """Return the files that a scene reads, including all parts of a bag; missing and forbidden files are skipped."""
    paths: list[Path] = []
    for name in named_files(scene):
        try:
            path = resolve_named(name, access, (), KNOWN_FILES)
        except ItemError:  # reported where the file is used
            continue
        paths.append(path)
        if path.name == bag_names.METADATA:
            paths += (part for part in path.parent.iterdir() if part.suffix.lower() in bag_names.PARTS)
    return tuple(dict.fromkeys(paths))


def renamed_files(scene: Scene, renamed: Mapping[str, str]) -> Scene:
    """Return the scene with file names replaced; `renamed` maps old names to new names.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}}, "bodies": {"hull": {
    ...     "frame": "a", "shape": {"form": "mesh", "file": "../hull.stl", "unit": "mm"}}}})
    >>> renamed_files(scene, {"../hull.stl": "files/hull.stl"}).bodies["hull"].shape.file
    'files/hull.stl'
    """

    def rename_part(part: Any) -> Any:
        if isinstance(part, Joint) and part.recording is not None:
            return part.model_copy(update={"recording": rename_part(part.recording)})
        names = {field: renamed[name] for field, name in _names_in(part).items() if name in renamed}
        return part.model_copy(update=names) if names else part

    def rename_items(items: Mapping[str, Any], key: str) -> FrozenDict[Any]:
        parts = {name: (item, getattr(item, key, None) if key else None) for name, item in items.items()}
        return FrozenDict({
            name: rename_part(item) if part is None else item.model_copy(update={key: rename_part(part)})
            for name, (item, part) in parts.items()
        })  # fmt: skip

    sections = {"robots": "", "sensors": "", "frames": "motion", "bodies": "shape", "measured": "motion", "film": ""}
    update = {kind: rename_items(getattr(scene, kind), key) for kind, key in sections.items()}
    return scene.model_copy(update=update) if renamed else scene


def _motion(frame: Frame) -> Item | None:
    return frame.motion


def _names_in(part: Item | None) -> dict[str, str]:
    """Return the file names in a motion, a shape, a measurement, a robot or a film, by field."""
    if isinstance(part, Film):
        return {} if part.sound is None else {"sound": part.sound}
    kind = None if part is None else MOTION_KINDS.get(part) or SHAPE_KINDS.get(part)
    with_file = MeasuredVector | RobotFile | JointRecording | RecordedSensor
    fields = kind.files if kind is not None else ("file",) if isinstance(part, with_file) else ()
    return {field: name for field in fields if (name := getattr(part, field)) is not None}


def files_to_copy(scene: Scene, old_folder: Path, new_folder: Path) -> list[tuple[Path, Path]]:
    """Return the copies (from, to) needed when saving the scene in another folder, so that it finds its files.

    A file that is missing, outside the old folder, or already in the new folder is skipped.

    Raises
    ------
    FileExistsError
        When the new folder has a different file of this name, which the scene would read instead.
    """
    old, new = old_folder.resolve(), new_folder.resolve()
    if old == new:
        return []
    copies: list[tuple[Path, Path]] = []
    for name in named_files(scene):
        try:
            source = resolve_named(name, Access(old), (), KNOWN_FILES)
        except ItemError:  # reported where the file is used
            continue
        target = (new / name).resolve()
        if not target.is_relative_to(new):
            continue
        if not target.exists():
            copies.append((source, target))
        elif not filecmp.cmp(source, target, shallow=False):
            raise FileExistsError(errno.EEXIST, f"another file called {name} is there", str(target))
    return copies
