"""Questions and their answers: numbers, curves, arrows and sentences of a scene."""

from __future__ import annotations

import math

import numpy as np
import pytest

from framescope.core.evaluation.answer_texts import sentence_at, values_at, words_at
from framescope.core.evaluation.compile.plots import compile_plot
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relation
from framescope.core.evaluation.signal_parser import parse_signal
from framescope.core.scene.edits.answers import (
    ARROW_LETTERS,
    FORMS,
    MAX_CARDS,
    forms_given,
    give_answer,
    is_same_question,
    question_of_sensor,
    remove_answer,
)
from framescope.core.scene.edits.items import remove_items, rename_item
from framescope.core.scene.edits.plots import with_keys
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.view import PlottedSignal
from tests.support.scenes import scene_of

SCENE = """\
framescope: 1
time: {end: 4 s}
frames:
  base: {parent: world, position: {value: ["0.2*t", 0, 1], unit: m},
         orientation: {form: axis, axis: z, angle: "90*t", unit: deg}}
  arm: {parent: base, orientation: {form: axes, sequence: ZYX, angles: ["30*t", 10, 5], unit: deg}}
  still: {parent: world}
  lost: {parent: arm, position: {value: ["1/0", 0, 0], unit: m}}
"""


@pytest.fixture
def scene():
    return scene_of(SCENE)


def question(signal: str, of: str = "arm", relative_to: str = "world", resolved_in: str = "world", unit: str = ""):
    """Return a question about a frame, with the frames that its signal takes."""
    frames = {"relative_to": relative_to, "resolved_in": resolved_in}
    keys = {key: frames[key] for key in signal_named(signal).frames}
    return PlottedSignal.model_validate({"signal": signal, "of": of, **keys} | ({"unit": unit} if unit else {}))


SPIN = question("angular velocity", unit="deg/s")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("signal", ARROW_LETTERS)
@pytest.mark.parametrize("pair", [("arm", "world"), ("arm", "base")], ids=" in ".join)
def test_that_an_answer_is_given_and_removed_without_a_trace(scene, form, signal, pair) -> None:
    asked = question(signal, *pair, unit=compile_unit(signal))
    given = give_answer(asked, form, 2.0).apply(scene)
    assert forms_given(given, asked) == {form}
    assert not compile_plan(given).problems or all(p.item == ("frames", "lost") for p in compile_plan(given).problems)
    again, _ = parse_scene(scene_text(given))
    assert forms_given(again, asked) == {form}
    assert remove_answer(asked, form).apply(given) == scene


def compile_unit(signal: str) -> str:
    """Return the usual unit of a signal."""
    return signal_named(signal).unit


def test_that_all_four_answers_stand_beside_each_other_and_go_one_by_one(scene) -> None:
    for form in FORMS:
        scene = give_answer(SPIN, form, 1.0).apply(scene)
    assert forms_given(scene, SPIN) == set(FORMS)
    other = with_keys(SPIN, resolved_in="arm")
    assert not is_same_question(SPIN, other)
    assert forms_given(scene, other) == {"arrow"}  # an arrow is the same in all axes
    for i, form in enumerate(FORMS):
        scene = remove_answer(SPIN, form).apply(scene)
        assert forms_given(scene, SPIN) == set(FORMS[i + 1 :])


def test_that_the_arrow_measures_what_was_asked(scene) -> None:
    asked = question("angular velocity", "arm", "base", "arm", unit="deg/s")
    given = give_answer(asked, "arrow", 0.5).apply(scene)
    (name,) = given.sensors
    assert name == "arm in base"
    plan = compile_plan(given)
    snapshot = evaluate(plan, 1.5)
    expected = relation(snapshot, "arm", "base", "arm").V[:3]
    np.testing.assert_allclose(snapshot.sensors[name], expected, atol=1e-12)
    arrow = snapshot.arrows[name]["w"]
    assert arrow is not None
    assert is_same_question(question_of_sensor(given, name), asked)


def test_that_the_arrow_of_a_specific_force_leads_back_to_its_question(scene) -> None:
    asked = question("specific force", "arm", resolved_in="arm", unit="m/s²")
    given = give_answer(asked, "arrow", 10.0).apply(scene)
    assert given.sensors["arm"].get_s
    assert given.sensors["arm"].resolve_in_frame_a
    assert question_of_sensor(given, "arm") == asked
    assert "s" in evaluate(compile_plan(given), 1.5).arrows["arm"]


