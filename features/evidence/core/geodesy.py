"""Positions on the Earth in local axes: east, north, up.

References
----------
NIMA TR8350.2, "Department of Defense World Geodetic System 1984".
"""

from __future__ import annotations

import numpy as np

from framescope.core.kernels.validation import Array

SEMI_MAJOR, FLATTENING = 6_378_137.0, 1.0 / 298.257223563
"""Semi-major axis of the ellipsoid WGS84, m, and its flattening."""


def earth_positions(latitude: Array, longitude: Array, altitude: Array) -> Array:
    """Return Earth-centred, Earth-fixed positions (n, 3), m.

    Parameters
    ----------
    latitude, longitude : (n,)
        Geodetic latitude and longitude, degrees.
    altitude : (n,)
        Height above the ellipsoid, m.

    >>> earth_positions(np.array([0.0]), np.array([90.0]), np.array([100.0])).round(6).tolist()
    [[0.0, 6378237.0, 0.0]]
    """
    b, l = np.radians(latitude), np.radians(longitude)  # noqa: E741 (as in the literature)
    e2 = FLATTENING * (2.0 - FLATTENING)
    N = SEMI_MAJOR / np.sqrt(1.0 - e2 * np.sin(b) ** 2)
    x, y = (N + altitude) * np.cos(b) * np.cos(l), (N + altitude) * np.cos(b) * np.sin(l)
    return np.stack([x, y, (N * (1.0 - e2) + altitude) * np.sin(b)], axis=-1)


def local_positions(latitude: Array, longitude: Array, altitude: Array, origin: tuple[float, float, float]) -> Array:
    """Return positions (n, 3) east, north and up of an origin, m.

    Parameters
    ----------
    latitude, longitude, altitude : (n,)
        As for `earth_positions`.
    origin
        Latitude and longitude, degrees, and altitude, m.

    >>> local_positions(np.array([48.001]), np.array([11.0]), np.array([500.0]), (48.0, 11.0, 500.0)).round(2).tolist()
    [[0.0, 111.2, -0.0]]
    """
    b, l = np.radians(origin[:2])  # noqa: E741 (as in the literature)
    from_origin = earth_positions(latitude, longitude, altitude) - earth_positions(*np.array(origin).reshape(3, 1))
    east = np.array([-np.sin(l), np.cos(l), 0.0])
    north = np.array([-np.sin(b) * np.cos(l), -np.sin(b) * np.sin(l), np.cos(b)])
    up = np.array([np.cos(b) * np.cos(l), np.cos(b) * np.sin(l), np.sin(b)])
    return from_origin @ np.stack([east, north, up], axis=-1)
