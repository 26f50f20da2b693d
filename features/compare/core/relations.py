"""Relations between two sides: which reading of each, in which sense, with which axes and positions.

As in the detective's hypotheses, ``A = L B Rᵀ`` or with ``Aᵀ``, where `L` and `R` are signed permutations of the axes
of the parent and of the frame. The traces of all relations are one matrix product.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array
from framescope.features.compare.core.odds import MEASURED, MEASURED_M, WITHIN, position_evidence, rotation_evidence
from framescope.features.compare.core.sides import SideReading
from framescope.features.detective.core.axis_changes import AxisChange, pair_costs, pair_table, pairs
from framescope.features.detective.core.hypotheses import Hypothesis, angles_between
from framescope.features.detective.core.interpretations import Interpretation

INVERSE, AXES, OFFSET, KEPT = 1.0, 2.2, 3.0, 1.5
"""Costs of the inverse sense, of one step of `pair_costs`, of positions that differ by an offset, and of an inverse
rotation beside a position that stays in the parent."""

SCALES = {1.0: 0.0, 1e-3: 3.0, 1e3: 3.0, 1e-2: 4.0, 1e2: 4.0}
"""Cost of each factor from the first side's positions to the second's."""

MOST_HITS, MOST_LOOKED_AT = 20_000, 200
"""Largest numbers of relations that are weighed, and that are looked at one by one."""

MOST_KINDS = 12
"""Largest number of different relations that are told apart."""

ONE = 1e-6
"""Angle or distance below which two predictions are one, rad or m."""


@dataclass(frozen=True, eq=False)
class Relation:
    """A relation that both sides fulfil.

    Attributes
    ----------
    first, second
        Readings of the sides.
    is_inverse
        Whether one side has the frame in its parent and the other the parent in the frame.
    parent_axes, frame_axes
        Axes of the parent and of the frame in the first side, in terms of the axes in the second.
    scale
        Factor from the first side's positions to the second's; None if the positions differ by an offset, or if a side
        has none.
    cost
        Minus the logarithm of the prior, without its constant.
    angle
        Misfit of the orientation, rad.
    miss
        Misfit of the position, m; None without positions.
    weight
        Logarithm of the prior times the factor of the evidence.
    keeps_position
        Whether only the rotations are inverse: both positions are those of the frame in its parent.
    """

    first: SideReading
    second: SideReading
    is_inverse: bool
    parent_axes: AxisChange
    frame_axes: AxisChange
    scale: float | None
    cost: float
    angle: float
    miss: float | None
    weight: float
    keeps_position: bool = False

    @property
    def hypothesis(self) -> Hypothesis:
        """The relation of the numbers, as the detective has it."""
        is_inverse = self.is_inverse != (self.first.is_inverse != self.second.is_inverse)
        parent, frame = self.parent_axes, self.frame_axes
        if self.second.is_inverse:  # Bᵀ = Rᵀ Aᵀ L
            parent, frame = frame, parent
        return Hypothesis(self.first.interpretation, self.second.interpretation, is_inverse, parent, frame)

    @property
    def is_plain(self) -> bool:
        """Whether both sides are the same orientation as they are read."""
        return not self.is_inverse and self.parent_axes.is_identity and self.frame_axes.is_identity

    def predict(self, R: Array) -> Array:
        """Return the second side's orientations (n, 3, 3) for those of the first."""
        R = np.swapaxes(R, 1, 2) if self.is_inverse else R
        return self.parent_axes.matrix.T @ R @ self.frame_axes.matrix

    def predict_position(self, R: Array, p: Array) -> Array:
        """Return the second side's position (3,) for an orientation (3, 3) and a position of the first, m."""
        moved = -(R.T @ p) if self.is_inverse and not self.keeps_position else p
        return (self.scale or 1.0) * (self.parent_axes.matrix.T @ moved)


@dataclass(frozen=True, eq=False)
class Relations:
    """Relations of two sides.

    Attributes
    ----------
    kinds
        Different relations, the most probable first, each with the sum of the weights of all its descriptions.
    evidence
        Logarithm of the sum of all weights: against unrelated sides.
    tried
        Number of relations that were tried.
    """

    kinds: tuple[Relation, ...]
    evidence: float
    tried: int
    costs: Array

    def n_tried(self, cost: float) -> int:
        """Return the number of relations tried that cost at most so much."""
        return int(np.count_nonzero(self.costs <= cost + 1e-9))


