"""Models of COLMAP as pycolmap reads and writes them: poses, centres, cameras and points are ours to 1e-12."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core.projection import N_COEFFICIENTS, CameraModel, project
from framescope.features.calibrations.core.calibration import Calibration
from framescope.features.calibrations.core.colmap_model import CameraEntry
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects import colmap
from tests.support.reconstructions import CAMERA, Reconstruction, cameras_bin, cameras_txt, circle, poses_of

pycolmap: Any = pytest.importorskip("pycolmap", reason="pycolmap has no wheel for this platform")

TRUTH = circle(9, 30)
SUFFIXES = (".txt", ".bin")

MODELS = {
    "SIMPLE_PINHOLE": (500.5, 320.25, 240.125),
    "PINHOLE": (500.5, 501.25, 320.25, 240.125),
    "SIMPLE_RADIAL": (500.5, 320.25, 240.125, -0.0123),
    "RADIAL": (500.5, 320.25, 240.125, -0.0123, 0.0045),
    "OPENCV": (500.5, 501.25, 320.25, 240.125, -0.11, 0.03, 0.0007, -0.0011),
    "OPENCV_FISHEYE": (300.5, 301.25, 320.25, 240.125, 0.011, -0.003, 0.0007, -0.0001),
    "FULL_OPENCV": (500.5, 501.25, 320.25, 240.125, -0.11, 0.03, 0.0007, -0.0011, 0.002, 0.01, -0.02, 0.003),
    "FOV": (500.5, 501.25, 320.25, 240.125, 0.87),
    "SIMPLE_RADIAL_FISHEYE": (300.5, 320.25, 240.125, 0.011),
    "RADIAL_FISHEYE": (300.5, 320.25, 240.125, 0.011, -0.003),
    "THIN_PRISM_FISHEYE": (300.5, 301.25, 320.25, 240.125, *(1e-3 * k for k in range(1, 9))),
    "RAD_TAN_THIN_PRISM_FISHEYE": (300.5, 301.25, 320.25, 240.125, *(1e-3 * k for k in range(1, 13))),
    "SIMPLE_DIVISION": (500.5, 320.25, 240.125, -0.0123),
    "DIVISION": (500.5, 501.25, 320.25, 240.125, -0.0123),
    "SIMPLE_FISHEYE": (300.5, 320.25, 240.125),
    "FISHEYE": (300.5, 301.25, 320.25, 240.125),
    "EUCM": (500.5, 501.25, 320.25, 240.125, 0.6, 1.1),
}
"""Parameters of a camera of each model of COLMAP that has a focal length."""


def read_ours(folder: Path, suffix: str) -> Calibration:
    def beside(name: str) -> bytes | None:
        return (folder / name).read_bytes() if (folder / name).is_file() else None

    return colmap.read(Source(f"images{suffix}", (folder / f"images{suffix}").read_bytes(), folder.name, beside))


def write_by_hand(folder: Path, truth: Reconstruction, suffix: str) -> None:
    """Write a model in which every image sees every point, as COLMAP demands of tracks."""
    folder.mkdir()
    n = len(truth.names)
    rows = list(enumerate(zip(poses_of(truth).tolist(), truth.names, strict=True), 1))
    points = list(enumerate(zip(truth.points.tolist(), truth.colors.tolist(), strict=True), 1))
    if suffix == ".txt":
        seen = " ".join(f"{0.5 * k} {0.25 * k} {k}" for k, _ in points)
        images = "".join(f"{k} {' '.join(map(repr, row))} 3 {name}\n{seen}\n" for k, (row, name) in rows)
        track = " ".join(f"{j} {{0}}" for j in range(1, n + 1))
        lines = [
            f"{k} {' '.join(map(repr, p))} {' '.join(map(str, color))} 0.5 {track.format(k - 1)}\n"
            for k, (p, color) in points
        ]
        files = {"cameras": cameras_txt().encode(), "images": images.encode(), "points3D": "".join(lines).encode()}
    else:
        seen_bytes = b"".join(struct.pack("<ddQ", 0.5 * k, 0.25 * k, k) for k, _ in points)
        images_of = [
            struct.pack("<I7dI", k, *row, 3) + name.encode() + b"\0" + struct.pack("<Q", len(points)) + seen_bytes
            for k, (row, name) in rows
        ]
        tracks = [b"".join(struct.pack("<II", j, k - 1) for j in range(1, n + 1)) for k, _ in points]
        points_of = [
            struct.pack("<Q3d3BdQ", k, *p, *color, 0.5, n) + track
            for (k, (p, color)), track in zip(points, tracks, strict=True)
        ]
        files = {
            "cameras": cameras_bin(),
            "images": struct.pack("<Q", n) + b"".join(images_of),
            "points3D": struct.pack("<Q", len(points)) + b"".join(points_of),
        }
    for name, data in files.items():
        (folder / f"{name}{suffix}").write_bytes(data)


def made_by_pycolmap(seed: int, n_rigs: int = 2, n_cameras: int = 1) -> Any:
    """Return a model that pycolmap made, with cameras of all models and random poses and points."""
    pycolmap.set_random_seed(seed)
    options = pycolmap.SyntheticDatasetOptions(
        num_rigs=n_rigs, num_cameras_per_rig=n_cameras, num_frames_per_rig=7, num_points3D=60
    )
    model = pycolmap.synthesize_dataset(options)
    rng = np.random.default_rng(seed)
    turn = rng.normal(size=4)
    pose = pycolmap.Sim3d(1.75, pycolmap.Rotation3d(turn / np.linalg.norm(turn)), rng.normal(size=3))
    model.transform(pose)
    for number in list(model.points3D):
        model.points3D[number].color = rng.integers(0, 256, 3).astype(np.uint8)
    for k, number in enumerate(model.cameras):
        name = list(MODELS)[(seed + k) % len(MODELS)]
        camera = pycolmap.Camera(camera_id=number, model=name, width=640, height=480, params=MODELS[name])
        model.cameras[number].mergedict(camera.todict())
    return model


def check_same(ours: Calibration, model: Any) -> None:
    """Check that a calibration is a model as pycolmap has it."""
    n_poses = 0
    for poses in ours.pose_lists:
        for k, label in enumerate(poses.labels):
            image = model.find_image_with_name(label)
            world_to_camera = image.cam_from_world().matrix()
            X = poses.X_PC[k]
            assert_allclose(X.p_AB, image.projection_center(), rtol=1e-12, atol=1e-12)
            assert_allclose(X.R_AB.T, world_to_camera[:, :3], rtol=0.0, atol=1e-12)
            assert_allclose(-X.R_AB.T @ X.p_AB, world_to_camera[:, 3], rtol=1e-12, atol=1e-12)
            assert_allclose(X.R_AB[:, 2], image.viewing_direction(), rtol=0.0, atol=1e-12)
            camera = model.cameras[image.camera_id]
            lens = ours.lenses[poses.cameras[k]]
            assert lens.size == (camera.width, camera.height)
            assert lens.focal == (camera.focal_length_x, camera.focal_length_y)
            assert lens.center == (camera.principal_point_x, camera.principal_point_y)
            extra = [camera.params[i] for i in camera.extra_params_idxs()]
            assert list(lens.coefficients)[: len(extra)] == extra
            assert not any(lens.coefficients[len(extra) :])
            n_poses += 1
    assert n_poses == model.num_images()
    (cloud,) = ours.clouds
    points = list(model.points3D.values())
    theirs = np.array([[*point.xyz, *point.color] for point in points])
    mine = np.concatenate([cloud.points, np.asarray(cloud.colors, dtype=float)], axis=1)
    theirs, mine = (rows[np.lexsort(rows.T[::-1])] for rows in (theirs, mine))
    assert_array_equal(mine, theirs)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_that_a_model_written_by_hand_is_read_as_by_pycolmap(tmp_path, suffix) -> None:
    folder = tmp_path / "0"
    write_by_hand(folder, TRUTH, suffix)
    model = pycolmap.Reconstruction(folder)
    assert (model.num_images(), model.num_points3D()) == (9, 30)
    ours = read_ours(folder, suffix)
    check_same(ours, model)
    assert_allclose(ours.pose_lists[0].X_PC.p_AB, TRUTH.centers, atol=1e-12)
    assert (*ours.lenses[0].focal, *ours.lenses[0].center, *ours.lenses[0].coefficients) == CAMERA[4]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("seed", range(0, len(MODELS), 3))
def test_that_a_model_written_by_pycolmap_is_read_as_by_pycolmap(tmp_path, suffix, seed) -> None:
    model = made_by_pycolmap(seed, n_rigs=3)
    (model.write_text if suffix == ".txt" else model.write_binary)(tmp_path)
    ours = read_ours(tmp_path, suffix)
    assert [problem for problem in ours.problems if problem.severity != "note"] == []
    check_same(ours, pycolmap.Reconstruction(tmp_path))
    check_same(ours, model)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("seed", range(0, len(MODELS), 3))
def test_that_pycolmap_reads_a_model_that_we_write(tmp_path, suffix, seed) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "ours").mkdir()
    model = made_by_pycolmap(seed, n_rigs=3)
    model.write_binary(tmp_path / "theirs")
    ours = read_ours(tmp_path / "theirs", ".bin")
    for name, data in colmap.write_model(ours, is_binary=suffix == ".bin").items():
        (tmp_path / "ours" / name).write_bytes(data)
    again = pycolmap.Reconstruction(tmp_path / "ours")
    check_same(ours, again)
    for image in again.images.values():
        camera, former = again.cameras[image.camera_id], model.cameras[model.find_image_with_name(image.name).camera_id]
        ray = np.array([[0.21, -0.13, 1.0], [-0.4, 0.3, 2.0]])
        assert_allclose(camera.img_from_cam(ray), former.img_from_cam(ray), rtol=0.0, atol=1e-9)


def test_that_a_rig_of_several_cameras_is_read_and_noted(tmp_path) -> None:
    model = made_by_pycolmap(4, n_rigs=1, n_cameras=3)
    for suffix, write in ((".txt", model.write_text), (".bin", model.write_binary)):
        folder = tmp_path / suffix[1:]
        folder.mkdir()
        write(folder)
        ours = read_ours(folder, suffix)
        check_same(ours, model)
        assert [problem.severity for problem in ours.problems] == ["note"]


def test_that_every_model_of_pycolmap_with_a_focal_length_is_known() -> None:
    known = set(pycolmap.CameraModelId.__members__) - {"INVALID", "EQUIRECTANGULAR"}
    assert known <= set(MODELS)


LENSES = {name: colmap.lens_of(CameraEntry(1, name, 640, 480, MODELS[name]), "camera") for name in MODELS}


@pytest.mark.parametrize("name", [name for name, lens in LENSES.items() if lens.model in N_COEFFICIENTS])
def test_that_points_are_projected_as_by_pycolmap(name) -> None:
    camera = pycolmap.Camera(camera_id=1, model=name, width=640, height=480, params=MODELS[name])
    lens = LENSES[name]
    ours = CameraModel(lens.focal, lens.center, lens.model, lens.coefficients)
    points = np.random.default_rng(3).uniform((-0.5, -0.4, 1.0), (0.5, 0.4, 4.0), (200, 3))
    assert_allclose(project(ours, points), camera.img_from_cam(points), rtol=0.0, atol=1e-9)
