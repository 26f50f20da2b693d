"""Any scene is the same after saving and loading, also over the text of another one; and saving is atomic."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from framescope.core.scene.edits.fields import with_value
from framescope.core.scene.edits.items import rename_item
from framescope.core.scene.files import ruamel_round_trip
from framescope.core.scene.files.loading import load_scene, parse_scene
from framescope.core.scene.files.saving import match_entries, save_scene, scene_text
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from tests.support.scene_strategies import SCENES
from tests.support.whole import WHOLE

SLOW = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


@SLOW
@given(SCENES)
def test_that_any_scene_is_saved_and_read_again(scene: Scene) -> None:
    read, _ = parse_scene(scene_text(scene))
    assert read == scene
    assert repr(read) == repr(scene)  # to the bit, and the sign of zero


@SLOW
@given(SCENES, SCENES)
def test_that_a_scene_is_saved_over_the_text_of_another(scene: Scene, before: Scene) -> None:
    assert repr(parse_scene(scene_text(scene, scene_text(before)))[0]) == repr(scene)


@settings(SLOW, max_examples=15)
@given(SCENES, SCENES, st.sampled_from((1, 2, 5)))
def test_that_a_scene_is_saved_over_a_text_full_of_comments(scene: Scene, before: Scene, every: int) -> None:
    lines = scene_text(before).splitlines()
    for i in range(len(lines) - 1, -1, -every):
        indent = lines[i][: len(lines[i]) - len(lines[i].lstrip(" "))]
        lines[i : i + 1] = ["", f"{indent}# what comes next", f"{lines[i]}  # and this"]
    text = "\n".join(lines) + "\n"
    assert parse_scene(text)[0] == before
    saved = scene_text(scene, text)
    assert repr(parse_scene(saved)[0]) == repr(scene)
    assert repr(parse_scene(scene_text(before, saved))[0]) == repr(before)


def test_that_a_comment_above_the_first_of_a_list_is_kept_when_the_list_is_empty() -> None:
    text = "framescope: 1\nview:  # how\n  plots:\n\n    # how far\n    - signal: position\n"
    scene, _ = parse_scene("framescope: 1\nview: {plots: []}\ntime: {}\n")
    saved = scene_text(scene, text)
    assert parse_scene(saved)[0] == scene
    assert "# how far" in saved


@pytest.mark.parametrize("kind", ["frames", "bodies", "points", "sensors"])
def test_that_a_scene_can_be_saved_when_all_below_a_comment_is_removed(kind) -> None:
    text = WHOLE.replace(f"{kind}:\n", f"{kind}:\n\n  # The first one.\n", 1)
    scene, _ = parse_scene(text)
    emptied = scene.model_copy(update={kind: FrozenDict()})
    saved = scene_text(emptied, text)
    assert parse_scene(saved)[0] == emptied


ODD = """\
framescope: 1
frames:   # three
    # This file is written by hand,
  "a":   {parent:   world}   # indented
      # as no program would write it.
  b:
       parent: "a"
       position:
         value:
           - 1.50
           - 2
           -   1e-1
         unit: m

  # Of c.
  c:
    parent: 'b'
    position: {value: [1,2,
               3], unit: m}  # on two lines
