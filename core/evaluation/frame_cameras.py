"""Calibrated cameras on frames, and the pixels at which they see frames and points."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import ItemError
from framescope.core.evaluation.compile.view_data import place_body
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.relative_motion import relative_position
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.projection import CameraModel, Distortion, project_unchecked
from framescope.core.scene.files.referenced_files import PICTURE_FILES
from framescope.core.scene.schema.bodies import CameraShape
from framescope.core.system.file_access import resolve_named

if TYPE_CHECKING:
    from framescope.core.evaluation.signal_curves import SignalSamples


@dataclass(frozen=True, eq=False)
class FrameCamera:
    """A calibrated camera on a frame.

    Attributes
    ----------
    frame, body
        Names of the frame and of the body with the calibration.
    model : CameraModel
        Intrinsics.
    resolution
        Width and height of the image, pixels.
    R_FC : (3, 3)
        Orientation of the optical frame of the camera in the frame: columns right, down and forward.
    p_FC : (3,)
        Position of the optical centre in the frame, m.
    picture
        Name of the picture on the image, as in the scene; empty without one.
    """

    frame: str
    body: str
    model: CameraModel
    resolution: tuple[int, int]
    R_FC: Array
    p_FC: Array
    picture: str = ""

    def pixels(self, p_F: Array) -> Array:
        """Return the pixels (..., 2) of points (..., 3) given in the frame, m; NaN where the camera sees none."""
        return project_unchecked(self.model, (p_F - self.p_FC) @ self.R_FC)

    def is_in_image(self, pixels: Array) -> NDArray[np.bool_]:
        """Return whether pixels (..., 2) are within the image; not for NaN."""
        is_within = (pixels >= -0.5) & (pixels <= np.subtract(self.resolution, 0.5))
        return is_within[..., 0] & is_within[..., 1]

    def picture_path(self, plan: Plan) -> Path | None:
        """Return the file of the picture; None without one, and for one that is reported as a problem."""
        try:
            key = ("shape", "picture")
            return resolve_named(self.picture, plan.context.access, key, PICTURE_FILES) if self.picture else None
        except ItemError:
            return None


def camera_model(shape: CameraShape) -> CameraModel:
    """Return the intrinsics of a shape.

    Raises
    ------
    ValueError
        When a focal length is not positive.

    Examples
    --------
    >>> camera_model(CameraShape.model_validate({"resolution": [640, 480], "focal_lengths": [500, 500],
    ...     "principal_point": [320, 240], "distortion": {"form": "radtan", "k1": -0.3}, "depth": "1 m"})).coefficients
    (-0.3, 0.0, 0.0, 0.0, 0.0)
    """
    distortion = shape.distortion
    model: Distortion = "none" if distortion is None else distortion.form
    k = () if distortion is None else tuple(getattr(distortion, key) for key in _ORDER[distortion.form])
    return CameraModel(shape.focal_lengths, shape.principal_point, model, k)


_ORDER = {
    "radtan": ("k1", "k2", "p1", "p2", "k3"),
    "rational": ("k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6"),
    "equidistant": ("k1", "k2", "k3", "k4"),
}
"""Keys of the coefficients of each model in the order of OpenCV."""


def camera_on(plan: Plan, frame: str) -> FrameCamera | None:
    """Return the first usable camera (a body of the form `camera`) on a frame, hidden or not; None without one."""
    for name, body in plan.scene.bodies.items():
        if body.frame != frame or not isinstance(body.shape, CameraShape):
            continue
        try:
            placed, model = place_body(body, plan.context), camera_model(body.shape)
        except (ItemError, ValueError):  # reported as a problem of the body
            continue
        shape = body.shape
        return FrameCamera(frame, name, model, shape.resolution, placed.R_FB, placed.p_FB, shape.picture or "")
    return None


# --- Functions that compute the signals of `framescope.core.scene.schema.signal_kinds`


def pixel_of_frame(samples: SignalSamples) -> Array | None:
    """Return the pixels (n, 2) of the origin of a frame; None without a usable camera."""
    camera = camera_on(samples.plan, samples.signal.relative_to)
    if camera is None:
        return None
    frame = camera.frame
    return camera.pixels(relative_position(samples.snapshot, samples.row, frame, frame))


def pixel_of_point(samples: SignalSamples) -> Array | None:
    """Return the pixels (n, 2) of a connection point; None without a usable camera or point."""
    plan, snapshot = samples.plan, samples.snapshot
    camera, point = camera_on(plan, samples.signal.relative_to), plan.instruments.points.get(samples.signal.of)
    if camera is None or point is None:
        return None
    i, j = snapshot.index[point.frame], snapshot.index[camera.frame]
    p_W = snapshot.p_WF[:, i] + linear_algebra.apply_matrix(snapshot.R_WF[:, i], np.asarray(point.offset))
    return camera.pixels(linear_algebra.apply_transposed(snapshot.R_WF[:, j], p_W - snapshot.p_WF[:, j]))
