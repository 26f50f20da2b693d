"""What a page shows of things that follow frames while a hand has changed something: as exported, computed, or not."""

from __future__ import annotations

from typing import Any

from framescope.app.exporters.scene_graph.scene_graph import AnimatedNodes
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.identifiers import words_in
from framescope.core.scene.schema.model import WORLD
from framescope.features.web_page.app.page_plots import is_computed
from framescope.features.web_page.core.scene_code import SceneCode
from framescope.ui.scene_view.base.animated_nodes import Followed
from framescope.ui.scene_view.visuals.measured_ghosts import MEASURED
from framescope.ui.scene_view.visuals.sensor_arrows import SENSED, SPANNED

Json = dict[str, Any]


def followed_in(animated: AnimatedNodes) -> list[Followed]:
    """Return all that is followed, each once."""
    both = (*animated.nodes, *animated.marks)
    return list(dict.fromkeys(each.follows for each in both if each.follows is not None))


def listed(plan: Plan, followed: list[Followed], code: SceneCode | None) -> list[Json]:
    """Return what it is called and its rows, and whether a page computes it where these frames do not stay."""

    def computed(each: Followed) -> bool:
        if each.what == SENSED:
            return code is not None and all(is_computed(plan, plan.names[row], code) for row in each.rows)
        return each.what in {SPANNED, MEASURED}

    return [{"what": each.what, "rows": each.rows, "isComputed": computed(each)} for each in followed]


def measured_of(animated: AnimatedNodes, plan: Plan) -> list[Json]:
    """Return the nodes of measured poses and their gaps, and between which rows; where a part is measured, none."""
    places = {node.name: k for k, node in enumerate(animated.nodes) if node.follows and node.follows.what == MEASURED}
    return [
        {
            "ghost": places[f"measurement {name}"],
            "gap": places.get(f"gap of {name}"),
            "of": plan.index[one.of],
            "from": plan.index[one.relative_to],
        }
        for name, one in plan.instruments.measurements.items()
        if f"measurement {name}" in places
    ]


def uses_of(plan: Plan, code: SceneCode) -> list[list[int]]:
    """Return the places of the parameters that each frame moves by, by rows."""
    places = {name: k for k, name in enumerate(code.parameters)}
    words = (frozenset[str]() if name == WORLD else words_in(plan.scene.frames[name]) for name in plan.names)
    return [sorted(places[word] for word in each & places.keys()) for each in words]
