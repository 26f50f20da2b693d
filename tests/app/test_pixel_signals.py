"""The signals of pixels: of frames and of connection points, in the image of a camera."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from framescope.core.evaluation.answer_texts import sentence_at, values_at
from framescope.core.evaluation.available_signals import signals_of_item
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relative_position
from framescope.core.evaluation.signal_curves import describe, plot_curves
from framescope.core.evaluation.signal_parser import SignalTextError, parse_question, parse_signal
from framescope.core.projection import CameraModel, project
from framescope.core.scene.edits.items import remove_items
from framescope.core.simulation.simulate import simulate
from framescope.ui.panels.question.question_choices import signal_choices, written_signal
from tests.support.scenes import scene_of

K = (-0.283, 0.074, 0.0002, 0.00002, 0.0)
TEXT = """\
framescope: 1
time: {start: 0 s, end: 4 s}
frames:
  car: {parent: world, orientation: {form: axis, axis: z, angle: "20*t", unit: deg}}
  cam0: {parent: car, position: {value: [0.1, 0, 1], unit: m},
    orientation: {form: axes, sequence: ZYX, angles: [-90, 0, -90], unit: deg}}
  cam1: {parent: car}
  target: {parent: world, position: {value: [3, 0.5, "1 + 0.1*t"], unit: m}}
  behind: {parent: car, position: {value: [-3, 0, 1], unit: m}}
  side: {parent: car, position: {value: [1, 3, 1], unit: m}}
  crate: {parent: world, position: {value: [4, 0, 1], unit: m}, motion: {form: simulated, model: finite}}
bodies:
  lens: {frame: cam0, shape: {form: camera, resolution: [752, 480], focal_lengths: [458.6, 457.3],
    principal_point: [367.2, 248.4], depth: 30 cm,
    distortion: {form: radtan, k1: -0.283, k2: 0.074, p1: 0.0002, p2: 0.00002}}}
  askew: {frame: cam1, position: {value: [0, 0, 1], unit: m},
    orientation: {form: axes, sequence: ZYX, angles: [-90, 0, -90], unit: deg},
    shape: {form: camera, resolution: [640, 480], focal_lengths: [500, 500], principal_point: [320, 240], depth: 1 m}}
  box: {frame: crate, shape: {form: box, size: [1, 1, 1], unit: m}, mass: 1 kg, inertia: uniform}
points:
  corner: {body: box, kind: XYZ, offset: {value: [0, 0.5, 0.5], unit: m}}
