"""Answers to loops that no usual fault explains, the residual of a loop, and directions in words."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Edge, inverse_pose
from framescope.features.calibrations.core.calibration_scene import scene_of
from framescope.features.calibrations.core.rig.adjustment import Noise, Poses, loop_error
from framescope.features.calibrations.core.rig.rig import RigEdge
from framescope.features.calibrations.core.rig.scene_checks import findings_of, problem_of, rig_problems
from framescope.features.calibrations.core.rig.search import search
from framescope.features.calibrations.core.rig.words import answer_to, direction_words, size_of

rng = np.random.default_rng(5)
FRAMES = {name: Transform(Rotation.random(random_state=rng).as_matrix(), rng.uniform(-0.3, 0.3, 3)) for name in "abcde"}


def true(parent: str, child: str) -> np.ndarray:
    return (FRAMES[parent].inverse() @ FRAMES[child]).to_matrix()


def pose(parent: str, child: str, M: np.ndarray, *, is_inverse: bool = False) -> RigEdge:
    X = Transform(M[:3, :3], M[:3, 3])
    return RigEdge(Edge(parent, child, inverse_pose(X) if is_inverse else X, f"T_{parent}_{child}", is_inverse), "f")


def moved(M: np.ndarray, angle: float, shift: float) -> np.ndarray:
    D = np.eye(4)
    D[:3, :3], D[0, 3] = Rotation.from_euler("y", angle, degrees=True).as_matrix(), shift
    return D @ M


def triangle(*, third: np.ndarray, is_inverse: bool = False) -> list[RigEdge]:
    return [
        pose("a", "b", true("a", "b")),
        pose("b", "c", true("b", "c")),
        pose("a", "c", third, is_inverse=is_inverse),
    ]


@pytest.mark.parametrize(
    ("angle", "shift", "size"), [(5.0, 0.0, "5.0° and"), (0.0, 0.03, "less than 0.001° and 30 mm")]
)
def test_that_one_pose_of_a_single_loop_is_off_and_no_more_is_claimed(angle, shift, size) -> None:
    edges = triangle(third=moved(true("a", "c"), angle, shift))
    (verdict,) = search(edges)
    answer = answer_to(verdict, edges)
    assert f"is open by {size}" in answer.sentence
    assert answer.sentence.endswith("One of its three poses is off by as much: f: T_a_b, T_b_c or T_a_c.")
    assert answer.detail == "One loop cannot tell which. Another pose between two of these frames would."


@pytest.mark.parametrize("is_inverse", [False, True])
def test_that_a_matrix_that_is_no_rotation_is_named_first_with_one_residual_by_every_road(is_inverse) -> None:
    M = true("a", "c")
    M[1, 2] += 0.3
    edges = triangle(third=M, is_inverse=is_inverse)
    (verdict,) = search(edges)
    answer = answer_to(verdict, edges)
    assert answer.sentence.startswith("f: T_a_c is no rotation: its axes are not at right angles")
    scene = scene_of(Calibration("x", tuple(edge.edge for edge in edges)), "f")
    (finding,) = findings_of(compile_plan(scene))
    assert size_of(finding.verdict.loops[0]) == size_of(verdict.loops[0])
    problem = problem_of(finding)
    assert (problem.kind, problem.title, problem.message) == ("rig-pose", "no rotation", answer.sentence)
    assert problem.item == ("measured", "c from a")


def test_that_the_residual_of_a_loop_is_the_same_from_every_frame_and_in_both_directions() -> None:
    ends = ("ab", "bc", "dc", "ad")
    M = [true(*pair) for pair in ends]
    M[1] = moved(M[1], 8.0, 0.02)
    poses = Poses(np.array([m[:3, :3] for m in M]), np.array([m[:3, 3] for m in M]), np.zeros((4, 6, 6)))
    loop = ((0, True), (1, True), (2, False), (3, False))
    back = tuple((edge, not is_down) for edge, is_down in reversed(loop))
    ways = [way[k:] + way[:k] for way in (loop, back) for k in range(4)]
    errors = np.array([loop_error(way, poses) for way in ways])
    np.testing.assert_allclose(errors, np.tile(errors[0], (8, 1)), atol=1e-12)
    assert errors[0, 0] == pytest.approx(np.radians(8.0))


def noisy_rig(scale: float) -> list[RigEdge]:
    noise = np.random.default_rng(3)
    return [pose(*pair, true(*pair) @ _small(noise, scale)) for pair in itertools.combinations("abcde", 2)]


def _small(noise: np.random.Generator, scale: float) -> np.ndarray:
    D = np.eye(4)
    D[:3, :3] = Rotation.from_rotvec(noise.normal(0.0, np.radians(0.1 * scale), 3)).as_matrix()
    D[:3, 3] = noise.normal(0.0, 1e-3 * scale, 3)
    return D


def test_that_larger_noise_is_proposed_with_which_the_loops_close() -> None:
    edges = noisy_rig(2.5)
    (verdict,) = search(edges)
    answer = answer_to(verdict, edges)
    assert "With noise of 2 mm and 0.2° they close: --position-noise 2 --angle-noise 0.2." in answer.sentence
    (verdict,) = search(edges, Noise(2e-3, 0.2))
    assert verdict.state == "closed"
    assert answer.detail.startswith("Are the poses so uncertain?")


def test_that_usual_noise_closes_and_noise_far_larger_is_no_question() -> None:
    (verdict,) = search(noisy_rig(1.0))
    assert verdict.state == "closed"
    edges = noisy_rig(12.0)
    (verdict,) = search(edges)
    assert "--position-noise" not in answer_to(verdict, edges).text


def test_that_directions_have_words_only_where_the_axes_of_the_parent_are_known() -> None:
    X = Transform(np.eye(3), np.zeros(3))
    words = {name: direction_words(Edge(name, "c", X, "T")) for name in ("base_link", "chassis", "body", "imu0")}
    assert words["base_link"].endswith("x forward, y left, z up in base_link")
    assert words["chassis"].endswith("x forward, y left, z up in chassis")
    assert words["body"].endswith("x → +x, y → +y, z → +z in body")
    assert words["imu0"].endswith("x → +x, y → +y, z → +z in imu0")


def test_that_a_healthy_scene_has_no_problem() -> None:
    edges = triangle(third=true("a", "c"), is_inverse=True)
    assert list(rig_problems(compile_plan(scene_of(Calibration("x", tuple(e.edge for e in edges)), "f")))) == []
