"""Frames that arrows, elements, arcs and measured poses of the picture follow: as long as those stand, they are right.

A simulation follows the simulated frames, which stand in the world, and nothing that moves beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from framescope.core.evaluation.evaluate import Plan
from framescope.ui.scene_view.base.animated_nodes import AnimatedItem, AnimatedItems
from framescope.ui.scene_view.base.visual import Visual, system_of
from framescope.ui.scene_view.visuals.angle_arcs import Arcs
from framescope.ui.scene_view.visuals.elements import Elements
from framescope.ui.scene_view.visuals.force_arrows import ForceArrows
from framescope.ui.scene_view.visuals.intermediate_frames import IntermediateFrames
from framescope.ui.scene_view.visuals.measured_ghosts import MeasuredGhosts
from framescope.ui.scene_view.visuals.points import Points
from framescope.ui.scene_view.visuals.sensor_arrows import SYMBOLS, SensorArrows, position_rows

MEASURED, MEASURED_PARTS = "measured poses", "measured positions and orientations"
SENSED, SPANNED = "arrows of sensors", "positions of sensors"


@dataclass(frozen=True)
class Followed:
    """Frames that say where a thing is and how large.

    Attributes
    ----------
    what
        What such things are called together, such as ``"measured poses"``.
    rows
        The frames, by their rows; what they hang on counts as well.
    """

    what: str
    rows: tuple[int, ...]


def followed_frames(plan: Plan, sources: Mapping[Visual, Sequence[AnimatedItems]]) -> list[Followed | None]:
    """Return what each item of all sources follows, in their order; None of one of which that is not known."""
    return list(chain.from_iterable(_followed(plan, visual, each) for visual, each in sources.items()))


Found = Iterable[Followed | None]


def _followed(plan: Plan, visual: Visual, sources: Sequence[AnimatedItems]) -> Found:
    items = list(chain.from_iterable(source.items for source in sources))
    match visual:
        case ForceArrows():
            return [_of_simulation("forces and torques", plan)] * len(items)
        case Elements():
            return [_of_simulation("springs and other elements", plan)] * len(items)
        case Points():
            return [_of_simulation("connection points", plan)] * len(items)
        case SensorArrows():
            return _of_sensors(plan, items)
        case MeasuredGhosts():
            return _of_measured(plan, visual.names)
        case Arcs():
            names = [arc_set.name for arc_set in visual.sets for _ in arc_set.arcs]
            return _of_turns("arcs of the scene’s own motion", plan, names, sources)
        case IntermediateFrames():
            return _of_turns("intermediate frames", plan, [turns.name for turns in visual.turns], sources)
        case _:
            return [None] * len(items)


def _of_simulation(what: str, plan: Plan) -> Followed:
    system = system_of(plan)
    bodies = () if system is None else system.bodies
    return Followed(what, tuple(plan.index[body.name] for body in bodies))


def _of_sensors(plan: Plan, items: Sequence[AnimatedItem]) -> Found:
    followed = {
        f"{name} {SYMBOLS[key]}": Followed(SENSED, (plan.index[compiled.at], plan.index[compiled.seen_from]))
        for name, compiled in plan.instruments.sensors.items()
        for key in compiled.arrows
    }
    for k, ends in enumerate(position_rows(plan)):
        followed[f"position {k + 1}"] = Followed(SPANNED, ends)
    captions = (item.caption for item in items)
    names = (item.group if of is None else f"{of.name} {of.symbol}" for item, of in zip(items, captions, strict=True))
    return [followed.get(name) for name in names]


def _of_measured(plan: Plan, names: Sequence[str]) -> Found:
    """Return the frame that each pose is measured in, and both frames of each gap and where but a part is measured."""
    measurements = [plan.instruments.measurements[name] for name in names]
    both = [(plan.index[one.relative_to], plan.index[one.of]) for one in measurements]
    words = [MEASURED if one.has_position and one.has_orientation else MEASURED_PARTS for one in measurements]
    for what, rows in zip(words, both, strict=True):
        yield Followed(what, rows[:1] if what == MEASURED else rows)
    yield from (Followed(what, rows) for what, rows in zip(words, both, strict=True))


def _of_turns(what: str, plan: Plan, names: Sequence[str], sources: Sequence[AnimatedItems]) -> Found:
    """Return that each source follows one frame."""
    for name, source in zip(names, sources, strict=True):
        yield from [Followed(what, (plan.index[name],))] * len(source.items)
