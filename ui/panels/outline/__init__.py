"""The outline: the tree of a scene's items, to find, select, rename, move, hide and delete them.

`Outline` is the panel. The roles are keys of the data in the rows of its tree.
"""

from framescope.ui.panels.outline.delegate import HIDDEN_ROLE, ICON_ROLE, KEY_ROLE, KIND_ROLE, SEVERITY_ROLE
from framescope.ui.panels.outline.panel import Outline

__all__ = ["HIDDEN_ROLE", "ICON_ROLE", "KEY_ROLE", "KIND_ROLE", "SEVERITY_ROLE", "Outline"]
