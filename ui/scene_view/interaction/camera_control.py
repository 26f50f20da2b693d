"""Camera control by mouse, key and menu: one place that knows where the camera goes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from framescope.ui.scene_view.camera import camera as cameras
from framescope.ui.scene_view.camera.camera import PRESETS, CameraState
from framescope.ui.scene_view.camera.follow_frame import Following, FollowMode, followed
from framescope.ui.scene_view.scene_renderer import SceneRenderer

Array = NDArray[np.float64]

INSIDE = 0.06
"""What is nearer to an edge, in heights of the picture, is out of it."""

ZOOM_PER_STEP = 1.15
"""Of the wheel, and of a key."""


class CameraControl(QObject):
    """Moves the camera of a renderer.

    Signals
    -------
    moved()
        The picture is to be drawn again.
    switched()
        Between perspective and parallel, or to follow a frame or no longer.
    path_left()
        A person has taken the camera off the path that the scene has for it.
    said(str, str)
        A kind and a sentence for the status line.
    """

    moved = Signal()
    switched = Signal()
    path_left = Signal()
    status = Signal(str, str)

    def __init__(self, renderer: SceneRenderer, selected: Callable[[], str | None], parent: QObject) -> None:
        super().__init__(parent)
        self._renderer, self._selected = renderer, selected
        self._following: Following | None = None
        self._home: tuple[CameraState | None, Following | None] | None = None
        self._visited: CameraState | None = None

    @property
    def state(self) -> CameraState:
        """Where the scene is seen from."""
        return self._renderer.camera()

    def set_state(self, camera: CameraState) -> None:
        """See the scene from elsewhere; what is followed is followed from there."""
        was_on_path, was_parallel = self._renderer.is_on_path, self.state.is_parallel
        self._renderer.set_camera(camera)
        if self._following is not None:
            self._hold_on(self._following.name, self._following.mode)
        self.moved.emit()
        if was_parallel != camera.is_parallel:
            self.switched.emit()
        if was_on_path:
            self.path_left.emit()

    def reset(self) -> None:
        """Go back to the scene's own camera, or to one that shows everything; nothing is followed then."""
        self._following = None
        self._renderer.reset_camera()
        self.switched.emit()
        self.moved.emit()

    def fit(self) -> None:
        """Move the camera until everything is in the picture."""
        self.set_state(self._renderer.fitted())

    def fit_selection(self) -> None:
        """Move the camera until the selected frame, with what is on it, fills the picture."""
        name = self._selected()
        if name is not None:
            self.set_state(self._renderer.fitted(name))

    def fit_frames(self, names: Collection[str]) -> bool:
        """Move the camera until frames and all that is on them fill the picture, unless they are there; say whether."""
        state = self._renderer.fitted_to_frames(names)
        if state is not None:
            self.set_state(state)
        return state is not None

    def bring_into_view(self, name: str) -> None:
        """Look at a frame's origin, from the same side and as far off, if it is out of the picture; else stay."""
        pose, projection = self._renderer.pose_of(name), self._renderer.projection()
        if pose is None:
            return
        p_WF = pose[1]
        x, y, depth = projection.project(p_WF)
        margin = INSIDE * projection.height
        is_inside = margin <= x <= projection.width - margin and margin <= y <= projection.height - margin
        if depth <= 0.0 or not is_inside:
            state = self.state
            position = p_WF - state.distance * state.direction
            self.set_state(replace(state, position=cameras.as_tuple(position), focal_point=cameras.as_tuple(p_WF)))

    def orbit(self, azimuth: float, elevation: float) -> None:
        """Turn about the focal point, rad."""
        self.set_state(cameras.orbit(self.state, azimuth, elevation))

    def pan(self, right: float, up: float) -> None:
        """Move the picture, in device pixels."""
        self.set_state(cameras.pan(self.state, right, up, self._renderer.projection()))

    def zoom(self, factor: float, x: float, y: float) -> None:
        """Go nearer to what is under a device pixel, from the lower left."""
        # As the camera stands where it is not carried along.
        projection = replace(self._renderer.projection(), camera=self.state)
        self.set_state(cameras.zoom(self.state, factor, projection, (x, y)))

    def look_towards(self, direction: Array) -> None:
        """Look at the focal point from a direction (3,) in world."""
        self.set_state(cameras.look_from(self.state, direction))

    def look_from(self, preset: str) -> None:
        """Look at the focal point from one of `camera.PRESETS`."""
        self.set_state(cameras.look_from(self.state, np.array(PRESETS[preset])))

    def look_along(self, axis: int) -> None:
        """Look along an axis (0, 1 or 2) of the selected frame, to its origin."""
        name = self._selected()
        pose = None if name is None else self._renderer.pose_of(name)
        if pose is None:
            self.status.emit("note", "Select a frame first, to look along its axis")
        else:
            self.set_state(cameras.look_along(self.state, axis, *pose))

    def set_parallel(self, is_parallel: bool) -> None:
        """See in parallel (orthographic) or in perspective; the focal point keeps its size."""
        self.set_state(replace(self.state, is_parallel=is_parallel))

    # For a while

    def visit(self, camera: CameraState) -> None:
        """See the scene from elsewhere for a while, and follow nothing there; `go_home` comes back."""
        if self._home is None:
            self._home = self._renderer.chosen_camera, self._following
            self._following = None
        self._renderer.set_camera(camera)
        self._visited = camera
        self.moved.emit()

    @property
    def is_visiting(self) -> bool:
        """Whether the scene is seen from elsewhere for a while, and nobody has moved the camera there."""
        return self._home is not None and self._renderer.chosen_camera is self._visited

    def go_home(self) -> None:
        """Go back to where the camera was, on its path or with what it followed, unless somebody has moved it."""
        if self._home is None:
            return
        is_untouched, (camera, following) = self.is_visiting, self._home
        self._home = self._visited = None
        if is_untouched:
            self._following = following
            self._renderer.set_camera(camera)
            self.moved.emit()
        elif camera is None and self._renderer.has_path:
            self.path_left.emit()

    # Following

    @property
    def follow_mode(self) -> FollowMode:
        """How a frame is followed, if one is."""
        return "" if self._following is None else self._following.mode

    def set_follow(self, mode: FollowMode) -> None:
        """Let the camera go with the selected frame, beside its origin or fixed to it; or let it stand."""
        self._following = None
        name = self._selected()
        if mode and name is not None:
            self._hold_on(name, mode)
            how = "beside its origin" if mode == "origin" else "and turns with it"
            self.status.emit("note", f"The camera follows {name} {how}")
        elif mode:
            self.status.emit("note", "Select a frame first, to follow it")
        self.switched.emit()

    def follow(self) -> None:
        """Go where the followed frame has gone."""
        pose = None if self._following is None else self._renderer.pose_of(self._following.name)
        if self._following is not None and pose is not None:
            self._renderer.set_camera(self._following.at(*pose))

    def _hold_on(self, name: str, mode: FollowMode) -> None:
        """Follow from where the camera is now."""
        pose = self._renderer.pose_of(name)
        if pose is not None:
            self._following = followed(name, mode, self.state, *pose)
