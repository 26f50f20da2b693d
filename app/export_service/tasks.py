"""Tasks of the process that exports for a window: sketches while the user chooses options, then the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from framescope.app.background.plan_source import IsCancelled, Report, now_and_then, whole_plan_of
from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.formats import formats_by_suffix
from framescope.app.exporters.registry import request_for, write
from framescope.app.exporters.request import Hooks, SceneSource, checked_request, frame_source_of
from framescope.app.exporters.scene_graph.remarks import accuracy_remark, accuracy_text
from framescope.app.storage.temporary_folders import TemporaryFolder
from framescope.core.errors import FramescopeError
from framescope.ui.exports.options import ExportOptions

SKETCHED = ".png"
"""Suffix of the format of sketches, which can be transparent and of any size."""


class Job(Protocol):
    """Description of one export: picklable plain data."""

    @property
    def path(self) -> Path:
        """File to write."""
        ...


J = TypeVar("J", bound=Job)

ExportTask = Callable[[J, Report, IsCancelled], str]
"""Function of a module that writes a job's export; it returns the accuracy in words, or an empty text."""


@dataclass(frozen=True)
class ExportJob:
    """An export of a plan, packed by `PlanSource`: its file and options, and whether it is a single picture."""

    plan: bytes
    path: Path
    options: ExportOptions
    is_still: bool = False
    source: SceneSource | None = None


@dataclass(frozen=True)
class Drawn:
    """A sketch of the export as PNG, or the reason why there is none."""

    png: bytes = b""
    why: str = ""


@dataclass(frozen=True)
class Measured:
    """Size and accuracy of a model or a page, or the frames that a film still needs, in words."""

    text: str


@dataclass(frozen=True)
class ExportProgress:
    """Number of parts of an export that are done, and their total."""

    done: int
    total: int


def prepare(plan: bytes, _report: Report, _is_cancelled: IsCancelled) -> None:
    """Compile the plan and import the renderer before the first request."""
    whole_plan_of(plan)


def sketch(job: ExportJob, t: float, measured: ExportJob | None, report: Report, is_cancelled: IsCancelled) -> None:
    """Report a sketch of time `t`, s, and, with `measured`, its size and accuracy, or the frames still to be drawn.

    The time of a film of several shots is that of the film.
    """
    try:
        report(Drawn(_draw_sketch(job, t)))
    except FramescopeError as error:
        report(Drawn(why=str(error)))
    if measured is not None:
        is_film = frame_source_of(measured.options) is not None
        report(Measured(undrawn_text(count_undrawn(measured)) if is_film else measure_model(measured, is_cancelled)))


def write_export(job: ExportJob, report: Report, is_cancelled: IsCancelled) -> str:
    """Write an export; return the accuracy of a model, or an empty text."""
    plan, progress = whole_plan_of(job.plan), now_and_then(report)

    def report_progress(done: int, total: int) -> None:
        (report if done == total else progress)(ExportProgress(done, total))

    try:
        hooks: Hooks = {"source": job.source, "progress": report_progress, "is_cancelled": is_cancelled}
        accuracy = write(request_for(plan.scene, plan, job.path, job.options, is_still=job.is_still, **hooks))
    except MemoryError:
        raise ExportError("There is not enough memory. Choose a smaller size.") from None
    if accuracy is None or isinstance(accuracy, str):
        return accuracy or ""
    return accuracy_text(accuracy)


def _draw_sketch(job: ExportJob, t: float) -> bytes:
    from framescope.app.exporters.rendering.headless import rendered_frames, rendered_picture
    from framescope.app.exporters.rendering.png import png_of

    plan = whole_plan_of(job.plan)
    file_format = formats_by_suffix(is_still=job.is_still)[SKETCHED]
    request = checked_request(plan.scene, plan, Path(SKETCHED), file_format, job.options)
    if frame_source_of(job.options) is not None:
        (frame,) = rendered_frames(request, np.array([min(t, request.stop)]))
        return png_of(frame)
    return png_of(rendered_picture(request, None if job.is_still else t))


def count_undrawn(job: ExportJob) -> int | None:
    """Return how many frames of a film an export would draw; None where that is unknown, or the job has a problem."""
    plan, source = whole_plan_of(job.plan), frame_source_of(job.options)
    if source is None:
        return None
    try:
        return source.count_undrawn(request_for(plan.scene, plan, job.path, job.options))
    except FramescopeError:
        return None


def undrawn_text(n: int | None) -> str:
    """Return how many frames of a film an export would draw, in words; empty where that is unknown.

    >>> undrawn_text(2250), undrawn_text(1), undrawn_text(0), undrawn_text(None)
    ('2,250 to draw', '1 to draw', 'all kept from an earlier export', '')
    """
    return "" if n is None else f"{n:,} to draw" if n else "all kept from an earlier export"


def measure_model(job: ExportJob, is_cancelled: IsCancelled) -> str:
    """Export a model into a temporary folder; return its size and accuracy, or the error, in words."""
    plan = whole_plan_of(job.plan)
    try:
        # In a private folder: in a shared one, another user could place a link under the file's name.
        with TemporaryFolder() as folder:
            path = folder / f"model{job.path.suffix}"
            request = request_for(plan.scene, plan, path, job.options, is_cancelled=is_cancelled)
            accuracy = write(request)
            return "" if accuracy is None or isinstance(accuracy, str) else accuracy_remark(path, accuracy)
    except ExportCancelledError:
        raise
    except (FramescopeError, OSError) as error:
        return str(error)
