"""What a picture of many frames leaves out: names, shapes of axes, links."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.visuals import parent_links, triads
from framescope.ui.scene_view.visuals.frame_names import BLOCK, Nearest
from framescope.ui.scene_view.visuals.parent_links import Links
from framescope.ui.scene_view.visuals.triads import GPU, SOFTWARE, Limits, Triads, template_for
from tests.support.scenes import HEAD
from tests.support.visuals import built, plan_of, points, tick_of

FEW_LINES = Limits(0, 0, 0, 5)


def row_of_frames(count: int) -> str:
    return HEAD + "".join(
        f"  f{i}: {{parent: world, position: {{value: [0, {i}, 0], unit: cm}}, "
        f"orientation: {{form: axis, axis: z, angle: {i}, unit: deg}}}}\n"
        for i in range(count)
    )


def test_that_the_nearest_frames_in_the_picture_are_chosen() -> None:
    count = BLOCK + 20
    plan = plan_of(row_of_frames(count))
    snapshot = tick_of(plan).snapshot
    rows = np.arange(1, count + 1)
    projection = Projection(CameraState((0.0, -2.0, 0.0), (0.0, 0.0, 0.0)), 400, 300, 1.0)
    nearest = Nearest(rows)
    assert nearest.choose(4, snapshot, projection).tolist() == [1, 2, 3, 4]
    behind = Projection(CameraState((0.0, 0.305, 0.0), (0.0, 1.0, 0.0)), 400, 300, 1.0)
    assert nearest.choose(3, snapshot, behind).tolist() == [32, 33, 34]
    aside = Projection(CameraState((0.0, -2.0, 0.0), (9.0, -2.0, 0.0)), 400, 300, 1.0)
    assert nearest.choose(3, snapshot, aside).tolist() == []
    lost = replace(snapshot, is_posed=snapshot.is_posed & (np.arange(count + 1) != 2))
    assert nearest.choose(3, lost, projection).tolist() == [1, 3, 4]
    assert Nearest(rows[:2]).choose(9, snapshot, projection).tolist() == [1, 2]


@pytest.mark.parametrize("limits", [SOFTWARE, GPU])
def test_that_axes_are_drawn_with_less_detail_the_more_there_are(limits) -> None:
    counts = [limits.fine, limits.plain, limits.arrows, limits.lines, limits.lines + 1]
    templates = [template_for(count, limits) for count in counts]
    assert [template.cells.shape[1] for template in templates] == [3, 3, 3, 2, 1]
    assert [template_for(count + 1, limits) for count in counts[:-1]] == templates[1:]
    sizes = [len(template.points) for template in templates]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def test_that_more_frames_than_lines_are_drawn_as_points_at_their_origins(monkeypatch) -> None:
    monkeypatch.setattr(triads, "SOFTWARE", FEW_LINES)
    plan = plan_of(row_of_frames(6))
    visual, tick = built(Triads, plan), tick_of(plan)
    visual.show(tick)
    drawn = visual.scene_actors[0].GetMapper().GetInput()
    assert (drawn.GetNumberOfVerts(), drawn.GetNumberOfLines(), drawn.GetNumberOfPolys()) == (7, 0, 0)
    assert visual.scene_actors[0].GetProperty().GetPointSize() == triads.POINT_SIZE
    np.testing.assert_allclose(points(visual.scene_actors[0]), tick.snapshot.p_WF, atol=1e-6)
    few = built(Triads, plan_of(row_of_frames(4)))
    assert few.scene_actors[0].GetMapper().GetInput().GetNumberOfLines() == 15


def test_that_there_are_links_up_to_as_many_frames_as_are_lines(monkeypatch) -> None:
    monkeypatch.setattr(parent_links, "SOFTWARE", FEW_LINES)
    assert len(built(Links, plan_of(row_of_frames(5))).scene_actors) == 1
    assert built(Links, plan_of(row_of_frames(6))).scene_actors == []
