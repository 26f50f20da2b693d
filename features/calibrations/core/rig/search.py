r"""Search for the poses of a rig whose numbers are wrong: for each block of loops, the fault that closes all of them.

Every fault of every pose is tried (`hypotheses`), and names that are swapped with a neighbour's. A fault is found if
the loops close to the noise with it, and every rival, which is a fault of another pose or of another kind, leaves a
chi-square larger by more than `APART` squared: more than three standard errors. Otherwise the rivals are named. If no
single fault closes the loops, two faults are tried: pairs of faults in two poses, and names that nobody mistakes.

In a triangle, two poses with their names swapped leave the same loop as the third pose inverted. Names that differ in a
number or a side, such as ``left`` and ``right``, are swapped by one mistake: it is a rival. Other names take two
mistakes: a single fault that closes the loops has precedence.

Without the pose e, the other poses of its block predict it with a covariance C and leave :math:`χ²_0`. A fault with
the residual r against the prediction leaves :math:`χ²_0 + r^T (C + Σ_e)^{-1} r`, so that one adjustment serves all
faults of a pose.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.calibrations.core.rig.adjustment import (
    Adjustment,
    Noise,
    Poses,
    adjoint,
    loop_error,
    loop_pose,
    quadratic,
    quadratics,
    quantile,
    rotation_vectors,
)
from framescope.features.calibrations.core.rig.graph import Ends, Path, blocks, short_loops
from framescope.features.calibrations.core.rig.hypotheses import KINDS, Hypotheses, Hypothesis, Kind, hypotheses_of
from framescope.features.calibrations.core.rig.names import are_alike
from framescope.features.calibrations.core.rig.rig import RigEdge

APART = 3.0
"""Standard errors by which the best rival must be worse."""

ALARM, FIT = 1e-6, 1e-4
"""Probability that noise exceeds the chi-square from which loops are open, and that up to which a fault closes them."""

SMALL_SCALE, LARGE_SCALE = 2.0, 4.0
"""Factors of the noise up to which a single fault may close loops before pairs are tried, and after."""

CLEAR = 25.0
"""Least factor by which a fault must reduce the chi-square where loops close with larger noise only."""

MOST_EDGES, MOST_LOOPS, MOST_PAIRS = 80, 60, 450
"""Limits of a block that is searched: poses, independent loops, and pairs of poses that may both be wrong."""

SURELY_OPEN = 4.0 * LARGE_SCALE**2
"""Chi-square of a single loop, as a multiple of the degrees of freedom of the block, above which one of its poses must
be wrong. Well above `LARGE_SCALE`, as loops of the same poses differ in their linear approximation."""

MOST_RIVALS = 12
"""Largest number of rivals that are named."""

MOST_TRIED = 300
"""Largest number of pairs of faults in two poses that depend on each other."""

LARGEST = 1e6
"""Coordinate from which a pose is left out of the search, m."""

NO_CHANGE = 3.0
"""Standard deviations within which a fault changes nothing."""

State = Literal["closed", "found", "kind open", "cannot tell", "off", "unexplained"]
"""Answer to a block: no alarm, pose and fault found, pose found alone, several poses possible, one pose off by no known
fault, or no explanation."""


@dataclass(frozen=True, eq=False)
class Loop:
    """Closed loop of poses: its edges by index with directions, and its residual, rad and m.

    `deviation` is the residual in standard deviations of a single number: the root of a sixth of its chi-square.
    """

    path: Path
    angle: float
    distance: float
    deviation: float


@dataclass(frozen=True, eq=False)
class Cause:
    """Explanation of open loops.

    Attributes
    ----------
    faults
        The wrong edges by index, each with the fault. Two edges have one fault if their names are swapped.
    chi_square
        Chi-square of the block that it leaves.
    renamed
        Two names that a file exchanges in more than a pair of edges; empty otherwise.
    variants
        Other faults of the same kind in the same edges that fit as well.
    """

    faults: tuple[tuple[int, Hypothesis], ...]
    chi_square: float
    renamed: tuple[str, str] | tuple[()] = ()
    variants: tuple[Cause, ...] = ()

    @property
    def edges(self) -> tuple[int, ...]:
        """Wrong edges by index."""
        return tuple(edge for edge, _ in self.faults)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Kind of the fault of each edge."""
        return tuple(fault.kind for _, fault in self.faults)

    @property
    def key(self) -> tuple[object, ...]:
        """Edges and kinds, by which causes are told apart."""
        return frozenset(zip(self.edges, self.kinds, strict=True)), self.renamed


