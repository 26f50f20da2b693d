"""Notes in the picture: their words and formulas, where they stand, and when."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.schema.model import Scene
from framescope.ui.scene_view.base.pick_ray import PickRay
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.note_pictures import note_picture
from framescope.ui.scene_view.visuals.notes import Notes
from framescope.ui.theme.tokens import DARK, LIGHT
from tests.support.cases import for_each
from tests.support.visuals import CAMERA, built

PROJECTION = Projection(CAMERA, 800, 600, 1.0)
FRAMES = {
    "arm": {
        "parent": "world",
        "position": {"value": [0.2, 0.1, 0.3], "unit": "m"},
        "orientation": {"form": "axes", "sequence": "XYZ", "angles": [10, 20, "30*t"], "unit": "deg"},
    }
}


def plan_with(**notes):
    return compile_plan(Scene.model_validate({"framescope": 1, "frames": FRAMES, "notes": notes}))


def shown(plan, t: float = 0.0) -> tuple[Notes, Tick]:
    visual, tick = built(Notes, plan), Tick(evaluate(plan, t), plan, {})
    visual.show(tick)
    visual.occupy(PROJECTION)
    visual.place(PROJECTION)
    return visual, tick


def center_of(visual: Notes, name: str) -> np.ndarray:
    left, bottom, right, top = visual.box_of(name)
    return np.array([(left + right) / 2, (bottom + top) / 2])


def ink(text: str, size: str = "normal", theme=DARK) -> np.ndarray:
    """Return where a note differs from an empty one as large: what is written."""
    image = np.asarray(note_picture(text, size, theme, 2.0), dtype=int)
    return np.abs(image - image[image.shape[0] // 2, 2]).sum(axis=-1) > 40


def test_that_a_note_in_the_picture_stands_where_it_says_and_one_at_nothing_at_the_top() -> None:
    visual, _ = shown(plan_with(a={"text": "Here", "at": [0.25, 0.75]}, b={"text": "There"}))
    assert center_of(visual, "a") == pytest.approx([200.0, 150.0], abs=1.0)
    x, y = center_of(visual, "b")
    assert x == pytest.approx(400.0, abs=1.0)
    assert y > 400.0


@for_each("at", [(0.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
def test_that_a_note_at_an_edge_is_whole_in_the_picture(at) -> None:
    visual, _ = shown(plan_with(a={"text": "A longer text at the very edge", "at": list(at)}))
    left, bottom, right, top = visual.box_of("a")
    assert 0 <= left < right <= 800
    assert 0 <= bottom < top <= 600


@for_each("t", [0.0, 0.4, 1.3])
def test_that_a_callout_goes_with_the_point_that_it_tells_of(t) -> None:
    plan = plan_with(a={"text": "Tip", "frame": "arm", "position": {"value": [200, 0, 0], "unit": "mm"}})
    visual, tick = shown(plan, t)
    row = tick.snapshot.index["arm"]
    p_W = tick.snapshot.p_WF[row] + tick.snapshot.R_WF[row] @ (0.2, 0.0, 0.0)
    left, bottom, _, _ = visual.box_of("a")
    assert (left, bottom) == pytest.approx(np.add(PROJECTION.project(p_W)[:2], (34.0, 30.0)), abs=1.0)
    np.testing.assert_allclose(visual.leaders.ends[0, 0, :2], PROJECTION.project(p_W)[:2], atol=0.01)


def test_that_a_note_has_its_time() -> None:
    plan = plan_with(a={"text": "a", "start": "1 s", "end": "2 s"}, b={"text": "b", "end": "500 ms"}, c={"text": "c"})
    seen = {t: [n for n in "abc" if shown(plan, t)[0].box_of(n) is not None] for t in (0.0, 0.7, 1.0, 2.0, 2.1)}
    assert seen == {0.0: ["b", "c"], 0.7: ["c"], 1.0: ["a", "c"], 2.0: ["a", "c"], 2.1: ["c"]}


def test_that_callouts_give_way_to_each_other_and_to_what_stands_in_the_picture() -> None:
    on = {"text": "A text of some words", "frame": "arm"}
    visual, _ = shown(plan_with(a=on, b=on, c={"text": "A text of some words", "at": [0.6, 0.4]}))
    boxes = [visual.box_of(name) for name in "abc"]
    for k, one in enumerate(boxes):
        for other in boxes[:k]:
            is_apart = one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]
            assert is_apart


def test_that_a_note_is_picked_where_it_stands_before_all_else() -> None:
    visual, tick = shown(plan_with(a={"text": "Here", "at": [0.25, 0.75]}))
    assert [hit.key for hit in visual.pick(PickRay(tick, PROJECTION, 200.0, 150.0))] == [("notes", "a")]
    assert not list(visual.pick(PickRay(tick, PROJECTION, 400.0, 300.0)))


def test_that_hidden_notes_and_those_of_lost_frames_are_not_shown() -> None:
    scene = {"framescope": 1, "notes": {"a": {"text": "x"}, "b": {"text": "y"}}, "view": {"hidden": {"notes": ["a"]}}}
    plan = compile_plan(Scene.model_validate(scene))
    assert [note.name for note in plan.view_data.notes] == ["b"]


@pytest.mark.parametrize(
    ("note", "key", "words"),
    [
        ({"frame": "amr"}, "frame", "arm"),
        ({"position": {"value": [1, 0, 0], "unit": "m"}}, "position", "no frame"),
        ({"frame": "arm", "position": {"value": [1, 0, 0]}}, "position", "unit"),
        ({"start": "3 s", "end": "2 s"}, "end", "before its start"),
        ({"start": "3 m"}, "start", "time"),
    ],
)
def test_that_what_is_wrong_is_told_where_it_is_and_the_rest_is_drawn(note, key, words) -> None:
    plan = plan_with(a={"text": "x", **note}, b={"text": "y"})
    problem = plan.problems[0]
    assert problem.key_path[:3] == ("notes", "a", key)
    assert words in problem.message + problem.hint
    assert [made.name for made in plan.view_data.notes] == ["b"]


# --- Pictures


def test_that_lines_end_where_they_do_in_the_file_and_long_ones_go_on_in_the_next() -> None:
    heights = {text: note_picture(text, "normal", DARK, 2.0).height for text in ("one", "one\ntwo", "one\n\ntwo")}
    step = heights["one\ntwo"] - heights["one"]
    assert step > 20
    assert heights["one\n\ntwo"] == pytest.approx(heights["one"] + 2 * step, abs=2)
    long = note_picture("word " * 40, "normal", DARK, 2.0)
    assert long.width < 2 * 16 * 24
    assert long.height > heights["one"] + 3 * step


def test_that_formulas_are_set_and_what_is_none_is_shown_as_written() -> None:
    assert ink(r"$\frac{a}{b}$").any()
    assert (
        note_picture(r"$\frac{a}{b}$", "normal", DARK, 2.0).width
        < note_picture(r"\frac{a}{b}", "normal", DARK, 2.0).width
    )
    as_written = ink(r"$\frac{1}$")
    assert as_written.any()
    assert as_written.shape[1] > ink(r"$\frac{1}{2}$").shape[1]


def test_that_what_is_bold_has_more_ink_and_spaces_are_kept_around_it() -> None:
    assert ink("**mmmm**").sum() > 1.05 * ink("mmmm").sum()
    assert note_picture("a **b** c", "normal", DARK, 2.0).width >= note_picture("a b c", "normal", DARK, 2.0).width
    assert note_picture("a**b**c", "normal", DARK, 2.0).width < note_picture("a **b** c", "normal", DARK, 2.0).width


@for_each("theme", [DARK, LIGHT])
def test_that_it_is_legible_on_its_plate_in_each_theme_and_size(theme) -> None:
    sizes = [note_picture("A note", size, theme, 1.0).size for size in ("small", "normal", "large")]
    assert sizes == sorted(sizes)
    image = np.asarray(note_picture("A note", "large", theme, 1.0).convert("L"), dtype=int)
    assert np.ptp(image[4:-4, 4:-4]) > 110
