"""What models, pages and stages show between their samples, read by slow readers of their own, against the core."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pxr import Usd

from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.registry import export
from framescope.app.exporters.scene_graph.glb import Z_UP
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.schema.model import Scene
from tests.export.test_export_usd import pose, prims
from tests.features.web_page.export.test_export_html import SIZE, choose, go_to, outputs
from tests.support import gltf_reader

pytestmark = [pytest.mark.process, pytest.mark.soak]

ACCURACY_DEG = 0.005

ROTOR = {
    "mast": {"parent": "world", "position": {"value": [0, 0, "0.2*sin(9*t)"], "unit": "m"}},
    "rotor": {
        "parent": "mast",
        "orientation": {"form": "axis", "axis": "z", "angle": "7200*t", "unit": "deg"},
    },
    "tip": {"parent": "rotor", "position": {"value": [0.5, 0, 0], "unit": "m"}},
}
"""Twenty turns a second; the tip is half a metre off."""


def compiled(frames, end="1 s", **more):
    scene = Scene.model_validate({"framescope": 1, "time": {"end": end}, "frames": frames, **more})
    return scene, compile_plan(scene)


def angle_between(A: np.ndarray, B: np.ndarray) -> float:
    return 2.0 * math.asin(min(1.0, np.linalg.norm(A - B) / math.sqrt(8.0)))


def z_up(found: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the poses that a reader finds with y up, in the scene's world."""
    x, _, _, w = Z_UP
    c, s = w * w - x * x, 2 * w * x
    to_world = np.array([[1, 0, 0, 0], [0, c, s, 0], [0, -s, c, 0], [0, 0, 0, 1.0]])
    return {name: to_world @ X for name, X in found.items()}


TIMES = np.random.default_rng(5).uniform(0.0, 1.0, 60)


@pytest.fixture(scope="module")
def rotor(tmp_path_factory):
    """The rotor as a model, a page and a stage; each is one second."""
    scene, plan = compiled(ROTOR)
    folder = tmp_path_factory.mktemp("rotor")
    told = {}
    for suffix in ("glb", "html", "usdc"):
        path = folder / f"turning.{suffix}"
        told[suffix] = path, export(scene, plan, path)
    return plan, told


def check(found: dict[str, np.ndarray], plan, t: float) -> None:
    """Check that all frames are within the bound: 0.005 degrees, and as much at the edge of the scene."""
    snapshot = evaluate(plan, t)
    for name in plan.names[1:]:
        row = plan.index[name]
        assert math.degrees(angle_between(found[name][:3, :3], snapshot.R_WF[row])) < ACCURACY_DEG, (name, t)
        assert np.linalg.norm(found[name][:3, 3] - snapshot.p_WF[row]) < math.radians(ACCURACY_DEG), (name, t)


@pytest.mark.parametrize("is_plain", [False, True])
def test_that_a_rotor_turns_as_it_does_in_a_model_however_its_reader_mixes(rotor, is_plain) -> None:
    plan, told = rotor
    file = gltf_reader.opened(told["glb"][0])
    for t in TIMES:
        gltf_reader.set_to(file, t, is_plain=is_plain)
        check(z_up(gltf_reader.matrices(file)), plan, t)


def test_that_a_rotor_turns_as_it_does_in_a_stage(rotor) -> None:
    plan, told = rotor
    stage = Usd.Stage.Open(str(told["usdc"][0]))
    found = prims(stage)
    for t in TIMES:
        code = float(stage.GetTimeCodesPerSecond() * t)
        check({name: pose(found[name], code) for name in plan.names[1:]}, plan, t)


def test_that_a_rotor_turns_as_it_does_on_a_page(rotor, browser) -> None:
    plan, told = rotor
    page = browser.open(told["html"][0], SIZE, is_reduced=True)
    choose(page, of="tip", relative="world")
    for t in np.round(TIMES[:12], 4):
        go_to(page, t)
        snapshot, row = evaluate(plan, t), plan.index["tip"]
        np.testing.assert_allclose(outputs(page, "#position"), snapshot.p_WF[row], atol=1.4e-4)
        np.testing.assert_allclose(np.reshape(outputs(page, "#matrix"), (3, 3)), snapshot.R_WF[row].T, atol=1.4e-4)
    page.close()


