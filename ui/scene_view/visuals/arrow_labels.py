"""Labels at the tips of arrows: letters, and names and values if the arrows are few.

A value is placed beyond the tip in the direction of the projected arrow, or beside it if that area is occupied.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.base.animated_nodes import AnimatedItem, MeshItems, PosedItems, ValueText
from framescope.ui.scene_view.base.label_layout import keep_apart
from framescope.ui.scene_view.base.label_plates import LabelPlate, LiveValues
from framescope.ui.scene_view.base.leader_lines import Leaders, limits_of
from framescope.ui.scene_view.base.visual import ViewContext, system_of
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.arrow_bundle import ArrowBundle
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, TextGround, TextStyle
from framescope.ui.theme.tokens import Theme, contrast, mix

Array = NDArray[np.float64]

FEW = 8
"""Largest number of arrows with values; with more, arrows of sensors show letters."""
NAMED = 4
"""Largest number of arrows that all show their names; with more, only arrows with a shared letter do."""
LONGEST_NAME = 18
"""Characters of a name, above which it is shortened."""

LETTER_AHEAD, LETTER_ASIDE = 3.0, 11.0
"""Offset from a tip to the middle of its letter, along and across the arrow, logical pixels.

The letter is beside the tip, as the letter of an axis may be beyond it.
"""
VALUE_AHEAD = 9.0
"""Distance from a tip to the edge of its plate, logical pixels."""
SHORTEST = 7.0
"""Projected length below which an arrow has no label, logical pixels."""
HALF_WIDTH = 6.0
"""Half the width of the area that an arrow occupies, logical pixels."""


@dataclass(frozen=True, eq=False)
class Ends:
    """Projected arrows: feet, tips and directions (n, 2) in pixels, and whether each is long enough for a label."""

    feet: Array
    tips: Array
    along: Array
    is_seen: NDArray[np.bool_]

    def take(self, context: ViewContext) -> None:
        """Mark the areas of the arrows as occupied, so that names and values avoid them."""
        context.occupied.add_lines(self.feet, self.tips, context.px(HALF_WIDTH), self.is_seen)


def ends_of(projection: Projection, bundles: Sequence[ArrowBundle]) -> Ends:
    """Project the arrows of some bundles."""
    feet_W, vectors_W = feet_and_vectors(bundles)
    feet, tips = projection.project(feet_W), projection.project(feet_W + vectors_W)
    with np.errstate(invalid="ignore", divide="ignore"):
        length_px = np.linalg.norm(vectors_W, axis=1) * projection.focal_length_px / tips[:, 2]
        is_seen = (tips[:, 2] > 0) & (feet[:, 2] > 0) & (length_px > SHORTEST * projection.scale)
    feet[~is_seen] = tips[~is_seen] = 0.0
    along = tips[:, :2] - feet[:, :2]
    length = np.hypot(along[:, 0], along[:, 1])
    # An arrow seen end-on has no direction in the picture. Its label is up and to the right.
    blend = np.clip(1.0 - length / (LETTER_ASIDE * projection.scale), 0.0, 1.0)[:, None]
    along = along / np.maximum(length, 1.0)[:, None] * (1 - blend) + np.array((0.7, -0.7)) * blend
    return Ends(feet[:, :2], tips[:, :2], along, is_seen)


class TipLetters:
    """Letters beside the tips of arrows."""

    def __init__(
        self, context: ViewContext, symbols: Sequence[str], color: str, ground: TextGround | None = None
    ) -> None:
        self._scale = context.scale
        style = TextStyle(readable(color, context.theme), 13, 600)
        self.batch = SpriteBatch(context.sheet, [context.sheet.text(symbol, style, ground) for symbol in symbols])
        self.actors = [self.batch.actor] if symbols else []

    def place(self, ends: Ends) -> None:
        """Place each letter to the left of its projected arrow."""
        aside = ends.along[:, ::-1] * (-1.0, 1.0)
        centers = ends.tips + (ends.along * LETTER_AHEAD + aside * LETTER_ASIDE) * self._scale
        self.batch.move(centers - self.batch.sizes / 2, ends.is_seen)


class TipValues:
    """Plates with letter, name and value at the tips of arrows."""

    def __init__(self, context: ViewContext, captions: Sequence[LabelPlate]) -> None:
        self._context = context
        self.plates = LiveValues(context, captions)
        # Leaders have the colour of text, as for names, not the colour of the arrows.
        self.leaders = Leaders(context, len(captions), context.theme.text)
        self.actors = [*self.leaders.actors, *self.plates.actors]
        self.boxes = np.full((len(captions), 4), np.nan)
        """Left, bottom, right and top of each plate in the last picture, device pixels; NaN if it is not visible."""

    def place(self, projection: Projection, ends: Ends) -> None:
        """Place the plates beyond the tips, inside the picture and off occupied areas, and occupy their areas."""
        scale, sizes = projection.scale, self.plates.sizes
        size = np.array((projection.width, projection.height))
        is_inside = [((at >= 0) & (at <= size)).all(axis=1) for at in (ends.feet, ends.tips)]
        is_visible = ends.is_seen & (is_inside[0] | is_inside[1])
        with np.errstate(divide="ignore"):  # from the middle of the plate to its edge
            reach = VALUE_AHEAD * scale + (sizes / 2 / np.abs(ends.along)).min(axis=1)
        centers = ends.tips + ends.along * reach[:, None]
        limits = limits_of(self._context, projection, sizes)
        # If the tip is outside the picture, the value stays at the edge.
        np.clip(centers, *limits, out=centers)
        keep_apart(centers, sizes + 2 * scale, is_visible, self._context.occupied, limits, scale)
        self.plates.place(centers, is_visible)
        self.boxes = np.where(is_visible[:, None], np.hstack([centers - sizes / 2, centers + sizes / 2]), np.nan)
        self.leaders.place(ends.tips, centers, sizes, is_visible & is_inside[1])
        self._context.occupied.add_boxes(centers, sizes, is_visible)


ArrowsAt = Callable[[Snapshot], tuple[Array, Array]]
"""Function of a snapshot that returns feet and vectors (..., n, 3) of arrows, in world, m."""


class ArrowItems(MeshItems):
    """Arrows for an animation, computed at all times at once."""

    def __init__(self, bundle: ArrowBundle, names: Sequence[str], arrows_at: ArrowsAt) -> None:
        super().__init__(bundle.mesh, names)
        self._bundle, self._arrows_at = bundle, arrows_at

    def take_all(self, snapshot: Snapshot) -> bool:
        """Record the arrows at all times of a snapshot."""
        feet, vectors = self._arrows_at(snapshot)
        places = self._bundle.places(feet.reshape(-1, 3), vectors.reshape(-1, 3))
        stations, axes = (np.moveaxis(rows.reshape(3, *feet.shape), 0, 1) for rows in (places.stations, places.axes))
        shape = feet.shape[:2]
        self._taken.append((stations, axes, places.sizes.reshape(shape), places.is_shown.reshape(shape)))
        return True


class TipItems(PosedItems):
    """Feet and vectors of arrows for an animation, with the texts of their values."""

    def __init__(
        self,
        values: Sequence[ValueText],
        arrows: Callable[[], tuple[Array, Array]],
        arrows_at: ArrowsAt | None = None,
    ) -> None:
        """Store the texts, a function that returns the shown arrows, and optionally one for all times of a snapshot."""
        self._arrows, self._arrows_at = arrows, arrows_at
        pairs = [(AnimatedItem("", (), caption=value), AnimatedItem("", (), is_read=True)) for value in values]
        super().__init__([item for pair in pairs for item in pair])

    def take(self) -> None:
        """Record the feet and vectors now shown."""
        feet, vectors = self._arrows()
        is_known = np.isfinite(feet).all(axis=1) & np.isfinite(vectors).all(axis=1)
        self.p[0::2][is_known], self.p[1::2][is_known] = feet[is_known], vectors[is_known]
        self.is_seen[0::2] = self.is_seen[1::2] = is_known
        self.end()

    def take_all(self, snapshot: Snapshot) -> bool:
        """Record feet and vectors at all times of a snapshot; return False without a function for that."""
        if self._arrows_at is None:
            return False
        feet, vectors = self._arrows_at(snapshot)
        is_known = np.asarray(np.isfinite(np.stack([feet, vectors])).all(axis=(0, -1)), dtype=np.bool_)
        pairs = np.where(is_known[..., None, None], np.stack([feet, vectors], axis=-2), 0.0)
        p = pairs.reshape(len(feet), -1, 3)
        is_seen = np.repeat(is_known, 2, axis=-1)
        R = np.broadcast_to(np.eye(3), (*is_seen.shape, 3, 3))
        self._taken.append((p, R, np.ones_like(p), is_seen))
        return True


def feet_and_vectors(bundles: Sequence[ArrowBundle]) -> tuple[Array, Array]:
    """Return feet and vectors (n, 3) of the arrows of some bundles, in world, m."""
    return np.concatenate([bundle.feet for bundle in bundles]), np.concatenate([bundle.vectors for bundle in bundles])


def arrow_count(context: ViewContext) -> int:
    """Return the number of arrows of sensors, forces and torques in a scene."""
    count = sum(len(compiled.arrows) for compiled in context.plan.instruments.sensors.values())
    system = system_of(context.plan)
    if system is not None:
        count += len(system.points) * (context.view_data.forces is not None)
        count += len({point.body for point in system.points}) * (context.view_data.torques is not None)
    return count


def has_values(context: ViewContext) -> bool:
    """Return whether arrows show their values: there are few arrows, and no option of the picture hides values."""
    return not context.options.hides_values and arrow_count(context) <= FEW


def captions_of(arrows: Sequence[tuple[str, str, str]], color: str, context: ViewContext) -> list[LabelPlate]:
    """Return the plates of arrows, each given by letter, name and unit."""
    symbols = [symbol for symbol, _, _ in arrows]
    color, is_named = readable(color, context.theme), arrow_count(context) <= NAMED
    return [
        LabelPlate(symbol, shortened(name) if is_named or symbols.count(symbol) > 1 else "", unit, color)
        for symbol, name, unit in arrows
    ]


def shortened(name: str) -> str:
    """Shorten a name of more than `LONGEST_NAME` characters.

    >>> shortened("tool"), shortened("the second sensor from the left")
    ('tool', 'the second sensor…')
    """
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"


def readable(color: str, theme: Theme) -> str:
    """Mix a colour with the colour of text until it is readable on the background of the scene."""
    shares = (mix(color, theme.text, share / 10) for share in range(10))
    return next((shade for shade in shares if contrast(shade, theme.scene_bottom) >= 4.5), theme.text)
