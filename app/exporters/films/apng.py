"""Animated PNG: lossless and transparent, for web pages and slides."""

from __future__ import annotations

from framescope.app.exporters.encoding.chunks import Film
from framescope.app.exporters.encoding.film_writer import write_film
from framescope.app.exporters.request import ExportRequest


def write(request: ExportRequest) -> None:
    """Write an APNG file that plays without end."""
    # The part has no suffix, so `-f` names the format. The filter `mixed` halves the size of flat pictures.
    write_film(request, Film(("-c:v", "apng", "-pred", "mixed", "-f", "apng"), "apng"))
