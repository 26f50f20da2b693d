"""Faults of robot descriptions in bags: joints whose transforms are sent with another pose."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.conventions.axis_words import axis_name
from framescope.core.errors import FramescopeError
from framescope.core.kernels import conversions, linear_algebra
from framescope.core.kernels.validation import Array
from framescope.features.bags.core.autopsy.fault import TfFault
from framescope.features.bags.core.autopsy.wording import by
from framescope.features.bags.core.tf_log import TfLog, namespace_of
from framescope.features.bags.core.tf_tracks import Track, Tracks, tracks_of
from framescope.features.robots.core.link_poses import joint_values
from framescope.features.robots.core.robot import Joint, Robot
from framescope.features.robots.core.urdf import read_urdf

SAME_M, SAME_RAD = 2e-3, np.radians(0.3)
"""Largest difference of poses by rounding in a launch file, m and rad."""

FEWEST_POSES = 3
"""Fewest poses of a joint whose axis is compared."""

LARGEST_SWING = np.radians(2.0)
"""Turn about other axes than that of a joint which is accepted, rad."""

SAME_AXIS = np.cos(np.radians(5.0))
"""Cosine of two axes above which they count as one."""

LEAST_TURN = 0.02
"""Least turn, root mean square of the sine of half the angle, that tells an axis."""

NO_TURN = np.array([0.0, 0.0, 0.0, 1.0])

MAX_FAULTS = 10
"""Limit of joints that are reported of one robot."""


def description_faults(descriptions: Mapping[str, str], logs: Collection[TfLog]) -> Iterator[TfFault]:
    """Yield the joints of robots whose transforms are sent with another pose than their description states.

    Of a fixed joint the whole pose is compared, of a revolute one the position of its origin and its axis.

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
    stated_p = np.array(joint.placement.xyz)
    p = np.median(track.position, axis=0)
    q = track.quaternion[len(track.quaternion) // 2]
    far = float(np.linalg.norm(p - stated_p))
    angle = _angle(_quaternion(joint.placement.rpy), q) if joint.type == "fixed" else 0.0
    if far <= SAME_M and angle <= SAME_RAD:
        yield from _compare_axis(joint, track, tracks, topic)
        return
    if np.abs(track.position - p).max() > SAME_M:
        return  # it moves, so it is no frame of this joint
    child, parent = tracks.names[track.child], tracks.names[int(track.parent[0])]
    senders = tracks.publishers(track.rows)
    reading = _misreading(joint, p, q)
    off, here, there = list[str](), list[str](), list[str]()
    if far > SAME_M:
        off.append(f"{round(far, 6):.3g} m")
        here.append(f"at {_triple(p)} m")
        there.append(f"{_triple(stated_p)} m")
    if angle > SAME_RAD:
        off.append(f"{round(float(np.degrees(angle)), 3):.3g}°")
        here.append(f"at roll, pitch and yaw {_angles(q)}")
        there.append(_angles(_quaternion(joint.placement.rpy)))
    yield _differs(
        track,
        tracks,
        f"{child} in {parent} is sent{by(senders)} {' and '.join(off)} off the pose of joint {joint.name} in {topic}:"
        f" it is {' and '.join(here)}, and the description states {' and '.join(there)}.{reading} Let one source state"
        " it: remove the other publisher, or write the pose into the description.",
    )


def _differs(track: Track, tracks: Tracks, message: str) -> TfFault:
    """Return the fault of a frame that is sent in another way than its description states."""
    return TfFault(
        "description differs",
        tracks.names[track.child],
        message,
        int(track.log_ns.min()),
        int(track.log_ns.max()),
        count=len(track.rows),
        severity="amber",
        parent=tracks.names[int(track.parent[0])],
        publishers=tracks.publishers(track.rows),
    )


def _compare_axis(joint: Joint, track: Track, tracks: Tracks, topic: str) -> Iterator[TfFault]:
    """Yield the fault of a joint that turns about another axis than its description states."""
    Q = track.quaternion[track.in_time]
    if joint.type == "fixed" or len(Q) < FEWEST_POSES:
        return
    Q = Q / np.linalg.norm(Q, axis=1, keepdims=True)
    _, turns, _ = joint_values(joint, (Q, track.position[track.in_time]))
    swing = 2.0 * np.arcsin(np.clip(np.linalg.norm(turns[:, :3], axis=1), 0.0, 1.0))
    if float(np.median(swing)) <= LARGEST_SWING:
        return
    child, parent = tracks.names[track.child], tracks.names[int(track.parent[0])]
    stated, turned = np.array(joint.axis), _axis_of(Q)
    if turned is not None and abs(float(turned @ stated)) < SAME_AXIS:
        turned = turned * np.sign(turned[int(np.argmax(np.abs(turned)))])
        words = f"turns about {axis_name(turned)}, and joint {joint.name} in {topic} about {axis_name(stated)}"
    else:
        angle = float(np.degrees(np.median(swing)))
        words = f"is turned by {angle:.3g}° besides the turns of joint {joint.name} in {topic}"
    senders = tracks.publishers(track.rows)
    yield _differs(
        track,
        tracks,
        f"{child} in {parent}, as it is sent{by(senders)}, {words}. Let one source state it: remove the other"
        " publisher, or write the axis and the rpy of the joint into the description.",
    )


def _axis_of(Q: Array) -> Array | None:
    """Return the axis (3,) in the frame about which orientations (n, 4) turn; None if they hardly turn about one."""
    relative = linear_algebra.relative_quaternion(np.broadcast_to(Q[0], Q.shape), Q)
    vectors = relative[:, :3] * np.where(relative[:, 3:] < 0.0, -1.0, 1.0)
    _, sizes, axes = np.linalg.svd(vectors, full_matrices=False)
    is_one = sizes[0] > LEAST_TURN * np.sqrt(len(Q)) and sizes[1] < 0.05 * sizes[0]
    return axes[0] if is_one else None


def _quaternion(rpy: ArrayLike) -> Array:
    """Return the quaternion (4,), scalar last, of roll, pitch and yaw, rad."""
    T = conversions.matrix_from_rpy(np.array(rpy, float))
    return linear_algebra.quaternion_from_matrix(T, NO_TURN)


def _angle(q1: Array, q2: Array) -> float:
    """Return the angle between two orientations, rad."""
    turn = conversions.rotation_vector(linear_algebra.relative_quaternion(q1, q2 / np.linalg.norm(q2)))
    return float(np.linalg.norm(turn))


def _misreading(joint: Joint, p: Array, q: Array) -> str:
    """Return a sentence about the misreading under which a transform is that of a joint; empty for an unknown one."""
    stated_p, rpy = np.array(joint.placement.xyz), np.array(joint.placement.rpy)
    stated = _quaternion(rpy)
    if joint.type == "fixed" and _angle(NO_TURN, q) <= SAME_RAD < _angle(NO_TURN, stated):
        return " Its rotation is missing." if np.linalg.norm(p - stated_p) <= SAME_M else ""
    inverse_p = -linear_algebra.resolve2_by_quaternion(stated, stated_p)
    fits: dict[str, list[tuple[Array, Array]]] = {
        "one of the two is in millimetres": [(1e3 * stated_p, stated), (1e-3 * stated_p, stated)],
        "it is the inverse": [(inverse_p, linear_algebra.conjugate(stated))],
        "its angles are sent as yaw, pitch and roll in place of roll, pitch and yaw": [
            (stated_p, _quaternion(rpy[::-1]))
        ],
        "its roll and pitch are swapped": [(stated_p, _quaternion(rpy[[1, 0, 2]]))],
        "its angles are in degrees in place of rad, or the other way round": [
            (stated_p, _quaternion(np.degrees(rpy))),
            (stated_p, _quaternion(np.radians(rpy))),
        ],
        "its quaternion is sent as w x y z": [(stated_p, stated[[3, 0, 1, 2]])],
    }
    for words, poses in fits.items():
        for other_p, other_q in poses:
            is_turned = joint.type != "fixed" or _angle(other_q, q) <= SAME_RAD
            if np.linalg.norm(p - other_p) <= SAME_M * max(1.0, float(np.linalg.norm(p))) and is_turned:
                return f" They agree if {words}."
    return ""


def _angles(q: Array) -> str:
    """Return roll, pitch and yaw of a quaternion in a sentence, in degrees."""
    T = linear_algebra.matrix_from_quaternion(q / np.linalg.norm(q))
    degrees: Array = np.degrees(conversions.rpy(T))
    return f"{_triple(degrees.round(3))}°"


def _triple(p: Array) -> str:
    return ", ".join(f"{x:.4g}" for x in p + 0.0)
