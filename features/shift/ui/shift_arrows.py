"""Drawing of a shift in the scene: a point to drag, its lever, and the terms as a chain of arrows with their sum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.shifts import Shift, ShiftKey, shift_at
from framescope.features.shift.ui import shift_look
from framescope.ui.scene_view.base.label_plates import LabelPlate, magnitude_text
from framescope.ui.scene_view.base.scene_options import SceneOption
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.antialiased_strokes import Patches
from framescope.ui.scene_view.geometry.arrow_bundle import ArrowBundle
from framescope.ui.scene_view.geometry.default_sizes import arrow_radius
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.visuals.arrow_labels import Ends, TipLetters, TipValues, ends_of, readable
from framescope.ui.theme.tokens import Theme

Array = NDArray[np.float64]

TERM_WIDTH, TOTAL_WIDTH, LEVER_WIDTH = 0.85, 1.35, 0.4
"""Widths of shafts, relative to the arrows of sensors."""
TOTAL_OPACITY, COPY_OPACITY = 0.45, 0.4
"""Opacity of the sum and of the copy of a force, so that terms along them stay visible."""

THROUGH = 0.6
"""Opacity of terms behind the body: the point is on its surface, and the terms often run along it."""

HANDLE, LIT, RIM = 6.0, 8.0, 2.0
"""Radius of the point, of the point under the pointer, and width of the ring around it, logical pixels."""
CORNERS = 28
"""Number of corners of the disc of the point."""


class ShiftArrows(Visual):
    """Arrows of the shift in the options of a context. Without a shift the visual has no actors."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._tick: Tick | None = None
        self.shift: Shift | None = None
        """Drawn shift; None where it has no value."""
        key = self._key
        if key is None:
            return
        theme, radius = context.theme, arrow_radius(context.view_data)
        self._is_force = key.quantity == "force"
        symbols = shift_look.symbols_of(key)
        straight = ("f",) if self._is_force else symbols
        colors = [color_of(symbol, theme) for symbol in straight]
        self.term_arrows = ArrowBundle(colors, TERM_WIDTH * radius, through=THROUGH)
        # The sum of a shifted force is a moment; a copy of the force is drawn at the new origin.
        total = theme.force if self._is_force else getattr(theme, shift_look.TOTAL_ROLE)
        self.total_arrow = ArrowBundle([total], (TERM_WIDTH if self._is_force else TOTAL_WIDTH) * radius)
        for actor in self.total_arrow.actors[:1]:
            actor.GetProperty().SetOpacity(COPY_OPACITY if self._is_force else TOTAL_OPACITY)
            actor.ForceTranslucentOn()
        self.moment_arrow = ArrowBundle([theme.omega] * self._is_force, radius, has_curl=True, through=THROUGH)
        self.lever_arrow = ArrowBundle([theme.quiet], LEVER_WIDTH * radius, through=THROUGH)
        for bundle in (self.term_arrows, self.moment_arrow, self.lever_arrow, self.total_arrow):
            self.scene_actors += bundle.actors
        self.values = TipValues(context, self._captions(symbols))
        self._letters = TipLetters(context, ["r"], theme.quiet)
        self._patches = Patches(3, CORNERS)
        self.overlay_actors += [*self.values.actors, *self._letters.actors, self._patches.actor]

    @property
    def _key(self) -> ShiftKey | None:
        drawn = self.context.options[shift_look.SHIFT]
        return None if drawn is None else drawn.key

    def _captions(self, symbols: tuple[str, ...]) -> list[LabelPlate]:
        """Return the plates of the terms and of the sum."""
        key, theme = self._key, self.context.theme
        if key is None:
            return []
        unit, sensor = shift_look.UNITS[key.quantity], getattr(theme, shift_look.TOTAL_ROLE)
        units = (unit, shift_look.MOMENT) if self._is_force else (unit,) * len(symbols)
        captions = [
            LabelPlate(symbol, "", unit, readable(color_of(symbol, theme), theme))
            for symbol, unit in zip(symbols, units, strict=True)
        ]
        if not self._is_force:
            captions.append(LabelPlate(shift_look.TOTALS[key.quantity], "", unit, readable(sensor, theme)))
        return captions

    def apply_option(self, option: SceneOption[Any]) -> None:
        """Draw a changed shift with the same terms, such as to another point."""
        if option is shift_look.SHIFT and self._tick is not None:
            self.show(self._tick)

    def show(self, tick: Tick) -> None:
        """Draw the terms at a tick."""
        drawn = self.context.options[shift_look.SHIFT]
        if drawn is None:
            return
        self._tick = tick
        self.shift = shift = shift_at(tick.plan, tick.snapshot, drawn.key)
        bundles = self.term_arrows, self.total_arrow, self.moment_arrow, self.lever_arrow
        for bundle in bundles:
            bundle.vectors.fill(np.nan)
        if shift is not None:
            self._place_arrows(shift, drawn.scales)
            self._write(shift)
        for bundle in bundles:
            bundle.update()

    def _place_arrows(self, shift: Shift, scales: shift_look.ShiftScales) -> None:
        length = scales.linear
        self.lever_arrow.feet[0], self.lever_arrow.vectors[0] = shift.foot_W, shift.r_W
        at = shift.p_W
        for i, term in enumerate(shift.terms[: len(self.term_arrows.feet)]):
            self.term_arrows.feet[i], self.term_arrows.vectors[i] = at, length * term.vector
            at = at + length * term.vector
        self.total_arrow.feet[0] = shift.foot_W if self._is_force else shift.p_W
        self.total_arrow.vectors[0] = length * (shift.terms[0].vector if self._is_force else shift.total)
        if self._is_force:
            self.moment_arrow.feet[0], self.moment_arrow.vectors[0] = shift.foot_W, scales.moment * shift.total

    def _write(self, shift: Shift) -> None:
        vectors = [term.vector for term in shift.terms]
        for k, vector in enumerate(vectors if self._is_force else [*vectors, shift.total]):
            self.values.plates.write(k, magnitude_text(math.hypot(*vector)))

    def occupy(self, projection: Projection) -> None:
        """Reserve the area of the arrows and the point, which labels avoid."""
        context = self.context
        self._ends = ends_of(projection, [self.term_arrows, self.moment_arrow if self._is_force else self.total_arrow])
        self._ends.take(context)
        self._lever_ends = ends_of(projection, [self.lever_arrow])
        at = self.handle_at(projection)
        if at is not None:
            reach = context.px(LIT + RIM)
            context.occupied.add_corner(at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach)

    def place(self, projection: Projection) -> None:
        """Put the values beside the terms and beyond the sum, and the point where it appears."""
        self.values.place(projection, _beside(self._ends, len(self.term_arrows.feet), self.context.px(1.0)))
        self._letters.place(_middles(self._lever_ends))
        self._draw_handle(self.handle_at(projection))

    def handle_at(self, projection: Projection) -> Array | None:
        """Return the position of the point, device pixels from the lower left; None where it is not visible."""
        if self.shift is None:
            return None
        at = projection.project(self.shift.p_W)
        return at[:2] if at[2] > 0.0 else None

    def reach_W(self) -> tuple[Array, ...]:
        """Return the tips of the arrows, resolved in world, m."""
        return self.term_arrows.tips, self.total_arrow.tips

    def _draw_handle(self, at: Array | None) -> None:
        px, theme = self.context.px, self.context.theme
        phi = np.linspace(0.0, 2.0 * np.pi, CORNERS, endpoint=False)
        disc = np.stack([np.cos(phi), np.sin(phi)], axis=-1)
        radius = px(LIT if self.context.options[shift_look.SHIFT_LIT] else HANDLE)
        looks = (
            (radius + px(RIM), theme.scene_bottom, 0.85),
            (radius, theme.text, 1.0),
            (radius - px(RIM), theme.accent, 1.0),
        )
        for k, (size, color, alpha) in enumerate(looks):
            if at is None:
                self._patches.hide(k)
            else:
                self._patches.set(k, at + size * disc, rgba(color, alpha), at)
        self._patches.touch()


def color_of(symbol: str, theme: Theme) -> str:
    """Return the colour of a term."""
    return getattr(theme, shift_look.ROLES[symbol])


def _beside(ends: Ends, count: int, px: float) -> Ends:
    """Return the positions of values: beside the middles of the first `count` arrows, beyond the tips of the others."""
    tips, along = ends.tips.copy(), ends.along.copy()
    tips[:count] = 0.5 * (ends.feet[:count] + ends.tips[:count])
    aside = along[:count, ::-1] * (1.0, -1.0)
    # On the side away from the sum.
    total = ends.tips[count:].sum(axis=0) - ends.feet[:1].sum(axis=0)
    away = np.where((aside @ total)[:, None] > px, -aside, aside)
    along[:count] = away
    return Ends(ends.feet, tips, along, ends.is_seen)


def _middles(ends: Ends) -> Ends:
    return Ends(ends.feet, 0.5 * (ends.feet + ends.tips), ends.along, ends.is_seen)
