"""Parameters that an item uses, so that changes of other parameters do not invalidate its cached results."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from framescope.core.evaluation.local_motion import MotionContext
from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.identifiers import words_in
from framescope.core.system.caches import cache_per_owner

KEPT_CONTEXTS = 2
"""Number of time ranges and parameter sets per item in the cache: before a drag and during it."""

_words_in = cache_per_owner(1)(words_in)


def uses_none(item: Item, parameters: Collection[str]) -> bool:
    """Return whether an item uses none of the given parameters."""
    return not parameters or _words_in(item).isdisjoint(parameters)


def as_used(item: Item, context: MotionContext) -> MotionContext:
    """Return the context with only the parameters that an item uses, so that other changes keep it equal."""
    parameters = context.parameters
    if not parameters:
        return context
    used = {name: parameters[name] for name in sorted(_words_in(item) & parameters.keys())}
    return context if len(used) == len(parameters) else replace(context, parameters=FrozenDict(used))
