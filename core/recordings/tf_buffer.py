"""Transform buffer with the behaviour of tf2: samples of frames in their parents, and look-ups between frames."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.errors import FramescopeError, near_miss
from framescope.core.kernels.components import conjugate_of, negated, plus, quaternion_product_of
from framescope.core.kernels.componentwise import Components
from framescope.core.kernels.validation import Array
from framescope.core.recordings.tf_samples import LATEST, MovingSamples, NoSample, StaticSample, TfSample
from framescope.core.scene.schema.stamps import NS, stamp_text

FailureKind = Literal["extrapolation", "connectivity", "lookup", "invalid"]
Refusal = Literal["no child", "no parent", "own parent", "not finite", "not unit", "old", "repeated"]
"""Reason for rejecting a sample."""

UNIT_TOLERANCE = 0.01
"""Largest deviation of a quaternion's squared length from 1."""

MAX_DEPTH = 1000
"""Number of ancestors of a frame beyond which a loop is assumed."""

_NO_POSITION, _NO_ROTATION = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)

Pose = tuple[Components, Components]
"""Position and quaternion (x, y, z, w)."""


class TfLookUpError(FramescopeError):
    """Error of a look-up without an answer.

    Attributes
    ----------
    kind
        ``"extrapolation"``: outside the samples of a frame. ``"connectivity"``: no path between the frames.
        ``"lookup"``: an unknown frame, or frames that are each other's parents. ``"invalid"``: an invalid frame name.
    tf2_message
        Message that tf2 gives for this error.
    frame
        Frame that causes the error, if any: a frame without a sample at the time, or an unknown frame.
    """

    def __init__(self, kind: FailureKind, cause: str, tf2_message: str, frame: str | None = None) -> None:
        super().__init__(cause)
        self.kind: FailureKind = kind
        self.tf2_message = tf2_message
        self.frame = frame


TF2_CACHE_S = 10.0
"""Default duration for which tf2 keeps samples, s."""


