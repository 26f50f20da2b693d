"""Judgement of alignments of the pairs of `foreign_streams`, and hand-eye sets beside OpenCV's methods.

A table for each kind: ``python -m tests.support.foreign_stream_trials FIRST LAST [SETS]``.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.features.trajectories.core.align_streams import AlignChoice, Alignment, align
from framescope.features.trajectories.core.pose_stream import StreamError, stream_of
from framescope.features.trajectories.core.stream_readings import StreamReading
from tests.support.foreign_streams import (
    FLIP_YZ,
    NED,
    HandEyeSet,
    Pair,
    by_opencv,
    cost,
    errors,
    hand_eye_set,
    inverse,
    offset_covariance,
    pair,
)

Array = np.ndarray

WITHIN = {0: np.inf, 1: 9.0, 2: 11.83, 3: 14.16}
"""Chi-square of so many numbers that is exceeded as seldom as three standard errors of one."""

CLOCK_S = 5e-4
"""Error of a clock offset that is always right, s."""

DIRECTION_DEG = 15.0
"""Error of an open direction that is right."""

OPENCV_SLACK = 1.01
"""Cost, over that of OpenCV's best method, up to which a hand-eye calibration is no worse."""


@dataclass(frozen=True)
class Judgement:
    """Outcome for a pair, and its parts; None where a part does not apply.

    ``right``, ``off`` (more than three standard errors), ``wrong convention``, ``refused``; where the motion leaves
    something open ``named`` or ``not named``.
    """

    outcome: str
    turn: bool | None = None
    place: bool | None = None
    clock: bool | None = None
    scale: bool | None = None
    remarks: tuple[str, ...] = ()


def solved(planted: Pair) -> Alignment:
    """Return the alignment of a pair; every other pair of hand and eye says so."""
    a, b = (stream_of(name, s.t, s.p, s.q) for name, s in (("a", planted.a), ("b", planted.b)))
    is_told = planted.rig.startswith("eye") and planted.seed % 2 == 0
    return align(a, b, AlignChoice(hand=planted.rig) if is_told else None)  # type: ignore[arg-type]


def judge(answer: Alignment | None, truth: Pair) -> Judgement:
    """Return the judgement of an alignment, None for one that was refused."""
    if answer is None:
        return Judgement("named" if truth.motion == "still" else "refused")
    remarks: list[str] = []
    body, is_right = _meant(answer, truth)
    if not is_right:
        remarks.append(f"read as {answer.reading}, written {truth.convention}")
        is_open = len(truth.open_places) and any(_is_planted(reading, truth) for reading in answer.alternatives)
        return Judgement("named" if is_open else "wrong convention", remarks=tuple(remarks))
    blind = {part.part: np.atleast_2d(part.axes) for part in answer.blind if np.size(part.axes)}
    turn = _is_turn_right(answer, body, blind, remarks)
    place = _is_place_right(answer, body, blind, truth, remarks)
    clock = _is_clock_right(answer, truth, remarks)
    scale = _is_scale_right(answer, truth, remarks)
    if len(truth.open_places) or len(truth.open_turns):
        is_named = _names_all(blind, truth, remarks)
        return Judgement("named" if is_named else "not named", turn, place, clock, scale, tuple(remarks))
    for part, axes in blind.items():
        if part in ("body position", "body rotation"):
            remarks.append(f"{part} is called unknown along {axes.round(2).tolist()}, and is known")
            return Judgement("off", turn, place, clock, scale, tuple(remarks))
    return Judgement("right" if turn and place else "off", turn, place, clock, scale, tuple(remarks))


def _meant(answer: Alignment, truth: Pair) -> tuple[Array, bool]:
    """Return the true body offset in the convention of the answer, and whether that is the planted one."""
    body, world = truth.Z, inverse(truth.Y)
    if truth.convention == "OpenGL":
        body = body @ FLIP_YZ
    elif truth.convention == "NED":
        world = world @ NED.T
    reading = answer.reading
    if reading.is_inverse and reading.side == "a":
        body = world
    return body, _is_planted(reading, truth)


def _is_planted(reading: StreamReading, truth: Pair) -> bool:
    """Return whether a convention is the planted one."""
    is_right = reading.is_inverse == (truth.convention == "inverse")
    is_right &= reading.is_scalar_first == (truth.convention == "w first")
    is_right &= reading.side == "b" or not reading.is_scalar_first
    return bool(is_right and not (reading.is_mirrored or reading.axes or reading.is_turned_round))


