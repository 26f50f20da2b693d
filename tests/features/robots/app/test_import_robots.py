"""Robots opened from files: meshes of packages, stand-ins for those that are not there, and what the commands say."""

from __future__ import annotations

import json

import numpy as np
import pytest

from framescope.app.cli.main import app
from framescope.app.importers.registry import file_in, importer_of, read_scene
from framescope.app.session.mesh_problems import mesh_problems
from framescope.core.analysis.diagnostics.diagnosis import PACKAGE
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.robots import PackageFolder, RobotFile
from framescope.core.system.file_access import Access
from framescope.features.robots.app.robot_reader import scene_made_of
from framescope.features.robots.core import moved_links
from framescope.features.robots.core.mesh_sizes import mesh_faults
from framescope.features.robots.core.package_files import package_in, ros_folders
from framescope.features.robots.core.robot_problems import folders_of, robot_problems
from framescope.features.robots.core.urdf import read_urdf
from tests.support.command_line import CliRunner

run = CliRunner().invoke

ROBOT = """\
<?xml version="1.0"?>
<robot name="arm">
  <link name="base_link">
    <inertial><mass value="12"/><inertia ixx="13" iyy="10" izz="5" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="{mesh}" scale="0.001 0.001 0.002"/></geometry></visual>
  </link>
  <link name="hand"/>
  <joint name="wrist" type="continuous">
    <parent link="base_link"/><child link="hand"/>
    <origin xyz="0 0 1"/><axis xyz="0 0 1"/>
  </joint>
</robot>
"""

COINCIDENT = """\
<robot name="rover">
  <link name="base_footprint"/><link name="base_link"/><link name="lidar"/>
  <joint name="a" type="fixed"><parent link="base_footprint"/><child link="base_link"/></joint>
  <joint name="b" type="fixed"><parent link="base_footprint"/><child link="lidar"/></joint>
</robot>
"""


def test_that_links_of_a_robot_in_one_place_are_not_to_be_merged(tmp_path) -> None:
    (tmp_path / "rover.urdf").write_text(COINCIDENT)
    shown = run(app, ["check", "--deep", "--json", str(tmp_path / "rover.urdf")])
    assert shown.exit_code == 0, shown.output
    assert [each["kind"] for each in json.loads(shown.stdout)] == []
    own = "framescope: 1\nrobots: {rover: {file: rover.urdf}}\nframes:\n"
    names = ("base_footprint", "mine", "base_link", "yours")
    own += "".join(f"  {name}: {{parent: {'world' if name == names[0] else names[0]}}}\n" for name in names)
    (tmp_path / "own.yaml").write_text(own)
    found = json.loads(run(app, ["check", "--deep", "--json", str(tmp_path / "own.yaml")]).stdout)
    doubled = {each["where"]: each.get("mend") for each in found if each["kind"] == "doubled-frame"}
    assert doubled == {"frames.base_link": None, "frames.yours": "Merge into mine"}


def test_that_a_mesh_in_millimetres_is_told_with_the_scale_that_makes_it_metres(tmp_path) -> None:
    robot = package(tmp_path, "package://arm_description/base.stl", "arm_description/base.stl")
    healthy = robot.read_text("utf-8")
    assert [fault.kind for fault in mesh_faults(read_urdf(healthy.encode()), robot)] == []
    robot.write_text(healthy.replace(' scale="0.001 0.001 0.002"', ""), "utf-8")
    (fault,) = mesh_faults(read_urdf(robot.read_bytes()), robot)
    assert (fault.kind, fault.line, fault.where) == ("millimetres", 5, "link base_link")
    assert "spans 1000 m" in fault.message
    assert 'scale="0.001 0.001 0.001"' in fault.hint


def test_that_a_slip_of_the_reader_of_a_robot_that_is_followed_is_a_problem(tmp_path, monkeypatch) -> None:
    def read(_data: bytes, _stem: str):
        raise KeyError("elbow")

    (tmp_path / "rover.urdf").write_text(COINCIDENT)
    scene, _ = parse_scene("framescope: 1\nrobots: {rover: {file: rover.urdf}}\n")
    monkeypatch.setattr(moved_links, "read_urdf", read)
    (problem,) = robot_problems(compile_plan(scene, tmp_path))
    assert "because of an error in Framescope (KeyError: 'elbow')" in problem.message


