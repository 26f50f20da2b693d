"""Readings by the joint states of a described robot: poses of links by forward kinematics."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.joint_states import JointTrack
from framescope.features.bags.core.tf_log import Whole
from framescope.features.evidence.core.joint_motion import ChainFit, fit_chain
from framescope.features.evidence.core.readings import Mount, Quantity, Readings
from framescope.features.evidence.core.robot_joints import RobotJoints
from framescope.features.robots.core.link_poses import MOVING, Poses, link_poses
from framescope.features.robots.core.robot import Joint

Series = tuple[Readings, Whole, Whole]
"""Readings without times, their stamps, and their times of reception, ns."""

LARGEST_GAP_NS = NS // 5
"""Largest time between states of a joint over which its value is interpolated, ns."""

TURNS: frozenset[Quantity] = frozenset(("angular velocity", "orientation"))
"""Quantities that tell how a link turns."""

MAX_LINKS = 10
"""Limit of links whose poses become readings."""


@dataclass(frozen=True, eq=False)
class Chain:
    """Joints between the base and a link with sensors, compared with the rates of one of them.

    Attributes
    ----------
    robot
        The robot.
    frame
        Frame of the link.
    topic
        Topic of the joint states.
    sensor
        Name of the readings of the sensor.
    start_ns
        Stamp of time zero of the comparison, ns.
    fit
        The comparison.
    """

    robot: RobotJoints
    frame: str
    topic: str
    sensor: str
    start_ns: int
    fit: ChainFit


@dataclass(frozen=True, eq=False)
class DescribedLinks:
    """Readings of the poses of links, the mounts that a description states, and chains at odds with a sensor."""

    readings: tuple[Series, ...] = ()
    mounts: tuple[Mount, ...] = ()
    chains: tuple[Chain, ...] = ()


def described_links(robot: RobotJoints, sensors: Sequence[Series], sent: Collection[str]) -> DescribedLinks:
    """Return poses and mounts of the links with sensors whose frames the transforms of a recording lack.

    Poses are those of links that turn as a sensor on them does: the base of the robot may move, or a joint be wrong.

    Parameters
    ----------
    robot
        The robot, with the states of its joints.
    sensors
        Readings of sensors.
    sent
        Frames that have transforms.
    """
    by_child = {joint.child: joint for joint in robot.robot.joints}
    still = link_poses(robot.robot, {joint.name: np.zeros(1) for joint in robot.robot.joints}, 1)
    named = {readings.frame for readings, _, _ in sensors if readings.frame}
    on_link: dict[str, set[str]] = {}
    mounts: list[Mount] = []
    for link in robot.robot.links:
        frame = robot.frame_of(link.name)
        if frame not in named or frame in sent or link.name not in still:
            continue
        carrier = link.name
        while carrier in by_child and by_child[carrier].type == "fixed":
            carrier = by_child[carrier].parent
        base = robot.frame_of(carrier)
        if frame != base and (carrier in by_child or base in named or base in sent):
            mounts.append(_mount(robot, still[carrier], still[link.name], base, frame))
        if carrier in by_child:
            on_link.setdefault(carrier, set()).add(frame)
    readings: list[Series] = []
    chains: list[Chain] = []
    for link, frames in list(on_link.items())[:MAX_LINKS]:
        motion = _motion_of(robot, link)
        if motion is None:
            continue
        fits = [_fit(motion, each) for each in sensors if each[0].frame in frames and each[0].quantity in TURNS]
        compared = [fit for fit in fits if fit is not None]
        if any(fit.fit.agrees for fit in compared):
            readings += _pose_readings(motion)
        elif compared:
            chains.append(min(compared, key=lambda chain: (not chain.fit.explanations, chain.fit.explained)))
    return DescribedLinks(tuple(readings), tuple(mounts), tuple(chains))


def _mount(robot: RobotJoints, base: Poses, link: Poses, parent: str, frame: str) -> Mount:
    Q, p = linear_algebra.relative_quaternion(base[0][0], link[0][0]), link[1][0] - base[1][0]
    return Mount(parent, frame, Q, linear_algebra.resolve2_by_quaternion(base[0][0], p), robot.source)


@dataclass(frozen=True, eq=False)
class _Motion:
    """Motion of a link by joint states: the joints between it and its root, their values (n,), and their stamps."""

    robot: RobotJoints
    link: str
    root: str
    joints: tuple[Joint, ...]
    values: dict[str, Array]
    stamp_ns: Whole
    log_ns: Whole
    topic: str

    def poses(self, values: Mapping[str, Array]) -> Poses:
        """Return the poses of the link relative to the root."""
        n = len(next(iter(values.values())))
        return link_poses(self.robot.robot, values, n)[self.link]


def _motion_of(robot: RobotJoints, link: str) -> _Motion | None:
    """Return the motion of a link; None if a joint between it and its root has no states."""
    by_child = {joint.child: joint for joint in robot.robot.joints}
    chain: list[Joint] = []
    at = link
    while at in by_child:
        chain.append(by_child[at])
        at = by_child[at].parent
    leaders = [robot.joints[_leader(robot, joint)] for joint in reversed(chain) if joint.type != "fixed"]
    tracks = {joint.name: _track_of(robot, joint.name) for joint in leaders}
    states = [track for track in tracks.values() if track is not None]
    if not states or len(states) < len(tracks) or any(joint.type not in MOVING for joint in leaders):
        return None
    lead = max(states, key=lambda track: len(track.stamp_ns))
    stamps, rows = np.unique(lead.stamp_ns, return_index=True)
    values = {track.name: _values_at(track, stamps) for track in states}
    joints = tuple(dict.fromkeys(leaders))
    return _Motion(robot, link, at, joints, values, stamps, lead.log_ns[rows], lead.topic)


def _fit(motion: _Motion, sensor: Series) -> Chain | None:
    """Return the comparison of a motion with a sensor on its link; None if it cannot tell."""
    readings, stamp_ns, _ = sensor
    zero = int(motion.stamp_ns[0])
    t_sensor, rows = np.unique((stamp_ns - zero) / NS, return_index=True)
    ordered = replace(readings, values=readings.values[rows])
    t = (motion.stamp_ns - zero) / NS
    fit = fit_chain(t, motion.values, motion.joints, motion.poses, t_sensor, ordered)
    frame = motion.robot.frame_of(motion.link)
    return None if fit is None else Chain(motion.robot, frame, motion.topic, readings.name, zero, fit)


def _pose_readings(motion: _Motion) -> Iterator[Series]:
    """Yield the poses of a link relative to the root of the robot."""
    Q, p = motion.poses(motion.values)
    frame, reference = motion.robot.frame_of(motion.link), motion.robot.frame_of(motion.root)
    quantities: tuple[tuple[Quantity, Array], ...] = (("position", p), ("orientation", Q))
    for quantity, numbers in quantities:
        name = f"{quantity} of {frame} by {motion.topic}"
        readings = Readings(name, motion.topic, quantity, np.zeros(0), np.array(numbers), frame, reference)
        yield readings, motion.stamp_ns, motion.log_ns


def _leader(robot: RobotJoints, joint: Joint) -> str:
    """Return the joint whose state gives the value of a joint: its own, or that which it mimics."""
    seen: set[str] = set()
    while joint.mimic is not None and joint.name not in seen and _track_of(robot, joint.name) is None:
        seen.add(joint.name)
        joint = robot.joints.get(joint.mimic.joint, joint)
    return joint.name


def _track_of(robot: RobotJoints, name: str) -> JointTrack | None:
    """Return the states of a joint by the topic with most of them."""
    tracks = [track for track in robot.states if track.name == name and np.isfinite(track.position).any()]
    return max(tracks, key=lambda track: len(track.stamp_ns), default=None)


def _values_at(track: JointTrack, stamps: Whole) -> Array:
    """Return the values (n,) of a joint at some stamps; NaN outside of its states and in gaps."""
    own, x = track.in_order()
    # Relative to the first stamp, float64 has whole nanoseconds.
    t: Array = (own - own[0]).astype(float)
    at: Array = (stamps - own[0]).astype(float)
    values: Array = np.interp(at, t, x)
    values[(at < t[0]) | (at > t[-1])] = np.nan
    if len(t) > 1:
        k = np.clip(np.searchsorted(t, at), 1, len(t) - 1)
        period = float(np.median(np.diff(t)))
        is_gap = (t[k] - t[k - 1] > max(LARGEST_GAP_NS, 3.0 * period)) & (at != t[k]) & (at != t[k - 1])
        values[is_gap] = np.nan
    return values
