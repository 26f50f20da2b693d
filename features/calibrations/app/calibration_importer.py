"""Importer of calibrations: a scene with a frame for each sensor."""

from __future__ import annotations

from pathlib import Path

from framescope.app.importers.contents import Contents
from framescope.app.importers.importer import Importer, import_later
from framescope.core.errors import FramescopeError
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.files.yaml_reading import MAX_FILE_BYTES
from framescope.features.calibrations.core.calibration_scene import scene_of
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects.registry import dialect_of


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

    def beside(name: str) -> bytes | None:
        file = folder / name
        is_here = Path(name).name == name and file.is_file() and file.resolve().parent == folder
        return file.read_bytes() if is_here and file.stat().st_size <= MAX_FILE_BYTES else None

    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise FramescopeError(f"{path.name} has more than {MAX_FILE_BYTES:,} bytes.")
        return Source(path.name, path.read_bytes(), folder.name, beside)
    except OSError as error:
        raise FramescopeError(f"{path.name} cannot be read: {error.strerror or error}.") from None


def read(path: Path) -> Contents:
    """Return the frames of a calibration, with its problems."""
    source = source_of(path)
    dialect = dialect_of(source.data)
    if dialect is None:
        raise FramescopeError(f"{path.name} is no calibration in a known dialect.")
    calibration = dialect.read(source)
    return Contents(LoadedScene(scene_of(calibration, path.name), path, "", {}), problems=calibration.problems)


IMPORTER = Importer(
    "calibrations",
    (".yaml", ".yml", ".xml", ".txt", ".json"),
    import_later("framescope.features.calibrations.app.calibration_importer:is_calibration"),
    import_later("framescope.features.calibrations.app.calibration_importer:read"),
    add=import_later("framescope.features.calibrations.core.rig.additions:add_calibration"),
)