# Below all frames.
title: Odd
"""


def test_that_items_which_are_not_touched_stay_to_the_letter() -> None:
    text = ODD
    scene, _ = parse_scene(text)
    assert scene_text(scene, text) == text
    renamed = scene.model_copy(update={"title": "Even"})
    assert scene_text(renamed, text) == text.replace("title: Odd", "title: Even")
    with_d = scene.model_copy(update={"frames": scene.frames | {"d": scene.frames["a"]}})
    assert scene_text(with_d, text) == text.replace("# Below", "  d:\n    parent: world\n# Below")
    without_b = scene.model_copy(update={"frames": scene.frames.without("b")})
    start, end = text.index("      # as no"), text.index("\n  # Of c.")
    assert scene_text(without_b, text).replace("\n\n", "\n") == (text[:start] + text[end + 1 :]).replace("\n\n", "\n")
    moved = without_b.frames | {"b": scene.frames["b"]}
    saved = scene_text(scene.model_copy(update={"frames": moved}), text)
    assert list(parse_scene(saved)[0].frames) == ["a", "c", "b"]
    assert "{value: [1,2,\n               3], unit: m}  # on two lines" in saved


@pytest.mark.parametrize(
    "text",
    [
        "framescope: 1\nframes:\n  {\n  a: {parent: world},\n  b: {parent: a}\n  }\ntitle: x\n",
        "framescope: 1\nframes: {a: {parent: world},\n  b: {parent: a}}\ntitle: x\n",
        "framescope: 1\nframes:\n    a: {parent: world}\n    b: {parent: a}\ntitle: x\n",
        '{"framescope": 1, "frames":\n{\n  "a": {"parent": "world"},\n  "b": {"parent": "a"}}, "title": "x"}\n',
        "framescope: 1\nframes:\n  ? a\n  : parent: world\n  b: {parent: a}\ntitle: x\n",
        "framescope: 1\nframes:\n  a: {parent: world}  # \x85  # a line of its own\n  b: {parent: a}\ntitle: x\n",
        "framescope: 1\nframes:\n  kept0: {parent: world}\n  kept0_: {parent: kept0}\ntitle: 'kept0: kept'\n",
    ],
)
def test_that_what_is_laid_out_in_another_way_is_saved_too(text) -> None:
    scene, _ = parse_scene(text)
    other = scene.model_copy(update={"title": "y"})
    assert parse_scene(scene_text(other, text))[0] == other
    last = list(scene.frames)[-1]
    fewer = other.model_copy(update={"frames": scene.frames.without(last)})
    assert parse_scene(scene_text(fewer, text))[0] == fewer


@SLOW
@given(SCENES)
def test_that_a_scene_is_read_from_json(scene: Scene) -> None:
    assert parse_scene(json.dumps(scene.model_dump(exclude_unset=True, mode="json")))[0] == scene


@given(SCENES)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_that_the_bits_of_a_saved_scene_stay_when_nothing_has_changed(scene: Scene) -> None:
    text = scene_text(scene)
    assert scene_text(parse_scene(text)[0], text) == text


def test_that_comments_and_order_of_a_hand_written_file_stay() -> None:
    text = WHOLE.replace("  arm:\n", "  # The arm turns.\n  arm:  # about z first\n")
    scene, _ = parse_scene(text)
    saved = scene_text(scene.model_copy(update={"title": "Other"}), text)
    assert saved.count("# The arm turns.") == 1
    assert saved.count("# about z first") == 1
    assert [line for line in saved.splitlines() if line.startswith("title")] == ["title: Other"]
    order = [saved.index(f"\n{key}:") for key in ("time", "gravity", "frames", "points", "sensors", "view")]
    assert order == sorted(order)


NOTED = """\
framescope: 1
# what moves
frames:
  # the first
  a:  # turns
    parent: world

  # the second
  b: {parent: a}  # stands
  # the third
  c:
    parent: world
# how it is seen
view: {}
"""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"b": None}, NOTED.replace("\n\n  # the second\n  b: {parent: a}  # stands", "")),
        ({"c": None}, NOTED.replace("  # the third\n  c:\n    parent: world\n", "")),
        ({"d": "a"}, NOTED.replace("# how it is", "  d:\n    parent: world\n# how it is")),
    ],
)
def test_that_a_comment_goes_where_the_item_below_it_goes(change, expected) -> None:
    scene, _ = parse_scene(NOTED)
    frames = dict(scene.frames)
    for name, like in change.items():
        if like is None:
            del frames[name]
        else:
            frames[name] = frames[like]
    assert scene_text(scene.model_copy(update={"frames": FrozenDict(frames)}), NOTED) == expected


def test_that_a_number_in_place_of_an_expression_is_written_as_a_number() -> None:
    text = """framescope: 1
