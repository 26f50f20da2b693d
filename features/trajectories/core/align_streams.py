"""Alignment of two pose streams: mounting, scale, clocks and conventions, with their accuracy and what stays open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import visible_text
from framescope.core.kernels.validation import Array, median
from framescope.core.transform import Transform
from framescope.features.detective.core.axis_changes import changes
from framescope.features.detective.core.clocks import Timed, likely_offsets
from framescope.features.trajectories.core.blind_directions import LEAST_TURN, BlindDirection, blind_directions
from framescope.features.trajectories.core.matched_poses import (
    Clocks,
    Matched,
    Matcher,
    interpolated_side,
    matcher_of,
    spikes,
)
from framescope.features.trajectories.core.mounting import (
    ROUNDING,
    Form,
    Mounting,
    angles_between,
    positions_of,
    rotation_candidates,
    rotation_mean,
    size_of,
    some_rows,
)
from framescope.features.trajectories.core.pose_stream import (
    PoseStream,
    StreamError,
    on_one_epoch,
    quaternions_of,
    rotations,
    same_signs,
    times_of,
)
from framescope.features.trajectories.core.refinement import CHI2_6, Free, Refined, refine, robust_cost
from framescope.features.trajectories.core.stream_readings import PLAIN, READINGS, StreamReading

Hand = Literal["", "eye in hand", "eye to hand"]

SEARCHED, TESTED = 300, 2000
"""Number of pairs with which readings are searched, and with which scale and drift are tested."""

CLOCK_ROWS = 20_000
"""Largest number of poses of a stream by which the offset of the clocks is searched."""

LIKELY, NEAR = 4.0, 1.0
"""Differences of costs up to which a reading is refined after a closed form, and compared by more pairs."""

APART = 4.0
"""Standard errors by which the mean squared residual of a reading exceeds the least, from which it is ruled out."""

LEAST_APART = 0.3
"""Difference of mean squared residuals, of six, up to which two readings fit alike however many pairs there are."""

MOST_TRIALS = 8
"""Largest number of readings and clock offsets that are refined."""

SCALE_ERRORS, OFFSET_ERRORS, DRIFT_ERRORS = 5.0, 4.0, 5.0
"""Standard errors from which a scale, an offset of clocks and a drift are told from none."""

LEAST_SCALE, LEAST_OFFSET_S, LEAST_DRIFT = 1e-10, 1e-10, 1e-11
"""Logarithm of a scale, offset and drift up to which rounding explains them."""

UNRELATED = 0.2
"""Noise of orientations, rad, from which two streams count as unrelated."""

MISFIT, TURNED = 0.2, np.radians(3.0)
"""Noise of positions, as a fraction of the size of the motion, and of orientations, rad, from which a fit is bad."""

UNIT_WORDS = {1e-3: "millimetres", 1e-2: "centimetres", 0.3048: "feet", 1e3: "kilometres"}
"""Units of positions by the scale that brings them to metres."""


@dataclass(frozen=True)
class AlignChoice:
    """Choices for an alignment; None and ``"auto"`` are found.

    Attributes
    ----------
    form
        Which offsets exist, see `framescope.features.trajectories.core.mounting.FORMS`.
    hand
        Form of hand and eye. ``"eye in hand"``: a is the hand in the base, b the target in the camera, which the hand
        carries. ``"eye to hand"``: the camera stands, and the hand carries the target. Empty for none.
    has_scale
        Whether positions of b have a scale of their own; None decides by its significance.
    offset_s
        Known offset added to the times of b, s; None finds it.
    has_drift
        Whether the clock of b may run at another rate; None decides by its significance.
    conventions
        Whether other readings of the numbers are tried.
    """

    form: Form = "mounted"
    hand: Hand = ""
    has_scale: bool | None = None
    offset_s: float | None = None
    has_drift: bool | None = None
    conventions: bool = True


@dataclass(frozen=True, eq=False)
class Alignment:
    """Answer for two pose streams: ``X_WA X_AB = X_WV s(X_VB)``, with W the reference of a, V that of b.

    Attributes
    ----------
    a, b
        The streams, b as `reading` has it, with one epoch.
    choice
        The choices.
    reading
        Convention of the numbers under which they fit.
    body : Transform
        Pose X_AB of the frame of b in the frame of a: the body offset with its lever arm, m.
    world : Transform
        Pose X_WV of the reference of b in the reference of a, m.
    scale
        Factor of the positions of b, 1 if they have none of their own.
    clocks
        Offset and drift of the clock of b.
    covariance : (15, 15)
        Covariance in the order of `framescope.features.trajectories.core.refinement.PARTS`: of the rotation vector by
        which the true X_AB turns on from the estimate, about the axes of b, rad; of its position in the axes of a, m;
        the same of the world offset, whose position is that of the middle of the path; the logarithm of the scale; the
        offset, s; and the drift. Infinite where a part stays unknown, 0 where it was not free.
    blind
        Directions that the motion leaves open.
    noise_angle, noise_position
        Noise of both streams together, standard deviation of one component, rad and m.
    fit
        Pairs, residuals and outliers.
    alternatives
        Other readings that fit as well.
    notes
        Sentences on what was found and left out.
    """

    a: PoseStream
    b: PoseStream
    choice: AlignChoice
    reading: StreamReading
    body: Transform
    world: Transform
    scale: float
    clocks: Clocks
    covariance: Array
    blind: tuple[BlindDirection, ...]
    noise_angle: float
    noise_position: float
    fit: Refined
    alternatives: tuple[StreamReading, ...]
    notes: tuple[str, ...]

    @property
    def body_covariance(self) -> Array:
        """Covariance (6, 6) of the body offset: rotation about the axes of b, rad, then position in those of a, m."""
        return self.covariance[:6, :6]

    @property
    def errors(self) -> Array:
        """Standard errors (15,) of the parameters; infinite for what stays unknown."""
        return np.sqrt(np.diagonal(self.covariance))

    @property
    def n_pairs(self) -> int:
        """Number of pairs of poses."""
        return len(self.fit.m)

    @property
    def n_outliers(self) -> int:
        """Number of pairs that were left out."""
        return int((~self.fit.is_used).sum())

    def aligned_b(self) -> PoseStream:
        """Return the poses of a as b predicts them, at the times of b in the clock of a."""
        b, x = self.b, self.fit.mounting
        R_VB = b.R_RF
        R = x.R_Y @ R_VB @ x.R_X.T
        p = x.s * (b.p_RF @ x.R_Y.T) + x.p_Y - R @ x.p_X
        t = None if b.t is None else self.clocks.in_a(b.t)
        return replace(
            b, t=t, p_RF=p, q_RF=same_signs(quaternions_of(R)), frame=self.a.frame, reference=self.a.reference
        )


def align(a: PoseStream, b: PoseStream, choice: AlignChoice | None = None) -> Alignment:
    """Return the alignment of two pose streams.

    Parameters
    ----------
    a, b
        Poses of two sensors on one body, of one sensor in two worlds, or of hand and eye. Streams without times are
        paired in their order.
    choice
        Choices; nothing is known without them.

    Raises
    ------
    StreamError
        When the streams have too few poses in common, or no rigid mounting fits them.

    Notes
    -----
    The offset of the clocks comes from distances between orientations, which no convention changes. Then each reading
    of the numbers gets a closed-form solution by some of the pairs. The likely ones are refined, and the best one is
    refined with all pairs. Scale, clock offset and drift stay only if they differ from none by some standard errors.

    Examples
    --------
    >>> from framescope.features.trajectories.core.pose_stream import stream_of
    >>> n = np.arange(40.0)
    >>> q = np.stack([np.sin(n / 9), np.sin(n / 7), np.sin(n / 5), 3.0 + 0 * n], axis=1)
    >>> q /= np.linalg.norm(q, axis=1, keepdims=True)
    >>> p = np.stack([np.sin(n / 6), np.cos(n / 8), n / 40], axis=1)
    >>> a = stream_of("a", n / 10, p, q)
    >>> b = stream_of("b", n / 10, p + a.R_RF @ [0.1, 0.0, 0.2], q)
    >>> align(a, b).body.p_AB.round(9) + 0.0
    array([0.1, 0. , 0.2])
    """
    choice = choice or AlignChoice()
    a, b = on_one_epoch([a, b])
    whole = _Pair(a, b, choice)
    pair = whole if _is_turning(whole) else _held(whole)
    readings = _readings(choice)
    tried = _told_apart(readings) if pair is not whole and choice.form == "mounted" else readings
    found = [trial for guess in _guesses(pair, tried) if (trial := _tried(pair, guess)) is not None]
    if not found:
        raise StreamError(
            f"{visible_text(a.name)} and {visible_text(b.name)} cannot be aligned: no reading of their poses gives a"
            " mounting."
        )
    best, equal = _chosen(found, choice)
    untold = () if tried is readings else _untold(best.reading, readings)
    if pair is not whole:
        best = _in_whole(whole, best)
    if best.fit.noise_angle > UNRELATED:
        raise StreamError(
            f"no rigid mounting joins {visible_text(a.name)} and {visible_text(b.name)}: under the best reading the"
            f" orientations are {np.degrees(best.fit.noise_angle):.0f} degrees apart. Are both of one body, at the same"
            " time? Is it another form?"
        )
    is_apart = best.fit.noise_position > POSITIONS_APART * size_of(best.fit.m)
    if is_apart and pair is whole and choice.conventions and not choice.hand:
        others = [trial for guess in _other_axes(pair, best) if (trial := _tried(pair, guess)) is not None]
        better = min(others, key=lambda trial: trial.cost, default=best)
        best, equal = (better, ()) if better.cost < best.cost else (best, equal)
    answer = _finished(best, equal, untold, choice)
    if pair is whole or not answer.fit.is_mounting_unknown:
        return answer
    plain, *others = readings  # without any motion, noise alone prefers one
    start = next((trial for trial in found if trial.reading == plain), None)
    if start is not None and best.reading != plain:
        answer = _finished(_in_whole(whole, start), (), (), choice)
    return replace(answer, alternatives=tuple(others) if answer.reading == plain else answer.alternatives)


POSITIONS_APART = 0.1
"""Noise of positions, as a fraction of the size of the motion, from which other axes of positions are tried."""


@dataclass(frozen=True, eq=False)
class _Pair:
    """The two streams as they are read, and the choices.

    `held` are the mean orientations (1, 4) of both if the body does not turn. Noise of orientations would otherwise
    move positions that are read as those of inverse poses, and other readings, which fit alike, would win.
    """

    a: PoseStream
    b: PoseStream
    choice: AlignChoice
    held: tuple[Array, Array] | None = None

    @cached_property
    def plain(self) -> Matcher:
        """Matcher of the streams as they are read."""
        return matcher_of(self.a, self.b, self.is_spike)

    @cached_property
    def is_spike(self) -> NDArray[np.bool_] | None:
        """Spikes of the stream that is interpolated."""
        side = interpolated_side(self.a, self.b)
        return None if not side else spikes(self.b if side == "b" else self.a)

    def read(self, reading: StreamReading) -> tuple[PoseStream, PoseStream]:
        """Return the streams under a reading."""
        side, own = (0, self.a) if reading.side == "a" else (1, self.b)
        p, q = self.read_poses(reading, side, own.p_RF, own.q_RF)
        read = replace(own, p_RF=p, q_RF=same_signs(q))
        return (read, self.b) if side == 0 else (self.a, read)

    def read_poses(self, reading: StreamReading, side: int, p: Array, q: Array) -> tuple[Array, Array]:
        """Return positions (n, 3) and quaternions (n, 4) of a stream, 0 for a and 1 for b, under a reading."""
        read_p, read_q = reading.of_poses(p, q)
        if self.held is not None:
            read_p, _ = reading.of_poses(p, np.broadcast_to(self.held[side], q.shape))
        return read_p, read_q


NO_TURN, AGREED = 1.5, 0.25
"""Angle between distant orientations from which a body turns, as a multiple of that between neighbours, and the
difference of that angle between two streams up to which both tell of one motion, as a fraction of it."""


def _is_turning(pair: _Pair) -> bool:
    """Return whether the body turns by more than the noise of its orientations.

    Noise alone differs between neighbours as much as between distant poses, and is not that of the other stream.
    """
    if any(_turns_more_than_noise(stream) for stream in (pair.a, pair.b)):
        return True
    apart = [_angles_apart(m) for _, m in _likely_pairs(pair)]
    return any(median(turn) > LEAST_TURN and median(off) < AGREED * median(turn) for turn, off in apart)


def _turns_more_than_noise(stream: PoseStream) -> bool:
    q, half = stream.q_RF, max(len(stream) // 2, 1)

    def usual(p: Array, q: Array) -> float:
        return median(np.minimum(np.linalg.norm(p - q, axis=1), np.linalg.norm(p + q, axis=1)))

    return len(q) > 1 and usual(q[:-half], q[half:]) > max(NO_TURN * usual(q[:-1], q[1:]), LEAST_TURN)


def _held(pair: _Pair) -> _Pair:
    """Return the pair with the mean orientations of both streams, for a body that does not turn."""

    def mean_of(stream: PoseStream) -> Array:
        R = rotations(stream.q_RF[some_rows(len(stream), TESTED)])
        return quaternions_of(rotation_mean(R, np.broadcast_to(np.eye(3), R.shape))[np.newaxis])

    return replace(pair, held=(mean_of(pair.a), mean_of(pair.b)))


class _Guess(NamedTuple):
    """A reading with an offset of the clocks, its closed-form solutions, and the cost of the best of them."""

    reading: StreamReading
    starts: tuple[Mounting, ...]
    cost: float


@dataclass(frozen=True, eq=False)
class _Trial:
    """A reading with its refinement by some pairs."""

    reading: StreamReading
    a: PoseStream
    b: PoseStream
    matcher: Matcher
    fit: Refined

    @property
    def cost(self) -> float:
        return self.fit.cost + self.reading.cost


def _in_whole(whole: _Pair, trial: _Trial) -> _Trial:
    """Return a trial by mean orientations with the orientations as they are."""
    return _tried(whole, _Guess(trial.reading, (trial.fit.mounting,), trial.cost)) or trial


def _readings(choice: AlignChoice) -> tuple[StreamReading, ...]:
    if choice.hand == "eye in hand":
        return (StreamReading(is_inverse=True),)
    if choice.hand == "eye to hand" or not choice.conventions:
        return (PLAIN,)
    return READINGS


def _told_apart(readings: Sequence[StreamReading]) -> tuple[StreamReading, ...]:
    """Return the readings that poses without rotation tell apart, each as the plainest of those that fit alike.

    Constant orientations may have any order and direction: the mounting, being free, contains the difference.
    """
    return tuple(reading for reading in readings if reading == reading.of_positions)


def _untold(best: StreamReading, readings: Sequence[StreamReading]) -> tuple[StreamReading, ...]:
    """Return the readings that differ from the best one in constant orientations alone."""
    return tuple(reading for reading in readings if reading != best and reading.of_positions == best)


def _guesses(pair: _Pair, readings: Sequence[StreamReading]) -> list[_Guess]:
    """Return the readings that may fit, with closed-form solutions by some pairs, for each likely clock offset."""
    found = [
        _guess(read, reading, clocks, pair)
        for clocks, m in _likely_pairs(pair)
        for reading, read in _possible(pair, m, readings)
    ]
    least = min(guess.cost for guess in found)
    likely = sorted(
        (guess for guess in found if guess.cost <= least + LIKELY), key=lambda guess: guess.cost + guess.reading.cost
    )
    return [*likely[:MOST_TRIALS], *(guess for guess in likely[MOST_TRIALS:] if guess.reading.is_plain)]


def _possible(pair: _Pair, m: Matched, readings: Sequence[StreamReading]) -> list[tuple[StreamReading, Matched]]:
    """Return the readings that the orientations allow, each with the pairs under it.

    ``tr(R_iᵀ R_j R_kᵀ R_l)`` of four poses is equal for both streams if they are mounted on one body, and differs under
    a wrong reading unless the body turns about one axis alone. Each stream is taken at the same four times.
    """
    read = [(reading, _read_pairs(pair, m, reading)) for reading in readings]
    quarter = len(m) // 4
    if quarter < 8 or len(read) == 1:
        return read

    def traces(R: Array) -> Array:
        of_four = [R[n * quarter : (n + 1) * quarter] for n in range(4)]
        left, right = (np.swapaxes(of_four[n], 1, 2) @ of_four[n + 1] for n in (0, 2))
        return np.einsum("nij,nji->n", left, right)

    apart = [median(np.abs(traces(pairs.R_A) - traces(pairs.R_B))) for _, pairs in read]
    least = min(apart)
    return [one for one, off in zip(read, apart, strict=True) if off <= 3.0 * least + 1e-7]


def _likely_pairs(pair: _Pair) -> list[tuple[Clocks, Matched]]:
    """Return some pairs of poses for each likely clock offset.

    The angle between two orientations of a and that between those of b are equal under all conventions. Offsets under
    which they differ much more than under the best one are left out.
    """
    offsets = _offsets(pair.a, pair.b, pair.choice) if pair.plain.has_clocks else (0.0,)
    found: list[tuple[float, Clocks, Matched]] = []
    for k, offset in enumerate(offsets):
        try:
            found.append(_by_angles(pair, offset, SEARCHED))
        except StreamError:
            if k == len(offsets) - 1 and not found:
                raise
    is_unsure = pair.held is not None or min(apart for apart, _, _ in found) > UNSURE
    if is_unsure and pair.plain.has_clocks and pair.choice.offset_s is None:
        found.append(_swept(pair))
    least = min(apart for apart, _, _ in found)
    return [(clocks, m) for apart, clocks, m in found if apart <= 2.0 * least + 1e-7]


UNSURE = 0.02
"""Difference of angles of both streams, rad, from which the offset of the clocks is searched by another way."""

SWEPT_S, SWEPT_PAIRS, MOST_SWEPT = 2.0, 120, 400
"""Offset up to which clocks are searched one by one, s; number of pairs and of offsets for it."""


def _by_angles(pair: _Pair, offset: float, n: int) -> tuple[float, Clocks, Matched]:
    """Return how much the angles of both streams differ at an offset of the clocks, rad, the clocks, and the pairs."""
    clocks = _clocks(pair.b, offset)
    m = _some_pairs(pair.plain, clocks, n)
    return median(_angles_apart(m)[1]), clocks, m


def _angles_apart(m: Matched) -> tuple[Array, Array]:
    """Return the angles between distant orientations of a (n,), rad, and how much they differ from those of b."""
    half = len(m) // 2
    of_a, of_b = (angles_between(R[:-half], R[half:]) for R in (m.R_A, m.R_B))
    return of_a, np.abs(of_a - of_b)


def _distances_apart(m: Matched) -> float:
    """Return how much the ratio of distances of both streams varies, as the median of its logarithm's deviations."""
    half = len(m) // 2
    of_a, of_b = (np.linalg.norm(p[half:] - p[:-half], axis=1) + 1e-12 for p in (m.p_A, m.p_B))
    ratio = np.log(of_a / of_b)
    return median(np.abs(ratio - median(ratio)))


