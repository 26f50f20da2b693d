"""Readings of all sensors in a bag, such as inertial units, odometry, satellites and transforms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.kernels import axis_rotations, conversions, linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.bag import Bag
from framescope.features.bags.core.columns import Columns, read_columns
from framescope.features.bags.core.tf_log import Whole, namespaces, read_poses, read_tf
from framescope.features.bags.core.tf_tracks import WORLD_FRAMES, Track, Tracks, gap_limit_ns, keeps_pose, tracks_of
from framescope.features.bags.core.topic_series import descriptions_in, inertial_readings
from framescope.features.evidence.core.command_topics import is_command
from framescope.features.evidence.core.geodesy import local_positions
from framescope.features.evidence.core.readings import Mount, Quantity, Readings, SensorLog
from framescope.features.evidence.core.robot_joints import RobotJoints, described_robots, read_robot_joints
from framescope.features.evidence.core.robot_readings import Chain, described_links
from framescope.features.robots.core.robot import Robot

MIN_READINGS = 5
"""Number of readings of a topic below which they are not a time series, such as goals that a user sets."""

MAX_MOVING = 40
"""Limit of moving frames of transforms that become readings; those below the world come first."""

RUN_NS = NS
"""Step back of the stamps from which a new run begins, ns; smaller ones are messages out of order."""

_DAY_NS = 86_400 * NS


@dataclass(frozen=True, eq=False)
class _Series:
    """Readings whose stamps are whole nanoseconds, before the start of the recording is known."""

    readings: Readings
    stamp_ns: Whole
    log_ns: Whole


@dataclass(frozen=True, eq=False)
class BagReadings:
    """Readings of all sensors in a bag with the mounts that it states, and the robots that it describes.

    `chains` are the joints of the robots that do not turn a sensor as it reads.
    """

    log: SensorLog
    robots: tuple[RobotJoints, ...] = ()
    chains: tuple[Chain, ...] = ()


def sensor_log(bag: Bag) -> SensorLog:
    """Return the readings of all sensors in a bag, and the mounts that it states, see `read_bag`."""
    return read_bag(bag).log


def read_bag(bag: Bag, robots: Mapping[str, Robot] = FrozenDict()) -> BagReadings:
    """Return the readings of all sensors in a bag, and the robots that it describes; may be called on any thread.

    Messages are decoded in batches, chunk by chunk, so that memory grows only with the numbers of the readings.
    Commands, such as ``cmd_vel`` and ``setpoint_position``, and topics with few messages are left out. If the stamps of
    a topic jump back, its longest run is taken; stamps that all are zero are replaced by times of reception.

    Where a robot is described, the states of its joints give poses of links that no transforms give.

    Parameters
    ----------
    bag
        An open bag; see `framescope.features.bags.core.bag_file.open_bag`.
    robots
        Robots by file, besides those that the bag describes.
    """
    columns = read_columns(bag, lambda channel: channel.type in _READERS and not is_command(channel.topic), [])
    series = [part for group in _by_topic(columns) for part in _READERS[group[0].channel.type](group)]
    for topic in dict.fromkeys(
        channel.topic for channel in bag.channels if channel.type in POSE_TYPES and not is_command(channel.topic)
    ):
        series += _poses_of_transforms(tracks_of(read_poses(bag, topic)), topic)
    logs = {name: tracks_of(read_tf(bag, name)) for name in namespaces(bag.channels)}
    series = list(_resolved_in_worlds(series, _worlds(series, logs.values())))
    named = {name for part in series for name in (part.readings.frame, part.readings.reference) if name}
    mounts: list[Mount] = []
    described = read_robot_joints(bag, {**described_robots(descriptions_in(bag, [])), **robots}, logs)
    sent = {name for tracks in logs.values() for track in tracks.by_frame for name in (tracks.names[track.child],)}
    sensors = [(part.readings, part.stamp_ns, part.log_ns) for part in series if len(part.stamp_ns) >= MIN_READINGS]
    links = [described_links(robot, sensors, sent) for robot in described]
    for namespace, tracks in logs.items():
        moving, fixed = _moving_and_fixed(tracks)
        chosen = _needed(tracks, moving, fixed, named)
        series += _poses_of_tracks(tracks, chosen, f"{namespace}/tf")
        named |= {tracks.names[i] for track in chosen for i in (track.child, _usual_parent(track))}
        mounts += _mounts(tracks, fixed, named, f"{namespace}/tf_static")
    for part in links:
        series += [_Series(*each) for each in part.readings]
        mounts += part.mounts
    series = _in_one_clock([part for part in series if len(part.stamp_ns) >= MIN_READINGS])
    zero = min((int(part.stamp_ns[0]) for part in series), default=0)
    begin = bag.span_ns[0] if bag.span_ns else 0
    if not series:
        zero = min((int(track.stamp_ns[0]) for robot in described for track in robot.states), default=0)
    readings = tuple(_unique(_with_times(part, zero, begin) for part in series))
    chains = tuple(chain for part in links for chain in part.chains)
    return BagReadings(SensorLog(readings, tuple(mounts), zero), described, chains)


def _by_topic(columns: Iterable[Columns]) -> list[list[Columns]]:
    """Return the columns of each topic, publisher and frames; messages of joints have several texts."""
    groups: dict[tuple[object, ...], list[Columns]] = {}
    for part in columns:
        groups.setdefault((part.channel.topic, part.channel.publisher, part.texts), []).append(part)
    return list(groups.values())


# --- Readings of each type of message


def _imu(parts: Sequence[Columns]) -> Iterator[_Series]:
    kept, first, frame = _values(parts), parts[0].first, _frame(parts, 0)
    values = inertial_readings(kept)
    yield _series(parts, "orientation", _unit(values[:, :4]), frame=frame, covariance=_covariance(first[4:13]))
    yield _series(parts, "angular velocity", values[:, 4:7], frame=frame, covariance=_covariance(first[16:25]))
    yield _series(parts, "specific force", values[:, 7:], frame=frame, covariance=_covariance(first[28:37]))


def _field(parts: Sequence[Columns]) -> Iterator[_Series]:
    covariance = _covariance(parts[0].first[3:])
    yield _series(parts, "magnetic field", _values(parts), frame=_frame(parts, 0), covariance=covariance)


def _odometry(parts: Sequence[Columns]) -> Iterator[_Series]:
    values, first = _values(parts), parts[0].first
    reference, frame = _frame(parts, 0), _frame(parts, 1)
    yield from _pose(parts, values[:, :7], first[7:43], frame, reference)
    twist = first[49:85].reshape(6, 6)
    yield _velocity_in(
        _series(parts, "velocity", values[:, 7:10], frame=frame, covariance=_covariance(twist[:3, :3])),
        reference,
        frame,
    )
    turned = _covariance(twist[3:, 3:])
    yield _series(parts, "angular velocity", values[:, 10:13], frame=frame, reference=reference, covariance=turned)


def _stamped_pose(parts: Sequence[Columns]) -> Iterator[_Series]:
    return _pose(parts, _values(parts), parts[0].first[7:], "", _frame(parts, 0))


def _pose(parts: Sequence[Columns], values: Array, covariance: Array, frame: str, reference: str) -> Iterator[_Series]:
    """Yield the readings of poses (n, 7), whose covariance (36,) may be missing."""
    whole = covariance.reshape(6, 6) if len(covariance) == 36 else np.zeros((6, 6))
    own = {"frame": frame, "reference": reference}
    yield _series(parts, "position", values[:, :3], **own, covariance=_covariance(whole[:3, :3]))
    yield _series(parts, "orientation", _unit(values[:, 3:7]), **own, covariance=_covariance(whole[3:, 3:]))


def _fix(parts: Sequence[Columns]) -> Iterator[_Series]:
    status, *degrees = _values(parts).T
    latitude, longitude, altitude = degrees
    has_fix = (status >= 0) & np.isfinite(latitude) & np.isfinite(longitude) & ((latitude != 0) | (longitude != 0))
    if not has_fix.any():
        return
    altitude = np.where(np.isfinite(altitude), altitude, 0.0)
    values = np.full((len(status), 3), np.nan)
    i = int(np.argmax(has_fix))
    origin = float(latitude[i]), float(longitude[i]), float(altitude[i])
    values[has_fix] = local_positions(latitude[has_fix], longitude[has_fix], altitude[has_fix], origin)
    covariance = _covariance(parts[0].first[5:14]) if parts[0].first[14] > 0 else None
    yield _series(parts, "position", values, frame=_frame(parts, 0), covariance=covariance)


def _twist(parts: Sequence[Columns]) -> Iterator[_Series]:
    values, frame = _values(parts), _frame(parts, 0)
    whole = parts[0].first[6:].reshape(6, 6) if len(parts[0].first) == 42 else np.zeros((6, 6))
    velocity = _series(parts, "velocity", values[:, :3], frame=frame, covariance=_covariance(whole[:3, :3]))
    yield _velocity_in(velocity, "", frame)
    yield _series(parts, "angular velocity", values[:, 3:6], frame=frame, covariance=_covariance(whole[3:, 3:]))


def _worlds(series: Sequence[_Series], logs: Iterable[Tracks]) -> set[str]:
    """Return the frames of the world: by their names, or as poses are relative to them and they do not move."""
    names = {part.readings.frame for part in series}
    parents = {part.readings.reference for part in series if part.readings.quantity in ("position", "orientation")}
    moving = {part.readings.frame for part in series if part.readings.reference}
    moving |= {tracks.names[track.child] for tracks in logs for track in _moving_and_fixed(tracks)[0]}
    return (parents - moving) | {name for name in names if name.rpartition("/")[2] in (*WORLD_FRAMES, "world")}


def _resolved_in_worlds(series: Iterable[_Series], worlds: set[str]) -> Iterator[_Series]:
    """Yield series, those of a twist in a frame of the world as velocities of a body that it does not name.

    The frame of a header is the one in which its vectors are resolved, such as ``map`` in `velocity_local` of MAVROS.
    Angular velocities of a body without a name, resolved in the world, are left out.
    """
    series = list(series)
    twists = {
        part.readings.source for part in series if part.readings.quantity == "velocity" and not part.readings.reference
    }
    for part in series:
        readings = part.readings
        if readings.source not in twists or readings.frame not in worlds:
            yield part
        elif readings.quantity == "velocity":
            yield replace(part, readings=replace(readings, frame="", reference=readings.frame))


_READERS: dict[str, Callable[[Sequence[Columns]], Iterable[_Series]]] = {
    "sensor_msgs/Imu": _imu,
    "sensor_msgs/MagneticField": _field,
    "sensor_msgs/NavSatFix": _fix,
    "nav_msgs/Odometry": _odometry,
    "geometry_msgs/PoseStamped": _stamped_pose,
    "geometry_msgs/PoseWithCovarianceStamped": _stamped_pose,
    "geometry_msgs/TwistStamped": _twist,
    "geometry_msgs/TwistWithCovarianceStamped": _twist,
    "geometry_msgs/Twist": _twist,
}
"""Functions from the columns of a topic to its readings, by the type of its messages."""

POSE_TYPES = ("geometry_msgs/TransformStamped", "foxglove.PoseInFrame")
"""Types of messages of poses that are decoded one by one."""


def _series(
    parts: Sequence[Columns],
    quantity: Quantity,
    values: Array,
    *,
    frame: str,
    reference: str = "",
    covariance: Array | None = None,
) -> _Series:
    """Return readings with their stamps; without any if all are missing or zero, as drivers send what they lack."""
    topic = parts[0].channel.topic
    stamp_ns = np.concatenate([part.stamp_ns for part in parts])
    log_ns = np.concatenate([part.log_ns for part in parts])
    has_any = bool((np.isfinite(values) & (values != 0.0)).any())
    is_good = np.isfinite(values).any(axis=1) if has_any else np.zeros(len(values), bool)
    readings = Readings(f"{quantity} of {topic}", topic, quantity, np.zeros(0), values[is_good], frame, reference)
    is_stamped = parts[0].channel.has_header and bool(stamp_ns.any())
    readings = replace(readings, covariance=covariance, is_stamped=is_stamped)
    return _Series(readings, stamp_ns[is_good], log_ns[is_good])


def _velocity_in(series: _Series, reference: str, resolved_in: str) -> _Series:
    """Return a series of velocities relative to a reference, resolved in a frame."""
    return replace(series, readings=replace(series.readings, reference=reference, resolved_in=resolved_in))


def _values(parts: Sequence[Columns]) -> Array:
    return np.concatenate([part.values for part in parts])


def _frame(parts: Sequence[Columns], i: int) -> str:
    """Return a text of the messages as a frame, without a leading slash."""
    texts = parts[0].texts
    return texts[i].removeprefix("/") if i < len(texts) else ""


def _unit(q: Array) -> Array:
    """Return quaternions (n, 4) of unit length; NaN for those without a direction."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        length = np.sqrt(np.square(q).sum(axis=1, keepdims=True))
        return np.where(np.isfinite(length) & (length > 0.0), q / length, np.nan)


