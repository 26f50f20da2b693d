"""The check of optical frames: cameras whose image lies on its side, and frames that only their name makes optical.

Checked are frames with *optical* in their name and frames that carry a field of view, if they rest on their mount.
A camera may look anywhere, so a viewing direction alone is no fault. Neither are images that are upright in the world,
whatever the axes of the mount, nor cameras on an arm, whose links have axes of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.conventions.axis_words import axis_name
from framescope.core.conventions.standard_axes import (
    OPTICAL,
    body_rotation,
    direction_word,
    up_in,
    words_of_name,
)
from framescope.core.errors import Fix, Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_axes import MOST_TIMES, N_TIMES, axes_by
from framescope.core.evaluation.frame_tree import evaluate_tree, subtree
from framescope.core.kernels.validation import SEQUENCES, Array
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.edits.orientation import orient_frame, refusal_of
from framescope.core.scene.schema.bodies import CameraShape, Frustum
from framescope.core.scene.schema.kinds.orientations import still_form
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.motions import Joint
from framescope.core.scene.schema.poses import OrientationForm, ThreeAngles, as_moving
from framescope.core.scene.schema.quantities import unit_factor
from framescope.features.cameras.core.optical_axes import image_up_of, is_right_angled, look_of, roll_of

SIDE = np.radians(45.0)
"""Roll from which an image lies on its side, and up to its supplement."""

VERTICAL = np.cos(np.radians(30.0))
"""Cosine above which a camera looks up or down, where no edge of the image is the upper one."""

MAX_PROBLEMS = 50
"""Largest number of cameras that are reported."""

LOCKED = 0.999
"""Measure of gimbal lock above which angles are not offered; 1 is the lock."""

HINT = "An optical frame has z forward, x right and y down in the image. Another mounting may be meant."

_CAMERA_WORDS = frozenset({"camera", "cam", "lens"})
_UPWARD_WORDS = frozenset({"up", "upward", "sky", "zenith"})


@dataclass(frozen=True, eq=False)
class Camera:
    """An optical frame at rest on its mount.

    Attributes
    ----------
    name, mount
        The frame, and its parent.
    T : (3, 3)
        Rotation of the mount into the frame.
    R_WM : (n, 3, 3)
        Orientation of the mount in the world at some times; NaN where it is unknown.
    mount_axes
        Letters of the axes of the mount: x forward, y left, z up (FLU), or x forward, y right, z down (FRD).
    is_on_joint
        Whether a joint carries the mount.
    """

    name: str
    mount: str
    T: Array
    R_WM: Array
    mount_axes: str
    is_on_joint: bool

    @property
    def T_WC(self) -> Array:
        """Rotation of the world into the frame (n, 3, 3)."""
        return self.T @ np.swapaxes(self.R_WM, -1, -2)


def camera_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a problem for each camera whose image lies on its side or that looks where its name says it cannot.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.scene.schema.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {
    ...     "camera_link": {"parent": "world"}, "camera_optical_frame": {"parent": "camera_link"}}})
    >>> problem, = camera_problems(compile_plan(scene))
    >>> problem.name, problem.title, problem.fix_text
    ('camera_optical_frame', 'camera looks up', 'Make optical')
    """
    names = _optical_frames(plan)
    if not names:
        return
    tree = subtree(plan.tree, names)
    R_WF = evaluate_tree(tree, np.linspace(plan.start, plan.end, N_TIMES)).R_WF
    n = 0
    for name in names:
        camera = _camera(plan, name, R_WF[:, tree.parents[tree.index[name]]])
        fault = None if camera is None else _fault(camera)
        if camera is not None and fault is not None and n < MAX_PROBLEMS:
            n += 1
            yield _problem(plan, camera, *fault)


def _optical_frames(plan: Plan) -> list[str]:
    """Return the frames that are called optical or carry a field of view, in the order of the file."""
    seen = {body.frame for body in plan.scene.bodies.values() if isinstance(body.shape, CameraShape | Frustum)}
    return [name for name in plan.scene.frames if name in seen or is_called_optical(name)]


def is_called_optical(name: str) -> bool:
    """Return whether a name says that a frame is optical.

    >>> is_called_optical("left_camera_optical_frame"), is_called_optical("camera_link")
    (True, False)
    """
    return "optical" in name.lower()


def _camera(plan: Plan, name: str, R_WM: Array) -> Camera | None:
    """Return a camera at rest on its mount, which has the orientation `R_WM` (n, 3, 3); None if it moves there."""
    tree, row = plan.tree, plan.index[name]
    motion, parent = tree.motions.get(row), int(tree.parents[row])
    if motion is None or motion.still is None or not motion.is_connected or parent < 0:
        return None
    mount = tree.names[parent]
    ancestors, is_on_joint = [mount], False
    while (above := int(tree.parents[plan.index[ancestors[-1]]])) >= 0 and ancestors[-1] != WORLD:
        is_on_joint |= isinstance(plan.scene.frames[ancestors[-1]].motion, Joint)
        ancestors.append(tree.names[above])
    return Camera(name, mount, motion.still[0], R_WM, axes_by(ancestors, R_WM), is_on_joint)


