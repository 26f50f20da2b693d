"""Where the picture of a camera is in the view: corners, limits, full size, and the camera behind it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from framescope.features.cameras.core.looking_through import Eye
from framescope.features.cameras.ui.picture_place import MARGIN, SMALLEST, TITLE, PicturePlace, box_of, resized
from framescope.features.cameras.ui.seen_picture import camera_of_eye
from framescope.ui.scene_view.camera.camera import Projection
from tests.support.cases import for_each

VIEW = (900, 600)


def test_that_a_marker_is_at_the_pixel_of_the_pinhole_model() -> None:
    rng = np.random.default_rng(5)
    R_WE, p_WE = Rotation.random(rng=5).as_matrix(), rng.normal(size=3)
    eye = Eye("cam", np.eye(3), np.zeros(3), view_angle=1.1, aspect=1.5)
    p_E = np.array([[0.0, 0.0, 2.0], [0.4, -0.3, 2.0], [-0.7, 0.2, 1.5]])  # image right, image down, depth
    projection = Projection(camera_of_eye(R_WE, p_WE, eye), 300, 200, 1.0)
    pixels = projection.project(p_WE + p_E @ R_WE.T)
    focal = 100.0 / np.tan(0.55)
    assert_allclose(pixels[:, 0], 150.0 + focal * p_E[:, 0] / p_E[:, 2])
    assert_allclose(200.0 - pixels[:, 1], 100.0 + focal * p_E[:, 1] / p_E[:, 2])
    assert_allclose(pixels[:, 2], p_E[:, 2])


@for_each(("corner", "x"), [("right", 900 - MARGIN - 270), ("left", MARGIN)])
def test_that_the_picture_is_in_a_corner_above_the_texts(corner: str, x: int) -> None:
    box = box_of(PicturePlace(corner), 1.5, VIEW, below=80.0)
    assert (box.x, box.width, box.height) == (x, 270, 180 + TITLE)
    assert box.y + box.height == 600 - 80
    assert box_of(PicturePlace(corner), 1.5, VIEW).y + box.height == 600 - MARGIN


@for_each("aspect", [0.4, 1.0, 1.78, 5.0])
@for_each("view", [VIEW, (200, 160), (1800, 300)])
@for_each("place", [PicturePlace(), PicturePlace("left", 0.8), PicturePlace(share=3.0), PicturePlace(is_full=True)])
def test_that_it_keeps_its_aspect_and_stays_in_the_view(
    place: PicturePlace, view: tuple[int, int], aspect: float
) -> None:
    box = box_of(place, aspect, view, below=50.0)
    assert box.x >= 0
    assert box.y >= 0
    assert box.x + box.width <= view[0]
    assert box.y + box.height <= view[1]
    assert box.height - TITLE == pytest.approx(box.width / aspect, abs=0.51)


def test_that_full_size_fills_the_view_one_way_and_is_centred() -> None:
    box = box_of(PicturePlace(is_full=True), 3.0, VIEW)
    assert (box.x, box.width) == (0, 900)
    assert box.y == (600 - box.height) // 2


def test_that_resizing_ends_at_full_size_and_at_the_smallest() -> None:
    assert resized(PicturePlace(), 450.0, 1.5, VIEW) == PicturePlace(share=0.5)
    assert resized(PicturePlace(), 1e4, 1.5, VIEW).is_full
    assert resized(PicturePlace(), 3.0, 1.5, VIEW).share == pytest.approx(SMALLEST / 900)
    assert resized(PicturePlace(is_full=True), 450.0, 1.5, VIEW) == PicturePlace(share=0.5)
