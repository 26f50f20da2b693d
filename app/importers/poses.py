"""Poses as tools of ROS print them: each becomes a frame in world."""

from __future__ import annotations

import re
from pathlib import Path

from framescope.app.importers.contents import Contents
from framescope.core import frames
from framescope.core.errors import FramescopeError
from framescope.core.readings import read_text
from framescope.core.readings.read_text import MAX_LENGTH
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.poses import Position, QuaternionForm

_PRINTED = re.compile(rb"Translation:\s*\[[^\]]*\]\s*-?\s*Rotation:\s*in\s+Quaternion")


def is_pose(head: bytes, _size: int) -> bool:
    """Return whether a file is output of ``tf2_echo``."""
    return b"\0" not in head and _PRINTED.search(head) is not None


def read(path: Path) -> Contents:
    """Return a frame with the pose, named like the file."""
    text = path.read_bytes()[-MAX_LENGTH:].decode("utf-8", "replace")
    reading = read_text(text).settled
    if reading is None or reading.R is None or reading.p_PF is None or reading.is_list:
        raise FramescopeError(f"{path.name}: expected a translation and a rotation.")
    q = frames.to_Q(reading.R).tolist()
    x, y, z, w = (round(part, 12) + 0.0 for part in q)
    turn = QuaternionForm(value=(x, y, z, w), order="xyzw")
    frame = Frame(parent=WORLD, position=Position(value=reading.p_PF, unit="m"), orientation=turn)
    return Contents(LoadedScene(Scene.model_validate({"frames": {path.stem: frame}}), path, "", {}))
