"""Models of COLMAP as its commonest writers and hands make them: read, written, damaged."""

from __future__ import annotations

import struct
import time
from collections import Counter
from random import Random

import numpy as np
import pytest

from framescope.core.errors import FramescopeError
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects import colmap
from framescope.features.calibrations.core.dialects.registry import dialect_of
from tests.support import damage
from tests.support.reconstructions import (
    CAMERA,
    cameras_bin,
    cameras_txt,
    circle,
    images_bin,
    images_txt,
    points_bin,
    points_txt,
    poses_of,
    slow_cameras,
    slow_images,
    slow_points,
)

TRUTH = circle()


def source(name: str, **files: bytes | str) -> Source:
    """Return a file of a model with others beside it; keys have `_` for the point in a name."""
    named = {key.replace("_", "."): data.encode() if isinstance(data, str) else data for key, data in files.items()}
    return Source(name, named[name], "0", named.get)


def whole(name: str = "images.txt", points: str = "some", images: str | bytes | None = None, **more) -> Source:
    texts = {"cameras_txt": cameras_txt(), "points3D_txt": points_txt(TRUTH)}
    return source(name, images_txt=images or images_txt(TRUTH, points), **texts, **more)


def check(calibration: Calibration) -> None:
    """Check poses, lens and points against the truth."""
    (poses,) = calibration.pose_lists
    np.testing.assert_allclose(poses.X_PC.p_AB, TRUTH.centers, atol=1e-12)
    np.testing.assert_allclose(poses.X_PC.R_AB, TRUTH.R_WC, atol=1e-12)
    assert poses.labels == TRUTH.names
    assert poses.is_inverse
    (lens,) = calibration.lenses
    assert (lens.frame, lens.size, lens.model) == (poses.child, (640, 480), "radtan")
    assert (*lens.focal, *lens.center, *lens.coefficients) == CAMERA[4]
    (cloud,) = calibration.clouds
    np.testing.assert_array_equal(cloud.points, TRUTH.points)
    np.testing.assert_array_equal(cloud.colors, TRUTH.colors)
    assert cloud.frame == poses.parent


@pytest.mark.parametrize("points", ["some", "empty", "absent"])
@pytest.mark.parametrize("name", ["images.txt", "cameras.txt", "points3D.txt"])
def test_that_any_file_of_a_model_gives_the_whole(name, points) -> None:
    calibration = colmap.read(whole(name, points))
    check(calibration)
    assert not calibration.problems


@pytest.mark.parametrize("name", ["images.bin", "cameras.bin", "points3D.bin"])
def test_that_a_binary_model_is_that_of_the_text(name) -> None:
    files = {"cameras_bin": cameras_bin(), "images_bin": images_bin(TRUTH), "points3D_bin": points_bin(TRUTH)}
    check(colmap.read(source(name, **files)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n", "\r\n"),
        ("# Image list", "\ufeff# Image list"),
        ("# a comment in the middle", "\n\n#"),
        (" 3 frame", "\t3\tframe"),
        ("# Image list with two lines of data per image:\n", ""),
    ],
)
def test_that_hand_made_texts_are_read(old, new) -> None:
    for points in ("some", "empty", "absent"):
        check(colmap.read(whole(points=points, images=images_txt(TRUTH, points).replace(old, new))))


def test_that_the_direction_is_not_taken_the_other_way() -> None:
    """The plain numbers of the file, taken for the pose of the camera, are far from its centre."""
    (poses,) = colmap.read(whole()).pose_lists
    off = np.linalg.norm(poses.X_PC.p_AB - poses_of(TRUTH)[:, 4:], axis=1)
    assert (off > 1.0).all()
    forward = poses.X_PC.R_AB[:, :, 2]
    to_origin = -poses.X_PC.p_AB / np.linalg.norm(poses.X_PC.p_AB, axis=1, keepdims=True)
    np.testing.assert_allclose(forward, to_origin, atol=1e-12)
    assert (poses.X_PC.R_AB[:, 2, 1] < -0.9).all(), "y is down"


