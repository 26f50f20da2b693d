"""Parameters that an item uses: what is kept of it does not depend on the others."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from framescope.core.evaluation.local_motion import MotionContext
from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.identifiers import words_in
from framescope.core.system.caches import cache_per_owner

KEPT_CONTEXTS = 2
"""For how many time spans and sets of parameters what is made of an item is kept: before a gesture and during it."""

_words_in = cache_per_owner(1)(words_in)


def uses_none(item: Item, parameters: Collection[str]) -> bool:
    """Return whether an item uses none of some parameters."""
    return not parameters or _words_in(item).isdisjoint(parameters)


def as_used(item: Item, context: MotionContext) -> MotionContext:
    """Return the context with those parameters alone that an item uses: the others make it no other one."""
    parameters = context.parameters
    if not parameters:
        return context
    used = {name: parameters[name] for name in sorted(_words_in(item) & parameters.keys())}
    return context if len(used) == len(parameters) else replace(context, parameters=FrozenDict(used))