def _swept(pair: _Pair) -> tuple[float, Clocks, Matched]:
    """Return the best of many offsets about equal clocks, or about equal beginnings of streams that share no time.

    The search by signals needs more poses than a short recording with outliers has. Of a body that does not turn, the
    distances between positions are compared.
    """
    a, b = pair.a, pair.b
    t_a, t_b = times_of(a), times_of(b)
    centre = 0.0 if _overlap(a, b, 0.0) > 0.0 else float(t_a[0] - t_b[0])
    reach = min(SWEPT_S, 0.4 * min(a.duration, b.duration))
    step = max(median(np.diff(t_a)), median(np.diff(t_b)), 2.0 * reach / MOST_SWEPT)
    found: list[tuple[float, float]] = []
    for offset in (centre + np.arange(-reach, reach, step)).tolist():
        with suppress(StreamError):
            if pair.held is None:
                found.append((_by_angles(pair, offset, SWEPT_PAIRS)[0], offset))
            else:
                m = _some_pairs(pair.plain, _clocks(pair.b, offset), SWEPT_PAIRS)
                found.append((_distances_apart(m), offset))
    best = min(found)[1] if found else centre
    return _by_angles(pair, best, SEARCHED)


def _some_pairs(matcher: Matcher, clocks: Clocks, most: int) -> Matched:
    covered = matcher.covered_rows(clocks)
    return matcher.matched(clocks, covered[some_rows(len(covered), most)])


