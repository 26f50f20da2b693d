"""Settings of the drawn Jacobian of a frame: the frame, and the scale. Imports no VTK."""

from __future__ import annotations

from framescope.ui.scene_view.base.scene_options import SceneOption

JACOBIAN = SceneOption[str | None](None)
"""Frame whose Jacobian is drawn."""

METRES_PER_SPEED = 0.5
"""Length of an arrow of 1 m/s, m, and half-axis of the ellipsoid: half the lever that moves at 1 m/s for 1 rad/s."""
