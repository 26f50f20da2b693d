"""Explanations of misses: items and hypotheses that close them, by all measurements of a scene."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from framescope.core.analysis.diagnostics.comparisons import compare_vector
from framescope.core.analysis.diagnostics.costs import OFFSET_COST
from framescope.core.analysis.diagnostics.nearby_frames import likely_frames
from framescope.core.analysis.misses.miss import Miss
from framescope.core.analysis.misses.pose_misses import compose_pose, rotation_angle, rows_between
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.measured import MeasuredPose, MeasuredVector
from framescope.core.scene.schema.model import WORLD, ItemKey
from framescope.features.causes.core.fitted_hypotheses import fitted_hypotheses
from framescope.features.causes.core.hypotheses_of_poses import (
    PoseHypothesis,
    hypotheses_of_pose,
    is_posed_by_numbers,
    pairs_of,
)
from framescope.features.causes.core.hypotheses_of_recordings import hypotheses_of_recording, recording_of
from framescope.features.causes.core.judgement import WORSE, Judge, Misses, MissId, Trial
from framescope.features.causes.core.rate_checks import vector_problems
from framescope.features.causes.core.vectors.words import ExplainedVector, Reading

MOST_PARENTS = 8
"""Limit of other frames tried in place of a named one."""

RIVAL = 0.5
"""Largest difference of cost from the best explanation for a rival."""

SEED = 3.0
"""Factor by which a hypothesis must reduce a part of a miss to be one of two causes."""

MOST_SEEDS = 3
"""Limit of first causes for which a second one is searched."""

EQUAL = 1.5
"""Factor to the smallest miss, or to the resolution, up to which explanations close a miss equally well."""

COMMON = 1.5
"""Limit of the cost of each of two causes in one item."""

SAME_ANGLE, SAME_LENGTH = float(np.radians(0.5)), 5e-3
"""Differences below which poses count as the same, rad and m."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """One or two hypotheses, with their effect on all misses."""

    hypotheses: tuple[PoseHypothesis, ...]
    trial: Trial
    pose: tuple[object, Array, Array] | None = None
    reading: Reading | None = None
    """Reading of a measured vector that it expresses, if the vector itself is the cause."""

    @property
    def first(self) -> PoseHypothesis:
        """The main hypothesis."""
        return self.hypotheses[0]

    @property
    def cost(self) -> float:
        """Improbability: the sum of the hypotheses' costs."""
        return sum(hypothesis.cost for hypothesis in self.hypotheses)

    @property
    def n_causes(self) -> int:
        """Number of changed parts."""
        return sum(hypothesis.n_causes for hypothesis in self.hypotheses)

    def words(self, name: str = "") -> str:
        """Return the hypotheses as a clause, with `it` for the named item."""
        return " and ".join(hypothesis.words(name) for hypothesis in self.hypotheses)

    def is_as(self, other: Explanation) -> bool:
        """Return whether both give the same item the same pose."""
        if self.first.item != other.first.item or self.pose is None or other.pose is None:
            return False
        (between, R1, p1), (other_between, R2, p2) = self.pose, other.pose
        if between != other_between:
            return False
        angle = rotation_angle(R1 @ R2.transpose(0, 2, 1)).max()
        return bool(angle < SAME_ANGLE and np.sqrt(((p1 - p2) ** 2).sum(axis=-1)).max() < SAME_LENGTH)


@dataclass(frozen=True, eq=False)
class Cause:
    """Explanation that closes some misses: the likeliest one, and its rivals, which are as good."""

    closed: frozenset[MissId]
    best: Explanation
    rivals: tuple[Explanation, ...]
    others: tuple[Explanation, ...]


