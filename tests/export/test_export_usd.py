"""USD files read back by usd-core: the stage, the shapes, poses at sampled times, and what its own validators say."""

from __future__ import annotations

import math
import sys
from functools import cache

import numpy as np
import pytest
from pxr import Gf, Usd, UsdGeom, UsdValidation

from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.registry import export
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.scene.schema.model import Scene
from tests.support.examples import example

pytestmark = pytest.mark.window

FPS = 10.0


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Give the plan of an example and the path of a part of it, which is exported once."""

    @cache
    def of(name: str, start: float, stop: float, suffix: str = ".usdc"):
        scene, plan, _ = example(name)
        path = tmp_path_factory.mktemp("usd") / f"{name}{suffix}"
        export(scene, plan, path, fps=FPS, start=start, stop=stop)
        return plan, path

    return of


def prims(stage: Usd.Stage) -> dict[str, Usd.Prim]:
    """Return the prims by the names that are displayed."""
    return {prim.GetDisplayName(): prim for prim in stage.Traverse() if prim.GetDisplayName()}


def pose(prim: Usd.Prim, code: float) -> np.ndarray:
    """Return the pose of a prim in world, as a matrix that is applied to columns."""
    return np.array(UsdGeom.XformCache(code).GetLocalToWorldTransform(prim)).T


@pytest.mark.parametrize("name", ["demo", "robot-arm", "pendulum"])
def test_that_usd_core_finds_every_frame_where_the_core_has_it(exported, name) -> None:
    plan, path = exported(name, 0.5, 2.0)
    stage = Usd.Stage.Open(str(path))
    found = prims(stage)
    for t in (0.0, 0.7123, 1.4871):
        snapshot = evaluate(plan, 0.5 + t)
        for frame in plan.names[1:]:
            X_WF, row = pose(found[frame], FPS * t), plan.index[frame]
            np.testing.assert_allclose(X_WF[:3, 3], snapshot.p_WF[row], atol=2e-4)
            np.testing.assert_allclose(X_WF[:3, :3], nearest_rotation(snapshot.R_WF[row])[0], atol=1e-4)


def test_that_the_stage_has_z_up_in_metres_and_plays_as_fast_as_the_scene(exported) -> None:
    _, path = exported("demo", 1.0, 2.06)
    stage = Usd.Stage.Open(str(path))
    assert UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert stage.GetTimeCodesPerSecond() == stage.GetFramesPerSecond() == FPS
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0.0, pytest.approx(10.6))
    assert stage.GetDefaultPrim().GetPath() == "/World"


@pytest.mark.parametrize("name", ["demo", "recorded-camera", "three-springs"])
def test_that_the_validators_of_usd_find_no_fault(exported, name) -> None:
    _, path = exported(name, 0.0, 0.3, ".usda")
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    faults = UsdValidation.ValidationContext(validators).Validate(Usd.Stage.Open(str(path)))
    assert [(fault.GetName(), fault.GetMessage()) for fault in faults] == []


def test_that_an_arrow_reaches_from_its_foot_by_what_is_measured(exported) -> None:
    plan, path = exported("demo", 0.5, 2.0)
    stage = Usd.Stage.Open(str(path))
    found = prims(stage)
    arrow = evaluate(plan, 1.3).arrows["speed"]["v"]
    head, shaft = (pose(found[f"speed v, part {k}"], FPS * 0.8) for k in (2, 3))
    np.testing.assert_allclose(shaft[:3, 3], arrow.p_W, atol=2e-3)
    np.testing.assert_allclose(shaft[:3, 3] + shaft[:3, 2], head[:3, 3], atol=2e-3)
    np.testing.assert_allclose(np.cross(shaft[:3, 2], arrow.vector_W), 0.0, atol=2e-3)


def test_that_shapes_are_those_of_the_scene_and_shared_ones_are_instances(exported) -> None:
    plan, path = exported("demo", 0.5, 2.0)
    stage = Usd.Stage.Open(str(path))
    found = prims(stage)
    looks = [found[f"axes of {name}"].GetChild("look") for name in ("camera", "rotor")]
    assert all(look.IsInstance() for look in looks)
    assert looks[0].GetPrototype() == looks[1].GetPrototype()
    disc = UsdGeom.Mesh(found["disc"].GetChild("part_1"))
    (low, high), body = disc.GetExtentAttr().Get(), next(b for b in plan.view_data.bodies if b.name == "disc")
    assert high[2] - low[2] == pytest.approx(body.size["height"], rel=1e-5)
    assert disc.GetSubdivisionSchemeAttr().Get() == UsdGeom.Tokens.none


def test_that_a_field_of_view_has_lines_and_faces_that_show_through(exported) -> None:
    _, path = exported("demo", 0.5, 2.0)
    stage = Usd.Stage.Open(str(path))
    lens = prims(stage)["lens"]
    faces, lines, _ = lens.GetChildren()
    assert UsdGeom.Mesh(faces).GetDisplayOpacityAttr().Get()[0] == pytest.approx(0.16)
    assert UsdGeom.Mesh(faces).GetDoubleSidedAttr().Get()
    curves = UsdGeom.BasisCurves(lines)
    assert curves.GetTypeAttr().Get() == UsdGeom.Tokens.linear
    assert list(curves.GetCurveVertexCountsAttr().Get()) == [2] * 8
    # The blue of the theme, #56B4E9, without the curve of sRGB.
    np.testing.assert_allclose(curves.GetDisplayColorAttr().Get()[0], (0.0931, 0.4564, 0.8148), atol=1e-4)


def test_that_what_stands_still_has_one_value(exported) -> None:
    _, path = exported("demo", 0.5, 2.0)
    stage = Usd.Stage.Open(str(path))
    found = prims(stage)
    still = UsdGeom.Xformable(found["stand"])
    assert not still.TransformMightBeTimeVarying()
    ring = UsdGeom.Xformable(found["inner ring"])
    _, turn = ring.GetOrderedXformOps()
    codes = turn.GetAttr().GetTimeSamples()
    assert (codes[0], codes[-1]) == (0.0, 15.0)
    assert 16 < len(codes) < 200


def test_that_the_camera_looks_as_in_the_window(exported) -> None:
    plan, path = exported("demo", 0.5, 2.0)
    stage, staged = Usd.Stage.Open(str(path)), plan.view_data.camera
    camera = UsdGeom.Camera(stage.GetPrimAtPath("/World/view")).GetCamera(0.0)
    assert camera.GetFieldOfView(Gf.Camera.FOVVertical) == pytest.approx(math.degrees(staged.view_angle))
    np.testing.assert_allclose(camera.frustum.position, staged.position, atol=1e-6)
    ahead = staged.focal_point - staged.position
    np.testing.assert_allclose(camera.frustum.ComputeViewDirection(), ahead / np.linalg.norm(ahead), atol=1e-6)


def test_that_a_frame_without_a_pose_is_invisible_meanwhile(tmp_path) -> None:
    gone = {"parent": "world", "position": {"unit": "m", "value": ["sqrt(t - 1)", 0, 0]}}
    scene = Scene.model_validate({"framescope": 1, "time": {"end": "2 s"}, "frames": {"late": gone}})
    path = tmp_path / "late.usda"
    export(scene, compile_plan(scene, tmp_path), path, fps=2)
    stage = Usd.Stage.Open(str(path))
    late = UsdGeom.Imageable(prims(stage)["late"])
    seen = [late.ComputeVisibility(float(k)) for k in range(5)]
    assert seen == ["invisible", "invisible", "inherited", "inherited", "inherited"]


def test_that_names_that_no_prim_may_have_are_displayed_all_the_same(tmp_path) -> None:
    names = ["2nd", "a b", "a-b", "臂", "view"]
    scene = Scene.model_validate({"framescope": 1, "frames": {name: {"parent": "world"} for name in names}})
    path = tmp_path / "names.usda"
    export(scene, compile_plan(scene, tmp_path), path, fps=2, start=0, stop=1)
    assert set(names) <= prims(Usd.Stage.Open(str(path))).keys()


def test_that_the_same_scene_gives_the_same_text_and_a_cancelled_one_leaves_none(tmp_path) -> None:
    scene, plan, _ = example("keyframes")
    path, made = tmp_path / "keyframes.usda", []
    for _ in range(2):
        export(scene, plan, path, fps=FPS, start=0.0, stop=0.5)
        made.append(path.read_bytes())
        path.unlink()
    assert made[0] == made[1]
    with pytest.raises(ExportCancelledError):
        export(scene, plan, path, is_cancelled=lambda: True)
    assert not list(tmp_path.iterdir())


def test_that_without_usd_core_it_says_what_to_install(tmp_path, monkeypatch) -> None:
    scene, plan, _ = example("keyframes")
    monkeypatch.setitem(sys.modules, "pxr", None)
    monkeypatch.setitem(sys.modules, "pxr.Gf", None)
    with pytest.raises(ExportError, match=r"USD needs usd-core.*add usd"):
        export(scene, plan, tmp_path / "walk.usd", fps=2)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit to the size of a file there")
def test_that_a_full_disk_is_told_and_leaves_no_file(tmp_path) -> None:
    import resource

    scene, plan, _ = example("demo")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        for name in ("walk.usda", "walk.usdc", "walk.html"):
            with pytest.raises(ExportError, match="cannot be written: File too large"):
                export(scene, plan, tmp_path / name, start=0.0, stop=0.2)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not list(tmp_path.iterdir())
