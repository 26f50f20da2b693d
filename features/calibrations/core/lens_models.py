"""Names of models of distortion in the dialects, and names of frames and their roles."""

from __future__ import annotations

import re
from collections.abc import Mapping

from framescope.core.errors import visible_text
from framescope.core.scene.schema.model import WORLD
from framescope.features.calibrations.core.calibration import CalibrationError

NONE, RADTAN, EQUIDISTANT, RATIONAL = "none", "radtan", "equidistant", "rational"

MODELS: Mapping[str, str] = {
    **dict.fromkeys(("", "none", "null", "undistorted", "rectified"), NONE),
    **dict.fromkeys(("radtan", "radialtangential", "plumbbob", "pinhole", "perspective", "brownconrady"), RADTAN),
    **dict.fromkeys(("equidistant", "equi", "fisheye", "kannalabrandt", "kannalabrandt8", "kb4"), EQUIDISTANT),
    **dict.fromkeys(("rational", "rationalpolynomial"), RATIONAL),
}
"""Models by the names that files have for them, in lower case and without separators."""

COUNTS: Mapping[str, tuple[int, ...]] = {NONE: (0,), RADTAN: (4, 5), EQUIDISTANT: (4,), RATIONAL: (8,)}
"""Counts of the coefficients of each model."""


def lens_model(name: str, count: int, entry: str) -> str:
    """Return the model of a distortion by its name in a file and the count of its coefficients.

    A name that is unknown is returned as it is. Plumb bob with eight coefficients is the rational model, which extends
    it.

    Raises
    ------
    CalibrationError
        When the model has another count of coefficients.

    Examples
    --------
    >>> lens_model("radial-tangential", 4, "cam0"), lens_model("plumb_bob", 8, "cam0"), lens_model("fov", 1, "cam0")
    ('radtan', 'rational', 'fov')
    """
    known = MODELS.get("".join(char for char in name.lower() if char.isalnum()))
    if known is None:
        return visible_text(name)
    if count == 0 or known == NONE:
        return NONE
    if known in (RADTAN, RATIONAL) and count in (*COUNTS[RADTAN], *COUNTS[RATIONAL]):
        return RATIONAL if count in COUNTS[RATIONAL] else RADTAN
    if known == RATIONAL and count > 8:
        return visible_text(name)
    if count not in COUNTS[known]:
        expected = " or ".join(map(str, COUNTS[known]))
        raise CalibrationError(f"{entry}: the model {known} has {expected} coefficients, got {count}.")
    return known


def frame_name(text: object, fallback: str) -> str:
    r"""Return a name of a frame from a text of a file; the fallback where it is none, or that of the world.

    >>> frame_name(" left\n", "camera"), frame_name("", "camera"), frame_name("world", "camera")
    ('left', 'camera', 'camera')
    """
    name = visible_text(str(text).strip())[:200].strip()
    return fallback if not name or name == WORLD else name


_CARRIERS = ("world", "map", "base", "body", "vehicle", "robot", "rig", "imu", "lidar", "velo", "laser")
"""Words in the names of frames that carry others, from the outermost on."""


def carrier_of(a: str, b: str) -> str:
    """Return which of two frames carries the other, by their names; the first where the names do not say.

    >>> carrier_of("RIGHT_CAMERA", "IMU"), carrier_of("cam0", "cam1")
    ('IMU', 'cam0')
    """
    return b if _rank(b) < _rank(a) else a


def _rank(name: str) -> int:
    """Return the place of a name among those of carriers, by its words; a short word counts only whole."""
    words = re.split(r"[^a-z]+", name.lower())
    for k, carrier in enumerate(_CARRIERS):
        if any(word == carrier or (len(carrier) > 3 and word.startswith(carrier)) for word in words):
            return k
    return len(_CARRIERS)