def relations_of(first: Sequence[SideReading], second: Sequence[SideReading], offset: Array | None = None) -> Relations:
    """Return the relations that the readings of two sides fulfil.

    Parameters
    ----------
    first, second
        Readings of the sides.
    offset
        Known rotation (3, 3) of the second side's frame in that of the first.
    """
    A = np.stack([side.R if offset is None else side.R @ offset for side in first])
    B = np.stack([side.R for side in second])
    both = np.stack([A, np.swapaxes(A, 1, 2)])
    products = np.einsum("dnx,my->dnmxy", both.reshape(2, -1, 9), B.reshape(-1, 9)).reshape(-1, 81)
    traces = (products @ pair_table()).reshape(2, len(A), len(B), -1)
    costs = (
        INVERSE * np.arange(2)[:, None, None, None]
        + np.array([side.cost for side in first])[:, None, None]
        + np.array([side.cost for side in second])[:, None]
        + AXES * pair_costs()
    )
    total = float(np.log(np.exp(-costs).sum()))
    rounding = np.hypot(*np.meshgrid([s.rounding for s in first], [s.rounding for s in second], indexing="ij"))
    reach = np.minimum(WITHIN * np.hypot(rounding, MEASURED), np.pi)
    hits: NDArray[np.intp] = np.argwhere(traces >= 1.0 + 2.0 * np.cos(reach)[None, :, :, None])
    if len(hits) > MOST_HITS:
        hits = hits[np.argsort(costs[tuple(hits.T)], kind="stable")[:MOST_HITS]]
    if not len(hits):
        return Relations((), -math.inf, costs.size, costs.ravel())
    d, i, j, k = (hits[:, column] for column in range(4))
    places: list[list[int]] = hits.tolist()
    L, R = _matrices()
    angles = angles_between(np.swapaxes(L[k], 1, 2) @ both[d, i] @ R[k], B[j])
    weights = rotation_evidence(angles, rounding[i, j]) - costs[d, i, j, k] - total
    scales, misses, keeps = np.full(len(hits), np.nan), np.full(len(hits), np.nan), np.zeros(len(hits), dtype=bool)
    if all(side.p is not None for side in (*first, *second)):
        extra, scales, misses, keeps = _weigh_positions(first, second, A, hits)
        weights = weights + extra
    order: list[int] = np.argsort(-weights, kind="stable").tolist()
    found = [
        Relation(
            first[places[n][1]],
            second[places[n][2]],
            bool(places[n][0]),
            *pairs()[places[n][3]],
            scale=None if np.isnan(scales[n]) else float(scales[n]),
            cost=float(costs[tuple(places[n])]),
            angle=float(angles[n]),
            miss=None if np.isnan(misses[n]) else float(misses[n]),
            weight=float(weights[n]),
            keeps_position=bool(keeps[n]),
        )
        for n in order[:MOST_LOOKED_AT]
    ]
    return Relations(_different(found), float(np.logaddexp.reduce(weights)), costs.size, costs.ravel())


def _matrices() -> tuple[Array, Array]:
    """Return the axes of the parent (k, 3, 3) and of the frame of each pair of changes."""
    return np.array([L.matrix for L, _ in pairs()]), np.array([R.matrix for _, R in pairs()])


