"""Task of the export process: writes the page, the handout or the film of a lesson."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from framescope.app.background.plan_source import IsCancelled, Report, now_and_then
from framescope.app.export_service.tasks import ExportProgress
from framescope.app.exporters.registry import write
from framescope.core.system.file_access import Access
from framescope.features.lessons.app.export.lesson_request import lesson_request
from framescope.features.lessons.core.lesson import Lesson
from framescope.features.lessons.core.staging import Staging
from framescope.ui.exports.options import ExportOptions


@dataclass(frozen=True)
class LessonJob:
    """Export of a lesson: the lesson, the folder of each step's scene, the output path and the options."""

    lesson: Lesson
    stagings: tuple[Staging, ...]
    folders: tuple[Path, ...]
    path: Path
    options: ExportOptions


def lesson_written(job: LessonJob, report: Report, is_cancelled: IsCancelled) -> str:
    """Write the export of a lesson in the format of its suffix. Return an empty message."""
    access = [Access(folder) for folder in job.folders]
    by_name = {staging.scene_name: may_read for staging, may_read in zip(job.stagings, access, strict=True)}
    progress = now_and_then(report)

    def report_progress(done: int, total: int) -> None:
        (report if done == total else progress)(ExportProgress(done, total))

    request = lesson_request(job.lesson, job.stagings, by_name.__getitem__, job.path, job.options)
    write(replace(request, progress=report_progress, is_cancelled=is_cancelled))
    return ""
