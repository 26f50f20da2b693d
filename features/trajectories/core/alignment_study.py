"""Study of two frames of a scene: their alignment, and the errors of one against the other."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from framescope.core.errors import visible_text
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.model import WORLD
from framescope.features.trajectories.core import alignments
from framescope.features.trajectories.core.align_streams import AlignChoice, Alignment, align
from framescope.features.trajectories.core.association import PosePairs, associate
from framescope.features.trajectories.core.pose_stream import NS, PoseStream, StreamError, times_of
from framescope.features.trajectories.core.stream_reading import stream_of_frame
from framescope.features.trajectories.core.trajectory_errors import (
    DeltaUnit,
    PoseErrors,
    Relation,
    ape,
    rpe,
    statistics_of,
)

REACH = 2.0
"""Largest time between a pose and the nearest of the denser stream, in steps of that stream; beyond it is a gap."""


@dataclass(frozen=True)
class FramePair:
    """Two frames of a scene whose poses are aligned, and how.

    Poses are those in the world. Of hand and eye, each is in the parent of its frame.

    Attributes
    ----------
    a, b
        Names of the frames; a is the reference.
    choice
        Choices of the alignment.
    """

    a: str
    b: str
    choice: AlignChoice = field(default_factory=AlignChoice)


@dataclass(frozen=True, eq=False)
class AlignmentStudy:
    """Alignment of two frames of a scene.

    Attributes
    ----------
    pair
        The frames.
    alignment
        The answer.
    raw, aligned
        Pairs of poses at the same times: of a and b as they are, and of a and the pose of a that b predicts.
    reference_a, reference_b
        Frames of the scene in which the poses of a and b are.
    """

    pair: FramePair
    alignment: Alignment
    raw: PosePairs
    aligned: PosePairs
    reference_a: str
    reference_b: str

    @property
    def times(self) -> Array:
        """Times (n,) of the aligned pairs in the scene, s; numbers of the poses if they have no times."""
        return _times(self.aligned)


def study_frames(plan: Plan, pair: FramePair) -> AlignmentStudy:
    """Return the alignment of two frames of a scene.

    Raises
    ------
    StreamError
        When a frame has no poses, the frames are one, their poses have no common time, or no rigid mounting fits them.
    """
    if pair.a == pair.b:
        raise StreamError(f"{visible_text(pair.a)} is on both sides. Choose two frames.")
    references = [_parent(plan, name) if pair.choice.hand else WORLD for name in (pair.a, pair.b)]
    a, b = (stream_of_frame(plan, *names) for names in zip((pair.a, pair.b), references, strict=True))
    answer = align(a, b, pair.choice)
    as_read = answer.b
    aligned = answer.aligned_b()
    return AlignmentStudy(pair, answer, _pairs(answer.a, as_read), _pairs(answer.a, aligned), *references)


def _pairs(a: PoseStream, b: PoseStream) -> PosePairs:
    if a.t is None or b.t is None:
        return associate(a, b, method="order")
    long = max(a, b, key=len)
    return associate(a, b, method="interpolated", tolerance_s=REACH * float(np.median(np.diff(times_of(long)))))


def _times(pairs: PosePairs) -> Array:
    """Return the times of pairs (n,) in the scene, s; numbers of the poses if they have no times."""
    return np.arange(float(len(pairs))) if pairs.t is None else pairs.t + pairs.a.epoch_ns / NS


def _parent(plan: Plan, frame: str) -> str:
    item = plan.scene.frames.get(frame)
    return WORLD if item is None else item.parent


@dataclass(frozen=True)
class ErrorChoice:
    """Choice of an error of trajectories.

    Attributes
    ----------
    is_relative
        Whether steps are compared (RPE) instead of poses (APE).
    relation
        Part of the pose that is compared.
    kind
        Alignment before the comparison; None for the mounting that was found, with both offsets.
    has_scale
        Whether an alignment by points or yaw scales.
    delta, unit
        Length of a step.
    """

    is_relative: bool = False
    relation: Relation = "trans_part"
    kind: alignments.Kind | None = None
    has_scale: bool = False
    delta: float = 1.0
    unit: DeltaUnit = "f"


@dataclass(frozen=True, eq=False)
class ErrorCurve:
    """Errors over time, with their statistics.

    Attributes
    ----------
    errors
        Errors and the pairs at which they count.
    t : (n,)
        Times of the errors, s.
    statistics
        Values by name, in the unit of the errors.
    p, p_reference : (m, 3)
        Positions of all pairs of the estimate, aligned, and of the reference, m.
    """

    errors: PoseErrors
    t: Array
    statistics: dict[str, float]
    p: Array
    p_reference: Array


def error_curve(study: AlignmentStudy, choice: ErrorChoice) -> ErrorCurve:
    """Return the errors of frame b against frame a.

    Raises
    ------
    StreamError
        When the choice cannot be computed, such as steps longer than the path.
    """
    pairs = study.aligned if choice.kind is None else study.raw
    reference, estimate = (pairs.p_A, pairs.q_A), (pairs.p_B, pairs.q_B)
    if choice.kind is not None:
        moved = alignments.align(choice.kind, reference, estimate, has_scale=choice.has_scale)
        estimate = moved.moved(*estimate)
    times = _times(pairs)
    if choice.is_relative:
        errors = rpe(reference, estimate, choice.relation, delta=choice.delta, unit=choice.unit, t=times)
    else:
        errors = ape(reference, estimate, choice.relation)
    return ErrorCurve(errors, times[errors.rows], statistics_of(errors.errors), estimate[0], reference[0])


def with_hand(choice: AlignChoice, key: str) -> AlignChoice:
    """Return choices with another form: a key of `FORMS`, or a form of hand and eye."""
    if key in {"eye in hand", "eye to hand"}:
        return replace(choice, form="mounted", hand=key)  # type: ignore[arg-type]
    return replace(choice, form=key, hand="")  # type: ignore[arg-type]
