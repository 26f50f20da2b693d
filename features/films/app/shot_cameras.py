"""Cameras of the shots of a film at any moment: authored poses, paths, orbits, following and approaching cameras."""

from __future__ import annotations

import numpy as np

from framescope.app.exporters.camera_modes import fit_narrow_picture, pose_in, vertical_rotation
from framescope.core.evaluation.drawn_frames import drawn_frames
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.features.films.core.camera_poses import CameraPose, mix_poses, path_pose
from framescope.features.films.core.compiled_film import CompiledCamera, CompiledFilm, CompiledShot
from framescope.features.films.core.easing import eased
from framescope.features.films.core.moments import CameraMoment
from framescope.ui.scene_view.base.visual import BARE
from framescope.ui.scene_view.camera.camera import CameraState, step_back
from framescope.ui.scene_view.camera.follow_frame import rotate_with_frame, start_following
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.theme.tokens import Theme


class ShotCameras:
    """Cameras of all shots of a film in a picture of a size.

    A picture narrower than a screen gets cameras further back, so that its sides stay in view.

    Parameters
    ----------
    plan, film
        The scene and its film.
    size, theme, scale
        Width and height of the picture, pixels; colours; device pixels per logical pixel.
    """

    def __init__(self, plan: Plan, film: CompiledFilm, size: tuple[int, int], theme: Theme, scale: float) -> None:
        self._plan, self._film = plan, film
        self._aspect = size[0] / size[1]
        self._renderer = SceneRenderer(theme, scale, BARE)  # never drawn: it only fits cameras
        self._renderer.layers.size_without_window = size
        self._renderer.set_plan(plan)
        self._starts: dict[int, CameraState] = {}
        self._targets: dict[int, CameraState] = {}

    def at(self, moment: CameraMoment) -> CameraState:
        """Return the camera of a moment."""
        camera = self._own(moment)
        if moment.before is None:
            return camera
        before = self._own(moment.before)
        return _state(mix_poses(_pose(before), _pose(camera), moment.share), camera.is_parallel)

    def _own(self, moment: CameraMoment) -> CameraState:
        """Return the camera of a shot alone."""
        shot = self._film.shots[moment.shot]
        camera = shot.camera
        match camera.form:
            case "path":
                return self._fitted(path_pose(camera.keys, moment.elapsed))
            case "orbit":
                start = self._start(moment.shot)
                share = eased(camera.easing, moment.elapsed / camera.duration)
                R, center = vertical_rotation(share * camera.angle), np.asarray(start.focal_point)
                return rotate_with_frame(start, np.eye(3), R, center)
            case "follow":
                return self._following(moment, shot, camera)
            case "dolly":
                start, target = self._start(moment.shot), self._target(moment.shot, shot, camera)
                share = min(eased(camera.easing, moment.elapsed / camera.duration), 1.0)
                return _state(mix_poses(_pose(start), _pose(target), share), start.is_parallel)
            case "pose":
                return self._start(moment.shot)
            case _:
                return self._of_scene(moment.shot, moment.t)

    def _start(self, k: int) -> CameraState:
        """Return the camera of a shot at its start."""
        if k not in self._starts:
            shot = self._film.shots[k]
            pose = shot.camera.pose
            self._starts[k] = self._of_scene(k, shot.start) if pose is None else self._fitted(pose)
        return self._starts[k]

    def _of_scene(self, k: int, t: float) -> CameraState:
        """Return the camera of the scene at a time, s; one that shows everything is fitted at the start of the shot."""
        data, renderer = self._plan.view_data, self._renderer
        is_fixed = data.camera is not None or data.camera_path is not None
        self._show(t if is_fixed else self._film.shots[k].start)
        renderer.reset_camera()
        camera = renderer.camera()
        return fit_narrow_picture(camera, self._aspect) if is_fixed else camera

    def _following(self, moment: CameraMoment, shot: CompiledShot, camera: CompiledCamera) -> CameraState:
        start = self._start(moment.shot)
        first, now = (
            pose_in(drawn_frames(self._plan.tree, evaluate(self._plan, t)), camera.frame)
            for t in (shot.start, moment.t)
        )
        if first is None or now is None:
            return start
        return start_following(camera.frame, "frame" if camera.turning else "origin", start, *first).at(*now)

    def _target(self, k: int, shot: CompiledShot, camera: CompiledCamera) -> CameraState:
        """Return the camera at which an approaching camera stops."""
        if k not in self._targets:
            start = self._start(k)
            self._show(shot.scene_time(camera.duration, self._film.start, self._film.end))
            self._renderer.set_camera(start)
            fitted = self._renderer.fitted_to_frames(camera.frames, even_if_seen=True)
            self._targets[k] = start if fitted is None else step_back(fitted, camera.distance)
        return self._targets[k]

    def _show(self, t: float) -> None:
        self._renderer.show(evaluate(self._plan, t), trails(self._plan, t))

    def _fitted(self, pose: CameraPose) -> CameraState:
        return fit_narrow_picture(_state(pose), self._aspect)


def _state(pose: CameraPose, is_parallel: bool = False) -> CameraState:
    return CameraState(pose.position, pose.focal_point, pose.up, pose.view_angle, is_parallel)


def _pose(camera: CameraState) -> CameraPose:
    return CameraPose(camera.position, camera.focal_point, camera.up, camera.view_angle)
