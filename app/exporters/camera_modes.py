"""Camera modes of a film: the scene's own camera or its path, a turntable, or a camera that follows a frame."""

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

NARROW_ASPECT = 1.4
"""Aspect ratio, width over height, below which the camera steps back so that nothing is cropped at the sides."""

PHASE_DIGITS = 9
"""Decimals, in turns, of a turntable's rounded phase: the frame after the last has exactly the first camera."""

Pose = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class CameraMode:
    """Camera mode of a film.

    Attributes
    ----------
    camera
        ``"scene"``: the scene's camera or its path; ``"turntable"``: a turn about the vertical axis through the focal
        point.
    follow
        Name of the frame that the camera follows; empty for none.
    is_turning
        Whether the camera also rotates with that frame. Otherwise it only keeps its offset from the origin.
    turns
        Whole turns of a turntable over the range, counter-clockwise seen from above; negative for clockwise.
    eye, eye_time
        A camera that replaces the scene's, and the time, s, at which it has this pose in world. A camera that follows a
        frame moves from there. None: the start of the range.
    """

    camera: str = "scene"
    follow: str = ""
    is_turning: bool = False
    turns: int = 1
    eye: CameraState | None = None
    eye_time: float | None = None

    @property
    def leaves_to_scene(self) -> bool:
        """Whether the scene's own camera is used without any change."""
        return self == CameraMode()


def checked_view(names: Collection[str], options: ExportOptions) -> CameraMode:
    """Return the camera mode that the options describe; raise `ExportError` for a frame that does not exist."""
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
    """Camera of a film at any time; it depends on the time and the pose of the followed frame alone.

    Parameters
    ----------
    mode
        The camera mode.
    base
        The camera at the time from which it follows the frame.
    pose
        Pose (3, 3), (3,) of the followed frame in world at that time; None without one.
    start, period
        Start of a turntable's motion and its duration, s.
    """

    def __init__(self, mode: CameraMode, base: CameraState, pose: Pose | None, start: float, period: float) -> None:
        self._mode, self._base = mode, base
        self._start, self._period = start, period
        self._following: Following | None = None
        if pose is not None:
            self._following = start_following(mode.follow, "frame" if mode.is_turning else "origin", base, *pose)

    def at(self, t: float, pose: Pose | None = None) -> CameraState:
        """Return the camera at a time, s; `pose` is the pose of the followed frame in world at this time."""
        camera = self._base if self._following is None or pose is None else self._following.at(*pose)
        if self._mode.camera != "turntable":
            return camera
        share = round((t - self._start) / self._period * self._mode.turns, PHASE_DIGITS) % 1.0
        return rotate_with_frame(
            camera, np.eye(3), vertical_rotation(2.0 * math.pi * share), np.asarray(camera.focal_point)
        )


def fit_narrow_picture(camera: CameraState, aspect: float) -> CameraState:
    """Return the camera, moved back for a picture narrower than `NARROW_ASPECT`, so that its sides stay visible."""
    return step_back(camera, NARROW_ASPECT / aspect) if aspect < NARROW_ASPECT else camera


def vertical_rotation(angle: float) -> NDArray[np.float64]:
    """Return the rotation (3, 3) about the z axis of world, rad."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def pose_in(snapshot: Snapshot, name: str) -> Pose | None:
    """Return rotation and origin of a frame in world; None without a name or where the frame has no pose."""
    row = snapshot.index.get(name)
    if row is None or not snapshot.is_posed[row]:
        return None
    return snapshot.R_WF[row], snapshot.p_WF[row]