def test_that_a_plate_that_trembles_reads_as_it_is_between_samples(browser, tmp_path) -> None:
    plate = {"parent": "world", "orientation": {"form": "axis", "axis": "y", "angle": "5*sin(90*t)", "unit": "deg"}}
    scene, plan = compiled({"plate": plate})
    export(scene, plan, tmp_path / "plate.html")
    page = browser.open(tmp_path / "plate.html", SIZE, is_reduced=True)
    for t in (0.017, 0.0521, 0.3333, 0.7788):
        go_to(page, t)
        assert outputs(page, "#branch-1")[1] == pytest.approx(5 * math.sin(90 * t), abs=0.0101)
    page.close()


def test_that_the_export_says_what_it_keeps_to(rotor) -> None:
    _, told = rotor
    for _, accuracy in told.values():
        assert math.degrees(accuracy.kept.angle) == pytest.approx(ACCURACY_DEG)
        assert accuracy.reached <= 1.0
        assert accuracy.jumps == 0
        assert accuracy.most > 400


def test_that_a_coarser_model_is_smaller_and_what_cannot_be_kept_is_refused(rotor, tmp_path) -> None:
    scene, plan = compiled(ROTOR)
    export(scene, plan, tmp_path / "a.glb", accuracy=40 * ACCURACY_DEG)
    fine, coarse = (path.stat().st_size for path in (rotor[1]["glb"][0], tmp_path / "a.glb"))
    file = gltf_reader.opened(tmp_path / "a.glb")
    gltf_reader.set_to(file, 0.777)
    X = z_up(gltf_reader.matrices(file))["rotor"]
    R = evaluate(plan, 0.777).R_WF[plan.index["rotor"]]
    assert math.degrees(angle_between(X[:3, :3], R)) < 0.2
    assert coarse < fine - 10_000
    with pytest.raises(ExportError, match="accuracy: expected from 1e-05 to 5 degrees, got 9"):
        export(scene, plan, tmp_path / "b.glb", accuracy=9.0)
    long, plan = compiled(ROTOR, end="40000 s")
    with pytest.raises(ExportError, match=r"too often to be kept.*Export a shorter part"):
        export(long, plan, tmp_path / "b.glb")
    assert not (tmp_path / "b.glb").exists()


def test_that_a_child_may_stand_before_its_parent_in_the_file(browser, tmp_path) -> None:
    frames = {
        "child": {"parent": "mother", "position": {"value": [1, 0, 0], "unit": "m"}},
        "mother": {"parent": "world", "position": {"value": [0, "t", 0], "unit": "m"}},
    }
    scene, plan = compiled(frames)
    for suffix in ("glb", "html", "usda"):
        export(scene, plan, tmp_path / f"a.{suffix}")
    file = gltf_reader.opened(tmp_path / "a.glb")
    gltf_reader.set_to(file, 0.5)
    np.testing.assert_allclose(z_up(gltf_reader.matrices(file))["child"][:3, 3], (1, 0.5, 0), atol=1e-6)
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    np.testing.assert_allclose(pose(prims(stage)["child"], 15.0)[:3, 3], (1, 0.5, 0), atol=1e-6)
    page = browser.open(tmp_path / "a.html", SIZE, is_reduced=True)
    choose(page, of="child", relative="world")
    go_to(page, 0.5)
    assert outputs(page, "#position") == [1.0, 0.5, 0.0]
    assert page.complaints == []
    page.close()


def test_that_an_arc_that_comes_and_goes_is_no_jump_of_the_motion(tmp_path) -> None:
    orientation = {
        "form": "axes",
        "sequence": "ZYX",
        "angles": ["30*sin(t)", "20*smoothstep(t, 1, 3)", 10],
        "unit": "deg",
    }
    view = {"arcs": [{"frame": "arm", "radius": "0.3 m"}]}
    scene, plan = compiled({"arm": {"parent": "world", "orientation": orientation}}, end="4 s", view=view)
    assert export(scene, plan, tmp_path / "a.glb").jumps == 0
    orientation |= {"angles": ["90*pulse(t, 2, 3)", 0, 0]}
    scene, plan = compiled({"arm": {"parent": "world", "orientation": orientation}}, end="4 s", view=view)
    assert export(scene, plan, tmp_path / "a.glb").jumps == 2
