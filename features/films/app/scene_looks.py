"""Looks of the items of a shot in the scene of the window: a variant of the plan, and the lit axis or arrow.

The picture of the film mixes pictures. The scene approximates it with one: items are shown or hidden, from half their
opacity on, and bodies are transparent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import WORLD
from framescope.features.films.core.compiled_film import CompiledFilm, Item
from framescope.features.films.core.moments import ItemLook, ShotMoment
from framescope.features.films.core.variants import hidden_axes, hidden_variant
from framescope.ui.scene_view.visuals.sensor_arrows import SYMBOLS

STEPS = 8
"""Number of opacities of a body: a fade rebuilds the scene no more often."""

DIMMED = 0.45
"""Opacity of bodies while others are lit."""

KEPT_PLANS = 24


@dataclass(frozen=True)
class SceneLook:
    """Look of the scene.

    Attributes
    ----------
    hidden
        Hidden items; None for those of the scene.
    opacities
        Factors on the opacities of bodies.
    lit
        Axis or arrow that is lit; empty for none.
    """

    hidden: frozenset[Item] | None = None
    opacities: tuple[tuple[str, float], ...] = ()
    lit: str = ""

    @property
    def axes(self) -> frozenset[tuple[str, int]]:
        """Single hidden axes: name of the frame, and 0, 1 or 2."""
        return frozenset() if self.hidden is None else hidden_axes(self.hidden)

    def is_plain(self, plan: Plan) -> bool:
        """Return whether a scene has this look already, but for what is lit."""
        own: frozenset[Item] = frozenset((kind, name, "") for kind, name in plan.view_data.hidden)
        return not self.opacities and self.hidden == own

    def vary(self, plan: Plan) -> Plan:
        """Return the plan of a scene with this look."""
        hidden: frozenset[Item] = frozenset() if self.hidden is None else self.hidden
        return _variant(plan, hidden, self.opacities)


def look_of(plan: Plan, film: CompiledFilm, moment: ShotMoment) -> SceneLook:
    """Return the look of a scene at a moment of a film."""
    hidden: set[Item] = {(*key, "") for key in film.hidden}
    opacities: dict[str, float] = {}
    light = max((look.light for look in moment.looks), default=0.0)
    lines = [name for look in moment.looks if look.light >= 0.5 and (name := _line_of(look.item))]
    lit_bodies = {look.item[1] for look in moment.looks if look.light > 0.0 and look.item[0] == "bodies"}
    if light > 0.0 and not lines:
        dimmed = _step(1.0 - light * (1.0 - DIMMED))
        opacities = {name: dimmed for name in plan.scene.bodies if name not in lit_bodies}
    for look in moment.looks:
        (hidden.discard if _is_shown(look) else hidden.add)(look.item)
        kind, name, part = look.item
        if kind == "bodies" and not part and _is_shown(look) and look.opacity < 1.0:
            opacities[name] = opacities.get(name, 1.0) * _step(look.opacity)
    shown = {name: opacity for name, opacity in opacities.items() if opacity < 1.0}
    return SceneLook(frozenset(hidden), tuple(sorted(shown.items())), lines[0] if lines else "")


@lru_cache(maxsize=KEPT_PLANS)
def _variant(plan: Plan, hidden: frozenset[Item], opacities: tuple[tuple[str, float], ...]) -> Plan:
    scene = plan.scene
    known = frozenset(item for item in hidden if item[:2] == ("frames", WORLD) or item[1] in getattr(scene, item[0]))
    scene = hidden_variant(scene, known)
    bodies = {
        name: scene.bodies[name].model_copy(update={"opacity": opacity * scene.bodies[name].opacity})
        for name, opacity in opacities
        if name in scene.bodies
    }
    if bodies:
        scene = scene.model_copy(update={"bodies": scene.bodies | FrozenDict(bodies)})
    return compile_plan(scene, access=plan.context.access, run=dict(plan.simulations).get, gesture=plan)


def _is_shown(look: ItemLook) -> bool:
    return look.drawn > 0.0 and look.opacity > (0.0 if look.item[0] == "bodies" and not look.item[2] else 0.2)


def _step(opacity: float) -> float:
    return max(round(opacity * STEPS), 1) / STEPS


def _line_of(item: Item) -> str:
    """Return the name of an axis or an arrow as the light of the window knows it; empty for any other item."""
    kind, name, part = item
    if kind == "frames" and part in ("x", "y", "z"):
        return f"{part} of {name}"
    return f"{SYMBOLS[part]} of {name}" if kind == "sensors" and part in SYMBOLS else ""
