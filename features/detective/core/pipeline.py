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
from framescope.features.detective.core.findings import Finding, Prior, ranked
from framescope.features.detective.core.hypotheses import Hypothesis
from framescope.features.detective.core.interpretations import Interpretation, interpretations_of, plausible, unit_of
from framescope.features.detective.core.misfits import evidence, n_different, outlying_rows
from framescope.features.detective.core.next_sample import Advice, advise
from framescope.features.detective.core.pairing import Pairs, offsets_to_try, pair
from framescope.features.detective.core.samples import Samples
from framescope.features.detective.core.search import candidates, spread_of

ORIENTATIONS = (Interpretation("matrix"),)
NOTHING_FITS = 0.2
"""Above this even the best is not what happened, rad."""

FEWEST = 2
"""Poses that can decide between readings, at least."""

MAX_FAULTS = 3
"""Faults of pairs that a message names."""

MINUS = "\N{MINUS SIGN}"

TOO_MUCH = 0.1
"""What the best leaves is no noise from here on, rad."""

PROVEN = float(np.log(1000.0))
"""Evidence from which on a fit is no chance."""

SETTINGS = 4
"""How often clocks are set anew by what is left."""

WORTH, MUCH_BETTER, MUCH_SIMPLER = 1.05, 1.2, 1.1
"""Times by which less must be left where clocks are set a little otherwise, by another peak, and may be left more where
no offset is needed then."""

SEARCHES = 3
"""How often it is searched without rows that turn out to be wild."""

EXACT = 1e-9
"""What misses by less than this fits exactly, rad."""

FEW = 4
"""Findings that are told by their numbers."""

SEARCHED = 2000
"""Samples by which hypotheses are found and offsets fitted; what is found is measured on all."""


Status = Literal["found", "unclear", "nothing"]


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
    n_wild
        Rows that the first does not explain while it explains all others: no residual counts them.
    evidence
        Minus the logarithm of how likely numbers without relation fit the first so well, of all that was tried; see
        `misfits.evidence`.
    is_steady
        Whether all turns so steadily that clocks which are apart would look as the fixed offsets of the first do.
    """

    findings: tuple[Finding, ...]
    n_samples: int
    n_left_out: int
    unclear: tuple[int, ...]
    advice: tuple[Advice | None, ...]
    n_wild: int = 0
    evidence: float = np.inf
    is_steady: bool = False

    @property
    def status(self) -> Status:
        """Whether one hypothesis is the answer, it is open, or nothing fits.

        It is open where several fit as well, where numbers without relation might fit so, and where the best leaves
        more than noise.
        """
        best = self.findings[0]
        if best.rms >= NOTHING_FITS and self.evidence < PROVEN:
            return "nothing"
        is_open = self.unclear or self.is_steady or self.evidence < PROVEN or best.rms >= TOO_MUCH
        return "unclear" if is_open else "found"

    @property
    def is_found(self) -> bool:
        """Whether something fits at all."""
        return self.status != "nothing"

    @property
    def verdict(self) -> str:
        """What came out, in a sentence or two."""
        return " ".join(self.sentences).strip()

    @property
    def sentences(self) -> tuple[str, str]:
        """The verdict itself, and what is to be said of it; the second may be empty."""
        best = self.findings[0]
        if self.status == "nothing":
            return (
                f"Nothing fits: the nearest misses by {_message(best.rms, 3)} rad.",
                "Are the rows pairs, in the same order, and of the same frame?",
            )
        if best.rms >= TOO_MUCH:
            return (
                f"No answer: the nearest misses by {_message(best.rms, 3)} rad, which is too much for noise.",
                "Are the clocks alike, and is it one and the same frame?",
            )
        if self.evidence < PROVEN:
            return (
                f"Not proven: 1 fits {self._rows} to {_message(best.rms, 2)} rad, but unrelated numbers may, too.",
                "More samples, turned about other axes and by larger angles, would tell.",
            )
        if self.is_steady:
            return (
                f"Cannot tell a fixed offset from clocks that are apart: 1 fits {self._rows}, which turn steadily.",
                "The offset of the clocks, or samples that turn at other rates, would tell.",
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
            rest = "; ".join(others)
            return f"{first[0].upper()}{first[1:]}.", f"{rest[0].upper()}{rest[1:]}."
        numbers = [str(i + 1) for i in self.unclear]
        several = f"{', '.join(numbers[:-1])} and {numbers[-1]}" if len(numbers) > 1 else numbers[0]
        several = f"{len(numbers)} others" if len(numbers) > FEW else several
        text = next((advice.text for advice in self.advice if advice is not None), "")
        return f"Cannot tell 1 from {several}.", text

    @property
    def _rows(self) -> str:
        """How many samples are meant, and how many are left out of them."""
        return (
            f"{self.n_samples - self.n_wild:,} of {counted(self.n_samples, 'sample')}"
            if self.n_wild
            else counted(self.n_samples, "sample")
        )


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
    times: ArrayLike | None = None,
) -> Report:
    """Find out in which conventions two sets of numbers are the same orientations.

    Parameters
    ----------
    numbers_a : (n, 3), (n, 4) or (n, 9)
        Angles or rotation vectors, quaternions, or matrices row by row, whose convention is not known.
    numbers_b : (n, k) or (n, 3, 3)
        The same orientations: numbers of another unknown convention, or active matrices of the frame in its parent.
    interpretations_a, interpretations_b
        What they may be, where something is known; else every reading of so many numbers.
    expected_a, expected_b
        What they should be, by the names of their columns: of ways to say the same, those are told.
    times : (n,), optional
        When, s. Misses that follow each other, as of drift, then speak less.

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
        raise ValueError(f"one side has {counted(len(a), 'row')} and the other {len(b)}: expected pairs")
    a_interpretations = tuple(interpretations_a) if interpretations_a is not None else interpretations_of(a.shape[1])
    b_interpretations = ORIENTATIONS if is_reference else tuple(interpretations_b or interpretations_of(b.shape[1]))
    is_whole = _is_whole(a) & _is_whole(b)
    kept_a, kept_b = a[is_whole], b[is_whole]
    if len(kept_a) < FEWEST:
        raise ValueError(_too_few_text(a, b))
    if interpretations_a is None:
        a_interpretations = plausible(a_interpretations, kept_a)
    if interpretations_b is None and not is_reference:
        b_interpretations = plausible(b_interpretations, kept_b)
    prior = Prior(tuple(expected_a), tuple(expected_b), unit_of(kept_a), unit_of(kept_b))
    # In an order of their own, so that no number depends on the order in which rows come.
    order = np.argsort(_keys(kept_a) + _keys(kept_b) / np.pi, kind="stable")
    kept_a, kept_b = kept_a[order], kept_b[order]
    t = None if times is None else np.asarray(times, dtype=float)[is_whole][order]
    found, is_wild = _searched(kept_a, kept_b, a_interpretations, b_interpretations, prior, t)
    n_readings = len(a_interpretations) * len(b_interpretations)
    support = _evidence(found[0], kept_b[~is_wild], n_readings)
    unclear = _unclear(found)
    advice = tuple(advise(found[0].hypothesis, found[i].hypothesis, kept_a) for i in unclear)
    places = np.argsort(order)
    findings = tuple(replace(finding, residuals=finding.residuals[places]) for finding in found)
    return Report(findings, len(kept_a), len(a) - len(kept_a), unclear, advice, int(is_wild.sum()), support)