def _read_pairs(pair: _Pair, m: Matched, reading: StreamReading) -> Matched:
    """Return pairs of poses under a reading; their rates are not changed."""
    side = "ab".index(reading.side)
    R, p = ((m.R_A, m.p_A), (m.R_B, m.p_B))[side]
    p, q = pair.read_poses(reading, side, p, quaternions_of(R))
    R = rotations(q)
    return replace(m, R_A=R, p_A=p) if side == 0 else replace(m, R_B=R, p_B=p)


def _guess(m: Matched, reading: StreamReading, clocks: Clocks, pair: _Pair) -> _Guess:
    form, has_scale = pair.choice.form, pair.choice.has_scale is not False
    starts: list[tuple[float, Mounting]] = []
    for R_X, R_Y in rotation_candidates(m, form):
        start = positions_of(m, R_X, R_Y, form, has_scale=has_scale, clocks=clocks)
        starts.append((robust_cost(m, start), start))
    starts.sort(key=lambda scored: scored[0])
    return _Guess(reading, tuple(start for _, start in starts), starts[0][0])


def _tried(pair: _Pair, guess: _Guess) -> _Trial | None:
    """Return the best refinement of a guess by some pairs; None if none succeeds."""
    a, b = pair.read(guess.reading)
    matcher = pair.plain if guess.reading.is_plain else matcher_of(a, b, pair.is_spike)
    free = _first_free(matcher, pair.choice)
    covered = matcher.covered_rows(guess.starts[0].clocks)
    rows = covered[some_rows(len(covered), SEARCHED)]
    fits: list[Refined] = []
    for start in guess.starts:
        try:
            fits.append(refine(matcher, start, pair.choice.form, free, rows=rows, iterations=12))
        except (StreamError, np.linalg.LinAlgError):
            continue
    return _Trial(guess.reading, a, b, matcher, min(fits, key=lambda fit: fit.cost)) if fits else None


