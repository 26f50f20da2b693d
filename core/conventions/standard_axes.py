"""Axes by convention: three letters for the directions of x, y and z, and rotations between two conventions.

The letters are F, B, L, R, U and D (forward, backward, left, right, up, down), or N, S, E, W for level frames. A body
with FLU axes and no rotation in ENU looks east, one with FRD axes in NED looks north (REP 103, aerospace practice).
"""

from __future__ import annotations

import re

import numpy as np

from framescope.core.conventions.axis_words import PARALLEL
from framescope.core.kernels.validation import Array

OPTICAL = "RDF"
"""Axes of an optical frame (REP 103): x right, y down in the image, z forward."""

_DIRECTIONS = {"F": (1, 0, 0), "B": (-1, 0, 0), "L": (0, 1, 0), "R": (0, -1, 0), "U": (0, 0, 1), "D": (0, 0, -1)}
"""Directions by letter, resolved in axes of forward, left and up."""

_DIRECTION_WORDS = ("forward", "left", "up"), ("backward", "right", "down")
"""Words for the directions of forward, left and up, and for the opposite ones."""

_COMPASS = {"N": "F", "S": "B", "W": "L", "E": "R"}
"""Letters of level frames, seen by someone who looks north."""

_BODY_IN_LEVEL = {"ENU": "FLU", "NWU": "FLU", "NED": "FRD"}
"""Axes of a body that has no rotation in a level frame."""

_NAMED = frozenset({"FLU", "FRD", *_BODY_IN_LEVEL})
"""Axes that stand in the names of frames."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words_of_name(name: str) -> list[str]:
    """Return the words of a name in lower case.

    >>> words_of_name("front/bodyFRD_link2")
    ['front', 'body', 'frd', 'link']
    """
    return [word.lower() for word in _WORD.findall(name)]


def axes_in_name(name: str) -> str:
    """Return the letters of the axes that a name states; empty if it states none.

    >>> axes_in_name("body_frd"), axes_in_name("mapENU"), axes_in_name("camera_link")
    ('FRD', 'ENU', '')
    """
    return next((word.upper() for word in words_of_name(name) if word.upper() in _NAMED), "")


def body_axes(mount: str) -> str:
    """Return the letters of the axes that a body has if it has no rotation in a mount.

    >>> [body_axes(mount) for mount in ("", "ENU", "NED", "FRD")]
    ['FLU', 'FLU', 'FRD', 'FRD']
    """
    return _BODY_IN_LEVEL.get(mount, mount) or "FLU"


def usual_body_axes(mount: str) -> str:
    """Return the letters of the axes that equipment on a mount has: FRD if the mount is z down, else FLU.

    >>> usual_body_axes("NED"), usual_body_axes("RDF")
    ('FRD', 'FLU')
    """
    return "FRD" if body_axes(mount) == "FRD" else "FLU"


def body_rotation(mount: str, letters: str) -> Array:
    """Return the rotation (3, 3) of a mount into a body whose forward and up are those of the mount.

    >>> body_rotation("FLU", OPTICAL).astype(int).tolist()
    [[0, -1, 0], [0, 0, -1], [1, 0, 0]]
    """
    return _in_forward_left_up(letters) @ _in_forward_left_up(body_axes(mount)).T


def level_rotation(mount: str, letters: str) -> Array:
    """Return the rotation (3, 3) of a mount into a level frame. A body as mount looks north; an unknown mount is ENU.

    >>> level_rotation("", "NED").astype(int).tolist()
    [[0, 1, 0], [1, 0, 0], [0, 0, -1]]
    """
    return _in_forward_left_up(letters) @ _in_forward_left_up(mount or "ENU").T


def up_in(letters: str) -> Array:
    """Return the unit vector upward (3,), resolved in axes by letters.

    >>> up_in("FRD").tolist()
    [0.0, 0.0, -1.0]
    """
    return _in_forward_left_up(letters)[:, 2] + 0.0


def direction_word(v: Array, letters: str) -> str:
    """Return a unit vector (3,), resolved in axes by letters, as a word; empty between the axes.

    >>> direction_word(np.array([0.0, 1.0, 0.0]), "FLU"), direction_word(np.array([0.6, 0.8, 0.0]), "FLU")
    ('left', '')
    """
    v_FLU = v @ _in_forward_left_up(letters)
    k = int(np.argmax(np.abs(v_FLU)))
    return _DIRECTION_WORDS[int(v_FLU[k] < 0.0)][k] if abs(v_FLU[k]) >= PARALLEL else ""


def _in_forward_left_up(letters: str) -> Array:
    """Return the axes that letters describe, as rows (3, 3) resolved in forward, left and up."""
    return np.array([_DIRECTIONS[_COMPASS.get(letter, letter)] for letter in letters], dtype=np.float64)
