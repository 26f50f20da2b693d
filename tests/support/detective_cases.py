"""Planted conventions for the tests and the benchmark of the detective, and whether they are found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.features.detective.core.axis_changes import IDENTITY, changes, pairs
from framescope.features.detective.core.findings import angles_apart, generic_numbers
from framescope.features.detective.core.hypotheses import Hypothesis
from framescope.features.detective.core.interpretations import Interpretation, interpretations_of
from framescope.features.detective.core.pipeline import Report, detect

ORIENTATIONS = Interpretation("matrix")
NOISE = 1e-3
N_SAMPLES = 20

FORMS = {
    "angles": (3, "angles"),
    "rotation vector": (3, "rotation vector"),
    "quaternion": (4, "quaternion"),
    "axis and angle": (4, "axis and angle"),
    "matrix": (9, "matrix"),
}
CHANGES = ("none", "renamed", "mirrored", "parent offset", "frame offset", "both offsets")
KINDS = [(form, change) for form in FORMS for change in CHANGES]
"""Every kind of hypothesis: what the numbers are, and what else is different. Active or passive is drawn in all."""


@dataclass(frozen=True, eq=False)
class Case:
    """A planted hypothesis, and numbers `a` for orientations `R` (n, 3, 3), with noise."""

    h: Hypothesis
    numbers: np.ndarray
    R: np.ndarray


def as_text(numbers: np.ndarray) -> str:
    """Return rows of numbers as they are pasted."""
    return "\n".join(" ".join(f"{value:.6f}" for value in row) for row in numbers)


def random_matrices(random, n: int) -> np.ndarray:
    return Interpretation("quaternion", "xyzw").matrices(random.normal(size=(n, 4)))


def shaken(random, R: np.ndarray, noise: float = NOISE) -> np.ndarray:
    return R @ Interpretation("rotation vector", unit="rad").matrices(
        random.normal(size=(len(R), 3)) * noise / np.sqrt(3)
    )


def offset(random) -> tuple:
    return tuple(map(tuple, random_matrices(random, 1)[0].tolist()))


def planted(random, form: str, change: str) -> Hypothesis:
    """Return a hypothesis of a kind, drawn at random."""
    n_columns, kind = FORMS[form]
    interpretations = [
        interpretation for interpretation in interpretations_of(n_columns) if interpretation.kind == kind
    ]
    axes = (IDENTITY, IDENTITY)
    if change == "renamed":
        axes = pairs()[random.integers(len(pairs()))]
    elif change == "mirrored":
        mirrors = changes(is_proper=False)
        axes = (mirrors[random.integers(len(mirrors))],) * 2
    return Hypothesis(
        interpretations[random.integers(len(interpretations))],
        ORIENTATIONS,
        bool(random.integers(2)),
        *axes,
        parent_offset=offset(random) if change in ("parent offset", "both offsets") else None,
        frame_offset=offset(random) if change in ("frame offset", "both offsets") else None,
    )


def numbers_of(random, h: Hypothesis, R: np.ndarray, noise: float = NOISE) -> np.ndarray:
    """Return the numbers `a` that belong to orientations."""
    A = h.left @ R @ h.right
    A = np.swapaxes(A, 1, 2) if h.is_inverse else A
    return h.interpretation_a.numbers(shaken(random, A, noise) if noise else A)


def case_of(seed: int, form: str, change: str) -> Case:
    """Return a case of a kind."""
    random = np.random.default_rng((seed, KINDS.index((form, change))))
    h = planted(random, form, change)
    R = random_matrices(random, N_SAMPLES)
    return Case(h, numbers_of(random, h, R), R)


def is_found(case: Case, report: Report) -> bool:
    """Whether the report names the planted hypothesis, or another that is always the same, and is sure of it."""
    found = report.findings[0].hypothesis
    limit = 6 * NOISE if case.h.n_fitted or found.n_fitted else 1e-6
    return not report.unclear and bool(angles_apart(case.h, found, generic_numbers(case.numbers)).max() < limit)


def n_found(form: str, change: str, n: int) -> int:
    """Return how many of so many seeded cases are found."""
    cases = [case_of(seed, form, change) for seed in range(n)]
    return sum(is_found(case, detect(case.numbers, case.R)) for case in cases)
