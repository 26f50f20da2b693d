"""Notes on rigs without a loop: baselines, sides, upright images, symmetry."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Edge, Fact, Lens
from framescope.features.calibrations.core.rig.notes import notes_of
from framescope.features.calibrations.core.rig.rig import merge
from tests.support.planted_rigs import OPTICAL


def lens(frame: str) -> Lens:
    return Lens(frame, (640, 480), (400.0, 400.0), (320.0, 240.0))


def pose(parent: str, child: str, p, R=None) -> Edge:
    return Edge(parent, child, Transform(np.eye(3) if R is None else R, p), f"{child}.T")


def notes(*edges: Edge, lenses=(), facts=()) -> list[tuple[str, str]]:
    rig = merge([("rig.yaml", Calibration("x", edges, tuple(map(lens, lenses)), facts=facts))])
    return [(note.kind, note.message) for note in notes_of(rig)]


def test_that_a_right_camera_to_the_left_is_noted() -> None:
    assert notes(pose("left", "right", [0.12, 0.0, 0.001])) == []
    assert notes(pose("left", "right", [0.0, -0.12, 0.0])) == [], "the frames may have body axes"
    assert notes(pose("cam_left", "cam_right", [-0.12, 0.0, 0.0])) == [
        ("sides", "cam_right is 0.12 m to the left of cam_left in the image of cam_left.")
    ]


@pytest.mark.parametrize("value", [0.12, -0.12])
def test_that_a_baseline_that_is_not_the_distance_is_noted(value: float) -> None:
    facts = (Fact("right.P", "baseline to the left camera", value, "m"),)
    assert notes(pose("left", "right", [0.121, 0.0, 0.0]), lenses=("left", "right"), facts=facts) == []
    (found,) = notes(pose("left", "right", [0.4, 0.0, 0.0]), lenses=("left", "right"), facts=facts)
    assert found == ("baseline", "rig.yaml: right.P has a baseline of 0.12 m, and right is 0.4 m from left.")


def test_that_a_baseline_times_a_focal_length_is_compared() -> None:
    facts = (Fact("Camera.bf", "baseline times focal length", 48.0, "px m"),)
    assert notes(pose("cam0", "cam1", [0.12, 0.0, 0.0]), lenses=("cam0", "cam1"), facts=facts) == []
    ((kind, _),) = notes(pose("cam0", "cam1", [0.2, 0.0, 0.0]), lenses=("cam0", "cam1"), facts=facts)
    assert kind == "baseline"


@pytest.mark.parametrize(("roll", "word"), [(0.0, ""), (20.0, ""), (90.0, "on its side"), (180.0, "upside down")])
def test_that_an_image_is_upright_on_a_body(roll: float, word: str) -> None:
    R = OPTICAL.T @ Rotation.from_euler("z", roll, degrees=True).as_matrix()
    found = notes(pose("base_link", "cam0", [0.5, 0.0, 1.0], R), lenses=("cam0",))
    assert [kind for kind, _ in found] == (["upright"] if word else [])
    assert all(word in message for _, message in found)


def test_symmetry_on_a_body() -> None:
    def both(left, right, R=None):
        return notes(pose("base_link", "front_left", left), pose("base_link", "front_right", right, R))

    assert both([1.0, 0.5, 0.3], [1.0, -0.5, 0.3]) == []
    assert both([1.0, 0.5, 0.3], [1.0, 0.5, 0.0])[0][0] == "symmetry"
    assert both([1.0, -0.5, 0.3], [1.0, 0.5, 0.3]) == [
        ("symmetry", "front_left is to the right of front_right on base_link.")
    ]
    turned = Rotation.from_euler("z", 30.0, degrees=True).as_matrix()
    assert "is turned by 30° from" in both([1.0, 0.5, 0.3], [1.0, -0.5, 0.3], turned)[0][1]
