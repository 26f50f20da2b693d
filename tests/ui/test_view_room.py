"""Plates that are kept off each other and off what keeps its place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.ui.scene_view.base.label_layout import SETTLED, OccupiedAreas, keep_apart
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.visuals.axis_letters import AxisLetters
from framescope.ui.scene_view.visuals.frame_names import TITLE_HEIGHT, TOOLS, Labels
from framescope.ui.scene_view.visuals.view_cube import ABOVE, MARGIN, SPAN, ViewCube
from tests.support.scenes import HEAD
from tests.support.visuals import in_place, plan_of, tick_of

ALL = np.array([True])


def overlap(center, size, box) -> float:
    """Return by how much a plate lies over a box given by its middle and half its size."""
    return float((np.asarray(size) / 2 + box[1] - np.abs(np.asarray(center) - box[0])).min())


def test_that_a_plate_leaves_a_box_the_shortest_way() -> None:
    taken = OccupiedAreas()
    taken.add_boxes(np.array([[100.0, 100.0]]), np.array([[40.0, 20.0]]), ALL)
    centers = np.array([[104.0, 112.0]])
    keep_apart(centers, np.array([[60.0, 10.0]]), ALL, taken)
    assert centers[0, 0] == 104.0
    assert centers[0, 1] == pytest.approx(115.0, abs=SETTLED)


def test_that_a_plate_leaves_a_slanting_arrow_at_right_angles_to_it() -> None:
    taken = OccupiedAreas()
    taken.add_lines(np.array([[0.0, 0.0]]), np.array([[200.0, 200.0]]), 5.0, ALL)
    centers, size = np.array([[98.0, 102.0]]), np.array([[20.0, 20.0]])
    keep_apart(centers, size, ALL, taken)
    way = centers[0] - (98.0, 102.0)
    assert way @ (1.0, 1.0) == pytest.approx(0.0, abs=1e-9)
    off = abs(centers[0] @ (1.0, -1.0)) / np.sqrt(2.0)
    assert off == pytest.approx(5.0 + 10.0 * np.sqrt(2.0), abs=SETTLED)


def test_that_what_is_far_or_hidden_moves_nothing() -> None:
    taken = OccupiedAreas()
    taken.add_boxes(np.array([[100.0, 100.0], [300.0, 300.0]]), np.full((2, 2), 40.0), np.array([False, True]))
    centers = np.array([[100.0, 100.0], [100.0, 102.0]])
    before = centers.copy()
    keep_apart(centers, np.full((2, 2), 30.0), np.array([True, False]), taken)
    np.testing.assert_array_equal(centers, before)
    taken.clear()
    assert taken.bars == []


def test_that_plates_between_walls_and_things_find_room_and_always_the_same() -> None:
    taken = OccupiedAreas()
    taken.add_boxes(np.array([[60.0, 20.0], [60.0, 60.0], [60.0, 100.0]]), np.full((3, 2), 36.0), np.full(3, True))
    sizes = np.full((4, 2), (50.0, 18.0))
    lowest, highest = sizes / 2, (300.0, 140.0) - sizes / 2
    start = np.array([[30.0, 30.0], [35.0, 62.0], [70.0, 80.0], [40.0, 90.0]])
    results = []
    for _ in range(2):
        centers = start.copy()
        keep_apart(centers, sizes, np.full(4, True), taken, (lowest, highest))
        results.append(centers)
    np.testing.assert_array_equal(*results)
    assert (centers >= lowest - 1e-9).all()
    assert (centers <= highest + 1e-9).all()
    boxes = [(np.array(bar[:2]), np.array(bar[4:])) for bar in taken.bars]
    for i in range(4):
        others = [(centers[j], sizes[j] / 2) for j in range(4) if j != i]
        assert all(overlap(centers[i], sizes[i], box) <= SETTLED + 1e-9 for box in boxes + others)


def test_that_frames_in_the_origin_of_one_that_is_shown_turn_by_turn_have_no_letters_over_its_own() -> None:
    tree = (("stand", "world", 0.5), ("ring", "stand", 0), ("rotor", "ring", 0), ("far", "ring", 0.4))
    turned = "orientation: {form: axis, axis: y, angle: 30, unit: deg}"
    frames = "".join(
        f"  {name}: {{parent: {of}, position: {{value: [{x}, 0, 0], unit: m}}, {turned}}}\n" for name, of, x in tree
    )
    plan = plan_of(HEAD + frames)
    (letters,), _ = in_place([AxisLetters], plan)
    projection = Projection(CameraState((0.4, -3.0, 1.0), (0.4, 0.0, 0.0)), 640, 400, 1.0)
    shown = []
    for step in (None, StagedRotation("ring", "stand", "XYZ", (0.1, 0.2, 0.3), 1.0)):
        letters.show(replace(tick_of(plan), staged_rotation=step))
        letters.occupy(projection)
        letters.place(projection)
        corners = letters.batch.corners()[..., :2]
        has_letter = (np.ptp(corners[..., 0], axis=1) > 0).reshape(-1, 3).any(axis=1)
        shown.append({plan.names[row] for row, has in zip(letters.rows, has_letter, strict=True) if has})
    assert shown == [{"world", "stand", "ring", "rotor", "far"}, {"world", "far"}]


def test_that_names_keep_off_letters_buttons_title_and_cube() -> None:
    frames = "".join(f"  f{i}: {{parent: world, position: {{value: [{0.2 * i}, 0, 0], unit: m}}}}\n" for i in range(8))
    plan = plan_of(HEAD + frames)
    visuals, context = in_place([Labels, AxisLetters, ViewCube], plan)
    labels, letters, _ = visuals
    size = np.array((640.0, 400.0))
    corners = [(0.0, 0.0, MARGIN + SPAN, MARGIN + SPAN), (640 - TOOLS[0], 400 - TOOLS[1], 640.0, 400.0)]
    corners += [(0.0, 400 - TITLE_HEIGHT, 30.0, 400.0)]
    for target in ((0.7, 0.0, 0.5), (0.7, 0.0, -0.55), (0.0, 0.0, 0.4), (1.4, 0.0, -0.5)):
        projection = Projection(CameraState((target[0], -2.4, 1.0), target), 640, 400, 1.0)
        context.occupied.clear()
        for visual in visuals:
            visual.show(tick_of(plan))
            visual.occupy(projection)
        for visual in visuals:
            visual.place(projection)
        plates = labels.batch.corners()[..., :2]
        plates = plates[np.ptp(plates[..., 0], axis=1) > 0]
        assert len(plates)
        marks = letters.batch.corners()[..., :2]
        boxes = [(*mark.min(axis=0), *mark.max(axis=0)) for mark in marks if np.ptp(mark[:, 0]) > 0] + corners
        for plate in plates:
            low, high = plate.min(axis=0), plate.max(axis=0)
            assert (low >= 0).all()
            assert (high <= size).all()
            for box in boxes:
                assert (np.minimum(high, box[2:]) - np.maximum(low, box[:2])).min() <= 1.0


def test_that_a_view_too_low_for_title_and_cube_has_no_cube() -> None:
    plan = plan_of(HEAD + "  arm: {parent: world}\n")
    (cube,), context = in_place([ViewCube], plan)
    for height, is_shown in ((400, True), (round(MARGIN + SPAN + ABOVE) + 1, True), (150, False)):
        projection = Projection(CameraState((0.0, -2.4, 1.0), (0.0, 0.0, 0.0)), 640, height, 1.0)
        context.occupied.clear()
        cube.show(tick_of(plan))
        cube.occupy(projection)
        cube.place(projection)
        assert bool(np.any(cube.corner_points[0])) == is_shown
        center = MARGIN + SPAN / 2
        assert (cube.face_at(center, center, projection) is not None) == is_shown
