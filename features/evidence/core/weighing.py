"""Weight of the evidence: negative log-likelihood of states of sensors, by all relations between them.

Real sensors are never exactly as stated: each relation is allowed a small turn, a small error of scale, and the usual
bias, at the price of their improbability.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from framescope.core.kernels.linear_systems import solve
from framescope.core.kernels.validation import Array
from framescope.core.system.cooperative_yield import checkpoint
from framescope.features.evidence.core.alignment import LARGEST_DELAY, SIGNIFICANT, Lag, coarse_delay, refine
from framescope.features.evidence.core.relations import (
    FIELD_BIAS,
    FORCE_BIAS,
    Mounts,
    Relation,
    Scope,
    States,
    coefficients,
    resolves_in_frame,
    series_of,
    shows_delay,
)
from framescope.features.evidence.core.spectral_fit import Series, SpectralFit, fit
from framescope.features.evidence.core.states import GENERATORS, GRAVITY, STATED, State
from framescope.features.evidence.core.windows import RIGHT, Clock

TURN_ERROR, SCALE_ERROR = np.radians(1.2), 0.015
"""Usual misalignment of a sensor, rad, and usual error of its scale."""

ACCELERATION = 3.0
"""Usual acceleration of a body, m/s²: one that tilts in order to accelerate feels less of its tilt."""

DEPENDENT = 0.5
"""Weight of one relation: relations share the noise of their sensors."""


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
        self._fits: dict[tuple[object, ...], Aligned | None] = {}

    def of(self, members: tuple[int, ...]) -> tuple[Relation, ...]:
        """Return the relations in which one of some sensors has a part."""
        return tuple(relation for relation in self.relations if not set(members).isdisjoint(relation.members))

    def set_clocks(self, clocks: dict[int, Clock]) -> None:
        """Take back errors of the stamps of tracks in all relations."""
        changed = {k for k in {*clocks, *self.scope.clocks} if clocks.get(k) != self.scope.clocks.get(k)}
        self.scope.clocks = clocks
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
        used += [
            c for k in used if states[k].form == "in reference" and (c := self.scope.orientation_for(k)) is not None
        ]
        key: list[object] = [relation, *((k, states[k].form) for k in used)]
        for k in used[len(relation.members) :]:
            key += [states[k].W.M.tobytes(), states[k].T.M.tobytes()]
        if relation.kind == "motion":
            i, k = relation.members[0], relation.members[2]
            key += [_without_batch(states[i]).T.M.tobytes(), _without_batch(states[i]).W.M.tobytes()]
            key.append(_without_batch(states[k]).W.M.tobytes())
            key.append(self.scope.world_between(k, i, mounts).tobytes())
            key.append(self.scope.turn_between(k, i, mounts).tobytes())
            key += [self.scope.world_between(k, c, mounts).tobytes() for c in used[len(relation.members) :]]
        return tuple(key)

    def _align(self, relation: Relation, states: States, mounts: Mounts) -> Aligned | None:
        states = {k: replace(state, clock=RIGHT) for k, state in states.items()}
        series = series_of(self.scope, relation, states, mounts)
        first = None if series is None else fit(series)
        if first is None:
            return None
        middle = 0.5 * float(first.series.t[0] + first.series.t[-1])
        if not first.is_telling or not shows_delay(self.scope, relation):
            return Aligned(first, Lag(0.0, 0.0, np.diag([np.inf, np.inf]), middle), Clock(), 0.0)
        delay, gain = coarse_delay(first)
        step = refine(first, first.theta)
        as_read = Aligned(first, step, Clock(), 0.0)
        if gain < SIGNIFICANT and _gain_of(step) < SIGNIFICANT:
            return as_read
        lead, half = relation.members[0], 0.5 * float(np.ptp(first.series.t))
        clock, current = Clock(delay, 0.0, middle), first
        for _ in range(5):
            moved = states | {lead: replace(states[lead], clock=clock)}
            series = series_of(self.scope, relation, moved, mounts)
            again = None if series is None else fit(series)
            if again is None or not again.is_telling:
                return as_read
            current, step = again, refine(again, again.theta)
            sigma, sigma_drift = np.sqrt(np.diag(step.covariance))
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
        gain = 2.0 * (_free_cost(first) - _free_cost(current))
        lag = Lag(clock.delay + step.delay, clock.drift + step.drift, step.covariance, middle)
        return Aligned(current, lag, clock, gain) if gain > 0.0 else as_read

    def unaligned(self, relation: Relation, states: States, mounts: Mounts | None = None) -> Series | None:
        """Return the series of a relation by the stamps as they are."""
        clocks, self.scope.clocks = self.scope.clocks, {}
        try:
            return series_of(self.scope, relation, {k: replace(s, clock=RIGHT) for k, s in states.items()}, mounts)
        finally:
            self.scope.clocks = clocks

    def cost(self, relation: Relation, states: States, mounts: Mounts | None = None) -> Array:
        """Return the negative log-likelihoods (...) of states by a relation, relative to no relation."""
        aligned = self.aligned(relation, states, mounts)
        if aligned is None:
            return np.zeros(())
        theta = coefficients(self.scope, relation, states, mounts)
        return wiggled_cost(aligned.fit, theta, self.wiggle(relation, aligned.fit, theta, states, mounts))[0]

    def total(
        self, states: States, mounts: Mounts | None = None, relations: tuple[Relation, ...] | None = None
    ) -> Array:
        """Return the negative log-likelihoods (...) of states by all relations, or by some."""
        every = self.relations if relations is None else relations
        return DEPENDENT * sum((self.cost(relation, states, mounts) for relation in every), np.zeros(()))

    def wiggle(
        self, relation: Relation, fit: SpectralFit, theta: Array, states: States, mounts: Mounts | None
    ) -> Wiggle:
        """Return the small deviations that a relation allows."""
        directions, sigma = [theta], [np.full(theta.shape[:-2], SCALE_ERROR)]
        share = -1
        if theta.shape[-2] == 3:
            directions += [G @ theta for G in GENERATORS]
            sigma += [np.full(theta.shape[:-2], TURN_ERROR)] * 3
        other = {"gravity": 1, "travel": 1, "motion": 1}.get(relation.kind)
        if other is not None and theta.shape[-1] > 3:
            k = relation.members[other]
            for G in GENERATORS:
                turned = _turned(states[k], np.eye(3) + G, is_world=relation.kind == "gravity")
                moved = coefficients(self.scope, relation, states | {k: turned}, mounts) - theta
                directions.append(moved)
                sigma.append(np.full(theta.shape[:-2], TURN_ERROR))
        if relation.kind == "gravity":
            for c in range(3):
                unit = np.zeros_like(theta)
                unit[..., c, -1] = 1.0
                directions.append(unit)
                sigma.append(np.full(theta.shape[:-2], FORCE_BIAS) * _size(states[relation.members[0]], theta))
        if relation.kind == "vector":
            pass
        if self.scope.tracks[relation.members[0]].quantity == "specific force" and relation.kind in (
            "gravity",
            "carried",
        ):
            felt, direction = _tilt(relation, fit, theta)
            size = _size(states[relation.members[0]], theta)
            directions.append(direction)
            sigma.append(ACCELERATION / np.sqrt(20.0) / np.maximum(felt / size, 0.05))
            share = len(directions) - 1
        shape = np.broadcast_shapes(*(direction.shape for direction in directions))
        return Wiggle(
            np.stack([np.broadcast_to(direction, shape) for direction in directions], axis=-3),
            np.stack(np.broadcast_arrays(*sigma), axis=-1),
            share,
        )


def _size(state: State, theta: Array) -> Array:
    """Return the factor (...) by which a sensor reads too large."""
    return np.broadcast_to(state.T.size, theta.shape[:-2])


def _turned(state: State, R: Array, *, is_world: bool) -> State:
    change = state.W if is_world else state.T
    turned = replace(change, M=R @ change.M, back=change.back @ R.T)
    return replace(state, W=turned) if is_world else replace(state, T=turned)


def _tilt(relation: Relation, fit: SpectralFit, theta: Array) -> tuple[Array, Array]:
    """Return the gravity (...,) in m/s² that the tilts move in the frame, and the coefficients without it."""
    Z: Array = fit.series.Z[fit.series.is_good]
    if relation.kind == "gravity":
        moving = np.cov(Z, rowvar=False)
        felt = np.sqrt(np.maximum(np.einsum("...cq,qp,...cp->...", theta, moving, theta), 0.0))
        direction = -theta.copy()
        direction[..., -1] += theta @ Z.mean(axis=0)
        return felt, direction
    # Turns over two seconds, by the vector's rate of change.
    steps = max(int(2.0 / np.median(np.diff(fit.series.t))), 1)
    turns = np.cumsum(Z, axis=0)
    swing = turns[steps:] - turns[:-steps] if len(turns) > 2 * steps else turns
    moving = np.cov(swing, rowvar=False)
    felt = np.sqrt(np.maximum(np.einsum("...cq,qp,...cp->...", theta, moving, theta), 0.0))
    return np.minimum(felt, 2.0 * GRAVITY), -theta


def wiggled_cost(fit: SpectralFit, theta: Array, wiggle: Wiggle) -> tuple[Array, Array]:
    """Return the costs (...) of coefficients with their best small deviations, and those deviations (..., w)."""
    D = wiggle.directions
    rest = fit.B - np.einsum("cpq,...cq->...cp", fit.A, theta)
    g = np.einsum("...wcq,...cq->...wc", D, rest)
    AD = np.einsum("...wcq,cpq->...wcp", D, fit.A)
    H = np.einsum("...wcp,...vcp->...wvc", D, AD)
    plain = fit.chi_squares(theta)
    prior = 1.0 / wiggle.sigma**2
    floor = np.einsum("...w,wv->...wv", prior, np.eye(prior.shape[-1]))
    chi = plain
    beta: Array = np.zeros(g.shape[:-1])
    for _ in range(3):
        weight = np.where(fit.n > 0.0, fit.n / np.maximum(chi, np.maximum(fit.n, 1e-9)), 0.0)
        M = np.einsum("...wvc,...c->...wv", H, weight) + floor
        beta = solve(M, np.einsum("...wc,...c->...w", g, weight))
        if wiggle.share >= 0:
            k = wiggle.share
            kept: Array = np.clip(beta[..., k], 0.0, 1.1)
            # The other deviations, given the part that is kept within its limits.
            others = [w for w in range(beta.shape[-1]) if w != k]
            right = np.einsum("...wc,...c->...w", g, weight) - M[..., k] * kept[..., None]
            rest_beta = solve(M[..., others, :][..., others], right[..., others])
            beta = np.insert(rest_beta, k, kept, axis=-1)
        chi = plain - 2.0 * np.einsum("...wc,...w->...c", g, beta) + np.einsum("...wvc,...w,...v->...c", H, beta, beta)
    return fit.cost(np.maximum(chi, 0.0)) + 0.5 * np.sum(beta**2 * prior, axis=-1), beta


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


def _without_batch(state: State) -> State:
    """Return one of a batch of states: only what the series depends on."""
    if state.T.M.ndim == 2 and state.W.M.ndim == 2:
        return state
    return State(state.form, clock=state.clock)


def stated(scope: Scope) -> States:
    """Return the states of sensors that are as the recording states."""
    return dict.fromkeys(range(len(scope.tracks)), STATED)


__all__ = ["FIELD_BIAS", "Aligned", "Evidence", "Wiggle", "resolves_in_frame", "stated", "wiggled_cost"]
