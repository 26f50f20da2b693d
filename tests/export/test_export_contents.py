"""What models, stages and pages hold of a scene: arcs, intermediate frames, the lit axis and forces; and where."""

from __future__ import annotations

import csv
import json
import math

import numpy as np
import pytest
from pxr import Usd, UsdGeom

from framescope.app.exporters.registry import export
from framescope.app.exporters.scene_graph.remarks import left_out_text
from framescope.core import quaternions
from framescope.core.evaluation.evaluate import evaluate
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.ui.scene_view.visuals.angle_arcs import arc_planes
from tests.export.test_export_accuracy import compiled, z_up
from tests.export.test_export_usd import pose, prims
from tests.features.web_page.export.test_export_html import SIZE, choose, go_to, outputs
from tests.support import gltf_reader
from tests.support.examples import example

pytestmark = pytest.mark.window

TURNED = {
    "ship": {
        "parent": "world",
        "position": {"value": [0.2, 0, 0.1], "unit": "m"},
        "orientation": {"form": "axes", "sequence": "ZYX", "angles": ["40 + 30*t", 25, -70], "unit": "deg"},
    }
}
VIEW = {"arcs": [{"frame": "ship", "radius": "0.3 m"}], "stages": [{"frame": "ship", "length": "0.2 m"}]}


@pytest.fixture(scope="module")
def turned(tmp_path_factory):
    """A frame with arcs, stages and a lit axis, in all three formats."""
    scene, plan = compiled(TURNED, end="2 s", view=VIEW)
    folder = tmp_path_factory.mktemp("turned")
    paths = {}
    for suffix in ("glb", "html", "usdc"):
        paths[suffix] = folder / f"scene.{suffix}"
        export(scene, plan, paths[suffix])
    return plan, paths


def found_at(paths, t: float) -> dict[str, np.ndarray]:
    file = gltf_reader.opened(paths["glb"])
    gltf_reader.set_to(file, t)
    return z_up(gltf_reader.matrices(file))


@pytest.mark.parametrize("t", [0.0, 0.777, 1.9])
def test_that_the_arcs_of_a_model_end_where_the_angles_do(turned, t) -> None:
    plan, paths = turned
    by_gltf = found_at(paths, t)
    stage = Usd.Stage.Open(str(paths["usdc"]))
    by_usd = {name: pose(prim, stage.GetTimeCodesPerSecond() * t) for name, prim in prims(stage).items()}
    angles = plan.angles("ship", t)[0]
    p_W = evaluate(plan, t).p_WF[plan.index["ship"]]
    for letter, angle, plane, factor in zip("αβγ", angles, arc_planes("ZYX", angles), (1.0, 0.88, 0.76), strict=True):
        radius = 0.3 * factor
        end = p_W + radius * plane @ (math.cos(angle), math.sin(angle), 0.0)
        for found in (by_gltf, by_usd):
            np.testing.assert_allclose(found[f"arrow of {letter} of ship"][:3, 3], end, atol=2e-3)
            # The last wedge reaches to the end of the arc.
            wedge = found[f"wedge 24 of {letter} of ship"]
            corner = wedge @ (radius, math.copysign(radius, angle), 0.0, 1.0)
            np.testing.assert_allclose(corner[:3], end, atol=2e-3)


def test_that_stages_and_the_lit_axis_are_in_a_model(turned) -> None:
    _, paths = turned
    found = found_at(paths, 1.0)
    first = np.radians(70)
    np.testing.assert_allclose(found["stage 1 of ship"][:3, 0], (math.cos(first), math.sin(first), 0), atol=2e-3)
    # The first angle alone changes: z is lit.
    np.testing.assert_allclose(found["lit z of ship"][:3, 2], (0, 0, 1), atol=1e-6)
    assert "lit x of ship" not in found


def test_that_a_page_writes_the_angles_at_their_arcs(turned, browser) -> None:
    _, paths = turned
    page = browser.open(paths["html"], SIZE, is_reduced=True)
    go_to(page, 1.0)
    texts = page.evaluate("[...document.querySelectorAll('.tag:not([hidden]) .value')].map(e => e.textContent)")
    assert texts == ["α70.0°", "β25.0°", "γ\u221270.0°"]
    assert page.complaints == []
    page.close()


def test_that_a_page_writes_forces_at_their_tips_as_the_picture_does(browser, tmp_path) -> None:
    scene, plan, _ = example("pendulum")
    export(scene, plan, tmp_path / "p.html", start=0.5, stop=0.7)
    told = json.loads((tmp_path / "p.html").read_text().split('id="scene">')[1].split("</script>")[0])
    forces = [arrow for arrow in told["arrows"] if arrow["symbol"] == "F"]
    assert {arrow["name"] for arrow in forces} == set(evaluate(plan, 0.0).ports)
    page = browser.open(tmp_path / "p.html", SIZE, is_reduced=True)
    go_to(page, 0.6)
    shown = page.evaluate(
        "[...document.querySelectorAll('.tag:not([hidden]) .value')].filter(e => e.querySelector('.unit')?.textContent"
        " === 'N').map(e => [e.querySelector('.of').textContent, Number(e.querySelector('.number').textContent)])"
    )
    assert shown
    ports = evaluate(plan, 0.6).ports
    for name, value in shown:
        assert value == pytest.approx(float(np.linalg.norm(ports[name].force_W)), rel=0.01)
    page.close()