class Search:
    """Search for causes of the open misses of a plan: of all poses, and of the vectors reported to miss.

    Parameters
    ----------
    judge
        Misses of the plan.
    vectors
        Names of the vectors that miss.
    own
        Readings of vectors by themselves, as explanations.
    """

    def __init__(self, judge: Judge, vectors: Collection[str] = (), own: Iterable[Explanation] = ()) -> None:
        self.judge, self.plan = judge, judge.plan
        poses = {name for name, staged in self.plan.instruments.measurements.items() if staged.pose is not None}
        named = poses | set(vectors)
        self.open = {key: miss for key, miss in judge.before.items() if miss.is_open and key[0][1] in named}
        self._own = tuple(own)
        self._delays = {
            explanation.first.name: explanation.reading.delay
            for explanation in self._own
            if explanation.reading is not None and explanation.reading.delay is not None
        }

    def causes(self) -> Iterator[Cause]:
        """Yield causes, each closing misses that the former ones left open, those that close most first.

        Pairs of causes are searched only for misses that no single cause closes, first those with a single cause that
        is known.
        """
        remaining = {*self.open}
        singles = list[Cause]()
        for cause in self._closing(remaining, is_single=True):
            singles.append(cause)
            yield cause
        yield from self._in_turn(remaining, singles)
        yield from self._closing(remaining, is_single=False)
        if remaining:
            yield from self._of_two(remaining)

    def _closing(self, remaining: set[MissId], *, is_single: bool) -> Iterator[Cause]:
        """Yield causes of one or of several changes, and remove the misses that they close."""
        candidates = [
            candidate
            for candidate in self.candidates
            if (candidate.n_causes == 1) is is_single and not self._is_free(candidate)
        ]
        while remaining:
            useful = [
                candidate
                for candidate in candidates
                if self._closes(candidate, remaining) and not candidate.trial.is_harmful
            ]
            if not useful:
                return
            cause = _cause(useful, remaining)
            remaining -= cause.closed
            yield cause

    def _in_turn(self, remaining: set[MissId], causes: Collection[Cause]) -> Iterator[Cause]:
        """Yield causes of vectors by a first cause and a second one, and remove the misses of these vectors.

        A vector that a first cause changes, and no second one explains, stays without a cause.
        """
        for name, measurement in self.plan.instruments.measurements.items():
            here = frozenset(miss_id for miss_id in remaining if miss_id[0][1] == name)
            if not here or measurement.pose is not None:
                continue
            upstream = self.upstream(name, causes)
            known = [cause.best for cause in upstream if not cause.rivals]
            firsts = known if upstream else self._spoiled(here, remaining)
            pairs = [
                pair
                for first in firsts
                for pair in self._with_second(first, here)
                if here | first.trial.closed_ids <= pair.trial.closed_ids and not pair.trial.is_harmful
            ]
            if pairs:
                cause = _cause(pairs, remaining)
                remaining -= cause.closed
                yield cause
            if any(_is_changed(self.open[miss_id], cause.best.trial) for cause in upstream for miss_id in here):
                remaining -= here

    def upstream(self, name: str, causes: Iterable[Cause]) -> tuple[Cause, ...]:
        """Return the single causes in items that a measurement depends on, which leave its misses open."""
        items = edges(self.plan, [name]).keys()
        mine = {miss_id for miss_id in self.open if miss_id[0][1] == name}
        return tuple(
            cause
            for cause in causes
            if len(cause.best.hypotheses) == 1 and cause.best.first.item in items and not mine & cause.closed
        )

    def _spoiled(self, here: frozenset[MissId], remaining: set[MissId]) -> list[Explanation]:
        """Return single causes of other misses that are harmful only because they enlarge open misses."""
        others = remaining - here
        spoiled = [
            candidate
            for candidate in self.candidates
            if candidate.n_causes == 1
            and candidate.reading is None
            and not self._is_free(candidate)
            and bool(candidate.trial.worse)
            and not candidate.trial.lost
            and {before.id for before, _ in candidate.trial.worse} <= here
            and self._closes(candidate, others)
        ]
        return sorted(spoiled, key=lambda candidate: candidate.cost)[:MOST_SEEDS]

    def _of_two(self, remaining: set[MissId]) -> Iterator[Cause]:
        """Yield pairs of causes that close all remaining misses of one measurement."""
        while remaining:
            key = min(remaining)[0]
            here = frozenset(miss_id for miss_id in remaining if miss_id[0] == key)
            is_vector = self.plan.instruments.measurements[str(key[1])].pose is None
            pairs = self._vector_pairs(here) if is_vector else self._pairs(here)
            pairs = [pair for pair in pairs if here <= pair.trial.closed_ids and not pair.trial.is_harmful]
            if all(self.open[miss_id].time is None for miss_id in here):
                pairs = [pair for pair in pairs if all(hypothesis.cost < OFFSET_COST for hypothesis in pair.hypotheses)]
            if pairs:
                yield _cause(pairs, set(here))
            remaining -= here

    # --- One hypothesis

    @cached_property
    def candidates(self) -> tuple[Explanation, ...]:
        """Explanations that reduce some open miss substantially.

        For a miss that a vector's own reading explains, other items are searched only up to a similar cost.
        """
        return (*self._own, *(self._try_items(self.judge, self.open, self._cost_limit()) if self.open else ()))

    def _cost_limit(self) -> float:
        """Return the cost above which a hypothesis is no rival of a vector's own reading.

        If several measurements miss, a common cause may have any cost.
        """
        if len({key for key, _ in self.open}) > 1:
            return np.inf
        single = [
            explanation for explanation in self._own if explanation.n_causes == 1 and not explanation.trial.is_harmful
        ]
        costs = [
            min((explanation.cost for explanation in single if key in explanation.trial.closed_ids), default=np.inf)
            for key in self.open
        ]
        return max(costs, default=np.inf) + RIVAL

    def _closes(self, candidate: Explanation, remaining: set[MissId]) -> bool:
        """Return whether an explanation closes all remaining misses of some measurement."""
        closed = candidate.trial.closed_ids & remaining
        return any({other for other in remaining if other[0] == key[0]} <= closed for key in closed)

    def _is_free(self, candidate: Explanation) -> bool:
        """Return whether an explanation could close any miss: an offset, for misses that are constant in time."""
        closed = (candidate.trial.before[key] for key in candidate.trial.closed_ids)
        return candidate.first.cost >= OFFSET_COST and all(miss.time is None for miss in closed)

    def offsets(self, name: str) -> tuple[Explanation, ...]:
        """Return the offsets that would close the misses of a measurement, without proving anything."""
        mine = {key for key in self.open if key[0][1] == name}
        free = [
            candidate for candidate in self.candidates if self._is_free(candidate) and not candidate.trial.is_harmful
        ]
        return tuple(candidate for candidate in free if mine <= candidate.trial.closed_ids)

    def nearest(self, name: str) -> Explanation | None:
        """Return the explanation that comes nearest to closing the misses of a measurement."""

        def size(candidate: Explanation) -> float:
            remainder = sum(
                miss.rms / max(miss.limit, 1e-12) for miss in candidate.trial.after.values() if miss.key[1] == name
            )
            return remainder * (1.0 + candidate.cost)

        near = [
            candidate
            for candidate in self.candidates
            if candidate.first.cost < OFFSET_COST and self._is_nearer(candidate, name)
        ]
        return min(near, key=size, default=None)

    def _is_nearer(self, candidate: Explanation, name: str) -> bool:
        mine = [pair for pair in candidate.trial.better if pair[0].key[1] == name and pair[0].is_open]
        return bool(mine) and not any(pair[0].key[1] == name for pair in candidate.trial.worse)

    def _try_items(self, judge: Judge, open_misses: dict[MissId, Miss], most: float = np.inf) -> Iterator[Explanation]:
        names = frozenset(str(key[1]) for key, _ in open_misses)
        for key, dependent in edges(judge.plan, judge.plan.instruments.measurements).items():
            touched = dependent & names
            if touched:
                hypotheses = self._hypotheses(judge, key, touched, most)
                yield from self._candidates(judge, hypotheses, touched, open_misses, dependent)

    def _hypotheses(
        self, judge: Judge, key: ItemKey, touched: frozenset[str], most: float = np.inf
    ) -> Iterator[PoseHypothesis]:
        """Yield other meanings of an item up to a cost."""
        read = (reading for reading in self._readings(judge, key) if reading.cost <= most)
        return itertools.chain(read, fitted_hypotheses(judge, key, touched, self._delays, most))

    def _readings(self, judge: Judge, key: ItemKey) -> Iterator[PoseHypothesis]:
        plan = judge.plan
        item = getattr(plan.scene, key[0])[key[1]]
        named = (key[1],) if key[0] == "frames" else (item.of, item.relative_to)
        frames = likely_frames(plan, *named)[:MOST_PARENTS]
        if key[0] == "frames":
            frames = tuple(frame for frame in frames if not _hangs_on(plan, frame, key[1]))
        if recording_of(item) is not None:
            yield from hypotheses_of_recording(plan, key, frames)
        elif is_posed_by_numbers(item):
            yield from hypotheses_of_pose(plan, key, frames)

    def _candidates(
        self,
        judge: Judge,
        hypotheses: Iterable[PoseHypothesis],
        touched: frozenset[str],
        open_misses: dict[MissId, Miss],
        dependent: frozenset[str],
    ) -> Iterator[Explanation]:
        """Yield explanations by hypotheses about one item that reduce open misses, with their effect on all misses.

        `touched` are the open measurements that depend on the item, `dependent` all that do.
        """
        posed = frozenset(name for name in touched if judge.plan.instruments.measurements[name].pose is not None)
        open_posed = {key: miss for key, miss in open_misses.items() if key[0][1] in posed}
        is_turned_alone = bool(open_posed) and all(miss.unit == "°" for miss in open_misses.values())
        for hypothesis in hypotheses:
            if is_turned_alone and hypothesis.subject == "position":
                continue
            # Comparing poses is fast. Recordings are smoothed, and rates compared, only if the poses improve.
            if open_posed:
                screened = hypothesis.screening_variant(judge.plan)
                if screened is None or not _improves(judge.misses(screened, posed), open_posed):
                    continue
            plan = hypothesis.variant(judge.plan)
            if not _improves(judge.misses(plan, posed if open_posed else touched), open_posed or open_misses):
                continue
            others = {key: miss for key, miss in judge.before.items() if key[0][1] not in dependent}
            trial = Trial(self.judge.before, {**others, **judge.misses(plan, dependent)})
            yield Explanation((hypothesis,), trial, _pose_of(judge, plan, hypothesis))

    # --- Two

    def _pairs(self, here: frozenset[MissId]) -> Iterator[Explanation]:
        """Yield pairs of hypotheses about one item or two, with their joint effect on all misses."""
        judge = self.judge
        misses = {key: self.open[key] for key in here}
        names = frozenset(str(key[1]) for key, _ in here)
        for key, dependent in edges(self.plan, self.plan.instruments.measurements).items():
            touched = dependent & names
            if touched:
                hypotheses = [*self._hypotheses(judge, key, touched, COMMON)]
                yield from self._candidates(judge, pairs_of(hypotheses), touched, misses, dependent)
        seeds = sorted(
            (
                candidate
                for candidate in self.candidates
                if _takes_away(candidate.trial, here) and not candidate.trial.lost
            ),
            key=lambda candidate: sum(candidate.trial.after[key].rms / max(misses[key].limit, 1e-12) for key in here),
        )
        for seed in seeds[:MOST_SEEDS]:
            if seed.reading is not None:
                continue  # a vector's own reading is a single cause
            yield from self._with_second_item(judge.of(seed.first.variant(self.plan)), seed, here)

    def _vector_pairs(self, here: frozenset[MissId]) -> Iterator[Explanation]:
        """Yield hypotheses that remove most of a vector's miss, combined with its own reading of the remainder."""
        ((name, miss),) = ((str(key[0][1]), self.open[key]) for key in here)
        seeds = sorted(
            (candidate for candidate in self.candidates if self._is_seed(candidate, here)),
            key=lambda candidate: candidate.trial.after[miss.id].rms,
        )
        for seed in seeds[:MOST_SEEDS]:
            yield from self._with_own_reading(self.judge.of(seed.first.variant(self.plan)), seed, name)

    def _with_second(self, first: Explanation, here: frozenset[MissId]) -> Iterator[Explanation]:
        """Yield a first hypothesis with each second one that explains the remaining misses of a vector."""
        judge = self.judge.of(first.first.variant(self.plan))
        ((name, _),) = ((str(key[1]), quantity) for key, quantity in here)
        yield from self._with_own_reading(judge, first, name)
        yield from self._with_second_item(judge, first, here)

    def _with_own_reading(self, judge: Judge, first: Explanation, name: str) -> Iterator[Explanation]:
        """Yield a first hypothesis with the readings of a vector in its plan, of which `judge` has the misses."""
        comparison = compare_vector(judge.plan, name)
        problems = vector_problems([] if comparison is None else [comparison])
        for candidate in own_explanations(judge, problems):
            if candidate.n_causes == 1:
                trial = replace(candidate.trial, before=self.judge.before)
                yield replace(candidate, hypotheses=(first.first, candidate.first), trial=trial, reading=None)

    def _with_second_item(self, judge: Judge, first: Explanation, here: frozenset[MissId]) -> Iterator[Explanation]:
        """Yield a first hypothesis with hypotheses about other items in its plan, of which `judge` has the misses."""
        remaining = {key: miss for key, miss in judge.before.items() if key in here and miss.is_open}
        for other in self._try_items(judge, remaining) if remaining else ():
            if other.first.item != first.first.item:
                yield replace(other, hypotheses=(first.first, other.first))

    def _is_seed(self, candidate: Explanation, here: frozenset[MissId]) -> bool:
        """Return whether a candidate may be the first of two causes of a vector's miss."""
        is_elsewhere = candidate.reading is None and len(candidate.hypotheses) == 1 and not candidate.trial.is_harmful
        return is_elsewhere and candidate.first.cost < OFFSET_COST and _takes_away(candidate.trial, here)


