"""Checks of what a system is made of: each raises `ValueError` with the name of the thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from framescope.core.kernels.validation import Array, as_array

ROTATION_TOLERANCE = 1e-6
"""How far a pose may miss a rotation."""


def check_unique(kind: str, names: Iterable[str]) -> list[str]:
    """Return the names of things of one kind, all different."""
    listed = list(names)
    for name, n in Counter(listed).items():
        if n > 1:
            raise ValueError(f"{kind} {name}: expected a name of its own, got it {n} times")
    return listed


def one_of(names: list[str]) -> str:
    """Return what a message says was expected."""
    return f"one of {', '.join(names)}" if names else "one that exists, of which there is none"


def check_signal(name: str, signal: object) -> None:
    """Check that a signal is a function."""
    if not callable(signal):
        raise ValueError(  # noqa: TRY004
            f"element {name}: signal: expected a function of times, got {type(signal).__name__}"
        )


def exactly(name: str, value: object, shape: tuple[int, ...]) -> Array:
    """Return a copy of finite numbers of exactly this shape."""
    array = as_array(name, value, shape)  # pyright: ignore[reportArgumentType]
    if array.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, got {array.shape}")
    return array.copy()


def as_rotation(name: str, value: object) -> Array:
    """Return a copy of a rotation matrix."""
    R = exactly(name, value, (3, 3))
    off = float(np.abs(R @ R.T - np.eye(3)).max())
    if not off <= ROTATION_TOLERANCE or not np.linalg.det(R) > 0.0:
        raise ValueError(f"{name}: expected a rotation, got a matrix off by {off:.3g} or left-handed")
    return R
