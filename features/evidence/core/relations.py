"""Relations between sensors of one body: what one reads, as a linear function of what others read.

Each relation has a series ``y`` of one sensor and features of others. Its coefficients ``theta`` follow from the states
of the sensors. Directions are changed through the root frames of the bodies.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from framescope.core.kernels.lengths import lengths
from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.force_lengths import is_in_g, usual_length
from framescope.features.evidence.core.spectral_fit import Flags, Series
from framescope.features.evidence.core.states import GENERATORS, GRAVITY, UP, Change, State
from framescope.features.evidence.core.tracks import Track
from framescope.features.evidence.core.windows import (
    Clock,
    Sampler,
    edges_of,
    interpolate,
    is_covered,
    rotations_at,
    turns_between,
)

Kind = Literal["turn", "world turn", "attitude", "gravity", "carried", "vector", "travel", "motion", "heading"]

GYRO_BIAS, FORCE_BIAS, FIELD_BIAS = 0.2, 0.25, 3e-6
"""Possible bias of an angular velocity, rad/s, of a specific force, m/s², and of a magnetic field, T."""

MOST_SCALE = 10.0
"""Largest factor that is a scale; a larger one is a unit, or nothing."""

RATE_WANDER = 0.001
"""Usual change of the bias of an angular velocity over some minutes, as the sensor warms up, rad/s."""

STEADY_FORCE = 0.15
"""Deviation of the length of a steady force from the usual, as a part of it."""

LARGE_BIAS = 1.5
"""Possible bias of a specific force with a faulty offset, m/s²."""

HARD_IRON = 6e-6
"""Usual offset of a magnetic field by magnetized parts of the body, T."""

TURN_ERROR, TURN_MEMORY = np.radians(0.15), 1.0
"""Usual error of an orientation beyond its noise, such as the lag of a filter, rad, and its correlation time, s."""

ATTITUDE_ERROR, ATTITUDE_MEMORY = np.radians(1.0), 10.0
"""Usual error of an orientation by its drift, rad, and its correlation time, s."""

OBLIQUE = np.array([3.0, 2.0, 1.0]) / math.sqrt(14.0)
"""Direction in a reference that no change of axes keeps."""

FORCE_ERROR, FORCE_MEMORY = 0.15, 3.0
"""Usual error of a gravity direction, m/s², such as by tilts of the reference, and its correlation time, s."""

SHAKE_ERROR, SHAKE_MEMORY = 0.5, 0.4
"""Usual acceleration that comes with turns, such as by a lever arm, m/s², and its correlation time, s."""

SPEED_ERROR, SPEED_MEMORY = 0.03, 1.0
"""Usual error of a velocity, such as by slip, m/s, and its correlation time, s."""

LARGEST_TURN = 4.0
"""Usual size of a fitted element of a matrix that turns vectors, whose true size is at most 1."""

FINE = 0.05
"""Width of the steps in which products of two sensors are integrated, s."""

LEVER, LEVER_ERROR, NO_LEVER = 1.0, 0.03, 1e-3
"""Usual lever arm, usual error of a stated one, and length up to which none is stated, m."""

ONE = np.eye(3)

States = dict[int, State]
"""State of each sensor, by the number of its track."""

Mounts = dict[int | str, Array]
"""Orientation (..., 3, 3) of each body relative to the first by its number, of each reference by its name."""

WORLDLY = frozenset({"orientation", "position", "velocity"})
"""Quantities with a reference whose axes count."""

VECTORS = frozenset({"angular velocity", "specific force", "magnetic field"})
"""Quantities that are resolved in the frame."""


@dataclass(frozen=True)
class Relation:
    """Relation between sensors, by their numbers among the tracks; the first has the series ``y``."""

    kind: Kind
    members: tuple[int, ...]


class Scope:
    """Tracks of a recording, and the orientations of their frames on each other.

    Attributes
    ----------
    tracks
        The tracks.
    worlds
        Names of the references, those of one name once; see `world_of`.
    clocks
        Errors of the stamps of tracks, where they are known.
    """

    def __init__(self, tracks: tuple[Track, ...]) -> None:
        self.tracks = tracks
        self.sampler = Sampler()
        self.clocks: dict[int, Clock] = {}
        worlds = (self.world_of(k) for k in range(len(tracks)) if tracks[k].readings.quantity in WORLDLY)
        self.worlds = tuple(dict.fromkeys(worlds))

    def world_of(self, k: int) -> str:
        """Return the name of the reference of a track; references without a name differ from source to source."""
        readings = self.tracks[k].readings
        return readings.reference or f" of {readings.source}"

    def has_own_world(self, k: int, unit: tuple[int, ...] = ()) -> bool:
        """Return whether no orientation or position besides a track has its reference, so that its heading is free.

        Those of a unit, which turn together with the track, do not count.
        """
        others = (j for j, track in enumerate(self.tracks) if track.quantity in ("orientation", "position"))
        return all(self.world_of(j) != self.world_of(k) for j in others if j not in (k, *unit))

    def turn_between(self, i: int, j: int, mounts: Mounts | None) -> Array:
        """Return the orientation (..., 3, 3) of the frame of track `j` relative to that of track `i`."""
        a, b = self.tracks[i], self.tracks[j]
        if a.body == b.body:
            return a.R_BF.T @ b.R_BF
        by_body = mounts or {}
        left, right = by_body.get(a.body, ONE), by_body.get(b.body, ONE)
        return a.R_BF.T @ np.swapaxes(left, -1, -2) @ right @ b.R_BF

    def lever_between(self, i: int, j: int, k: int) -> Array | None:
        """Return the position (3,) of the frame of track `i` relative to that of track `j`, resolved in that of `k`.

        None if the recording does not state it.
        """
        a, b, c = (self.tracks[m] for m in (i, j, k))
        if not a.body == b.body == c.body:
            return None
        lever: Array = c.R_BF.T @ (a.p_BF - b.p_BF)
        return lever if float(np.linalg.norm(lever)) > NO_LEVER else None

    def world_between(self, i: int, j: int, mounts: Mounts | None) -> Array:
        """Return the orientation (..., 3, 3) of the reference of track `j` relative to that of track `i`."""
        a, b = self.world_of(i), self.world_of(j)
        if a == b:
            return ONE
        by_world = mounts or {}
        return np.swapaxes(by_world.get(a, ONE), -1, -2) @ by_world.get(b, ONE)

    def orientation_for(self, i: int) -> int | None:
        """Return the orientation that accompanies a track: of the same source, frame or body."""
        track = self.tracks[i]
        others = [k for k, other in enumerate(self.tracks) if other.quantity == "orientation" and k != i]
        others = [k for k in others if self.tracks[k].body == track.body]

        def distance(k: int) -> tuple[bool, bool, bool]:
            a, b = self.tracks[k].readings, track.readings
            return a.source != b.source, a.frame != b.frame, bool(b.reference) and a.reference != b.reference

        return min(others, key=distance, default=None)

    def turning_back(self, i: int) -> int | None:
        """Return the orientation by which a vector that is resolved in a reference is resolved in its frame.

        It may be that of another body, whose orientation on this one is known or fitted.
        """
        others = (k for k, track in enumerate(self.tracks) if track.quantity == "orientation" and k != i)
        return own if (own := self.orientation_for(i)) is not None else next(others, None)

    def joins_bodies(self, relation: Relation) -> bool:
        """Return whether the tracks of a relation are of several bodies, whose mount is fitted."""
        return len({self.tracks[k].body for k in relation.members}) > 1

    def leans_on_mount(self, relation: Relation, states: States) -> bool:
        """Return whether the series of a relation is made with the mount of a body, which it then cannot show."""
        resolved = ((k, self.turning_back(k)) for k in relation.members if states[k].form == "in reference")
        return any(c is not None and self.tracks[c].body != self.tracks[k].body for k, c in resolved)


def relations_of(scope: Scope) -> Iterator[Relation]:  # noqa: C901, PLR0912
    """Yield the relations between all tracks."""
    by: dict[str, list[int]] = {}
    for k, track in enumerate(scope.tracks):
        by.setdefault(track.quantity, []).append(k)
    o, g, f = by.get("orientation", []), by.get("angular velocity", []), by.get("specific force", [])
    m, v, p, h = by.get("magnetic field", []), by.get("velocity", []), by.get("position", []), by.get("heading", [])
    for i, j in itertools.product(o, g):
        yield Relation("turn", (i, j))
    for i, j in itertools.combinations(o, 2):
        yield Relation("turn", _rougher_first(scope, i, j))
        yield Relation("world turn", _rougher_first(scope, i, j))
        if scope.tracks[i].body == scope.tracks[j].body and scope.world_of(i) == scope.world_of(j):
            yield Relation("attitude", _rougher_first(scope, i, j))
    for i, j in itertools.combinations(g, 2):
        yield Relation("turn", _rougher_first(scope, i, j))
    for i, j in itertools.product(f, o):
        yield Relation("gravity", (i, j))
    for i, j in itertools.product(f, g):
        yield Relation("carried", (i, j))
    for i, j in itertools.product(m, o + g):
        yield Relation("carried", (i, j))
    for group in (f, m, [k for k in v if resolves_in_frame(scope.tracks[k])]):
        for i, j in itertools.combinations(group, 2):
            yield Relation("vector", _rougher_first(scope, i, j))
    for i, j in itertools.product(p, v):
        k = scope.orientation_for(j)
        if k is not None or not resolves_in_frame(scope.tracks[j]):
            yield Relation("travel", (i, j) if k is None else (i, j, k))
    for i, j in [
        *itertools.combinations(p, 2),
        *itertools.combinations([k for k in v if k not in _in_frame(scope)], 2),
    ]:
        yield Relation("travel", _rougher_first(scope, i, j))
    for i, j in itertools.product(p + v, f):
        k = scope.orientation_for(i)
        if k is not None:
            yield Relation("motion", (i, j, k))
    for i, j in [*itertools.product(h, o + g), *itertools.combinations(h, 2)]:
        yield Relation("heading", (i, j))


def _in_frame(scope: Scope) -> set[int]:
    return {k for k, track in enumerate(scope.tracks) if resolves_in_frame(track)}


def _rougher_first(scope: Scope, i: int, j: int) -> tuple[int, int]:
    """Return two tracks, the one with more noise first: features should have little noise."""
    return (i, j) if _roughness(scope.tracks[i]) >= _roughness(scope.tracks[j]) else (j, i)


def _roughness(track: Track) -> float:
    """Return the usual change of a value from sample to sample beyond a steady one."""
    return float(np.mean(np.abs(np.diff(track.x[:20_000], 2, axis=0))))


def resolves_in_frame(track: Track, form: str = "stated") -> bool:
    """Return whether the values of a track are resolved in its frame, if they are read in a form."""
    readings = track.readings
    if readings.quantity == "velocity":
        in_frame = readings.resolved_in != readings.reference or readings.resolved_in == readings.frame
        return in_frame != (form == "other axes")
    return readings.quantity in VECTORS


# --- Numbers of a track under a form


def quaternions(track: Track, form: str, t: Array) -> Array:
    """Return the quaternions (n, 4) of an orientation in a form at times."""
    Q = interpolate(t, track.t, track.x)
    if "wxyz" in form:
        Q = Q[:, [1, 2, 3, 0]]
    if "xyzw" in form:
        Q = Q[:, [3, 0, 1, 2]]
    if "inverse" in form:
        Q = Q * [-1.0, -1.0, -1.0, 1.0]
    return Q


def shows_delay(scope: Scope, relation: Relation) -> bool:
    """Return whether a relation shows a delay of its first member behind the second, and exactly enough."""
    if relation.kind == "motion":
        _, j, k = (scope.tracks[member].readings.source for member in relation.members)
        return j == k
    if relation.kind == "carried":
        return scope.tracks[relation.members[0]].quantity == "magnetic field"
    return relation.kind in ("turn", "vector", "travel", "heading")


def turns_into_series(scope: Scope, relation: Relation, states: States) -> bool:
    """Return whether a velocity is turned by an orientation in the series of a motion, as its frame is turned."""
    i = relation.members[0]
    return relation.kind == "motion" and resolves_in_frame(scope.tracks[i], states[i].form)


class Look:
    """Windowed values of the members of a relation, each in its form and by its clock."""

    def __init__(self, scope: Scope, relation: Relation, states: States, mounts: Mounts | None) -> None:
        self.scope, self.relation, self.states, self.mounts = scope, relation, states, mounts
        self.tracks = tuple(scope.tracks[k] for k in relation.members)
        companions = (scope.turning_back(k) for k in relation.members if states[k].form == "in reference")
        self.companions = tuple(k for k in companions if k is not None)

    def edges(self) -> Array | None:
        """Return the edges (n + 1,) of the windows; None if the members share too little time."""
        clocks = [self.clock(k) for k in self.relation.members]
        extent = max(np.ptp(track.t) for track in self.tracks)
        shift = max(abs(clock.delay) + 0.5 * abs(clock.drift) * extent for clock in clocks)
        every = (*self.tracks, *(self.scope.tracks[k] for k in self.companions))
        return edges_of(every, float(shift))

    def clock(self, k: int) -> Clock:
        """Return the error of the stamps of a track."""
        known, own = self.scope.clocks.get(k), self.states[k].clock
        if known is None:
            return own
        middle = known.middle if own.is_right else own.middle
        delay = known.delay + known.drift * (middle - known.middle) + own.delay
        return Clock(delay, known.drift + own.drift, middle)

    def good(self, edges: Array) -> Flags:
        """Return which windows (n,) no gap meets."""
        every = (*self.relation.members, *self.companions)
        covered = [is_covered(self.scope.tracks[k], self.clock(k).stamps(edges)) for k in every]
        return np.all(covered, axis=0)

    def R(self, k: int, t: Array) -> Array:
        """Return the matrices (n, 3, 3) of an orientation."""
        track, form = self.scope.tracks[k], self.states[k].form
        return self._kept("matrix", k, t, lambda at: rotations_at(quaternions(track, form, at)).as_matrix())

    def R_true(self, k: int, t: Array) -> Array:
        """Return the matrices (n, 3, 3) of an orientation with the changes of its axes taken back."""
        state = self.states[k]
        return state.W.back @ self.R(k, t) @ state.T.M

    def turn(self, k: int, edges: Array) -> Array:
        """Return the turn vectors (n, 3) over windows, resolved in the frame."""
        track, state = self.scope.tracks[k], self.states[k]
        if track.quantity == "orientation":
            return self._kept("turn", k, edges, lambda t: turns_between(quaternions(track, state.form, t)))
        turn = self._kept("turn", k, edges, lambda t: self.scope.sampler.turn(track, t))
        return self.into_frame(k, turn, edges)

    def world_turn(self, k: int, edges: Array) -> Array:
        """Return the turn vectors (n, 3) of an orientation over windows, resolved in the reference."""
        track, form = self.scope.tracks[k], self.states[k].form
        return self._kept(
            "world turn", k, edges, lambda t: turns_between(quaternions(track, form, t), in_reference=True)
        )

    def mean(self, k: int, edges: Array) -> Array:
        """Return the means (n, 3) of a vector over windows, as it is read."""
        return self._kept("mean", k, edges, lambda t: self.scope.sampler.mean(self.scope.tracks[k], t))

    def at(self, k: int, t: Array) -> Array:
        """Return values (n, 3) at times."""
        track = self.scope.tracks[k]
        return interpolate(self.clock(k).stamps(t), track.t, track.x)

    def _kept(self, what: str, k: int, t: Array, make: Callable[[Array], Array]) -> Array:
        """Return values of a track at the stamps of evenly spaced times, made once for all relations with the same."""
        stamps = self.clock(k).stamps(t)
        form = self.states[k].form if self.scope.tracks[k].quantity == "orientation" else ""
        key = (what, k, form, float(stamps[0]), float(stamps[-1]), len(stamps))
        return self.scope.sampler.kept(key, lambda: make(stamps))

    def into_frame(self, k: int, v: Array, edges: Array) -> Array:
        """Resolve windowed vectors (n, 3) in the frame if they are resolved in the reference.

        The change ``W`` of their state is the heading of their own reference.
        """
        if self.states[k].form != "in reference":
            return v
        companion = self.scope.turning_back(k)
        if companion is None:
            return v
        R = self.R_true(companion, 0.5 * (edges[1:] + edges[:-1]))
        R = R @ self.scope.turn_between(companion, k, self.mounts)
        return np.einsum("nba,nb->na", R, v @ self.states[k].W.back.T)


# --- Series


def series_of(scope: Scope, relation: Relation, states: States, mounts: Mounts | None = None) -> Series | None:
    """Return the series of a relation, by the forms and clocks of the states; None if the sensors share too little."""
    look = Look(scope, relation, states, mounts)
    edges = look.edges()
    if edges is None or not _is_possible(look):
        return None
    return _SERIES[relation.kind](look, edges)


def _is_possible(look: Look) -> bool:
    """Return whether the first member has a relation with the others if it is resolved in the reference."""
    in_reference = look.states[look.relation.members[0]].form == "in reference"
    return not in_reference or look.relation.kind == "gravity"


def _middles(edges: Array) -> Array:
    return 0.5 * (edges[1:] + edges[:-1])


def _bias(size: float, n: int) -> tuple[Array, Array]:
    return np.ones((n, 1)), np.array([1.0 / size**2])


def _none(n: int) -> tuple[Array, Array]:
    return np.zeros((n, 0)), np.zeros(0)


def _outer(a: Array, b: Array) -> Array:
    return (a[:, :, None] * b[:, None, :]).reshape(len(a), -1)


def _turn(look: Look, edges: Array) -> Series:
    i, j = look.relation.members
    y, Z = look.turn(i, edges), look.turn(j, edges)
    has_rate = any(track.quantity == "angular velocity" for track in look.tracks)
    width = float(edges[1] - edges[0])
    N, precision = _bias(GYRO_BIAS * width, len(y)) if has_rate else _none(len(y))
    wander = RATE_WANDER * width * has_rate
    has_bias = look.tracks[0].quantity == "angular velocity"
    return Series(
        _middles(edges),
        y,
        Z,
        N,
        precision,
        look.good(edges),
        TURN_ERROR,
        TURN_MEMORY,
        1,
        wander=wander,
        has_bias=has_bias,
    )


def _world_turn(look: Look, edges: Array) -> Series:
    i, j = look.relation.members
    y, Z = look.world_turn(i, edges), look.world_turn(j, edges)
    return Series(_middles(edges), y, Z, *_none(len(y)), look.good(edges), TURN_ERROR, TURN_MEMORY, 1)


def _attitude(look: Look, edges: Array) -> Series:
    """Return a direction of the reference as one orientation has it in its frame, and the matrices of the other.

    Orientations of one reference and one body agree themselves, and not their changes alone.
    """
    i, j = look.relation.members
    t = _middles(edges)
    y, Z = OBLIQUE @ look.R(i, t), look.R(j, t).reshape(-1, 9)
    return Series(t, y, Z, *_none(len(y)), look.good(edges), ATTITUDE_ERROR, ATTITUDE_MEMORY)


def _gravity(look: Look, edges: Array) -> Series:
    i, j = look.relation.members
    y = look.mean(i, edges)
    R = look.R(j, _middles(edges)).reshape(-1, 9)
    if look.states[i].form == "in reference":
        R = np.zeros_like(R)
    Z = np.hstack([R, np.ones((len(y), 1))])
    # Accelerations come with tilts: free coefficients follow them.
    return Series(_middles(edges), y, Z, *_none(len(y)), look.good(edges), FORCE_ERROR, FORCE_MEMORY, absorbs=True)


def _carried(look: Look, edges: Array) -> Series:
    """Return the change of a vector that is fixed in the world, from window to window, and its turns."""
    i, j = look.relation.members
    v = look.mean(i, edges)
    turn = look.turn(j, _middles(edges))
    width = float(edges[1] - edges[0])
    middle = 0.5 * (v[1:] + v[:-1])
    is_good = look.good(edges)
    is_force = look.tracks[0].quantity == "specific force"
    N, precision = np.zeros((len(turn), 3, 0)), np.zeros(0)
    if look.tracks[1].quantity == "angular velocity":
        bias = np.broadcast_to(middle[:, None, :] * width, (len(turn), 3, 3))
        N, precision = bias, np.full(3, 1.0 / GYRO_BIAS**2)
    if is_force:
        N = np.concatenate(
            [N, _lever_changes(turn @ look.scope.turn_between(i, j, look.mounts).T / width, width)], axis=2
        )
        precision = np.concatenate([precision, np.full(3, 1.0 / LEVER**2)])
    else:
        # An offset of the field does not turn with the body.
        N = np.concatenate([N, np.repeat(turn[:, None, :], 3, axis=1)], axis=2)
        precision = np.concatenate([precision, np.full(3, 1.0 / HARD_IRON**2)])
    error = SHAKE_ERROR if is_force else 0.02 * float(np.linalg.norm(v)) / math.sqrt(len(v))
    memory = SHAKE_MEMORY if is_force else FORCE_MEMORY
    both = is_good[1:] & is_good[:-1]
    change = np.diff(v, axis=0)
    return Series(edges[1:-1], change, _outer(middle, turn), N, precision, both, error, memory, 1, absorbs=True)


def _lever_changes(w: Array, width: float) -> Array:
    """Return the changes (n, 3, 3) of the acceleration at a lever arm by its components, from angular velocities."""
    faster = np.gradient(w, width, axis=0)
    spin = np.einsum("na,abc->nbc", w, GENERATORS)
    acceleration = np.einsum("na,abc->nbc", faster, GENERATORS) + spin @ spin
    return np.gradient(acceleration, axis=0)


def _vector(look: Look, edges: Array) -> Series:
    i, j = look.relation.members
    y, Z = look.mean(i, edges), look.into_frame(j, look.mean(j, edges), edges)
    bias = {"specific force": FORCE_BIAS, "magnetic field": FIELD_BIAS}.get(look.tracks[0].quantity, 1e-3)
    error = {"specific force": SHAKE_ERROR, "velocity": SPEED_ERROR}.get(look.tracks[0].quantity, FIELD_BIAS)
    return Series(_middles(edges), y, Z, *_bias(bias, len(y)), look.good(edges), error, SHAKE_MEMORY, absorbs=True)


def _fine_edges(edges: Array, fewest: int = 1) -> tuple[Array, int]:
    width = float(edges[1] - edges[0])
    steps = max(fewest, int(np.ceil(width / FINE - 1e-9)))
    return edges[0] + width / steps * np.arange(steps * (len(edges) - 1) + 1), steps


def _travel(look: Look, edges: Array) -> Series:
    i, j, *orientation = look.relation.members
    width = float(edges[1] - edges[0])
    is_position = look.tracks[0].quantity == "position"
    y = np.diff(look.at(i, edges), axis=0) if is_position else look.mean(i, edges) * width
    noise = 0.0
    if look.tracks[1].quantity == "position":
        Z = np.diff(look.at(j, edges), axis=0)
    elif resolves_in_frame(look.tracks[1], look.states[j].form) and orientation:
        fine, steps = _fine_edges(edges)
        R = look.R(orientation[0], _middles(fine)).reshape(-1, 9)
        Z = _outer(R, look.mean(j, fine)).reshape(len(y), steps, 27).sum(axis=1) * (width / steps)
    else:
        Z = look.mean(j, edges) * width
    (N, precision), doubted = _none(len(y)), None
    sizes = np.full(Z.shape[1], _rms(y) / max(_rms(Z) / math.sqrt(3.0), 1e-12))
    if orientation and look.tracks[0].readings.frame != look.tracks[1].readings.frame:
        N = np.diff(look.R(orientation[0], edges).reshape(-1, 9), axis=0)
        lever = look.scope.lever_between(i, j, orientation[0]) if Z.shape[1] > 3 else None
        precision = np.full(9, 1.0 / (LEVER if lever is None else LEVER_ERROR) ** 2)
        if lever is not None:
            doubted = np.full(9, 1.0 / LEVER**2)
            Z = np.hstack([Z, N])
            sizes = np.concatenate([sizes, np.full(9, max(1.0, sizes[0]) * float(np.linalg.norm(lever)))])
    if look.tracks[1].quantity == "velocity":
        velocity = look.mean(j, edges)
        # In whichever unit a velocity is, its noise is the same part of the motion.
        noise = _white(velocity) / max(_rms(velocity), 1e-12) * min(_rms(y), _rms(velocity) * width)
    return Series(
        _middles(edges),
        y,
        Z,
        N,
        precision,
        look.good(edges),
        SPEED_ERROR * width,
        SPEED_MEMORY,
        noise=noise,
        sizes=sizes if Z.shape[1] > 3 else None,
        doubted=doubted,
    )


def _motion(look: Look, edges: Array) -> Series:
    """Return changes of velocity in the reference of the orientation, the integral of the force there, and gravity.

    The errors are those of the numbers as they are read: a position or velocity that is too large would else be as
    uncertain as before, with less motion, and of readings that are a factor apart the others would always be wrong.
    """
    i, j, k = look.relation.members
    width = float(edges[1] - edges[0])
    fine, steps = _fine_edges(edges, 2)
    R, force = look.R(k, _middles(fine)), look.mean(j, fine)
    if look.states[j].form == "in reference":
        companion = look.scope.turning_back(j)
        world = ONE if companion is None else look.scope.world_between(k, companion, look.mounts)
        R = np.broadcast_to(look.states[k].W.M @ world, R.shape)
    f_R = np.einsum("nab,nd->nabd", R, force).reshape(-1, steps, 3, 9)
    is_good, R_edges = look.good(edges), look.R(k, edges)
    if look.tracks[0].quantity == "position":
        p = (
            look.at(i, edges)
            @ (look.states[k].W.M @ look.scope.world_between(k, i, look.mounts) @ look.states[i].W.back).T
        )
        y, rate = np.diff(p, 2, axis=0), R_edges
        rise = (np.arange(steps) + 0.5) / steps
        Z = np.einsum("s,nscq->ncq", rise, f_R[:-1]) + np.einsum("s,nscq->ncq", 1.0 - rise, f_R[1:])
        Z, span = Z * (width * width / steps), width * width
        N, t, is_good = np.diff(R_edges, 2, axis=0), edges[1:-1], is_good[1:] & is_good[:-1]
    else:
        v = look.at(i, edges)
        if resolves_in_frame(look.tracks[0], look.states[i].form):
            through = look.states[k].T.M @ look.scope.turn_between(k, i, look.mounts) @ look.states[i].T.back
            v = np.einsum("nab,nb->na", R_edges @ through, v)
        else:
            v = v @ (look.states[k].W.M @ look.scope.world_between(k, i, look.mounts) @ look.states[i].W.back).T
        y, Z, span = np.diff(v, axis=0), f_R.sum(axis=1) * (width / steps), width
        rate = np.gradient(R_edges, width, axis=0)
        N, t = np.diff(rate, axis=0), _middles(edges)
    # Whatever the units are, the coefficients are those of a turn, and that of gravity.
    size = LARGEST_TURN * max(_rms(y) / max(_rms(Z.reshape(len(y), -1)) / math.sqrt(3.0), 1e-12), 1.0)
    lever = look.scope.lever_between(i, j, k)
    of_lever = [N] if lever is not None else []
    sizes = np.concatenate([np.full(9, size), *(np.full(3, size) for _ in of_lever), [GRAVITY * size]])
    Z = np.concatenate([Z, *of_lever, np.full((len(y), 3, 1), span)], axis=2)
    N = np.concatenate([N, R_edges[1 : len(y) + 1] * span], axis=2)
    offset = LARGE_BIAS if look.states[j].form == "offset" else FORCE_BIAS
    doubted = np.concatenate([np.full(3, 1.0 / LEVER**2), np.full(3, 1.0 / offset**2)])
    precision = np.concatenate([np.full(3, 1.0 / LEVER_ERROR**2), doubted[3:]])
    precision, doubted = (doubted, None) if lever is None else (precision, doubted)
    noise = _white(force) / np.sqrt(steps) * _unit_of_force(force)
    state = look.states[i]
    size = float(state.T.size * state.W.size)
    span = span / (size if abs(math.log(size)) < math.log(MOST_SCALE) else 1.0)
    # Velocities, such as those of wheels, have no part in the shaking that forces feel, and do not measure its size.
    is_smooth = look.tracks[0].quantity == "velocity"
    return Series(
        t,
        y,
        Z,
        N,
        precision,
        is_good,
        FORCE_ERROR * span,
        FORCE_MEMORY,
        noise=noise * span,
        is_blue=look.tracks[0].quantity == "position",
        sizes=sizes,
        doubted=doubted,
        absorbs=is_smooth,
    )


def _unit_of_force(force: Array) -> float:
    """Return the unit of specific forces (n, 3) in m/s², as their lengths show it: 1, that of g, or a smaller one.

    The lengths of forces in g hardly change, and those of forces without gravity do.
    """
    usual = usual_length(force)
    is_steady = float(np.median(np.abs(lengths(force) - usual))) < STEADY_FORCE * usual
    return GRAVITY / max(usual, 1e-9) if usual > GRAVITY or (is_steady and is_in_g(force)) else 1.0


def _white(x: Array) -> float:
    """Return the standard deviation of the white noise of a series (n, k): that of its third differences."""
    jumps = np.diff(x, 3, axis=0)
    return float(np.sqrt(np.median(jumps**2) / 0.4549 / 20.0)) if len(jumps) else 0.0


def _rms(x: Array) -> float:
    """Return the root mean square of the lengths of the rows (n, k)."""
    squares: Array = np.einsum("ij,ij->i", x, x)
    return float(np.sqrt(np.mean(squares)))


def _heading(look: Look, edges: Array) -> Series:
    i, j = look.relation.members
    y = np.diff(look.at(i, edges), axis=0)
    other = look.tracks[1].quantity
    if other == "heading":
        Z = np.diff(look.at(j, edges), axis=0)
    else:
        Z = look.world_turn(j, edges) if other == "orientation" else look.turn(j, edges)
    has_rate = other == "angular velocity"
    width = float(edges[1] - edges[0])
    N, precision = _bias(GYRO_BIAS * width, len(y)) if has_rate else _none(len(y))
    wander = RATE_WANDER * width * has_rate
    return Series(_middles(edges), y, Z, N, precision, look.good(edges), TURN_ERROR, TURN_MEMORY, 1, wander=wander)


_SERIES: dict[Kind, Callable[[Look, Array], Series]] = {
    "turn": _turn,
    "world turn": _world_turn,
    "attitude": _attitude,
    "gravity": _gravity,
    "carried": _carried,
    "vector": _vector,
    "travel": _travel,
    "motion": _motion,
    "heading": _heading,
}


# --- Coefficients


def coefficients(scope: Scope, relation: Relation, states: States, mounts: Mounts | None = None) -> Array:
    """Return the coefficients (..., c, q) that states of the members give a relation."""
    return _COEFFICIENTS[relation.kind](scope, relation.members, states, mounts)


def _of_turn(scope: Scope, members: tuple[int, ...], states: States, mounts: Mounts | None) -> Array:
    i, j = members
    return turning(scope, i, states).M @ scope.turn_between(i, j, mounts) @ turning(scope, j, states).back


def turning(scope: Scope, k: int, states: States) -> Change:
    """Return the change of the turn vectors of an orientation or angular velocity."""
    T = states[k].T
    return replace(T, M=T.turning, back=T.turning_back) if scope.tracks[k].quantity == "orientation" else T


def _of_world_turn(scope: Scope, members: tuple[int, ...], states: States, mounts: Mounts | None) -> Array:
    i, j = members
    return states[i].W.turning @ scope.world_between(i, j, mounts) @ states[j].W.turning_back


def _of_attitude(scope: Scope, members: tuple[int, ...], states: States, mounts: Mounts | None) -> Array:
    i, j = members
    K = states[i].T.M @ scope.turn_between(i, j, mounts) @ states[j].T.back
    direction = states[j].W.M @ states[i].W.back @ OBLIQUE
    theta = np.einsum("...d,...ca->...cda", direction, K)
    return theta.reshape(*theta.shape[:-2], 9)


def _of_gravity(scope: Scope, members: tuple[int, ...], states: States, mounts: Mounts | None) -> Array:
    i, j = members
    K = states[i].T.M @ scope.turn_between(i, j, mounts) @ states[j].T.back
    up = states[j].W.M @ UP
    if states[i].form == "in reference":
        rest = _with_gravity(GRAVITY * states[i].T.M @ UP[:, None], states[i])
        return np.concatenate([np.zeros((*rest.shape[:-1], 9)), rest], axis=-1)
    theta = np.einsum("...d,...ca->...cda", up, K) * GRAVITY
    theta = _with_gravity(theta.reshape(*theta.shape[:-2], 9), states[i])
    return np.concatenate([theta, np.zeros((*theta.shape[:-1], 1))], axis=-1)


def _with_gravity(theta: Array, state: State) -> Array:
    return theta * state.gravity[..., None, None]


def _of_carried(scope: Scope, members: tuple[int, ...], states: States, mounts: Mounts | None) -> Array:
    i, j = members
    T = states[i].T
    K = (T.hand / T.size)[..., None, None] * T.M @ scope.turn_between(i, j, mounts) @ turning(scope, j, states).back
    # (v x K phi)[c] = sum over a, b of cross[a][c, d] K[d, b] v[a] phi[b]
    theta = np.einsum("acd,...db->...cab", GENERATORS, K)
    return _with_gravity(theta.reshape(*theta.shape[:-2], 9), states[i])


def _of_vector(scope: Scope, members: tuple[int, ...], states: States, mounts: Mounts | None) -> Array:
    i, j = members
    theta = states[i].T.M @ scope.turn_between(i, j, mounts) @ states[j].T.back
    return theta * is_comparable(Relation("vector", members), states)[..., None, None]


def is_comparable(relation: Relation, states: States) -> Array:
    """Return (...) 1 where the members of a relation between two vectors read the same, else 0.

    A specific force without gravity is no turned one with it: the difference turns with the body.
    """
    i, j = relation.members[:2]
    if relation.kind != "vector":
        return np.ones(())
    return np.asarray(states[i].gravity == states[j].gravity, dtype=np.float64)


def _of_travel(scope: Scope, members: tuple[int, ...], states: States, mounts: Mounts | None) -> Array:
    i, j, *orientation = members
    if not orientation or not resolves_in_frame(scope.tracks[j], states[j].form):
        return states[i].W.M @ scope.world_between(i, j, mounts) @ states[j].W.back
    (k,) = orientation
    left = states[i].W.M @ scope.world_between(i, k, mounts) @ states[k].W.back
    right = states[k].T.M @ scope.turn_between(k, j, mounts) @ states[j].T.back
    theta = np.einsum("...ca,...bd->...cabd", left, right)
    theta = theta.reshape(*theta.shape[:-3], 27)
    different = scope.tracks[i].readings.frame != scope.tracks[j].readings.frame
    lever = scope.lever_between(i, j, k) if different else None
    if lever is None:
        return theta
    moved = np.einsum("...ca,...b->...cab", left, states[k].T.M @ lever)
    return _joined(theta, moved.reshape(*moved.shape[:-2], 9))


def _joined(*parts: Array) -> Array:
    """Return coefficients (..., c, q) side by side."""
    shape = np.broadcast_shapes(*(part.shape[:-1] for part in parts))
    return np.concatenate([np.broadcast_to(part, (*shape, part.shape[-1])) for part in parts], axis=-1)


def _of_motion(scope: Scope, members: tuple[int, ...], states: States, mounts: Mounts | None) -> Array:
    i, j, k = members
    K = states[k].T.M @ scope.turn_between(k, j, mounts) @ states[j].T.back
    if states[j].form == "in reference":  # whose reference may have a heading of its own
        K = states[j].W.back @ states[j].T.back
    # Channel c has the features R[c, b] f[d].
    theta = np.broadcast_to(K.reshape(*K.shape[:-2], 1, 9), (*K.shape[:-2], 3, 9))
    weight = _with_gravity((-GRAVITY * (states[k].W.M @ UP))[..., None], states[j])
    lever = scope.lever_between(i, j, k)
    of_lever = [] if lever is None else [(states[k].T.M @ lever)[..., None, :]]
    return _joined(theta, *of_lever, weight)


def _of_heading(scope: Scope, members: tuple[int, ...], states: States, mounts: Mounts | None) -> Array:
    i, j = members
    factor = states[i].T.M[..., :1, :1]
    other = scope.tracks[j].quantity
    if other == "heading":
        return factor * states[j].T.back[..., :1, :1]
    if other == "orientation":
        return factor * (UP @ states[j].W.turning_back)[..., None, :]
    K = scope.turn_between(i, j, mounts) @ states[j].T.back
    return factor * (UP @ K)[..., None, :]


_COEFFICIENTS: dict[Kind, Callable[[Scope, tuple[int, ...], States, Mounts | None], Array]] = {
    "turn": _of_turn,
    "world turn": _of_world_turn,
    "attitude": _of_attitude,
    "gravity": _of_gravity,
    "carried": _of_carried,
    "vector": _of_vector,
    "travel": _of_travel,
    "motion": _of_motion,
    "heading": _of_heading,
}
