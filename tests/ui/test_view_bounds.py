"""The sphere about all that is drawn, and picking of what it holds."""

from __future__ import annotations

import time

import numpy as np
import pytest

from framescope.core.analysis.staged_rotation import staged_rotation_of
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.ui.scene_view.camera.camera import NARROW_ASPECT, CameraState
from framescope.ui.scene_view.geometry.default_sizes import arrow_radius
from framescope.ui.scene_view.geometry.element_shapes import COLLAR_RADIUS, PLATE_RADIUS
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals.elements import Elements
from framescope.ui.theme.tokens import DARK
from tests.support.mechanical_scenes import MECHANICS
from tests.support.scenes import HEAD, scene_of
from tests.support.visuals import built, plan_of, tick_of

BUG = (
    HEAD
    + """\
  bug: {parent: world, position: {value: ["t", 0, 0], unit: m}}
sensors:
  speed: {form: absolute, frame_a: bug, get_v: true, arrows: {v: 3 m per m/s}}
"""
)


def shown(text: str, t: float = 0.0) -> SceneRenderer:
    scene = scene_of(text)
    plan = compile_plan(scene)
    renderer = SceneRenderer(DARK)
    renderer.set_plan(plan)
    renderer.show(evaluate(plan, t))
    return renderer


def holds(renderer: SceneRenderer, p_W) -> bool:
    center, radius = renderer.bounding_sphere()
    return bool(np.linalg.norm(np.asarray(p_W) - center) <= radius + 1e-9)


def test_that_the_sphere_takes_in_arrows() -> None:
    renderer = shown(BUG, 0.5)
    assert holds(renderer, (3.5, 0.0, 0.0))
    without = shown(BUG.replace(", arrows: {v: 3 m per m/s}", ""), 0.5)
    assert not holds(without, (3.5, 0.0, 0.0))
    renderer.detach()
    without.detach()


def test_that_the_sphere_takes_in_springs_and_the_ground_they_stand_on() -> None:
    renderer = shown(MECHANICS, 0.4)
    plan = plan_of(MECHANICS)
    elements = built(Elements, plan)
    elements.show(tick_of(plan, 0.4))
    margin = PLATE_RADIUS * arrow_radius(plan.view_data)
    for _, end, start, _ in elements.extents():
        assert holds(renderer, end)
        assert holds(renderer, start - (0.0, 0.0, margin))
    renderer.detach()


def test_that_a_sphere_about_nothing_that_is_a_number_stays_what_it_was() -> None:
    renderer = shown(BUG.replace('["t", 0, 0]', '["sqrt(t - 1)", 0, 0]'), 0.0)
    center, radius = renderer.bounding_sphere()
    assert np.isfinite(center).all()
    assert 0.1 < radius < 1.0
    renderer.detach()


@pytest.mark.parametrize("name", ["leg", "floor", "join"])
def test_that_an_element_is_picked_all_along(name) -> None:
    renderer = shown(MECHANICS, 0.4)
    renderer.set_camera(CameraState((0.3, -3.0, 1.0), (0.0, 0.0, 0.4)))
    plan = plan_of(MECHANICS)
    elements = built(Elements, plan)
    elements.show(tick_of(plan, 0.4))
    _, end_W, start_W, _ = next(extent for extent in elements.extents() if extent[0] == name)
    projection = renderer.projection()
    for share in (0.35, 0.6, 0.9):
        x, y, _ = projection.project(end_W + share * (start_W - end_W))
        assert ("elements", name) in [hit.key for hit in renderer.hits(float(x), float(y))]
    end, start = projection.project(end_W)[:2], projection.project(start_W)[:2]
    x, y = start + 60.0 * (start - end) / np.hypot(*(start - end))
    assert ("elements", name) not in [hit.key for hit in renderer.hits(float(x), float(y))]
    renderer.detach()


def test_that_a_force_on_a_point_alone_is_picked_on_its_ring() -> None:
    text = MECHANICS.replace("point: B, to: C, signal", "point: A, signal")
    renderer, plan = shown(text, 0.4), plan_of(text)
    renderer.set_camera(CameraState((-0.65, 0.0, 2.0), (-0.65, 0.0, 0.0), up=(0.0, 1.0, 0.0)))
    projection = renderer.projection()
    at = projection.project(tick_of(plan, 0.4).snapshot.ports["A"].p_W)
    ring = COLLAR_RADIUS * arrow_radius(plan.view_data) * projection.focal_length_px / at[2]
    keys = [[hit.key for hit in renderer.hits(at[0], at[1] + share * ring)] for share in (0.9, 1.2)]
    assert [("elements", "push") in found for found in keys] == [True, False]
    renderer.detach()


