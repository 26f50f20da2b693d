"""Sensor calibrations of EuRoC and TUM-VI: T_BS takes points of the sensor to the body."""

from __future__ import annotations

import difflib
from dataclasses import replace

import numpy as np
import pytest

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError
from framescope.features.calibrations.core.calibration_scene import scene_of
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects.euroc import EUROC
from framescope.features.calibrations.core.dialects.registry import dialect_of

CAMERA = """\
#Sensor of a rig built for this test
sensor_type: camera
comment: front camera

# Sensor extrinsics wrt. the body-frame.
T_BS:
  cols: 4
  rows: 4
  data: [0.0, 0.6, 0.8, 0.25,   # to the body
        -1.0, 0.0, 0.0, -0.0625,
         0.0, -0.8, 0.6, 0.5,
         0.0, 0.0, 0.0, 1.0]

# Camera specific definitions.
rate_hz: 25
resolution: [800, 600]
camera_model: pinhole
intrinsics: [512.5, 513.25, 401.0, 299.5] #fu, fv, cu, cv
distortion_model: radial-tangential
distortion_coefficients: [-0.25, 0.0625, 0.001, -0.002]
"""
FISHEYE = CAMERA.replace("radial-tangential", "equidistant")
IMU = """\
sensor_type: imu
comment: an IMU
T_BS:
  cols: 4
  rows: 4
  data: [1.0, 0.0, 0.0, 0.0,
         0.0, 1.0, 0.0, 0.0,
         0.0, 0.0, 1.0, 0.0,
         0.0, 0.0, 0.0, 1.0]
rate_hz: 200
gyroscope_noise_density: 1.5e-04     # [ rad / s / sqrt(Hz) ]
gyroscope_random_walk: 2.5e-05
accelerometer_noise_density: 2.0000e-3
accelerometer_random_walk: 3.0000e-3
"""


def read(text: str, name: str = "sensor.yaml", folder: str = "cam1") -> Calibration:
    assert dialect_of(text.encode()) is EUROC
    return EUROC.read(Source(name, text.encode(), folder))


def test_that_points_of_the_sensor_are_taken_to_the_body() -> None:
    (edge,) = read(CAMERA).edges
    assert (edge.parent, edge.child, edge.entry) == ("body", "cam1", "T_BS")
    assert edge.words == "takes points of cam1 to body"
    # The point 2 m ahead of the camera, by hand: 0.8 * 2 + 0.25, -0.0625, 0.6 * 2 + 0.5.
    np.testing.assert_allclose(edge.X_PC @ [0.0, 0.0, 2.0], [1.85, -0.0625, 1.7], atol=1e-15)
    assert edge.doubt == ""


@pytest.mark.parametrize(
    ("name", "folder", "frame"),
    [
        ("sensor.yaml", "cam0", "cam0"),
        ("calibration.yaml", "imu0", "imu0"),
        ("left.yaml", "cam0", "left"),
        ("sensor.yaml", "", "sensor"),
        ("body.yaml", "", "sensor"),
        ("world.yaml", "", "sensor"),
    ],
)
def test_that_the_frame_is_named_by_the_folder_or_the_file(name, folder, frame) -> None:
    calibration = read(CAMERA, name, folder)
    assert [edge.child for edge in calibration.edges] == [frame]
    assert [lens.frame for lens in calibration.lenses] == [frame]
    assert list(scene_of(calibration, name).frames) == ["body", frame]


def test_that_the_lens_and_the_noise_are_read() -> None:
    (lens,) = read(CAMERA).lenses
    assert (lens.size, lens.focal, lens.center) == ((800, 600), (512.5, 513.25), (401.0, 299.5))
    assert (lens.model, lens.coefficients) == ("radtan", (-0.25, 0.0625, 0.001, -0.002))
    assert read(FISHEYE).lenses[0].model == "equidistant"
    facts = {fact.entry: (fact.value, fact.unit) for fact in read(IMU, folder="imu0").facts}
    assert facts["gyroscope_noise_density"] == (1.5e-4, "rad/s/√Hz")
    assert facts["rate_hz"] == (200.0, "Hz")
    assert len(facts) == 5


def test_that_sections_and_json_are_read_too() -> None:
    inner = "\n".join(f"  {line}" for line in CAMERA.splitlines())
    both = read(f"left:\n{inner}\nright:\n{inner}\n")
    assert [(edge.child, edge.entry) for edge in both.edges] == [("left", "left.T_BS"), ("right", "right.T_BS")]
    rows = "[[1, 0, 0, 0.5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]"
    (edge,) = read(f'{{"T_BS": {rows}}}').edges
    assert edge.X_PC.p_AB.tolist() == [0.5, 0, 0]


