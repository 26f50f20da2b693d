"""Task of the alignment for the worker process, without Qt."""

from __future__ import annotations

from framescope.app.background.plan_source import IsCancelled, Report, plan_of
from framescope.features.trajectories.core.alignment_study import AlignmentStudy, FramePair, study_frames
from framescope.features.trajectories.core.pose_stream import StreamError


def align_frames(plan: bytes, pair: FramePair, _report: Report, _is_cancelled: IsCancelled) -> AlignmentStudy | str:
    """Return the alignment of two frames of a scene, or why there is none; `plan` as `PlanSource.pack` returns it."""
    try:
        return study_frames(plan_of(plan), pair)
    except StreamError as error:
        return str(error)
