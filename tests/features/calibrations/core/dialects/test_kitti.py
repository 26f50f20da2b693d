"""Calibrations of KITTI: extrinsics, baselines and the rectification of odometry, object and raw files."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.errors import FramescopeError
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Edge
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects.kitti import KITTI, write
from tests.support import plain_rotations as plain
from tests.support.calibration_files import poses, read, relative, tally_of_damaged

F, CU, CV, BASE = 721.5, 609.5, 172.75, 0.54
VELO_R = plain.of_rpy(0.012, -0.007, 0.004) @ np.array([[0.0, -1, 0], [0, 0, -1], [1, 0, 0]])
VELO = plain.pose(VELO_R, [-0.004, -0.076, -0.272])
"""Takes points of the lidar (forward, left, up) to camera 0 (right, down, forward)."""
IMU = plain.pose(plain.of_rpy(0.001, -0.002, 0.015), [-0.81, 0.32, -0.8])
"""Takes points of the IMU to the lidar."""
RECT = plain.of_rpy(0.007, -0.01, 0.009)
CAM1 = plain.pose(plain.of_rpy(0.02, -0.01, 0.005), [-0.537, 0.005, -0.012])
"""Takes points of camera 0 to camera 1, before rectification."""


def row(key: str, values, colon: str = ":") -> str:
    """Return a line as KITTI's tools print it: twelve decimals with exponents."""
    return f"{key}{colon} " + " ".join(f"{value:.12e}" for value in np.ravel(values))


def projection(t) -> np.ndarray:
    """Return the projection of a rectified camera that has camera 0 at `t`."""
    K = np.array([[F, 0, CU], [0, F, CV], [0, 0, 1.0]])
    return K @ np.column_stack([np.eye(3), t])


OFFSETS = [np.zeros(3), np.array([-BASE, 0, 0]), np.array([0.06, -0.0004, 0.003]), np.array([-0.47, 0.0024, 0.003])]
PS = [row(f"P{i}", projection(t)) for i, t in enumerate(OFFSETS)]
ODOMETRY = "\n".join([*PS, row("Tr", VELO[:3]), ""])
OBJECT = "\n".join([*PS, row("R0_rect", RECT), row("Tr_velo_to_cam", VELO[:3]), row("Tr_imu_to_velo", IMU[:3]), "", ""])
TRACKING = "\n".join(
    [*PS, row("R_rect", RECT, ""), row("Tr_velo_cam", VELO[:3], ""), row("Tr_imu_velo", IMU[:3], ""), ""]
)
RAW = "\n".join(
    [
        "calib_time: 09-Jan-2012 13:57:47",
        "corner_dist: 9.950000e-02",
        *(
            line
            for i, M in enumerate((np.eye(4), CAM1))
            for line in (
                f"S_0{i}: 1.392000e+03 5.120000e+02",
                row(f"K_0{i}", [[980.0 + i, 0, 690.0], [0, 975.0, 247.0], [0, 0, 1]]),
                row(f"D_0{i}", [-0.37, 0.2, 0.0014, 0.0005, -0.07]),
                row(f"R_0{i}", M[:3, :3]),
                row(f"T_0{i}", M[:3, 3]),
                f"S_rect_0{i}: 1.242000e+03 3.750000e+02",
                row(f"R_rect_0{i}", RECT),
                row(f"P_rect_0{i}", projection(OFFSETS[i])),
            )
        ),
        "",
    ]
)
VELO_TO_CAM = "\n".join(
    ["calib_time: 15-Mar-2012 11:37:16", row("R", VELO[:3, :3]), row("T", VELO[:3, 3]), "delta_f: 0.0 0.0",
     "delta_c: 0.0 0.0", ""]
)  # fmt: skip
IMU_TO_VELO = "\n".join(["calib_time: 25-May-2012 16:47:16", row("R", IMU[:3, :3]), row("T", IMU[:3, 3]), ""])
FILES = {
    "calib.txt": ODOMETRY,
    "000007.txt": OBJECT,
    "0000.txt": TRACKING,
    "calib_cam_to_cam.txt": RAW,
    "calib_velo_to_cam.txt": VELO_TO_CAM,
    "calib_imu_to_velo.txt": IMU_TO_VELO,
}


