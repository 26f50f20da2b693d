"""Writer of films: chunks are encoded here, in several processes or by a feature, and joined into one file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from framescope.app.exporters.encoding.chunks import Film, encoded_here, parts_of, spans
from framescope.app.exporters.encoding.concat import join
from framescope.app.exporters.encoding.film_processes import encoded_by_processes
from framescope.app.exporters.encoding.frame_processes import jobs_of
from framescope.app.exporters.request import ExportRequest
from framescope.core.system.atomic_write import atomically
from framescope.core.system.features import installed_features
from framescope.ui.exports.options import ExportOptions

Encoder = Callable[[ExportRequest, Film, Sequence[range], Callable[[], Path]], list[Path]]
"""Function that encodes the chunks of a film and returns their files; its last argument creates an empty file."""


def film_encoder(options: ExportOptions) -> Encoder | None:
    """Return the encoder of the feature whose option is set; None to encode in this program."""
    for feature in installed_features():
        for option, entry in feature.film_encoders.items():
            if getattr(options, option):
                return feature.load(entry)
    return None


def write_film(request: ExportRequest, film: Film) -> None:
    """Write all frames of a request to its file; the file appears complete or not at all."""
    chunks = spans(len(request.times))
    try:
        with atomically(request.path) as partial, parts_of(request.path) as new_part:
            encode = film_encoder(request.options)
            n_jobs = 1 if encode is not None else jobs_of(request, len(request.times))
            if encode is not None:
                parts = encode(request, film, chunks, new_part)
            elif n_jobs > 1:
                parts = encoded_by_processes(request, film, chunks, new_part, n_jobs)
            else:
                parts = encoded_here(request, film, chunks, new_part)
            request.stop_if_cancelled()
            join(request, film.joined, film.joining, list(zip(parts, map(len, chunks), strict=True)), partial)
    except OSError as error:
        raise request.failure(error) from None
