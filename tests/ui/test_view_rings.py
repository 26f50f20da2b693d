"""Gimbal rings: their poses, faces and warning edges."""

from __future__ import annotations

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy

from framescope import assets
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.kernels.validation import SEQUENCES, as_sequence
from framescope.core.kinematics import singularity_measure
from framescope.core.scene.files.loading import parse_scene
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.geometry.gimbal_geometry import (
    AXIS_RADII,
    AXIS_REACHES,
    RADII,
    THICKNESS,
    WIDTH,
    ring_frames,
)
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals.angle_arcs import Arcs
from framescope.ui.scene_view.visuals.bodies import Bodies
from framescope.ui.scene_view.visuals.gimbal_rings import Rings, ring_band
from framescope.ui.scene_view.visuals.notes import Notes
from framescope.ui.theme.tokens import DARK, channels
from tests.support.scenes import PROBLEMS
from tests.support.visuals import CAMERA, GIMBAL, built, gimbal, looks_outward, plan_of, pose, tick_of


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_each_ring_turns_about_an_axis_of_the_part_that_carries_it(sequence) -> None:
    rings, tick = gimbal(sequence, (35, -50, 115))
    fork, outer, middle, inner = (pose(actor)[:3, :3] for actor in rings.scene_actors[:4])
    e1, e2, e3 = (np.eye(3)[axis - 1] for axis in as_sequence(sequence))
    row = tick.snapshot.index["ring"]
    np.testing.assert_allclose(fork, tick.snapshot.R_WF[tick.snapshot.index["base"]], atol=1e-15)
    np.testing.assert_allclose(outer @ e1, fork @ e1, atol=1e-14)
    np.testing.assert_allclose(middle @ e2, outer @ e2, atol=1e-14)
    np.testing.assert_allclose(inner @ e3, middle @ e3, atol=1e-14)
    np.testing.assert_allclose(inner, tick.snapshot.R_WF[row], atol=1e-14)
    for actor in rings.scene_actors:
        np.testing.assert_allclose(pose(actor)[:3, 3], tick.snapshot.p_WF[row], atol=1e-15)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_the_faces_of_rings_fork_and_pins_look_outward(sequence) -> None:
    for actor in gimbal(sequence, (0, 0, 0))[0].scene_actors[:4]:
        mesh = actor.GetMapper().GetInput()
        cells = mesh.faces.reshape(-1, 4)[:, 1:]
        normals = vtk_to_numpy(mesh.GetPointData().GetNormals())
        assert looks_outward(mesh.points, cells, normals)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_the_plane_of_a_ring_holds_the_axes_it_joins(sequence) -> None:
    axes = [np.eye(3)[axis - 1] for axis in as_sequence(sequence)]
    for k, joined in enumerate(((0, 1), (1, 2), (2,))):
        frame = ring_frames(sequence)[k]
        np.testing.assert_allclose(frame.T @ frame, np.eye(3), atol=1e-15)
        assert np.linalg.det(frame) == pytest.approx(1.0)
        assert [frame[:, 2] @ axes[i] for i in joined] == [0.0] * len(joined)
    normals = np.array([frame[:, 2] for frame in ring_frames(sequence)])
    if sequence[0] != sequence[2]:
        np.testing.assert_array_equal(np.abs(normals @ normals.T), np.eye(3))


def test_that_three_different_axes_lock_when_the_third_falls_on_the_first() -> None:
    rings, _ = gimbal("XYZ", (20, 90, 0))
    fork, _, middle, _ = (pose(actor)[:3, :3] for actor in rings.scene_actors[:4])
    np.testing.assert_allclose(middle[:, 2], fork[:, 0], atol=1e-14)


def test_that_equal_first_and_third_axes_lock_when_outer_and_middle_ring_lie_in_one_plane() -> None:
    rings, _ = gimbal("ZXZ", (20, 0, 50))
    outer, middle = (pose(rings.scene_actors[1 + k])[:3, :3] @ ring_frames("ZXZ")[k][:, 2] for k in (0, 1))
    assert abs(outer @ middle) == pytest.approx(1.0, abs=1e-14)


def test_that_bands_are_as_wide_and_thick_as_they_say_and_carry_the_colour_of_their_axis() -> None:
    plan = plan_of(GIMBAL.format(sequence="YZX", angles=[0, 0, 0]))
    rings = built(Rings, plan)
    for k in range(3):
        band = ring_band(plan.view_data.rings[0], k).points @ ring_frames("YZX")[k] / 0.4
        radius = np.hypot(band[:, 0], band[:, 1])
        assert (radius.min(), radius.max()) == pytest.approx((RADII[k] - THICKNESS / 2, RADII[k] + THICKNESS / 2))
        assert np.abs(band[:, 2]).max() == pytest.approx(WIDTH / 2)
        colors = vtk_to_numpy(rings.scene_actors[1 + k].GetMapper().GetInput().GetPointData().GetScalars())
        axis = as_sequence("YZX")[k] - 1
        assert tuple(colors[0, :3] / 255) == pytest.approx(channels(DARK.axes[axis]))


