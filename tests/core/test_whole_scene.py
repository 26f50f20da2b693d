"""A scene with every kind of item: read, compiled, evaluated, saved; and one fault at a time in it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from framescope import assets
from framescope.core.errors import key_path_text
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.signal_curves import labels, plot_curves
from framescope.core.scene.edits.base import with_item
from framescope.core.scene.edits.copies import duplicate_items, items_text, paste_items
from framescope.core.scene.edits.items import remove_items, rename_item, set_hidden
from framescope.core.scene.files.json_schema import schema_text
from framescope.core.scene.files.loading import load_scene, parse_scene
from framescope.core.scene.files.referenced_files import named_files
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.model import ITEM_KINDS
from framescope.core.scene.schema.references import references
from tests.support.schema_models import items_of, models, one_of_each, set_fields
from tests.support.whole import FAULTS, LIVE, REST, WHOLE, write_rest, write_whole

QUICK = WHOLE.replace("tolerance: 1e-9", "tolerance: 1e-3").replace("end: 2 s}", "end: 200 ms}", 1)
"""For tests that need no digits of the simulation."""


@pytest.fixture(scope="module")
def plan(tmp_path_factory) -> Plan:
    return plan_of(tmp_path_factory.mktemp("whole"), WHOLE)


def plan_of(folder, text: str) -> Plan:
    return compile_plan(load_scene(write_whole(folder, text)).scene, folder)


def test_that_each_model_of_the_schema_is_in_a_scene_here_with_each_of_its_fields() -> None:
    there = {field for text in (WHOLE, REST, LIVE) for field in set_fields(parse_scene(text)[0])}
    named = {(model, key) for model in models() for key in model.model_fields}
    assert sorted(f"{model.__name__}.{key}" for model, key in named - there) == [], "add it in tests/support/whole.py"


def test_that_the_scene_of_the_rest_has_only_notes_and_every_sample_a_value(tmp_path) -> None:
    plan = compile_plan(load_scene(write_rest(tmp_path)).scene, tmp_path)
    assert [str(problem) for problem in plan.problems if problem.severity != "note"] == []
    snapshot = evaluate(plan, np.linspace(0.2, 1.8, 5))
    unknown = {name for name, i in plan.index.items() if not snapshot.is_posed[..., i].all()}
    assert unknown == {"map", "robot", "by poses"}
    for plot in plan.view_data.plots:
        assert np.isfinite(plot_curves(plan, plot, np.linspace(0.3, 0.8, 5))).all(), plot


@pytest.mark.long
def test_that_a_scene_of_everything_has_only_notes(plan) -> None:
    assert [problem for problem in plan.problems if problem.severity != "note"] == []
    notes = {problem.where: problem.message for problem in plan.problems}
    assert "3 motions free: rotation about x through (0, 0, 0.4) m" in notes["frames.bob.motion"]


def test_that_every_item_is_in_the_snapshot(plan) -> None:
    snapshot = evaluate(plan, 0.7)
    assert snapshot.is_posed.all()
    assert snapshot.sensors.keys() == {"on tip", "between"}
    assert snapshot.sensors["on tip"].shape == (21,)
    assert snapshot.ports["A"].F.shape == (3,)
    assert snapshot.ports["C up"].F.shape == ()
    assert snapshot.measurements["gyro"].vector.shape == (3,)
    assert snapshot.measurements["survey"].R_WM.shape == (3, 3)
    assert snapshot.arrows["on tip"].keys() == {*"vawzs"}


def test_that_many_times_give_the_bits_of_single_ones(plan) -> None:
    times = np.linspace(-0.1, 2.1, 23)
    many = evaluate(plan, times)
    for i, t in enumerate(times):
        one = evaluate(plan, t)
        for name in ("R_WF", "p_WF", "w_WF_F", "v_WF", "b_WF_F", "a_WF"):
            np.testing.assert_array_equal(getattr(many, name)[i], getattr(one, name), err_msg=f"{name} at {t}")
        for name in plan.instruments.sensors:
            np.testing.assert_array_equal(many.sensors[name][i], one.sensors[name])
        for name in plan.instruments.points:
            for part in ("F", "v", "x", "p_W", "force_W"):
                np.testing.assert_array_equal(getattr(many.ports[name], part)[i], getattr(one.ports[name], part))
        np.testing.assert_array_equal(many.measurements["gyro"].vector[i], one.measurements["gyro"].vector)
        np.testing.assert_array_equal(many.measurements["walked"].p_WM[i], one.measurements["walked"].p_WM)


def test_that_every_plot_has_values_and_as_many_names(plan) -> None:
    times = np.linspace(0.3, 1.9, 40)
    assert len(plan.view_data.plots) == 12
    for plot in plan.view_data.plots:
        values = plot_curves(plan, plot, times)
        assert values.shape == (40, len(labels(plan, plot))), plot
        assert np.isfinite(values).all(), plot


def test_that_velocities_and_accelerations_are_derivatives_of_the_poses(plan) -> None:
    h, times = 2e-5, np.array([0.33, 0.9, 1.43, 1.71])  # away from the pulse, and from the ends of the recording
    before, at, after = (evaluate(plan, times + d).smoothed for d in (-h, 0.0, h))
    np.testing.assert_allclose((after.p_WF - before.p_WF) / (2 * h), at.v_WF, atol=3e-6)
    np.testing.assert_allclose((after.v_WF - before.v_WF) / (2 * h), at.a_WF, rtol=1e-5, atol=3e-5)
    np.testing.assert_allclose((after.w_WF_F - before.w_WF_F) / (2 * h), at.b_WF_F, rtol=1e-5, atol=3e-5)
    der_R = (after.R_WF - before.R_WF) / (2 * h)
    spin = np.swapaxes(at.R_WF, -1, -2) @ der_R  # skew(w) resolved in the frame
    w = np.stack([spin[..., 2, 1], spin[..., 0, 2], spin[..., 1, 0]], axis=-1)
    np.testing.assert_allclose(w, at.w_WF_F, atol=3e-6)


@pytest.mark.parametrize("text", [WHOLE, REST, LIVE])
def test_that_it_is_saved_and_read_again(text) -> None:
    scene, _ = parse_scene(text)
    assert parse_scene(scene_text(scene))[0] == scene
    assert parse_scene(scene_text(scene, text))[0] == scene


@pytest.mark.long
@pytest.mark.parametrize("chosen", [one_of_each, pytest.param(items_of, marks=pytest.mark.soak)])
@pytest.mark.parametrize("text", [WHOLE, REST, LIVE])
def test_that_each_item_is_removed_copied_pasted_renamed_and_hidden(text, chosen) -> None:
    scene, _ = parse_scene(text)
    for kind in filter(lambda kind: getattr(scene, kind), ITEM_KINDS):
        all_renamed = scene
        for name in [name for other, name in chosen(scene) if other == kind]:
            key = kind, name
            fewer = remove_items(scene, [key]).apply(scene)
            assert name not in getattr(fewer, kind)
            assert parse_scene(scene_text(fewer, text))[0] == fewer
            duplication, pasting = duplicate_items(scene, [key]), paste_items(items_text(scene, [key]), scene)
            more = duplication.apply(scene)
            (new_key,) = (new for new in duplication.keys if new[0] == kind)
            assert type(getattr(more, kind)[new_key[1]]) is type(getattr(scene, kind)[name])
            assert parse_scene(scene_text(more, text))[0] == more
            assert pasting.keys == duplication.keys
            assert pasting.apply(scene) == more
        for name in getattr(scene, kind):
            key = kind, name
            all_renamed = rename_item(all_renamed, kind, name, f"another {name}").apply(all_renamed)
            assert not any(ref == key for part in _parts_of(all_renamed) for ref in references(part))
        assert parse_scene(scene_text(all_renamed, text))[0] == all_renamed
        keys = [(kind, name) for name in getattr(scene, kind)]
        hidden = set_hidden(scene, keys, True).apply(scene)
        assert parse_scene(scene_text(hidden, text))[0] == hidden


def _parts_of(scene):
    return [item for kind in ITEM_KINDS for item in getattr(scene, kind).values()]


def test_that_all_its_files_are_named(tmp_path) -> None:
    assert named_files(parse_scene(WHOLE)[0]) == ("walk.csv", "hull.stl", "gyro.csv")
    files = {"rows.csv", "poses.txt", "times.txt", "plank.stl", "dust.ply", "seen.png", "gripper.urdf", "drive.bag"}
    files.add("hum.wav")
    assert set(named_files(load_scene(write_rest(tmp_path)).scene)) == files


def test_that_the_schema_among_the_assets_is_that_of_the_program() -> None:
    stored = assets.path("scene.schema.json").read_text(encoding="utf-8")
    assert stored == schema_text(), "make it again: framescope schema > assets/scene.schema.json"
    kinds = json.loads(stored)["properties"]
    assert {"frames", "bodies", "points", "elements", "sensors", "measured", "simulation", "view"} <= kinds.keys()


@pytest.mark.fuzz
@pytest.mark.parametrize("name", FAULTS)
def test_that_a_fault_is_a_problem_with_its_place_and_mend(name, tmp_path) -> None:
    old, new, where, message, hint = FAULTS[name]
    assert old in QUICK
    plan = plan_of(tmp_path, QUICK.replace(old, new, 1))
    found = [problem for problem in plan.problems if problem.where == where and problem.severity != "note"]
    assert found, [f"{key_path_text(p.key_path)}: {p.message}" for p in plan.problems]
    assert message in found[0].message + found[0].hint
    assert hint in found[0].hint
    evaluate(plan, 0.5)
    for plot in plan.view_data.plots:
        plot_curves(plan, plot, np.linspace(0.0, 1.0, 5))


def test_that_a_fault_in_one_item_leaves_the_others_as_they_are(tmp_path) -> None:
    plan, broken = (plan_of(tmp_path, text) for text in (QUICK, QUICK.replace("point: A,", "point: AA,", 1)))
    assert "AA" in next(str(problem) for problem in broken.problems if problem.severity == "red")
    i = plan.index["tip"]
    np.testing.assert_array_equal(evaluate(broken, 0.5).p_WF[i], evaluate(plan, 0.5).p_WF[i])
    assert evaluate(broken, 0.5).is_posed.all()


def test_that_a_frame_on_another_parent_than_its_first_is_turned_in_that_as_both_are(tmp_path) -> None:
    """Below a frame that is not connected, where nothing is known in world, the first parent is told so as well."""
    scene = load_scene(write_rest(tmp_path)).scene
    scene = with_item(scene, "frames", "robot_2", scene.frames["robot"].model_copy(update={"parent": "robot"}))
    plan = compile_plan(scene, tmp_path)
    snapshot = evaluate(plan, np.array([0.2, 0.7]))
    np.testing.assert_allclose(plan.traces.matrices(snapshot, "robot_2", "robot"), [np.eye(3)] * 2, atol=1e-15)
    assert np.isnan(plan.traces.matrices(snapshot, "robot_2", "world")).all()