def _chosen(found: Sequence[_Trial], choice: AlignChoice) -> tuple[_Trial, tuple[StreamReading, ...]]:
    """Return the best trial, and the other readings that fit as well; of equal ones the simplest is the best.

    A mirror along the axis about which a body turns is told by no motion, so that it is no alternative worth a word.
    """
    least = min(trial.fit.cost for trial in found)
    by_reading: dict[StreamReading, _Trial] = {}
    for trial in sorted(found, key=lambda trial: trial.fit.cost):
        if trial.fit.cost <= least + (LIKELY if trial.reading.is_plain else NEAR):
            by_reading.setdefault(trial.reading, trial)
    near = list(by_reading.values())
    if len(near) > 1:
        near = [_tested(trial, choice) for trial in near]
        first = min(near, key=lambda trial: trial.fit.cost)
        near = [trial for trial in near if trial is first or _fits_alike(trial.fit, first.fit)]
    best = min(near, key=lambda trial: (trial.reading.cost, trial.fit.cost))
    others = (trial.reading for trial in near if trial is not best)
    return best, tuple(reading for reading in others if best.reading.is_mirrored or not reading.is_mirrored)


def _fits_alike(fit: Refined, best: Refined) -> bool:
    """Return whether two readings fit the same pairs alike: their mean difference is within its standard error."""
    rows, of_fit, of_best = np.intersect1d(fit.m.rows, best.m.rows, return_indices=True)
    size = size_of(best.m)
    sigma = max(best.noise_angle, ROUNDING), max(best.noise_position, ROUNDING * size)
    squares = [
        np.minimum(
            (each.residual_angle[at] / sigma[0]) ** 2
            + (each.residual_position[at] * size / size_of(each.m) / sigma[1]) ** 2,
            CHI2_6,
        )
        for each, at in ((fit, of_fit), (best, of_best))
    ]
    worse = squares[0] - squares[1]
    spread = max(float(worse.std()), 0.1) / np.sqrt(max(len(rows), 1))
    return bool(worse.mean() < max(APART * spread, LEAST_APART))


