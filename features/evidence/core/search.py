"""Search for the states of all sensors: the fewest faults that make all readings agree, and their rivals."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from framescope.core.kernels.validation import Array
from framescope.core.system.cooperative_yield import checkpoint
from framescope.features.detective.core.axis_changes import changes
from framescope.features.evidence.core.delays import synchronize
from framescope.features.evidence.core.hypotheses import (
    COSTS,
    FREE_TURN,
    UNITS,
    Hypothesis,
    Label,
    free_cost,
    hypotheses_of,
)
from framescope.features.evidence.core.relations import (
    MOST_SCALE,
    ONE,
    VECTORS,
    WORLDLY,
    Look,
    Mounts,
    Relation,
    Scope,
    States,
    coefficients,
    quaternions,
    resolves_in_frame,
)
from framescope.features.evidence.core.rotations import best_yaw, fitted_rotation, fitted_rotations, normal_of
from framescope.features.evidence.core.states import STATED, UP, Change, State, probe
from framescope.features.evidence.core.tracks import Body
from framescope.features.evidence.core.weighing import Evidence, shows_motion, stated, taken
from framescope.features.evidence.core.windows import rotations_at
from framescope.features.evidence.core.wording import nearest_axes

MARGIN = 6.0
"""Decrease of the cost above which a fault is accepted."""

FURTHER = 6.0
"""Improbability of each further fault besides its own: real sensors differ a little in many ways."""

DOUBT = 0.02
"""Part of the evidence of a sensor that other numbers must explain besides: another form is another series."""

ADEQUATE = 15.0
"""Cost of stated readings above the free fit up to which a relation needs no other explanation."""

RECENT = 60
"""Rivals that are weighed anew."""

JOINED = 30.0
"""Negative log-likelihood by which turns of two bodies must have to do with each other to count as joined."""

TOLD = 5.0
"""Negative log-likelihood up to which readings have nothing in common, perhaps since another form is right."""

LOOSE = 0.25
"""Part of the free fit that unknown accelerations may cost."""

LOOSE_IF_SHOWN = 0.12
"""Part of the free fit that accelerations may cost which others show: levers, tilts and filters disturb them."""

BEAM, NEAREST = 5, 2
"""First faults that are tried together with a second, and how many of them may be of one sensor."""

REVISIONS, CLEARLY = 2, 1.0
"""Times that faults are weighed again in the presence of the others, and decrease of the cost that replaces one."""

KEPT = 40
"""Explanations of each sensor that are kept as rivals."""

EVERY = 1000
"""More explanations than a sensor has."""

FREE_HEADING, HEADING_STEP = 3.0, 0.5
"""Improbability of the free heading of a reference, and step in which headings are tried, °."""

UNSCALED_FROM = {"motion": 9, "travel": 27}
"""Number of the first feature of a relation that has nothing of its second member."""

MOST_FAULTS = 5
"""Largest number of sensors with faults."""

NEAR_TURN, NEAR_SCALE = np.radians(8.0), 0.08
"""Differences of turn, rad, and scale below which two explanations are the same."""

WINDOW = 40.0
"""Cost above the least up to which rivals are weighed in full."""

NO_TURN, START_BY_CHANCE = np.radians(3.0), 5.0
"""Turn up to which an orientation starts as none, rad, and the improbability that one does so by chance."""

LEADERS = 24
"""Fewest hypotheses that are weighed in full."""

LEAST_TURN = np.radians(5.0)
"""Turn of a sensor on its frame up to which its mount is as stated: mounts are not exact, and neither are fits, rad."""

SWEEPS, SETTLED = 6, np.radians(0.3)
"""Largest number of times that all orientations are estimated, and change from which they are settled, rad."""

SAME_HEADING = np.radians(5.0)
"""Angle of two headings that are the same."""

ALIKE = 0.1
"""Part of a vector by which it differs in frame and reference up to which both are the same."""

LEAST_WEIGHT, CONSTANT = 0.5, 0.3
"""Least constant specific force that is no offset, m/s², and the usual change of one that is constant, as a part."""

MOST_ALONE = 8
"""Largest number of states of a unit that are weighed one by one, as they change a series."""

ABOUT = 0.3
"""Logarithm of the ratio of two factors that are about the same."""

MOST_CHOICES = 6
"""Largest number of orientations of bodies and references that are weighed in full for hypotheses of one form."""

BESIDES = frozenset({"unit", "sign", "scale", "bias", "gravity removed"})
"""Faults that one of the sensors of a turned unit may have besides."""

KNOWN_FORMS = frozenset({"stated", "offset", "in reference", "other axes"})
"""Forms that leave the numbers as they are."""

Unit = tuple[int, ...]
"""Sensors that have a fault together."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """States of all sensors, with their faults.

    Attributes
    ----------
    states
        States of the sensors.
    mounts
        Orientations of the bodies.
    faults
        Faults of units of sensors.
    misfit
        Negative log-likelihood.
    prior
        Improbability of the faults.
    """

    states: States
    mounts: Mounts
    faults: tuple[tuple[Unit, tuple[Label, ...]], ...]
    misfit: float
    prior: float

    @property
    def cost(self) -> float:
        """Misfit and improbability."""
        return self.misfit + self.prior + self.further

    @property
    def further(self) -> float:
        """Improbability of more than one fault, besides that of each."""
        return FURTHER * max(len(self.faults) - 1, 0)

    @property
    def count(self) -> int:
        """Number of faults."""
        return sum(len(labels) for _, labels in self.faults)


@dataclass(frozen=True, eq=False)
class _Trial:
    """Batch of states (n) of a unit, with orientations of bodies and references, and their plain costs (n,).

    `rows` are the numbers (n,) of the hypotheses, and `is_own` tells which change the series of a motion.
    """

    rows: NDArray[np.int64]
    batch: States
    mounts: Mounts
    plain: Array
    is_own: NDArray[np.bool_]


class Search:
    """Search in one recording."""

    def __init__(self, evidence: Evidence, bodies: tuple[Body, ...]) -> None:
        self.evidence, self.bodies = evidence, bodies
        self.scope: Scope = evidence.scope
        self.rivals: list[Explanation] = []
        self._excess: dict[tuple[Relation, int], float] = {}
        self._explanations: list[Explanation] = []  # whose numbers stand in `_excess`
        self._own: dict[tuple[int, ...], tuple[NDArray[np.bool_], States]] = {}
        self._priors: dict[tuple[Unit, tuple[Label, ...]], float] = {}
        self._rotations: dict[bytes, Array] = {}
        self._alike: dict[int, bool] = {}
        self._batches: dict[tuple[int, ...], tuple[State, tuple[State, ...]]] = {}
        self._discrete_states = {id(h.state) for k in range(len(self.scope.tracks)) for h in self._discrete(k)}

    # --- The whole search

    def run(self) -> Explanation:
        """Return the best explanation; `rivals` are the others that were weighed."""
        states = stated(self.scope)
        self._synchronize(states, {})
        self._drop_loose_bodies(states)
        best = self.explained(states, self.best_mounts(states), (), 0.0)
        self.rivals = [best]
        for depth in range(MOST_FAULTS):
            pool = sorted(self._more(best), key=lambda e: e.cost)
            self.rivals += pool
            first = pool[0] if pool and pool[0].cost < best.cost else best
            if depth == 0 and pool and not self._is_adequate(first):
                for start in self.beam(pool, best.cost):
                    # A mount that followed two faults has to leave the first before the second shows.
                    pairs = self._more(self._settle(start), KEPT // 4)
                    self.rivals += pairs
                    pool += pairs
                pairs = self._before_zero(best, first)
                self.rivals += pairs
                pool = sorted([*pool, *pairs], key=lambda e: e.cost)
            if not pool or pool[0].cost > best.cost - MARGIN:
                break
            best = self._settle(pool[0])
            self.rivals.append(best)
            if self._synchronize(best.states, best.mounts):
                # All is weighed anew, by the better clocks.
                self._excess.clear()
                self.rivals = [self.explained(e.states, e.mounts, e.faults, e.prior) for e in self.rivals[-RECENT:]]
                best = self.rivals[-1]
        return self._revised(best)

    def _revised(self, best: Explanation) -> Explanation:
        """Return an explanation with each fault weighed again in the presence of the others, or left out.

        The faults were found one after the other: the first may have been chosen while the others disturbed it.
        """
        for _ in range(REVISIONS if len(best.faults) > 1 else 0):
            before = best
            for unit, _labels in before.faults:
                if _is_shared(unit, before):
                    continue
                base = self._without(best, unit)
                others = sorted(self.with_fault_of(base, unit, KEPT // 4), key=lambda e: e.cost)
                self.rivals += others
                least = min([base, *others[:1]], key=lambda e: e.cost)
                if least.cost < best.cost - CLEARLY:
                    best = self._settle(least)
                    self.rivals.append(best)
                    break
            if best is before:
                break
        return self._simpler(best) if len(best.faults) > 1 else best

    def _simpler(self, best: Explanation) -> Explanation:
        """Return an explanation with one fault in place of two, if there is one that is more probable."""
        apart = [unit for unit, _ in best.faults if not _is_shared(unit, best)]
        for first, second in itertools.combinations(apart, 2):
            base = self._without(self._without(best, first), second)
            others = [self._settle(e) for e in sorted(self._more(base, KEPT // 4), key=lambda e: e.cost)[:3]]
            self.rivals += others
            least = min(others, key=lambda e: e.cost, default=best)
            if least.cost < best.cost - CLEARLY:
                return least
        return best

    def _without(self, explanation: Explanation, unit: Unit) -> Explanation:
        """Return an explanation without the fault of a unit, with the orientations that then fit best."""
        faults = tuple((u, labels) for u, labels in explanation.faults if u != unit)
        states = explanation.states | dict.fromkeys(unit, STATED)
        (labels,) = (labels for u, labels in explanation.faults if u == unit)
        prior = explanation.prior - self._priors.get((unit, labels), 0.0)
        mounts = self.best_mounts(states, explanation.mounts)
        return self.explained(states, mounts, faults, prior)

    def _synchronize(self, states: States, mounts: Mounts) -> bool:
        """Take back the delays that relations show; return whether they changed."""
        return synchronize(self.evidence, states, mounts)

    def _drop_loose_bodies(self, states: States) -> None:
        """Leave out the relations between bodies whose turns have nothing in common: nothing joins them."""
        loose = set[int]()
        for body in range(1, len(self.bodies)):
            gain = 0.0
            for relation in self._crossing(body, {b: ONE for b in range(len(self.bodies)) if b != body}):
                if relation.kind not in ("turn", "vector", "carried"):
                    continue
                for form in self._other_forms(relation):
                    aligned = self.evidence.aligned(relation, states | form)
                    if aligned is not None and aligned.fit.is_telling:
                        gain = min(gain, aligned.fit.unexplained)
            if gain > -JOINED:
                loose.add(body)
        tracks = self.scope.tracks
        self.evidence.relations = tuple(
            relation
            for relation in self.evidence.relations
            if len(met := {tracks[k].body for k in relation.members}) == 1 or not met & loose
        )

    def _other_forms(self, relation: Relation) -> Iterator[States]:
        yield {}
        for k in relation.members:
            for form in self._forms(k):
                yield {k: State(form)}

    def _settle(self, explanation: Explanation) -> Explanation:
        mounts = self.best_mounts(explanation.states, explanation.mounts)
        again = self.explained(explanation.states, mounts, explanation.faults, explanation.prior)
        return again if again.misfit < explanation.misfit else explanation

    def explained(
        self, states: States, mounts: Mounts, faults: tuple[tuple[Unit, tuple[Label, ...]], ...], prior: float
    ) -> Explanation:
        """Return the explanation by states, with its misfit."""
        return Explanation(states, mounts, faults, float(self.evidence.total(states, mounts)), prior)

    def _is_adequate(self, explanation: Explanation) -> bool:
        return all(self.excess(relation, explanation) < ADEQUATE for relation in self.evidence.relations)

    def excess(self, relation: Relation, explanation: Explanation) -> float:
        """Return the cost of an explanation above the least cost of a relation under all forms of its members."""
        key = (relation, id(explanation))
        if key not in self._excess:
            self._explanations.append(explanation)
            self._excess[key] = self._excess_of(relation, explanation)
        return self._excess[key]

    def _excess_of(self, relation: Relation, explanation: Explanation) -> float:
        aligned = self.evidence.aligned(relation, explanation.states, explanation.mounts)
        if aligned is None:
            return 0.0
        cost = float(self.evidence.cost(relation, explanation.states, explanation.mounts))
        free = aligned.fit.unexplained
        is_loose = relation.kind in ("gravity", "carried", "motion")
        is_shown = relation.kind == "motion" and shows_motion(self.scope, relation.members[0])
        share = LOOSE_IF_SHOWN if is_shown else LOOSE
        most = max(3.0 * ADEQUATE if not is_shown else ADEQUATE, share * abs(free)) if is_loose else ADEQUATE
        # A velocity that is resolved in other axes often has something in common with the accelerations nevertheless.
        velocities = [k for k in relation.members if self.scope.tracks[k].quantity == "velocity"]
        if aligned.fit.is_telling and cost - free < most and (is_loose or free < -TOLD) and not velocities:
            return 0.0 if is_loose else cost - free
        for k in velocities if velocities and aligned.fit.is_telling else relation.members:
            if explanation.states[k].form == "stated":
                for form in self._forms(k):
                    other = self.evidence.aligned(relation, explanation.states | {k: State(form)}, explanation.mounts)
                    free = min(free, 0.0 if other is None else other.fit.unexplained)
        return 0.0 if velocities and is_loose and aligned.fit.is_telling and cost - free < most else cost - free

    def _may_gain(self, unit: Unit, base: Explanation) -> bool:
        """Return whether a fault of a unit can explain enough to be accepted."""
        weight = self.evidence.weight
        gain = sum(weight(relation) * self.excess(relation, base) for relation in self.evidence.of(unit))
        return gain > MARGIN + 4.0

    def _forms(self, k: int) -> list[str]:
        quantity = self.scope.tracks[k].quantity
        if quantity == "orientation":
            return ["wxyz", "xyzw", "inverse"]
        if (self.scope.turning_back(k) if quantity in VECTORS else self.scope.orientation_for(k)) is None:
            return []
        return ["other axes"] if quantity == "velocity" else ["in reference"] if quantity in VECTORS else []

    def beam(self, pool: list[Explanation], before: float) -> list[Explanation]:
        """Return the first faults to try with a second: the best, those of other sensors, and other forms of numbers.

        Of two faults, the first alone may be worse than many of one other sensor; it is better than none, which costs
        `before`.
        """
        beam, seen, units = list[Explanation](), set[object](), set[Unit]()
        for explanation in pool:
            (unit, labels) = explanation.faults[-1]
            key = (unit, explanation.states[unit[0]].form)
            is_form = _is_form({k: explanation.states[k] for k in unit}, labels)
            is_other = len(beam) < BEAM and unit not in units and explanation.cost < before
            is_near = len(beam) < NEAREST or is_other
            if is_near or (is_form and key not in seen):
                beam.append(explanation)
                units.add(unit)
            if is_form:
                seen.add(key)
        return beam[: 2 * BEAM]

    def _before_zero(self, base: Explanation, first: Explanation) -> list[Explanation]:
        """Return explanations by an orientation that starts as none, as first fault, after other axes of a reference.

        Its own reference is turned as the orientations of others show it, so that it takes their fault upon itself.
        """
        unit, labels = first.faults[-1] if first.faults else ((), ())
        if all(label.kind != "starts as zero" for label in labels):
            return []
        pairs = list[Explanation]()
        tracks = self.scope.tracks
        others = [(k,) for k, track in enumerate(tracks) if track.quantity == "orientation"]
        for other in (*others, *self._worldly_units()):
            if not set(other).isdisjoint(unit) or all(tracks[k].quantity != "orientation" for k in other):
                continue
            tilts = dict[tuple[float, ...], Explanation]()
            for start in self.with_fault_of(base, other, EVERY):
                up = tuple((start.states[other[0]].W.M @ UP).round().tolist())
                if [label.kind for label in start.faults[-1][1]] == ["world axes"]:
                    tilts.setdefault(up, start)
            for start in tilts.values():
                pairs += self.with_fault_of(start, unit, KEPT // 4)
        return pairs

    # --- One more fault

    def _more(self, base: Explanation, kept: int = KEPT) -> list[Explanation]:
        """Return explanations with faults of one more unit of sensors."""
        explanations = list[Explanation]()
        for unit in [*((k,) for k in range(len(self.scope.tracks))), *self.units()]:
            if self._is_open(unit, base) and self._may_gain(unit, base):
                explanations += self.with_fault_of(base, unit, kept)
        return explanations

    def _is_open(self, unit: Unit, base: Explanation) -> bool:
        """Return whether a unit may have a fault more: one of several that are turned together may have another."""
        met = [other for other, _ in base.faults if set(unit) & set(other)]
        return not met or (len(unit) == 1 and len(met) == 1 and len(met[0]) > 1 and base.states[unit[0]].W.is_none)

    def with_fault_of(self, base: Explanation, unit: Unit, kept: int) -> list[Explanation]:
        """Return explanations with a fault of one more unit."""
        return self._of_sensor(base, unit[0], kept) if len(unit) == 1 else self._of_unit(base, unit, kept)

    def _of_sensor(self, base: Explanation, k: int, kept: int) -> list[Explanation]:
        checkpoint()
        relations = self.evidence.of((k,))
        rows = [({k: h.state}, h.labels, h.cost) for h in self._hypotheses(base, k, relations)]
        return self._weigh(base, (k,), rows, relations, kept)

    def _hypotheses(self, base: Explanation, k: int, relations: tuple[Relation, ...]) -> Iterator[Hypothesis]:
        track = self.scope.tracks[k]
        if not base.states[k].T.is_none:
            yield from self._besides(base, k, relations)
            return
        discrete = self._discrete(k)
        has_weight = track.quantity == "specific force" and _has_weight(track.x)
        if self._is_alike(k):
            discrete = tuple(h for h in discrete if h.state.form not in ("other axes", "in reference"))
        for h in discrete:
            is_weightless = has_weight and float(h.state.gravity) == 0.0
            if h.labels and not (is_weightless or self._is_heading(k, h.state)):
                yield h
        if track.quantity in VECTORS or track.quantity == "orientation":
            yield from self._other_frames(k)
        for form in dict.fromkeys(h.state.form for h in discrete if h.state.form != "offset"):
            yield from self._free(base, k, relations, form)
        yield from self._in_other_reference(base, k)

    def _in_other_reference(self, base: Explanation, k: int) -> Iterator[Hypothesis]:
        """Yield the hypothesis that a vector is resolved in a reference with a heading of its own.

        The turns of an orientation, resolved in its reference, show this heading of an angular velocity, and the motion
        of a body that of a specific force.
        """
        companion = self.scope.turning_back(k)
        if companion is None or self._is_alike(k):
            return
        if self.scope.tracks[companion].readings.source == self.scope.tracks[k].readings.source:
            return
        quantity = self.scope.tracks[k].quantity
        yaw = {"angular velocity": self._heading_of_rate, "specific force": self._heading_of_force}.get(quantity)
        W = None if yaw is None else yaw(base, k, companion)
        if W is not None:
            state = replace(STATED, form="in reference").with_W(W)
            yield Hypothesis(state, (Label("resolved in reference"),), COSTS["resolved in reference"] + FREE_HEADING)

    def _heading_of_force(self, base: Explanation, k: int, _: int) -> Array | None:
        """Return the heading (3, 3) of the reference of a specific force by the motion of bodies; None without any."""
        motions = [r for r in self.evidence.of((k,)) if r.kind == "motion" and r.members[1] == k]
        turns = Rotation.from_euler("z", np.radians(np.arange(0.0, 360.0, HEADING_STEP))[:, None]).as_matrix()
        state = replace(STATED, form="in reference")
        cost = np.zeros(len(turns))
        for relation in motions:
            aligned = self.evidence.aligned(relation, base.states | {k: state}, base.mounts)
            if aligned is not None:
                theta = coefficients(self.scope, relation, base.states | {k: state.with_W(turns)}, base.mounts)
                cost += aligned.fit.cost(aligned.fit.chi_squares(theta))
        best = int(np.argmin(cost))
        return turns[best] if cost[best] < 0.0 else None

    def _heading_of_rate(self, base: Explanation, k: int, companion: int) -> Array | None:
        """Return the heading (3, 3) of the reference of an angular velocity by the turns of an orientation."""
        look = Look(self.scope, Relation("turn", (companion, k)), base.states, base.mounts)
        edges = look.edges()
        if edges is None:
            return None
        is_good = look.good(edges)
        turn = (look.world_turn(companion, edges) @ base.states[companion].W.turning_back.T)[is_good]
        rate = look.mean(k, edges)[is_good]
        across, along = turn[:, 0] @ rate[:, 1] - turn[:, 1] @ rate[:, 0], np.sum(turn[:, :2] * rate[:, :2])
        return Rotation.from_euler("z", np.arctan2(across, along)).as_matrix()

    def _besides(self, base: Explanation, k: int, relations: tuple[Relation, ...]) -> Iterator[Hypothesis]:
        """Yield the hypotheses about a vector that is turned together with others."""
        if self.scope.tracks[k].quantity not in VECTORS:
            return
        turned = base.states[k]
        for h in self._discrete(k):
            if h.labels and {label.kind for label in h.labels} <= BESIDES:
                yield Hypothesis(h.state.with_T(h.state.T.M @ turned.T.M), h.labels, h.cost)
        scale = self._scale(base, k, relations, turned, 1.0)
        if scale is not None and 1.0 / MOST_SCALE < scale < MOST_SCALE:
            yield Hypothesis(turned.with_T(scale * turned.T.M), (Label("scale"),), COSTS["scale"])

    def _is_heading(self, k: int, state: State) -> bool:
        """Return whether a change of the reference's axes is another heading, which is free for its own reference."""
        W = state.W.M
        is_turn = float(state.W.hand) > 0.0 and abs(float(state.W.size) - 1.0) < 1e-9 and not state.W.is_none
        return is_turn and bool(np.allclose(W @ UP, UP)) and self.scope.has_own_world(k)

    def _is_alike(self, k: int) -> bool:
        """Return whether a vector is nearly the same in the frame and in the reference, as on a straight way."""
        if k not in self._alike:
            companion, v = self.scope.orientation_for(k), self.scope.tracks[k]
            if companion is None or v.x.shape[1] != 3:
                return False
            R = rotations_at(quaternions(self.scope.tracks[companion], "stated", v.t))
            self._alike[k] = bool(np.linalg.norm(R.apply(v.x) - v.x) < ALIKE * np.linalg.norm(v.x))
        return self._alike[k]

    def _discrete(self, k: int) -> tuple[Hypothesis, ...]:
        track = self.scope.tracks[k]
        of_other = self.scope.turning_back(k) if track.quantity in VECTORS else None
        has_orientation = of_other is not None or self.scope.orientation_for(k) is not None
        return hypotheses_of(track.quantity, has_orientation=has_orientation, in_frame=resolves_in_frame(track))

    def _other_frames(self, k: int) -> Iterator[Hypothesis]:
        track = self.scope.tracks[k]
        for frame, (R_BO, _) in self.bodies[track.body].poses.items():
            T = R_BO.T @ track.R_BF
            if _apart(T, ONE) > NEAR_TURN:
                label = Label("wrong frame", frame)
                yield Hypothesis(STATED.with_T(T), (label,), COSTS["wrong frame"])
        # Sensors are mostly mounted along the axes of their body, even where their mount is stated otherwise.
        for change in changes(is_proper=True) if nearest_axes(track.R_BF)[1] > LEAST_TURN else ():
            if not change.is_identity:
                label = Label("mounting", f"along {change.short}")
                yield Hypothesis(STATED.with_T(change.matrix @ track.R_BF), (label,), COSTS["mounting"] + 1.0)

    def _free(self, base: Explanation, k: int, relations: tuple[Relation, ...], form: str) -> Iterator[Hypothesis]:
        """Yield hypotheses with a fitted scale or turn."""
        track = self.scope.tracks[k]
        state = replace(STATED, form=form)
        quantity, in_frame = track.quantity, resolves_in_frame(track, form)
        form_labels = next(h.labels for h in self._discrete(k) if h.state.form == form)
        cost = sum(COSTS[label.kind] for label in form_labels)
        if quantity == "orientation":
            R = None if self._is_mounted_by(k) else self._turn(base, k, relations, state, 1.0)
            if R is not None:
                label = Label("mounting", "turned")
                yield Hypothesis(state.with_T(R), (*form_labels, label), cost + COSTS["mounting"] + FREE_TURN)
            W = self._world(base, k, relations, state)
            if W is not None:
                total = cost + COSTS["starts as zero"] - START_BY_CHANCE
                yield Hypothesis(state.with_W(W), (*form_labels, Label("starts as zero")), total)
            return
        for sign, labels in ((1.0, ()), (-1.0, (Label("sign"),))):
            scale = self._scale(base, k, relations, state, sign)
            if scale is not None and 1.0 / MOST_SCALE < scale < MOST_SCALE:
                scaled = with_change(quantity, state, sign * scale * np.eye(3), in_frame=in_frame)
                extra = COSTS["scale"] + (COSTS["sign"] if labels else 0.0)
                yield Hypothesis(scaled, (*form_labels, Label("scale"), *labels), cost + extra)
        if quantity in VECTORS and form != "in reference":
            size = self._size(base, k, relations, state)
            units = [(1.0, ()), *((f, (Label("unit", unit),)) for unit, f in UNITS.get(quantity, {}).items())]
            factor, labels = min(units, key=lambda unit: abs(np.log(size / unit[0])))
            R = self._turn(base, k, relations, state, factor)
            if R is not None:
                total = cost + COSTS["mounting"] + FREE_TURN + sum(COSTS[label.kind] for label in labels)
                yield Hypothesis(state.with_T(factor * R), (*form_labels, *labels, Label("mounting", "turned")), total)

    def _is_mounted_by(self, k: int) -> bool:
        """Return whether all other turning readings of a body are of one frame, with a stated mount on a track's frame.

        A turn of the track is then a wrong statement of this mount: the frame of a body has no mount itself.
        """
        track = self.scope.tracks[k]
        frame = track.readings.frame
        turning = [t for t in self.scope.tracks if t.body == track.body and t.quantity in (*VECTORS, "orientation")]
        others = {t.readings.frame for t in turning} - {frame}
        alone = all(t is track or t.readings.frame != frame for t in turning)
        return alone and len(others) == 1 and frame == self.bodies[track.body].root

    def _size(self, base: Explanation, k: int, relations: tuple[Relation, ...], state: State) -> float:
        """Return the factor by which a sensor reads too large, in whichever directions, by its best relation."""
        sizes = list[tuple[float, float]]()
        for relation in relations:
            aligned = self.evidence.aligned(relation, base.states | {k: state}, base.mounts)
            if (
                aligned is None
                or not aligned.fit.is_telling
                or (relation.kind == "carried" and relation.members[0] == k)
            ):
                continue
            fit = aligned.fit
            theta = coefficients(self.scope, relation, base.states | {k: state}, base.mounts)
            stated_power, free_power = (float(np.einsum("cp,cpq,cq->", x, fit.A, x)) for x in (theta, fit.theta))
            if stated_power > 0.0 and free_power > 0.0:
                ratio = np.sqrt(free_power / stated_power)
                sizes.append((-fit.unexplained, float(ratio if relation.members[0] == k else 1.0 / ratio)))
        return max(sizes)[1] if sizes else 1.0

    def _world(self, base: Explanation, k: int, relations: tuple[Relation, ...], state: State) -> Array | None:
        """Return the turn of the reference if the first orientation is taken for zero: its inverse in truth."""
        Q0 = Rotation.from_quat(self.scope.tracks[k].x[0])
        if Q0.magnitude() > NO_TURN:
            return None

        def theta(relation: Relation, W: Array) -> Array:
            return coefficients(self.scope, relation, base.states | {k: replace(state, W=probe(W))}, base.mounts)

        usable = tuple(relation for relation in relations if relation.kind in ("gravity", "world turn"))
        found = self._rotation(base, usable, {k: state}, theta)
        # A start that is level is the usual start of an odometry: only a tilt tells.
        return None if found is None or (found @ UP) @ UP > np.cos(NEAR_TURN) else found

    def _turn(
        self, base: Explanation, k: int, relations: tuple[Relation, ...], state: State, factor: float
    ) -> Array | None:
        def theta(relation: Relation, R: Array) -> Array:
            turned = replace(state, T=probe(R, factor))
            return coefficients(self.scope, relation, base.states | {k: turned}, base.mounts)

        usable = tuple(r for r in relations if r.kind not in ("heading", "travel") and r.kind != "world turn")
        found = self._rotation(base, usable, {k: state}, theta)
        return None if found is None or _apart(found, ONE) < LEAST_TURN else found

    def _rotation(
        self,
        base: Explanation,
        relations: tuple[Relation, ...],
        changed: States,
        theta: Callable[[Relation, Array], Array],
    ) -> Array | None:
        normals: list[tuple[Array, Array, float]] = []
        for relation in relations:
            aligned = self.evidence.aligned(relation, base.states | changed, base.mounts)
            if aligned is not None and aligned.fit.is_telling:
                normals.append(normal_of(aligned.fit, lambda R, relation=relation: theta(relation, R)))
        return fitted_rotation(normals)[0] if normals else None

    def _scale(
        self, base: Explanation, k: int, relations: tuple[Relation, ...], state: State, sign: float
    ) -> float | None:
        """Return the factor by which a sensor reads too large, from all relations."""
        total, weight = 0.0, 0.0
        in_frame = resolves_in_frame(self.scope.tracks[k], state.form)
        for relation in relations:
            aligned = self.evidence.aligned(relation, base.states | {k: state}, base.mounts)
            if (
                aligned is None
                or not aligned.fit.is_telling
                or (relation.kind == "carried" and relation.members[0] == k)
            ):
                continue
            one = with_change(self.scope.tracks[k].quantity, state, sign * state.T.M, in_frame=in_frame)
            theta = coefficients(self.scope, relation, base.states | {k: one}, base.mounts)
            fit = aligned.fit
            rest = np.zeros_like(theta)
            unscaled = UNSCALED_FROM.get(relation.kind)
            if unscaled is not None and relation.members[1] == k:  # gravity and lever arms have no scale
                rest[..., unscaled:] = theta[..., unscaled:]
                theta = theta - rest
            along = float(np.einsum("cp,cp->", theta, fit.B - np.einsum("cpq,cq->cp", fit.A, rest)))
            power = float(np.einsum("cp,cpq,cq->", theta, fit.A, theta))
            if along <= 0.0 or power <= 0.0:
                continue
            ratio = along / power
            is_y = relation.members[0] == k
            information = self.evidence.weight(relation) * power * ratio**2
            total += information * np.log(ratio if is_y else 1.0 / ratio)
            weight += information
        return float(np.exp(total / weight)) if weight > 0.0 else None

    # --- Sensors of one device

    def units(self) -> list[Unit]:
        """Return the sets of sensors that may be turned together: of one frame, of one source, or in one reference."""
        units = list[Unit]()
        for body in range(len(self.bodies)):
            rows = [k for k, track in enumerate(self.scope.tracks) if track.body == body]
            for key in ("frame", "source"):
                groups: dict[str, list[int]] = {}
                for k in rows:
                    groups.setdefault(getattr(self.scope.tracks[k].readings, key), []).append(k)
                for members in groups.values():
                    turning = [k for k in members if self.scope.tracks[k].quantity in (*VECTORS, "orientation")]
                    if 1 < len(turning) < len(rows) and tuple(turning) not in units:
                        units.append(tuple(turning))
        return [*units, *self._worldly_units()]

    def _worldly_units(self) -> list[Unit]:
        """Return the sets of sensors of one source that may be resolved in other axes of its reference together."""
        groups: dict[tuple[str, str], list[int]] = {}
        for k, track in enumerate(self.scope.tracks):
            if track.quantity in WORLDLY and not (track.quantity == "velocity" and resolves_in_frame(track)):
                groups.setdefault((track.readings.source, self.scope.world_of(k)), []).append(k)
        return [tuple(members) for members in groups.values() if len(members) > 1]

    def _of_unit(self, base: Explanation, unit: Unit, kept: int) -> list[Explanation]:
        relations = tuple(r for r in self.evidence.of(unit) if not set(r.members) <= set(unit))
        if not relations or all(self.excess(relation, base) < ADEQUATE for relation in relations):
            return []
        if not {self.scope.tracks[k].quantity for k in unit}.isdisjoint(("position", "velocity")):
            return self._weigh(base, unit, self._other_worlds(unit), self.evidence.of(unit), kept)
        rows = list[tuple[States, tuple[Label, ...], float]]()
        vector = next((k for k in unit if self.scope.tracks[k].quantity in VECTORS), unit[0])
        for h in hypotheses_of("angular velocity", has_orientation=False):
            if len(h.labels) == 1 and h.labels[0].kind in ("body axes", "mounting"):
                rows.append((dict.fromkeys(unit, h.state), h.labels, h.cost))
        for h in self._other_frames(vector):
            rows.append((dict.fromkeys(unit, h.state), h.labels, h.cost))

        def theta(relation: Relation, R: Array) -> Array:
            turned = replace(STATED, T=probe(R))
            return coefficients(self.scope, relation, base.states | dict.fromkeys(unit, turned), base.mounts)

        usable = tuple(
            r
            for r in relations
            if sum(k in unit for k in r.members) == 1 and r.kind not in ("heading", "travel", "world turn")
        )
        # The mount of another body may have followed the fault: the own body alone tells the turn without it.
        for some in dict.fromkeys((usable, tuple(r for r in usable if not self.scope.joins_bodies(r)))):
            R = self._rotation(base, some, {}, theta)
            if R is not None and _apart(R, ONE) > LEAST_TURN:
                state = STATED.with_T(R)
                rows.append((dict.fromkeys(unit, state), (Label("mounting", "turned"),), COSTS["mounting"] + FREE_TURN))
        return self._weigh(base, unit, rows, self.evidence.of(unit), kept)

    def _other_worlds(self, unit: Unit) -> list[tuple[States, tuple[Label, ...], float]]:
        """Return the states of sensors that are resolved in other axes of their reference together."""
        has_own = self.scope.has_own_world(unit[0], unit)
        return [
            (dict.fromkeys(unit, h.state), h.labels, h.cost)
            for h in hypotheses_of("position")
            if [label.kind for label in h.labels] == ["world axes"]
            and not (has_own and np.allclose(h.state.W.M @ UP, UP))
        ]

    # --- Weighing

    def _weigh(
        self,
        base: Explanation,
        unit: Unit,
        rows: list[tuple[States, tuple[Label, ...], float]],
        relations: tuple[Relation, ...],
        kept: int,
    ) -> list[Explanation]:
        """Return explanations by changed states of a unit, the best first."""
        if not rows:
            return []
        before = float(self.evidence.total(base.states, base.mounts, relations))
        doubt: float = DOUBT * self.evidence_of(base, relations)
        rows = [(s, labels, cost + doubt * any(s[k].form not in KNOWN_FORMS for k in unit)) for s, labels, cost in rows]
        prior: Array = np.array([cost for _, _, cost in rows], dtype=float)
        others = tuple(r for r in self.evidence.relations if r not in relations and self._crosses(r))
        groups: dict[tuple[object, ...], list[int]] = {}
        for n, (states, _, _) in enumerate(rows):
            has_world = any(not states[k].W.is_none for k in unit)
            is_kept = all(id(states[k]) in self._discrete_states for k in unit)
            groups.setdefault((has_world, is_kept, *(states[k].form for k in unit)), []).append(n)
        trials = list[_Trial]()
        for (has_world, *_), members in groups.items():
            checkpoint()
            batch = {k: self._stacked(tuple(rows[n][0][k] for n in members)) for k in unit}
            forms = {k: replace(STATED, form=batch[k].form) for k in unit}
            choices = self._mount_choices(base, unit, forms, has_world=bool(has_world))
            trials += self._plain(base, np.array(members), batch, choices, relations, others, prior)
        misfit, chosen = np.full(len(rows), np.inf), [base.mounts] * len(rows)
        is_form: NDArray[np.bool_] = np.array([_is_form(states, labels) for states, labels, _ in rows])
        least = np.sort(np.concatenate([trial.plain for trial in trials]))
        limit = max(least[0] + WINDOW, least[min(LEADERS, len(least)) - 1])
        for trial in trials:
            alive = np.flatnonzero((trial.plain <= limit) | is_form[trial.rows])
            if len(alive) == 0:
                continue
            states, mounts, count = base.states | trial.batch, trial.mounts, len(trial.rows)
            cost: Array = np.zeros(len(alive))
            for relation in relations:
                own = self.evidence.costs_of(relation, states, mounts, count, alive)
                least = np.where(trial.is_own[alive], self._least(relation, states, mounts, own), own)
                cost = cost + self.evidence.weight(relation) * least
            if mounts is not base.mounts:
                elsewhere = self.evidence.total(base.states, base.mounts, others)
                cost = cost + float(self.evidence.total(base.states, mounts, others) - elsewhere)
            for n, value in zip(trial.rows[alive], np.broadcast_to(cost, len(alive)), strict=True):
                if value < misfit[n]:
                    misfit[n], chosen[n] = value, mounts
        misfit += base.misfit - before - float(self.evidence.toppled(base.states))
        misfit += np.array([float(self.evidence.toppled(base.states | states)) for states, _, _ in rows])
        self._weigh_alone(base, rows, chosen, misfit, prior)
        ranked: list[int] = np.argsort(misfit + prior).tolist()
        ranked = [*ranked[:kept], *(n for n in ranked[kept:] if is_form[n])]
        order = [n for n in ranked if np.isfinite(misfit[n])]
        self._priors |= {(unit, rows[n][1]): rows[n][2] for n in order}
        return [
            Explanation(
                base.states | rows[n][0],
                chosen[n],
                (*base.faults, (unit, rows[n][1])),
                float(misfit[n]),
                base.prior + rows[n][2],
            )
            for n in order
        ]

    def evidence_of(self, base: Explanation, relations: tuple[Relation, ...]) -> float:
        """Return what relations can prove at most."""
        fits = ((relation, self.evidence.aligned(relation, base.states, base.mounts)) for relation in relations)
        return -sum(self.evidence.weight(r) * aligned.fit.unexplained for r, aligned in fits if aligned is not None)

    def _weigh_alone(
        self,
        base: Explanation,
        rows: list[tuple[States, tuple[Label, ...], float]],
        chosen: list[Mounts],
        misfit: Array,
        prior: Array,
    ) -> None:
        """Weigh the likeliest of the states that change a series of motion, one by one, and leave out the others.

        Fitted ones are among them, and units near to a fitted scale: all axes seem alike before they are weighed, and
        those of a list would always come before a number that is free.
        """
        order: list[int] = np.argsort(misfit + prior).tolist()
        alone = [n for n in order if np.isfinite(misfit[n]) and self._is_own(rows[n][0])]
        sizes = {n: _size_of(rows[n][0]) for n in alone}
        fitted = [sizes[n] for n in alone if any(label.kind == "scale" for label in rows[n][1])]
        sized = [n for n in alone if any(abs(np.log(max(sizes[n] / size, 1e-9))) < ABOUT for size in fitted if size)]
        free = [n for n in alone if free_cost(rows[n][1]) > 0.0]
        weighed = dict.fromkeys((*alone[:MOST_ALONE], *sized, *free))
        for n in weighed:
            misfit[n] = float(self.evidence.total(base.states | rows[n][0], chosen[n]))
        misfit[[n for n in alone if n not in weighed]] = np.inf

    def _is_own(self, states: States) -> bool:
        """Return whether states change the series of a motion, so that it is another for each of them."""
        for relation in self.evidence.of(tuple(states)):
            if relation.kind == "motion":
                i, _, k = relation.members
                if k in states and not states[k].W.is_none:
                    return True
                form = states[i].form if i in states else "stated"
                in_frame = resolves_in_frame(self.scope.tracks[i], form)
                if k in states and in_frame and not states[k].T.is_none:
                    return True
                if i in states and not (states[i].W.is_none and states[i].T.is_none):
                    return True
        return False

    def _which_are_own(self, batch: States, count: int) -> NDArray[np.bool_]:
        """Return which states (n,) of a batch change the series of a motion."""
        key = tuple(map(id, batch.values()))
        if key not in self._own:
            each = ({k: taken(state, n) for k, state in batch.items()} for n in range(count))
            self._own[key] = np.array([self._is_own(states) for states in each]), batch
        return self._own[key][0]

    def _least(self, relation: Relation, states: States, mounts: Mounts, cost: Array) -> Array | float:
        """Return costs, or a lower bound of them where each state has a series of its own."""
        if relation.kind != "motion":
            return cost
        aligned = self.evidence.aligned(relation, states, mounts)
        return 0.0 if aligned is None else aligned.fit.unexplained

    def _plain(
        self,
        base: Explanation,
        rows: NDArray[np.int64],
        batch: States,
        choices: list[Mounts],
        relations: tuple[Relation, ...],
        others: tuple[Relation, ...],
        prior: Array,
    ) -> list[_Trial]:
        """Return the likeliest orientations of bodies and references for a batch, weighed without small deviations."""
        states = base.states | batch
        several = _stacked_mounts(choices)
        is_own = self._which_are_own(batch, len(rows))
        costs = np.asarray(np.zeros((len(choices), len(rows))) + prior[rows], dtype=np.float64)
        for relation in (*relations, *others):
            if relation.kind != "motion":
                plain = self.evidence.plain(relation, states if relation in relations else base.states, several)
                costs = costs + self.evidence.weight(relation) * np.broadcast_to(plain, costs.shape)
        # Series of motion depend on the orientations, and are made for the likeliest only.
        best = np.argsort(costs.min(axis=1), kind="stable")[:MOST_CHOICES]
        trials = list[_Trial]()
        for m in map(int, best):
            cost = np.asarray(costs[m], dtype=np.float64)
            if cost.min() > costs.min() + WINDOW:
                continue
            for relation in (*relations, *others):
                if relation.kind == "motion":
                    own = states if relation in relations else base.states
                    plain = np.broadcast_to(self.evidence.plain(relation, own, choices[m]), cost.shape)
                    least = np.where(is_own, self._least(relation, own, choices[m], plain), plain)
                    cost = cost + self.evidence.weight(relation) * least
            trials.append(_Trial(rows, batch, choices[m], cost, is_own))
        return trials

    def _stacked(self, states: tuple[State, ...]) -> State:
        """Return the batch of states of one form, the same object for the same states."""
        key = tuple(map(id, states))
        if key not in self._batches:
            self._batches[key] = stacked(list(states)), states
        return self._batches[key][0]

    def _crosses(self, relation: Relation) -> bool:
        return self.scope.joins_bodies(relation) or len(self._worlds(relation)) > 1

    def _worlds(self, relation: Relation) -> set[str]:
        """Return the references whose axes count in a relation."""
        tracks = self.scope.tracks
        if relation.kind not in ("world turn", "travel", "motion"):
            return set()
        members = [k for k in relation.members if tracks[k].quantity in ("orientation", "position")]
        members += [
            k for k in relation.members if tracks[k].quantity == "velocity" and not resolves_in_frame(tracks[k])
        ]
        return {self.scope.world_of(k) for k in members}

    # --- Orientations of bodies on each other, and of references

    def best_mounts(self, states: States, start: Mounts | None = None) -> Mounts:
        """Return the orientations of the bodies and references that fit states best."""
        mounts: Mounts = {0: ONE, **dict.fromkeys(self.scope.worlds[:1], ONE)}
        keys: list[int | str] = [*range(1, len(self.bodies)), *self.scope.worlds[1:]]
        # Those before a body or reference may have little to do with it: all are estimated again by all others.
        for sweep in range(SWEEPS if len(keys) > 1 else 1):
            before = dict(mounts)
            for key in keys:
                others = {b: R for b, R in mounts.items() if b != key}
                choices = self._estimates(key, states, others)
                choices += [known[key] for known in (start, mounts) if known is not None and key in known]
                relations = self._crossing(key, others)
                costs = [float(self.evidence.total(states, others | {key: R}, relations)) for R in choices]
                mounts[key] = choices[int(np.argmin(costs))] if choices else ONE
            if sweep and all(_apart(mounts[key], before[key]) < SETTLED for key in keys):
                break
        return self._with_headings(states, mounts)

    def _with_headings(self, states: States, mounts: Mounts) -> Mounts:
        """Return orientations with the headings by which accelerations and specific forces agree, if they fit better.

        Turns in the plane leave the heading between two references open.
        """
        first = self.scope.worlds[0] if self.scope.worlds else ""
        for relation in self.evidence.relations:
            i, _, k = relation.members if relation.kind == "motion" else (0, 0, 0)
            of_y, of_turn = self.scope.world_of(i), self.scope.world_of(k)
            if relation.kind != "motion" or of_y == of_turn or not (states[i].W.is_none and states[k].W.is_none):
                continue
            yaw = self._heading(relation, states, mounts)
            if yaw is None:
                continue
            others = {key: yaw @ R for key, R in mounts.items() if isinstance(key, str) and key != of_turn}
            choices = [mounts, mounts | {of_y: yaw @ mounts.get(of_y, ONE)}]
            choices += [mounts | others if of_turn == first else mounts | {of_turn: yaw.T @ mounts.get(of_turn, ONE)}]
            choices = [choice for choice in choices if np.allclose(choice.get(first, ONE), ONE)]
            mounts = min(choices, key=lambda choice: float(self.evidence.total(states, choice)))
        return mounts

    def _heading(self, relation: Relation, states: States, mounts: Mounts) -> Array | None:
        """Return the turn about z of the accelerations of a motion that fits the forces best; None if it is none."""
        aligned = self.evidence.aligned(relation, states, mounts)
        if aligned is None:
            return None
        fit = aligned.fit
        force = fit.series.predict(coefficients(self.scope, relation, states, mounts))
        y, other = (x[fit.series.is_good][:, :2] for x in (fit.whiten(fit.series.y), fit.whiten(force)))
        angle = float(np.arctan2(np.sum(y[:, 0] * other[:, 1] - y[:, 1] * other[:, 0]), np.sum(y * other)))
        return None if abs(angle) < SAME_HEADING else Rotation.from_euler("z", angle).as_matrix()

    def _crossing(self, key: int | str, mounts: Mounts) -> tuple[Relation, ...]:
        """Return the relations of a body or reference with known ones."""
        known = {*mounts, key}
        crossing = list[Relation]()
        for relation in self.evidence.relations:
            met: set[int | str] = {self.scope.tracks[k].body for k in relation.members}
            worlds = self._worlds(relation)
            own = worlds if isinstance(key, str) else met
            if (
                key in own
                and len(own) > 1
                and met | worlds <= known | set(self.scope.worlds if isinstance(key, int) else ())
            ):
                crossing.append(relation)
        return tuple(crossing)

    def _estimates(
        self, key: int | str, states: States, mounts: Mounts, first: Array = ONE, last: Array = ONE
    ) -> list[Array]:
        """Return orientations of a body or reference: by all relations with others, and by each alone.

        That of a reference is a turn about the vertical between two changes: ``last @ yaw @ first``.
        """
        normals = list[tuple[Array, Array, float]]()
        for relation in self._crossing(key, mounts):
            aligned = self.evidence.aligned(relation, states, mounts)
            if aligned is None or not aligned.fit.is_telling or relation.kind == "heading":
                continue
            if self.scope.leans_on_mount(relation, states):
                continue
            if relation.kind == "motion" and (isinstance(key, str) or not self._is_of_one_pose(relation)):
                continue
            if isinstance(key, int) and relation.kind == "world turn":
                continue

            def theta(R: Array, relation: Relation = relation) -> Array:
                return coefficients(self.scope, relation, states, mounts | {key: last @ R @ first})

            normals.append(normal_of(aligned.fit, theta))
        if not normals:
            return []
        if isinstance(key, str):
            return [last @ best_yaw(normals) @ first]
        A, B, _ = (np.stack([np.asarray(part) for part in parts]) for parts in zip(*normals, strict=True))
        known = A.tobytes() + B.tobytes()
        if known not in self._rotations:
            # By all relations, by each, and also for readings with the opposite sign.
            parts = (A.sum(axis=0)[None], A, A) if len(A) > 1 else (A, A)
            rights = (B.sum(axis=0)[None], B, -B) if len(B) > 1 else (B, -B)
            self._rotations[known] = fitted_rotations(np.concatenate(parts), np.concatenate(rights))
        return list(self._rotations[known])

    def _is_of_one_pose(self, relation: Relation) -> bool:
        """Return whether the series of a motion is of one body and one reference, whatever their orientations."""
        i, _, k = relation.members
        tracks = self.scope.tracks
        return tracks[i].body == tracks[k].body and self.scope.world_of(i) == self.scope.world_of(k)

    def _mount_choices(self, base: Explanation, unit: Unit, changed: States, *, has_world: bool) -> list[Mounts]:
        """Return the orientations of the bodies and references to weigh changed states with."""
        met = {self.scope.tracks[k].body for k in unit}
        keys: list[int | str] = [*sorted((met if 0 not in met else set(range(1, len(self.bodies)))) - {0})]
        worlds = {self.scope.world_of(k) for k in unit if self.scope.tracks[k].quantity in WORLDLY}
        keys += [world for world in self.scope.worlds[1:] if world in worlds or self.scope.worlds[0] in worlds]
        choices = [base.mounts]
        is_form = any(state.form != "stated" for state in changed.values())
        for key in keys:
            alike = [other for other in keys if isinstance(other, str) == isinstance(key, str)]
            estimates = self._choices_of(key, base, changed, {key}, has_world=has_world)
            choices += [base.mounts | {key: R} for R in estimates]
            if isinstance(key, int) and is_form:
                # Another form of an orientation turns its body and its reference in their own ways, both at once.
                worlds = [world for world in keys if isinstance(world, str)]
                for R, world in itertools.product(estimates, worlds):
                    turned = replace(base, mounts=base.mounts | {key: R})
                    several = self._choices_of(world, turned, changed, {world}, has_world=False)
                    choices += [turned.mounts | {world: W} for W in several]
            if len(alike) > 1:  # the first body or reference is another, and with it all others
                estimates = self._choices_of(key, base, changed, set(alike), has_world=has_world)
                turns = [R @ base.mounts.get(key, ONE).T for R in estimates]
                choices += [base.mounts | {b: turn @ base.mounts.get(b, ONE) for b in alike} for turn in turns]
        return choices

    def _choices_of(
        self, key: int | str, base: Explanation, changed: States, unknown: set[int | str], *, has_world: bool
    ) -> list[Array]:
        """Return other orientations of a body or reference than before, by its relations with what is not unknown."""
        others = {b: R for b, R in base.mounts.items() if b not in unknown}
        estimates = self._estimates(key, base.states | changed, others)
        if isinstance(key, str) and estimates and has_world:
            # A change of the reference's axes may come with any heading: it tilts this reference, or the first on it.
            is_first = all(self.scope.world_of(k) != key for k in changed)
            for tilt in TILTS:
                before, after = (tilt, ONE) if is_first else (ONE, tilt)
                (R,) = self._estimates(key, base.states | changed, others, after, before)
                yaw = before.T @ R @ after.T
                estimates += [yaw @ quarter for quarter in QUARTERS]
        if not estimates:
            return []
        every = np.stack([base.mounts.get(key, ONE), *estimates]).reshape(-1, 9)
        cosine = 0.5 * (every @ every.T - 1.0)
        is_new = ~np.any(np.tril(cosine > np.cos(np.radians(0.5)), -1), axis=1)
        return [R for R, is_other in zip(estimates, is_new[1:], strict=True) if is_other]


