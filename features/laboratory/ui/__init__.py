"""Panels of the laboratories: drift of an integrated orientation, and angles of an axis sequence near gimbal lock.

Import `DriftPanel` and `GimbalPanel` from here.
"""

from framescope.features.laboratory.ui.drift_panel import DriftPanel
from framescope.features.laboratory.ui.gimbal_panel import GimbalPanel

__all__ = ["DriftPanel", "GimbalPanel"]