"""
SCENE = scene_of(TEXT)
TIMES = np.linspace(0.0, 4.0, 23)


def curves(text: str, times: np.ndarray = TIMES) -> np.ndarray:
    return plot_curves(compile_plan(SCENE), parse_signal(text, SCENE), times)


def test_that_the_pixel_is_the_projection_of_the_position_in_the_frame_of_the_camera() -> None:
    camera = CameraModel((458.6, 457.3), (367.2, 248.4), "radtan", K)
    snapshot = evaluate(compile_plan(SCENE), TIMES)
    expected = project(camera, relative_position(snapshot, "target", "cam0", "cam0"))
    assert np.isfinite(expected).all()
    assert_allclose(curves("pixel of target relative to cam0 in px"), expected, rtol=0.0, atol=1e-9)


def test_that_a_camera_may_sit_askew_on_its_frame() -> None:
    values = curves("pixel of target relative to cam1 in px", np.array([0.0]))
    assert_allclose(values, [(320.0 - 500.0 * 0.5 / 3.0, 240.0)], atol=1e-9)


def test_that_nothing_has_a_pixel_behind_the_camera() -> None:
    assert np.isnan(curves("pixel of behind relative to cam0 in px")).all()
    plan = compile_plan(SCENE)
    signal = parse_signal("pixel of behind relative to cam0 in px", SCENE)
    assert sentence_at(plan, signal, 0.0) == "cam0 does not see behind at this time: it is not in front of its lens."


def test_that_a_hidden_camera_sees() -> None:
    hidden = scene_of(TEXT + "view: {hidden: {bodies: [lens]}}\n")
    signal = parse_signal("pixel of target relative to cam0 in px", hidden)
    assert_allclose(plot_curves(compile_plan(hidden), signal, TIMES), curves("pixel of target relative to cam0 in px"))


def test_that_a_connection_point_has_a_pixel_where_it_is_simulated() -> None:
    plan = compile_plan(SCENE, run=lambda job: simulate(job.system))
    signal = parse_signal("port pixel of corner relative to cam1 in px", SCENE)
    values = plot_curves(plan, signal, np.array([0.0]))
    assert_allclose(values, [(320.0 - 500.0 * 0.5 / 4.0, 240.0 - 500.0 * 0.5 / 4.0)], atol=1e-6)


def test_that_sentences_say_the_pixel_and_whether_it_is_in_the_image() -> None:
    plan = compile_plan(SCENE)
    inside = parse_signal("pixel of target relative to cam1 in px", SCENE)
    assert sentence_at(plan, inside, 0.0) == "cam1 sees target at pixel (236.7, 240.0)."
    outside = parse_signal("pixel of side relative to cam1 in px", SCENE)
    assert sentence_at(plan, outside, 0.0) == "side is outside the image of cam1, at pixel (−1180.0, 240.0)."
    assert values_at(plan, inside, 0.0).shape == (2,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pixel of target relative to car in px", "car has no camera with a calibration. Use one of: cam0, cam1."),
        ("pixel of target", "pixel needs relative_to."),
        ("pixel of target relative to cam0 in m", "m"),
        ("pixel of target relative to cam0 in px: w", 'pixel has no component "w" here.'),
    ],
)
def test_that_a_wrong_question_has_a_clear_answer(text, message) -> None:
    with pytest.raises(SignalTextError, match=message.replace(".", r"\.").replace("(", r"\(")):
        parse_signal(text, SCENE)


def test_that_a_plot_without_its_camera_is_a_problem() -> None:
    text = TEXT + "view:\n  plots:\n    - {signal: pixel, of: target, relative_to: cam0, unit: px}\n"
    scene = scene_of(text)
    assert not compile_plan(scene).problems
    bare = remove_items(scene, [("bodies", "lens"), ("bodies", "askew")]).apply(scene)
    (problem,) = compile_plan(bare).problems
    assert problem.key_path == ("view", "plots", 0, "relative_to")
    assert problem.message == "cam0 has no camera with a calibration."
    assert problem.hint == "Give the frame a body of the form camera."


def test_that_the_signal_is_offered_once_for_each_camera_and_only_with_cameras() -> None:
    offered = [plot for plot in signals_of_item(SCENE, "frames", "target") if plot.signal == "pixel"]
    assert [plot.relative_to for plot in offered] == ["cam0", "cam1"]
    own = [plot.relative_to for plot in signals_of_item(SCENE, "frames", "cam0") if plot.signal == "pixel"]
    assert own == ["cam1"]
    assert [plot.signal for plot in signals_of_item(SCENE, "points", "corner")].count("port pixel") == 2
    bare = remove_items(SCENE, [("bodies", "lens"), ("bodies", "askew")]).apply(SCENE)
    assert "pixel" not in [plot.signal for plot in signals_of_item(bare, "frames", "target")]


def test_that_questions_find_it() -> None:
    assert "pixel" in [choice.quantity for choice in signal_choices(SCENE, ("frames", "target"))]
    choice = written_signal(SCENE, "pixel of target relative to cam1", "")
    assert choice is not None
    assert (choice.plot.signal, choice.plot.relative_to, choice.plot.unit) == ("pixel", "cam1", "px")
    question = parse_question("pixel of target relative to cam0", SCENE)
    assert question.unit == "px"
    assert describe(question) == "pixel of target relative to cam0 in px"
