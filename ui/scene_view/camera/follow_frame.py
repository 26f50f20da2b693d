"""Camera that follows a frame: beside its origin, or fixed to it and turning with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from framescope.ui.scene_view.camera.camera import CameraState, as_tuple

Array = NDArray[np.float64]
FollowMode = Literal["", "origin", "frame"]
"""Not at all, beside the origin of a frame without turning, or fixed to the frame."""


@dataclass(frozen=True, eq=False)
class Following:
    """A camera as seen from the frame `name`: from its origin along world's axes, or resolved in the frame."""

    name: str
    mode: FollowMode
    camera_F: CameraState

    def at(self, R_WF: Array, p_WF: Array) -> CameraState:
        """Return the camera in world for a pose of the frame."""
        R = R_WF if self.mode == "frame" else np.eye(3)
        return _moved(self.camera_F, R, p_WF)


def followed(name: str, mode: FollowMode, camera: CameraState, R_WF: Array, p_WF: Array) -> Following:
    """Let a camera follow a frame from where it is now.

    Examples
    --------
    >>> following = followed("car", "origin", CameraState((0.0, -5.0, 0.0)), np.eye(3), np.zeros(3))
    >>> following.at(np.eye(3), np.array([1.0, 0.0, 0.0])).position
    (1.0, -5.0, 0.0)
    """
    R = R_WF if mode == "frame" else np.eye(3)
    return Following(name, mode, _moved(camera, R.T, -R.T @ p_WF))


def carried(camera: CameraState, R_WP: Array, R_WF: Array, p_W: Array) -> CameraState:
    """Return a camera that has turned about a point, as a frame did from one orientation to another.

    Seen from there the frame stands as it stood, and what it turned in has turned back.
    """
    R = R_WF @ R_WP.T
    return _moved(camera, R, p_W - R @ p_W)


def _moved(camera: CameraState, R: Array, p: Array) -> CameraState:
    return replace(
        camera,
        position=as_tuple(R @ camera.position + p),
        focal_point=as_tuple(R @ camera.focal_point + p),
        up=as_tuple(R @ camera.up),
    )
