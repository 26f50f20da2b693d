"""Whole pictures of the scene, rendered off screen without Qt, and the map from the world to their pixels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.ui.scene_view.base.scene_options import SELECTED
from framescope.ui.scene_view.base.visual import BARE, VIDEO, WINDOW
from framescope.ui.scene_view.camera import camera as cameras
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals.grid import Grid
from framescope.ui.scene_view.visuals.view_cube import MARGIN, SPAN
from framescope.ui.theme.tokens import DARK, LIGHT, channels
from tests.support.scenes import GOOD, PROBLEMS, scene_of

pytestmark = pytest.mark.window

SIZE = (480, 300)


@dataclass
class Stage:
    """A renderer in a window of its own, and what it draws."""

    renderer: SceneRenderer
    window: vtkRenderWindow

    def set(self, text: str, t: float = 0.0) -> Stage:
        scene = scene_of(text)
        self.plan = compile_plan(scene)
        self.renderer.set_plan(self.plan)
        return self.at(t)

    def at(self, t: float) -> Stage:
        self.renderer.show(evaluate(self.plan, t), trails(self.plan, t))
        return self

    def picture(self) -> np.ndarray:
        """Render, and return the pixels (height, width, 3), the lowest row first."""
        self.renderer.prepare()
        self.window.Render()
        pixels = vtkUnsignedCharArray()
        width, height = self.window.GetSize()
        self.window.GetPixelData(0, 0, width - 1, height - 1, 0, pixels, 0)
        return vtk_to_numpy(pixels).reshape(height, width, 3).astype(int)

    def prop_count(self) -> int:
        return sum(layer.GetViewProps().GetNumberOfItems() for layer in self.window.GetRenderers())


@pytest.fixture
def open_stage():
    """Return what makes stages; they are taken down after the test."""
    stages = []

    def open_one(theme=DARK, decorations=WINDOW, scale: float = 1.0) -> Stage:
        window = vtkRenderWindow()
        window.SetOffScreenRendering(1)
        window.SetMultiSamples(0)
        window.SetSize(*SIZE)
        renderer = SceneRenderer(theme, scale, decorations)
        renderer.layers.attach(window)
        stages.append(Stage(renderer, window))
        return stages[-1]

    yield open_one
    for stage in stages:
        stage.renderer.detach()
        stage.window.Finalize()
    stages.clear()


@pytest.fixture
def stage(open_stage) -> Stage:
    return open_stage().set(GOOD)


def colored(picture: np.ndarray, color: str, tolerance: int = 30) -> int:
    """Return how many pixels are near a colour."""
    return int((np.abs(picture - 255 * np.array(channels(color))).max(axis=-1) <= tolerance).sum())


def test_that_our_projection_is_that_of_vtk(stage) -> None:
    rng = np.random.default_rng(1)
    for camera in (
        CameraState((2.0, -3.0, 1.5), (0.1, 0.2, 0.3), view_angle=0.7),
        cameras.look_from(CameraState((2.0, 0.0, 0.0)), (0.0, 0.0, -1.0)),
        CameraState((-1.0, 0.5, 0.2), (0.0, 0.0, 0.4), up=(0.3, 0.1, 0.8)),
    ):
        stage.renderer.set_camera(camera)
        stage.picture()
        layer = stage.renderer.layers.scene_layer
        points = np.array(camera.focal_point) + rng.uniform(-0.3, 0.3, (20, 3))
        expected = []
        for point in points:
            layer.SetWorldPoint(*point, 1.0)
            layer.WorldToDisplay()
            expected.append(layer.GetDisplayPoint()[:2])
        np.testing.assert_allclose(stage.renderer.projection().project(points)[:, :2], expected, atol=1e-3)


def test_that_the_frames_are_seen_in_the_colours_of_their_axes(stage) -> None:
    picture = stage.picture()
    assert all(colored(picture, color) > 20 for color in DARK.axes)
    np.testing.assert_allclose(picture[-1, -1], 255 * np.array(channels(DARK.scene_top)), atol=2)
    np.testing.assert_allclose(picture[0, -1], 255 * np.array(channels(DARK.scene_bottom)), atol=2)


def test_that_pictures_differ_with_time_and_equal_times_give_equal_pictures(stage) -> None:
    first, second = stage.picture(), stage.at(2.0).picture()
    assert (np.abs(first - second).max(axis=-1) > 20).sum() > 200
    np.testing.assert_array_equal(stage.at(0.0).picture(), first)


def test_that_one_renderer_draws_what_a_fresh_one_does(open_stage, stage) -> None:
    stage.picture()
    stage.set(PROBLEMS["cycle"][0], 1.0).renderer.set_theme(LIGHT)
    fresh = open_stage(LIGHT).set(PROBLEMS["cycle"][0], 1.0)
    for one in (stage, fresh):
        one.renderer.set_camera(CameraState((2.0, -2.0, 1.2), (0.0, 0.0, 0.4)))
    np.testing.assert_array_equal(stage.picture(), fresh.picture())


def test_that_another_theme_recolours_everything_and_back_again(stage) -> None:
    dark = stage.picture()
    stage.renderer.set_theme(LIGHT)
    light = stage.picture()
    np.testing.assert_allclose(light[-1, -1], 255 * np.array(channels(LIGHT.scene_top)), atol=2)
    assert (light.mean(axis=-1) < 60).sum() > 0.5 * (dark.mean(axis=-1) > 200).sum()  # the text is dark now
    stage.renderer.set_theme(DARK)
    np.testing.assert_array_equal(stage.picture(), dark)


def test_that_an_edit_of_numbers_keeps_all_geometry(stage) -> None:
    before = stage.picture()
    visuals = list(stage.renderer.visuals)
    stage.set(GOOD.replace("[10, ", "[60, "))
    assert stage.renderer.visuals == visuals
    assert (stage.picture() != before).any()
    stage.set(GOOD.replace("radius: 0.3 m", "radius: 0.2 m"))
    assert stage.renderer.visuals != visuals


def test_that_a_frame_is_picked_by_its_origin_and_by_its_axes(stage) -> None:
    stage.renderer.set_camera(CameraState((1.0, -3.0, 1.2), (0.0, 0.0, 0.3)))
    assert stage.renderer.hits(*stage.renderer.position_of("world"))[0].key == ("frames", "world")
    tip = stage.renderer.projection().project(np.array([0.2, 0.0, 0.0]))
    assert stage.renderer.hits(tip[0], tip[1])[0].key == ("frames", "world")
    assert stage.renderer.hits(2.0, 2.0) == []
    assert stage.renderer.position_of("nobody") is None


def test_that_a_frame_without_a_pose_is_neither_picked_nor_drawn(open_stage) -> None:
    stage = open_stage().set(PROBLEMS["unknown parent"][0])
    assert stage.renderer.position_of("ring") is None
    picture = stage.picture()
    assert stage.renderer.hits(*stage.renderer.position_of("stand"))[0].key == ("frames", "stand")
    assert colored(picture, DARK.axis_x) > 10


def test_that_the_selection_is_a_light_outline_that_goes_away_again(stage) -> None:
    before = stage.picture()
    stage.renderer.set_option(SELECTED, "ring")
    outlined = stage.picture()
    # Its pale axes change little where they are in view.
    changed = np.abs(outlined - before).max(axis=-1) > 4
    assert 30 < changed.sum() < 0.05 * changed.size
    light = 255 * np.array(channels(DARK.text))
    # The plates of names lie over some of it, and its letters come before those of the others.
    assert (np.abs(outlined[changed] - light).max(axis=-1) <= 2).mean() > 0.5
    stage.renderer.set_option(SELECTED, None)
    np.testing.assert_array_equal(stage.picture(), before)


def test_that_the_trail_and_the_clock_are_drawn(stage) -> None:
    without = GOOD.replace("trails:\n    - {frame: top, duration: 1 s}", "trails: []")
    moving = GOOD.replace("[0, 0, 0.5]", '["0.3*t", 0, 0.5]')
    stage.renderer.set_camera(CameraState((0.5, -3.0, 1.2), (0.3, 0.0, 0.4)))
    with_trail = stage.set(moving, 1.0).picture()
    assert (stage.set(without.replace("[0, 0, 0.5]", '["0.3*t", 0, 0.5]'), 1.0).picture() != with_trail).any()
    corner = (slice(SIZE[1] - 60, None), slice(0, 120))
    assert (stage.set(GOOD, 0.0).picture()[corner] != stage.at(9.0).picture()[corner]).any()


def test_that_the_view_cube_is_drawn_in_its_corner_and_clicked_there(open_stage, stage) -> None:
    center = MARGIN + SPAN / 2
    camera = cameras.look_from(CameraState((0.0, -3.0, 0.5), (0.0, 0.0, 0.5)), (0.0, -1.0, 0.0))
    stage.renderer.set_camera(camera)
    np.testing.assert_array_equal(stage.renderer.cube_face_at(center, center), (0.0, -1.0, 0.0))
    corner = stage.picture()[int(MARGIN) : int(MARGIN + SPAN), int(MARGIN) : int(MARGIN + SPAN)]
    assert colored(corner, DARK.axis_y_text, 12) > 10
    video = open_stage(decorations=VIDEO).set(GOOD)
    video.renderer.set_camera(camera)
    assert video.renderer.cube_face_at(center, center) is None
    corner = video.picture()[int(MARGIN) : int(MARGIN + SPAN), int(MARGIN) : int(MARGIN + SPAN)]
    assert colored(corner, DARK.axis_y_text, 12) == 0


def test_that_ghosts_are_paler_than_axes_and_arcs_have_the_colours_of_theirs(open_stage) -> None:
    text = """\
