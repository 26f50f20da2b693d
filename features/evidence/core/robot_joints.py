"""Joints of the robots that a recording describes: their states, and their values by the transforms of their links."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.errors import FramescopeError
from framescope.core.kernels.validation import Array
from framescope.features.bags.core.bag import Bag
from framescope.features.bags.core.joint_states import JointTrack, read_joint_tracks
from framescope.features.bags.core.tf_log import Whole, namespace_of
from framescope.features.bags.core.tf_tracks import Track, Tracks
from framescope.features.evidence.core.command_topics import is_command
from framescope.features.robots.core.link_poses import MOVING, TURNING, joint_values
from framescope.features.robots.core.robot import Joint, Placement, Robot
from framescope.features.robots.core.urdf import read_urdf

LARGEST_SWING = np.radians(2.0)
"""Turn about other axes than its own up to which transforms are those of a joint, rad."""

LARGEST_SHIFT = 5e-3
"""Displacement other than its own up to which transforms are those of a joint, m."""

LARGEST = 1e9
"""Largest number that can be the value or the rate of a joint in whatever unit."""


@dataclass(frozen=True, eq=False)
class SentJoint:
    """Values of a joint by the transforms of its child in its parent.

    Attributes
    ----------
    source
        Topic of the transforms.
    frame, reference
        Frames of the child and of the parent, as the recording names them.
    stamp_ns : (n,) int64
        Stamps, ns, which increase.
    values : (n,)
        Angles from -pi to pi, rad, or lengths, m.
    """

    source: str
    frame: str
    reference: str
    stamp_ns: Whole
    values: Array


@dataclass(frozen=True, eq=False)
class RobotJoints:
    """A described robot with the states of its joints.

    Attributes
    ----------
    source
        Topic or file of the description.
    robot
        The robot.
    frames
        Frames of the recording by link, for the links that have one of another name.
    states
        States of joints, those of unknown names too, without values that joints are asked to take.
    sent
        Values by the transforms of links, by joint.
    """

    source: str
    robot: Robot
    frames: Mapping[str, str]
    states: tuple[JointTrack, ...]
    sent: Mapping[str, SentJoint]

    @property
    def joints(self) -> Mapping[str, Joint]:
        """Joints by name."""
        return {joint.name: joint for joint in self.robot.joints}

    def frame_of(self, link: str) -> str:
        """Return the frame of a link."""
        return self.frames.get(link, link)


def described_robots(descriptions: Mapping[str, str]) -> dict[str, Robot]:
    """Return the robots of descriptions by topic; each text counts once, and one that cannot be read is left out."""
    first: dict[str, str] = {}
    for topic, text in descriptions.items():
        first.setdefault(text, topic)
    robots: dict[str, Robot] = {}
    for text, topic in first.items():
        with contextlib.suppress(FramescopeError):  # reading the scene of the bag reports this
            robots[topic] = read_urdf(text.encode(), topic.strip("/").replace("/", " "))
    return robots


def read_robot_joints(bag: Bag, robots: Mapping[str, Robot], logs: Mapping[str, Tracks]) -> tuple[RobotJoints, ...]:
    """Return the described robots of an open bag with the states of their joints.

    Parameters
    ----------
    bag
        An open bag.
    robots
        Robots by the topic or file of their description; a robot that is another one counts once.
    logs
        Transforms by namespace.
    """
    robots = {source: robot for source, robot in robots.items() if robot.links}
    once: dict[str, Robot] = {}
    for source, robot in robots.items():
        if robot not in once.values():
            once[source] = robot
    if not once:
        return ()
    by_robot: dict[str, list[JointTrack]] = {source: [] for source in once}
    for track in read_joint_tracks(bag, []):
        if not is_command(track.topic):
            by_robot[_description_for(track.topic, list(once))].append(_of_a_joint(track))
    found: list[RobotJoints] = []
    for source, robot in once.items():
        frames = _frames(robot, namespace_of(source).strip("/"), logs)
        sent = dict(_sent_joints(robot, frames, logs))
        found.append(RobotJoints(source, robot, frames, tuple(by_robot[source]), sent))
    return tuple(found)


def _of_a_joint(track: JointTrack) -> JointTrack:
    """Return states without the numbers that no joint can have."""
    position, velocity = (np.where(np.abs(x) <= LARGEST, x, np.nan) for x in (track.position, track.velocity))
    return replace(track, position=position, velocity=velocity)


def _description_for(topic: str, sources: Sequence[str]) -> str:
    """Return the description whose namespace is that of a topic of joint states, or the nearest above it."""
    spaces = {source: f"{namespace_of(source).rstrip('/')}/" for source in sources}
    above = [source for source in sources if topic.startswith(spaces[source])]
    return max(above, key=lambda source: len(spaces[source]), default=sources[0])


def _frames(robot: Robot, space: str, logs: Mapping[str, Tracks]) -> dict[str, str]:
    """Return the frames of links that have a prefix, such as that of the namespace; the prefix of most links counts."""
    names = {name for tracks in logs.values() for name in tracks.names}
    links = {link.name for link in robot.links}
    prefixes = {"", f"{space}/"} if space else {""}
    prefixes |= {
        name.removesuffix(link) for name in names for link in [name.rpartition("/")[2]] if link in links and "/" in name
    }
    counts = {prefix: sum(f"{prefix}{link}" in names for link in links) for prefix in sorted(prefixes)}
    best = max(counts, key=lambda prefix: (counts[prefix], prefix == f"{space}/" and bool(space), prefix == ""))
    return {link: f"{best}{link}" for link in sorted(links)} if best else {}


def _sent_joints(
    robot: Robot, frames: Mapping[str, str], logs: Mapping[str, Tracks]
) -> Iterator[tuple[str, SentJoint]]:
    """Yield the joints whose child is sent relative to their parent with poses that the joint can take."""
    for namespace, tracks in logs.items():
        by_name = {tracks.names[track.child]: track for track in tracks.by_frame}
        for joint in robot.joints:
            child, parent = (frames.get(link, link) for link in (joint.child, joint.parent))
            track = by_name.get(child)
            if track is None or joint.type not in MOVING or joint.below != Placement() or track.is_static:
                continue
            if {tracks.names[int(i)] for i in np.unique(track.parent)} == {parent}:
                values = _values_of(joint, track)
                if values is not None:
                    stamps = track.stamp_ns[track.in_time]
                    yield joint.name, SentJoint(f"{namespace}/tf", child, parent, stamps, values)


def _values_of(joint: Joint, track: Track) -> Array | None:
    """Return the values (n,) of a joint in time; None if it cannot take the poses of a track."""
    rows = track.in_time
    Q = track.quaternion[rows] / np.linalg.norm(track.quaternion[rows], axis=1, keepdims=True)
    values, turns, shifts = joint_values(joint, (Q, track.position[rows]))
    swing = 2.0 * np.arcsin(np.clip(np.linalg.norm(turns[:, :3], axis=1), 0.0, 1.0))
    is_its_own = np.median(swing) <= LARGEST_SWING and np.median(np.linalg.norm(shifts, axis=1)) <= LARGEST_SHIFT
    return values if is_its_own else None


def is_turning(joint: Joint) -> bool:
    """Return whether the value of a joint is an angle."""
    return joint.type in TURNING
