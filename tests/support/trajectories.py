"""Recordings in the usual formats read at once, and columns of poses written in one line."""

from __future__ import annotations

from framescope.core.recordings.pose_columns import times_of
from framescope.core.recordings.row_cleaning import poses_at
from framescope.core.recordings.trajectory_formats import euroc_columns, kitti_columns, times_beside, tum_columns
from framescope.core.scene.schema.motions import AngleColumns, MatrixColumns, PoseColumns, QuaternionColumns


def poses_from_table(table, columns, rate_hz=None, mends=()):
    return poses_at(times_of(table, columns, rate_hz), table, columns, mends)


def read_tum(path, mends=()):
    return poses_from_table(*tum_columns(path), mends=mends)


def read_euroc(path, mends=()):
    return poses_from_table(*euroc_columns(path), mends=mends)


def read_kitti(path, rate_hz=None, times=None, mends=()):
    table, columns = kitti_columns(path)
    t = times_of(table, columns, rate_hz) if times is None else times_beside(times, table.name, table.n_rows)
    return poses_at(t, table, columns, mends)


def pose(time, time_unit, position, position_unit, orientation) -> PoseColumns:
    keys = {"time": time, "time_unit": time_unit, "position": position, "position_unit": position_unit}
    return PoseColumns(**keys, orientation=orientation)


def quaternion(columns, order) -> QuaternionColumns:
    return QuaternionColumns(columns=columns, order=order)


def matrix(columns, maps) -> MatrixColumns:
    return MatrixColumns(columns=columns, maps=maps)


def angles(columns, sequence, unit) -> AngleColumns:
    return AngleColumns(columns=columns, sequence=sequence, unit=unit)
