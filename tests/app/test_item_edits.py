"""Edits of whole items: every reference follows, places are kept, nothing that is refused changes anything."""

from __future__ import annotations

import contextlib
from typing import get_args

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from framescope import assets
from framescope.app.session.document import History
from framescope.core.errors import RefusedError
from framescope.core.evaluation import reparenting
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.frame_axes import PlanMotions
from framescope.core.scene.edits import copies, items, new_items
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.model import ITEM_KINDS, WORLD, Scene
from framescope.core.scene.schema.references import (
    REFERENCES,
    item_of,
    keys_of,
    models_in,
    needing,
    own_references,
    references,
    with_names,
)
from tests.support.grown_scenes import PLATE
from tests.support.scene_strategies import SCENES
from tests.support.scenes import GOOD, scene_of
from tests.tools.test_examples import loaded

EXAMPLES = sorted(path for path in assets.path("scenes").glob("*.yaml"))
FAST = settings(max_examples=12, phases=[Phase.generate])

TEXTS = {
    # Words, units, columns and files: text that names no item of the scene.
    "title", "source", "form", "signal", "unit", "time_unit", "position_unit", "order", "maps", "sequence", "axis",
    "angle", "angles", "value", "w", "color", "file", "times", "time", "values", "columns", "column", "position",
    "components", "wrapped", "series", "name", "also", "namespace", "topic", "zero", "received_from", "received_until",
    "without", "text", "below", "licence", "language", "sound", "picture", "entry",
}  # fmt: skip
NO_NAMES = ["AngularVelocity.resolved_in", "Inset.plot", "PackageFolder.folder", "Transforms.frame"]
"""The words ``world`` and ``frame``, and no name; the title of a plot; a folder; a name in a bag."""


@pytest.fixture(params=EXAMPLES, ids=lambda path: path.stem)
def example(request) -> tuple[Scene, object]:
    return loaded(request.param.stem).scene, request.param.parent


# --- References


def _all_models(model: type[Item], found: set[type[Item]]) -> set[type[Item]]:
    if model not in found:
        found.add(model)
        for field in model.model_fields.values():
            for part in models_in(field.annotation):
                _all_models(part, found)
    return found


def test_that_no_field_that_names_items_is_forgotten() -> None:
    """Whatever a scene holds as text of no other meaning is a name of an item, and written down."""
    forgotten = []
    for model in _all_models(Scene, set()):
        known = {field for base in model.__mro__ for field in REFERENCES.get(base, ())} | TEXTS
        for name, field in model.model_fields.items():
            if _takes_text(field.annotation) and name not in known:
                forgotten.append(f"{model.__name__}.{name}")
    assert sorted(forgotten) == NO_NAMES


def _takes_text(annotation: object) -> bool:
    is_item = isinstance(annotation, type) and issubclass(annotation, Item)
    return not is_item and (annotation is str or any(map(_takes_text, get_args(annotation))))


@given(scene=SCENES)
@FAST
def test_that_names_are_replaced_wherever_they_stand(scene: Scene) -> None:
    names = set(references(scene))
    marked = with_names(scene, lambda kind, name: f"{kind}: {name}")
    assert set(references(marked)) == {(kind, f"{kind}: {name}") for kind, name in names}
    assert with_names(scene, lambda _kind, name: name) is scene


@given(scene=SCENES, data=st.data())
@FAST
def test_that_after_deleting_nothing_names_what_is_gone(scene: Scene, data) -> None:
    keys = [key for key in keys_of(scene) if key != ("frames", WORLD)]
    if not keys:
        return
    chosen = data.draw(st.lists(st.sampled_from(keys), min_size=1, max_size=3, unique=True))
    edit = items.remove_items(scene, chosen)
    gone = needing(scene, chosen)
    left = edit.apply(scene)
    assert set(references(left)).isdisjoint(gone)
    assert list(keys_of(left)) == [key for key in keys_of(scene) if key not in gone]
    assert parse_scene(scene_text(left))[0] == left


