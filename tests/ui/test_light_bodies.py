"""Light stand-ins of fine meshes: fewer triangles in the same place while something moves, and none where few are."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv
from vtkmodules.util.numpy_support import vtk_to_numpy

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access
from framescope.ui.scene_view.geometry.actors import color_faces
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals import light_bodies
from framescope.ui.scene_view.visuals.bodies import Bodies
from framescope.ui.scene_view.visuals.light_bodies import light_actor, simplify, triangles_of
from framescope.ui.theme.tokens import DARK
from tests.support.fine_meshes import bumpy


@pytest.fixture
def bodies(tmp_path, monkeypatch):
    """Give the bodies of a scene of two fine meshes and a box, drawn, and how they are shown at a time."""
    bumpy(tmp_path / "ball.stl")
    mesh = {"form": "mesh", "file": "ball.stl", "unit": "m"}
    turned = {"form": "axis", "axis": "z", "angle": "40*t", "unit": "deg"}
    scene = Scene.model_validate(
        {
            "framescope": 1,
            "frames": {"arm": {"parent": "world", "orientation": turned}},
            "bodies": {
                "one": {"frame": "arm", "shape": mesh, "color": "x"},
                "two": {"frame": "arm", "shape": mesh, "opacity": 0.5},
                "box": {"frame": "arm", "shape": {"form": "box", "size": [1, 1, 1], "unit": "cm"}},
            },
        }
    )
    plan = compile_plan(scene, access=Access(tmp_path))
    assert not plan.problems
    renderer = SceneRenderer(DARK)
    renderer.set_plan(plan)

    def show(t: float) -> Bodies:
        renderer.show(evaluate(plan, t))
        return renderer.visual(Bodies)

    monkeypatch.setattr(light_bodies, "MANY", 10_000)
    return show, renderer


def seen(bodies: Bodies) -> list[int]:
    """Return how many triangles each body shows."""
    return [
        sum(triangles_of(actor) for actor in (*placed.actors, *placed.lights.values()) if actor.GetVisibility())
        for placed in bodies.placed
    ]


def prepare(renderer: SceneRenderer) -> None:
    for _ in range(100):
        if not renderer.prepare_moving():
            return
    raise AssertionError("it never ends")


def test_that_what_moves_is_drawn_with_few_triangles_and_as_it_is_once_it_stands(bodies) -> None:
    show, renderer = bodies
    whole = seen(show(0.0))
    prepare(renderer)
    renderer.set_moving(True)
    light = seen(show(0.3))
    assert light[2] == whole[2]
    assert all(0.1 * a < b < 0.4 * a for a, b in zip(whole[:2], light[:2], strict=True))
    renderer.set_moving(False)
    assert seen(show(0.3)) == whole


def test_that_a_stand_in_is_where_the_mesh_is_and_in_its_material(bodies) -> None:
    show, renderer = bodies
    made = show(0.0)
    prepare(renderer)
    show(0.7)
    for placed in made.placed[:2]:
        ((actor, light),) = placed.lights.items()
        assert light.GetProperty() is actor.GetProperty()
        assert light.GetUserMatrix() is actor.GetUserMatrix()
        np.testing.assert_allclose(light.GetBounds(), actor.GetBounds(), atol=0.012)


def test_that_nothing_is_light_before_all_is_made_and_lost_frames_stay_hidden(bodies) -> None:
    show, renderer = bodies
    whole = seen(show(0.0))
    renderer.set_moving(True)
    assert seen(show(0.1)) == whole
    prepare(renderer)
    made = show(0.1)
    renderer.set_moving(True)
    for placed in made.placed:
        placed.show(np.eye(3), np.zeros(3), is_seen=False)
    assert seen(made) == [0, 0, 0]


def test_that_a_scene_of_few_triangles_has_no_stand_ins(bodies, monkeypatch) -> None:
    monkeypatch.setattr(light_bodies, "MANY", 100_000)
    show, renderer = bodies
    assert [dict(placed.lights) for placed in show(0.0).placed] == [{}, {}, {}]
    assert not renderer.prepare_moving()


def test_that_a_simplified_surface_looks_outward_and_stays_near(bodies) -> None:
    show, _ = bodies
    surface = show(0.0).placed[0].actors[0].GetMapper().GetInput()
    light = simplify(surface)
    points = np.array([light.GetPoint(k) for k in range(light.GetNumberOfPoints())])
    normals = np.array([light.GetPointData().GetNormals().GetTuple(k) for k in range(light.GetNumberOfPoints())])
    radii = np.linalg.norm(points, axis=1)
    assert ((radii > 0.07) & (radii < 0.13)).all()
    assert (np.einsum("ni,ni->n", points, normals) > 0.0).mean() > 0.98


def test_that_a_stand_in_has_the_colours_of_the_faces_that_it_stands_for(bodies) -> None:
    show, _ = bodies
    actor = show(0.0).placed[0].actors[0]
    surface = pv.PolyData(actor.GetMapper().GetInput())
    is_upper = surface.cell_centers().points[:, 2] > 0.0
    color_faces(actor, np.where(is_upper[:, None], (255, 0, 0), (0, 0, 255)).astype(np.uint8))
    light = pv.PolyData(simplify(actor.GetMapper().GetInput()))
    height, colors = light.cell_centers().points[:, 2], vtk_to_numpy(light.GetCellData().GetScalars())
    assert (colors[height > 0.02] == (255, 0, 0)).all()
    assert (colors[height < -0.02] == (0, 0, 255)).all()
    assert light_actor(actor).GetMapper().GetScalarVisibility()
