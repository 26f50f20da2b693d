"""Schema of robots in files beside the scene."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.scene.schema.base import Item


class PackageFolder(Item):
    """A package that the file of a robot names, as ``package://name/...``, and the folder that it is in."""

    name: Annotated[str, Field(max_length=200)]
    folder: Annotated[str, Field(max_length=1000)]


class RobotFile(Item):
    """A robot in a file beside the scene, whose links are the frames that have their names.

    The scene holds all that is drawn; where a frame stands otherwise than its link in the file, that is told, and can
    be written into the file. `packages` are folders of packages that the file names and that do not lie beside it.
    """

    form: Literal["urdf"] = "urdf"
    file: str
    packages: Annotated[tuple[PackageFolder, ...], Field(max_length=100)] = ()
