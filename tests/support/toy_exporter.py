"""An exporter in one file: it writes down one of its options."""

from __future__ import annotations

from framescope.app.exporters.request import ExportRequest


def write(request: ExportRequest) -> None:
    request.path.write_text(f"grain {request.options.grain} at {request.start:g} s", encoding="utf-8")