@dataclass(frozen=True, eq=False)
class Verdict:
    """Answer to a block of loops.

    Attributes
    ----------
    state
        Whether the cause is known.
    edges
        Edges of the block by index.
    loops
        Its short loops, the worst first.
    dof
        Degrees of freedom: six for each independent loop.
    before
        Chi-square of the poses as they are written.
    best
        Best explanation; None without one. A pose that is off by no known fault has no hypothesis: see `off`.
    rivals
        Explanations that fit as well, the likely kinds first.
    margin
        Standard errors by which the best rival that is not as good is at least worse; infinite without one.
    scale
        Factor of the noise to which the loops close.
    off
        Edges of which one is off by no known fault.
    n_rivals
        Number of rivals, also of those that are not listed.
    unlikely
        Two mistakes that fit as well as one wrong pose: swapped names that nobody mistakes, or the same fault in both
        other poses of a triangle. They are no rivals.
    """

    state: State
    edges: tuple[int, ...]
    loops: tuple[Loop, ...]
    dof: int
    before: float
    best: Cause | None = None
    rivals: tuple[Cause, ...] = ()
    margin: float = np.inf
    scale: float = 1.0
    off: tuple[int, ...] = ()
    n_rivals: int = 0
    unlikely: tuple[Cause, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether the loops do not close to the noise."""
        return self.state != "closed"

    @property
    def deviation(self) -> float:
        """Residual of the block in standard deviations: the root of the mean chi-square."""
        return float(np.sqrt(self.before / max(self.dof, 1)))


def search(edges: Sequence[RigEdge], noise: Noise | None = None) -> tuple[Verdict, ...]:
    """Return the verdict on each block of loops of a rig.

    Examples
    --------
    >>> from framescope.core.transform import Transform
    >>> from framescope.features.calibrations.core.calibration import Edge
    >>> def pose(parent, child, X): return RigEdge(Edge(parent, child, X, "T"), f"{child}_in_{parent}.yaml")
    >>> R = [[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]]
    >>> X, Y = Transform(R, [0.2, 0.1, 0.3]), Transform(np.transpose(R), [0.0, 0.5, -0.1])
    >>> rig = [pose("imu", "a", X.inverse()), pose("a", "b", Y), pose("imu", "b", X @ Y)]
    >>> verdict, = search(rig)
    >>> verdict.state, [rig[k].label for k in verdict.best.edges], verdict.best.kinds
    ('found', ['a_in_imu.yaml: T'], ('inverted',))
    """
    used = noise or Noise()
    ends = tuple(edge.frames for edge in edges)
    usable = [k for k, edge in enumerate(edges) if _is_usable(edge)]
    parts = [tuple(usable[k] for k in block) for block in blocks([ends[k] for k in usable])]
    faults = {k: hypotheses_of(edges[k].edge, used) for block in parts for k in block}
    poses = _poses_as_written(len(edges), faults)
    return tuple(_Block(edges, ends, block, poses, faults, used).verdict() for block in parts)


def _is_usable(edge: RigEdge) -> bool:
    """Return whether the numbers of a pose can be computed with: distances below a million metres."""
    X = edge.edge.X_file
    return bool(np.isfinite(X.R_AB).all() and np.abs(X.R_AB).max() < 1e3 and np.abs(X.p_AB).max() < LARGEST)


def _poses_as_written(n: int, faults: dict[int, Hypotheses]) -> Poses:
    poses = Poses(np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3)), np.tile(np.eye(6), (n, 1, 1)))
    for edge, found in faults.items():
        poses.R[edge], poses.p[edge], poses.covariance[edge] = (
            found.poses.R[0],
            found.poses.p[0],
            found.poses.covariance[0],
        )
    return poses


@dataclass(frozen=True, eq=False)
class _Prediction:
    """Prediction of the last loops of a block by the others.

    Attributes
    ----------
    mean, covariance
        Expected residual (6 n) of the last n loops without the noise of their own edges, and its covariance.
    chi_square
        Chi-square of the other loops.
    """

    mean: Array
    covariance: Array
    chi_square: float


def _predict(adjustment: Adjustment, own: Sequence[int], n: int) -> _Prediction:
    """Return the prediction of the last n loops, of which `own` are the edges that are predicted."""
    S, r = adjustment.covariance(without=own), adjustment.residuals
    m = adjustment.dof - 6 * n
    if not m:
        return _Prediction(np.zeros(6 * n), S, 0.0)
    gain = np.linalg.solve(S[:m, :m], S[:m, m:]).T
    return _Prediction(gain @ r[:m], S[m:, m:] - gain @ S[:m, m:], quadratic(r[:m], S[:m, :m]))


class _Block:
    """Search in one block of loops."""

    def __init__(
        self,
        edges: Sequence[RigEdge],
        ends: Ends,
        block: tuple[int, ...],
        poses: Poses,
        faults: dict[int, Hypotheses],
        noise: Noise,
    ) -> None:
        self._noise = noise
        self._rig, self._ends, self._edges, self._poses, self._faults = edges, ends, block, poses, faults
        self._adjustment = Adjustment(ends, block, poses)
        self._needed = frozenset(edge for edge in block if not faults[edge].is_possible)

    @property
    def _dof(self) -> int:
        return self._adjustment.dof

    @cached_property
    def _loops(self) -> tuple[Loop, ...]:
        loops = [self._measured(path) for path in short_loops(self._ends, self._edges)]
        return tuple(sorted(loops, key=lambda loop: -loop.deviation))

    def _measured(self, path: Path) -> Loop:
        angle, distance = loop_error(path, self._poses)
        alone = Adjustment(self._ends, [edge for edge, _ in path], self._poses)
        return Loop(path, angle, distance, float(np.sqrt(alone.chi_square / 6.0)))

    @cached_property
    def _surely_open(self) -> tuple[tuple[frozenset[int], float], ...]:
        """Edges and chi-square of each short loop that is far too open for the noise: some fault must be in each."""
        most = SURELY_OPEN * self._dof
        measured = ((frozenset(edge for edge, _ in loop.path), 6.0 * loop.deviation**2) for loop in self._loops)
        return tuple((edges, chi_square) for edges, chi_square in measured if chi_square > most)

    def _least_with(self, edges: Iterable[int]) -> float:
        """Return a chi-square that faults in some edges leave at least; zero if they may close all loops."""
        wrong = {*edges}
        return max((chi_square for loop, chi_square in self._surely_open if not loop & wrong), default=0.0)

    def _may_be(self, *edges: int) -> bool:
        """Return whether faults in some edges alone may close all loops."""
        return self._needed <= {*edges} and not self._least_with(edges)

    def verdict(self) -> Verdict:
        """Return the answer to the block."""
        try:
            return self._verdict()
        except np.linalg.LinAlgError:  # distances of many orders of magnitude
            return Verdict("unexplained", self._edges, (), self._dof, np.inf)

    def _verdict(self) -> Verdict:
        before = self._adjustment.chi_square
        if before <= quantile(self._dof, ALARM) and not self._needed:
            return self._answer("closed", before)
        if len(self._edges) > MOST_EDGES or self._dof > 6 * MOST_LOOPS:
            return self._answer("unexplained", before)
        singles = sorted(self._singles(), key=lambda cause: cause.chi_square)
        limit = quantile(self._dof, FIT)
        if singles and singles[0].chi_square <= limit:
            return self._judge(singles, before, 1.0)
        scale = np.sqrt(singles[0].chi_square / self._dof) if singles else np.inf
        if scale <= SMALL_SCALE and self._is_clear(singles[0], before, scale):
            return self._judge(singles, before, float(scale))
        pairs = sorted(
            [*self._swapped(are_mistaken=False), *self._pairs(limit + APART**2)], key=lambda cause: cause.chi_square
        )
        if pairs and pairs[0].chi_square <= limit:
            return self._judge(pairs, before, 1.0)
        if scale <= LARGE_SCALE and self._is_clear(singles[0], before, scale):
            return self._judge(singles, before, float(scale))
        off = self._edges_off()
        return self._answer("off" if len(off) == 1 else "unexplained", before, off=off)

    def _is_clear(self, cause: Cause, before: float, scale: float) -> bool:
        """Return whether a fault closes loops that larger noise alone would not close."""
        is_open = bool(self._needed) or before / scale**2 > quantile(self._dof, ALARM)
        return is_open and (bool(self._needed) or before > CLEAR * cause.chi_square)

    def _answer(self, state: State, before: float, *, off: tuple[int, ...] = ()) -> Verdict:
        return Verdict(state, self._edges, self._loops, self._dof, before, off=off)

    def _judge(self, causes: Sequence[Cause], before: float, scale: float) -> Verdict:
        """Return the verdict by causes, the best one first."""
        reach = causes[0].chi_square + (APART * scale) ** 2
        distinct: dict[tuple[object, ...], list[Cause]] = {}
        for cause in causes:
            distinct.setdefault(cause.key, []).append(cause)
        groups = sorted(distinct.values(), key=lambda group: group[0].chi_square)
        near = [group for group in groups if group[0].chi_square < reach]
        ranked = [
            Cause(
                group[0].faults,
                group[0].chi_square,
                group[0].renamed,
                tuple(other for other in group[1:] if other.chi_square < reach),
            )
            for group in near
        ]
        first = ranked[0]  # of causes that mean the same poses, the likeliest kind is named first
        alike = [cause for cause in ranked if cause is first or same_pose((first, cause), self._noise)]
        best = min(alike, key=_unlikeliness)
        rivals = [cause for cause in ranked if cause is not best]
        rivals.sort(key=_unlikeliness)
        beyond = [group[0].chi_square for group in groups[len(near) :]]
        if not best.renamed:
            untried = map(self._least_with, itertools.combinations(self._edges, len(best.faults)))
            beyond += [chi_square for chi_square in untried if chi_square]
        margin = float(np.sqrt(min(beyond) - best.chi_square)) / scale if beyond else np.inf
        if not rivals:
            state: State = "found"
        elif all(frozenset(cause.edges) == frozenset(best.edges) for cause in rivals):
            state = "kind open"
        else:
            state = "cannot tell"
        doubled = () if len(best.faults) > 1 else (*self._swapped(are_mistaken=False), *self._same_in_others(best))
        return Verdict(
            state,
            self._edges,
            self._loops,
            self._dof,
            before,
            best,
            tuple(rivals[:MOST_RIVALS]),
            margin,
            scale,
            n_rivals=len(rivals),
            unlikely=tuple(cause for cause in doubled if cause.chi_square < reach),
        )

    # --- One fault

    def _singles(self) -> Iterator[Cause]:
        for edge in self._edges:
            if self._may_be(edge):
                chi_squares = self._of_edge(edge)
                faults = self._faults[edge]
                yield from (Cause(((edge, faults[k]),), chi_squares[k]) for k in range(1, len(faults)))
        yield from self._swapped(are_mistaken=True)

    def _swapped(self, *, are_mistaken: bool) -> Iterator[Cause]:
        """Yield swapped names, of names that people mistake or of all others."""
        if not self._needed:
            yield from self._swapped_edges(are_mistaken=are_mistaken)
            yield from self._swapped_names(are_mistaken=are_mistaken)

    def _of_edge(self, edge: int) -> list[float]:
        """Return the chi-square of each fault of an edge."""
        adjustment = Adjustment(self._ends, self._edges, self._poses, (edge,))
        prediction = _predict(adjustment, (edge,), 1)
        r = self._residuals(adjustment.loops[-1], edge) - prediction.mean
        S = prediction.covariance + self._faults[edge].poses.covariance
        return (prediction.chi_square + quadratics(r, S)).tolist()

    def _residuals(self, loop: Path, edge: int) -> Array:
        """Return the residuals (n, 6) of a loop that ends with an edge, for each fault of the edge."""
        R, p = loop_pose(loop[:-1], self._poses)
        poses = self._faults[edge].poses
        return np.concatenate([rotation_vectors(R @ poses.R), p + poses.p @ R.T], axis=1)

    def _swapped_edges(self, *, are_mistaken: bool) -> Iterator[Cause]:
        """Yield pairs of edges of one file at a common frame that have each other's numbers."""
        for e, f in itertools.combinations(self._edges, 2):
            shared = set(self._ends[e]) & set(self._ends[f])
            if len(shared) != 1 or self._rig[e].file != self._rig[f].file or not self._may_be(e, f):
                continue
            (frame,) = shared
            if are_alike(*(set(self._ends[e]) ^ set(self._ends[f]))) != are_mistaken:
                continue
            is_down = [self._ends[edge][0] == frame for edge in (e, f)]
            poses, faults = self._poses, list[tuple[int, Hypothesis]]()
            for edge, other in ((e, f), (f, e)):
                R, p, covariance = self._poses.R[other], self._poses.p[other], self._poses.covariance[other]
                if is_down[0] != is_down[1]:
                    A = adjoint(R, p)  # the noise of the inverse pose
                    R, p, covariance = R.T, -R.T @ p, A @ covariance @ A.T
                poses = poses.with_pose(edge, R, p, covariance)
                own, its = (self._ends[k][int(self._ends[k][0] == frame)] for k in (edge, other))
                faults.append((edge, Hypothesis("names swapped", f"has {own} and {its} swapped", R, p)))
            if not self._stays_open(poses, {e, f}):
                chi_square = Adjustment(self._ends, self._edges, poses).chi_square
                yield Cause(tuple(faults), chi_square)

    def _stays_open(self, poses: Poses, changed: set[int]) -> bool:
        """Return whether a short loop of changed edges is far too open for the noise with other poses."""
        near = (loop.path for loop in self._loops if changed & {edge for edge, _ in loop.path})
        most = SURELY_OPEN * self._dof
        return any(Adjustment(self._ends, [edge for edge, _ in path], poses).chi_square > most for path in near)

    def _swapped_names(self, *, are_mistaken: bool) -> Iterator[Cause]:
        """Yield pairs of names that one file exchanges, where that is more than an exchange of two edges."""
        files: dict[str, list[int]] = {}
        for edge in self._edges:
            files.setdefault(self._rig[edge].file, []).append(edge)
        for edges in files.values() if len(files) > 1 else ():
            names = dict.fromkeys(name for edge in edges for name in self._ends[edge])
            for a, b in itertools.combinations(names, 2):
                if are_alike(a, b) != are_mistaken:
                    continue
                touched = [edge for edge in edges if {a, b} & set(self._ends[edge])]
                if len(touched) > 1 and self._may_be(*touched) and not self._are_siblings(touched, a, b):
                    yield from self._with_exchanged(touched, a, b)

    def _are_siblings(self, touched: Sequence[int], a: str, b: str) -> bool:
        """Return whether two edges alone have the names, each with the same other frame."""
        others = [set(self._ends[edge]) - {a, b} for edge in touched]
        return len(touched) == 2 and len(others[0]) == 1 and others[0] == others[1]

    def _with_exchanged(self, touched: Sequence[int], a: str, b: str) -> Iterator[Cause]:
        exchange = {a: b, b: a}
        ends = list(self._ends)
        for edge in touched:
            parent, child = ends[edge]
            ends[edge] = exchange.get(parent, parent), exchange.get(child, child)
        adjustment = Adjustment(ends, self._edges, self._poses)
        if adjustment.dof == self._dof and len(blocks([ends[edge] for edge in self._edges])) == 1:
            text = f"has {a} and {b} swapped"
            faults = (Hypothesis("names swapped", text, self._poses.R[k], self._poses.p[k]) for k in touched)
            yield Cause(tuple(zip(touched, faults, strict=True)), adjustment.chi_square, (a, b))

    def _same_in_others(self, best: Cause) -> Iterator[Cause]:
        """Yield the same fault in both other poses of a triangle, such as two mirrored ones in place of the third."""
        others = [edge for edge in self._edges if edge not in best.edges]
        if len(self._edges) != 3 or self._dof != 6 or len(others) != 2 or self._needed:
            return
        e, f = others
        texts = {self._faults[f].texts[k]: k for k in self._real_faults(f)}
        for h in self._real_faults(e):
            g = texts.get(self._faults[e].texts[h])
            if g is not None:
                poses, chosen = self._poses, ((e, h), (f, g))
                for edge, fault in chosen:
                    found = self._faults[edge].poses[fault]
                    poses = poses.with_pose(edge, found.R, found.p, found.covariance)
                chi_square = Adjustment(self._ends, self._edges, poses).chi_square
                yield Cause(tuple((edge, self._faults[edge][fault]) for edge, fault in chosen), chi_square)

    # --- Two faults

    def _pairs(self, most: float) -> Iterator[Cause]:
        """Yield pairs of faults in two edges that leave at most a chi-square."""
        suspects = [pair for pair in itertools.combinations(self._edges, 2) if self._may_be(*pair)]
        for e, f in suspects if self._dof >= 12 and len(suspects) <= MOST_PAIRS else ():
            adjustment = Adjustment(self._ends, self._edges, self._poses, (e, f))
            last = [loop[-1][0] for loop in adjustment.loops[-2:]]
            of_two = self._of_two if last == [e, f] else self._of_dependent
            yield from of_two(adjustment, e, f, most)

    def _real_faults(self, edge: int) -> list[int]:
        """Return the faults of an edge that change its pose by more than noise."""
        faults = self._faults[edge]
        R, p = faults.poses.R, faults.poses.p
        turns = rotation_vectors(R[0].T @ R)
        shifts = (p - p[0]) @ R[0]
        turn, shift = np.sqrt(np.diagonal(faults.poses.covariance[0])[[0, 3]])
        size = np.sqrt((turns**2).sum(axis=1) / turn**2 + (shifts**2).sum(axis=1) / shift**2)
        return [k for k in range(1, len(faults)) if size[k] > NO_CHANGE or not faults.is_possible]

    def _of_two(self, adjustment: Adjustment, e: int, f: int, most: float) -> Iterator[Cause]:
        """Yield pairs of faults in edges with a loop of their own each."""
        prediction = _predict(adjustment, (e, f), 2)
        r, C = prediction.mean, prediction.covariance
        ways = (
            (e, self._residuals(adjustment.loops[-2], e) - r[:6], C[:6, :6]),
            (f, self._residuals(adjustment.loops[-1], f) - r[6:], C[6:, 6:]),
        )
        fitting: list[list[int]] = []
        for edge, d, own in ways:  # a fault that fits badly with the other edge left out fits none of its faults
            S = own + self._faults[edge].poses.covariance
            squares = quadratics(d, S)
            fitting.append([k for k in self._real_faults(edge) if prediction.chi_square + squares[k] <= most])
        for h, g in itertools.product(*fitting):
            S = C.copy()
            S[:6, :6] += self._faults[e].poses.covariance[h]
            S[6:, 6:] += self._faults[f].poses.covariance[g]
            chi_square = prediction.chi_square + quadratic(np.concatenate([ways[0][1][h], ways[1][1][g]]), S)
            if chi_square <= most:
                yield Cause(((e, self._faults[e][h]), (f, self._faults[f][g])), chi_square)

    def _of_dependent(self, adjustment: Adjustment, e: int, f: int, most: float) -> Iterator[Cause]:
        """Yield pairs of faults in edges that are in the same loops."""
        loop = next(loop for loop in adjustment.loops if {e, f} <= {edge for edge, _ in loop})
        place = next(i for i, (edge, _) in enumerate(loop) if edge != loop[-1][0] and edge in (e, f))
        last, inner, is_down = loop[-1][0], loop[place][0], loop[place][1]
        R_a, _ = loop_pose(loop[:place], self._poses)
        R_b, _ = loop_pose(loop[place + 1 : -1], self._poses)
        real = {edge: self._real_faults(edge) for edge in (e, f)}
        R_inner, R_last = (self._faults[edge].poses.R[real[edge]] for edge in (inner, last))
        R_inner = R_inner if is_down else np.swapaxes(R_inner, 1, 2)
        R = (R_a @ R_inner @ R_b)[:, None] @ R_last[None]
        variance = sum(float(self._poses.covariance[edge][0, 0]) for edge, _ in loop)
        squares = (rotation_vectors(R) ** 2).sum(axis=-1) / variance
        near = np.argwhere(squares <= most)
        order = np.argsort(squares[tuple(near.T)], kind="stable")[:MOST_TRIED]
        pairs: list[list[int]] = near[order].tolist()
        for i, k in pairs:
            poses, chosen = self._poses, {inner: real[inner][i], last: real[last][k]}
            for edge, fault in chosen.items():
                found = self._faults[edge].poses
                poses = poses.with_pose(edge, found.R[fault], found.p[fault], found.covariance[fault])
            chi_square = Adjustment(self._ends, self._edges, poses).chi_square
            if chi_square <= most:
                yield Cause(tuple((edge, self._faults[edge][chosen[edge]]) for edge in (e, f)), chi_square)

    # --- No known fault

    def _edges_off(self) -> tuple[int, ...]:
        """Return the edges without which all other loops close; empty unless others would show the difference."""
        rest = self._dof - 6
        if not rest:
            return ()
        alone: dict[int, float] = {}
        for edge in self._edges:
            if self._may_be(edge):
                adjustment = Adjustment(self._ends, self._edges, self._poses, (edge,))
                alone[edge] = _predict(adjustment, (edge,), 1).chi_square
        least = min(alone.values(), default=np.inf)
        if least > quantile(rest, FIT):
            return ()
        return tuple(edge for edge, chi_square in alone.items() if chi_square < least + APART**2)


def _unlikeliness(cause: Cause) -> tuple[int, int]:
    return len(cause.faults), sum(map(KINDS.index, cause.kinds))


def worst_loop(verdict: Verdict) -> Loop | None:
    """Return the loop of a block that is most open; None for a block whose loops are not listed."""
    return next(iter(verdict.loops), None)


def same_pose(causes: Iterable[Cause], noise: Noise) -> bool:
    """Return whether causes mend the same edges to the same poses, up to three standard deviations."""
    turn, shift = noise.sigmas
    first: dict[int, Hypothesis] | None = None
    for cause in causes:
        found = dict(cause.faults)
        if first is None:
            first = found
        if found.keys() != first.keys() or cause.renamed:
            return False
        for edge, fault in found.items():
            angle = float(np.linalg.norm(rotation_vectors(first[edge].R.T @ fault.R)))
            if angle > 3.0 * turn or float(np.linalg.norm(first[edge].p - fault.p)) > 3.0 * shift:
                return False
    return first is not None
