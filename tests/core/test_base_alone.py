"""The base without features: example scenes compile, are checked and evaluated, and missing readers are named."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pytest

from framescope import assets
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import read_mixed
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import Scene
from framescope.core.system import features
from tests.support.modelica_results import pendulum, write

SCENES = assets.path("scenes")
NAMES = sorted(path.stem for path in SCENES.glob("*.yaml"))
OF_FEATURES = {example.file for feature in features.installed_features() for example in feature.examples}
FAULTY = sorted(
    path.stem
    for path in (SCENES / "faulty").glob("*.yaml")
    if "." not in path.stem and f"scenes/faulty/{path.name}" not in OF_FEATURES
)


@pytest.fixture(autouse=True)
def without_features(monkeypatch):
    """Let every import of a feature fail, as where the package of features is missing."""
    monkeypatch.setitem(sys.modules, features.PACKAGE, None)
    for name in [name for name in sys.modules if name.startswith(f"{features.PACKAGE}.")]:
        monkeypatch.setitem(sys.modules, name, None)
    features.installed_features.cache_clear()
    yield
    features.installed_features.cache_clear()


def test_that_no_feature_can_be_imported() -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("framescope.features.bags.feature")
    assert features.installed_features() == ()


@pytest.mark.parametrize("name", NAMES)
def test_that_an_example_is_compiled_checked_and_evaluated(name) -> None:
    loaded = load_scene(SCENES / f"{name}.yaml")
    plan = compile_plan(loaded.scene, loaded.path.parent)
    assert [str(problem) for problem in plan.problems if problem.severity != "note"] == []
    assert [one.title for one in diagnose(plan) if one.severity != "note"] == []
    poses = evaluate(plan, np.array([plan.start, 0.5 * (plan.start + plan.end)]))
    assert np.isfinite(poses.p_WF).all()
    assert np.isfinite(poses.R_WF).all()


@pytest.mark.parametrize("name", FAULTY)
def test_that_a_faulty_example_has_a_problem(name) -> None:
    loaded = load_scene(SCENES / "faulty" / f"{name}.yaml")
    assert any(one.severity != "note" for one in diagnose(compile_plan(loaded.scene, loaded.path.parent)))


# --- Measurements: the size of a miss, without its cause


def plan_of(measured: dict) -> Plan:
    frames = {
        "car": {"parent": "world", "position": {"value": ["t", 0, 0], "unit": "m"}},
        "camera": {"parent": "car", "position": {"value": [0.3, 0, 0], "unit": "m"}},
    }
    return compile_plan(Scene.model_validate({"framescope": 1, "frames": frames, "measured": measured}))


def pose(x: float) -> dict:
    return {"form": "pose", "of": "camera", "relative_to": "car", "position": {"value": [x, 0, 0], "unit": "m"}}


def test_that_a_measured_pose_is_reported_with_the_size_of_its_miss() -> None:
    (one,) = diagnose(plan_of({"by hand": pose(0.4)}))
    assert (one.kind, one.title) == ("loop-open", "loop open")
    assert one.message == "it puts camera 0.1 m from where the frames put it relative to car."
    assert one.fixes == ()


def test_that_a_measured_pose_that_matches_is_no_problem() -> None:
    assert diagnose(plan_of({"by hand": pose(0.3)})) == ()


@pytest.mark.parametrize(("speed", "titles"), [(1.0, []), (1.1, ["matches roughly"]), (2.0, ["does not match"])])
def test_that_a_measured_vector_is_reported_by_the_size_of_its_miss(tmp_path, speed, titles) -> None:
    rows = (f"{t:.2f},{speed},0,0" for t in np.arange(0.0, 5.0, 0.05))
    (tmp_path / "speed.csv").write_text("t,x,y,z\n" + "\n".join(rows))
    velocity = {
        "form": "velocity", "of": "camera", "relative_to": "world", "resolved_in": "world", "unit": "m/s",
        "file": "speed.csv", "time": "t", "time_unit": "s", "values": ["x", "y", "z"],
    }  # fmt: skip
    scene = plan_of({}).scene.model_dump(mode="json", exclude_unset=True) | {"measured": {"wheels": velocity}}
    found = diagnose(compile_plan(Scene.model_validate(scene), tmp_path))
    assert [one.title for one in found] == titles
    assert all(one.kind == "rate-mismatch" and one.fixes == () for one in found)


# --- Files whose readers are missing


def test_that_a_frame_of_a_bag_names_the_missing_feature() -> None:
    motion = {"form": "transforms", "file": "bags/two-parents.bag", "frame": "camera"}
    frames = {"camera": {"parent": "world", "motion": motion}, "mast": {"parent": "world"}}
    plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": frames}), SCENES)
    (problem,) = plan.problems
    assert problem.key_path == ("frames", "camera", "motion", "file")
    assert problem.message == "bags are read by the feature bags, which is not installed."
    assert problem.hint
    assert evaluate(plan, np.zeros(1)).index["mast"]
    assert any(one.key_path == problem.key_path for one in diagnose(plan))


def test_that_a_joint_of_a_bag_names_the_missing_feature() -> None:
    recording = {"file": "bags/two-parents.bag", "topic": "/joint_states", "column": "elbow"}
    joint = {"form": "joint", "type": "revolute", "axis": [0, 0, 1], "unit": "rad", "recording": recording}
    frames = {"arm": {"parent": "world", "motion": joint}}
    plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": frames}), SCENES)
    assert [problem.message for problem in plan.problems] == [
        "bags are read by the feature bags, which is not installed."
    ]


def test_that_a_result_of_modelica_names_the_missing_feature(tmp_path) -> None:
    write(tmp_path / "run_res.mat", pendulum())
    with pytest.raises(TableError, match="read by the feature modelica, which is not installed"):
        read_mixed(tmp_path / "run_res.mat")
