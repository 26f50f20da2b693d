"""Animated nodes: the scene as shapes and world poses, for formats that store them apart (GLB, USD, web pages)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core import quaternions
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.kernels.sampled_tracks import States
from framescope.core.kernels.validation import Array
from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.base.node_shapes import NodeShape, shape_of
from framescope.ui.scene_view.geometry.element_shapes import FREE_LENGTH
from framescope.ui.scene_view.geometry.instanced_mesh import LinearMesh, pieces

NO_TURN = (0.0, 0.0, 0.0, 1.0)
UNBOUND = 1e30


@dataclass(frozen=True)
class Followed:
    """Frames that determine pose and size of an item: the item stays correct until one of them moves.

    Attributes
    ----------
    what
        Plural name of such items, such as ``"measured poses"``.
    rows
        Rows of the frames; their ancestors count as well.
    """

    what: str
    rows: tuple[int, ...]


FollowedItems = Iterable[Followed | None]
"""Frames that items follow, in the order of the items; None for an item without known frames."""


@dataclass(frozen=True)
class ValueText:
    """Caption of a displayed value: symbol, owner and unit.

    The value is `factor` times the length of the sampled vector; for an arc it is the angle, rad. `role` names its
    colour.
    """

    symbol: str
    name: str
    unit: str
    factor: float
    role: str
    is_angle: bool = False


@dataclass(frozen=True, eq=False)
class AnimatedItem:
    """One node of an animated model: name, shapes and parent.

    `parent` is an index into the items of the same source; None is the world. A child is visible with its parent; one
    that `comes_and_goes` also has a visibility of its own. The pieces of one thing share a `group`. The angle tolerance
    is divided by `tightness`. `extent` is the lateral reach at unit size (see `Allowed`).

    An item with a `caption` marks the position of a displayed value, in world; its parent shows the value. The next
    item has `is_read` set and holds the value itself.
    """

    name: str
    shapes: tuple[NodeShape, ...]
    parent: int | None = None
    group: str = ""
    tightness: float = 1.0
    extent: float = UNBOUND
    comes_and_goes: bool = True
    caption: ValueText | None = None
    is_read: bool = False

    @property
    def is_piece(self) -> bool:
        """Whether this item is one of several pieces of a thing."""
        return bool(self.group)


@dataclass(frozen=True, eq=False)
class StandingNode:
    """A thing fixed to the frame of a row: position, orientation and size in that frame."""

    name: str
    i_frame: int
    shapes: tuple[NodeShape, ...]
    p: Sequence[float] | Array = (0.0, 0.0, 0.0)
    Q: Sequence[float] | Array = NO_TURN
    size: float = 1.0


@dataclass(frozen=True, eq=False)
class RingNodes:
    """Fork, outer, middle and inner ring of a frame's gimbal, which rotate with its angles."""

    name: str
    i_frame: int
    shapes: tuple[NodeShape, ...]


class AnimatedItems:
    """A part of the picture that is sampled repeatedly; `items` lists its nodes."""

    items: Sequence[AnimatedItem] = ()

    def take(self) -> None:
        """Record the current states of all items."""
        raise NotImplementedError

    def take_all(self, snapshot: Snapshot) -> bool:  # noqa: ARG002 - used by overrides
        """Record the states of all items at many times; return False if they must be shown one by one instead."""
        return False

    def states(self) -> States:
        """Return the states recorded since the last call, and clear the record."""
        raise NotImplementedError


NodeSource = AnimatedItems | StandingNode | RingNodes


class MeshItems(AnimatedItems):
    """Items of a mesh (arrows, springs), each made of one or more pieces."""

    def __init__(self, mesh: LinearMesh, names: Sequence[str]) -> None:
        self._mesh, self._parts = mesh, pieces(mesh.template, FREE_LENGTH)
        looks = {
            (k, color): (shape_of(part, color),)
            for color in {tuple(row) for row in mesh.colors.tolist()}
            for k, (_, _, part) in enumerate(self._parts)
        }
        self.items = [
            AnimatedItem(
                name,
                looks[k, tuple(mesh.colors[i].tolist())],
                group=name,
                extent=float(np.abs(part.points[:, :2]).max(initial=0.0)),
            )
            for k, (_, _, part) in enumerate(self._parts)
            for i, name in enumerate(names)
        ]
        self._taken: list[tuple[Array, Array, Array, NDArray[np.bool_]]] = []

    def take(self) -> None:
        """Record the current states of all items."""
        mesh = self._mesh
        now = mesh.stations[None], mesh.axes[None], mesh.sizes[None], mesh.is_shown[None]
        self._taken.append((now[0].copy(), now[1].copy(), now[2].copy(), now[3].copy()))

    def states(self) -> States:
        """Return the recorded states, and clear the record."""
        stations, axes, sizes, is_shown = (np.concatenate(parts) for parts in zip(*self._taken, strict=True))
        self._taken.clear()
        is_shown &= np.isfinite(axes).all(axis=(1, 3)) & np.isfinite(stations).all(axis=(1, 3))
        m, count = is_shown.shape
        Q = np.tile(np.array(NO_TURN), (m, count, 1))
        Q[is_shown] = quaternions_of(np.moveaxis(axes, 1, -1)[is_shown])
        p: list[Array] = []
        size: list[Array] = []
        for start, end, _ in self._parts:
            p.append(np.where(is_shown[..., None], stations[:, start], 0.0))
            stretch = np.repeat(np.where(is_shown, sizes, 1.0)[..., None], 3, axis=-1)
            if end is not None:
                away = np.where(is_shown[..., None], stations[:, end] - stations[:, start], 1.0)
                stretch[..., 2] = np.sqrt(np.square(away).sum(axis=-1))
            size.append(stretch)
        n = len(self._parts)
        return States(
            np.concatenate(p, axis=1),
            np.tile(Q, (1, n, 1)),
            np.concatenate(size, axis=1),
            np.tile(is_shown, (1, n)),
            np.zeros((m, n * count)),
        )


class PosedItems(AnimatedItems):
    """Things whose poses are written one after another, (n,) for each moment."""

    def __init__(self, items: Sequence[AnimatedItem]) -> None:
        self.items = items
        self._taken: list[tuple[Array, Array, Array, NDArray[np.bool_]]] = []
        self.begin()

    def begin(self) -> None:
        """Reset the poses; items that are not written again are invisible."""
        n = len(self.items)
        self.p, self.R = np.zeros((n, 3)), np.tile(np.eye(3), (n, 1, 1))
        self.size, self.is_seen = np.ones((n, 3)), np.zeros(n, dtype=bool)

    def end(self) -> None:
        """Record the poses written since `begin`."""
        self._taken.append((self.p[None], self.R[None], self.size[None], self.is_seen[None]))
        self.begin()

    def states(self) -> States:
        """Return the recorded states, and clear the record."""
        p, R, size, is_seen = (np.concatenate(parts) for parts in zip(*self._taken, strict=True))
        self._taken.clear()
        return States(p, quaternions_of(R), size, is_seen, np.zeros(is_seen.shape))


def quaternions_of(R: Array) -> Array:
    """Return the quaternions (..., 4) of the rotations nearest to matrices (..., 3, 3)."""
    return quaternions.from_T(np.swapaxes(nearest_rotation(R)[0], -1, -2))