@pytest.mark.parametrize(("beta", "color"), [(52.0, None), (54.0, DARK.amber), (71.0, DARK.amber), (73.0, DARK.red)])
def test_that_edges_warn_of_the_lock_without_new_geometry(beta, color) -> None:
    rings, _ = gimbal("XYZ", (10, beta, 0))
    edges = rings.scene_actors[4:]
    measure = singularity_measure("XYZ", np.radians([10, beta, 0]))[0]
    assert (measure >= 0.80, measure >= 0.95) == (color is not None, color == DARK.red)
    assert [bool(edge.GetVisibility()) for edge in edges] == [color is not None] * 3
    if color:
        assert [edge.GetProperty().GetColor() for edge in edges] == [pytest.approx(channels(color))] * 3
    made = [edge.GetMapper().GetInput().GetMTime() for edge in rings.scene_actors]
    rings.show(tick_of(plan_of(GIMBAL.format(sequence="XYZ", angles=[10, 90, 0]))))
    assert [bool(edge.GetVisibility()) for edge in edges] == [True] * 3
    assert [edge.GetProperty().GetColor() for edge in edges] == [pytest.approx(channels(DARK.red))] * 3
    assert [edge.GetMapper().GetInput().GetMTime() for edge in rings.scene_actors] == made


def test_that_what_hangs_on_a_frame_without_a_pose_is_hidden() -> None:
    plan = plan_of(PROBLEMS["unknown parent"][0])
    tick = tick_of(plan)
    assert not tick.snapshot.is_posed[plan.index["ring"]]
    for kind in (Rings, Bodies):
        visual = built(kind, plan)
        visual.show(tick)
        assert visual.scene_actors
        assert not any(actor.GetVisibility() for actor in visual.scene_actors)


@pytest.mark.parametrize(
    ("sequence", "angles", "is_locked"), [("XYZ", (20, 90, 40), True), ("XYZ", (20, 60, 40), False)]
)
def test_that_the_drawn_axes_end_on_one_line_where_the_mechanism_is_locked(sequence, angles, is_locked) -> None:
    rings, _ = gimbal(sequence, angles)
    ends = []
    for k, actor in enumerate(rings.scene_actors[1:4]):
        points = (vtk_to_numpy(actor.GetMapper().GetInput().GetPoints().GetData()) @ pose(actor)[:3, :3].T) / 0.4
        farthest = points[np.linalg.norm(points, axis=1).argmax()]
        assert np.linalg.norm(farthest) == pytest.approx(AXIS_REACHES[k] + 2.2 * AXIS_RADII[k], abs=1e-3)
        R = pose(actor)[:3, :3] @ np.eye(3)[as_sequence(sequence)[k] - 1]
        assert abs(farthest @ R) == pytest.approx(np.linalg.norm(farthest), abs=1e-3)
        ends.append(farthest / np.linalg.norm(farthest))
    assert (abs(ends[0] @ ends[2]) > 0.9999) == is_locked


def test_that_the_axes_have_letters_with_the_primes_of_their_turns_where_there_is_room() -> None:
    rings, _ = gimbal("ZXZ", (20, 60, 50))
    letters = rings.gimbals[0].letters
    assert letters.actor in rings.overlay_actors
    rings.occupy(Projection(CAMERA, 800, 600, 1.0))
    assert letters.actor.GetVisibility()
    rings.occupy(Projection(CameraState(CAMERA.position, (4.0, -6.0, 3.0)), 800, 600, 1.0))  # it looks away
    assert not letters.actor.GetVisibility()


SIZES = [((935, 842), 25 / 12), ((935, 468), 25 / 12), ((780, 500), 1.0), ((1280, 720), 1.0)]
"""Sizes of the picture beside a lesson, px, with the factor of its texts: in full screen, there with plots, usual."""


@pytest.mark.parametrize(("size", "magnification"), SIZES)
def test_that_values_and_notes_of_the_gimbal_scene_cover_neither_letters_nor_rings(size, magnification) -> None:
    plan = compile_plan(parse_scene(assets.path("scenes/gimbal-lock.yaml").read_text(encoding="utf-8"))[0])
    renderer = SceneRenderer(DARK)
    renderer.set_magnification(magnification)
    renderer.layers.size_without_window = size
    renderer.set_plan(plan)
    for t in (0.0, 1.5, 3.0, 6.7):
        renderer.show(evaluate(plan, t))
        projection, occupied = renderer.projection(), renderer.occupied
        occupied.clear()
        for visual in renderer.visuals:
            visual.occupy(projection)
        for visual in renderer.visuals:
            visual.place(projection)
        (arcs,) = renderer.visual(Arcs).sets
        for arc, (left, bottom, right, top) in zip(arcs.arcs, arcs.labels.boxes, strict=True):
            for x, y, half_x, half_y in occupied.letters if arc.is_seen else ():
                is_beside = x + half_x <= left + 1 or x - half_x >= right - 1
                assert is_beside or y + half_y <= bottom + 1 or y - half_y >= top - 1, (t, arc.angle)
        note = renderer.visual(Notes).box_of("locked")
        assert (note is not None) == (t >= 3.0)
        if note is not None:
            p_W = renderer.pose_of("arrow")[1]
            lowest = p_W[2] - 0.44 * RADII[0]
            assert note[3] < projection.project(np.array([*p_W[:2], lowest]))[1]
    renderer.detach()
