"""Pairs of texts of one pose, with a planted difference between them. It knows nothing of the search."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.features.compare import Comparison, Row

NED_ENU = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
FRD_FLU = np.diag([1.0, -1.0, -1.0])
NOISE_DEG, NOISE_M = 0.3, 0.002


@dataclass(frozen=True)
class Pose:
    """Orientation, frame in parent, and position."""

    R: Rotation
    p: np.ndarray


@dataclass(frozen=True)
class Difference:
    """A difference: what each side writes of a pose, and the map from the first's pose to the second's."""

    first: Callable[[Pose], str]
    second: Callable[[Pose], str]
    has_truth: bool = True
    has_position: bool = False


def numbers_text(values: object, digits: int) -> str:
    return " ".join(f"{x:.{digits}f}" for x in np.ravel(np.asarray(values)))


def quaternion(R: Rotation, digits: int, order: str) -> str:
    q = R.as_quat()
    return numbers_text(q if order == "xyzw" else np.roll(q, 1), digits)


def angles(R: Rotation, sequence: str, digits: int, *, in_degrees: bool = True) -> str:
    return numbers_text(R.as_euler(sequence, degrees=in_degrees), digits)


def pose_text(R: Rotation, p: np.ndarray, digits: int) -> str:
    return f"{numbers_text(p, digits)} {quaternion(R, digits, 'xyzw')}"


def signed_axes(rng: np.random.Generator, *, is_proper: bool) -> np.ndarray:
    """Return a random signed permutation."""
    every = []
    for places in itertools.permutations(range(3)):
        for signs in itertools.product((1.0, -1.0), repeat=3):
            S = np.zeros((3, 3))
            S[range(3), places] = signs
            if (np.linalg.det(S) > 0.0) == is_proper:
                every.append(S)
    return every[rng.integers(len(every))]


def inverse(pose: Pose) -> Pose:
    return Pose(pose.R.inv(), -pose.R.inv().apply(pose.p))


def difference(kind: str, rng: np.random.Generator, digits: int) -> Difference:
    """Return a random difference of a kind; the texts have so many digits."""
    of = Rotation.from_matrix
    xyzw, wxyz = (
        lambda pose, order=order: f"quaternion {order} {quaternion(pose.R, digits, order)}"
        for order in ("xyzw", "wxyz")
    )
    rpy = lambda pose: f"rpy {angles(pose.R, 'xyz', digits)} deg"  # noqa: E731
    L, K, M = signed_axes(rng, is_proper=True), signed_axes(rng, is_proper=True), signed_axes(rng, is_proper=False)
    sequence = str(rng.choice(["XYZ", "ZYX", "ZYZ", "YXZ", "xyz", "zyx", "ZXZ"]))
    pose = lambda one: pose_text(one.R, one.p, digits)  # noqa: E731

    def changed(left: np.ndarray, right: np.ndarray, write: Callable[[Pose], str]) -> Callable[[Pose], str]:
        return lambda one: write(Pose(of(left @ one.R.as_matrix() @ right), left @ one.p))

    stranger = Rotation.random(random_state=int(rng.integers(1 << 30))), rng.normal(size=3)
    kinds = {
        "matrix and quaternion": Difference(
            lambda one: numbers_text(one.R.as_matrix(), digits), lambda one: quaternion(one.R, digits, "xyzw")
        ),
        "order": Difference(lambda one: f"quaternion xyzw {quaternion(one.R, digits, 'wxyz')}", rpy),
        "inverse": Difference(xyzw, lambda one: rpy(Pose(one.R.inv(), one.p))),
        "sequence": Difference(lambda one: angles(one.R, sequence, digits), wxyz),
        "radians": Difference(lambda one: angles(one.R, "ZYX", digits, in_degrees=False), xyzw),
        "NED and FRD": Difference(xyzw, changed(NED_ENU, FRD_FLU, wxyz)),
        "NED for both": Difference(xyzw, changed(NED_ENU, NED_ENU, rpy)),
        "any axes": Difference(xyzw, changed(L, K, xyzw)),
        "mirror": Difference(xyzw, changed(M, M.T, xyzw)),
        "unrelated": Difference(xyzw, lambda _: rpy(Pose(*stranger)), has_truth=False),
        "unrelated angles": Difference(
            lambda one: angles(one.R, "xyz", digits), lambda _: angles(stranger[0], "zyx", digits), has_truth=False
        ),
        "inverse pose": Difference(
            pose, lambda one: pose(Pose(one.R.inv(), -one.R.inv().apply(one.p))), has_position=True
        ),
        "axes of a pose": Difference(pose, changed(L, K, pose), has_position=True),
        "mirrored pose": Difference(pose, changed(M, M.T, pose), has_position=True),
        "millimetres": Difference(pose, lambda one: pose(Pose(one.R, 1e3 * one.p)), has_position=True),
        "unrelated poses": Difference(pose, lambda _: pose(Pose(*stranger)), has_truth=False, has_position=True),
    }
    return kinds[kind]


KINDS = (
    *("matrix and quaternion", "order", "inverse", "sequence", "radians", "NED and FRD", "NED for both", "any axes"),
    *("mirror", "unrelated", "unrelated angles"),
    *("inverse pose", "axes of a pose", "mirrored pose", "millimetres", "unrelated poses"),
)
"""Kinds of differences."""


def planted(kind: str, digits: int, rng: np.random.Generator) -> tuple[str, str, Callable[[Row], bool] | None]:
    """Return two texts, the second of which was measured with noise, and a function that knows the planted relation."""
    seed = int(rng.integers(1 << 30))
    written, exact = (difference(kind, np.random.default_rng(seed), n) for n in (digits, 13))
    pose = Pose(Rotation.random(random_state=int(rng.integers(1 << 30))), rng.normal(size=3))
    noise = Rotation.from_rotvec(rng.normal(size=3) * np.radians(NOISE_DEG))
    measured = Pose(pose.R * noise, pose.p + NOISE_M * rng.normal(size=3))
    other = Pose(Rotation.random(random_state=7), np.array([0.3, -0.7, 0.2]))
    a, b = (row_of(write(other), written.has_position) for write in (exact.first, exact.second))
    return (
        written.first(pose),
        written.second(measured),
        (lambda row: predicts(row, a, b)) if written.has_truth else None,
    )


def row_of(text: str, has_position: bool) -> np.ndarray:
    numbers = [float(word) for word in text.split() if word.lstrip("+-")[0].isdigit()]
    return np.array(numbers[3:] if has_position else numbers)


def predicts(row: Row, a: np.ndarray, b: np.ndarray) -> bool:
    """Return whether a row gives the second side's numbers of another pose, as an orientation."""
    try:
        found = row.convert(a)[0]
    except ValueError:  # the row reads other numbers than those of the text
        return False
    if len(found) != len(b):
        return False
    if len(b) == 4:
        return min(np.abs(found - b).max(), np.abs(found + b).max()) < 1e-6
    return row.same_as_second(found, b)


def tally(kind: str, digits: int, n: int, compare: Callable[[str, str], Comparison]) -> dict[str, int]:
    """Return how often each verdict came, how often the truth was named, and how often an answer was wrong."""
    rng = np.random.default_rng([KINDS.index(kind), digits])
    counts = dict.fromkeys(("settled", "likely", "cannot tell", "neither", "named", "settled wrong", "likely wrong"), 0)
    for _ in range(n):
        a, b, is_true = planted(kind, digits, rng)
        answer = compare(a, b)
        counts[answer.verdict] += 1
        right = [is_true is not None and is_true(row) for row in answer.rows]
        counts["named"] += any(right)
        if answer.verdict in ("settled", "likely") and not right[0]:
            counts[f"{answer.verdict} wrong"] += 1
    return counts
