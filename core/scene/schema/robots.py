"""Schema of robot files beside the scene."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.scene.schema.base import Item


class PackageFolder(Item):
    """A package that a robot file refers to as ``package://name/...``, and its folder."""

    name: Annotated[str, Field(max_length=200)]
    folder: Annotated[str, Field(max_length=1000)]


class RobotFile(Item):
    """A robot in a file beside the scene. Its links are the frames of the same names.

    The scene itself contains everything that is drawn. A frame whose pose differs from the link in the file is
    reported, and the pose can be written to the file. `packages` are folders of the packages to which the file refers,
    if they are not beside the file.
    """

    form: Literal["urdf"] = "urdf"
    file: str
    packages: Annotated[tuple[PackageFolder, ...], Field(max_length=100)] = ()