@pytest.mark.parametrize("largest", [math.nan, 0.0, 1e-30, 1e9, 3.7])
def test_that_an_arrow_has_a_length_whatever_the_motion(scene, largest) -> None:
    given = give_answer(SPIN, "arrow", largest).apply(scene)
    (sensor,) = given.sensors.values()
    assert 0.0 < sensor.arrows.w.value < math.inf


def test_that_arrows_of_one_quantity_have_one_scale(scene) -> None:
    scene = give_answer(SPIN, "arrow", 0.5).apply(scene)
    other = question("angular velocity", "base", unit="deg/s")
    scene = give_answer(other, "arrow", 50.0).apply(scene)
    first, second = (sensor.arrows.w for sensor in scene.sensors.values())
    assert first == second


def test_that_an_arrow_leaves_a_sensor_with_other_arrows_or_plots_alone(scene) -> None:
    scene = give_answer(SPIN, "arrow", 1.0).apply(scene)
    name = next(iter(scene.sensors))
    plotted = scene.model_validate(
        scene.model_dump(exclude_unset=True) | {"view": {"plots": [{"signal": "sensor", "of": name}]}}
    )
    rest = remove_answer(SPIN, "arrow").apply(plotted)
    assert rest.sensors[name].arrows.w is None
    assert forms_given(rest, SPIN) == frozenset()


def test_that_only_vectors_become_arrows(scene) -> None:
    with pytest.raises(ValueError, match="has no arrow"):
        give_answer(PlottedSignal(signal="quaternion", of="arm", relative_to="world"), "arrow").apply(scene)


def test_that_cards_are_bounded(scene) -> None:
    for i in range(MAX_CARDS):
        asked = question("position", "arm", "base" if i % 2 else "still", f"{('arm', 'base', 'world', 'still')[i % 4]}")
        scene = give_answer(with_keys(asked, unit="m", components=["xyz"[i % 3]]), "number").apply(scene)
    with pytest.raises(ValueError, match="at most 12"):
        give_answer(SPIN, "number").apply(scene)


def test_that_answers_follow_names_and_go_with_their_frame(scene) -> None:
    given = give_answer(SPIN, "number").apply(scene)
    renamed = rename_item(given, "frames", "arm", "boom").apply(given)
    assert renamed.view.answers[0].of == "boom"
    gone = remove_items(given, [("frames", "arm")]).apply(given)
    assert gone.view.answers == ()


SENTENCES = {
    "position": "arm is 1.02 m from world, along +z, 11° towards +x of world.",
    "velocity": "arm moves at 0.2 m/s relative to world, along +x of world.",
    "acceleration": "arm does not accelerate in world.",
}


@pytest.mark.parametrize("signal", SENTENCES)
def test_that_vectors_are_said_with_size_and_direction(scene, signal) -> None:
    plan = compile_plan(scene)
    asked = question(signal, unit={"position": "m"}.get(signal, compile_unit(signal)))
    assert sentence_at(plan, compile_plot(asked, scene, plan.index), 1.0) == SENTENCES[signal]


def test_that_turns_are_said_one_after_another_and_as_one(scene) -> None:
    plan = compile_plan(scene)
    angles = PlottedSignal(signal="angles", of="arm", relative_to="base", sequence="ZYX", unit="deg")
    text = sentence_at(plan, compile_plot(angles, scene, plan.index), 1.0)
    assert text == "arm is turned from base by 30° about z, then 10° about y′, then 5° about x″."
    one = PlottedSignal(signal="quaternion", of="base", relative_to="world")
    assert sentence_at(plan, compile_plot(one, scene, plan.index), 3.0) == (
        "base is turned from world by 90° about one axis, along −z."
    )
    same = PlottedSignal(signal="quaternion", of="still", relative_to="world")
    assert sentence_at(plan, compile_plot(same, scene, plan.index), 0.0) == "still has the orientation of world."


def test_that_what_is_not_known_is_said_so(scene) -> None:
    plan = compile_plan(scene)
    signal = compile_plot(question("position", "lost", unit="m"), scene, plan.index)
    assert sentence_at(plan, signal, 0.0) == "The position of lost is not known at this time."
    assert np.isnan(values_at(plan, signal, 0.0)).all()


