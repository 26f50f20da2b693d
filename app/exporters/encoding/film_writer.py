"""Writer of films: chunks are drawn and encoded here or by a feature, and joined into one file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from framescope.app.exporters.encoding.chunk_encoders import encode_chunks
from framescope.app.exporters.encoding.chunks import Film, parts_of, spans
from framescope.app.exporters.encoding.concat import join
from framescope.app.exporters.request import ExportRequest
from framescope.core.system.atomic_write import atomically
from framescope.core.system.features import installed_features
from framescope.ui.exports.options import ExportOptions

Encoder = Callable[[ExportRequest, Film, Sequence[range], Callable[[], Path]], list[Path]]
"""Function that encodes the chunks of a film and returns their files; its last argument creates an empty file."""


def film_encoder(options: ExportOptions) -> Encoder:
    """Return the encoder of the feature whose option is set, or this program's."""
    for feature in installed_features():
        for option, entry in feature.film_encoders.items():
            if getattr(options, option):
                return feature.load(entry)
    return encode_chunks


def write_film(request: ExportRequest, film: Film) -> None:
    """Write all frames of a request to its file; the file appears complete or not at all."""
    chunks = spans(len(request.times))
    try:
        with atomically(request.path) as partial, parts_of(request.path) as new_part:
            parts = film_encoder(request.options)(request, film, chunks, new_part)
            request.stop_if_cancelled()
            join(request, film.joined, film.joining, list(zip(parts, map(len, chunks), strict=True)), partial)
    except OSError as error:
        raise request.failure(error) from None
