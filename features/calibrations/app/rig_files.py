"""Reading of the files of a rig: calibrations in known dialects, fixed joints of robots, fixed transforms of bags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from framescope.app.importers.documents import known_kind
from framescope.app.importers.foreign import ForeignFileError, foreign_kind
from framescope.core.errors import FramescopeError
from framescope.core.system.reader_slips import slips_as_errors
from framescope.features.bags.core.bag_file import is_bag_at, named_file, open_bag
from framescope.features.calibrations.app.calibration_reader import read_checked, source_of
from framescope.features.calibrations.core.calibration import Calibration
from framescope.features.calibrations.core.dialects.registry import DIALECTS, dialect_of
from framescope.features.calibrations.core.rig.bag_rig import calibration_of_bag
from framescope.features.calibrations.core.rig.robot_rig import calibration_of_robot
from framescope.features.robots.core.sdf.reader import read_sdf
from framescope.features.robots.core.urdf import read_urdf

URDF_MARK, SDF_MARK = b"<robot", b"<sdf"


def read_files(paths: Sequence[Path]) -> tuple[tuple[str, Calibration], ...]:
    """Return name and content of each file of a rig. Files of one name get the name of their folder in front.

    Raises
    ------
    FramescopeError
        When a file cannot be read, or is no calibration, no robot and no bag.
    """
    n_of = Counter(path.name for path in paths)
    names = [path.name if n_of[path.name] == 1 else f"{path.resolve().parent.name}/{path.name}" for path in paths]
    return tuple((name, read_file(path)) for name, path in zip(names, paths, strict=True))


def read_file(path: Path) -> Calibration:
    """Return the content of a calibration, the fixed joints and sensors of a robot, or the mounts of a bag."""
    if is_bag_at(path):
        with open_bag(named_file(path)) as bag:
            return calibration_of_bag(bag, path.name)
    source = source_of(path)
    with slips_as_errors(path.name):
        dialect = dialect_of(source.data)
        if dialect is not None:
            return read_checked(dialect, source)
        if URDF_MARK in source.data[:65_536]:
            return calibration_of_robot(read_urdf(source.data, path.stem))
        if SDF_MARK in source.data[:65_536]:
            return calibration_of_robot(read_sdf(source.data, path.stem), "sdf")
    if not source.data.strip():
        raise FramescopeError(f"{path.name} is empty.")
    if (kind := known_kind(source.data) or foreign_kind(source.data[:65_536])) is not None:
        raise ForeignFileError(path.name, kind)
    known = ", ".join(dialect.title for dialect in DIALECTS)
    raise FramescopeError(
        f"{path.name} is no calibration in a known dialect, no robot in URDF or SDF, and no bag. Known are {known}."
    )
