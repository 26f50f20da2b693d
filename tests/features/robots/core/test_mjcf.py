"""Models in MJCF against MuJoCo itself: where bodies, sites, cameras and meshes are; faults; what is damaged."""

from __future__ import annotations

import random
import struct
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.features.robots.core.mjcf.compiled import Pose
from framescope.features.robots.core.mjcf.files import file_beside
from framescope.features.robots.core.mjcf.reader import matrix_of, read_mjcf
from framescope.features.robots.core.mjcf.source import read_source
from framescope.features.robots.core.robot_scene import scene_of
from tests.support.mjcf_models import random_mjcf

mujoco = pytest.importorskip("mujoco")

POSES = 13
"""Times 8 models make more than 100."""


def no_file(_name: str) -> None:
    return None


def made(text: str):
    return read_mjcf(text.encode(), "model", no_file)


def moved(scene: Scene, values: dict[str, float], folder: Path | None = None) -> Plan:
    plan = compile_plan(scene.model_copy(update={"parameters": scene.parameters | FrozenDict(values)}), folder)
    assert [problem for problem in plan.problems if problem.severity == "red"] == []
    return plan


def by_joints(scene: Scene) -> dict[str, str]:
    """Return the parameters of a scene by what its joints are called."""
    motions = [frame.motion for frame in scene.frames.values() if frame.motion is not None]
    return {motion.name: motion.value for motion in motions if motion.value in scene.parameters}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_that_everything_stands_where_mujoco_has_it(seed: int) -> None:
    text, rng = random_mjcf(seed), random.Random(seed)
    model = mujoco.MjModel.from_xml_string(text.replace('file="nowhere.png"', 'builtin="flat" width="8" height="8"'))
    data = mujoco.MjData(model)
    robot = made(text)
    assert [fault for fault in robot.faults if fault.severity != "note"] == []
    scene, _ = scene_of(robot, {})
    parameters = by_joints(scene)
    follower, leader = int(model.eq_obj1id[0]), int(model.eq_obj2id[0])
    moving = [i for i in range(model.njnt) if model.jnt_type[i] in (2, 3) and i != follower]
    assert set(parameters) == {model.joint(i).name for i in moving}
    for _ in range(POSES):
        data.qpos[:] = model.qpos0
        values = dict[str, float]()
        for i in moving:
            value = rng.uniform(-3.0, 3.0)
            data.qpos[model.jnt_qposadr[i]] = value
            values[parameters[model.joint(i).name]] = value
        at, of = model.jnt_qposadr[follower], model.jnt_qposadr[leader]
        data.qpos[at] = model.qpos0[at] + 0.2 - 1.5 * (data.qpos[of] - model.qpos0[of])
        mujoco.mj_kinematics(model, data)
        mujoco.mj_camlight(model, data)
        plan = moved(scene, values)
        now = evaluate(plan, 0.0)
        places = {model.body(i).name: (data.xpos[i], data.xmat[i]) for i in range(1, model.nbody)}
        places |= {model.site(i).name: (data.site_xpos[i], data.site_xmat[i]) for i in range(model.nsite)}
        places |= {model.camera(i).name: (data.cam_xpos[i], data.cam_xmat[i]) for i in range(model.ncam)}
        for name, (position, turn) in places.items():
            row = plan.index[name]
            np.testing.assert_allclose(now.p_WF[row], position, atol=1e-12, err_msg=name)
            np.testing.assert_allclose(now.R_WF[row], turn.reshape(3, 3), atol=1e-12, err_msg=name)


# --- Meshes


def stl(points: np.ndarray, *, is_text: bool = False) -> bytes:
    """Return a box of points (8, 3) as an STL, with the outside out."""
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    triangles = [part for a, b, c, d in quads for part in ((a, b, c), (a, c, d))]
    if is_text:
        facet = "facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n"
        lines = ["".join(f"vertex {x} {y} {z}\n" for x, y, z in points[list(each)]) for each in triangles]
        corners = "".join(map(facet.format, lines))
        return f"solid box\n{corners}endsolid box\n".encode()
    facets = b"".join(struct.pack("<12fH", 0, 0, 0, *points[list(each)].ravel(), 0) for each in triangles)
    return b"\0" * 80 + struct.pack("<I", len(triangles)) + facets