def _tested(trial: _Trial, choice: AlignChoice) -> _Trial:
    """Return a trial with more pairs, and without outliers."""
    free = _first_free(trial.matcher, choice)
    fit = refine(
        trial.matcher, trial.fit.mounting, choice.form, free, rows=_rows(trial, TESTED), iterations=10, is_final=True
    )
    return replace(trial, fit=fit)


def _first_free(matcher: Matcher, choice: AlignChoice) -> Free:
    return Free(choice.has_scale is not False, matcher.has_clocks and choice.offset_s is None, has_drift=False)


def _clocks(b: PoseStream, offset: float) -> Clocks:
    return Clocks(offset, 0.0, 0.0 if b.t is None else float(0.5 * (b.t[0] + b.t[-1])))


def _other_axes(pair: _Pair, best: _Trial) -> list[_Guess]:
    """Return the readings of which the positions alone have other axes than the orientations."""
    if best.reading.is_inverse:
        return []
    m = _some_pairs(pair.plain, best.fit.mounting.clocks, SEARCHED)
    found: list[_Guess] = []
    for change in (*changes(is_proper=True), *changes(is_proper=False)):
        if not change.is_identity:
            rows = tuple(tuple(float(x) for x in row) for row in change.matrix)
            reading = replace(best.reading, is_mirrored=False, axes=rows, axes_text=change.text)
            found.append(_guess(_read_pairs(pair, m, reading), reading, best.fit.mounting.clocks, pair))
    least = min(guess.cost for guess in found)
    return sorted((guess for guess in found if guess.cost < least + 1.0), key=lambda guess: guess.cost)[:MOST_TRIALS]


