"""Judgement of edits: their effect on all misses of a scene."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, replace

from framescope.core.analysis.diagnostics.nearby_frames import likely_frames
from framescope.core.analysis.misses.miss import Miss
from framescope.core.analysis.misses.pose_misses import SampledMotions, pose_misses
from framescope.core.errors import FramescopeError, KeyPath, Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.features.causes.core.plan_variants import restrict_plan, vary_plan
from framescope.features.causes.core.rate_checks import vector_miss

MissId = tuple[KeyPath, str]
Misses = Mapping[MissId, Miss]

WORSE = 1.2
"""Factor by which a miss must grow, beyond its resolution, to count as worse."""


@dataclass(frozen=True)
class Trial:
    """Effect of an edit on all misses: before and after, by the identity of the miss."""

    before: Misses
    after: Misses

    @property
    def n_open(self) -> int:
        """Number of open or lost misses afterwards."""
        return sum(miss.is_open for miss in self.after.values()) + len(self.lost)

    @property
    def lost(self) -> tuple[Miss, ...]:
        """Misses that can no longer be compared."""
        return tuple(miss for key, miss in self.before.items() if key not in self.after)

    @property
    def closed_ids(self) -> frozenset[MissId]:
        """Misses that are no longer open, and smaller than before.

        The second condition matters as a wrong reading may be so noisy that no miss counts as open.
        """
        return frozenset(a.id for a, b in self._pairs() if a.is_open and not b.is_open and b.is_better_than(a, WORSE))

    @property
    def better(self) -> tuple[tuple[Miss, Miss], ...]:
        """Misses that get smaller, before and after."""
        return tuple(pair for pair in self._pairs() if pair[1].is_better_than(pair[0], WORSE))

    @property
    def worse(self) -> tuple[tuple[Miss, Miss], ...]:
        """Misses that get larger and exceed noise, before and after."""
        return tuple((a, b) for a, b in self._pairs() if (b.is_open or b.rms > a.limit) and a.is_better_than(b, WORSE))

    @property
    def is_harmful(self) -> bool:
        """Whether any miss gets larger or is lost."""
        return bool(self.worse or self.lost)

    def _pairs(self) -> list[tuple[Miss, Miss]]:
        return [(miss, self.after[key]) for key, miss in self.before.items() if key in self.after]

    @property
    def words(self) -> str:
        """Changes of the misses as sentences; empty without changes."""
        sentences = [
            f"{verb}: {changes_text(pairs)}."
            for verb, pairs in (("Better", self.better), ("Worse", self.worse))
            if pairs
        ]
        if self.lost:
            sentences.append(f"No more compared: {', '.join(miss_name(miss) for miss in self.lost)}.")
        return " ".join(sentences)


def miss_name(miss: Miss) -> str:
    """Return the name of a miss: its quantity and its item."""
    return f"{miss.quantity} of {miss.key[1]}"


def changes_text(pairs: Iterable[tuple[Miss, Miss]]) -> str:
    """Return sizes before and after of some misses as text."""
    return ", ".join(
        f"{miss_name(a)} {a.text(a.rms)} → {b.text(b.rms)}{' rms' if a.time is not None or b.time is not None else ''}"
        for a, b in pairs
    )


class Judge:
    """Misses of a plan and of its variants, which share computed results."""

    def __init__(self, plan: Plan, sampled: SampledMotions | None = None) -> None:
        measured = [plan.scene.measured[name] for name in plan.instruments.measurements]
        named_frames = {
            name
            for item in measured
            for name in (item.of, item.relative_to, *([item.resolved_in] if isinstance(item, MeasuredVector) else []))
        }
        frames = {*named_frames, *likely_frames(plan, *named_frames)} if measured else set[str]()
        self.plan = restrict_plan(plan, frames)
        self.sampled = SampledMotions() if sampled is None else sampled
        self.before: Misses = self.misses(self.plan)

    def of(self, plan: Plan) -> Judge:
        """Return the judge of a variant of its plan, sharing computed results."""
        other = copy(self)
        other.plan, other.before = plan, self.misses(plan)
        return other

    def misses(self, plan: Plan, names: Collection[str] | None = None) -> Misses:
        """Return the misses of a variant of the plan, of all measurements or some."""
        misses = [*pose_misses(plan, self.sampled, names)]
        for name, staged in plan.instruments.measurements.items():
            if staged.series is not None and (names is None or name in names):
                miss = vector_miss(plan, name)
                misses += [] if miss is None else [miss]
        return {miss.id: miss for miss in misses}

    def try_edit(self, edit: Edit) -> Trial | None:
        """Return the effect of an edit on all misses; None if the edit cannot be applied."""
        try:
            scene = edit.apply(self.plan.scene)
        except (ValueError, KeyError, FramescopeError):
            return None
        return Trial(self.before, self.misses(vary_plan(self.plan, scene)))


def judged(judge: Judge, problem: Problem) -> Problem:
    """Return a problem with the effects of its fixes.

    A harmful fix is described as such and never comes first. If all fixes but one are harmful, that one comes first.
    """
    trials = [(fix, judge.try_edit(fix.change)) for fix in problem.fixes]
    if not any(trial is not None and trial.is_harmful for _, trial in trials):
        described = [replace(fix, effect=fix.effect or ("" if trial is None else trial.words)) for fix, trial in trials]
        return replace(problem, others=tuple(described[len(described) - len(problem.others) :]))
    good = [(fix, trial) for fix, trial in trials if trial is None or not trial.is_harmful]
    bad = [replace(fix, effect=trial.words) for fix, trial in trials if trial is not None and trial.is_harmful]
    hint = " ".join([problem.hint, *(f"{fix.text}: {fix.effect}" for fix in bad)]).strip()
    others = [replace(fix, effect="" if trial is None else trial.words) for fix, trial in good] + bad
    problem = replace(problem, hint=hint, fix=None, others=tuple(others))
    if len(good) != 1 or good[0][1] is None or not good[0][1].closed_ids:
        return problem
    first, _ = good[0]
    return replace(problem.with_fix(first.text, first.change), others=tuple(others[1:]))


def try_edit(plan: Plan, edit: Edit) -> Trial | None:
    """Return the effect of an edit on all misses of a plan; None if it cannot be applied."""
    return Judge(plan).try_edit(edit)
