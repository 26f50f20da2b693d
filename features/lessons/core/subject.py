"""Frames that a step speaks of, and whether its camera shows them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.signal_parser import SignalTextError, parse_signal
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.scene.schema.view import Camera
from framescope.features.lessons.core.lights import frame_of_light
from framescope.features.lessons.core.schema import LessonMoment, PointQuestion, Sketch, Turn
from framescope.features.lessons.core.staging import ANSWER, Staging

WIDEST = 2.4
"""Ratio of width to height of the widest picture in which a lesson is played."""


def subject_frames(staging: Staging) -> tuple[str, ...]:
    """Return the frames that a step speaks of, most telling first: asked for, turned, lit, else selected."""
    scene = staging.scene
    known = [name for name in _frames_named(staging.step.moment, scene) if name in scene.frames]
    if not known and staging.select in scene.frames and staging.select != ANSWER:
        known = [staging.select]
    return tuple(dict.fromkeys(known))


def _frames_named(moment: LessonMoment, scene: Scene) -> Iterator[str]:
    question = moment.question
    if isinstance(question, Turn | PointQuestion):
        yield question.frame
    if isinstance(question, Sketch):
        with suppress(SignalTextError):
            yield from (signal.of for signal in parse_signal(question.signal, scene).signals)
    if moment.staged is not None:
        yield moment.staged.frame
    if moment.light:
        yield frame_of_light(moment.light, scene)
    yield from moment.lit or ()


def frames_out_of_picture(staging: Staging, plan: Plan) -> list[str]:
    """Return the frames that a step speaks of whose origins its camera does not show when the step begins.

    None are returned for a later moment of a simulation that has not run.
    """
    camera = staging.scene.view.camera
    names = [name for name in subject_frames(staging) if name in plan.index]
    if plan.pending and staging.time > plan.start:
        return []
    if camera is None or staging.scene.view.camera_path is not None or not names:
        return []
    snapshot = evaluate(plan, staging.time)
    rows = [plan.index[name] for name in names]
    return [
        name
        for name, row in zip(names, rows, strict=True)
        if np.isfinite(snapshot.p_WF[row]).all() and not is_in_picture(camera, snapshot.p_WF[row])
    ]


def is_in_picture(camera: Camera, p_W: Array) -> bool:
    """Return whether a camera shows a point (3,) in world, m, in a picture of any usual shape.

    >>> camera = Camera(position=(0, -4, 0), focal_point=(0, 0, 0), unit="m", view_angle="30 deg")
    >>> is_in_picture(camera, np.array([0.0, 0.0, 0.5])), is_in_picture(camera, np.array([0.0, 0.0, 2.0]))
    (True, False)
    """
    scale = unit_factor(camera.unit, "length", ("unit",))
    position, focal_point = scale * np.array(camera.position), scale * np.array(camera.focal_point)
    towards = focal_point - position
    ahead = towards / max(float(np.linalg.norm(towards)), 1e-300)
    right = np.cross(ahead, camera.up)
    if not float(np.linalg.norm(right)) > 0.0:
        return True  # the view has no upright direction
    right /= float(np.linalg.norm(right))
    upward = np.cross(right, ahead)
    x, y, depth = (float(v @ (p_W - position)) for v in (right, upward, ahead))
    half = math.tan(0.5 * camera.view_angle.si("angle", ("view_angle",))) * depth
    return depth > 0.0 and abs(y) <= half and abs(x) <= WIDEST * half