# --- Rename


def test_that_a_renamed_item_is_followed_everywhere(example) -> None:
    scene, folder = example
    plan = compile_plan(scene, folder, run=lambda _job: None)
    some = [(kind, name) for kind in ITEM_KINDS for name in list(getattr(scene, kind))[:4]]
    for kind, name in some:
        renamed = items.rename_item(scene, kind, name, "a new name").apply(scene)
        assert (kind, name) not in set(references(renamed))
        assert list(getattr(renamed, kind)).index("a new name") == list(getattr(scene, kind)).index(name)
        back = items.rename_item(renamed, kind, "a new name", name).apply(renamed)
        assert back == scene
    kind, name = next(keys_of(scene))
    again = compile_plan(items.rename_item(scene, kind, name, "a new name").apply(scene), folder, run=lambda _job: None)
    assert len(again.problems) == len(plan.problems)


@pytest.mark.parametrize(
    ("kind", "old", "new", "why"),
    [
        ("frames", "world", "earth", "keeps its name"),
        ("frames", "ring", "world", "already"),
        ("frames", "ring", "stand", "already"),
        ("frames", "ring", "  ", "characters"),
        ("frames", "ring", "a\nb", "characters"),
        ("frames", "ring", "x" * 201, "characters"),
        ("frames", "rign", "x", "no frame"),
    ],
)
def test_that_bad_names_are_refused(kind, old, new, why) -> None:
    with pytest.raises(RefusedError, match=why):
        items.rename_item(scene_of(GOOD), kind, old, new)


# --- Delete


def test_that_what_hangs_on_a_deleted_item_goes_and_the_label_counts_it() -> None:
    scene = scene_of(PLATE)
    edit = items.remove_items(scene, [("bodies", "slab")])
    assert edit.label == "Deleted slab with 6 items and 4 plots"
    left = edit.apply(scene)
    assert (len(left.points), len(left.elements), len(left.frames)) == (0, 0, 3)
    assert {plot.signal for plot in left.view.plots} == {"energy", "sensor", "angles", "quaternion", "measured"}
    with pytest.raises(RefusedError, match="world"):
        items.remove_items(scene, [("frames", WORLD)])


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ("{trails: [{frame: arm, duration: 1 s}]}", "Deleted arm with 1 trail"),
        ("{rings: [{frame: arm, radius: 1 cm}], plots: [{signal: energy}]}", "Deleted arm with rings"),
        (
            "{arcs: [{frame: arm, radius: 1 m}], stages: [{frame: arm}], plots: [{signal: residues, of: arm}]}",
            "Deleted arm with 1 plot, arcs and stages",
        ),
    ],
)
def test_that_the_label_of_a_deletion_says_what_is_no_longer_drawn_and_plotted(view, said) -> None:
    text = f"framescope: 1\nframes: {{arm: {{parent: world}}}}\nview: {view}\n"
    assert items.remove_items(scene_of(text), [("frames", "arm")]).label == said


def test_that_the_label_of_a_deletion_counts_plots_as_the_window_draws_them_and_cards() -> None:
    scene = scene_of("""
framescope: 1
frames: {arm: {parent: world}, tip: {parent: arm}}
sensors:
  imu: {form: absolute, frame_a: tip, get_r: false, get_a: true, get_w: true, get_s: true}
  other: {form: absolute, frame_a: world}
view:
  plots:
    - {signal: residues, of: arm}
    - {signal: sensor, of: imu}
    - {signal: sensor, of: imu, components: [a_x, norm w]}
    - {signal: sensor, of: other}
  answers:
    - {signal: residues, of: tip, form: number}
    - {signal: residues, of: arm, form: sentence}
""")
    label = items.remove_items(scene, [("frames", "arm")]).label
    assert label == "Deleted arm with 2 items, 6 plots and 2 cards"
    assert items.remove_items(scene, [("sensors", "imu")]).label == "Deleted imu with 5 plots"