def test_that_a_matrix_of_the_other_direction_shows_where_it_leads() -> None:
    """A file whose author wrote body to sensor: the dialect states the direction, so the pose is what the file says."""
    (right,) = read(CAMERA).edges
    M = right.X_PC.inverse().to_matrix()
    data = ", ".join(map(repr, M.ravel().tolist()))
    text = CAMERA[: CAMERA.index("  data")] + f"  data: [{data}]\n"
    (wrong,) = read(text).edges
    np.testing.assert_allclose(wrong.X_PC.inverse().p_AB, right.X_PC.p_AB, atol=1e-15)
    assert np.linalg.norm(wrong.X_PC.p_AB - right.X_PC.p_AB) > 0.1
    assert wrong.words == "takes points of cam1 to body"


@pytest.mark.parametrize("text", [CAMERA, FISHEYE, IMU])
def test_that_what_is_written_is_read_the_same(text) -> None:
    first = read(text)
    written = EUROC.write(first)
    assert "# T_BS takes points of cam1 to body" in written
    second = read(written)
    np.testing.assert_array_equal(second.edges[0].X_file.to_matrix(), first.edges[0].X_file.to_matrix())
    assert [replace(lens, name="").__dict__ for lens in second.lenses] == [
        replace(lens, name="").__dict__ for lens in first.lenses
    ]
    assert [fact.__dict__ for fact in second.facts] == [fact.__dict__ for fact in first.facts]


def test_that_a_patch_changes_the_numbers_alone() -> None:
    (edge,) = read(CAMERA).edges
    moved = Transform(edge.X_file.R_AB, edge.X_file.p_AB + np.array([0.0, 0.0, 0.1]))
    patched = EUROC.patch(CAMERA, (replace(edge, X_file=moved),))
    diff = [line[2:] for line in difflib.ndiff(CAMERA.split("\n"), patched.split("\n")) if line[0] in "+-"]
    assert diff == ["         0.0, -0.8, 0.6, 0.5,", "         0.0, -0.8, 0.6, 0.6,"]
    assert EUROC.patch(CAMERA, (edge,)) == CAMERA


def test_that_a_calibration_of_two_sensors_is_not_written_to_one_file() -> None:
    first = read(CAMERA)
    other = replace(first.edges[0], child="cam2")
    with pytest.raises(CalibrationError, match="one sensor"):
        EUROC.write(replace(first, edges=(*first.edges, other)))
    bent = replace(first.lenses[0], coefficients=(-0.2, 0.1, 0.0, 0.0, 0.3))
    with pytest.raises(CalibrationError, match="k3"):
        EUROC.write(replace(first, lenses=(bent,)))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("rows: 4", "rows: 3", "T_BS: expected 3 x 4 numbers, got 16"),
        ("0.25,   # to the body", "x,", "expected numbers, got 'x'"),
        ("0.0, 0.0, 0.0, 1.0]", "0.0, 0.0, 0.0, 2.0]", "last row"),
    ],
)
def test_that_a_fault_is_one_error_with_its_place(old, new, words) -> None:
    with pytest.raises(CalibrationError, match=words.replace("[", r"\[")):
        read(CAMERA.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("intrinsics: [512.5, ", "intrinsics: [", "fu, fv, cu, cv"),
        ("512.5", "0.0", "focal"),
        ("[800, 600]", "[800]", "resolution"),
        ("0.001, -0.002]", "0.001]", "radtan"),
    ],
)
def test_that_a_lens_with_a_fault_leaves_the_pose(old, new, words) -> None:
    calibration = read(CAMERA.replace(old, new))
    assert len(calibration.edges) == 1
    assert calibration.lenses == ()
    (problem,) = calibration.problems
    assert (problem.severity, problem.where) == ("red", "intrinsics")
    assert words in problem.message


def test_that_a_mirrored_matrix_is_a_problem() -> None:
    calibration = read(CAMERA.replace("-1.0, 0.0, 0.0, -0.0625", "1.0, 0.0, 0.0, -0.0625"))
    (problem,) = calibration.problems
    assert problem.kind == "left-handed"
    assert problem.where == "T_BS"


def test_that_okvis_is_not_taken_for_euroc() -> None:
    okvis = "cameras:\n    - {T_SC:\n        [1, 0],\n      }\nimu_params:\n    T_BS:\n        [1, 0]\n"
    assert dialect_of(okvis.encode()) is not EUROC
