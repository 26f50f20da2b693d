"""Headings with pitch and roll: clockwise from north in east, north and up, or as they are where z points down."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope.core.errors import FramescopeError
from framescope.core.kernels.linear_algebra import matrix_from_quaternion
from framescope.core.recordings.pose_columns import rows_of
from framescope.core.recordings.tables.mixed import read_mixed
from framescope.core.recordings.tables.numeric import Table
from framescope.core.scene.schema.motions import AngleColumns, PoseColumns
from framescope.features.table_import.app.table_import import TableImport, import_table
from framescope.features.table_import.core.answers import parse_answers

T = np.arange(0.0, 20.0, 0.02)
HEADING = np.radians(35.0 * np.sin(0.4 * T) + 5.0 * T)
PITCH, ROLL = np.radians(4.0 * np.sin(T)), np.radians(6.0 * np.cos(1.3 * T))
NORTH, EAST = (0.04 * np.cumsum(part) for part in (np.cos(HEADING), np.sin(HEADING)))


def read(path: Path, columns: dict[str, np.ndarray]) -> TableImport:
    np.savetxt(path, np.column_stack(list(columns.values())), delimiter=",", header=",".join(columns), comments="")
    return import_table(path, read_mixed(path))


def angles() -> dict[str, np.ndarray]:
    return {"heading": np.degrees(HEADING) % 360.0, "pitch": np.degrees(PITCH), "roll": np.degrees(ROLL)}


def decided(found: TableImport) -> tuple[str, str]:
    decision = next(each for each in found.decisions if each.name == "heading")
    return decision.value, decision.certainty


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ({"x": EAST, "y": NORTH, "z": 0 * T}, ("compass", "certain")),
        ({"x": NORTH, "y": EAST, "z": 0 * T}, ("counterclockwise", "certain")),
        ({"x": NORTH, "y": -EAST, "z": 0 * T}, ("clockwise", "certain")),
        ({"east": 0 * T, "north": 0 * T, "up": 0.1 * T}, ("compass", "assumed")),
        ({"north": 0 * T, "east": 0 * T, "down": 0.1 * T}, ("counterclockwise", "assumed")),
        ({"n": 0 * T, "e": 0 * T, "d": 0.1 * T}, ("counterclockwise", "assumed")),
        ({"pos_n": 0 * T, "pos_e": 0 * T, "pos_d [m]": 0.1 * T}, ("counterclockwise", "assumed")),
        ({"x": 0 * T, "y": 0 * T, "z": 0.1 * T}, ("compass", "open")),
    ],
)
def test_that_the_path_or_the_names_say_how_a_heading_counts(
    tmp_path: Path, position: dict[str, np.ndarray], expected: tuple[str, str]
) -> None:
    assert decided(read(tmp_path / "drive.csv", {"t": T, **position, **angles()})) == expected


@pytest.mark.parametrize(
    ("names", "value"),
    [("north east down", "counterclockwise"), ("n e d", "counterclockwise"), ("x y z", "compass"), ("x y", "compass")],
)
def test_that_a_heading_alone_is_open_without_a_path(tmp_path: Path, names: str, value: str) -> None:
    position = dict.fromkeys(names.split(), 0 * T)
    assert decided(read(tmp_path / "drive.csv", {"t": T, **position, "heading": angles()["heading"]})) == (
        value,
        "open",
    )


def turned(counts: str) -> np.ndarray:
    columns = AngleColumns(columns=("a", "b", "c"), sequence="ZYX", unit="rad", counts=counts)
    table = Table("a.csv", {"a": HEADING, "b": PITCH, "c": ROLL})
    return matrix_from_quaternion(rows_of(table, PoseColumns(orientation=columns))[1]).swapaxes(1, 2)


def test_that_a_vehicle_is_the_same_one_however_its_parent_is_named() -> None:
    """Its axes forward, right and down in north, east and down, by hand."""
    (cz, sz), (cy, sy), (cx, sx) = ((np.cos(a), np.sin(a)) for a in (HEADING, PITCH, ROLL))
    forward = np.stack([cz * cy, sz * cy, -sy], axis=-1)
    right = np.stack([cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx], axis=-1)
    down = np.cross(forward, right)
    as_they_are = turned("counterclockwise")
    assert np.abs(as_they_are - np.stack([forward, right, down], axis=-1)).max() < 1e-12
    for counts, rows in (("compass", (1, 0, 2)), ("clockwise", (0, 1, 2))):
        sign = np.array([1.0, 1.0, -1.0]) if counts == "compass" else np.array([1.0, -1.0, -1.0])
        axes = np.stack([forward, -right, -down], axis=-1)[:, list(rows)] * sign[:, np.newaxis]
        assert np.abs(turned(counts) - axes).max() < 1e-12, counts


def test_that_a_heading_is_the_first_of_zyx_alone() -> None:
    columns = AngleColumns(columns=("a", "b", "c"), sequence="XYZ", unit="rad", counts="compass")
    table = Table("a.csv", {"a": HEADING, "b": PITCH, "c": ROLL})
    with pytest.raises(FramescopeError, match="is the first of ZYX, not of XYZ"):
        rows_of(table, PoseColumns(orientation=columns))


@pytest.mark.parametrize("answer", ["compass", "clockwise", "counterclockwise"])
def test_that_the_way_is_answered_and_written(tmp_path: Path, answer: str) -> None:
    path = tmp_path / "drive.csv"
    read(path, {"t": T, "x": EAST, "y": NORTH, "z": 0 * T, **angles()})
    table = read_mixed(path)
    found = import_table(path, table, parse_answers(table, {"heading": answer}, (), None))
    assert decided(found) == (answer, "certain")