STL = """\
solid s
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1000 0 0
vertex 0 1000 0
endloop
endfacet
endsolid s
"""


def package(folder, mesh: str, at: str | None):
    """Write a package with a robot in its folder `urdf`, and a mesh somewhere."""
    robot = folder / "arm_description" / "urdf" / "arm.urdf"
    robot.parent.mkdir(parents=True)
    robot.write_text(ROBOT.format(mesh=mesh), "utf-8")
    if at is not None:
        (folder / at).parent.mkdir(parents=True, exist_ok=True)
        (folder / at).write_text(STL, "utf-8")
    return robot


@pytest.mark.parametrize(
    ("mesh", "at"),
    [
        ("package://arm_description/meshes/base.stl", "arm_description/meshes/base.stl"),
        ("package:///arm_description/meshes/base.stl", "arm_description/meshes/base.stl"),
        ("package://gripper/meshes/base.stl", "gripper/meshes/base.stl"),
        ("$(find arm_description)/meshes/base.stl", "arm_description/meshes/base.stl"),
        ("base.stl", "arm_description/urdf/base.stl"),
        ("../meshes/a%20mesh.stl", "arm_description/meshes/a mesh.stl"),
    ],
)
def test_that_meshes_are_found_in_their_packages(tmp_path, mesh, at) -> None:
    robot = package(tmp_path, mesh, at)
    assert importer_of(robot).title == "robots"
    loaded, problems = read_scene(robot)
    assert problems == ()
    body = loaded.scene.bodies["base_link"]
    assert (loaded.home / body.shape.file).resolve() == (tmp_path / at).resolve()
    assert body.shape.scale == (0.001, 0.001, 0.002)
    plan = compile_plan(loaded.scene, access=Access(loaded.home))
    assert (*plan.problems, *mesh_problems(plan)) == ()


@pytest.mark.parametrize(
    "mesh",
    [
        "package://arm_description/../secret.stl",
        "package://arm_description/meshes/../../secret.stl",
        "../../secret.stl",
        "/etc/secret.stl",
        "file:///etc/secret.stl",
        "package://nobody/base.stl",
        "http://example.org/base.stl",
    ],
)
def test_that_a_mesh_that_is_not_there_or_outside_has_a_stand_in_of_equal_inertia(tmp_path, mesh) -> None:
    robot = package(tmp_path, mesh, "secret.stl")
    loaded, _ = read_scene(robot)
    (found,) = robot_problems(compile_plan(loaded.scene, access=Access(loaded.home)))
    if "nobody" in mesh:
        what = "the package nobody is not beside it: one mesh of it, such as base.stl, cannot be drawn."
        assert found.kind == PACKAGE
        assert found.message == f"arm.urdf: {what}"
        assert found.key_path == ("robots", "arm", "packages", "nobody")
    else:
        assert (found.kind, found.severity) == ("robot-no-mesh", "amber")
        assert found.message == f"arm.urdf, line 5: link base_link: there is no mesh {mesh}."
    shape = loaded.scene.bodies["base_link"].shape
    np.testing.assert_allclose(sorted(shape.size), [1, 2, 3], rtol=1e-12)


def test_that_a_link_without_mesh_and_inertia_gets_sticks_to_its_joints(tmp_path) -> None:
    robot = package(tmp_path, "package://nobody/base.stl", None)
    text = (
        robot.read_text("utf-8")
        .replace('<mass value="12"/>', '<mass value="0"/>')
        .replace('"0 0 1"/><axis', '"1 2 2"/><axis')
    )
    robot.write_text(text, "utf-8")
    scene = read_scene(robot)[0].scene
    body = scene.bodies["base_link"]
    assert (body.shape.form, body.shape.height.value, body.opacity) == ("cylinder", 3.0, 0.5)
    np.testing.assert_allclose(body.orientation.rows[2], [1 / 3, 2 / 3, 2 / 3], atol=1e-15)
    assert body.position.value == (0.5, 1.0, 1.0)