class TfBuffer:
    """Samples of frames relative to their parents, and the pose of any frame in any other at a time.

    Parameters
    ----------
    cache_s
        Largest age of a stored sample relative to the newest sample of its frame, s; None stores all. tf2's default is
        10.

    Notes
    -----
    Stamps are integer nanoseconds. In a look-up, 0 means the newest time at which all frames on the path have samples.
    Each sample has its own parent. There is no extrapolation. Static samples are valid at any time. The first sample of
    a frame decides whether the frame is static. The class is not thread-safe.

    References
    ----------
    Behaviour of tf2 0.7.6 (``BufferCore``), compared with its answers in ``tests/golden/tf2.json.gz``.

    Examples
    --------
    >>> buffer = TfBuffer()
    >>> buffer.insert(1_000, "world", "base", [0, 0, 0], [0, 0, 0, 1])
    >>> buffer.insert(3_000, "world", "base", [2, 0, 0], [0, 0, 0, 1])
    >>> buffer.insert(0, "base", "camera", [0, 1, 0], [0, 0, 0, 1], is_static=True)
    >>> buffer.look_up("world", "camera", 2_000)
    (array([1., 1., 0.]), array([0., 0., 0., 1.]))
    >>> buffer.look_up("world", "camera", 4_000)
    Traceback (most recent call last):
        ...
    framescope.core.recordings.tf_buffer.TfLookUpError: camera in world at 0.000004000 s: the newest sample of base \
in world is of 0.000003000 s, 0.000001000 s before; nothing is extrapolated.
    """

    def __init__(self, cache_s: float | None = None) -> None:
        self._cache_ns = None if cache_s is None else round(cache_s * NS)
        self._samples: dict[str, MovingSamples | StaticSample] = {}
        self._names: dict[str, None] = {}  # in order of arrival, including parents

    @property
    def frames(self) -> tuple[str, ...]:
        """Names of all frames and parents, in order of arrival."""
        return tuple(self._names)

    def insert(
        self,
        stamp_ns: int,
        parent: str,
        child: str,
        position: ArrayLike,
        quaternion_xyzw: ArrayLike,
        *,
        is_static: bool = False,
        publisher: str = "",
    ) -> Refusal | None:
        """Add the pose of a child in a parent at a time.

        Parameters
        ----------
        stamp_ns
            Time in the header of the message, ns.
        parent, child
            Names of frames; a leading slash is dropped.
        position : (3,)
            Position of the child's origin in the parent, m.
        quaternion_xyzw : (4,)
            Orientation of the child in the parent, the scalar last.
        is_static
            Whether the pose is valid at any time.
        publisher
            Node that sent the sample; it does not affect any answer.

        Returns
        -------
        str or None
            Reason for rejecting the sample; the buffer is then unchanged.
        """
        del publisher
        p = tuple(map(float, position))  # pyright: ignore[reportArgumentType] (as tuple, list or array)
        q = tuple(map(float, quaternion_xyzw))  # pyright: ignore[reportArgumentType]
        parent, child = parent.removeprefix("/"), child.removeprefix("/")
        refusal = refusal_of(parent, child, p, q)
        if refusal is not None:
            return refusal
        sample = TfSample(parent, p, q)
        known = self._samples.get(child)
        if known is not None:
            refusal = known.insert(stamp_ns, sample)
        elif is_static:
            self._samples[child] = StaticSample(sample)
        else:
            self._samples[child] = moving = MovingSamples(self._cache_ns)
            moving.insert(stamp_ns, sample)
        self._names.setdefault(child)
        self._names.setdefault(parent)
        return refusal

    def look_up(self, target: str, source: str, stamp_ns: int = LATEST) -> tuple[Array, Array]:
        """Return the pose of one frame in another.

        Parameters
        ----------
        target
            The frame in which the pose is given.
        source
            The frame whose pose is returned.
        stamp_ns
            Time, ns; 0 means the newest time at which all frames on the path have samples.

        Returns
        -------
        position : (3,)
            Position of the source's origin in the target, m.
        quaternion_xyzw : (4,)
            Orientation of the source in the target, the scalar last.

        Raises
        ------
        TfLookUpError
            When the look-up has no answer; `kind` is the reason.
        """
        position, quaternion = self._pose(target, source, stamp_ns)
        return np.array(position), np.array(quaternion)

    def look_up_full(self, target: str, target_ns: int, source: str, source_ns: int, fixed: str) -> tuple[Array, Array]:
        """Return the pose of a frame at one time, in another frame at another time.

        Parameters
        ----------
        target, target_ns
            The frame in which the pose is given, and its time, ns.
        source, source_ns
            The frame whose pose is returned, and its time, ns.
        fixed
            The frame that is assumed to be fixed between the two times.

        Returns
        -------
        position : (3,), quaternion_xyzw : (4,)
            As returned by `look_up`; the quaternion is of unit length.

        Raises
        ------
        TfLookUpError
            When one of the two look-ups has no answer.
        """
        for name, argument in ((target, "target_frame"), (source, "source_frame"), (fixed, "fixed_frame")):
            self._check(name, argument)
        p_FS, q_FS = self._pose(fixed, source, source_ns)
        p_TF, q_TF = self._pose(target, fixed, target_ns)
        q_FS, q_TF = _unit(q_FS), _unit(q_TF)
        return np.array(plus(_rotate_vector(q_TF, p_FS), p_TF)), np.array(
            _choose_sign(quaternion_product_of(q_TF, q_FS))
        )

    def newest_common_ns(self, target: str, source: str) -> int:
        """Return the newest time at which all frames between two frames have samples, ns; 0 when all are static.

        Raises
        ------
        TfLookUpError
            When there is no path between the frames.
        """
        if source == target:
            known = self._samples.get(source)
            return known.newest[0] if known else LATEST
        above_source = list(self._newest_above(source, target))
        if above_source and above_source[-1][1] == target:
            return _earliest(stamp for stamp, _ in above_source)
        parents = [parent for _, parent in above_source]
        stamps: list[int] = []
        for stamp, parent in self._newest_above(target, source):
            stamps.append(stamp)
            if parent in parents:
                stamps += [stamp for stamp, _ in above_source[: parents.index(parent) + 1]]
                return _earliest(stamps)
            if parent == source:
                return _earliest(stamps)
        raise self._connectivity_error(target, source)

    def _newest_above(self, frame: str, end: str) -> Iterator[tuple[int, str]]:
        """Yield stamp and parent of the newest sample of a frame and of each ancestor, up to `end` or a root."""
        for _ in range(MAX_DEPTH + 1):
            known = self._samples.get(frame)
            if known is None:
                return
            yield known.newest
            frame = known.newest[1]
            if frame == end:
                return
        raise _loop(frame)

    def _pose(self, target: str, source: str, stamp_ns: int) -> Pose:
        if target == source:
            return _NO_POSITION, _NO_ROTATION
        self._check(target, "target_frame")
        self._check(source, "source_frame")
        if stamp_ns == LATEST:
            stamp_ns = self.newest_common_ns(target, source)
        up = self._up(source, target, stamp_ns)
        if up.is_there:
            return up.pose
        down = self._up(target, source, stamp_ns, top=up.frame)
        if down.missing is not None:
            raise self._extrapolation_error(target, source, stamp_ns, down.frame, down.missing)
        if down.is_there:
            return _inverse(down.pose)
        if down.frame != up.frame:
            if up.missing is not None:
                raise self._extrapolation_error(target, source, stamp_ns, up.frame, up.missing)
            raise self._connectivity_error(target, source)
        p_back, q_back = _inverse(down.pose)
        p, q = up.pose
        return plus(_rotate_vector(q_back, p), p_back), quaternion_product_of(q_back, q)

    def _up(self, frame: str, other: str, stamp_ns: int, top: str | None = None) -> _Way:
        """Walk up from a frame until `other`, `top`, a root, or a frame without a sample at the time."""
        position, quaternion = _NO_POSITION, _NO_ROTATION
        for _ in range(MAX_DEPTH + 1):
            known = self._samples.get(frame)
            if frame == top or known is None:
                return _Way(frame, (position, quaternion))
            sample = known.at(stamp_ns)
            if isinstance(sample, NoSample):
                return _Way(frame, (position, quaternion), missing=sample)
            if frame == other:
                return _Way(frame, (position, quaternion), is_there=True)
            position = plus(_rotate_vector(sample.quaternion, position), sample.position)
            quaternion = quaternion_product_of(sample.quaternion, quaternion)
            frame = sample.parent
        raise _loop(frame)

    def _check(self, name: str, argument: str) -> None:
        where = f"lookupTransform argument {argument}"
        if not name:
            cause = "A frame without a name is asked for."
            raise TfLookUpError(
                "invalid", cause, f"Invalid argument passed to {where} in tf2 frame_ids cannot be empty"
            )
        if name.startswith("/"):
            message = f"Invalid argument \"{name}\" passed to {where} in tf2 frame_ids cannot start with a '/' like: "
            cause = f"{name} begins with a slash: names of frames have none since tf2. Ask for {name[1:]}."
            raise TfLookUpError("invalid", cause, message, name)
        if name not in self._names:
            near = near_miss(name, self._names)
            hint = f"; did you mean {near}?" if near else "."
            message = f'"{name}" passed to {where} does not exist. '
            raise TfLookUpError("lookup", f"No sample names a frame {name}{hint}", message, name)

    def _extrapolation_error(
        self, target: str, source: str, stamp_ns: int, frame: str, missing: NoSample
    ) -> TfLookUpError:
        asked, nearest = stamp_text(stamp_ns), stamp_text(missing.nearest_ns)
        known = self._samples[frame]
        parent = known.newest[1]
        off = stamp_text(abs(stamp_ns - missing.nearest_ns))
        begin = "Lookup would require extrapolation"
        if missing.miss == "only":
            tf2_text = f"{begin} at time {asked}, but only time {nearest} is in the buffer"
            cause = f"the only sample of {frame} in {parent} is of {nearest} s"
        elif missing.miss == "future":
            tf2_text = (
                f"{begin} {off}s into the future.  Requested time {asked} but the latest data is at time {nearest}"
            )
            cause = f"the newest sample of {frame} in {parent} is of {nearest} s, {off} s before"
        else:
            tf2_text = (
                f"{begin} {off}s into the past.  Requested time {asked} but the earliest data is at time {nearest}"
            )
            cause = f"the oldest sample of {frame} in {parent} is of {nearest} s, {off} s after"
        return TfLookUpError(
            "extrapolation",
            f"{source} in {target} at {asked} s: {cause}; nothing is extrapolated.",
            f"{tf2_text}, when looking up transform from frame [{source}] to frame [{target}]",
            frame,
        )

    def _connectivity_error(self, target: str, source: str) -> TfLookUpError:
        roots = sorted({self._root(target), self._root(source)})
        above = f"{roots[0]} is the root of one, {roots[-1]} of the other" if len(roots) > 1 else "at that time"
        return TfLookUpError(
            "connectivity",
            f"No way leads from {source} to {target}: {above}.",
            f"Could not find a connection between '{target}' and '{source}' because they are not part of the same tree."
            "Tf has two or more unconnected trees.",
        )

    def _root(self, frame: str) -> str:
        *_, (_, root) = [(LATEST, frame), *self._newest_above(frame, "")]
        return root