TILTS = tuple(
    Rotation.from_euler("xyz", [a, b, 0.0]).as_matrix()
    for a, b in ((np.pi, 0.0), (np.pi / 2, 0.0), (-np.pi / 2, 0.0), (0.0, np.pi / 2), (0.0, -np.pi / 2))
)
"""Turns of a reference that put another axis upward."""

QUARTERS = tuple(Rotation.from_euler("z", k * np.pi / 2).as_matrix() for k in range(4))
"""Quarter turns about the vertical."""


def _stacked_mounts(choices: list[Mounts]) -> Mounts:
    """Return several orientations (m, 1, 3, 3) of those bodies and references that differ in them."""
    first = choices[0]
    return {
        key: R
        if all(other[key] is R for other in choices)
        else np.stack([other[key] for other in choices])[:, np.newaxis]
        for key, R in first.items()
    }


def _is_shared(unit: Unit, explanation: Explanation) -> bool:
    """Return whether a sensor of a unit has another fault besides that of the unit."""
    return sum(not set(unit).isdisjoint(other) for other, _ in explanation.faults) > 1


def _has_weight(force: Array) -> bool:
    """Return whether specific forces (n, 3) are as good as constant and not zero, so that gravity is not removed."""
    usual = np.median(force, axis=0)
    weight = float(np.linalg.norm(usual))
    spread = float(np.median(np.linalg.norm(force - usual, axis=1)))
    return weight > LEAST_WEIGHT and spread < CONSTANT * weight


