"""Explanations of what is missed: the item and the hypothesis that close it, by all that a scene knows."""

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
from framescope.core.analysis.misses.pose_misses import composed, rotation_angle, rows_between
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
from framescope.features.causes.core.vectors.words import Reading, VectorProblem

MOST_PARENTS = 8
"""Other frames that are tried in place of one that is named."""

RIVAL = 0.5
"""What is no more far-fetched than the best by so much is its rival."""

SEED = 3.0
"""What takes a part of a miss away by so much may be one of two causes."""

MOST_SEEDS = 3
"""First of two causes that are gone on with."""

COMMON = 1.5
"""Of two things that are wrong with one item each is no more far-fetched."""

SAME_ANGLE, SAME_LENGTH = float(np.radians(0.5)), 5e-3
"""Poses that differ by less are one."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """A hypothesis, or two, with what they make of everything."""

    hypotheses: tuple[PoseHypothesis, ...]
    trial: Trial
    pose: tuple[object, Array, Array] | None = None
    reading: Reading | None = None
    """The reading of a measured vector that it is, where the vector itself is otherwise."""

    @property
    def first(self) -> PoseHypothesis:
        """The hypothesis that counts."""
        return self.hypotheses[0]

    @property
    def cost(self) -> float:
        """How far-fetched it is."""
        return sum(each.cost for each in self.hypotheses)

    @property
    def n_causes(self) -> int:
        """How many things are otherwise by it."""
        return sum(each.n_causes for each in self.hypotheses)

    def words(self, name: str = "") -> str:
        """Return it as a clause; of the named item as `it`."""
        return " and ".join(each.words(name) for each in self.hypotheses)

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
    """What closes some misses: the likeliest candidate, and its rivals, which do as well."""

    closed: frozenset[MissId]
    best: Explanation
    rivals: tuple[Explanation, ...]
    others: tuple[Explanation, ...]


class Search:
    """Search for what closes the open misses of a plan: of poses, and of those vectors that are told to miss.

    Parameters
    ----------
    judge
        Misses of the plan.
    told
        Names of the vectors that miss.
    own
        Readings of vectors by themselves, as explanations.
    """

    def __init__(self, judge: Judge, told: Collection[str] = (), own: Iterable[Explanation] = ()) -> None:
        self.judge, self.plan = judge, judge.plan
        poses = {name for name, staged in self.plan.instruments.measurements.items() if staged.pose is not None}
        named = poses | set(told)
        self.open = {key: one for key, one in judge.before.items() if one.is_open and key[0][1] in named}
        self._own = tuple(own)
        self._delays = {
            each.first.name: each.reading.delay
            for each in self._own
            if each.reading is not None and each.reading.delay is not None
        }

    def causes(self) -> Iterator[Cause]:
        """Yield causes, each of which closes what those before have left; those that close most come first.

        What one cause closes is not looked at by two.
        """
        left = {*self.open}
        for is_single in (True, False):
            found = [each for each in self.candidates if (each.n_causes == 1) is is_single and not self._is_free(each)]
            while left:
                useful = [each for each in found if self._closes(each, left) and not each.trial.is_harmful]
                if not useful:
                    break
                cause = _cause(useful, left)
                left -= cause.closed
                yield cause
        if left:
            yield from self._of_two(left)

    def _of_two(self, left: set[MissId]) -> Iterator[Cause]:
        """Yield two causes at once that close all that is left of one measurement."""
        while left:
            key = min(left)[0]
            here = frozenset(each for each in left if each[0] == key)
            is_vector = self.plan.instruments.measurements[str(key[1])].pose is None
            found = self._vector_pairs(here) if is_vector else self._pairs(here)
            pairs = [each for each in found if here <= each.trial.closed and not each.trial.is_harmful]
            if all(self.open[each].time is None for each in here):
                pairs = [each for each in pairs if all(one.cost < OFFSET_COST for one in each.hypotheses)]
            if pairs:
                yield _cause(pairs, set(here))
            left -= here

    # --- One hypothesis

    @cached_property
    def candidates(self) -> tuple[Explanation, ...]:
        """What makes some open miss much smaller.

        What a vector itself explains is looked for elsewhere as well, as far as that is no more far-fetched.
        """
        return (*self._own, *(self._tried(self.judge, self.open, self._cost_limit()) if self.open else ()))

    def _cost_limit(self) -> float:
        """Return the cost beyond which a hypothesis is no rival of what a vector itself explains.

        Where several measurements miss, one cause of all of them may be as far-fetched as any.
        """
        if len({key for key, _ in self.open}) > 1:
            return np.inf
        single = [each for each in self._own if each.n_causes == 1 and not each.trial.is_harmful]
        costs = [min((each.cost for each in single if key in each.trial.closed), default=np.inf) for key in self.open]
        return max(costs, default=np.inf) + RIVAL

    def _closes(self, each: Explanation, left: set[MissId]) -> bool:
        """Return whether it closes all that is left of some measurement."""
        closed = each.trial.closed & left
        return any({other for other in left if other[0] == key[0]} <= closed for key in closed)

    def _is_free(self, each: Explanation) -> bool:
        """Return whether it would close anything: an offset of what misses by the same at all times."""
        closed = (each.trial.before[key] for key in each.trial.closed)
        return each.first.cost >= OFFSET_COST and all(one.time is None for one in closed)

    def offsets(self, name: str) -> tuple[Explanation, ...]:
        """Return the offsets that would close what a measurement misses, and prove nothing."""
        mine = {key for key in self.open if key[0][1] == name}
        free = [each for each in self.candidates if self._is_free(each) and not each.trial.is_harmful]
        return tuple(each for each in free if mine <= each.trial.closed)

    def nearest(self, name: str) -> Explanation | None:
        """Return what comes nearest to closing what a measurement misses."""

        def size(each: Explanation) -> float:
            rest = sum(one.rms / max(one.limit, 1e-12) for one in each.trial.after.values() if one.key[1] == name)
            return rest * (1.0 + each.cost)

        near = [each for each in self.candidates if each.first.cost < OFFSET_COST and self._is_nearer(each, name)]
        return min(near, key=size, default=None)

    def _is_nearer(self, each: Explanation, name: str) -> bool:
        mine = [pair for pair in each.trial.better if pair[0].key[1] == name and pair[0].is_open]
        return bool(mine) and not any(pair[0].key[1] == name for pair in each.trial.worse)

    def _tried(self, judge: Judge, open_misses: dict[MissId, Miss], most: float = np.inf) -> Iterator[Explanation]:
        names = frozenset(str(key[1]) for key, _ in open_misses)
        for key, dependent in edges(judge.plan, judge.plan.instruments.measurements).items():
            touched = dependent & names
            if touched:
                hypotheses = self._hypotheses(judge, key, touched, most)
                yield from self._candidates(judge, hypotheses, touched, open_misses, dependent)

    def _hypotheses(
        self, judge: Judge, key: ItemKey, touched: frozenset[str], most: float = np.inf
    ) -> Iterator[PoseHypothesis]:
        """Yield what an item may have meant instead, no more far-fetched than `most`."""
        read = (each for each in self._readings(judge, key) if each.cost <= most)
        return itertools.chain(read, fitted_hypotheses(judge, key, touched, self._delays, most))

    def _readings(self, judge: Judge, key: ItemKey) -> Iterator[PoseHypothesis]:
        plan = judge.plan
        item = getattr(plan.scene, key[0])[key[1]]
        named = (key[1],) if key[0] == "frames" else (item.of, item.relative_to)
        frames = likely_frames(plan, *named)[:MOST_PARENTS]
        if key[0] == "frames":
            frames = tuple(each for each in frames if not _hangs_on(plan, each, key[1]))
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
        """Yield what of some hypotheses about one item makes open misses smaller, by what it makes of everything.

        The item touches measurements that miss; those that depend on it are measured anew.
        """
        posed = frozenset(name for name in touched if judge.plan.instruments.measurements[name].pose is not None)
        open_posed = {key: one for key, one in open_misses.items() if key[0][1] in posed}
        is_turned_alone = bool(open_posed) and all(one.unit == "°" for one in open_misses.values())
        for hypothesis in hypotheses:
            if is_turned_alone and hypothesis.subject == "position":
                continue
            # Poses are quickly compared; recordings are fitted, and rates compared, where these are none the worse.
            if open_posed:
                screened = hypothesis.screened(judge.plan)
                if screened is None or not _improves(judge.misses(screened, posed), open_posed):
                    continue
            plan = hypothesis.variant(judge.plan)
            if not _improves(judge.misses(plan, posed if open_posed else touched), open_posed or open_misses):
                continue
            others = {key: one for key, one in judge.before.items() if key[0][1] not in dependent}
            trial = Trial(self.judge.before, {**others, **judge.misses(plan, dependent)})
            yield Explanation((hypothesis,), trial, _pose_of(judge, plan, hypothesis))

    # --- Two

    def _pairs(self, here: frozenset[MissId]) -> Iterator[Explanation]:
        """Yield two hypotheses, of one item or of two, by what both together make of all."""
        judge = self.judge
        misses = {key: self.open[key] for key in here}
        names = frozenset(str(key[1]) for key, _ in here)
        for key, dependent in edges(self.plan, self.plan.instruments.measurements).items():
            touched = dependent & names
            if touched:
                hypotheses = [*self._hypotheses(judge, key, touched, COMMON)]
                yield from self._candidates(judge, pairs_of(hypotheses), touched, misses, dependent)
        seeds = sorted(
            (each for each in self.candidates if _takes_away(each.trial, here) and not each.trial.lost),
            key=lambda each: sum(each.trial.after[key].rms / max(misses[key].limit, 1e-12) for key in here),
        )
        for seed in seeds[:MOST_SEEDS]:
            if seed.reading is not None:
                continue  # a vector's own reading is one cause by itself
            second = judge.of(seed.first.variant(self.plan))
            left = {key: one for key, one in second.before.items() if key in here and one.is_open}
            for other in self._tried(second, left) if left else ():
                if other.first.item != seed.first.item:
                    yield replace(other, hypotheses=(seed.first, other.first))

    def _vector_pairs(self, here: frozenset[MissId]) -> Iterator[Explanation]:
        """Yield a hypothesis that takes most of what a vector misses away, with what that vector is by itself then."""
        ((name, miss),) = ((str(key[0][1]), self.open[key]) for key in here)
        seeds = sorted(
            (each for each in self.candidates if self._is_seed(each, here)),
            key=lambda each: each.trial.after[miss.id].rms,
        )
        for seed in seeds[:MOST_SEEDS]:
            variant = seed.first.variant(self.plan)
            judge = self.judge.of(variant)
            comparison = compare_vector(variant, name)
            for each in own_explanations(judge, vector_problems([] if comparison is None else [comparison])):
                if each.n_causes == 1:
                    trial = replace(each.trial, before=self.judge.before)
                    yield replace(each, hypotheses=(seed.first, each.first), trial=trial, reading=None)

    def _is_seed(self, each: Explanation, here: frozenset[MissId]) -> bool:
        """Return whether a candidate may be the first of two causes of a vector's miss."""
        is_elsewhere = each.reading is None and len(each.hypotheses) == 1 and not each.trial.is_harmful
        return is_elsewhere and each.first.cost < OFFSET_COST and _takes_away(each.trial, here)