frames:
  a:
    parent: world
    orientation: {form: axes, sequence: XYZ, angles: ["2*t", 0, 0], unit: rad}
elements:
  push: {form: force, point: p, signal: "sin(t)"}
"""
    scene, _ = parse_scene(text)
    scene = with_value(scene, ("frames", "a", "orientation", "angles", 0), 1.5)
    scene = with_value(scene, ("elements", "push", "signal"), 2.0)
    saved = scene_text(scene, text)
    assert "angles: [1.5, 0, 0]" in saved
    assert "signal: 2}" in saved
    assert parse_scene(saved)[0] == scene


def test_that_a_renamed_item_keeps_its_place_and_its_comments() -> None:
    scene, _ = parse_scene(NOTED)
    saved = scene_text(rename_item(scene, "frames", "a", "arm").apply(scene), NOTED)
    assert saved == NOTED.replace("  a:  # turns", "  arm: # turns").replace("parent: a}  #", "parent: arm} #")


def test_that_items_are_saved_in_their_order() -> None:
    scene, _ = parse_scene(NOTED)
    moved = scene.model_copy(update={"frames": FrozenDict({name: scene.frames[name] for name in "cab"})})
    saved = scene_text(moved, NOTED)
    assert list(parse_scene(saved)[0].frames) == ["c", "a", "b"]
    assert "  # the third\n  c:" in saved
    assert "  # the first\n  a:" in saved
    assert "# how it is seen\nview:" in saved


CRASH = """
import os, sys
from pathlib import Path
from framescope.core.scene.files import saving
from framescope.core.scene.schema.model import Scene
real = Path.replace
def dies(self, target):
    os._exit(9)
Path.replace = dies
saving.save_scene(Scene(title="new"), sys.argv[1])
"""


@pytest.mark.process
def test_that_a_crash_while_saving_leaves_the_old_file(tmp_path) -> None:
    path = tmp_path / "scene.yaml"
    save_scene(Scene(title="old"), path)
    done = subprocess.run([sys.executable, "-c", CRASH, str(path)], check=False)
    assert done.returncode == 9
    assert load_scene(path).scene.title == "old"


def test_that_an_error_while_saving_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch) -> None:
    path = tmp_path / "scene.yaml"
    save_scene(Scene(title="old"), path)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save_scene(Scene(title="new"), path)
    assert load_scene(path).scene.title == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["scene.yaml"]


LISTS = """\
framescope: 1
frames:
  a: {parent: world}
view:
  # what is drawn over time
  plots:
    # first: how far
    - signal: position   # of a
      of: a
      unit: m
    # second: how fast

    # in degrees
    - {signal: angular velocity, of: a, unit: deg/s}  # on one line
    - signal: velocity
      # in small steps
      of: a
      unit: mm/s   # small
    # the end of the plots
  trails:
    - {frame: a, duration: 1 s}  # short
    # at the end
"""
FIRST = "    # first: how far\n    - signal: position   # of a\n      of: a\n      unit: m\n"
SECOND = """\
    # second: how fast

    # in degrees
    - {signal: angular velocity, of: a, unit: deg/s}  # on one line