CORNERS = np.array([[x, y, z] for z in (0.5, 0.8) for y in (-0.25, 0.125) for x in (1.0, 1.5)])


@pytest.mark.parametrize("is_text", [False, True])
@pytest.mark.parametrize("more", ["", 'scale="0.5 2 -1"', 'refpos="0.1 0.2 0.3" refquat="1 1 -1 1" scale="2 2 2"'])
def test_that_meshes_are_drawn_where_mujoco_has_their_points(tmp_path: Path, more: str, is_text: bool) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "box.stl").write_bytes(stl(CORNERS, is_text=is_text))
    text = f"""<mujoco><compiler meshdir="assets"/><asset><mesh name="m" file="box.stl" {more}/></asset>
      <worldbody><body name="arm" pos="1 2 3" euler="10 20 30"><joint name="j" axis="0 1 1"/>
      <geom type="mesh" mesh="m" pos="0.1 0.2 0.3" euler="40 50 60"/></body></worldbody></mujoco>"""
    path = tmp_path / "arm.xml"
    path.write_text(text, "utf-8")
    source = read_source(text.encode(), lambda name: stl(CORNERS))
    model = mujoco.MjModel.from_xml_string(source.text, source.assets)
    data = mujoco.MjData(model)
    data.qpos[0] = 0.7
    mujoco.mj_kinematics(model, data)
    expected = data.geom_xpos[0] + model.mesh_vert.astype(float) @ data.geom_xmat[0].reshape(3, 3).T

    robot = read_mjcf(text.encode(), "arm", partial(file_beside, path))
    assert {fault.kind for fault in robot.faults} == ({"mirrored"} if " -1" in more.partition("scale")[2] else set())
    scene, _ = scene_of(robot, {"assets/box.stl": "assets/box.stl"})
    plan = moved(scene, {"j": 0.7}, tmp_path)
    body = scene.bodies["arm"]
    assert body.shape.file == "assets/box.stl"
    now, row = evaluate(plan, 0.0), plan.index["arm"]
    turn = Rotation.from_euler("ZYX", body.orientation.angles if body.orientation else [0.0] * 3).as_matrix()
    place = np.array(body.position.value if body.position else [0.0] * 3)
    points = CORNERS * body.shape.scale @ turn.T + place
    drawn = now.p_WF[row] + points @ now.R_WF[row].T
    far = np.linalg.norm(drawn[:, None] - expected[None], axis=2)
    assert far.min(axis=1).max() < 1e-6  # MuJoCo holds points in single precision
    assert far.min(axis=0).max() < 1e-6


def test_that_a_mesh_that_is_not_there_gets_a_stand_in_and_is_told() -> None:
    text = """<mujoco><asset><mesh file="away.stl"/></asset><worldbody><body name="arm">
        <inertial mass="2" pos="0 0 0" diaginertia="0.1 0.1 0.1"/><geom type="mesh" mesh="away"/>
        </body></worldbody></mujoco>"""
    scene, faults = scene_of(made(text), {})
    assert [fault.message for fault in faults] == ["there is no mesh away.stl."]
    assert scene.bodies["arm"].shape.form == "box"


def test_that_a_mesh_of_a_plug_in_is_told_and_its_body_is_there() -> None:
    text = """<mujoco><extension><plugin plugin="mujoco.sdf.torus"/></extension>
        <asset><mesh name="ring"><plugin plugin="mujoco.sdf.torus"/></mesh></asset>
        <worldbody><body name="arm"><geom type="mesh" mesh="ring"/></body></worldbody></mujoco>"""
    robot = made(text)
    assert [fault.message for fault in robot.faults] == ["a mesh is not drawn."]
    assert [link.name for link in robot.links] == ["world", "arm"]


