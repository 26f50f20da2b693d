"""Reader of calibrations: a scene with a frame for each sensor."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from framescope.app.importers.contents import Contents
from framescope.core.errors import FramescopeError
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.files.referenced_files import PICTURE_FILES
from framescope.core.system.file_access import check_name
from framescope.features.calibrations.core.calibration import Calibration
from framescope.features.calibrations.core.calibration_scene import open_directions, scene_of
from framescope.features.calibrations.core.dialect import MAX_FILE_BYTES, Dialect, Source
from framescope.features.calibrations.core.dialects.registry import dialect_of, read_whole
from framescope.features.calibrations.core.frame_names import with_scene_names
from framescope.features.calibrations.core.reconstruction_scene import upright_note
from framescope.features.calibrations.core.rig.rig import MOST_EDGES, RigEdge
from framescope.features.calibrations.core.rig.roots import root_frames
from framescope.features.calibrations.core.rig.tree_lines import tree_lines
from framescope.features.calibrations.core.sight_checks import sight_problems

HEAD_BYTES = 65_536
"""Number of bytes of a large file by which its dialect is recognized."""


def is_calibration(head: bytes, _size: int) -> bool:
    """Return whether a file is a calibration in a known dialect."""
    return dialect_of(head) is not None


def source_of(path: Path) -> Source:
    """Return a file with access to the files in its folder.

    Raises
    ------
    FramescopeError
        When it cannot be read or is too large.
    """
    folder = path.resolve().parent
    try:
        with path.open("rb") as opened:
            dialect = dialect_of(opened.read(HEAD_BYTES))
        most = MAX_FILE_BYTES if dialect is None else dialect.max_bytes

        def beside(name: str) -> bytes | None:
            file = folder / name
            is_here = Path(name).name == name and file.is_file() and file.resolve().parent == folder
            return file.read_bytes() if is_here and file.stat().st_size <= most else None

        if (size := path.stat().st_size) > most:
            limit = f"The limit is {most / 1e6:.3g} MB."
            raise FramescopeError(f"{path.name}: a calibration of {size / 1e6:.3g} MB is not read. {limit}")
        return Source(path.name, path.read_bytes(), folder.name, beside)
    except OSError as error:
        raise FramescopeError(f"{path.name} cannot be read: {error.strerror or error}.") from None


FOLDERS_OF_PICTURES = ("", "images/")
"""Folders beside a file in which the pictures of its images are looked for."""


def picture_beside(folder: Path, image: str) -> str:
    """Return the name of the picture of an image in a folder or in ``images`` in it; empty without one.

    A name that leads out of the folder, also by a link, has none. A name without a suffix may be that of a PNG or JPEG
    picture, as instant-ngp leaves it out.
    """
    plain = image.removeprefix("./")
    if not plain or plain.startswith("/") or {"\\", ":"} & set(plain) or ".." in plain.split("/"):
        return ""
    has_suffix = plain.lower().endswith(PICTURE_FILES)
    for name in (f"{place}{plain}{suffix}" for place in FOLDERS_OF_PICTURES for suffix in _suffixes(has_suffix)):
        try:
            check_name(name)
            path = (folder / name).resolve()
            if path.is_relative_to(folder) and path.is_file():
                return name
        except (FramescopeError, OSError):
            continue
    return ""


def _suffixes(has_suffix: bool) -> tuple[str, ...]:
    return ("",) if has_suffix else PICTURE_FILES


def read_checked(dialect: Dialect, source: Source) -> Calibration:
    """Return the content of a file, with the problems of poses that its own points contradict."""
    calibration = read_whole(dialect, source)
    return replace(calibration, problems=(*calibration.problems, *sight_problems(calibration)))


def read(path: Path) -> Contents:
    """Return the frames of a calibration, with its problems."""
    source = source_of(path)
    is_large = len(source.data) > MAX_FILE_BYTES
    dialect = dialect_of(source.data[:HEAD_BYTES] if is_large else source.data)
    if dialect is None:
        raise FramescopeError(f"{path.name} is no calibration in a known dialect.")
    calibration = read_checked(dialect, source)
    scene = scene_of(calibration, path.name, partial(picture_beside, path.resolve().parent))
    problems = (*calibration.problems, *open_directions(calibration.edges), *upright_note(scene))
    describe = partial(_tree_lines, calibration)
    return Contents(LoadedScene(scene, path, "", {}), problems=problems, title=dialect.title, describe=describe)


def _tree_lines(calibration: Calibration) -> tuple[str, ...]:
    """Return the tree of the poses of a file as the command ``rig`` prints it."""
    edges = tuple(RigEdge(edge) for edge in with_scene_names(calibration).edges[:MOST_EDGES])
    return tuple(tree_lines(edges, root_frames([edge.edge for edge in edges])))
