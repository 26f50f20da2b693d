"""Tasks of the process in which a window's exports are made: small pictures while a person chooses, then the file."""

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
from framescope.app.exporters.request import Hooks, SceneSource, checked_request
from framescope.app.exporters.scene_graph.remarks import accuracy_remark, accuracy_text
from framescope.app.storage.temporary_folders import TemporaryFolder
from framescope.core.errors import FramescopeError
from framescope.ui.exports.options import ExportOptions

SKETCHED = ".png"
"""The format of sketches: it can be clear, and may have any size."""


class Job(Protocol):
    """Description of one export: plain data that another process can read."""

    @property
    def path(self) -> Path:
        """File to write."""
        ...


J = TypeVar("J", bound=Job)

ExportTask = Callable[[J, Report, IsCancelled], str]
"""Function of a module that writes the export of a job, and returns a remark on how exact it is, or nothing."""


@dataclass(frozen=True)
class ExportJob:
    """An export of a plan, packed by `PlanSource`: where to, how, and whether it is one picture."""

    plan: bytes
    path: Path
    options: ExportOptions
    is_still: bool = False
    source: SceneSource | None = None


@dataclass(frozen=True)
class Drawn:
    """A small picture of what will come, as PNG, or why there is none."""

    png: bytes = b""
    why: str = ""


@dataclass(frozen=True)
class Measured:
    """How large a model or a page becomes, and how exact."""

    text: str


@dataclass(frozen=True)
class ExportProgress:
    """Parts of an export that are done, and all."""

    done: int
    total: int


def opened(plan: bytes, _report: Report, _is_cancelled: IsCancelled) -> None:
    """Make the plan, and import what draws it, before anything is asked for."""
    whole_plan_of(plan)


def sketched(job: ExportJob, t: float, measured: ExportJob | None, report: Report, is_cancelled: IsCancelled) -> None:
    """Report what the moment `t`, s, looks like in an export, and how large the file becomes, where that is asked."""
    try:
        report(Drawn(_drawn(job, t)))
    except FramescopeError as error:
        report(Drawn(why=str(error)))
    if measured is not None:
        report(Measured(_measured(measured, is_cancelled)))


def written(job: ExportJob, report: Report, is_cancelled: IsCancelled) -> str:
    """Write an export; return how exact a model is, if it is one."""
    plan, progress = whole_plan_of(job.plan), now_and_then(report)

    def tell(done: int, total: int) -> None:
        (report if done == total else progress)(ExportProgress(done, total))

    try:
        hooks: Hooks = {"source": job.source, "progress": tell, "is_cancelled": is_cancelled}
        made = write(request_for(plan.scene, plan, job.path, job.options, is_still=job.is_still, **hooks))
    except MemoryError:
        raise ExportError("There is not enough memory. Choose a smaller size.") from None
    return "" if made is None else accuracy_text(made)


def _drawn(job: ExportJob, t: float) -> bytes:
    from framescope.app.exporters.rendering.headless import rendered_frames
    from framescope.app.exporters.rendering.png import png_of

    plan = whole_plan_of(job.plan)
    made = formats_by_suffix(is_still=job.is_still)[SKETCHED]
    request = checked_request(plan.scene, plan, Path(SKETCHED), made, job.options)
    (pixels,) = rendered_frames(request, None if job.is_still else np.array([t]))
    return png_of(pixels)


def _measured(job: ExportJob, is_cancelled: IsCancelled) -> str:
    """Write a model where nobody sees it, and return what came of it."""
    plan = whole_plan_of(job.plan)
    try:
        # In a folder of its own: in one that others may write, a link could stand in place of any name.
        with TemporaryFolder() as folder:
            path = folder / f"model{job.path.suffix}"
            request = request_for(plan.scene, plan, path, job.options, is_cancelled=is_cancelled)
            return accuracy_remark(path, write(request))
    except ExportCancelledError:
        raise
    except (FramescopeError, OSError) as error:
        return str(error)
