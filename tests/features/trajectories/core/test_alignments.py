"""Alignments: by points, poses, yaw and origin, with scale, by the first pairs, and what leaves them open."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.trajectories.core.alignments import IDENTITY, align
from framescope.features.trajectories.core.pose_stream import StreamError
from tests.support.plain_trajectories import matrices, random_trajectory, umeyama


@pytest.fixture
def random():
    return np.random.default_rng(3)


def moved_back(random, p, q, scale=1.0, R=None):
    """Return poses of which a similarity makes p and q, and the rotation and translation of it."""
    R = Rotation.from_quat(random.normal(size=4)) if R is None else R
    t = random.normal(size=3)
    return (R.inv().apply(p - t) / scale, (R.inv() * Rotation.from_quat(q)).as_quat()), R.as_matrix(), t


@pytest.mark.parametrize("kind", ["points", "poses"])
@pytest.mark.parametrize("scale", [1.0, 0.37])
def test_that_a_planted_similarity_is_found_to_rounding(random, kind, scale) -> None:
    _, p, q = random_trajectory(random)
    estimate, R, t = moved_back(random, p, q, scale)
    found = align(kind, (p, q), estimate, has_scale=scale != 1.0)
    assert np.abs(found.R - R).max() < 1e-12
    assert np.abs(found.t - t).max() < 1e-11
    assert abs(found.s - scale) < 1e-12


def test_that_points_agree_with_umeyama_pair_by_pair(random) -> None:
    _, p, q = random_trajectory(random)
    _, other, q_other = random_trajectory(random)
    for has_scale in (False, True):
        R, t, s = umeyama(p, other, has_scale=has_scale)
        found = align("points", (p, q), (other, q_other), has_scale=has_scale)
        assert max(np.abs(found.R - R).max(), np.abs(found.t - t).max(), abs(found.s - s)) < 1e-12


def test_that_yaw_turns_about_z_alone(random) -> None:
    _, p, q = random_trajectory(random)
    estimate, R, _ = moved_back(random, p, q, R=Rotation.from_rotvec([0.0, 0.0, 1.2]))
    found = align("yaw", (p, q), estimate)
    assert np.abs(found.R - R).max() < 1e-12
    tilted, *_ = moved_back(random, p, q)
    assert align("yaw", (p, q), tilted).R[2].tolist() == [0.0, 0.0, 1.0]


def test_that_the_first_poses_agree_after_an_alignment_of_origins(random) -> None:
    _, p, q = random_trajectory(random)
    _, other, q_other = random_trajectory(random)
    p_new, q_new = align("origin", (p, q), (other, q_other)).moved(other, q_other)
    assert np.abs(matrices(p_new[:1], q_new[:1])[0] - matrices(p[:1], q[:1])[0]).max() < 1e-12


def test_that_only_the_first_pairs_decide(random) -> None:
    _, p, q = random_trajectory(random)
    estimate, R, _ = moved_back(random, p, q)
    spoilt = estimate[0].copy()
    spoilt[50:] += 7.0
    assert np.abs(align("points", (p, q), (spoilt, estimate[1]), first=40).R - R).max() < 1e-10
    with pytest.raises(StreamError, match="1 to 120 pairs"):
        align("points", (p, q), estimate, first=0)


@pytest.mark.parametrize("p", [np.zeros((20, 3)), np.outer(np.arange(20.0), [1.0, 2.0, 3.0])])
def test_that_points_in_a_line_leave_the_rotation_open_but_poses_do_not(random, p) -> None:
    q = random_trajectory(random, 20)[2]
    with pytest.raises(StreamError, match=r"leave the rotation open\. Align by poses"):
        align("points", (p, q), (p, q))
    assert np.abs(align("poses", (p, q), (p, q)).R - np.eye(3)).max() < 1e-12


def test_that_a_path_above_one_point_leaves_the_heading_open(random) -> None:
    p = np.outer(np.arange(20.0), [0.0, 0.0, 1.0])
    with pytest.raises(StreamError, match="heading open"):
        align("yaw", (p, random_trajectory(random, 20)[2]), (p, random_trajectory(random, 20)[2]))


def test_that_a_mirrored_path_gets_a_rotation_and_no_mirror(random) -> None:
    _, p, q = random_trajectory(random)
    found = align("points", (p * [1.0, 1.0, -1.0], q), (p, q))
    assert np.linalg.det(found.R) > 0.999


def test_that_nothing_moves_without_an_alignment(random) -> None:
    _, p, q = random_trajectory(random)
    assert align("none", (p, q), (p + 1.0, q)) is IDENTITY
    assert abs(align("none", (2.0 * p, q), (p, q), has_scale=True).s - 2.0) < 1e-12
    assert align("none", (2.0 * p, q), (p, q), has_scale=True).matrix()[3].tolist() == [0.0, 0.0, 0.0, 1.0]
