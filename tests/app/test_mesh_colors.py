"""Colours of meshes: those in the file of the mesh, face by face, where a body says that it has its own."""

from __future__ import annotations

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy

from framescope.app.importers.registry import read_scene
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.mesh_files.formats import read_surface
from framescope.ui.scene_view.geometry.mesh_files import load_mesh
from framescope.ui.scene_view.visuals.bodies import Bodies
from framescope.ui.theme.tokens import channels
from tests.support.cases import for_each
from tests.support.mesh_fuzzing import dae, dae_colored, stl_text
from tests.support.scenes import HEAD, scene_of
from tests.support.visuals import built

RED, BLUE, PLAIN = (255, 0, 51), (0, 128, 255), (153, 153, 153)


def actor_of(path, color: str):
    text = HEAD + "  a: {parent: world}\nbodies:\n"
    text += f"  part: {{frame: a, color: {color}, shape: {{form: mesh, file: {path.name}, unit: m}}}}\n"
    plan = compile_plan(scene_of(text), path.parent)
    assert not plan.problems
    (actor,) = built(Bodies, plan).scene_actors
    return actor


def test_that_each_face_has_the_colour_of_its_material(tmp_path) -> None:
    path = tmp_path / "part.dae"
    path.write_bytes(dae_colored())
    surface = read_surface(path)
    assert surface.colors.tolist() == [list(color) for color in (RED, BLUE, BLUE, PLAIN)]
    mesh = load_mesh(path)
    middles = [mesh.points[triangle].mean(axis=0) for triangle in mesh.triangles]
    for face, color in zip(surface.corners.reshape(-1, 3), surface.colors, strict=True):
        nearest = int(np.argmin([np.linalg.norm(surface.points[face].mean(axis=0) - middle) for middle in middles]))
        assert mesh.colors[nearest].tolist() == color.tolist()


def test_that_a_body_of_its_own_colours_is_drawn_in_them_and_another_in_its_one(tmp_path) -> None:
    path = tmp_path / "part.dae"
    path.write_bytes(dae_colored())
    own = actor_of(path, "own")
    mapper = own.GetMapper()
    assert mapper.GetScalarVisibility()
    drawn = vtk_to_numpy(mapper.GetInput().GetCellData().GetScalars())
    assert sorted(map(tuple, drawn.tolist())) == sorted([RED, BLUE, BLUE, PLAIN])
    red = actor_of(path, '"#ff0000"')
    assert not red.GetMapper().GetScalarVisibility()
    assert red.GetProperty().GetColor() == pytest.approx((1.0, 0.0, 0.0))


def test_that_what_draws_a_mesh_in_one_colour_has_that_of_most_of_its_surface(tmp_path) -> None:
    path = tmp_path / "part.dae"
    path.write_bytes(dae_colored())
    mesh = load_mesh(path)
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    colors = [tuple(color) for color in mesh.colors.tolist()]
    shares = {each: sum(area for area, color in zip(areas, colors, strict=True) if color == each) for each in colors}
    most = max(shares, key=shares.__getitem__)
    assert np.round(255 * np.array(actor_of(path, "own").GetProperty().GetColor())).tolist() == list(most)


@for_each("content", [dae(), stl_text()])
def test_that_a_file_without_colours_is_drawn_neutral(tmp_path, content) -> None:
    path = tmp_path / ("part.stl" if content.startswith(b"solid") else "part.dae")
    path.write_bytes(content)
    assert read_surface(path).colors is None
    own, neutral = actor_of(path, "own"), actor_of(path, "neutral")
    assert not own.GetMapper().GetScalarVisibility()
    assert own.GetProperty().GetColor() == neutral.GetProperty().GetColor()


@for_each("second", ["picture", "nothing"])
def test_that_a_picture_or_a_material_that_is_not_there_is_plain(tmp_path, second) -> None:
    path = tmp_path / "part.dae"
    path.write_bytes(dae_colored(second))
    assert read_surface(path).colors.tolist() == [list(color) for color in (RED, PLAIN, PLAIN, PLAIN)]


@for_each("text", ["1 0", "x 0 0 1", "nan 0 0 1", ""])
def test_that_a_colour_that_is_none_is_plain(tmp_path, text) -> None:
    path = tmp_path / "part.dae"
    path.write_bytes(dae_colored().replace(b"0 0.5 1 1", text.encode()))
    assert read_surface(path).colors.tolist()[1] == list(PLAIN)


def test_that_a_robot_has_the_colours_of_its_meshes_unless_it_names_others(tmp_path) -> None:
    (tmp_path / "part.dae").write_bytes(dae_colored())
    mesh = '<geometry><mesh filename="part.dae"/></geometry>'
    paint = '<material name="m"><color rgba="0 1 0 1"/></material>'
    (tmp_path / "robot.urdf").write_text(
        f'<robot name="r"><link name="a"><visual>{mesh}</visual><visual name="b">{mesh}{paint}</visual></link></robot>'
    )
    scene = read_scene(tmp_path / "robot.urdf")[0].scene
    assert sorted(body.color for body in scene.bodies.values()) == ["#00ff00", "own"]
    assert channels("#00ff00") == (0.0, 1.0, 0.0)
