"""Mends are tried against all that a scene knows: a fixed offset that is wrong is found by what depends on it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.analysis.misses.miss import miss_of
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.schema.kinds.orientations import matrix_of
from framescope.core.scene.schema.model import Scene
from framescope.features.causes.core.hypotheses_of_poses import PoseHypothesis, hypotheses_of_pose
from framescope.features.causes.core.judgement import Judge, try_edit

R = Rotation.from_euler("ZYX", [35.0, -20.0, 50.0], degrees=True)
P = np.array([0.31, -0.12, 0.24])
LIDAR = Rotation.from_euler("ZYX", [-70.0, 10.0, 15.0], degrees=True), np.array([0.5, 0.2, 0.9])
NOISE_ANGLE, NOISE_LENGTH = np.radians(0.1), 1e-3


def posed(rotation: Rotation, position: np.ndarray, order: str = "xyzw") -> dict:
    q = rotation.as_quat().tolist()
    return {
        "position": {"value": position.tolist(), "unit": "m"},
        "orientation": {"form": "quaternion", "value": q if order == "xyzw" else [q[3], *q[:3]], "order": order},
    }


def rig(camera: dict, **measured: dict) -> Plan:
    """Return a car with a lidar and a camera as said, and three calibrations of them with realistic noise."""
    rng = np.random.default_rng(3)
    truth = {"camera": (R, P), "lidar": LIDAR, "car": (Rotation.identity(), np.zeros(3))}

    def calibration(of: str, relative_to: str) -> dict:
        (R_a, p_a), (R_b, p_b) = truth[relative_to], truth[of]
        turn = Rotation.from_rotvec(rng.normal(scale=NOISE_ANGLE, size=3))
        shift = rng.normal(scale=NOISE_LENGTH, size=3)
        pose = posed(R_a.inv() * R_b * turn, R_a.inv().apply(p_b - p_a) + shift)
        return {"form": "pose", "of": of, "relative_to": relative_to} | pose

    frames = {
        "car": {"parent": "world", "position": {"value": ["t", 0, 0], "unit": "m"}},
        "lidar": {"parent": "car"} | posed(*LIDAR),
        "camera": {"parent": "car"} | camera,
    }
    found = {
        "by hand": calibration("camera", "car"),
        "by targets": calibration("camera", "lidar"),
        "mount": calibration("lidar", "car"),
    }
    return compile_plan(Scene.model_validate({"framescope": 1, "frames": frames, "measured": found | measured}))


def turned_axes(S: np.ndarray) -> dict:
    return posed(R * Rotation.from_matrix(S), P)


def matrix(maps: str) -> dict:
    form = {"form": "matrix", "rows": R.as_matrix().tolist(), "maps": maps}
    return posed(R, P) | {"orientation": form}


def angles(values: np.ndarray, sequence: str, unit: str) -> dict:
    form = {"form": "axes", "sequence": sequence, "angles": values.tolist(), "unit": unit}
    return posed(R, P) | {"orientation": form}


OPTICAL = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
FRD = np.diag([1.0, -1.0, -1.0])
NED = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
MIRROR = np.diag([1.0, -1.0, 1.0])
Q = posed(R, P)

WRONG = {
    "inverted": posed(R.inv(), -R.inv().apply(P)),
    "orientation inverted": posed(R.inv(), P),
    "position inverted": posed(R, -R.inv().apply(P)),
    "transposed": matrix("parent to frame"),
    "order": Q | {"orientation": posed(R, P, "wxyz")["orientation"] | {"order": "xyzw"}},
    "optical axes": turned_axes(OPTICAL),
    "body axes": turned_axes(OPTICAL.T),
    "front right down": turned_axes(FRD),
    "north east down": posed(Rotation.from_matrix(NED) * R, NED @ P),
    "left-handed": posed(Rotation.from_matrix(MIRROR @ R.as_matrix() @ MIRROR), MIRROR @ P),
    "other sequence": angles(R.as_euler("ZYX", degrees=True), "XYZ", "deg"),
    "fixed axes": angles(R.as_euler("zyx", degrees=True), "ZYX", "deg"),
    "degrees": angles(R.as_euler("ZYX", degrees=True), "ZYX", "rad"),
    "millimetres": posed(R, 1000.0 * P),
    "scale": posed(R, 1.1 * P),
    "sign": posed(R, P * np.array([1.0, 1.0, -1.0])),
    "parent": posed(LIDAR[0].inv() * R, LIDAR[0].inv().apply(P - LIDAR[1])),
}


def is_right(scene: Scene) -> bool:
    """Return whether a scene has the camera where it is, as well as calibrations are."""
    snapshot = evaluate(compile_plan(scene), 0.0)
    i = snapshot.index["camera"]
    angle = (Rotation.from_matrix(snapshot.R_WF[i]).inv() * R).magnitude()
    return angle < np.radians(0.5) and np.linalg.norm(snapshot.p_WF[i] - P) < 5e-3


def alarms(plan: Plan) -> list[Problem]:
    return [one for one in diagnose(plan) if one.severity != "note"]


@pytest.mark.long
@pytest.mark.parametrize("fault", WRONG)
def test_that_a_wrong_extrinsic_is_one_cause_of_all_that_misses_and_its_mend_makes_it_right(fault) -> None:
    plan = rig(WRONG[fault])
    (one,) = (each for each in alarms(plan) if each.kind != "unit-wrong")  # degrees give themselves away, too
    assert (one.kind, one.key_path) == ("wrong-pose", ("frames", "camera"))
    assert "by hand" in one.message
    assert "by targets" in one.message
    assert one.fix is not None
    mended = one.fix.change.apply(plan.scene)
    assert is_right(mended)
    assert mended.measured == plan.scene.measured
    assert alarms(compile_plan(mended)) == []


def test_that_a_healthy_rig_raises_no_alarm() -> None:
    assert alarms(rig(Q)) == []


def test_that_a_measurement_that_is_wrong_alone_is_mended_and_not_the_frame() -> None:
    far = {"form": "pose", "of": "camera", "relative_to": "car"} | posed(R.inv(), -R.inv().apply(P))
    plan = rig(Q, **{"by hand": far})
    (one,) = alarms(plan)
    assert (one.name, one.fix_text) == ("by hand", "Swap the frames")
    assert all(mend.text.startswith("camera") is False for mend in one.fixes), "the other calibration has the frame"


def test_that_what_the_numbers_do_not_settle_is_left_open() -> None:
    scene = rig(WRONG["orientation inverted"]).scene
    alone = compile_plan(scene.model_copy(update={"measured": scene.measured.without("by targets")}))
    (one,) = alarms(alone)
    assert one.name == "by hand"
    assert one.fix is None
    assert "does not tell which" in one.hint
    assert {is_right(mend.change.apply(alone.scene)) for mend in one.others} == {True, False}


def test_that_an_edit_is_judged_by_everything_before_and_after() -> None:
    plan = rig(WRONG["millimetres"])
    right = set_values({("frames", "camera", "position", "unit"): "mm"}, "")
    trial = try_edit(plan, right)
    assert {key[1] for key, _ in trial.closed_ids} == {"by hand", "by targets"}
    assert not trial.is_harmful
    assert " m → 0.00" in trial.words
    wrong = set_values({("frames", "lidar", "position", "unit"): "mm"}, "")
    assert {before.key[1] for before, _ in try_edit(plan, wrong).worse} >= {"mount"}


def test_that_a_safe_mend_that_makes_something_worse_is_not_the_first() -> None:
    q = (1.01 * R.as_quat()).tolist()
    camera = Q | {"orientation": {"form": "quaternion", "value": q, "order": "xyzw"}}
    assert next(one for one in diagnose(rig(camera)) if one.name == "camera").has_safe_fix
    mirrored = LIDAR[0].as_matrix() * np.array([1.0, -1.0, 1.0])
    data = rig(Q).scene.model_dump(mode="json")
    data["frames"]["lidar"]["orientation"] = {"form": "matrix", "rows": mirrored.tolist(), "maps": "frame to parent"}
    plan = compile_plan(Scene.model_validate(data))
    for one in diagnose(plan):
        if one.fix is not None:
            assert not Judge(plan).try_edit(one.fix.change).is_harmful


def test_that_two_faults_of_one_offset_are_told_as_two() -> None:
    plan = rig(posed(R.inv(), 1000.0 * P))
    found = alarms(plan)
    assert found
    assert all("two causes" in one.hint or "more than one" in one.hint for one in found) or any(
        one.fix is not None and is_right(one.fix.change.apply(plan.scene)) for one in found
    )


def test_that_a_wild_row_is_left_out_and_counted() -> None:
    missed, t = np.full(100, 0.01), np.arange(100.0)
    missed[7] = 5.0
    one = miss_of(("measured", "a"), "position", missed, t, 0.0, 0.0, "m", 1.0)
    assert (one.rms, one.n, one.n_wild) == (pytest.approx(0.01), 100, 1)


def test_that_the_step_of_a_mend_says_what_it_did_and_not_what_was_wrong() -> None:
    fields = {"orientation": None}
    one = PoseHypothesis(("frames", "camera"), "orientation", "is 50° off", "Turn by 50°", 1.0, fields)
    assert one.mend is not None
    assert one.mend.label == "camera: Turn by 50°"


def test_that_turns_about_fixed_axes_are_tried_about_moving_ones_and_as_their_inverse() -> None:
    scene = Scene.model_validate(
        {
            "framescope": 1,
            "frames": {"a": {"parent": "world", "orientation": {"form": "rpy", "angles": [10, 20, 30], "unit": "deg"}}},
        }
    )
    tried = {h.predicate: h.fields for h in hypotheses_of_pose(compile_plan(scene), ("frames", "a"), ("world", "a"))}
    moving = tried["are about moving axes"]["orientation"]
    assert (moving.form, moving.sequence, moving.angles) == ("axes", "XYZ", (10.0, 20.0, 30.0))
    inverse = matrix_of(tried["are the inverse"]["orientation"], 0.0, scene.parameters)
    R = matrix_of(scene.frames["a"].orientation, 0.0, scene.parameters).T
    np.testing.assert_allclose(inverse, R, atol=1e-14)
    assert tried["are in rad"]["orientation"].unit == "rad"
    assert tried["is zyx"]["orientation"].sequence == "zyx"