def detect_samples(
    a: Samples,
    b: Samples,
    offset: float | None = None,
    interpretations_a: Sequence[Interpretation] | None = None,
    interpretations_b: Sequence[Interpretation] | None = None,
) -> tuple[Pairs, Report]:
    """Pair two sets of samples and find out how they belong together, with the offset of their clocks.

    Parameters
    ----------
    offset
        Added to the times of `b`, s; None finds it: from what both sides have in common, and then from what the best
        leaves, which is how fast things turn times what the clocks are still off.
    interpretations_a, interpretations_b
        As in `detect`.

    Raises
    ------
    ValueError
        When they do not pair up.
    """

    def reported(pairs: Pairs) -> Report:
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
        return pairs, reported(pairs)

    def found_from(start: float) -> tuple[Pairs, Report]:
        pairs = pair(a, b, start)
        report = reported(pairs)
        closer = _closer(a, b, pairs, report.findings[0].hypothesis)
        return (pairs, report) if closer is pairs else (closer, reported(closer))

    first, *others = (found_from(start) for start in offsets_to_try(a, b))
    for other in others:
        if _explains_more(other[1], first[1]):
            first = other
    pairs, report = first
    h = report.findings[0].hypothesis
    if pairs.times is not None and is_shift_an_offset(h, pairs.numbers_a, pairs.numbers_b, pairs.times):
        report = replace(report, is_steady=True)
    return pairs, report


def _closer(a: Samples, b: Samples, pairs: Pairs, h: Hypothesis) -> Pairs:
    """Return pairs whose clocks are better set, by what a hypothesis leaves; the same ones where they are not off."""
    found = pairs
    for _ in range(SETTINGS):
        if found.times is None:
            return pairs
        shift, is_sure = shift_by_rate(h, found.numbers_a, found.numbers_b, found.times)
        if not is_sure:
            break
        found = pair(a, b, found.offset - shift)
    before, after = (_robust_rms(h, each) for each in (pairs, found))
    return found if after < before / WORTH else pairs


def _robust_rms(h: Hypothesis, pairs: Pairs) -> float:
    residuals = h.residuals(pairs.numbers_a, pairs.numbers_b)
    residuals = residuals[np.isfinite(residuals)]
    return float(np.sqrt(np.mean(residuals[~wild_rows(residuals)] ** 2)))


