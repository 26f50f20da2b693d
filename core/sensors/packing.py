"""Functions shared by the sensors: checks of fields, resolution of vectors, branches of angles, packing and labels."""

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
"""Quantities without a time derivative."""

_UNITS = {"r": "m", "v": "m/s", "a": "m/s²", "angles": "rad", "w": "rad/s", "z": "rad/s²", "s": "m/s²"}


def check_names(**names: str | None) -> None:
    """Raise `ValueError` unless each field is a name of a frame, or None if it is a frame to resolve in."""
    for argument, name in names.items():
        is_optional = argument in {"frame_resolve", "resolve_in"}
        if not (isinstance(name, str) and name) and not (is_optional and name is None):
            raise ValueError(f"{argument}: expected the name of a frame{' or None' * is_optional}, got {name!r}")


def check_angles(sequence: str | tuple[int, ...], guess_angle1: float) -> None:
    """Raise `ValueError` unless the sequence of angles and the guess of the first angle are valid."""
    as_sequence(sequence)
    guess = as_array("guess_angle1", guess_angle1)
    if guess.ndim:
        raise ValueError(f"guess_angle1: expected one number, got shape {guess.shape}")


def selected_quantities(sensor: object, quantities: Sequence[str]) -> tuple[str, ...]:
    """Return the quantities that a sensor measures, or raise `ValueError` when none is selected."""
    selected = tuple(name for name in quantities if getattr(sensor, f"get_{name}"))
    if not selected:
        switches = ", ".join(f"get_{name}" for name in quantities)
        raise ValueError(f"{switches}: expected at least one to be on, got all off")
    return selected


def slices_of(selected: tuple[str, ...]) -> dict[str, slice]:
    """Return the slice of each selected quantity in the packed output."""
    return {name: slice(3 * i, 3 * i + 3) for i, name in enumerate(selected)}


def read_poses_and_rates(read: Callable[[Snapshot], Array], snapshot: Snapshot, slices: Mapping[str, slice]) -> Array:
    """Return a sensor's output: positions and angles from a snapshot, the rest from its smoothed motion."""
    output = read(snapshot)
    if snapshot.smoothed is snapshot:
        return output
    smoothed_output = read(snapshot.smoothed)
    for name, place in slices.items():
        if name not in POSES:
            output[..., place] = smoothed_output[..., place]
    return output


def labels_of(
    selected: tuple[str, ...], of: str, resolved_in: str, sequence: str | tuple[int, ...], turn: str
) -> tuple[str, ...]:
    """Return the label of each element of the packed output."""
    letters = ["xyz"[axis - 1] for axis in as_sequence(sequence)]
    labels: list[str] = []
    for name in selected:
        if name == "angles":
            sequence_name = "".join(letters).upper()
            labels += [f"angle {i} about {axis} [rad] of {sequence_name}, {turn}" for i, axis in enumerate(letters, 1)]
        else:
            unit = _UNITS[name.removesuffix("_rel")]
            words = "specific force " if name == "s" else ""
            labels += [f"{name}_{axis} [{unit}] {words}{of}, resolved in {resolved_in}" for axis in "xyz"]
    return tuple(labels)


def matrices_of_poses(R_WF: Array, is_posed: NDArray[np.bool_]) -> Array:
    """Return transformation matrices (..., 3, 3) from world into a frame, the identity where it has no pose."""
    return linear_algebra.transpose(np.where(is_posed[..., np.newaxis, np.newaxis], R_WF, np.eye(3)))


def resolving_matrix(R_resolve: Orientation | None, frame: str | None, field: str) -> Array | None:
    """Return the matrix of the frame to resolve in, or raise `ValueError` for a missing or superfluous orientation."""
    if frame is None:
        if R_resolve is not None:
            raise ValueError(f"R_resolve: expected None, as {field} names no further frame, got one")
        return None
    if R_resolve is None:
        raise ValueError(f"R_resolve: expected the orientation of {frame!r}, as {field} names it, got None")
    return as_orientation("R_resolve", R_resolve).T


def leading_of(*, is_series: bool, **shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the broadcast leading shape, or raise `ValueError` for a series without exactly one leading axis."""
    leading = broadcast_leading(**shapes)
    if is_series and len(leading) != 1:
        raise ValueError(f"{', '.join(shapes)}: expected a series in time, leading shape (n,), got {leading}")
    return leading


def resolve(T: Array | None, v_W: Array) -> Array:
    """Resolve vectors by a transformation matrix from the world; for None, return them unchanged."""
    return v_W if T is None else linear_algebra.apply_matrix(T, v_W)


def angles_of(
    R: Orientation, sequence: str | tuple[int, ...], guess: float, leading: tuple[int, ...], *, is_series: bool
) -> Array:
    """Return the angles of orientations; in a series they do not jump between branches."""
    if not is_series:
        return frames.axes_rotations_angles(R, sequence, guess)
    R = unchecked((np.broadcast_to(R.T, (*leading, 3, 3)), np.broadcast_to(R.w, (*leading, 3))))
    return angle_branches.axes_rotations_angles_along(R, sequence, guess)


def set_missing_to_nan(
    output: Array, slices: Mapping[str, slice], has_value: Mapping[str, NDArray[np.bool_]], is_posed: NDArray[np.bool_]
) -> Array:
    """Set packed quantities to NaN where `has_value` is false, or, without `has_value`, where there is no pose."""
    for name, place in slices.items():
        output[~has_value.get(name, is_posed), place] = np.nan
    return output


def pack(quantities: list[Array], leading: tuple[int, ...]) -> Array:
    """Return quantities (..., 3) side by side, broadcast to one leading shape."""
    return np.concatenate([np.broadcast_to(part, (*leading, 3)) for part in quantities], axis=-1)
