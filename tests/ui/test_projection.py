"""Projection of points from world to the picture: points at infinity have no place there, and warn of nothing."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.ui.scene_view.camera.camera import CameraState, Projection

POINTS = np.array([[np.inf, 0.0, 0.0], [-np.inf, np.inf, 1.0], [np.nan, 0.0, 0.0], [0.0, 0.0, 0.0]])


@pytest.mark.parametrize("is_parallel", [False, True])
def test_that_infinite_points_have_no_place_and_warn_of_nothing(is_parallel) -> None:
    camera = CameraState((3.0, -4.0, 2.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.6, is_parallel=is_parallel)
    projection = Projection(camera, 800, 600, 1.0)
    placed = projection.project(POINTS)
    assert not np.isfinite(placed[:3, :2]).all(axis=1).any()
    assert placed[3, :2] == pytest.approx([400.0, 300.0])
    assert np.isfinite(projection.sizes_of_pixels(POINTS)[3])