def _is_turn_right(answer: Alignment, body: Array, blind: dict[str, Array], remarks: list[str]) -> bool:
    error = Rotation.from_matrix(answer.body.R_AB.T @ body[:3, :3]).as_rotvec()
    return _is_within("body turn", error, answer.covariance[:3, :3], blind.get("body rotation"), remarks)


def _is_place_right(
    answer: Alignment, body: Array, blind: dict[str, Array], truth: Pair, remarks: list[str]
) -> bool:  # fmt: skip
    error = body[:3, 3] - answer.body.p_AB
    axes = blind.get("body position")
    if len(truth.open_places) and axes is not None and len(axes) < len(truth.open_places):
        axes = truth.open_places
    covariance = answer.covariance[3:6, 3:6]
    if axes is not None and not np.isfinite(covariance).all():  # the finite part is not given
        covariance = offset_covariance(
            truth.exact_A, truth.Z, truth.duration, is_scaled=truth.scale != 1.0, n=answer.n_pairs
        )[3:6, 3:6]
    return _is_within("body position", error, covariance, axes, remarks)


def _is_within(what: str, error: Array, covariance: Array, axes: Array | None, remarks: list[str]) -> bool:
    """Return whether an error is within three standard errors, across what stays unknown."""
    known = np.eye(3)
    if axes is not None:
        known = np.linalg.svd(np.atleast_2d(axes))[2][len(np.atleast_2d(axes)) :]
    finite = np.where(np.isfinite(covariance), covariance, 0.0)
    if not np.isfinite(covariance).all() and axes is None:
        remarks.append(f"{what}: an infinite standard error without an unknown direction")
        return False
    part = known @ error
    C = known @ finite @ known.T
    if not len(part):
        return True
    chi_square = float(part @ np.linalg.solve(C + 1e-20 * np.eye(len(part)), part))
    is_right = chi_square < WITHIN[len(part)]
    if not is_right:
        remarks.append(f"{what} off by {part}, standard errors {np.sqrt(np.diag(C))}, chi-square {chi_square:.1f}")
    return is_right


def _is_clock_right(answer: Alignment, truth: Pair, remarks: list[str]) -> bool | None:
    if truth.motion == "still":
        return None
    t = truth.duration * np.array([0.1, 0.5, 0.9])
    error = answer.clocks.in_a((1.0 + truth.drift) * t + truth.offset) - t
    sigma = np.sqrt(answer.covariance[13, 13] + answer.covariance[14, 14] * (0.4 * truth.duration) ** 2)
    limit = max(CLOCK_S, 3.0 * float(sigma)) if np.isfinite(sigma) else np.inf
    is_right = bool(np.abs(error).max() < limit)
    if not is_right:
        remarks.append(
            f"clock off by {error} s, offset {truth.offset:.4f} s, drift {truth.drift:.2e}, sigma {sigma:.2e}"
        )
    return is_right


def _is_scale_right(answer: Alignment, truth: Pair, remarks: list[str]) -> bool | None:
    if truth.motion == "still":
        return None
    sigma = float(np.sqrt(answer.covariance[12, 12]))
    error = abs(np.log(answer.scale * truth.scale))
    is_right = error < max(3.0 * sigma, 2e-3) if np.isfinite(sigma) else True
    if not is_right:
        remarks.append(f"scale {answer.scale}, planted 1/{truth.scale:.4f}")
    return bool(is_right)


def _names_all(blind: dict[str, Array], truth: Pair, remarks: list[str]) -> bool:
    for part, span in (("body position", truth.open_places), ("body rotation", truth.open_turns)):
        axes = blind.get(part, np.zeros((0, 3)))
        wanted = span
        if part == "body rotation" and len(span):
            wanted = span @ truth.Z[:3, :3]
            if truth.convention == "OpenGL":
                wanted = wanted @ FLIP_YZ[:3, :3]
        for direction in wanted:
            if len(axes) and np.linalg.norm(axes @ direction) > np.cos(np.radians(DIRECTION_DEG)):
                continue
            remarks.append(f"{part} is open along {direction.round(3)}, named: {axes.round(3).tolist()}")
            return False
    return True


# --- Many pairs


@dataclass
class Tally:
    """Counts of outcomes over many pairs."""

    outcomes: Counter[str] = field(default_factory=Counter)
    by_kind: Counter[tuple[str, str]] = field(default_factory=Counter)
    parts: dict[str, list[bool]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)

    def table(self) -> str:
        """Return the counts as lines."""
        columns = sorted(self.outcomes)
        lines = [str(dict(self.outcomes)), f"{'kind':28}" + "".join(f"{c:>18}" for c in columns)]
        lines += [
            f"{kind:28}" + "".join(f"{self.by_kind[kind, column] or '':>18}" for column in columns)
            for kind in sorted({kind for kind, _ in self.by_kind})
        ]
        lines += [f"{part}: {sum(rights)} of {len(rights)} right" for part, rights in self.parts.items()]
        lines.append(f"time: median {np.median(self.seconds):.2f} s, at most {max(self.seconds):.2f} s")
        return "\n".join(lines)