def _is_form(states: States, labels: tuple[Label, ...]) -> bool:
    """Return whether states are another form of the numbers, and nothing else: a start for further faults."""
    return len(labels) == 1 and all(s.form != "stated" and s.T.is_none and s.W.is_none for s in states.values())


def _size_of(states: States) -> float:
    """Return the factor by which states make vectors larger, negative for the opposite ones; 0 if they change axes."""
    changes = [change.M for state in states.values() for change in (state.T, state.W) if not change.is_none]
    M = changes[0] if len(changes) == 1 else 0.0 * ONE
    return float(M[0, 0]) if np.allclose(M, M[0, 0] * ONE) else 0.0


def _apart(A: Array, B: Array) -> float:
    """Return the angle between two rotations, rad."""
    return float(np.arccos(np.clip(0.5 * (np.sum(A * B) - 1.0), -1.0, 1.0)))


def with_change(quantity: str, state: State, M: Array, *, in_frame: bool) -> State:
    """Return a state with a change of axes: of the reference for what is resolved there, else of the frame."""
    return state.with_W(M) if quantity == "position" or (quantity == "velocity" and not in_frame) else state.with_T(M)


def stacked(states: list[State]) -> State:
    """Return the batch of states of one form."""
    T, W = (
        Change(*(np.stack([getattr(change, name) for change in changes]) for name in ("M", "back", "hand", "size")))
        for changes in ([state.T for state in states], [state.W for state in states])
    )
    return State(states[0].form, T, W, np.array([state.gravity for state in states]), states[0].clock)
