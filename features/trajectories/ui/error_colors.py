"""Colours of errors along a trajectory: from small to large by lightness, so that they differ without their hue."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.theme.tokens import Theme

USUAL, TIMES = 0.9, 3.0
"""Quantile of the errors, and the multiple of it from which all errors have one colour."""


def largest_colored(errors: Array) -> float:
    """Return the error from which all have the colour of the largest: the largest, unless a few are far beyond others.

    >>> largest_colored(np.array([0.1, 0.2, np.nan])), largest_colored(np.append(np.full(99, 0.1), 5.0)).__round__(9)
    (0.2, 0.3)
    """
    known = errors[np.isfinite(errors)]
    if not len(known):
        return 0.0
    usual = TIMES * float(np.quantile(known, USUAL))
    largest = float(known.max())
    return min(largest, usual) if usual > 0.0 else largest


def error_colors(errors: Array, largest: float, theme: Theme) -> NDArray[np.uint8]:
    """Return the colours (n, 4) of errors (n,), from 0 to the largest; NaN has the colour of quiet lines.

    The colours go from that of frames over amber to red, from dark to light on a dark ground and back on a light one.
    """
    stops = np.array([rgba(color) for color in (theme.frame_a, theme.amber, theme.red)], dtype=float)
    share = np.clip(np.nan_to_num(errors / largest if largest > 0.0 else np.zeros_like(errors)), 0.0, 1.0)
    at = 2.0 * share
    i = np.minimum(at.astype(int), 1)
    blended = stops[i] + (at - i)[:, np.newaxis] * (stops[i + 1] - stops[i])
    blended[~np.isfinite(errors)] = rgba(theme.quiet)
    return np.round(blended).astype(np.uint8)
