"""Recordings of sensors that a scene refers to, with the fixed poses that the scene states for their frames."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from framescope.core import frames
from framescope.core.errors import FramescopeError, ItemError
from framescope.core.evaluation.evaluate import Plan
from framescope.core.orientation import Orientation
from framescope.core.scene.files.referenced_files import BAG_FILES, ROBOT_FILES
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.motions import JointRecording, Transforms
from framescope.core.system.file_access import resolve_named
from framescope.core.transform import Transform
from framescope.features.bags.core.compile_transforms import zero_of
from framescope.features.bags.core.kept_transforms import transforms_of
from framescope.features.evidence.core.readings import Mount, SensorLog
from framescope.features.evidence.core.recorded_sensors import joint_states_named
from framescope.features.robots.core.moved_links import robot_of
from framescope.features.robots.core.robot_scene import frame_names

SAME_POSE = 1e-9
"""Largest difference of an element of two poses that count as equal, m for positions."""


@dataclass(frozen=True)
class FixedPose:
    """Fixed pose of a frame in its parent, as a scene states it: rows of the rotation (R_PF), and position, m."""

    parent: str
    frame: str
    R: tuple[float, ...]
    p: tuple[float, ...]

    @property
    def X(self) -> Transform:
        """The pose."""
        return Transform(np.reshape(self.R, (3, 3)), np.array(self.p))


@dataclass(frozen=True)
class SceneBag:
    """Bag that a scene refers to.

    Attributes
    ----------
    file
        Path of the bag.
    zero_ns
        Stamp of the scene's time zero, ns; None where the first joint state of the bag is at `joint_start`.
    names
        Names of the frames in the bag, each with its name in the scene.
    poses
        Fixed poses that the scene states, with the names of the bag.
    robots
        Files of the robots of the scene whose joints the bag may have.
    joint_start
        Time of the scene at the first joint state of the bag, s, if `zero_ns` is None.
    """

    file: Path
    zero_ns: int | None
    names: tuple[tuple[str, str], ...]
    poses: tuple[FixedPose, ...]
    robots: tuple[Path, ...] = ()
    joint_start: float = 0.0

    def scene_name(self, frame: str) -> str:
        """Return the scene's name of a frame of the bag; the same name if the scene lacks it."""
        return dict(self.names).get(frame.removeprefix("/"), frame.removeprefix("/"))

    def stated_pose(self, parent: str, frame: str) -> Transform | None:
        """Return the fixed pose of a frame in another, both as the bag names them; None if the scene states none."""
        return _relative(_both_ways(self.poses), parent.removeprefix("/")).get(frame.removeprefix("/"))


def bags_of(plan: Plan) -> tuple[SceneBag, ...]:
    """Return the bags that a scene refers to and that can be read: those of transforms, and those of joint states."""
    motions: dict[str, dict[str, Transforms]] = {}
    joints: dict[str, dict[str, JointRecording]] = {}
    for name, frame in plan.scene.frames.items():
        if isinstance(frame.motion, Transforms):
            motions.setdefault(frame.motion.file, {})[name] = frame.motion
        elif (recording := joint_states_named(frame)) is not None:
            joints.setdefault(recording.file, {})[name] = recording
    bags = [_bag_of(plan, named, of_file) for named, of_file in motions.items()]
    bags += [_bag_of_joints(plan, named, of_file) for named, of_file in joints.items() if named not in motions]
    return tuple(bag for bag in bags if bag is not None)


def _bag_of(plan: Plan, named: str, motions: Mapping[str, Transforms]) -> SceneBag | None:
    first = next(iter(motions.values()))
    try:
        file = resolve_named(named, plan.context.access, (), BAG_FILES)
        zero = zero_of(first, transforms_of(file).tracks(first.namespace, first.topic))
    except (ItemError, FramescopeError, OSError):
        return None  # compiling the motion reports this
    names = {own: name for name, motion in motions.items() for own in (motion.frame, *motion.also)}
    names |= {parent.name: parent.frame for motion in motions.values() for parent in motion.parents}
    names = {own.removeprefix("/"): name for own, name in names.items()}
    return SceneBag(file, zero, tuple(names.items()), tuple(fixed_poses(plan, names)), _robots_of(plan))