def test_that_a_folder_stands_for_the_robot_in_it(tmp_path) -> None:
    robot = package(tmp_path, "base.stl", "arm_description/urdf/base.stl")
    assert file_in(tmp_path) == robot
    loaded, _ = read_scene(tmp_path / "arm_description")
    assert loaded.scene.title == "arm"
    (robot.parent / "gripper.urdf").write_text(ROBOT, "utf-8")
    assert file_in(tmp_path / "arm_description") == robot, "it is called as the folder"
    with pytest.raises(FramescopeError, match=r"several robots: arm_description/urdf/arm.urdf, .*/gripper.urdf\. Open"):
        file_in(tmp_path)
    done = run(app, ["check", str(tmp_path)])
    assert done.exit_code == 2
    assert "holds several robots" in " ".join(done.output.split())
    (tmp_path / "none" / ".hidden").mkdir(parents=True)
    (tmp_path / "none" / ".hidden" / "a.urdf").write_text(ROBOT, "utf-8")
    (tmp_path / "none" / "away").symlink_to(robot.parent)
    with pytest.raises(FramescopeError, match="the folder none holds no robot"):
        file_in(tmp_path / "none")


def test_that_a_world_of_sdf_opens_with_models_and_meshes_of_its_folders(tmp_path) -> None:
    model = """<sdf version="1.9"><model name="lamp"><link name="shade"><visual name="v"><geometry><mesh>
      <uri>model://lamp/meshes/shade.stl</uri></mesh></geometry></visual></link></model></sdf>"""
    (tmp_path / "lamp" / "meshes").mkdir(parents=True)
    (tmp_path / "lamp" / "model.sdf").write_text(model, "utf-8")
    (tmp_path / "lamp" / "meshes" / "shade.stl").write_text(STL, "utf-8")
    (tmp_path / "yard").mkdir()
    world = tmp_path / "yard" / "yard.world"
    include = "<include><uri>model://{}</uri><name>{}</name><pose>0 0 {} 0 0 0</pose></include>"
    inside = include.format("lamp", "one", 1) + include.format("lamp", "two", 2) + include.format("../etc", "bad", 3)
    world.write_text(f'<sdf version="1.9"><world name="yard">{inside}</world></sdf>', "utf-8")
    assert importer_of(world).title == "robots"
    loaded, (problem,) = read_scene(world)
    assert problem.message == "an <include>: there is no model model://../etc."
    assert loaded.scene.robots == {}, "it is not followed"
    plan = compile_plan(loaded.scene, access=Access(loaded.home))
    assert (*plan.problems, *mesh_problems(plan)) == ()
    snapshot = evaluate(plan, 0.0)
    np.testing.assert_allclose(snapshot.p_WF[plan.index["two::shade"]], (0, 0, 2))
    assert file_in(tmp_path / "yard") == world


def test_that_comments_before_a_robot_are_passed_over_whatever_stands_between_them(tmp_path) -> None:
    """A pattern that may go back into a comment takes what follows for the begin, after a time that doubles."""
    path = tmp_path / "arm.urdf"
    comments = "<!-- made by hand -->\n" * 400
    path.write_text(ROBOT.format(mesh="").replace("<robot", f"{comments}<robot") + f"{comments}<gazebo />", "utf-8")
    assert importer_of(path).title == "robots"


def test_that_an_inertia_a_thousand_times_too_large_for_its_mesh_is_told_with_its_line(tmp_path) -> None:
    robot = package(tmp_path, "package://arm_description/base.stl", "arm_description/base.stl")
    healthy = robot.read_text("utf-8")
    assert list(mesh_faults(read_urdf(healthy.encode()), robot)) == []
    for factor, mesh, expected in ((1000, "base.stl", True), (20, "base.stl", False), (1000, "gone.stl", False)):
        inertia = f'ixx="{13 * factor}" iyy="{10 * factor}" izz="{5 * factor}"'
        text = healthy.replace('ixx="13" iyy="10" izz="5"', inertia).replace("base.stl", mesh)
        faults = list(mesh_faults(read_urdf(text.encode()), robot))
        assert [(fault.kind, fault.line, fault.where) for fault in faults] == (
            [("inertia large", 4, "link base_link")] if expected else []
        )
        robot.write_text(text, "utf-8")
        said = " ".join(run(app, ["check", str(robot)]).output.split())
        assert ("line 4: link base_link: its moments of inertia are" in said) is expected


