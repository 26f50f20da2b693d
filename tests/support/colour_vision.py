"""How far apart two colours look, also to people whose eyes lack a receptor."""

from __future__ import annotations

import numpy as np

from framescope.ui.theme.tokens import channels

MACHADO = np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]])
"""Deuteranopia, of linear RGB: Machado, Oliveira and Fernandes, "A Physiologically-based Model", 2009, severity 1.0."""
PROTANOPIA = np.array(
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
)
TRITANOPIA = np.array(
    [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
)
"""As `MACHADO`, of the same authors."""

VISIONS = {"normal": np.eye(3), "deutan": MACHADO, "protan": PROTANOPIA, "tritan": TRITANOPIA}

_LMS = np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])
VIENOT = np.linalg.inv(_LMS) @ np.array([[1.0, 0.0, 0.0], [0.494207, 0.0, 1.24827], [0.0, 0.0, 1.0]]) @ _LMS
"""Deuteranopia, of linear RGB: Viénot, Brettel and Mollon, "Digital Video Colourmaps", 1999."""

_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def difference_seen(first: str, second: str, simulation: np.ndarray) -> float:
    """Return the CIEDE2000 difference of two colours as a simulation has them."""
    return ciede2000(*(_lab(np.clip(simulation @ _linear(color), 0.0, 1.0)) for color in (first, second)))


def least_difference(first: str, second: str) -> float:
    """Return the smallest CIEDE2000 difference of two colours, over all kinds of colour vision."""
    return min(difference_seen(first, second, simulation) for simulation in VISIONS.values())


def ciede2000(first: np.ndarray, second: np.ndarray) -> float:
    """Return the difference of two colours in CIELAB.

    Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula", 2005, equations 2 to 22.
    """
    (L1, a1, b1), (L2, a2, b2) = first, second
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2.0
    G = 0.5 * (1.0 - np.sqrt(mean**7 / (mean**7 + 25.0**7)))
    C1, C2 = np.hypot((1.0 + G) * a1, b1), np.hypot((1.0 + G) * a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, (1.0 + G) * a)) % 360.0 for a, b in ((a1, b1), (a2, b2)))
    is_grey = C1 * C2 == 0.0
    dh = 0.0 if is_grey else (h2 - h1 + 180.0) % 360.0 - 180.0
    dH = 2.0 * np.sqrt(C1 * C2) * np.sin(np.radians(dh / 2.0))
    L, C = (L1 + L2) / 2.0, (C1 + C2) / 2.0
    h = h1 + h2 if is_grey else (h1 + dh / 2.0) % 360.0
    T = (
        1.0
        - 0.17 * np.cos(np.radians(h - 30.0))
        + 0.24 * np.cos(np.radians(2.0 * h))
        + 0.32 * np.cos(np.radians(3.0 * h + 6.0))
        - 0.20 * np.cos(np.radians(4.0 * h - 63.0))
    )
    S_L = 1.0 + 0.015 * (L - 50.0) ** 2 / np.sqrt(20.0 + (L - 50.0) ** 2)
    S_C, S_H = 1.0 + 0.045 * C, 1.0 + 0.015 * C * T
    R_C = 2.0 * np.sqrt(C**7 / (C**7 + 25.0**7))
    R_T = -np.sin(np.radians(60.0 * np.exp(-(((h - 275.0) / 25.0) ** 2)))) * R_C
    lightness, chroma, hue = (L2 - L1) / S_L, (C2 - C1) / S_C, dH / S_H
    return float(np.sqrt(lightness**2 + chroma**2 + hue**2 + R_T * chroma * hue))


def _linear(color: str) -> np.ndarray:
    c = np.array(channels(color))
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def _lab(linear: np.ndarray) -> np.ndarray:
    xyz = _XYZ @ linear / _WHITE
    x, y, z = np.where(xyz > 216.0 / 24389.0, np.cbrt(xyz), (24389.0 / 27.0 * xyz + 16.0) / 116.0)
    return np.array([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)])