# --- Clocks


def _offsets(a: PoseStream, b: PoseStream, choice: AlignChoice) -> tuple[float, ...]:
    """Return likely offsets to add to the times of b, s."""
    if choice.offset_s is not None:
        return (choice.offset_s,)
    some_a, some_b = (stream.some(some_rows(len(stream), CLOCK_ROWS)) for stream in (a, b))
    found = [*likely_offsets(Timed(some_a.q_RF, times_of(some_a)), Timed(some_b.q_RF, times_of(some_b)))]
    by_path = offset_by_path(some_a, some_b)
    if by_path is not None:
        found.append(by_path)
    if _overlap(a, b, 0.0) > 0.0:
        found.append(0.0)
    out: list[float] = []
    step = max(median(np.diff(times_of(a))), median(np.diff(times_of(b))))
    for offset in found:
        if _overlap(a, b, offset) > 0.0 and all(abs(offset - other) > 2.0 * step for other in out):
            out.append(offset)
    return tuple(out) or (0.0,)


def _overlap(a: PoseStream, b: PoseStream, offset: float) -> float:
    t_a, t_b = times_of(a), times_of(b)
    return float(min(t_a[-1], t_b[-1] + offset) - max(t_a[0], t_b[0] + offset))


BINS = 2000
"""Number of bins of the shorter path in the search of an offset by positions."""


