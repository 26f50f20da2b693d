"""Faults of robot descriptions in bags: joints whose transforms are sent with another pose."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.core.errors import FramescopeError
from framescope.core.kernels.validation import Array
from framescope.features.bags.core.autopsy.fault import TfFault
from framescope.features.bags.core.autopsy.wording import by
from framescope.features.bags.core.tf_log import TfLog, namespace_of
from framescope.features.bags.core.tf_tracks import Track, Tracks, tracks_of
from framescope.features.robots.core.robot import Joint, Robot
from framescope.features.robots.core.urdf import read_urdf

SAME_M, SAME_RAD = 2e-3, np.radians(0.3)
"""Largest difference of poses by rounding in a launch file, m and rad."""

MAX_FAULTS = 10
"""Limit of joints that are reported of one robot."""


def description_faults(descriptions: Mapping[str, str], logs: Collection[TfLog]) -> Iterator[TfFault]:
    """Yield the joints of robots whose transforms are sent with another pose than their description states.

    Of a fixed joint the whole pose is compared, of a revolute one the position of its origin.

    Parameters
    ----------
    descriptions
        Robot descriptions by topic.
    logs
        All transforms, by namespace.
    """
    all_tracks = [tracks_of(log) for log in logs] if descriptions else []
    for topic, text in descriptions.items():
        try:
            robot = read_urdf(text.encode(), topic.strip("/").replace("/", " "))
        except FramescopeError:
            continue  # reading the bag's scene reports this
        faults = [fault for tracks in all_tracks for fault in _faults_of(robot, tracks, topic)]
        yield from faults[:MAX_FAULTS]


def _faults_of(robot: Robot, tracks: Tracks, topic: str) -> Iterator[TfFault]:
    space = namespace_of(topic).strip("/")
    sent = {tracks.names[track.child]: track for track in tracks.by_frame}
    for joint in robot.joints:
        if joint.type not in ("fixed", "revolute", "continuous"):
            continue
        for prefix in (f"{space}/", "") if space else ("",):
            track = sent.get(f"{prefix}{joint.child}")
            parent = f"{prefix}{joint.parent}"
            if track is not None and {tracks.names[int(i)] for i in np.unique(track.parent)} == {parent}:
                yield from _compare(joint, track, tracks, topic)
                break


def _compare(joint: Joint, track: Track, tracks: Tracks, topic: str) -> Iterator[TfFault]:
    stated_p, stated_R = np.array(joint.placement.xyz), Rotation.from_euler("xyz", joint.placement.rpy)
    p = np.median(track.position, axis=0)
    R = Rotation.from_quat(track.quaternion[len(track.quaternion) // 2])
    far = float(np.linalg.norm(p - stated_p))
    angle = float((stated_R.inv() * R).magnitude()) if joint.type == "fixed" else 0.0
    if far <= SAME_M and angle <= SAME_RAD:
        return
    if np.abs(track.position - p).max() > SAME_M:
        return  # it moves, so it is no frame of this joint
    child, parent = tracks.names[track.child], tracks.names[int(track.parent[0])]
    senders = tracks.publishers(track.rows)
    reading = _misreading(joint, p, R)
    turned = f" and {np.degrees(angle):.3g}°" if joint.type == "fixed" else ""
    yield TfFault(
        "description differs",
        child,
        f"{child} in {parent} is sent{by(senders)} {far:.3g} m{turned} off the pose of joint {joint.name} in {topic}:"
        f" it is at {_triple(p)} m, and the description states {_triple(stated_p)} m.{reading} Let one source state it:"
        " remove the other publisher, or write the pose into the description.",
        int(track.log_ns.min()),
        int(track.log_ns.max()),
        count=len(track.rows),
        severity="amber",
        parent=parent,
        publishers=senders,
    )


def _misreading(joint: Joint, p: Array, R: Rotation) -> str:
    """Return a sentence about the misreading under which a transform is that of a joint; empty for an unknown one."""
    stated_p, rpy = np.array(joint.placement.xyz), joint.placement.rpy
    stated = Rotation.from_euler("xyz", rpy)
    x, y, z, w = stated.as_quat()
    fits = {
        "one of the two is in millimetres": [(1e3 * stated_p, stated), (1e-3 * stated_p, stated)],
        "it is the inverse": [(-stated.inv().apply(stated_p), stated.inv())],
        "its angles are sent as yaw, pitch and roll in place of roll, pitch and yaw": [
            (stated_p, Rotation.from_euler("xyz", rpy[::-1]))
        ],
        "its angles are in degrees in place of rad, or the other way round": [
            (stated_p, Rotation.from_euler("xyz", np.degrees(rpy))),
            (stated_p, Rotation.from_euler("xyz", np.radians(rpy))),
        ],
        "its quaternion is sent as w x y z": [(stated_p, Rotation.from_quat([w, x, y, z]))],
    }
    for words, poses in fits.items():
        for other_p, other_R in poses:
            is_turned = joint.type != "fixed" or (other_R.inv() * R).magnitude() <= SAME_RAD
            if np.linalg.norm(p - other_p) <= SAME_M * max(1.0, float(np.linalg.norm(p))) and is_turned:
                return f" They agree if {words}."
    return ""


def _triple(p: Array) -> str:
    return ", ".join(f"{x:.4g}" for x in p + 0.0)
