"""Results of Dymola and OpenModelica: every layout and trap of the format, frames, shapes, and rates that are wrong."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.errors import FramescopeError, Problem
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import read_mixed
from framescope.core.system.file_access import Access
from framescope.core.system.xml_elements import XmlError
from framescope.features.modelica.core.dymola_shapes import shapes_of
from framescope.features.modelica.core.modelica_result import ResultFile, is_result, read_result
from framescope.features.modelica.core.orientation_rates import rate_problems
from framescope.features.modelica.core.result_frames import frames_of
from framescope.features.modelica.core.result_scene import scene_of
from framescope.features.modelica.core.visual_xml import shapes_in
from tests.support.modelica_results import (
    Variables,
    add_dymola_shape,
    pendulum,
    shape,
    visual,
    write,
    write_as_plotted,
)

LAYOUTS = {
    "OpenModelica": {"layout": "binTrans"},
    "upright": {"layout": "binNormal"},
    "Dymola": {"dtype": np.float32, "has_blanks": True, "time_name": "Time"},
}

PLOTTED = ("binNormal", "binTrans")

FRAMES = ["boxBody1.frame_a", "boxBody1.frame_b", "revolute2.frame_b", "boxBody2.frame_b", "stand.frame_a"]


def result_in(path: Path) -> ResultFile:
    return read_result(path.name, path.read_bytes())


def written(folder: Path, made: Variables, layout: str) -> Path:
    if layout in PLOTTED:
        return write_as_plotted(folder / "Pendulum_res.mat", made, layout=layout)
    return write(folder / "Pendulum_res.mat", made, **LAYOUTS[layout])


@pytest.mark.parametrize("layout", [*LAYOUTS, *PLOTTED])
def test_that_every_variable_of_every_layout_has_its_values(tmp_path, layout) -> None:
    made = pendulum()
    path = written(tmp_path, made, layout)
    result = result_in(path)
    assert is_result(path.read_bytes()[:64])
    tolerance = 1e-6 if layout == "Dymola" else 0.0
    np.testing.assert_allclose(result.times, made.times, atol=tolerance)
    assert (np.diff(result.times) == 0.0).sum() == 1, "an event stands twice"
    for name, value in made.values.items():
        np.testing.assert_allclose(result.values(name), np.broadcast_to(value, len(made.times)), atol=tolerance * 20)
    phi = made.values["revolute1.phi"]
    np.testing.assert_allclose(result.values("revolute1.minus"), -phi, atol=tolerance, err_msg="a negated alias")
    np.testing.assert_allclose(result.values("boxBody1.frame_a.R.T[1, 2]"), np.sin(phi), atol=tolerance)
    assert result.is_constant("J")
    assert not result.is_constant("revolute1.phi")
    with pytest.raises(TableError, match=r'no variable "revolute1.phy"'):
        result.values("revolute1.phy")


@pytest.mark.parametrize("layout", [*LAYOUTS, *PLOTTED])
def test_that_frames_move_in_the_scene_as_in_the_model(tmp_path, layout) -> None:
    made = pendulum()
    path = written(tmp_path, made, layout)
    result = result_in(path)
    frames = frames_of(result)
    scene, problems = scene_of(result, frames, (), path.name)
    assert problems == ()
    assert list(scene.frames) == FRAMES, "connectors in one place are one frame, and the world is the world"
    assert scene.frames["stand.frame_a"].motion is None
    time_name = "time" if layout in ("OpenModelica", "upright") else "Time"
    assert scene.frames["boxBody1.frame_b"].motion.columns.time == time_name
    plan = compile_plan(scene, access=Access(tmp_path))
    assert plan.problems == ()
    tolerance = 2e-6 if layout == "Dymola" else 1e-12
    for k in (0, 7, 26, 60, len(made.times) - 1):
        snapshot = evaluate(plan, float(made.times[k]))
        for name in FRAMES:
            row = plan.index[name]
            expected = result.matrix(f"{name}.R.T")[k], result.vector(f"{name}.r_0")[k]
            np.testing.assert_allclose(snapshot.R_WF[row].T, expected[0], atol=tolerance)
            np.testing.assert_allclose(snapshot.p_WF[row], expected[1], atol=tolerance)
    turning = evaluate(plan, 1.234).w_WF_F[plan.index["boxBody1.frame_b"]]
    np.testing.assert_allclose(turning, (0.0, 0.0, 1.4 * math.cos(2.0 * 1.234)), atol=0.01)


def test_that_a_result_is_a_table_of_its_variables(tmp_path) -> None:
    made = pendulum()
    table = read_mixed(written(tmp_path, made, "OpenModelica"))
    assert table.n_rows == len(made.times)
    assert "boxBody1.frame_a.f[3]" in table.order
    columns = table.table(["time", "revolute1.minus"])
    np.testing.assert_array_equal(columns.column("revolute1.minus"), -made.values["revolute1.phi"])
    with pytest.raises(TableError, match="has no column"):
        table.table(["revolute9.phi"])


# --- Shapes


def test_that_cut_forces_and_torques_are_arrows_at_their_connectors(tmp_path) -> None:
    made = pendulum()
    result = result_in(written(tmp_path, made, "upright"))
    scene, problems = scene_of(result, frames_of(result), (), "Pendulum_res.mat")
    assert problems == ()
    plan = compile_plan(scene, access=Access(tmp_path))
    assert plan.problems == ()
    assert set(scene.sensors) == {"boxBody1.frame_a.f", "boxBody1.frame_a.t"}
    assert scene.view.hidden.sensors == ()
    at = 7
    snapshot = evaluate(plan, made.times[at])
    sensor = scene.sensors["boxBody1.frame_a.f"]
    force = np.array([np.broadcast_to(made.values[name], len(made.times))[at] for name in sensor.values])
    (arrow,) = snapshot.arrows["boxBody1.frame_a.f"].values()
    row = plan.index[sensor.frame_a]
    np.testing.assert_allclose(arrow.vector_W, snapshot.R_WF[row] @ force, atol=1e-5)
    np.testing.assert_allclose(arrow.p_W, snapshot.p_WF[row])
    assert plan.instruments.sensors["boxBody1.frame_a.t"].arrows.keys() == {"t"}
    longest = plan.instruments.sensors["boxBody1.frame_a.f"].arrows["f"] * 11.5
    assert 0.1 < longest < 1.0, "as a part of a pendulum of 1.2 m"


def test_that_many_cut_forces_are_hidden_at_first_and_zero_ones_left_out(tmp_path) -> None:
    made = pendulum()
    for i in range(7):
        place = np.array([float(i), 1.0, 0.0])
        made.add_frame(f"stand{i}.frame_a", np.eye(3), place, np.zeros(3))
        made.add_vector(f"stand{i}.frame_a.f", np.array([0.0, 0.0, 1.0 + i]))
        made.add_vector(f"stand{i}.frame_a.t", np.zeros(3))
    result = result_in(written(tmp_path, made, "upright"))
    scene, problems = scene_of(result, frames_of(result), (), "Pendulum_res.mat")
    assert len(scene.sensors) == 9
    assert set(scene.view.hidden.sensors) == set(scene.sensors)
    assert [problem.kind for problem in problems] == ["modelica-forces"]


def spatial(n: int = 60, seed: int = 0):
    """Return times, orientations (world into frame), positions and the angular velocity in the frame of a body."""
    t = np.linspace(0.0, 3.0, n)
    fine = np.linspace(0.0, 3.0, 40 * (n - 1) + 1)
    rng = np.random.default_rng(seed)
    a, f = rng.normal(size=(3, 3)), 0.5 + rng.random((3, 3))
    w = (a[:, :, None] * np.sin(f[:, :, None] * fine)).sum(axis=0).T
    steps = Rotation.from_rotvec(0.5 * (w[:-1] + w[1:]) * (fine[1] - fine[0])).as_matrix()
    whole = [Rotation.random(rng=seed).as_matrix()]
    for step in steps:
        whole.append(whole[-1] @ step)
    T = np.array([R.T for R in whole[::40]])
    r = np.stack([np.sin(t), 0.3 * t, np.cos(2 * t)], axis=1)
    return t, T, r, w[::40]


def drawn_pose(scene, folder, name: str, t: float):
    """Return the pose in world of a body as it is drawn."""
    plan = compile_plan(scene, access=Access(folder))
    (body,) = [body for body in plan.view_data.bodies if body.name == name]
    snapshot = evaluate(plan, t)
    R = snapshot.R_WF[body.i_frame]
    return R @ body.R_FB, snapshot.p_WF[body.i_frame] + R @ body.p_FB, body


@pytest.mark.parametrize("kind", ["box", "cylinder", "sphere", "cone", "beam", "pipe"])
@pytest.mark.parametrize("tool", ["Dymola", "OpenModelica"])
def test_that_shapes_stand_where_the_rule_of_the_library_puts_them(tmp_path, kind, tool) -> None:
    t, T, r, w = spatial(seed=3)
    made = Variables(t)
    made.add_frame("arm.body.frame_a", T, r, w)
    made.add_frame("other.frame_a", np.eye(3), np.array([1.0, 0.0, 0.0]))
    rng = random.Random(kind)
    r_shape, along, aside = ([rng.gauss(0, 1) for _ in range(3)] for _ in range(3))
    size = (0.6, 0.6, 0.6) if kind == "sphere" else (0.6, 0.2, 0.3)
    e_l = np.array(along) / np.linalg.norm(along)
    e_h = np.cross(e_l, aside)
    e_h /= np.linalg.norm(e_h)
    e_w = np.cross(e_h, e_l)
    start = r + np.einsum("nji,j->ni", T, np.array(r_shape))
    path = tmp_path / "Arm_res.mat"
    name = "arm.body.shape1"
    if tool == "Dymola":
        kind_here = kind if kind != "beam" else "box"
        axes = np.stack([e_l, e_w, e_h])
        add_dymola_shape(made, name, kind_here, axes @ T, start, size)
        result = result_in(write(path, made))
        shapes = list(shapes_of(result))
    else:
        result = result_in(write(path, made))
        text = visual([shape(name, kind, "arm.body.frame_a", r_shape=r_shape, along=along, aside=aside, size=size)])
        shapes = list(shapes_in(text.encode(), result))
    scene, problems = scene_of(result, frames_of(result), shapes, path.name)
    assert [each.hint for each in problems] == {
        "beam": ["It is drawn as a box."] if tool == "OpenModelica" else [],
        "pipe": ["It is drawn as a cylinder."],
    }.get(kind, [])
    assert scene.bodies[name].frame == "arm.body.frame_a"
    k = 17
    R, p, body = drawn_pose(scene, tmp_path, name, float(t[k]))
    along_W, aside_W = T[k].T @ e_l, T[k].T @ e_w
    middle = start[k] + 0.3 * along_W
    np.testing.assert_allclose(p, start[k] if kind == "cone" else middle, atol=1e-9)
    if kind in ("box", "beam"):
        np.testing.assert_allclose(R[:, 0], along_W, atol=1e-9)
        np.testing.assert_allclose(R[:, 1], aside_W, atol=1e-9)
        assert [body.size[key] for key in "xyz"] == pytest.approx(list(size))
    elif kind == "sphere":
        assert body.size["radius"] == pytest.approx(0.3)
    else:
        np.testing.assert_allclose(R[:, 2], along_W, atol=1e-9)
        assert (body.size["height"], body.size["radius"]) == pytest.approx((0.6, 0.1))
    if tool == "OpenModelica":
        assert scene.bodies[name].color == "#c86400"


def test_that_what_cannot_be_drawn_is_told_and_the_rest_is_there(tmp_path) -> None:
    t, T, r, w = spatial()
    made = Variables(t)
    made.add_frame("body.frame_a", T, r, w)
    add_dymola_shape(
        made, "spring.lines", "spring", T, r, np.stack([1 + 0.2 * np.sin(t), 0.1 + 0 * t, 0.1 + 0 * t], -1)
    )
    add_dymola_shape(made, "file.shape", "part.stl", T, r, (1, 1, 1))
    add_dymola_shape(made, "point.shape", "box", T, r, (0, 0.1, 0.1))
    add_dymola_shape(made, "free.shape", "box", np.eye(3), r + 1.0, (0.1, 0.1, 0.1))
    add_dymola_shape(made, "ground.shape", "box", np.eye(3), np.array([0.0, 0.0, -1.0]), (1.0, 1.0, 0.1))
    result = result_in(write(tmp_path / "a_res.mat", made))
    drawn = list(shapes_of(result))
    told = [each.message for each in drawn if isinstance(each, Problem)]
    assert told == ["file.shape is drawn from a file, or has a form that is not known (199)."]
    scene, problems = scene_of(
        result, frames_of(result), [each for each in drawn if not isinstance(each, Problem)], "a_res.mat"
    )
    assert list(scene.bodies) == ["spring.lines", "ground.shape"]
    assert scene.bodies["ground.shape"].frame == "world"
    assert [each.message for each in problems] == [
        "spring.lines is a spring.",
        "spring.lines changes its size.",
        "point.shape has the size 0 x 0.1 x 0.1 m.",
        "free.shape does not move like any frame of the result.",
    ]


def test_that_expressions_of_a_shape_are_computed(tmp_path) -> None:
    made = pendulum()
    result = result_in(write(tmp_path / "P_res.mat", made))
    one = shape("boxBody2.shape", "box", "boxBody2.frame_b", size=(0.5, 0.1, 0.1))
    width = "<width><exp>0.1</exp></width>"
    assert width in one
    tree = (
        '<width><operation op="*"><exp>2</exp><add><cref>J</cref><neg><exp>0.05</exp></neg></add></operation></width>'
    )
    (found,) = shapes_in(visual([one.replace(width, tree)]).encode(), result)
    np.testing.assert_allclose(found.size[:, 1], 2 * (0.25 - 0.05))
    for wrong in ("<cref>K</cref>", "<exp>wide</exp>", "<tan><exp>1</exp></tan>", ""):
        (told,) = shapes_in(visual([one.replace(width, f"<width>{wrong}</width>")]).encode(), result)
        assert isinstance(told, Problem)
        assert told.line == 3
        assert told.message.startswith("boxBody2.shape: ")


# --- Rates

PLANTED = {
    "the other sign": (lambda T, w: -w, "sign is the other one"),
    "none": (lambda T, w: 0.0 * w, "zero while T turns"),
    "resolved in world": (lambda T, w: np.einsum("nji,nj->ni", T, w), "resolved in another frame"),
    "half": (lambda T, w: 0.5 * w, "is 0.5 times as large as it should be"),
    "something else": (lambda T, w: 1.7 * np.roll(w, 1, axis=1) + 0.3, "sets it otherwise"),
    "two hundredths too large": (lambda T, w: 1.02 * w, "is 1.02 times as large as it should be"),
    "in degrees": (lambda T, w: np.degrees(w), "is 57.3 times as large as it should be"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(3))
def test_that_rates_that_are_right_are_silent(tmp_path, layout, seed) -> None:
    t, T, r, w = spatial(200, seed)
    made = Variables(t)
    made.add_frame("body.frame_a", T, r, w)
    made.add_frame("still.frame_a", T[0], r[0], np.zeros(3))
    for each in (made, pendulum()):
        result = result_in(write(tmp_path / "a_res.mat", each, **LAYOUTS[layout]))
        assert list(rate_problems(result, frames_of(result))) == []


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("planted", PLANTED)
def test_that_a_rate_that_is_not_the_derivative_is_told_with_its_cause(tmp_path, planted, layout) -> None:
    change, cause = PLANTED[planted]
    t, T, r, w = spatial(200, seed=5)
    made = Variables(t)
    made.add_frame("good.frame_a", T, r, w)
    made.add_frame("bad.frame_a", T, r + 1.0, change(T, w))
    result = result_in(write(tmp_path / "a_res.mat", made, **LAYOUTS[layout]))
    (problem,) = rate_problems(result, frames_of(result))
    assert problem.item == ("frames", "bad.frame_a")
    assert cause in problem.hint


# --- Damage


@pytest.mark.fuzz
def test_that_damaged_results_end_in_a_scene_or_a_message(tmp_path) -> None:
    seeds = [written(tmp_path, pendulum(11), layout).read_bytes() for layout in (*LAYOUTS, *PLOTTED)]
    found = {"scene": 0, "message": 0}
    for number in range(400):
        rng = random.Random(number)
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.choice((1, 1, 2, 10))):
            at = rng.randrange(min(len(data), 400) if rng.random() < 0.5 else len(data))
            data[at] = rng.choice((0, 1, 127, 255, rng.randrange(256)))
        if rng.random() < 0.3:
            data = data[: rng.randrange(len(data))]
        try:
            with np.errstate(all="ignore"):
                result = read_result("a_res.mat", bytes(data))
                frames = frames_of(result)
                scene_of(result, frames, (), "a_res.mat")
                list(rate_problems(result, frames))
            found["scene"] += 1
        except FramescopeError:
            found["message"] += 1
    assert min(found.values()) > 40, found


@pytest.mark.fuzz
def test_that_damaged_files_of_shapes_end_in_shapes_problems_or_a_message(tmp_path) -> None:
    result = result_in(write(tmp_path / "P_res.mat", pendulum(11)))
    frames = frames_of(result)
    text = visual([shape(f"b{i}.shape", kind, "boxBody1.frame_b") for i, kind in enumerate(("box", "cone", "sphere"))])
    words = [
        "NaN",
        "-1e999",
        "cref",
        "<exp>",
        "</T>",
        "]]>",
        "&lt;",
        "&x;",
        "<!DOCTYPE a>",
        "../../etc/passwd",
        "1" * 400,
    ]
    found = {"read": 0, "message": 0}
    for number in range(2000):
        rng = random.Random(number)
        data = text
        for _ in range(rng.choice((1, 1, 2, 5))):
            i, j = sorted(rng.randrange(len(data)) for _ in range(2))
            j = min(j, i + 30)
            data = rng.choice((data[:i] + data[j:], data[:i] + rng.choice(words) + data[i:], data[:j] + data[i:]))
        try:
            shapes = list(shapes_in(data.encode("utf-8", "replace"), result))
            scene_of(result, frames, [each for each in shapes if not isinstance(each, Problem)], "P_res.mat")
            found["read"] += 1
        except XmlError:
            found["message"] += 1
    assert min(found.values()) > 100, found