def offset_by_path(a: PoseStream, b: PoseStream) -> float | None:
    """Return the offset to add to the times of b at which the distances along both paths vary alike; None if unclear.

    Distances do not depend on the axes of the worlds, and a scale changes all of them alike.
    """
    t_a, t_b = times_of(a), times_of(b)
    length = min(float(np.ptp(t_a)), float(np.ptp(t_b)))
    step = max(length / BINS, median(np.diff(t_a)), median(np.diff(t_b)))
    if not step > 0.0 or length < 20.0 * step:
        return None
    width = max(round(length / step / 40), 1)
    signals: list[Array] = []
    for stream, t in ((a, t_a), (b, t_b)):
        grid = np.arange(t[0], t[-1], step)
        p = np.stack([np.interp(grid, t, stream.p_RF[:, k]) for k in range(3)], axis=1)
        moved = np.log(np.linalg.norm(p[width:] - p[:-width], axis=1) + 1e-12)
        spread = float(np.std(moved))
        if len(moved) < 10 or spread < 1e-6:
            return None
        signals.append(np.clip((moved - np.median(moved)) / spread, -3.0, 3.0))
    x, y = signals
    size = 1 << (len(x) + len(y)).bit_length()
    common = np.fft.irfft(np.fft.rfft(x, size) * np.conj(np.fft.rfft(y, size)), size)
    count = np.fft.irfft(np.fft.rfft(np.ones(len(x)), size) * np.conj(np.fft.rfft(np.ones(len(y)), size)), size)
    lags = np.arange(size)
    lags = np.where(lags < len(x), lags, lags - size)
    is_long = count > 0.4 * min(len(x), len(y))
    score = np.where(is_long, common / np.maximum(count, 1.0), -np.inf)
    k = int(np.argmax(score))
    if score[k] < 0.5:
        return None
    return float(lags[k] * step + t_a[0] - t_b[0])


# --- The whole fit


