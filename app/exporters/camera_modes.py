"""Camera modes of a film: the scene's own camera or its path, a turntable, or a camera that follows a frame."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.errors import ExportError
from framescope.core.errors import did_you_mean
from framescope.core.snapshot import Snapshot
from framescope.ui.exports.options import ExportOptions
from framescope.ui.scene_view.camera.camera import (
    NARROW_ASPECT,
    CameraState,
    Projection,
    fit_narrow_picture,
    pan,
    step_back,
)
from framescope.ui.scene_view.camera.follow_frame import Following, rotate_with_frame, start_following

if TYPE_CHECKING:
    pass

MAX_TURNS = 100

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
    def is_still(self) -> bool:
        """Whether the camera neither orbits nor follows a frame."""
        return self.camera == "scene" and not self.follow

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


def fit_beside_cards(
    camera: CameraState, size: tuple[float, float], cards: Sequence[tuple[float, float, float, float]]
) -> CameraState:
    """Return the camera for a picture with cards at its upper right: the scene fits beside or below them.

    Parameters
    ----------
    camera
        A camera that shows the scene in the middle of a picture that is at least as wide as `NARROW_ASPECT`.
    size
        Width and height of the picture, logical pixels.
    cards
        Areas of the cards: x, y, width and height, logical pixels from the upper left.

    Examples
    --------
    Beside a card of 260 pixels, a picture of 16:9 is wide enough. In a square picture the scene moves down.

    >>> camera = CameraState((0.0, -5.0, 0.0))
    >>> fit_beside_cards(camera, (1280, 720), [(1020, 50, 244, 100)]) == camera
    True
    >>> fit_beside_cards(camera, (720, 720), [(460, 50, 244, 100)]).focal_point[2] > 0.0
    True
    """
    width, height = size
    if not cards:
        return fit_narrow_picture(camera, width / height)
    left, bottom = min(x for x, *_ in cards), max(y + card_height for _, y, _, card_height in cards)
    if left / height >= NARROW_ASPECT:
        return camera
    rooms = ((left, height, 0.5 * left, 0.5 * height), (width, height - bottom, 0.5 * width, 0.5 * (height + bottom)))
    fitting = [min(room_width / NARROW_ASPECT, room_height) for room_width, room_height, _, _ in rooms]
    best = int(np.argmax(fitting))
    _, _, x, y = rooms[best]
    back = step_back(camera, height / fitting[best])
    projection = Projection(back, round(width), round(height), 1.0)
    return pan(back, x - 0.5 * width, 0.5 * height - y, projection)


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
