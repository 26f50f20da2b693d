"""Writer of films: chunks are encoded here, by processes or on a cluster, and joined into a file that appears whole."""

from __future__ import annotations

from framescope.app.exporters.encoding.chunks import Film, encoded_here, parts_of, spans
from framescope.app.exporters.encoding.concat import join
from framescope.app.exporters.encoding.film_processes import encoded_by_processes
from framescope.app.exporters.encoding.frame_processes import jobs_of
from framescope.app.exporters.request import ExportRequest
from framescope.core.system.atomic_write import atomically


def write_film(request: ExportRequest, film: Film) -> None:
    """Write all frames of a request to its file, which appears whole or not at all."""
    chunks = spans(len(request.times))
    try:
        with atomically(request.path) as partial, parts_of(request.path) as new_part:
            n_jobs = 1 if request.options.cluster else jobs_of(request, len(request.times))
            if request.options.cluster:
                from framescope.features.cluster.app.dask_cluster import encoded_there

                parts = encoded_there(request, film, chunks, new_part)
            elif n_jobs > 1:
                parts = encoded_by_processes(request, film, chunks, new_part, n_jobs)
            else:
                parts = encoded_here(request, film, chunks, new_part)
            request.stop_if_cancelled()
            join(request, film.joined, film.joining, list(zip(parts, map(len, chunks), strict=True)), partial)
    except OSError as error:
        raise request.failure(error) from None