def _finished(
    best: _Trial, equal: tuple[StreamReading, ...], untold: tuple[StreamReading, ...], choice: AlignChoice
) -> Alignment:
    """Return the alignment by all pairs. `equal` are readings that fit as well, `untold` those that must do so."""
    free, few = _decided(best, choice)
    fit = refine(
        best.matcher, few.mounting, choice.form, free,
        iterations=15, is_inverse=best.reading.is_inverse, is_final=True, inverse=few.inverse,
    )  # fmt: skip
    x = fit.mounting
    names = best.a.frame or best.a.name or "a", best.b.frame or best.b.name or "b"
    body, world = Transform(x.R_X, x.p_X), Transform(x.R_Y, x.p_Y)
    notes = tuple(_notes(best, fit, free, equal, choice, has_untold=bool(untold)))
    return Alignment(
        best.a, best.b, choice, best.reading, body, world, x.s, x.clocks, fit.covariance,
        blind_directions(fit, *names), fit.noise_angle, fit.noise_position, fit, (*equal, *untold), notes,
    )  # fmt: skip


def _rows(trial: _Trial, most: int) -> NDArray[np.intp]:
    covered = trial.matcher.covered_rows(trial.fit.mounting.clocks)
    return covered[some_rows(len(covered), most)]


def _decided(best: _Trial, choice: AlignChoice) -> tuple[Free, Refined]:
    """Return which of scale, offset and drift are told from none, and a refinement with them by some pairs."""
    has_clocks = best.matcher.has_clocks
    first = _first_free(best.matcher, choice)
    free = Free(first.has_scale, first.has_offset, has_clocks and choice.has_drift is not False)
    rows = _rows(best, TESTED)

    def fitted(free: Free, start: Mounting) -> Refined:
        return refine(
            best.matcher, start, choice.form, free,
            rows=rows, iterations=12, is_inverse=best.reading.is_inverse, is_final=True,
        )  # fmt: skip

    fit = fitted(free, best.fit.mounting)
    while True:
        errors, x = np.sqrt(np.diagonal(fit.covariance)), fit.mounting
        has_drift = abs(x.clocks.drift) > max(DRIFT_ERRORS * errors[14], LEAST_DRIFT)
        has_scale = abs(float(np.log(x.s))) > max(SCALE_ERRORS * errors[12], LEAST_SCALE)
        has_offset = abs(x.clocks.offset_s) > max(OFFSET_ERRORS * errors[13], LEAST_OFFSET_S)
        if free.has_drift and choice.has_drift is None and not has_drift:
            free, x = free._replace(has_drift=False), replace(x, clocks=replace(x.clocks, drift=0.0))
        elif free.has_scale and choice.has_scale is None and not has_scale:
            free, x = free._replace(has_scale=False), replace(x, s=1.0)
        elif free.has_offset and not free.has_drift and not has_offset:
            free, x = free._replace(has_offset=False), replace(x, clocks=replace(x.clocks, offset_s=0.0))
        else:
            return free, fit
        fit = fitted(free, x)


def _notes(
    best: _Trial,
    fit: Refined,
    free: Free,
    equal: tuple[StreamReading, ...],
    choice: AlignChoice,
    *,
    has_untold: bool,
) -> Iterator[str]:
    a, b = best.a, best.b
    for stream in (a, b):
        yield from (f"{visible_text(stream.name)}: {note}" for note in stream.notes)
    if not best.reading.is_plain and not choice.hand:
        yield f"The poses fit if {best.reading.words(a.name, b.name)}."
    is_unknown = fit.is_mounting_unknown
    if has_untold and not is_unknown:
        yield (
            f"{visible_text(a.name)} and {visible_text(b.name)} do not turn, which leaves the order of their"
            " quaternions and the direction of their orientations open. The rotation of the mounting holds for"
            " orientations as they are written."
        )
    if equal and not is_unknown:
        text = equal[0].words(a.name, b.name)
        others = f" There are {len(equal)} such readings." if len(equal) > 1 else ""
        yield f"Another reading fits as well, and the motion cannot tell which is right: {text}.{others}"
    if not is_unknown and (fit.noise_position > MISFIT * size_of(fit.m) or fit.noise_angle > TURNED):
        yield (
            f"The poses fit badly: {np.degrees(fit.noise_angle):.2g} degrees and {fit.noise_position:.2g} m apart, on a"
            f" path of {size_of(fit.m):.2g} m around its middle. Is the form right, and the scale?"
        )
    for scale, unit in UNIT_WORDS.items():
        if free.has_scale and abs(fit.mounting.s / scale - 1.0) < 0.02:
            yield f"The positions of {visible_text(b.name)} are {unit}, by their scale."
        elif free.has_scale and abs(fit.mounting.s * scale - 1.0) < 0.02:
            yield f"The positions of {visible_text(a.name)} are {unit}, by the scale."
