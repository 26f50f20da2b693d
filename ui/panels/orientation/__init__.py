"""The orientation panel: an axis sequence, three angles, and the same orientation in its other forms.

`OrientationPanel` is all that the rest of the window knows; the other modules are its parts.
"""

from framescope.ui.panels.orientation.panel import OrientationPanel

__all__ = ["OrientationPanel"]
