"""What sensors measure, as arrows at the frames they measure: straight ones for v and a, with a curl for ω and z."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluate import Plan
from framescope.core.sensors import AbsoluteSensor
from framescope.ui.theme import Theme, contrast, mix
from framescope.ui.view.arrow_bundle import ArrowBundle
from framescope.ui.view.camera import Projection
from framescope.ui.view.context import Tick, ViewContext, Visual
from framescope.ui.view.sizes import arrow_radius
from framescope.ui.view.sprites import SpriteBatch, TextStyle

Array = NDArray[np.float64]

SYMBOLS = {"v": "v", "a": "a", "w": "ω", "z": "z"}
"""As the read-outs have them."""
CURLED = "wz"

LETTER_AHEAD, LETTER_ASIDE = 3.0, 11.0
"""From a tip to the middle of its letter, logical pixels: beside it, as beyond it an axis may have its own."""
SHORTEST = 7.0
"""Below this length on the picture an arrow has no letter, logical pixels."""

POSITION_WIDTH, POSITION_OPACITY = 0.55, 0.75


class SensorArrows(Visual):
    """The arrows of all sensors that draw some, and quietly the position that a sensor measures."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        theme, radius = context.theme, arrow_radius(context.staging)
        sensors = context.plan.instruments.sensors
        drawn = [(name, key) for name, staged in sensors.items() for key in staged.arrows]
        self._bundles: list[tuple[list[tuple[str, str]], ArrowBundle]] = []
        for has_curl in (False, True):
            keys = [(name, key) for name, key in drawn if (key in CURLED) is has_curl]
            bundle = ArrowBundle([theme.sensor] * len(keys), radius, has_curl=has_curl)
            self._bundles.append((keys, bundle))
            self.scene_actors += bundle.actors
        self._positions = positions_drawn(context.plan)
        self._position_bundle = ArrowBundle([theme.frame_a] * len(self._positions), POSITION_WIDTH * radius, through=0)
        for actor in self._position_bundle.actors:
            actor.GetProperty().SetOpacity(POSITION_OPACITY)
        self.scene_actors += self._position_bundle.actors
        symbols = [SYMBOLS[key] for keys, _ in self._bundles for _, key in keys]
        self._letters = TipLetters(context, symbols, theme.sensor)
        self.overlay_actors += self._letters.actors

    def show(self, tick: Tick) -> None:
        """Take the vectors of a tick."""
        snapshot, sensors = tick.snapshot, tick.plan.instruments.sensors
        for keys, bundle in self._bundles:
            for i, (name, key) in enumerate(keys):
                arrow = snapshot.arrows[name][key]
                bundle.feet[i] = arrow.p_W
                np.multiply(arrow.vector_W, sensors[name].arrows[key], out=bundle.vectors[i])
            bundle.update()
        bundle = self._position_bundle
        for i, (start, end) in enumerate(self._positions):
            bundle.feet[i] = snapshot.p_WF[start]
            np.subtract(snapshot.p_WF[end], snapshot.p_WF[start], out=bundle.vectors[i])
        bundle.update()

    def place(self, projection: Projection) -> None:
        """Put the letters at the tips."""
        self._letters.place(projection, [bundle for _, bundle in self._bundles])


def positions_drawn(plan: Plan) -> tuple[tuple[int, int], ...]:
    """Return the rows of start and end of the positions that are drawn: those measured by sensors that are drawn."""
    found: dict[tuple[int, int], None] = {}
    for staged in plan.instruments.sensors.values():
        sensor = staged.sensor
        is_on = sensor.get_r if isinstance(sensor, AbsoluteSensor) else sensor.get_r_rel
        if sensor.animation and is_on:
            found[plan.index[staged.seen_from], plan.index[staged.at]] = None
    return tuple(found)


class TipLetters:
    """A letter beside the tip of each arrow of some bundles."""

    def __init__(self, context: ViewContext, symbols: Sequence[str], color: str) -> None:
        self._scale = context.scale
        style = TextStyle(readable(color, context.theme), 13, 600)
        self._batch = SpriteBatch(context.sheet, [context.sheet.text(symbol, style) for symbol in symbols])
        self.actors = [self._batch.actor] if symbols else []

    def place(self, projection: Projection, bundles: Sequence[ArrowBundle]) -> None:
        """Put each letter to the left of its arrow as it appears."""
        if not self.actors:
            return
        scale = self._scale
        feet_W = np.concatenate([bundle.feet for bundle in bundles])
        vectors_W = np.concatenate([bundle.vectors for bundle in bundles])
        feet, tips = projection.project(feet_W), projection.project(feet_W + vectors_W)
        with np.errstate(invalid="ignore", divide="ignore"):
            length_px = np.linalg.norm(vectors_W, axis=1) * projection.focal_length_px / tips[:, 2]
            is_visible = (tips[:, 2] > 0) & (feet[:, 2] > 0) & (length_px > SHORTEST * scale)
            along = tips[:, :2] - feet[:, :2]
            length = np.hypot(along[:, 0], along[:, 1])
            # An arrow seen end-on has no direction of its own: its letter goes up and to the right.
            blend = np.clip(1.0 - length / (LETTER_ASIDE * scale), 0.0, 1.0)[:, None]
            along = along / np.maximum(length, 1.0)[:, None] * (1 - blend) + np.array((0.7, -0.7)) * blend
        aside = along[:, ::-1] * (-1.0, 1.0)
        centers = tips[:, :2] + (along * LETTER_AHEAD + aside * LETTER_ASIDE) * scale
        centers[~is_visible] = 0.0
        self._batch.move(centers - self._batch.sizes / 2, is_visible)


def readable(color: str, theme: Theme) -> str:
    """Return a colour, moved towards that of text until it can be read on the ground of the scene."""
    shares = (mix(color, theme.text, share / 10) for share in range(10))
    return next((shade for shade in shares if contrast(shade, theme.scene_bottom) >= 4.5), theme.text)
