"""Search for the faults that make the readings of a recording agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.core.errors import Severity
from framescope.core.kernels.validation import Array
from framescope.core.system.cooperative_yield import checkpoint
from framescope.features.detective.core.axis_changes import AxisChange
from framescope.features.evidence.core.account import Account, Agreement, Fault, Finding, Mounting, Unexcited
from framescope.features.evidence.core.agreements import agreements_of
from framescope.features.evidence.core.biases import (
    LEAST_FIELD,
    LEAST_FORCE,
    LEAST_RATE,
    LEAST_SCALE,
    MOST_FORCE,
    SIGNIFICANT,
    changes_like_an_offset,
    field_bias,
    force_bias,
    rate_bias,
    rate_scale,
    scale_like_an_offset,
)
from framescope.features.evidence.core.delays import LEAST, LEAST_DRIFT, Late, Vote, measured_lags, vote
from framescope.features.evidence.core.faults import CERTAIN, SEVERITIES, Judged, faults_of, judge
from framescope.features.evidence.core.field_units import in_tesla
from framescope.features.evidence.core.force_lengths import is_in_g
from framescope.features.evidence.core.hypotheses import Label
from framescope.features.evidence.core.mounting import OPEN_LEVER, Turn, body_turn, extra_turn, lever_arm, unit_turn
from framescope.features.evidence.core.readings import SensorLog
from framescope.features.evidence.core.reduction import LONGEST, confirmed, reduced
from framescope.features.evidence.core.relations import LEVER, VECTORS, Scope, relations_of
from framescope.features.evidence.core.search import Explanation, Search, Unit
from framescope.features.evidence.core.states import GRAVITY
from framescope.features.evidence.core.tracks import Body, Track, bodies_of, tracks_of
from framescope.features.evidence.core.weighing import Evidence
from framescope.features.evidence.core.wording import (
    axes_words,
    degrees_words,
    delay_words,
    direction_words,
    drift_words,
    listed,
    sentence_of,
    three_digits,
    time_words,
    vector_words,
)

JOINED = 20.0
"""Negative log-likelihood by which the readings of two bodies must fit to count as joined."""

TESTED = np.radians(2.5)
"""Standard error of a turn up to which it counts as tested, rad."""

OTHER_WAY = {"inverse", "mirrored axes"}
"""Kinds of faults of an orientation that do the same to turns about one axis: their sign changes."""

ORDER: dict[Severity, int] = {"red": 0, "amber": 1, "note": 2}


def examine(log: SensorLog, longest: float = LONGEST) -> Account:
    """Return the account of the evidence in a recording.

    A recording that takes more than `longest`, in s, is searched in its liveliest stretches only, and what is found is
    weighed over the whole of it. May be called on any thread; it asks
    `framescope.core.system.cooperative_yield.checkpoint` between its steps.
    """
    bodies = bodies_of(log)
    tracks, units = in_tesla(tracks_of(log, bodies))
    scope = Scope(tracks)
    evidence = Evidence(scope, tuple(relations_of(scope)))
    if not evidence.relations:
        return Account(log, (), ())
    searched = reduced(evidence, longest)
    search = Search(searched, bodies)
    explanation = search.run()
    judged = judge(scope, explanation, search.rivals)
    checkpoint()
    if searched is not evidence:
        evidence.relations = searched.relations
        explanation = confirmed(evidence, explanation)
        judged = tuple(item for item in judged if (item.unit, item.labels) in explanation.faults)
        checkpoint()
    votes = _of_clocks(vote(scope, measured_lags(evidence, explanation.states, explanation.mounts)), scope.tracks)
    return _Report(log, bodies, evidence, explanation, judged, votes, units).account()


def _of_clocks(votes: Vote, tracks: tuple[Track, ...]) -> Vote:
    """Return the delays that are those of a clock: of readings that have stamps, and by no lever arm."""

    def of_clocks(all_late: tuple[Late, ...]) -> tuple[Late, ...]:
        return tuple(
            late
            for late in all_late
            if any(tracks[k].readings.is_stamped for k in late.unit) and not _may_be_lever(late, tracks)
        )

    return replace(votes, late=of_clocks(votes.late), rivals=tuple(map(of_clocks, votes.rivals)))


def _may_be_lever(late: Late, tracks: tuple[Track, ...]) -> bool:
    """Return whether a delay of positions alone, such as those of an antenna, may be the lever arm that is stated.

    A body that drives forward at a speed v shifts a point that is l behind its origin by l, as a delay l/v does.
    """
    if any(tracks[k].quantity != "position" for k in late.unit):
        return False
    others = [k for k, track in enumerate(tracks) if k not in late.unit and track.quantity in ("position", "velocity")]
    levers = [
        float(np.linalg.norm(tracks[i].p_BF - tracks[j].p_BF)) if tracks[i].body == tracks[j].body else LEVER
        for i in late.unit
        for j in others
    ]
    return abs(late.delay) * max(_speed(tracks[k]) for k in late.unit) < max(levers, default=0.0)


def _speed(track: Track) -> float:
    """Return the root mean square of the speed of positions, over seconds, m/s."""
    step = max(1, round(1.0 / track.period))
    t, x = track.t[::step], track.x[::step]
    if len(t) < 2:
        return 0.0
    moved: Array = np.linalg.norm(np.diff(x, axis=0), axis=1)
    return float(np.sqrt(np.mean(np.square(moved / np.diff(t)))))


class _Report:
    """Findings of one search."""

    def __init__(
        self,
        log: SensorLog,
        bodies: tuple[Body, ...],
        evidence: Evidence,
        explanation: Explanation,
        judged: tuple[Judged, ...],
        votes: Vote,
        units: dict[int, Fault],
    ) -> None:
        self.log, self.bodies, self.evidence = log, bodies, evidence
        self.explanation, self.judged, self.votes = explanation, judged, votes
        self.tracks = evidence.scope.tracks
        self.units = units
        self.offset_or: list[tuple[int, tuple[Fault, ...]]] = []  # offsets that may be other faults
        self.apart_found: tuple[tuple[int, Fault], ...] = ()  # faults that are found apart from the search
        self.faults: dict[int, list[Fault]] = {}
        self.apart: dict[int, float] = {}
        self.doubt: dict[int, float] = {}  # of faults besides those of the clock, which have a finding of their own

    def account(self) -> Account:
        """Return the account."""
        for item in self.judged:
            for fault, k in self._own(item.unit, faults_of(self.evidence, self.explanation, item.unit, item.labels)):
                if fault.kind == "bias":
                    continue  # its size is estimated apart
                self.faults.setdefault(k, []).append(fault)
                apart = max(item.apart, CERTAIN) if self._is_certain(item) and item.rivals else item.apart
                self.apart[k] = min(apart, self.apart.get(k, np.inf))
        self.doubt = dict(self.apart)
        for late in self.votes.late:
            for k in late.unit:
                self.faults.setdefault(k, []).extend(self._clock_faults(late, k))
                self.apart[k] = min(self.votes.apart, self.apart.get(k, np.inf))
        scales = dict(self._scales())
        self.apart_found = (*self.units.items(), *scales.items(), *self._biases(scales))
        for k, fault in self.apart_found:
            self.faults.setdefault(k, []).append(fault)
        every = {k: tuple(faults) for k, faults in self.faults.items()}
        agreements = agreements_of(self.evidence, self.explanation, every, self.apart)
        findings = [*self._fault_findings(agreements), *self._mountings(agreements), *self._open(agreements)]
        findings.sort(key=lambda finding: ORDER[finding.severity])
        return Account(self.log, tuple(findings), agreements)

    def _own(self, unit: Unit, faults: tuple[Fault, ...]) -> Iterator[tuple[Fault, int]]:
        by_name = {self.tracks[k].name: k for k in unit}
        return ((fault, by_name[fault.readings]) for fault in faults)

    def _clock_faults(self, late: Late, k: int) -> list[Fault]:
        faults = list[Fault]()
        delay, sigma = late.delay, late.sigma
        drifts = abs(late.drift) >= LEAST_DRIFT
        if drifts:  # what is left at the start is no consequence of the drift
            since = late.middle - min(float(track.t[0]) for track in self.tracks)
            delay, sigma = delay - late.drift * since, float(np.hypot(sigma, since * late.drift_sigma))
        if not drifts or abs(delay) >= max(LEAST, CERTAIN * sigma):
            faults.append(Fault("delay", self.tracks[k].name, delay_words(delay), (delay,), (sigma,)))
        if abs(late.drift) >= LEAST_DRIFT:
            sigma = (late.drift_sigma,)
            faults.append(Fault("clock drift", self.tracks[k].name, drift_words(late.drift), (late.drift,), sigma))
        return faults

    def _scales(self) -> Iterator[tuple[int, Fault]]:
        for k, track in enumerate(self.tracks):
            estimate = rate_scale(self.evidence, self.explanation, k) if track.quantity == "angular velocity" else None
            if estimate is None:
                continue
            scale, sigma = estimate
            if abs(np.log(scale)) > max(LEAST_SCALE, SIGNIFICANT * sigma / scale):
                words = f"{three_digits(scale)} times as large as it should be"
                yield k, Fault("scale", track.name, words, (scale,), (sigma,))

    def _biases(self, scales: dict[int, Fault]) -> Iterator[tuple[int, Fault]]:
        doubted = frozenset(k for item in self.judged if not self._is_certain(item) for k in item.unit)
        for k, track in enumerate(self.tracks):
            if track.quantity == "angular velocity":
                scale = scales[k].value[0] if k in scales else 1.0
                estimate, least, unit = rate_bias(self.evidence, self.explanation, k, scale), LEAST_RATE, "rad/s"
            elif track.quantity == "specific force":
                estimate, least, unit = force_bias(self.evidence, self.explanation, k), LEAST_FORCE, "m/s²"
            elif track.quantity == "magnetic field":
                estimate, least, unit = field_bias(self.evidence, self.explanation, k, doubted), LEAST_FIELD, "µT"
            else:
                continue
            if estimate is None:
                continue
            bias, sigma = estimate
            if unit == "m/s²" and np.linalg.norm(bias) > MOST_FORCE:
                if is_in_g(track.x):  # gravity in another unit is no offset
                    yield k, Fault("unit", track.name, "in g", (1.0 / GRAVITY,))
                continue
            size = float(self.explanation.states[k].T.size)
            length = float(np.linalg.norm(bias))
            error = float(np.linalg.norm(bias * sigma)) / max(length, 1e-12)  # of the length
            is_large = length > least * size + CERTAIN * error
            if is_large and np.any(np.abs(bias) > SIGNIFICANT * sigma):
                words = f"off by {vector_words(bias / size * (1e6 if unit == 'µT' else 1.0), unit)}"
                # As it is read.
                factor = self.units[k].value[0] if k in self.units else 1.0
                value, spread = (tuple(float(x) * factor for x in part) for part in (bias, sigma))
                fault = Fault("bias", track.name, words, value, spread)
                yield from self._offset_or_other(k, fault, bias)

    def _offset_or_other(self, k: int, offset: Fault, bias: Array) -> Iterator[tuple[int, Fault]]:
        """Yield an offset, or the fault that explains more; keep it with the others that explain as much."""
        others, is_better = self._in_place_of(k, bias)
        if is_better:
            yield k, others[0]
        elif others:
            self.offset_or.append((k, (offset, *others)))
        else:
            yield k, offset

    def _in_place_of(self, k: int, bias: Array) -> tuple[list[Fault], bool]:
        """Return the faults that explain as much as an offset, and whether the first explains more."""
        name, quantity = self.tracks[k].name, self.tracks[k].quantity
        if quantity == "specific force" and not any(fault.kind == "unit" for fault in self.faults.get(k, ())):
            scale = scale_like_an_offset(self.evidence, self.explanation, k, bias)
            if scale is None or scale[1] < -0.5 * CERTAIN**2:
                return [], False
            words = f"{three_digits(scale[0])} times as large as it should be"
            return [Fault("scale", name, words, (scale[0],))], scale[1] > 0.5 * CERTAIN**2
        if quantity == "magnetic field":
            found = changes_like_an_offset(self.evidence, self.explanation, k)
            return [_of_axes(name, change) for change in found], False
        return [], False

    # --- Faults

    def _fault_findings(self, agreements: tuple[Agreement, ...]) -> Iterator[Finding]:  # noqa: C901
        certain = [item for item in self.judged if self._is_certain(item)]
        told = set[int]()
        for item in self.judged:
            if item not in certain:
                yield self._ambiguous(item, agreements)
                told |= set(item.unit)
        for k, alternatives in self.offset_or:
            yield self._one_of(k, alternatives, agreements)
        late_certain = self.votes.apart >= CERTAIN
        if self.votes.late and not late_certain:
            yield self._ambiguous_delay(agreements)
        # The certain faults of a unit, or of one source, in one sentence.
        groups: dict[tuple[int, ...], list[Fault]] = {}
        for item in certain:
            own = faults_of(self.evidence, self.explanation, item.unit, item.labels)
            sized = [fault for fault in own if fault.kind != "bias"]  # the size of an offset is estimated apart
            if sized:
                groups[item.unit] = sized
        for k, fault in self.apart_found:
            groups.setdefault((k,), []).append(fault)
        if late_certain:
            for late in self.votes.late:
                unit = next((u for u in groups if set(u) <= set(late.unit) and len(u) > 1), late.unit)
                if unit not in groups and len(late.unit) > 1:
                    inside = [u for u in groups if set(u) <= set(late.unit)]
                    unit = inside[0] if len(inside) == 1 and len(inside[0]) == len(late.unit) else late.unit
                groups.setdefault(unit, []).extend(f for k in late.unit for f in self._clock_faults(late, k))
        for unit, faults in groups.items():
            yield self._certain(unit, faults, agreements)

    def _is_certain(self, item: Judged) -> bool:
        """Return whether a fault has no rivals, or only those that differ by a turn which the words leave open."""
        if item.apart >= CERTAIN or not item.rivals:
            return True
        own = self._words_of(item.unit, item.labels, self.explanation)
        return all(
            len(rival) == 1 and rival[0][0] == item.unit and self._words_of(*rival[0]) == own for rival in item.rivals
        )

    def _words_of(self, unit: Unit, labels: tuple[Label, ...], explanation: Explanation) -> set[str]:
        return {fault.words for fault in faults_of(self.evidence, explanation, unit, labels)}

    def _certain(self, unit: Unit, faults: list[Fault], agreements: tuple[Agreement, ...]) -> Finding:
        names = list(dict.fromkeys([*(self.tracks[k].name for k in unit), *(fault.readings for fault in faults)]))
        stretch = self._stretch(names, agreements)
        words = list(dict.fromkeys(fault.words for fault in faults))
        mounting = self._mounting_of_unit(unit, faults)
        unexcited = tuple[Unexcited, ...]()
        if mounting is not None and not mounting.is_known:
            unexcited = tuple(self._unexcited_of(unit))
        elif mounting is not None:
            spread = degrees_words(float(np.sqrt(np.max(np.diag(mounting.covariance)[:3]))))
            words = [f"{word} (±{spread})" if word.startswith(("mounted", "turned")) else word for word in words]
        if not self._is_whole_frame(unit):
            mounting = None  # the axes of these readings differ from those of others of the sensor
        is_certain = all(self.doubt.get(k, np.inf) >= CERTAIN for k in unit)
        severity: Severity = "red" if any(SEVERITIES.get(f.kind, "red") == "red" for f in faults) else "amber"
        sentence = sentence_of(self._subject(unit), words, stretch)
        return Finding(sentence, severity, tuple(names), tuple(faults), mounting, unexcited, stretch, is_certain)

    def _subject(self, unit: Unit) -> str:
        tracks = [self.tracks[k] for k in unit]
        sources = dict.fromkeys(track.readings.source for track in tracks)
        everything = [track for track in self.tracks if track.readings.source in sources]
        if len(tracks) > 1 and len(sources) == 1 and len(everything) == len(tracks):
            return next(iter(sources))
        return tracks[0].name if len(tracks) == 1 else listed(track.name for track in tracks)

    def _is_whole_frame(self, unit: Unit) -> bool:
        """Return whether readings are all that the turn of their frame changes, so that the frame is turned.

        The root frame of a body has no mount.
        """
        frames = {self.tracks[k].readings.frame for k in unit}
        return self.bodies[self.tracks[unit[0]].body].root not in frames and all(
            k in unit or track.readings.frame not in frames or track.quantity not in (*VECTORS, "orientation")
            for k, track in enumerate(self.tracks)
        )

    def _mounting_of_unit(self, unit: Unit, faults: list[Fault]) -> Mounting | None:
        fault = next((f for f in faults if f.kind in ("mounting", "body axes") and f.value), None)
        if fault is None or self.tracks[unit[0]].quantity not in (*VECTORS, "orientation"):
            return None
        turn = unit_turn(self.evidence, self.explanation, unit)
        if turn is None:
            return None
        track = self.tracks[unit[0]]
        root = self.bodies[track.body].root
        # Vectors are read as R v, so that the sensor's orientation on its stated frame is the inverse of R.
        R_FS = Rotation.from_quat(fault.value).as_matrix()
        R_PS = track.R_BF @ R_FS
        covariance = R_PS @ turn.covariance @ R_PS.T
        sigma = float(np.sqrt(np.max(np.diag(covariance))))
        Q = Rotation.from_matrix(R_PS).as_quat(canonical=True)
        words = replace(turn, R=R_PS.T).words_if_open or axes_words(R_PS.T, sigma)
        return Mounting(track.readings.frame, root, Q, None, covariance, words)

    def _ambiguous(self, item: Judged, agreements: tuple[Agreement, ...]) -> Finding:
        own = faults_of(self.evidence, self.explanation, item.unit, item.labels)
        options = [(self._subject(item.unit), list(dict.fromkeys(fault.words for fault in own)))]
        faults, units = list(own), [item.unit]
        for rival in item.rivals:
            parts = list[str]()
            for unit, labels, explanation in rival:
                others = faults_of(self.evidence, explanation, unit, labels)
                faults += others
                units.append(unit)
                parts.append(f"{self._subject(unit)} is {', '.join(dict.fromkeys(f.words for f in others))}")
            if parts:
                options.append((listed(parts), []))
        clauses = [f"{subject} is {', '.join(words)}" if words else subject for subject, words in options]
        names = tuple(dict.fromkeys(self.tracks[k].name for unit in units for k in unit))
        stretch = self._stretch([self.tracks[k].name for k in item.unit], agreements)
        open_parts = () if self._is_part_of_tested(item.unit) else tuple(self._unexcited_of(item.unit))
        either = listed(dict.fromkeys(clauses), "or")
        when = time_words(stretch)
        sentence = f"Either {either}: the readings disagree at {when}, and the motion does not tell which."
        if len(clauses) == 1:
            sentence = f"{clauses[0]}, or not: the motion hardly tells."
        elif len(set(units)) == 1 and {fault.kind for fault in faults} == OTHER_WAY:
            subject = self._subject(item.unit)
            sentence = (
                f"{subject} turns the other way: it is the inverse, or its axes are mirrored; proven by {when}. A turn"
                " about another axis tells which."
            )
        return Finding(sentence, "amber", names, tuple(faults), None, open_parts, stretch, is_certain=False)

    def _one_of(self, k: int, faults: tuple[Fault, ...], agreements: tuple[Agreement, ...]) -> Finding:
        """Return the finding of readings with one of several faults."""
        name = self.tracks[k].name
        stretch = self._stretch([name], agreements)
        either = listed([fault.words for fault in faults], "or")
        sentence = f"{name} is either {either}; proven by {time_words(stretch)}. A turn about another axis tells which."
        return Finding(sentence, "amber", (name,), tuple(faults), stretch=stretch, is_certain=False)

    def _ambiguous_delay(self, agreements: tuple[Agreement, ...]) -> Finding:
        options = [self.votes.late, *self.votes.rivals][:4]
        clauses, faults, units = list[str](), list[Fault](), list[Unit]()
        for option in options:
            parts = list[str]()
            for late in option:
                own = [fault for k in late.unit for fault in self._clock_faults(late, k)]
                faults += own
                units.append(late.unit)
                parts.append(f"{self._subject(late.unit)} is {', '.join(dict.fromkeys(f.words for f in own))}")
            clauses.append(listed(parts))
        names = tuple(dict.fromkeys(self.tracks[k].name for unit in units for k in unit))
        stretch = self._stretch(list(names), agreements)
        words = listed(dict.fromkeys(clauses), "or")
        sentence = (
            f"Either {words}; proven by {time_words(stretch)}."
            if len(set(clauses)) > 1
            else f"{words}; proven by {time_words(stretch)}."
        )
        return Finding(sentence, "amber", names, tuple(faults), None, (), stretch, is_certain=False)

    def _stretch(self, names: list[str], agreements: tuple[Agreement, ...]) -> tuple[float, float]:
        """Return the shortest stretch by which a comparison of readings with others proves their faults."""
        told = [a for a in agreements if (a.first in names or a.second in names) and a.verdict != "cannot tell"]
        if not told:
            told = [a for a in agreements if a.first in names or a.second in names]
        if not told:
            return float(min(track.t[0] for track in self.tracks)), float(max(track.t[-1] for track in self.tracks))
        return max(told, key=lambda a: (a.before / max(a.after, 1e-12), -(a.stretch[1] - a.stretch[0]))).stretch

    # --- Mountings between bodies

    def _mountings(self, agreements: tuple[Agreement, ...]) -> Iterator[Finding]:
        for number in range(1, len(self.bodies)):
            body = self.bodies[number]
            rows = [k for k, track in enumerate(self.tracks) if track.body == number]
            if not rows or not body.root or not self.bodies[0].root:
                continue
            cost = self._joint_cost(number)
            if cost > -JOINED:
                continue
            turn = body_turn(self.evidence, self.explanation, number, self._off_forces())
            if turn is None:
                continue
            mounting = self._mounting(number, rows, turn, agreements)
            yield replace(mounting, is_certain=not self._is_turned_in_doubt(number))

    def _is_turned_in_doubt(self, number: int) -> bool:
        """Return whether a fault with rivals turns readings of a body or of the first, and with them its mount."""
        return any(
            not self._is_certain(item)
            and any(
                self.tracks[k].body in (0, number) and self.tracks[k].quantity in (*VECTORS, "orientation")
                for unit in (item.unit, *(unit for rival in item.rivals for unit, _, _ in rival))
                for k in unit
            )
            for item in self.judged
        )

    def _off_forces(self) -> dict[int, tuple[Array, Array]]:
        """Return the offsets of specific forces and their standard errors, by the number of the track."""
        return {
            k: (np.array(fault.value), np.array(fault.sigma))
            for k, faults in self.faults.items()
            for fault in faults
            if fault.kind == "bias" and self.tracks[k].quantity == "specific force"
        }

    def _joint_cost(self, number: int) -> float:
        """Return the negative log-likelihood of the relations of a body with others."""
        scope = self.evidence.scope
        crossing = [
            relation
            for relation in self.evidence.relations
            if len(bodies := {scope.tracks[k].body for k in relation.members}) > 1 and number in bodies
        ]
        states, mounts = self.explanation.states, self.explanation.mounts
        return float(sum(float(self.evidence.cost(relation, states, mounts)) for relation in crossing))

    def _mounting(self, number: int, rows: list[int], turn: Turn, agreements: tuple[Agreement, ...]) -> Finding:
        body, parent = self.bodies[number], self.bodies[0].root
        sigma = float(np.sqrt(np.max(np.linalg.eigvalsh(turn.covariance))))
        R, open_turns = turn.R, turn.open_directions
        words = axes_words(R.T, sigma if not open_turns else 0.0)
        covariance, p = turn.covariance, None
        lever = lever_arm(self.evidence, self.explanation, tuple(rows))
        unexcited = [self._open_turn(tuple(rows), direction, parent) for direction, _ in open_turns]
        if lever is not None and not open_turns:
            position, spread = lever
            if np.sqrt(np.max(np.diag(spread))) < OPEN_LEVER:
                p = position
                covariance = np.block([[covariance, np.zeros((3, 3))], [np.zeros((3, 3)), spread]])
        Q = Rotation.from_matrix(R).as_quat(canonical=True)
        mounting = Mounting(body.root, parent, Q, p, covariance, words)
        names = [self.tracks[k].name for k in rows]
        stretch = self._stretch(names, agreements)
        phrase = words if words.startswith("turned") else f"mounted {words}"
        if open_turns:
            directions = listed(direction_words(direction) for direction, _ in open_turns)
            sentence = (
                f"{body.root} is joined to {parent}; its turn about {directions} stays open. {unexcited[0].words}"
            )
        else:
            at = ""
            if p is not None:
                at = f" at {vector_words(np.round(p, 3), 'm')}" if np.linalg.norm(p) > 0.01 else ""
            sentence = (
                f"{body.root} is {phrase} to {parent}{at} (±{degrees_words(sigma)}); proven by {time_words(stretch)}."
            )
        return Finding(sentence, "note", tuple(names), (), mounting, tuple(unexcited), stretch)

    # --- What the motion leaves open

    def _open_turn(self, unit: Unit, direction: np.ndarray, frame: str) -> Unexcited:
        names = tuple(self.tracks[k].name for k in unit)
        words = (
            f"A turn about {direction_words(direction)} of {frame or 'the frame'} changes nothing in these readings:"
            " turn or accelerate the body along other axes."
        )
        return Unexcited(names, "turn", direction, frame, words)

    def _unexcited_of(self, unit: Unit) -> Iterator[Unexcited]:
        yield from self._left_open(unit, unit_turn(self.evidence, self.explanation, unit))

    def _left_open(self, unit: Unit, turn: Turn | None) -> Iterator[Unexcited]:
        names = tuple(self.tracks[k].name for k in unit)
        frame = self.tracks[unit[0]].readings.frame
        if turn is None or len(turn.open_directions) == 3:
            words = "The motion is too small beside the noise: turn the body about two axes."
            yield Unexcited(names, "all", np.zeros(3), frame, words)
            return
        for direction, _ in turn.open_directions:
            yield self._open_turn(unit, direction, frame)

    def _open(self, agreements: tuple[Agreement, ...]) -> Iterator[Finding]:
        """Yield notes about what the motion does not test, one for each source."""
        by_frame: dict[str, list[int]] = {}
        for k, track in enumerate(self.tracks):
            if track.quantity in (*VECTORS, "orientation"):
                by_frame.setdefault(track.readings.frame, []).append(k)
        for rows in by_frame.values():
            if self._is_tested(tuple(rows)):
                continue
            for source in dict.fromkeys(self.tracks[k].readings.source for k in rows):
                own = [k for k in rows if self.tracks[k].readings.source == source]
                yield from self._open_of(source, own, agreements)

    def _is_tested(self, unit: Unit) -> bool:
        """Return whether other readings show all turns of some readings together."""
        turn = extra_turn(self.evidence, self.explanation, unit)
        return turn is not None and float(np.linalg.eigvalsh(turn.covariance)[-1]) < TESTED**2

    def _is_part_of_tested(self, unit: Unit) -> bool:
        """Return whether readings are some of a frame whose others are tested: the frame itself is not open then."""
        frames = {self.tracks[k].readings.frame for k in unit}
        rows = [k for k, track in enumerate(self.tracks) if track.readings.frame in frames]
        rows = [k for k in rows if self.tracks[k].quantity in (*VECTORS, "orientation")]
        return not set(rows) <= set(unit) and self._is_tested(tuple(rows))

    def _open_of(self, source: str, rows: list[int], agreements: tuple[Agreement, ...]) -> Iterator[Finding]:
        turns = {k: extra_turn(self.evidence, self.explanation, (k,)) for k in rows}
        parts = [part for k, turn in turns.items() for part in self._left_open((k,), turn)]
        if not parts:
            return
        names = tuple(dict.fromkeys(name for part in parts for name in part.readings))
        if len(names) == len(rows) and all(part.what == "all" for part in parts):
            sentence = f"{source} cannot be judged: {parts[0].words[0].lower()}{parts[0].words[1:]}"
        else:
            parts = [part for part in parts if part.what == "turn"]
            if not parts:
                return
            directions = listed(dict.fromkeys(direction_words(part.direction) for part in parts))
            sentence = f"Turns of {source} about {directions} are not tested: turn the body about another axis."
        yield Finding(sentence, "note", names, (), None, tuple(parts), self._stretch(list(names), agreements))


def _of_axes(name: str, change: AxisChange) -> Fault:
    """Return the fault of vectors of a sensor that is mounted along other axes."""
    Q = Rotation.from_matrix(change.matrix.T).as_quat(canonical=True)
    return Fault("mounting", name, f"mounted {change.short}", tuple(map(float, Q)))
