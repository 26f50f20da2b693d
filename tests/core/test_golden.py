"""Every case of the reference numbers, one by one and in batches.

What differs on purpose is listed case by case in ``golden/README.md``, which these tests read: a case that is not
listed must agree, and one that is listed must differ as its heading says.
"""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from framescope.core import quaternions, transformation_matrices
from tests.support.golden_calls import GOLDEN, PLAIN, Case, as_arrays, batches, call, expected

ELSEWHERE = {"modelica_absolute_sensor_v222", "twentysim_3dbody", "opencv_projection"}
"""Files whose cases test_sensors.py, test_bodies.py and test_projection.py call."""

FILES = sorted(path.stem for path in GOLDEN.glob("*.json") if path.stem not in ELSEWHERE)
TOLERANCE = 1e-13

BATCHES: dict[tuple[str, str], list[list[Case]]] = {}
for _file in FILES:
    for _batch in batches(_file):
        BATCHES.setdefault((_file, _batch[0].fn), []).append(_batch)


def listed_exceptions() -> dict[tuple[str, int], str]:
    """Return the kind of every exception that the README lists, by file and number."""
    found: dict[tuple[str, int], str] = {}
    kind = ""
    for line in (GOLDEN / "README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("### "):
            kind = line[4:]
        elif match := re.match(r"- `(\w+)`: ([\d, ]+)$", line):
            for number in match[2].split(","):
                found[match[1], int(number)] = kind
    return found


EXCEPTIONS = listed_exceptions()


def error(ours: list[np.ndarray], theirs: list[np.ndarray]) -> float:
    """Return the largest difference, relative to the largest number of a result, at least 1."""
    assert [a.shape for a in ours] == [b.shape for b in theirs]
    pairs = zip(ours, theirs, strict=True)
    return max(float(np.abs(a - b).max(initial=0.0)) / max(1.0, float(np.abs(b).max(initial=0.0))) for a, b in pairs)


def check_half_turn(case: Case, ours: list[np.ndarray]) -> None:
    (a,), (b,) = ours, expected(case)
    assert np.abs(np.remainder(a - b + np.pi, 2.0 * np.pi) - np.pi).max() <= TOLERANCE


def check_inverse(case: Case, ours: list[np.ndarray]) -> None:
    (T, w), (T_ref, w_ref) = ours, expected(case)
    assert error([T, w], [T_ref, T_ref @ w_ref]) <= TOLERANCE


def check_sign(case: Case, ours: list[np.ndarray]) -> None:
    b = expected(case)
    assert min(error(ours, b), error([-ours[0], *ours[1:]], b), error([*ours[:-1], -ours[-1]], b)) <= TOLERANCE


def check_residue(case: Case, ours: list[np.ndarray]) -> None:
    (a,), (b,) = ours, expected(case)
    assert abs(a[0] - b[0]) <= TOLERANCE  # the others are atan2(~0, ~0)
    x, y, z, w = quaternions.relative_rotation(case.inputs["Q1"], case.inputs["Q2"])
    assert abs(x) > 0.9
    assert np.abs([y, z, w]).max() < 1e-15


def check_angles(case: Case, ours: list[np.ndarray]) -> None:
    sequence = case.inputs["seq"]
    T = transformation_matrices.axes_rotations(sequence, ours[0])
    assert np.abs(T - case.inputs["dcm"]).max() <= 1e-15
    assert np.abs(transformation_matrices.axes_rotations(sequence, expected(case)[0]) - T).max() <= 3e-9


def check_digit(case: Case, ours: list[np.ndarray]) -> None:
    assert error(ours, expected(case)) <= 2e-13


CHECKS = {
    "pi for -pi": check_half_turn,
    "`from_T_inv` resolves `w` where its text says": check_inverse,
    "the sign of a quaternion or an axis at a tie": check_sign,
    "an ill-conditioned residue": check_residue,
    "angles at and near a singularity": check_angles,
    "a digit that the reference loses near a half turn": check_digit,
}
REFUSED = "an axis that is not of unit length is refused"


@pytest.mark.parametrize("key", BATCHES, ids="-".join)
def test_that_every_case_agrees_with_the_reference(key) -> None:
    for case in itertools.chain(*BATCHES[key]):
        kind = EXCEPTIONS.get((case.file, case.number))
        if kind == REFUSED:
            with pytest.raises(ValueError, match="e: expected unit length"):
                call([case])
            continue
        ours = as_arrays(call([case]))
        miss = error(ours, expected(case))
        if kind is None:
            assert miss <= TOLERANCE, case.name
        else:
            assert miss > TOLERANCE, f"{case.name} agrees: it need not be listed"
            CHECKS[kind](case, ours)


@pytest.mark.parametrize("key", BATCHES, ids="-".join)
def test_that_a_batch_gives_the_bits_of_single_calls(key) -> None:
    for cases in BATCHES[key]:
        if len(cases) < 2 or not set(cases[0].inputs) - PLAIN:
            continue
        batch = [case for case in cases if EXCEPTIONS.get((case.file, case.number)) != REFUSED]
        together = as_arrays(call(batch))
        for i, case in enumerate(batch):
            for whole, single in zip(together, as_arrays(call([case])), strict=True):
                assert whole[i].tobytes() == single.tobytes(), case.name


def test_that_what_is_listed_are_cases_of_a_known_kind() -> None:
    existing = {(case.file, case.number) for found in BATCHES.values() for batch in found for case in batch}
    assert set(EXCEPTIONS) <= existing
    assert set(EXCEPTIONS.values()) == {*CHECKS, REFUSED}
