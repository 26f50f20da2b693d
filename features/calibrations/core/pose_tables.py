"""Images of a reconstruction as a table, so that a motion reads its poses from the file itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array, read_only
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import MixedTable, TableReader
from framescope.core.recordings.tables.text_columns import MAX_NAMES, Names
from framescope.features.calibrations.core import colmap_model as model
from framescope.features.calibrations.core.calibration import CalibrationError
from framescope.features.calibrations.core.image_order import groups, sequence
from framescope.features.calibrations.core.nerf_transforms import is_transforms, read_transforms
from framescope.features.calibrations.core.pose_columns import (
    COLMAP_POSE,
    FOLDER,
    NAME,
    NERF_POSITION,
    NERF_ROTATION,
    TIME,
)


def read_images(name: str, data: bytes) -> MixedTable:
    """Return the images of COLMAP as rows, in the order in which they were taken.

    Raises
    ------
    TableError
        When the file is damaged.
    """
    try:
        is_binary = b"\0" in data[: model.MAX_NAME_BYTES]
        images = model.images_of_binary(name, data) if is_binary else model.images_of_text(name, data)
    except CalibrationError as error:
        raise TableError(str(error)) from None
    of_groups = groups(images.names)
    rows = np.concatenate(list(of_groups.values()))
    folders = [group for group, members in of_groups.items() for _ in range(len(members))]
    members: list[int] = rows.tolist()
    columns = {key: images.numbers[rows, k] for k, key in enumerate(COLMAP_POSE)}
    return _table(name, columns, {NAME: [images.names[row] for row in members], FOLDER: folders})


def read_poses(name: str, data: bytes) -> MixedTable:
    """Return the images of ``transforms.json`` as rows, by time or in the order in which they were taken.

    Raises
    ------
    TableError
        When the file is damaged.
    """
    try:
        content = read_transforms(name, data)
    except CalibrationError as error:
        raise TableError(str(error)) from None
    times = content.times
    rows = sequence(content.names) if times is None else np.argsort(times)
    members: list[int] = rows.tolist()
    columns = {} if times is None else {TIME: times[rows]}
    columns |= {key: content.X_RC.p_AB[rows, k] for k, key in enumerate(NERF_POSITION)}
    R = content.X_RC.R_AB[rows].reshape(-1, 9)
    columns |= {key: R[:, k] for k, key in enumerate(NERF_ROTATION)}
    return _table(name, columns, {NAME: [content.names[row] for row in members]})


def _table(name: str, columns: Mapping[str, Array], texts: Mapping[str, Sequence[str]]) -> MixedTable:
    n = len(next(iter(columns.values())))
    numbers = {key: read_only(np.ascontiguousarray(values)) for key, values in columns.items()}
    names = {key: names for key, values in texts.items() if (names := _names(values)) is not None}
    order = (*columns, *texts)
    is_sequence = TIME not in columns
    return MixedTable(name, order, MappingProxyType(numbers), MappingProxyType(names), n, is_sequence=is_sequence)


def _names(texts: Sequence[str]) -> Names | None:
    """Return a column of names; None if too many differ, which are then listed only."""
    place_of: dict[str, int] = {}
    codes: list[int] = [place_of.setdefault(text, len(place_of)) for text in texts]
    as_codes: NDArray[np.int32] = np.array(codes, dtype=np.int32)
    return Names(tuple(place_of), as_codes) if len(place_of) <= MAX_NAMES else None


BINARY_IMAGES = TableReader(model.is_images_binary, read_images)
"""Reader of ``images.bin``."""

TEXT_IMAGES = TableReader(model.is_images_text, read_images)
"""Reader of ``images.txt``."""

TRANSFORMS = TableReader(is_transforms, read_poses)
"""Reader of ``transforms.json``."""
