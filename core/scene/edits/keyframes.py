"""Edits of the times of keyframes: of frames, and of the camera."""

from __future__ import annotations

from typing import TypeVar

from framescope.core.errors import ItemError, counted
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.schema.films import ShotCameraKey
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Key, Keyframes
from framescope.core.scene.schema.quantities import Quantity, unit_factor
from framescope.core.scene.schema.view import CameraKey

TimedKey = TypeVar("TimedKey", Key, CameraKey, ShotCameraKey)
"""Key of a frame, of the camera's path, or of the path of the camera of a shot."""

APART = 1e-3
"""Minimum time between two keys when dragging, s."""

DECIMALS = 6


def parent_key_times(scene: Scene, name: str) -> tuple[tuple[float, str], ...]:
    """Return times, s, and parents of a frame's parent keys; empty without keys or if a time has no unit.

    >>> parent_key_times(Scene(), "arm")
    ()
    """
    frame = scene.frames.get(name)
    try:
        keys = () if frame is None else frame.parent_keys
        return tuple((key.time.si("time", ("time",)), key.parent) for key in keys)
    except ItemError:
        return ()


def key_times(scene: Scene, name: str) -> tuple[float, ...]:
    """Return the times of the keys of a frame, s; empty without keys or if a time has no unit.

    >>> key_times(Scene(), "arm")
    ()
    """
    frame = scene.frames.get(name)
    if frame is None or not isinstance(frame.motion, Keyframes):
        return ()
    try:
        return tuple(key.time.si("time", ("time",)) for key in frame.motion.keys)
    except ItemError:
        return ()


def with_key_moved(keys: tuple[TimedKey, ...], i_key: int, t: float) -> tuple[TimedKey, ...]:
    """Return keys of which one has moved to a time, s, at most up to its neighbours; it keeps the unit of its time."""
    times, time = [key.time.si("time", ("time",)) for key in keys], t
    if i_key + 1 < len(times):
        time = min(time, times[i_key + 1] - APART)
    if i_key > 0:
        time = max(time, times[i_key - 1] + APART)
    unit = keys[i_key].time.unit or "s"
    quantity = Quantity(round(time / unit_factor(unit, "time", ("time",)), DECIMALS), unit)
    return (*keys[:i_key], keys[i_key].model_copy(update={"time": quantity}), *keys[i_key + 1 :])


def move_key(name: str, i_key: int, t: float) -> Edit:
    """Return the edit that moves a key of a frame to a time, s, at most up to its neighbours.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "motion": {
    ...     "form": "keyframes", "keys": [{"time": "0 s"}, {"time": "500 ms"}, {"time": "2 s"}]}}}})
    >>> [str(key.time) for key in move_key("a", 1, 1.5).apply(scene).frames["a"].motion.keys]
    ['0 s', '1500 ms', '2 s']
    >>> key_times(move_key("a", 1, 9.0).apply(scene), "a")
    (0.0, 1.999, 2.0)
    """

    def apply(scene: Scene) -> Scene:
        motion = _keyframes_of(scene, name, i_key)
        if not key_times(scene, name):
            raise ValueError(f"{name}: its keys have no times that are known")
        keys = with_key_moved(motion.keys, i_key, t)
        return set_frame(scene, name, motion=motion.model_copy(update={"keys": keys}))

    return Edit(f"Moved key {i_key + 1} of {name} to {t:.6g} s", apply)


def delete_key(name: str, i_key: int) -> Edit:
    """Return the edit that deletes a key of a frame; the last remaining key cannot be deleted.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "motion": {
    ...     "form": "keyframes", "keys": [{"time": "0 s"}, {"time": "2 s"}]}}}})
    >>> once = delete_key("a", 0).apply(scene)
    >>> key_times(once, "a")
    (2.0,)
    >>> delete_key("a", 0).apply(once)
    Traceback (most recent call last):
    ...
    ValueError: a keeps its last key. Take its motion away instead.
    """

    def apply(scene: Scene) -> Scene:
        motion = _keyframes_of(scene, name, i_key)
        if len(motion.keys) == 1:
            raise ValueError(f"{name} keeps its last key. Take its motion away instead.")
        keys = (*motion.keys[:i_key], *motion.keys[i_key + 1 :])
        return set_frame(scene, name, motion=motion.model_copy(update={"keys": keys}))

    return Edit(f"Deleted key {i_key + 1} of {name}", apply)


def _keyframes_of(scene: Scene, name: str, i_key: int) -> Keyframes:
    frame = scene.frames.get(name)
    if frame is None or not isinstance(frame.motion, Keyframes) or i_key >= len(frame.motion.keys):
        raise ValueError(f"{name}: expected a frame with more than {counted(i_key, 'key')}")
    return frame.motion