def test_that_a_link_outside_of_a_package_is_not_followed(tmp_path) -> None:
    (tmp_path / "secret.stl").write_text(STL, "utf-8")
    robot = package(tmp_path, "package://arm_description/link.stl", None)
    (robot.parents[1] / "link.stl").symlink_to(tmp_path / "secret.stl")
    loaded, _ = read_scene(robot)
    (found,) = robot_problems(compile_plan(loaded.scene, access=Access(loaded.home)))
    assert found.kind == "robot-no-mesh"


def test_that_a_scene_of_a_robot_is_the_same_when_it_was_saved_and_read(tmp_path) -> None:
    loaded, _ = read_scene(package(tmp_path, "base.stl", None))
    again, _ = parse_scene(scene_text(loaded.scene))
    assert again == loaded.scene
    for scene in (loaded.scene, again):
        turned = scene.model_copy(update={"parameters": {"wrist": 0.5}})
        R = evaluate(compile_plan(turned, access=Access()), 0.0).R_WF[2]
        np.testing.assert_allclose(R[:2, 0], [np.cos(0.5), np.sin(0.5)], atol=1e-15)


def test_that_the_commands_open_a_robot_and_say_what_is_wrong_with_it(tmp_path) -> None:
    robot = package(tmp_path, "package://arm_description/meshes/base.stl", None)
    shown = run(app, ["check", str(robot)])
    assert shown.exit_code == 2
    assert "hand: in base_link, joint, revolute about 0 0 1" in shown.output
    assert "line 5: link base_link: there is no mesh" in shown.output
    assert "no problems" not in shown.output
    (found,) = json.loads(run(app, ["check", str(robot), "--json"]).output)
    assert (found["kind"], found["line"], found["severity"]) == ("robot-no-mesh", None, "amber")
    robot.write_text("<robot>", "utf-8")
    shown = run(app, ["check", str(robot)])
    assert shown.exit_code != 0
    assert "arm.urdf: line 1: it is not well-formed XML" in shown.output


def test_that_a_package_elsewhere_is_known_by_the_scene_and_read_with_consent_alone(tmp_path) -> None:
    robot = package(tmp_path / "work", "package://nobody/meshes/base.stl", None)
    away = tmp_path / "away" / "nobody"
    (away / "meshes").mkdir(parents=True)
    (away / "meshes" / "base.stl").write_text(STL, "utf-8")
    home, name = robot.parent, (away / "meshes" / "base.stl").as_posix()
    scene = scene_made_of(robot, home, robot.name, {"nobody": away})
    assert scene.bodies["base_link"].shape.file == name
    known = RobotFile(file=robot.name, packages=(PackageFolder(name="nobody", folder=away.as_posix()),))
    scene = scene.model_copy(update={"robots": {"arm": known}})
    assert parse_scene(scene_text(scene), "arm.yaml")[0] == scene
    for access in (
        Access(home, frozenset([name])),
        Access(home, frozenset([away.as_posix()])),
        Access(home, allow_all=True),
    ):
        assert folders_of(known, access) == {"nobody": away}
    assert folders_of(known, Access(home)) == {}
    with_consent = compile_plan(scene, access=Access(home, frozenset([name])))
    assert [*robot_problems(with_consent), *mesh_problems(with_consent)] == []
    (without,) = robot_problems(compile_plan(scene, access=Access(home)))
    assert without.kind == "missing-package"


def test_that_ros_has_packages_where_its_variables_say(tmp_path) -> None:
    for folder in ("humble/share/arm", "ws/src/arm", "ws/src/leg"):
        (tmp_path / folder).mkdir(parents=True)
    paths = {
        "AMENT_PREFIX_PATH": f"/nowhere:{tmp_path / 'humble'}",
        "ROS_PACKAGE_PATH": str(tmp_path / "ws" / "src"),
    }
    assert list(ros_folders("arm", paths)) == [tmp_path / "humble/share/arm", tmp_path / "ws/src/arm"]
    assert list(ros_folders("leg", paths)) == [tmp_path / "ws/src/leg"]
    assert list(ros_folders("arm", {})) == []
    assert package_in(tmp_path / "humble", "arm") == tmp_path / "humble/share/arm"
    assert package_in(tmp_path / "ws" / "src" / "leg", "leg") == tmp_path / "ws" / "src" / "leg"