@pytest.mark.parametrize("name", ["calib.txt", "000007.txt", "0000.txt", "calib_velo_to_cam.txt"])
def test_that_the_lidar_transform_takes_points_of_the_lidar_to_camera_0(name) -> None:
    calibration = read(KITTI, FILES[name], name)
    ahead = relative(calibration, "velo", "cam0") @ [10.0, 0.0, 0.0, 1.0]
    np.testing.assert_allclose(ahead, VELO @ [10.0, 0.0, 0.0, 1.0], atol=1e-9)
    assert ahead[2] > 9.0  # before the camera: the inverse would put it beside
    edge = next(edge for edge in calibration.edges if "velo" in (edge.parent, edge.child) and "cam0" in edge.takes)
    assert edge.words == "takes points of velo to cam0"


@pytest.mark.parametrize("name", ["000007.txt", "0000.txt", "calib_imu_to_velo.txt"])
def test_that_the_imu_transform_takes_points_of_the_imu_to_the_lidar(name) -> None:
    calibration = read(KITTI, FILES[name], name)
    np.testing.assert_allclose(relative(calibration, "imu", "velo"), IMU, atol=1e-9)
    assert ("imu", "velo") in poses(calibration)


@pytest.mark.parametrize(("name", "end"), [("calib.txt", ""), ("000007.txt", "_rect"), ("0000.txt", "_rect")])
def test_that_the_fourth_column_is_the_baseline(name, end) -> None:
    calibration = read(KITTI, FILES[name], name)
    for i in (1, 2, 3):
        M = relative(calibration, f"cam0{end}", f"cam{i}{end}")
        np.testing.assert_allclose(M, plain.pose(np.eye(3), OFFSETS[i]), atol=1e-9)
    right = poses(calibration)[f"cam0{end}", f"cam1{end}"]
    np.testing.assert_allclose(right[:3, 3], [BASE, 0, 0], atol=1e-9)  # camera 1 is to the right of camera 0
    lens = next(lens for lens in calibration.lenses if lens.frame == f"cam1{end}")
    assert lens.focal == (F, F)
    assert lens.center == (CU, CV)
    assert lens.model == "none"


def test_that_a_point_of_the_lidar_is_projected_as_the_readme_says() -> None:
    calibration = read(KITTI, OBJECT)
    X = np.array([12.0, 1.0, -0.5, 1.0])
    R0 = plain.pose(RECT, [0, 0, 0])
    u, v, w = projection(OFFSETS[2]) @ R0 @ VELO @ X
    x, y, z, _ = relative(calibration, "velo", "cam2_rect") @ X
    np.testing.assert_allclose([F * x / z + CU, F * y / z + CV], [u / w, v / w], atol=1e-6)


def test_that_rectification_is_said_to_be_no_extrinsic() -> None:
    calibration = read(KITTI, OBJECT)
    (note,) = [problem for problem in calibration.problems if problem.kind == "rectification"]
    assert note.severity == "note"
    M = relative(calibration, "cam0", "cam0_rect")
    np.testing.assert_allclose(M, plain.pose(RECT, [0, 0, 0]), atol=1e-9)


def test_that_raw_cameras_are_read_before_and_after_rectification() -> None:
    calibration = read(KITTI, RAW)
    np.testing.assert_allclose(relative(calibration, "cam0", "cam1"), CAM1, atol=1e-9)
    np.testing.assert_allclose(relative(calibration, "cam0_rect", "cam1_rect")[:3, 3], OFFSETS[1], atol=1e-9)
    lenses = {lens.frame: lens for lens in calibration.lenses}
    assert list(lenses) == ["cam0", "cam1", "cam0_rect", "cam1_rect"]
    assert lenses["cam1"].size == (1392, 512)
    assert lenses["cam1"].focal == (981.0, 975.0)
    assert lenses["cam1"].coefficients == (-0.37, 0.2, 0.0014, 0.0005, -0.07)
    assert lenses["cam1"].model == "radtan"
    assert lenses["cam1_rect"].size == (1242, 375)
    assert [(fact.label, fact.value) for fact in calibration.facts] == [("size of a square of the board", 0.0995)]


