"""Weight of the evidence: negative log-likelihood of states of sensors, by all relations between them.

Real sensors are never exactly as stated: each relation is allowed a small turn, a small error of scale, and the usual
bias, at the price of their improbability.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.linear_systems import solve
from framescope.core.kernels.validation import Array
from framescope.core.system.cooperative_yield import checkpoint
from framescope.features.evidence.core.alignment import (
    LARGEST_DELAY,
    SIGNIFICANT,
    Lag,
    coarse_delay,
    refine,
)
from framescope.features.evidence.core.relations import (
    FIELD_BIAS,
    FORCE_BIAS,
    FORCE_ERROR,
    LARGE_BIAS,
    Mounts,
    Relation,
    Scope,
    States,
    coefficients,
    is_comparable,
    resolves_in_frame,
    series_of,
    shows_delay,
    turns_into_series,
)
from framescope.features.evidence.core.spectral_fit import UNMEASURED, Series, Spectra, SpectralFit, fit_with_spectra
from framescope.features.evidence.core.states import GENERATORS, GRAVITY, STATED, Change, State
from framescope.features.evidence.core.windows import RIGHT, Clock

TURN_ERROR, SCALE_ERROR = np.radians(1.2), 0.01
"""Usual misalignment of a sensor, rad, and usual error of its scale."""

ACCELERATION = 3.0
"""Usual acceleration of a body, m/s²: one that tilts in order to accelerate feels less of its tilt."""

UNLIKE = 0.2
"""Usual part of the accelerations of a body that tilts in order to accelerate that is unlike its tilts."""

DEPENDENT = 0.5
"""Weight of one relation: relations share the noise of their sensors."""


BLIND = 0.2
"""Part of its weight that a relation has which takes no notice of accelerations that others show."""

PROMISING = 6.0
"""Estimated decrease of chi-square from which a delay is tried."""

LEVEL, TOPPLED = np.cos(np.radians(2.5)), 5.0
"""Least vertical part of the z axis of a frame that stays level, and the improbability that it is not level in truth.