def own_explanations(judge: Judge, problems: Iterable[ExplainedVector]) -> Iterator[Explanation]:
    """Yield the readings of measured vectors by themselves, with their effect on all misses."""
    for problem in problems:
        key: ItemKey = ("measured", problem.problem.name)
        for reading in problem.readings if all(item.is_settled for item in problem.readings) else ():
            predicate = f"is read {reading.words}".rstrip(",")
            hypothesis = PoseHypothesis(
                key, "", predicate, "", reading.cost, title=reading.title, n_causes=len(reading.causes)
            )
            for fix in reading.fixes:
                trial = judge.try_edit(fix.change)
                if trial is not None:
                    applied = replace(hypothesis, button=fix.text, edit=fix.change)
                    yield Explanation((applied,), trial, reading=reading)
            miss = judge.before.get((key, judge.plan.scene.measured[key[1]].form))
            if reading.is_of_data and miss is not None:
                after = replace(miss, rms=reading.fit.rms, worst=reading.fit.rms)
                yield Explanation((hypothesis,), Trial(judge.before, {**judge.before, miss.id: after}), reading=reading)


def _is_changed(miss: Miss, trial: Trial) -> bool:
    """Return whether a trial changes the size of a miss noticeably."""
    return miss.id in trial.after and abs(trial.after[miss.id].rms - miss.rms) > miss.resolution


