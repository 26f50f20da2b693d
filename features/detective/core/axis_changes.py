"""Changes of axes: other names for the same directions, such as NED and ENU, or a left-handed system."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache

import numpy as np

from framescope.core.kernels.validation import Array

LETTERS = "xyz"
MINUS = "−"


@dataclass(frozen=True)
class AxisChange:
    """Signed permutation of axes: new component i is `signs[i]` times old component `places[i]`."""

    places: tuple[int, ...]
    signs: tuple[int, ...]

    @property
    def matrix(self) -> Array:
        """The matrix (3, 3): ``v_new = S @ v_old``."""
        return _matrix(self.places, self.signs)

    @property
    def is_identity(self) -> bool:
        """Whether nothing changes."""
        return self.places == (0, 1, 2) and self.signs == (1, 1, 1)

    @property
    def text(self) -> str:
        """New x, y and z in terms of the old ones, and the usual name of the change.

        >>> AxisChange((1, 0, 2), (1, 1, -1)).text
        'x, y, z are y, x, −z (as between NED and ENU)'
        """
        parts = ", ".join(
            ("" if sign > 0 else MINUS) + LETTERS[place] for place, sign in zip(self.places, self.signs, strict=True)
        )
        name = NAMES.get((self.places, self.signs), "")
        return f"x, y, z are {parts}" + (f" ({name})" if name else "")

    @property
    def short(self) -> str:
        """New x, y and z in terms of the old ones, in one word.

        >>> AxisChange((1, 0, 2), (1, 1, -1)).short
        'y x −z'
        """
        return " ".join(
            ("" if sign > 0 else MINUS) + LETTERS[place] for place, sign in zip(self.places, self.signs, strict=True)
        )

    @property
    def short_name(self) -> str:
        """Usual short name of the change; empty for none."""
        return SHORT_NAMES.get((self.places, self.signs), "")

    @property
    def cost(self) -> float:
        """Implausibility: known changes cost less than others, and rotations less than mirrors."""
        if self.is_identity:
            return 0.0
        if (self.places, self.signs) not in NAMES:
            return 3.0
        return 2.0 if not self.is_proper else 1.0 if self.places in SWAPPED else 1.75

    @property
    def is_proper(self) -> bool:
        """Whether the change keeps the handedness."""
        return bool(np.linalg.det(self.matrix) > 0.0)


@cache
def _matrix(places: tuple[int, ...], signs: tuple[int, ...]) -> Array:
    S = np.zeros((3, 3))
    S[range(3), places] = signs
    S.setflags(write=False)
    return S


NAMES: dict[tuple[tuple[int, ...], tuple[int, ...]], str] = {
    ((1, 0, 2), (1, 1, -1)): "as between NED and ENU",
    ((0, 1, 2), (1, -1, -1)): "as between FRD and FLU",
    ((0, 2, 1), (1, 1, -1)): "Y-up axes in terms of Z-up axes",
    ((0, 2, 1), (1, -1, 1)): "Z-up axes in terms of Y-up axes",
    ((0, 2, 1), (1, 1, 1)): "y and z exchanged, left-handed",
    ((0, 1, 2), (1, 1, -1)): "z mirrored, left-handed",
    ((0, 1, 2), (1, -1, 1)): "y mirrored, left-handed",
    ((0, 1, 2), (-1, 1, 1)): "x mirrored, left-handed",
    ((1, 2, 0), (1, 1, 1)): "renamed in turn",
    ((2, 0, 1), (1, 1, 1)): "renamed in turn",
    ((1, 2, 0), (-1, -1, 1)): "optical axes in terms of body axes",
    ((2, 0, 1), (1, -1, -1)): "body axes in terms of optical axes",
}
"""Names of the changes that occur in practice, by places and signs."""

SWAPPED = {(0, 1, 2), (1, 0, 2), (0, 2, 1)}
"""Places of changes that keep axes or exchange two; cyclic changes are rarer, except for cameras."""

SHORT_NAMES: dict[tuple[tuple[int, ...], tuple[int, ...]], str] = {
    ((1, 0, 2), (1, 1, -1)): "NED/ENU",
    ((0, 1, 2), (1, -1, -1)): "FRD/FLU",
    ((0, 2, 1), (1, 1, -1)): "Z-up to Y-up",
    ((0, 2, 1), (1, -1, 1)): "Y-up to Z-up",
    ((0, 1, 2), (1, 1, -1)): "z mirrored",
    ((0, 1, 2), (1, -1, 1)): "y mirrored",
    ((0, 1, 2), (-1, 1, 1)): "x mirrored",
}

IDENTITY = AxisChange((0, 1, 2), (1, 1, 1))


@cache
def changes(*, is_proper: bool) -> tuple[AxisChange, ...]:
    """Return the 24 changes that keep the handedness, the identity first; or the 24 that mirror."""
    every = [
        change
        for places in itertools.permutations(range(3))
        for signs in itertools.product((1, -1), repeat=3)
        for change in [AxisChange(places, signs)]
        if change.is_proper == is_proper
    ]
    return tuple(sorted(every, key=lambda change: change.cost))


@cache
def pairs() -> tuple[tuple[AxisChange, AxisChange], ...]:
    """Return every pair of changes, of the parent's and the frame's axes, that maps rotations to rotations."""
    return tuple(
        pair
        for is_proper in (True, False)
        for pair in itertools.product(changes(is_proper=is_proper), changes(is_proper=is_proper))
    )


@cache
def pair_table() -> Array:
    """Return the matrix (81, p) that maps the sum of ``A ⊗ B`` to the sums of the traces of ``Aᵀ L B Rᵀ``.

    Row ``9 * (3 * a + b) + (3 * c + d)`` belongs to ``A[a, b] * B[c, d]``.
    """
    left = np.array([first.matrix for first, _ in pairs()])
    right = np.array([second.matrix for _, second in pairs()])
    table = np.einsum("pac,pbd->abcdp", left, right).reshape(81, len(left))
    table.setflags(write=False)
    return table


@cache
def pair_costs() -> Array:
    """Return the implausibility of each pair of changes (p,)."""
    costs = np.array([pair_cost(*pair) for pair in pairs()], dtype=float)
    costs.setflags(write=False)
    return costs


@cache
def pair_cost(parent: AxisChange, frame: AxisChange) -> float:
    """Return the implausibility of a pair of changes; an equal change of both counts once.

    Differences between aircraft and robots cost least: NED and ENU of the parent, FRD and FLU of the frame, or both.

    >>> pair_cost(NED_ENU, FRD_FLU) < pair_cost(FRD_FLU, NED_ENU)
    True
    """
    usual = USUAL_PAIRS.get((parent, frame))
    if usual is not None:
        return usual
    return parent.cost if parent == frame else parent.cost + frame.cost


NED_ENU, FRD_FLU = AxisChange((1, 0, 2), (1, 1, -1)), AxisChange((0, 1, 2), (1, -1, -1))
USUAL_PAIRS = {
    (NED_ENU, FRD_FLU): 1.0,
    (NED_ENU, NED_ENU): 0.75,
    (FRD_FLU, FRD_FLU): 0.75,
    (NED_ENU, IDENTITY): 0.75,
    (IDENTITY, FRD_FLU): 0.75,
}