def test_that_children_stay_where_they_are_when_asked() -> None:
    scene = scene_of(GOOD.replace("top:\n    parent: ring", "tip:\n    parent: stand\n  top:\n    parent: ring"))
    snapshot = evaluate(compile_plan(scene), 0.7)
    edit = reparenting.remove_keeping_children(scene, "stand", snapshot)
    after = evaluate(compile_plan(edit.apply(scene)), 0.7)
    assert "stand" not in after.index
    for name in ("ring", "top", "tip"):
        np.testing.assert_allclose(after.p_WF[after.index[name]], snapshot.p_WF[snapshot.index[name]], atol=1e-12)
        np.testing.assert_allclose(after.R_WF[after.index[name]], snapshot.R_WF[snapshot.index[name]], atol=1e-12)


# --- New, copied


@pytest.mark.parametrize("template", new_items.templates())
def test_that_items_are_added_where_frames_are_each_others_parents(template) -> None:
    circle = parse_scene("framescope: 1\nframes: {a: {parent: b}, b: {parent: a}, c: {parent: a}}\n")[0]
    for kind in ITEM_KINDS:
        assert new_items.owner_of_kind(circle, ("frames", "c"), kind) == ("c" if kind == "frames" else None)
    with contextlib.suppress(RefusedError):  # as a point, with no body on any of them
        edit = new_items.add_item(circle, template, (("frames", "c"), ("frames", "a")))
        assert edit.apply(circle) != circle


@pytest.mark.parametrize("template", new_items.templates())
def test_that_every_new_item_is_sound_and_can_be_added_twice(template: str) -> None:
    scene = scene_of(PLATE)
    on = [("points", "A"), ("points", "C")] if template in ("spring", "damper", "force", "velocity") else [
        ("bodies", "slab")
    ]  # fmt: skip
    for _ in range(2):
        edit = new_items.add_item(scene, template, on)
        scene = edit.apply(scene)
        assert all(item_of(scene, key) is not None for key in edit.keys)
    faults = [problem for problem in compile_plan(scene, run=lambda _job: None).problems if problem.severity == "red"]
    assert faults == []
    assert parse_scene(scene_text(scene))[0] == scene


@pytest.mark.parametrize("unit", ["m", "mm"])
@pytest.mark.parametrize(("speed", "rate"), [(0.01, 200.0), (50.0, 0.02), (0.0, 0.0)])
def test_that_the_arrows_of_a_new_sensor_are_as_long_as_a_few_axes(unit, speed, rate) -> None:
    text = f"""
framescope: 1
time: {{start: 0 s, end: 4 s}}
frames:
  mover:
    parent: world
    position: {{value: ["{speed}*t", 0, 0], unit: m}}
    orientation: {{form: axis, axis: z, angle: "{rate}*sin(t)", unit: rad}}
  other: {{parent: world}}
view: {{triad_length: {"0.2 m" if unit == "m" else "200 mm"}}}
"""
    scene = parse_scene(text)[0]
    plan = compile_plan(scene)
    for template, on in (("absolute sensor", ["mover"]), ("relative sensor", ["mover", "other"])):
        edit = new_items.add_item(scene, template, [("frames", name) for name in on], PlanMotions(plan))
        arrows = item_of(edit.apply(scene), edit.keys[0]).arrows
        assert arrows.v.unit == f"{unit} per m/s"
        for scale, largest in ((arrows.v, speed), (arrows.w, rate)):
            length_m = scale.value * largest * (1e-3 if unit == "mm" else 1.0)
            assert (0.2 < length_m <= 0.6 + 1e-9) if largest else scale.value > 0.0


def test_that_an_item_that_needs_another_says_which() -> None:
    for template, word in (("point", "body"), ("spring", "point"), ("relative sensor", "frame")):
        with pytest.raises(RefusedError, match=f"select .*{word}"):
            new_items.add_item(Scene(), template)


