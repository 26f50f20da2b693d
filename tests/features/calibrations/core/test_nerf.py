"""Files of nerfstudio and instant-ngp: axes, intrinsics for all and for each image, round trips, damage."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from random import Random

import numpy as np
import pytest

from framescope.core.errors import FramescopeError
from framescope.features.calibrations.core.calibration import CalibrationError
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects import nerf
from framescope.features.calibrations.core.dialects.registry import dialect_of
from tests.support import damage
from tests.support.reconstructions import circle, transforms, transforms_json

TRUTH = circle()
APPLIED = [[0.0, 1.0, 0.0, 0.25], [1.0, 0.0, 0.0, -0.5], [0.0, 0.0, -1.0, 2.0]]


def read(data, **beside: bytes):
    data = json.dumps(data).encode() if isinstance(data, dict) else data
    return nerf.read(Source("transforms.json", data, "scene", lambda name: beside.get(name.replace(".", "_"))))


def test_that_poses_are_turned_to_optical_axes() -> None:
    calibration = read(transforms_json(TRUTH))
    (poses,) = calibration.pose_lists
    np.testing.assert_array_equal(poses.X_PC.p_AB, TRUTH.centers)
    np.testing.assert_array_equal(poses.X_PC.R_AB, TRUTH.R_WC)
    assert poses.labels[0] == "./images/frame_0001.jpg"
    assert not poses.is_inverse
    assert not calibration.problems
    (lens,) = calibration.lenses
    assert (lens.size, lens.focal, lens.center, lens.model) == ((640, 480), (510.25, 508.5), (321.5, 239.75), "none")


def test_that_the_numbers_are_not_taken_for_optical_axes() -> None:
    (poses,) = read(transforms_json(TRUTH)).pose_lists
    to_origin = -poses.X_PC.p_AB / np.linalg.norm(poses.X_PC.p_AB, axis=1, keepdims=True)
    np.testing.assert_allclose(poses.X_PC.R_AB[:, :, 2], to_origin, atol=1e-12)
    in_file = np.array(transforms(TRUTH)["frames"][0]["transform_matrix"])
    assert in_file[:3, 2] @ to_origin[0] == pytest.approx(-1.0)


def test_that_what_was_applied_before_is_a_frame_and_facts() -> None:
    calibration = read(transforms_json(TRUTH, applied_transform=APPLIED, applied_scale=0.5, aabb_scale=16))
    (edge,) = calibration.edges
    np.testing.assert_array_equal(edge.X_PC.to_matrix()[:3], APPLIED)
    assert edge.parent == calibration.pose_lists[0].parent
    assert edge.words == f"takes points of {edge.child} to {edge.parent}"
    assert {fact.entry: fact.value for fact in calibration.facts} == {"applied_scale": 0.5, "aabb_scale": 16.0}
    again = json.loads(nerf.write(calibration))
    assert (again["applied_transform"], again["applied_scale"], again["aabb_scale"]) == (APPLIED, 0.5, 16)


@pytest.mark.parametrize(
    ("entries", "model", "coefficients"),
    [
        ({}, "none", ()),
        ({"k1": 0.1, "p1": 0.01}, "radtan", (0.1, 0.0, 0.01, 0.0)),
        ({"camera_model": "OPENCV", "k1": 0.1, "k3": 0.3}, "radtan", (0.1, 0.0, 0.0, 0.0, 0.3)),
        ({"camera_model": "OPENCV_FISHEYE", "k1": 0.1, "k4": 0.4}, "equidistant", (0.1, 0.0, 0.0, 0.4)),
        ({"is_fisheye": True, "k2": 0.2}, "equidistant", (0.0, 0.2, 0.0, 0.0)),
        ({"camera_model": "PINHOLE"}, "none", ()),
        ({"camera_model": "EQUIRECTANGULAR"}, "EQUIRECTANGULAR", (0.0,) * 6),
    ],
)
def test_that_models_of_lenses_are_read_and_written_again(entries, model, coefficients) -> None:
    calibration = read(transforms(TRUTH, **entries))
    (lens,) = calibration.lenses
    assert (lens.model, lens.coefficients) == (model, coefficients)
    (again,) = read(nerf.write(calibration).encode()).lenses
    assert (again.model, again.coefficients, again.focal, again.center) == (
        model,
        coefficients,
        lens.focal,
        lens.center,
    )


def test_that_the_angle_of_view_gives_a_focal_length_where_the_size_is_known() -> None:
    angle = 2.0 * math.atan(320.0 / 500.0)
    content = transforms(TRUTH, camera_angle_x=angle)
    for key in ("fl_x", "fl_y", "cx", "cy"):
        del content[key]
    (lens,) = read(content).lenses
    assert lens.focal == pytest.approx((500.0, 500.0))
    assert lens.center == (320.0, 240.0)
    for key in ("w", "h"):
        del content[key]
    calibration = read(content)
    assert not calibration.lenses
    assert [(fact.entry, fact.value) for fact in calibration.facts] == [("camera_angle_x", angle)]


def test_that_each_image_may_have_a_lens_of_its_own() -> None:
    content = transforms(TRUTH)
    for k, frame in enumerate(content["frames"]):
        frame["fl_x"] = 500.0 + k % 3
    calibration = read(content)
    (poses,) = calibration.pose_lists
    assert [calibration.lenses[k].focal[0] for k in poses.cameras] == [500.0 + k % 3 for k in range(12)]
    assert len(calibration.lenses) == 3
    again = json.loads(nerf.write(calibration))
    assert [frame["fl_x"] for frame in again["frames"]] == [500.0 + k % 3 for k in range(12)]
    assert "fl_x" not in again


def test_that_a_text_comes_back_as_it_was() -> None:
    assert nerf.write(read(nerf.EXAMPLE.encode())) == nerf.EXAMPLE
    text = nerf.write(read(transforms_json(TRUTH, applied_transform=APPLIED, k1=0.1)))
    assert nerf.write(read(text.encode())) == text
    original, written = transforms(TRUTH), json.loads(text)
    for a, b in zip(original["frames"], written["frames"], strict=True):
        assert a["file_path"] == b["file_path"]
        assert a["transform_matrix"] == b["transform_matrix"]  # to the bit


def test_that_times_are_read_where_all_images_have_one() -> None:
    content = transforms(TRUTH)
    for k, frame in enumerate(content["frames"]):
        frame["time"] = (k * 5 % 12) / 10.0
    (poses,) = read(content).pose_lists
    np.testing.assert_allclose(poses.times, [(k * 5 % 12) / 10.0 for k in range(12)])
    assert [frame["time"] for frame in json.loads(nerf.write(read(content)))["frames"]] == poses.times.tolist()
    del content["frames"][3]["time"]
    assert read(content).pose_lists[0].times is None


def test_that_points_beside_the_file_are_read() -> None:
    ply = b"ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
    content = transforms(TRUTH, ply_file_path="sparse_pc.ply")
    (cloud,) = read(content, sparse_pc_ply=ply + b"1 2 3\n4 5 6\n").clouds
    assert (cloud.points.tolist(), cloud.colors, cloud.file) == ([[1, 2, 3], [4, 5, 6]], None, "sparse_pc.ply")
    calibration = read(content, sparse_pc_ply=ply)
    assert not calibration.clouds
    assert "sparse_pc.ply" in calibration.problems[0].message
    assert not read(content).problems


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"frames": []}, "a list of images"),
        ({"frames": [{"file_path": "a"}]}, r"frames\[0\] has no transform_matrix"),
        ({"frames": [{"transform_matrix": [[1, 2], [3]]}]}, r"frames\[0\].transform_matrix: expected four rows"),
        ({"frames": [{"transform_matrix": np.eye(4)[::-1].tolist()}]}, "the last row is 1 0 0 0"),
        ({"applied_transform": [[1, 2]]}, "applied_transform: expected a matrix"),
    ],
)
def test_that_a_fault_is_named(change, message) -> None:
    with pytest.raises(CalibrationError, match=message):
        read({**transforms(TRUTH), **change})


def test_that_a_matrix_that_is_no_rotation_is_a_problem() -> None:
    content = transforms(TRUTH)
    for row in content["frames"][4]["transform_matrix"][:3]:
        row[0] = -row[0]
    (problem,) = read(content).problems
    assert problem.key_path == ("frames[4].transform_matrix",)


def test_that_only_these_files_are_recognized() -> None:
    dialect = dialect_of(transforms_json(TRUTH))
    assert dialect is not None
    assert dialect.name == "nerf"
    assert dialect_of(b'{"frames": [{"matrix": [1, 2]}]}') is None
    assert dialect_of(b'- "transform_matrix": 1') is None


def test_that_damaged_files_are_calibrations_or_one_error() -> None:
    truth = circle(5)
    good = transforms_json(truth, applied_transform=APPLIED, k1=0.1, camera_angle_x=1.0)
    changes = (damage.cut, damage.change_number, damage.change_number, damage.change_word, damage.change_line)
    outcomes, messages = Counter[str](), list[str]()
    for seed in range(300):
        random = Random(seed)
        data = random.choice(changes)(random, good)
        if seed % 3 == 0:
            content = transforms(truth, applied_transform=APPLIED, camera_model="OPENCV", ply_file_path="a.ply")
            holder = random.choice([content, content["frames"][1]])
            holder[random.choice(sorted(holder))] = random.choice(damage.VALUES)
            data = json.dumps(content).encode()
        began = time.perf_counter()
        try:
            calibration = read(data)
        except FramescopeError as error:
            messages.append(str(error))
            outcomes["error"] += 1
        else:
            assert np.isfinite(calibration.pose_lists[0].X_PC.p_AB).all(), seed
            assert dialect_of(nerf.write(calibration).encode()) is not None, seed
            outcomes["read"] += 1
        assert time.perf_counter() - began < 1.0, seed
    assert min(outcomes["error"], outcomes["read"]) > 30, outcomes
    assert [text for text in messages if len(text) > 500 or not text.isprintable()] == []
