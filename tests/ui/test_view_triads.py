"""The merged triads: their points, normals and levels of detail."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy

from framescope.ui.scene_view.geometry.actors import points_of
from framescope.ui.scene_view.visuals.triads import (
    SOFTWARE,
    MergedTriads,
    Triads,
    arrow_template,
    sketch_template,
    template_for,
)
from tests.support.scenes import GOOD, HEAD
from tests.support.visuals import built, looks_outward, plan_of, points, tick_of


@pytest.mark.long
@pytest.mark.parametrize("count", [3, SOFTWARE.fine + 5, SOFTWARE.plain + 5, SOFTWARE.arrows + 5])
def test_that_all_triads_have_the_points_of_their_poses(count) -> None:
    frames = "".join(
        f"  f{i}: {{parent: {'gone' if i % 3 == 1 else 'world'}, position: {{value: [{i}, {i % 5}, 1], unit: cm}}, "
        f"orientation: {{form: axes, sequence: XYZ, angles: [{i}, {2 * i}, 40], unit: deg}}}}\n"
        for i in range(count)
    )
    plan = plan_of(HEAD + frames)
    triads, tick = built(Triads, plan), tick_of(plan, 1.0)
    triads.show(tick)
    snapshot, template = tick.snapshot, template_for(count + 1, is_thin=plan.view_data.has_thin_triads)
    expected = np.einsum("nij,mj->nmi", 0.2 * snapshot.R_WF, template.points) + snapshot.p_WF[:, None]
    expected[~snapshot.is_posed] = 0.0
    assert not snapshot.is_posed.all()
    np.testing.assert_allclose(points(triads.scene_actors[0]), expected.reshape(-1, 3), atol=2e-6)


@pytest.mark.parametrize("is_fine", [True, False])
def test_that_the_faces_of_arrows_look_outward(is_fine) -> None:
    template = arrow_template(is_fine=is_fine)
    assert looks_outward(template.points, template.cells, template.normals)


def test_that_the_faces_of_sketched_arrows_look_outward() -> None:
    template = sketch_template()
    first = 0
    for axis in range(3):
        last = first + int((template.axis_of == axis).sum())
        for start, stop in ((first, first + 6), (first + 6, last)):  # shaft and tip are convex, each by itself
            cells = template.cells[((template.cells >= start) & (template.cells < stop)).all(axis=1)]
            assert len(cells) >= 6
            outward = template.points - template.points[start:stop].mean(axis=0)
            assert looks_outward(template.points, cells, outward)
        first = last
    assert first == len(template.points)


def test_that_a_triad_comes_back_with_its_pose() -> None:
    plan = plan_of(GOOD)
    triads, tick = built(Triads, plan), tick_of(plan)
    triads.show(tick)
    before = points(triads.scene_actors[0]).copy()
    snapshot = tick.snapshot
    gone = np.zeros_like(snapshot.is_posed)
    triads.triads.update(snapshot.R_WF, snapshot.p_WF, np.full(len(gone), 0.2), gone)
    assert not points(triads.scene_actors[0]).any()
    triads.show(tick)
    np.testing.assert_array_equal(points(triads.scene_actors[0]), before)


def test_that_a_tick_makes_no_array_of_the_size_of_the_picture() -> None:
    frames = "".join(
        f'  f{i}: {{parent: world, orientation: {{form: axis, axis: z, angle: "{i}*t", unit: deg}}}}\n'
        for i in range(400)
    )
    plan = plan_of(HEAD + frames)
    triads, ticks = built(Triads, plan), [tick_of(plan, t) for t in (0.0, 1.0)]
    triads.show(ticks[0])
    tracemalloc.start()
    try:
        triads.show(ticks[1])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 0.5 * points(triads.scene_actors[0]).nbytes


@pytest.mark.parametrize("template", [arrow_template(is_fine=True), sketch_template()], ids=["smooth", "sketched"])
def test_that_the_arrows_of_a_left_handed_frame_are_not_seen_from_inside(template) -> None:
    triads = MergedTriads(template, 2, np.full((4, 4), 255, dtype=np.uint8))

    def normals_of(faces):
        return np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])

    corners = vtk_to_numpy(triads.polydata.GetPolys().GetConnectivityArray()).reshape(2, -1, 3)
    upright, mirrored = np.eye(3), np.eye(3)[[1, 0, 2]]
    for second in (mirrored, mirrored, upright, mirrored):
        triads.update(np.array([upright, second]), np.zeros((2, 3)), np.ones(2), np.ones(2, dtype=bool))
        at = points_of(triads.polydata).reshape(2, -1, 3)
        for i, R in enumerate((upright, second)):
            drawn = normals_of(at[i][corners[i] - i * len(template.points)])
            outward = normals_of(template.points[template.cells]) @ R.T
            assert (np.sum(drawn * outward, axis=-1) >= -1e-12).all()
