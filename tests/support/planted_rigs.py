"""Rigs of sensors with planted faults, made by SciPy alone: they know nothing of the search that is tried on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

POSITION_NOISE, ANGLE_NOISE = 1e-3, 0.1
"""Standard deviations of each axis, m and degrees."""

OPTICAL = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]])


@dataclass(frozen=True)
class PlantedPose:
    """Matrix (4, 4) of a file: it takes points of the child to the parent, or back if `is_inverse`."""

    parent: str
    child: str
    matrix: np.ndarray
    entry: str
    is_inverse: bool


@dataclass(frozen=True)
class PlantedRig:
    """Rig with the entries that are wrong and the kinds of their faults, as the search names them."""

    poses: tuple[PlantedPose, ...]
    entries: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


def matrix_of(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    M = np.eye(4)
    M[:3, :3], M[:3, 3] = R, p
    return M


def wrong_matrix(kind: str, M: np.ndarray) -> np.ndarray:
    """Return a matrix with a fault."""
    R, p = M[:3, :3], M[:3, 3]
    mirror = np.diag([1.0, -1.0, 1.0])
    match kind:
        case "inverted":
            return np.linalg.inv(M)
        case "transposed":
            return matrix_of(R.T, p)
        case "position inverted":
            return matrix_of(R, -R.T @ p)
        case "other axes":
            return matrix_of(R @ OPTICAL, p)
        case "millimetres":
            return matrix_of(R, 1000.0 * p)
        case "centimetres":
            return matrix_of(R, 100.0 * p)
        case "mirrored":
            return matrix_of(mirror @ R @ mirror, mirror @ p)
        case _:
            raise ValueError(kind)


KINDS = ("inverted", "transposed", "position inverted", "other axes", "millimetres", "centimetres", "mirrored")


def planted_rig(seed: int, n_faults: int = 1) -> PlantedRig:
    """Return a rig of 3 to 8 sensors with loops and so many wrong entries, in sight of noise."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    names = [f"sensor{i}" for i in range(n)]
    R = Rotation.random(n, random_state=rng).as_matrix()
    p = rng.uniform(-0.6, 0.6, (n, 3))
    pairs = [(int(rng.integers(k)), k) for k in range(1, n)]
    more = int(rng.integers(1, 4)) + n_faults - 1
    pairs += [tuple(sorted(rng.choice(n, 2, replace=False).tolist())) for _ in range(more)]
    poses = []
    for k, (i, j) in enumerate(pairs):
        noise = Rotation.from_rotvec(np.radians(ANGLE_NOISE) * rng.normal(size=3)).as_matrix()
        M = np.linalg.inv(matrix_of(R[i], p[i])) @ matrix_of(R[j], p[j])
        M = M if k % 2 else np.linalg.inv(M)
        M = matrix_of(M[:3, :3] @ noise, M[:3, 3] + POSITION_NOISE * rng.normal(size=3))
        poses.append(PlantedPose(names[i], names[j], M, f"entry{k}", k % 2 == 0))
    wrong = sorted(rng.choice(len(poses), n_faults, replace=False).tolist())
    kinds = [str(rng.choice(KINDS)) for _ in wrong]
    for k, kind in zip(wrong, kinds, strict=True):
        pose = poses[k]
        poses[k] = PlantedPose(pose.parent, pose.child, wrong_matrix(kind, pose.matrix), pose.entry, pose.is_inverse)
    return PlantedRig(tuple(poses), tuple(poses[k].entry for k in wrong), tuple(kinds))
