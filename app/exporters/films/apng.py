"""Animated PNG: lossless and transparent, for web pages and slides."""

from __future__ import annotations

from framescope.app.exporters.encoding.chunks import Film
from framescope.app.exporters.encoding.film_writer import write_film
from framescope.app.exporters.request import ExportRequest

# The part has no suffix, so `-f` names the format. The filter `mixed` halves the size of flat pictures.
FILM = Film(("-c:v", "apng", "-pred", "mixed", "-f", "apng"), "apng")
"""Encoder settings of an APNG."""


def write(request: ExportRequest) -> None:
    """Write an APNG file that plays without end."""
    write_film(request, FILM)
