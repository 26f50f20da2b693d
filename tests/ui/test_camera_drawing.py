"""Drawing of a calibrated camera: its marks, its picture, its outline, and a camera of the view off its middle."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkCamera, vtkRenderer, vtkRenderWindow

from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.ui.scene_view.base.scene_options import SELECTED
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.geometry.camera_marks import BEYOND, camera_marks
from framescope.ui.scene_view.visuals.bodies import Bodies, frustum_corners
from framescope.ui.scene_view.visuals.selection import Selection
from framescope.ui.theme.tokens import DARK, channels
from tests.support.visuals import built, give, points, tick_of

SCENE = """\
framescope: 1
frames:
  cam0: {parent: world}
bodies:
  lens:
    frame: cam0
    color: y
    shape: {form: camera, resolution: [40, 30], focal_lengths: [20, 15], principal_point: [9.5, 19.5], depth: 2 m,
      picture: seen.png}
"""


def plan_in(folder, *, has_picture: bool = True):
    path = folder / "scene.yaml"
    path.write_text(SCENE, "utf-8")
    if has_picture:
        image = Image.new("RGB", (8, 6), "blue")
        image.putpixel((0, 0), (255, 0, 0))
        image.save(folder / "seen.png")
    return compile_plan(load_scene(path).scene, folder)


def test_that_the_image_is_off_the_optical_axis_as_the_principal_point(tmp_path) -> None:
    (body,) = plan_in(tmp_path).view_data.bodies
    corners = frustum_corners(body)
    np.testing.assert_allclose(corners[0], 0.0)
    np.testing.assert_allclose(corners[1:, 0], [-1, 3, 3, -1])
    np.testing.assert_allclose(corners[1:, 1], [-8 / 3, -8 / 3, 4 / 3, 4 / 3])
    np.testing.assert_allclose(corners[1:, 2], 2.0)


def test_that_the_marks_are_beside_the_upper_left_corner_at_the_axis_and_along_it(tmp_path) -> None:
    (body,) = plan_in(tmp_path).view_data.bodies
    marks = np.array(camera_marks(body.size).points)
    in_plane = marks[np.isclose(marks[:, 2], 2.0)]
    assert in_plane[:, 0].min() < -1.0  # v beside the left edge
    assert in_plane[:, 1].min() < -8 / 3  # u above the upper edge
    assert in_plane[:, 0].max() < 3.0
    along = marks[(marks[:, 0] == 0.0) & (marks[:, 1] == 0.0)]
    assert along[:, 2].max() == pytest.approx(2.0 * BEYOND, rel=0.05)
    cross = in_plane[np.hypot(in_plane[:, 0], in_plane[:, 1]) < 0.5]
    np.testing.assert_allclose(cross.mean(axis=0), (0.0, 0.0, 2.0), atol=1e-6)


def test_that_the_picture_is_upright_on_the_image(tmp_path) -> None:
    plan = plan_in(tmp_path)
    visual = built(Bodies, plan)
    (quad,) = (actor for actor in visual.scene_actors if actor.GetTexture() is not None)
    np.testing.assert_allclose(points(quad), frustum_corners(plan.view_data.bodies[0])[1:], atol=1e-6)
    places = vtk_to_numpy(quad.GetMapper().GetInput().GetPointData().GetTCoords())
    np.testing.assert_array_equal(places, [(0, 1), (1, 1), (1, 0), (0, 0)])
    image = quad.GetTexture().GetInput()
    texels = vtk_to_numpy(image.GetPointData().GetScalars()).reshape(6, 8, 3)
    assert texels[-1, 0].tolist() == [255, 0, 0]  # the upper left pixel: texels begin at the bottom
    others = [actor for actor in visual.scene_actors if actor is not quad]
    assert all(actor.GetProperty().GetColor() == pytest.approx(channels(DARK.axis_y)) for actor in others)


def test_that_a_camera_without_its_picture_has_a_far_end_instead(tmp_path) -> None:
    def triangles(visual) -> int:
        return sum(actor.GetMapper().GetInput().GetNumberOfPolys() for actor in visual.scene_actors)

    bare = built(Bodies, plan_in(tmp_path, has_picture=False))
    assert all(actor.GetTexture() is None for actor in bare.scene_actors)
    assert triangles(bare) == 6
    assert triangles(built(Bodies, plan_in(tmp_path))) == 4 + 1
    (tmp_path / "seen.png").write_bytes(b"no picture")
    assert triangles(built(Bodies, plan_in(tmp_path, has_picture=False))) == 6


def test_that_the_outline_of_a_camera_widens_its_lines(tmp_path) -> None:
    plan = plan_in(tmp_path)
    selection = built(Selection, plan)
    give(selection, SELECTED, "cam0")
    selection.show(tick_of(plan))
    assert [bool(actor.GetVisibility()) for actor in selection.scene_actors] == [False, True, False]


def test_that_exports_have_the_lines_and_faces_of_a_camera(tmp_path) -> None:
    (node,) = built(Bodies, plan_in(tmp_path)).nodes()
    assert len(node.shapes) == 3


@pytest.mark.parametrize("center", [(0.0, 0.0), (0.3, -0.2), (-1.4, 0.7)])
def test_that_a_projection_off_its_middle_is_that_of_vtk(center) -> None:
    state = CameraState((1.0, -3.0, 2.0), (0.2, 0.1, 0.4), (0.1, 0.0, 1.0), 0.8, center=center)
    projection = Projection(state, 800, 600, 1.0)
    camera, renderer, window = vtkCamera(), vtkRenderer(), vtkRenderWindow()
    window.SetOffScreenRendering(True)
    window.SetSize(800, 600)
    window.AddRenderer(renderer)
    renderer.SetActiveCamera(camera)
    camera.SetPosition(*state.position)
    camera.SetFocalPoint(*state.focal_point)
    camera.SetViewUp(*state.up)
    camera.SetViewAngle(np.degrees(state.view_angle))
    camera.SetWindowCenter(-center[0], -center[1])
    matrix = camera.GetCompositeProjectionTransformMatrix(800 / 600, -1, 1)
    rows = np.array([[matrix.GetElement(i, j) for j in range(4)] for i in range(4)])
    p_W = np.random.default_rng(3).uniform(-0.5, 0.5, (20, 3))
    clip = np.column_stack([p_W, np.ones(20)]) @ rows.T
    expected = 0.5 * (clip[:, :2] / clip[:, 3:] + 1.0) * (800, 600)
    np.testing.assert_allclose(projection.project(p_W)[:, :2], expected, atol=1e-6)
    x, y = projection.center_px
    np.testing.assert_allclose(projection.ray(x, y), state.direction, atol=1e-12)
    np.testing.assert_allclose(projection.point_at(x, y), state.focal_point, atol=1e-12)
