"""Errors of several estimates against one reference, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.errors import visible_text
from framescope.core.kernels.validation import Array
from framescope.features.trajectories.core.alignments import ALIGNMENTS, IDENTITY, Kind, Similarity, align
from framescope.features.trajectories.core.association import Method, PosePairs, associate
from framescope.features.trajectories.core.pose_stream import NS, PoseStream, StreamError, quaternions_of, rotations
from framescope.features.trajectories.core.trajectory_errors import (
    DELTA_UNITS,
    RELATIONS,
    DeltaUnit,
    PoseErrors,
    Relation,
    ape,
    rpe,
    statistics_of,
)


@dataclass(frozen=True)
class Steps:
    """Steps of relative errors, see `framescope.features.trajectories.core.trajectory_errors.rpe`."""

    delta: float = 1.0
    unit: DeltaUnit = "f"
    tolerance: float = 0.1
    all_pairs: bool = False
    from_reference: bool = False

    @property
    def words(self) -> str:
        """The steps in words, such as ``"steps of 1 m, all pairs"``."""
        unit = DELTA_UNITS[self.unit][0 if self.delta == 1 else 1]
        return f"steps of {self.delta:g} {unit}, {'all pairs' if self.all_pairs else 'one after the other'}"


@dataclass(frozen=True)
class Pairing:
    """Pairing of poses, see `framescope.features.trajectories.core.association.associate`.

    `start_s` and `end_s` bound the stamps of the reference, as they are in its file; None for no bound.
    """

    tolerance_s: float = 0.01
    offset_s: float = 0.0
    method: Method = "nearest"
    start_s: float | None = None
    end_s: float | None = None


@dataclass(frozen=True)
class AlignmentKind:
    """Alignment before a comparison: its kind, whether it scales, and the number of pairs it uses; None for all."""

    kind: Kind = "none"
    has_scale: bool = False
    first: int | None = None

    @property
    def words(self) -> str:
        """The alignment in words, such as ``"aligned by points, with scale, by the first 10 pairs"``."""
        text = ALIGNMENTS[self.kind]
        if self.has_scale:
            text = "scaled, not aligned" if self.kind == "none" else f"{text}, with scale"
        return f"{text}, by the first {self.first} pairs" if self.first is not None else text


def alignment_of(
    by_points: bool, scale: bool, first: int, *, origin: bool = False, poses: bool = False, yaw: bool = False
) -> AlignmentKind:
    """Return the alignment of evo's options.

    Raises
    ------
    StreamError
        When several alignments are asked for.

    >>> alignment_of(True, True, -1).words
    'aligned by points, with scale'
    """
    chosen = [
        kind
        for kind, is_chosen in (("points", by_points), ("origin", origin), ("poses", poses), ("yaw", yaw))
        if is_chosen
    ]
    if len(chosen) > 1:
        raise StreamError("expected one of --align, --align_origin, --align_poses and --align_yaw.")
    if first != -1 and first < 1:
        raise StreamError(f"--n_to_align: expected a number of pairs above 0, or -1 for all, got {first}.")
    if first != -1 and not (scale or set(chosen) & {"points", "poses", "yaw"}):
        raise StreamError("--n_to_align needs an alignment: give --align, --align_poses or --align_yaw.")
    kind: Kind = chosen[0] if chosen else "none"  # type: ignore[assignment]
    return AlignmentKind(kind, scale, None if first == -1 else first)


@dataclass(frozen=True, eq=False)
class EstimateErrors:
    """Errors of one estimate.

    Attributes
    ----------
    name
        Name of the estimate.
    pairs
        Pairs of reference and estimate, the estimate aligned.
    errors
        The errors.
    statistics
        Their statistics by name.
    similarity
        Alignment that was applied to the estimate.
    estimate
        The whole estimate, aligned, with all its poses.
    """

    name: str
    pairs: PosePairs
    errors: PoseErrors
    statistics: dict[str, float]
    similarity: Similarity
    estimate: PoseStream

    @property
    def t(self) -> Array | None:
        """Times (n,) of the pairs as in the file of the reference, s; None without times."""
        return None if self.pairs.t is None else self.pairs.t + self.pairs.a.epoch_ns / NS


def errors_of(
    reference: PoseStream,
    estimate: PoseStream,
    relation: Relation,
    steps: Steps | None = None,
    alignment: AlignmentKind | None = None,
    pairing: Pairing | None = None,
) -> EstimateErrors:
    """Return the errors of an estimate: absolute ones without steps, else relative ones.

    Raises
    ------
    StreamError
        When the poses do not pair up, the positions leave the alignment open, or no step has the length.
    """
    alignment, pairing = alignment or AlignmentKind(), pairing or Pairing()
    reference = between(reference, pairing.start_s, pairing.end_s)
    pairs = associate(
        reference, estimate, tolerance_s=pairing.tolerance_s, offset_s=pairing.offset_s, method=pairing.method
    )
    of_reference, of_estimate = (pairs.p_A, pairs.q_A), (pairs.p_B, pairs.q_B)
    similarity = align(alignment.kind, of_reference, of_estimate, has_scale=alignment.has_scale, first=alignment.first)
    p, q = of_estimate if similarity is IDENTITY else similarity.moved(*of_estimate)
    pairs = replace(pairs, p_B=p, q_B=q)
    if steps is None:
        errors = ape(of_reference, (p, q), relation)
    else:
        errors = rpe(
            of_reference, (p, q), relation,
            delta=steps.delta, unit=steps.unit, all_pairs=steps.all_pairs, tolerance=steps.tolerance,
            from_reference=steps.from_reference, t=pairs.t,
        )  # fmt: skip
    name = estimate.name
    return EstimateErrors(
        name, pairs, errors, statistics_of(errors.errors), similarity, moved_stream(pairs.b, similarity)
    )


def moved_stream(stream: PoseStream, similarity: Similarity) -> PoseStream:
    """Return a stream whose poses a similarity moves."""
    p = similarity.s * (stream.p_RF @ similarity.R.T) + similarity.t
    return replace(stream, p_RF=p, q_RF=quaternions_of(similarity.R @ rotations(stream.q_RF)))


def between(stream: PoseStream, start_s: float | None, end_s: float | None) -> PoseStream:
    """Return the poses of a stream between two stamps of its file, s.

    Raises
    ------
    StreamError
        When it has no times, or no pose in between.
    """
    if start_s is None and end_s is None:
        return stream
    if stream.t is None:
        raise StreamError(f"{stream.name} has no times: --t_start and --t_end need them.")
    t = stream.t + stream.epoch_ns / NS
    rows = np.flatnonzero(
        (t >= (-np.inf if start_s is None else start_s)) & (t <= (np.inf if end_s is None else end_s))
    )
    if not len(rows):
        asked = " ".join(
            f"{word} {limit:g} s" for word, limit in (("from", start_s), ("to", end_s)) if limit is not None
        )
        raise StreamError(f"{visible_text(stream.name)} has no pose {asked}: it runs from {t[0]:.3f} to {t[-1]:.3f} s.")
    return stream.some(rows)


def title_of(relation: Relation, steps: Steps | None, alignment: AlignmentKind) -> str:
    """Return the title of errors, such as ``"APE of translation, m; aligned by points"``.

    >>> title_of("angle_deg", Steps(), AlignmentKind())
    'RPE of rotation angle, deg; steps of 1 frame, one after the other; not aligned'
    """
    part, unit = RELATIONS[relation]
    what = f"{'APE' if steps is None else 'RPE'} of {part}{f', {unit}' if unit else ''}"
    return "; ".join([what, *([] if steps is None else [steps.words]), alignment.words])


def names_of(streams: Sequence[PoseStream]) -> list[str]:
    """Return a name for each stream, with a number for those that share one.

    >>> q = np.array([[0.0, 0.0, 0.0, 1.0]])
    >>> names_of([PoseStream("a.txt", None, np.zeros((1, 3)), q)] * 2)
    ['a.txt', 'a.txt 2']
    """
    seen: dict[str, int] = {}
    out: list[str] = []
    for stream in streams:
        seen[stream.name] = seen.get(stream.name, 0) + 1
        out.append(stream.name if seen[stream.name] == 1 else f"{stream.name} {seen[stream.name]}")
    return out
