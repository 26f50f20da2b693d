"""Export format of the page."""

from __future__ import annotations

from framescope.app.exporters.format_options import MODEL
from framescope.ui.exports.format import Format

FORMAT = Format(
    *("html", ".html", "Moving model", "Page, HTML", "One file to turn and play in any browser, offline"),
    *(
        "framescope.features.web_page.app.html",
        "a page",
        MODEL | {"angle_unit", "interactive", "frame", "eye", "hosts"},
    ),
    omits="framescope.features.web_page.app.page_remarks:omitted_items",
)
