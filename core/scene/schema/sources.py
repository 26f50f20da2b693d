"""Schema of the origin of a pose: a place in a calibration file."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field

from framescope.core.errors import visible_text
from framescope.core.scene.schema.base import Item, Text


class PoseSource(Item):
    """Place of a pose in a calibration file, and the direction of its numbers there.

    `entry` is the place in the `file`, such as ``cam0.T_cam_imu``. Numbers that map ``parent to frame`` take points of
    the parent to the frame, those that map ``frame to parent`` are the pose of the frame in the parent.
    """

    file: Annotated[Text, Field(min_length=1, max_length=500)]
    entry: Annotated[Text, Field(min_length=1, max_length=300)]
    maps: Literal["parent to frame", "frame to parent"]

    def words(self, frame: str, parent: str) -> str:
        """Return the origin of the pose of a frame in its parent in words.

        >>> source = PoseSource(file="camchain.yaml", entry="cam0.T_cam_imu", maps="parent to frame")
        >>> source.words("left", "imu0")
        'T_cam_imu of cam0 in camchain.yaml takes points of imu0 to left'
        """
        section, _, key = self.entry.rpartition(".")
        is_path = bool(section) and not re.search(r"\s", self.entry)
        entry = f"{key} of {section}" if is_path and key else self.entry
        start, end = (parent, frame) if self.maps == "parent to frame" else (frame, parent)
        return visible_text(f"{entry} in {self.file} takes points of {start} to {end}")
