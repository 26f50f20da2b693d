"""Look of the Jacobian of a frame: which frame, and the scale of what is drawn. Imports no VTK."""

from __future__ import annotations

from framescope.ui.scene_view.base.scene_options import SceneOption

JACOBIAN = SceneOption[str | None](None)
"""The frame whose Jacobian is drawn."""

METRES_PER_SPEED = 0.5
"""How long an arrow of 1 m/s is, and the half-axis of the ellipsoid: half as long as the lever that 1 rad/s turns."""