def test_that_images_are_in_the_order_of_their_numbers_and_folders_are_cameras() -> None:
    order = np.random.default_rng(1).permutation(12)
    names = tuple(f"{'left' if k % 2 else 'right'}/{k}.png" for k in order)
    shuffled = type(TRUTH)(names, TRUTH.centers[order], TRUTH.R_WC[order], TRUTH.points, TRUTH.colors)
    lists = colmap.read(whole(images=images_txt(shuffled))).pose_lists
    assert {poses.child for poses in lists} == {"left", "right"}
    for poses in lists:
        rows = [int(label.partition("/")[2][:-4]) for label in poses.labels]
        assert rows == sorted(rows)
        np.testing.assert_allclose(poses.X_PC.p_AB, TRUTH.centers[rows], atol=1e-12)


@pytest.mark.parametrize(
    ("model", "parameters", "expected"),
    [
        ("SIMPLE_PINHOLE", (500.0, 320.0, 240.0), (500.0, 500.0, 320.0, 240.0, "none", ())),
        ("PINHOLE", (500.0, 501.0, 320.0, 240.0), (500.0, 501.0, 320.0, 240.0, "none", ())),
        ("SIMPLE_RADIAL", (500.0, 320.0, 240.0, 0.1), (500.0, 500.0, 320.0, 240.0, "radtan", (0.1, 0, 0, 0))),
        ("RADIAL", (500.0, 320.0, 240.0, 0.1, 0.2), (500.0, 500.0, 320.0, 240.0, "radtan", (0.1, 0.2, 0, 0))),
        (
            "OPENCV_FISHEYE",
            (500.0, 501.0, 320.0, 240.0, 0.1, 0.2, 0.3, 0.4),
            (500.0, 501.0, 320.0, 240.0, "equidistant", (0.1, 0.2, 0.3, 0.4)),
        ),
        (
            "RADIAL_FISHEYE",
            (500.0, 320.0, 240.0, 0.1, 0.2),
            (500.0, 500.0, 320.0, 240.0, "equidistant", (0.1, 0.2, 0, 0)),
        ),
        (
            "FULL_OPENCV",
            (500.0, 501.0, 320.0, 240.0, *(0.1 * k for k in range(8))),
            (500.0, 501.0, 320.0, 240.0, "rational", tuple(0.1 * k for k in range(8))),
        ),
        ("FOV", (500.0, 501.0, 320.0, 240.0, 0.9), (500.0, 501.0, 320.0, 240.0, "FOV", (0.9,))),
    ],
)
def test_that_models_of_cameras_are_lenses_and_are_written_again(model, parameters, expected) -> None:
    text = cameras_txt((3, model, 640, 480, parameters))
    calibration = colmap.read(source("images.txt", images_txt=images_txt(TRUTH), cameras_txt=text))
    (lens,) = calibration.lenses
    assert (*lens.focal, *lens.center, lens.model, lens.coefficients) == expected
    files = {name.replace(".", "_"): data for name, data in colmap.write_model(calibration, is_binary=True).items()}
    (again,) = colmap.read(source("images.bin", **files)).lenses
    assert (*again.focal, *again.center, again.model, again.coefficients) == expected


def test_that_an_unknown_model_is_named_and_a_wrong_number_of_parameters_refused() -> None:
    text = cameras_txt((3, "QUADRIC", 640, 480, (1.0, 2.0)))
    calibration = colmap.read(source("images.txt", images_txt=images_txt(TRUTH), cameras_txt=text))
    assert "QUADRIC" in calibration.problems[0].message
    assert not calibration.lenses
    with pytest.raises(CalibrationError, match=r"cameras.txt, line 4: PINHOLE has 4 parameters, got 3"):
        colmap.read(source("cameras.txt", cameras_txt=cameras_txt((3, "PINHOLE", 640, 480, (1.0, 2.0, 3.0)))))


