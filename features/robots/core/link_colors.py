"""Colours of links: as in scene files, and those of Gazebo's materials by name.

The diffuse colours are those of Gazebo Classic's file ``gazebo.material``; where only light of the surroundings counts
there, as for ``SkyBlue``, the ambient colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Color = tuple[float, float, float, float]
"""Red, green, blue and opacity, from 0 to 1."""

PREFIX = "Gazebo/"

_COLORS: Mapping[str, tuple[float, float, float]] = {
    "Black": (0.0, 0.0, 0.0),
    "Blue": (0.0, 0.0, 1.0),
    "DarkGrey": (0.175, 0.175, 0.175),
    "DarkYellow": (0.7, 0.7, 0.0),
    "FlatBlack": (0.1, 0.1, 0.1),
    "Gold": (0.8, 0.64869, 0.120759),
    "Green": (0.0, 1.0, 0.0),
    "Grey": (0.7, 0.7, 0.7),
    "Indigo": (0.33, 0.0, 0.5),
    "Orange": (1.0, 0.5088, 0.0468),
    "Purple": (1.0, 0.0, 1.0),
    "Red": (1.0, 0.0, 0.0),
    "RedBright": (0.87, 0.26, 0.07),
    "SkyBlue": (0.13, 0.44, 0.70),
    "Turquoise": (0.0, 1.0, 1.0),
    "White": (1.0, 1.0, 1.0),
    "Yellow": (1.0, 1.0, 0.0),
    "ZincYellow": (0.9725, 0.9529, 0.2078),
}


def gazebo_color(name: str) -> Color | None:
    """Return the colour of a material by its name in Gazebo; None for other names and for pictures, such as wood.

    >>> gazebo_color("Gazebo/Orange"), gazebo_color("Gazebo/RedTransparent"), gazebo_color("Gazebo/WhiteGlow")
    ((1.0, 0.5088, 0.0468, 1.0), (1.0, 0.0, 0.0, 0.5), (1.0, 1.0, 1.0, 1.0))
    >>> gazebo_color("orange") is None, gazebo_color("Gazebo/Bricks") is None
    (True, True)
    """
    if not name.startswith(PREFIX):
        return None
    stem = name.removeprefix(PREFIX)
    is_clear = stem.endswith("Transparent")
    color = _COLORS.get(stem.removesuffix("Transparent").removesuffix("Glow").replace("Gray", "Grey"))
    return None if color is None else (*color, 0.5 if is_clear else 1.0)


def hex_color(color: Sequence[float]) -> str:
    """Return red, green and blue, from 0 to 1 or cut there, as in scene files.

    >>> hex_color((1.0, 0.5, 0.0, 1.0))
    '#ff8000'
    """
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in color[:3])
