"""The laboratories: what integrating does to an orientation, and what a sequence of axes does near its lock.

`DriftPanel` and `GimbalPanel` are to be imported from here.
"""

from framescope.features.laboratory.ui.drift_panel import DriftPanel
from framescope.features.laboratory.ui.gimbal_panel import GimbalPanel

__all__ = ["DriftPanel", "GimbalPanel"]