RIG = struct.pack("<I", 1) + struct.pack("<IiI", 2, 0, 3) + struct.pack("<iIB7d", 0, 4, 1, 1, 0, 0, 0, 0.1, 0, 0)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("rigs.txt", b"# Rig calib list\n1 2 CAMERA 3 CAMERA 4 1 1 0 0 0 0.1 0 0\n"),
        ("rigs.bin", struct.pack("<Q", 1) + RIG),
    ],
)
def test_that_rigs_are_left_out_with_a_note(name, data) -> None:
    calibration = colmap.read(whole(**{name.replace(".", "_"): data}))
    check(calibration)
    assert [(problem.severity, "rigs of several" in problem.message) for problem in calibration.problems] == [
        ("note", True)
    ]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("rigs.txt", b"# Rig calib list\n1 1 CAMERA 3\n"),
        ("rigs.bin", struct.pack("<QIIiI", 1, 1, 1, 0, 3)),
        ("frames.bin", b"\1\0\0"),
    ],
)
def test_that_a_rig_of_each_camera_says_nothing(name, data) -> None:
    calibration = colmap.read(whole(**{name.replace(".", "_"): data}))
    check(calibration)
    assert not calibration.problems


@pytest.mark.parametrize("is_binary", [False, True])
def test_that_a_camera_without_a_focal_length_is_left_out(is_binary) -> None:
    both = [cameras_txt((4, "EQUIRECTANGULAR", 640, 320, (640.0, 320.0))), cameras_txt()]
    files = {"images_txt": images_txt(TRUTH), "cameras_txt": "".join(both)}
    if is_binary:
        panorama = struct.pack("<IiQQ2d", 4, 17, 640, 320, 640.0, 320.0)
        data = struct.pack("<Q", 2) + panorama + cameras_bin()[8:]
        files = {"images_bin": images_bin(TRUTH), "cameras_bin": data}
    calibration = colmap.read(source(next(iter(files)).replace("_", "."), **files))
    (lens,) = calibration.lenses
    assert (*lens.focal, *lens.center, *lens.coefficients) == CAMERA[4]
    (problem,) = calibration.problems
    assert (problem.severity, "EQUIRECTANGULAR" in problem.message) == ("amber", True)


@pytest.mark.parametrize("is_binary", [False, True])
def test_that_a_model_is_written_with_its_numbers(is_binary) -> None:
    calibration = colmap.read(whole())
    files = colmap.write_model(calibration, is_binary=is_binary)
    if is_binary:
        images = slow_images(files["images.bin"])
        assert [tuple(pose) for _, pose, *_ in images] == [tuple(row) for row in poses_of(TRUTH).tolist()]
        assert [name for *_, name, _ in images] == list(TRUTH.names)
        assert slow_cameras(files["cameras.bin"]) == [(1, 4, 640, 480, CAMERA[4])]
        assert {camera for _, _, camera, *_ in images} == {1}
        points = slow_points(files["points3D.bin"])
        assert [p for _, p, _ in points] == [tuple(p) for p in TRUTH.points.tolist()]
        assert [color for *_, color in points] == [tuple(color) for color in TRUTH.colors.tolist()]
    else:
        rows = [line.split() for line in files["images.txt"].decode().splitlines() if line and not line.startswith("#")]
        assert [[float(word) for word in row[1:8]] for row in rows] == poses_of(TRUTH).tolist()
        assert "takes points" not in files["cameras.txt"].decode()
        assert "take points of the world to the camera" in files["images.txt"].decode()
    suffix = "bin" if is_binary else "txt"
    again = colmap.read(source(f"images.{suffix}", **{name.replace(".", "_"): data for name, data in files.items()}))
    check(again)
    assert colmap.write(calibration).encode() == colmap.write_model(calibration, is_binary=False)["images.txt"]
    assert set(colmap.write_beside(calibration)) == {"cameras.txt", "points3D.txt"}


