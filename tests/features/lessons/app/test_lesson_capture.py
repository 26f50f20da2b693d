"""What is captured of a scene that was changed by hand: a step that shows it again."""

from __future__ import annotations

import pytest

from framescope.core.scene.edits.fields import with_value
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access
from framescope.features.lessons.app.lesson_capture import WindowState, capture_moment
from framescope.features.lessons.core.editing import step_source
from framescope.features.lessons.core.lesson import parse_lesson
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
