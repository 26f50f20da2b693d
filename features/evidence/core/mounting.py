"""Fixed orientation and position of a sensor on a body, with what the motion leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.kernels.linear_systems import inv
from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.account import OPEN
from framescope.features.evidence.core.relations import Relation, Scope, States, coefficients
from framescope.features.evidence.core.rotations import fitted_rotation, normal_of
from framescope.features.evidence.core.search import Explanation
from framescope.features.evidence.core.spectral_fit import inverse
from framescope.features.evidence.core.states import GRAVITY, probe
from framescope.features.evidence.core.weighing import DEPENDENT, Evidence
from framescope.features.evidence.core.wording import open_turn_words

OPEN_TURN = np.radians(6.0)
"""Standard error of a turn above which the motion leaves it open, rad."""

OPEN_LEVER = 0.04
"""Standard error of a position above which it is left open, m."""

AXES_ERROR = np.radians(0.2)
"""Usual turn of the axes of a sensor on its case, which no motion shows, rad."""

OFFSET_TILT = np.radians(0.4)
"""Tilt by the usual offset of an accelerometer, 0.07 m/s², rad."""

LEAN = np.radians(0.5)
"""Usual lean of a body with an odometry in the plane, rad."""

TURNING = frozenset({"turn", "attitude", "gravity", "carried", "vector", "motion"})
"""Relations that show how a sensor is turned on its frame."""


@dataclass(frozen=True, eq=False)
class Turn:
    """Turn of a unit of sensors, as relations show it.

    Attributes
    ----------
    R : (3, 3)
        The turn.
    information : (3, 3)
        Information about a small turn, resolved where the turn leads, 1/rad².
    """

    R: Array
    information: Array

    @property
    def covariance(self) -> Array:
        """Covariance (3, 3) of a small turn, rad²; what is open has the variance of any turn."""
        return inv(self.information + np.eye(3) / np.pi**2) + AXES_ERROR**2 * np.eye(3)

    @property
    def open_directions(self) -> list[tuple[Array, float]]:
        """Directions about which the turn is open, and the standard errors, rad."""
        values, vectors = np.linalg.eigh(self.covariance)
        return [(vectors[:, k], float(np.sqrt(values[k]))) for k in range(3) if values[k] > OPEN_TURN**2]

    @property
    def words_if_open(self) -> str:
        """What is known if turns about some direction are so open that no angle can be stated; else empty."""
        values, vectors = np.linalg.eigh(self.covariance)
        wide = values > OPEN**2
        if not np.any(wide):
            return ""
        sigma = float(np.sqrt(np.max(values[~wide], initial=0.0)))
        return open_turn_words(self.R, list(vectors[:, wide].T), sigma)


def unit_turn(evidence: Evidence, explanation: Explanation, unit: tuple[int, ...]) -> Turn | None:
    """Return how sensors are turned together on their frames: vectors are read as ``R @ v``. None without relations.

    Of readings with mirrored axes it is the turn of the opposite vectors.
    """
    T = explanation.states[unit[0]].T
    proper = {k: np.eye(3) for k in unit}
    return _turn_of(evidence, explanation, unit, proper, float(T.hand) * T.M / T.size)


def extra_turn(evidence: Evidence, explanation: Explanation, unit: tuple[int, ...]) -> Turn | None:
    """Return how sensors are turned together beyond the faults that each of them has. None without relations."""
    changes = {k: explanation.states[k].T for k in unit}
    return _turn_of(
        evidence, explanation, unit, {k: float(T.hand) * T.M / T.size for k, T in changes.items()}, np.eye(3)
    )


def _turn_of(
    evidence: Evidence, explanation: Explanation, unit: tuple[int, ...], after: dict[int, Array], start: Array
) -> Turn | None:
    """Return the turn ``R`` with which vectors are read as ``R @ after[k] @ v``, up to size and sign."""
    scope, states, mounts = evidence.scope, explanation.states, explanation.mounts
    normals: list[tuple[Array, Array, float]] = []
    for relation in evidence.of(unit):
        inside = [k in unit for k in relation.members]
        if not _shows_turn(evidence, relation) or all(inside) or (relation.kind == "motion" and inside[0]):
            continue
        aligned = evidence.aligned(relation, states, mounts)
        if aligned is None or not aligned.fit.is_telling:
            continue

        def theta(R: Array, relation: Relation = relation) -> Array:
            turned = {
                k: replace(states[k], T=probe(R @ after[k], float(states[k].T.size), float(states[k].T.hand)))
                for k in unit
            }
            return coefficients(scope, relation, states | turned, mounts)

        normals.append(_softened(scope, normal_of(aligned.fit, theta), relation, start))
    if not normals:
        return None
    R, information, _ = fitted_rotation(normals, start[None])
    return Turn(R, DEPENDENT * information)


def body_turn(
    evidence: Evidence, explanation: Explanation, body: int, offsets: Mapping[int, tuple[Array, Array]] | None = None
) -> Turn | None:
    """Return the orientation of the root frame of a body relative to that of the first. None without relations.

    `offsets` are those of specific forces (3,), as they are read, and their standard errors, by the number of a track.
    """
    scope, states, mounts = evidence.scope, explanation.states, explanation.mounts
    known_offsets = offsets or {}
    normals: list[tuple[Array, Array, float]] = []
    for relation in evidence.relations:
        bodies = {scope.tracks[k].body for k in relation.members}
        if not _shows_turn(evidence, relation) or body not in bodies or len(bodies) < 2:
            continue
        off = next((k for k in relation.members if k in known_offsets), None)
        if scope.leans_on_mount(relation, states) or (off is not None and relation.kind == "carried"):
            continue
        offset, sigma = (np.zeros(3), np.zeros(3)) if off is None else known_offsets[off]
        own = states
        if off is not None and relation.kind == "motion" and states[off].form == "stated":
            own = states | {off: replace(states[off], form="offset")}  # whose series leaves room for a large one
        aligned = evidence.aligned(relation, own, mounts)
        if aligned is None or not aligned.fit.is_telling:
            continue
        known = offset if relation.kind == "gravity" else np.zeros(3)

        def theta(R: Array, relation: Relation = relation, own: States = own, known: Array = known) -> Array:
            plain = coefficients(scope, relation, own, mounts | {body: R})
            if not np.any(known):
                return plain
            return np.concatenate([plain[..., :-1], plain[..., -1:] + known[:, np.newaxis]], axis=-1)

        tilt = float(np.linalg.norm(sigma)) / GRAVITY
        normals.append(_softened(scope, normal_of(aligned.fit, theta), relation, mounts[body], tilt))
    if not normals:
        return None
    R, information, _ = fitted_rotation(normals, mounts[body][None])
    return Turn(R, DEPENDENT * information)


def _shows_turn(evidence: Evidence, relation: Relation) -> bool:
    """Return whether a relation shows how a sensor is turned on its frame.

    A force that a planar rate carries does not: accelerations disturb it.
    """
    if relation.kind not in TURNING or evidence.is_blind(relation):
        return False
    tracks = [evidence.scope.tracks[k] for k in relation.members]
    return relation.kind != "carried" or tracks[0].quantity != "specific force" or not tracks[1].is_planar


def _softened(
    scope: Scope, normal: tuple[Array, Array, float], relation: Relation, near: Array, tilt: float = 0.0
) -> tuple[Array, Array, float]:
    """Return normal equations with less weight where an error is systematic, however long it is measured.

    Tilts of the reference and offsets disturb forces, and an odometry in the plane does not know how its body leans.
    `tilt` is that by the error of a known offset, rad.
    """
    share, limit = SOFT.get(relation.kind, 1.0), max(OFFSET_TILT, tilt) if relation.kind in SOFT else 0.0
    if any(scope.tracks[k].is_planar for k in relation.members):
        limit = max(limit, LEAN)
    if limit > 0.0:
        _, information, _ = fitted_rotation([normal], near[None])
        largest = float(np.linalg.eigvalsh(information)[-1])
        share = min(share, 1.0 / (DEPENDENT * limit**2 * max(largest, 1e-300)))
    return normal[0] * share, normal[1] * share, normal[2] * share


SOFT = {"gravity": 0.1, "carried": 0.3, "motion": 0.25}
"""Weights of relations with systematic errors."""


def lever_arm(evidence: Evidence, explanation: Explanation, unit: tuple[int, ...]) -> tuple[Array, Array] | None:
    """Return the position (3,) of the forces of a unit, resolved in the frame of the orientation, m, and covariance."""
    A, b = np.zeros((3, 3)), np.zeros(3)
    for relation in evidence.of(unit):
        if relation.kind != "motion" or relation.members[1] not in unit or relation.members[0] in unit:
            continue
        aligned = evidence.aligned(relation, explanation.states, explanation.mounts)
        if aligned is None or not aligned.fit.is_telling:
            continue
        fit = aligned.fit
        theta = coefficients(evidence.scope, relation, explanation.states, explanation.mounts)
        rest = fit.nuisance_B - np.einsum("cmq,cq->cm", fit.nuisance_A, theta)
        N = fit.nuisance_information
        # The biases of the force are free; the position is the same for all channels.
        drop = N[:, :3, 3:] @ inverse(N[:, 3:, 3:] + np.diag(fit.series.precision[3:]))
        A += np.sum(N[:, :3, :3] - drop @ N[:, 3:, :3], axis=0)
        b += np.sum(rest[:, :3] - np.einsum("cij,cj->ci", drop, rest[:, 3:]), axis=0)
    if not np.any(A):
        return None
    covariance = inv(A + np.eye(3))
    return -covariance @ b, covariance / DEPENDENT