def _covariance(numbers: Array) -> Array | None:
    """Return a covariance (3, 3); None for zeros, which mean that it is unknown, and for a missing reading."""
    matrix = np.array(numbers, float).reshape(3, 3)
    is_stated = np.isfinite(matrix).all() and (np.diag(matrix) > 0.0).all()
    return matrix if is_stated else None


# --- Transforms


def _moving_and_fixed(tracks: Tracks) -> tuple[list[Track], list[Track]]:
    """Return the frames that move, and those that are static or always sent as the same pose."""
    fixed = [track for track in tracks.by_frame if track.is_static or keeps_pose(track)]
    return [track for track in tracks.by_frame if all(track is not other for other in fixed)], fixed


def _usual_parent(track: Track) -> int:
    return int(np.bincount(track.parent).argmax())


def _needed(tracks: Tracks, moving: Sequence[Track], fixed: Sequence[Track], named: set[str]) -> list[Track]:
    """Return the moving frames that carry a frame named by readings, or that localization and odometry send.

    A frame that only carries another moving frame is part of the pose of the other, see `_pose_below`. A frame of the
    world in another one, such as ``odom`` in ``map``, moves by corrections of the localization and is no body.
    """
    parents = {track.child: _usual_parent(track) for track in (*moving, *fixed)}
    moves = {track.child for track in moving}
    carriers: set[int] = set()
    for i in (i for i, name in enumerate(tracks.names) if name in named):
        at, seen = i, set[int]()
        while at in parents and at not in moves and at not in seen:
            seen.add(at)
            at = parents[at]
        carriers.add(at)
    of_world = [
        track
        for track in moving
        if _is_of_world(tracks, _usual_parent(track)) and not _is_of_world(tracks, track.child)
    ]
    of_sensors = [track for track in moving if track.child in carriers and not _is_of_world(tracks, track.child)]
    chosen = {track.child: track for track in (*of_world, *of_sensors)} or {track.child: track for track in moving}
    return list(chosen.values())[:MAX_MOVING]


