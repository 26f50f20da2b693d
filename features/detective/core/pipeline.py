"""Pipeline of the detective: from two sets of numbers to a report."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from framescope.core.analysis.misses.misfits import wild_rows
from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.features.detective.core.axis_changes import pairs
from framescope.features.detective.core.clocks import is_shift_an_offset, shift_by_rate
from framescope.features.detective.core.findings import Finding, Prior, rank_hypotheses
from framescope.features.detective.core.headings import heading_advice, heading_evidence, heading_findings
from framescope.features.detective.core.hypotheses import Hypothesis
from framescope.features.detective.core.interpretations import (
    COLUMNS,
    Interpretation,
    interpretations_of,
    plausible,
    unit_of,
)
from framescope.features.detective.core.misfits import evidence, n_different, outlying_rows
from framescope.features.detective.core.next_sample import Advice, advise
from framescope.features.detective.core.pairing import Pairs, offsets_to_try, pair
from framescope.features.detective.core.position_fit import APART, PositionFit, fit_positions
from framescope.features.detective.core.samples import Samples
from framescope.features.detective.core.search import candidates, spread_of

ORIENTATIONS = (Interpretation("matrix"),)
NOTHING_FITS = 0.2
"""Residual from which even the best hypothesis counts as no fit, rad."""

FEWEST = 2
"""Smallest number of poses that can decide between hypotheses."""

ONE_POSE = (
    "One pair of numbers fits several conventions, and cannot decide between them. Add the numbers of a second pose, "
    "turned another way"
)
"""Message about a single pair."""

MAX_FAULTS = 3
"""Largest number of faulty pairs in a message."""

MINUS = "\N{MINUS SIGN}"

UNEXPLAINED_RESIDUAL = 0.1
"""Residual above which the best fit counts as unexplained, rad."""

PROVEN = float(np.log(1000.0))
"""Evidence from which a fit is proven."""

REFINEMENTS = 4
"""Largest number of refinements of the clock offset."""

REFINED_RATIO = 1.05
"""Factor by which a refined clock offset must reduce the residual."""

OTHER_RATIO = 1.2
"""Factor by which a second clock offset must reduce the residual to be used."""

SIMPLER_RATIO = 1.1
"""Factor by which a second clock offset may increase the residual if it needs fewer fixed offsets."""

SEARCHES = 3
"""Largest number of searches, each without the outliers of the one before."""

EXACT = 1e-9
"""Residual up to which a fit is exact, rad."""

FEW = 4
"""Largest number of findings that the verdict lists by number."""

SEARCHED = 2000
"""Largest number of samples for the search and the fit of offsets; findings are evaluated on all."""


Status = Literal["found", "unclear", "nothing"]


@dataclass(frozen=True, eq=False)
class Report:
    """Report of a detection.

    Attributes
    ----------
    findings
        Findings, the best first.
    n_samples, n_left_out
        Numbers of compared rows and of ignored rows with missing numbers.
    unclear
        Indices into `findings` of those that the data cannot distinguish from the first.
    advice
        For each of them, a sample that would distinguish it from the first; None without one.
    n_wild
        Number of outliers, which no RMS residual counts.
    evidence
        Minus the logarithm of the probability that unrelated numbers fit as well; see `misfits.evidence`.
    is_steady
        Whether the rotation is so steady that a clock offset cannot be distinguished from the fixed offsets.
    positions
        What the positions on both sides say of the best finding; None without any.
    """

    findings: tuple[Finding, ...]
    n_samples: int
    n_left_out: int
    unclear: tuple[int, ...]
    advice: tuple[Advice | None, ...]
    n_wild: int = 0
    evidence: float = np.inf
    is_steady: bool = False
    positions: PositionFit | None = None

    @property
    def status(self) -> Status:
        """``"found"`` for one answer, ``"unclear"`` for an open result, ``"nothing"`` for no fit.

        The result is unclear if several hypotheses fit equally well, if unrelated numbers might fit as well, or if
        the best residual is too large for noise.
        """
        best = self.findings[0]
        if best.rms >= NOTHING_FITS and self.evidence < PROVEN:
            return "nothing"
        is_open = self.unclear or self.is_steady or self.evidence < PROVEN or best.rms >= UNEXPLAINED_RESIDUAL
        return "unclear" if is_open else "found"

    @property
    def is_found(self) -> bool:
        """Whether a hypothesis fits."""
        return self.status != "nothing"

    @property
    def verdict(self) -> str:
        """Result in one or two sentences."""
        return " ".join(self.sentences).strip()

    @property
    def sentences(self) -> tuple[str, str]:
        """Verdict and its details; the second may be empty."""
        best = self.findings[0]
        if self.status == "nothing":
            return (
                f"Nothing fits: the nearest misses by {_message(best.rms, 3)} rad.",
                "Are the rows pairs, in the same order, and of the same frame?",
            )
        if best.rms >= UNEXPLAINED_RESIDUAL:
            return (
                f"No answer: the nearest misses by {_message(best.rms, 3)} rad, which is too much for noise.",
                "Are the clocks alike, and is it one and the same frame?",
            )
        if self.evidence < PROVEN:
            return (
                f"Not proven: 1 fits {self._rows} to {_message(best.rms, 2)} rad, but unrelated numbers may, too.",
                "More samples, with rotations about other axes and by larger angles, would decide it.",
            )
        if self.is_steady:
            return (
                f"Cannot tell a fixed offset from clocks that are apart: 1 fits {self._rows}, which turn steadily.",
                "The offset of the clocks, or samples with other rates of rotation, would decide it.",
            )
        if not self.unclear:
            first, *others = best.hypothesis.texts
            others += (
                []
                if best.hypothesis.interpretation_b.kind == "matrix"
                else [f"B is {best.hypothesis.interpretation_b.text}"]
            )
            others.append(
                f"fits {self._rows} " + (f"to {_message(best.rms, 2)} rad" if best.rms > EXACT else "exactly")
            )
            if best.as_likely and (self.positions is None or not self.positions.is_good):
                others.append(_as_likely_text(best))
            rest = "; ".join(others)
            of_positions = "" if self.positions is None else f" {self.positions.text}"
            return f"{first[0].upper()}{first[1:]}.", f"{rest[0].upper()}{rest[1:]}.{of_positions}"
        numbers = [str(i + 1) for i in self.unclear]
        several = f"{', '.join(numbers[:-1])} and {numbers[-1]}" if len(numbers) > 1 else numbers[0]
        several = f"{len(numbers)} others" if len(numbers) > FEW else several
        text = next((advice.text for advice in self.advice if advice is not None), "")
        return f"Cannot tell 1 from {several}.", text

    @property
    def _rows(self) -> str:
        """Number of samples in the fit, as text."""
        return (
            f"{self.n_samples - self.n_wild:,} of {counted(self.n_samples, 'sample')}"
            if self.n_wild
            else counted(self.n_samples, "sample")
        )


def _as_likely_text(finding: Finding) -> str:
    """Return the phrase on other ways to read the numbers of both sides, which no sample could tell from the first."""
    h = finding.hypothesis
    if h.is_plain and h.interpretation_a == h.interpretation_b and not h.is_inverse:
        return "both sides have the same numbers, and every form of both fits: names of columns can tell it"
    named = [
        f"{h.interpretation_a.text} against {h.interpretation_b.text}{''.join(f', {text}' for text in h.texts[1:])}"
        for h in finding.as_likely[:2]
    ]
    n_more = len(finding.as_likely) - len(named)
    more = f", or in {counted(n_more, 'other way', 'other ways')}" if n_more else ""
    return f"equally {', or '.join(named)}{more}: the numbers cannot tell, names of columns can"


def _message(residual: float, digits: int) -> str:
    """Return the text of a residual, with the window's notation of small numbers.

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
    times: ArrayLike | None = None,
) -> Report:
    """Detect the conventions under which two sets of numbers are the same orientations.

    Parameters
    ----------
    numbers_a : (n, 1), (n, 3), (n, 4) or (n, 9)
        Headings, angles or rotation vectors, quaternions, or matrices row by row, of unknown convention.
    numbers_b : (n, k) or (n, 3, 3)
        The same orientations: numbers of another unknown convention, or active matrices of the frame in its parent.
    interpretations_a, interpretations_b
        Possible interpretations; None for all with this number of columns.
    expected_a, expected_b
        Interpretations suggested by the names of columns, preferred among equivalent ones.
    times : (n,), optional
        Times, s. With them, correlated residuals such as drift count as fewer rows.

    Returns
    -------
    Report

    Raises
    ------
    ValueError
        When the numbers of rows differ, or no orientation has this number of columns.

    Notes
    -----
    The search tries the interpretations, active and passive, every renaming and mirroring of the axes of the parent and
    of the frame, and fixed offsets on either side. Equivalent hypotheses are reported once, in their simplest form. For
    two that differ, but not on these samples, the advice names a sample that would distinguish them.

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
    if (a.shape[1] == 1) != (b.shape[1] == 1):
        raise ValueError("one side has a heading and the other an orientation: expected headings on both, or on none")
    if len(a) != len(b):
        raise ValueError(f"one side has {counted(len(a), 'row')} and the other {len(b)}: expected pairs")
    a_interpretations = tuple(interpretations_a) if interpretations_a is not None else interpretations_of(a.shape[1])
    b_interpretations = ORIENTATIONS if is_reference else tuple(interpretations_b or interpretations_of(b.shape[1]))
    is_whole = _is_whole(a) & _is_whole(b)
    whole_a, whole_b = a[is_whole], b[is_whole]
    if len(whole_a) < FEWEST:
        raise ValueError(_too_few_text(a, b))
    if interpretations_a is None:
        a_interpretations = plausible(a_interpretations, whole_a)
    if interpretations_b is None and not is_reference:
        b_interpretations = plausible(b_interpretations, whole_b)
    prior = Prior(tuple(expected_a), tuple(expected_b), unit_of(whole_a), unit_of(whole_b))
    # Sorted by value, so that results do not depend on the order of the rows.
    order = np.argsort(_keys(whole_a) + _keys(whole_b) / np.pi, kind="stable")
    whole_a, whole_b = whole_a[order], whole_b[order]
    t = None if times is None else np.asarray(times, dtype=float)[is_whole][order]
    are_headings = a.shape[1] == 1
    if are_headings:
        best, is_wild = heading_findings(whole_a, whole_b, (a_interpretations, b_interpretations), prior, t)
        support = heading_evidence(best[0], whole_b[~is_wild])
    else:
        best, is_wild = _search(whole_a, whole_b, a_interpretations, b_interpretations, prior, t)
        n_readings = len(a_interpretations) * len(b_interpretations)
        support = _evidence(best[0], whole_b[~is_wild], n_readings)
    unclear = _unclear(best)
    first = best[0].hypothesis
    advice = tuple(
        heading_advice(first, whole_a) if are_headings else advise(first, best[i].hypothesis, whole_a) for i in unclear
    )
    places = np.argsort(order)
    findings = tuple(replace(finding, residuals=finding.residuals[places]) for finding in best)
    return Report(findings, len(whole_a), len(a) - len(whole_a), unclear, advice, int(is_wild.sum()), support)


def detect_samples(
    a: Samples,
    b: Samples,
    offset: float | None = None,
    interpretations_a: Sequence[Interpretation] | None = None,
    interpretations_b: Sequence[Interpretation] | None = None,
) -> tuple[Pairs, Report]:
    """Pair two sets of samples and detect their conventions, with the offset of their clocks.

    Parameters
    ----------
    offset
        Offset to add to the times of `b`, s; None estimates it from signals common to both sides, and refines it from
        the residuals of the best hypothesis, which are the angular velocities times the remaining offset.
    interpretations_a, interpretations_b
        As in `detect`.

    Raises
    ------
    ValueError
        When the samples do not pair up.
    """

    def detect_pairs(pairs: Pairs) -> Report:
        return detect(
            pairs.numbers_a,
            pairs.numbers_b,
            interpretations_a,
            interpretations_b,
            expected_a=a.expected,
            expected_b=b.expected,
            times=pairs.times,
        )

    if offset is not None or a.times is None or b.times is None:
        pairs = pair(a, b, offset)
        return pairs, _with_positions(detect_pairs(pairs), pairs)

    def detect_from(start: float) -> tuple[Pairs, Report]:
        pairs = pair(a, b, start)
        report = detect_pairs(pairs)
        refined = _refine_offset(a, b, pairs, report.findings[0].hypothesis)
        return (pairs, report) if refined is pairs else (refined, detect_pairs(refined))

    first, *others = (detect_from(start) for start in offsets_to_try(a, b))
    for other in others:
        if _explains_more(other[1], first[1]):
            first = other
    pairs, report = first
    h = report.findings[0].hypothesis
    if pairs.times is not None and is_shift_an_offset(h, pairs.numbers_a, pairs.numbers_b, pairs.times):
        report = replace(report, is_steady=True)
    return pairs, _with_positions(report, pairs)


def _with_positions(report: Report, pairs: Pairs) -> Report:
    """Return a report with what the positions say: the handedness of axes, and which of several findings is meant."""
    a, b = pairs.positions_a, pairs.positions_b
    if a is None or b is None or not report.is_found:
        return report
    together = (0, *report.unclear)
    fits = {
        i: fit_positions((finding.hypothesis, *finding.others), pairs.numbers_a, a, b)
        for i, finding in enumerate(report.findings)
        if i in together
    }
    known = {i: fit for i, fit in fits.items() if fit is not None}
    best = min(known, key=lambda i: known[i].score, default=None)
    if best is None:
        return report
    if not known[best].is_good:
        return replace(report, positions=known.get(0))
    findings = list(report.findings)
    for i, fit in known.items():
        if fit.is_good:
            findings[i] = replace(findings[i], hypothesis=fit.hypothesis)
    open_ones = [i for i in together if i != best and not _is_ruled_out(known.get(i), known[best])]
    order = [best, *(i for i in range(len(findings)) if i != best)]
    advice = dict(zip(report.unclear, report.advice, strict=True))
    advice[0] = advice.get(best)
    unclear = tuple(order.index(i) for i in open_ones)
    return replace(
        report,
        findings=tuple(findings[i] for i in order),
        unclear=unclear,
        advice=tuple(advice.get(i) for i in open_ones),
        positions=known[best],
    )


def _is_ruled_out(fit: PositionFit | None, best: PositionFit) -> bool:
    return fit is not None and fit.score > best.score + APART


def _refine_offset(a: Samples, b: Samples, pairs: Pairs, h: Hypothesis) -> Pairs:
    """Return pairs with a clock offset refined from the residuals of a hypothesis, or the given ones without a gain."""
    refined = pairs
    for _ in range(REFINEMENTS):
        if refined.times is None:
            return pairs
        shift, is_sure = shift_by_rate(h, refined.numbers_a, refined.numbers_b, refined.times)
        if not is_sure:
            break
        refined = pair(a, b, refined.offset - shift)
    before, after = _robust_rms(h, pairs), _robust_rms(h, refined)
    return refined if after < before / REFINED_RATIO else pairs


def _robust_rms(h: Hypothesis, pairs: Pairs) -> float:
    residuals = h.residuals(pairs.numbers_a, pairs.numbers_b)
    residuals = residuals[np.isfinite(residuals)]
    return float(np.sqrt(np.mean(residuals[~wild_rows(residuals)] ** 2)))


def _explains_more(new: Report, old: Report) -> bool:
    """Return whether the report `new`, with another clock offset, is clearly better than the report `old`."""
    first, second = new.findings[0], old.findings[0]
    is_simpler = first.hypothesis.n_fitted < second.hypothesis.n_fitted
    return first.rms < second.rms * (SIMPLER_RATIO if is_simpler else 1.0 / OTHER_RATIO)


def _search(
    a: Array,
    b: Array,
    interpretations_a: Sequence[Interpretation],
    interpretations_b: Sequence[Interpretation],
    prior: Prior,
    times: Array | None,
) -> tuple[list[Finding], NDArray[np.bool_]]:
    """Return the findings and flags of the outliers; the search is repeated without outliers."""
    costs = (
        np.array([reading.cost + prior.cost_of_a(reading) for reading in interpretations_a]),
        np.array([reading.cost + prior.cost_of_b(reading) for reading in interpretations_b]),
    )
    is_wild = outlying_rows(_usual(a).matrices(a)) | outlying_rows(_usual(b).matrices(b))
    findings: list[Finding] = []
    for _ in range(SEARCHES):
        rows = np.flatnonzero(~is_wild)
        some = rows[np.linspace(0, len(rows) - 1, min(len(rows), SEARCHED)).astype(int)]
        hypotheses = candidates(a[some], b[some], interpretations_a, interpretations_b, costs)
        findings = rank_hypotheses(hypotheses, a, b, prior, times)
        was_wild, is_wild = is_wild, wild_rows(findings[0].residuals)
        if not (is_wild & ~was_wild).any():
            break
    return findings, is_wild


def _usual(numbers: Array) -> Interpretation:
    """Return an interpretation under which similar numbers are similar orientations."""
    every = interpretations_of(numbers.shape[1])
    return next((i for i in every if i.kind != "angles" and i.unit == unit_of(numbers)), every[0])


def _evidence(best: Finding, numbers_b: Array, n_readings: int) -> float:
    h = best.hypothesis
    R = h.interpretation_b.matrices(numbers_b)
    spread = spread_of(R)
    n_axes = 1 if h.parent_axes.is_identity and h.frame_axes.is_identity else len(pairs()) // 2
    return evidence(best.rms, spread, n_different(R, spread), h.n_fitted, 2.0 * n_readings * n_axes)


def _unclear(findings: Sequence[Finding]) -> tuple[int, ...]:
    """Return the indices of findings that fit as well as the first."""
    first = findings[0]
    if first.rms >= NOTHING_FITS:
        return ()
    return tuple(
        i
        for i, finding in enumerate(findings[1:], start=1)
        if finding.fits_as_well and not _has_needless_offsets(first.hypothesis, finding.hypothesis)
    )


def _has_needless_offsets(first: Hypothesis, second: Hypothesis) -> bool:
    """Return whether the second hypothesis is the first with more fitted offsets, which the data do not need."""
    return second.n_fitted > first.n_fitted and (first.interpretation_a, first.interpretation_b, first.is_inverse) == (
        second.interpretation_a,
        second.interpretation_b,
        second.is_inverse,
    )


def _keys(numbers: Array) -> Array:
    """Return a sort key for each row (n,), practically unique."""
    return np.asarray(sum(column * np.sqrt(i + 2.0) for i, column in enumerate(numbers.T)))


def _is_whole(numbers: Array) -> NDArray[np.bool_]:
    """Return flags (n,) of rows that have all their numbers and are not a quaternion or matrix of zeros."""
    is_finite = np.asarray(np.isfinite(numbers).all(axis=1))
    return is_finite if numbers.shape[1] in (1, 3) else is_finite & np.asarray(numbers.any(axis=1))


def _too_few_text(a: Array, b: Array) -> str:
    """Return a message about too few usable pairs: ignored pairs with their faults, and advice."""
    faults = [
        f"pair {i + 1} is ignored: {side} {fault}"
        for i in range(len(a))
        for side, fault in (("A", _fault_text(a[i])), ("B", _fault_text(b[i])))
        if fault
    ]
    n_more = len(faults) - MAX_FAULTS
    more = [f"and {counted(n_more, 'more fault')}"] if n_more > 0 else []
    n_usable = int((_is_whole(a) & _is_whole(b)).sum())
    advice = ONE_POSE if n_usable else f"No pose is left. Give {FEWEST} or more"
    return f"{'; '.join([*faults[:MAX_FAULTS], *more])}. {advice}" if faults else advice


def _fault_text(numbers: Array) -> str:
    """Return the fault of a row of numbers that is no orientation; empty for none."""
    wrong = numbers[~np.isfinite(numbers)]
    if len(wrong):
        return f"has a value that is not finite ({wrong[0]:g})"
    return "" if _is_whole(numbers[np.newaxis])[0] else "has zeros alone"


def _rows(name: str, numbers: ArrayLike) -> Array:
    rows = np.asarray(numbers, dtype=float)
    if rows.ndim != 2 or rows.shape[1] not in COLUMNS:
        raise ValueError(f"{name}: expected rows of 1, 3, 4 or 9 numbers, got an array of shape {rows.shape}")
    return rows
