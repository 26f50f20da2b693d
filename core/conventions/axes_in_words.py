"""Axes of a frame in words: the axis of another frame along which each points, and the direction that this means."""

from __future__ import annotations

from framescope.core.conventions.axis_words import axis_name
from framescope.core.conventions.standard_axes import axes_in_name, body_axes, direction_word, words_of_name
from framescope.core.kernels.validation import Array

_PHRASES = {"left": "to the left", "right": "to the right"}

_BODY_WORDS = frozenset({"base", "body", "car", "chassis", "robot", "vehicle"})


def body_axes_in_name(name: str) -> str:
    """Return the letters of the axes of a frame that its own name shows to be a body; empty for other frames.

    A body whose name states no axes has x forward and z up (REP 103 of ROS); one in NED has z down.

    >>> body_axes_in_name("base_link"), body_axes_in_name("robot_ned"), body_axes_in_name("elbow")
    ('FLU', 'FRD', '')
    """
    axes = axes_in_name(name)
    is_body = axes in ("FLU", "FRD") or not _BODY_WORDS.isdisjoint(words_of_name(name))
    return body_axes(axes) if is_body else ""


def axes_in_words(R_AB: Array, of: str, relative_to: str, letters: str) -> tuple[str, str, str]:
    """Return a sentence for each axis of a frame: where it looks in another frame.

    Parameters
    ----------
    R_AB : (3, 3)
        Orientation of the frame `of`. Its columns are the axes, resolved in the frame `relative_to`.
    of, relative_to
        Names of the two frames.
    letters
        Letters of the axes of `relative_to`, see `standard_axes`; empty if unknown, which leaves the directions out.

    Examples
    --------
    >>> import numpy as np
    >>> R_AB = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
    >>> axes_in_words(R_AB, "camera", "body", "FLU")[2]
    'z of camera looks along +x of body: forward'
    >>> axes_in_words(R_AB, "camera", "body", "")[0]
    'x of camera looks along −y of body'
    """
    x, y, z = (
        f"{letter} of {of} looks {axis_in_words(R_AB[:, k], relative_to, letters)}" for k, letter in enumerate("xyz")
    )
    return x, y, z


def axis_in_words(v: Array, relative_to: str, letters: str) -> str:
    """Return where an axis looks in another frame; see `axes_in_words` for the last two parameters.

    Parameters
    ----------
    v : (3,)
        Unit vector along the axis, resolved in the frame `relative_to`.

    Examples
    --------
    >>> import numpy as np
    >>> axis_in_words(np.array([0.0, 1.0, 0.0]), "body", "FRD")
    'along +y of body: to the right'
    """
    return f"along {_axis_of(v, relative_to)}{_meaning(v, letters)}"


def axes_in_short(R_AB: Array, relative_to: str, letters: str) -> str:
    """Return the three axes of a frame in one short line; see `axes_in_words` for the parameters.

    >>> import numpy as np
    >>> R_AB = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
    >>> axes_in_short(R_AB, "body", "FLU"), axes_in_short(R_AB, "arm", "")
    ('x right, y down, z forward in body', 'x → −y, y → −z, z → +x in arm')
    """
    parts = (_in_short(letter, R_AB[:, k], letters) for k, letter in enumerate("xyz"))
    return f"{', '.join(parts)} in {relative_to}"


def _in_short(letter: str, v: Array, letters: str) -> str:
    word = direction_word(v, letters) if letters else ""
    if word:
        return f"{letter} {word}"
    main, comma, tilt = axis_name(v).partition(", ")
    if not comma:
        return f"{letter} → {main}"
    angle, _, second = tilt.partition(" ")
    return f"{letter} is {angle} from {main} {second}"


def _axis_of(v: Array, frame: str) -> str:
    main, comma, tilt = axis_name(v).partition(",")
    return f"{main} of {frame}{comma}{tilt}"


def _meaning(v: Array, letters: str) -> str:
    word = direction_word(v, letters) if letters else ""
    return f": {_PHRASES.get(word, word)}" if word else ""