def test_that_what_a_format_cannot_hold_is_said() -> None:
    _, plan, _ = example("demo")
    model, page = left_out_text(plan, ".glb"), left_out_text(plan, ".html")
    for items in ("names and letters", "values at arrows and arcs", "trails", "plots"):
        assert items in model
    assert "plots" not in page
    assert "trails" not in page
    assert left_out_text(plan, ".mp4") == left_out_text(plan, ".csv") == ""


# Where


FAR = np.array([500_000.25, 5_400_000.5, 300.0])


def test_that_a_scene_at_the_coordinates_of_a_map_keeps_its_digits(browser, tmp_path) -> None:
    x, y, z = FAR.tolist()
    frames = {
        "car": {"parent": "world", "position": {"value": [f"{x} + 0.001*t", y, z], "unit": "m"}},
        "wheel": {"parent": "car", "position": {"value": [0.4, "0.01*sin(t)", 0], "unit": "m"}},
        "map": {"parent": "world"},
        "tree": {"parent": "map", "position": {"value": [f"{x} + 0.002*t", y, z], "unit": "m"}},
    }
    scene, plan = compiled(frames, end="2 s")
    for suffix in ("glb", "html", "usdc"):
        export(scene, plan, tmp_path / f"far.{suffix}")
    file = gltf_reader.opened(tmp_path / "far.glb")
    assert max(abs(v).max() for _, path, *_, v in file.read_channels if path == "translation") < 1e3
    stage = Usd.Stage.Open(str(tmp_path / "far.usdc"))
    found = prims(stage)
    page = browser.open(tmp_path / "far.html", SIZE, is_reduced=True)
    for t in (0.5, 1.7):
        gltf_reader.set_to(file, t)
        poses, snapshot = z_up(gltf_reader.matrices(file)), evaluate(plan, t)
        go_to(page, t)
        for name in ("car", "wheel", "tree"):
            expected = snapshot.p_WF[plan.index[name]]
            np.testing.assert_allclose(poses[name][:3, 3], expected, rtol=0, atol=1e-4, err_msg=name)
            by_usd = pose(found[name], stage.GetTimeCodesPerSecond() * t)[:3, 3]
            np.testing.assert_allclose(by_usd, expected, rtol=0, atol=1e-4)
            choose(page, of=name, relative="world")
            np.testing.assert_allclose(outputs(page, "#position"), expected, rtol=0, atol=2e-4)
    assert UsdGeom.Xformable(found["car"]).GetOrderedXformOps()[0].GetPrecision() == UsdGeom.XformOp.PrecisionDouble
    page.close()


def test_that_what_drifts_has_the_same_orientation_in_all_that_is_exported(browser, tmp_path) -> None:
    drifting = {"form": "integrated", "w": [0.5, 0.4, 2.9], "unit": "rad/s", "equation": "dcm", "method": "euler"}
    frames = {
        "rotor": {"parent": "world", "orientation": {**drifting, "step": "50 ms"}},
        "blade": {"parent": "rotor", "orientation": {**drifting, "w": [0.1, 2.0, 0.3], "step": "20 ms"}},
    }
    scene, plan = compiled(frames, end="3 s")
    t = 2.9
    snapshot = evaluate(plan, t)
    R = snapshot.R_WF[plan.index["rotor"]]
    assert np.abs(R.T @ R - np.eye(3)).max() > 0.5
    for suffix in ("glb", "html", "csv"):
        export(scene, plan, tmp_path / f"a.{suffix}", fps=10.0)
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    last = dict(zip(names, map(float, rows[29]), strict=True))
    file = gltf_reader.opened(tmp_path / "a.glb")
    gltf_reader.set_to(file, t)
    poses = z_up(gltf_reader.matrices(file))
    page = browser.open(tmp_path / "a.html", SIZE, is_reduced=True)
    go_to(page, t)
    for name in frames:
        expected = nearest_rotation(snapshot.R_WF[plan.index[name]])[0]
        in_table = np.array([value for key, value in last.items() if key.startswith(f"quaternion of {name} ")])
        assert len(in_table) == 4, names
        np.testing.assert_allclose(quaternions.to_T(in_table).T, expected, atol=1e-9)
        np.testing.assert_allclose(poses[name][:3, :3], expected, atol=2e-4)
        choose(page, of=name, relative="world")
        np.testing.assert_allclose(np.reshape(outputs(page, "#matrix"), (3, 3)), expected.T, atol=2e-4)
        np.testing.assert_allclose(outputs(page, "#quaternion"), in_table, atol=2e-4)
    page.close()
