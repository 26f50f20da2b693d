"""Rigs of cameras, inertial sensors and scanners with one wrong entry, and whether their loops can tell which.

SciPy and NumPy alone make the rigs and judge them, so that an error of the search cannot hide in the expected answer.
A loop can tell if every other explanation of the noise-free numbers, of another entry or of another kind, leaves a
chi-square of more than 9: three standard errors (`rivals`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.transform import Rotation

POSITION_NOISE_M, ANGLE_NOISE_DEG = 1e-3, 0.1
"""Standard deviations of each axis."""

FAULTS = ("inverted", "transposed", "other axes", "millimetres", "mirrored")
"""Kinds of planted faults."""

CAN_TELL = 9.0
"""Chi-square that the best rival leaves at least where a loop can tell."""

OPTICAL_IN_BODY = np.array([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]])
"""Columns: axes of a camera (x right, y down, z forward) in a body (x forward, y left, z up)."""

Array = np.ndarray


@dataclass(frozen=True)
class Entry:
    """Pose as a file has it: ``matrix`` takes points of `start` to `end`; `parent` is the one of both that carries."""

    name: str
    parent: str
    child: str
    matrix: Array
    is_inverse: bool


@dataclass(frozen=True)
class Rig:
    """Entries of a rig; `wrong` is the name of the wrong one, empty for a healthy rig; `fault` is its kind."""

    entries: tuple[Entry, ...]
    wrong: str = ""
    fault: str = ""
    can_tell: bool = False


def pose(R: Array, p: Array) -> Array:
    """Return a homogeneous matrix."""
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = R, p
    return X


def rig(seed: int, *, is_healthy: bool = False) -> Rig:
    """Return a rig of 3 to 8 sensors with at least one loop, with noise, and with one wrong entry unless healthy."""
    rng = np.random.default_rng([51, seed])
    truth = _sensors(rng)
    names = list(truth)
    pairs = [(names[int(rng.integers(k))], names[k]) for k in range(1, len(names))]
    others = [pair for pair in itertools.combinations(names, 2) if pair not in pairs]
    n_loops = int(rng.integers(1, 1 + min(4, len(others))))
    pairs += [others[k] for k in rng.choice(len(others), n_loops, replace=False)]
    exact = []
    for k, (parent, child) in enumerate(pairs):
        X = np.linalg.inv(truth[parent]) @ truth[child]
        is_inverse = bool(rng.random() < 0.5)
        exact.append(Entry(f"T{k}", parent, child, np.linalg.inv(X) if is_inverse else X, is_inverse))
    noisy = [replace(entry, matrix=_with_noise(entry.matrix, rng)) for entry in exact]
    if is_healthy:
        return Rig(tuple(noisy))
    k, fault = int(rng.integers(len(exact))), FAULTS[int(rng.integers(len(FAULTS)))]
    axes = _likely_axes(rng)
    noisy[k] = replace(noisy[k], matrix=_spoil(noisy[k].matrix, fault, axes))
    exact[k] = replace(exact[k], matrix=_spoil(exact[k].matrix, fault, axes))
    return Rig(tuple(noisy), exact[k].name, fault, min(rivals(exact, exact[k].name, fault), default=np.inf) > CAN_TELL)


def _sensors(rng: np.random.Generator) -> dict[str, Array]:
    """Return the poses of a body and its sensors in the world."""
    mounts = [np.eye(3), Rotation.from_euler("z", 90, degrees=True).as_matrix(), np.diag([1.0, -1, -1])]
    poses = {"base": pose(Rotation.random(random_state=rng).as_matrix(), rng.uniform(-2, 2, 3))}
    for k in range(int(rng.integers(3, 9)) - 1):
        kind = ("cam", "imu", "lidar")[int(rng.integers(3))]
        R = mounts[int(rng.integers(3))] @ Rotation.from_rotvec(rng.normal(0, 0.2, 3)).as_matrix()
        R = R @ OPTICAL_IN_BODY if kind == "cam" else R
        poses[f"{kind}{k}"] = poses["base"] @ pose(R, rng.uniform(-0.5, 0.5, 3))
    return poses


def _with_noise(X: Array, rng: np.random.Generator) -> Array:
    turn = Rotation.from_rotvec(np.radians(ANGLE_NOISE_DEG) * rng.normal(size=3)).as_matrix()
    return pose(X[:3, :3] @ turn, X[:3, 3] + POSITION_NOISE_M * rng.normal(size=3))


def _likely_axes(rng: np.random.Generator) -> tuple[Array, bool]:
    """Return a change of axes that people mistake, and whether it is on the left."""
    changes = (OPTICAL_IN_BODY, OPTICAL_IN_BODY.T, np.diag([1.0, -1, -1]), np.diag([-1.0, -1, 1]))
    return changes[int(rng.integers(len(changes)))], bool(rng.random() < 0.5)


def _spoil(X: Array, fault: str, axes: tuple[Array, bool]) -> Array:
    """Return a matrix with a fault."""
    R, p = X[:3, :3], X[:3, 3]
    if fault == "inverted":
        return np.linalg.inv(X)
    if fault == "transposed":
        return pose(R.T, p)
    if fault == "millimetres":
        return pose(R, 1000.0 * p)
    if fault == "mirrored":
        flip = np.diag([1.0, -1, 1])
        return pose(flip @ R @ flip, flip @ p)
    change, is_left = axes
    return pose(change @ R, change @ p) if is_left else pose(R @ change, p)


# --- Other explanations


def _explanations(X: Array) -> Iterator[tuple[str, Array]]:
    """Yield what a matrix may have meant, by the kind of its fault."""
    R, p = X[:3, :3], X[:3, 3]
    yield "inverted", np.linalg.inv(X)
    yield "transposed", pose(R.T, p)
    yield "millimetres", pose(R, p / 1000.0)
    for k in range(3):
        flip = np.eye(3)
        flip[k, k] = -1.0
        yield "mirrored", pose(flip @ R @ flip, flip @ p)
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1.0, -1.0), repeat=3):
            change = np.zeros((3, 3))
            change[range(3), order] = signs
            if np.linalg.det(change) > 0.0 and not np.allclose(change, np.eye(3)):
                yield "other axes", pose(R @ change, p)
                yield "other axes", pose(change @ R, change @ p)


def rivals(entries: list[Entry], wrong: str, fault: str) -> Iterator[float]:
    """Yield the chi-square of every explanation of another entry or of another kind, from numbers without noise.

    The other entries leave at least as much with any numbers of an entry as without it.
    """
    for k, entry in enumerate(entries):
        others = [*entries[:k], *entries[k + 1 :]]
        least = chi_square(others if _is_connected(others, entry) else entries)
        if least > CAN_TELL:
            yield least
            continue
        for kind, matrix in _explanations(entry.matrix):
            if (entry.name, kind) != (wrong, fault):
                yield chi_square([*others, replace(entry, matrix=matrix)])


def _is_connected(entries: list[Entry], to: Entry) -> bool:
    """Return whether entries join the two frames of another entry."""
    reached = {to.parent}
    while any(len({entry.parent, entry.child} & reached) == 1 for entry in entries):
        reached |= set().union(*({e.parent, e.child} for e in entries if {e.parent, e.child} & reached))
    return to.child in reached


def chi_square(entries: list[Entry]) -> float:
    """Return the least chi-square of the entries over all poses of the frames; of the first steps if it stays large.

    Gauss and Newton's method on the poses, which start from a tree of the first entries.
    """
    X = _first_poses(entries)
    column = {name: 6 * k for k, name in enumerate(list(X)[1:])}
    least = np.inf
    for step in range(12):
        J, r = np.zeros((6 * len(entries), 6 * len(column))), np.zeros(6 * len(entries))
        for k, entry in enumerate(entries):
            rows = slice(6 * k, 6 * k + 6)
            r[rows], parts = _residual(entry, X)
            for name, part in parts.items():
                if name in column:
                    J[rows, column[name] : column[name] + 6] = part
        now = float(r @ r)
        if step > 2 and (now > 100.0 * CAN_TELL or abs(least - now) < 1e-3):
            return min(now, least)
        least = min(now, least)
        d = np.linalg.lstsq(J, -r, rcond=None)[0]
        for name, at in column.items():
            turn = Rotation.from_rotvec(d[at : at + 3]).as_matrix()
            X[name] = X[name] @ pose(turn, d[at + 3 : at + 6])
    return least


def _first_poses(entries: list[Entry]) -> dict[str, Array]:
    """Return poses of all frames along a tree of the first entries."""
    X = {entries[0].parent: np.eye(4)}
    names = {name for entry in entries for name in (entry.parent, entry.child)}
    while len(X) < len(names):
        for entry in entries:
            A = np.linalg.inv(entry.matrix) if entry.is_inverse else entry.matrix
            if entry.parent in X and entry.child not in X:
                X[entry.child] = X[entry.parent] @ A
            elif entry.child in X and entry.parent not in X:
                X[entry.parent] = X[entry.child] @ np.linalg.inv(A)
    return X


def _residual(entry: Entry, X: dict[str, Array]) -> tuple[Array, dict[str, Array]]:
    """Return the weighted residual of an entry, and its derivatives by small motions of its frames in them."""
    weights = np.repeat([1.0 / np.radians(ANGLE_NOISE_DEG), 1.0 / POSITION_NOISE_M], 3)
    start, end = (entry.parent, entry.child) if entry.is_inverse else (entry.child, entry.parent)
    E = np.linalg.inv(X[end]) @ X[start]
    turn = Rotation.from_matrix(entry.matrix[:3, :3].T @ E[:3, :3]).as_rotvec()
    of_start, of_end = np.zeros((6, 6)), np.zeros((6, 6))
    of_start[:3, :3], of_start[3:, 3:] = np.eye(3), E[:3, :3]
    of_end[:3, :3], of_end[3:, :3], of_end[3:, 3:] = -E[:3, :3].T, _cross(E[:3, 3]), -np.eye(3)
    r = weights * np.concatenate([turn, E[:3, 3] - entry.matrix[:3, 3]])
    return r, {start: weights[:, None] * of_start, end: weights[:, None] * of_end}


def _cross(v: Array) -> Array:
    x, y, z = v
    return np.array([[0.0, -z, y], [z, 0, -x], [-y, x, 0]])
