"""Frames in a result of a Modelica tool: connectors with an orientation object and a position resolved in world."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.modelica.core.modelica_result import ResultFile

_POSITION = ".r_0[1]"


@dataclass(frozen=True, eq=False)
class ResultFrame:
    """Frame of a model: all connectors that have the same pose at all times.

    Attributes
    ----------
    names
        Names of the connectors, such as ``revolute.frame_b``; the one with the shortest path first.
    T : (n, 3, 3)
        Transformation matrices, world into frame.
    r : (n, 3)
        Positions from the world's origin, resolved in world, m.
    is_constant
        Whether the pose is constant.
    """

    names: tuple[str, ...]
    T: Array
    r: Array
    is_constant: bool

    @property
    def name(self) -> str:
        """Name of the first connector."""
        return self.names[0]

    @property
    def is_world(self) -> bool:
        """Whether the frame is the world itself."""
        return self.is_constant and bool((self.r[0] == 0.0).all() and (self.T[0] == np.eye(3)).all())


def position_names(connector: str) -> tuple[str, str, str]:
    """Return the names of the position variables of a connector."""
    x, y, z = (f"{connector}.r_0[{i}]" for i in (1, 2, 3))
    return x, y, z


def matrix_names(connector: str) -> tuple[str, ...]:
    """Return the names of the variables of a connector's transformation matrix, row by row.

    >>> matrix_names("body.frame_a")[1]
    'body.frame_a.R.T[1,2]'
    """
    return tuple(f"{connector}.R.T[{i},{j}]" for i in (1, 2, 3) for j in (1, 2, 3))


def connectors_of(result: ResultFile) -> Iterator[str]:
    """Yield the names of all connectors of frames, in the order of the result."""
    for name in result.places:
        if name.endswith(_POSITION):
            connector = name[: -len(_POSITION)]
            if all(key in result.places for key in (*position_names(connector), *matrix_names(connector))):
                yield connector


def frames_of(result: ResultFile) -> tuple[ResultFrame, ...]:
    """Return the frames of a result, in file order."""
    connectors = dict[bytes, list[str]]()
    for connector in connectors_of(result):
        names = (*position_names(connector), *matrix_names(connector))
        # Zero and minus zero are equal: some connectors use another's columns with opposite sign.
        key = b"".join((result.values(name) + 0.0).tobytes() for name in names)
        connectors.setdefault(key, []).append(connector)
    return tuple(_frame(result, names) for names in connectors.values())


def _frame(result: ResultFile, names: list[str]) -> ResultFrame:
    ordered = sorted(names, key=lambda name: (name.count("."), len(name)))
    T, r = result.matrix(f"{ordered[0]}.R.T"), result.vector(f"{ordered[0]}.r_0")
    is_constant = bool((T[0] == T).all() and (r == r[0]).all())
    return ResultFrame(tuple(ordered), T, r, is_constant)