def test_that_nothing_outside_the_folder_of_the_model_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.xml"
    secret.write_text("<mujoco><worldbody><body name='secret'/></worldbody></mujoco>", "utf-8")
    path = tmp_path / "deep" / "robots" / "arm.xml"
    path.parent.mkdir(parents=True)
    for name in ("../../secret.xml", str(secret)):
        text = f'<mujoco><include file="{name}"/><worldbody><body name="arm"/></worldbody></mujoco>'
        path.write_text(text, "utf-8")
        robot = read_mjcf(text.encode(), "arm", partial(file_beside, path))
        assert [link.name for link in robot.links] == ["world", "arm"]
        assert [fault.message for fault in robot.faults] == ["there is no such file."]


# --- What a model is made of


ARM = """<mujoco model="arm">
  <include file="parts.xml"/>
  <worldbody>
    <body name="arm"><joint name="elbow" range="-90 90"/><geom class="seen" size="0.1"/><geom class="hit" size="0.2"/>
      <body name="hand" pos="0 0 1"><joint name="wrist" type="ball"/><geom type="cylinder" size="0.1 0.2"/></body>
    </body>
  </worldbody>
  <equality><connect body1="arm" body2="hand" anchor="0 0 0"/></equality>
</mujoco>"""
PARTS = """<mujocoinclude>
  <default><default class="seen"><geom contype="0" conaffinity="0" rgba="1 0 0 0.5"/></default>
  <default class="hit"><geom group="3"/></default></default>
</mujocoinclude>"""


def arm() -> Scene:
    robot = read_mjcf(ARM.encode(), "x", {"parts.xml": PARTS.encode()}.get)
    assert [(fault.line, fault.kind) for fault in robot.faults] == [(5, "ball joint"), (8, "left out")]
    return scene_of(robot, {})[0]


def test_that_shapes_are_what_they_are_for() -> None:
    scene = arm()
    assert scene.title == "arm"
    shapes = {name: (body.role, body.shape.form) for name, body in scene.bodies.items() if body.role != "inertia"}
    assert shapes == {
        "arm": ("visual", "sphere"),
        "arm collision": ("collision", "sphere"),
        "hand": ("visual", "cylinder"),
        "hand collision": ("collision", "cylinder"),
    }
    assert scene.bodies["arm"].color == "#ff0000"
    assert scene.bodies["arm"].opacity == 0.5
    assert scene.bodies["arm"].shape.radius.value == 0.1
    assert scene.frames["arm"].motion.upper == pytest.approx(np.pi / 2)
    assert scene.frames["hand"].motion is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('size="0.1 0.2"', 'size="0.1"', "line 5: MuJoCo says: size 1 must be positive in geom"),
        ('type="ball"', 'type="bell"', "line 5: MuJoCo says: invalid keyword: 'bell'"),
        ('<body name="hand"', '<body name="arm"', "line 5: MuJoCo says: repeated name 'arm' in body"),
        ("<worldbody>", "<worldbody><worldbody>", "line 9: it is not well-formed XML"),
        ("<mujoco model", "<robot model", "line 9: it is not well-formed XML"),
        ('<mujoco model="arm">', "<!DOCTYPE a><mujoco>", "line 1: it declares a document type"),
    ],
)
def test_that_a_model_that_mujoco_refuses_is_told_with_its_line(old: str, new: str, said: str) -> None:
    with pytest.raises(FramescopeError) as error:
        read_mjcf(ARM.replace(old, new).encode(), "x", {"parts.xml": PARTS.encode()}.get)
    assert str(error.value).startswith(said)