@pytest.mark.window
def test_that_thousands_of_bodies_are_picked_quickly() -> None:
    count = 2_000
    text = HEAD + "".join(
        f"  f{i}: {{parent: world, position: {{value: [{i % 60}, {i // 60}, 0], unit: m}}}}\n" for i in range(count)
    )
    text += "bodies:\n" + "".join(
        f"  b{i}: {{frame: f{i}, shape: {{form: box, size: [40, 40, 40], unit: cm}}}}\n" for i in range(count)
    )
    scene = scene_of(text + "view: {triads: false, labels: false}\n")
    plan = compile_plan(scene)
    renderer = SceneRenderer(DARK)
    renderer.set_plan(plan)
    renderer.show(evaluate(plan, 0.0))
    renderer.set_camera(CameraState((30.0, -20.0, 30.0), (30.0, 25.0, 0.0)))
    x, y, _ = renderer.projection().project(np.array([31.0, 20.1, 0.2]))
    assert ("bodies", "b1231") in [hit.key for hit in renderer.hits(x, y)]
    start = time.perf_counter()
    for _ in range(20):
        renderer.hits(x, y)
    each_ms = 1e3 * (time.perf_counter() - start) / 20
    assert each_ms < 20  # one after the other it was more than a hundred
    renderer.detach()


TO_AND_FRO = """
framescope: 1
time: {end: 10 s}
frames:
  drone: {parent: world, position: {value: ["DISTANCE*cos(0.6*t)", 0, 0], unit: m}}
  camera: {parent: drone, position: {value: [0.6, 0, 0], unit: m}}
view: {triad_length: 0.5 m}
"""


def extent_of(renderer: SceneRenderer, times) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and highest pixels of all origins at some times."""
    snapshot = evaluate(renderer.tick.plan, np.array(times))
    pixels = renderer.projection().project(snapshot.p_WF.reshape(-1, 3))[:, :2]
    return pixels.min(axis=0), pixels.max(axis=0)


def test_that_the_first_picture_holds_a_motion_and_is_filled_by_it() -> None:
    renderer = shown(TO_AND_FRO.replace("DISTANCE", "2"))
    (left, bottom), (right, top) = extent_of(renderer, np.linspace(0.0, 10.0, 50))
    width, height = renderer.layers.size
    assert left > 0
    assert bottom > 0
    assert right < width
    assert top < height
    assert right - left > 0.6 * width
    renderer.detach()


def test_that_a_motion_that_is_much_larger_than_the_scene_is_not_fitted() -> None:
    renderer = shown(TO_AND_FRO.replace("DISTANCE*cos(0.6*t)", "100*t"))
    (left, _), (right, _) = extent_of(renderer, [0.0])
    assert right - left > 0.15 * renderer.layers.size[0]
    renderer.detach()


def test_that_a_fitted_scene_stays_beside_the_cards_and_a_moved_camera_stays_where_it_is() -> None:
    renderer = shown(TO_AND_FRO.replace("DISTANCE", "2"))
    before, (width, height) = renderer.camera(), renderer.layers.size
    renderer.reserve_areas(((width - 120, 20, 110, height - 40),))
    _, (right, _) = extent_of(renderer, np.linspace(0.0, 10.0, 50))
    assert renderer.camera() != before
    assert right < width - 120
    moved = CameraState((0.0, -5.0, 2.0))
    renderer.set_camera(moved)
    renderer.reserve_areas(())
    assert renderer.camera() == moved
    renderer.detach()


AUTHORED = (
    HEAD
    + """\
  one: {parent: world}
view: {camera: {position: [0, -5, 1], focal_point: [0, 0, 0], unit: m}}
"""
)


def test_that_a_camera_of_a_scene_steps_back_in_a_narrow_picture() -> None:
    renderer = shown(AUTHORED)
    renderer.set_live(True)
    across = np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])

    def share_of_width(width: int, height: int) -> float:
        renderer.layers.size_without_window = width, height
        pixels = renderer.projection().project(across)
        return float(np.ptp(pixels[:, 0]) / width)

    usual = share_of_width(round(600 * NARROW_ASPECT), 600)
    assert share_of_width(1200, 600) == pytest.approx(usual * NARROW_ASPECT / 2.0)  # as wide as it was made for
    for width in (600, 260):
        assert share_of_width(width, 600) == pytest.approx(usual, rel=0.1)
    renderer.set_live(False)  # an export moves the camera itself, with the cards of the film
    assert share_of_width(600, 600) == pytest.approx(usual * NARROW_ASPECT, rel=0.01)
    assert not renderer.is_camera_moved
    renderer.detach()


BODY_ON_FRAME = (
    HEAD
    + """\
  one:
    parent: world
    orientation: {form: axes, sequence: ZYX, angles: [30, 20, 10], unit: deg}
bodies:
  rod: {frame: one, shape: {form: cylinder, radius: 0.05 m, height: LENGTH m}}
view: {triad_length: 0.3 m}
"""
)


@pytest.mark.parametrize(("length", "is_whole"), [("1.0", True), ("20", False)])
def test_that_turn_by_turn_the_bodies_on_a_frame_are_in_the_picture(length, is_whole) -> None:
    renderer = shown(BODY_ON_FRAME.replace("LENGTH", length))
    width, height = renderer.layers.size
    step = staged_rotation_of(renderer.tick.plan, renderer.tick.snapshot, "one")
    area = (40.0, 40.0, width - 40.0, height - 40.0)
    renderer.set_camera(renderer.fitted_to_steps(step, area))
    reach, (_, origin) = renderer.reach_of("one"), renderer.pose_of("one")
    right, up, _ = renderer.camera().axes()
    ends = np.array([origin + reach * way for way in (right, -right, up, -up)])
    pixels = renderer.projection().project(ends)[:, :2]
    assert bool(((pixels > 0.0) & (pixels < (width, height))).all()) == is_whole
    renderer.detach()
