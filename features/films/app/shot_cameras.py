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

KEPT_CAMERAS = 500
"""Largest number of cameras of the scene that are kept."""


class SceneEye:
    """Cameras that a scene gives the shots of its films, in a picture of a size.

    A picture narrower than a screen gets cameras further back, so that its sides stay in view.

    Parameters
    ----------
    plan
        The scene.
    size, theme, scale
        Width and height of the picture, pixels; colours; device pixels per logical pixel.
    """

    def __init__(self, plan: Plan, size: tuple[int, int], theme: Theme, scale: float) -> None:
        self.plan, self.size = plan, size
        self._renderer = SceneRenderer(theme, scale, BARE)  # never drawn: it only fits cameras
        self._renderer.layers.size_without_window = size
        self._renderer.set_plan(plan)
        self._at: dict[float, CameraState] = {}

    def at(self, t: float, fitted_t: float) -> CameraState:
        """Return the camera of the scene at a time, s; one that shows everything is fitted at another time, s."""
        data, renderer = self.plan.view_data, self._renderer
        is_fixed = data.camera is not None or data.camera_path is not None
        t = t if is_fixed else fitted_t
        if t not in self._at:
            while len(self._at) >= KEPT_CAMERAS:
                self._at.pop(next(iter(self._at)))
            self._show(t)
            renderer.reset_camera()
            camera = renderer.camera()
            self._at[t] = fit_narrow_picture(camera, self.aspect) if is_fixed else camera
        return self._at[t]

    def approach(self, start: CameraState, frames: tuple[str, ...], t: float) -> CameraState | None:
        """Return a camera moved until frames fill the picture at a time, s; None where they have no pose."""
        self._show(t)
        self._renderer.set_camera(start)
        return self._renderer.fitted_to_frames(frames, even_if_seen=True)

    def fitted(self, pose: CameraPose) -> CameraState:
        """Return the camera of a pose in the picture."""
        return fit_narrow_picture(_state(pose), self.aspect)

    @property
    def aspect(self) -> float:
        """Width of the picture over its height."""
        return self.size[0] / self.size[1]

    def _show(self, t: float) -> None:
        self._renderer.show(evaluate(self.plan, t), trails(self.plan, t))


class ShotCameras:
    """Cameras of all shots of a film."""

    def __init__(self, film: CompiledFilm, eye: SceneEye) -> None:
        self._film, self.eye = film, eye
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
                return self.eye.fitted(path_pose(camera.keys, moment.elapsed))
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
                return self.eye.at(moment.t, shot.start)

    def _start(self, k: int) -> CameraState:
        """Return the camera of a shot at its start."""
        if k not in self._starts:
            shot = self._film.shots[k]
            pose = shot.camera.pose
            self._starts[k] = self.eye.at(shot.start, shot.start) if pose is None else self.eye.fitted(pose)
        return self._starts[k]

    def _following(self, moment: CameraMoment, shot: CompiledShot, camera: CompiledCamera) -> CameraState:
        start, plan = self._start(moment.shot), self.eye.plan
        first, now = (pose_in(drawn_frames(plan.tree, evaluate(plan, t)), camera.frame) for t in (shot.start, moment.t))
        if first is None or now is None:
            return start
        return start_following(camera.frame, "frame" if camera.turning else "origin", start, *first).at(*now)

    def _target(self, k: int, shot: CompiledShot, camera: CompiledCamera) -> CameraState:
        """Return the camera at which an approaching camera stops."""
        if k not in self._targets:
            start = self._start(k)
            t = shot.scene_time(camera.duration, self._film.start, self._film.end)
            fitted = self.eye.approach(start, camera.frames, t)
            self._targets[k] = start if fitted is None else step_back(fitted, camera.distance)
        return self._targets[k]


def _state(pose: CameraPose, is_parallel: bool = False) -> CameraState:
    return CameraState(pose.position, pose.focal_point, pose.up, pose.view_angle, is_parallel)


def _pose(camera: CameraState) -> CameraPose:
    return CameraPose(camera.position, camera.focal_point, camera.up, camera.view_angle)
