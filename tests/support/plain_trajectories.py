"""Errors of trajectories by their published definitions, pair by pair with 4 x 4 matrices: slow, and easy to check.

The definitions are those of the papers on the TUM RGB-D benchmark (Sturm et al., 2012), of Kümmerle et al. (2009) and
of Umeyama (1991), and of evo's documentation for the choice of steps.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial.transform import Rotation


def matrices(p, q):
    poses = []
    for position, quaternion in zip(p, q, strict=True):
        X = np.eye(4)
        X[:3, :3] = Rotation.from_quat(quaternion).as_matrix()
        X[:3, 3] = position
        poses.append(X)
    return poses


def inverse(X):
    out = np.eye(4)
    out[:3, :3] = X[:3, :3].T
    out[:3, 3] = -X[:3, :3].T @ X[:3, 3]
    return out


def umeyama(reference, estimate, *, has_scale):
    """Return R, t and s of Umeyama's least squares: reference ~ s R estimate + t."""
    n = len(reference)
    mean, mean_est = sum(reference) / n, sum(estimate) / n
    variance = sum(float((x - mean_est) @ (x - mean_est)) for x in estimate) / n
    covariance = np.zeros((3, 3))
    for y, x in zip(reference, estimate, strict=True):
        covariance += np.outer(y - mean, x - mean_est) / n
    U, d, Vt = np.linalg.svd(covariance)
    signs = [1.0, 1.0, math.copysign(1.0, np.linalg.det(U) * np.linalg.det(Vt))]
    R = U @ np.diag(signs) @ Vt
    s = float(np.dot(d, signs)) / variance if has_scale else 1.0
    return R, mean - s * R @ mean_est, s


def aligned(reference, estimate, *, align=False, correct_scale=False, n_to_align=-1, align_origin=False):
    """Return the estimated poses after evo's alignment with these options."""
    chosen = slice(None) if n_to_align == -1 else slice(0, n_to_align)
    out = [X.copy() for X in estimate]
    if align or correct_scale:
        points = [[X[:3, 3] for X in poses[chosen]] for poses in (reference, estimate)]
        R, t, s = umeyama(*points, has_scale=correct_scale)
        for X in out:
            X[:3, 3] *= s
        if align:
            M = np.eye(4)
            M[:3, :3], M[:3, 3] = R, t
            out = [M @ X for X in out]
    if align_origin:
        M = reference[0] @ inverse(out[0])
        out = [M @ X for X in out]
    return out


def size_of(E, relation):
    match relation:
        case "trans_part" | "point_distance":
            return float(np.linalg.norm(E[:3, 3]))
        case "rot_part":
            return float(np.linalg.norm(E[:3, :3] - np.eye(3)))
        case "full":
            return float(np.linalg.norm(E - np.eye(4)))
        case "angle_rad":
            return float(np.linalg.norm(Rotation.from_matrix(E[:3, :3]).as_rotvec()))
        case "angle_deg":
            return math.degrees(float(np.linalg.norm(Rotation.from_matrix(E[:3, :3]).as_rotvec())))
    raise AssertionError(relation)


def plain_ape(reference, estimate, relation):
    return np.array([size_of(inverse(X) @ Y, relation) for X, Y in zip(reference, estimate, strict=True)])


def plain_steps(poses, delta, unit, *, all_pairs=False, tolerance=0.1):
    n = len(poses)
    if unit == "f":
        k = int(delta)
        return [(i, i + k) for i in range(0, n, 1 if all_pairs else k) if i + k < n]

    def way(i, j):
        X = inverse(poses[i]) @ poses[j]
        if unit == "m":
            return float(np.linalg.norm(poses[j][:3, 3] - poses[i][:3, 3]))
        return size_of(X, "angle_rad" if unit == "r" else "angle_deg")

    if not all_pairs:
        return _one_after_the_other([way(j - 1, j) for j in range(1, n)], delta)
    if unit == "m":
        return _nearest_along([way(j - 1, j) for j in range(1, n)], delta, tolerance)
    return [(i, j) for i in range(n - 1) for j in range(i + 1, n) if abs(way(i, j) - delta) <= tolerance * delta]


def _one_after_the_other(ways, delta):
    steps, begin, total = [], 0, 0.0
    for j, way in enumerate(ways, 1):
        total += way
        if total >= delta:
            steps.append((begin, j))
            begin, total = j, 0.0
    return steps


def _nearest_along(ways, delta, tolerance):
    steps = []
    for i in range(len(ways)):
        along, total = [], 0.0
        for way in ways[i:]:
            total += way
            along.append(abs(total - delta))
        best = int(np.argmin(along))
        if along[best] <= tolerance * delta:
            steps.append((i, i + 1 + best))
    return steps


def plain_rpe(reference, estimate, relation, steps):
    out = []
    for i, j in steps:
        X, Y = inverse(reference[i]) @ reference[j], inverse(estimate[i]) @ estimate[j]
        if relation in ("point_distance", "point_distance_error_ratio"):
            lengths = [float(np.linalg.norm(step[:3, 3])) for step in (X, Y)]
            error = abs(lengths[0] - lengths[1])
            if relation == "point_distance":
                out.append(error)
            elif lengths[0] > 0.0:
                out.append(100.0 * error / lengths[0])
        else:
            out.append(size_of(inverse(X) @ Y, relation))
    return np.array(out)


def plain_statistics(errors):
    n = len(errors)
    ordered = sorted(float(e) for e in errors)
    sse = math.fsum(e * e for e in ordered)
    mean = math.fsum(ordered) / n
    middle = ordered[n // 2] if n % 2 else 0.5 * (ordered[n // 2 - 1] + ordered[n // 2])
    std = math.sqrt(math.fsum((e - mean) ** 2 for e in ordered) / n)
    return {
        "rmse": math.sqrt(sse / n),
        "mean": mean,
        "median": middle,
        "std": std,
        "min": ordered[0],
        "max": ordered[-1],
        "sse": sse,
    }


def random_trajectory(random, n=120):
    """Return times, positions and quaternions of a smooth random drive."""
    t = np.cumsum(random.uniform(0.02, 0.08, n))
    p = np.cumsum(random.normal(0.0, 0.1, (n, 3)) + np.array([0.05, 0.02, 0.0]), axis=0)
    turns = Rotation.from_rotvec(random.normal(0.0, 0.1, (n, 3)))
    q, now = [], Rotation.random(random_state=int(random.integers(1 << 30)))
    for i in range(n):
        now = now * turns[i]
        q.append(now.as_quat())
    return t, p, np.array(q)


def estimate_of(random, p, q, scale=1.0):
    """Return a noisy estimate of a trajectory in another world, with a drift and a scale."""
    n = len(p)
    W = Rotation.random(random_state=int(random.integers(1 << 30)))
    drift = np.linspace(0.0, 0.3, n)[:, None] * random.normal(size=3)
    p_est = scale * W.apply(p + drift + random.normal(0.0, 0.02, p.shape)) + random.normal(size=3)
    noise = Rotation.from_rotvec(random.normal(0.0, 0.03, (n, 3)))
    return p_est, (W * Rotation.from_quat(q) * noise).as_quat()
