"""Order and groups of the images of a reconstruction, by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MAX_FOLDERS = 32
"""Largest number of folders that count as cameras."""

CAMERA = "camera"
"""Name of the frame of the images, if they lie in one folder."""

MAX_LABEL = 180
"""Largest number of characters of the name of an image that are kept."""

_DIGITS = re.compile(r"\d+")


def sequence(names: Sequence[str]) -> NDArray[np.intp]:
    """Return the rows (n,) of images in the order in which they were taken.

    Names that differ in numbers alone are in the order of these numbers. Other names stay in the order of the file.

    >>> sequence(["b/9.png", "a/10.png", "a/2.png"]).tolist(), sequence(["frame_10.jpg", "frame_9.jpg"]).tolist()
    ([0, 1, 2], [1, 0])
    >>> sequence(["left.png", "right.png", "back.png"]).tolist()
    [0, 1, 2]
    """
    if len({_DIGITS.sub("0", name) for name in names}) != 1:
        return np.arange(len(names))
    keys = [tuple(int(digits) for digits in _DIGITS.findall(name)) for name in names]
    return np.array(sorted(range(len(names)), key=keys.__getitem__), dtype=np.intp)


def groups(names: Sequence[str]) -> dict[str, NDArray[np.intp]]:
    """Return the rows of the images of each camera, in the order in which they were taken.

    Each folder of images is a camera of its own, as for the cameras of a rig.

    >>> {name: rows.tolist() for name, rows in groups(["left/2.png", "right/1.png", "left/1.png"]).items()}
    {'left': [2, 0], 'right': [1]}
    >>> list(groups(["images/1.png", "images/2.png"]))
    ['camera']
    """
    folders = [name.rpartition("/")[0] for name in names]
    distinct = list(dict.fromkeys(folders))
    if not 1 < len(distinct) <= MAX_FOLDERS or not all(distinct):
        return {CAMERA: sequence(names)}
    found: dict[str, NDArray[np.intp]] = {}
    for folder in distinct:
        rows = [row for row, other in enumerate(folders) if other == folder]
        found[folder] = np.array(rows, dtype=np.intp)[sequence([names[row] for row in rows])]
    return found


def label_of(name: str) -> str:
    r"""Return the name of an image without characters that do not print, shortened.

    >>> label_of("a\x07b.png")
    'a?b.png'
    """
    return "".join(mark if mark.isprintable() else "?" for mark in name.strip())[:MAX_LABEL]
