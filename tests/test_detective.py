"""The convention detective: planted conventions are found, and what the data cannot tell is said."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.detective import Hypothesis, Reading, detect
from framescope.core.detective.axis_changes import IDENTITY, pairs
from framescope.core.detective.findings import generic_numbers, parted
from framescope.core.detective.readings import readings_of

ORIENTATIONS = Reading("matrix")
NOISE = 1e-3


def random_matrices(random, n: int) -> np.ndarray:
    return Reading("quaternion", "xyzw").matrices(random.normal(size=(n, 4)))


def shaken(random, R: np.ndarray) -> np.ndarray:
    return R @ Reading("rotation vector", unit="rad").matrices(random.normal(size=(len(R), 3)) * NOISE / np.sqrt(3))


def offset(random) -> tuple:
    return tuple(map(tuple, random_matrices(random, 1)[0].tolist()))


def planted(random, n_columns: int, kind: str) -> Hypothesis:
    """Return a hypothesis drawn at random: one reading of so many numbers, with an axis change or an offset."""
    readings = readings_of(n_columns)
    axes = pairs()[random.integers(len(pairs()))] if kind == "axes" else (IDENTITY, IDENTITY)
    return Hypothesis(
        readings[random.integers(len(readings))],
        ORIENTATIONS,
        bool(random.integers(2)),
        *axes,
        parent_offset=offset(random) if kind in ("parent", "both") else None,
        frame_offset=offset(random) if kind in ("frame", "both") else None,
    )


def data(random, h: Hypothesis, R: np.ndarray, *, is_noisy: bool = True) -> np.ndarray:
    """Return the numbers `a` that belong to orientations."""
    A = h.left @ R @ h.right
    A = np.swapaxes(A, 1, 2) if h.is_inverse else A
    return h.reading_a.numbers(shaken(random, A) if is_noisy else A)


@pytest.mark.parametrize("kind", ["reading", "axes", "parent", "frame", "both"])
@pytest.mark.parametrize("n_columns", [3, 4, 9])
def test_that_a_planted_convention_is_found(n_columns: int, kind: str) -> None:
    random = np.random.default_rng(abs(hash((n_columns, len(kind)))) % 1000)
    missed = []
    for _ in range(20):
        h = planted(random, n_columns, kind)
        R = random_matrices(random, 20)
        numbers = data(random, h, R)
        report = detect(numbers, R)
        found = report.findings[0].hypothesis
        limit = 6 * NOISE if h.n_fitted or found.n_fitted else 1e-6
        if parted(h, found, generic_numbers(numbers)).max() > limit or report.unclear:
            missed.append((h.texts, report.verdict))
    assert not missed


def test_that_both_sides_may_be_unknown() -> None:
    random = np.random.default_rng(5)
    R = random_matrices(random, 40)
    a = Reading("angles", "zxz", "rad").numbers(R)
    b = Reading("quaternion", "wxyz").numbers(shaken(random, R))
    best = detect(a, b).findings[0].hypothesis
    assert best.reading_b == Reading("quaternion", "wxyz")
    assert best.reading_a in {Reading("angles", "zxz", "rad"), Reading("angles", "ZXZ", "rad")}
    assert not best.is_inverse or best.reading_a.choice.isupper()


def test_that_data_without_a_third_turn_cannot_tell_sequences_apart_and_the_advice_can() -> None:
    random = np.random.default_rng(2)
    angles = np.column_stack([random.uniform(-60, 60, (20, 2)), np.zeros(20)])
    R = Reading("angles", "ZYX", "deg").matrices(angles)
    report = detect(angles, R, readings_a=[r for r in readings_of(3) if r.choice in ("ZYX", "ZYZ")])
    texts = [report.findings[0].hypothesis.reading_a.choice] + [
        report.findings[i].hypothesis.reading_a.choice for i in report.unclear
    ]
    assert {"ZYX", "ZYZ"} <= set(texts)
    assert report.verdict.startswith("Cannot tell 1 from 2")
    advice = report.advice[0]
    assert advice is not None
    assert "third angle at 10°" in advice.text
    more = np.vstack([angles, advice.numbers])
    told = detect(more, Reading("angles", "ZYX", "deg").matrices(more))
    assert told.findings[0].hypothesis.reading_a.choice == "ZYX"


def test_that_one_orientation_again_and_again_tells_nothing() -> None:
    R = np.broadcast_to(Reading("angles", "XYZ", "deg").matrices(np.array([[10.0, 20.0, 30.0]])), (20, 3, 3))
    report = detect(np.tile([10.0, 20.0, 30.0], (20, 1)), R)
    assert report.unclear


def test_that_unrelated_data_fit_nothing() -> None:
    random = np.random.default_rng(3)
    report = detect(random.uniform(-3, 3, (40, 3)), random_matrices(random, 40))
    assert not report.is_found
    assert report.verdict.startswith("Nothing fits")


def test_that_the_offset_is_told() -> None:
    random = np.random.default_rng(4)
    h = Hypothesis(Reading("quaternion", "xyzw"), ORIENTATIONS, False, IDENTITY, IDENTITY, frame_offset=offset(random))
    R = random_matrices(random, 30)
    found = detect(data(random, h, R, is_noisy=False), R).findings[0].hypothesis
    assert found.frame_offset is not None
    assert np.allclose(found.frame_offset, h.frame_offset, atol=1e-9)


def test_that_rows_with_gaps_are_left_out_and_counted() -> None:
    random = np.random.default_rng(6)
    R = random_matrices(random, 12)
    Q = Reading("quaternion", "wxyz").numbers(R)
    Q[3], Q[7] = np.nan, 0.0
    report = detect(Q, R)
    assert (report.n_samples, report.n_left_out) == (10, 2)
    assert report.findings[0].hypothesis.reading_a.choice == "wxyz"


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        (np.zeros((3, 5)), np.zeros((3, 4)), "rows of 3, 4 or 9 numbers"),
        (np.ones((3, 4)), np.ones((2, 4)), "3 rows of one and 2 of the other"),
        (np.full((3, 4), np.nan), np.ones((3, 4)), "0 whole pairs"),
    ],
)
def test_that_what_does_not_pair_up_is_refused(a, b, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        detect(a, b)


@pytest.mark.parametrize("reading", [*readings_of(3), *readings_of(4), *readings_of(9)], ids=lambda r: r.text)
def test_that_a_reading_reads_what_it_writes(reading: Reading) -> None:
    R = random_matrices(np.random.default_rng(8), 30)
    assert np.allclose(reading.matrices(reading.numbers(R)), R, atol=1e-9)
