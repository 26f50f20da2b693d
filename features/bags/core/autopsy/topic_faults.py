"""Faults of topics other than transforms: frames that nobody sends, wrong twists, and inertial readings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np

from framescope.core.errors import counted, near_miss
from framescope.core.kernels import conversions, linear_algebra
from framescope.core.kernels.lengths import lengths
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.autopsy.fault import TfFault
from framescope.features.bags.core.autopsy.wording import by, join_names
from framescope.features.bags.core.header_frames import NamedFrame
from framescope.features.bags.core.messages import MARKERS_TYPE, PATH_TYPE, SCAN_TYPES
from framescope.features.bags.core.topic_series import TopicContents, TopicSeries

WINDOW_S = 0.5
"""Window over which a twist is compared with the change of the pose, s, long enough to average the poses' noise."""

MIN_WINDOWS = 8
SLOW_V, SLOW_W = 0.05, 0.05
"""Speeds, m/s and rad/s, below which twists are not compared."""

PLACED_TYPES = frozenset(
    [
        *("foxglove.PoseInFrame", "geometry_msgs/PointStamped", "geometry_msgs/PolygonStamped"),
        *("geometry_msgs/PoseArray", "geometry_msgs/PoseStamped", "geometry_msgs/PoseWithCovarianceStamped"),
        *("nav_msgs/GridCells", "nav_msgs/OccupancyGrid", "nav_msgs/Odometry", PATH_TYPE),
        *("sensor_msgs/CameraInfo", "sensor_msgs/CompressedImage", "sensor_msgs/Image", "sensor_msgs/Imu"),
        *("sensor_msgs/PointCloud", "sensor_msgs/PointCloud2", "stereo_msgs/DisparityImage", *SCAN_TYPES),
        *("visualization_msgs/Marker", MARKERS_TYPE),
    ]
)
"""Types of messages that are useless without the pose of their frame."""

CLEARED_TYPES = frozenset(["visualization_msgs/Marker", MARKERS_TYPE, PATH_TYPE])
"""Types of which an empty message without a frame clears an earlier one."""


def missing_frames(named: Iterable[NamedFrame], known: Iterable[str], *, has_static: bool = True) -> Iterator[TfFault]:
    """Yield the frames that messages name, but no transform.

    Parameters
    ----------
    named
        Frames named by messages.
    known
        Frames named by transforms; none if the recording has no transforms.
    has_static
        Whether the recording has static transforms, which usually place the sensors.
    """
    names = {name.removeprefix("/") for name in known}
    if not names:
        return  # reported by `without_transforms`
    for entry in named:
        name = entry.name.removeprefix("/")
        if not name or name in names:
            continue
        near = _likely_name(name, names)
        hint = f" The most similar frame is {near}." if near else ""
        if not has_static:
            hint += (
                " The recording has no static transforms, which usually place the sensors: record /tf_static, too, and"
                " check that robot_state_publisher runs."
            )
        elif near:
            hint += f" If it is meant, set frame_id of {_sender(entry)} to {near}."
        yield TfFault(
            "frame missing",
            name,
            f"{counted(entry.count, 'message')} of {entry.topic}{by([entry.publisher] if entry.publisher else [])}"
            f" {'names' if entry.count == 1 else 'name'} {name}, but no transform does, so their positions are"
            f" unknown.{hint}",
            entry.first_ns,
            entry.last_ns,
            count=entry.count,
            severity="red" if not entry.type or entry.type in PLACED_TYPES else "amber",
            publishers=(entry.publisher,) if entry.publisher else (),
            answer=f'"{name}" passed to lookupTransform argument source_frame does not exist.',
        )


def _likely_name(name: str, names: Collection[str]) -> str | None:
    """Return the frame that was probably meant: the same name in another namespace, else a similar one."""
    last = name.rpartition("/")[2]
    same = sorted(other for other in names if other.rpartition("/")[2] == last)
    return same[0] if len(same) == 1 else near_miss(name, sorted(names))


def _sender(entry: NamedFrame) -> str:
    return entry.publisher or f"the publisher of {entry.topic}"


def slash_headers(named: Iterable[NamedFrame], known: Iterable[str]) -> Iterator[TfFault]:
    """Yield the known frames that headers of messages name with a leading slash, which tf2 rejects."""
    names = {name.removeprefix("/") for name in known}
    by_name: dict[str, list[NamedFrame]] = {}
    for entry in named:
        if entry.name.startswith("/") and entry.name[1:] in names and entry.type in PLACED_TYPES:
            by_name.setdefault(entry.name, []).append(entry)
    for name, entries in by_name.items():
        count, topics = sum(entry.count for entry in entries), dict.fromkeys(entry.topic for entry in entries)
        publishers = tuple(dict.fromkeys(entry.publisher for entry in entries if entry.publisher))
        senders = dict.fromkeys(map(_sender, entries))
        yield TfFault(
            "leading slash",
            name[1:],
            f"{counted(count, 'message')} of {join_names(list(topics))}{by(publishers)}"
            f" {'names' if count == 1 else 'name'} {name} with a slash. Transforms have {name[1:]}, and tf2 rejects"
            f" look-ups with a slash. Set frame_id of {join_names(list(senders))} to {name[1:]}.",
            min(entry.first_ns for entry in entries),
            max(entry.last_ns for entry in entries),
            count=count,
            severity="amber",
            publishers=publishers,
            answer=f'Invalid argument "{name}" passed to lookupTransform argument source_frame in tf2 frame_ids cannot'
            " start with a '/' like: ",
        )


