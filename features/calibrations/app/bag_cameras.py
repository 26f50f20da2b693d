"""Cameras of a bag: messages about them as bodies on the frames that they name, and baselines of stereo pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from framescope.core.errors import Problem, visible_text
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relative_position
from framescope.core.scene.edits.items import free_name
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.motions import MAX_BAG_NAME, Unconnected
from framescope.features.bags.core.bag import Bag, Channel
from framescope.features.bags.core.bag_scene import AddItems, BagChoices, SentFrames
from framescope.features.bags.core.messages import CameraInfo
from framescope.features.bags.core.tf_log import decode_messages
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError
from framescope.features.calibrations.core.dialects.camera_info import camera_of_message
from framescope.features.calibrations.core.lens_bodies import body_of, is_drawable
from framescope.features.calibrations.core.rig.notes import LEAST_MISS, LEAST_PART
from framescope.features.compare.core.sentences import metres_text

TYPES = "sensor_msgs/CameraInfo", "foxglove.CameraCalibration"

MOST_CAMERAS = 40
"""Largest number of cameras of a bag that are added."""


def read_cameras(bag: Bag, _choices: BagChoices) -> AddItems:
    """Read the first message of each camera in an open bag; return a function that adds the cameras to its scene."""
    damages: list[str] = []
    messages = first_messages(bag, damages)

    def add(scene: Scene, path: Path) -> tuple[Scene, tuple[Problem, ...]]:
        scene, problems = add_cameras(scene, messages, path)
        return scene, (*(Problem((), text, severity="note", kind="camera-unread") for text in damages), *problems)

    return add


def first_messages(bag: Bag, damages: list[str]) -> dict[str, CameraInfo]:
    """Return the first readable message about a camera on each topic, by topic.

    Topics without one add their damage to `damages`.
    """
    topics = sorted({channel.topic for channel in bag.channels if channel.type in TYPES and channel.count})
    messages: dict[str, CameraInfo] = {}
    for topic in topics[:MOST_CAMERAS]:

        def is_wanted(channel: Channel, topic: str = topic) -> bool:
            return channel.topic == topic and channel.type in TYPES

        damages_of_topic: list[str] = []
        for _, _, content in decode_messages(bag, is_wanted, damages_of_topic):
            infos = [message for message in content if isinstance(message, CameraInfo)]
            if infos:
                messages[topic] = infos[0]
                break
        if topic not in messages:
            damages += damages_of_topic
    return messages


@dataclass(frozen=True)
class _Camera:
    """Camera of a topic: the frame that its messages name, and its calibration with the name by which it is judged."""

    topic: str
    frame: str
    calibration: Calibration

    @property
    def is_second(self) -> bool:
        """Whether its projection has the baseline of a stereo pair."""
        return bool(self.calibration.edges)


def add_cameras(scene: Scene, messages: Mapping[str, CameraInfo], path: Path) -> tuple[Scene, tuple[Problem, ...]]:
    """Return the scene of a bag with its cameras, and their problems.

    A camera is a body on the frame of its messages. A frame that the bag does not place is added without a known pose.
    The second camera of a pair whose messages name the frame of the first one gets a frame of its own, at the distance
    that ``P`` states.
    """
    problems: list[Problem] = []
    cameras: list[_Camera] = []
    for topic, message in messages.items():
        frame = message.frame.removeprefix("/")
        if not frame or len(frame) > MAX_BAG_NAME:
            problems.append(_problem(topic, "its messages name no frame of usual length: the camera is left out."))
            continue
        is_shared = sum(other.frame == message.frame for other in messages.values()) > 1
        try:
            calibration = camera_of_message(_side(topic) or frame if is_shared else frame, _keys(message))
        except CalibrationError as error:
            problems.append(_problem(topic, f"the camera is left out: {error}"))
            continue
        cameras.append(_Camera(topic, frame, calibration))
    frames, bodies, problems_of = _Items(scene, cameras).made()
    problems += problems_of
    if not cameras:
        return scene, tuple(problems)
    scene = scene.model_copy(update={"frames": FrozenDict(frames), "bodies": FrozenDict(bodies)})
    return scene, (*problems, *_wrong_baselines(scene, cameras, path))


def _problem(topic: str, message: str) -> Problem:
    return Problem((), f"{visible_text(topic)}: {message}", severity="note", kind="camera-unread")


def _keys(message: CameraInfo) -> dict[str, Any]:
    return {
        "width": message.width,
        "height": message.height,
        "distortion_model": message.distortion_model,
        "d": list(message.distortion),
        "k": list(message.K),
        "r": list(message.R) or None,
        "p": list(message.P) or None,
    }


def _side(topic: str) -> str:
    """Return the name of a camera by its topic, such as ``"right"`` of ``/stereo/right/camera_info``."""
    parts = [part for part in topic.split("/") if part]
    return next((part for part in reversed(parts) if part not in ("camera_info", "image_rect", "image_raw")), "")


class _Items:
    """Frames and bodies of cameras, beside those of a scene."""

    def __init__(self, scene: Scene, cameras: Sequence[_Camera]) -> None:
        self.frames, self.bodies = dict(scene.frames), dict(scene.bodies)
        self._cameras = cameras
        self._sent = SentFrames(scene)
        self._problems: list[Problem] = []

    def made(self) -> tuple[dict[str, Frame], dict[str, Any], list[Problem]]:
        """Return the frames, the bodies, and the problems of the cameras."""
        drawn: dict[tuple[str, Any], str] = {}
        for camera in self._cameras:
            frame = self._frame(camera)
            (lens,) = camera.calibration.lenses
            place = visible_text(camera.topic)
            for problem in camera.calibration.problems:
                self._problems.append(
                    replace(problem, key_path=("frames", frame), message=f"{place}: {problem.message}")
                )
            if not is_drawable(lens):
                self._problems.append(
                    _problem(camera.topic, "its messages have no size of the image: it is not drawn.")
                )
                continue
            body = body_of(replace(lens, frame=frame))
            key = frame, body.shape
            if key not in drawn:
                drawn[key] = name = free_name({*self.bodies, *self.frames, WORLD}, f"view of {frame}")
                self.bodies[name] = body
        return self.frames, self.bodies, self._problems

    def _frame(self, camera: _Camera) -> str:
        """Return the frame in the scene of a camera; a new one if no transform of the bag has it."""
        name = self._sent.named(camera.frame, camera.topic)
        if name is None and camera.frame in self.frames:
            name = camera.frame
        if name is None:
            name = free_name({*self.frames, WORLD}, visible_text(camera.frame))
            self.frames[name] = Frame(parent=WORLD, motion=Unconnected())
            message = f"{visible_text(camera.topic)} names the frame {name}, which no transform of the bag has."
            hint = "Its camera is drawn, and where it is in other frames is not known."
            self._problems.append(Problem(("frames", name), message, hint, "note", kind="camera-unplaced"))
        if camera.is_second and any(_is_first_of(other, camera) for other in self._cameras):
            return self._second(camera, name)
        return name

    def _second(self, camera: _Camera, first: str) -> str:
        """Return the frame of a second camera whose messages name the frame of the first one."""
        name = free_name({*self.frames, WORLD}, f"{first}, {_side(camera.topic) or 'second camera'}")
        position = {"value": camera.calibration.edges[0].X_PC.p_AB.tolist(), "unit": "m"}
        self.frames[name] = Frame.model_validate({"parent": first, "position": position})
        message = f"{visible_text(camera.topic)} names the frame of the first camera, {first}: it is placed by its P."
        self._problems.append(Problem(("frames", name), message, "", "note", kind="camera-placed"))
        return name


def _is_first_of(other: _Camera, camera: _Camera) -> bool:
    return other is not camera and other.frame == camera.frame and not other.is_second


def _wrong_baselines(scene: Scene, cameras: Sequence[_Camera], path: Path) -> Iterator[Problem]:
    """Yield a problem for each stereo pair whose frames have another distance than ``P`` states."""
    sent = SentFrames(scene)
    pairs: list[tuple[_Camera, str, str]] = []
    for camera in cameras:
        for edge in camera.calibration.edges:
            first, second = (sent.named(name, camera.topic) for name in (edge.parent, edge.child))
            if first is not None and second is not None and first != second:
                pairs.append((camera, first, second))
    if not pairs:
        return
    plan = compile_plan(scene, path.parent)
    snapshot = evaluate(plan, np.array([plan.start, plan.end]))
    for camera, first, second in pairs:
        p = relative_position(snapshot, second, first, first)
        distances = np.linalg.norm(p, axis=-1)
        distances = distances[np.isfinite(distances)]
        if not len(distances) or np.ptp(distances) > LEAST_MISS:
            continue  # the pose is not known, or changes
        distance, baseline = float(distances[0]), float(np.linalg.norm(camera.calibration.edges[0].X_PC.p_AB))
        if abs(distance - baseline) > max(LEAST_MISS, LEAST_PART * distance):
            message = (
                f"{visible_text(camera.topic)}: P has a baseline of {metres_text(baseline)}, and the transforms have"
                f" {second} {metres_text(distance)} from {first}."
            )
            yield Problem(("frames", second), message, "One of them is wrong.", "amber", kind="baseline")
