"""Task of a worker process that draws frames of a film or of numbered pictures for another process.

Drawing and Qt need the main thread, so a process draws one frame at a time. The renderer is kept for the next task,
because creating one takes as long as drawing many frames.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from framescope.app.background.plan_source import IsCancelled, PlanSource, Report, whole_plan_of
from framescope.app.background.worker_client import TaskCancelledError
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.formats import formats_by_suffix
from framescope.app.exporters.rendering.headless import Drawer, open_renderer
from framescope.app.exporters.rendering.png import png_of
from framescope.app.exporters.request import ExportRequest, checked_request
from framescope.core.errors import ItemError
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.files.referenced_files import KNOWN_FILES, named_files
from framescope.core.system.caches import FileState, file_state
from framescope.core.system.file_access import resolve_named
from framescope.ui.exports.options import ExportOptions

FileStates = tuple[tuple[str, tuple[FileState, ...]], ...]
"""States of the scene's files, by name; a bag that is a folder has several."""


@dataclass(frozen=True)
class FrameJob:
    """Frames to draw.

    Attributes
    ----------
    plan
        Packed `PlanSource`, from which the plan is compiled.
    files
        States of the scene's files; a process that finds other states must not draw.
    suffix, options
        Suffix of the exported file, which names the format, and the export options.
    """

    plan: bytes
    files: FileStates
    suffix: str
    options: ExportOptions


def frame_job_of(request: ExportRequest) -> FrameJob:
    """Return the job that a worker process needs to draw frames of a request."""
    plan = request.plan
    packed = PlanSource(plan.scene, plan.context.access, plan.simulations).pack()
    return FrameJob(packed, _file_states(plan), request.path.suffix, replace(request.options, cluster=None, jobs=None))


def report_frames(job: str, numbers: Sequence[int], as_png: bool, report: Report, is_cancelled: IsCancelled) -> None:
    """Report frames of the pickled `FrameJob` in the file `job`, one by one: as raw pixels or as PNG files."""
    request, renderer = _open_job(job)
    times = request.times
    for i in numbers:
        if is_cancelled():
            raise TaskCancelledError
        frame = renderer.frame(float(times[i]))
        report(png_of(frame, request.title, request.license) if as_png else np.ascontiguousarray(frame).tobytes())


@lru_cache(maxsize=1)
def _open_job(path: str) -> tuple[ExportRequest, Drawer]:
    job: FrameJob = pickle.loads(Path(path).read_bytes())  # noqa: S301 - written by the process that started this one
    plan = whole_plan_of(job.plan)
    for (name, before), (_, now) in zip(job.files, _file_states(plan), strict=True):
        if now != before:
            raise ExportError(f"{name} has changed since the export has begun. Export again.")
    file_format = formats_by_suffix()[job.suffix.lower()]
    request = checked_request(plan.scene, plan, Path(f"frames{job.suffix}"), file_format, job.options)
    return request, open_renderer(request)


def _file_states(plan: Plan) -> FileStates:
    return tuple((name, tuple(_states_of(plan, name))) for name in named_files(plan.scene))


def _states_of(plan: Plan, name: str) -> list[FileState]:
    try:
        path = resolve_named(name, plan.context.access, (), KNOWN_FILES)
        return [file_state(member) for member in (sorted(path.iterdir()) if path.is_dir() else [path])]
    except (ItemError, OSError, ValueError):  # a missing file does not affect the drawing
        return []