def nameless_frames(named: Iterable[NamedFrame], *, has_transforms: bool) -> Iterator[TfFault]:
    """Yield the topics whose messages all have an empty frame, so that nothing can be related to them."""
    entries = [entry for entry in named if entry.type in PLACED_TYPES and entry.type not in CLEARED_TYPES]
    with_names = {(entry.topic, entry.key) for entry in entries if entry.name.strip("/")}
    for entry in entries:
        if (entry.topic, entry.key) in with_names:
            continue
        of_twist = " Their twist is resolved in that frame." if entry.key == "child_frame_id" else ""
        yield TfFault(
            "empty frame",
            entry.topic,
            f"{counted(entry.count, 'message')} of {entry.topic}{by([entry.publisher] if entry.publisher else [])}"
            f" {'has' if entry.count == 1 else 'have'} an empty {entry.key}: they belong to no frame.{of_twist}"
            f" Set {entry.key} of {_sender(entry)}.",
            entry.first_ns,
            entry.last_ns,
            count=entry.count,
            severity="amber" if has_transforms else "note",
            publishers=(entry.publisher,) if entry.publisher else (),
            answer="Invalid argument passed to lookupTransform argument source_frame in tf2 frame_ids cannot be empty",
        )


def without_transforms(contents: TopicContents) -> Iterator[TfFault]:
    """Yield the fault of a recording without transforms whose messages name frames."""
    named = tuple(entry for entry in contents.named if entry.name.removeprefix("/"))
    frames = tuple(dict.fromkeys(entry.name.removeprefix("/") for entry in named))
    if not frames:
        return
    placed = {name.removeprefix("/") for series in contents.odometry for name in (series.frame, series.child) if name}
    is_lost = len(set(frames) - placed) > (0 if placed else 1)
    count = sum(entry.count for entry in named)
    are = "is" if count == 1 else "are"
    yield TfFault(
        "no transforms",
        frames[0] if len(frames) == 1 else "",
        f"{counted(count, 'message')} {are} stamped in {join_names(frames)}, but the recording has no transforms: tf2"
        " knows none of them. /tf and /tf_static were not recorded, or not sent.",
        min(entry.first_ns for entry in named),
        max(entry.last_ns for entry in named),
        count=count,
        severity="amber" if is_lost else "note",
        publishers=tuple(dict.fromkeys(entry.publisher for entry in named if entry.publisher)),
        answer=f'"{frames[0]}" passed to lookupTransform argument source_frame does not exist.',
    )


def topic_faults(contents: TopicContents) -> Iterator[TfFault]:
    """Yield the faults of odometry and inertial readings."""
    for series in contents.odometry:
        yield from _twist(series)
    for series in contents.inertial:
        yield from _inertial(series)


def _twist(series: TopicSeries) -> Iterator[TfFault]:
    """Yield a twist that is zero although the pose changes.

    Other misreadings of a twist are told by the comparison of all sensors, which takes zeros for missing readings.
    """
    moved = _motion_in_windows(series)
    if moved is None:
        return
    (v, w), twist = moved, series.values[:, 7:]
    parts = (("velocity", v, SLOW_V, twist[:, :3]), ("angular velocity", w, SLOW_W, twist[:, 3:]))
    names = [
        name
        for name, measured, slow, stated in parts
        if np.count_nonzero(lengths(measured) > slow) >= MIN_WINDOWS and not stated.any()
    ]
    if names:
        yield TfFault(
            "twist",
            series.child or series.frame or series.topic,
            f"The twist{f' of {series.child}' if series.child else ''} in {series.topic} does not match the change"
            " of its"
            f" pose{f' in {series.frame}' if series.frame else ''}: the {' and the '.join(names)}"
            f" {'is' if len(names) == 1 else 'are'} zero in all messages.",
            int(series.log_ns[0]),
            int(series.log_ns[-1]),
            count=len(series.log_ns),
            parent=series.frame,
            publishers=(series.publisher,) if series.publisher else (),
        )


def _motion_in_windows(series: TopicSeries) -> tuple[Array, Array] | None:
    """Return mean velocities and angular velocities (n, 3) over windows by the change of the pose; None for a few."""
    order = np.argsort(series.stamp_ns, kind="stable")
    t = (series.stamp_ns[order] - int(series.stamp_ns[order[0]])) / NS
    values = series.values[order]
    ends = np.searchsorted(t, np.arange(0.0, t[-1] + WINDOW_S, WINDOW_S))
    ends = np.unique(ends[ends < len(t)])
    ends = ends[np.concatenate([[True], np.diff(t[ends]) > 0.0])]
    length = lengths(values[ends, 3:7])
    if len(ends) <= MIN_WINDOWS or not np.isfinite(values).all() or not (length > 0.0).all():
        return None
    dt = np.diff(t[ends])[:, np.newaxis]
    q = values[ends, 3:7] / length[:, np.newaxis]
    turned = conversions.rotation_vector(linear_algebra.relative_quaternion(q[:-1], q[1:]))
    with np.errstate(over="ignore"):
        return np.diff(values[ends, :3], axis=0) / dt, turned / dt


def _inertial(series: TopicSeries) -> Iterator[TfFault]:
    if np.isnan(series.values[:, 0]).all():
        yield TfFault(
            "no orientation",
            series.frame or series.topic,
            f"{series.topic} marks its orientation as missing: only its rates and accelerations can be used.",
            int(series.log_ns[0]),
            int(series.log_ns[-1]),
            count=len(series.log_ns),
            severity="note",
            publishers=(series.publisher,) if series.publisher else (),
        )