def _takes_away(trial: Trial, here: frozenset[MissId]) -> bool:
    return any(key in trial.after and trial.before[key].rms > SEED * trial.after[key].rms for key in here)


def _improves(misses: Misses, open_misses: Misses) -> bool:
    """Return whether some open miss gets much smaller, or is closed."""
    return any(
        key in misses and misses[key].is_better_than(miss, SEED if misses[key].is_open else WORSE)
        for key, miss in open_misses.items()
    )


def _cause(useful: list[Explanation], remaining: set[MissId]) -> Cause:
    """Return the explanation that closes most remaining misses; of equally good ones, the simplest."""
    most = max(len(candidate.trial.closed_ids & remaining) for candidate in useful)
    group = [candidate for candidate in useful if len(candidate.trial.closed_ids & remaining) == most]
    closed = min(group, key=lambda candidate: candidate.cost).trial.closed_ids & remaining
    group = sorted(
        (candidate for candidate in group if candidate.trial.closed_ids & remaining == closed),
        key=lambda candidate: candidate.cost,
    )
    # Offsets are fitted, hence the nearest, so they do not count when readings are compared.
    read = [candidate for candidate in group if candidate.cost < OFFSET_COST] or group
    least = {key: min(candidate.trial.after[key].rms for candidate in read) for key in closed}

    def excess(candidate: Explanation) -> float:
        return max(miss.rms / max(least[key], miss.resolution) for key, miss in _after(candidate, closed))

    most_excess = EQUAL * max(1.0, min(map(excess, read)))
    fitting = [candidate for candidate in group if excess(candidate) <= most_excess]
    # An explanation that leaves only rounding errors is no coincidence.
    exact = [candidate for candidate in fitting if all(miss.is_rounding for _, miss in _after(candidate, closed))]
    distinct: list[Explanation] = []
    for candidate in exact or fitting:
        if not any(candidate.is_as(other) for other in distinct):
            distinct.append(candidate)
    best = distinct[0]
    rivals = tuple(candidate for candidate in distinct[1:] if _is_rival(candidate, best))
    others = tuple(candidate for candidate in distinct[1:] if candidate not in rivals)
    return Cause(frozenset(closed), best, rivals, others)