def test_that_a_pair_without_its_name_is_refused() -> None:
    with pytest.raises(FramescopeError, match="do not say which frames"):
        read(KITTI, IMU_TO_VELO, "extrinsics.txt")


@pytest.mark.parametrize("name", FILES)
def test_that_a_written_file_is_read_back(name) -> None:
    calibration = read(KITTI, FILES[name], name)
    text = write(calibration)
    again = read(KITTI, text, name)
    assert set(poses(again)) == set(poses(calibration))
    for (parent, child), M in poses(calibration).items():
        np.testing.assert_allclose(poses(again)[parent, child], M, atol=1e-12)
    assert {lens.frame: (lens.focal, lens.center, lens.coefficients) for lens in again.lenses} == {
        lens.frame: (lens.focal, lens.center, lens.coefficients) for lens in calibration.lenses
    }
    directions = [line for line in text.split("\n") if line.startswith("#")]
    assert len(directions) == len(calibration.edges)
    assert all(": takes points of " in line for line in directions)


def test_that_a_written_object_file_has_the_lines_that_readers_count() -> None:
    lines = write(read(KITTI, OBJECT)).split("\n")
    assert [line.partition(":")[0] for line in lines[:7]] == [
        "P0", "P1", "P2", "P3", "R0_rect", "Tr_velo_to_cam", "Tr_imu_to_velo"
    ]  # fmt: skip
    numbers = [float(word) for word in lines[5].split()[1:]]
    np.testing.assert_allclose(np.reshape(numbers, (3, 4)), VELO[:3], atol=1e-12)


def test_that_other_frames_are_refused() -> None:
    X = Transform(np.eye(3), np.zeros(3))
    with pytest.raises(FramescopeError, match="not base"):
        write(Calibration("kalibr", (Edge("base", "cam0", X, "x"),)))
    turned = Transform(plain.of_rpy(0.1, 0, 0), [0.1, 0, 0])
    lenses = read(KITTI, ODOMETRY).lenses
    with pytest.raises(FramescopeError, match="axes of camera 0"):
        write(Calibration("kalibr", (Edge("cam0", "cam1", turned, "x"),), lenses[:2]))


@pytest.mark.parametrize("name", FILES)
def test_that_a_patch_changes_the_numbers_alone(name) -> None:
    assert KITTI.patch is not None
    text = FILES[name]
    calibration = read(KITTI, text, name)
    assert KITTI.patch(text, calibration.edges) == text
    edge = calibration.edges[-1]
    X = Transform(edge.X_file.R_AB, edge.X_file.p_AB + np.array([0.0, 0.0, 0.125]))
    patched = KITTI.patch(text, (Edge(edge.parent, edge.child, X, edge.entry, edge.is_inverse),))
    assert sum(old != new for old, new in zip(text.split("\n"), patched.split("\n"), strict=True)) == 1
    again = next(other for other in read(KITTI, patched, name).edges if other.entry == edge.entry)
    np.testing.assert_allclose(again.X_file.to_matrix(), X.to_matrix(), atol=1e-9)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("P1: ", "P1: 1.0 ", "P1: expected 12 numbers, got 13"),
        ("P1: 7", "P1: north 7", "line 2: P1: expected numbers"),
        ("Tr: ", "P3: ", "P3 is there twice"),
        ("P2: 7", "P2: -7", "focal lengths above zero"),
        ("Tr: ", "Tr: nan ", "not finite"),
    ],
)
def test_that_a_fault_is_named_with_its_place(old, new, message) -> None:
    with pytest.raises(FramescopeError, match=message):
        KITTI.read(Source("calib.txt", ODOMETRY.replace(old, new, 1).encode()))


def test_that_damaged_files_end_in_a_calibration_or_a_message() -> None:
    tally = tally_of_damaged(KITTI, FILES, 400)
    assert min(tally["read"], tally["refused"]) > 20