LOOKS_UP, ON_ITS_SIDE = "camera-looks-up", "camera-on-its-side"
"""Kinds of problems of cameras that are not upright."""

SAME_DIRECTION = np.radians(5.0)
"""Angle up to which two directions of view count as the same, rad."""


def _fault(camera: Camera) -> tuple[str, str] | None:
    """Return the kind and the title of what is wrong with a camera; None if nothing is."""
    up = up_in(camera.mount_axes)
    elevation = float(look_of(camera.T) @ up)
    is_named = is_called_optical(camera.name) and not is_called_optical(camera.mount)
    may_look_up = not _UPWARD_WORDS.isdisjoint(words_of_name(camera.name))
    if elevation > VERTICAL and camera.mount != WORLD and is_named and not may_look_up:
        is_up = look_of(camera.T_WC)[:, 2] > VERTICAL
        if is_right_angled(camera.T) and (_mostly(is_up, camera) or _is_camera_mount(camera.mount)):
            return LOOKS_UP, "camera looks up"
    if abs(elevation) > VERTICAL or not SIDE < roll_of(camera.T, up) < np.pi - SIDE:
        return None
    rolls = roll_of(camera.T_WC, np.array([0.0, 0.0, 1.0]))
    is_on_side = (rolls > SIDE) & (rolls < np.pi - SIDE) & (np.abs(look_of(camera.T_WC)[:, 2]) < VERTICAL)
    if _mostly(is_on_side, camera) or (is_named and _is_camera_mount(camera.mount) and is_right_angled(camera.T)):
        return ON_ITS_SIDE, "image on its side"
    return None


def _mostly(is_so: Array, camera: Camera) -> bool:
    """Return whether something holds in the world at most times at which the mount has a known orientation."""
    is_known = np.isfinite(camera.R_WM).all(axis=(1, 2))
    return bool(is_known.any()) and not camera.is_on_joint and float(np.mean(is_so[is_known])) >= MOST_TIMES


def _is_camera_mount(name: str) -> bool:
    """Return whether a mount is called a camera, so that it has x forward and z up by REP 103."""
    return not _CAMERA_WORDS.isdisjoint(words_of_name(name))


def _problem(plan: Plan, camera: Camera, kind: str, title: str) -> Problem:
    look, up = look_of(camera.T), image_up_of(camera.T)
    where = f"it looks along {axis_name(look)} of {camera.mount}{_in_brackets(look, camera)}"
    message = f"{where}, and image up is {axis_name(up)}{_in_brackets(up, camera)}."
    problem = make_problem(("frames", camera.name, "orientation"), kind, title, message, HINT)
    optical = body_rotation(camera.mount_axes, OPTICAL)
    forward = _orient(plan, camera, optical, f"Made {camera.name} optical")
    problem = problem.with_fix("Make optical", forward, _effect(camera, optical))
    if kind == LOOKS_UP:
        return problem
    upright = _upright(camera)
    if np.allclose(upright, optical):
        return problem
    edit = _orient(plan, camera, upright, f"Turned {camera.name} upright")
    return replace(problem, others=(Fix("Turn upright", edit, _effect(camera, upright)),))


def _effect(camera: Camera, T: Array) -> str:
    """Return the direction in which a camera looks with an orientation, and whether it turns for that."""
    look, up = look_of(T), image_up_of(T)
    stays = bool(look @ look_of(camera.T) > np.cos(SAME_DIRECTION))
    verb = "keeps looking" if stays else "turns to look"
    image = f"image up becomes {axis_name(up)}{_in_brackets(up, camera)}"
    return f"It {verb} along {axis_name(look)} of {camera.mount}{_in_brackets(look, camera)}, and {image}."


def _orient(plan: Plan, camera: Camera, T: Array, label: str) -> Edit:
    """Return the edit that gives a camera an orientation.

    It becomes yaw, pitch and roll if its form cannot express the orientation, or only with angles in gimbal lock.
    """
    moment = plan.moment(camera.name, plan.start)
    edit = orient_frame(camera.name, T, moment, label)
    if not refusal_of(edit, plan.scene) and not _is_locked(edit.apply(plan.scene).frames[camera.name].orientation):
        return edit
    form = still_form("axes:ZYX", T)
    return Edit(f"{label}, now as yaw, pitch, roll", lambda scene: set_frame(scene, camera.name, orientation=form))


def _is_locked(form: OrientationForm | None) -> bool:
    """Return whether three angles are in gimbal lock."""
    if not isinstance(form, ThreeAngles):
        return False
    form = as_moving(form)
    if form.sequence not in SEQUENCES:
        return False
    beta = float(form.angles[1]) * unit_factor(form.unit, "angle", ("unit",))
    measure = np.cos(beta) if form.sequence[0] == form.sequence[2] else np.sin(beta)
    return bool(abs(measure) > LOCKED)


def _in_brackets(v: Array, camera: Camera) -> str:
    word = direction_word(v, camera.mount_axes) if camera.mount != WORLD else ""
    return f" ({word})" if word else ""


def _upright(camera: Camera) -> Array:
    """Return the orientation with the same viewing direction whose image is upright on the mount."""
    look = look_of(camera.T)
    right = np.cross(look, up_in(camera.mount_axes))
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(look, right), look])
