"""Delays and clock drifts of sensors, voted by the delays between them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.linear_systems import inv, pinv
from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.alignment import Lag
from framescope.features.evidence.core.relations import Mounts, Relation, Scope, States, shows_delay
from framescope.features.evidence.core.weighing import Evidence
from framescope.features.evidence.core.windows import RIGHT, Clock

ERROR, DRIFT_ERROR = 0.0015, 30e-6
"""Usual delay of a sensor, such as by its filter, s, and usual error of the rate of a clock."""

MOTION_ERROR = 0.015
"""Usual error of a delay between an acceleration and a specific force, which shake and lever arms disturb, s."""

FIELD_ERROR, FIELD_DRIFT_ERROR = 0.006, 1e-3
"""Usual error of a delay of a magnetic field, which the iron of the body disturbs, s, and of its drift."""

LEAST, LEAST_DRIFT = 0.006, 150e-6
"""Least delay, s, and drift that are reported."""

COST, DRIFT_COST = 9.0, 10.0
"""Improbability of a delay and of a drift."""

ALONE = 6.0
"""Improbability of a delay of one of several readings of a message, which share its stamp."""

WORST = 60.0
"""Largest weight of one relation in the vote."""

FRESH = 0.005
"""Change of a delay from which everything is weighed anew, s."""

WORST_SIGMA = 0.03
"""Standard error of a delay above which a relation has no vote, s."""


@dataclass(frozen=True, eq=False)
class Late:
    """Delay and drift of the clock of one or more tracks.

    Attributes
    ----------
    unit
        Numbers of the tracks.
    delay, drift, sigma, drift_sigma
        Delay at the middle of the recording, s, its change per second, and their standard errors.
    middle
        Middle of the recording, s.
    """

    unit: tuple[int, ...]
    delay: float
    drift: float
    sigma: float
    drift_sigma: float
    middle: float


@dataclass(frozen=True, eq=False)
class Vote:
    """Delays that explain those between the tracks, and others that do so as well.

    Attributes
    ----------
    late
        Delays, those of the best explanation.
    rivals
        Delays of explanations that are less than three standard errors away.
    apart
        Standard errors by which the best rival is worse.
    """

    late: tuple[Late, ...]
    rivals: tuple[tuple[Late, ...], ...]
    apart: float


@dataclass(frozen=True, eq=False)
class Timed:
    """Delay of one track behind another, as a relation shows it over `half` of the recording's length, s."""

    first: int
    second: int
    lag: Lag
    relation: Relation
    half: float = np.inf

    @property
    def error(self) -> float:
        """Usual error of the delay beyond its noise, s."""
        return {"motion": MOTION_ERROR, "carried": FIELD_ERROR}.get(self.relation.kind, ERROR)

    @property
    def covariance(self) -> Array:
        """Covariance (2, 2) of the delay and its drift, with the usual errors: they may differ from end to end."""
        drift = FIELD_DRIFT_ERROR if self.relation.kind == "carried" else DRIFT_ERROR
        return self.lag.covariance + np.diag([self.error**2, drift**2 + (self.error / self.half) ** 2])


def measured_lags(evidence: Evidence, states: States, mounts: Mounts) -> tuple[Timed, ...]:
    """Return the delays between tracks that relations show."""
    lags = list[Timed]()
    for relation in evidence.relations:
        if not shows_delay(evidence.scope, relation):
            continue
        aligned = evidence.aligned(relation, states, mounts)
        if aligned is None or not aligned.fit.is_telling or not np.all(np.isfinite(aligned.lag.covariance)):
            continue
        if 0.0 < aligned.lag.covariance[0, 0] < WORST_SIGMA**2:
            i, j = relation.members[:2]
            half = 0.5 * float(np.ptp(aligned.fit.series.t))
            lags.append(Timed(i, j, _with_clocks(evidence.scope, i, j, aligned.lag), relation, half))
    return tuple(lags)


def _with_clocks(scope: Scope, i: int, j: int, lag: Lag) -> Lag:
    """Return a delay with those that are taken back already."""
    for k, sign in ((i, 1.0), (j, -1.0)):
        clock = scope.clocks.get(k)
        if clock is not None:
            delay = clock.delay + clock.drift * (lag.middle - clock.middle)
            lag = Lag(lag.delay + sign * delay, lag.drift + sign * clock.drift, lag.covariance, lag.middle)
    return lag


def clocks_of(late: Iterable[Late]) -> dict[int, Clock]:
    """Return the errors of the stamps of late tracks."""
    return {k: Clock(item.delay, item.drift, item.middle) for item in late for k in item.unit}


def synchronize(evidence: Evidence, states: States, mounts: Mounts) -> bool:
    """Take back the delays that relations show; return whether they changed."""
    clocks = clocks_of(vote(evidence.scope, measured_lags(evidence, states, mounts)).late)
    known = evidence.scope.clocks
    moved = [abs(clocks.get(k, RIGHT).delay - known.get(k, RIGHT).delay) for k in {*clocks, *known}]
    if not any(step > FRESH for step in moved):
        return False
    evidence.set_clocks(clocks)
    return True


