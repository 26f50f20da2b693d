"""Packing of sensor outputs: fields checked, vectors resolved, angles on their branches, all packed and named."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from framescope.core import angle_branches, frames
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, as_array, as_sequence, broadcast_leading
from framescope.core.orientation import Orientation, as_orientation, unchecked
from framescope.core.snapshot import Snapshot

WORLD = "world"
POSES = ("r", "r_rel", "angles")
"""What has no rate in it."""

_UNITS = {"r": "m", "v": "m/s", "a": "m/s²", "angles": "rad", "w": "rad/s", "z": "rad/s²"}


def check_names(**names: str | None) -> None:
    """Check the names of frames, by field; those to resolve in may be None."""
    for argument, name in names.items():
        is_optional = argument in {"frame_resolve", "resolve_in"}
        if not (isinstance(name, str) and name) and not (is_optional and name is None):
            raise ValueError(f"{argument}: expected the name of a frame{' or None' * is_optional}, got {name!r}")


def check_angles(sequence: str | tuple[int, ...], guess_angle1: float) -> None:
    """Check the sequence of angles and the guess of the first."""
    as_sequence(sequence)
    guess = as_array("guess_angle1", guess_angle1)
    if guess.ndim:
        raise ValueError(f"guess_angle1: expected one number, got shape {guess.shape}")


def switched_on(sensor: object, quantities: Sequence[str]) -> tuple[str, ...]:
    """Return which of its quantities a sensor shows, or raise when all are off."""
    on = tuple(name for name in quantities if getattr(sensor, f"get_{name}"))
    if not on:
        switches = ", ".join(f"get_{name}" for name in quantities)
        raise ValueError(f"{switches}: expected at least one to be on, got all off")
    return on


def slices_of(on: tuple[str, ...]) -> dict[str, slice]:
    """Return where each quantity that is on stands in the packed result."""
    return {name: slice(3 * i, 3 * i + 3) for i, name in enumerate(on)}


def of_two(read: Callable[[Snapshot], Array], snapshot: Snapshot, slices: Mapping[str, slice]) -> Array:
    """Return what a sensor reads: positions and angles of a snapshot, and the rest of its smoothed motion."""
    shown = read(snapshot)
    if snapshot.smoothed is snapshot:
        return shown
    of_rates = read(snapshot.smoothed)
    for name, place in slices.items():
        if name not in POSES:
            shown[..., place] = of_rates[..., place]
    return shown


def labels_of(
    on: tuple[str, ...], of: str, resolved_in: str, sequence: str | tuple[int, ...], turn: str
) -> tuple[str, ...]:
    """Return what each element of the packed result is."""
    letters = ["xyz"[axis - 1] for axis in as_sequence(sequence)]
    found: list[str] = []
    for name in on:
        if name == "angles":
            written = "".join(letters).upper()
            found += [f"angle {i} about {axis} [rad] of {written}, {turn}" for i, axis in enumerate(letters, 1)]
        else:
            unit = _UNITS[name.removesuffix("_rel")]
            found += [f"{name}_{axis} [{unit}] {of}, resolved in {resolved_in}" for axis in "xyz"]
    return tuple(found)


def posed(R_WF: Array, is_posed: NDArray[np.bool_]) -> Array:
    """Return transformation matrices (..., 3, 3) from world into a frame, no rotation where it has no pose."""
    return linear_algebra.transpose(np.where(is_posed[..., np.newaxis, np.newaxis], R_WF, np.eye(3)))


def resolving_matrix(R_resolve: Orientation | None, frame: str | None, field: str) -> Array | None:
    """Return the matrix of the frame to resolve in, or raise when one is missing or not wanted."""
    if frame is None:
        if R_resolve is not None:
            raise ValueError(f"R_resolve: expected None, as {field} names no further frame, got one")
        return None
    if R_resolve is None:
        raise ValueError(f"R_resolve: expected the orientation of {frame!r}, as {field} names it, got None")
    return as_orientation("R_resolve", R_resolve).T


def leading_of(*, is_series: bool, **shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that leading shapes broadcast to, that of a series exactly when it is to be one."""
    leading = broadcast_leading(**shapes)
    if is_series and len(leading) != 1:
        raise ValueError(f"{', '.join(shapes)}: expected a series in time, leading shape (n,), got {leading}")
    return leading


def resolved(T: Array | None, v_W: Array) -> Array:
    """Return vectors in the frame of a transformation matrix from world, None for the world itself."""
    return v_W if T is None else linear_algebra.apply_matrix(T, v_W)


def angles_of(
    R: Orientation, sequence: str | tuple[int, ...], guess: float, leading: tuple[int, ...], *, is_series: bool
) -> Array:
    """Return the angles of orientations, of a series without jumps from branch to branch."""
    if not is_series:
        return frames.axes_rotations_angles(R, sequence, guess)
    R = unchecked((np.broadcast_to(R.T, (*leading, 3, 3)), np.broadcast_to(R.w, (*leading, 3))))
    return angle_branches.axes_rotations_angles_along(R, sequence, guess)


def blanked(
    shown: Array, slices: Mapping[str, slice], has_value: Mapping[str, NDArray[np.bool_]], is_posed: NDArray[np.bool_]
) -> Array:
    """Return packed quantities with NaN where one has no value: where `has_value` says so, else without a pose."""
    for name, place in slices.items():
        shown[~has_value.get(name, is_posed), place] = np.nan
    return shown


def packed(found: list[Array], leading: tuple[int, ...]) -> Array:
    """Return quantities (..., 3) side by side, all of one leading shape."""
    return np.concatenate([np.broadcast_to(part, (*leading, 3)) for part in found], axis=-1)