def test_that_what_is_included_twice_or_damaged_is_told() -> None:
    twice = ARM.replace("<worldbody>", '<include file="parts.xml"/><include file="bad.xml"/><worldbody>')
    robot = read_mjcf(twice.encode(), "x", {"parts.xml": PARTS.encode(), "bad.xml": b"<mujoco>"}.get)
    told = [(fault.line, fault.message) for fault in robot.faults if fault.kind == "include"]
    assert told[0] == (3, "it is included in line 2 already.")
    assert told[1][1].startswith("line 1 of it: it is not well-formed XML")


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(4))
def test_that_a_damaged_model_is_a_robot_or_one_clear_error(seed: int) -> None:
    rng = random.Random(seed)
    whole, refused = random_mjcf(seed).encode(), list[str]()
    for _ in range(100):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            match rng.randrange(4):
                case 0:
                    data[rng.randrange(len(data))] = rng.randrange(256)
                case 1:
                    del data[rng.randrange(len(data)) :][: rng.randrange(30)]
                case 2:
                    at = rng.randrange(len(data))
                    del data[at : at + rng.randrange(40)]
                case _:
                    at, to = rng.randrange(len(data)), rng.randrange(len(data))
                    data[to:to] = data[at : at + rng.randrange(60)]
        try:
            scene, _ = scene_of(read_mjcf(bytes(data), "x", no_file), {})
        except FramescopeError as error:
            refused.append(str(error))
        else:
            compile_plan(scene)
    assert refused
    assert not any("\n" in message for message in refused)


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('<body name="far" pos="1e300 0 0"><geom size="1"/></body>', 'body "far" has the number 1e+300'),
        ('<body name="big"><geom size="1e200"/></body>', 'body "big" has the number'),
        (
            '<body><geom size="1"/><site name="tip" pos="0 -1e200 0"/></body>',
            'site or camera "tip" has the number -1e+200',
        ),
    ],
)
def test_that_numbers_beyond_all_measure_are_one_clear_error(body: str, named: str) -> None:
    with pytest.raises(FramescopeError) as error:
        read_mjcf(f"<mujoco><worldbody>{body}</worldbody></mujoco>".encode(), "x", no_file)
    assert named in str(error.value)


def test_that_poses_are_those_of_mujocos_quaternions() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        quaternion = rng.normal(size=4)
        quaternion /= np.linalg.norm(quaternion)
        expected = np.zeros(9)
        mujoco.mju_quat2Mat(expected, quaternion)
        found = matrix_of(Pose((0.0, 0.0, 0.0), tuple(quaternion.tolist())))
        np.testing.assert_allclose(found[:3, :3], expected.reshape(3, 3), atol=1e-15)


def nested(*counts: str) -> str:
    """Return a model of which each replicate is in the one before."""
    opened = "".join(f'\n<replicate count="{count}" offset="1 0 0">' for count in counts)
    inside = f'<body><geom size=".1"/></body>{"</replicate>" * len(counts)}'
    return f"<mujoco><worldbody>{opened}{inside}</worldbody></mujoco>"


@pytest.mark.parametrize(
    ("counts", "amount"),
    [
        (["500", "400"], "400,001"),
        (["7", "100000"], "1,400,001"),
        (["2"] * 40, "2,199,023,255,553"),
        (["1e300"] * 30, "more than 1,000,000,000,000,000"),
    ],
)
def test_that_replicas_are_counted_before_they_are_made(counts: list[str], amount: str) -> None:
    with pytest.raises(FramescopeError, match=rf"^line 2: <replicate> makes a model of {amount} elements, and at most"):
        read_source(nested(*counts).encode(), no_file)


@pytest.mark.parametrize("counts", [["3", "5"], ["100", "100"], ["none"], ["-4"], ["1e999"], []])
def test_that_replicas_of_a_healthy_number_and_faulty_counts_are_the_compilers_matter(counts: list[str]) -> None:
    assert read_source(nested(*counts).encode(), no_file).text.count("<replicate") == len(counts)


def test_that_replicas_in_what_is_included_count() -> None:
    part = "<mujocoinclude>" + '<replicate count="300">' * 2 + "<geom/>" + "</replicate>" * 2 + "</mujocoinclude>"
    whole = '<mujoco><worldbody>\n<include file="part.xml"/></worldbody></mujoco>'
    with pytest.raises(FramescopeError, match=r"^line 2: <replicate> makes a model of 90,001 elements"):
        read_source(whole.encode(), lambda _name: part.encode())


def test_that_files_that_include_each_other_stand_no_deeper_than_one() -> None:
    def deeper(name: str) -> bytes:
        inside = f'<include file="{name}+"/>'
        return ("<mujocoinclude>" + "<body>" * 150 + inside + "</body>" * 150 + "</mujocoinclude>").encode()

    whole = '<mujoco><worldbody>\n<include file="part"/></worldbody></mujoco>'
    with pytest.raises(FramescopeError, match=r"^line 2: its elements are nested more than 200 levels deep"):
        read_source(whole.encode(), deeper)
