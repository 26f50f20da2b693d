"""Wheels of described robots laid against odometry: sides, signs, units, radius and track."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.core.errors import Severity
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.joint_states import JointTrack
from framescope.features.evidence.core.account import Agreement, Fault, FaultKind, Finding
from framescope.features.evidence.core.joint_findings import JointEvidence, joint_name, names_words
from framescope.features.evidence.core.mean_squares import root_mean_square
from framescope.features.evidence.core.readings import Readings, SensorLog
from framescope.features.evidence.core.robot_joints import RobotJoints
from framescope.features.evidence.core.tracks import bodies_of
from framescope.features.evidence.core.wording import listed, three_digits
from framescope.features.robots.core.link_poses import link_poses
from framescope.features.robots.core.robot import CylinderShape, Link, SphereShape

SIDEWAYS = 0.999
"""Least cosine of the axis of a wheel and the y axis of the base."""

LEAST_SIDE = 0.02
"""Least distance of a wheel from the middle of the base, m."""

WINDOW = 0.2
"""Time over which speeds are averaged, s."""

FEWEST_WINDOWS = 15
"""Fewest windows of a comparison."""

LEAST_SPEED = 0.03
"""Least speed of the base and of rims by its turning, root mean square, m/s."""

FITS = 0.25
"""Relative difference of rim speeds from those of the best motion up to which wheels roll; more is slip."""

SAME_RADIUS, SAME_TRACK = 0.05, 0.15
"""Relative deviations of radius and track that are accepted; tyres give way, and wheels slip sideways."""

UNITS: dict[str, float] = {
    "in degrees per second": math.degrees(1.0),
    "in turns per minute": 60.0 / (2.0 * math.pi),
    "in turns per second": 1.0 / (2.0 * math.pi),
}
"""Units of wheel speeds, with the factor by which rad/s read too large."""

MOST_WHEELS = 12
"""Limit of wheels of a robot."""


@dataclass(frozen=True)
class Wheel:
    """A wheel: its joint, its radius, its distance to the left of the base, m, and the sign of its axis along y."""

    joint: str
    radius: float
    y: float
    sign: float


@dataclass(frozen=True, eq=False)
class Rolling:
    """Rim speeds of the wheels of a robot beside the motion of its base by odometry.

    Attributes
    ----------
    topic, reference
        Topic of the joint states, and name of the readings with the velocity of the base.
    wheels
        The wheels.
    along, turning : (k,)
        Rim speed for each unit of the base's speed, which is 1, and of its angular velocity, which is -y, m; NaN if the
        base does not turn enough.
    difference
        Largest relative difference of a rim speed from that of the fit.
    t : (n,)
        Middles of the windows, s.
    rims, v, w : (n, k), (n,), (n,)
        Rim speeds by description and states, m/s, speed of the base, m/s, and its angular velocity, rad/s.
    """

    topic: str
    reference: str
    wheels: tuple[Wheel, ...]
    along: Array
    turning: Array
    difference: float
    t: Array
    rims: Array
    v: Array
    w: Array


def wheels_of(robot: RobotJoints) -> tuple[Wheel, ...]:
    """Return the wheels that turn about the y axis of the base and are neither steered nor sprung.

    The radius is that of a cylinder or sphere of the link.
    """
    joints = robot.robot.joints
    poses = link_poses(robot.robot, {joint.name: np.zeros(1) for joint in joints}, 1)
    by_child = {joint.child: joint for joint in joints}
    links = {link.name: link for link in robot.robot.links}
    wheels: list[Wheel] = []
    for joint in joints:
        above = by_child.get(joint.parent)
        while above is not None and above.type == "fixed":
            above = by_child.get(above.parent)
        if joint.type != "continuous" or above is not None or joint.mimic is not None or joint.child not in poses:
            continue
        Q, p = poses[joint.child]
        axis = linear_algebra.resolve1_by_quaternion(Q[0], np.array(joint.axis, float))
        radius = _radius(links[joint.child])
        if radius and abs(float(axis[1])) >= SIDEWAYS and abs(float(p[0, 1])) >= LEAST_SIDE:
            wheels.append(Wheel(joint.name, radius, float(p[0, 1]), float(np.sign(axis[1]))))
    return tuple(wheels[:MOST_WHEELS])


def _radius(link: Link) -> float | None:
    """Return the largest radius of the cylinders and spheres of a link, m; None without any."""
    shapes = (geometry.shape for geometry in (*link.collisions, *link.visuals))
    radii = [shape.radius for shape in shapes if isinstance(shape, CylinderShape | SphereShape)]
    return max(radii, default=None)


def examine_wheels(robots: Sequence[RobotJoints], log: SensorLog, blamed: Collection[str] = ()) -> JointEvidence:
    """Return what the wheels of described robots prove beside odometry.

    Parameters
    ----------
    robots
        The robots.
    log
        All other readings.
    blamed
        Names of readings with faults, which are no measure.
    """
    findings, agreements, readings = list[Finding](), list[Agreement](), list[Readings]()
    for robot in robots:
        rollings = list(_rollings(robot, log, blamed))
        if not rollings:
            continue
        judged = [(rolling, list(_findings(robot, rolling))) for rolling in rollings]
        # Odometry may be wrong itself: wheels that agree with any are right.
        rolling, own = min(judged, key=lambda pair: (len(pair[1]), pair[0].difference))
        if rolling.difference > FITS:
            continue
        findings += own
        agreements.append(_agreement(rolling, own))
        base = robot.frame_of(robot.robot.roots[0])
        mean = rolling.rims.mean(axis=1)
        zero = np.zeros_like(mean)
        values = np.stack([mean, zero, zero], axis=1)
        name = _name(rolling.topic)
        readings.append(Readings(name, rolling.topic, "velocity", rolling.t, values, base, "", base))
    return JointEvidence(tuple(readings), tuple(findings), tuple(agreements))


def _name(topic: str) -> str:
    return f"speed of wheels of {topic}"


def _rollings(robot: RobotJoints, log: SensorLog, blamed: Collection[str]) -> Iterator[Rolling]:
    """Yield the wheels beside each odometry of the base that has velocities without faults."""
    wheels = wheels_of(robot)
    by_topic: dict[str, dict[Wheel, JointTrack]] = {}
    for wheel in wheels:
        for track in robot.states:
            if track.name == wheel.joint and len(track.stamp_ns) > FEWEST_WINDOWS:
                by_topic.setdefault(track.topic, {}).setdefault(wheel, track)
    frames = _frames_of_base(robot, log)
    unblamed = [each for each in log.readings if each.name not in blamed]
    velocities = [each for each in unblamed if each.quantity == "velocity" and each.resolved_in in frames]
    for topic, tracks in by_topic.items():
        sides = {math.copysign(1.0, wheel.y) for wheel in tracks}
        if len(sides) < 2:
            continue
        for velocity in velocities:
            rates = [
                each
                for each in unblamed
                if each.quantity == "angular velocity" and each.frame in frames and each.source == velocity.source
            ]
            rolling = _roll(topic, tracks, velocity, rates[0] if rates else None, log.start_ns)
            if rolling is not None:
                yield rolling


def _frames_of_base(robot: RobotJoints, log: SensorLog) -> set[str]:
    """Return the frames that are mounted on the base without a turn."""
    base = robot.frame_of(robot.robot.roots[0])
    frames = {base}
    for body in bodies_of(log):
        if base in body.poses:
            R_base = body.poses[base][0]
            turns = {name: float(Rotation.from_matrix(R_base.T @ R).magnitude()) for name, (R, _) in body.poses.items()}
            frames |= {name for name, turn in turns.items() if turn < np.radians(0.5)}
    return frames


def _roll(
    topic: str, tracks: dict[Wheel, JointTrack], velocity: Readings, rate: Readings | None, start_ns: int
) -> Rolling | None:
    """Return the wheels beside a velocity of the base; None if the motion is too small or too short."""
    spans = [(_times(track, start_ns)[[0, -1]]) for track in tracks.values()]
    spans.append(velocity.t[[0, -1]])
    if rate is not None:
        spans.append(rate.t[[0, -1]])
    first, last = max(float(span[0]) for span in spans), min(float(span[1]) for span in spans)
    if (last - first) / WINDOW < FEWEST_WINDOWS:
        return None
    edges = np.arange(first, last, WINDOW)
    v = _means(velocity.t, velocity.values[:, 0], edges)
    w = np.zeros_like(v) if rate is None else _means(rate.t, rate.values[:, 2], edges)
    rims = np.stack(
        [
            wheel.sign * wheel.radius * _means(*_speeds(track, start_ns), edges)
            for wheel, track in tracks.items()
        ],
        axis=1,
    )  # fmt: skip
    good = np.isfinite(v) & np.isfinite(w) & np.isfinite(rims).all(axis=1)
    t, v, w, rims = 0.5 * (edges[1:] + edges[:-1])[good], v[good], w[good], rims[good]
    side = min(abs(wheel.y) for wheel in tracks)
    turns = rate is not None and root_mean_square(w) * side > LEAST_SPEED
    if len(t) < FEWEST_WINDOWS or root_mean_square(v) < LEAST_SPEED or not root_mean_square(rims) > 0.0:
        return None
    motion = np.stack([v, w], axis=1) if turns else v[:, np.newaxis]
    if np.linalg.cond(motion / np.sqrt(np.mean(motion**2, axis=0))) > 10.0:
        return None
    fit, *_ = np.linalg.lstsq(motion, rims, rcond=None)
    left = rims - motion @ fit
    difference = max(
        root_mean_square(left[:, k]) / max(root_mean_square(rims[:, k]), 1e-9) for k in range(rims.shape[1])
    )
    turning = fit[1] if turns else np.full(rims.shape[1], np.nan)
    return Rolling(topic, velocity.name, tuple(tracks), fit[0], turning, difference, t, rims, v, w)


def _times(track: JointTrack, start_ns: int) -> Array:
    return (np.unique(track.stamp_ns) - start_ns) / NS


def _speeds(track: JointTrack, start_ns: int) -> tuple[Array, Array]:
    """Return times, s, and speeds of a wheel, rad/s: those of the messages, else the rates of its angles."""
    stamps, rows = np.unique(track.stamp_ns, return_index=True)
    t, v, x = (stamps - start_ns) / NS, track.velocity[rows], track.position[rows]
    if np.isfinite(v).any() and np.nan_to_num(v).any():
        return t, v
    good = np.isfinite(x)
    if good.sum() < 2:
        return t, np.full(len(t), np.nan)
    turned = np.unwrap(x[good]) if np.abs(x[good]).max() <= 2.0 * np.pi else x[good]
    return t[good], np.gradient(turned, t[good])


def _means(t: Array, x: Array, edges: Array) -> Array:
    """Return the means of a series over windows; NaN where it has no samples."""
    good = np.isfinite(x)
    t, x = t[good], x[good]
    if len(t) < 2:
        return np.full(len(edges) - 1, np.nan)
    total = np.append(0.0, np.cumsum(0.5 * (x[1:] + x[:-1]) * np.diff(t)))
    means = np.diff(np.interp(edges, t, total)) / np.diff(edges)
    before, after = np.searchsorted(t, edges[:-1]), np.searchsorted(t, edges[1:])
    period = float(np.median(np.diff(t)))
    return np.where((after > before) | (period > WINDOW), means, np.nan)


def _findings(robot: RobotJoints, rolling: Rolling) -> Iterator[Finding]:
    """Yield what is wrong with the wheels beside an odometry."""
    if rolling.difference > FITS:
        return
    wheels, along, turning = rolling.wheels, rolling.along, rolling.turning
    y = np.array([wheel.y for wheel in wheels])
    sides = turning / along
    against = [wheel for wheel, a in zip(wheels, along, strict=True) if a < 0.0]
    size = float(np.median(np.abs(along)))
    unit = next((words for words, factor in UNITS.items() if abs(size / factor - 1.0) < SAME_RADIUS), "")
    if against:
        subject, be = names_words([wheel.joint for wheel in against]), "turns" if len(against) == 1 else "turn"
        sentence = (
            f"{subject} of {rolling.topic} {be} backward while {rolling.reference} drives forward: either the sign of"
            f" the states is wrong, or the axis of the joint in {robot.source} points the other way."
        )
        yield _finding(robot, rolling, sentence, "amber", "sign", "of opposite sign", against)
    knows_sides = bool(np.isfinite(sides).all())
    is_swapped = knows_sides and bool((np.abs(sides - y) < np.abs(sides + y)).all())
    if is_swapped and not against:
        subject = names_words([wheel.joint for wheel in wheels])
        sentence = (
            f"{subject} of {rolling.topic} are on the other side: they differ in curves as if left and right were"
            f" swapped, compared with {rolling.reference}. Exchange their names in the driver, or their places in"
            f" {robot.source}."
        )
        yield _finding(robot, rolling, sentence, "red", "joint order", "on the other side", wheels)
    if unit:
        subject, be = names_words([wheel.joint for wheel in wheels]), "is" if len(wheels) == 1 else "are"
        sentence = (
            f"{subject} of {rolling.topic} {be} {unit}: the rims are {three_digits(size)} times as fast as"
            f" {rolling.reference}. Joint states are in rad/s."
        )
        yield _finding(robot, rolling, sentence, "red", "unit", unit, wheels, (UNITS[unit],))
    elif abs(size - 1.0) > SAME_RADIUS:
        radius = wheels[0].radius
        sentence = (
            f"The rims of {names_words([wheel.joint for wheel in wheels])} of {rolling.topic} are"
            f" {three_digits(size)} times as fast as {rolling.reference}: a radius of {three_digits(radius / size)} m"
            f" fits, and {robot.source} states {three_digits(radius)} m."
        )
        words = f"{three_digits(size)} times as large as it should be"
        yield _finding(robot, rolling, sentence, "amber", "scale", words, wheels, (size,))
    yield from _track_finding(robot, rolling, sides if not is_swapped else -sides, y)


def _track_finding(robot: RobotJoints, rolling: Rolling, sides: Array, y: Array) -> Iterator[Finding]:
    """Yield the finding about the distance of two wheels; more than one on a side slip in curves."""
    if len(y) != 2 or not np.isfinite(sides).all():
        return
    stated, fitted = float(y.max() - y.min()), float(abs(sides[0] - sides[1]))
    if abs(fitted / stated - 1.0) <= SAME_TRACK:
        return
    sentence = (
        f"{names_words([wheel.joint for wheel in rolling.wheels])} are {three_digits(stated)} m apart in"
        f" {robot.source}; the curves of {rolling.reference} fit a track of {three_digits(fitted)} m. One of the two"
        " states another track, or the wheels slip in curves."
    )
    words = f"{three_digits(stated)} m apart, where {three_digits(fitted)} m fit"
    yield _finding(robot, rolling, sentence, "amber", "scale", words, rolling.wheels)


def _finding(
    robot: RobotJoints,
    rolling: Rolling,
    sentence: str,
    severity: Severity,
    kind: FaultKind,
    words: str,
    wheels: Sequence[Wheel],
    value: tuple[float, ...] = (),
) -> Finding:
    name = _name(rolling.topic)
    frame = robot.frame_of(robot.joints[wheels[0].joint].child)
    joints = tuple(joint_name(wheel.joint, rolling.topic) for wheel in wheels)
    # A sign is a fault of some of the wheels, anything else one of all.
    faults = tuple(Fault(kind, each, words, value) for each in (joints if kind == "sign" else (name,)))
    names = (name, rolling.reference, *joints)
    return Finding(sentence, severity, names, faults, stretch=_stretch(rolling), frame=frame)


def _stretch(rolling: Rolling) -> tuple[float, float]:
    return float(rolling.t[0]), float(rolling.t[-1])


def _agreement(rolling: Rolling, findings: Sequence[Finding]) -> Agreement:
    """Return the comparison of the mean rim speed with the speed of the base."""
    first, second = _name(rolling.topic), rolling.reference
    y = np.array([wheel.y for wheel in rolling.wheels])
    turning = np.where(np.isfinite(rolling.turning), rolling.turning, 0.0)
    expected = rolling.v[:, np.newaxis] - rolling.w[:, np.newaxis] * y
    fitted = rolling.v[:, np.newaxis] * rolling.along + rolling.w[:, np.newaxis] * turning
    before = np.sqrt(np.mean((rolling.rims - expected) ** 2, axis=1))
    after = np.sqrt(np.mean((rolling.rims - fitted) ** 2, axis=1))
    faults = tuple(fault for finding in findings for fault in finding.faults)
    pair = f"{first} and {second}"
    sizes = [f"{three_digits(root_mean_square(x))}" for x in (before, after)]
    if faults:
        words = listed(dict.fromkeys(fault.words for fault in faults))
        sentence = f"{pair} agree if the wheels are {words}: {sizes[1]} instead of {sizes[0]} m/s rms."
    else:
        sentence = f"{pair} agree: {sizes[0]} m/s rms."
    apart = (
        root_mean_square(before) / max(root_mean_square(after), 1e-9) if faults else 1.0 / max(rolling.difference, 1e-3)
    )
    residual = np.stack([before, after if faults else before], axis=1)
    return Agreement(
        first,
        second,
        "explained" if faults else "agree",
        faults,
        apart,
        rolling.difference / FITS,
        root_mean_square(before),
        root_mean_square(after if faults else before),
        "m/s",
        _stretch(rolling),
        sentence,
        rolling.t,
        residual,
    )
