"""The way to an item in the menu Insert."""

from __future__ import annotations

from framescope.core.scene.edits.new_items import templates
from framescope.ui.panels.outline.actions import INSERT_GROUPS


def insert_path(name: str) -> tuple[str, ...]:
    """Return the texts of the entries that insert the item of a template."""
    template = templates()[name]
    titles = [title for title, kinds in INSERT_GROUPS if template.kind in kinds and title]
    return (*titles, template.text)