@dataclass(frozen=True, slots=True)
class _Way:
    """End of a walk up the tree.

    Attributes
    ----------
    frame
        Last frame of the walk.
    pose
        Pose of the first frame in the last frame.
    missing
        The missing sample that ended the walk, or None.
    is_there
        Whether the walk reached a requested frame that has a sample. A root has no sample; walks from both sides meet
        there.
    """

    frame: str
    pose: Pose
    missing: NoSample | None = None
    is_there: bool = False


def refusal_of(parent: str, child: str, position: Sequence[float], quaternion: Sequence[float]) -> Refusal | None:
    """Return the reason for rejecting a sample regardless of other samples, or None.

    >>> refusal_of("world", "world", (0, 0, 0), (0, 0, 0, 1)), refusal_of("world", "base", (0, 0, 0), (0, 0, 0, 0.9))
    ('own parent', 'not unit')
    """
    if child == parent and child:
        return "own parent"
    if not child:
        return "no child"
    if not parent:
        return "no parent"
    if not all(map(math.isfinite, position)) or not all(map(math.isfinite, quaternion)):
        return "not finite"
    x, y, z, w = quaternion
    return "not unit" if abs(x * x + y * y + z * z + w * w - 1.0) > UNIT_TOLERANCE else None


def _rotate_vector(q: Components, v: Components) -> Components:
    """Rotate a vector by a quaternion without normalising it: its squared length scales the vector."""
    return quaternion_product_of(quaternion_product_of(q, (*v, 0.0)), conjugate_of(q))[:3]


def _inverse(pose: Pose) -> Pose:
    position, quaternion = pose
    back = conjugate_of(quaternion)
    return _rotate_vector(back, negated(position)), back


def _unit(q: Components) -> Components:
    size = math.hypot(*q)
    return tuple(x / size for x in q)


def _choose_sign(q: Components) -> Components:
    """Return q with the sign of a conversion from a matrix: w > 0 below 120°, else the largest of x, y, z is > 0."""
    leading = q[3] if 4.0 * q[3] ** 2 > 1.0 else max(q[:3], key=abs)
    return tuple(-x for x in q) if leading < 0.0 else q


def _earliest(stamps: Iterator[int] | list[int]) -> int:
    """Return the earliest stamp, ignoring static samples."""
    return min((stamp for stamp in stamps if stamp != LATEST), default=LATEST)


def _loop(frame: str) -> TfLookUpError:
    cause = f"Frames are each other's parents: the way up from {frame} does not end."
    return TfLookUpError("lookup", cause, "The tf tree is invalid because it contains a loop.", frame)
