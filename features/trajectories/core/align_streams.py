"""Alignment of two pose streams: mounting, scale, clocks and conventions, with their accuracy and what stays open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from framescope.core.errors import counted, visible_text
from framescope.core.kernels.validation import Array, median
from framescope.core.transform import Transform
from framescope.features.detective.core.axis_changes import AxisChange, changes
from framescope.features.detective.core.clocks import Timed, likely_offsets
from framescope.features.trajectories.core.blind_directions import BlindDirection, blind_directions
from framescope.features.trajectories.core.matched_poses import Clocks, Matcher, matcher_of
from framescope.features.trajectories.core.mounting import (
    Form,
    Mounting,
    angles_between,
    positions_of,
    rotation_candidates,
    size_of,
    some_rows,
)
from framescope.features.trajectories.core.pose_stream import PoseStream, StreamError, on_one_epoch, times_of
from framescope.features.trajectories.core.refinement import Free, Refined, refine
from framescope.features.trajectories.core.stream_readings import PLAIN, READINGS, StreamReading

Hand = Literal["", "eye in hand", "eye to hand"]

SEARCHED, TESTED = 300, 4000
"""Number of pairs with which readings are searched, and with which scale and drift are tested."""

CLOCK_ROWS = 20_000
"""Largest number of poses of a stream by which the offset of the clocks is searched."""

TIE = 0.25
"""Difference of the logarithms of the misfits, of one of six numbers, up to which two readings fit alike."""

SCALE_ERRORS, OFFSET_ERRORS, DRIFT_ERRORS = 3.0, 1.5, 5.0
"""Standard errors from which a scale, an offset of clocks and a drift are told from none."""

LEAST_SCALE, LEAST_OFFSET_S, LEAST_DRIFT = 1e-10, 1e-10, 1e-11
"""Logarithm of a scale, offset and drift up to which rounding explains them."""

UNRELATED = 0.3
"""Noise of orientations, rad, from which two streams count as unrelated."""

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
        from framescope.features.trajectories.core.pose_stream import quaternions_of, same_signs

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
    The offset of the clocks comes from distances between orientations, which no convention changes. Then each reading of
    the numbers gets a closed-form solution and a robust refinement with some of the pairs. The best one is refined with
    all pairs. Scale, clock offset and drift stay only if they differ from none by some standard errors.

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
    found = sorted(_trials(a, b, choice), key=lambda trial: trial.cost)
    if not found:
        raise StreamError(
            f"{visible_text(a.name)} and {visible_text(b.name)} cannot be aligned: no reading of the poses gives a mounting."
        )
    best = found[0]
    if best.fit.noise_angle > UNRELATED and choice.hand == "":
        raise StreamError(
            f"no rigid mounting joins {visible_text(a.name)} and {visible_text(b.name)}: under the best reading the"
            f" orientations are {np.degrees(best.fit.noise_angle):.0f} degrees apart. Are both of one body, at the same time?"
        )
    if best.fit.noise_position > POSITIONS_APART * size_of(best.fit.m):
        better = min(_with_other_axes(a, b, best, choice), key=lambda trial: trial.cost, default=best)
        best = better if better.cost < best.cost else best
    return _finished(best, found, choice)


POSITIONS_APART = 0.1
"""Noise of positions, as a fraction of the size of the motion, from which other axes of positions are tried."""


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


def _readings(choice: AlignChoice) -> tuple[StreamReading, ...]:
    if choice.hand == "eye in hand":
        return (StreamReading(is_inverse=True),)
    if choice.hand == "eye to hand" or not choice.conventions:
        return (PLAIN,)
    return READINGS


def _trials(a: PoseStream, b: PoseStream, choice: AlignChoice) -> Iterator[_Trial]:
    """Yield the readings that may fit, each with its best refinement."""
    plain = matcher_of(a, b)
    offsets = _offsets(a, b, choice) if plain.has_clocks else (0.0,)
    angles: list[tuple[float, StreamReading, float, Matcher, PoseStream, PoseStream]] = []
    for reading in _readings(choice):
        read_a, read_b = (reading.of(a), b) if reading.side == "a" else (a, reading.of(b))
        matcher = matcher_of(read_a, read_b)
        for offset in offsets:
            try:
                m = matcher.matched(_clocks(read_b, offset))
            except StreamError:
                if offset == offsets[-1] and reading is PLAIN and not angles:
                    raise
                continue
            m = m.some(some_rows(len(m), SEARCHED))
            R_X, R_Y = rotation_candidates(m, choice.form)[0]
            angle = median(angles_between(m.R_A @ R_X, R_Y @ m.R_B))
            angles.append((angle, reading, offset, matcher, read_a, read_b))
    least = min(angle for angle, *_ in angles)
    for angle, reading, offset, matcher, read_a, read_b in angles:
        if angle <= max(2.5 * least, least + 1e-6):
            yield from _best_of(reading, offset, matcher, read_a, read_b, choice)


def _best_of(
    reading: StreamReading, offset: float, matcher: Matcher, a: PoseStream, b: PoseStream, choice: AlignChoice
) -> Iterator[_Trial]:
    clocks = _clocks(b, offset)
    m = matcher.matched(clocks)
    rows = m.rows[some_rows(len(m), SEARCHED)]
    few = m.some(np.isin(m.rows, rows))
    free = _first_free(matcher, choice)
    fits: list[Refined] = []
    for R_X, R_Y in rotation_candidates(few, choice.form):
        start = positions_of(few, R_X, R_Y, choice.form, has_scale=free.has_scale, clocks=clocks)
        try:
            fits.append(refine(matcher, start, choice.form, free, rows=rows, iterations=12))
        except (StreamError, np.linalg.LinAlgError):
            continue
    if fits:
        yield _Trial(reading, a, b, matcher, min(fits, key=lambda fit: fit.cost))


def _first_free(matcher: Matcher, choice: AlignChoice) -> Free:
    return Free(choice.has_scale is not False, matcher.has_clocks and choice.offset_s is None, has_drift=False)


def _clocks(b: PoseStream, offset: float) -> Clocks:
    return Clocks(offset, 0.0, 0.0 if b.t is None else float(0.5 * (b.t[0] + b.t[-1])))


def _with_other_axes(a: PoseStream, b: PoseStream, best: _Trial, choice: AlignChoice) -> Iterator[_Trial]:
    """Yield the readings of which the positions alone have other axes than the orientations."""
    if choice.hand or not choice.conventions:
        return
    offset = best.fit.mounting.clocks.offset_s
    for change in (*changes(is_proper=True), *changes(is_proper=False)):
        if change.is_identity or best.reading.is_inverse:
            continue
        rows = tuple(tuple(float(x) for x in row) for row in change.matrix)
        reading = replace(best.reading, axes=rows, axes_text=_axes_words(change))
        read_a, read_b = (reading.of(a), b) if reading.side == "a" else (a, reading.of(b))
        yield from _best_of(reading, offset, matcher_of(read_a, read_b), read_a, read_b, choice)


def _axes_words(change: AxisChange) -> str:
    return change.text


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


def _finished(best: _Trial, found: Iterable[_Trial], choice: AlignChoice) -> Alignment:
    free = _decided(best, choice)
    start = best.fit.mounting
    if not free.has_scale:
        start = replace(start, s=1.0)
    if not free.has_offset:
        start = replace(start, clocks=replace(start.clocks, offset_s=choice.offset_s or 0.0))
    is_inverse = best.reading.is_inverse
    few = refine(best.matcher, start, choice.form, free, rows=_rows(best, TESTED), iterations=15)
    fit = refine(best.matcher, few.mounting, choice.form, free, iterations=15, is_inverse=is_inverse, is_final=True)
    x = fit.mounting
    names = best.a.frame or best.a.name or "a", best.b.frame or best.b.name or "b"
    alternatives = tuple(
        trial.reading for trial in found if trial.reading != best.reading and abs(trial.fit.cost - best.fit.cost) < TIE
    )
    body, world = Transform(x.R_X, x.p_X), Transform(x.R_Y, x.p_Y)
    notes = tuple(_notes(best, fit, free, alternatives))
    return Alignment(
        best.a, best.b, choice, best.reading, body, world, x.s, x.clocks, fit.covariance,
        blind_directions(fit, *names), fit.noise_angle, fit.noise_position, fit, alternatives, notes,
    )  # fmt: skip


def _rows(trial: _Trial, most: int) -> np.typing.NDArray[np.intp]:
    m = trial.matcher.matched(trial.fit.mounting.clocks)
    return m.rows[some_rows(len(m), most)]


def _decided(best: _Trial, choice: AlignChoice) -> Free:
    """Return which of scale, offset and drift are told from none, by a refinement with some pairs."""
    has_clocks = best.matcher.has_clocks
    first = _first_free(best.matcher, choice)
    free = Free(first.has_scale, first.has_offset, has_clocks and choice.has_drift is not False)
    rows = _rows(best, TESTED)
    is_inverse = best.reading.is_inverse

    def fitted(free: Free, start: Mounting) -> Refined:
        return refine(
            best.matcher, start, choice.form, free, rows=rows, iterations=12, is_inverse=is_inverse, is_final=True
        )

    fit = fitted(free, best.fit.mounting)
    errors = np.sqrt(np.diagonal(fit.covariance))
    if free.has_drift and choice.has_drift is None:
        drift = abs(fit.mounting.clocks.drift)
        if not drift > max(DRIFT_ERRORS * errors[14], LEAST_DRIFT):
            free = free._replace(has_drift=False)
            start = replace(fit.mounting, clocks=replace(fit.mounting.clocks, drift=0.0))
            fit = fitted(free, start)
            errors = np.sqrt(np.diagonal(fit.covariance))
    if free.has_scale and choice.has_scale is None:
        grown = abs(float(np.log(fit.mounting.s)))
        free = free._replace(has_scale=bool(grown > max(SCALE_ERRORS * errors[12], LEAST_SCALE)))
    if free.has_offset and not free.has_drift:
        offset = abs(fit.mounting.clocks.offset_s)
        free = free._replace(has_offset=bool(offset > max(OFFSET_ERRORS * errors[13], LEAST_OFFSET_S)))
    return free


def _notes(best: _Trial, fit: Refined, free: Free, alternatives: tuple[StreamReading, ...]) -> Iterator[str]:
    a, b = best.a, best.b
    for stream in (a, b):
        yield from (f"{visible_text(stream.name)}: {note}" for note in stream.notes)
    n_out = int((~fit.is_used).sum())
    if n_out:
        yield f"{counted(n_out, 'pair')} of {len(fit.m)} {'is an outlier' if n_out == 1 else 'are outliers'}, left out."
    if not best.reading.is_plain:
        yield f"The poses fit if {best.reading.words(a.name, b.name)}."
    if alternatives:
        texts = "; or ".join(reading.words(a.name, b.name) for reading in alternatives)
        yield f"The motion cannot tell this from another reading: {texts}."
    for scale, unit in UNIT_WORDS.items():
        if free.has_scale and abs(fit.mounting.s / scale - 1.0) < 0.02:
            yield f"The positions of {visible_text(b.name)} are {unit}, by their scale."
        elif free.has_scale and abs(fit.mounting.s * scale - 1.0) < 0.02:
            yield f"The positions of {visible_text(a.name)} are {unit}, by the scale."
