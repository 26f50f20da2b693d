"""Labels at the tips of arrows: their letters, and while there are few, their names and values.

A value stands beyond its tip, along the arrow as it appears, or beside it where that place is taken.
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
"""Up to how many arrows all show their values; of more, those of sensors show their letters."""
NAMED = 4
"""Up to how many all show their names, too; of more, those that others have the letter of."""
LONGEST_NAME = 18

LETTER_AHEAD, LETTER_ASIDE = 3.0, 11.0
"""From a tip to the middle of its letter, logical pixels: beside it, as beyond it an axis may have its own."""
VALUE_AHEAD = 9.0
"""From a tip to the edge of its plate, logical pixels."""
SHORTEST = 7.0
"""Below this length on the picture an arrow has neither, logical pixels."""
HALF_WIDTH = 6.0
"""What an arrow takes to each side, logical pixels."""


@dataclass(frozen=True, eq=False)
class Ends:
    """Arrows on a picture: feet, tips and directions (n, 2) in pixels, and which are long enough to be told."""

    feet: Array
    tips: Array
    along: Array
    is_seen: NDArray[np.bool_]

    def take(self, context: ViewContext) -> None:
        """Keep names and values off the arrows."""
        context.occupied.add_lines(self.feet, self.tips, context.px(HALF_WIDTH), self.is_seen)


def ends_of(projection: Projection, bundles: Sequence[ArrowBundle]) -> Ends:
    """Return the arrows of some bundles as they appear."""
    feet_W, vectors_W = feet_and_vectors(bundles)
    feet, tips = projection.project(feet_W), projection.project(feet_W + vectors_W)
    with np.errstate(invalid="ignore", divide="ignore"):
        length_px = np.linalg.norm(vectors_W, axis=1) * projection.focal_length_px / tips[:, 2]
        is_seen = (tips[:, 2] > 0) & (feet[:, 2] > 0) & (length_px > SHORTEST * projection.scale)
    feet[~is_seen] = tips[~is_seen] = 0.0
    along = tips[:, :2] - feet[:, :2]
    length = np.hypot(along[:, 0], along[:, 1])
    # An arrow seen end-on has no direction of its own: what it has beside it goes up and to the right.
    blend = np.clip(1.0 - length / (LETTER_ASIDE * projection.scale), 0.0, 1.0)[:, None]
    along = along / np.maximum(length, 1.0)[:, None] * (1 - blend) + np.array((0.7, -0.7)) * blend
    return Ends(feet[:, :2], tips[:, :2], along, is_seen)


class TipLetters:
    """A letter beside the tip of each arrow."""

    def __init__(
        self, context: ViewContext, symbols: Sequence[str], color: str, ground: TextGround | None = None
    ) -> None:
        self._scale = context.scale
        style = TextStyle(readable(color, context.theme), 13, 600)
        self._batch = SpriteBatch(context.sheet, [context.sheet.text(symbol, style, ground) for symbol in symbols])
        self.actors = [self._batch.actor] if symbols else []

    def place(self, ends: Ends) -> None:
        """Put each letter to the left of its arrow as it appears."""
        aside = ends.along[:, ::-1] * (-1.0, 1.0)
        centers = ends.tips + (ends.along * LETTER_AHEAD + aside * LETTER_ASIDE) * self._scale
        self._batch.move(centers - self._batch.sizes / 2, ends.is_seen)


class TipValues:
    """A plate with letter, name and value at the tip of each arrow."""

    def __init__(self, context: ViewContext, captions: Sequence[LabelPlate]) -> None:
        self._context = context
        self.plates = LiveValues(context, captions)
        # Leaders are as quiet as those of names, whatever the colour of the arrows.
        self.leaders = Leaders(context, len(captions), context.theme.text)
        self.actors = [*self.leaders.actors, *self.plates.actors]

    def place(self, projection: Projection, ends: Ends) -> None:
        """Put the plates beyond the tips, off all that is taken, whole in the picture; and take their places."""
        scale, sizes = projection.scale, self.plates.sizes
        size = np.array((projection.width, projection.height))
        is_inside = [((at >= 0) & (at <= size)).all(axis=1) for at in (ends.feet, ends.tips)]
        is_visible = ends.is_seen & (is_inside[0] | is_inside[1])
        with np.errstate(divide="ignore"):  # to the edge of the plate, from its middle
            reach = VALUE_AHEAD * scale + (sizes / 2 / np.abs(ends.along)).min(axis=1)
        centers = ends.tips + ends.along * reach[:, None]
        limits = limits_of(self._context, projection, sizes)
        # The tip of an arrow may lie far off; its value stays where it leaves the picture.
        np.clip(centers, *limits, out=centers)
        keep_apart(centers, sizes + 2 * scale, is_visible, self._context.occupied, limits, scale)
        self.plates.place(centers, is_visible)
        self.leaders.place(ends.tips, centers, sizes, is_visible & is_inside[1])
        self._context.occupied.add_boxes(centers, sizes, is_visible)


ArrowsAt = Callable[[Snapshot], tuple[Array, Array]]
"""Returns feet and vectors (..., n, 3) of arrows, in world, m."""


class ArrowItems(MeshItems):
    """Arrows for an animation that are known at many times at once."""

    def __init__(self, bundle: ArrowBundle, names: Sequence[str], arrows_at: ArrowsAt) -> None:
        super().__init__(bundle.mesh, names)
        self._bundle, self._arrows_at = bundle, arrows_at

    def take_all(self, snapshot: Snapshot) -> bool:
        """Take where they are at all times of a snapshot."""
        feet, vectors = self._arrows_at(snapshot)
        places = self._bundle.places(feet.reshape(-1, 3), vectors.reshape(-1, 3))
        stations, axes = (np.moveaxis(each.reshape(3, *feet.shape), 0, 1) for each in (places.stations, places.axes))
        shape = feet.shape[:2]
        self._taken.append((stations, axes, places.sizes.reshape(shape), places.is_shown.reshape(shape)))
        return True


class TipItems(PosedItems):
    """The values of arrows for an animation: where they end, and themselves."""

    def __init__(
        self,
        values: Sequence[ValueText],
        arrows: Callable[[], tuple[Array, Array]],
        arrows_at: ArrowsAt | None = None,
    ) -> None:
        """Take what is written, and what returns the arrows as they are shown, and at many times if that is known."""
        self._arrows, self._arrows_at = arrows, arrows_at
        pairs = [(AnimatedItem("", (), caption=value), AnimatedItem("", (), is_read=True)) for value in values]
        super().__init__([item for pair in pairs for item in pair])

    def take(self) -> None:
        """Take feet and vectors."""
        feet, vectors = self._arrows()
        is_known = np.isfinite(feet).all(axis=1) & np.isfinite(vectors).all(axis=1)
        self.p[0::2][is_known], self.p[1::2][is_known] = feet[is_known], vectors[is_known]
        self.is_seen[0::2] = self.is_seen[1::2] = is_known
        self.end()

    def take_all(self, snapshot: Snapshot) -> bool:
        """Take feet and vectors at all times of a snapshot, where they are known."""
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
    return np.concatenate([each.feet for each in bundles]), np.concatenate([each.vectors for each in bundles])


def arrow_count(context: ViewContext) -> int:
    """Return how many arrows of sensors, forces and torques a scene has."""
    count = sum(len(compiled.arrows) for compiled in context.plan.instruments.sensors.values())
    system = system_of(context.plan)
    if system is not None:
        count += len(system.points) * (context.view_data.forces is not None)
        count += len({point.body for point in system.points}) * (context.view_data.torques is not None)
    return count


def has_values(context: ViewContext) -> bool:
    """Return whether arrows show their values: they are few, and no option of the picture takes the room."""
    return not context.options.hides_values and arrow_count(context) <= FEW


def captions_of(arrows: Sequence[tuple[str, str, str]], color: str, context: ViewContext) -> list[LabelPlate]:
    """Return what stands beside the values of arrows, each given by its letter, its name and its unit."""
    symbols = [symbol for symbol, _, _ in arrows]
    color, is_named = readable(color, context.theme), arrow_count(context) <= NAMED
    return [
        LabelPlate(symbol, shortened(name) if is_named or symbols.count(symbol) > 1 else "", unit, color)
        for symbol, name, unit in arrows
    ]


def shortened(name: str) -> str:
    """Return a name, cut where it is long.

    >>> shortened("tool"), shortened("the second sensor from the left")
    ('tool', 'the second sensor…')
    """
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"


def readable(color: str, theme: Theme) -> str:
    """Return a colour, moved towards that of text until it can be read on the ground of the scene."""
    shares = (mix(color, theme.text, share / 10) for share in range(10))
    return next((shade for shade in shares if contrast(shade, theme.scene_bottom) >= 4.5), theme.text)
