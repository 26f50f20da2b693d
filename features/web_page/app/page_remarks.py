"""Items of a scene that a page cannot hold."""

from __future__ import annotations

from collections.abc import Iterator

from framescope.app.exporters.scene_graph.remarks import omitted_clouds, omitted_rings
from framescope.core.evaluation.evaluate import Plan


def omitted_items(plan: Plan) -> Iterator[str]:
    """Yield the items of a scene and its picture that a page cannot hold."""
    if plan.view_data.intermediate_frames:
        yield "the letters of intermediate frames"
    yield from omitted_clouds(plan)
    yield from omitted_rings(plan)