def tally(pairs: Iterable[Pair]) -> Tally:
    """Return the counts of pairs, with a text for each miss."""
    counts = Tally()
    for planted in pairs:
        start = time.perf_counter()
        try:
            answer = solved(planted)
        except StreamError as error:
            answer, reason = None, str(error)
        counts.seconds.append(time.perf_counter() - start)
        judgement = judge(answer, planted)
        counts.outcomes[judgement.outcome] += 1
        for kind in (planted.rig, planted.convention, planted.motion):
            counts.by_kind[kind, judgement.outcome] += 1
        for part in ("turn", "place", "clock", "scale"):
            value = getattr(judgement, part)
            if value is not None:
                counts.parts.setdefault(part, []).append(value)
        is_all_right = all(getattr(judgement, part) in (True, None) for part in ("turn", "place", "clock", "scale"))
        if judgement.outcome not in ("right", "named") or not is_all_right:
            remarks = judgement.remarks if answer is not None else (reason,)
            counts.misses.append(
                f"## seed {planted.seed}: {judgement.outcome} ({planted.rig}, {planted.motion}, {planted.convention}, "
                f"{planted.duration} s, {len(planted.a.t)} and {len(planted.b.t)} poses, scale {planted.scale:.3f}, "
                f"offset {planted.offset:.3f} s, drift {planted.drift:.1e})\n" + "\n".join(f"- {r}" for r in remarks)
            )
    return counts


# --- Hand and eye


@dataclass(frozen=True)
class HandEyeOutcome:
    """Errors (angle, distance) of a set by our alignment and by OpenCV's methods, and the costs of both."""

    ours: tuple[float, float]
    opencv: dict[str, tuple[float, float]]
    our_cost: float
    best_cost: float

    @property
    def is_no_worse(self) -> bool:
        """Whether our cost is that of OpenCV's best method or less."""
        return self.our_cost <= OPENCV_SLACK * self.best_cost


def hand_eye_outcome(seed: int) -> HandEyeOutcome:
    """Return the outcome of a hand-eye set."""
    planted = hand_eye_set(seed)
    X = our_hand_eye(planted)
    methods = by_opencv(planted)
    return HandEyeOutcome(
        errors(X, planted.truth),
        {name: errors(Y, planted.truth) for name, Y in methods.items()},
        cost(X, planted),
        min(cost(Y, planted) for Y in methods.values()),
    )


def our_hand_eye(planted: HandEyeSet) -> Array:
    """Return the pose of the camera on the hand by our alignment of poses without times."""
    a, b = (
        stream_of(name, None, X[:, :3, 3], Rotation.from_matrix(X[:, :3, :3]).as_quat())
        for name, X in (("hand", planted.hand), ("target", planted.target))
    )
    answer = align(a, b, AlignChoice(hand="eye in hand", has_scale=False, conventions=False))
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = answer.body.R_AB, answer.body.p_AB
    return X


def hand_eye_table(n: int) -> str:
    """Return the rms errors over sets, ours and those of OpenCV's methods, and in how many sets ours costs more."""
    outcomes = [hand_eye_outcome(seed) for seed in range(n)]
    rms = {"ours": [o.ours for o in outcomes]}
    for name in sorted({name for o in outcomes for name in o.opencv}):
        rms[name] = [o.opencv.get(name, (np.nan, np.nan)) for o in outcomes]
    lines = [
        f"{name:12} median {np.nanmedian(angle):7.3f} mrad {np.nanmedian(distance):7.3f} mm"
        f"   rms {np.sqrt(np.nanmean(angle**2)):7.3f} mrad {np.sqrt(np.nanmean(distance**2)):7.3f} mm"
        for name, (angle, distance) in ((name, 1e3 * np.array(e).T) for name, e in rms.items())
    ]
    worse = [k for k, o in enumerate(outcomes) if not o.is_no_worse]
    return "\n".join([*lines, f"cost above the best of OpenCV's in {len(worse)} of {n} sets: {worse[:20]}"])


if __name__ == "__main__":
    first, last, *sets = map(int, sys.argv[1:])
    result = tally(map(pair, range(first, last)))
    print("\n\n".join(result.misses), "\n\n", result.table(), sep="")
    if sets:
        print(hand_eye_table(sets[0]))