def test_that_duplicates_refer_to_each_other(example) -> None:
    scene, folder = example
    before = compile_plan(scene, folder, run=lambda _job: None)
    roots = [("frames", name) for name, frame in scene.frames.items() if frame.parent == WORLD]
    edit = copies.duplicate_items(scene, roots)
    copied = edit.apply(scene)
    assert len(copied.frames) == 2 * len(scene.frames)
    assert copied.frames | scene.frames == copied.frames
    new = set(keys_of(copied)) - set(keys_of(scene))
    for key in new:
        named = {each for each in references(item_of(copied, key)) if each[0] == "frames" and each[1] != WORLD}
        assert named <= new
    after = compile_plan(copied, folder, run=lambda _job: None)
    assert len(after.problems) <= 2 * len(before.problems)
    assert len(edit.keys) == len(roots)


def test_that_what_hangs_on_nothing_is_copied_and_pasted_so() -> None:
    scene = Scene.model_validate({"framescope": 1, "notes": {"n": {"text": "a"}}})
    copied = copies.duplicate_items(scene, (("notes", "n"),)).apply(scene)
    pasted = copies.paste_items(copies.items_text(scene, (("notes", "n"),)), scene, "world").apply(scene)
    for grown in (copied, pasted):
        assert [note.frame for note in grown.notes.values()] == [None, None]


@pytest.mark.long
def test_that_items_go_through_the_clipboard_unchanged(example) -> None:
    scene, _ = example
    keys = tuple(keys_of(scene))
    text = copies.items_text(scene, keys)
    empty = Scene(time=scene.time)
    pasted = copies.paste_items(text, empty).apply(empty)
    for key in keys:
        assert item_of(pasted, key) == item_of(scene, key)
    assert pasted.view.rings == scene.view.rings
    again = copies.paste_items(text, scene).apply(scene)
    assert len(list(keys_of(again))) == 2 * len(keys)


def test_that_pasted_items_land_on_a_frame_with_their_parameters() -> None:
    scene = Scene.model_validate(
        {"framescope": 1, "parameters": {"k": 2.0, "other": 3.0}, "frames": {
            "a": {"parent": "gone", "orientation": {"form": "axis", "axis": "z", "angle": "k*t", "unit": "deg"}}}}
    )  # fmt: skip
    text = copies.items_text(scene, [("frames", "a")])
    target = scene_of(GOOD)
    assert copies.paste_items(text, target).apply(target).frames["a"].parent == WORLD
    pasted = copies.paste_items(text, target, "ring").apply(target)
    assert pasted.frames["a"].parent == "ring"
    assert pasted.parameters == FrozenDict({"k": 2.0})


@pytest.mark.parametrize("text", ["", "hello", "{", "framescope: 1", "framescope: 1\nframes: {a: {parnt: world}}",
                                  "framescope: 1\nframes: &a {a: *a}", "[" * 3000, "x" * 3_000_000])  # fmt: skip
def test_that_what_is_no_scene_text_is_refused(text: str) -> None:
    with pytest.raises(RefusedError):
        copies.paste_items(text, Scene())


def test_that_copies_stay_within_what_a_file_may_hold() -> None:
    frames = {f"f{i}": {"parent": WORLD} for i in range(7000)}
    scene = Scene.model_validate({"framescope": 1, "frames": frames})
    with pytest.raises(RefusedError, match="at most"):
        copies.duplicate_items(scene, list(keys_of(scene)))


# --- Re-parent

