"""Matrices that the dialect of a file does not read: each is reported, or read with an open direction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.dialects.registry import DIALECTS, dialect_of, patch_whole, read_whole

ROWS = """\
  - [0.0, -1.0, 0.0, 0.1]
  - [0.0, 0.0, -1.0, 0.2]
  - [1.0, 0.0, 0.0, 0.3]
  - [0.0, 0.0, 0.0, 1.0]
"""
LENS = """\
  camera_model: pinhole
  distortion_coeffs: [-0.28, 0.07, 0.0002, 0.00002]
  distortion_model: radtan
  intrinsics: [458.6, 457.3, 367.2, 248.4]
  resolution: [752, 480]
"""
KALIBR = f"cam0:\n  T_cam_imu:\n{ROWS}{LENS}"
X = Transform(np.array([[0.0, -1, 0], [0, 0, -1], [1, 0, 0]]), np.array([0.1, 0.2, 0.3]))
STORED = """\
: !!opencv-matrix
   rows: 4
   cols: 4
   dt: d
   data: [0.0, -1.0, 0.0, 0.1,
          0.0, 0.0, -1.0, 0.2,
          1.0, 0.0, 0.0, 0.3,
          0.0, 0.0, 0.0, 1.0]
"""


def whole(text: str, name: str = "rig.yaml") -> Calibration:
    data = text.encode()
    dialect = dialect_of(data)
    assert dialect is not None
    return read_whole(dialect, Source(name, data))


@pytest.mark.parametrize("key", ["T_cam_IMU", "TCamImu", "t_cam_imu"])
def test_that_another_spelling_of_a_key_is_reported_with_its_line(key: str) -> None:
    calibration = whole(KALIBR.replace("T_cam_imu", key))
    (problem,) = calibration.problems
    assert (problem.severity, problem.line, problem.kind) == ("amber", 2, "unread-pose")
    assert problem.message == f"{key} is not read: the key of Kalibr is T_cam_imu."
    assert not calibration.edges


def test_that_other_spellings_of_entries_of_the_lens_are_reported() -> None:
    calibration = whole(KALIBR.replace("distortion_coeffs", "distortionCoeffs"))
    (problem,) = calibration.problems
    assert "the key of Kalibr is distortion_coeffs" in problem.message


@pytest.mark.parametrize(
    ("key", "takes"),
    [("T_imu_cam0", ("cam0", "imu")), ("T_cam_lidar", ("lidar", "cam0")), ("T_BC", ("cam0", "body"))],
)
def test_that_a_named_matrix_in_a_section_is_an_open_pose_between_the_frames_of_the_file(
    key: str, takes: tuple[str, str]
) -> None:
    calibration = whole(f"cam0:\n  {key}:\n{ROWS}{LENS}")
    (edge,) = calibration.edges
    assert edge.takes == takes
    assert edge.doubt
    assert edge.line == 2
    np.testing.assert_array_equal(edge.X_file.to_matrix(), X.to_matrix())


def test_that_a_named_matrix_beside_the_sections_uses_the_name_of_the_imu_in_the_file() -> None:
    calibration = whole(f"{KALIBR}T_imu_body: [0.0, -1, 0, 0.1, 0, 0, -1, 0.2, 1, 0, 0, 0.3, 0, 0, 0, 1]\n")
    assert [edge.takes for edge in calibration.edges] == [("imu0", "cam0"), ("body", "imu0")]
    assert not calibration.edges[0].doubt


def test_that_a_misspelt_key_of_vins_is_an_open_pose_that_names_the_key() -> None:
    calibration = whole(f"%YAML:1.0\nbody_T_cam0{STORED}body_T_camera1{STORED}")
    assert [edge.child for edge in calibration.edges] == ["cam0", "camera1"]
    assert "VINS has no key body_T_camera1; the nearest is body_T_cam1" in calibration.edges[1].doubt


def test_that_a_matrix_without_a_direction_is_reported_as_amber_where_a_camera_has_no_pose() -> None:
    matrix = f"  extrinsic:\n{ROWS}"
    (problem,) = whole(f"cam0:\n{matrix}{LENS}").problems
    assert (problem.severity, problem.line) == ("amber", 2)
    (problem,) = whole(f"{KALIBR}{matrix}").problems
    assert problem.severity == "note"


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        ("T_BC: [0.0, -1, 0, 0.1, 0, 0, -1, 0.2, 1, 0, 0, 0.3, 0, 0, 0, 1]\n", [("camera", "body")]),
        ("cameras:\n  - {T_SC: [0.0, -1, 0, 0.1, 0, 0, -1, 0.2, 1, 0, 0, 0.3, 0, 0, 0, 1]}\n", [("camera0", "sensor")]),
        ('{"T_cam_lidar": [[0, -1, 0, 0.1], [0, 0, -1, 0.2], [1, 0, 0, 0.3]]}', [("lidar", "cam")]),
        (
            "lidar:\n  R_imu_lidar: [0, -1, 0, 0, 0, -1, 1, 0, 0]\n  t_imu_lidar: [0.1, 0.2, 0.3]\n  T_a_b:\n" + ROWS,
            None,
        ),
    ],
)
def test_that_named_matrices_of_any_program_are_read(text: str, takes: list[tuple[str, str]] | None) -> None:
    calibration = whole(text)
    takes = [("lidar", "imu"), ("b", "a")] if takes is None else takes
    assert [edge.takes for edge in calibration.edges] == takes
    for edge in calibration.edges:
        np.testing.assert_allclose(edge.X_file.to_matrix(), X.to_matrix())


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_that_the_examples_have_nothing_unread(dialect: Dialect) -> None:
    if not dialect.example:
        pytest.skip("a dialect of several files")
    calibration = read_whole(dialect, Source(f"a{dialect.suffixes[0]}", dialect.example.encode()))
    assert not [problem for problem in calibration.problems if problem.kind.startswith("unread")]


def test_that_a_faulty_matrix_beside_those_of_the_dialect_leaves_the_file_readable() -> None:
    calibration = whole(f"{KALIBR}T_imu_lidar: [1, 0, 0, 0.1, 0, 1, 0, 0.2, 0, 0, 1, 0.3, 0, 0, 0, 7]\n")
    assert len(calibration.edges) == 1
    assert "expected 0 0 0 1" in calibration.problems[0].message


@pytest.mark.parametrize(
    "text",
    [
        f"cam0:\n  T_cam_lidar:  # of March\n{ROWS}{LENS}",
        f"%YAML:1.0\nbody_T_cam0{STORED}T_imu_lidar{STORED}",
        "cameras:\n  - {T_SC: [0.0, -1, 0, 0.1, 0, 0, -1, 0.2, 1, 0, 0, 0.3, 0, 0, 0, 1]}  # left\n",
        "a:\n  R_imu_lidar: [0, -1, 0, 0, 0, -1, 1, 0, 0]\n  t_imu_lidar: [0.1, 0.2, 0.3]\nT_BC:\n" + ROWS,
    ],
)
def test_that_open_poses_are_replaced_in_place(text: str) -> None:
    source = Source("rig.yaml", text.encode())
    dialect = dialect_of(source.data)
    assert dialect is not None
    edge = next(edge for edge in read_whole(dialect, source).edges if edge.doubt)
    new = replace(edge, X_file=Transform(X.R_AB, np.array([0.1, 0.25, 0.3])))
    after = patch_whole(dialect, source, (new,)).decode()
    again = {edge.entry: edge for edge in read_whole(dialect, Source("rig.yaml", after.encode())).edges}
    np.testing.assert_allclose(again[edge.entry].X_file.to_matrix(), new.X_file.to_matrix())
    assert len(after) == len(text) + 1  # 0.2 became 0.25


def test_that_a_decimal_comma_is_named_with_its_line() -> None:
    with pytest.raises(CalibrationError, match=r"line 3: 0,01486… has a decimal comma"):
        whole(KALIBR.replace("[0.0, -1.0, 0.0, 0.1]", "[0,014865542, -1.0, 0.0, 0.1]"))