def vote(scope: Scope, lags: tuple[Timed, ...]) -> Vote:
    """Return the fewest late sensors that explain the delays."""
    if not lags:
        return Vote((), (), 0.0)
    units = _units(scope, lags)
    sources = {k: sum(o.readings.source == t.readings.source for o in scope.tracks) for k, t in enumerate(scope.tracks)}
    options = [_explain(lags, chosen, drifts, sources) for chosen, drifts in _choices(units, lags)]
    options.sort(key=lambda option: option[0])
    best = options[0]
    if not best[2]:
        return Vote((), (), 0.0)
    # Explanations by the same sensors with others besides them are no rivals.
    rivals = [o for o in options[1:] if not _covers(o[2], best[2])]
    near = [o[2] for o in rivals if o[0] - best[0] < 4.5 and o[2]]
    apart = np.sqrt(2.0 * max(rivals[0][0] - best[0], 0.0)) if rivals else 0.0
    return Vote(best[2], tuple(near), float(apart))


def _covers(late: tuple[Late, ...], others: tuple[Late, ...]) -> bool:
    units = {other.unit for other in others}
    return bool(units) and units <= {item.unit for item in late}


def _units(scope: Scope, lags: Iterable[Timed]) -> list[tuple[int, ...]]:
    """Return the sets of tracks that may be late together: each alone, and those of one source.

    A source that sends positions and orientations sends them, and the velocities beside them, with one time, so that
    none of its readings is late alone.
    """
    met = sorted({k for lag in lags for k in (lag.first, lag.second)})
    posed = [{t.readings.source for t in scope.tracks if t.quantity == part} for part in ("position", "orientation")]
    units = [(k,) for k in met if scope.tracks[k].readings.source not in posed[0] & posed[1]]
    by_source: dict[str, list[int]] = {}
    for k, track in enumerate(scope.tracks):
        by_source.setdefault(track.readings.source, []).append(k)
    units += [unit for members in by_source.values() if len(unit := tuple(members)) > 1 and set(unit) & set(met)]
    return units


def _choices(
    units: list[tuple[int, ...]], lags: tuple[Timed, ...]
) -> Iterable[tuple[tuple[tuple[int, ...], ...], tuple[bool, ...]]]:
    """Yield sets of units that are late, and whether each drifts."""
    yield (), ()
    drifting = any(abs(lag.lag.drift) > 4.0 * np.sqrt(lag.covariance[1, 1]) for lag in lags)
    for count in (1, 2):
        for chosen in itertools.combinations(units, count):
            if count == 2 and set(chosen[0]) & set(chosen[1]):
                continue
            yield chosen, (False,) * count
            if drifting:
                yield chosen, (True,) + (False,) * (count - 1)


def _explain(
    lags: tuple[Timed, ...], chosen: tuple[tuple[int, ...], ...], drifts: tuple[bool, ...], sources: dict[int, int]
) -> tuple[float, float, tuple[Late, ...]]:
    """Return the cost of late units, its part by the misfit, and their delays."""
    middle = float(np.mean([lag.lag.middle for lag in lags]))
    count = len(chosen) + sum(drifts)
    A, b, weight = np.zeros((len(lags), 2, count)), np.zeros((len(lags), 2)), np.zeros((len(lags), 2, 2))
    for m, lag in enumerate(lags):
        column = len(chosen)
        for n, unit in enumerate(chosen):
            side = (lag.first in unit) - (lag.second in unit)
            A[m, 0, n] = side
            if drifts[n]:
                A[m, :, column] = side * (lag.lag.middle - middle), side
                column += 1
        b[m] = lag.lag.delay, lag.lag.drift
        # The errors of a magnetic field are the same in all relations that it has.
        is_field = lag.relation.kind == "carried"
        alike = sum(o.first == lag.first and o.relation.kind == "carried" for o in lags) if is_field else 1
        weight[m] = inv(lag.covariance) / alike
    x: Array = np.zeros(count)
    covariance: Array = np.zeros((count, count))
    robust = np.ones(len(lags))
    for _ in range(4 if count else 0):
        normal = np.einsum("mia,mij,mjb,m->ab", A, weight, A, robust)
        covariance = pinv(normal, 1e-12)
        x = covariance @ np.einsum("mia,mij,mj,m->a", A, weight, b, robust)
        rest = b - A @ x
        robust = 1.0 / (1.0 + np.einsum("mi,mij,mj->m", rest, weight, rest) / 12.0)
    rest: Array = b - A @ x
    misfit = 0.5 * float(np.sum(np.minimum(np.einsum("mi,mij,mj->m", rest, weight, rest), 2.0 * WORST)))
    late = list[Late]()
    column = len(chosen)
    for n, unit in enumerate(chosen):
        drift = (x[column], np.sqrt(covariance[column, column])) if drifts[n] else (0.0, 0.0)
        column += drifts[n]
        late.append(Late(unit, float(x[n]), float(drift[0]), float(np.sqrt(covariance[n, n])), float(drift[1]), middle))
    too_small = any(abs(item.delay) < LEAST and abs(item.drift) < LEAST_DRIFT for item in late)
    alone = sum(ALONE for unit in chosen if len(unit) == 1 and sources[unit[0]] > 1)
    cost = misfit + alone + COST * len(chosen) + DRIFT_COST * sum(drifts) + (1e6 if too_small else 0.0)
    return cost, misfit, tuple(late)
