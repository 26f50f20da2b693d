"""Axes by convention: three letters for the directions of x, y and z, and rotations between two conventions.

The letters are F, B, L, R, U and D (forward, backward, left, right, up, down), or N, S, E, W for level frames. A body
with FLU axes and no rotation in ENU looks east, one with FRD axes in NED looks north (REP 103, aerospace practice).
"""

from __future__ import annotations

import re

import numpy as np

from framescope.core import frames
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.poses import Axes

OPTICAL = "RDF"
"""Axes of an optical frame (REP 103): x right, y down in the image, z forward."""

_DIRECTIONS = {"F": (1, 0, 0), "B": (-1, 0, 0), "L": (0, 1, 0), "R": (0, -1, 0), "U": (0, 0, 1), "D": (0, 0, -1)}
"""Directions by letter, resolved in axes of forward, left and up."""

_COMPASS = {"N": "F", "S": "B", "W": "L", "E": "R"}
"""Letters of level frames, seen by someone who looks north."""

_BODY_IN_LEVEL = {"ENU": "FLU", "NWU": "FLU", "NED": "FRD"}
"""Axes of a body that has no rotation in a level frame."""

_LETTERS_OF_WORDS = {"flu": "FLU", "frd": "FRD", "enu": "ENU", "ned": "NED", "nwu": "NWU"}

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def mount_axes(scene: Scene, mount: str) -> str:
    """Return the letters of the axes of a frame; empty if no name shows them.

    The name of the frame decides, else that of the nearest ancestor whose name has such a word. An ancestor with
    *optical* in its name shows nothing.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {
    ...     "ned": {"parent": "world"}, "drone": {"parent": "ned"}, "cam_optical": {"parent": "drone"}}})
    >>> mount_axes(scene, "drone"), mount_axes(scene, "cam_optical"), mount_axes(scene, "world")
    ('NED', 'RDF', '')
    """
    if "optical" in mount.lower():
        return OPTICAL
    visited: set[str] = set()
    name = mount
    while name in scene.frames and name not in visited:  # frames may be each other's parents
        visited.add(name)
        for word in _WORD.findall(name):
            if word.lower() in _LETTERS_OF_WORDS:
                return _LETTERS_OF_WORDS[word.lower()]
        name = scene.frames[name].parent
    return ""


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


def _in_forward_left_up(letters: str) -> Array:
    """Return the axes that letters describe, as rows (3, 3) resolved in forward, left and up."""
    return np.array([_DIRECTIONS[_COMPASS.get(letter, letter)] for letter in letters], dtype=np.float64)


def whole_degrees(T: Array) -> Axes:
    """Return a rotation by quarter turns as yaw, pitch and roll in degrees.

    >>> whole_degrees(body_rotation("FLU", OPTICAL)).angles
    (-90.0, 0.0, -90.0)
    """
    angles = frames.axes_rotations_angles(frames.from_T(T, np.zeros(3)), "ZYX")
    yaw, pitch, roll = np.degrees(angles).round().tolist()
    return Axes(sequence="ZYX", angles=(yaw + 0.0, pitch + 0.0, roll + 0.0), unit="deg")