FORMS = {
    "none": None,
    "axes": {"form": "axes", "sequence": "ZXZ", "angles": [370.0, 20.0, -30.0], "unit": "deg"},
    "planar": {"form": "planar", "axis": [0.6, 0.8, 0.0], "angle": 0.4, "unit": "rad"},
    "axis": {"form": "axis", "axis": "y", "angle": 200.0, "unit": "deg"},
    "quaternion": {"form": "quaternion", "value": [0.5, 0.5, 0.5, 0.5], "order": "wxyz"},
    "nxy": {"form": "nxy", "n_x": [1.0, 1.0, 0.0], "n_y": [0.0, 1.0, 1.0]},
    "nxz": {"form": "nxz", "n_x": [1.0, 0.0, 0.0], "n_z": [0.0, 1.0, 3.0]},
    "matrix": {"form": "matrix", "rows": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], "maps": "frame to parent"},
}
FRAMES = {
    "p": {"parent": WORLD, "position": {"value": [1.0, 2.0, 3.0], "unit": "m"},
          "orientation": {"form": "axes", "sequence": "XYZ", "angles": [10.0, 20.0, 30.0], "unit": "deg"}},
    "n": {"parent": WORLD, "position": {"value": [-40.0, 0.0, 7.0], "unit": "cm"},
          "orientation": {"form": "axis", "axis": "z", "angle": 130.0, "unit": "deg"}},
    "driven": {"parent": WORLD, "orientation": {"form": "axis", "axis": "x", "angle": "40*t", "unit": "deg"}},
}  # fmt: skip


def _with(frame: dict) -> Scene:
    given = {key: value for key, value in frame.items() if value is not None}
    return Scene.model_validate({"framescope": 1, "frames": {**FRAMES, "f": {"parent": "p", **given}}})


def _poses(scene: Scene, name: str, t: float) -> tuple[np.ndarray, np.ndarray]:
    snapshot = evaluate(compile_plan(scene), t)
    return snapshot.R_WF[snapshot.index[name]], snapshot.p_WF[snapshot.index[name]]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("target", ["n", WORLD, "driven"])
def test_that_a_still_frame_stays_where_it_is_in_its_own_form(form, target) -> None:
    scene = _with({"orientation": FORMS[form], "position": {"value": [5.0, 6.0, 7.0], "unit": "mm"}})
    edit = reparenting.rehang(scene, [("frames", "f")], ("frames", target), "world", evaluate(compile_plan(scene), 0.5))
    moved = edit.apply(scene)
    for before, after in zip(_poses(scene, "f", 0.5), _poses(moved, "f", 0.5), strict=True):
        np.testing.assert_allclose(after, before, atol=1e-10)
    orientation = moved.frames["f"].orientation
    assert orientation is not None
    if form == "axis":
        assert orientation.form == "axes"
        assert "three angles" in edit.label
    elif form != "none":
        assert orientation.form == form
    assert moved.frames["f"].position.unit == "mm"
    assert ("t = 0.5 s" in edit.label) is (target == "driven")


@pytest.mark.parametrize("x", ["0.1*t", 0.1])
@pytest.mark.parametrize("target", ["n", WORLD])
def test_that_a_driven_frame_keeps_its_motion_as_authored_and_its_place_at_all_times(target, x) -> None:
    motion = {"form": "axes", "sequence": "XYZ", "angles": ["30*t", 4.0, "sin(t)"], "unit": "deg"}
    scene = _with({"orientation": motion, "position": {"value": [x, 0.0, 1.0], "unit": "m"}})
    edit = reparenting.rehang(scene, [("frames", "f")], ("frames", target), "world", evaluate(compile_plan(scene), 0.5))
    moved = edit.apply(scene)
    assert moved.frames["f"].orientation == scene.frames["f"].orientation
    assert f"new frame p in {target}" in edit.label
    for t in (0.0, 0.5, 3.0):
        for before, after in zip(_poses(scene, "f", t), _poses(moved, "f", t), strict=True):
            np.testing.assert_allclose(after, before, atol=1e-10)