def _is_of_world(tracks: Tracks, frame: int) -> bool:
    return tracks.names[frame].rpartition("/")[2] in WORLD_FRAMES


def _poses_of_tracks(tracks: Tracks, chosen: Sequence[Track], source: str) -> Iterator[_Series]:
    """Yield position and orientation of frames relative to the frame of the world, or the root, that they move in."""
    by_child = {track.child: track for track in tracks.by_frame}
    for track in chosen:
        parent = _usual_parent(track)
        mine = track.select(track.parent == parent)
        Q, p, reference = _pose_below(tracks, mine, parent, by_child)
        frame = tracks.names[track.child]
        quantities: tuple[tuple[Quantity, Array], ...] = (("position", p), ("orientation", Q))
        for quantity, values in quantities:
            name = f"{quantity} of {frame} in {source}"
            readings = Readings(name, source, quantity, np.zeros(0), values, frame, tracks.names[reference])
            yield _Series(readings, mine.stamp_ns, mine.log_ns)


def _pose_below(tracks: Tracks, track: Track, parent: int, by_child: Mapping[int, Track]) -> tuple[Array, Array, int]:
    """Return the pose of a frame in the world or the root above it, NaN where transforms between are missing.

    Returns
    -------
    Q : (n, 4)
        Quaternions, scalar last.
    p : (n, 3)
        Positions, m.
    reference
        Number of the frame relative to which they are.
    """
    Q, p, seen = _unit(track.quaternion), track.position, {track.child}
    while not _is_of_world(tracks, parent) and parent in by_child and parent not in seen:
        seen.add(parent)
        above = by_child[parent]
        at = _usual_parent(above)
        Q_above, p_above = _pose_at(above.select(above.parent == at), track.stamp_ns)
        p = p_above + linear_algebra.resolve1_by_quaternion(Q_above, p)
        Q = linear_algebra.multiply_quaternions(Q_above, Q)
        parent = at
    return Q, p, parent


