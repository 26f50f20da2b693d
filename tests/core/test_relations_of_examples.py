"""Relations on every example scene, in every choice of three frames: against differences of the poses alone.

What is expected is made of the poses of frames in world, with numpy: the pose of B in A, its derivatives as A sees
them, and only then another frame to resolve in. Accelerations are differences of velocities that were held against the
poses just before: second differences of poses would lose half of the digits.

Tolerances are those of `test_examples`: 1e-8 of the size of the motion, 1e-6 where bodies are simulated. A frame that
is integrated with an error is no rotation any more, and does not turn quite as it says; its numbers may be off by as
much.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.relative_motion import relation
from framescope.core.scene.schema.model import WORLD
from tests.tools.test_examples import (
    NAMES,
    STEP_S,
    drift_of,
    lineage,
    loaded,
    plan_of,
    sample_times,
    size_of,
    tolerance_of,
)

pytestmark = pytest.mark.long

ALL_UP_TO = 6
"""Frames of a scene of which every triple is looked at."""

SAMPLED = 30
"""Triples of a larger scene, besides those with the world in each of the three places."""

TIMES = 4
"""Of a scene: enough to meet every phase of it, away from where derivatives jump."""


def triples_of(plan: Plan) -> list[tuple[str, str, str]]:
    """Return frames as of, relative to, resolved in: all, or a seeded sample of many."""
    names = list(plan.names)
    if len(names) <= ALL_UP_TO:
        return list(itertools.product(names, repeat=3))
    rng = np.random.default_rng(20261121)
    chosen = [tuple(names[i] for i in rng.choice(len(names), 3)) for _ in range(SAMPLED)]
    world_and = [WORLD, *chosen[0][:2]]
    return chosen + list(itertools.product(world_and, repeat=3))


class Poses:
    """Poses of all frames in world, in the motion that has rates, sampled around each of some times."""

    def __init__(self, plan: Plan, t: np.ndarray) -> None:
        self.shifts = (0.0, STEP_S, -STEP_S, STEP_S / 2, -STEP_S / 2)
        self.snapshots = [evaluate(plan, t + shift).smoothed for shift in self.shifts]
        self.index = plan.index

    def around(self, values) -> tuple[np.ndarray, np.ndarray]:
        """Return what is made of the snapshots, now, and its derivative: central differences after Richardson."""
        now, ahead, behind, half_ahead, half_behind = (values(snapshot) for snapshot in self.snapshots)
        return now, (4.0 * (half_ahead - half_behind) / STEP_S - (ahead - behind) / (2.0 * STEP_S)) / 3.0

    def position(self, snapshot, of: str, relative_to: str) -> np.ndarray:
        """Return the position of one origin from another, resolved in the latter's frame."""
        i, j = self.index[of], self.index[relative_to]
        return np.einsum("tji,tj->ti", snapshot.R_WF[:, j], snapshot.p_WF[:, i] - snapshot.p_WF[:, j])

    def rotation(self, snapshot, of: str, relative_to: str) -> np.ndarray:
        """Return the columns of one frame's axes, resolved in the other."""
        return np.einsum("tji,tjk->tik", snapshot.R_WF[:, self.index[relative_to]], snapshot.R_WF[:, self.index[of]])


def turned(poses: Poses, v: np.ndarray, relative_to: str, resolved_in: str) -> np.ndarray:
    """Return vectors resolved in one frame as they are resolved in another."""
    return np.einsum("tij,tj->ti", poses.rotation(poses.snapshots[0], relative_to, resolved_in), v)


def axial(S: np.ndarray) -> np.ndarray:
    """Return the vectors of matrices, of which it averages what should be skew."""
    return 0.5 * np.stack([S[:, 2, 1] - S[:, 1, 2], S[:, 0, 2] - S[:, 2, 0], S[:, 1, 0] - S[:, 0, 1]], axis=-1)


@pytest.mark.parametrize("name", NAMES)
def test_that_relations_are_derivatives_of_relative_poses_in_every_choice_of_frames(name) -> None:
    plan, scene = plan_of(name), loaded(name).scene
    times = sample_times(name)
    t = times[:: max(1, len(times) // TIMES)]
    poses = Poses(plan, t)
    now = poses.snapshots[0]

    def slack_of(frame: str) -> float:
        """Return by how much the matrix of a frame that is integrated is no rotation, or does not turn as it says."""
        i = plan.index[frame]
        drift = drift_of(scene, frame, now.w_WF_F[:, i], now.b_WF_F[:, i])
        off = np.abs(np.einsum("tij,tkj->tik", now.R_WF[:, i], now.R_WF[:, i]) - np.eye(3)).max()
        return drift + off if drift else 0.0

    for (of, relative_to), same in itertools.groupby(sorted(triples_of(plan)), key=lambda triple: triple[:2]):
        p, der_p = poses.around(lambda at, of=of, to=relative_to: poses.position(at, of, to))
        R, der_R = poses.around(lambda at, of=of, to=relative_to: poses.rotation(at, of, to))
        V, der_V = poses.around(lambda at, of=of, to=relative_to: relation(at, of, to, to).V)
        w = axial(np.einsum("tij,tkj->tik", der_R, R))
        close = max([tolerance_of(scene, each) for each in (of, relative_to) if lineage(scene, each)], default=1e-8)
        for _, _, resolved_in in same:
            found = relation(now, of, relative_to, resolved_in)
            slack = sum(slack_of(each) for each in {of, relative_to, resolved_in})
            size = max(size_of(V), size_of(der_V)) * max(1.0, float(np.abs(p).max()))
            tolerance = (close + slack) * size
            what = f"{of} relative to {relative_to} in {resolved_in}"
            expected = (
                (found.p, p, "position"),
                (found.V[:, 3:], der_p, "velocity"),
                (found.V[:, :3], w, "angular velocity"),
                (found.A[:, 3:], der_V[:, 3:], "acceleration"),
                (found.A[:, :3], der_V[:, :3], "angular acceleration"),
            )
            for shown, seen, quantity in expected:
                in_C = turned(poses, seen, relative_to, resolved_in)
                assert_allclose(shown, in_C, rtol=0, atol=tolerance, err_msg=f"{quantity} of {what}")
            assert_allclose(np.swapaxes(found.R.T, -1, -2), R, rtol=0, atol=1e-13, err_msg=f"orientation of {what}")
