"""Camera control by mouse, keyboard and menu: the one place that moves the camera."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from framescope.ui.scene_view.camera import camera as cameras
from framescope.ui.scene_view.camera.camera import PRESETS, CameraState
from framescope.ui.scene_view.camera.follow_frame import Following, FollowMode, start_following
from framescope.ui.scene_view.scene_renderer import SceneRenderer

Array = NDArray[np.float64]

INSIDE = 0.06
"""Margin at the edges within which a point counts as outside the picture, in picture heights."""

ZOOM_PER_STEP = 1.15
"""Zoom factor of one wheel step or key press."""


class CameraControl(QObject):
    """Moves the camera of a renderer.

    Signals
    -------
    moved()
        The camera has moved; the picture must be redrawn.
    switched()
        The projection changed between perspective and parallel, or following began or ended.
    path_left()
        The user has moved the camera off the path given by the scene.
    status(str, str)
        Kind and text of a message for the status line.
    """

    moved = Signal()
    switched = Signal()
    path_left = Signal()
    status = Signal(str, str)

    def __init__(self, renderer: SceneRenderer, selected: Callable[[], tuple[str, ...]], parent: QObject) -> None:
        super().__init__(parent)
        self._renderer, self._selected = renderer, selected
        self._following: Following | None = None
        self._following_note = ""
        self._home: tuple[CameraState | None, Following | None] | None = None
        self._visited: CameraState | None = None

    @property
    def state(self) -> CameraState:
        """The current camera."""
        return self._renderer.camera()

    def set_state(self, camera: CameraState) -> None:
        """Set the camera; a followed frame is followed from the new position."""
        was_on_path, was_parallel = self._renderer.is_on_path, self.state.is_parallel
        self._renderer.set_camera(camera)
        if self._following is not None:
            self._follow_frame(self._following.name, self._following.mode)
        self.moved.emit()
        if was_parallel != camera.is_parallel:
            self.switched.emit()
        if was_on_path:
            self.path_left.emit()

    def reset(self) -> None:
        """Return to the scene's own camera, or to one that shows everything, and stop following."""
        self._stop_following()
        self._home = self._visited = None
        self._renderer.reset_camera()
        self.switched.emit()
        self.moved.emit()

    def fit(self) -> None:
        """Move the camera until everything is in the picture."""
        self.set_state(self._renderer.fitted_camera())

    def fit_selection(self) -> None:
        """Move the camera until the selected frames and the things on them fill the picture."""
        frames = self._selected()
        if len(frames) == 1:
            self.set_state(self._renderer.fitted_camera(frames[0]))
        elif (state := self._renderer.fitted_to_frames(frames, even_if_seen=True)) is not None:
            self.set_state(state)

    def fit_frames(self, names: Collection[str], *, even_if_seen: bool = False) -> bool:
        """Move the camera until frames and the things on them fill the picture.

        Returns False if no frame has a pose, or if all are in the picture already, unless `even_if_seen`.
        """
        state = self._renderer.fitted_to_frames(names, even_if_seen=even_if_seen)
        if state is not None:
            self.set_state(state)
        return state is not None

    def is_in_view(self, name: str, inside: float = 0.0) -> bool:
        """Return whether a frame's origin is in the picture, `inside` picture heights off its edges.

        A frame without a pose counts as in the picture.
        """
        pose, projection = self._renderer.pose_of(name), self._renderer.projection()
        if pose is None:
            return True
        x, y, depth = projection.project(pose[1])
        margin = inside * projection.height
        is_inside = margin <= x <= projection.width - margin and margin <= y <= projection.height - margin
        return bool(depth > 0.0 and is_inside)

    def bring_into_view(self, name: str) -> None:
        """Look at a frame's origin from the same side and distance if it is outside the picture."""
        pose = self._renderer.pose_of(name)
        if pose is not None and not self.is_in_view(name, INSIDE):
            p_WF, state = pose[1], self.state
            position = p_WF - state.distance * state.direction
            self.set_state(replace(state, position=cameras.as_tuple(position), focal_point=cameras.as_tuple(p_WF)))

    def orbit(self, azimuth: float, elevation: float) -> None:
        """Turn the camera about its focal point, rad."""
        self.set_state(cameras.orbit(self.state, azimuth, elevation))

    def pan(self, right: float, up: float) -> None:
        """Move the picture, in device pixels."""
        self.set_state(cameras.pan(self.state, right, up, self._renderer.projection()))

    def zoom(self, factor: float, x: float, y: float) -> None:
        """Zoom towards a device pixel, counted from the lower left."""
        # The chosen camera, without the rotation of the passive view.
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
        name = next(iter(self._selected()), None)
        pose = None if name is None else self._renderer.pose_of(name)
        if pose is None:
            self.status.emit("note", "Select a frame first, to look along its axis")
        else:
            self.set_state(cameras.look_along(self.state, axis, *pose))

    def set_parallel(self, is_parallel: bool) -> None:
        """Switch to parallel (orthographic) or perspective projection; objects at the focal point keep their size."""
        self.set_state(replace(self.state, is_parallel=is_parallel))

    # Temporary views

    def visit(self, camera: CameraState) -> None:
        """Show the scene from a temporary camera without following; `go_home` restores the previous camera."""
        if self._home is None:
            self._home = self._renderer.chosen_camera, self._following
            self._following = None
        self._renderer.set_camera(camera)
        self._visited = camera
        self.moved.emit()

    @property
    def is_visiting(self) -> bool:
        """Whether a temporary camera is shown and the user has not moved it."""
        return self._home is not None and self._renderer.chosen_camera is self._visited

    @property
    def has_home(self) -> bool:
        """Whether `go_home` would end a visit, be it that the user has moved the camera since."""
        return self._home is not None

    def go_home(self, *, even_if_moved: bool = False) -> None:
        """Restore the camera before `visit`, its path and its following.

        If the user has moved the camera since, it stays there, except with `even_if_moved`.
        """
        if self._home is None:
            return
        is_restored, (camera, following) = even_if_moved or self.is_visiting, self._home
        self._home = self._visited = None
        if is_restored:
            self._following = following
            self._renderer.set_camera(camera)
            self.switched.emit()
            self.moved.emit()
        elif camera is None and self._renderer.has_path:
            self.path_left.emit()

    # Following

    @property
    def follow_mode(self) -> FollowMode:
        """Mode in which a frame is followed, if any."""
        return "" if self._following is None else self._following.mode

    def set_follow(self, mode: FollowMode) -> None:
        """Follow the selected frame, beside its origin or fixed to it; an empty mode stops following."""
        self._stop_following()
        name = next(iter(self._selected()), None)
        if mode and name is not None:
            self._follow_frame(name, mode)
            how = "beside its origin" if mode == "origin" else "and turns with it"
            self._following_note = f"The camera follows {name} {how}"
            self.status.emit("note", self._following_note)
        elif mode:
            self.status.emit("note", "Select a frame first, to follow it")
        self.switched.emit()

    def follow(self) -> None:
        """Move the camera with the followed frame."""
        pose = None if self._following is None else self._renderer.pose_of(self._following.name)
        if self._following is not None and pose is not None:
            self._renderer.set_camera(self._following.at(*pose))

    def _stop_following(self) -> None:
        self._following = None
        self.status.emit("", self._following_note)

    def _follow_frame(self, name: str, mode: FollowMode) -> None:
        """Follow a frame from the current camera."""
        pose = self._renderer.pose_of(name)
        if pose is not None:
            self._following = start_following(name, mode, self.state, *pose)