def test_that_local_keeps_the_numbers_and_circles_are_refused() -> None:
    scene = _with({"orientation": FORMS["axes"]})
    moved = reparenting.rehang(scene, [("frames", "f")], ("frames", "n"), "local").apply(scene)
    assert moved.frames["f"] == scene.frames["f"].model_copy(update={"parent": "n"})
    for name, parent, why in (("p", "f", "below it"), ("f", "f", "its own parent"), (WORLD, "p", "no parent"),
                              ("f", "p", "already"), ("f", "nowhere", "no frame")):  # fmt: skip
        with pytest.raises(RefusedError, match=why):
            reparenting.rehang(scene, [("frames", name)], ("frames", parent), "local")
    with pytest.raises(RefusedError, match="keep the local pose"):
        reparenting.rehang(scene, [("frames", "f")], ("frames", "n"), "world")
    plate = scene_of(PLATE)
    with pytest.raises(RefusedError, match="simulated"):
        reparenting.rehang(plate, [("frames", "plate")], ("frames", "arm"), "local")


def test_that_a_body_moves_to_another_frame_and_stays_where_it_is() -> None:
    scene = scene_of(GOOD)
    plan = compile_plan(scene)
    snapshot = evaluate(plan, 1.0)
    moved = reparenting.rehang(scene, [("bodies", "box")], ("frames", "stand"), "world", snapshot).apply(scene)
    after = compile_plan(moved)

    def place(plan, snapshot):
        body = plan.view_data.bodies[0]
        return snapshot.p_WF[body.i_frame] + snapshot.R_WF[body.i_frame] @ body.p_FB, snapshot.R_WF[
            body.i_frame
        ] @ body.R_FB

    for old, new in zip(place(plan, snapshot), place(after, evaluate(after, 1.0)), strict=True):
        np.testing.assert_allclose(new, old, atol=1e-10)


# --- Look


def test_that_colours_go_to_bodies_and_others_are_refused() -> None:
    scene = scene_of(GOOD)
    assert items.set_color(scene, [("frames", "ring")], "#09aFfe").apply(scene).bodies["box"].color == "#09aFfe"
    for keys, color in (([("frames", "top")], "x"), ([("bodies", "box")], "red")):
        with pytest.raises(RefusedError):
            items.set_color(scene, keys, color)


def test_that_hidden_items_are_not_drawn_and_shown_again_as_they_were() -> None:
    scene = scene_of(PLATE)
    every = [("frames", WORLD), *keys_of(scene)]
    edit = items.set_hidden(scene, every, True)
    hidden = edit.apply(scene)
    view_data = compile_plan(hidden, run=lambda _job: None).view_data
    assert not (view_data.has_triad | view_data.has_label | view_data.has_link).any()
    assert view_data.bodies == ()
    assert view_data.hidden == set(every)
    assert parse_scene(scene_text(hidden))[0] == hidden
    shown = items.show_everything(hidden).apply(hidden)
    assert scene_text(shown) == scene_text(scene)
    below = items.set_hidden(scene, [("frames", "plate")], True, with_below=True).apply(scene).view.hidden
    assert (below.frames, below.points) == (("plate", "corner"), ("A", "B", "C"))
    with pytest.raises(RefusedError):
        items.show_everything(scene)


def test_that_hiding_what_is_not_there_is_a_problem() -> None:
    text = GOOD.replace("view:\n", "view:\n  hidden: {bodies: [bxo]}\n")
    (problem,) = compile_plan(scene_of(text)).problems
    assert problem.where == "view.hidden.bodies[0]"
    assert "box" in problem.hint


def test_that_undo_returns_the_exact_former_scene() -> None:
    scene = scene_of(PLATE)
    history = History.of(scene)
    for edit in (
        items.remove_items(scene, [("bodies", "slab")]),
        items.rename_item(scene, "frames", "plate", "slab"),
        copies.duplicate_items(scene, [("frames", "plate")]),
        items.set_hidden(scene, [("frames", "plate")], True, with_below=True),
    ):
        history.commit(edit.apply(history.scene), edit.label)
        assert history.scene != scene
        history.undo()
        assert history.scene is scene


def test_that_own_references_know_what_a_signal_is_of() -> None:
    kinds = {plot.signal: dict(own_references(plot))["of"] for plot in scene_of(PLATE).view.plots}
    assert kinds["port force"] == "points"
    assert kinds["element force"] == "elements"
    assert kinds["angles"] == "frames"
