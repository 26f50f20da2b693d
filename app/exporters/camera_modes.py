"""Camera modes of a film: the scene's own camera or its path, a turntable, beside a frame or fixed to it."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.errors import ExportError
from framescope.core.errors import did_you_mean
from framescope.core.snapshot import Snapshot
from framescope.ui.exports.options import ExportOptions
from framescope.ui.scene_view.camera.camera import CameraState, step_back
from framescope.ui.scene_view.camera.follow_frame import Following, rotate_with_frame, start_following

MAX_TURNS = 100

PLACED_FOR = 1.4
"""Width over height of what a camera keeps in view in a narrower picture; it was placed for a wide one."""

PHASE_DIGITS = 9
"""Of a turn, so that the frame after the last one has the very camera of the first."""

Pose = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class CameraMode:
    """Camera mode of a film.

    Attributes
    ----------
    camera
        ``"scene"``: as the scene has it; ``"turntable"``: turning about the upright line through the focal point.
    follow
        The frame that the camera goes with; empty for none.
    is_turning
        Whether the camera turns with that frame, and does not only stay beside its origin.
    turns
        Whole turns of a turntable over the range, counter-clockwise from above; negative ones the other way.
    eye, eye_time
        A camera in place of the scene's own, and the moment, s, at which it sees what it should: a camera that follows
        goes on from there. The start of the range when it is None.
    """

    camera: str = "scene"
    follow: str = ""
    is_turning: bool = False
    turns: int = 1
    eye: CameraState | None = None
    eye_time: float | None = None

    @property
    def leaves_to_scene(self) -> bool:
        """Whether the scene alone says where it is seen from."""
        return self == CameraMode()


def checked_view(names: Collection[str], options: ExportOptions) -> CameraMode:
    """Return where a film is seen from; raise `ExportError` for a frame that does not exist."""
    camera, follow, turning, turns = options.camera or "scene", options.follow or "", options.turning, options.turns
    if follow and follow not in names:
        raise ExportError(f'follow: there is no frame "{follow}". {did_you_mean(follow, names)}'.strip())
    if turning and not follow:
        raise ExportError("turning: there is no frame to turn with. Name one with follow.")
    if turns is not None and camera != "turntable":
        raise ExportError("turns: only a turntable turns. Add camera turntable, or leave turns out.")
    turns = 1 if turns is None else turns
    if not 1 <= abs(turns) <= MAX_TURNS:
        raise ExportError(f"turns: expected 1 to {MAX_TURNS} whole turns, or negative ones, got {turns}.")
    return CameraMode(camera, follow, turning, turns, options.eye, options.eye_time)


class FilmCamera:
    """The camera of each moment of a film: a function of the time alone.

    Parameters
    ----------
    seen
        What is asked for.
    base
        The camera at the moment that it goes on from.
    pose
        The pose (3, 3), (3,) in world of the frame that is followed, at that moment; None when none is.
    start, period
        When a turntable begins, and how long it turns, s.
    """

    def __init__(self, seen: CameraMode, base: CameraState, pose: Pose | None, start: float, period: float) -> None:
        self._seen, self._base = seen, base
        self._start, self._period = start, period
        self._following: Following | None = None
        if pose is not None:
            self._following = start_following(seen.follow, "frame" if seen.is_turning else "origin", base, *pose)

    def at(self, t: float, pose: Pose | None = None) -> CameraState:
        """Return the camera at a time, s, for the pose of the frame that is followed."""
        camera = self._base if self._following is None or pose is None else self._following.at(*pose)
        if self._seen.camera != "turntable":
            return camera
        share = round((t - self._start) / self._period * self._seen.turns, PHASE_DIGITS) % 1.0
        return rotate_with_frame(
            camera, np.eye(3), about_upright(2.0 * math.pi * share), np.asarray(camera.focal_point)
        )


def for_narrow(camera: CameraState, aspect: float) -> CameraState:
    """Return a placed camera, stepped back where the picture is narrow, so that what is beside the middle stays in."""
    return step_back(camera, PLACED_FOR / aspect) if aspect < PLACED_FOR else camera


def about_upright(angle: float) -> NDArray[np.float64]:
    """Return the rotation (3, 3) about the z axis of world, rad."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def pose_in(snapshot: Snapshot, name: str) -> Pose | None:
    """Return rotation and origin of a frame in world; None when it has no pose then, or no frame is named."""
    row = snapshot.index.get(name)
    if row is None or not snapshot.is_posed[row]:
        return None
    return snapshot.R_WF[row], snapshot.p_WF[row]