def own_explanations(judge: Judge, problems: Iterable[VectorProblem]) -> Iterator[Explanation]:
    """Yield the readings of measured vectors by themselves, with what they make of everything."""
    for one in problems:
        key: ItemKey = ("measured", one.diagnosis.name)
        for reading in one.readings if all(each.is_settled for each in one.readings) else ():
            what = f"is read {reading.words}".rstrip(",")
            hypothesis = PoseHypothesis(
                key, "", what, "", reading.cost, title=reading.title, n_causes=len(reading.causes)
            )
            for mend in reading.mends:
                trial = judge.tried(mend.edit)
                if trial is not None:
                    said = replace(hypothesis, button=mend.text, edit=mend.edit)
                    yield Explanation((said,), trial, reading=reading)
            miss = judge.before.get((key, judge.plan.scene.measured[key[1]].form))
            if reading.is_of_data and miss is not None:
                after = replace(miss, rms=reading.fit.rms, worst=reading.fit.rms)
                yield Explanation((hypothesis,), Trial(judge.before, {**judge.before, miss.id: after}), reading=reading)


def _takes_away(trial: Trial, here: frozenset[MissId]) -> bool:
    return any(key in trial.after and trial.before[key].rms > SEED * trial.after[key].rms for key in here)


def _improves(found: Misses, open_misses: Misses) -> bool:
    """Return whether a part of what is open gets much smaller, or is closed."""
    return any(
        key in found and found[key].is_better_than(one, SEED if found[key].is_open else WORSE)
        for key, one in open_misses.items()
    )