def _bag_of_joints(plan: Plan, named: str, recordings: Mapping[str, JointRecording]) -> SceneBag | None:
    """Return the bag of the joint states of a scene's robots, whose links have the names of the description."""
    robots = _robots_of(plan)
    try:
        file = resolve_named(named, plan.context.access, (), BAG_FILES)
        names = {link: frame for path in robots for link, frame in frame_names(robot_of(path)).items() if link != frame}
        begin = next(iter(recordings.values())).start.si("time", ())
    except (ItemError, FramescopeError, OSError):
        return None  # compiling the motion, or the check of robots, reports this
    return SceneBag(file, None, tuple(names.items()), tuple(fixed_poses(plan, names)), robots, begin)


def _robots_of(plan: Plan) -> tuple[Path, ...]:
    """Return the files of the robots of a scene that can be read."""
    files: list[Path] = []
    for name, robot in plan.scene.robots.items():
        with contextlib.suppress(ItemError, FramescopeError, OSError):  # reported by the check of robots
            files.append(resolve_named(robot.file, plan.context.access, ("robots", name, "file"), ROBOT_FILES))
    return tuple(files)


def fixed_poses(plan: Plan, names: Mapping[str, str]) -> Iterable[FixedPose]:
    """Yield the fixed poses that a scene states of its frames, with the names of a bag for those that it has."""
    own = {name: other for other, name in names.items()}
    for row, motion in plan.tree.motions.items():
        name = plan.names[row]
        frame = plan.scene.frames.get(name)
        if frame is None or motion.still is None or frame.parent_keys or row in plan.tree.switches:
            continue
        if frame.parent == WORLD and own.get(WORLD) is None:
            continue  # the place of the first frame in the picture
        T, p = motion.still
        R = tuple(np.asarray(T).T.ravel().tolist())
        yield FixedPose(own.get(frame.parent, frame.parent), own.get(name, name), R, tuple(np.asarray(p).tolist()))


def restate_mounts(log: SensorLog, poses: Iterable[FixedPose], source: str) -> SensorLog:
    """Return a log whose mounts are those that a scene states.

    A mount stays if the scene states no fixed pose of its frame on its parent. A frame of readings that the recording
    does not mount, but the scene does, gets a mount on the nearest frame of other readings.

    Parameters
    ----------
    log
        The readings, with the mounts of the recording.
    poses
        Fixed poses that the scene states.
    source
        Source of the changed mounts.
    """
    edges = _both_ways(poses)
    mounts: list[Mount] = []
    for mount in log.mounts:
        X = _relative(edges, mount.parent).get(mount.frame)
        mounts.append(mount if X is None or _is_pose(mount, X) else mount_of(mount.parent, mount.frame, X, source))
    known = {name for mount in mounts for name in (mount.parent, mount.frame)}
    named = dict.fromkeys(name for each in log.readings for name in (each.frame, each.reference) if name)
    for name in named:
        if name in known:
            continue
        reached = _relative(edges, name)
        other = next((frame for frame in reached if frame != name and frame in named), None)
        if other is not None:
            mounts.append(mount_of(other, name, reached[other].inverse(), source))
            known |= {name, other}
    return replace(log, mounts=tuple(mounts))


Edges = dict[str, list[tuple[str, Transform]]]


def _both_ways(poses: Iterable[FixedPose]) -> Edges:
    """Return for each frame its neighbours, each with its pose in the frame."""
    edges: Edges = {}
    for pose in poses:
        edges.setdefault(pose.parent, []).append((pose.frame, pose.X))
        edges.setdefault(pose.frame, []).append((pose.parent, pose.X.inverse()))
    return edges


def _relative(edges: Edges, start: str) -> dict[str, Transform]:
    """Return the poses in a frame of all frames that are fixed to it, the nearest first."""
    found = {start: Transform(np.eye(3), np.zeros(3))}
    waiting = deque([start])
    while waiting:
        name = waiting.popleft()
        for other, X in edges.get(name, ()):
            if other not in found:
                found[other] = found[name] @ X
                waiting.append(other)
    return found


def mount_of(parent: str, frame: str, X: Transform, source: str) -> Mount:
    """Return the mount with a pose of a frame in its parent."""
    return Mount(parent, frame, frames.to_Q(Orientation(X.R_AB.T, np.zeros(3))), X.p_AB, source)


def _is_pose(mount: Mount, X: Transform) -> bool:
    R = frames.from_Q(mount.Q, np.zeros(3)).T.T
    return bool(np.abs(R - X.R_AB).max() <= SAME_POSE and np.abs(mount.p - X.p_AB).max() <= SAME_POSE)
