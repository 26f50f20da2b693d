"""Bundles of arrows: where feet and tips are, which way a curl runs, and that a tick makes nothing large."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.ui.scene_view.geometry import element_shapes
from framescope.ui.scene_view.geometry.arrow_bundle import (
    CURL_RADIUS,
    CURL_SIDES,
    CURL_STEPS,
    FULL_LENGTH,
    FULL_LENGTH_WITH_CURL,
    HEAD_LENGTH,
    HEAD_RADIUS,
    ArrowBundle,
    arrow_template,
    curl_mesh,
)
from framescope.ui.scene_view.geometry.instanced_mesh import AxesAlong
from framescope.ui.scene_view.visuals.points import stub_template
from tests.support.visuals import looks_outward, peak_of, points

RADIUS = 0.01
TEMPLATES = {
    "arrow": arrow_template(has_curl=False),
    "arrow with a curl": arrow_template(has_curl=True),
    "stub": stub_template(),
    "coil": element_shapes.coil_template(),
    "damper": element_shapes.damper_template(),
    "rails": element_shapes.rails_template(),
    "rod": element_shapes.rod_template(),
    "collar": element_shapes.collar_template(),
    "ground": element_shapes.ground_template(),
}


def bundle_of(feet, vectors, *, has_curl: bool = False) -> ArrowBundle:
    bundle = ArrowBundle(["#FF8800"] * len(feet), RADIUS, has_curl=has_curl)
    bundle.feet[:], bundle.vectors[:] = feet, vectors
    bundle.update()
    return bundle


def each_arrow(bundle: ArrowBundle) -> np.ndarray:
    return points(bundle.actors[0]).reshape(len(bundle.feet), -1, 3)


@pytest.mark.parametrize("has_curl", [False, True])
def test_that_arrows_reach_from_foot_to_tip_in_any_direction(has_curl) -> None:
    rng = np.random.default_rng(3)
    feet, vectors = rng.normal(size=(40, 3)), rng.normal(size=(40, 3))
    vectors[0], vectors[1] = (0, 0, -1), (-0.48, -0.60, -0.64)
    for foot, vector, arrow in zip(feet, vectors, each_arrow(bundle_of(feet, vectors, has_curl=has_curl)), strict=True):
        d = vector / np.linalg.norm(vector)
        along = (arrow - foot) @ d
        aside = np.linalg.norm(arrow - foot - along[:, None] * d, axis=1)
        assert along.min() == pytest.approx(0.0, abs=1e-6)
        assert along.max() == pytest.approx(np.linalg.norm(vector), abs=1e-6)
        np.testing.assert_allclose(arrow[along.argmax()], foot + vector, atol=1e-6)
        widest = aside.max() / RADIUS
        assert widest > CURL_RADIUS if has_curl else widest == pytest.approx(HEAD_RADIUS, rel=1e-4)


def test_that_heads_keep_their_size_and_short_arrows_their_proportion() -> None:
    lengths = np.array([0.2, 3 * FULL_LENGTH, FULL_LENGTH, FULL_LENGTH / 2, FULL_LENGTH / 50]) * [5, *[RADIUS] * 4]
    arrows = each_arrow(bundle_of(np.zeros((5, 3)), lengths[:, None] * (0, 0.6, 0.8)))
    heads = np.array([np.hypot(arrow[:, 0], arrow @ (0, 0.8, -0.6)).max() for arrow in arrows])
    np.testing.assert_allclose(heads, HEAD_RADIUS * np.minimum(RADIUS, lengths / FULL_LENGTH), rtol=1e-4)
    assert HEAD_LENGTH < FULL_LENGTH < FULL_LENGTH_WITH_CURL


def test_that_the_curl_is_right_handed() -> None:
    for vector in np.vstack([np.eye(3), -np.eye(3), (0.3, -0.5, 0.2)]):
        arrow = each_arrow(bundle_of([(1, 2, 3)], [vector], has_curl=True))[0] - (1, 2, 3)
        curl = arrow[len(TEMPLATES["arrow"].weights) :]
        n, m = CURL_STEPS + 1, CURL_SIDES + 1
        rings, head = curl[: n * m].reshape(n, m, 3)[:, :-1].mean(axis=1), curl[n * m :]
        d = vector / np.linalg.norm(vector)
        assert len(curl) == len(curl_mesh().points)
        assert (np.cross(rings[:-1], rings[1:]) @ d > 0).all()
        np.testing.assert_allclose(np.linalg.norm(np.cross(rings, d), axis=1), CURL_RADIUS * RADIUS, rtol=1e-4)
        apex = head[np.linalg.norm(head - rings[-1], axis=1).argmax()]
        assert np.cross(rings[-1], apex) @ d > 0
        assert np.linalg.norm(np.cross(apex, d)) == pytest.approx(CURL_RADIUS * RADIUS, rel=0.15)


def test_that_arrows_of_no_length_and_of_no_number_vanish_and_come_back() -> None:
    feet, vectors = np.ones((4, 3)), np.eye(3)[[0, 1, 2, 0]]
    bundle = bundle_of(feet, vectors)
    before = points(bundle.actors[0]).copy()
    bundle.vectors[:3] = np.array([(0, 0, 0), (np.nan, 1, 1), (np.inf, 0, 0)])
    bundle.feet[3, :] = np.nan
    bundle.update()
    assert not points(bundle.actors[0]).any()
    bundle.feet[:], bundle.vectors[:] = feet, vectors
    bundle.update()
    np.testing.assert_array_equal(points(bundle.actors[0]), before)
    assert ArrowBundle([], RADIUS).actors == []


def test_that_axes_along_a_vector_are_right_handed_and_turn_little_with_it() -> None:
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(200, 3))
    vectors[:4] = (0, 0, 1), (0, 0, -1), (-0.48, -0.60, -0.64), (0.48, 0.60, 0.64)
    along, near = AxesAlong(200), AxesAlong(200)
    along.turn(vectors)
    axes = np.swapaxes(along.axes, 0, 1)
    np.testing.assert_allclose(axes @ np.swapaxes(axes, 1, 2), np.tile(np.eye(3), (200, 1, 1)), atol=1e-9)
    np.testing.assert_allclose(np.linalg.det(axes), 1.0)
    np.testing.assert_allclose(along.axes[2] * along.lengths[:, None], vectors)
    is_ordinary = along.axes[2] @ (0.48, 0.60, 0.64) > -0.9
    near.turn(vectors + 1e-6)
    assert np.abs(near.axes - along.axes)[:, is_ordinary & (along.lengths > 0.3)].max() < 1e-4


@pytest.mark.parametrize("name", TEMPLATES)
def test_that_faces_look_outward(name) -> None:
    template = TEMPLATES[name]
    stations = np.array([(0, 0, 0), (0, 0, 15.0), (0, 0, 24.0)])
    corners = template.weights @ np.vstack([stations, np.eye(3)])
    assert looks_outward(corners, template.triangles, template.normals)


@pytest.mark.parametrize("has_curl", [False, True])
def test_that_a_tick_makes_no_array(has_curl) -> None:
    rng = np.random.default_rng(7)
    bundle = bundle_of(rng.normal(size=(300, 3)), rng.normal(size=(300, 3)), has_curl=has_curl)
    memory = points(bundle.actors[0]).ctypes.data
    assert peak_of(bundle.update) < 4096
    assert points(bundle.actors[0]).ctypes.data == memory
