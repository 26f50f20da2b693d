"""Rigs of scenes: files joined by name, loops that do not close as problems, and their mends."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.schema.model import Scene
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Edge, Lens
from framescope.features.calibrations.core.calibration_scene import scene_of
from framescope.features.calibrations.core.rig.additions import add_calibration, merge_frames, scene_questions
from framescope.features.calibrations.core.rig.rig import merge
from framescope.features.calibrations.core.rig.rig_scene import scene_of_rig
from framescope.features.calibrations.core.rig.scene_checks import rig_problems
from framescope.features.calibrations.core.rig.scene_rig import rig_of
from framescope.features.calibrations.core.rig.search import search

rng = np.random.default_rng(11)
NAMES = ("imu0", "cam0", "cam1", "cam2")
TRUE = {
    name: Transform(Rotation.random(random_state=rng).as_matrix(), rng.uniform(-0.4, 0.4, 3))
    for name in (*NAMES, "base")
}


def true(parent: str, child: str) -> Transform:
    return TRUE[parent].inverse() @ TRUE[child]


def edge(parent: str, child: str, *, is_inverse: bool = True, is_wrong: bool = False) -> Edge:
    X = true(parent, child)
    X = X.inverse() if is_inverse else X
    return Edge(parent, child, X.inverse() if is_wrong else X, f"{child}.T_{parent}", is_inverse)


FIRST = Calibration("kalibr", (edge("imu0", "cam0"), edge("cam0", "cam1")))
LENS = Lens("cam1", (640, 480), (400.0, 400.0), (320.0, 240.0))


def second(*, is_wrong: bool = False, names: dict[str, str] | None = None) -> Calibration:
    edges = (edge("imu0", "cam1", is_wrong=is_wrong), edge("cam1", "cam2"), edge("imu0", "cam2"))
    given = names or {}
    return Calibration(
        "kalibr",
        tuple(
            Edge(given.get(e.parent, e.parent), given.get(e.child, e.child), e.X_file, e.entry, e.is_inverse)
            for e in edges
        ),
        (LENS,),
    )


def joined(other: Calibration, first: Calibration = FIRST) -> Scene:
    scene = scene_of(first, "a.yaml")
    return add_calibration(scene_of(other, "b.yaml"), scene).apply(scene)


def pose_of(scene: Scene, child: str, parent: str) -> np.ndarray:
    snapshot = evaluate(compile_plan(scene), 0.0)
    i, j = snapshot.index[parent], snapshot.index[child]
    R = snapshot.R_WF[i].T
    M = np.eye(4)
    M[:3, :3], M[:3, 3] = R @ snapshot.R_WF[j], R @ (snapshot.p_WF[j] - snapshot.p_WF[i])
    return M


def test_that_a_second_file_is_joined_by_name() -> None:
    scene = joined(second())
    assert list(scene.frames) == ["imu0", "cam0", "cam1", "cam2"]
    assert sorted(scene.measured) == ["cam1 from imu0", "cam2 from imu0"]
    assert scene.measured["cam1 from imu0"].source.file == "b.yaml"
    assert scene.frames["cam2"].source.file == "b.yaml"
    assert list(scene.bodies) == ["view of cam1"]
    for child in ("cam0", "cam1", "cam2"):
        np.testing.assert_allclose(pose_of(scene, child, "imu0"), true("imu0", child).to_matrix(), atol=1e-9)
    assert list(rig_problems(compile_plan(scene))) == []


def test_that_the_same_file_again_changes_nothing_and_a_changed_one_replaces_its_poses() -> None:
    scene = joined(second())
    again = add_calibration(scene_of(second(), "b.yaml"), scene)
    assert again.apply(scene) == scene
    changed = add_calibration(scene_of(second(is_wrong=True), "b.yaml"), scene).apply(scene)
    assert list(changed.measured) == list(scene.measured)
    assert changed.measured["cam1 from imu0"] != scene.measured["cam1 from imu0"]


def test_that_a_scene_without_calibrations_gets_copies() -> None:
    scene = Scene.model_validate({"frames": {"imu0": {"parent": "world"}}})
    added = add_calibration(scene_of(FIRST, "a.yaml"), scene).apply(scene)
    assert list(added.frames) == ["imu0", "imu0_2", "cam0", "cam1"]


def test_that_a_tree_is_hung_on_the_frame_that_another_file_knows() -> None:
    """The second file has cam1 as its root, or deep in its tree."""
    scene = joined(Calibration("x", (edge("cam1", "cam2", is_inverse=False),)))
    assert scene.frames["cam2"].parent == "cam1"
    scene = joined(Calibration("x", (edge("base", "cam2"), edge("cam2", "imu0"))))
    assert scene.frames["imu0"].parent == "cam2"
    for name in ("cam0", "cam1", "cam2"):
        np.testing.assert_allclose(pose_of(scene, name, "base"), true("base", name).to_matrix(), atol=1e-9)
    scene = joined(Calibration("x", (edge("base", "cam2"), edge("cam2", "cam1"))))
    for name in ("cam0", "cam1", "cam2", "imu0"):
        np.testing.assert_allclose(pose_of(scene, name, "base"), true("base", name).to_matrix(), atol=1e-9)
    assert {frame.source.entry for frame in scene.frames.values() if frame.source} >= {"cam2.T_base", "cam1.T_cam2"}
    for found in rig_of(compile_plan(scene)):  # the source tells the direction of the numbers in the file
        X, entry = found.edge.X_file, found.edge.entry
        if found.file == "a.yaml":
            (former,) = (edge for edge in FIRST.edges if edge.entry == entry)
            np.testing.assert_allclose(X.to_matrix(), former.X_file.to_matrix(), atol=1e-12)


def test_that_the_inverted_entry_is_a_problem_with_its_fix() -> None:
    scene = joined(second(is_wrong=True))
    plan = compile_plan(scene)
    (problem,) = rig_problems(plan)
    assert (problem.item, problem.kind, problem.title) == (("measured", "cam1 from imu0"), "rig-pose", "inverted pose")
    assert problem.message == "b.yaml: cam1.T_imu0 is inverted."
    assert problem.fix_text == "Invert the pose"
    mended = problem.fix.change.apply(scene)
    assert mended.measured["cam1 from imu0"].source == scene.measured["cam1 from imu0"].source
    assert list(rig_problems(compile_plan(mended))) == []
    deep = diagnose(plan)
    assert [one.kind for one in deep if one.kind in ("rig-pose", "loop-open", "wrong-pose")] == ["rig-pose"]
    assert [one for one in diagnose(compile_plan(mended)) if one.severity != "note"] == []


def test_that_an_inverted_frame_of_the_tree_is_mended_with_its_children() -> None:
    first = Calibration("kalibr", (edge("imu0", "cam0"), edge("cam0", "cam1", is_wrong=True)))
    scene = joined(second(), first)
    (problem,) = rig_problems(compile_plan(scene))
    assert (problem.item, problem.title) == (("frames", "cam1"), "inverted pose")
    mended = problem.fix.change.apply(scene)
    np.testing.assert_allclose(pose_of(mended, "cam2", "imu0"), true("imu0", "cam2").to_matrix(), atol=1e-9)
    assert mended.frames["cam1"].source == scene.frames["cam1"].source


def test_that_near_names_are_asked_and_merged_by_a_fix() -> None:
    scene = joined(second(names={"cam1": "camera_1"}))
    (question,) = scene_questions(scene)
    assert question.names == ("cam1", "camera_1")
    (problem,) = rig_problems(compile_plan(scene))
    assert (problem.severity, problem.fix_text) == ("note", "Merge into cam1")
    merged = problem.fix.change.apply(scene)
    assert list(merged.frames) == ["imu0", "cam0", "cam1", "cam2"]
    assert list(rig_problems(compile_plan(merged))) == []
    np.testing.assert_allclose(pose_of(merged, "cam2", "imu0"), true("imu0", "cam2").to_matrix(), atol=1e-9)


def test_that_a_frame_is_merged_into_one_below_it() -> None:
    source = {"file": "a", "entry": "T", "maps": "frame to parent"}
    frames = {
        "imu": {"parent": "world"},
        "imu_link": {"parent": "imu", "source": source},
        "cam": {"parent": "imu_link", "source": source},
    }
    scene = Scene.model_validate({"frames": frames})
    merged = merge_frames("imu_link", "imu").apply(scene)
    assert {name: frame.parent for name, frame in merged.frames.items()} == {"imu_link": "world", "cam": "imu_link"}
    frames["imu"], frames["base"] = {"parent": "base", "source": source}, {"parent": "world"}
    merged = merge_frames("cam", "imu").apply(Scene.model_validate({"frames": frames}))
    assert merged.frames["cam"].parent == "base"
    (second_way,) = merged.measured.values()
    assert (second_way.of, second_way.relative_to) == ("cam", "imu_link")


def test_that_the_scene_of_the_command_is_that_of_the_window() -> None:
    files = (("a.yaml", FIRST), ("b.yaml", second()))
    assert scene_of_rig(files) == joined(second())
    renamed = (("a.yaml", FIRST), ("b.yaml", second(names={"cam1": "camera1"})))
    assert scene_of_rig(renamed, {"camera1": "cam1"}) == joined(second())


def test_that_a_merged_rig_and_its_scene_have_the_same_loops() -> None:
    wrong = second(is_wrong=True)
    (of_files,) = search(merge((("a.yaml", FIRST), ("b.yaml", wrong))).edges)
    edges = rig_of(compile_plan(joined(wrong)))
    (of_scene,) = search(edges)
    assert of_scene.before == pytest.approx(of_files.before, rel=1e-6)
    assert edges[of_scene.best.edges[0]].label == "b.yaml: cam1.T_imu0"


def test_that_a_pose_in_itself_is_left_out() -> None:
    rig = merge((("a.yaml", Calibration("x", (edge("imu0", "cam0"),))),), {"cam0": "imu0"})
    assert rig.edges == ()
    assert "in itself" in rig.problems[0].message


def test_that_angles_about_fixed_axes_are_numbers_of_which_another_order_is_tried() -> None:
    for form in ({"form": "rpy"}, {"form": "extrinsic", "sequence": "xyz"}):
        turn = {**form, "angles": [10, 20, 30], "unit": "deg"}
        frames = {"a": {"parent": "world"}, "b": {"parent": "a", "orientation": turn}}
        measured = {"m": {"form": "pose", "of": "b", "relative_to": "a", "orientation": turn}}
        scene = Scene.model_validate({"framescope": 1, "frames": frames, "measured": measured})
        turns = [each.edge.turn for each in rig_of(compile_plan(scene)) if each.edge.child == "b"]
        assert {(each.order, each.numbers, each.unit) for each in turns if each} == {("xyz", (10.0, 20.0, 30.0), "deg")}
