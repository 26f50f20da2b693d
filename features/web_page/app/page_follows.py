"""Items of a page that follow frames: they are recomputed, or hidden, after the user changes the scene in the page."""

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


def followed_frames(animated: AnimatedNodes) -> list[Followed]:
    """Return the frames that nodes and marks follow, without repeats."""
    items = (*animated.nodes, *animated.marks)
    return list(dict.fromkeys(item.follows for item in items if item.follows is not None))


def follow_entries(plan: Plan, followed: list[Followed], code: SceneCode | None) -> list[Json]:
    """Return the kind and the rows of followed frames, and whether the page recomputes the items that follow them."""

    def is_recomputed(frames: Followed) -> bool:
        if frames.what == SENSED:
            return code is not None and all(is_computed(plan, plan.names[row], code) for row in frames.rows)
        return frames.what in {SPANNED, MEASURED}

    return [{"what": frames.what, "rows": frames.rows, "isComputed": is_recomputed(frames)} for frames in followed]


def measured_of(animated: AnimatedNodes, plan: Plan) -> list[Json]:
    """Return the nodes of measured poses and of their gaps, with the rows of their frames.

    Measurements without a node of a pose are left out.
    """
    places = {node.name: k for k, node in enumerate(animated.nodes) if node.follows and node.follows.what == MEASURED}
    return [
        {
            "ghost": places[f"measurement {name}"],
            "gap": places.get(f"gap of {name}"),
            "of": plan.index[measurement.of],
            "from": plan.index[measurement.relative_to],
        }
        for name, measurement in plan.instruments.measurements.items()
        if f"measurement {name}" in places
    ]


def uses_of(plan: Plan, code: SceneCode) -> list[list[int]]:
    """Return the indices of the parameters on which the motion of each frame depends, by rows."""
    places = {name: k for k, name in enumerate(code.parameters)}
    words = (frozenset[str]() if name == WORLD else words_in(plan.scene.frames[name]) for name in plan.names)
    return [sorted(places[word] for word in frame_words & places.keys()) for frame_words in words]
