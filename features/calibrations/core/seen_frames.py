"""Frames of a scene in the image of a camera: their pixels, their axes, and those outside the image."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_cameras import FrameCamera
from framescope.core.kernels.validation import Array
from framescope.core.projection import project_unchecked
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.signals import frames_with_cameras
from framescope.core.snapshot import Snapshot

AT_CENTER = 1e-6
"""Distance from the optical centre below which a frame counts as the camera itself, m."""

Sight = Literal["in the image", "outside the image", "not in front of the camera", "beyond the lens", "no pose"]
"""Where a camera sees a frame."""


def has_camera(scene: Scene) -> bool:
    """Return whether a scene has a camera with a calibration."""
    return bool(frames_with_cameras(scene))


@dataclass(frozen=True, eq=False)
class SeenFrames:
    """Frames as a camera sees them at one time, the nearest first.

    Attributes
    ----------
    names
        Names of the frames (n), without the camera itself and hidden frames.
    p_C : (n, 3)
        Origins in the optical frame of the camera, m.
    pixels : (n, 2)
        Pixels of the origins; NaN where there is none.
    axes : (n, 3, 2)
        Pixels of the ends of the axes, which are short; NaN where there is none.
    is_in_image : (n,)
        Whether the origins are in the image.
    """

    names: tuple[str, ...]
    p_C: Array
    pixels: Array
    axes: Array
    is_in_image: NDArray[np.bool_]

    def sight(self, name: str) -> Sight | None:
        """Return where a frame is seen; None for the camera itself and for hidden frames."""
        if name not in self.names:
            return None
        i = self.names.index(name)
        if not np.isfinite(self.p_C[i]).all():
            return "no pose"
        if self.is_in_image[i]:
            return "in the image"
        if not self.p_C[i, 2] > 0.0:
            return "not in front of the camera"
        return "outside the image" if np.isfinite(self.pixels[i]).all() else "beyond the lens"

    def pixel(self, name: str) -> Array:
        """Return the pixel (2,) of a frame; NaN where there is none."""
        return self.pixels[self.names.index(name)] if name in self.names else np.full(2, np.nan)


def seen_frames(plan: Plan, camera: FrameCamera, snapshot: Snapshot, axis_px: float) -> SeenFrames:
    """Return the frames of a scene as a camera sees them.

    Parameters
    ----------
    plan, snapshot
        The scene, and its state at one time.
    camera
        The camera.
    axis_px
        Length of an axis that faces the camera in the middle of the image, pixels.
    """
    i = plan.index[camera.frame]
    R_WF, p_WF = snapshot.R_WF[i], snapshot.p_WF[i]
    R_WC, p_WC = R_WF @ camera.R_FC, p_WF + R_WF @ camera.p_FC
    p_C = (snapshot.p_WF - p_WC) @ R_WC
    with np.errstate(invalid="ignore"):
        is_apart = ~(np.linalg.norm(p_C, axis=-1) < AT_CENTER)
    is_shown = ~plan.view_data.is_hidden & is_apart
    is_shown[i] = False
    shown = np.flatnonzero(is_shown)
    depths = np.where(np.isfinite(p_C[shown, 2]), p_C[shown, 2], np.inf)
    order: NDArray[np.intp] = np.lexsort((depths, depths <= 0.0))  # those not in front of the camera last
    rows: NDArray[np.intp] = shown[order]
    p_C = p_C[rows]
    length = axis_px * np.abs(p_C[:, 2]) / np.sqrt(np.prod(camera.model.focal_lengths))
    R_CF = np.einsum("ji,njk->nik", R_WC, snapshot.R_WF[rows])
    ends = p_C[:, np.newaxis] + length[:, np.newaxis, np.newaxis] * np.swapaxes(R_CF, 1, 2)
    pixels = project_unchecked(camera.model, p_C)
    return SeenFrames(
        tuple(plan.names[int(row)] for row in rows),
        p_C,
        pixels,
        project_unchecked(camera.model, ends),
        camera.is_in_image(pixels),
    )


def heading_of(camera: FrameCamera, p_C: Array, pixel: Array) -> Array:
    """Return the unit vector (2,) in the image from its middle towards a frame outside it.

    A frame not in front of the camera has the direction in which the camera turns to it the shortest way.

    Parameters
    ----------
    camera
        The camera.
    p_C : (3,)
        Origin of the frame in the optical frame, m.
    pixel : (2,)
        Pixel of the frame; NaN where there is none.
    """
    middle = 0.5 * np.subtract(camera.resolution, 1.0)
    v = pixel - middle if np.isfinite(pixel).all() else p_C[:2] * camera.model.focal_lengths
    size = float(np.hypot(*v))
    return v / size if 0.0 < size < np.inf else np.array([0.0, 1.0])