def _weigh_positions(
    first: Sequence[SideReading], second: Sequence[SideReading], A: Array, hits: NDArray[np.intp]
) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
    """Return the logarithm of the factor of the positions, the scale (NaN for an offset), and the miss of each hit.

    The last array is true where the rotations are inverse and the positions are not.
    """
    d, i, j, k = hits.T
    p = np.array([side.p for side in first])[i]
    q = np.array([side.p for side in second])[j]
    inverse = -np.einsum("nab,na->nb", A[i], p)
    L = _matrices()[0][k]
    best = np.full(len(hits), -OFFSET)
    scales, misses, keeps = np.full(len(hits), np.nan), np.full(len(hits), np.nan), np.zeros(len(hits), dtype=bool)
    steps = [0.0 if side.p is None else step_of_position(side.p) for side in (first[0], second[0])]
    distance = np.linalg.norm(p, axis=1)
    # an inverse position errs with the orientation, too, unless a reading has inverted it before
    w_first, w_second = (
        np.array([side.is_inverse for side in sides])[column] for sides, column in ((first, i), (second, j))
    )
    turned = np.hypot(np.array([side.rounding for side in first])[i], np.array([side.rounding for side in second])[j])
    for keeps_position, (scale, cost) in itertools.product((False, True), SCALES.items()):
        is_turned = (d == 1) & (not keeps_position)
        predicted = np.einsum("nab,na->nb", L, np.where(is_turned[:, None], inverse, p))
        miss = np.linalg.norm(scale * predicted - q, axis=1)
        size = math.sqrt(float(np.mean(q**2)) + scale**2 * float(np.mean(p**2))) + 1e-3
        lever = (is_turned & (w_first == w_second)) * distance
        inexact = ((is_turned != w_first) | w_second) * distance
        rounded = np.hypot(math.hypot(scale * steps[0], steps[1]), scale * inexact * turned)
        measured = np.hypot(np.hypot(rounded, MEASURED_M * max(scale, 1.0)), scale * lever * MEASURED)
        factor = position_evidence(miss, rounded, measured, size) - cost - KEPT * keeps_position
        is_better = (factor > best) & ((d == 1) | (not keeps_position))
        best = np.where(is_better, factor, best)
        scales, misses = np.where(is_better, scale, scales), np.where(is_better, miss, misses)
        keeps = np.where(is_better, keeps_position, keeps)
    return best, scales, misses, keeps


def step_of_position(p: Array) -> float:
    """Return the standard deviation that the digits of a position leave, m; whole numbers count as exact.

    >>> round(step_of_position(np.array([0.25, 1.0, -0.5])), 4), step_of_position(np.array([1.0, 2.0, 3.0]))
    (0.0029, 0.0)
    """
    decimals = max(len(f"{value:.9f}".rstrip("0").partition(".")[2]) for value in p)
    return 10.0**-decimals / math.sqrt(12.0) if decimals else 0.0


def _different(found: Sequence[Relation]) -> tuple[Relation, ...]:
    """Return the relations that predict something else than those before them, with the weights of their like."""
    kinds: list[Relation] = []
    weights: list[float] = []
    for relation in found:
        place = next((n for n, kind in enumerate(kinds) if is_same(kind, relation)), None)
        if place is not None:
            weights[place] = float(np.logaddexp(weights[place], relation.weight))
            if relation.cost < kinds[place].cost:
                kinds[place] = relation
        elif len(kinds) < MOST_KINDS:
            kinds.append(relation)
            weights.append(relation.weight)
    ranked = sorted(zip(weights, range(len(kinds)), strict=True), reverse=True)
    return tuple(replace(kinds[n], weight=weight) for weight, n in ranked)


_TURNS = Interpretation("rotation vector", unit="rad")
_GENERIC = np.array([[0.31, -0.52, 0.44], [-0.83, 0.21, 0.67]])
_POINT = np.array([0.37, -0.59, 0.83])


def is_same(one: Relation, other: Relation) -> bool:
    """Return whether two relations predict the same numbers of the second side for any of the first."""
    R = _TURNS.matrices(_GENERIC)
    if one.first.numbers.shape != other.first.numbers.shape or one.second.numbers.shape != other.second.numbers.shape:
        return False
    other_R = R if one.first is other.first else other.first.matrices(one.first.numbers_of(R))
    seen, others = one.predict(R), other.predict(other_R)
    if one.second is not other.second:
        seen = other.second.matrices(one.second.numbers_of(seen))
    if float(angles_between(seen, others).max()) > ONE:
        return False
    if one.miss is None and other.miss is None:
        return (one.scale is None) == (other.scale is None)
    if one.scale is None or other.scale is None:
        return False
    point = _reread_position(one.first, other.first, R[0], _POINT)
    place = _reread_position(one.second, other.second, one.predict(R)[0], one.predict_position(R[0], _POINT))
    return float(np.abs(place - other.predict_position(other_R[0], point)).max()) < ONE


def _reread_position(side: SideReading, other: SideReading, R: Array, p: Array) -> Array:
    """Return the position (3,) that another reading of a side gives to the numbers which one reads as `R` and `p`."""
    if side.p is None or other.p is None or side.p is other.p or not np.linalg.norm(side.p):
        return p
    size = float(np.linalg.norm(other.p) / np.linalg.norm(side.p))
    if np.allclose(other.p, size * side.p):
        return size * p
    return -size * (R.T @ p) if np.allclose(other.p, -size * (side.R.T @ side.p)) else p