def _cause(useful: list[Explanation], left: set[MissId]) -> Cause:
    """Return what closes most of what is left; of what closes as much and fits as well, the simplest."""
    most = max(len(each.trial.closed & left) for each in useful)
    group = [each for each in useful if len(each.trial.closed & left) == most]
    closed = min(group, key=lambda each: each.cost).trial.closed & left
    group = sorted((each for each in group if each.trial.closed & left == closed), key=lambda each: each.cost)
    # Offsets are fitted, and so the nearest: they are no measure of how near a reading of the numbers comes.
    read = [each for each in group if each.cost < OFFSET_COST] or group
    least = {key: min(each.trial.after[key].rms for each in read) for key in closed}
    fitting = [
        each
        for each in group
        if all(each.trial.after[key].rms <= 2.0 * max(least[key], one.resolution) for key, one in _after(each, closed))
    ]
    # What leaves nothing but rounding is no coincidence.
    exact = [each for each in fitting if all(one.is_rounding for _, one in _after(each, closed))]
    kept: list[Explanation] = []
    for each in exact or fitting or group:
        if not any(each.is_as(other) for other in kept):
            kept.append(each)
    best = kept[0]
    rivals = tuple(each for each in kept[1:] if _is_rival(each, best))
    others = tuple(each for each in kept[1:] if each not in rivals)
    return Cause(frozenset(closed), best, rivals, others)


