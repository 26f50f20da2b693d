"""Findings of the detective in the scene: a pale triad and a number for each, where the finding puts the frame."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.files.loading import parse_scene
from framescope.features.detective.core.interpretations import Interpretation
from framescope.ui.scene_view.base.ghost_pose import CANDIDATES, Candidate
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals.finding_ghosts import Candidates
from framescope.ui.theme.tokens import DARK

SCENE = """\
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  base: {parent: world, position: {value: [1, 0, 0], unit: m}, orientation: {form: axis, axis: z, angle: 90, unit: deg}}
  tip: {parent: base, position: {value: [0, 0, 0.5], unit: m}}
"""


def rotations(*angles: float) -> np.ndarray:
    return Interpretation("rotation vector", unit="deg").matrices(np.array([[0.0, 0.0, angle] for angle in angles]))


def shown(*candidates: Candidate, t: float = 0.0) -> Candidates | None:
    plan = compile_plan(parse_scene(SCENE)[0])
    renderer = SceneRenderer(DARK)
    renderer.set_plan(plan)
    renderer.set_option(CANDIDATES, candidates)
    renderer.show(evaluate(plan, t), {})
    return renderer.visual(Candidates)


def test_that_a_ghost_stands_at_its_frame_turned_in_the_other() -> None:
    visual = shown(Candidate("#1", "tip", "base", rotations(90.0)))
    points = np.asarray(visual.ghosts.polydata.points)
    origin = np.array([1.0, 0.0, 0.5])
    # Turned by 90° in a frame that is turned by 90°: x points to where world's −x is.
    x_tip = points[np.argmin(points[:, 0])]
    assert x_tip[0] < origin[0] - 0.05
    assert np.allclose(x_tip[1:], origin[1:], atol=0.02)


def test_that_the_nearest_sample_is_shown() -> None:
    candidate = Candidate("#1", "tip", "base", rotations(0.0, 30.0, 60.0), np.array([0.0, 1.0, 2.0]))
    for t, angle in ((-1.0, 0.0), (0.4, 0.0), (0.6, 30.0), (1.9, 60.0), (9.0, 60.0)):
        assert np.allclose(candidate.at(t), rotations(angle)[0])
    assert np.allclose(Candidate("#1", "tip", "base", rotations(0.0, 30.0), sample=1).at(0.0), rotations(30.0)[0])


def test_that_findings_that_agree_share_a_place() -> None:
    candidates = [Candidate(f"#{i}", "tip", "base", rotations(angle)) for i, angle in enumerate((10.0, 10.2, 70.0), 1)]
    assert shown(*candidates).group_ghosts() == [0, 0, 2]


def test_that_frames_that_are_gone_are_left_out_and_nothing_leaves_nothing() -> None:
    assert shown(Candidate("#1", "nope", "base", rotations(0.0))) is None
    assert shown() is None


def test_that_an_arc_shows_the_turn_between_two_that_are_compared() -> None:
    first = Candidate("first", "tip", "world", rotations(10.0), turn_to="second")
    visual = shown(first, Candidate("second", "tip", "world", rotations(70.0)))
    assert visual.arc.is_seen
    assert np.degrees(visual.arc.angle) == pytest.approx(60.0)
    assert np.allclose(visual.arc.plane[:, 2], [0.0, 0.0, 1.0])
    # From an axis of the first to the same axis of the second.
    start, end = (visual.arc.point(angle) - [1.0, 0.0, 0.5] for angle in (0.0, visual.arc.angle))
    k = int(np.argmax(rotations(10.0)[0].T @ start))
    assert np.allclose(end / np.linalg.norm(end), rotations(70.0)[0][:, k])
    visual.place(Projection(CameraState((3.0, -6.0, 3.0)), 640, 480, 1.0))


def test_that_two_that_nearly_coincide_have_no_arc() -> None:
    visual = shown(
        Candidate("first", "tip", "world", rotations(10.0), turn_to="second"),
        Candidate("second", "tip", "world", rotations(10.5)),
    )
    assert not visual.arc.is_seen
    visual.place(Projection(CameraState((3.0, -6.0, 3.0)), 640, 480, 1.0))