Wheels measure in the plane, and the z axis of their base is upward by convention.
"""

SLOWEST = 0.25
"""Longest time between positions or velocities that show accelerations, s."""


@dataclass(frozen=True, eq=False)
class Aligned:
    """Fit of a relation after its delay is taken back.

    Attributes
    ----------
    fit
        The fit.
    lag
        Delay of the first member behind the others, as measured.
    clock
        The delay that is taken back, if it is significant.
    gain
        Decrease of chi-square by the delay.
    """

    fit: SpectralFit
    lag: Lag
    clock: Clock
    gain: float


@dataclass(frozen=True, eq=False)
class Wiggle:
    """Small deviations from coefficients: directions (..., w, c, q) and their standard deviations (..., w)."""

    directions: Array
    sigma: Array
    share: int = -1
    """Number of the direction that is a part between 0 and 1; −1 for none."""


class Evidence:
    """Fits of all relations, made when they are first needed."""

    def __init__(self, scope: Scope, relations: tuple[Relation, ...]) -> None:
        self.scope, self.relations = scope, relations
        self._moving = {r.members[1] for r in relations if r.kind == "motion" and shows_motion(scope, r.members[0])}
        upward = {k: 1.0 if stays_level(scope, k) else -1.0 for k in range(len(scope.tracks))}
        self._level = {k: up for k, up in upward.items() if up > 0.0 or lies_on_back(scope, k)}
        self._fits: dict[tuple[object, ...], Aligned | None] = {}
        self._costs: dict[tuple[object, ...], tuple[Array, tuple[object, ...]]] = {}

    def of(self, members: tuple[int, ...]) -> tuple[Relation, ...]:
        """Return the relations in which one of some sensors has a part."""
        return tuple(relation for relation in self.relations if not set(members).isdisjoint(relation.members))

    def weight(self, relation: Relation) -> float:
        """Return the weight of a relation in the negative log-likelihood of all.

        Where positions or velocities show the accelerations, relations that know nothing of them count less.
        """
        return DEPENDENT * (BLIND if self.is_blind(relation) else 1.0)

    def is_blind(self, relation: Relation) -> bool:
        """Return whether a relation takes no notice of accelerations that positions or velocities show."""
        return relation.kind in ("gravity", "carried") and relation.members[0] in self._moving

    def set_clocks(self, clocks: dict[int, Clock]) -> None:
        """Take back errors of the stamps of tracks in all relations."""
        changed = {k for k in {*clocks, *self.scope.clocks} if clocks.get(k) != self.scope.clocks.get(k)}
        self.scope.clocks = clocks
        self._costs.clear()
        orientations = any(self.scope.tracks[k].quantity == "orientation" for k in changed)
        self._fits = {
            key: value
            for key, value in self._fits.items()
            if isinstance(key[0], Relation) and not changed & set(key[0].members) and not orientations
        }

    def aligned(self, relation: Relation, states: States, mounts: Mounts | None = None) -> Aligned | None:
        """Return the fit of a relation for the forms of states; None if its sensors share too little time."""
        single = {key: M for key, M in (mounts or {}).items() if M.ndim == 2}
        key = self._key(relation, states, single)
        if key not in self._fits:
            checkpoint()
            states = {k: _without_batch(state) for k, state in states.items()}
            self._fits[key] = self._align(relation, states, single)
        return self._fits[key]

    def _key(self, relation: Relation, states: States, mounts: Mounts) -> tuple[object, ...]:
        used = list(relation.members)
        resolved = [(k, self.scope.turning_back(k)) for k in used if states[k].form == "in reference"]
        used += [c for _, c in resolved if c is not None]
        key: list[object] = [relation, *((k, states[k].form) for k in used)]
        for k, c in resolved:
            if c is not None:
                key += [states[c].W.M.tobytes(), states[c].T.M.tobytes(), _without_batch(states[k]).W.M.tobytes()]
                key.append(self.scope.turn_between(c, k, mounts).tobytes())
        if relation.kind == "motion":
            i, k = relation.members[0], relation.members[2]
            key += [_without_batch(states[i]).T.M.tobytes(), _without_batch(states[i]).W.M.tobytes()]
            key.append(_without_batch(states[k]).W.M.tobytes())
            if turns_into_series(self.scope, relation, states):
                key.append(_without_batch(states[k]).T.M.tobytes())
            key.append(self.scope.world_between(k, i, mounts).tobytes())
            key.append(self.scope.turn_between(k, i, mounts).tobytes())
            key += [self.scope.world_between(k, c, mounts).tobytes() for c in used[len(relation.members) :]]
        return tuple(key)

    def _align(self, relation: Relation, states: States, mounts: Mounts) -> Aligned | None:
        states = {k: replace(state, clock=RIGHT) for k, state in states.items()}
        series = series_of(self.scope, relation, states, mounts)
        found = None if series is None else fit_with_spectra(series)
        if found is None:
            return None
        first, spectra = found
        middle = 0.5 * float(first.series.t[0] + first.series.t[-1])
        if not first.is_telling or not shows_delay(self.scope, relation):
            return Aligned(first, Lag(0.0, 0.0, np.diag([np.inf, np.inf]), middle), Clock(), 0.0)
        step = refine(first, first.theta, spectra)
        as_read = Aligned(first, step, Clock(), 0.0)

        def by(clock: Clock) -> tuple[SpectralFit, Spectra] | None:
            lead = relation.members[0]
            series = series_of(self.scope, relation, states | {lead: replace(states[lead], clock=clock)}, mounts)
            again = None if series is None else fit_with_spectra(series)
            return again if again is not None and again[0].is_telling else None

        is_stepped = _gain_of(step) >= SIGNIFICANT
        delay, gain = coarse_delay(first, spectra)
        starts = [delay] if gain >= PROMISING else []
        starts += [step.delay] if _gain_of(step) >= PROMISING and abs(step.delay) < LARGEST_DELAY else []
        tried = [(again, start) for start in starts if (again := by(Clock(start, 0.0, middle))) is not None]
        if not tried:
            return as_read
        (current, spectra), delay = min(tried, key=lambda each: _free_cost(each[0][0]))
        half = 0.5 * float(np.ptp(first.series.t))
        clock = Clock(delay, 0.0, middle)
        for _ in range(5):
            step = refine(current, current.theta, spectra)
            sigma, sigma_drift = np.sqrt(np.maximum(np.diag(step.covariance), 0.0))
            drift = clock.drift + step.drift
            if abs(drift) * half < 0.003 or abs(drift) < 5.0 * sigma_drift or abs(step.drift) * half > 1.0:
                drift, delay = 0.0, clock.delay + delay_alone(step)
            else:
                delay = clock.delay + step.delay
            if not abs(delay) < LARGEST_DELAY + 0.5 or (abs(delay) < 5.0 * sigma and drift == 0.0):
                return as_read
            change = abs(delay - clock.delay) + half * abs(drift - clock.drift)
            if change < 3e-4 or change < 0.3 * sigma:
                break
            clock = Clock(delay, drift, middle)
            again = by(clock)
            if again is None:
                return as_read
            current, spectra = again
        gain = 2.0 * (_free_cost(first) - _free_cost(current))
        lag = Lag(clock.delay + step.delay, clock.drift + step.drift, step.covariance, middle)
        return Aligned(current, lag, clock, gain) if gain > (0.0 if is_stepped else SIGNIFICANT) else as_read

    def unaligned(self, relation: Relation, states: States, mounts: Mounts | None = None) -> Series | None:
        """Return the series of a relation by the stamps as they are."""
        clocks, self.scope.clocks = self.scope.clocks, {}
        try:
            return series_of(self.scope, relation, {k: replace(s, clock=RIGHT) for k, s in states.items()}, mounts)
        finally:
            self.scope.clocks = clocks

    def cost(self, relation: Relation, states: States, mounts: Mounts | None = None) -> Array:
        """Return the negative log-likelihoods (...) of states by a relation, relative to no relation."""
        key, kept = self._cost_key(relation, states, mounts)
        if key not in self._costs:
            self._costs[key] = self._cost(relation, states, mounts), kept
        return self._costs[key][0]

    def costs_of(
        self, relation: Relation, states: States, mounts: Mounts | None, count: int, rows: NDArray[np.int64]
    ) -> Array:
        """Return the negative log-likelihoods (r,) of some rows of a batch of `count` states by a relation.

        They are kept for as long as the states and mounts are the same objects.
        """
        key, kept = self._cost_key(relation, states, mounts)
        if key not in self._costs:
            self._costs[key] = np.full(count, np.nan), kept
        known = self._costs[key][0]
        new = rows[np.isnan(known[rows])]
        if len(new):
            batch = {k: taken(states[k], new) for k in relation.members}
            known[new] = self._cost(relation, states | batch, mounts)
        return known[rows]

    def plain(self, relation: Relation, states: States, mounts: Mounts | None) -> Array:
        """Return the negative log-likelihoods (...) of states by a relation without any small deviations.

        They are too large, at most by what small deviations explain.
        """
        key, kept = self._cost_key(relation, states, mounts)
        key = ("plain", *key)
        if key not in self._costs:
            aligned = self.aligned(relation, states, mounts)
            cost = np.zeros(())
            if aligned is not None:
                theta = coefficients(self.scope, relation, states, mounts)
                cost = aligned.fit.cost_of(theta, aligned.fit.chi_squares(theta)) * is_comparable(relation, states)
            self._costs[key] = cost, kept
        return self._costs[key][0]

    def _cost_key(
        self, relation: Relation, states: States, mounts: Mounts | None
    ) -> tuple[tuple[object, ...], tuple[object, ...]]:
        """Return the identities of what a cost depends on, and these objects, which must stay alive."""
        scope = self.scope
        used = [*relation.members]
        used += [c for k in used if states[k].form == "in reference" and (c := scope.turning_back(k)) is not None]
        own: list[object] = [states[k] for k in used]
        if mounts:
            bodies = {scope.tracks[k].body for k in used}
            if len(bodies) > 1:
                own += [mounts.get(body) for body in sorted(bodies)]
            if relation.kind in ("world turn", "travel", "motion"):
                own += [mounts.get(world) for world in sorted({scope.world_of(k) for k in used})]
        return (relation, *map(id, own)), tuple(own)

    def _cost(self, relation: Relation, states: States, mounts: Mounts | None) -> Array:
        aligned = self.aligned(relation, states, mounts)
        if aligned is None:
            return np.zeros(())
        theta, wiggle = self._deviations(relation, aligned.fit, states, mounts)
        return wiggled_cost(aligned.fit, theta, wiggle)[0] * is_comparable(relation, states)

    def total(
        self, states: States, mounts: Mounts | None = None, relations: tuple[Relation, ...] | None = None
    ) -> Array:
        """Return the negative log-likelihoods (...) of states by all relations, or by some."""
        every = self.relations if relations is None else relations
        costs = (self.weight(relation) * self.cost(relation, states, mounts) for relation in every)
        return sum(costs, self.toppled(states) if relations is None else np.zeros(()))

    def toppled(self, states: States) -> Array:
        """Return the improbability (...) that frames which stay level are not upright in truth."""
        total = np.zeros(())
        for k, up in self._level.items():
            state = states[k]
            if state.form in ("stated", "inverse"):
                total = total + TOPPLED * (up * state.W.back[..., 2, 2] * state.T.M[..., 2, 2] < 0.5)
        return total

    def wiggle(
        self, relation: Relation, fit: SpectralFit, theta: Array, states: States, mounts: Mounts | None
    ) -> Wiggle:
        """Return the small deviations that a relation allows from the coefficients of states."""
        del theta
        return self._deviations(relation, fit, states, mounts)[1]

    def _deviations(
        self, relation: Relation, fit: SpectralFit, states: States, mounts: Mounts | None
    ) -> tuple[Array, Wiggle]:
        """Return the coefficients (..., c, q) of states, and the small deviations from them that a relation allows."""
        q = fit.series.Z.shape[-1]
        other = {"gravity": 1, "travel": 1, "motion": 1}.get(relation.kind)
        turned = None
        if other is not None and q > 3:
            k = relation.members[other]
            several = {m: _with_axis(states[m]) for m in states_used(self.scope, relation, states)}
            several[k] = _turned(several[k], SLIGHTLY, is_world=relation.kind == "gravity")
            every = coefficients(self.scope, relation, states | several, mounts)
            every = np.broadcast_to(every, (*every.shape[:-3], len(SLIGHTLY), *every.shape[-2:]))
            theta, turned = every[..., 0, :, :], every[..., 1:, :, :] - every[..., :1, :, :]
        else:
            theta = coefficients(self.scope, relation, states, mounts)
        shape = np.broadcast_shapes(theta.shape[:-2], *(np.shape(states[m].gravity) for m in relation.members))
        theta = np.broadcast_to(theta, (*shape, *theta.shape[-2:]))
        directions, sigma = [theta[..., None, :, :]], [SCALE_ERROR]
        if theta.shape[-2] == 3:
            directions.append(GENERATORS @ theta[..., None, :, :])
            sigma += [TURN_ERROR] * 3
        if turned is not None:
            directions.append(np.broadcast_to(turned, (*shape, *turned.shape[-3:])))
            sigma += [TURN_ERROR] * 3
        spread = np.broadcast_to(np.array(sigma), (*shape, len(sigma)))
        own = np.broadcast_to(states[relation.members[0]].T.size, shape)[..., None]
        if relation.kind == "gravity":
            unit = np.zeros((3, *theta.shape[-2:]))
            unit[range(3), range(3), -1] = 1.0
            directions.append(np.broadcast_to(unit, (*shape, *unit.shape)))
            offset = LARGE_BIAS if states[relation.members[0]].form == "offset" else FORCE_BIAS
            spread = np.concatenate([spread, np.repeat(offset * own, 3, axis=-1)], axis=-1)
        share = -1
        if self.scope.tracks[relation.members[0]].quantity == "specific force" and relation.kind in (
            "gravity",
            "carried",
        ):
            felt, direction = _tilt(relation, fit, theta)
            directions.append(direction[..., None, :, :])
            loose = ACCELERATION / np.sqrt(20.0) / np.maximum(felt[..., None] / own, 0.05)
            spread = np.concatenate([spread, loose], axis=-1)
            share = spread.shape[-1] - 1
        return theta, Wiggle(np.concatenate(directions, axis=-3), spread, share)


SLIGHTLY = np.eye(3) + np.concatenate([np.zeros((1, 3, 3)), GENERATORS])
"""No turn, and one about each axis, to the first order."""


def states_used(scope: Scope, relation: Relation, states: States) -> list[int]:
    """Return the tracks on whose states the coefficients of a relation depend."""
    used = list(relation.members)
    companions = (scope.turning_back(k) for k in used if states[k].form == "in reference")
    return [*used, *(c for c in companions if c is not None)]


def _with_axis(state: State) -> State:
    """Return a state with one more axis of a batch, the last."""
    T, W = (
        Change(
            change.M[..., None, :, :],
            change.back[..., None, :, :],
            np.asarray(change.hand)[..., None],
            np.asarray(change.size)[..., None],
        )
        for change in (state.T, state.W)
    )
    return State(state.form, T, W, np.asarray(state.gravity)[..., None], state.clock)


def taken(state: State, rows: NDArray[np.int64] | int) -> State:
    """Return some rows of a batch of states; a single state as it is."""
    if np.ndim(state.gravity) == 0:
        return state
    T, W = (
        Change(change.M[rows], change.back[rows], change.hand[rows], change.size[rows]) for change in (state.T, state.W)
    )
    return State(state.form, T, W, state.gravity[rows], state.clock)


def _turned(state: State, R: Array, *, is_world: bool) -> State:
    change = state.W if is_world else state.T
    turned = replace(change, M=R @ change.M, back=change.back @ np.swapaxes(R, -1, -2))
    return replace(state, W=turned) if is_world else replace(state, T=turned)


def _tilt(relation: Relation, fit: SpectralFit, theta: Array) -> tuple[Array, Array]:
    """Return the gravity (...,) in m/s² that the tilts move in the frame, and the coefficients without it."""
    mean, moving = fit.moving
    felt = np.sqrt(np.maximum(np.sum((theta @ moving) * theta, axis=(-1, -2)), 0.0))
    if relation.kind == "gravity":
        direction = -theta.copy()
        direction[..., -1] += theta @ mean
        return felt, direction
    return np.minimum(felt, 2.0 * GRAVITY), -theta


def wiggled_cost(fit: SpectralFit, theta: Array, wiggle: Wiggle) -> tuple[Array, Array]:
    """Return the costs (...) of coefficients with their best small deviations, and those deviations (..., w)."""
    D = np.swapaxes(wiggle.directions, -2, -3)
    A_theta = np.squeeze(fit.A @ theta[..., None], -1)
    g = np.squeeze(D @ (fit.B - A_theta)[..., None], -1)
    H = D @ fit.A @ np.swapaxes(D, -1, -2)
    plain = np.maximum(fit.C + np.sum(theta * (A_theta - 2.0 * fit.B), axis=-1), 0.0)
    prior = 1.0 / wiggle.sigma**2
    floor = prior[..., None] * np.eye(prior.shape[-1])
    least = np.maximum(fit.n, 1e-9)
    chi = plain
    beta: Array = np.zeros(prior.shape)
    for _ in range(3):
        weight = np.where(fit.n > 0.0, fit.n / np.maximum(chi, least), 0.0)
        M = np.sum(H * weight[..., None, None], axis=-3) + floor
        right = np.sum(g * weight[..., None], axis=-2)
        beta = solve(M, right)
        if wiggle.share >= 0:
            k = wiggle.share
            kept: Array = np.clip(beta[..., k], 0.0, 1.1)
            # The other deviations, given the part that is kept within its limits.
            others = [w for w in range(beta.shape[-1]) if w != k]
            rest = (right - M[..., k] * kept[..., None])[..., others]
            beta = np.insert(solve(M[..., others, :][..., others], rest), k, kept, axis=-1)
        Hb = np.squeeze(H @ beta[..., None, :, None], -1)
        chi = plain + np.sum((Hb - 2.0 * g) * beta[..., None, :], axis=-1)
    more: Array | float = 0.0
    if wiggle.share >= 0:
        tilts = H[..., wiggle.share, wiggle.share]
        more = (UNLIKE * beta[..., wiggle.share, None]) ** 2 * tilts
    # The best deviations are found by steps, and none at all may be better for coefficients that are far from right.
    deviating = theta
    if fit.loosened is not None:
        deviating = theta + np.einsum("...w,...wcq->...cq", beta, wiggle.directions)
    cost = fit.cost_of(deviating, np.maximum(chi, 0.0), more) + 0.5 * np.sum(beta**2 * prior, axis=-1)
    none = fit.cost_of(theta, plain)
    return np.minimum(cost, none), np.where((none < cost)[..., None], 0.0, beta)


def delay_alone(step: Lag) -> float:
    """Return the delay that remains if the clock does not drift."""
    H = np.linalg.pinv(step.covariance, rcond=1e-12)
    return float((H @ np.array([step.delay, step.drift]))[0] / max(H[0, 0], 1e-300))


def _gain_of(step: Lag) -> float:
    """Return the decrease of chi-square by a small delay."""
    H = np.linalg.pinv(step.covariance, rcond=1e-12)
    return float(np.array([step.delay, step.drift]) @ H @ np.array([step.delay, step.drift]))


def _free_cost(fit: SpectralFit) -> float:
    return float(fit.cost(fit.chi_squares(fit.theta)))


def stays_level(scope: Scope, k: int) -> bool:
    """Return whether a track is the orientation of a frame without a mount whose z axis is upward all the time.

    It is one in a named reference: that of an inertial sensor, which may be mounted in any way, has none.
    """
    upright = _upright(scope, k)
    return upright is not None and bool(np.all(upright > LEVEL))


def lies_on_back(scope: Scope, k: int) -> bool:
    """Return whether a track is the orientation of a frame as of `stays_level` whose z axis is downward all the time.

    It moves in the plane: the tool of an arm may well point downward.
    """
    upright = _upright(scope, k)
    if upright is None or not np.all(upright < -LEVEL):
        return False
    source = scope.tracks[k].readings.source
    places = [track.x for track in scope.tracks if track.quantity == "position" and track.readings.source == source]
    return any(np.ptp(x[:, 2]) < UNMEASURED * np.ptp(x, axis=0).max() for x in places)


def _upright(scope: Scope, k: int) -> Array | None:
    """Return the vertical part (n,) of the z axis of a frame without a mount in a named reference; None of others."""
    track = scope.tracks[k]
    is_pose = track.quantity == "orientation" and bool(track.readings.reference)
    if not is_pose or not np.array_equal(track.R_BF, np.eye(3)):
        return None
    x, y = track.x[:, 0], track.x[:, 1]
    return np.asarray(1.0 - 2.0 * (x * x + y * y))


def shows_motion(scope: Scope, k: int) -> bool:
    """Return whether a position or velocity shows accelerations along all axes: wheels measure in the plane alone.

    Of a body that hardly accelerates it shows none, and a force is gravity alone.
    """
    track = scope.tracks[k]
    spread = np.ptp(track.x, axis=0)
    is_whole = track.period <= SLOWEST and bool(np.all(spread > UNMEASURED * spread.max()))
    return is_whole and _acceleration(scope, k) > FORCE_ERROR


def _acceleration(scope: Scope, k: int) -> float:
    """Return the root mean square acceleration that a position or velocity shows, m/s²."""
    track = scope.tracks[k]
    edges = np.arange(track.t[0], track.t[-1], 2.0 * SLOWEST)
    order = 2 if track.quantity == "position" else 1
    if len(edges) < order + 2:
        return 0.0
    changes: Array = np.diff(scope.sampler.mean(track, edges), order, axis=0)
    changes = changes / np.power(2.0 * SLOWEST, order)
    squares: Array = np.sum(changes**2, axis=1)
    return float(np.sqrt(np.mean(squares)))


def _without_batch(state: State) -> State:
    """Return one of a batch of states: only what the series depends on."""
    if state.T.M.ndim == 2 and state.W.M.ndim == 2:
        return state
    if state.form == "in reference" and len(state.gravity) == 1:
        return taken(state, 0)
    return State(state.form, clock=state.clock)


def stated(scope: Scope) -> States:
    """Return the states of sensors that are as the recording states."""
    return dict.fromkeys(range(len(scope.tracks)), STATED)


__all__ = ["FIELD_BIAS", "Aligned", "Evidence", "Wiggle", "resolves_in_frame", "shows_motion", "stated", "wiggled_cost"]
