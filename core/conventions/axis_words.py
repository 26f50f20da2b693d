"""Axes of a frame in words: the axis of another frame along which each points, and the direction that this means."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import Array

PARALLEL = np.cos(np.radians(10.0))
"""Cosine above which a direction counts as an axis."""

_FLU_WORDS = ("forward", "backward", "left", "right", "up", "down")
_FRD_WORDS = ("forward", "backward", "right", "left", "down", "up")
_PHRASES = {"left": "to the left", "right": "to the right"}

_Z_DOWN_WORDS = frozenset({"ned", "frd"})
_Z_UP_WORDS = frozenset({"enu", "flu", "nwu"})
_BODY_WORDS = frozenset({"base", "body", "car", "chassis", "robot", "vehicle"})
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@dataclass(frozen=True)
class Convention:
    """Meaning of the axes of a frame: whether z points up, and how sure that is.

    Attributes
    ----------
    is_z_up
        True for x forward, y left, z up; False for x forward, y right, z down.
    is_known
        Whether names or the motion of the frame show it; otherwise it is the default.
    """

    is_z_up: bool = True
    is_known: bool = False

    @property
    def up(self) -> Array:
        """Unit vector upward, resolved in the frame."""
        return np.array([0.0, 0.0, 1.0 if self.is_z_up else -1.0])


def words_of_name(name: str) -> frozenset[str]:
    """Return the words of a name in lower case.

    >>> sorted(words_of_name("front/bodyFRD_link2"))
    ['body', 'frd', 'front', 'link']
    """
    return frozenset(word.lower() for word in _WORD.findall(name))


def named_convention(names: Iterable[str]) -> Convention | None:
    """Return the convention that the first telling name states; None if none does.

    Parameters
    ----------
    names
        Name of the frame, then the names of the frames above it.

    Examples
    --------
    >>> named_convention(["camera_link", "body_frd"]), named_convention(["camera_link"])
    (Convention(is_z_up=False, is_known=True), None)
    """
    for name in names:
        words = words_of_name(name)
        if words & _Z_DOWN_WORDS or words & _Z_UP_WORDS:
            return Convention(bool(words & _Z_UP_WORDS), is_known=True)
    return None


def convention_of_body(name: str) -> Convention | None:
    """Return the convention of a frame that its own name shows to be a body; None for other frames.

    A body whose name states no convention has x forward and z up (REP 103 of ROS).

    >>> convention_of_body("base_link"), convention_of_body("body_frd").is_z_up, convention_of_body("elbow")
    (Convention(is_z_up=True, is_known=False), False, None)
    """
    words = words_of_name(name)
    if words & {"flu", "frd"}:
        return Convention("flu" in words, is_known=True)
    return Convention() if words & _BODY_WORDS else None


def axis_name(v: Array) -> str:
    """Return the axis that a unit vector is closest to, with the angle if it is more than 10 degrees.

    >>> axis_name(np.array([0.0, -1.0, 0.0])), axis_name(np.array([0.8, 0.0, 0.6]))
    ('−y', '+x, 37° towards +z')
    """
    order = np.argsort(-np.abs(v))
    main, second = (f"{'−' if v[k] < 0.0 else '+'}{'xyz'[k]}" for k in order[:2])
    if abs(v[order[0]]) >= PARALLEL:
        return main
    angle = np.degrees(np.arccos(min(abs(v[order[0]]), 1.0)))
    return f"{main}, {angle:.0f}° towards {second}"


def direction_word(v: Array, convention: Convention) -> str:
    """Return a direction as a word, such as ``"forward"``; empty between the axes.

    >>> direction_word(np.array([0.0, 1.0, 0.0]), Convention()), direction_word(np.array([0.6, 0.8, 0.0]), Convention())
    ('left', '')
    """
    k = int(np.argmax(np.abs(v)))
    if abs(v[k]) < PARALLEL:
        return ""
    words = _FLU_WORDS if convention.is_z_up else _FRD_WORDS
    return words[2 * k + int(v[k] < 0.0)]


def axes_in_words(R_AB: Array, of: str, relative_to: str, convention: Convention | None) -> tuple[str, str, str]:
    """Return a sentence for each axis of a frame: where it looks in another frame.

    Parameters
    ----------
    R_AB : (3, 3)
        Orientation of the frame `of`. Its columns are the axes, resolved in the frame `relative_to`.
    of, relative_to
        Names of the two frames.
    convention
        Meaning of the axes of `relative_to`; None if it is unknown, which leaves the directions out.

    Examples
    --------
    >>> R_AB = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
    >>> axes_in_words(R_AB, "camera", "body", Convention())[2]
    'z of camera looks along +x of body: forward'
    >>> axes_in_words(R_AB, "camera", "body", None)[0]
    'x of camera looks along −y of body'
    """
    x, y, z = (
        f"{letter} of {of} looks along {_axis_of(R_AB[:, k], relative_to)}{_meaning(R_AB[:, k], convention)}"
        for k, letter in enumerate("xyz")
    )
    return x, y, z


def axes_in_short(R_AB: Array, relative_to: str, convention: Convention | None) -> str:
    """Return the three axes of a frame in one short line; see `axes_in_words` for the parameters.

    >>> R_AB = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
    >>> axes_in_short(R_AB, "body", Convention()), axes_in_short(R_AB, "arm", None)
    ('x right, y down, z forward in body', 'x → −y, y → −z, z → +x in arm')
    """
    parts = (_in_short(letter, R_AB[:, k], convention) for k, letter in enumerate("xyz"))
    return f"{', '.join(parts)} in {relative_to}"


def _in_short(letter: str, v: Array, convention: Convention | None) -> str:
    word = "" if convention is None else direction_word(v, convention)
    if word:
        return f"{letter} {word}"
    axis, _, tilt = axis_name(v).partition(", ")
    return f"{letter} → {axis} {tilt.partition(' ')[0]}".rstrip()


def _axis_of(v: Array, frame: str) -> str:
    main, comma, tilt = axis_name(v).partition(",")
    return f"{main} of {frame}{comma}{tilt}"


def _meaning(v: Array, convention: Convention | None) -> str:
    word = "" if convention is None else direction_word(v, convention)
    return f": {_PHRASES.get(word, word)}" if word else ""
