"""Frames that arrows, elements, arcs and measured poses follow: an item stays correct until its frames move.

Items of a simulation follow the simulated frames, whose parent is world, and no other frame.
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
    """Frames that determine pose and size of an item.

    Attributes
    ----------
    what
        Plural name of such items, such as ``"measured poses"``.
    rows
        Rows of the frames; their ancestors count as well.
    """

    what: str
    rows: tuple[int, ...]


def followed_frames(plan: Plan, sources: Mapping[Visual, Sequence[AnimatedItems]]) -> list[Followed | None]:
    """Return the frames that each item of all sources follows, in order; None for an item without known frames."""
    return list(chain.from_iterable(_frames_of_visual(plan, visual, items) for visual, items in sources.items()))


FollowedItems = Iterable[Followed | None]


def _frames_of_visual(plan: Plan, visual: Visual, sources: Sequence[AnimatedItems]) -> FollowedItems:
    items = list(chain.from_iterable(source.items for source in sources))
    match visual:
        case ForceArrows():
            return [_frames_of_simulation("forces and torques", plan)] * len(items)
        case Elements():
            return [_frames_of_simulation("springs and other elements", plan)] * len(items)
        case Points():
            return [_frames_of_simulation("connection points", plan)] * len(items)
        case SensorArrows():
            return _frames_of_sensors(plan, items)
        case MeasuredGhosts():
            return _frames_of_poses(plan, visual.names)
        case Arcs():
            names = [arc_set.name for arc_set in visual.sets for _ in arc_set.arcs]
            return _frames_of_turns("arcs of the scene’s own motion", plan, names, sources)
        case IntermediateFrames():
            return _frames_of_turns("intermediate frames", plan, [turns.name for turns in visual.turns], sources)
        case _:
            return [None] * len(items)


def _frames_of_simulation(what: str, plan: Plan) -> Followed:
    system = system_of(plan)
    bodies = () if system is None else system.bodies
    return Followed(what, tuple(plan.index[body.name] for body in bodies))


def _frames_of_sensors(plan: Plan, items: Sequence[AnimatedItem]) -> FollowedItems:
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


def _frames_of_poses(plan: Plan, names: Sequence[str]) -> FollowedItems:
    """Yield the reference frame of each measured pose, then both frames of each gap.

    A partial measurement follows both frames.
    """
    measurements = [plan.instruments.measurements[name] for name in names]
    pairs = [(plan.index[pose.relative_to], plan.index[pose.of]) for pose in measurements]
    words = [MEASURED if pose.has_position and pose.has_orientation else MEASURED_PARTS for pose in measurements]
    for what, rows in zip(words, pairs, strict=True):
        yield Followed(what, rows[:1] if what == MEASURED else rows)
    yield from (Followed(what, rows) for what, rows in zip(words, pairs, strict=True))


def _frames_of_turns(what: str, plan: Plan, names: Sequence[str], sources: Sequence[AnimatedItems]) -> FollowedItems:
    """Yield one frame per source for each of its items."""
    for name, source in zip(names, sources, strict=True):
        yield from [Followed(what, (plan.index[name],))] * len(source.items)
