"""Conversions as code: the Python ones do what the finding says, and all targets are written from the same formulas."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framescope.core.conventions.code_snippets import TARGETS
from framescope.core.kernels.validation import SEQUENCES
from framescope.features.detective.core.axis_changes import IDENTITY, pairs
from framescope.features.detective.core.conversion import LABELS, conversion_code
from framescope.features.detective.core.hypotheses import Hypothesis
from framescope.features.detective.core.interpretations import Interpretation, interpretations_of
from framescope.features.detective.core.pipeline import detect
from tests.support.detective_cases import offset, random_matrices
from tests.support.dialect_runs import run

ACTIVE_PASSIVE = [interpretation for n in (3, 4, 9) for interpretation in interpretations_of(n)]


def converted(code: str, numbers: np.ndarray, target: str) -> np.ndarray:
    scope: dict = {}
    exec(code, scope)
    if target == "scipy":
        return scope["b_from_a"](numbers)
    return np.array([scope["b_from_a"](row) for row in numbers])


def drawn(random) -> Hypothesis:
    a, b = (ACTIVE_PASSIVE[random.integers(len(ACTIVE_PASSIVE))] for _ in range(2))
    if random.random() < 0.5:  # most readings are angles
        others = [interpretation for interpretation in ACTIVE_PASSIVE if interpretation.kind != "angles"]
        a, b = (others[random.integers(len(others))] for _ in range(2))
    axes = pairs()[random.integers(len(pairs()))] if random.random() < 0.5 else (IDENTITY, IDENTITY)
    offsets = [offset(random) if random.random() < 0.3 else None for _ in range(2)]
    return Hypothesis(a, b, bool(random.integers(2)), *axes, *offsets)


@pytest.mark.parametrize("target", ["numpy", "scipy"])
def test_that_the_code_does_what_the_hypothesis_says(target: str) -> None:
    random = np.random.default_rng(1)
    for _ in range(60):
        h = drawn(random)
        numbers = h.interpretation_a.numbers(random_matrices(random, 6))
        found = converted(conversion_code(h, target), numbers, target)
        assert np.allclose(h.interpretation_b.matrices(found), h.predicted_b(numbers), atol=1e-7), h.texts


def test_that_half_turns_and_none_are_converted() -> None:
    h = Hypothesis(Interpretation("matrix"), Interpretation("quaternion", "wxyz"), False, IDENTITY, IDENTITY)
    R = np.array([np.eye(3), np.diag([1.0, -1, -1]), np.diag([-1.0, 1, -1]), np.diag([-1.0, -1, 1])])
    found = converted(conversion_code(h, "numpy"), R.reshape(-1, 9), "numpy")
    assert np.allclose(np.abs(found), np.eye(4))


def test_that_code_of_a_finding_reproduces_the_samples() -> None:
    random = np.random.default_rng(2)
    R = random_matrices(random, 20)
    a, b = Interpretation("angles", "zyx", "deg").numbers(R), Interpretation("quaternion", "wxyz").numbers(R)
    best = detect(a, b, expected_b=[Interpretation("quaternion", "wxyz")]).findings[0].hypothesis
    found = converted(conversion_code(best, "numpy", "vendor.csv"), a, "numpy")
    assert np.allclose(np.abs(np.sum(found * b, axis=1)), 1.0)
    assert "# vendor.csv: angles" in conversion_code(best, "numpy", "vendor.csv")


OTHERS = [target for target in TARGETS if target not in ("numpy", "scipy")]


@pytest.mark.long
@pytest.mark.parametrize("target", ["numpy", *OTHERS])
def test_that_angles_are_the_orientation_at_the_lock_and_near_it(target: str) -> None:
    random = np.random.default_rng(3)
    for choice in (*SEQUENCES, *map(str.lower, SEQUENCES)):
        interpretation = Interpretation("angles", choice, "deg")
        code = conversion_code(Hypothesis(Interpretation("matrix"), interpretation, False, IDENTITY, IDENTITY), target)
        locks = (0.0, 180.0) if choice[0] == choice[2] else (-90.0, 90.0)
        near = [lock + off for lock in locks for off in (0.0, 1e-14, -1e-9, 3e-7, 1e-4)]
        angles = random.uniform(-180.0, 180.0, (len(near), 3))
        angles[:, 1] = near
        R = interpretation.matrices(angles)
        for row, wanted in zip(R.reshape(-1, 9), R, strict=True):
            found = converted(code, row[np.newaxis], "numpy")[0] if target == "numpy" else run(code, target, row)
            np.testing.assert_allclose(
                interpretation.matrices(found[np.newaxis])[0], wanted, atol=1e-14, err_msg=choice
            )


@pytest.mark.parametrize("target", OTHERS)
def test_that_other_languages_give_the_angles_of_the_finding(target: str) -> None:
    random = np.random.default_rng(4)
    with_angles = [interpretation for interpretation in ACTIVE_PASSIVE if interpretation.kind == "angles"]
    for _ in range(30):
        drawn_one = drawn(random)
        h = replace(drawn_one, interpretation_b=with_angles[random.integers(len(with_angles))])
        numbers = h.interpretation_a.numbers(random_matrices(random, 3))
        found = np.array([run(conversion_code(h, target), target, row) for row in numbers])
        assert np.allclose(h.interpretation_b.matrices(found), h.predicted_b(numbers), atol=1e-9), h.texts


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("matlab", ["function b = b_from_a(a)", "c1 = cos(a(1) * pi / 180.0);", "atan2(", "end\n"]),
        ("julia", ["function b_from_a(a)", "c1 = cos(a[1] * pi / 180.0)", "return [angle", "end\n"]),
        ("modelica", ["function b_from_a", "c1 := cos(a[1] * Modelica.Constants.pi / 180.0);", "end b_from_a;"]),
        ("eigen", ["#include <Eigen/Dense>", "const double c1 = std::cos(a[0] * M_PI / 180.0);", "return {angle"]),
        ("ros-tf2", ["tf2::Matrix3x3", "const double c1 = std::cos(a[0] * M_PI / 180.0);", "return {angle"]),
    ],
)
def test_that_other_languages_are_written_from_the_same_formulas(target: str, says: list[str]) -> None:
    turn = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    a, b = Interpretation("angles", "ZYX", "deg"), Interpretation("angles", "xyz", "rad")
    h = Hypothesis(a, b, True, IDENTITY, IDENTITY, frame_offset=turn)
    code = conversion_code(h, target)
    for part in says:
        assert part in code
    for opening, closing in ("()", "[]", "{}"):
        assert code.count(opening) == code.count(closing)


def test_that_every_target_of_core_has_a_conversion() -> None:
    assert set(LABELS) == set(TARGETS)
    with pytest.raises(ValueError, match='Did you mean "matlab"'):
        conversion_code(Hypothesis(ACTIVE_PASSIVE[0], ACTIVE_PASSIVE[1], False, IDENTITY, IDENTITY), "matlap")