"""
THIRD = "    - signal: velocity\n      # in small steps\n      of: a\n      unit: mm/s   # small\n"


def with_plots(scene: Scene, *plots) -> Scene:
    return scene.model_copy(update={"view": scene.view.model_copy(update={"plots": plots})})


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ((1, 2), SECOND + THIRD),
        ((0, 2), FIRST + THIRD),
        ((0, 1), FIRST + SECOND),
        ((2,), THIRD),
        ((2, 1, 0), THIRD + SECOND + FIRST),
        ((1, 0, 2), SECOND + FIRST + THIRD),
        ((2, 0), THIRD + FIRST),
    ],
)
def test_that_comments_of_a_list_go_where_the_entries_go(order, expected) -> None:
    scene, _ = parse_scene(LISTS)
    changed = with_plots(scene, *(scene.view.plots[i] for i in order))
    saved = scene_text(changed, LISTS)
    assert saved == LISTS.replace(FIRST + SECOND + THIRD, expected)
    assert parse_scene(saved)[0] == changed


def test_that_an_entry_is_added_between_others_without_a_comment() -> None:
    scene, _ = parse_scene(LISTS)
    first, second, third = scene.view.plots
    new = second.model_copy(update={"signal": "angular acceleration", "unit": "rad/s^2"})
    written = '    - signal: angular acceleration\n      of: a\n      unit: "rad/s^2"\n'
    for plots, expected in (
        ((new, first, second, third), written + FIRST + SECOND + THIRD),
        ((first, new, second, third), FIRST + written + SECOND + THIRD),
        ((first, second, third, new), FIRST + SECOND + THIRD + written),
    ):
        assert scene_text(with_plots(scene, *plots), LISTS) == LISTS.replace(FIRST + SECOND + THIRD, expected)


def test_that_an_entry_that_is_changed_while_another_goes_keeps_its_comments() -> None:
    scene, _ = parse_scene(LISTS)
    _, second, third = scene.view.plots
    changed = with_plots(scene, third.model_copy(update={"unit": "m/s"}), second)
    expected = THIRD.replace("mm/s ", "m/s  ") + SECOND
    assert scene_text(changed, LISTS) == LISTS.replace(FIRST + SECOND + THIRD, expected)


def test_that_a_list_at_the_end_of_a_file_keeps_what_stands_below_it() -> None:
    scene, _ = parse_scene(LISTS)
    (trail,) = scene.view.trails
    other = trail.model_copy(update={"frame": "world"})
    changed = scene.model_copy(update={"view": scene.view.model_copy(update={"trails": (other, trail)})})
    saved = scene_text(changed, LISTS)
    assert saved.endswith("    - {frame: a, duration: 1 s}  # short\n    # at the end\n")
    assert parse_scene(saved)[0] == changed


@settings(SLOW, max_examples=15)
@given(SCENES, st.sampled_from((1, 2, 3)), st.randoms(use_true_random=False))
def test_that_lists_lose_gain_and_change_places_below_comments(scene: Scene, every: int, chance) -> None:
    lines = scene_text(scene).splitlines()
    for i in range(len(lines) - 1, -1, -every):
        indent = lines[i][: len(lines[i]) - len(lines[i].lstrip(" "))]
        lines[i : i + 1] = [f"{indent}# what comes next", f"{lines[i]}  # and this"]
    text = "\n".join(lines) + "\n# the end\n"
    view = {}
    for name in ("plots", "trails", "rings", "arrows"):
        entries = list(getattr(scene.view, name, None) or ())
        view[name] = tuple(chance.choices(entries, k=chance.randint(1, len(entries) + 1))) if entries else ()
    parts = {name: part for name, part in view.items() if part}
    changed = scene.model_copy(update={"view": scene.view.model_copy(update=parts)} if parts else {})
    saved = scene_text(changed, text)
    assert parse_scene(saved)[0] == changed
    assert "# the end\n" in saved
    assert parse_scene(scene_text(scene, saved))[0] == scene


@pytest.mark.long
def test_that_a_list_of_thousands_is_saved_in_another_order_at_once() -> None:
    keys = "".join(f"        - {{t: {i} s, angles: [{i}, 0, 0]}}  # {i}\n" for i in range(1500))
    text = f"framescope: 1\nframes:\n  a:\n    orientation:\n      form: keyframes\n      keys:\n{keys}"
    data = ruamel_round_trip.yaml().load(text)["frames"]["a"]["orientation"]["keys"]
    value = [{"t": f"{i} s", "angles": [i, 0, 0]} for i in reversed(range(1500))]
    start = time.process_time()
    match_entries(data, value, value)
    assert time.process_time() - start < 5.0
