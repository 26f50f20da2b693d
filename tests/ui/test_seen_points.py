"""Points of a cloud that others hide: those that stay draw the same picture."""

from __future__ import annotations

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkRenderWindow, vtkWindowToImageFilter

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.files.loading import load_scene
from framescope.core.system.file_access import Access
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals.bodies import Bodies
from framescope.ui.scene_view.visuals.light_bodies import MANY_POINTS
from framescope.ui.scene_view.visuals.seen_points import is_seen
from framescope.ui.theme.tokens import DARK
from tests.support.reconstructions import write_drive

SIZE = (320, 180)
POINTS = np.random.default_rng(3).normal(size=(400, 3))


def projection(*, is_parallel: bool = False, position=(0.0, -6.0, 0.5)) -> Projection:
    return Projection(CameraState(position, (0.0, 0.0, 0.0), is_parallel=is_parallel), 40, 30, 1.0)


@pytest.mark.parametrize("is_parallel", [False, True])
def test_that_the_nearest_point_of_each_square_is_kept(is_parallel) -> None:
    """Compared with a slow loop over points and pixels."""
    view = projection(is_parallel=is_parallel)
    kept = is_seen(POINTS, view, np.eye(3), np.zeros(3), 2.0)
    at = view.project(POINTS)
    nearest: dict[tuple[int, int], float] = {}
    cells = [(int(np.ceil(x - 1.5)), int(np.ceil(y - 1.5))) for x, y, _ in at]
    for cell, depth in zip(cells, at[:, 2], strict=True):
        nearest[cell] = min(depth, nearest.get(cell, np.inf))
    for k, (cell, depth) in enumerate(zip(cells, at[:, 2], strict=True)):
        is_touching, is_far = -2 < cell[0] < 40 and -2 < cell[1] < 30, not (-5 < cell[0] < 45 and -5 < cell[1] < 35)
        if is_touching:
            assert kept[k] == (abs(depth - nearest[cell]) < 1e-5), (k, cell)
        elif is_far:
            assert not kept[k]


def test_that_points_behind_the_camera_and_beside_the_picture_are_left_out() -> None:
    points = np.array([[0.0, 0.0, 0.0], [0.0, -20.0, 0.0], [100.0, 0.0, 0.0], [np.nan, 0.0, 0.0], [0.0, 0.0, 1e30]])
    assert is_seen(points, projection(), np.eye(3), np.zeros(3), 2.0).tolist() == [True, False, False, False, False]


def test_that_the_pose_of_the_body_counts() -> None:
    R, p = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), np.array([0.3, 0.2, -0.1])
    kept = is_seen(POINTS, projection(), R, p, 2.0)
    np.testing.assert_array_equal(kept, is_seen(POINTS @ R.T + p, projection(), np.eye(3), np.zeros(3), 2.0))


@pytest.fixture
def drive(tmp_path):
    loaded = load_scene(write_drive(tmp_path, n_points=60_000, n_poses=20, n_cameras=2))
    plan = compile_plan(loaded.scene, access=Access(tmp_path))
    window = vtkRenderWindow()
    window.SetOffScreenRendering(True)
    window.SetMultiSamples(0)
    window.SetSize(*SIZE)
    renderer = SceneRenderer(DARK)
    renderer.set_live(True)
    renderer.layers.attach(window)
    renderer.set_plan(plan)
    renderer.show(evaluate(plan, 0.3), {})
    yield renderer, window
    renderer.detach()
    window.Finalize()


def picture(renderer, window) -> np.ndarray:
    window.Render()
    grab = vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    grab.Update()
    return vtk_to_numpy(grab.GetOutput().GetPointData().GetScalars()).astype(int)


def n_drawn(renderer) -> int:
    (cloud,) = (placed for placed in renderer.visual(Bodies).placed if placed.body.kind == "points")
    actors = [actor for actor in renderer.visual(Bodies).scene_actors if actor.GetVisibility()]
    counts = [actor.GetMapper().GetInput() for actor in actors]
    assert cloud
    return max(polydata.GetNumberOfPoints() for polydata in counts if polydata.GetNumberOfVerts())


def test_that_the_picture_is_that_of_all_points_and_fewer_are_drawn_while_moving(drive) -> None:
    renderer, window = drive
    renderer.set_moving(False)
    renderer.prepare()
    seen, n_seen = picture(renderer, window), n_drawn(renderer)
    assert n_seen < 30_000
    renderer.set_gpu(True)  # which draws all points
    renderer.prepare()
    whole = picture(renderer, window)
    assert n_drawn(renderer) == 60_000
    assert np.count_nonzero(np.abs(seen - whole).max(axis=1)) < 0.002 * len(whole)
    renderer.set_gpu(False)
    renderer.set_moving(True)
    renderer.prepare()
    assert n_drawn(renderer) == MANY_POINTS