def test_that_moved_poses_are_written_and_not_the_numbers_of_the_file() -> None:
    from dataclasses import replace

    calibration = colmap.read(whole())
    (poses,) = calibration.pose_lists
    moved = replace(poses, X_PC=poses.X_PC[[*range(1, 12), 0]])
    text = colmap.write(replace(calibration, pose_lists=(moved,)))
    row = next(line for line in text.splitlines() if not line.startswith("#")).split()
    expected = poses_of(TRUTH)[1]
    np.testing.assert_allclose([float(word) for word in row[5:8]], expected[4:], atol=1e-12)
    q = np.array([float(word) for word in row[1:5]])
    assert abs(q @ expected[:4]) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("5 1 0 0 0 0 0 zero 1 a.png", "line 4: expected IMAGE_ID QW"),
        ("5 0 0 0 0 0 0 1 1 a.png", "line 4: the quaternion has a length of 0"),
        ("5 1 0 0 0 0 nan 1 1 a.png", "line 4: expected"),
        ("left.png", "line 4: expected"),
    ],
)
def test_that_a_wrong_line_is_named(line, message) -> None:
    text = "# images\n1 1 0 0 0 1 2 3 1 b.png\n\n" + line + "\n"
    with pytest.raises(CalibrationError, match=message):
        colmap.read(source("images.txt", images_txt=text))


def test_that_a_quaternion_off_unit_length_is_reported() -> None:
    text = "1 0.9 0 0 0 1 2 3 1 b.png\n\n"
    calibration = colmap.read(source("images.txt", images_txt=text))
    np.testing.assert_allclose(calibration.pose_lists[0].X_PC.p_AB, [[-1, -2, -3]])
    assert "length of 0.9" in calibration.problems[0].message


def test_that_only_models_of_colmap_are_recognized() -> None:
    files = {"c": cameras_txt(), "i": images_txt(TRUTH), "p": points_txt(TRUTH)}
    for data in (*(text.encode() for text in files.values()), cameras_bin(), images_bin(TRUTH), points_bin(TRUTH)):
        dialect = dialect_of(data)
        assert dialect is not None
        assert dialect.name == "colmap"
    others = (
        b"1 0 0 0 0 1 0 0 0 0 1 0\n2 0 0 0 0 1 0 0 0 0 1 0\n",  # KITTI
        b"0 0 0 0 0 0 0 1\n1 0 0 0 0 0 0 1\n",  # TUM
        b"1 0.1 0.2 0.3 0 0 0 1 5 base\n",  # a table whose 2nd to 5th column is no unit quaternion
        b"t,x,y\n0,1,2\n",
        b"\0" * 200,
        bytes(range(256)) * 3,
        b"PK\3\4" + b"\0" * 100,
    )
    assert [dialect_of(data) for data in others] == [None] * len(others)


TEXT = (damage.cut, damage.change_number, damage.change_word, damage.change_line)
BINARY = (damage.flip_bytes, damage.flip_bytes, damage.cut, damage.change_integer)


@pytest.mark.parametrize("is_binary", [False, True])
def test_that_damaged_models_are_calibrations_or_one_error(is_binary) -> None:
    truth = circle(6, 12)
    good = (
        {"cameras.bin": cameras_bin(), "images.bin": images_bin(truth), "points3D.bin": points_bin(truth)}
        if is_binary
        else {
            "cameras.txt": cameras_txt().encode(),
            "images.txt": images_txt(truth).encode(),
            "points3D.txt": points_txt(truth).encode(),
        }
    )
    outcomes, messages = Counter[str](), list[str]()
    for seed in range(300):
        random = Random(seed)
        name = random.choice(sorted(good))
        data = random.choice(BINARY if is_binary else TEXT)(random, good[name])
        files = {**good, name: data}
        opened = random.choice(sorted(good))
        began = time.perf_counter()
        try:
            calibration = colmap.read(Source(opened, files[opened], "0", files.get))
        except FramescopeError as error:
            messages.append(str(error))
            outcomes["error"] += 1
        else:
            outcomes["read"] += 1
            for poses in calibration.pose_lists:
                assert np.isfinite(poses.X_PC.p_AB).all(), seed
        assert time.perf_counter() - began < 1.0, seed
    assert min(outcomes["error"], outcomes["read"]) > 30, outcomes
    assert [text for text in messages if len(text) > 500 or not text.isprintable()] == []