def _is_rival(candidate: Explanation, best: Explanation) -> bool:
    """Return whether an equally good explanation is about as likely; readings of the same vector always are."""
    are_readings = (
        candidate.reading is not None and best.reading is not None and candidate.first.item == best.first.item
    )
    return candidate.n_causes == best.n_causes and (are_readings or candidate.cost <= best.cost + RIVAL)


def _after(candidate: Explanation, closed: frozenset[MissId]) -> list[tuple[MissId, Miss]]:
    return [(key, candidate.trial.after[key]) for key in closed]


# --- Items that a miss may depend on


def edges(plan: Plan, names: Iterable[str]) -> dict[ItemKey, frozenset[str]]:
    """Return the items that the named measurements depend on, each with the names of these."""
    dependents: dict[ItemKey, set[str]] = {}
    for name in names:
        item = plan.scene.measured[name]
        if isinstance(item, MeasuredPose):
            dependents.setdefault(("measured", name), set()).update(_of_the_same_frames(plan, item))
        ends = [item.of, item.relative_to, *([item.resolved_in] if isinstance(item, MeasuredVector) else [])]
        for a, b in ((ends[0], ends[1]), *(((ends[0], ends[2]),) if len(ends) > 2 else ())):
            for way in rows_between(plan.tree, a, b) or ():
                for row in way:
                    dependents.setdefault(("frames", plan.names[row]), set()).add(name)
    return {key: frozenset(touched) for key, touched in dependents.items()}


