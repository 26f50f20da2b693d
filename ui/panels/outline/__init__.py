"""The outline: the tree of a scene's items, where they are found, chosen, named, moved, hidden and deleted.

`Outline` is the panel; the roles tell what the rows of its tree hold.
"""

from framescope.ui.panels.outline.delegate import HIDDEN_ROLE, ICON_ROLE, KEY_ROLE, KIND_ROLE, SEVERITY_ROLE
from framescope.ui.panels.outline.panel import Outline

__all__ = ["HIDDEN_ROLE", "ICON_ROLE", "KEY_ROLE", "KIND_ROLE", "SEVERITY_ROLE", "Outline"]
