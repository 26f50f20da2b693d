"""Judgement: everything that a scene knows and that can be missed, and what an edit makes of each of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, replace

from framescope.core.analysis.diagnostics.diagnosis import Diagnosis
from framescope.core.analysis.diagnostics.nearby_frames import likely_frames
from framescope.core.analysis.misses.miss import Miss
from framescope.core.analysis.misses.pose_misses import SampledMotions, pose_misses
from framescope.core.errors import FramescopeError, KeyPath
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.features.causes.core.plan_variants import restricted, varied
from framescope.features.causes.core.rate_checks import vector_miss

MissId = tuple[KeyPath, str]
Misses = Mapping[MissId, Miss]

WORSE = 1.2
"""What is missed by so many times as much, beyond its resolution, is missed by more."""


@dataclass(frozen=True)
class Trial:
    """What an edit makes of everything that can be missed: before and after, by what is missed."""

    before: Misses
    after: Misses

    @property
    def n_open(self) -> int:
        """How much is missed afterwards."""
        return sum(one.is_open for one in self.after.values()) + len(self.lost)

    @property
    def lost(self) -> tuple[Miss, ...]:
        """What could be compared before, and can no more."""
        return tuple(one for key, one in self.before.items() if key not in self.after)

    @property
    def closed(self) -> frozenset[MissId]:
        """What is missed no more, and by less than before.

        What is read wrongly may look as noisy as to leave everything open.
        """
        return frozenset(a.id for a, b in self._pairs() if a.is_open and not b.is_open and b.is_better_than(a, WORSE))

    @property
    def better(self) -> tuple[tuple[Miss, Miss], ...]:
        """What is missed by less, before and after."""
        return tuple(pair for pair in self._pairs() if pair[1].is_better_than(pair[0], WORSE))

    @property
    def worse(self) -> tuple[tuple[Miss, Miss], ...]:
        """What is missed by more than noise leaves, and by more than before."""
        return tuple((a, b) for a, b in self._pairs() if (b.is_open or b.rms > a.limit) and a.is_better_than(b, WORSE))

    @property
    def is_harmful(self) -> bool:
        """Whether anything gets worse."""
        return bool(self.worse or self.lost)

    def _pairs(self) -> list[tuple[Miss, Miss]]:
        return [(one, self.after[key]) for key, one in self.before.items() if key in self.after]

    @property
    def words(self) -> str:
        """By how much each gets better or worse, as sentences; empty where nothing changes."""
        sentences = [
            f"{verb}: {changes_text(pairs)}."
            for verb, pairs in (("Better", self.better), ("Worse", self.worse))
            if pairs
        ]
        if self.lost:
            sentences.append(f"No more compared: {', '.join(named(one) for one in self.lost)}.")
        return " ".join(sentences)


def named(one: Miss) -> str:
    """Return what is missed of which item."""
    return f"{one.what} of {one.key[1]}"


def changes_text(pairs: Iterable[tuple[Miss, Miss]]) -> str:
    """Return before and after of some misses."""
    return ", ".join(
        f"{named(a)} {a.text(a.rms)} → {b.text(b.rms)}{' rms' if a.time is not None or b.time is not None else ''}"
        for a, b in pairs
    )


class Judge:
    """All that a plan can miss, and the same of variants of it; whatever they share is computed once."""

    def __init__(self, plan: Plan, sampled: SampledMotions | None = None) -> None:
        measured = [plan.scene.measured[name] for name in plan.instruments.measurements]
        named_frames = {
            name
            for item in measured
            for name in (item.of, item.relative_to, *([item.resolved_in] if isinstance(item, MeasuredVector) else []))
        }
        frames = {*named_frames, *likely_frames(plan, *named_frames)} if measured else set[str]()
        self.plan = restricted(plan, frames)
        self.sampled = SampledMotions() if sampled is None else sampled
        self.before: Misses = self.misses(self.plan)

    def of(self, plan: Plan) -> Judge:
        """Return the judge of a variant of its plan, which shares what is computed."""
        other = copy(self)
        other.plan, other.before = plan, self.misses(plan)
        return other

    def misses(self, plan: Plan, names: Collection[str] | None = None) -> Misses:
        """Return what a variant of the plan misses, of all measurements or of some."""
        found = [*pose_misses(plan, self.sampled, names)]
        for name, staged in plan.instruments.measurements.items():
            if staged.series is not None and (names is None or name in names):
                one = vector_miss(plan, name)
                found += [] if one is None else [one]
        return {one.id: one for one in found}

    def tried(self, edit: Edit) -> Trial | None:
        """Return what an edit makes of all that can be missed; None where it cannot be made."""
        try:
            scene = edit.apply(self.plan.scene)
        except (ValueError, KeyError, FramescopeError):
            return None
        return Trial(self.before, self.misses(varied(self.plan, scene)))


def judged(judge: Judge, one: Diagnosis) -> Diagnosis:
    """Return a problem whose mends are tried.

    One that makes anything worse says so, and is not the first; where all but one do, that one is.
    """
    tried = [(mend, judge.tried(mend.edit)) for mend in one.mends]
    if not any(trial is not None and trial.is_harmful for _, trial in tried):
        says = [replace(mend, says=mend.says or ("" if trial is None else trial.words)) for mend, trial in tried]
        return replace(one, others=tuple(says[len(says) - len(one.others) :]))
    good = [(mend, trial) for mend, trial in tried if trial is None or not trial.is_harmful]
    bad = [replace(mend, says=trial.words) for mend, trial in tried if trial is not None and trial.is_harmful]
    hint = " ".join([one.problem.hint, *(f"{mend.text}: {mend.says}" for mend in bad)]).strip()
    others = [replace(mend, says="" if trial is None else trial.words) for mend, trial in good] + bad
    one = replace(one.with_hint(hint), mend=None, mend_text="", is_safe=False, others=tuple(others))
    if len(good) != 1 or good[0][1] is None or not good[0][1].closed:
        return one
    first, _ = good[0]
    return replace(one.with_mend(first.text, first.edit), others=tuple(others[1:]))


def tried(plan: Plan, edit: Edit) -> Trial | None:
    """Return what an edit makes of everything that a plan can miss; None where it cannot be made."""
    return Judge(plan).tried(edit)
