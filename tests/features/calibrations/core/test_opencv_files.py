"""Files that OpenCV's FileStorage writes are read by us, and files that we write by FileStorage, with the same bits."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Edge, Lens
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects.opencv import OPENCV
from framescope.features.calibrations.core.dialects.orb_slam import ORB_SLAM
from framescope.features.calibrations.core.dialects.vins import VINS
from framescope.features.calibrations.core.opencv_storage import is_matrix, matrix_of, read_storage

cv2: Any = pytest.importorskip("cv2", reason="OpenCV has no wheel for this platform")

SUFFIXES = (".yml", ".xml", ".json")
TYPES = {"d": np.float64, "f": np.float32, "i": np.int32, "u": np.uint8, "w": np.uint16, "s": np.int16, "c": np.int8}


def random_number(rng: np.random.Generator) -> float:
    return float(rng.normal() * 10.0 ** rng.integers(-12, 12))


def random_matrix(rng: np.random.Generator, kind: str) -> np.ndarray:
    shape = tuple(rng.integers(1, 6, 2))
    if kind in "df":
        return (rng.normal(size=shape) * 10.0 ** rng.integers(-8, 8, shape)).astype(TYPES[kind])
    ends = np.iinfo(TYPES[kind])
    return rng.integers(ends.min, ends.max, shape, endpoint=True).astype(TYPES[kind])


def write_random(storage: Any, rng: np.random.Generator, depth: int = 0, *, is_flow: bool = False) -> dict[str, Any]:
    """Write random entries, and return them.

    A mapping in braces holds no matrix and no indented block: OpenCV does not read back what it writes of them.
    """
    written: dict[str, Any] = {}
    for k in range(rng.integers(3, 8)):
        key, choice = f"{'kTvR'[k % 4]}{k}_{depth}", rng.integers(0, 5 if is_flow else 6)
        if choice == 0 and depth < 3:
            flow = is_flow or bool(rng.integers(0, 2))
            storage.startWriteStruct(key, cv2.FileNode_MAP | (cv2.FileNode_FLOW if flow else 0))
            written[key] = write_random(storage, rng, depth + 1, is_flow=flow)
            storage.endWriteStruct()
        elif choice == 1:
            flow = is_flow or bool(rng.integers(0, 2))
            storage.startWriteStruct(key, cv2.FileNode_SEQ | (cv2.FileNode_FLOW if flow else 0))
            written[key] = [random_number(rng) for _ in range(rng.integers(2, 9))]  # XML writes one as a number
            for number in written[key]:
                storage.write("", number)
            storage.endWriteStruct()
        elif choice == 2:
            written[key] = str(rng.choice(["PinHole", "a b: c", "1.0", "x#y", "", "d435, left", "<tag> & co"]))
            storage.write(key, written[key])
        elif choice == 3:
            written[key] = int(rng.integers(-(2**31), 2**31))
            storage.write(key, written[key])
        elif choice == 4 or is_flow:
            written[key] = random_number(rng)
            storage.write(key, written[key])
        else:
            written[key] = random_matrix(rng, str(rng.choice(list(TYPES))))
            storage.write(key, written[key])
    return written


def check_content(ours: Any, written: Any) -> None:
    """Check that what we read is what was written, to the bit of its type."""
    if isinstance(written, dict):
        assert list(ours) == list(written)
        for key in written:
            check_content(ours[key], written[key])
    elif isinstance(written, np.ndarray):
        assert is_matrix(ours)
        assert_array_equal(matrix_of(ours, "M").astype(written.dtype), written)
        if written.dtype != np.float32:
            assert_array_equal(matrix_of(ours, "M"), written.astype(float))
    elif isinstance(written, list):
        assert ours == written
    else:
        assert (type(ours) is str) == (type(written) is str)
        assert ours == written


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_that_files_of_file_storage_are_read_to_the_bit(tmp_path, suffix) -> None:
    rng = np.random.default_rng(51)
    for k in range(40):
        path = tmp_path / f"{k}{suffix}"
        storage = cv2.FileStorage(str(path), cv2.FILE_STORAGE_WRITE)
        written = write_random(storage, rng)
        storage.release()
        check_content(read_storage(path.read_text(encoding="utf-8"), path.name).keys, written)


@pytest.mark.parametrize("suffix", [".yml", ".xml"])
def test_that_numbers_that_are_not_finite_are_read(tmp_path, suffix) -> None:
    path = tmp_path / f"a{suffix}"
    storage = cv2.FileStorage(str(path), cv2.FILE_STORAGE_WRITE)
    storage.write("M", np.array([[math.nan, math.inf, -math.inf, -0.0]]))
    storage.release()
    data = read_storage(path.read_text(encoding="utf-8"), path.name).keys["M"]["data"]
    assert math.isnan(data[0])
    assert data[1:] == [math.inf, -math.inf, 0.0]


# --- What we write


def random_pose(rng: np.random.Generator) -> Transform:
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return Transform(q * np.sign(np.linalg.det(q)), rng.normal(size=3))


def read_theirs(text: str, path: Path, keys: list[str]) -> dict[str, Any]:
    path.write_text(text, encoding="utf-8")
    storage = cv2.FileStorage(str(path), cv2.FILE_STORAGE_READ)
    assert storage.isOpened()
    nodes = {key: storage.getNode(key) for key in keys}
    values = {}
    for key, node in nodes.items():
        assert not node.empty(), key
        values[key] = node.mat() if node.isMap() else node.real() if node.isReal() or node.isInt() else node.string()
    storage.release()
    return values


def lenses_of(rng: np.random.Generator, names: list[str], model: str, count: int) -> tuple[Lens, ...]:
    return tuple(
        Lens(
            name,
            (640, 480),
            tuple(rng.uniform(300, 600, 2).tolist()),
            tuple(rng.uniform(200, 400, 2).tolist()),
            model,
            tuple(rng.normal(size=count).tolist()),
        )
        for name in names
    )


@pytest.mark.parametrize(("model", "count"), [("radtan", 4), ("radtan", 5), ("rational", 8), ("equidistant", 4)])
def test_that_file_storage_reads_a_stereo_calibration_that_we_write(tmp_path, model, count) -> None:
    rng = np.random.default_rng(count)
    for k in range(20):
        X, lenses = random_pose(rng), lenses_of(rng, ["left", "right"], model, count)
        edge = Edge("left", "right", X, "R, T", is_inverse=True)
        text = OPENCV.write(Calibration("opencv", (edge,), lenses))
        values = read_theirs(text, tmp_path / f"{k}.yml", ["R", "T", "M1", "M2", "D1", "D2", "image_width"])
        assert_array_equal(values["R"], X.R_AB)
        assert_array_equal(values["T"].ravel(), X.p_AB)
        assert values["image_width"] == 640
        for side, lens in zip("12", lenses, strict=True):
            K, D = values[f"M{side}"], values[f"D{side}"]
            assert (K[0, 0], K[1, 1], K[0, 2], K[1, 2]) == (*lens.focal, *lens.center)
            assert tuple(D.ravel()) == lens.coefficients


@pytest.mark.parametrize(("model", "count"), [("radtan", 4), ("radtan", 5), ("equidistant", 4)])
def test_that_file_storage_reads_settings_of_orb_slam_that_we_write(tmp_path, model, count) -> None:
    rng = np.random.default_rng(count + 20)
    keys = [f"Camera{k}.{key}" for k in (1, 2) for key in ("fx", "fy", "cx", "cy", "k1", "k2")]
    for k in range(20):
        first, second = Edge("imu", "left", random_pose(rng), ""), Edge("left", "right", random_pose(rng), "")
        lenses = lenses_of(rng, ["left", "right"], model, count)
        text = ORB_SLAM.write(Calibration("orb-slam", (first, second), lenses))
        values = read_theirs(text, tmp_path / f"{k}.yaml", ["IMU.T_b_c1", "Stereo.T_c1_c2", "Camera.type", *keys])
        assert_array_equal(values["IMU.T_b_c1"], first.X_PC.to_matrix())
        assert_array_equal(values["Stereo.T_c1_c2"], second.X_PC.to_matrix())
        assert values["Camera.type"] == ("KannalaBrandt8" if model == "equidistant" else "PinHole")
        numbers = [(*lens.focal, *lens.center, *lens.coefficients[:2]) for lens in lenses]
        assert [values[key] for key in keys] == [number for lens in numbers for number in lens]


def test_that_file_storage_reads_settings_of_vins_that_we_write(tmp_path) -> None:
    rng = np.random.default_rng(9)
    for k in range(20):
        edges = tuple(Edge("body", f"cam{i}", random_pose(rng), "") for i in range(2))
        text = VINS.write(Calibration("vins", edges))
        values = read_theirs(text, tmp_path / f"{k}.yaml", ["body_T_cam0", "body_T_cam1"])
        for i, edge in enumerate(edges):
            assert_array_equal(values[f"body_T_cam{i}"], edge.X_PC.to_matrix())


@pytest.mark.parametrize("suffix", [".yml", ".xml"])
def test_that_file_storage_reads_a_file_that_we_patch(tmp_path, suffix) -> None:
    rng = np.random.default_rng(4)
    for k in range(20):
        path = tmp_path / f"{k}{suffix}"
        X, K, D = random_pose(rng), np.diag([*rng.uniform(300, 600, 2), 1.0]), rng.normal(size=(1, 5))
        storage = cv2.FileStorage(str(path), cv2.FILE_STORAGE_WRITE)
        for key, value in (("M1", K), ("D1", D), ("M2", K), ("D2", D), ("R", X.R_AB), ("T", X.p_AB.reshape(3, 1))):
            storage.write(key, value)
        storage.release()
        text = path.read_text(encoding="utf-8")
        calibration = OPENCV.read(Source(path.name, text.encode()))
        (edge,) = calibration.edges
        assert_array_equal(edge.X_file.R_AB, X.R_AB)
        assert_array_equal(edge.X_file.p_AB, X.p_AB)
        assert [lens.coefficients for lens in calibration.lenses] == [tuple(D.ravel())] * 2
        new = random_pose(rng)
        patched = OPENCV.patch(text, (replace(edge, X_file=new),))
        values = read_theirs(patched, path, ["M1", "D1", "R", "T"])
        assert_allclose(values["R"], new.R_AB, rtol=0.0, atol=1e-12)
        assert_allclose(values["T"].ravel(), new.p_AB, rtol=0.0, atol=1e-12)
        assert_array_equal(values["M1"], K)
        assert_array_equal(values["D1"], D)
