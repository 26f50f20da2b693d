"""Lenses of calibrations as bodies of a scene: cameras with their calibration, or fields of view."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from framescope.core.scene.files.referenced_files import PICTURE_FILES
from framescope.core.scene.schema.bodies import Body
from framescope.core.scene.schema.quantities import LARGEST
from framescope.features.calibrations.core.calibration import Lens

DEPTH = 0.1
"""Distance at which the image of a camera is drawn, m."""

COEFFICIENTS: Mapping[str, tuple[str, ...]] = {
    "none": (),
    "radtan": ("k1", "k2", "p1", "p2", "k3"),
    "rational": ("k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6"),
    "equidistant": ("k1", "k2", "k3", "k4"),
}
"""Names of the coefficients of the models that a scene knows, in the order of files."""


def is_drawable(lens: Lens) -> bool:
    """Return whether a camera has an image that can be drawn.

    >>> is_drawable(Lens("cam0", None, (400.0, 400.0), (320.0, 240.0)))
    False
    """
    return lens.size is not None and all(abs(number) <= LARGEST for number in (*lens.center, *lens.coefficients))


def body_of(lens: Lens) -> Body:
    """Return a camera as a body: with its calibration, or as a field of view if a scene knows no such distortion."""
    shape = camera_shape(lens)
    if shape is None:
        width, height = (DEPTH * n / f for n, f in zip(lens.size or (4, 3), lens.focal, strict=True))
        shape = {"form": "frustum", "width": f"{width!r} m", "height": f"{height!r} m"}
    return Body.model_validate({"frame": lens.frame, "shape": {**shape, "depth": f"{DEPTH} m"}})


def camera_shape(lens: Lens) -> dict[str, Any] | None:
    """Return the shape of a camera with its calibration, without its depth; None if a scene knows no such distortion.

    >>> camera_shape(Lens("cam0", (640, 480), (400.0, 400.0), (320.0, 240.0), picture="seen.png"))["picture"]
    'seen.png'
    """
    distortion = distortion_of(lens)
    if distortion is None:
        return None
    shape = {"form": "camera", "resolution": lens.size, "focal_lengths": lens.focal, "principal_point": lens.center}
    shape |= {"distortion": distortion} if distortion else {}
    is_picture = PurePosixPath(lens.picture).suffix.lower() in PICTURE_FILES
    return shape | ({"picture": lens.picture} if is_picture else {})


def distortion_of(lens: Lens) -> dict[str, Any] | None:
    """Return the distortion of a camera as in scene files, empty for a pinhole; None for an unknown model.

    Coefficients that a file leaves out are zero. Zeros beyond those of the model mean nothing.

    >>> distortion_of(Lens("cam0", (640, 480), (400.0, 400.0), (320.0, 240.0), "equidistant", (0.1, 0.0, 0.0, 0.0)))
    {'form': 'equidistant', 'k1': 0.1, 'k2': 0.0, 'k3': 0.0, 'k4': 0.0}
    """
    names = COEFFICIENTS.get(lens.model)
    if names is None or any(lens.coefficients[len(names) :]):
        return None
    if not names:
        return {}
    return {"form": lens.model, **dict(zip(names, lens.coefficients, strict=False))}
