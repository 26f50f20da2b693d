"""Schema of robots in files beside the scene."""

from __future__ import annotations

from typing import Literal

from framescope.core.scene.schema.base import Item


class RobotFile(Item):
    """A robot in a file beside the scene, whose links are the frames that have their names.

    The scene holds all that is drawn; where a frame stands otherwise than its link in the file, that is told, and can
    be written into the file.
    """

    form: Literal["urdf"] = "urdf"
    file: str
