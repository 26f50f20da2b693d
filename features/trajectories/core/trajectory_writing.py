"""Texts of pose streams in the formats TUM and KITTI, and a table of errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import visible_text
from framescope.core.kernels.validation import Array
from framescope.features.trajectories.core.pose_stream import NS, PoseStream, StreamError, times_of


def stamp_texts(stream: PoseStream) -> list[str]:
    """Return the stamps of a stream as text, s, to the nanosecond: a float64 of a time since 1970 has 200 ns.

    >>> q = np.array([[0.0, 0.0, 0.0, 1.0]])
    >>> stamp_texts(PoseStream("", np.array([0.005]), np.zeros((1, 3)), q, epoch_ns=1403636579763555584))
    ['1403636579.768555584']
    """
    whole = [stream.epoch_ns + round(t * NS) for t in times_of(stream).tolist()]
    return [f"{'-' if n < 0 else ''}{abs(n) // NS}.{abs(n) % NS:09d}" for n in whole]


def tum_text(stream: PoseStream) -> str:
    """Return a stream as TUM writes it: ``timestamp tx ty tz qx qy qz qw`` in a line, s and m.

    Raises
    ------
    StreamError
        When the stream has no times.
    """
    rows = np.concatenate([stream.p_RF, stream.q_RF], axis=1) + 0.0
    lines = (
        f"{stamp} {' '.join(map(repr, row))}\n" for stamp, row in zip(stamp_texts(stream), rows.tolist(), strict=True)
    )
    return "# timestamp tx ty tz qx qy qz qw\n" + "".join(lines)


def kitti_text(stream: PoseStream) -> str:
    r"""Return a stream as KITTI writes it: the upper three rows of each pose in a line, m, without times.

    >>> kitti_text(PoseStream("", None, np.array([[1.0, 2.0, 3.0]]), np.array([[0.0, 0.0, 0.0, 1.0]])))
    '1.0 0.0 0.0 1.0 0.0 1.0 0.0 2.0 0.0 0.0 1.0 3.0\n'
    """
    rows = np.concatenate([stream.R_RF, stream.p_RF[:, :, np.newaxis]], axis=2).reshape(-1, 12) + 0.0
    return "".join(f"{' '.join(map(repr, row))}\n" for row in rows.tolist())


WRITERS: Mapping[str, Callable[[PoseStream], str]] = {"tum": tum_text, "kitti": kitti_text}
"""Formats of trajectories that are written."""


def format_of(name: str) -> str:
    """Return the format of a file name: KITTI for ``.kitti``, else TUM.

    Raises
    ------
    StreamError
        When the ending is of another kind of file.

    >>> format_of("aligned.kitti"), format_of("aligned.txt")
    ('kitti', 'tum')
    """
    low = name.lower()
    if low.endswith(".kitti"):
        return "kitti"
    if low.endswith((".tum", ".txt")):
        return "tum"
    raise StreamError(f"{visible_text(name)}: a trajectory is written as .tum or .txt (TUM), or as .kitti.")


def columns_of_errors(
    t: Array | None, errors: Mapping[str, tuple[NDArray[np.intp], Array]], n: int
) -> dict[str, Array]:
    """Return columns of a table of errors by pairs: the numbers of n pairs, their times if they have any, and errors.

    `errors` are rows and errors by column; a pair without an error is NaN.
    """
    columns: dict[str, Array] = {"pair": np.arange(float(n))}
    if t is not None:
        columns["t [s]"] = t
    for name, (rows, values) in errors.items():
        column = np.full(n, np.nan)
        column[rows.astype(int)] = values
        columns[name] = column
    return columns
