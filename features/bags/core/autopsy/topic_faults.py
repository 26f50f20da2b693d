"""Faults of topics beside the transforms: frames that nobody sends, twists that are none, and inertial readings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from framescope.core.errors import counted, near_miss
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.autopsy.fault import TfFault
from framescope.features.bags.core.autopsy.wording import by, listed
from framescope.features.bags.core.topic_series import NamedFrame, TopicContents, TopicSeries

GRAVITY = 9.81
"""m/s²."""

SAME_GRAVITY = 0.15
"""By how much the median specific force may be off it: sensors are not calibrated, and robots accelerate."""

WINDOW_S = 0.5
"""Over which a twist is compared with how the pose changes: noise of poses counts for little then."""

MIN_WINDOWS = 8
SLOW_V, SLOW_W = 0.05, 0.05
"""Below so many m/s or rad/s there is nothing to compare."""

WRONG = 0.3
"""The share of the motion by which a twist may miss it."""


def missing_frames(named: Iterable[NamedFrame], known: Iterable[str]) -> Iterator[TfFault]:
    """Yield the frames that messages are stamped in, and that no transform names."""
    names = {name.removeprefix("/") for name in known}
    if not names:
        return  # of which `without_transforms` tells
    for each in named:
        name = each.name.removeprefix("/")
        if name in names:
            continue
        near = near_miss(name, sorted(names))
        hint = f" The nearest that is sent is {near}." if near else ""
        yield TfFault(
            "frame missing",
            name,
            f"{counted(each.count, 'message')} of {each.topic}{by([each.publisher] if each.publisher else [])}"
            f" {'names' if each.count == 1 else 'name'} {name}, and no transform does: they cannot be placed.{hint}",
            each.first_ns,
            each.last_ns,
            count=each.count,
            publishers=(each.publisher,) if each.publisher else (),
            answer=f'"{name}" passed to lookupTransform argument source_frame does not exist.',
        )


def without_transforms(contents: TopicContents) -> Iterator[TfFault]:
    """Yield that a recording has no transforms, though its messages are stamped in frames."""
    named = contents.named
    frames = tuple(dict.fromkeys(each.name.removeprefix("/") for each in named))
    if not frames:
        return
    placed = {name.removeprefix("/") for series in contents.odometry for name in (series.frame, series.child)}
    is_lost = len(set(frames) - placed) > (0 if placed else 1)
    count = sum(each.count for each in named)
    are = "is" if count == 1 else "are"
    yield TfFault(
        "no transforms",
        frames[0] if len(frames) == 1 else "",
        f"{counted(count, 'message')} {are} stamped in {listed(frames)}, and the recording has no transforms: tf2 knows"
        " none of them. /tf and /tf_static were not recorded, or nobody sent them.",
        min(each.first_ns for each in named),
        max(each.last_ns for each in named),
        count=count,
        severity="amber" if is_lost else "note",
        publishers=tuple(dict.fromkeys(each.publisher for each in named if each.publisher)),
        answer=f'"{frames[0]}" passed to lookupTransform argument source_frame does not exist.',
    )


def topic_faults(contents: TopicContents) -> Iterator[TfFault]:
    """Yield what is wrong with odometry and inertial readings."""
    for series in contents.odometry:
        yield from _twist(series)
    for series in contents.inertial:
        yield from _inertial(series)


def _twist(series: TopicSeries) -> Iterator[TfFault]:
    """Compare a twist with the change of the pose over windows of time, as it is and as it may be meant."""
    moved = _windows(series)
    if moved is None:
        return
    said_v, said_w, v_parent, v_child, w_child = moved
    words: list[str] = []
    fits = {
        "it is resolved in the parent, and has to be in the child": v_parent,
        "it has the other sign": -v_child,
        "it says nothing": np.zeros_like(v_child),
    }
    if _speed(v_child) > SLOW_V and _miss(said_v, v_child) > WRONG:
        words.append(f"the velocity is off by {_miss(said_v, v_child):.0%} of its size{_meant(said_v, v_child, fits)}")
    turns = {"it has the other sign": -w_child, "it says nothing": np.zeros_like(w_child)}
    turns["it is in degrees a second"] = np.degrees(w_child)
    if _speed(w_child) > SLOW_W and _miss(said_w, w_child) > WRONG:
        words.append(
            f"the angular velocity is off by {_miss(said_w, w_child):.0%} of its size{_meant(said_w, w_child, turns)}"
        )
    if words:
        yield TfFault(
            "twist",
            series.child or series.frame or series.topic,
            f"The twist{f' of {series.child}' if series.child else ''} in {series.topic} is not how its"
            f" pose{f' in {series.frame}' if series.frame else ''} changes: {'; '.join(words)}.",
            int(series.log_ns[0]),
            int(series.log_ns[-1]),
            count=len(series.log_ns),
            parent=series.frame,
            publishers=(series.publisher,) if series.publisher else (),
        )


def _windows(series: TopicSeries) -> tuple[Array, Array, Array, Array, Array] | None:
    """Return said and measured velocities (n, 3) over windows: v, w; v in parent and child, w in child."""
    order = np.argsort(series.stamp_ns, kind="stable")
    t = (series.stamp_ns[order] - int(series.stamp_ns[order[0]])) / NS
    values = series.values[order]
    ends = np.searchsorted(t, np.arange(0.0, t[-1] + WINDOW_S, WINDOW_S))
    ends = np.unique(ends[ends < len(t)])
    ends = ends[np.concatenate([[True], np.diff(t[ends]) > 0.0])]
    if len(ends) <= MIN_WINDOWS or not np.isfinite(values).all():
        return None
    dt = np.diff(t[ends])[:, np.newaxis]
    said = np.diff(_integral(t, values[:, 7:])[ends], axis=0) / dt
    q = values[ends, 3:7]
    q = q / np.linalg.norm(q, axis=1, keepdims=True)
    turn = linear_algebra.relative_quaternion(q[:-1], q[1:])
    turn = np.where(turn[:, 3:] < 0.0, -turn, turn)
    size = np.linalg.norm(turn[:, :3], axis=1, keepdims=True)
    angle = 2.0 * np.arctan2(size, turn[:, 3:])
    axis = np.divide(turn[:, :3], size, out=np.zeros_like(turn[:, :3]), where=size > 0.0)
    v_parent = np.diff(values[ends, :3], axis=0) / dt
    middle = q[:-1] + np.where((q[:-1] * q[1:]).sum(axis=1, keepdims=True) < 0.0, -1.0, 1.0) * q[1:]
    middle /= np.linalg.norm(middle, axis=1, keepdims=True)
    return (
        said[:, :3],
        said[:, 3:],
        v_parent,
        linear_algebra.resolve2_by_quaternion(middle, v_parent),
        axis * angle / dt,
    )


def _integral(t: Array, values: Array) -> Array:
    """Return the integral of values (n, k) from the first time to each, by trapezoids."""
    pieces = 0.5 * (values[1:] + values[:-1]) * np.diff(t)[:, np.newaxis]
    return np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(pieces, axis=0)])


def _speed(v: Array) -> float:
    return float(np.median(np.linalg.norm(v, axis=1)))


def _miss(said: Array, measured: Array) -> float:
    """Return the median difference by the median size."""
    size = max(_speed(measured), 1e-12)
    return float(np.median(np.linalg.norm(said - measured, axis=1))) / size


def _meant(said: Array, measured: Array, fits: dict[str, Array]) -> str:
    """Return what is probably meant: the reading that leaves the least, where that is little."""
    best, miss = min(((words, _miss(said, fit)) for words, fit in fits.items()), key=lambda each: each[1])
    return f" ({best})" if miss < 0.3 * min(1.0, _miss(said, measured)) else ""


def _inertial(series: TopicSeries) -> Iterator[TfFault]:
    frame = series.frame or series.topic
    publishers = (series.publisher,) if series.publisher else ()
    when = int(series.log_ns[0]), int(series.log_ns[-1])
    force = np.linalg.norm(series.values[:, 7:], axis=1)
    usual = float(np.median(force)) if np.isfinite(force).all() else GRAVITY
    if abs(usual / GRAVITY - 1.0) > SAME_GRAVITY:
        if abs(usual - 1.0) < SAME_GRAVITY:
            why = "it is in units of g, and has to be in m/s²"
        elif usual < 0.5 * GRAVITY:
            why = "gravity was taken off it, which an accelerometer at rest does measure"
        else:
            why = "its scale is wrong"
        yield TfFault(
            "gravity",
            frame,
            f"The acceleration of {series.topic} is {usual:.3g} m/s² at most times, not {GRAVITY}: {why}.",
            *when,
            count=len(force),
            severity="amber",
            publishers=publishers,
        )
    if np.isnan(series.values[:, 0]).all():
        yield TfFault(
            "no orientation",
            frame,
            f"{series.topic} has no orientation, as it says itself: only its rates and accelerations can be used.",
            *when,
            count=len(force),
            severity="note",
            publishers=publishers,
        )
