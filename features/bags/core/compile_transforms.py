"""Compilation of transforms of a bag into motions of frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.errors import FramescopeError, ItemError, KeyPath, Problem
from framescope.core.evaluation.local_motion import LocalMotion, MotionContext, ParentChanges, Sample
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.files.referenced_files import BAG_FILES
from framescope.core.scene.schema.motions import Transforms
from framescope.core.scene.schema.stamps import NS, stamp_of
from framescope.core.system.caches import cache_while_used
from framescope.core.system.file_access import resolve_named
from framescope.core.time_functions.keyframes import PoseKeyframes, pose_keyframes
from framescope.features.bags.core.kept_transforms import BagTransforms, transforms_of
from framescope.features.bags.core.tf_path import TfChoice, TfPath, first_stamp_ns, path_of
from framescope.features.bags.core.tf_tracks import Tracks

MAX_NAMED = 5
"""Limit of frames listed in a message."""


def compile_transforms(form: Transforms, context: MotionContext) -> LocalMotion:
    """Compile the motion of a frame of a bag; it has no pose outside its samples and in gaps.

    Raises
    ------
    ItemError
        When the bag cannot be read or has no sample of the frame.
    """
    key: KeyPath = ("motion", "file")
    file = resolve_named(form.file, context.access, key, BAG_FILES)
    try:
        bag = transforms_of(file)
        tracks = bag.tracks(form.namespace, form.topic)
    except FramescopeError as error:
        raise ItemError(key, f"{form.file} cannot be read as a bag: {error}") from None
    except OSError as error:
        raise ItemError(key, f"{form.file} cannot be read: {error.strerror}.") from None
    return _compile_form(form, bag, tracks)


@cache_while_used
def _compile_form(form: Transforms, _bag: BagTransforms, tracks: Tracks) -> LocalMotion:
    path = path_of(tracks, choice_of(form))
    if path is None:
        raise _nothing(form, tracks)
    zero = zero_of(form, tracks)
    changes = _changes(form, path, zero)
    problems = tuple(_problems(form, path))
    if path.is_static:
        T = linear_algebra.matrix_from_quaternion(path.quaternion[0])
        p = path.position[0].copy()

        def constant_sample(t: Array) -> Sample:
            zeros = np.zeros((len(t), 3))
            return Sample(np.broadcast_to(T, (len(t), 3, 3)), np.broadcast_to(p, (len(t), 3)), *[zeros] * 4)

        return LocalMotion(
            constant_sample, is_constant=True, still=(T, p), problems=problems, parents=changes, n_samples=1
        )
    times = path.seconds(zero)
    moved = _SampledMotion(
        pose_keyframes(times, path.position, path.quaternion, "linear"),
        times,
        is_held=np.isin(np.arange(len(times)) + 1, path.changes),
        is_empty=np.isin(np.arange(len(times)), path.gaps),
    )
    return LocalMotion(
        moved.sample,
        is_constant=False,
        problems=problems,
        n_samples=len(times),
        sample_times=times,
        parents=changes,
        known=path.spans(zero),
        held=moved.hold_last,
    )


@dataclass(frozen=True, eq=False)
class _SampledMotion:
    """Motion of a frame through its samples.

    Attributes
    ----------
    path
        Interpolation through all samples.
    times : (n,)
        Times of the samples, s.
    is_held, is_empty : (n,)
        Whether a sample holds until the next one, which has another parent; whether a gap follows a sample.
    """

    path: PoseKeyframes
    times: Array
    is_held: np.typing.NDArray[np.bool_]
    is_empty: np.typing.NDArray[np.bool_]

    def sample(self, t: Array) -> Sample:
        """Return the motion at times (n,), NaN outside the samples and in gaps."""
        i = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 1)
        begin = self.times[i]
        inside = (t >= self.times[0]) & (t <= self.times[-1]) & ~(self.is_empty[i] & (t > begin))
        holds = self.is_held[i]
        parts = self.path.sample(np.where(holds, begin, t))
        poses = (_where(inside, part, np.nan) for part in parts[:2])
        rates = (_where(inside, _where(~holds, part, 0.0), np.nan) for part in parts[2:])
        return Sample(*poses, *rates)

    def hold_last(self, t: Array) -> tuple[Array, Array, Array]:
        """Return pose and age (n,), s, at times (n,), of the last sample if the frame is unknown; NaN at first."""
        i = np.searchsorted(self.times, t, side="right") - 1
        last = np.clip(i, 0, len(self.times) - 1)
        begin = self.times[last]
        is_over = self.is_held[last] | self.is_empty[last] | (t > self.times[-1])
        T, p, *_ = self.path.sample(np.where(is_over, begin, t))
        age = np.where(is_over, t - begin, 0.0)
        return tuple(_where(i >= 0, part, np.nan) for part in (T, p, age))  # pyright: ignore[reportReturnType]


def _where(condition: np.typing.NDArray[np.bool_], part: Array, otherwise: float) -> Array:
    return np.where(condition.reshape(-1, *(1,) * (part.ndim - 1)), part, otherwise)


def choice_of(form: Transforms) -> TfChoice:
    """Return the selection of rows of a motion's bag; raise `ItemError` for an invalid stamp."""
    return TfChoice(
        names=(form.frame, *form.also),
        parents=tuple(parent.name for parent in form.parents),
        from_ns=None if form.received_from is None else _stamp(form.received_from, "received_from"),
        until_ns=None if form.received_until is None else _stamp(form.received_until, "received_until"),
        without_ns=tuple(_stamp(text, "without") for text in form.without),
        normalize=form.normalize,
    )


def zero_of(form: Transforms, tracks: Tracks) -> int:
    """Return the stamp of the scene's time 0, ns; raise `ItemError` if it is invalid."""
    return first_stamp_ns(tracks) if form.zero is None else _stamp(form.zero, "zero")


def _stamp(text: str, key: str) -> int:
    try:
        return stamp_of(text)
    except ValueError as error:
        raise ItemError(("motion", key), f"{error}.", 'Write a time in seconds, such as "1718700000.25".') from None


def _changes(form: Transforms, path: TfPath, zero: int) -> ParentChanges | None:
    if not form.parents:
        return None
    frames = {parent.name: parent.frame for parent in form.parents}
    named = [frames[parent] for parent in path.parents]
    places = path.changes
    names = tuple(named[int(path.parent[i])] for i in (0, *places))
    return ParentChanges((path.stamp_ns[places] - zero) / NS, names)


def _problems(form: Transforms, path: TfPath) -> list[Problem]:
    if form.parents or len(path.parents) == 1:
        return []
    message = f"{form.frame} has several parents in the bag: {', '.join(path.parents[:MAX_NAMED])}."
    hint = "With the key parents, name their frames in the scene, or choose one of them."
    return [Problem(("motion", "parents"), message, hint, "amber")]


def _nothing(form: Transforms, tracks: Tracks) -> ItemError:
    children = sorted({tracks.names[i] for i in set(map(int, tracks.child))})
    if form.frame in children:
        message = f"all samples of {form.frame} in {form.file} are excluded."
        return ItemError(("motion", "frame"), message, "Exclude fewer samples, or choose another parent.")
    where = f" on {form.topic}" if form.topic else f" in the namespace {form.namespace}" if form.namespace else ""
    names = ", ".join(children[:MAX_NAMED]) + (" and more" if len(children) > MAX_NAMED else "")
    message = f"{form.file} has no transform of a frame {form.frame}{where}."
    return ItemError(("motion", "frame"), message, f"There are: {names}." if children else "It has no transforms.")
