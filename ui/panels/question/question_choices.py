"""Choices of the question bar: the items that have signals, and the signals of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject

from framescope.core.evaluation.available_signals import signals_of_item, signals_of_scene
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.plots import shown_of
from framescope.core.scene.schema.model import ITEM_WORDS, WORLD, ItemKey, Scene
from framescope.core.scene.schema.signals import sensed_quantities
from framescope.core.scene.schema.view import Plot
from framescope.ui.panels.relation.frame_combo import FrameNames

ALL_BODIES = "all simulated bodies"
"""Name of the sums over all simulated bodies among the items."""

_KINDS = ("sensors", "points", "elements", "measured")
"""Kinds of items with signals besides frames; bodies move with their frames."""


_ICONS = {"sensors": "radar", "points": "crosshair", "elements": "link", "measured": "ruler", "": "gauge"}


@dataclass(frozen=True)
class SignalChoice:
    """A signal of an item, with its name in the list."""

    name: str
    plot: Plot


def signal_choices(scene: Scene, key: ItemKey) -> tuple[SignalChoice, ...]:
    """Return the signals of an item, each once, with usual frames and unit; the most useful first.

    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}, "b": {"parent": "a"}}})
    >>> [choice.name for choice in signal_choices(scene, ("frames", "b"))][:3]
    ['angular velocity', 'angles', 'position']
    """
    plots = signals_of_scene(scene) if key == ("", ALL_BODIES) else signals_of_item(scene, *key)
    choices: dict[str, Plot] = {}
    for plot in plots:
        choices.setdefault(_name_of(scene, plot), plot)
    return tuple(SignalChoice(name, plot) for name, plot in choices.items())


def _name_of(scene: Scene, plot: Plot) -> str:
    if plot.signal == "sensor":
        quantities = list(sensed_quantities(shown_of(plot, scene)))
        return "all that it measures" if len(quantities) > 1 else "".join(quantities)
    return plot.signal


class AskableNames(FrameNames):
    """Names of the items that have signals: frames first, then others with their kind where a frame has the name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keys: dict[str, ItemKey] = {}
        self._items: tuple[tuple[str, ...], ...] = ()

    def set_plan(self, plan: Plan) -> None:
        """Use the items of another plan."""
        self._plan, scene = plan, plan.scene
        items = tuple(tuple(getattr(scene, kind)) for kind in ("frames", *_KINDS))
        if items == self._items:  # as at each move of a slider
            return
        self._items, self._keys = items, dict(_named_items(scene))
        names = tuple(self._keys)
        if names != self.names:
            self.names = names
            self.setStringList(list(names))

    def icon_of(self, name: str) -> str:
        kind, own_name = self._keys.get(name, ("frames", name))
        return super().icon_of(own_name) if kind == "frames" else _ICONS[kind]

    def key_of(self, name: str) -> ItemKey | None:
        """Return the item with a name in the list."""
        return self._keys.get(name)

    def name_of(self, key: ItemKey) -> str:
        """Return the name of an item in the list; empty if it is not there."""
        return next((name for name, other in self._keys.items() if other == key), "")


def _named_items(scene: Scene) -> Iterator[tuple[str, ItemKey]]:
    taken = {WORLD}
    for name in scene.frames:
        if name != WORLD:
            taken.add(name)
            yield name, ("frames", name)
    for kind in _KINDS:
        for name in getattr(scene, kind):
            if signals_of_item(scene, kind, name):
                shown = f"{name} ({ITEM_WORDS[kind]})" if name in taken else name
                taken.add(shown)
                yield shown, (kind, name)
    if signals_of_scene(scene):
        yield ALL_BODIES, ("", ALL_BODIES)
