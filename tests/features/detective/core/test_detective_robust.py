"""The convention detective on bad data: wild rows, little turns, clocks that are apart, unrelated numbers."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.analysis.misses.misfits import most_wild, wild_rows
from framescope.features.detective.core.axis_changes import IDENTITY, AxisChange
from framescope.features.detective.core.findings import angles_apart, generic_numbers
from framescope.features.detective.core.hypotheses import Hypothesis
from framescope.features.detective.core.interpretations import Interpretation
from framescope.features.detective.core.misfits import evidence
from framescope.features.detective.core.pipeline import Report, detect, detect_samples
from framescope.features.detective.core.samples import Samples
from tests.support.detective_cases import ORIENTATIONS, numbers_of, offset, random_matrices, shaken

pytestmark = [pytest.mark.fuzz, pytest.mark.soak]

NED_ENU, FRD_FLU = AxisChange((1, 0, 2), (1, 1, -1)), AxisChange((0, 1, 2), (1, -1, -1))
OPTICAL = AxisChange((1, 2, 0), (-1, -1, 1))
ZYX = Interpretation("angles", "ZYX", "deg")
WXYZ = Interpretation("quaternion", "wxyz")
MATRIX = Interpretation("matrix")


def near(random, n: int, spread: float) -> np.ndarray:
    """Return orientations that lie about so far apart, rad."""
    turns = random.normal(size=(n, 3)) * spread / np.sqrt(3)
    return random_matrices(random, 1) @ Interpretation("rotation vector", unit="rad").matrices(turns)


def with_wild(random, numbers: np.ndarray, interpretation: Interpretation, n_wild: int) -> np.ndarray:
    """Return numbers of which some rows are any orientation."""
    numbers = numbers.copy()
    rows = random.choice(len(numbers), n_wild, replace=False)
    numbers[rows] = interpretation.numbers(random_matrices(random, n_wild))
    return numbers


def is_same(h: Hypothesis, report: Report, numbers: np.ndarray, limit: float = 1e-6) -> bool:
    found = report.findings[0].hypothesis
    return report.status == "found" and float(angles_apart(h, found, generic_numbers(numbers)).max()) < limit


# --- Wild rows


@pytest.mark.parametrize(("n", "n_wild"), [(20, 1), (100, 1), (300, 3), (1500, 30)])
def test_that_a_few_wild_rows_leave_the_answer_and_are_counted(n: int, n_wild: int) -> None:
    random = np.random.default_rng(n)
    h = Hypothesis(ZYX, ORIENTATIONS, True, NED_ENU, FRD_FLU)
    R = random_matrices(random, n)
    numbers = with_wild(random, numbers_of(random, h, R), ZYX, n_wild)
    report = detect(numbers, R)
    assert is_same(h, report, numbers), report.verdict
    assert report.n_wild == report.findings[0].n_against == n_wild
    assert report.findings[0].rms < 2e-3
    assert f"{n - n_wild:,} of {n:,} samples" in report.verdict


def test_that_wild_rows_do_not_hide_a_fixed_offset_of_little_turns() -> None:
    random = np.random.default_rng(1)
    h = Hypothesis(ZYX, ORIENTATIONS, False, IDENTITY, IDENTITY, parent_offset=offset(random))
    R = near(random, 600, 0.1)
    numbers = with_wild(random, numbers_of(random, h, R, 1e-4), ZYX, 9)
    assert is_same(h, detect(numbers, R), numbers, 5e-3)


def test_that_wild_rows_are_those_no_noise_makes() -> None:
    random = np.random.default_rng(2)
    misses = np.abs(random.normal(size=200)) * 0.01
    assert not wild_rows(misses).any()
    misses[[3, 77]] = 1.5, 2.5
    assert np.flatnonzero(wild_rows(misses)).tolist() == [3, 77]
    assert not wild_rows(random.uniform(0.1, 3.0, 200)).any()
    assert most_wild(4) == 0


# --- Fixed offsets


@pytest.mark.parametrize("seed", range(4))
def test_that_two_fixed_offsets_are_found_of_little_turns(seed: int) -> None:
    random = np.random.default_rng(seed)
    h = Hypothesis(
        (ZYX, WXYZ)[seed % 2],
        ORIENTATIONS,
        bool(random.integers(2)),
        IDENTITY,
        IDENTITY,
        parent_offset=offset(random),
        frame_offset=offset(random),
    )
    R = near(random, 60, 0.3)
    numbers = numbers_of(random, h, R, 1e-3)
    report = detect(numbers, R)
    assert is_same(h, report, numbers, 0.02), report.verdict


# --- What the data could have refuted


@pytest.mark.parametrize("n", [2, 3, 4])
def test_that_samples_without_relation_prove_nothing(n: int) -> None:
    for seed in range(4):
        random = np.random.default_rng((n, seed))
        a = Interpretation("angles", "ZYX", "deg").numbers(random_matrices(random, n))
        b = WXYZ.numbers(random_matrices(random, n) if seed % 2 else near(random, n, 0.5))
        report = detect(a, b)
        assert report.status != "found", (seed, report.verdict)


def test_that_two_samples_prove_a_plain_reading() -> None:
    random = np.random.default_rng(5)
    R = random_matrices(random, 2)
    report = detect(ZYX.numbers(R), WXYZ.numbers(R), expected_b=[WXYZ])
    assert report.status == "found", report.verdict
    assert report.findings[0].hypothesis.interpretation_a == ZYX


def test_that_motions_without_relation_prove_nothing() -> None:
    t = np.linspace(0.0, 8.0, 400)
    for seed in range(4):
        random = np.random.default_rng(seed)
        motions = [
            Interpretation("rotation vector", unit="rad").matrices(
                np.sin(t[:, None] * random.uniform(0.2, 1.5, 3) + random.uniform(0, 6, 3)) * random.uniform(0.2, 0.8)
            )
            for _ in range(2)
        ]
        report = detect(ZYX.numbers(motions[0]), MATRIX.numbers(motions[1]))
        assert report.status != "found", (seed, report.verdict)


def test_that_a_tenth_of_a_radian_is_no_answer() -> None:
    random = np.random.default_rng(6)
    R = random_matrices(random, 200)
    report = detect(ZYX.numbers(shaken(random, R, 0.15)), R)
    assert report.findings[0].hypothesis.interpretation_a == ZYX
    assert report.status == "unclear"
    assert report.verdict.startswith("No answer")


def test_that_evidence_grows_with_rows_and_closeness_and_falls_with_what_was_tried() -> None:
    base = evidence(0.01, 1.0, 10, 0, 100)
    assert evidence(0.01, 1.0, 20, 0, 100) > base
    assert evidence(0.001, 1.0, 10, 0, 100) > base
    assert evidence(0.01, 1.0, 10, 6, 100) < base
    assert evidence(0.01, 1.0, 10, 0, 10_000) < base
    assert evidence(0.9, 1.0, 2, 0, 100) < 0.0


def test_that_no_order_of_rows_matters() -> None:
    random = np.random.default_rng(7)
    h = Hypothesis(ZYX, ORIENTATIONS, False, IDENTITY, IDENTITY, parent_offset=offset(random))
    R = random_matrices(random, 90)
    numbers = with_wild(random, numbers_of(random, h, R), ZYX, 1)
    first = detect(numbers, R)
    shuffle = random.permutation(90)
    second = detect(numbers[shuffle], R[shuffle])
    assert first.verdict == second.verdict
    assert first.evidence == second.evidence
    for one, other in zip(first.findings, second.findings, strict=True):
        assert one.hypothesis == other.hypothesis
        assert one.rms == other.rms
        assert np.array_equal(one.residuals[shuffle], other.residuals)


# --- The simplest first


@pytest.mark.parametrize("form", [ZYX, WXYZ, MATRIX], ids=lambda form: form.kind)
@pytest.mark.parametrize(
    ("parent", "frame"),
    [
        (NED_ENU, FRD_FLU),
        (NED_ENU, NED_ENU),
        (NED_ENU, IDENTITY),
        (IDENTITY, FRD_FLU),
        (FRD_FLU, FRD_FLU),
        (IDENTITY, OPTICAL),
    ],
)
def test_that_usual_changes_of_axes_come_before_rows_of_renamings(form: Interpretation, parent, frame) -> None:
    random = np.random.default_rng(8)
    R = random_matrices(random, 60)
    h = Hypothesis(form, form, False, parent, frame)
    found = detect(numbers_of(random, h, R), form.numbers(R)).findings[0].hypothesis
    assert (found.interpretation_a, found.is_inverse) == (form, False) or form is WXYZ
    assert (found.parent_axes, found.frame_axes, found.n_fitted) == (parent, frame, 0)


# --- Clocks


def moved(random):
    """Return a smooth motion as a function of time, s."""
    size, w, phase = random.uniform(0.1, 0.5, (3, 4)), random.uniform(0.3, 5.0, (3, 4)), random.uniform(0, 6, (3, 4))
    base = random_matrices(random, 1)

    def at(t: np.ndarray) -> np.ndarray:
        angles = np.sum(size * np.sin(w * t[:, None, None] + phase), axis=2)
        return base @ Interpretation("angles", "ZYX", "rad").matrices(angles)

    return at


@pytest.mark.parametrize("rate", [100.0, 300.0])
@pytest.mark.parametrize("delay", [0.05, -0.4, 5.0])
@pytest.mark.parametrize("noise", [1e-4, 0.04])
def test_that_a_delay_of_fast_noisy_data_is_found_and_is_no_offset(rate: float, delay: float, noise: float) -> None:
    random = np.random.default_rng(int(rate * 10 + noise * 100))
    at = moved(random)
    t = np.arange(0.0, 10.0 + abs(delay), 1.0 / rate)
    h = Hypothesis(ZYX, WXYZ, bool(random.integers(2)), IDENTITY, IDENTITY)
    a = Samples(numbers_of(random, h, at(t), noise), t)
    b = Samples(WXYZ.numbers(shaken(random, at(t), noise)), t - delay, expected=(WXYZ,))
    pairs, report = detect_samples(a, b)
    assert abs(pairs.offset - delay) < 0.01 + 0.1 * noise
    assert report.findings[0].hypothesis.n_fitted == 0
    assert is_same(h, report, a.numbers), report.verdict


def test_that_a_steady_turn_leaves_open_whether_clocks_or_frames_are_apart() -> None:
    random = np.random.default_rng(9)
    t = np.arange(0.0, 12.0, 0.02)
    R = near(random, 1, 0.0) @ Interpretation("rotation vector", unit="rad").matrices(np.outer(t, [0.3, -0.4, 0.5]))
    a = Samples(MATRIX.numbers(shaken(random, R)), t)
    b = Samples(MATRIX.numbers(R), t - 0.7)
    _, report = detect_samples(a, b)
    assert report.status == "unclear"
    pairs, report = detect_samples(a, b, 0.7)
    assert (pairs.offset, report.findings[0].hypothesis.n_fitted, report.is_steady) == (0.7, 0, False)


def test_that_clocks_are_set_by_what_is_left() -> None:
    random = np.random.default_rng(10)
    at = moved(random)
    t = np.arange(0.0, 20.0, 0.1)
    a, b = Samples(MATRIX.numbers(at(t)), t), Samples(MATRIX.numbers(at(t)), t + 0.033)
    pairs, report = detect_samples(a, b)
    assert abs(pairs.offset + 0.033) < 1e-3
    assert report.status == "found"
