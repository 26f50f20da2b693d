"""Comparison of two texts that should be the same pose."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels.validation import Array
from framescope.core.orientation import Orientation
from framescope.core.readings import TextReadings, read_text
from framescope.features.compare.core import odds
from framescope.features.compare.core.parting import next_sample
from framescope.features.compare.core.positions import PositionRelation, position_relations
from framescope.features.compare.core.relations import Relation, Relations, relations_of
from framescope.features.compare.core.sentences import (
    INVERSE_TEXT,
    Names,
    agreement_text,
    apart_text,
    axes_texts,
    capital,
    differences,
    distance_text,
    far_fetched_text,
    metres_text,
    open_text,
    scale_texts,
)
from framescope.features.compare.core.sides import SideReading, side_readings
from framescope.features.detective.core.conversion import conversion_code
from framescope.features.detective.core.hypotheses import angles_between

Verdict = Literal["settled", "likely", "cannot tell", "neither"]

MOST_ROWS = 6
"""Largest number of relations that are named."""

NEGLIGIBLE, CLEAR = 1e-4, 0.9
"""Share of the weight below which a relation no longer counts, and from which the first one is likely."""

NEGLIGIBLE_BESIDE_STATED = 2e-3
"""Share below which a relation does not count beside texts that agree by their own words."""

CLOSE = 3.0
"""Largest misfit of a settled answer, in standard deviations."""

FINE = math.radians(0.02)
"""Rounding, rad, below which numbers that agree within it are computed, not measured."""


@dataclass(frozen=True, eq=False)
class Row:
    """A relation under which both texts are the same pose.

    Attributes
    ----------
    texts
        Differences, as phrases; empty if both are the same as they stand.
    first, second
        Descriptions of the numbers of each text.
    misfit_deg
        Angle that is left between the orientations, degrees; None if a text has no orientation.
    misfit_m
        Distance that is left between the positions, m; None if a text has none, or if they differ by an offset.
    share
        Probability among the relations found.
    accidents
        Number of relations at most as far-fetched that unrelated numbers would be expected to fulfil as closely.
    readings
        Readings of both texts; None for positions alone.
    R_first, R_second
        Orientations as this relation reads them, parent into frame; None if a text has none.
    p_first, p_second
        Positions in the parent, m; None if a text has none.
    """

    texts: tuple[str, ...]
    first: str
    second: str
    misfit_deg: float | None
    misfit_m: float | None
    share: float
    accidents: float
    R_first: Orientation | None
    R_second: Orientation | None
    p_first: tuple[float, float, float] | None
    p_second: tuple[float, float, float] | None
    readings: tuple[SideReading | None, SideReading | None] = (None, None)
    _relation: Relation | None = None

    @property
    def left(self) -> str:
        """Misfit in words, such as ``"0.2° and 3 mm apart"``."""
        return f"{distance_text(self.misfit_deg, self.misfit_m)} apart"

    @property
    def is_plain(self) -> bool:
        """Whether the texts agree without any change of sense, axes or positions."""
        return not self.texts

    def convert(self, numbers: ArrayLike) -> Array:
        """Return the second text's numbers (n, l) for rows of numbers (n, k) in the form of the first.

        Raises
        ------
        ValueError
            When the relation has no orientations.
        """
        if self._relation is None:
            raise ValueError("positions alone have no conversion of orientations")
        relation, rows = self._relation, np.atleast_2d(np.asarray(numbers, dtype=float))
        return relation.second.numbers_of(relation.predict(relation.first.matrices(rows)))

    def same_as_second(self, numbers: ArrayLike, others: ArrayLike) -> bool:
        """Return whether two rows of numbers (l,) in the form of the second text are one orientation, to 1e-6 rad."""
        if self._relation is None:
            return False
        R = self._relation.second.matrices(np.array([numbers, others], dtype=float))
        return float(angles_between(R[0], R[1])) < 1e-6

    @property
    def has_code(self) -> bool:
        """Whether the relation converts orientations."""
        return self._relation is not None

    def code(self, target: str = "numpy") -> str:
        """Return a function that converts the first text's numbers into those of the second.

        Parameters
        ----------
        target
            ``"numpy"``, ``"scipy"``, ``"matlab"``, ``"julia"``, ``"modelica"``, ``"eigen"`` or ``"ros-tf2"``.

        Raises
        ------
        ValueError
            When the target is unknown, or the relation has no orientations.
        """
        if self._relation is None:
            raise ValueError("positions alone have no conversion of orientations")
        return conversion_code(self._relation.hypothesis, target, "first", "second")


NOT_READ = TextReadings()


@dataclass(frozen=True, eq=False)
class Comparison:
    """Answer to the question why two texts disagree.

    Attributes
    ----------
    verdict
        ``"settled"``: one relation, and nothing else within reach. ``"likely"``: the simplest of several.
        ``"cannot tell"``: several, or one that chance may give. ``"neither"``: none.
    sentence
        The answer.
    rows
        Relations under which they agree, the most probable first, six at most.
    more
        Number of further relations that are not named.
    apart_deg, apart_m
        Distance in the simplest reading, degrees and m; None without orientations or positions.
    next_sample
        Sample that would part the rows; empty if there is nothing to part.
    first, second
        Readings of the texts.
    reason
        Why there is no comparison; empty if there is one.
    simplest
        Both texts in the simplest reading, for texts that nothing brings together; None otherwise.
    """

    verdict: Verdict
    sentence: str
    rows: tuple[Row, ...] = ()
    more: int = 0
    apart_deg: float | None = None
    apart_m: float | None = None
    next_sample: str = ""
    first: TextReadings = NOT_READ
    second: TextReadings = NOT_READ
    reason: str = ""
    simplest: Row | None = None


def compare(
    first: str | TextReadings,
    second: str | TextReadings,
    *,
    offset: Orientation | None = None,
    names: Names = ("the first", "the second"),
) -> Comparison:
    """Return how two texts that should be the same pose differ, how sure that is, and what would settle it.

    Parameters
    ----------
    first, second
        Texts as `framescope.core.readings.read_text` reads them, or their readings. The first pose of a list counts.
    offset
        Known orientation of the second text's frame in that of the first; the same frame if left out.
    names
        Names of both sides in sentences.

    Returns
    -------
    Comparison
        With `reason` if a text has no reading.

    Notes
    -----
    Every reading of both texts, both senses, the 24 right-handed and 24 mirrored changes of axes of parent and frame,
    and units of positions are tried. `framescope.features.compare.core.odds` states the prior and the evidence. Free
    offsets are not fitted: one pair fits any.

    Examples
    --------
    >>> answer = compare("rpy 10 20 30 deg", "[0.9515, 0.0381, 0.1893, 0.2393]")
    >>> answer.verdict, answer.rows[0].second
    ('settled', 'quaternion wxyz')
    """
    one, other = (read_text(side) if isinstance(side, str) else side for side in (first, second))
    pair = _Pair(one, other, names, None if offset is None else offset.T.T)
    reason = _reason(pair)
    if reason:
        return pair.answer("cannot tell", reason, reason=reason)
    sides = side_readings(one), side_readings(other)
    if not (sides[0] and sides[1]):
        return _compare_positions(pair)
    answer = _compare_orientations(pair, *sides)
    if answer.verdict == "neither" and all(side.readings[-1].kind in ("position", "vector") for side in (one, other)):
        by_position = _compare_positions(pair)
        return answer if by_position.verdict == "neither" else by_position
    return answer


@dataclass(frozen=True, eq=False)
class _Pair:
    first: TextReadings
    second: TextReadings
    names: Names
    offset: Array | None

    def answer(self, verdict: Verdict, sentence: str, **others: Any) -> Comparison:
        return Comparison(verdict, sentence, first=self.first, second=self.second, **others)


def _reason(pair: _Pair) -> str:
    for name, side in zip(pair.names, (pair.first, pair.second), strict=True):
        if not side.readings:
            return f"{capital(name)}: {side.reason or 'nothing to read.'}"
        if side.readings[0].fault:
            return f"{capital(name)} is no rotation: {side.readings[0].fault}"
    return ""


def _compare_orientations(pair: _Pair, first: Sequence[SideReading], second: Sequence[SideReading]) -> Comparison:
    relations = relations_of(first, second, pair.offset)
    kinds = relations.kinds
    simplest = _simplest(first, second, pair)
    angle, distance = simplest.misfit_deg or 0.0, simplest.misfit_m
    apart = {"apart_deg": angle, "apart_m": distance}
    if not kinds:
        sentence = apart_text(angle, distance, has_offset=pair.offset is not None)
        return pair.answer("neither", sentence, simplest=simplest, **apart)
    weights = np.array([relation.weight for relation in kinds])
    shares = np.exp(weights - np.logaddexp.reduce(weights))
    verdict = _verdict(relations, shares, has_positions=distance is not None)
    n_rows = MOST_ROWS
    if verdict in ("settled", "likely"):
        least = NEGLIGIBLE_BESIDE_STATED if verdict == "settled" else NEGLIGIBLE
        n_rows = max(1, min(MOST_ROWS, int(np.count_nonzero(shares > least))))
    named = kinds[:n_rows]
    rows = tuple(_row(relation, float(share), relations, pair) for relation, share in zip(named, shares, strict=False))
    best = rows[0]
    if verdict == "neither":
        sentence = far_fetched_text(angle, distance, len(rows))
        return pair.answer(verdict, sentence, rows=rows, simplest=simplest, **apart)
    advice = "" if verdict == "settled" else next_sample(named, pair.offset)
    if verdict == "cannot tell":
        sentence = open_text(len(kinds), advice, is_plain=best.is_plain)
        more = len(kinds) - len(rows)
        return pair.answer(verdict, sentence, rows=rows, more=more, next_sample=advice, **apart)
    sure = "" if verdict == "settled" else "most likely"
    sentence = agreement_text((best.first, best.second), best.texts, best.left, len(rows) - 1, pair.names, sure)
    return pair.answer(verdict, sentence, rows=rows, next_sample=advice, **apart)


def _simplest(first: Sequence[SideReading], second: Sequence[SideReading], pair: _Pair) -> Row:
    """Return both texts in those of their simplest readings that are nearest to each other."""
    sides = [[side for side in each if side.cost == min(one.cost for one in each)] for each in (first, second)]
    turn = np.eye(3) if pair.offset is None else pair.offset
    a, b = min(itertools.product(*sides), key=lambda two: float(angles_between(two[0].R @ turn, two[1].R)))
    distance = None if a.p is None or b.p is None else float(np.linalg.norm(a.p - b.p))
    angle = math.degrees(float(angles_between(a.R @ turn, b.R)))
    orientations = _orientation(a.R @ turn), _orientation(b.R)
    return Row((), a.text, b.text, angle, distance, 0.0, 0.0, *orientations, _point(a.p), _point(b.p), (a, b))


def _verdict(relations: Relations, shares: Array, *, has_positions: bool) -> Verdict:
    best, evidence = relations.kinds[0], relations.evidence
    if evidence < math.log(odds.UNRELATED):
        return "neither"
    if evidence < math.log(odds.ENOUGH) or shares[0] < CLEAR:
        return "cannot tell"
    is_as_stated = best.is_plain and best.cost == 0.0
    negligible = NEGLIGIBLE_BESIDE_STATED if is_as_stated else 0.0
    others = zip(relations.kinds[1:], shares[1:], strict=True)
    is_alone = not any(share > negligible and _is_within_reach(relation, best) for relation, share in others)
    is_sure = evidence >= math.log(odds.CERTAIN) and shares[0] >= 1.0 - max(NEGLIGIBLE, 5.0 * negligible)
    misses_position = has_positions and best.miss is None
    is_close = best.angle <= CLOSE * math.hypot(best.first.rounding, best.second.rounding, odds.MEASURED)
    return "settled" if is_alone and is_sure and is_close and not misses_position else "likely"


def _is_within_reach(relation: Relation, best: Relation) -> bool:
    """Return whether a relation fits as the best one: within the digits alone, if these are fine and the best does."""
    rounding = math.hypot(best.first.rounding, best.second.rounding)
    if rounding < FINE and best.angle <= odds.WITHIN * max(rounding, odds.FINEST):
        its = math.hypot(relation.first.rounding, relation.second.rounding)
        return relation.angle <= odds.WITHIN * max(its, rounding, odds.FINEST)
    return relation.miss is not None or best.miss is None


def _row(relation: Relation, share: float, relations: Relations, pair: _Pair) -> Row:
    first, second = relation.first, relation.second
    R = first.R if pair.offset is None else first.R @ pair.offset
    accidents = odds.n_accidents(relations.n_tried(relation.cost), max(relation.angle, first.rounding))
    return Row(
        differences(relation, pair.names),
        first.text,
        second.text,
        math.degrees(relation.angle),
        relation.miss,
        share,
        accidents,
        _orientation(R),
        _orientation(second.R),
        _point(first.p),
        _point(second.p),
        (first, second),
        relation,
    )


def _orientation(R: Array) -> Orientation:
    return Orientation(R.T.copy(), np.zeros(3))


def _point(p: Array | None) -> tuple[float, float, float] | None:
    return None if p is None else (float(p[0]), float(p[1]), float(p[2]))


# --- Positions alone


def _compare_positions(pair: _Pair) -> Comparison:
    points = [
        [(reading.R, np.array(reading.p_PF)) for reading in side.readings if reading.p_PF is not None]
        for side in (pair.first, pair.second)
    ]
    if not (points[0] and points[1]):
        text = "One text has an orientation alone and the other a position alone: there is nothing to compare."
        return pair.answer("cannot tell", text, reason=text)
    found = position_relations(*points)
    distance = min(float(np.linalg.norm(p - q)) for (_, p), (_, q) in itertools.product(*points))
    rows = tuple(_position_row(relation, pair.names) for relation in found[:MOST_ROWS])
    if not rows:
        text = f"The positions are {metres_text(distance)} apart, and no axes, sense or unit brings them together."
        return pair.answer("neither", text, apart_m=distance)
    if found[0].share > CLEAR:
        what = "; ".join(rows[0].texts)
        text = f"Most likely they are the same position{f': {what}' if what else ''} ({rows[0].left})."
        return pair.answer("likely", text, rows=rows[:1], apart_m=distance)
    advice = "A point with three different coordinates would part them."
    text = open_text(len(found), advice, is_plain=rows[0].is_plain)
    return pair.answer(
        "cannot tell", text, rows=rows, more=len(found) - len(rows), apart_m=distance, next_sample=advice
    )


def _position_row(relation: PositionRelation, names: Names) -> Row:
    texts = [INVERSE_TEXT] if relation.is_inverse else []
    texts += [*axes_texts(relation.axes, "the parent", names), *scale_texts(relation.scale, names)]
    points = _point(relation.first), _point(relation.second)
    numbers = (None, relation.miss, relation.share, relation.accidents)
    return Row(tuple(texts), "position", "position", *numbers, None, None, *points)
