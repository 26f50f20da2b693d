"""Schema of the origin of a pose: a place in a calibration file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.scene.schema.base import Item, Text


class PoseSource(Item):
    """Place of a pose in a calibration file, and the direction of its numbers there.

    `entry` is the place in the `file`, such as ``cam0.T_cam_imu``. Numbers that map ``parent to frame`` take points of
    the parent to the frame, those that map ``frame to parent`` are the pose of the frame in the parent.
    """

    file: Annotated[Text, Field(min_length=1, max_length=500)]
    entry: Annotated[Text, Field(min_length=1, max_length=300)]
    maps: Literal["parent to frame", "frame to parent"]
