"""Camera that follows a frame: beside its origin, or fixed to it and turning with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from framescope.ui.scene_view.camera.camera import CameraState, as_tuple

Array = NDArray[np.float64]
FollowMode = Literal["", "origin", "frame"]
"""Do not follow, follow a frame's origin without turning, or stay fixed to the frame."""


@dataclass(frozen=True, eq=False)
class Following:
    """A camera relative to the frame `name`: from its origin, in world axes or in the frame's axes."""

    name: str
    mode: FollowMode
    camera_F: CameraState

    def at(self, R_WF: Array, p_WF: Array) -> CameraState:
        """Return the camera in world for a pose of the frame."""
        R = R_WF if self.mode == "frame" else np.eye(3)
        return _transform_camera(self.camera_F, R, p_WF)


def start_following(name: str, mode: FollowMode, camera: CameraState, R_WF: Array, p_WF: Array) -> Following:
    """Return a `Following` that keeps the current view of a camera relative to a frame.

    Examples
    --------
    >>> following = start_following("car", "origin", CameraState((0.0, -5.0, 0.0)), np.eye(3), np.zeros(3))
    >>> following.at(np.eye(3), np.array([1.0, 0.0, 0.0])).position
    (1.0, -5.0, 0.0)
    """
    R = R_WF if mode == "frame" else np.eye(3)
    return Following(name, mode, _transform_camera(camera, R.T, -R.T @ p_WF))


def rotate_with_frame(camera: CameraState, R_WP: Array, R_WF: Array, p_W: Array) -> CameraState:
    """Rotate a camera about a point as a frame rotates from one orientation to another.

    In the rotated view the frame appears unchanged, and its surroundings appear turned back.
    """
    R = R_WF @ R_WP.T
    return _transform_camera(camera, R, p_W - R @ p_W)


def _transform_camera(camera: CameraState, R: Array, p: Array) -> CameraState:
    return replace(
        camera,
        position=as_tuple(R @ camera.position + p),
        focal_point=as_tuple(R @ camera.focal_point + p),
        up=as_tuple(R @ camera.up),
    )
