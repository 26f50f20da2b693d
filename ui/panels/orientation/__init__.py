"""The orientation panel: an axis sequence, three angles, and other forms of the same orientation.

Other packages use only `OrientationPanel`.
"""

from framescope.ui.panels.orientation.panel import OrientationPanel

__all__ = ["OrientationPanel"]