@pytest.mark.parametrize(
    ("axis", "words"),
    [
        ([0.0, 0.0, -1.0], "along −z."),
        ([0.8, 0.0, 0.6], "along +x, 37° towards +z."),
        ([0.8, 0.02, 0.6], "along +x, 37° towards +z."),
        ([-0.356, 0.490, 0.796], "along (−0.356, 0.490, 0.796)."),
    ],
)
def test_that_a_direction_that_two_axes_do_not_name_is_told_by_its_components(axis, words) -> None:
    half = math.radians(84.8) / 2
    v = math.sin(half) * np.array(axis) / np.linalg.norm(axis)
    orientation = {"form": "quaternion", "value": [*v.tolist(), math.cos(half)], "order": "xyzw"}
    scene = Scene.model_validate({"framescope": 1, "frames": {"eye": {"parent": "world", "orientation": orientation}}})
    plan, asked = compile_plan(scene), PlottedSignal(signal="quaternion", of="eye", relative_to="world")
    said = sentence_at(plan, compile_plot(asked, scene, plan.index), 0.0)
    assert said == f"eye is turned from world by 84.8° about one axis, {words}"


@pytest.mark.parametrize(
    ("components", "words"),
    [
        (None, "The angle between axes of dial relative to world: x to x 0°, y to y 20°, z to z 20°."),
        (["z to z"], "The angle between axes of dial relative to world, z to z, is 20°."),
        (["x to x", "y to z"], "The angle between axes of dial relative to world: x to x 0°, y to z 70°."),
    ],
)
def test_that_a_sentence_lists_the_components_that_are_asked(components, words) -> None:
    turn = {"form": "axis", "axis": "x", "angle": "10*t", "unit": "deg"}
    scene = Scene.model_validate({"framescope": 1, "frames": {"dial": {"parent": "world", "orientation": turn}}})
    keys = {"of": "dial", "relative_to": "world", "unit": "deg"} | ({"components": components} if components else {})
    plan, asked = compile_plan(scene), PlottedSignal.model_validate({"signal": "angle between axes", **keys})
    assert sentence_at(plan, compile_plot(asked, scene, plan.index), 2.0) == words


LOOKS = """\
framescope: 1
frames:
  body_frd: {parent: world}
  camera: {parent: body_frd, orientation: {form: axis, axis: z, angle: 90, unit: deg}}
  camera_optical: {parent: camera, orientation: {form: axes, sequence: ZYX, angles: [90, 0, 90], unit: deg}}
  lens: {parent: camera_optical}
  lost: {parent: body_frd, position: {value: ["1/0", 0, 0], unit: m}}
bodies:
  view: {frame: lens, shape: {form: frustum, depth: 1 m, width: 1 m, height: 1 m}}
"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("look of camera in body_frd", "along +y of body_frd: to the right"),
        ("look of camera_optical relative to body_frd", "along +y of body_frd: to the right"),
        ("look of lens in body_frd", "along +y of body_frd: to the right"),
        ("direction of z of camera_optical in body_frd", "along +y of body_frd: to the right"),
        ("direction of y of camera_optical in body_frd", "along +z of body_frd: down"),
        ("direction of x of camera_optical in camera", "along +y of camera"),
        ("look of lost in body_frd", ""),
        ("quaternion of camera in body_frd", ""),
    ],
)
def test_that_the_look_of_a_frame_is_asked_and_answered_in_words(text, words) -> None:
    plan = compile_plan(scene_of(LOOKS))
    signal = parse_signal(text, plan.scene)
    assert words_at(plan, signal, 0.0) == words
    if words:
        axis = signal.signal[-1]
        assert sentence_at(plan, signal, 0.0) == f"{axis} of {signal.of} looks {words}."


def test_that_the_magnitude_is_answered_beside_the_whole_vector(scene) -> None:
    magnitude = SPIN.model_copy(update={"components": ("norm",)})
    for form in ("number", "curve", "sentence"):
        scene = give_answer(SPIN, form).apply(scene)
    assert forms_given(scene, magnitude) == frozenset()
    both = scene
    for form in ("number", "curve", "sentence"):
        both = give_answer(magnitude, form).apply(both)
    assert forms_given(both, magnitude) == forms_given(both, SPIN) == {"number", "curve", "sentence"}
    for form in ("number", "curve", "sentence"):
        both = remove_answer(magnitude, form).apply(both)
    assert forms_given(both, magnitude) == frozenset()
    assert forms_given(both, SPIN) == {"number", "curve", "sentence"}


def test_that_the_curve_of_a_component_is_in_the_plot_of_the_vector(scene) -> None:
    scene = give_answer(SPIN, "curve").apply(scene)
    z = SPIN.model_copy(update={"components": ("z",)})
    assert forms_given(scene, z) == {"curve"}
    (plot,) = remove_answer(z, "curve").apply(scene).view.plots
    assert plot.components == ("x", "y")
