"""Strip of colours below the track, one for each pixel: how large a quantity is over time, such as an error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array

GAP = 3.0
"""Distance between samples, in usual steps, from which a strip has a hole between them."""


@dataclass(frozen=True, eq=False)
class Strip:
    """Quantity over time, in colours.

    Attributes
    ----------
    t : (n,)
        Times, s, ascending.
    sizes : (n,)
        Values; of those in one pixel, the colour of the largest is shown.
    colors : (n, 4)
        Colours, bytes.
    name
        What the colours mean, for a screen reader.
    """

    t: Array
    sizes: Array
    colors: NDArray[np.uint8]
    name: str = ""


def colors_of_pixels(strip: Strip, edges: Array) -> NDArray[np.uint8]:
    """Return the colours (w, 4) of pixels between times (w + 1,); transparent where there is no sample.

    Examples
    --------
    >>> strip = Strip(np.array([0.0, 1.0, 2.0]), np.array([5.0, 1.0, 2.0]), np.uint8([[9] * 4, [1] * 4, [2] * 4]))
    >>> colors_of_pixels(strip, np.array([-0.5, 1.5, 2.5, 9.0, 10.0]))[:, 0]
    array([9, 2, 0, 0], dtype=uint8)
    """
    out = np.zeros((len(edges) - 1, 4), dtype=np.uint8)
    if not len(strip.t) or not len(out):
        return out
    step = float(np.median(np.diff(strip.t))) if len(strip.t) > 1 else 0.0
    middle = 0.5 * (edges[1:] + edges[:-1])
    after = np.clip(np.searchsorted(strip.t, middle), 1, max(len(strip.t) - 1, 1))
    before = after - 1
    after = np.minimum(after, len(strip.t) - 1)
    is_later = np.abs(strip.t[after] - middle) < np.abs(strip.t[before] - middle)
    nearest = np.where(is_later, after, before)
    is_near = np.abs(strip.t[nearest] - middle) <= 0.5 * GAP * step
    is_between = is_near & (middle >= strip.t[0] - 0.5 * step) & (middle <= strip.t[-1] + 0.5 * step)
    out[is_between] = strip.colors[nearest[is_between]]
    pixel = np.searchsorted(edges, strip.t, side="right") - 1
    is_inside = (pixel >= 0) & (pixel < len(out))
    by_size = np.argsort(np.nan_to_num(strip.sizes, nan=-np.inf), kind="stable")
    by_size = by_size[is_inside[by_size]]
    out[pixel[by_size]] = strip.colors[by_size]  # the last one of a pixel counts, which is the largest
    return out
