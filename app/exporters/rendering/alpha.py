"""Alpha channel from two renderings, one on black and one on white.

Glass, soft edges and name plates get their visible transparency, independent of the graphics driver's own alpha.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]


def with_alpha(on_black: Pixels, on_white: Pixels) -> Pixels:
    """Return the picture (h, w, 4) that looks like the given pictures (h, w, 3) when laid on black and on white.

    Examples
    --------
    >>> with_alpha(np.uint8([[[64, 0, 0]]]), np.uint8([[[191, 127, 127]]])).tolist()
    [[[128, 0, 0, 128]]]
    """
    out = np.empty((*on_black.shape[:2], 4), dtype=np.uint8)
    # In strips of rows: whole 8K pictures as floats would take gigabytes.
    for first in range(0, len(out), 256):
        rows = slice(first, first + 256)
        black, white = (picture[rows].astype(np.float32) for picture in (on_black, on_white))
        alpha = np.clip(255.0 - (white - black).mean(axis=-1), 0.0, 255.0)
        color = black * (255.0 / np.maximum(alpha, 1.0))[..., None]
        out[rows, :, :3] = np.clip(np.rint(color), 0, 255)
        out[rows, :, 3] = np.rint(alpha)
    out[out[..., 3] == 0] = 0
    return out