def _pose_at(track: Track, stamp_ns: Whole) -> tuple[Array, Array]:
    """Return quaternions (n, 4) and positions (n, 3) of a frame at stamps, NaN before, after and in gaps."""
    order = track.in_time
    own, Q, p = track.stamp_ns[order], _unit(track.quaternion[order]), track.position[order]
    n = len(stamp_ns)
    if track.is_static or len(own) == 1:
        return np.broadcast_to(Q[-1], (n, 4)), np.broadcast_to(p[-1], (n, 3))
    k = np.clip(np.searchsorted(own, stamp_ns, side="right") - 1, 0, len(own) - 2)
    step = own[k + 1] - own[k]
    part = (stamp_ns - own[k]) / step
    is_outside = (part < 0.0) | (part > 1.0) | ((step > gap_limit_ns(own)) & (part > 0.0) & (part < 1.0))
    step_Q = linear_algebra.relative_quaternion(Q[k], Q[k + 1])
    turn = conversions.rotation_vector(np.where(step_Q[:, 3:] < 0.0, -step_Q, step_Q))
    part = np.where(is_outside, np.nan, part)[:, np.newaxis]
    return (
        linear_algebra.multiply_quaternions(Q[k], axis_rotations.quaternion_from_rotation_vector(part * turn)),
        p[k] + part * (p[k + 1] - p[k]),
    )


