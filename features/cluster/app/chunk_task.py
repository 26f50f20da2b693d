"""Task of a process that draws one chunk of a film for a worker of a cluster.

Drawing and Qt need the main thread, which a worker of a cluster uses itself, so the chunk has a process of its own. A
crash of a graphics driver then costs one chunk instead of a worker.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from framescope.app.background.plan_source import IsCancelled, Report, now_and_then
from framescope.app.exporters import scene_zip
from framescope.app.exporters.encoding.chunk_encoders import encode_chunks
from framescope.app.exporters.encoding.chunks import Film
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.formats import formats_by_suffix
from framescope.app.exporters.request import ExportRequest, checked_request, ignore_progress
from framescope.app.storage.temporary_folders import TemporaryFolder, clear_abandoned
from framescope.ui.exports.options import ExportOptions


@dataclass(frozen=True)
class ChunkJob:
    """Film to render, in a form that other machines can use.

    Attributes
    ----------
    version
        Version of Framescope. Only the same version renders the same frames.
    bundle
        Zip archive with the scene and all its files.
    options
        Options of the export.
    name
        File name of the film.
    film
        Encoding of the film.
    """

    version: str
    bundle: bytes
    options: ExportOptions
    name: str
    film: Film


def job_of(request: ExportRequest, film: Film) -> ChunkJob:
    """Return the job for the processes that render chunks of a film."""
    with TemporaryFolder() as folder:
        path = folder / "scene.zip"
        scene_zip.write(replace(request, path=path, progress=ignore_progress))
        content = path.read_bytes()
    options = replace(request.options, cluster=None, jobs=1)
    return ChunkJob(version("framescope"), content, options, f"film{request.path.suffix}", film)


def make_chunk(packed: bytes, first: int, stop: int, report: Report, is_cancelled: IsCancelled) -> bytes:
    """Return the file of the frames from `first` to `stop` of a pickled job; report the number of finished frames."""
    from framescope.core.evaluation.evaluate import compile_plan
    from framescope.core.scene.files.loading import load_scene
    from framescope.core.scene.files.scene_archive import unpack_into
    from framescope.core.system.file_access import Access

    job: ChunkJob = pickle.loads(packed)  # noqa: S301 - a worker trusts its scheduler anyway
    if job.version != version("framescope"):
        raise ExportError(f"a worker has Framescope {version('framescope')}, and this is {job.version}.")
    clear_abandoned()
    tell = now_and_then(report)
    with TemporaryFolder() as folder:
        archive, unpacked = folder / "bundle.zip", folder / "scene"
        archive.write_bytes(job.bundle)
        unpacked.mkdir()
        path = unpack_into(archive, unpacked)
        scene = load_scene(path).scene
        request = checked_request(
            scene,
            compile_plan(scene, access=Access(path.parent)),
            folder / job.name,
            formats_by_suffix()[Path(job.name).suffix],
            job.options,
            progress=lambda done, _total: tell(done),
            is_cancelled=is_cancelled,
        )
        numbers = iter(range(1000))
        new_part = lambda: folder / f"{next(numbers)}{request.path.suffix}"  # noqa: E731
        return encode_chunks(request, job.film, [range(first, stop)], new_part)[0].read_bytes()