def _explains_more(one: Report, other: Report) -> bool:
    """Whether clocks set otherwise explain so much more that they are."""
    first, second = one.findings[0], other.findings[0]
    is_simpler = first.hypothesis.n_fitted < second.hypothesis.n_fitted
    return first.rms < second.rms * (MUCH_SIMPLER if is_simpler else 1.0 / MUCH_BETTER)


def _searched(
    a: Array,
    b: Array,
    interpretations_a: Sequence[Interpretation],
    interpretations_b: Sequence[Interpretation],
    prior: Prior,
    times: Array | None,
) -> tuple[list[Finding], NDArray[np.bool_]]:
    """Return findings, and which rows are wild by the first: the search is done again without those."""
    costs = (
        np.array([each.cost + prior.cost_of_a(each) for each in interpretations_a]),
        np.array([each.cost + prior.cost_of_b(each) for each in interpretations_b]),
    )
    is_wild = outlying_rows(_usual(a).matrices(a)) | outlying_rows(_usual(b).matrices(b))
    found: list[Finding] = []
    for _ in range(SEARCHES):
        rows = np.flatnonzero(~is_wild)
        some = rows[np.linspace(0, len(rows) - 1, min(len(rows), SEARCHED)).astype(int)]
        found = ranked(candidates(a[some], b[some], interpretations_a, interpretations_b, costs), a, b, prior, times)
        was_wild, is_wild = is_wild, wild_rows(found[0].residuals)
        if not (is_wild & ~was_wild).any():
            break
    return found, is_wild


def _usual(numbers: Array) -> Interpretation:
    """Return a reading that keeps near what is near."""
    every = interpretations_of(numbers.shape[1])
    return next((i for i in every if i.kind != "angles" and i.unit == unit_of(numbers)), every[0])


def _evidence(best: Finding, numbers_b: Array, n_readings: int) -> float:
    h = best.hypothesis
    R = h.interpretation_b.matrices(numbers_b)
    spread = spread_of(R)
    n_axes = 1 if h.parent_axes.is_identity and h.frame_axes.is_identity else len(pairs()) // 2
    return evidence(best.rms, spread, n_different(R, spread), h.n_fitted, 2.0 * n_readings * n_axes)


def _unclear(found: Sequence[Finding]) -> tuple[int, ...]:
    """Return which findings the samples do not speak against any more than against the first."""
    first = found[0]
    if first.rms >= NOTHING_FITS:
        return ()
    return tuple(
        i
        for i, finding in enumerate(found[1:], start=1)
        if finding.fits_as_well and not _is_more_of_the_same(first.hypothesis, finding.hypothesis)
    )


def _is_more_of_the_same(first: Hypothesis, second: Hypothesis) -> bool:
    """Whether the second is the first with more fitted to it: offsets that the data do not ask for are no rivals."""
    return second.n_fitted > first.n_fitted and (first.interpretation_a, first.interpretation_b, first.is_inverse) == (
        second.interpretation_a,
        second.interpretation_b,
        second.is_inverse,
    )


def _keys(numbers: Array) -> Array:
    """Return a number for each row (n,), which no other row has."""
    return np.asarray(sum(column * np.sqrt(i + 2.0) for i, column in enumerate(numbers.T)))


def _is_whole(numbers: Array) -> NDArray[np.bool_]:
    """Say which rows (n,) are an orientation at all: nothing missing, and no quaternion or matrix of zeros."""
    is_finite = np.asarray(np.isfinite(numbers).all(axis=1))
    return is_finite if numbers.shape[1] == 3 else is_finite & np.asarray(numbers.any(axis=1))


def _too_few_text(a: Array, b: Array) -> str:
    """Return why the pairs that are left cannot decide, which are ignored and for which fault, and what to do."""
    faults = [
        f"pair {i + 1} is ignored: {side} {fault}"
        for i in range(len(a))
        for side, fault in (("A", _fault_text(a[i])), ("B", _fault_text(b[i])))
        if fault
    ]
    n_more = len(faults) - MAX_FAULTS
    more = [f"and {counted(n_more, 'more fault')}"] if n_more > 0 else []
    n_left = int((_is_whole(a) & _is_whole(b)).sum())
    left = "One pose cannot decide this. Add a second one" if n_left else f"No pose is left. Give {FEWEST} or more"
    advice = f"{left}, or see what it could mean" if n_left else left
    return f"{'; '.join([*faults[:MAX_FAULTS], *more])}. {advice}" if faults else advice


def _fault_text(numbers: Array) -> str:
    """Return why a row of numbers is no orientation; empty where it is one."""
    wrong = numbers[~np.isfinite(numbers)]
    if len(wrong):
        return f"has a value that is not finite ({wrong[0]:g})"
    return "" if _is_whole(numbers[np.newaxis])[0] else "has zeros alone"


def _rows(name: str, numbers: ArrayLike) -> Array:
    rows = np.asarray(numbers, dtype=float)
    if rows.ndim != 2 or rows.shape[1] not in (3, 4, 9):
        raise ValueError(f"{name}: expected rows of 3, 4 or 9 numbers, got an array of shape {rows.shape}")
    return rows