def _poses_of_transforms(tracks: Tracks, topic: str) -> Iterator[_Series]:
    """Yield the readings of a topic of poses."""
    for part in _poses_of_tracks(tracks, [track for track in tracks.by_frame if len(track.rows) > 1], topic):
        yield replace(part, readings=replace(part.readings, name=f"{part.readings.quantity} of {topic}"))


def _mounts(tracks: Tracks, fixed: Sequence[Track], named: set[str], source: str) -> Iterator[Mount]:
    """Yield the pose of each named frame on the topmost named frame to which fixed transforms join it."""
    poses = {track.child: (_usual_parent(track), track.quaternion[-1], track.position[-1]) for track in fixed}
    bases: dict[int, list[tuple[int, int, Array, Array]]] = {}
    for i in (i for i, name in enumerate(tracks.names) if name in named):
        at, depth, Q, p, seen = i, 0, np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3), {i}
        while at in poses and poses[at][0] not in seen:
            at, Q_step, p_step = poses[at]
            Q_step = Q_step / np.linalg.norm(Q_step)
            p = p_step + linear_algebra.resolve1_by_quaternion(Q_step, p)
            Q = linear_algebra.multiply_quaternions(Q_step, Q)
            seen.add(at)
            depth += 1
        bases.setdefault(at, []).append((depth, i, Q, p))
    for members in bases.values():
        (_, base, Q_base, p_base), *others = sorted(members, key=lambda member: member[:2])
        for _, i, Q, p in others:
            p_on = linear_algebra.resolve2_by_quaternion(Q_base, p - p_base)
            Q_on = linear_algebra.relative_quaternion(Q_base, Q)
            above, Q_step, p_step = poses.get(i, (base, Q_on, p_on))
            frame = tracks.names[i]
            sent = (
                None
                if above == base
                else Mount(tracks.names[above], frame, _unit(Q_step[np.newaxis])[0], p_step, source)
            )
            yield Mount(tracks.names[base], frame, Q_on, p_on, source, sent)


# --- Times


def _in_one_clock(series: Sequence[_Series]) -> list[_Series]:
    """Return series in order, whose stamps are of one clock.

    Stamps that are days off those of most others, such as the time since a device was started, are shifted such that
    they are received as late as the others usually are.
    """
    ordered = [_in_order(part) for part in series]
    lags = [int(np.median(part.stamp_ns - part.log_ns)) for part in ordered]
    usual = int(np.median(lags)) if lags else 0
    return [
        part
        if abs(lag - usual) < _DAY_NS
        else replace(part, readings=replace(part.readings, is_stamped=False), stamp_ns=part.stamp_ns + (usual - lag))
        for part, lag in zip(ordered, lags, strict=True)
    ]


def _in_order(series: _Series) -> _Series:
    """Return the longest run of a series, in the order of its stamps, each stamp once.

    A run ends where the stamps step back, and where a clock is set, so that they step by days.
    """
    if not series.stamp_ns.any():
        series = replace(series, stamp_ns=series.log_ns)
    step = np.diff(series.stamp_ns)
    ends = np.flatnonzero((step < -RUN_NS) | (step > _DAY_NS)) + 1
    runs = [run for run in np.split(np.arange(len(series.stamp_ns)), ends) if len(run)]
    if not runs:
        return series
    run = max(runs, key=lambda rows: int(series.stamp_ns[rows].max() - series.stamp_ns[rows].min()))
    _, first = np.unique(series.stamp_ns[run], return_index=True)
    rows = run[first]
    readings = replace(series.readings, values=series.readings.values[rows])
    return _Series(readings, series.stamp_ns[rows], series.log_ns[rows])


def _with_times(series: _Series, zero: int, begin: int) -> Readings:
    received = (series.log_ns - begin) / NS
    return replace(series.readings, t=(series.stamp_ns - zero) / NS, received=received)


def _unique(all_readings: Iterable[Readings]) -> Iterator[Readings]:
    """Yield readings with different names; readings of one topic are told apart by their frame."""
    names: set[str] = set()
    for readings in all_readings:
        name = readings.name
        if name in names and readings.frame:
            name = f"{name} ({readings.frame})"
        k = 2
        while name in names:
            name, k = f"{readings.name} ({k})", k + 1
        names.add(name)
        yield replace(readings, name=name)
