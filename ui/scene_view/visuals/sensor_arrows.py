"""Arrows of sensors at the frames they measure: straight ones for v and a, with a curl for ω and z."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.compile.recordings.sensors import RecordedValues
from framescope.core.evaluation.evaluate import Plan
from framescope.core.sensors import AbsoluteSensor
from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.base.animated_nodes import AnimatedItems, Followed, FollowedItems, NodeSource, ValueText
from framescope.ui.scene_view.base.label_plates import magnitude_text
from framescope.ui.scene_view.base.pick_ray import PickHit, PickRay
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.arrow_bundle import ArrowBundle
from framescope.ui.scene_view.geometry.default_sizes import arrow_radius
from framescope.ui.scene_view.visuals import arrow_labels

Array = NDArray[np.float64]

SYMBOLS = {"v": "v", "a": "a", "w": "ω", "z": "z", "s": "f", "f": "F", "t": "M"}
"""Symbols of the quantities, as in the read-outs."""
UNITS = {"v": "m/s", "a": "m/s²", "w": "rad/s", "z": "rad/s²", "s": "m/s²", "f": "N", "t": "N m"}
CURLED = "wzt"

POSITION_WIDTH, POSITION_OPACITY = 0.55, 0.75

SENSED, SPANNED = "arrows of sensors", "positions of sensors"
"""Plural names of items of sensors in messages."""


class SensorArrows(Visual):
    """Arrows of all sensors that draw some, and thinner arrows of measured positions."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        theme, radius = context.theme, arrow_radius(context.view_data)
        sensors = context.plan.instruments.sensors
        arrow_keys = [(name, key) for name, compiled in sensors.items() for key in compiled.arrows]
        self.bundles: list[tuple[list[tuple[str, str]], ArrowBundle]] = []
        for has_curl in (False, True):
            keys = [(name, key) for name, key in arrow_keys if (key in CURLED) is has_curl]
            bundle = ArrowBundle([theme.sensor] * len(keys), radius, has_curl=has_curl)
            self.bundles.append((keys, bundle))
            self.scene_actors += bundle.actors
        self.position_pairs = position_rows(context.plan)
        self.position_arrows = ArrowBundle(
            [theme.frame_a] * len(self.position_pairs), POSITION_WIDTH * radius, through=0
        )
        for actor in self.position_arrows.actors:
            actor.GetProperty().SetOpacity(POSITION_OPACITY)
        self.scene_actors += self.position_arrows.actors
        self.shown_units = {key: context.angles.shown(unit) for key, unit in UNITS.items()}
        arrows = [(SYMBOLS[key], name, self.shown_units[key][0]) for keys, _ in self.bundles for name, key in keys]
        self.letters: arrow_labels.TipLetters | None = None
        self.values: arrow_labels.TipValues | None = None
        if arrow_labels.has_values(context):
            self.values = arrow_labels.TipValues(context, arrow_labels.captions_of(arrows, theme.sensor, context))
            self.overlay_actors += self.values.actors
        else:
            self.letters = arrow_labels.TipLetters(context, [symbol for symbol, _, _ in arrows], theme.sensor)
            self.overlay_actors += self.letters.actors

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        """Return the drawn arrows, their frames and their scale, which the legend shows."""
        sensors = plan.instruments.sensors.values()
        arrows = [
            (compiled.name, compiled.at, compiled.seen_from, tuple(compiled.arrows.items())) for compiled in sensors
        ]
        return arrows, position_rows(plan)

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        """Yield the sensors whose arrows, or the plates of their values, are under a pixel."""
        snapshot = ray.tick.snapshot
        if self.values is not None:
            keys = [("sensors", name) for keys, _ in self.bundles for name, _ in keys]
            yield from ray.on_plates(keys, self.values.boxes)
        for name, arrows in snapshot.arrows.items():
            compiled = ray.tick.plan.instruments.sensors[name]
            for key, arrow in arrows.items():
                tip = arrow.p_W + compiled.arrows[key] * arrow.vector_W
                # Near its foot an arrow covers the origin of the frame, which has priority.
                yield from ray.on_lines(("sensors", name), arrow.p_W, tip[None], snapshot.index[compiled.at])

    def show(self, tick: Tick) -> None:
        """Update the arrows from the vectors of a tick."""
        snapshot, sensors = tick.snapshot, tick.plan.instruments.sensors
        k = 0
        for keys, bundle in self.bundles:
            for i, (name, key) in enumerate(keys):
                arrow = snapshot.arrows[name][key]
                bundle.feet[i] = arrow.p_W
                np.multiply(arrow.vector_W, sensors[name].arrows[key], out=bundle.vectors[i])
                if self.values is not None:
                    unit, factor = self.shown_units[key]
                    text = magnitude_text(factor * math.hypot(*arrow.vector_W), is_in_degrees=unit.startswith("°"))
                    self.values.plates.write(k, text)
                k += 1
            bundle.update()
        bundle = self.position_arrows
        for i, (start, end) in enumerate(self.position_pairs):
            bundle.feet[i] = snapshot.p_WF[start]
            np.subtract(snapshot.p_WF[end], snapshot.p_WF[start], out=bundle.vectors[i])
        bundle.update()

    def occupy(self, projection: Projection) -> None:
        """Keep names and values off the arrows."""
        if self.overlay_actors:
            self.arrow_ends = arrow_labels.ends_of(projection, [bundle for _, bundle in self.bundles])
            self.arrow_ends.take(self.context)

    def place(self, projection: Projection) -> None:
        """Place the letters or the values at the tips."""
        if not self.overlay_actors:
            return
        if self.values is not None:
            self.values.place(projection, self.arrow_ends)
        elif self.letters is not None:
            self.letters.place(self.arrow_ends)

    def driving_frames(self, plan: Plan, sources: Sequence[AnimatedItems]) -> FollowedItems:
        """Return both frames of a sensor for its arrows, and both ends for each measured position."""
        followed = {
            f"{name} {SYMBOLS[key]}": Followed(SENSED, (plan.index[compiled.at], plan.index[compiled.seen_from]))
            for name, compiled in plan.instruments.sensors.items()
            for key in compiled.arrows
        }
        for k, ends in enumerate(position_rows(plan)):
            followed[f"position {k + 1}"] = Followed(SPANNED, ends)
        items = [item for source in sources for item in source.items]
        captions = (item.caption for item in items)
        names = (
            item.group if of is None else f"{of.name} {of.symbol}" for item, of in zip(items, captions, strict=True)
        )
        return [followed.get(name) for name in names]

    def nodes(self) -> Iterator[NodeSource]:
        """Yield the arrows, named by sensor and symbol, and the positions measured by sensors."""
        for keys, bundle in self.bundles:
            if keys:
                named = [f"{name} {SYMBOLS[key]}" for name, key in keys]
                yield arrow_labels.ArrowItems(bundle, named, partial(self._arrows_at, keys))
        if self.position_pairs:
            named = [f"position {k + 1}" for k in range(len(self.position_pairs))]
            yield arrow_labels.ArrowItems(self.position_arrows, named, self._positions_at)
        if self.values is not None:
            bundles = [bundle for _, bundle in self.bundles]
            yield arrow_labels.TipItems(
                self._value_texts(),
                lambda: arrow_labels.feet_and_vectors(bundles),
                partial(self._arrows_at, [key for keys, _ in self.bundles for key in keys]),
            )

    def _arrows_at(self, keys: Sequence[tuple[str, str]], snapshot: Snapshot) -> tuple[Array, Array]:
        """Return feet and vectors (m, n, 3) of some arrows at the m times of a snapshot, in world, m."""
        sensors = self.context.plan.instruments.sensors
        arrows = [(snapshot.arrows[name][key], sensors[name].arrows[key]) for name, key in keys]
        if not arrows:
            none = np.zeros((len(snapshot.t), 0, 3))
            return none, none
        feet = np.stack([arrow.p_W for arrow, _ in arrows], axis=1)
        return feet, np.stack([length * arrow.vector_W for arrow, length in arrows], axis=1)

    def _positions_at(self, snapshot: Snapshot) -> tuple[Array, Array]:
        starts, ends = (snapshot.p_WF[:, list(rows)] for rows in zip(*self.position_pairs, strict=True))
        return starts, ends - starts

    def _value_texts(self) -> list[ValueText]:
        """Return the caption of each arrow, with the factor from its length, m, to its value."""
        sensors = self.context.plan.instruments.sensors
        captions: list[ValueText] = []
        for name, key in (key for keys, _ in self.bundles for key in keys):
            unit, factor = self.shown_units[key]
            captions.append(ValueText(SYMBOLS[key], name, unit, factor / sensors[name].arrows[key], "sensor"))
        return captions

    def reach_W(self) -> tuple[Array, ...]:
        """Return the tips of the arrows."""
        return tuple(bundle.tips for _, bundle in self.bundles if bundle.actors)


def position_rows(plan: Plan) -> tuple[tuple[int, int], ...]:
    """Return the frame rows of the start and the end of each position that a visible sensor measures."""
    rows: dict[tuple[int, int], None] = {}
    for compiled in plan.instruments.sensors.values():
        sensor = compiled.sensor
        if isinstance(sensor, RecordedValues):
            continue
        is_on = sensor.get_r if isinstance(sensor, AbsoluteSensor) else sensor.get_r_rel
        if sensor.animation and is_on:
            rows[plan.index[compiled.seen_from], plan.index[compiled.at]] = None
    return tuple(rows)