def _of_the_same_frames(plan: Plan, item: MeasuredPose) -> Iterator[str]:
    """Yield the measured poses of the same frames, including the given one, which are compared with each other."""
    pair = {item.of, item.relative_to}
    for name, staged in plan.instruments.measurements.items():
        if staged.pose is not None and {staged.of, staged.relative_to} == pair:
            yield name


def _hangs_on(plan: Plan, name: str, above: str) -> bool:
    row = plan.index.get(name, 0)
    for _ in plan.names:
        if plan.names[row] == above:
            return True
        if row <= 0:
            return False
        row = int(plan.tree.parents[row])
    return True


def _pose_of(judge: Judge, plan: Plan, hypothesis: PoseHypothesis) -> tuple[object, Array, Array] | None:
    """Return the poses of an item in a variant at some times, with their reference: the world for a frame."""
    kind, name = hypothesis.item
    t = np.linspace(plan.start, plan.end, 7)
    if kind == "frames":
        ways = rows_between(plan.tree, name, WORLD) if name in plan.index else None
        return None if ways is None else (WORLD, *_broadcast(*compose_pose(plan.tree, ways[0], t, judge.sampled)))
    staged = plan.instruments.measurements.get(name)
    if staged is None or staged.pose is None:
        return None
    with np.errstate(all="ignore"):
        T, p = _broadcast(*staged.pose(t))
    R = T.transpose(0, 2, 1)
    if staged.of > staged.relative_to:  # the inverse pose counts as the same
        R, p = T, -(T @ p[..., np.newaxis])[..., 0]
    return frozenset((staged.of, staged.relative_to)), R, p


def _broadcast(R: Array, p: Array) -> tuple[Array, Array]:
    return np.broadcast_to(R, (7, 3, 3)), np.broadcast_to(p, (7, 3))