def _is_rival(each: Explanation, best: Explanation) -> bool:
    """Return whether an explanation that fits as well is about as likely; of one vector its readings say so."""
    are_readings = each.reading is not None and best.reading is not None and each.first.item == best.first.item
    return each.n_causes == best.n_causes and (are_readings or each.cost <= best.cost + RIVAL)


def _after(each: Explanation, closed: frozenset[MissId]) -> list[tuple[MissId, Miss]]:
    return [(key, each.trial.after[key]) for key in closed]


# --- What a miss may come of


def edges(plan: Plan, names: Iterable[str]) -> dict[ItemKey, frozenset[str]]:
    """Return the items that the named measurements depend on, each with those of them that do."""
    found: dict[ItemKey, set[str]] = {}
    for name in names:
        item = plan.scene.measured[name]
        if isinstance(item, MeasuredPose):
            found.setdefault(("measured", name), set()).update(_of_the_same_frames(plan, item))
        ends = [item.of, item.relative_to, *([item.resolved_in] if isinstance(item, MeasuredVector) else [])]
        for a, b in ((ends[0], ends[1]), *(((ends[0], ends[2]),) if len(ends) > 2 else ())):
            for way in rows_between(plan.tree, a, b) or ():
                for row in way:
                    found.setdefault(("frames", plan.names[row]), set()).add(name)
    return {key: frozenset(touched) for key, touched in found.items()}


def _of_the_same_frames(plan: Plan, item: MeasuredPose) -> Iterator[str]:
    """Yield the measured poses of the frames of one, itself included: they are compared with each other."""
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
    """Return the poses at some times that an item has in a variant, and between what: of a frame, in the world."""
    kind, name = hypothesis.item
    t = np.linspace(plan.start, plan.end, 7)
    if kind == "frames":
        ways = rows_between(plan.tree, name, WORLD) if name in plan.index else None
        return None if ways is None else (WORLD, *_broadcast(*composed(plan.tree, ways[0], t, judge.sampled)))
    staged = plan.instruments.measurements.get(name)
    if staged is None or staged.pose is None:
        return None
    with np.errstate(all="ignore"):
        T, p = _broadcast(*staged.pose(t))
    R = T.transpose(0, 2, 1)
    if staged.of > staged.relative_to:  # the same pose seen from the other side is the same
        R, p = T, -(T @ p[..., np.newaxis])[..., 0]
    return frozenset((staged.of, staged.relative_to)), R, p


def _broadcast(R: Array, p: Array) -> tuple[Array, Array]:
    return np.broadcast_to(R, (7, 3, 3)), np.broadcast_to(p, (7, 3))
