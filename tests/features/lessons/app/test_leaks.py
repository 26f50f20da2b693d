"""Answers that a step shows: forty planted ones are found, and scenes that only describe are left alone."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access
from framescope.features.lessons.app.lesson_lookup import lesson_paths, read_lesson
from framescope.features.lessons.core.checking import advice, check_lesson
from framescope.features.lessons.core.leaks.find_leaks import leaks_of
from framescope.features.lessons.core.lesson import parse_lesson

SCENE: dict[str, Any] = {
    "framescope": 1,
    "title": "A crane",
    "time": {"start": "0 s", "end": "10 s"},
    "frames": {
        "mast": {"parent": "world", "position": {"value": [0, 0, 0.5], "unit": "m"}},
        "boom": {
            "parent": "mast",
            "orientation": {"form": "axes", "sequence": "ZYX", "angles": ["37*t/5", -23, 11], "unit": "deg"},
        },
        "hook": {"parent": "boom", "position": {"value": [0.75, 0, 0], "unit": "m"}},
        "wheel": {
            "parent": "world",
            "position": {"value": [1, 0, 0.25], "unit": "m"},
            "orientation": {"form": "axis", "axis": "y", "angle": "40*sin(t)", "unit": "deg"},
        },
    },
    "bodies": {"beam": {"frame": "boom", "shape": {"form": "box", "size": [0.8, 0.1, 0.1], "unit": "m"}}},
    "view": {"frames": {"mast": {"triad": False}}},
}

NUMBER = {"form": "number", "ask": "How far has the boom swung at 5 s?", "value": 37, "unit": "deg", "tolerance": 1}
SPEED = {"form": "number", "ask": "How fast is the load?", "value": 0.47, "unit": "m/s", "tolerance": 0.01}
LENGTH = {**SPEED, "ask": "How long is the rope?", "value": 0.75, "unit": "m"}
RATE = {"form": "number", "ask": "How fast does it swing?", "value": 7.4, "unit": "deg/s", "tolerance": 0.1}
FACTOR = {"form": "number", "ask": "Which factor?", "value": 5.76, "unit": "", "tolerance": 0.05}
NONE = {"form": "number", "ask": "How far does it go?", "value": 0, "unit": "deg", "tolerance": 1}
POINT = {
    "form": "point", "ask": "Point along the axis of the swing.", "frame": "mast", "axis": [0, 0, 1],
    "if_right": "It goes along the mast, because the bearing carries the boom there.",
}  # fmt: skip
SIDE = {"form": "point", "ask": "Point along its velocity.", "frame": "mast", "axis": [0.8, 0.6, 0]}
TURN = {
    "form": "turn", "ask": "Turn the boom to where it will be.", "frame": "boom", "at": "9 s",
    "if_right": "It looks backwards and a little upwards.",
}  # fmt: skip
SKETCH = {
    "form": "sketch", "ask": "Draw the angle of the wheel.", "start": "0 s", "end": "6 s", "component": "angle 1",
    "signal": "angles of wheel relative to world by YXZ in deg", "if_right": "A sine that begins at zero.",
}  # fmt: skip
CHOOSE = {
    "form": "choose", "ask": "Where is the load at last?",
    "options": [
        {"text": "Above the cabin", "reply": "It cannot reach that place."},
        {"text": "Behind the tower", "right": True, "reply": "The boom swings through half a circle, past the cabin."},
        {"text": "In front", "reply": "It began there."},
    ],
}  # fmt: skip

CHOOSE_SIDE = {
    "form": "choose", "ask": "Which way does the load swing?",
    "options": [{"text": "To the left", "right": True}, {"text": "To the right"}, {"text": "It stays"}],
}  # fmt: skip
QUARTER = {
    "form": "turn", "ask": "Turn it as he says.", "frame": "boom",
    "to": {"form": "axes", "sequence": "ZYX", "angles": [90, 0, 0], "unit": "deg"},
}  # fmt: skip
CHOOSE_WAY = {
    "form": "choose", "ask": "Which way does the load turn?",
    "options": [{"text": "Counter-clockwise"}, {"text": "Clockwise", "right": True}, {"text": "It stays"}],
}  # fmt: skip
CHOOSE_EFFECT = {
    "form": "choose", "ask": "How does the matrix change with Euler's method?",
    "options": [
        {"text": "It shrinks, and stays a rotation"},
        {"text": "It stretches, and is no longer a rotation", "right": True},
    ],
}  # fmt: skip
QUARTER_OF_QUATERNION = {
    "form": "turn", "ask": "Turn it to (0, 0, 0.707, 0.707), scalar last.", "frame": "boom",
    "to": {"form": "quaternion", "value": [0, 0, 0.7071067811865476, 0.7071067811865476], "order": "xyzw"},
}  # fmt: skip
SIDE_OF_MAST = {**POINT, "ask": "Point along the axle.", "axis": [0, 1, 0], "either_way": True}

OF_MAST = {"relative_to": "mast", "unit": "deg"}


def note(text: str, **keys: Any) -> dict[str, Any]:
    return {"notes": {"remark": {"text": text, **keys}}}


def plot(signal: str, of: str, **keys: Any) -> dict[str, Any]:
    return {"view": {"plots": [{"signal": signal, "of": of, "title": "Curves", **keys}]}}


def card(signal: str, of: str, **keys: Any) -> dict[str, Any]:
    return {"view": {"answers": [{"signal": signal, "of": of, **keys}]}}


def arrow_body(n: list[float]) -> dict[str, Any]:
    """Return a scene with an arrow along a direction of the mast."""
    rows = {
        "form": "nxy",
        "n_x": [n[1], -n[0], 0] if n[0] or n[1] else [1, 0, 0],
        "n_y": [0, 0, 1] if n[0] else [0, 1, 0],
    }
    shape = {"form": "arrow", "length": "300 mm", "radius": "10 mm"}
    return {"bodies": {"pin": {"frame": "mast", "orientation": rows, "shape": shape}}}


def sensor(**arrows: str) -> dict[str, Any]:
    return {
        "sensors": {
            "gauge": {
                "form": "absolute",
                "frame_a": "hook",
                "get_r": False,
                "get_v": True,
                "get_w": True,
                "arrows": arrows,
            }
        }
    }


ROTATED = {"frames": {"twin": {
    "parent": "mast", "orientation": {"form": "axes", "sequence": "ZYX", "angles": [66.6, -23, 11], "unit": "deg"},
}}}  # fmt: skip

LEAKS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    # numbers in texts
    (NUMBER, note("The boom is at 37°")),
    (NUMBER, note("about 37 degrees")),
    (NUMBER, note("$\\psi = 0.646\\,\\mathrm{rad}$")),
    (NUMBER, note("thirty-seven degrees later", start="8 s")),
    (NUMBER, {"frames": {"at 37 deg": {"parent": "mast"}}}),
    (NUMBER, {"title": "A crane at 37°"}),
    (RATE, note("It swings by 7,4 °/s.")),
    (RATE, note("0.129 rad s^-1")),
    (RATE, note("7.4 deg per second, as it did")),
    (SPEED, note("47 cm/s", frame="hook")),
    (SPEED, note("**0.47** all the time")),
    (FACTOR, note("5.8 times")),
    (FACTOR, note("$\\approx 5.76$")),
    (NONE, note("The load stands still.")),
    # numbers in the picture and in plots
    (NUMBER, {"view": {"arcs": [{"frame": "boom", "radius": "0.3 m"}]}}),
    (NUMBER, card("angles", "boom", relative_to="mast", sequence="ZYX", unit="deg")),
    (NUMBER, card("angles", "boom", relative_to="world", sequence="ZYX", unit="rad", form="sentence")),
    (NUMBER, plot("angles", "boom", relative_to="mast", sequence="ZYX", unit="deg")),
    (RATE, card("angular velocity", "boom", relative_to="mast", resolved_in="boom", unit="rad/s")),
    (RATE, plot("angular velocity", "boom", relative_to="world", resolved_in="mast", unit="deg/s")),
    (RATE, plot("angle rates", "boom", relative_to="mast", sequence="ZYX", unit="deg/s", components=["rate 1"])),
    (RATE, sensor(w="1 m per rad/s")),
    ({**SPEED, "value": 0.0892, "tolerance": 0.001}, sensor(v="1 m per m/s")),
    ({**SPEED, "value": 8.92, "unit": "cm/s", "tolerance": 0.1}, sensor(v="1 m per m/s")),
    (LENGTH, card("position", "hook", relative_to="boom", resolved_in="boom", unit="cm")),
    (LENGTH, plot("position", "hook", relative_to="mast", resolved_in="mast", unit="m")),
    ({**FACTOR, "value": 0.391, "tolerance": 0.002}, card("singularity", "boom", relative_to="mast", sequence="ZYX")),
    # directions
    (POINT, note("Everything goes about z.")),
    (POINT, note("The axis $\\hat z$ of the mast")),
    (POINT, note("(0, 0, 1)")),
    (POINT, note("It is vertical.")),
    (POINT, note("The bearing carries it along the mast.")),
    (POINT, arrow_body([0, 0, 1])),
    (POINT, {"sensors": {"rate": {
        "form": "relative", "frame_a": "mast", "frame_b": "boom", "get_r_rel": False, "get_w_rel": True,
        "arrows": {"w": "1 m per rad/s"},
    }}}),
    (SIDE, note("It moves along (4, 3, 0).")),
    # orientations
    (TURN, ROTATED),
    (TURN, card("quaternion", "boom", relative_to="mast")),
    (TURN, note("In the end: 66.6°, −23°, 11°.")),
    # curves and words
    (SKETCH, card("angles", "wheel", relative_to="world", sequence="YXZ", unit="rad")),
    (SKETCH, plot("rotation angle", "wheel", relative_to="world", unit="deg", also=[
        {"signal": "angles", "of": "wheel", "relative_to": "mast", "sequence": "YZX", "unit": "deg"}])),
    (SKETCH, note("A sine of the time")),
    (SKETCH, note("up to 40° and back")),
    (CHOOSE, note("It ends behind the tower.")),
    (CHOOSE, note("It swings through half a circle.")),
    # units of other systems, complements, orientations in other forms, and names of the right thing
    ({**SPEED, "value": 0.63, "unit": "N m"}, note("$M_x$ = 63 N cm")),
    (SPEED, note("28.2 m/min")),
    (NUMBER, note("41.1 gon")),
    (RATE, note("444 arcmin/s")),
    ({**NUMBER, "value": 113}, card("angle between axes", "boom", **OF_MAST, components=["x to z"])),
    ({**NUMBER, "value": 23}, card("angle between axes", "boom", **OF_MAST, components=["x to z"])),
    (QUARTER, note("q = (0, 0, 0.707, 0.707)")),
    (QUARTER, note("$q = \\begin{pmatrix} 0.707 & 0 & 0 & 0.707 \\end{pmatrix}$, scalar first")),
    (QUARTER, note("$$R = \\begin{bmatrix} 0 & -1 & 0 \\\\ 1 & 0 & 0 \\\\ 0 & 0 & 1 \\end{bmatrix}$$")),
    (QUARTER, note("R = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]")),
    (QUARTER, note("90° about z")),
    (QUARTER, note("a quarter turn about the $z$ axis")),
    (QUARTER, note("about z by $\\pi/2$")),
    (SIDE_OF_MAST, {"frames": {"axle": {"parent": "mast", "position": {"value": [0, 0.4, 0], "unit": "m"}}}}),
    (CHOOSE_SIDE, note("load: swings to the left")),
    (CHOOSE_WAY, note("The load turns clockwise.")),
    (CHOOSE_EFFECT, note("Euler: the matrix stretches")),
    (QUARTER_OF_QUATERNION, note("90° about z")),
]  # fmt: skip

HEALTHY: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (NUMBER, note("The boom turns about the mast.")),
    (NUMBER, note("It takes 37 s and 3 steps.")),
    (NUMBER, {"frames": {"part 3": {"parent": "mast"}}}),
    (NUMBER, sensor(w="1 m per rad/s", v="1 m per m/s")),
    (NUMBER, plot("position", "hook", relative_to="mast", resolved_in="mast", unit="m")),
    (NUMBER, card("angles", "wheel", relative_to="world", sequence="YXZ", unit="deg", components=["angle 2"])),
    (RATE, note("The load hangs at 0.75 m.")),
    (FACTOR, note("Two arms, one hook")),
    (NONE, note("The boom has 2 m.")),
    (NONE, {"view": {"arcs": [{"frame": "wheel", "radius": "0.3 m"}]}}),
    (POINT, note("x points right, y away from you, z along the third direction.")),
    (POINT, arrow_body([1, 0, 0])),
    (SIDE, note("The boom carries the load.")),
    (SIDE, arrow_body([0, 0, 1])),
    (TURN, note("The boom is 2 m long.")),
    (TURN, {"frames": {"twin": {"parent": "mast"}}}),
    (SKETCH, note("A wheel on the ground")),
    (SKETCH, plot("position", "hook", relative_to="world", resolved_in="world", unit="m")),
    (CHOOSE, note("A tower crane with a cabin")),
    (CHOOSE, sensor(v="1 m per m/s")),
    (NUMBER, note("Exercise 37")),
    (NUMBER, note("Room 37, see figure 37 and question 37.")),
    (NUMBER, {"title": "Lesson 37"}),
    (LENGTH, note("One square of the grid: 0.75 m") | {"view": {"grid": "0.75 m"}}),
    ({**NUMBER, "value": 67}, card("angle between axes", "boom", **OF_MAST, components=["y to y"])),
    (QUARTER, note("q = (0, 0, 0, 1)")),
    (QUARTER, note("45° about x")),
    (QUARTER, note("R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]")),
    (SIDE_OF_MAST, {"frames": {"cabin": {"parent": "mast", "position": {"value": [0, 0.4, 0], "unit": "m"}}}}),
    (SIDE_OF_MAST, {"frames": {"axle": {"parent": "mast", "position": {"value": [0.4, 0, 0], "unit": "m"}}}}),
    (CHOOSE_SIDE, note("left wheel")),
    (CHOOSE_WAY, note("The load turns counter-clockwise.")),
    (CHOOSE_EFFECT, note("stretched rubber")),
    (CHOOSE_EFFECT, note("The matrix of Euler may stretch or shrink.")),
    (QUARTER_OF_QUATERNION, note("(0, 0, 0.707, 0.707)")),
    (CHOOSE_SIDE, note("The load swings to the left or to the right.")),
]


def merged(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in more.items():
        result[key] = merged(base.get(key, {}), value) if isinstance(value, dict) else value
    return result


def staged(
    question: dict[str, Any], more: dict[str, Any], text: str = "Look at it.", title: str = "A step", **moment: Any
):
    scene = Scene.model_validate(merged(SCENE, more))
    titles = [each.called for each in scene.view.plots]
    block = yaml.safe_dump({"scene": "crane", "time": "5 s", "plots": titles, "question": question, **moment})
    lesson = parse_lesson(f"# Cranes\n\n## {title}\n\n{text}\n\n```yaml\n{block}```\n")

    def load(_name: str) -> tuple[Scene, Access]:
        return scene, Access()

    (staging,) = check_lesson(lesson, load)
    return staging, load


def found(question: dict[str, Any], more: dict[str, Any], **moment: Any) -> list[str]:
    staging, load = staged(question, more, **moment)
    return [leak.where for leak in leaks_of(staging, compile_plan(staging.scene, access=load("")[1]))]


@pytest.mark.parametrize("i", range(len(LEAKS)))
def test_that_an_answer_that_a_step_shows_is_found(i: int) -> None:
    assert found(*LEAKS[i])


@pytest.mark.parametrize("i", range(len(HEALTHY)))
def test_that_a_scene_that_only_describes_is_left_alone(i: int) -> None:
    assert found(*HEALTHY[i]) == []


TELLING: list[tuple[dict[str, Any], str]] = [
    (NUMBER, "The boom swings slowly. At 5 s the boom has swung by 37°."),
    (SPEED, "The load is light. So the load is 47 cm/s fast."),
    ({**SPEED, "ask": "What is the x component of this torque?", "value": 0.63, "unit": "N m"},
     "Together they give a torque of 63 N cm about x."),
    ({**SPEED, "ask": "How fast is the point at the top?"}, "At the top, then, the point has 0.47 m/s."),
    ({**FACTOR, "ask": "By which factor does the motor turn faster?"}, "The motor turns about 5.8 times faster."),
    ({**NUMBER, "ask": "Which pitch belongs to yaw −130° and roll −140°?"}, "So the angles are −130°, 37° and −140°."),
    ({**SIDE, "ask": "Point along the axis of this turn."}, "Its unit vector is (0.8, 0.6, 0)."),
    ({**SKETCH, "ask": "Draw the angle of the wheel.", "if_right": "It jumps at 2 s."},
     "The angle of the wheel jumps in the middle."),
    ({**SKETCH, "ask": "Draw the first angle.", "if_right": "It jumps at 2 s."}, "The first angle jumps at last."),
    (CHOOSE, "At last the load hangs behind the tower."),
]  # fmt: skip


@pytest.mark.parametrize("i", range(len(TELLING)))
def test_that_a_sentence_of_the_text_that_answers_the_question_is_found(i: int) -> None:
    question, text = TELLING[i]
    assert found(question, {}, text=text) == ["the text of the step"]


GIVEN: list[tuple[dict[str, Any], str]] = [
    (NUMBER, "The mast leans by 37°, and the boom swings."),
    (SPEED, "A rope of 0.47 m carries the load."),
    (LENGTH, "In the world the arrow has the length 0.75 m."),
    ({**NUMBER, "ask": "How large is the first of the angles of XYZ?", "misreadings": [{"value": 20, "reply": "No."}]},
     "The first angles of XYZ are 20°, 30° and 37°."),
    ({**SIDE, "ask": "A vector has the components (4, 3, 0). Point along it."}, "Its unit vector is (0.8, 0.6, 0)."),
    ({**SIDE, "ask": "Point along the vector."}, "The vector has the components (0.8, 0.6, 0)."),
    (CHOOSE_EFFECT, "With Euler's method each step of the matrix stretches along the tangent."),
    (CHOOSE, "The tower, the cabin and the load. The load may hang above the cabin, behind the tower or in front."),
]  # fmt: skip


@pytest.mark.parametrize("i", range(len(GIVEN)))
def test_that_what_the_text_gives_is_left_alone(i: int) -> None:
    question, text = GIVEN[i]
    assert found(question, {}, text=text) == []


def test_that_a_plot_in_which_nothing_moves_shows_the_answer_zero() -> None:
    frames = {"boom": {"orientation": {"form": "axes", "sequence": "ZYX", "unit": "deg"}}}
    rate = plot("angular velocity", "boom", relative_to="mast", resolved_in="mast", unit="deg/s")
    resting = merged({"frames": frames}, rate)
    resting["frames"]["boom"]["orientation"]["angles"] = ["37*max(0, 4 - t) + 37*max(0, t - 7)", -23, 11]
    assert found(NONE, resting) == ['the plot "Curves"']
    assert found(NONE, resting, time="8 s") == []
    assert found(NONE, resting, time="6 s") == []  # it moves again, soon after
    assert found(NONE, resting, plots=[]) == []


def test_that_the_name_of_what_the_title_asks_for_is_found() -> None:
    named = {"frames": {"lost axis": {"parent": "mast", "position": {"value": [0, 0, 0.5], "unit": "m"}}}}
    assert found(POINT, named, title="Which one is lost?") == ['the name "lost axis"']
    assert found(POINT, named) == []


def test_that_a_title_with_the_word_of_the_right_option_is_found() -> None:
    assert found(CHOOSE_SIDE, {}, title="To the left") == ["the title of the step"]
    assert found(CHOOSE_SIDE, {}, title="Left or right?") == []
    assert found(CHOOSE_SIDE, {}, title="A load that swings") == []


def test_that_an_axis_that_is_lit_is_found() -> None:
    assert found(POINT, {}, light="z of mast") == ["the light on z of mast"]
    assert found(POINT, {}, light="x of mast") == []
    assert found({**POINT, "axis": [0, 0, -1]}, {}, light="z of boom") == []


@pytest.mark.parametrize(
    ("question", "panel", "selected"),
    [
        (NUMBER, "readouts", "boom"),
        (NUMBER, "inspector", "boom"),
        (RATE, "readouts", "boom"),
        ({**RATE, "value": 2.89}, "readouts", "boom"),  # about x of the boom
        ({**LENGTH, "value": 0.793}, "readouts", "hook"),  # above the world's origin
        ({**FACTOR, "value": 0.602, "tolerance": 0.005}, "quaternion", "boom"),
        (LENGTH, "inspector", "hook"),
    ],
)
def test_that_a_panel_that_shows_the_number_of_the_answer_is_found(question, panel, selected) -> None:
    assert found(question, {}, panel=panel, select=selected) == [f'the panel "{panel}"']
    assert found(question, {}, panel=panel, stage="scene", select=selected) == []
    assert found(question, {}, panel=panel, select="mast") == []


def test_that_the_label_of_a_force_is_found() -> None:
    pulled = {
        "gravity": {"value": [0, 0, 0], "unit": "m/s²"},
        "frames": {"block": {"parent": "world", "motion": {"form": "simulated", "model": "finite"}}},
        "bodies": {"cube": {
            "frame": "block",
            "shape": {"form": "box", "size": [1, 1, 1], "unit": "m"},
            "mass": "2 kg",
            "inertia": "uniform",
        }},
        "points": {"corner": {"body": "cube", "kind": "XYZ", "offset": {"value": [0.5, 0, 0], "unit": "m"}}},
        "elements": {"pull": {"form": "force", "point": "corner", "signal": [0, 3, 4], "unit": "N"}},
        "view": {"forces": "0.1 m per N"},
    }  # fmt: skip
    force = {"form": "number", "ask": "How strong is the pull?", "value": 5, "unit": "N", "tolerance": 0.1}
    assert found(force, pulled) == ['the label of the force at "corner"']
    assert found(force, pulled, hide=["forces"]) == []
    assert found({**force, "value": 4}, pulled) == []


def test_that_there_are_forty_leaks_and_half_of_them_numbers() -> None:
    numbers = [1 for question, _ in LEAKS if question["form"] == "number"]
    assert len(LEAKS) >= 40
    assert len(numbers) >= 20


def test_that_what_leaks_is_told_with_its_step_and_that_hiding_it_mends_it() -> None:
    arcs = {"view": {"arcs": [{"frame": "boom", "radius": "0.3 m"}]}}
    staging, load = staged(NUMBER, arcs)
    (problem,) = advice([staging], load)
    assert problem.message == 'the arcs of "boom" show the number of the answer.'
    assert problem.line == 9
    assert problem.key_path[0] == "A step"
    assert found(NUMBER, arcs, hide=["arcs"]) == []
    assert found(NUMBER, note("at 37°"), hide=["remark"]) == []
    cards = card("angles", "boom", relative_to="mast", sequence="ZYX", unit="deg")
    assert found(NUMBER, cards, hide=["cards"]) == []


@pytest.mark.long
@pytest.mark.parametrize("path", lesson_paths(), ids=lambda path: path.name.partition(".")[0])
def test_that_no_shipped_lesson_shows_an_answer(path) -> None:
    assert [str(problem) for problem in read_lesson(path).advice()] == []


def advised(question: dict[str, Any], **moment: Any) -> list[str]:
    staging, load = staged(question, {}, **moment)
    return [problem.message for problem in advice([staging], load)]


FRONT = {"position": [0, -3, 0.5], "focal_point": [0, 0, 0.5], "unit": "m"}


def test_that_an_arrow_that_begins_near_the_answer_in_the_picture_is_found() -> None:
    near = {**SIDE, "axis": [0.8, 0.6, 0], "start": [0.8, -0.6, 0]}  # 74° apart, and one line from the front
    assert advised(near, camera=FRONT) == ["in the picture the arrow begins 0° from the answer, less than 40°."]
    assert advised({**SIDE, "axis": [0.8, 0.6, 0]}, camera=FRONT) == []
    (message,) = advised({**SIDE, "axis": [0.05, 1, 0]}, camera=FRONT)
    assert "points nearly at the camera" in message


def test_that_a_turn_whose_numbers_can_be_copied_is_found() -> None:
    to = {"form": "axes", "sequence": "ZYX", "angles": [50, 28, 40], "unit": "deg"}
    asked = {"form": "turn", "ask": "Turn it by 50°, 28° and 40°.", "frame": "boom", "to": to}
    assert advised(asked) == []  # the sliders have another sequence
    (message,) = advised({**asked, "by": "ZYX"})
    assert "can be copied" in message


def test_that_a_unit_in_another_spelling_is_found() -> None:
    assert advised({**RATE, "unit": "deg/sec"}) == ['"deg/sec" is written deg/s.']
    assert advised(RATE) == []
    assert advised({**RATE, "unit": "boxes"}) == []


def test_that_a_command_that_tex_does_not_have_is_found(tmp_path) -> None:
    path = tmp_path / "rate.lesson.md"
    path.write_text("# Rate\n\n## One\n\nIt is $\\dotpsi$, and $\\dot\\psi$.\n\n```yaml\nscene: aircraft\n```\n")
    (problem,) = read_lesson(path).advice()
    assert problem.message.startswith("\\dotpsi is no command of TeX")
