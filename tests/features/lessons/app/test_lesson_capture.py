"""What is captured of a scene that was changed by hand: a step that shows it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from framescope import assets
from framescope.app.session.document import Document
from framescope.app.session.examples import examples
from framescope.core.scene.edits.fields import with_value
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.system.file_access import Access
from framescope.features.lessons.app.lesson_capture import WindowState, capture_moment, captured_scene
from framescope.features.lessons.app.lesson_lookup import read_lesson_text
from framescope.features.lessons.core.checking import check_lesson
from framescope.features.lessons.core.editing import step_source
from framescope.features.lessons.core.lesson import LessonError, parse_lesson
from framescope.features.lessons.core.staging import stagings
from framescope.ui.scene_view.camera.camera import CameraState
from tests.support.whole import REST, WHOLE

BASE = parse_scene(REST)[0]
EYE = CameraState((3.0, -3.0, 2.0), (0.0, 0.0, 0.0))

CHANGES = {
    "a number": (("frames", "table", "orientation", "angle"), 30),
    "an expression": (("frames", "table", "orientation", "angle"), "3*sin(t)"),
    "another form": (
        ("frames", "table", "orientation"),
        {"form": "axes", "sequence": "ZYX", "angles": ("9*t", 0, 0), "unit": "deg"},
    ),
    "no orientation": (("frames", "table", "orientation"), None),
    "an integrated one": (("frames", "top", "orientation", "w"), ("sin(t)", 0, 0)),
    "a position of t": (("frames", "table", "position", "value"), (0, "0.2*t", 0)),
    "a key": (("frames", "swing", "motion", "keys", 1, "position"), (0, 2, 1)),
    "a joint of t": (("frames", "thumb", "motion", "value"), "sin(t)"),
    "a bandwidth": (("frames", "by matrix", "motion", "bandwidth"), "2 Hz"),
    "a parent": (("frames", "mirror", "parent"), "world"),
    "no other parents": (("frames", "crate", "parent_keys"), ()),
}


def shown_again(scene: Scene, base: Scene = BASE) -> Scene:
    """Return the scene of the step that is captured of a scene, read as a lesson is."""
    moment = capture_moment("rest", base, WindowState(scene, 1.0, EYE, "", ()))
    text = "# A lesson\n\nAbout it.\n\n" + step_source("A step", "What is to be seen.", moment)
    (staging,) = stagings(parse_lesson(text), lambda _name: (base, Access()))
    return staging.scene


@pytest.mark.parametrize("change", CHANGES)
def test_that_a_frame_that_was_changed_is_shown_so_in_the_step(change) -> None:
    changed = with_value(BASE, *CHANGES[change])
    assert changed.frames != BASE.frames
    assert shown_again(changed).frames == changed.frames


@pytest.mark.parametrize("text", [REST, WHOLE])
def test_that_frames_of_any_model_are_captured_and_those_that_stand_as_in_the_file_are_not(text) -> None:
    scene = parse_scene(text)[0]
    other = scene.model_copy(
        update={
            "frames": FrozenDict(
                {
                    name: frame.model_copy(update={"parent_keys": ()}) if frame.parent_keys else frame
                    for name, frame in scene.frames.items()
                }
            )
        }
    )
    bare = {
        name: frame.model_copy(update={"position": None, "orientation": None, "motion": None, "parent_keys": ()})
        for name, frame in scene.frames.items()
    }
    base = scene.model_copy(update={"frames": FrozenDict(bare)})
    assert shown_again(other, base).frames == other.frames
    assert {"frames", "orientations"}.isdisjoint(capture_moment("rest", scene, WindowState(scene, 1.0, EYE, "", ())))


def test_that_the_last_step_that_changes_a_frame_has_its_way() -> None:
    whole = "frames:\n  table: {parent: world, position: {value: [0, 0, 9], unit: m}}"
    turned = "orientations:\n  table: {form: axis, axis: z, angle: 20, unit: deg}"
    blocks = (turned, whole, turned)
    steps = "".join(f"\n## S\n\n```yaml\nscene: rest\n{block}\n```\n" for block in blocks)
    first, second, third = (
        staging.scene.frames["table"] for staging in stagings(parse_lesson("# L\n" + steps), lambda _: (BASE, Access()))
    )
    assert first.position == BASE.frames["table"].position
    assert second.orientation is None
    assert third.position == second.position
    assert third.orientation.angle == 20


def written(document: Document, window: WindowState, folder: Path) -> str:
    """Return the text of a new lesson of a document."""
    name, base = captured_scene(document, folder)
    return "# A lesson\n\nAbout it.\n\n" + step_source(
        "A step", "What is to be seen.", capture_moment(name, base, window)
    )


SCENES = [example for example in examples() if example.file.endswith(".yaml")]


@pytest.mark.long
@pytest.mark.parametrize("example", SCENES, ids=lambda example: example.name)
def test_that_a_lesson_of_any_example_opens_even_of_one_with_a_fault(example, tmp_path) -> None:
    document = Document.open(assets.path(example.file))
    scene = document.scene
    plots = tuple(plot.called for plot in scene.view.plots)
    select = example.selected[1] if example.selected[0] == "frames" else ""
    text = written(document, WindowState(scene, 0.0, EYE, select, plots), tmp_path)
    read = read_lesson_text(text, tmp_path / "a.lesson.md")
    assert read.stagings[0].scene.frames == scene.frames
    assert read.path_of(read.stagings[0].scene_name) == document.path


def test_that_what_only_the_window_has_is_left_out(tmp_path) -> None:
    document = Document.open(assets.path("scenes/demo.yaml"))
    scene = document.scene
    plot = scene.view.plots[0].model_copy(update={"title": "Of the window"})
    view = scene.view.model_copy(
        update={
            "plots": (*scene.view.plots, plot),
            "hidden": scene.view.hidden.model_copy(update={"frames": ("added",)}),
        }
    )
    update = {
        "frames": scene.frames | {"added": Frame(parent=WORLD)},
        "parameters": scene.parameters | {"q": 1.0},
        "view": view,
    }
    window = WindowState(scene.model_copy(update=update), 0.0, EYE, "added", ("Of the window",))
    (staging,) = read_lesson_text(written(document, window, tmp_path), tmp_path / "a.lesson.md").stagings
    assert staging.select == ""
    assert "added" not in staging.scene.frames


def test_that_a_fault_that_the_step_makes_is_a_fault_of_the_lesson(tmp_path) -> None:
    text = written(
        Document.open(assets.path("scenes/faulty/misspelt-parent.yaml")),
        WindowState(Scene(), 0.0, EYE, "", ()),
        tmp_path,
    )
    change = "\nframes:\n  mast_link: {parent: nowhere}\n```"
    with pytest.raises(LessonError, match="the changes of the step cause a problem in faulty/misspelt-parent"):
        read_lesson_text(change.join(text.rsplit("\n```", 1)), tmp_path / "a.lesson.md")


@pytest.mark.parametrize(
    ("t", "end", "text"),
    [
        (3.416666667, "10 s", "3.417 s"),
        (2.0, "10 s", "2 s"),
        (12.566370614359172, "12.566370614359172 s", "12.566 s"),
        (0.0166666, "16.6666 ms", "0.0166666 s"),
        (1699999999.1234, "2000000000 s", "1699999999.123 s"),
    ],
)
def test_that_a_captured_time_is_short_and_within_the_scene(t, end, text) -> None:
    scene = parse_scene(f"framescope: 1\ntime: {{end: {end}}}\nframes:\n  a: {{parent: world}}\n")[0]
    moment = capture_moment("rest", scene, WindowState(scene, t, EYE, "", ()))
    assert moment["time"] == text
    lesson = parse_lesson("# A\n\n" + step_source("A step", "Text.", moment))
    check_lesson(lesson, lambda _name: (scene, Access()))


def test_that_whole_numbers_of_a_camera_have_no_decimals() -> None:
    moment = capture_moment("rest", BASE, WindowState(BASE, 1.0, EYE, "", ()))
    assert str(moment["camera"]["position"]) == "[3, -3, 2]"
    assert str(moment["camera"]["up"]) == "[0, 0, 1]"
