"""Faults as engineers make them: changes of one written item, and the names that say what was done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from tests.setups.families import FRD, NED, OPTICAL
from tests.setups.items import Item, Setup, Vector
from tests.setups.motions import Array, Pose, relative

MIRROR = np.diag([1.0, -1.0, 1.0])


@dataclass(frozen=True, eq=False)
class Fault:
    """A change of one item, and the words one of which says it: for what no edit of a scene can take back."""

    item: str
    name: str
    change: Callable[[Any], Item]
    words: str = ""
    """A pattern of what an explanation has to name."""


def said(item: str, name: str, words: str, **fields: Any) -> Fault:
    """Return what is written rightly and said to be something else."""
    return Fault(item, name, lambda one: replace(one, **fields), words)


def posed(item: str, name: str, words: str, change: Callable[[Array, Array], Pose]) -> Fault:
    """Return another pose written than is true: rotations (n, 3, 3) and positions (n, 3) changed."""
    return Fault(item, name, lambda one: one.with_pose(change(*one.pose)), words)


def back(R: Array) -> Array:
    return np.swapaxes(R, -1, -2)


def moved(R: Array, p: Array) -> Array:
    """Return the positions of inverted poses."""
    return -np.einsum("nji,nj->ni", R, p)


def inverted(item: str) -> Fault:
    return posed(item, "inverted", "invert|inverse|parent in frame|swap", lambda R, p: (back(R), moved(R, p)))


def orientation_inverted(item: str) -> Fault:
    return posed(item, "orientation inverted", "invers|invert|transpos|parent to frame", lambda R, p: (back(R), p))


def position_inverted(item: str) -> Fault:
    return posed(item, "position inverted", "position.*(invers|invert)", lambda R, p: (R, moved(R, p)))


def order(item: str, other: str) -> Fault:
    return said(item, f"said to be {other}", "xyzw|wxyz|order|scalar", said=other)


def optical(item: str) -> Fault:
    """A body's axes given where those of a camera are meant."""
    return posed(item, "body for optical", "optical", lambda R, p: (R @ OPTICAL.T, p))


def body_axes(item: str) -> Fault:
    """A camera's axes given where those of a body are meant."""
    return posed(item, "optical for body", "optical", lambda R, p: (R @ OPTICAL, p))


def ned(item: str) -> Fault:
    return posed(item, "NED for ENU", "NED", lambda R, p: (NED @ R, p @ NED.T))


def frd(item: str) -> Fault:
    return posed(item, "FRD for FLU", "FRD", lambda R, p: (R @ FRD, p))


def left_handed(item: str) -> Fault:
    """A y axis that points the other way in a system of left-handed coordinates."""
    return posed(item, "left-handed", "left.?hand|mirror", lambda R, p: (MIRROR @ R @ MIRROR, p @ MIRROR))


def scaled(item: str, k: float) -> Fault:
    return posed(item, f"{k:g} times as large", "scal|times as|times too|%|percent", lambda R, p: (R, k * p))


def lever_sign(item: str, axis: int) -> Fault:
    sign = np.where(np.arange(3) == axis, -1.0, 1.0)
    return posed(item, f"sign of {'xyz'[axis]}", "sign|other way|negat|lever", lambda R, p: (R, p * sign))


def turned(item: str, degrees: float, axis: tuple[float, float, float]) -> Fault:
    by = Rotation.from_rotvec(np.radians(degrees) * np.array(axis) / np.linalg.norm(axis)).as_matrix()
    return posed(item, f"turned by {degrees:g} deg", "turned|rotated|rotation", lambda R, p: (R @ by, p))


def delayed(item: str, seconds: float) -> Fault:
    """A clock that is said to be later than it is; negative where it is earlier."""
    words = "late|early|earlier|later|delay|move by"
    return Fault(item, f"{1e3 * seconds:g} ms late", lambda one: replace(one, start=one.start + seconds), words)


def of_vector(item: str, name: str, words: str, change: Callable[[Array], Array]) -> Fault:
    """Return other components measured than are true."""

    def changed(one: Vector) -> Vector:
        return replace(one, values=change(one.values))

    return Fault(item, name, changed, words)


def vector_turned(item: str, degrees: float, axis: tuple[float, float, float]) -> Fault:
    by = Rotation.from_rotvec(np.radians(degrees) * np.array(axis) / np.linalg.norm(axis)).as_matrix()
    return of_vector(item, f"turned by {degrees:g} deg", "turned|rotated|rotation", lambda v: v @ by.T)


def permuted(item: str, order_of: tuple[int, int, int], signs: tuple[int, int, int] = (1, 1, 1)) -> Fault:
    name = "axes " + " ".join("-"[s > 0 :] + "xyz"[i] for i, s in zip(order_of, signs, strict=True))
    return of_vector(item, name, "axes|axis|permut|swap|exchang|column|sign|negat|-[xyz]|−[xyz]|FRD|NED",
                     lambda v: v[:, list(order_of)] * np.array(signs))  # fmt: skip


def biased(item: str, *offset: float) -> Fault:
    return of_vector(item, f"bias {max(map(abs, offset)):g}", "bias|offset", lambda v: v + np.array(offset))


def vector_scaled(item: str, k: float) -> Fault:
    return of_vector(item, f"{k:g} times as large", "scal|times as|times too|%|percent", lambda v: k * v)


def with_gravity(make: Callable[[], Setup], item: str) -> Fault:
    """The specific force, which an accelerometer shows, said to be an acceleration; `make` gives the set-up."""

    def changed(one: Vector) -> Vector:
        R, _ = relative(make().truth, "world", one.resolved_in, one.t)
        return replace(one, values=one.values + 9.80665 * R[:, :, 2])

    return Fault(item, "gravity in it", changed, "gravity|weight|specific force")
