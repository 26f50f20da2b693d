"""Positions beside orientations: what they decide that rotations leave open, on pairs planted with SciPy."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.detective.core.pipeline import Report, detect_samples
from framescope.features.detective.core.report_text import as_json
from framescope.features.detective.core.samples import Samples, read_samples

N = 40
NOISE = 0.002
UNITY = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
NED = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


@pytest.fixture
def truth(rng) -> tuple[np.ndarray, np.ndarray]:
    return Rotation.random(N, random_state=rng).as_matrix(), rng.normal(size=(N, 3))


def side(R: np.ndarray, p: np.ndarray | None, rng: np.random.Generator, noise: float = NOISE) -> Samples:
    positions = None if p is None else p + noise * rng.normal(size=p.shape)
    return Samples(Rotation.from_matrix(R).as_quat(), positions=positions)


def detected(a: Samples, b: Samples) -> Report:
    return detect_samples(a, b)[1]


@pytest.mark.parametrize(
    ("axes", "scale", "short"),
    [
        (np.eye(3), 1.0, ""),
        (np.eye(3), 1000.0, ""),
        (UNITY, 1.0, "−y z x"),
        (UNITY, 100.0, "−y z x"),
        (-UNITY, 1.0, "y −z −x"),
        (NED, 1.0, "y x −z"),
        (-NED, 1.0, "−y −x z"),
        (np.diag([1.0, 1.0, -1.0]), 1.0, "x y −z"),
        (np.diag([-1.0, -1.0, 1.0]), 1.0, "−x −y z"),
    ],
)
def test_that_positions_tell_mirrored_axes_and_the_unit(axes, scale, short, truth, rng) -> None:
    R, p = truth
    report = detected(side(axes @ R @ axes.T, scale * p @ axes.T, rng, scale * NOISE), side(R, p, rng, 0.0))
    h = report.findings[0].hypothesis
    assert report.status == "found"
    assert h.parent_axes.short == h.frame_axes.short == (short or "x y z")
    assert report.positions is not None
    assert report.positions.is_good
    assert (report.positions.scale, report.positions.origin, report.positions.lever_arm) == (scale, None, None)
    assert 0.5 * NOISE < report.positions.rms < 4 * NOISE
    # The orientations are what they were: a mirrored pair of changes rotates as its opposite does.
    assert (
        h.residuals(Rotation.from_matrix(axes @ R @ axes.T).as_quat(), Rotation.from_matrix(R).as_quat()).max() < 1e-6
    )


def test_that_an_inverted_pose_and_a_passive_rotation_are_told_apart(truth, rng) -> None:
    R, p = truth
    transposed = np.swapaxes(R, 1, 2)
    inverse = detected(side(transposed, -np.einsum("nij,nj->ni", transposed, p), rng), side(R, p, rng))
    passive = detected(side(transposed, p, rng), side(R, p, rng))
    assert inverse.findings[0].hypothesis.is_inverse
    assert passive.findings[0].hypothesis.is_inverse
    assert (inverse.positions.is_inverse, passive.positions.is_inverse) == (True, False)
    assert "those of A inverted" in inverse.verdict


def test_that_a_lever_arm_and_an_offset_of_the_origin_are_found(truth, rng) -> None:
    R, p = truth
    turn, arm, origin = Rotation.from_euler("xyz", [10, 20, 30], degrees=True), np.array([0.1, 0.2, -0.3]), [3.0, 0, 1]
    moved = R @ turn.as_matrix()
    fit = detected(side(moved, p + R @ arm + origin, rng), side(R, p, rng)).positions
    assert fit.is_good
    assert np.allclose(fit.origin, origin, atol=0.005)
    # The fitted arm is in the axes of `a`: R a = R turn (turnᵀ a).
    assert np.allclose(fit.lever_arm, turn.inv().apply(arm), atol=0.005)
    assert "a lever arm of" in fit.text


def test_that_positions_of_something_else_are_told_and_change_nothing(truth, rng) -> None:
    R, p = truth
    plain = detected(side(NED @ R @ NED.T, None, rng), side(R, None, rng))
    other = detected(side(NED @ R @ NED.T, rng.normal(size=p.shape), rng), side(R, p, rng))
    assert plain.positions is None
    assert other.findings[0].hypothesis == plain.findings[0].hypothesis
    assert not other.positions.is_good
    assert other.verdict.endswith("The positions beside them do not agree.")


def test_that_outliers_and_gaps_of_positions_are_no_matter(truth, rng) -> None:
    R, p = truth
    a, b = side(UNITY @ R @ UNITY.T, p @ UNITY.T, rng), side(R, p, rng)
    a.positions[[3, 17]] = 50.0
    b.positions[5] = np.nan
    report = detected(a, b)
    assert report.findings[0].hypothesis.parent_axes.short == "−y z x"
    assert report.positions.is_good


def test_that_still_positions_say_nothing(truth, rng) -> None:
    R, _ = truth
    report = detected(side(R, np.zeros((N, 3)), rng, 0.0), side(R, np.zeros((N, 3)), rng, 0.0))
    assert report.status == "found"
    assert report.positions is None


def test_that_positions_are_read_from_tables_and_are_in_the_json(truth, rng, tmp_path) -> None:
    R, p = truth
    t = np.arange(N) * 0.1
    for name, M, offset in (("unity", UNITY, 0.0), ("ros", np.eye(3), 0.0)):
        rows = np.column_stack([t + offset, p @ M.T, Rotation.from_matrix(M @ R @ M.T).as_quat()])
        header = "t,px,py,pz,qx,qy,qz,qw"
        np.savetxt(tmp_path / f"{name}.csv", rows, delimiter=",", header=header, comments="")
    a, b = read_samples(tmp_path / "unity.csv"), read_samples(tmp_path / "ros.csv")
    report = detect_samples(a, b)[1]
    assert report.findings[0].hypothesis.parent_axes.short == "−y z x"
    data = json.loads(json.dumps(as_json(report)))["positions"]
    assert data["agree"]
    assert data["scale"] == 1.0


# --- Right numbers never carry wrong words


ORDERS = ("xyzw", "wxyz")


def in_order(R: np.ndarray, order: str) -> np.ndarray:
    q = Rotation.from_matrix(R).as_quat()
    return q if order == "xyzw" else np.roll(q, 1, axis=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("order_b", ORDERS)
@pytest.mark.parametrize("order_a", ORDERS)
def test_that_the_true_order_of_quaternions_is_said_or_left_open(seed, order_a, order_b) -> None:
    """Whatever else is between the sides: with names that are known to nobody, the true reading is in the words."""
    rng = np.random.default_rng(seed)
    R = Rotation.random(12, random_state=rng).as_matrix()
    axes = [np.eye(3), NED, UNITY, np.diag([1.0, -1.0, -1.0])][seed % 4]
    moved = axes @ R @ axes.T
    if seed % 3 == 1:
        moved = moved @ Rotation.random(random_state=rng).as_matrix()
    if seed % 5 == 2:
        moved = np.swapaxes(moved, 1, 2)
    report = detected(Samples(in_order(moved, order_a)), Samples(in_order(R, order_b)))
    best = report.findings[0]
    said = {(h.interpretation_a.choice, h.interpretation_b.choice) for h in (best.hypothesis, *best.as_likely)}
    same = "both sides have the same numbers" in report.verdict
    assert (order_a, order_b) in said or same or report.unclear, report.verdict


def test_that_names_of_columns_settle_what_the_numbers_leave_open(truth, rng, tmp_path) -> None:
    R, _ = truth
    turn = Rotation.random(random_state=rng).as_matrix()
    for name, M in (("a", R @ turn), ("b", R)):
        header = "qw,qx,qy,qz"
        np.savetxt(tmp_path / f"{name}.csv", in_order(M, "wxyz"), delimiter=",", header=header, comments="")
    report = detected(read_samples(tmp_path / "a.csv"), read_samples(tmp_path / "b.csv"))
    best = report.findings[0]
    assert best.hypothesis.interpretation_a.choice == best.hypothesis.interpretation_b.choice == "wxyz"
    assert best.as_likely == ()
    assert "equally" not in report.verdict
