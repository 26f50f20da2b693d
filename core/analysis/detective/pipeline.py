"""Pipeline of the detective: from two sets of numbers to a report."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from framescope.core.analysis.detective.findings import FLOOR, OUTSIDE, Finding, Prior, parted, ranked
from framescope.core.analysis.detective.hypotheses import Hypothesis
from framescope.core.analysis.detective.interpretations import Interpretation, interpretations_of, plausible, unit_of
from framescope.core.analysis.detective.next_sample import Advice, advise
from framescope.core.analysis.detective.search import candidates
from framescope.core.kernels.validation import Array

ORIENTATIONS = (Interpretation("matrix"),)
NOTHING_FITS = 0.2
"""Above this even the best is not what happened, rad."""

FEWEST = 2

MINUS = "\N{MINUS SIGN}"

ALIKE_WITHIN = 0.1
"""What differs by more than this does not coincide, however large the noise is, rad."""

EXACT = 1e-9
"""What misses by less than this fits exactly, rad."""

FEW = 4
"""Findings that are told by their numbers."""

SEARCHED = 2000
"""Samples by which hypotheses are found and offsets fitted; what is found is measured on all."""


@dataclass(frozen=True, eq=False)
class Report:
    """Report of a detection.

    Attributes
    ----------
    findings
        The best first.
    n_samples, n_left_out
        Rows compared, and rows with numbers missing.
    unclear
        Indices into `findings` of those that the data cannot tell from the first.
    advice
        For each of them, which further sample would part it from the first; None where none was found.
    """

    findings: tuple[Finding, ...]
    n_samples: int
    n_left_out: int
    unclear: tuple[int, ...]
    advice: tuple[Advice | None, ...]

    @property
    def is_found(self) -> bool:
        """Whether something fits at all."""
        return bool(self.findings) and self.findings[0].rms < NOTHING_FITS * self.findings[0].scale

    @property
    def verdict(self) -> str:
        """What came out, in a sentence or two."""
        return " ".join(self.sentences)

    @property
    def sentences(self) -> tuple[str, str]:
        """The verdict itself, and what is to be said of it; the second may be empty."""
        best = self.findings[0]
        if not self.is_found:
            return (
                f"Nothing fits: the nearest misses by {_message(best.rms, 3)} rad.",
                "Are the rows pairs, in the same order, and of the same frame?",
            )
        if not self.unclear:
            first, *others = best.hypothesis.texts
            others += (
                []
                if best.hypothesis.interpretation_b.kind == "matrix"
                else [f"B is {best.hypothesis.interpretation_b.text}"]
            )
            others.append(
                f"fits {self.n_samples} samples "
                + (f"to {_message(best.rms, 2)} rad" if best.rms > EXACT else "exactly")
            )
            rest = "; ".join(others)
            return f"{first[0].upper()}{first[1:]}.", f"{rest[0].upper()}{rest[1:]}."
        numbers = [str(i + 1) for i in self.unclear]
        several = f"{', '.join(numbers[:-1])} and {numbers[-1]}" if len(numbers) > 1 else numbers[0]
        several = f"{len(numbers)} others" if len(numbers) > FEW else several
        text = next((advice.text for advice in self.advice if advice is not None), "")
        return f"Cannot tell 1 from {several}.", text


def _message(residual: float, digits: int) -> str:
    """Return a residual as the window writes small numbers.

    >>> _message(5.4321e-7, 2), _message(0.0123, 2)
    ('5.4e−7', '0.012')
    """
    mantissa, e, exponent = f"{residual:.{digits}g}".partition("e")
    return mantissa + e + str(int(exponent)).replace("-", MINUS) if e else mantissa


def detect(
    numbers_a: ArrayLike,
    numbers_b: ArrayLike,
    interpretations_a: Sequence[Interpretation] | None = None,
    interpretations_b: Sequence[Interpretation] | None = None,
    *,
    expected_a: Collection[Interpretation] = (),
    expected_b: Collection[Interpretation] = (),
) -> Report:
    """Find out in which conventions two sets of numbers are the same orientations.

    Parameters
    ----------
    numbers_a : (n, 3), (n, 4) or (n, 9)
        Angles or rotation vectors, quaternions, or matrices row by row, whose convention is not known.
    numbers_b : (n, k) or (n, 3, 3)
        The same orientations: numbers of another unknown convention, or active matrices of the frame in its parent.
    readings_a, readings_b
        What they may be, where something is known; else every reading of so many numbers.
    expected_a, expected_b
        What they should be, by the names of their columns: of ways to say the same, those are told.

    Returns
    -------
    Report

    Raises
    ------
    ValueError
        When the numbers do not pair up, or have a number of columns that no orientation has.

    Notes
    -----
    Tried are the readings, active and passive, every renaming and mirroring of the axes of the parent and of the frame,
    and fixed offsets on either side. Hypotheses that are always the same are told once, in the simplest way. Two that
    differ, but not on these samples, cannot be told apart: then the advice is which sample would part them.

    Examples
    --------
    >>> angles = np.random.default_rng(0).uniform(-1, 1, (20, 3))
    >>> there = Interpretation("angles", "ZYX", "rad").matrices(angles)
    >>> detect(np.degrees(angles), there).findings[0].hypothesis.texts
    ('angles ZYX about moving axes, deg',)
    """
    a, b = _rows("a", numbers_a), np.asarray(numbers_b, dtype=float)
    is_reference = b.ndim == 3
    b = _rows("b", b.reshape(len(b), -1) if is_reference else b)
    if len(a) != len(b):
        raise ValueError(f"there are {len(a)} rows of one and {len(b)} of the other: expected pairs")
    a_interpretations = tuple(interpretations_a) if interpretations_a is not None else interpretations_of(a.shape[1])
    b_interpretations = ORIENTATIONS if is_reference else tuple(interpretations_b or interpretations_of(b.shape[1]))
    is_whole = _is_whole(a) & _is_whole(b)
    kept_a, kept_b = a[is_whole], b[is_whole]
    if len(kept_a) < FEWEST:
        raise ValueError(f"there are {len(kept_a)} whole pairs: expected {FEWEST} or more")
    if interpretations_a is None:
        a_interpretations = plausible(a_interpretations, kept_a)
    if interpretations_b is None and not is_reference:
        b_interpretations = plausible(b_interpretations, kept_b)
    prior = Prior(tuple(expected_a), tuple(expected_b), unit_of(kept_a), unit_of(kept_b))
    some = np.linspace(0, len(kept_a) - 1, min(len(kept_a), SEARCHED)).astype(int)
    hypotheses = candidates(kept_a[some], kept_b[some], a_interpretations, b_interpretations)
    found = ranked(hypotheses, kept_a, kept_b, prior)
    unclear = _unclear(found, kept_a)
    advice = tuple(advise(found[0].hypothesis, found[i].hypothesis, kept_a) for i in unclear)
    return Report(tuple(found), len(kept_a), len(a) - len(kept_a), unclear, advice)


def _unclear(found: Sequence[Finding], numbers_a: Array) -> tuple[int, ...]:
    """Return which findings make of every sample what the first makes of it, to the noise."""
    first = found[0]
    if first.rms >= NOTHING_FITS * first.scale:
        return ()
    noise = min(OUTSIDE * max(first.rms / first.scale, FLOOR), ALIKE_WITHIN)
    return tuple(
        i
        for i, finding in enumerate(found[1:], start=1)
        if finding.fits_as_well
        and finding.n_against == 0
        and not _is_more_of_the_same(first.hypothesis, finding.hypothesis)
        and parted(first.hypothesis, finding.hypothesis, numbers_a).max() < noise * finding.scale
    )


def _is_more_of_the_same(first: Hypothesis, second: Hypothesis) -> bool:
    """Whether the second is the first with more fitted to it: offsets that the data do not ask for are no rivals."""
    return second.n_fitted > first.n_fitted and (first.interpretation_a, first.interpretation_b, first.is_inverse) == (
        second.interpretation_a,
        second.interpretation_b,
        second.is_inverse,
    )


def _is_whole(numbers: Array) -> NDArray[np.bool_]:
    """Say which rows (n,) are an orientation at all: nothing missing, and no quaternion or matrix of zeros."""
    is_finite = np.asarray(np.isfinite(numbers).all(axis=1))
    return is_finite if numbers.shape[1] == 3 else is_finite & np.asarray(numbers.any(axis=1))


def _rows(name: str, numbers: ArrayLike) -> Array:
    rows = np.asarray(numbers, dtype=float)
    if rows.ndim != 2 or rows.shape[1] not in (3, 4, 9):
        raise ValueError(f"{name}: expected rows of 3, 4 or 9 numbers, got an array of shape {rows.shape}")
    return rows