framescope: 1
frames:
  part: {parent: world, orientation: {form: axes, sequence: XYZ, angles: [60, "50*t", 0], unit: deg}}
view:
  triads: false
  labels: false
  grid: 100 m
  camera: {position: [2, -2, 1.3], focal_point: [0, 0, 0], unit: m}
"""
    for theme in (DARK, LIGHT):
        stage = open_stage(theme)
        bare = stage.set(text, 1.0).picture()
        arcs = stage.set(f"{text}  arcs: [{{frame: part, radius: 0.5 m}}]\n", 1.0).picture()
        more = [colored(arcs, color) - colored(bare, color) for color in theme.axes]  # the view cube has them, too
        assert [count > 60 for count in more] == [True, True, False]
        stages = stage.set(f"{text}  stages: [{{frame: part, length: 0.5 m}}]\n", 1.0).picture()
        # Only the core of the lit axis has its own colour, in a wide halo; ghosts are mixed with the ground.
        more = [colored(stages, color, 12) - colored(bare, color, 12) for color in theme.axes]
        assert [count > 60 for count in more] == [False, True, False]
        changed = np.abs(stages - bare).max(axis=-1) > 8
        halo = np.abs(stages - (0.28 * 255 * np.array(channels(theme.axis_y)) + 0.72 * bare)).max(axis=-1) < 10
        assert (halo & changed).sum() > 400
        assert changed.sum() > 2000


def test_that_edges_can_be_smoothed(stage) -> None:
    sharp = stage.picture()
    stage.renderer.layers.smooth_edges(True)
    smooth = stage.picture()
    assert (smooth != sharp).any()
    assert np.abs(smooth - sharp).mean() < 3
    stage.renderer.layers.smooth_edges(False)
    np.testing.assert_array_equal(stage.picture(), sharp)


def test_that_scenes_come_and_go_without_leaving_anything_in_the_window(stage) -> None:
    stage.picture()
    count = stage.prop_count()
    for text in (PROBLEMS["cycle"][0], GOOD):
        stage.set(text).picture()
    assert stage.prop_count() == count
    stage.renderer.detach()
    assert stage.prop_count() == 0
    assert stage.window.GetRenderers().GetNumberOfItems() == 0


def test_that_the_kept_ground_is_copied_as_it_was_drawn_in_every_size_and_theme(open_stage, stage) -> None:
    first = stage.picture()
    np.testing.assert_array_equal(stage.picture(), first)
    stage.window.SetSize(300, 220)
    drawn = stage.picture()
    np.testing.assert_array_equal(stage.picture(), drawn)
    fresh = open_stage()
    fresh.window.SetSize(300, 220)
    fresh.set(GOOD)
    fresh.renderer.set_camera(stage.renderer.camera())
    np.testing.assert_array_equal(fresh.picture(), drawn)
    stage.renderer.set_theme(LIGHT)
    light = stage.picture()
    np.testing.assert_array_equal(stage.picture(), light)
    np.testing.assert_allclose(light[-1, -1], 255 * np.array(channels(LIGHT.scene_top)), atol=2)
    stage.window.SetSize(*SIZE)
    stage.renderer.set_theme(DARK)
    np.testing.assert_array_equal(stage.picture(), first)


def test_that_with_samples_the_ground_is_drawn_each_time(open_stage) -> None:
    window = open_stage().set("framescope: 1\nview: {triads: false, labels: false, grid: 100 m}\n", 0.0)
    column = window.picture()[:, -1]
    window.window.SetMultiSamples(4)
    for _ in range(2):
        np.testing.assert_allclose(window.picture()[:, -1], column, atol=1)
    window.window.SetMultiSamples(0)
    np.testing.assert_array_equal(window.picture()[:, -1], column)


@pytest.mark.parametrize("width", [1, 300])
def test_that_the_grid_is_drawn_however_wide_its_lines_are_and_fades(open_stage, width) -> None:
    # Lines wider than the hardware has them go through a geometry shader: in windows of a core profile any above 1.
    camera = "{position: [0, 0, 60], focal_point: [0, 0, 0], up: [0, 1, 0], unit: m}"
    stage = open_stage(decorations=replace(BARE, grid=True))
    stage.set(f"framescope: 1\nview: {{triads: false, labels: false, camera: {camera}}}\n")
    (grid,) = (visual for visual in stage.renderer.visuals if isinstance(visual, Grid))
    for actor in grid.scene_actors:
        actor.VisibilityOff()
    bare = stage.picture()
    for actor in grid.scene_actors:
        actor.VisibilityOn()
        actor.GetProperty().SetLineWidth(width)
    strength = np.abs(stage.picture() - bare).max(axis=-1)
    assert strength[140:160, 230:250].max() > 20
    assert width > 1 or strength[:4].max() == 0
