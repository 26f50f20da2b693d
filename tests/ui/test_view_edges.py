"""Hard edges of bodies."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.ui.scene_view.geometry.hard_edges import hard_edges
from framescope.ui.scene_view.geometry.lathe_meshes import Mesh, box, cone, cylinder, sphere


def test_that_a_box_has_its_twelve_edges() -> None:
    points, pairs = hard_edges(box((0.4, 0.2, 0.1)))
    assert len(points) == 8
    lengths = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    np.testing.assert_allclose(np.sort(lengths), np.repeat([0.1, 0.2, 0.4], 4), atol=1e-6)


@pytest.mark.parametrize(
    ("mesh", "count"), [(cylinder(0.1, 0, 1, 24), 48), (cone(0.2, 0, 1, 24), 24), (sphere(1.0), 0)]
)
def test_that_round_bodies_have_their_rims_alone(mesh: Mesh, count: int) -> None:
    assert len(hard_edges(mesh)[1]) == count


def test_that_an_open_surface_has_its_border() -> None:
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=float)
    mesh = Mesh(square, np.tile([0.0, 0, 1], (4, 1)), np.array([(0, 1, 2), (0, 2, 3)]))
    assert len(hard_edges(mesh)[1]) == 4


def test_that_a_mesh_without_faces_has_none() -> None:
    nothing = Mesh(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), dtype=int))
    points, pairs = hard_edges(nothing)
    assert len(points) == len(pairs) == 0
